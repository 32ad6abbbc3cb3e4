//! The file format of weights, `weights/*.bin`; `docs/guide/formats.md` describes it.
//!
//! The file stores each class once, with all its phases together: most classes
//! are rare, and have small weights or zeros in every phase. It stores low bytes
//! and high bytes apart, because the high ones are nearly all equal.

use crate::deviations::{self, Deviations};
use crate::linear::Linear;
use crate::network::Network;
use crate::shape::Shape;
use crate::weights::{Evaluation, Weights};
use isrever_board::{Rule, Size};
use miniz_oxide::deflate::compress_to_vec_zlib;
use miniz_oxide::inflate::decompress_to_vec_zlib_with_limit;
use std::fmt;

const MAGIC: [u8; 8] = *b"ISREVAL\x1a";

/// The versions of the format: linear weights, and networks.
const LINEAR: u8 = 1;
const NETWORK: u8 = 2;

const HEADER: usize = 24;

/// The compression level, up to 10; the last one gains nothing.
const LEVEL: u8 = 9;

/// Why bytes cannot be read as weights.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum WeightsError {
    /// They do not start with the header of weights.
    NotWeights,
    /// The version of the format is unknown.
    Version(u8),
    /// The rule is unknown.
    Rule(u8),
    /// There are no patterns for boards of this width.
    Size(u8),
    /// The weights are for other patterns or phases.
    OtherPatterns,
    /// The numbers are so large that values would overflow.
    Overflow,
    /// The bytes were cut short or changed.
    Damaged,
}

impl fmt::Display for WeightsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            WeightsError::NotWeights => f.write_str("not a file of weights"),
            WeightsError::Version(version) => {
                write!(f, "weights of format {version}; expected format {LINEAR} or {NETWORK}")
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
            WeightsError::Overflow => f.write_str("weights so large that values would overflow"),
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
        let kind = header[8];
        if ![LINEAR, NETWORK].contains(&kind) {
            return Err(WeightsError::Version(kind));
        }
        let rule = Rule::from_byte(header[9]).ok_or(WeightsError::Rule(header[9]))?;
        let shape = shape_of(kind, header[11]).ok_or(WeightsError::Size(header[11]))?;
        let numbers = (usize::from(header[10]), number(12), number(16) as usize);
        if numbers != (shape.phase_count(), shape.fingerprint(), shape.class_count()) {
            return Err(WeightsError::OtherPatterns);
        }
        if checksum(header, payload) != number(20) {
            return Err(WeightsError::Damaged);
        }
        let most = match kind {
            LINEAR => plain_length(shape),
            _ => Network::most_bytes() + deviations::BYTES,
        };
        let plain =
            decompress_to_vec_zlib_with_limit(payload, most).map_err(|_| WeightsError::Damaged)?;
        if kind == NETWORK {
            return Weights::from_plain_bytes(rule, &plain);
        }
        if plain.len() != most {
            return Err(WeightsError::Damaged);
        }
        Ok(Weights::linear(rule, shape, &join(&plain, shape.phase_count())))
    }

    /// A network of the payload of its file, not compressed.
    pub(crate) fn from_plain_bytes(rule: Rule, plain: &[u8]) -> Result<Weights, WeightsError> {
        let (parameters, stored) =
            plain.split_last_chunk::<{ deviations::BYTES }>().ok_or(WeightsError::Damaged)?;
        let network = Weights::from_parameter_bytes(rule, parameters)?;
        let stored = Deviations::from_bytes(stored).ok_or(WeightsError::Overflow)?;
        Ok(Weights { stored: Some(stored), ..network })
    }

    /// The weights as bytes, compressed.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut header = [0; HEADER];
        header[..8].copy_from_slice(&MAGIC);
        let (kind, plain) = match &self.evaluation {
            Evaluation::Linear(linear) => (LINEAR, split(linear)),
            Evaluation::Network(network) => {
                let (stored, checksum) = self.stored.unwrap_or((self.deviations(), 0));
                let mut plain = network.parameters().to_bytes();
                plain.extend(stored.to_bytes(checksum));
                (NETWORK, plain)
            }
        };
        header[8] = kind;
        header[9] = self.rule().to_byte();
        let shape = self.shape();
        header[10] = shape.phase_count() as u8;
        header[11] = to_width(shape);
        header[12..16].copy_from_slice(&shape.fingerprint().to_le_bytes());
        header[16..20].copy_from_slice(&(shape.class_count() as u32).to_le_bytes());
        let payload = compress_to_vec_zlib(&plain, LEVEL);
        let sum = checksum(&header, &payload);
        header[20..].copy_from_slice(&sum.to_le_bytes());
        [&header[..], &payload].concat()
    }
}

impl Weights {
    /// The checksum of a network's parameters; `None` for linear weights.
    pub(crate) fn network_checksum(&self) -> Option<u32> {
        match &self.evaluation {
            Evaluation::Linear(_) => None,
            Evaluation::Network(network) => Some(crc32fast::hash(&network.parameters().to_bytes())),
        }
    }
}

/// The width of the board in the header: zero for 8×8, which came first.
fn to_width(shape: &Shape) -> u8 {
    match shape.size() {
        Size::EIGHT => 0,
        size => size.width(),
    }
}

/// The shape of weights of a kind for boards of this width, if there is one.
fn shape_of(kind: u8, width: u8) -> Option<&'static Shape> {
    let shapes: &[_] = if kind == LINEAR { &[Shape::EIGHT, Shape::SIX] } else { &[Shape::WIDE] };
    shapes.iter().copied().find(|shape| to_width(shape) == width)
}

/// The length of all weights before compression, in bytes.
fn plain_length(shape: &Shape) -> usize {
    2 * shape.phase_count() * shape.class_count()
}

/// The checksum of everything but itself.
fn checksum(header: &[u8; HEADER], payload: &[u8]) -> u32 {
    let mut hasher = crc32fast::Hasher::new();
    hasher.update(&header[..20]);
    hasher.update(payload);
    hasher.finalize()
}

/// Low bytes of all weights, then high bytes.
fn split(weights: &Linear) -> Vec<u8> {
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

/// The inverse of [`split`]: the weights of each phase.
fn join(plain: &[u8], phases: usize) -> Vec<Vec<i16>> {
    let (low, high) = plain.split_at(plain.len() / 2);
    let weight = |place: usize| i16::from_le_bytes([low[place], high[place]]);
    (0..phases).map(|phase| (phase..low.len()).step_by(phases).map(weight).collect()).collect()
}
