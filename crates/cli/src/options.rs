//! Options that several commands share, and the parsers of their values.

use crate::error::Error;
use crate::input::{Input, MOST_BYTES, Place};
use clap::builder::{OsStringValueParser, TypedValueParser};
use isrever_board::text::{Defaults, Format, MAX_LINE_BYTES, Record};
use isrever_board::{Color, Game, Rule, Size};
use std::ffi::OsString;

/// What a text leaves open.
#[derive(clap::Args, Debug)]
pub(crate) struct DefaultArgs {
    /// The rule: reversed (the player with fewer discs wins) or normal (the player with more)
    /// [default: reversed; ggf, sgf and wthor say it themselves, obf may]
    #[arg(long, value_name = "RULE")]
    pub(crate) rule: Option<Rule>,

    /// Width of the board, even, 4 to 16 [default: 8, or that of the text]
    #[arg(long, value_name = "S", allow_negative_numbers = true)]
    pub(crate) size: Option<Size>,
}

impl DefaultArgs {
    /// What a text means that leaves rule or size open.
    pub(crate) fn defaults(&self) -> Defaults {
        Defaults { rule: self.rule.unwrap_or_default(), size: self.size.unwrap_or_default() }
    }

    /// A new game of the rule and size asked for.
    pub(crate) fn start(&self) -> Game {
        let Defaults { rule, size } = self.defaults();
        Game::new(rule, size)
    }

    /// The record under the rule that was asked for, if one was; refused if its size or its rule
    /// is another.
    ///
    /// The rule of a problem is that of its known scores. Whoever asks for the other one gets the
    /// same board under that rule, and the scores stay what they are.
    pub(crate) fn settled(&self, place: &Place, mut record: Record) -> Result<Record, Error> {
        if let Some(asked) = self.rule {
            if record.scores_rule.is_some_and(|said| said != asked) {
                record.game = Game::from_position(asked, record.game.position().clone());
            } else if !record.scores.is_empty() {
                // The text is silent: the scores are for the rule that it is read under.
                record.scores_rule = Some(asked);
            }
        }
        let (rule, size) = (record.game.rule(), record.game.size());
        if let Some(asked) = self.size.filter(|&asked| asked != size) {
            let offence = format_args!(
                "the board is {size}x{size}, but --size {asked} was asked for; \
                 expected --size {size}, or none"
            );
            return Err(Error::input(place, offence));
        }
        if let Some(asked) = self.rule.filter(|&asked| asked != rule) {
            let offence = format_args!(
                "the game's rule is {rule}, but --rule {asked} was asked for; \
                 expected --rule {rule}, or none"
            );
            return Err(Error::input(place, offence));
        }
        Ok(record)
    }
}

/// Which positions a command is about.
#[derive(clap::Args, Debug)]
pub(crate) struct PositionArgs {
    /// Positions or games: their text, or a file, or - for standard input [default: the start]
    #[arg(value_name = "TEXT|FILE|-", allow_hyphen_values = true, value_parser = text())]
    pub(crate) text: Option<OsString>,

    /// The same as TEXT|FILE|-
    #[arg(long, value_name = "TEXT|FILE|-", allow_hyphen_values = true, value_parser = text(),
          conflicts_with = "text")]
    pub(crate) position: Option<OsString>,

    /// A file of positions or games, whatever it is called
    #[arg(long, value_name = "FILE", conflicts_with_all = ["text", "position"])]
    pub(crate) file: Option<OsString>,
}

impl PositionArgs {
    /// What was given to read; `None` means the start.
    pub(crate) fn input(&self) -> Result<Option<Input>, Error> {
        match (self.text.as_ref().or(self.position.as_ref()), &self.file) {
            (Some(argument), _) => Input::read(argument).map(Some),
            (None, Some(name)) => Input::read_named(name).map(Some),
            (None, None) => Ok(None),
        }
    }
}

/// A player's discs.
pub(crate) fn color(text: &str) -> Result<Color, &'static str> {
    match text {
        "black" => Ok(Color::Black),
        "white" => Ok(Color::White),
        _ => Err("not a colour; expected black or white"),
    }
}

/// The formats and what they are.
pub(crate) fn formats() -> String {
    let lines = Format::ALL.map(|format| format!("  {format:<6} {}\n", format.about()));
    format!("Formats:\n{}", lines.concat())
}

/// How much is read, and what is not.
pub(crate) fn reading() -> String {
    let (whole, line) = (MOST_BYTES >> 20, MAX_LINE_BYTES >> 20);
    format!(
        "
At most {whole} MiB are read, in lines of at most {line} MiB. The formats board, moves and hex do \
not say their rule. OBF does by a line such as % rule: normal, for the lines below it; files from \
elsewhere have none, are for normal Othello and need --rule normal. Of an SGF game the main line is read; its variations are kept for SGF alone."
    )
}

/// What is said of an argument that is none of the command's, before what was expected.
pub(crate) const UNKNOWN: &str = "is not known here";

/// Text may begin with a hyphen, as boards do; a misspelt option does too, and is refused.
pub(crate) fn text() -> impl TypedValueParser<Value = OsString> {
    OsStringValueParser::new().try_map(|argument| {
        if is_like_an_option(&argument.to_string_lossy()) {
            return Err(UNKNOWN);
        }
        Ok(argument)
    })
}

/// Whether `text` is a hyphen or two and a word, and the word is no board, well typed or not.
pub(crate) fn is_like_an_option(text: &str) -> bool {
    let Some(word) = text.strip_prefix("--").or_else(|| text.strip_prefix('-')) else {
        return false;
    };
    word.starts_with(|c: char| c.is_ascii_alphabetic())
        && !word.contains(|c: char| c.is_whitespace() || c == ';')
        && !is_like_a_board(word)
}

/// Whether three of four letters are squares: one that is not is a slip.
fn is_like_a_board(word: &str) -> bool {
    let squares = word.chars().filter(|&c| "XxOo*BbWw-.".contains(c)).count();
    4 * squares >= 3 * word.chars().count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_are_told_from_boards() {
        for option in ["--loudly", "-q", "--stepp", "--at=3", "--too", "--bow-wave", "--no-color"] {
            assert!(is_like_an_option(option), "{option}");
        }
        for text in ["-", "--", "-------- X", "--xo--ox--", "--XO X; a1:+3;", "f5", "-1", ""] {
            assert!(!is_like_an_option(text), "{text}");
        }
        for board in ["-O---OX--XO-----X;", "-O---OX--XO----Q", "-O---OX--X0-----X"] {
            assert!(!is_like_an_option(board), "{board}");
        }
    }
}
