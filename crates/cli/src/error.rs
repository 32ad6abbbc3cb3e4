//! Errors in one line each, and their exit status.
//!
//! 0: done. 1: the machine failed (a file or stream could not be read or written), or other machines
//! did not do the work. 2: what was typed or sent is wrong (a missing file, and the address, key or
//! certificate of a cluster, included). 3: what was tested failed.
//! 130: stopped by Ctrl-C.

use crate::plain::{plain, shortened};
use std::fmt::Display;
use std::io;
use std::process::ExitCode;

/// The exit status of a process that Ctrl-C ended, as shells tell it.
pub(crate) const STOPPED: u8 = 130;

/// The most characters of a place in a message: names of files can fill a screen.
const MOST_OF_PLACE: usize = 200;

/// The most characters of an offence: what was typed may stand in it.
const MOST_OF_OFFENCE: usize = 2_000;

/// Why a command ended without doing its work.
#[derive(Debug)]
pub(crate) enum Error {
    /// What was typed or sent is wrong: the line says where, what, and what was expected.
    Input(String),
    /// The machine failed.
    Io(String),
    /// What was tested did not pass: the line says how far it came.
    Failed(String),
    /// The person stopped it: the line says how far it came.
    Stopped(String),
    /// Who read our output has gone; there is nobody to tell and nothing is wrong.
    NobodyReads,
}

impl Error {
    /// Bad input at `place`. The offence says what was expected.
    pub(crate) fn input(place: impl Display, offence: impl Display) -> Error {
        Error::Input(line(place, offence))
    }

    /// What was tested, `place`, did not pass.
    pub(crate) fn failed(place: impl Display, offence: impl Display) -> Error {
        Error::Failed(line(place, offence))
    }

    /// A file or stream called `place` failed.
    pub(crate) fn io(place: impl Display, error: &io::Error) -> Error {
        Error::Io(line(place, error))
    }

    /// What to say on standard error, if anything.
    pub(crate) fn line(&self) -> Option<&str> {
        match self {
            Error::Input(line) | Error::Io(line) | Error::Failed(line) | Error::Stopped(line) => {
                Some(line)
            }
            Error::NobodyReads => None,
        }
    }

    /// What to say to the calling program.
    pub(crate) fn exit_code(&self) -> ExitCode {
        match self {
            Error::Input(_) => ExitCode::from(2),
            Error::Io(_) => ExitCode::from(1),
            Error::Failed(_) => ExitCode::from(3),
            Error::Stopped(_) => ExitCode::from(STOPPED),
            Error::NobodyReads => ExitCode::SUCCESS,
        }
    }
}

/// Errors of writing to standard output: the only stream that `?` is used on.
impl From<io::Error> for Error {
    fn from(error: io::Error) -> Error {
        match error.kind() {
            io::ErrorKind::BrokenPipe => Error::NobodyReads,
            _ => Error::io("standard output", &error),
        }
    }
}

/// A message: where, and what is wrong there. What a user sent may stand in both.
fn line(place: impl Display, offence: impl Display) -> String {
    let place = shortened(&plain(&place.to_string()), MOST_OF_PLACE);
    let offence = shortened(&plain(&offence.to_string()), MOST_OF_OFFENCE);
    format!("{place}: {offence}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fault_is_one_harmless_line() {
        let error = Error::input("a\nb", "x\u{1b}[31m\r\n");
        assert_eq!(error.line(), Some("a b: x\\u{1b}[31m  "));
        let long = "x".repeat(100_000);
        let error = Error::io(&long, &io::Error::other(long.as_str()));
        assert!(error.line().is_some_and(|line| line.chars().count() < 2_500));
    }

    #[test]
    fn a_reader_that_has_gone_is_no_fault_to_report() {
        let gone = Error::from(io::Error::from(io::ErrorKind::BrokenPipe));
        assert_eq!(gone.line(), None);
        assert_eq!(gone.exit_code(), ExitCode::SUCCESS);
    }
}
