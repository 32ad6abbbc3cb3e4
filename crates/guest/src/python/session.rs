//! One process that plays one side of one game: its start, its moves, its end.
//!
//! We keep the clock. It runs from sending a board to the arrival of the answer,
//! without what our own threads are late. When it runs out, the decision is the list's last element as the harness has
//! reported it so far, whether or not `go` ever returns. Then the session
//! interrupts `go`; it kills a process that does not stop, and the agent starts
//! a new one. The answer does not wait for that. Between moves the process is
//! suspended by SIGSTOP.

use super::PythonSettings;
use super::compiled::{self, Files};
use super::cores;
use super::launch::launch;
use super::messages::{Ask, Entry, Load, Make, MoveList, Raised, Reply, Seconds, excerpt};
use super::timer::Timer;
use crate::lateness::seconds;
use crate::process::{Excess, GuestProcess, Received, Until};
use crate::sandbox::limits::{Memory, THREADS, limit_memory};
use crate::sandbox::{Layer, Sandbox};
use isrever_agent::{Forfeit, Reason, TimedBy};
use isrever_board::{Color, Position, Size};
use rustix::process::Signal;
use serde::Serialize;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// How long a move waits for an interrupted `go`: briefly, because the caller waits too.
const GRACE: Duration = Duration::from_millis(15);

/// How long `go` may take to stop between moves, when no caller waits: time of its own, because a
/// busy machine may let it wait for long.
const SETTLE_TIME: Duration = Duration::from_millis(100);

/// How many of the last printed lines a message quotes.
const LAST_LINES: usize = 3;

/// A process with an agent in it.
pub(crate) struct Session {
    process: GuestProcess,
    sandbox: Sandbox,
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

/// An agent's answer.
#[derive(Clone, Debug, PartialEq)]
pub struct Answer {
    /// The list's first elements.
    pub list: Vec<Entry>,
    /// How many elements there are.
    pub count: u64,
    /// The decision: the last element, none if the list is empty.
    pub last: Option<Entry>,
    /// How long it took.
    pub time: Duration,
    /// Whether the time ran out.
    pub is_late: bool,
    /// Whether the list is complete. Of an agent that cannot be interrupted, only the decision is
    /// known.
    pub is_whole: bool,
    /// The most memory of its own that it has used so far, in bytes.
    pub memory_bytes: u64,
    /// How many bytes it has printed so far.
    pub printed_bytes: u64,
}

impl Session {
    /// Starts a process and creates the agent in it, within `time` of the process's own. A failure
    /// comes with the agent's output.
    pub(crate) fn start(
        source: &[u8],
        settings: &PythonSettings,
        size: Size,
        color: Color,
        time: Duration,
    ) -> Result<Session, (Forfeit, CapturedOutput)> {
        let without_output = |forfeit| (forfeit, CapturedOutput::default());
        let (process, sandbox) = launch(settings).map_err(without_output)?;
        let mut session = Session {
            process,
            sandbox,
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
        match session.make(source, settings) {
            Ok(()) => Ok(session),
            Err(forfeit) => Err((forfeit, session.captured_output())),
        }
    }

    /// Loads the agent's file, limits its memory, and creates the agent.
    fn make(&mut self, source: &[u8], settings: &PythonSettings) -> Result<(), Forfeit> {
        let _cores = cores::occupy(self.process.pid());
        // Whatever the moves are timed by: a busy machine keeps nobody from starting.
        let timer = Timer::start(self.process.pid(), TimedBy::Processor, self.start_time);
        let until = Until::after(TimedBy::Processor.longest_wait(self.start_time));
        let (path, program) = (settings.interpreter.path(), settings.interpreter.program());
        let text = source.iter().map(|&byte| char::from(byte)).collect();
        let known = compiled::find(source, program);
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
        compiled::keep(source, program, files);
        self.started_in = timer.used(Duration::ZERO);
        self.suspend();
        Ok(())
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

    /// Asks for a move in `position`, where the agent is to move, within `time` by the clock
    /// `timed_by`, or until the caller sets `stop`.
    pub(crate) fn ask(
        &mut self,
        position: &Position,
        (time, timed_by): (Duration, TimedBy),
        stop: &AtomicBool,
    ) -> Result<Answer, Forfeit> {
        let _cores = cores::occupy(self.process.pid());
        let until = Until { stop: Some(stop), ..Until::after(timed_by.longest_wait(time)) };
        self.process.signal(Signal::CONT);
        let board = self.size.squares().map(|square| position.disc(square).map_or(0, number));
        self.send(&Ask { board: board.collect() }, until)?;
        self.process.reset_lag();
        let timer = Timer::start(self.process.pid(), timed_by, time);
        let mut last = None;
        let (list, used, is_late) = loop {
            match self.receive(&timer, Some(stop)) {
                Received::Line(line) => {
                    if let Some(list) = self.read_reply(&line, &mut last)? {
                        break (Some(list), timer.used(self.process.lag()), false);
                    }
                }
                received @ (Received::Late | Received::Stopped) => {
                    // The decision of the last moment is known: however late we are, the agent is
                    // not, and is charged its limit.
                    let is_over = received == Received::Late;
                    let used = if is_over { time } else { timer.used(self.process.lag()) };
                    // What is in the pipe now came in time.
                    self.process.read_pipe();
                    break match self.read_buffered(&mut last)? {
                        Some(list) => (Some(list), used, false),
                        None => (self.interrupt(&mut last)?, used, true),
                    };
                }
                received => return Err(self.forfeit(&received)),
            }
        };
        let time = used.min(time);
        if let Some(excess) = self.process.excess() {
            return Err(self.forfeit(&Received::Excess(excess)));
        }
        let memory_bytes = self.process.peak().beyond(self.baseline);
        let printed_bytes = self.process.log().bytes();
        self.suspend();
        let is_whole = list.is_some() || last.is_none();
        let (list, count, last) = match list {
            Some(list) => (list.list, list.count, list.last),
            None => (Vec::from_iter(last.clone()), u64::from(last.is_some()), last),
        };
        Ok(Answer { list, count, last, time, is_late, is_whole, memory_bytes, printed_bytes })
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

    /// Reads a reply during a move; returns the list when that ends the move.
    fn read_reply(
        &mut self,
        line: &[u8],
        last: &mut Option<Entry>,
    ) -> Result<Option<MoveList>, Forfeit> {
        match Reply::read(line) {
            Some(Reply::Last { last: new }) => *last = new,
            Some(Reply::Done(list) | Reply::Stopped(list)) => return Ok(Some(list)),
            Some(Reply::Raised(raised)) => return Err(self.raised(raised)),
            _ => return Err(self.protocol_error(line)),
        }
        Ok(None)
    }

    /// Reads the replies that came before the time was over.
    fn read_buffered(&mut self, last: &mut Option<Entry>) -> Result<Option<MoveList>, Forfeit> {
        while let Some(line) = self.process.buffered_line() {
            if let Some(list) = self.read_reply(&line, last)? {
                return Ok(Some(list));
            }
        }
        Ok(None)
    }

    /// Interrupts a `go` whose time is over. Returns the list if it stopped; replies of its own
    /// come too late to count.
    fn interrupt(&mut self, last: &mut Option<Entry>) -> Result<Option<MoveList>, Forfeit> {
        let decided = last.clone();
        self.process.signal(Signal::USR1);
        let until = Until::after(GRACE);
        let stopped = loop {
            let Received::Line(line) = self.process.receive(until) else {
                self.is_stopping = true;
                break None;
            };
            match Reply::read(&line) {
                Some(Reply::Last { .. }) => {}
                Some(Reply::Stopped(list)) => break Some(list),
                // It ended or failed by itself, a moment too late to count.
                Some(Reply::Done(list)) => break Some(MoveList { last: decided.clone(), ..list }),
                Some(Reply::Raised(_)) => break None,
                _ => return Err(self.protocol_error(&line)),
            }
        };
        *last = decided;
        Ok(stopped)
    }

    /// Waits for the end of the last move, if it has not confirmed that it stopped. Kills a process
    /// that still does not stop. Returns the process's own time that this took.
    pub(crate) fn settle(&mut self) -> Duration {
        if !self.is_stopping {
            return Duration::ZERO;
        }
        let cores = cores::occupy(self.process.pid());
        self.process.signal(Signal::CONT);
        // The first signal may have come before `go` could be interrupted.
        self.process.signal(Signal::USR1);
        let timer = Timer::start(self.process.pid(), TimedBy::Processor, SETTLE_TIME);
        self.is_running = loop {
            let Received::Line(line) = self.receive(&timer, None) else { break false };
            match Reply::read(&line) {
                Some(Reply::Last { .. }) => {}
                Some(Reply::Stopped(_) | Reply::Done(_) | Reply::Raised(_)) => break true,
                _ => break false,
            }
        };
        self.is_stopping = false;
        let used = timer.used(Duration::ZERO);
        // Its place is free before its process id is.
        drop(cores);
        if self.is_running {
            self.suspend();
        } else {
            self.process.kill();
        }
        used
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
                Some(Reply::Refused { line }) => {
                    let offence = format!(
                        "line {line} imports os, which the course forbids; expected a file without"
                    );
                    Err(Forfeit::new(Reason::Refused, offence))
                }
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

    fn raised(&mut self, raised: Raised) -> Forfeit {
        let (what, place) = (excerpt(&raised.what), raised.r#where.as_deref().map(excerpt));
        let place = place.map(|place| format!(" ({place})")).unwrap_or_default();
        self.trace = raised.trace;
        if raised.memory {
            let most = self.memory_bytes >> 20;
            let details = format!("{what}{place}: more than {most} MiB of its own");
            return Forfeit::new(Reason::Memory, details);
        }
        let has_seccomp = self.sandbox.active.contains(&Layer::Seccomp);
        let allowed = if has_seccomp { sandbox_rule(&what) } else { None };
        let allowed = allowed.map(|rule| format!("; the sandbox allows {rule}"));
        let allowed = allowed.unwrap_or_default();
        Forfeit::new(Reason::Crash, what + &place + &allowed + &self.printed_last())
    }

    /// The last lines that it printed, for a message.
    pub(crate) fn printed_last(&mut self) -> String {
        self.process.read_all_errors();
        let printed = self.process.log().last();
        let lines: Vec<&str> = printed.lines().filter(|line| !line.trim().is_empty()).collect();
        match &lines[lines.len().saturating_sub(LAST_LINES)..] {
            [] => String::new(),
            last => format!("; it printed last: {}", excerpt(&last.join(" | "))),
        }
    }

    fn protocol_error(&self, line: &[u8]) -> Forfeit {
        let said = excerpt(&String::from_utf8_lossy(&line[..line.len().min(100)]));
        Forfeit::new(Reason::Garbage, format!("it wrote {said:?} into the pipe to us"))
    }

    /// The forfeit of a process that did not answer.
    fn forfeit(&mut self, received: &Received) -> Forfeit {
        let most = self.memory_bytes >> 20;
        let (reason, details) = match received {
            Received::Excess(Excess::Memory) => {
                (Reason::Memory, format!("more than {most} MiB of its own"))
            }
            Received::Excess(Excess::Threads) => {
                (Reason::Crash, format!("more than {THREADS} threads"))
            }
            Received::Excess(Excess::Folder) => {
                let most =
                    "more than 16 MiB in files, or 1,000 of them, or folders kept unreadable";
                (Reason::Memory, most.to_owned())
            }
            Received::Excess(Excess::Output) => {
                let most = self.output_bytes >> 20;
                (Reason::Garbage, format!("it printed more than the {most} MiB it may"))
            }
            Received::Excess(Excess::Line) => {
                (Reason::Garbage, "it wrote without end into the pipe to us".to_owned())
            }
            Received::Late | Received::Stopped | Received::Line(_) => {
                (Reason::Time, "it does not take the board".to_owned())
            }
            Received::Closed => {
                let exit = self.process.exit();
                let last = self.printed_last();
                let printed = self.process.log().last();
                // When the interpreter itself runs out of memory, it prints only this.
                let line = printed.lines().rfind(|line| !line.trim().is_empty());
                let is_memory = line.is_some_and(|line| line.starts_with("MemoryError"));
                let is_memory = is_memory || self.process.was_out_of_memory();
                let reason = if is_memory { Reason::Memory } else { Reason::Crash };
                (reason, exit.to_string() + &last)
            }
        };
        Forfeit::new(reason, details)
    }
}

/// The sandbox's rule that an error of Python's hints at, if any.
fn sandbox_rule(what: &str) -> Option<&'static str> {
    let is = |name: &str| what.starts_with(name);
    if is("PermissionError") || is("FileNotFoundError") || is("OSError") {
        Some("no network, no signals, and no files but Python's own and those in its folder")
    } else if is("BlockingIOError") {
        Some("no other processes")
    } else if is("RuntimeError: can't start new thread") {
        Some("64 threads")
    } else {
        None
    }
}

fn not_started(received: &Received) -> Forfeit {
    Forfeit::machine(format!("the interpreter does not listen ({received:?})"))
}

/// A message as a line of ASCII JSON.
fn line(message: &impl Serialize) -> Vec<u8> {
    let mut line = serde_json::to_vec(message).expect("messages are plain data");
    // Python reads it as ASCII.
    if !line.is_ascii() {
        let text: String = String::from_utf8_lossy(&line)
            .chars()
            .map(|letter| {
                if letter.is_ascii() {
                    return letter.to_string();
                }
                let mut units = [0; 2];
                letter
                    .encode_utf16(&mut units)
                    .iter()
                    .map(|unit| format!("\\u{unit:04x}"))
                    .collect()
            })
            .collect();
        line = text.into_bytes();
    }
    line.push(b'\n');
    line
}

/// The course's number for a colour.
fn number(color: Color) -> i8 {
    match color {
        Color::Black => -1,
        Color::White => 1,
    }
}
