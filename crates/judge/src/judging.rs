//! Does what a judge is asked to, on this machine or for a cluster.

use crate::assignment::{Assignment, Verdict};
use crate::check::{Progress, check};
use crate::play::{Match, settings};
use crate::reply::reply;
use crate::review::review;
use isrever_agent::Catalogue;
use isrever_arena::{Played, Seat, Unplayed};
use isrever_board::text::write_moves;
use isrever_club::{Club, ClubError, Job, Terms, ToReply};
use isrever_guest::{PythonSettings, Source};
use isrever_jobs::{Failure, Manifest, Work};
use serde::{Deserialize, Serialize};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::Instant;

/// What two agents and the program around them take at most beside what the terms allow them.
const OVERHEAD_MIB: u64 = 256;

/// The means of a judge: built-in players come from the catalogue; submissions run as `python` says,
/// within the terms of the game.
#[derive(Clone)]
pub struct Judging {
    /// The built-in players.
    pub catalogue: Arc<Catalogue>,
    /// How submissions run.
    pub python: PythonSettings,
    /// Which run of a club's it is, for other machines.
    pub run: Run,
}

/// A run of a club's jobs on other machines.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Run {
    /// No two are called the same.
    pub name: String,
    /// What an agent may take, in MiB.
    pub memory_mib: u64,
}

/// An assignment that is being worked at.
pub(crate) enum Attempt {
    Check(Source, Terms, Progress),
    Game(Box<Match>),
    Review(Played),
    Reply(Box<ToReply>, Source),
}

impl Attempt {
    pub(crate) fn new(assignment: Assignment) -> Attempt {
        let source = |text: String| Source::new(&PathBuf::from("my_ai.py"), text.as_bytes());
        match assignment {
            Assignment::Check { source: text, terms } => {
                Attempt::Check(source(text), terms, Progress::new(&terms))
            }
            Assignment::Game { game, sources } => {
                let sources = sources.map(|text| text.map(source));
                Attempt::Game(Box::new(Match::new(game, sources)))
            }
            Assignment::Review { played } => Attempt::Review(played),
            Assignment::Reply { asked, source: text } => {
                Attempt::Reply(Box::new(asked), source(text))
            }
        }
    }

    /// How far it has come, if it can be watched: in moves of a game, or cases of a check.
    pub(crate) fn step(&self) -> Option<usize> {
        match self {
            Attempt::Game(game) => Some(game.progress().0.ply()),
            Attempt::Check(_, _, progress) => Some(progress.now().done as usize),
            Attempt::Review(_) | Attempt::Reply(..) => None,
        }
    }

    /// Shows the club how far it has come, or else says that somebody is at it.
    pub(crate) fn show(&self, club: &Club, job: &Job, now: i64) -> Result<(), ClubError> {
        match self {
            Attempt::Game(game) => {
                let (game, clocks) = game.progress();
                club.show_live(job, &write_moves(&game, true), clocks, now)
            }
            Attempt::Check(_, _, progress) => club.show_check(job, progress.now(), now),
            Attempt::Review(_) | Attempt::Reply(..) => club.extend_job(job, now),
        }
    }
}

impl Judging {
    /// The kind of job that it is to workers.
    pub const KIND: &'static str = "club";

    /// The means for a run that another machine has sent.
    pub fn read(
        text: &str,
        catalogue: Arc<Catalogue>,
        python: PythonSettings,
    ) -> Result<Judging, String> {
        let run = serde_json::from_str(text).map_err(|error| error.to_string())?;
        Ok(Judging { catalogue, python, run })
    }

    /// Does what is asked; nothing if it was stopped before the end.
    pub(crate) fn attempt(
        &self,
        attempt: &Attempt,
        seat: &mut Seat,
        stop: &Arc<AtomicBool>,
    ) -> Option<Verdict> {
        let verdict = match attempt {
            Attempt::Check(source, terms, progress) => {
                let settings = settings(terms, &self.python);
                match check(source.clone(), &settings, terms, progress, stop) {
                    Ok(report) => Verdict::Checked(report),
                    Err(trouble) => Verdict::Impossible(trouble),
                }
            }
            Attempt::Game(game) => self.play(game, seat, stop)?,
            Attempt::Review(played) => {
                Verdict::Reviewed(review(played, self.python.turns.as_deref(), stop))
            }
            Attempt::Reply(asked, source) => {
                let reply = reply(asked, source.clone(), &self.python, stop);
                match &reply.answer {
                    Err(forfeit) if forfeit.is_machine() => {
                        Verdict::Impossible(forfeit.to_string())
                    }
                    _ => Verdict::Replied(reply.into()),
                }
            }
        };
        (!stop.load(Relaxed)).then_some(verdict)
    }

    fn play(&self, game: &Match, seat: &mut Seat, stop: &Arc<AtomicBool>) -> Option<Verdict> {
        let began = Instant::now();
        match game.play(seat, &self.catalogue, &self.python, stop) {
            Ok(played) => {
                let millis = i64::try_from(began.elapsed().as_millis()).unwrap_or(i64::MAX);
                Some(Verdict::Played { played, outputs: game.outputs(), millis })
            }
            Err(Unplayed::Stopped) => None,
            Err(Unplayed::Machine(color, forfeit)) => {
                Some(Verdict::Impossible(format!("{color}: {forfeit}")))
            }
        }
    }
}

impl Work for Judging {
    type Job = Assignment;
    type Output = Verdict;
    type ThreadState = Seat;

    fn thread_state(&self) -> Seat {
        Seat::default()
    }

    fn perform(
        &self,
        seat: &mut Seat,
        job: &Assignment,
        stop: &Arc<AtomicBool>,
    ) -> Result<Verdict, Failure> {
        self.attempt(&Attempt::new(job.clone()), seat, stop).ok_or(Failure::Stopped)
    }

    fn manifest(&self) -> Result<Manifest, String> {
        let memory_bytes = (2 * self.run.memory_mib + OVERHEAD_MIB) << 20;
        Ok(Manifest { memory_bytes, ..Manifest::new(Judging::KIND, &self.run) })
    }
}
