//! One process that plays one side of one game: its start, its moves, its end.
//!
//! The clock is ours. It runs from the moment a board is sent to the moment the
//! answer is here; when it runs out, the decision is the last element of the
//! list as it was mirrored until then, whether or not `go` ever returns. Then
//! `go` is interrupted; a process that does not stop is killed, and a new one
//! takes its place. That is not waited for before the answer is given: between
//! moves the process stands still, stopped or not.

use super::PythonSettings;
use super::talk::{Ask, Entry, Load, MOST_LINE_BYTES, Make, Raised, Reply, Seconds, Told, words};
use crate::captive::{Captive, Excess, Folder, Heard, Log, Pipes, Until, streams};
use crate::lateness::seconds;
use crate::sandbox::bounds::{Bounds, Memory, limit_data};
use crate::sandbox::{Guest, Layer, Walls};
use isrever_agent::{Forfeit, Reason};
use isrever_board::{Color, Position, Size};
use rustix::process::Signal;
use serde::Serialize;
use std::cell::RefCell;
use std::time::{Duration, Instant};

/// The program on the other side.
const HARNESS: &str = include_str!("harness.py");

/// How long an interrupted `go` is waited for before the answer is given: little, because the
/// caller waits for it.
const GRACE: Duration = Duration::from_millis(15);

/// How long it may take to stop when nobody waits for an answer of it.
const LEAVE: Duration = Duration::from_millis(100);

/// How many of the last lines that it printed go into a message.
const LAST_LINES: usize = 3;

/// Longer than anybody lets a game take.
const LONGEST_GAME: Duration = Duration::from_secs(86_400);

/// What a guest finds in its environment: one thread for numerical libraries, whose threads would
/// take memory and other players' processors, and the same order of sets every time.
const VARIABLES: [&str; 9] = [
    "PATH=/usr/bin:/bin",
    "LANG=C.UTF-8",
    "PYTHONHASHSEED=0",
    "OPENBLAS_NUM_THREADS=1",
    "OMP_NUM_THREADS=1",
    "MKL_NUM_THREADS=1",
    "NUMEXPR_NUM_THREADS=1",
    "NUMBA_NUM_THREADS=1",
    "MALLOC_ARENA_MAX=1",
];

/// A process with an agent in it.
pub(crate) struct Session {
    captive: Captive,
    walls: Walls,
    /// What the interpreter and its libraries use before the agent is there.
    baseline: Memory,
    size: Size,
    color: Color,
    memory_bytes: u64,
    output_bytes: u64,
    start_time: Duration,
    /// The way to the error that it raised, as Python writes it.
    trace: String,
    is_running: bool,
    /// Whether it was interrupted and has not said yet that it has stopped.
    is_stopping: bool,
}

/// What an agent said last, for who wants to mend it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LastWords {
    /// The end of what it printed since that was last asked for.
    pub printed: String,
    /// The way to the error that it raised, as Python writes it.
    pub trace: String,
}

/// What an agent answered.
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
    /// Whether the list is all there was. Of who cannot be interrupted only the decision is known.
    pub is_whole: bool,
    /// The most memory of its own that it was seen to use so far, in bytes.
    pub memory_bytes: u64,
    /// How many bytes it has printed so far.
    pub printed_bytes: u64,
}

impl Session {
    /// Starts a process and makes the agent in it, by `deadline`; or says what it said last.
    pub(crate) fn start(
        source: &[u8],
        settings: &PythonSettings,
        size: Size,
        color: Color,
        deadline: Instant,
    ) -> Result<Session, (Forfeit, LastWords)> {
        let unsaid = |forfeit| (forfeit, LastWords::default());
        let (captive, walls) = launch(settings).map_err(unsaid)?;
        let mut session = Session {
            captive,
            walls,
            baseline: Memory::default(),
            size,
            color,
            memory_bytes: settings.memory_bytes,
            output_bytes: settings.output_bytes,
            start_time: deadline.saturating_duration_since(Instant::now()),
            trace: String::new(),
            is_running: true,
            is_stopping: false,
        };
        match session.make(source, settings, deadline) {
            Ok(()) => Ok(session),
            Err(forfeit) => Err((forfeit, session.last_words())),
        }
    }

    /// Makes the agent.
    fn make(
        &mut self,
        source: &[u8],
        settings: &PythonSettings,
        deadline: Instant,
    ) -> Result<(), Forfeit> {
        let until = Until { deadline, stop: None };
        let path = settings.interpreter.path();
        let source = source.iter().map(|&byte| char::from(byte)).collect();
        let load = Load { path, source, seed: settings.seed };
        self.captive.tell(&line(&load), until).map_err(|heard| not_started(&heard))?;
        self.expect(Reply::Loaded, until)?;
        self.bound()?;
        let time = settings.move_time;
        let time_out = match time.subsec_nanos() {
            0 => Seconds::Whole(time.as_secs()),
            _ => Seconds::Part(time.as_secs_f64()),
        };
        let make = Make { size: self.size.width(), color: number(self.color), time_out };
        self.tell(&make, until)?;
        self.expect(Reply::Ready, until)?;
        self.rest();
        Ok(())
    }

    /// Sets the agent's own limit above what is used without it.
    fn bound(&mut self) -> Result<(), Forfeit> {
        let gone = || Forfeit::new(Reason::Crash, "it ended before the agent was loaded");
        self.baseline = self.captive.memory().ok_or_else(gone)?;
        let most = self.baseline.data + self.memory_bytes;
        limit_data(self.captive.pid(), most).map_err(|error| {
            Forfeit::new(Reason::Refused, format!("its memory cannot be limited: {error}"))
        })?;
        self.captive.watch_memory(self.baseline.resident + self.memory_bytes);
        Ok(())
    }

    /// Which side it plays, on which board.
    pub(crate) fn side(&self) -> (Size, Color) {
        (self.size, self.color)
    }

    /// Whether it can be asked: it cannot when it was killed for not stopping.
    pub(crate) fn is_running(&self) -> bool {
        self.is_running
    }

    /// The walls around it.
    pub(crate) fn walls(&self) -> &Walls {
        &self.walls
    }

    /// The end of what it printed.
    pub(crate) fn printed(&self) -> String {
        self.captive.log().last()
    }

    /// The end of what it printed since this was asked last.
    pub(crate) fn take_printed(&mut self) -> String {
        self.captive.read_all_errors();
        self.captive.log_mut().take()
    }

    /// What it leaves to be said.
    pub(crate) fn last_words(&mut self) -> LastWords {
        LastWords { printed: self.take_printed(), trace: std::mem::take(&mut self.trace) }
    }

    /// Asks for a move in `position`, which is the agent's to move in.
    pub(crate) fn ask(&mut self, position: &Position, until: Until<'_>) -> Result<Answer, Forfeit> {
        let began = Instant::now();
        self.captive.signal(Signal::CONT);
        let board = self.size.squares().map(|square| position.disc(square).map_or(0, number));
        self.tell(&Ask { board: board.collect() }, until)?;
        let mut last = None;
        let (told, is_late) = loop {
            match self.captive.hear(until) {
                Heard::Line(line) => {
                    if let Some(told) = self.heard(&line, &mut last)? {
                        break (Some(told), false);
                    }
                }
                Heard::Late | Heard::Stopped => {
                    // What is in the pipe was said in time.
                    self.captive.catch_up();
                    break match self.heard_already(&mut last)? {
                        Some(told) => (Some(told), false),
                        None => (self.interrupt(&mut last)?, true),
                    };
                }
                heard => return Err(self.forfeit(&heard)),
            }
        };
        let time = began.elapsed();
        if let Some(excess) = self.captive.excess() {
            return Err(self.forfeit(&Heard::Excess(excess)));
        }
        let memory_bytes = self.captive.peak().data.saturating_sub(self.baseline.data);
        let printed_bytes = self.captive.log().bytes();
        self.rest();
        let is_whole = told.is_some() || last.is_none();
        let (list, count, last) = match told {
            Some(told) => (told.list, told.count, told.last),
            None => (Vec::from_iter(last.clone()), u64::from(last.is_some()), last),
        };
        Ok(Answer { list, count, last, time, is_late, is_whole, memory_bytes, printed_bytes })
    }

    /// Takes in a line of a move; gives the list when that was the end of it.
    fn heard(&mut self, line: &[u8], last: &mut Option<Entry>) -> Result<Option<Told>, Forfeit> {
        match Reply::read(line) {
            Some(Reply::Last { last: new }) => *last = new,
            Some(Reply::Done(told) | Reply::Stopped(told)) => return Ok(Some(told)),
            Some(Reply::Raised(raised)) => return Err(self.raised(raised)),
            _ => return Err(self.nonsense(line)),
        }
        Ok(None)
    }

    /// Takes in what came before the time was over.
    fn heard_already(&mut self, last: &mut Option<Entry>) -> Result<Option<Told>, Forfeit> {
        while let Some(line) = self.captive.heard_already() {
            if let Some(told) = self.heard(&line, last)? {
                return Ok(Some(told));
            }
        }
        Ok(None)
    }

    /// Stops a `go` whose time is over. Gives the list if it stopped because of that; what it
    /// still says by itself comes too late.
    fn interrupt(&mut self, last: &mut Option<Entry>) -> Result<Option<Told>, Forfeit> {
        let decided = last.clone();
        self.captive.signal(Signal::USR1);
        let until = Until::after(GRACE);
        let stopped = loop {
            let Heard::Line(line) = self.captive.hear(until) else {
                self.is_stopping = true;
                break None;
            };
            match Reply::read(&line) {
                Some(Reply::Last { .. }) => {}
                Some(Reply::Stopped(told)) => break Some(told),
                // An end or an error of its own, a moment too late to count.
                Some(Reply::Done(told)) => break Some(Told { last: decided.clone(), ..told }),
                Some(Reply::Raised(_)) => break None,
                _ => return Err(self.nonsense(&line)),
            }
        };
        *last = decided;
        Ok(stopped)
    }

    /// Ends the move before, if that is still to be done. A process that does not stop even now is
    /// killed.
    pub(crate) fn settle(&mut self) {
        if !self.is_stopping {
            return;
        }
        self.captive.signal(Signal::CONT);
        // The first may have come before there was anything to interrupt.
        self.captive.signal(Signal::USR1);
        let until = Until::after(LEAVE);
        self.is_running = loop {
            let Heard::Line(line) = self.captive.hear(until) else { break false };
            match Reply::read(&line) {
                Some(Reply::Last { .. }) => {}
                Some(Reply::Stopped(_) | Reply::Done(_) | Reply::Raised(_)) => break true,
                _ => break false,
            }
        };
        self.is_stopping = false;
        if self.is_running {
            self.rest();
        } else {
            self.captive.end();
        }
    }

    /// Stands still until the next move.
    fn rest(&mut self) {
        self.captive.signal(Signal::STOP);
    }

    fn tell(&mut self, message: &impl Serialize, until: Until<'_>) -> Result<(), Forfeit> {
        self.captive.tell(&line(message), until).map_err(|heard| self.forfeit(&heard))
    }

    /// Waits for `reply`, and nothing else.
    fn expect(&mut self, reply: Reply, until: Until<'_>) -> Result<(), Forfeit> {
        match self.captive.hear(until) {
            Heard::Line(line) => match Reply::read(&line) {
                Some(said) if said == reply => Ok(()),
                Some(Reply::Raised(raised)) => Err(self.raised(raised)),
                Some(Reply::Refused { line }) => {
                    let offence = format!(
                        "line {line} imports os, which the course forbids; expected a file without"
                    );
                    Err(Forfeit::new(Reason::Refused, offence))
                }
                _ => Err(self.nonsense(&line)),
            },
            Heard::Late | Heard::Stopped => Err(Forfeit::new(
                Reason::Time,
                format!(
                    "not ready within {}; expected import and __init__ to end sooner",
                    seconds(self.start_time)
                ),
            )),
            heard => Err(self.forfeit(&heard)),
        }
    }

    fn raised(&mut self, raised: Raised) -> Forfeit {
        let (what, place) = (words(&raised.what), raised.r#where.as_deref().map(words));
        let place = place.map(|place| format!(" ({place})")).unwrap_or_default();
        self.trace = raised.trace;
        if raised.memory {
            let most = self.memory_bytes >> 20;
            let details = format!("{what}{place}: more than {most} MiB of its own");
            return Forfeit::new(Reason::Memory, details);
        }
        let wall = if self.walls.active.contains(&Layer::Seccomp) { wall(&what) } else { None };
        let wall = wall.map(|wall| format!("; the sandbox allows {wall}")).unwrap_or_default();
        Forfeit::new(Reason::Crash, what + &place + &wall + &self.printed_last())
    }

    /// The last lines that it printed, for a message.
    pub(crate) fn printed_last(&mut self) -> String {
        self.captive.read_all_errors();
        let printed = self.captive.log().last();
        let lines: Vec<&str> = printed.lines().filter(|line| !line.trim().is_empty()).collect();
        match &lines[lines.len().saturating_sub(LAST_LINES)..] {
            [] => String::new(),
            last => format!("; it printed last: {}", words(&last.join(" | "))),
        }
    }

    fn nonsense(&self, line: &[u8]) -> Forfeit {
        let said = words(&String::from_utf8_lossy(&line[..line.len().min(100)]));
        Forfeit::new(Reason::Garbage, format!("it wrote {said:?} into the pipe to us"))
    }

    /// What it means that there is no line.
    fn forfeit(&mut self, heard: &Heard) -> Forfeit {
        let most = self.memory_bytes >> 20;
        let (reason, details) = match heard {
            Heard::Excess(Excess::Memory) => {
                (Reason::Memory, format!("more than {most} MiB of its own"))
            }
            Heard::Excess(Excess::Folder) => {
                (Reason::Memory, "more than 16 MiB in files".to_owned())
            }
            Heard::Excess(Excess::Output) => {
                let most = self.output_bytes >> 20;
                (Reason::Garbage, format!("it printed more than the {most} MiB it may"))
            }
            Heard::Excess(Excess::Line) => {
                (Reason::Garbage, "it wrote without end into the pipe to us".to_owned())
            }
            Heard::Late | Heard::Stopped | Heard::Line(_) => {
                (Reason::Time, "it does not take the board".to_owned())
            }
            Heard::Closed => {
                let ending = self.captive.ending();
                let last = self.printed_last();
                let printed = self.captive.log().last();
                // The interpreter itself can run out of memory, and say only this.
                let line = printed.lines().rfind(|line| !line.trim().is_empty());
                let is_memory = line.is_some_and(|line| line.starts_with("MemoryError"));
                let reason = if is_memory { Reason::Memory } else { Reason::Crash };
                (reason, ending.to_string() + &last)
            }
        };
        Forfeit::new(reason, details)
    }
}

/// What the sandbox allows, if an error is how Python meets its walls.
fn wall(what: &str) -> Option<&'static str> {
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

/// A process with the harness in it.
fn launch(settings: &PythonSettings) -> Result<(Captive, Walls), Forfeit> {
    let refused = |details: String| Forfeit::new(Reason::Refused, details);
    let own: RefCell<Option<Folder>> = RefCell::default();
    let folder = || {
        let mut own = own.borrow_mut();
        let folder = match own.take() {
            Some(folder) => folder,
            None => Folder::new()?,
        };
        Ok(own.insert(folder).path().to_owned())
    };
    let program = settings.interpreter.program();
    let name = program.to_string_lossy().into_owned();
    // The last word is for people who look at a list of processes: whose guest this is.
    let host = format!("guest-of-{}", std::process::id());
    let arguments =
        [name, "-s".into(), "-B".into(), "-u".into(), "-c".into(), HARNESS.to_owned(), host];
    // Who may allow more than its own time keeps that clock.
    let game_time = if settings.is_game_time_own { settings.game_time } else { LONGEST_GAME };
    let guest = Guest {
        program,
        arguments: &arguments,
        variables: &VARIABLES,
        readable: settings.interpreter.readable(),
        folder: &folder,
        bounds: Bounds::new(settings.start_time + game_time),
        policy: settings.policy,
        without: settings.without,
    };
    let ours: RefCell<Option<Pipes>> = RefCell::default();
    let (started, walls) = guest
        .start(|| {
            let (streams, pipes) = streams()?;
            *ours.borrow_mut() = Some(pipes);
            Ok(streams)
        })
        .map_err(|error| refused(error.to_string()))?;
    let pipes = ours.into_inner().expect("a program that was started has streams");
    let log = Log::new(settings.output_bytes);
    let mut captive = Captive::new(started, pipes, MOST_LINE_BYTES, log);
    if !walls.active.contains(&Layer::Namespaces)
        && let Some(folder) = own.into_inner()
    {
        captive.watch_folder(folder);
    }
    Ok((captive, walls))
}

fn not_started(heard: &Heard) -> Forfeit {
    Forfeit::new(Reason::Refused, format!("the interpreter does not listen ({heard:?})"))
}

/// A message as a line.
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

/// The course's number of a colour.
fn number(color: Color) -> i8 {
    match color {
        Color::Black => -1,
        Color::White => 1,
    }
}
