//! Engines that speak a line protocol: their command line and their process.
//!
//! The user installed these programs, so they run outside the sandbox, like any
//! program of the user's. We keep their time, and end them with their game.

use crate::lateness::{lateness, seconds};
use crate::process::{Excess, GuestProcess, Log, Received, Until};
use crate::python::excerpt;
use crate::sandbox::child::Plan;
use isrever_agent::{AgentSpec, Forfeit, Form, Key, Limits, Reason, Share, SpecError};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// The longest line that we accept.
const MOST_LINE_BYTES: usize = 1 << 20;

/// How long an engine may take to start, and to answer commands that need no search.
const START_TIME: Duration = Duration::from_secs(30);

/// How long it may think about a move when neither spec nor caller sets a limit.
const DEFAULT_TIME: Duration = Duration::from_secs(60);

/// How to run an engine, read from the rest of a spec: `depth=8,time=5s,edax -nboard`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Command {
    program: PathBuf,
    words: Vec<String>,
    /// The most it may spend on a move.
    share: Share,
}

impl Command {
    /// Reads limits and a command line. Splits words as a shell does, and does nothing else of what
    /// a shell does.
    pub fn read(spec: &AgentSpec) -> Result<Command, SpecError> {
        let wrong = |offence: String| SpecError::other(spec.name(), offence);
        let (mut settings, line) = Form::Command.read(spec, &Key::LIMITS)?;
        let share = settings.share()?;
        let words = shlex::split(line)
            .ok_or_else(|| wrong(format!("{line:?} has an open quote; expected it closed")))?;
        let Some(name) = words.first() else {
            return Err(wrong("no program; expected a command line".to_owned()));
        };
        if words.iter().any(|word| word.contains('\0')) {
            return Err(wrong("a zero byte; expected a command line".to_owned()));
        }
        let program = find(name)
            .ok_or_else(|| wrong(format!("{name:?} is not found; expected a program")))?;
        Ok(Command { program, words, share })
    }

    /// The limits of a move: the tighter of the caller's and its own.
    pub(crate) fn limits(&self, limits: &Limits) -> Limits {
        limits.tightened(&self.share)
    }

    /// The command line.
    pub(crate) fn line(&self) -> String {
        self.words.join(" ")
    }
}

/// Finds a program by its path, or by its name on `PATH`.
fn find(name: &str) -> Option<PathBuf> {
    if name.contains('/') {
        return Some(PathBuf::from(name)).filter(|program| program.is_file());
    }
    let path = std::env::var_os("PATH")?;
    std::env::split_paths(&path).map(|folder| folder.join(name)).find(|program| program.is_file())
}

/// How long to wait for an engine.
pub(crate) struct TimeLimit<'a> {
    began: Instant,
    until: Until<'a>,
    /// The whole time, from when it began.
    pub(crate) time: Duration,
    /// Why an engine that overruns it loses.
    pub(crate) reason: Reason,
}

impl TimeLimit<'_> {
    /// The limit of the start, while no clock of the game runs.
    pub(crate) fn for_start() -> TimeLimit<'static> {
        let (began, until) = (Instant::now(), Until::after(START_TIME));
        TimeLimit { began, until, time: START_TIME, reason: Reason::Time }
    }

    /// The limit of a move, for all commands that belong to it together.
    pub(crate) fn for_move(limits: &Limits) -> TimeLimit<'_> {
        let now = Instant::now();
        let deadline = limits.deadline.unwrap_or(now + DEFAULT_TIME);
        let until = Until { deadline, stop: Some(&limits.stop) };
        let time = deadline.saturating_duration_since(now);
        TimeLimit { began: now, until, time, reason: lateness(limits.clock, time) }
    }
}

/// A running engine.
pub(crate) struct Engine {
    process: GuestProcess,
    protocol: &'static str,
    /// How long after the beginning of the move its last line came.
    answer_time: Option<Duration>,
    /// The deadline after which its pipe was read for the last time.
    over: Option<Instant>,
}

impl Engine {
    /// Starts the engine of `command`.
    pub(crate) fn start(command: &Command, protocol: &'static str) -> Result<Engine, Forfeit> {
        let plan = || Plan::new(&command.program, &command.words);
        let process =
            GuestProcess::start(plan, MOST_LINE_BYTES, Log::default()).map_err(|error| {
                let program = command.program.display();
                Forfeit::machine(format!("{program} cannot be started: {error}"))
            })?;
        Ok(Engine { process, protocol, answer_time: None, over: None })
    }

    /// Sends a line.
    pub(crate) fn send(&mut self, line: &str, limit: &TimeLimit<'_>) -> Result<(), Forfeit> {
        let bytes = format!("{line}\n").into_bytes();
        self.process.reset_lag();
        let sent = self.process.send(&bytes, limit.until);
        sent.map_err(|received| self.forfeit(&received, limit))
    }

    /// How long after the beginning of the move its last line came, without what our own thread was
    /// late.
    pub(crate) fn answer_time(&self) -> Option<Duration> {
        self.answer_time
    }

    /// Waits for the next line.
    pub(crate) fn receive(&mut self, limit: &TimeLimit<'_>) -> Result<String, Forfeit> {
        let received = match self.process.receive(limit.until) {
            Received::Late => {
                // What is in the pipe now came in time; an engine that goes on writing is late.
                if self.over != Some(limit.until.deadline) {
                    self.over = Some(limit.until.deadline);
                    self.process.read_pipe();
                }
                self.process.buffered_line().map_or(Received::Late, Received::Line)
            }
            received => received,
        };
        match received {
            Received::Line(line) => {
                let time = limit.began.elapsed().saturating_sub(self.process.lag());
                self.answer_time = Some(time.min(limit.time));
                Ok(String::from_utf8_lossy(&line).trim_end().to_owned())
            }
            received => Err(self.forfeit(&received, limit)),
        }
    }

    /// The forfeit for an answer that the protocol does not allow.
    pub(crate) fn protocol_error(&self, said: &str, expected: &str) -> Forfeit {
        let details = format!("{} answer {:?}; expected {expected}", self.protocol, excerpt(said));
        Forfeit::new(Reason::Garbage, details)
    }

    fn forfeit(&mut self, received: &Received, limit: &TimeLimit<'_>) -> Forfeit {
        match received {
            Received::Closed => {
                let exit = self.process.exit();
                let printed = self.process.log().last();
                let last = printed.lines().rfind(|line| !line.trim().is_empty());
                let last = last.map(|line| format!("; it printed last: {}", excerpt(line)));
                Forfeit::new(Reason::Crash, exit.to_string() + &last.unwrap_or_default())
            }
            Received::Excess(Excess::Line) => {
                Forfeit::new(Reason::Garbage, "a line without end; expected an answer")
            }
            _ => Forfeit::new(limit.reason, format!("no answer within {}", seconds(limit.time))),
        }
    }
}

/// The program's file name, for lists.
pub(crate) fn short_name(command: &Command) -> String {
    Path::new(&command.words[0])
        .file_name()
        .map_or_else(|| command.line(), |name| name.to_string_lossy().into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_stand_before_the_command_line() {
        let read = |text| Command::read(&AgentSpec::new(text));
        let command = read("gtp:depth=8, time=250ms,sh -c 'a, b'").unwrap();
        assert_eq!(command.words, ["sh", "-c", "a, b"]);
        assert_eq!(command.share.depth, Some(8));
        assert_eq!(command.share.time, Some(Duration::from_millis(250)));
        assert!(command.program.is_absolute());
        assert_eq!(read("gtp:sh x=1,y=2").unwrap().words, ["sh", "x=1,y=2"]);
    }

    #[test]
    fn malformed_command_lines_are_refused() {
        for (rest, message) in [
            ("", "gtp: no program; expected a command line"),
            ("'sh", "gtp: \"'sh\" has an open quote; expected it closed"),
            ("no-such-engine", "gtp: \"no-such-engine\" is not found; expected a program"),
            ("./no/such", "gtp: \"./no/such\" is not found; expected a program"),
            ("depth=0,sh", "gtp was given depth=0; expected a whole number from 1 up"),
            ("time=5,sh", "gtp was given time=5; expected a time such as 5s, 250ms or 3m"),
        ] {
            let spec = AgentSpec::new(&format!("gtp:{rest}"));
            assert_eq!(Command::read(&spec).unwrap_err().to_string(), message);
        }
    }
}
