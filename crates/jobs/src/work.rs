//! What a job is, and what becomes of it.

use crate::manifest::Manifest;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// What all jobs of one piece of work have in common.
///
/// The output of a job depends on the work and the job alone: not on the
/// machine, the threads, other jobs, or how often it is done.
pub trait Work: Sync {
    /// What one job is to do: a few bytes.
    type Job: Message;
    /// What comes out: some kilobytes at most.
    type Output: Message;
    /// What a thread keeps from one job to the next, such as the table of a solver.
    type ThreadState;

    /// What a thread begins with.
    fn thread_state(&self) -> Self::ThreadState;

    /// Does a job. Somebody may set `stop`, and the job ends soon.
    fn perform(
        &self,
        state: &mut Self::ThreadState,
        job: &Self::Job,
        stop: &Arc<AtomicBool>,
    ) -> Result<Self::Output, Failure>;

    /// The work in writing, for other machines; or why it cannot be done there.
    fn manifest(&self) -> Result<Manifest, String>;
}

/// Something that can be sent to another machine.
pub trait Message: Sized + Send {
    /// As bytes.
    fn to_bytes(&self) -> Vec<u8>;

    /// What these bytes stand for, if for anything.
    fn from_bytes(bytes: &[u8]) -> Option<Self>;
}

/// Plain data goes as JSON. Numbers survive it to the last bit.
impl<T: Serialize + DeserializeOwned + Send> Message for T {
    fn to_bytes(&self) -> Vec<u8> {
        serde_json::to_vec(self).expect("messages are plain data")
    }

    fn from_bytes(bytes: &[u8]) -> Option<T> {
        serde_json::from_slice(bytes).ok()
    }
}

/// What to do next.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Next<J> {
    /// This job. Its number is given out once.
    Job(u64, J),
    /// Wait for jobs that are being done: the next one depends on them.
    Wait,
    /// There are no more.
    Nothing,
}

/// A job that is done.
#[derive(Clone, PartialEq, Debug)]
pub struct Done<T> {
    /// Its number.
    pub number: u64,
    /// What came out.
    pub output: T,
    /// The machine that did it, if not this one.
    pub origin: Option<Origin>,
}

/// A machine that did a job.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Origin {
    /// What it calls itself.
    pub worker: String,
    /// How fast one of its cores is: positions a second of a fixed search.
    pub speed: f64,
}

/// Why a job has no output.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Failure {
    /// It was stopped.
    Stopped,
    /// This machine cannot do it; another one might.
    Machine(String),
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Failure::Stopped => f.write_str("it was stopped"),
            Failure::Machine(why) => f.write_str(why),
        }
    }
}
