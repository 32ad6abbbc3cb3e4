//! The program's arguments: its commands, and clap's errors in one line.
//!
//! Each command declares its own arguments and decides what they mean together;
//! options that several commands share are in `options`.

use crate::commands::agents::AgentsArgs;
use crate::commands::analyze::AnalyzeArgs;
use crate::commands::arena::ArenaArgs;
use crate::commands::bench::BenchArgs;
use crate::commands::best_move::MoveArgs;
use crate::commands::completions::CompletionsArgs;
use crate::commands::convert::ConvertArgs;
use crate::commands::gtp::GtpArgs;
use crate::commands::lab::LabArgs;
use crate::commands::man::ManArgs;
use crate::commands::nboard::NboardArgs;
use crate::commands::perft::PerftArgs;
use crate::commands::play::PlayArgs;
use crate::commands::serve::ServeArgs;
use crate::commands::show::ShowArgs;
use crate::commands::solve::SolveArgs;
use crate::commands::train::TrainArgs;
use crate::commands::tune::TuneArgs;
use crate::error::Error;
use crate::options::{UNKNOWN, is_like_an_option};
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{CommandFactory, Parser, Subcommand};
use std::ffi::OsString;

const STATUS: &str = "\
Exit status: 0 done; 1 a file or stream could not be read or written; 2 the input is wrong;
3 what was tested failed; 130 stopped by Ctrl-C.
Errors are one line on standard error; wrong input writes nothing elsewhere.";

/// Reversed Reversi: Othello's moves, and the player with fewer discs wins.
///
/// Without a command it serves the web board, as `isrever serve` does.
#[derive(Parser, Debug)]
#[command(name = "isrever", version, after_help = STATUS)]
pub(crate) struct Args {
    #[command(subcommand)]
    pub(crate) command: Option<Command>,
}

#[derive(Subcommand, Debug)]
pub(crate) enum Command {
    Serve(ServeArgs),
    Play(PlayArgs),
    Show(ShowArgs),
    Convert(ConvertArgs),
    Move(MoveArgs),
    Solve(SolveArgs),
    #[command(alias = "analyse")]
    Analyze(AnalyzeArgs),
    Nboard(NboardArgs),
    Gtp(GtpArgs),
    Perft(PerftArgs),
    Bench(BenchArgs),
    Arena(ArenaArgs),
    Train(TrainArgs),
    Lab(LabArgs),
    Tune(TuneArgs),
    Agents(AgentsArgs),
    Completions(CompletionsArgs),
    Man(ManArgs),
}

/// The first of the arguments that is like an option and none of its command's.
///
/// Behind it clap takes the text it was hoping for to be too much, and blames that.
fn unknown_option(typed: impl IntoIterator<Item = OsString>) -> Option<String> {
    let mut typed = typed.into_iter().skip(1).map(|argument| argument.to_string_lossy().into());
    let mut program = Args::command();
    program.build();
    let mut command = program.find_subcommand(typed.next().unwrap_or_else(String::new))?;
    // Commands may have commands of their own.
    while command.has_subcommands() {
        command = command.find_subcommand(typed.next().unwrap_or_else(String::new))?;
    }
    typed.filter(|argument| is_like_an_option(argument)).find(|argument| {
        let name = argument.split('=').next().unwrap_or(argument);
        !command.get_arguments().any(|known| {
            known.get_long().is_some_and(|long| name.strip_prefix("--") == Some(long))
                || known.get_short().is_some_and(|short| name.starts_with(&format!("-{short}")))
        })
    })
}

/// What clap found wrong with the arguments, in our one line instead of its several.
pub(crate) fn error(error: &clap::Error) -> Error {
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
            Error::input("arguments", format_args!("{option} {UNKNOWN}"))
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
            Error::input(format_args!("{argument} {value}"), source)
        }
        (ErrorKind::InvalidValue, Some(argument), Some(value), _) => {
            let valid = context(ContextKind::ValidValue).unwrap_or_default();
            if value.is_empty() {
                return Error::input(argument, "no value; expected one after it");
            }
            Error::input(argument, format_args!("{value:?} is not known; expected one of {valid}"))
        }
        (ErrorKind::MissingRequiredArgument, Some(missing), ..) => {
            Error::input("arguments", format_args!("something is missing; expected {missing}"))
        }
        (
            ErrorKind::MissingSubcommand | ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand,
            ..,
        ) => Error::input("arguments", "a command is missing; expected one that --help lists"),
        (ErrorKind::InvalidSubcommand, ..) => {
            let name = context(ContextKind::InvalidSubcommand).unwrap_or_default();
            let expected = "expected one that isrever --help lists";
            if name.contains(char::REPLACEMENT_CHARACTER) {
                return Error::input(
                    "arguments",
                    format_args!("{name:?} is not UTF-8; {expected}"),
                );
            }
            Error::input("arguments", format_args!("no command is called {name:?}; {expected}"))
        }
        (ErrorKind::UnknownArgument, Some(argument), ..) => {
            let argument = unknown_option(std::env::args_os()).unwrap_or(argument);
            Error::input("arguments", format_args!("{argument} {UNKNOWN}"))
        }
        (ErrorKind::ArgumentConflict, Some(argument), ..) => {
            match names(ContextKind::PriorArg).filter(|other| *other != argument) {
                Some(other) => {
                    let offence = "cannot stand together; expected one of them";
                    Error::input("arguments", format_args!("{argument} and {other} {offence}"))
                }
                None => Error::input(argument, "given more than once; expected it once"),
            }
        }
        (ErrorKind::InvalidUtf8, ..) => {
            Error::input("arguments", "one is not UTF-8; expected text in UTF-8")
        }
        _ => {
            let words = error.to_string();
            let words = words.strip_prefix("error: ").unwrap_or(&words);
            let offence = words.split("\n\n").next().unwrap_or(words);
            Error::input("arguments", format_args!("{offence}; expected what --help lists"))
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_arguments_are_consistent() {
        Args::command().debug_assert();
    }

    #[test]
    fn clap_s_brackets_are_taken_off() {
        for (argument, name) in
            [("--size <S>", "--size"), ("<N>", "N"), ("[TEXT|FILE|-]", "TEXT|FILE|-"), ("f5", "f5")]
        {
            assert_eq!(without_value_name(argument), name);
        }
    }
}
