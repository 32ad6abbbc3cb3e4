//! What can go wrong, said in one line, and the exit status that says it to programs.
//!
//! 0: done. 1: the machine failed (a file could not be read or written).
//! 2: what was typed or sent is wrong (a missing file included).

use crate::args::unknown_option;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use std::fmt::Display;
use std::io;
use std::process::ExitCode;

/// Why a command ended without doing its work.
#[derive(Debug)]
pub(crate) enum Fault {
    /// What was typed or sent is wrong: the line says where, what, and what was expected.
    Input(String),
    /// The machine failed.
    Io(String),
    /// Who read our output has gone; there is nobody to tell and nothing is wrong.
    NobodyReads,
}

impl Fault {
    /// Bad input at `place`. The offence says what was expected.
    pub(crate) fn input(place: impl Display, offence: impl Display) -> Fault {
        Fault::Input(one_line(&format!("{place}: {offence}")))
    }

    /// A file or stream called `place` failed.
    pub(crate) fn io(place: impl Display, error: &io::Error) -> Fault {
        Fault::Io(one_line(&format!("{place}: {error}")))
    }

    /// What to say on standard error, if anything.
    pub(crate) fn line(&self) -> Option<&str> {
        match self {
            Fault::Input(line) | Fault::Io(line) => Some(line),
            Fault::NobodyReads => None,
        }
    }

    /// What to say to the calling program.
    pub(crate) fn exit_code(&self) -> ExitCode {
        match self {
            Fault::Input(_) => ExitCode::from(2),
            Fault::Io(_) => ExitCode::from(1),
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
    let source = std::error::Error::source(error).map(ToString::to_string);
    let argument = context(ContextKind::InvalidArg).map(|name| without_value_name(&name));
    let value = context(ContextKind::InvalidValue);
    match (error.kind(), argument, value, source) {
        (ErrorKind::ValueValidation, Some(argument), Some(value), Some(source)) => {
            // Numbers are checked by clap and the standard library, in words of their own.
            let source = match source.split_once(" is not in ") {
                Some((_, range)) => {
                    format!("out of range; expected a number from {}", range.replace("..=", " to "))
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
            let expected = "expected what --help lists";
            let argument = unknown_option(std::env::args_os()).unwrap_or(argument);
            Fault::input("arguments", format_args!("{argument} is not known here; {expected}"))
        }
        (ErrorKind::ArgumentConflict, Some(argument), ..) => {
            let other = context(ContextKind::PriorArg).unwrap_or_default();
            let expected = "expected one of them, once";
            Fault::input("arguments", format_args!("{argument} together with {other}; {expected}"))
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

/// An argument without clap's brackets: `--size` of `--size <S>`, and `N` of `<N>`.
fn without_value_name(argument: &str) -> String {
    let name = argument.split_once(" <").map_or(argument, |(name, _)| name);
    name.trim_start_matches('<').trim_end_matches('>').to_owned()
}

/// What a user sent may stand in a message: it must not break the line nor drive the terminal.
fn one_line(text: &str) -> String {
    let mut line = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '\n' | '\r' | '\t' => line.push(' '),
            c if c.is_control() => line.extend(c.escape_default()),
            c => line.push(c),
        }
    }
    line
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fault_is_one_harmless_line() {
        let fault = Fault::input("a\nb", "x\u{1b}[31m\r\n");
        assert_eq!(fault.line(), Some("a b: x\\u{1b}[31m  "));
    }

    #[test]
    fn a_reader_that_has_gone_is_no_fault_to_report() {
        let gone = Fault::from(io::Error::from(io::ErrorKind::BrokenPipe));
        assert_eq!(gone.line(), None);
        assert_eq!(gone.exit_code(), ExitCode::SUCCESS);
    }
}
