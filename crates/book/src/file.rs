//! The bytes of a book; `docs/guide/formats.md` describes them.
//!
//! A header, the recipe as text, one record of 32 bytes for each position in
//! ascending order of its board, and the estimates of all positions. Numbers
//! are little-endian. The checksum covers everything after it.

use crate::book::Entry;
use crate::finding::Finding;
use crate::graph::{Graph, Worth};
use isrever_board::{Board, Rule, Size, Square};
use std::fmt;

pub(crate) const MAGIC: [u8; 8] = *b"ISRBOOK\x1a";
const VERSION: u8 = 1;

/// The length of the header, and where its checksum ends.
const HEADER: usize = 32;
const CHECKED_FROM: usize = 16;

/// The length of a record.
pub(crate) const RECORD: usize = 32;

/// The bit of the confidence that says that the value is proved.
const EXACT: u8 = 0x80;

/// Why bytes cannot be read as a book.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BookError {
    /// They do not start with the header of a book.
    NotBook,
    /// The version of the format is unknown.
    Version(u8),
    /// The rule is unknown.
    Rule(u8),
    /// There are no books for boards of this width.
    Size(u8),
    /// The bytes were cut short or changed.
    Damaged,
}

impl fmt::Display for BookError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            BookError::NotBook => f.write_str("not a book; expected a file that book grow wrote"),
            BookError::Version(version) => {
                write!(f, "a book of format {version}; expected format {VERSION}")
            }
            BookError::Rule(rule) => write!(f, "a book for rule number {rule}; expected 0 or 1"),
            BookError::Size(width) => {
                write!(f, "a book for boards {width} squares wide; expected 4, 6 or 8")
            }
            BookError::Damaged => {
                f.write_str("a book that was cut short or changed; expected a whole one")
            }
        }
    }
}

impl std::error::Error for BookError {}

/// What the header says.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Header {
    pub(crate) rule: Rule,
    pub(crate) size: Size,
    /// How many positions there are.
    pub(crate) count: usize,
    /// How long the recipe is.
    pub(crate) recipe: usize,
}

impl Header {
    /// Reads the header, and checks all bytes against its checksum.
    pub(crate) fn read(bytes: &[u8]) -> Result<Header, BookError> {
        let (header, _) = bytes.split_first_chunk::<HEADER>().ok_or(BookError::NotBook)?;
        if header[..8] != MAGIC {
            return Err(BookError::NotBook);
        }
        if header[8] != VERSION {
            return Err(BookError::Version(header[8]));
        }
        let rule = Rule::from_byte(header[9]).ok_or(BookError::Rule(header[9]))?;
        let size = Size::new(header[10].into()).ok().filter(|size| size.has_bits());
        let size = size.ok_or(BookError::Size(header[10]))?;
        let number = |at: usize| u32::from_le_bytes([0, 1, 2, 3].map(|i| header[at + i]));
        if crc32fast::hash(&bytes[CHECKED_FROM..]) != number(12) {
            return Err(BookError::Damaged);
        }
        let [count, recipe, estimates] = [16, 20, 24].map(|at| number(at) as usize);
        let header = Header { rule, size, count, recipe };
        let length = count.checked_mul(RECORD).and_then(|records| {
            HEADER.checked_add(recipe)?.checked_add(records)?.checked_add(estimates)
        });
        // The checksum does not cover what comes before it.
        let is_zero = bytes[11] == 0 && bytes[28..HEADER] == [0; 4];
        match length == Some(bytes.len()) && is_zero {
            true => Ok(header),
            false => Err(BookError::Damaged),
        }
    }

    /// Where the recipe is, the records are, and the estimates begin.
    pub(crate) fn recipe_range(self) -> std::ops::Range<usize> {
        HEADER..HEADER + self.recipe
    }

    pub(crate) fn record_at(self, number: usize) -> usize {
        HEADER + self.recipe + number * RECORD
    }
}

/// The board of the record at `at`.
pub(crate) fn read_board(bytes: &[u8], at: usize) -> Board {
    let word = |at: usize| {
        let word: [u8; 8] = bytes[at..at + 8].try_into().expect("eight bytes");
        u64::from_le_bytes(word)
    };
    Board { player: word(at), opponent: word(at + 8) }
}

/// The record of this number. `None` if it holds something impossible.
pub(crate) fn read_entry(bytes: &[u8], header: Header, number: usize) -> Option<Entry> {
    let at = header.record_at(number);
    let board = read_board(bytes, at);
    let record = &bytes[at..at + RECORD];
    let word = |at: usize| u32::from_le_bytes([0, 1, 2, 3].map(|i| record[at + i]));
    let [value, lower, upper, searched] = [16, 17, 18, 19].map(|at| record[at].cast_signed());
    let square = |byte: u8| (byte < 64).then(|| Square::from_index(byte.into()));
    let moves = board.moves(header.size).count_ones() as usize;
    let from = header.record_at(header.count) + word(28) as usize;
    let estimates = bytes.get(from..from + moves)?;
    let finding = Finding {
        board,
        value: searched,
        best: square(record[21])?,
        depth: record[22],
        confidence: record[23] & !EXACT,
        is_exact: record[23] & EXACT != 0,
        nodes: unpack(u16::from_le_bytes([record[26], record[27]])),
        estimates: estimates.iter().map(|byte| byte.cast_signed()).collect(),
    };
    finding.check(header.size).ok()?;
    let worth = Worth { value, lower, upper, best: square(record[20])?, plies: record[24] };
    Some(Entry { finding, worth })
}

impl Graph {
    /// The graph as the bytes of a book. The recipe says how it was made.
    ///
    /// # Panics
    /// If there are more than 2³² positions or bytes of estimates.
    pub fn to_bytes(&self, recipe: &str) -> Vec<u8> {
        let mut places: Vec<usize> = (0..self.len()).collect();
        places.sort_by_key(|&place| self.nodes[place].finding.board);
        let (mut records, mut estimates) = (Vec::with_capacity(self.len() * RECORD), Vec::new());
        let number = |length: usize| u32::try_from(length).expect("a book of less than 4 GiB");
        for place in places {
            let node = &self.nodes[place];
            let (finding, worth) = (&node.finding, node.worth);
            records.extend(finding.board.player.to_le_bytes());
            records.extend(finding.board.opponent.to_le_bytes());
            let values = [worth.value, worth.lower, worth.upper, finding.value];
            records.extend(values.map(i8::cast_unsigned));
            let squares = [worth.best, finding.best].map(|square| square.index() as u8);
            records.extend(squares);
            let exact = if finding.is_exact { EXACT } else { 0 };
            records.extend([finding.depth, finding.confidence | exact, worth.plies, 0]);
            records.extend(pack(finding.nodes).to_le_bytes());
            records.extend(number(estimates.len()).to_le_bytes());
            estimates.extend(finding.estimates.iter().map(|value| value.cast_unsigned()));
        }
        let mut bytes = MAGIC.to_vec();
        bytes.extend([VERSION, self.rule.to_byte(), self.size.width(), 0]);
        bytes.extend([0; 4]);
        for length in [self.len(), recipe.len(), estimates.len(), 0] {
            bytes.extend(number(length).to_le_bytes());
        }
        bytes.extend(recipe.as_bytes());
        bytes.extend(records);
        bytes.extend(estimates);
        let checksum = crc32fast::hash(&bytes[CHECKED_FROM..]).to_le_bytes();
        bytes[12..16].copy_from_slice(&checksum);
        bytes
    }
}

/// A number of nodes in two bytes, to three digits: eleven bits and by how many they are shifted.
pub(crate) fn pack(nodes: u64) -> u16 {
    let shift = (64 - nodes.leading_zeros()).saturating_sub(11);
    ((nodes >> shift) as u16) | ((shift as u16) << 11)
}

/// The number that two bytes stand for.
pub(crate) fn unpack(packed: u16) -> u64 {
    // A shift of more than 53 is in no book that this program wrote.
    u64::from(packed & 0x7ff).checked_shl((packed >> 11).into()).unwrap_or(u64::MAX)
}
