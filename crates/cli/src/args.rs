//! The program's arguments: its commands, and clap's errors in one line.
//!
//! Each command declares its own arguments and decides what they mean together;
//! options that several commands share are in `options`.

use crate::commands::agents::AgentsArgs;
use crate::commands::analyze::AnalyzeArgs;
use crate::commands::arena::ArenaArgs;
use crate::commands::bench::BenchArgs;
use crate::commands::best_move::MoveArgs;
use crate::commands::book::BookArgs;
use crate::commands::club::ClubArgs;
use crate::commands::cluster::ClusterCommandArgs;
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
use crate::commands::submit::SubmitArgs;
use crate::commands::train::TrainArgs;
use crate::commands::tune::TuneArgs;
use crate::commands::worker::WorkerArgs;
use crate::error::Error;
use crate::options::{UNKNOWN, is_like_an_option};
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{CommandFactory, FromArgMatches, Parser, Subcommand};
use isrever_agent::{did_you_mean, listed_words};
use std::collections::VecDeque;
use std::ffi::OsString;

const STATUS: &str = "\
Exit status: 0 done; 1 a file or stream could not be read or written, or work on other machines
failed; 2 the input is wrong; 3 what was tested failed; 130 stopped by Ctrl-C (isrever serve: 0).
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
    Book(BookArgs),
    Arena(ArenaArgs),
    Train(TrainArgs),
    Lab(LabArgs),
    Tune(TuneArgs),
    Worker(WorkerArgs),
    Cluster(ClusterCommandArgs),
    Club(ClubArgs),
    Submit(SubmitArgs),
    Agents(AgentsArgs),
    Completions(CompletionsArgs),
    Man(ManArgs),
}

/// The columns that the sources of help fill.
const COLUMNS: usize = 100;

/// A line with so many characters is full anyhow: a number stays with its unit.
const FULL: usize = 90;

/// What was typed.
pub(crate) fn typed() -> Result<Args, clap::Error> {
    Args::try_parse().or_else(|error| match error.kind() {
        // To break all commands' help into lines takes longer than all else before a command begins.
        ErrorKind::DisplayHelp => {
            let typed = command().try_get_matches()?;
            Args::from_arg_matches(&typed)
        }
        _ => Err(error),
    })
}

/// The command line, with help that fills the lines of any terminal.
pub(crate) fn command() -> clap::Command {
    reflowed(Args::command())
}

fn reflowed(command: clap::Command) -> clap::Command {
    let help = command.get_after_help().map(|help| paragraphs(&help.to_string()));
    let command = command.mut_subcommands(reflowed);
    match help {
        Some(help) => command.after_help(help),
        None => command,
    }
}

/// A text in which each paragraph is a line, of one whose paragraphs are broken into full lines. A line
/// that begins with a space stays as it is, and so does a break where there was room for another word.
fn paragraphs(text: &str) -> String {
    let mut joined = String::new();
    let mut lines = text.lines().peekable();
    while let Some(line) = lines.next() {
        joined += line;
        let Some(next) = lines.peek() else { break };
        let is_prose = |line: &str| !line.is_empty() && !line.starts_with(' ');
        let word = next.split(' ').next().unwrap_or_default();
        let length = line.chars().count();
        let is_full = length >= FULL || length + 1 + word.chars().count() > COLUMNS;
        joined.push(if is_full && is_prose(line) && is_prose(next) { ' ' } else { '\n' });
    }
    joined
}

/// The command that was asked for, and what was typed behind it.
struct Asked {
    /// How it is called, such as `isrever arena run`.
    words: String,
    command: clap::Command,
    behind: Vec<String>,
}

impl Asked {
    fn new(typed: impl IntoIterator<Item = OsString>) -> Asked {
        let typed = typed.into_iter().skip(1).map(|argument| argument.to_string_lossy().into());
        let mut typed: VecDeque<String> = typed.collect();
        let mut command = Args::command();
        command.build();
        let mut words = command.get_name().to_owned();
        // Commands may have commands of their own.
        while let Some(next) = typed.front().and_then(|name| command.find_subcommand(name)) {
            words = format!("{words} {}", next.get_name());
            command = next.clone();
            typed.pop_front();
        }
        Asked { words, command, behind: typed.into() }
    }

    /// The first argument that is like an option and none of the command's.
    ///
    /// Behind it clap takes the text it was hoping for to be too much, and blames that.
    fn unknown_option(&self) -> Option<&String> {
        self.behind.iter().filter(|argument| is_like_an_option(argument)).find(|argument| {
            let name = argument.split('=').next().unwrap_or(argument);
            !self.command.get_arguments().any(|known| {
                known.get_long().is_some_and(|long| name.strip_prefix("--") == Some(long))
                    || known.get_short().is_some_and(|short| name.starts_with(&format!("-{short}")))
            })
        })
    }

    /// An argument that the command does not take.
    fn unknown(&self, argument: &str) -> Error {
        let name = argument.split('=').next().unwrap_or(argument);
        let longs = self.command.get_arguments().filter_map(clap::Arg::get_long);
        let options: Vec<String> = longs.map(|long| format!("--{long}")).collect();
        let meant = did_you_mean(name, options.iter().map(String::as_str));
        let offence =
            format_args!("{argument} {UNKNOWN}{meant}; expected what {} lists", self.help());
        Error::input("arguments", offence)
    }

    /// A command that there is not.
    fn unknown_command(&self, name: &str) -> Error {
        let expected = format!("expected one that {} lists", self.help());
        if name.contains(char::REPLACEMENT_CHARACTER) {
            return Error::input("arguments", format_args!("{name:?} is not UTF-8; {expected}"));
        }
        let meant = did_you_mean(name, self.command.get_subcommands().map(clap::Command::get_name));
        let offence = format_args!("no command is called {name:?}{meant}; {expected}");
        Error::input("arguments", offence)
    }

    /// What shows how the command is used.
    fn help(&self) -> String {
        format!("{} --help", self.words)
    }
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
    let asked = Asked::new(std::env::args_os());
    let source = std::error::Error::source(error).map(ToString::to_string);
    let argument = names(ContextKind::InvalidArg);
    let value = context(ContextKind::InvalidValue);
    match (error.kind(), argument, value, source) {
        (ErrorKind::ValueValidation, _, Some(option), Some(source)) if source == UNKNOWN => {
            asked.unknown(&option)
        }
        (ErrorKind::ValueValidation, Some(argument), Some(value), Some(source)) => {
            // Numbers are checked by clap and the standard library, in words of their own.
            let source = match source.split_once(" is not in ") {
                Some((_, range)) => {
                    let range =
                        range.replace("..=", " to ").replace(&format!("..{}", u64::MAX), " up");
                    format!("out of range; expected a number from {range}")
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
            let offence = match source.split_once("; expected ") {
                Some((offence, expected)) => {
                    let meant = did_you_mean(&value, listed_words(expected));
                    format!("{offence}{meant}; expected {expected}")
                }
                None => source,
            };
            Error::input(format_args!("{argument} {value}"), offence)
        }
        (ErrorKind::InvalidValue, Some(argument), Some(value), _) => {
            if value.is_empty() {
                return Error::input(argument, "no value; expected one after it");
            }
            let valid = context(ContextKind::ValidValue).unwrap_or_default();
            let meant = did_you_mean(&value, listed_words(&valid));
            let offence = format_args!("{value:?} is not known{meant}; expected one of {valid}");
            Error::input(argument, offence)
        }
        (ErrorKind::MissingRequiredArgument, Some(missing), ..) => {
            let offence =
                format_args!("something is missing; expected {missing}, as {} says", asked.help());
            Error::input("arguments", offence)
        }
        (
            ErrorKind::MissingSubcommand | ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand,
            ..,
        ) => {
            let offence =
                format_args!("a command is missing; expected one that {} lists", asked.help());
            Error::input("arguments", offence)
        }
        (ErrorKind::InvalidSubcommand, ..) => {
            asked.unknown_command(&context(ContextKind::InvalidSubcommand).unwrap_or_default())
        }
        (ErrorKind::UnknownArgument, Some(argument), ..) => {
            asked.unknown(asked.unknown_option().unwrap_or(&argument))
        }
        (ErrorKind::ArgumentConflict, Some(argument), ..) => {
            match names(ContextKind::PriorArg).filter(|other| *other != argument) {
                Some(other) => {
                    let offence = "cannot be used together; expected one of them";
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
            let expected = format_args!("{offence}; expected what {} lists", asked.help());
            Error::input("arguments", expected)
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

    /// The commands that do something themselves, with their words.
    fn leaves(command: &clap::Command, words: &str) -> Vec<(String, clap::Command)> {
        let own = |sub: &clap::Command| leaves(sub, &format!("{words} {}", sub.get_name()));
        match command.has_subcommands() {
            true => {
                let others = command.get_subcommands().filter(|sub| sub.get_name() != "help");
                others.flat_map(own).collect()
            }
            false => vec![(words.to_owned(), command.clone())],
        }
    }

    /// The commands of an example without what is said about it, each with its arguments.
    fn commands(example: &str) -> Vec<Vec<String>> {
        let typed = example.trim_start().split("  ").next().unwrap_or_default();
        let parts = typed.split(" | ").filter(|part| part.starts_with("isrever"));
        let plain = parts.filter_map(|part| part.split(['<', '>']).next());
        plain.map(|part| shlex::split(part).expect("a shell can read it")).collect()
    }

    #[test]
    fn every_command_has_examples_that_are_understood() {
        for (words, command) in leaves(&Args::command(), "isrever") {
            let help = command.get_after_help().map(ToString::to_string).unwrap_or_default();
            let examples = help.lines().skip_while(|line| !line.starts_with("Example")).skip(1);
            let examples: Vec<&str> = examples.take_while(|line| line.starts_with("  ")).collect();
            let commands: Vec<_> = examples.iter().flat_map(|line| commands(line)).collect();
            assert!(!commands.is_empty(), "{words} has no example");
            for typed in commands {
                let parsed = Args::try_parse_from(&typed);
                assert!(parsed.is_ok(), "{typed:?}: {parsed:?}");
            }
            // What is wider is broken into two lines, and cannot be copied any more.
            let wide = examples.iter().find(|line| line.chars().count() > 100);
            assert_eq!(wide, None, "{words}");
        }
    }

    #[test]
    fn paragraphs_are_known_by_their_full_lines() {
        let full = "word ".repeat(19) + "word.";
        let text =
            format!("Examples:\n  one\n  two\n{full}\nMore of it,\nand a list\n  {full}\n\nEnd.");
        let joined =
            format!("Examples:\n  one\n  two\n{full} More of it,\nand a list\n  {full}\n\nEnd.");
        assert_eq!(paragraphs(&text), joined);
    }

    #[test]
    fn help_has_no_broken_lines_on_a_narrow_terminal() {
        for (words, command) in leaves(&command(), "isrever") {
            let help = command.get_after_help().map(ToString::to_string).unwrap_or_default();
            let narrow = command.clone().term_width(80).render_help().to_string();
            let Some((_, narrow)) = narrow.split_once("\nExample") else { continue };
            let lines: Vec<&str> = narrow.lines().collect();
            for pair in lines.windows(2) {
                let [line, next] = [pair[0], pair[1]];
                let is_prose = |line: &str| !line.is_empty() && !line.starts_with(' ');
                let is_end = help.lines().any(|paragraph| paragraph.ends_with(line));
                let word = next.split(' ').next().unwrap_or_default();
                if is_prose(line) && is_prose(next) && !is_end {
                    let room = 80 - line.chars().count().min(80);
                    assert!(word.chars().count() + 1 > room, "{words}: {line}");
                }
                // A line that ends for no reason is one that was filled carelessly.
                let is_sentence = line.ends_with(['.', ':', ';', ')']) || next.starts_with("With");
                assert!(
                    !is_prose(line) || !is_prose(next) || !is_end || is_sentence,
                    "{words}: {line}"
                );
            }
        }
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
