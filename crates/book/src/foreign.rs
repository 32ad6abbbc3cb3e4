//! Books of Edax (`.dat`) and Egaroucid (`.egbk3`): read into findings, and written from a book.
//!
//! What is here: the two formats, what can be wrong with their bytes, and the
//! doors [`read`] and [`write()`]. Below: the bytes of each format; `incoming`,
//! which turns what either says into findings; `outgoing`, which turns a book
//! into what either can say. `docs/guide/formats.md` describes the bytes and
//! the loss on the way. Both programs play the normal rule on 8×8 and nothing
//! else.

mod edax;
mod egaroucid;
mod incoming;
mod outgoing;

use crate::book::Book;
use crate::finding::Finding;
use isrever_board::{Board, Rule, Size, Square};
use std::fmt;

/// The rule of both programs.
pub const RULE: Rule = Rule::Normal;

/// The board of both programs.
pub const SIZE: Size = Size::EIGHT;

/// Another program's format of books.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Format {
    /// `book.dat` of Edax 4.
    Edax,
    /// `.egbk3` of Egaroucid 6.5.1 and later.
    Egaroucid,
}

/// What another program's book holds.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Contents {
    /// What it says of positions, in the order of boards; nobody counted nodes.
    pub findings: Vec<Finding>,
    /// How many positions say nothing of any move. They are no findings: if they have values, those
    /// are in the findings of the positions before them.
    pub without_move: usize,
}

/// Why something is no book of another program, or cannot become one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ForeignError {
    /// The bytes do not start as such a book does.
    NotBook(Format),
    /// The version of the format is unknown.
    Version(Format, u8),
    /// There are not as many bytes as the positions need.
    Length(Format),
    /// The position of this number holds something impossible.
    Impossible(Format, usize),
    /// The values are for a rule that the program does not play.
    Rule(Format, Rule),
    /// The boards have a size that the program does not play.
    Size(Format, Size),
}

impl Format {
    /// Both.
    pub const ALL: [Format; 2] = [Format::Edax, Format::Egaroucid];

    /// The format that bytes begin in, if it is one of these.
    pub fn of_bytes(bytes: &[u8]) -> Option<Format> {
        Format::ALL.into_iter().find(|format| bytes.starts_with(format.magic()))
    }

    /// The format of files with this extension, if it is one of these.
    pub fn of_extension(extension: &str) -> Option<Format> {
        Format::ALL.into_iter().find(|format| format.extension().eq_ignore_ascii_case(extension))
    }

    /// The extension of its files.
    pub fn extension(self) -> &'static str {
        match self {
            Format::Edax => "dat",
            Format::Egaroucid => "egbk3",
        }
    }

    /// The bytes that its files begin with.
    fn magic(self) -> &'static [u8] {
        match self {
            Format::Edax => edax::MAGIC,
            Format::Egaroucid => egaroucid::MAGIC,
        }
    }

    fn version(self) -> u8 {
        match self {
            Format::Edax => edax::VERSION,
            Format::Egaroucid => egaroucid::VERSION,
        }
    }
}

impl fmt::Display for Format {
    /// The program's name.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Format::Edax => "Edax",
            Format::Egaroucid => "Egaroucid",
        })
    }
}

impl fmt::Display for ForeignError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ForeignError::NotBook(format) => {
                let magic = String::from_utf8_lossy(format.magic());
                write!(f, "not a book of {format}; expected a file that begins with {magic}")
            }
            ForeignError::Version(format, version) => {
                let expected = format.version();
                write!(f, "a book of {format}, version {version}; expected version {expected}")
            }
            ForeignError::Length(format) => {
                write!(f, "a book of {format} that was cut short or changed; expected a whole one")
            }
            ForeignError::Impossible(format, number) => write!(
                f,
                "position {number} of a book of {format} holds something impossible; expected \
                 legal moves and values of up to 64 discs"
            ),
            ForeignError::Rule(format, rule) => write!(
                f,
                "a book of the {rule} rule; expected one of the {RULE} rule, which {format} plays"
            ),
            ForeignError::Size(format, size) => write!(
                f,
                "a book for {size}x{size}; expected one for {SIZE}x{SIZE}, which {format} plays"
            ),
        }
    }
}

impl std::error::Error for ForeignError {}

/// What the bytes of another program's book say.
///
/// # Errors
/// If the bytes are anything else, or incomplete, or say something impossible.
pub fn read(bytes: &[u8], format: Format) -> Result<Contents, ForeignError> {
    let rest = bytes.strip_prefix(format.magic()).ok_or(ForeignError::NotBook(format))?;
    let (&version, rest) = rest.split_first().ok_or(ForeignError::Length(format))?;
    if version != format.version() {
        return Err(ForeignError::Version(format, version));
    }
    let (positions, search) = match format {
        Format::Edax => (edax::read(rest)?, edax::search as fn(u8, u8) -> Search),
        Format::Egaroucid => (egaroucid::read(rest)?, egaroucid::search as _),
    };
    Ok(incoming::contents(positions, search))
}

/// The bytes of a book for another program.
///
/// # Errors
/// If the book is of a rule or for a board that it does not play.
pub fn write(book: &Book, format: Format) -> Result<Vec<u8>, ForeignError> {
    if book.rule() != RULE {
        return Err(ForeignError::Rule(format, book.rule()));
    }
    if book.size() != SIZE {
        return Err(ForeignError::Size(format, book.size()));
    }
    Ok(match format {
        Format::Edax => edax::write(book),
        Format::Egaroucid => egaroucid::write(book),
    })
}

/// The depth and the confidence that a program's level stands for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Search {
    depth: u8,
    confidence: u8,
}

impl Search {
    /// Whether it proves the score of a position with so many empty squares.
    fn is_proof(self, empties: u8) -> bool {
        self.depth >= empties && self.confidence == 100
    }
}

/// The last level of both programs that prunes nothing.
const LAST_FULL_WIDTH: u8 = 10;

fn empties(board: Board) -> u8 {
    board.empties(SIZE).count_ones() as u8
}

/// The square of a byte; `None` if it stands for a pass or for no move.
fn square(byte: u8) -> Option<Square> {
    (byte < 64).then(|| Square::from_index(byte.into()))
}

/// Whether a value can be a score.
fn is_score(value: i8) -> bool {
    (-64..=64).contains(&value)
}

/// The next bytes, which are then gone.
fn take<const N: usize>(bytes: &mut &[u8]) -> Option<[u8; N]> {
    let (first, rest) = bytes.split_first_chunk::<N>()?;
    *bytes = rest;
    Some(*first)
}

/// The next two words as a board, the side to move first.
fn take_board(bytes: &mut &[u8]) -> Option<Board> {
    let [player, opponent] = [take(bytes)?, take(bytes)?].map(u64::from_le_bytes);
    Some(Board { player, opponent })
}
