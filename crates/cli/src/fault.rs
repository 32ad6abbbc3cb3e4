//! Errors in one line each, and their exit status.
//!
//! 0: done. 1: the machine failed (a file or stream could not be read or written).
//! 2: what was typed or sent is wrong (a missing file included). 3: what was tested failed.
//! 130: stopped by Ctrl-C.

use crate::args::{UNKNOWN, unknown_option};
use crate::plain::{plain, shortened};
use clap::error::{ContextKind, ContextValue, ErrorKind};
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
pub(crate) enum Fault {
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

impl Fault {
    /// Bad input at `place`. The offence says what was expected.
    pub(crate) fn input(place: impl Display, offence: impl Display) -> Fault {
        Fault::Input(line(place, offence))
    }

    /// What was tested, `place`, did not pass.
    pub(crate) fn failed(place: impl Display, offence: impl Display) -> Fault {
        Fault::Failed(line(place, offence))
    }

    /// A file or stream called `place` failed.
    pub(crate) fn io(place: impl Display, error: &io::Error) -> Fault {
        Fault::Io(line(place, error))
    }

    /// What to say on standard error, if anything.
    pub(crate) fn line(&self) -> Option<&str> {
        match self {
            Fault::Input(line) | Fault::Io(line) | Fault::Failed(line) | Fault::Stopped(line) => {
                Some(line)
            }
            Fault::NobodyReads => None,
        }
    }

    /// What to say to the calling program.
    pub(crate) fn exit_code(&self) -> ExitCode {
        match self {
            Fault::Input(_) => ExitCode::from(2),
            Fault::Io(_) => ExitCode::from(1),
            Fault::Failed(_) => ExitCode::from(3),
            Fault::Stopped(_) => ExitCode::from(STOPPED),
            Fault::NobodyReads => ExitCode::SUCCESS,
        }
    }
}

/// Errors of writing to standard output: the only stream that `?` is used on.
impl From<io::Error> for Fault {
    fn from(error: io::Error) -> Fault {
        match error.kind() {
            io::ErrorKind::BrokenPipe => Fault::NobodyReads,
            _ => Fault::io("standard output", &error),
        }
    }
}

/// What clap found wrong with the arguments, in our one line instead of its several.
pub(crate) fn from_clap(error: &clap::Error) -> Fault {
    let context = |kind| match error.get(kind) {
        Some(ContextValue::String(text)) => Some(text.clone()),
        Some(ContextValue::Strings(texts)) => Some(texts.join(", ")),
        _ => None,
    };
    let names = |kind| match error.get(kind) {
        Some(ContextValue::String(name)) => Some(without_value_name(name)),
        Some(ContextValue::Strings(names)) => {
            let names: Vec<String> = names.iter().map(|name| without_value_name(name)).collect();
            Some(names.join(" and "))
        }
        _ => None,
    };
    let source = std::error::Error::source(error).map(ToString::to_string);
    let argument = names(ContextKind::InvalidArg);
    let value = context(ContextKind::InvalidValue);
    match (error.kind(), argument, value, source) {
        (ErrorKind::ValueValidation, _, Some(option), Some(source)) if source == UNKNOWN => {
            Fault::input("arguments", format_args!("{option} {UNKNOWN}"))
        }
        (ErrorKind::ValueValidation, Some(argument), Some(value), Some(source)) => {
            // Numbers are checked by clap and the standard library, in words of their own.
            let source = match source.split_once(" is not in ") {
                Some((_, range)) => {
                    format!("out of range; expected a number from {}", range.replace("..=", " to "))
                }
                None if source.contains("invalid digit") && value.starts_with('-') => {
                    "negative; expected a whole number from 0 up".to_owned()
                }
                None if source.contains("invalid digit") => {
                    "not a number; expected a whole number".to_owned()
                }
                None if source.contains("number too large") => {
                    "too large; expected a smaller number".to_owned()
                }
                None => source,
            };
            Fault::input(format_args!("{argument} {value}"), source)
        }
        (ErrorKind::InvalidValue, Some(argument), Some(value), _) => {
            let valid = context(ContextKind::ValidValue).unwrap_or_default();
            if value.is_empty() {
                return Fault::input(argument, "no value; expected one after it");
            }
            Fault::input(argument, format_args!("{value:?} is not known; expected one of {valid}"))
        }
        (ErrorKind::MissingRequiredArgument, Some(missing), ..) => {
            Fault::input("arguments", format_args!("something is missing; expected {missing}"))
        }
        (
            ErrorKind::MissingSubcommand | ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand,
            ..,
        ) => Fault::input("arguments", "a command is missing; expected one that --help lists"),
        (ErrorKind::InvalidSubcommand, ..) => {
            let name = context(ContextKind::InvalidSubcommand).unwrap_or_default();
            let expected = "expected one that isrever --help lists";
            if name.contains(char::REPLACEMENT_CHARACTER) {
                return Fault::input(
                    "arguments",
                    format_args!("{name:?} is not UTF-8; {expected}"),
                );
            }
            Fault::input("arguments", format_args!("no command is called {name:?}; {expected}"))
        }
        (ErrorKind::UnknownArgument, Some(argument), ..) => {
            let argument = unknown_option(std::env::args_os()).unwrap_or(argument);
            Fault::input("arguments", format_args!("{argument} {UNKNOWN}"))
        }
        (ErrorKind::ArgumentConflict, Some(argument), ..) => {
            match names(ContextKind::PriorArg).filter(|other| *other != argument) {
                Some(other) => {
                    let offence = "cannot stand together; expected one of them";
                    Fault::input("arguments", format_args!("{argument} and {other} {offence}"))
                }
                None => Fault::input(argument, "given more than once; expected it once"),
            }
        }
        (ErrorKind::InvalidUtf8, ..) => {
            Fault::input("arguments", "one is not UTF-8; expected text in UTF-8")
        }
        _ => {
            let words = error.to_string();
            let words = words.strip_prefix("error: ").unwrap_or(&words);
            let offence = words.split("\n\n").next().unwrap_or(words);
            Fault::input("arguments", format_args!("{offence}; expected what --help lists"))
        }
    }
}

/// An argument without clap's brackets: `--size` of `--size <S>`, and `N` of `<N>` or `[N]`.
fn without_value_name(argument: &str) -> String {
    let name = argument.split_once(" <").map_or(argument, |(name, _)| name);
    // More than one may be given.
    let name = name.strip_suffix("...").unwrap_or(name);
    name.trim_start_matches(['<', '[']).trim_end_matches(['>', ']']).to_owned()
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
        let fault = Fault::input("a\nb", "x\u{1b}[31m\r\n");
        assert_eq!(fault.line(), Some("a b: x\\u{1b}[31m  "));
        let long = "x".repeat(100_000);
        let fault = Fault::io(&long, &io::Error::other(long.as_str()));
        assert!(fault.line().is_some_and(|line| line.chars().count() < 2_500));
    }

    #[test]
    fn clap_s_brackets_are_taken_off() {
        for (argument, name) in
            [("--size <S>", "--size"), ("<N>", "N"), ("[TEXT|FILE|-]", "TEXT|FILE|-"), ("f5", "f5")]
        {
            assert_eq!(without_value_name(argument), name);
        }
    }

    #[test]
    fn a_reader_that_has_gone_is_no_fault_to_report() {
        let gone = Fault::from(io::Error::from(io::ErrorKind::BrokenPipe));
        assert_eq!(gone.line(), None);
        assert_eq!(gone.exit_code(), ExitCode::SUCCESS);
    }
}
