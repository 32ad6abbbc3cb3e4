//! Engines that speak a line protocol: their command line and their process.
//!
//! The user installed these programs, so they run outside the sandbox, like any
//! program of the user's. We keep their time, and end them with their game.

use crate::captive::{Captive, Excess, Heard, Log, Until};
use crate::lateness::{lateness, seconds};
use crate::python::words;
use crate::sandbox::launch::Plan;
use isrever_agent::{Forfeit, Limits, Reason, Share, SpecError, duration};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// The longest line that is read.
const MOST_LINE_BYTES: usize = 1 << 20;

/// How long an engine may take to start and to answer what needs no thought.
const PATIENCE: Duration = Duration::from_secs(10);

/// How long it may think where nobody limits it.
const DEFAULT_TIME: Duration = Duration::from_secs(60);

/// How to run an engine, read from the rest of a spec: `depth=8,time=5s,edax -nboard`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Command {
    program: PathBuf,
    words: Vec<String>,
    /// What it is to spend on a move at most.
    share: Share,
}

impl Command {
    /// Reads limits and a command line. Words are split as a shell does; nothing else of a shell
    /// is done.
    pub fn read(agent: &str, rest: &str) -> Result<Command, SpecError> {
        let wrong = |offence: String| SpecError::Other { agent: agent.to_owned(), offence };
        let (share, line) = limits(agent, rest)?;
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

    /// The limits of a move: the caller's, and its own.
    pub(crate) fn limits(&self, limits: &Limits) -> Limits {
        limits.tightened(&self.share)
    }

    /// The command line.
    pub(crate) fn line(&self) -> String {
        self.words.join(" ")
    }
}

/// The limits before the command line, and the command line.
fn limits<'a>(agent: &str, rest: &'a str) -> Result<(Share, &'a str), SpecError> {
    let (mut share, mut line) = (Share::default(), rest);
    while let Some((item, behind)) = line.split_once(',') {
        let Some((key @ ("depth" | "time" | "nodes"), value)) = item.trim().split_once('=') else {
            break;
        };
        let expected = match key {
            "time" => "a time such as 5s or 250ms",
            _ => "a whole number from 1 up",
        };
        let is_read = match key {
            "time" => duration(value).map(|time| share.time = Some(time)),
            "depth" => value.parse().ok().filter(|&n| n > 0).map(|n| share.depth = Some(n)),
            _ => value.parse().ok().filter(|&n| n > 0).map(|n| share.nodes = Some(n)),
        };
        is_read.ok_or_else(|| SpecError::BadValue {
            agent: agent.to_owned(),
            key: key.to_owned(),
            value: value.to_owned(),
            expected: expected.to_owned(),
        })?;
        line = behind;
    }
    Ok((share, line.trim()))
}

/// The program of this name: a path, or a name on the path.
fn find(name: &str) -> Option<PathBuf> {
    if name.contains('/') {
        return Some(PathBuf::from(name)).filter(|program| program.is_file());
    }
    let path = std::env::var_os("PATH")?;
    std::env::split_paths(&path).map(|folder| folder.join(name)).find(|program| program.is_file())
}

/// How long an engine is waited for.
pub(crate) struct Turn<'a> {
    until: Until<'a>,
    /// How long that was when it began.
    pub(crate) time: Duration,
    /// What it means when that is over.
    pub(crate) reason: Reason,
}

impl Turn<'_> {
    /// For what comes before any clock runs.
    pub(crate) fn getting_ready() -> Turn<'static> {
        Turn { until: Until::after(PATIENCE), time: PATIENCE, reason: Reason::Time }
    }

    /// For a move: nothing about it may take longer than the move itself.
    pub(crate) fn of_move(limits: &Limits) -> Turn<'_> {
        let now = Instant::now();
        let deadline = limits.deadline.unwrap_or(now + DEFAULT_TIME);
        let until = Until { deadline, stop: Some(&limits.stop) };
        let time = deadline.saturating_duration_since(now);
        Turn { until, time, reason: lateness(limits.clock, time) }
    }
}

/// An engine that runs.
pub(crate) struct Engine {
    captive: Captive,
    protocol: &'static str,
}

impl Engine {
    /// Starts the engine of `command`.
    pub(crate) fn start(command: &Command, protocol: &'static str) -> Result<Engine, Forfeit> {
        let plan = Plan::new(&command.program, &command.words);
        let captive = Captive::start(plan, MOST_LINE_BYTES, Log::default()).map_err(|error| {
            let program = command.program.display();
            Forfeit::new(Reason::Refused, format!("{program} cannot be started: {error}"))
        })?;
        Ok(Engine { captive, protocol })
    }

    /// Sends a line.
    pub(crate) fn tell(&mut self, line: &str, turn: &Turn<'_>) -> Result<(), Forfeit> {
        let bytes = format!("{line}\n").into_bytes();
        let told = self.captive.tell(&bytes, turn.until);
        told.map_err(|heard| self.forfeit(&heard, turn))
    }

    /// The next line.
    pub(crate) fn hear(&mut self, turn: &Turn<'_>) -> Result<String, Forfeit> {
        match self.captive.hear(turn.until) {
            Heard::Line(line) => Ok(String::from_utf8_lossy(&line).trim_end().to_owned()),
            heard => Err(self.forfeit(&heard, turn)),
        }
    }

    /// An answer that is not in the protocol.
    pub(crate) fn nonsense(&self, said: &str, expected: &str) -> Forfeit {
        let details = format!("{} answer {:?}; expected {expected}", self.protocol, words(said));
        Forfeit::new(Reason::Garbage, details)
    }

    fn forfeit(&mut self, heard: &Heard, turn: &Turn<'_>) -> Forfeit {
        match heard {
            Heard::Closed => {
                let ending = self.captive.ending();
                let printed = self.captive.log().last();
                let last = printed.lines().rfind(|line| !line.trim().is_empty());
                let last = last.map(|line| format!("; it printed last: {}", words(line)));
                Forfeit::new(Reason::Crash, ending.to_string() + &last.unwrap_or_default())
            }
            Heard::Excess(Excess::Line) => {
                Forfeit::new(Reason::Garbage, "a line without end; expected an answer")
            }
            _ => Forfeit::new(turn.reason, format!("no answer within {}", seconds(turn.time))),
        }
    }
}

/// The file's own name, for lists.
pub(crate) fn short(command: &Command) -> String {
    Path::new(&command.words[0])
        .file_name()
        .map_or_else(|| command.line(), |name| name.to_string_lossy().into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_stand_before_the_command_line() {
        let command = Command::read("gtp", "depth=8, time=250ms,sh -c 'a, b'").unwrap();
        assert_eq!(command.words, ["sh", "-c", "a, b"]);
        assert_eq!(command.share.depth, Some(8));
        assert_eq!(command.share.time, Some(Duration::from_millis(250)));
        assert!(command.program.is_absolute());
        assert_eq!(Command::read("gtp", "sh x=1,y=2").unwrap().words, ["sh", "x=1,y=2"]);
    }

    #[test]
    fn command_lines_that_are_none_are_refused() {
        for (rest, message) in [
            ("", "gtp: no program; expected a command line"),
            ("'sh", "gtp: \"'sh\" has an open quote; expected it closed"),
            ("no-such-engine", "gtp: \"no-such-engine\" is not found; expected a program"),
            ("./no/such", "gtp: \"./no/such\" is not found; expected a program"),
            ("depth=0,sh", "gtp was given depth=0; expected a whole number from 1 up"),
            ("time=5,sh", "gtp was given time=5; expected a time such as 5s or 250ms"),
        ] {
            assert_eq!(Command::read("gtp", rest).unwrap_err().to_string(), message);
        }
    }
}
