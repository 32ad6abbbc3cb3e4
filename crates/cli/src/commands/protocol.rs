//! What engine protocols share: the engine's arguments, incoming lines, a searching thread.
//!
//! A protocol is a session that takes lines and findings and returns what to
//! say and do; it knows no streams and no threads. Those are here. The end of
//! input ends a session at once.

mod lines;
mod runner;

pub(super) use lines::{Line, MOST_LINE_BYTES};
pub(super) use runner::{Runner, SearchEvent, Task};

use crate::book::OpeningArgs;
use isrever_agent::{Limits, Share, duration};
use isrever_engine::{BookChoice, Level, PlayerSettings, Strength};
use std::io::Read;
use std::sync::mpsc::{self, Receiver, Sender};
use std::time::Duration;

/// How the engine is to play.
#[derive(clap::Args, Debug)]
pub(crate) struct EngineArgs {
    /// Time for each move, such as 5s, 250ms or 3m [default: 1s, if nothing else is limited]
    #[arg(long, value_name = "TIME", value_parser = duration)]
    time: Option<Duration>,

    /// Look at most this many plies ahead
    #[arg(long, value_name = "N", allow_negative_numbers = true,
          value_parser = clap::value_parser!(u32).range(1..=60))]
    depth: Option<u32>,

    /// Visit at most about this many boards for each move
    #[arg(long, value_name = "N", allow_negative_numbers = true,
          value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,

    /// How well to play, from 1, a beginner, to 20, full strength
    #[arg(long, value_name = "L", allow_negative_numbers = true)]
    level: Option<Level>,

    /// Where a level's choices come from: the same seed, the same choices
    #[arg(long, default_value_t = 1, value_name = "N", allow_negative_numbers = true)]
    seed: u64,

    /// Threads to share the work
    #[arg(long, default_value_t = 1, value_name = "T", allow_negative_numbers = true,
          value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: u16,

    /// Memory for what was found, in MiB
    #[arg(long, default_value_t = 64, value_name = "MIB", allow_negative_numbers = true,
          value_parser = clap::value_parser!(u32).range(1..=1 << 16))]
    hash: u32,

    #[command(flatten)]
    opening: OpeningArgs,
}

impl EngineArgs {
    fn settings(&self) -> PlayerSettings {
        PlayerSettings {
            opening: self.opening.opening(BookChoice::of_level(self.level)),
            threads: self.threads.into(),
            hash_bytes: (self.hash as usize) << 20,
            strength: self.level.map_or(Strength::FULL, Level::strength),
            seed: self.seed,
            ..PlayerSettings::default()
        }
    }

    /// What was asked for, for each move.
    pub(super) fn share(&self) -> Share {
        Share { time: self.time, depth: self.depth, nodes: self.nodes }
    }
}

/// What a conversation consists of.
pub(super) enum Event {
    /// Lines that came together.
    Lines(Vec<Line>),
    /// There are no more.
    End,
    /// What the search that was begun under this number has found.
    Found(u64, SearchEvent),
}

/// Starts to listen to `input`, and an engine that waits for work.
pub(super) fn begin(
    args: &EngineArgs,
    input: impl Read + Send + 'static,
) -> (Receiver<Event>, Runner) {
    let (events, heard) = mpsc::channel();
    let runner = Runner::new(args.settings(), args.opening.clone(), events.clone());
    // It may wait for a line for ever: nobody waits for it. The process ends without it.
    std::thread::spawn(move || listen(input, &events));
    (heard, runner)
}

fn listen(input: impl Read, events: &Sender<Event>) {
    for lines in lines::chunks(input) {
        if events.send(Event::Lines(lines)).is_err() {
            return;
        }
    }
    // Who does not listen any more has ended already.
    let _ = events.send(Event::End);
}

/// The limits of a search that only a stop ends.
pub(super) fn unlimited() -> Limits {
    Limits::of_depth(60)
}
