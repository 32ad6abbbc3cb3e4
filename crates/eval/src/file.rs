//! The file format of weights, `weights/*.bin`; `docs/guide/formats.md` describes it.
//!
//! The file stores each class once, with all its phases together: most classes
//! are rare, and have small weights or zeros in every phase. It stores low bytes
//! and high bytes apart, because the high ones are nearly all equal.

use crate::shape::Shape;
use crate::weights::Weights;
use isrever_board::{Rule, Size};
use miniz_oxide::deflate::compress_to_vec_zlib;
use miniz_oxide::inflate::decompress_to_vec_zlib_with_limit;
use std::fmt;

const MAGIC: [u8; 8] = *b"ISREVAL\x1a";
const VERSION: u8 = 1;
const HEADER: usize = 24;

/// How hard to look for the shortest bytes, of 10: beyond this there is nothing to gain.
const LEVEL: u8 = 9;

/// Why bytes are not weights.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum WeightsError {
    /// They do not begin as weights do.
    NotWeights,
    /// They are of a version of the format that this program does not know.
    Version(u8),
    /// They name a rule that this program does not know.
    Rule(u8),
    /// They are for boards of a width that this program has no patterns for.
    Size(u8),
    /// They are for other patterns or phases than this program's.
    OtherPatterns,
    /// They are not what was written: cut short, or changed.
    Damaged,
}

impl fmt::Display for WeightsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            WeightsError::NotWeights => f.write_str("not a file of weights"),
            WeightsError::Version(version) => {
                write!(f, "weights of format {version}; expected format {VERSION}")
            }
            WeightsError::Rule(rule) => {
                write!(f, "weights for rule number {rule}; expected 0 or 1")
            }
            WeightsError::Size(width) => {
                write!(f, "weights for boards {width} squares wide; expected 6 or 8")
            }
            WeightsError::OtherPatterns => {
                f.write_str("weights for other patterns than this program has")
            }
            WeightsError::Damaged => f.write_str("weights that were cut short or changed"),
        }
    }
}

impl std::error::Error for WeightsError {}

impl Weights {
    /// Reads what [`Weights::to_bytes`] wrote.
    ///
    /// # Errors
    /// If the bytes are anything else.
    pub fn from_bytes(bytes: &[u8]) -> Result<Weights, WeightsError> {
        let (header, payload) =
            bytes.split_first_chunk::<HEADER>().ok_or(WeightsError::NotWeights)?;
        let number = |at: usize| u32::from_le_bytes([0, 1, 2, 3].map(|i| header[at + i]));
        if header[..8] != MAGIC {
            return Err(WeightsError::NotWeights);
        }
        if header[8] != VERSION {
            return Err(WeightsError::Version(header[8]));
        }
        let rule = match header[9] {
            0 => Rule::Reversed,
            1 => Rule::Normal,
            other => return Err(WeightsError::Rule(other)),
        };
        let shape = from_width(header[11]).ok_or(WeightsError::Size(header[11]))?;
        let numbers = (usize::from(header[10]), number(12), number(16) as usize);
        if numbers != (shape.phase_count(), shape.fingerprint(), shape.class_count()) {
            return Err(WeightsError::OtherPatterns);
        }
        if checksum(header, payload) != number(20) {
            return Err(WeightsError::Damaged);
        }
        let length = plain_length(shape);
        match decompress_to_vec_zlib_with_limit(payload, length) {
            Ok(plain) if plain.len() == length => {
                Ok(Weights::new(rule, shape, &join(&plain, shape.phase_count())))
            }
            _ => Err(WeightsError::Damaged),
        }
    }

    /// The weights as bytes, compressed.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut header = [0; HEADER];
        header[..8].copy_from_slice(&MAGIC);
        header[8] = VERSION;
        header[9] = match self.rule() {
            Rule::Reversed => 0,
            Rule::Normal => 1,
        };
        let shape = self.shape();
        header[10] = shape.phase_count() as u8;
        header[11] = to_width(shape);
        header[12..16].copy_from_slice(&shape.fingerprint().to_le_bytes());
        header[16..20].copy_from_slice(&(shape.class_count() as u32).to_le_bytes());
        let payload = compress_to_vec_zlib(&split(self), LEVEL);
        let sum = checksum(&header, &payload);
        header[20..].copy_from_slice(&sum.to_le_bytes());
        [&header[..], &payload].concat()
    }
}

/// The width of the board as it stands in the header: zero for 8×8, which came first.
fn to_width(shape: &Shape) -> u8 {
    match shape.size() {
        Size::EIGHT => 0,
        size => size.width(),
    }
}

fn from_width(width: u8) -> Option<&'static Shape> {
    [Shape::EIGHT, Shape::SIX].into_iter().find(|shape| to_width(shape) == width)
}

/// Bytes of all weights before compression.
fn plain_length(shape: &Shape) -> usize {
    2 * shape.phase_count() * shape.class_count()
}

/// Of everything but the checksum itself.
fn checksum(header: &[u8; HEADER], payload: &[u8]) -> u32 {
    let mut hasher = crc32fast::Hasher::new();
    hasher.update(&header[..20]);
    hasher.update(payload);
    hasher.finalize()
}

/// Low bytes of all weights, then high bytes.
fn split(weights: &Weights) -> Vec<u8> {
    let shape = weights.shape();
    let mut plain = vec![0; plain_length(shape)];
    let (low, high) = plain.split_at_mut(plain_length(shape) / 2);
    for phase in 0..shape.phase_count() {
        for (class, weight) in weights.phase(phase).into_iter().enumerate() {
            let place = class * shape.phase_count() + phase;
            [low[place], high[place]] = weight.to_le_bytes();
        }
    }
    plain
}

/// The weights of each of so many phases from what [`split`] made.
fn join(plain: &[u8], phases: usize) -> Vec<Vec<i16>> {
    let (low, high) = plain.split_at(plain.len() / 2);
    let weight = |place: usize| i16::from_le_bytes([low[place], high[place]]);
    (0..phases).map(|phase| (phase..low.len()).step_by(phases).map(weight).collect()).collect()
}
