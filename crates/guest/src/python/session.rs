//! One process that plays one side of one game: its start and its state.
//!
//! [`moves`] asks it for moves and keeps the clock, [`failures`] turns what goes
//! wrong into forfeits. Between moves the process is suspended by SIGSTOP.

mod failures;
mod moves;

pub use moves::Answer;

use super::compiled::{self, Files};
use super::cores;
use super::launch::launch;
use super::messages::{Load, Make, Reply, Seconds, excerpt, line, number};
use super::timer::Timer;
use super::turns::Turn;
use super::{PythonSettings, Source};
use crate::lateness::seconds;
use crate::process::{GuestProcess, Received, Until};
use crate::sandbox::Sandbox;
use crate::sandbox::limits::{Memory, limit_memory};
use failures::not_started;
use isrever_agent::{Forfeit, Reason, TimedBy};
use isrever_board::{Color, Size};
use rustix::process::Signal;
use serde::Serialize;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// A process with an agent in it.
pub(crate) struct Session {
    process: GuestProcess,
    sandbox: Sandbox,
    source: Source,
    /// What the interpreter and its libraries use before the agent is loaded.
    baseline: Memory,
    size: Size,
    color: Color,
    memory_bytes: u64,
    output_bytes: u64,
    /// The time for its start.
    start_time: Duration,
    /// How much of that it took.
    started_in: Duration,
    /// The traceback of the error that the agent raised.
    trace: String,
    is_running: bool,
    /// Whether `go` was interrupted and has not confirmed yet that it stopped.
    is_stopping: bool,
}

/// An agent's output, to help its author find a mistake.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CapturedOutput {
    /// The end of what it printed since the last call.
    pub printed: String,
    /// The traceback of the error that it raised.
    pub trace: String,
}

impl Session {
    /// Starts a process and creates the agent in it, within `time` of the process's own. A failure
    /// comes with the agent's output.
    pub(crate) fn start(
        source: &Source,
        settings: &PythonSettings,
        size: Size,
        color: Color,
        time: Duration,
        turn: Option<&Turn>,
    ) -> Result<Session, (Forfeit, CapturedOutput)> {
        let without_output = |forfeit| (forfeit, CapturedOutput::default());
        let (process, sandbox) = launch(settings).map_err(without_output)?;
        let mut session = Session {
            process,
            sandbox,
            source: source.clone(),
            baseline: Memory::default(),
            size,
            color,
            memory_bytes: settings.memory_bytes,
            output_bytes: settings.output_bytes,
            start_time: time,
            started_in: Duration::ZERO,
            trace: String::new(),
            is_running: true,
            is_stopping: false,
        };
        match session.make(settings, turn) {
            Ok(()) => Ok(session),
            Err(forfeit) => Err((forfeit, session.captured_output())),
        }
    }

    /// Loads the agent's file, limits its memory, and creates the agent.
    fn make(&mut self, settings: &PythonSettings, turn: Option<&Turn>) -> Result<(), Forfeit> {
        let _cores = self.occupy_cores(turn);
        // Whatever the moves are timed by: a busy machine keeps nobody from starting.
        let timer = Timer::start(self.process.pid(), TimedBy::Processor, self.start_time);
        let until = Until::after(TimedBy::Processor.longest_wait(self.start_time));
        let (path, program) = (settings.interpreter.path(), settings.interpreter.program());
        let text = self.source.bytes().iter().map(|&byte| char::from(byte)).collect();
        let known = compiled::find(self.source.bytes(), program);
        let pieces = known.as_ref().map(|files| &*files.pieces);
        let load = Load { path, source: text, seed: settings.seed, compiled: pieces };
        self.process.send(&line(&load), until).map_err(|received| not_started(&received))?;
        self.expect(Reply::Loaded, &timer)?;
        self.limit_memory()?;
        let time = settings.move_time;
        let time_out = match time.subsec_nanos() {
            0 => Seconds::Whole(time.as_secs()),
            _ => Seconds::Part(time.as_secs_f64()),
        };
        let make = Make { size: self.size.width(), color: number(self.color), time_out };
        self.send(&make, until)?;
        let files = self.expect_ready(&timer)?;
        compiled::keep(self.source.bytes(), program, files);
        self.started_in = timer.used(Duration::ZERO);
        self.suspend();
        Ok(())
    }

    /// Takes the cores that the agent may run on now.
    fn occupy_cores(&self, turn: Option<&Turn>) -> cores::Place {
        let place = cores::occupy(self.process.pid());
        if let Some(turn) = turn {
            turn.keep_to_cores(self.process.pid());
        }
        place
    }

    /// Limits the agent's memory to its own allowance above the interpreter's baseline.
    fn limit_memory(&mut self) -> Result<(), Forfeit> {
        let gone = || Forfeit::new(Reason::Crash, "it ended before the agent was loaded");
        self.baseline = self.process.memory().ok_or_else(gone)?;
        limit_memory(self.process.pid(), self.baseline, self.memory_bytes)
            .map_err(|error| Forfeit::machine(format!("its memory cannot be limited: {error}")))?;
        self.process.watch_memory(self.baseline, self.memory_bytes);
        Ok(())
    }

    /// The board it plays on, and its colour.
    pub(crate) fn side(&self) -> (Size, Color) {
        (self.size, self.color)
    }

    /// Whether it can be asked for a move: not after it was killed because it did not stop.
    pub(crate) fn is_running(&self) -> bool {
        self.is_running
    }

    /// Whether it can be asked for a move, and has nothing left to do for the last one.
    pub(crate) fn is_settled(&self) -> bool {
        self.is_running && !self.is_stopping
    }

    /// How much of its time the start took.
    pub(crate) fn started_in(&self) -> Duration {
        self.started_in
    }

    /// Whether this process started it, and not one that this was forked from.
    pub(crate) fn is_ours(&self) -> bool {
        self.process.is_ours()
    }

    /// The sandbox it runs in.
    pub(crate) fn sandbox(&self) -> &Sandbox {
        &self.sandbox
    }

    /// The end of what it printed.
    pub(crate) fn printed(&self) -> String {
        self.process.log().last()
    }

    /// The end of what it printed since the last call.
    pub(crate) fn take_printed(&mut self) -> String {
        self.process.read_all_errors();
        self.process.log_mut().take()
    }

    /// Takes its output since the last call.
    pub(crate) fn captured_output(&mut self) -> CapturedOutput {
        CapturedOutput { printed: self.take_printed(), trace: std::mem::take(&mut self.trace) }
    }

    /// Waits for the next line until the timer is over.
    fn receive(&mut self, timer: &Timer, stop: Option<&AtomicBool>) -> Received {
        loop {
            let Some(deadline) = timer.next_look() else { return Received::Late };
            match self.process.receive(Until { deadline, stop }) {
                Received::Late => {}
                received => return received,
            }
        }
    }

    /// Suspends the process until the next move.
    fn suspend(&mut self) {
        self.process.signal(Signal::STOP);
    }

    fn send(&mut self, message: &impl Serialize, until: Until<'_>) -> Result<(), Forfeit> {
        self.process.send(&line(message), until).map_err(|received| self.forfeit(&received))
    }

    /// Waits until the agent is created; returns the files that numba compiled meanwhile.
    fn expect_ready(&mut self, timer: &Timer) -> Result<Files, Forfeit> {
        let mut files = Files::default();
        loop {
            match self.next_reply(timer)? {
                (Reply::Compiled { name, piece }, line) => {
                    if !files.add(name, piece) {
                        return Err(self.protocol_error(&line));
                    }
                }
                (Reply::Ready, _) => return Ok(files),
                (_, line) => return Err(self.protocol_error(&line)),
            }
        }
    }

    /// Waits for `reply`; anything else is a failure.
    fn expect(&mut self, reply: Reply, timer: &Timer) -> Result<(), Forfeit> {
        match self.next_reply(timer)? {
            (said, _) if said == reply => Ok(()),
            (_, line) => Err(self.protocol_error(&line)),
        }
    }

    /// Waits for the next reply during the start, and returns its line too; an error of the agent's
    /// is a failure.
    fn next_reply(&mut self, timer: &Timer) -> Result<(Reply, Vec<u8>), Forfeit> {
        match self.receive(timer, None) {
            Received::Line(line) => match Reply::read(&line) {
                Some(Reply::Raised(raised)) => Err(self.raised(raised)),
                Some(Reply::Refused { why }) => Err(Forfeit::new(Reason::Refused, excerpt(&why))),
                Some(reply) => Ok((reply, line)),
                None => Err(self.protocol_error(&line)),
            },
            Received::Late | Received::Stopped => Err(Forfeit::new(
                Reason::Time,
                format!(
                    "not ready within {}; expected import and __init__ to end sooner",
                    seconds(self.start_time)
                ),
            )),
            received => Err(self.forfeit(&received)),
        }
    }
}
