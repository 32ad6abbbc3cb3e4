//! Positions and games as text and files: reads, writes and detects formats.
//!
//! There is one file per format under `text/`, which begins with the grammar
//! and our choices. All formats read and write [`Record`]s, so that reading one
//! and writing another converts. Nothing here opens a file: it turns bytes into
//! records, and back. Every reader takes time and memory linear in its input,
//! never panics, and refuses input with one line that names the place, the
//! offence and what was expected. Lines and games have a greatest length, so
//! that one record needs little memory however hostile the file is.
//!
//! What we write we can read again: under the same rule, with the default size,
//! it gives the same records, as far as the format can hold them. A position
//! format keeps the present position and no moves; a tag or a note that a
//! format cannot hold is left out.

mod board;
mod bracket;
mod detect;
mod error;
mod ggf;
mod hex;
mod moves;
mod obf;
mod outcome;
mod played;
mod sgf;
mod span;
mod variations;
mod wthor;

pub use detect::detect;
pub use error::{Place, ReadError, WriteError};
pub use moves::write_moves;

use crate::{Game, Move, Rule, Size};
use span::Fault;
use std::fmt;
use std::str::FromStr;

/// The longest line a text may have, in bytes.
pub const MAX_LINE_BYTES: usize = 1 << 20;

/// The longest game that GGF and SGF may have, in bytes from its opening parenthesis on.
///
/// In SGF only the main line counts, not the variations after it, which are skipped.
pub const MAX_GAME_BYTES: usize = 1 << 20;

/// One game or position read from text. A position is a game without moves.
#[derive(Clone, PartialEq, Debug)]
pub struct Record {
    /// The start, the moves and the rule.
    pub game: Game,
    /// Players, place, date and the like by their GGF or SGF names (`PB`, `PW`, `PC`, `DT`, …),
    /// in the order they were read, unknown ones included.
    pub tags: Vec<(String, String)>,
    /// The notes on the moves: empty, or one for each move of the game.
    pub notes: Vec<Note>,
    /// Known scores of the present position, seen by the side to move: of a move, or, with
    /// `None`, of the position.
    pub scores: Vec<(Option<Move>, i32)>,
    /// The rule that the scores are for, if known: it need not be the game's.
    pub scores_rule: Option<Rule>,
    /// Other lines of play, each from the start, passes included; only SGF has them. Those that
    /// are not legal are neither read nor written.
    pub variations: Vec<Vec<Move>>,
}

impl Record {
    /// The value of the first tag called `name`.
    pub fn tag(&self, name: &str) -> Option<&str> {
        self.tags.iter().find(|(tag, _)| tag == name).map(|(_, value)| value.as_str())
    }
}

impl From<Game> for Record {
    fn from(game: Game) -> Record {
        let (tags, notes, scores) = (Vec::new(), Vec::new(), Vec::new());
        let variations = Vec::new();
        Record { game, tags, notes, scores, scores_rule: None, variations }
    }
}

/// A note on a move, by a player or an engine.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Note {
    /// The value of the move, in discs, for the side that played it.
    pub value: Option<f64>,
    /// The time the move took.
    pub seconds: Option<f64>,
    /// A comment on the move, never empty. Only SGF can hold it.
    pub comment: Option<String>,
}

/// A format of positions or games.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Format {
    /// A position as one line of squares and the side to move, or as a grid.
    Board,
    /// A game as its moves: `f5d6c3`.
    Moves,
    /// A position with its known scores, as in problem files.
    Obf,
    /// Games as the Generic Game Server writes them.
    Ggf,
    /// Games in the Smart Game Format.
    Sgf,
    /// Games of the WTHOR database, in binary.
    Wthor,
    /// A position as two bitboards in hexadecimal.
    Hex,
}

impl Format {
    /// All formats.
    pub const ALL: [Format; 7] = [
        Format::Board,
        Format::Moves,
        Format::Obf,
        Format::Ggf,
        Format::Sgf,
        Format::Wthor,
        Format::Hex,
    ];

    /// The format's name.
    pub const fn name(self) -> &'static str {
        match self {
            Format::Board => "board",
            Format::Moves => "moves",
            Format::Obf => "obf",
            Format::Ggf => "ggf",
            Format::Sgf => "sgf",
            Format::Wthor => "wthor",
            Format::Hex => "hex",
        }
    }

    /// A description of the format in one line.
    pub const fn about(self) -> &'static str {
        match self {
            Format::Board => "a position: its squares row by row as X, O and -, then the side",
            Format::Moves => "a game as its moves: f5d6c3, after a board if it starts elsewhere",
            Format::Obf => "a position with known scores, one per line: board X; F5:+12;",
            Format::Ggf => "games of the Generic Game Server: (;GM[Othello]TY[8a]B[F5];)",
            Format::Sgf => "games in Smart Game Format: (;GM[2]RU[anti];B[f5])",
            Format::Wthor => "games of the WTHOR database (.wtb), binary, 8x8 only",
            Format::Hex => "a position as two bitboards in hexadecimal, side to move first",
        }
    }
}

/// Writes the name: `board`, `moves`, `obf`, `ggf`, `sgf`, `wthor` or `hex`.
impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Format {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Format, &'static str> {
        Format::ALL
            .into_iter()
            .find(|format| format.name() == text)
            .ok_or("not a format; expected board, moves, obf, ggf, sgf, wthor or hex")
    }
}

/// The rule and the size of a text that does not name them.
///
/// GGF, SGF and WTHOR can name the rule, and mean normal if they do not. OBF can name it too, but
/// rarely does; then the default applies.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Defaults {
    /// The rule of board, moves, hexadecimal, and OBF unless it names one.
    pub rule: Rule,
    /// The size of a game that begins without a board, in moves, GGF and SGF.
    pub size: Size,
}

/// Reads games or positions; without a format, in the one that [`detect()`] finds.
///
/// On success there is at least one record.
///
/// ```
/// use isrever_board::text::{Defaults, Format, read, write};
///
/// let records = read(b"f5d6c3", None, Defaults::default())?;
/// assert_eq!(records[0].game.ply(), 3);
/// let ggf = write(&records, Format::Ggf)?;
/// assert!(ggf.starts_with(b"(;GM[Othello]"));
///
/// let error = read(b"f5f5", None, Defaults::default()).unwrap_err();
/// assert!(error.to_string().contains("f5"), "{error}");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn read(
    bytes: &[u8],
    format: Option<Format>,
    defaults: Defaults,
) -> Result<Vec<Record>, ReadError> {
    records(bytes, format, defaults)?.collect()
}

/// Like [`read`], one record at a time: a large file needs no more memory than its largest game.
///
/// Yields at least one item, and nothing after an error.
pub fn records(
    bytes: &[u8],
    format: Option<Format>,
    defaults: Defaults,
) -> Result<Records<'_>, ReadError> {
    if bytes.iter().all(u8::is_ascii_whitespace) {
        return Err(nothing());
    }
    let format = format.unwrap_or_else(|| detect(bytes, defaults));
    if format == Format::Wthor {
        return Ok(Records::new(wthor::read(bytes)?));
    }
    let text = span::text(span::without_mark(bytes))?;
    let placed = move |record: Result<Record, Fault>| record.map_err(|fault| fault.placed(text));
    Ok(match format {
        Format::Board => Records::new(board::read(text, defaults).map(placed)),
        Format::Moves => Records::new(moves::read(text, defaults).map(placed)),
        Format::Obf => Records::new(obf::read(text, defaults).map(placed)),
        Format::Ggf => Records::new(ggf::read(text, defaults).map(placed)),
        Format::Sgf => Records::new(sgf::read(text, defaults).map(placed)),
        Format::Hex => Records::new(hex::read(text, defaults).map(placed)),
        Format::Wthor => unreachable!("read above"),
    })
}

/// An iterator that reads the records of a text; see [`records`].
pub struct Records<'a> {
    rest: Box<dyn Iterator<Item = Result<Record, ReadError>> + 'a>,
    state: State,
}

/// The state of [`Records`].
#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    Untouched,
    Begun,
    Ended,
}

impl<'a> Records<'a> {
    fn new(records: impl Iterator<Item = Result<Record, ReadError>> + 'a) -> Records<'a> {
        Records { rest: Box::new(records), state: State::Untouched }
    }
}

impl Iterator for Records<'_> {
    type Item = Result<Record, ReadError>;

    fn next(&mut self) -> Option<Self::Item> {
        let next = match self.state {
            State::Untouched => self.rest.next().or_else(|| Some(Err(nothing()))),
            State::Begun => self.rest.next(),
            State::Ended => None,
        };
        self.state = if matches!(next, Some(Ok(_))) { State::Begun } else { State::Ended };
        next
    }
}

fn nothing() -> ReadError {
    ReadError::new(Place::Start, "nothing to read; expected a position or a game")
}

/// Writes the records in one format, one after the other.
///
/// If the format holds no moves, it writes the present position of each game.
pub fn write(records: &[Record], format: Format) -> Result<Vec<u8>, WriteError> {
    let mut writer = Writer::new(format);
    for record in records {
        writer.push(record)?;
    }
    writer.finish()
}

/// Like [`write()`], one record at a time.
pub struct Writer {
    format: Format,
    bytes: Vec<u8>,
    records: usize,
    /// The rule of the scores that OBF has named last.
    scores_rule: Option<Rule>,
}

impl Writer {
    /// A file of `format` without records.
    pub fn new(format: Format) -> Writer {
        Writer { format, bytes: Vec::new(), records: 0, scores_rule: None }
    }

    /// Adds a record; after an error the file is unusable.
    pub fn push(&mut self, record: &Record) -> Result<(), WriteError> {
        self.records += 1;
        self.add(record).map_err(|error| error.of(self.records))
    }

    fn add(&mut self, record: &Record) -> Result<(), WriteError> {
        let mut text = String::new();
        match self.format {
            Format::Wthor => return wthor::write(record, &mut self.bytes),
            Format::Board => board::write(record, &mut text),
            Format::Moves => moves::write(record, &mut text),
            Format::Obf => {
                if record.scores_rule != self.scores_rule {
                    self.scores_rule = record.scores_rule;
                    obf::write_rule(self.scores_rule, &mut text);
                }
                obf::write(record, &mut text)?;
            }
            Format::Ggf => ggf::write(record, &mut text),
            Format::Sgf => sgf::write(record, &mut text),
            Format::Hex => hex::write(record, &mut text)?,
        }
        if text.split('\n').any(|line| line.len() > MAX_LINE_BYTES) {
            let offence = format!("a line is too long; expected at most {MAX_LINE_BYTES} bytes");
            return Err(WriteError::whole(offence));
        }
        if matches!(self.format, Format::Ggf | Format::Sgf) && text.len() > MAX_GAME_BYTES {
            return Err(WriteError::whole(bracket::too_long()));
        }
        text.push('\n');
        self.bytes.extend(text.into_bytes());
        Ok(())
    }

    /// Takes the bytes written since the last call, so that a long file need not be in memory as a
    /// whole. Works for formats in which records only follow one another.
    ///
    /// # Panics
    /// If the format is WTHOR, whose header counts the games.
    pub fn take(&mut self) -> Vec<u8> {
        assert!(self.format != Format::Wthor, "a WTHOR file is written whole");
        std::mem::take(&mut self.bytes)
    }

    /// The bytes of the file that were not yet taken.
    pub fn finish(self) -> Result<Vec<u8>, WriteError> {
        if self.records == 0 {
            return Err(WriteError::whole("nothing to write; expected at least one record"));
        }
        Ok(self.bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formats_are_read_back_from_their_names() {
        for format in Format::ALL {
            assert_eq!(format.to_string().parse(), Ok(format));
            assert!(format.about().len() < 80);
        }
        let error = "png".parse::<Format>().unwrap_err();
        assert_eq!(error, "not a format; expected board, moves, obf, ggf, sgf, wthor or hex");
    }

    #[test]
    fn records_that_could_not_be_read_back_are_not_written() {
        let message = |records: &[Record], format| write(records, format).unwrap_err().to_string();
        let mut record = Record::from(Game::new(Rule::Reversed, Size::EIGHT));
        assert_eq!(message(&[], Format::Sgf), "nothing to write; expected at least one record");
        record.tags.push(("C".to_owned(), "x".repeat(MAX_LINE_BYTES)));
        let expected = "record 1: a line is too long; expected at most 1048576 bytes";
        assert_eq!(message(std::slice::from_ref(&record), Format::Ggf), expected);
        record.tags[0].1 = "x\n".repeat(MAX_GAME_BYTES / 2);
        let expected = "record 1: the game is too long; expected at most 1048576 bytes";
        for format in [Format::Ggf, Format::Sgf] {
            assert_eq!(message(std::slice::from_ref(&record), format), expected);
        }
        let large = Record::from(Game::new(Rule::Reversed, Size::ALL[6]));
        let expected = "record 2: a 16x16 board has no bitboards; expected 8x8 at most";
        assert_eq!(message(&[record, large], Format::Hex), expected);
    }

    #[test]
    fn tags_and_notes_that_do_not_fit_are_left_out() {
        let mut record = Record::from(Game::new(Rule::Normal, Size::EIGHT));
        record.game.place("f5".parse().unwrap()).unwrap();
        record.notes =
            vec![Note { value: Some(f64::NAN), seconds: Some(-1.0), comment: Some(String::new()) }];
        for (name, value) in
            [("wthor-black", "7"), ("no key", ""), ("GM", "x"), ("PB", "a\0b"), ("RU", "anti")]
        {
            record.tags.push((name.to_owned(), value.to_owned()));
        }
        let text = String::from_utf8(write(&[record], Format::Sgf).unwrap()).unwrap();
        assert_eq!(text, "(;GM[2]FF[4]SZ[8]PB[ab];B[f5])\n");
    }
}
