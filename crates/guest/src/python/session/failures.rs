//! What goes wrong in a session, as forfeits with their reasons.

use super::Session;
use crate::process::{Excess, Received};
use crate::python::Source;
use crate::python::messages::{Raised, excerpt};
use crate::sandbox::Layer;
use crate::sandbox::limits::THREADS;
use isrever_agent::{Forfeit, Reason};

/// How many of the last printed lines a message quotes.
const LAST_LINES: usize = 3;

impl Session {
    /// The forfeit of an agent that raised an error.
    pub(super) fn raised(&mut self, raised: Raised) -> Forfeit {
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
        let missing = raised.missing.and_then(|module| missing_module(&module, &self.source));
        let is_relative = what.starts_with("ImportError: attempted relative import");
        let other_file = "an agent is one file: paste what it needs from other files into it";
        let missing = missing.or_else(|| is_relative.then(|| other_file.to_owned()));
        let missing = missing.map(|words| format!("; {words}")).unwrap_or_default();
        Forfeit::new(Reason::Crash, what + &place + &allowed + &missing + &self.printed_last())
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

    /// The forfeit of a process that broke the protocol with this line.
    pub(super) fn protocol_error(&self, line: &[u8]) -> Forfeit {
        let said = excerpt(&String::from_utf8_lossy(&line[..line.len().min(100)]));
        Forfeit::new(Reason::Garbage, format!("it wrote {said:?} into the pipe to us"))
    }

    /// The forfeit of a process that did not answer.
    pub(super) fn forfeit(&mut self, received: &Received) -> Forfeit {
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

/// What to do about a module that is not there: it may be a file of the author's own.
fn missing_module(module: &str, source: &Source) -> Option<String> {
    let name = module.split('.').next().filter(|name| !name.is_empty())?;
    if !name.chars().all(|letter| letter.is_alphanumeric() || letter == '_') {
        return None;
    }
    let file = format!("{name}.py");
    let beside = |name: &str| source.folder().map(|folder| folder.join(name));
    Some(if beside(&file).is_some_and(|path| path.is_file()) {
        format!("an agent is one file: paste {file} into it")
    } else if beside(name).is_some_and(|path| path.is_dir()) {
        format!("an agent is one file: paste what it needs of {name}/ into it")
    } else {
        format!("an agent is one file, and the Python that runs it has no module {name}")
    })
}

/// The forfeit where the interpreter takes no message: the machine's fault.
pub(super) fn not_started(received: &Received) -> Forfeit {
    Forfeit::machine(format!("the interpreter does not listen ({received:?})"))
}
