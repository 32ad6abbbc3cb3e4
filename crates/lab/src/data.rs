//! Training samples and their file format. `docs/guide/formats.md` has it in prose.

mod merge;

pub use merge::{merge, merge_exactly};

use isrever_board::{Board, Rule, Size};
use std::fmt;
use std::io::{self, BufReader, ErrorKind, Read};

const MAGIC: [u8; 8] = *b"ISRDATA\x1a";
const VERSION: u8 = 1;
/// Bytes of a file's header.
pub const HEADER_BYTES: usize = 32;
/// Bytes of a sample in a file.
pub const RECORD_BYTES: usize = 18;

// Flags of a record.
const EXACT: u8 = 1;
const HELD_OUT: u8 = 2;

/// How a sample's score is known. Ordered by how much it can be relied on.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Label {
    /// The game ended so, or a search said so.
    Played,
    /// Proved: both sides play perfectly from here.
    Exact,
}

/// A board and what it turned out to be worth.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Sample {
    board: Board,
    label: Label,
    score: i8,
    is_held_out: bool,
}

impl Sample {
    /// A sample of `board`, which is of `size`, up to symmetry, to be fitted to; `score` is for the
    /// side to move.
    ///
    /// # Panics
    /// If the score is more discs either way than the board has squares.
    pub fn new(board: Board, size: Size, score: i32, label: Label) -> Sample {
        assert!(score.abs() <= most(size).into(), "a score of {score} discs does not exist");
        Sample { board: board.canonical(size).0, label, score: score as i8, is_held_out: false }
    }

    /// The same, to be held out or not: samples that are held out are never fitted to.
    ///
    /// Boards of one game have one score and look alike, so whole games are held out. A fit that
    /// knew a game's other boards would be tested on what it has learnt.
    #[must_use]
    pub fn held_out(self, is_held_out: bool) -> Sample {
        Sample { is_held_out, ..self }
    }

    /// The board in canonical form.
    pub fn board(&self) -> Board {
        self.board
    }

    /// What it turned out to be worth to the side to move.
    pub fn score(&self) -> i32 {
        self.score.into()
    }

    /// How that is known.
    pub fn label(&self) -> Label {
        self.label
    }

    /// Whether it must not be fitted to.
    pub fn is_held_out(&self) -> bool {
        self.is_held_out
    }

    /// How many discs there are.
    pub fn discs(&self) -> u32 {
        (self.board.player | self.board.opponent).count_ones()
    }

    fn to_bytes(self) -> [u8; RECORD_BYTES] {
        let mut bytes = [0; RECORD_BYTES];
        bytes[..8].copy_from_slice(&self.board.player.to_le_bytes());
        bytes[8..16].copy_from_slice(&self.board.opponent.to_le_bytes());
        bytes[16] = self.score.cast_unsigned();
        bytes[17] = match self.label {
            Label::Played => 0,
            Label::Exact => EXACT,
        };
        if self.is_held_out {
            bytes[17] |= HELD_OUT;
        }
        bytes
    }

    fn from_bytes(bytes: &[u8; RECORD_BYTES], size: Size) -> Result<Sample, &'static str> {
        let number =
            |at: usize| u64::from_le_bytes([0, 1, 2, 3, 4, 5, 6, 7].map(|i| bytes[at + i]));
        let board = Board { player: number(0), opponent: number(8) };
        if board.player & board.opponent != 0 {
            return Err("two discs on one square; expected at most one");
        }
        if (board.player | board.opponent) & !size.mask() != 0 {
            return Err("a disc beyond the board; expected all of them on it");
        }
        if board != board.canonical(size).0 {
            return Err("a board that is not in canonical form; expected the smallest image");
        }
        let score = bytes[16].cast_signed();
        if !(-most(size)..=most(size)).contains(&score) {
            return Err("a score beyond the board; expected at most a disc for each square");
        }
        if bytes[17] & !(EXACT | HELD_OUT) != 0 {
            return Err("flags that are not known; expected 0 to 3");
        }
        let label = if bytes[17] & EXACT != 0 { Label::Exact } else { Label::Played };
        Ok(Sample { board, label, score, is_held_out: bytes[17] & HELD_OUT != 0 })
    }
}

/// The best score on boards of `size`.
fn most(size: Size) -> i8 {
    size.cells() as i8
}

/// Why data cannot be read.
#[derive(Debug)]
pub enum DataError {
    /// The file or stream failed.
    Io(io::Error),
    /// It does not begin as data does.
    NotData,
    /// It is of a version of the format that this program does not know.
    Version(u8),
    /// It names a rule that this program does not know.
    Rule(u8),
    /// It is of boards of a width that this program cannot learn from.
    Size(u8),
    /// It is of the first rule; expected the second.
    OtherRule(Rule, Rule),
    /// It is of boards of the first size; expected the second.
    OtherSize(Size, Size),
    /// It ends in the middle of a record, after so many whole ones.
    CutShort(u64),
    /// A record, counted from 1, is not one.
    Record(u64, &'static str),
}

impl fmt::Display for DataError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            DataError::Io(error) => error.fmt(f),
            DataError::NotData => f.write_str("not a file of samples; expected one by selfplay"),
            DataError::Version(version) => {
                write!(f, "samples in format {version}; expected format {VERSION}")
            }
            DataError::Rule(rule) => {
                write!(f, "samples of rule number {rule}; expected 0 or 1")
            }
            DataError::Size(width) => {
                write!(f, "samples of boards {width} squares wide; expected 6 or 8")
            }
            DataError::OtherRule(is, asked) => {
                write!(f, "samples of the {is} rule; expected the {asked} rule")
            }
            DataError::OtherSize(is, asked) => {
                write!(f, "samples of {is}x{is}; expected {asked}x{asked}")
            }
            DataError::CutShort(count) => {
                write!(f, "cut short in record {}; expected whole records", count + 1)
            }
            DataError::Record(number, offence) => write!(f, "record {number}: {offence}"),
        }
    }
}

impl std::error::Error for DataError {}

impl From<io::Error> for DataError {
    fn from(error: io::Error) -> DataError {
        DataError::Io(error)
    }
}

/// Reads samples one after the other.
pub struct Reader<R: Read> {
    rule: Rule,
    size: Size,
    input: BufReader<R>,
    count: u64,
    is_over: bool,
}

impl<R: Read> Reader<R> {
    /// Reads the header.
    ///
    /// # Errors
    /// If it is not one, or `input` fails.
    pub fn new(input: R) -> Result<Reader<R>, DataError> {
        let mut input = BufReader::with_capacity(1 << 16, input);
        let mut header = [0; HEADER_BYTES];
        match input.read_exact(&mut header) {
            Err(error) if error.kind() == ErrorKind::UnexpectedEof => {
                return Err(DataError::NotData);
            }
            read => read?,
        }
        if header[..8] != MAGIC {
            return Err(DataError::NotData);
        }
        if header[8] != VERSION {
            return Err(DataError::Version(header[8]));
        }
        let rule = match header[9] {
            0 => Rule::Reversed,
            1 => Rule::Normal,
            other => return Err(DataError::Rule(other)),
        };
        let size = match header[10] {
            0 => Size::EIGHT,
            6 => Size::SIX,
            other => return Err(DataError::Size(other)),
        };
        Ok(Reader { rule, size, input, count: 0, is_over: false })
    }

    /// The rule under which the scores were made.
    pub fn rule(&self) -> Rule {
        self.rule
    }

    /// The size of the boards.
    pub fn size(&self) -> Size {
        self.size
    }

    /// The same reader, if the samples are of this rule and size.
    ///
    /// # Errors
    /// If they are not.
    pub fn only(self, rule: Rule, size: Size) -> Result<Reader<R>, DataError> {
        if self.rule != rule {
            return Err(DataError::OtherRule(self.rule, rule));
        }
        if self.size != size {
            return Err(DataError::OtherSize(self.size, size));
        }
        Ok(self)
    }

    fn read(&mut self) -> Result<Option<Sample>, DataError> {
        let mut bytes = [0; RECORD_BYTES];
        let mut filled = 0;
        while filled < RECORD_BYTES {
            match self.input.read(&mut bytes[filled..]) {
                Ok(0) if filled == 0 => return Ok(None),
                Ok(0) => return Err(DataError::CutShort(self.count)),
                Ok(read) => filled += read,
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => return Err(error.into()),
            }
        }
        self.count += 1;
        let sample = Sample::from_bytes(&bytes, self.size);
        sample.map(Some).map_err(|offence| DataError::Record(self.count, offence))
    }
}

/// The samples; after an error there are no more.
impl<R: Read> Iterator for Reader<R> {
    type Item = Result<Sample, DataError>;

    fn next(&mut self) -> Option<Result<Sample, DataError>> {
        if self.is_over {
            return None;
        }
        let next = self.read().transpose();
        self.is_over = !matches!(next, Some(Ok(_)));
        next
    }
}

/// What a file of samples of boards of `size` begins with.
pub fn header(rule: Rule, size: Size) -> [u8; HEADER_BYTES] {
    let mut header = [0; HEADER_BYTES];
    header[..8].copy_from_slice(&MAGIC);
    header[8] = VERSION;
    header[9] = match rule {
        Rule::Reversed => 0,
        Rule::Normal => 1,
    };
    // Zero for 8×8, which came first.
    header[10] = if size == Size::EIGHT { 0 } else { size.width() };
    header
}

/// What samples are in a file, after its header or after other samples.
pub fn records(samples: &[Sample]) -> Vec<u8> {
    samples.iter().flat_map(|sample| sample.to_bytes()).collect()
}

/// The samples of such records, of boards of `size`.
pub(crate) fn read_records(bytes: &[u8], size: Size) -> Result<Vec<Sample>, &'static str> {
    let (records, rest) = bytes.as_chunks::<RECORD_BYTES>();
    if !rest.is_empty() {
        return Err("half a record; expected whole ones");
    }
    records.iter().map(|record| Sample::from_bytes(record, size)).collect()
}
