//! Weights as bytes: what `weights/*.bin` hold. `docs/formats.md` describes it in prose.
//!
//! Only each class once is kept. Neighbouring phases differ little and most
//! weights are small, so differences between phases, low bytes and high bytes
//! apart, are what is compressed.

use crate::class::CLASSES;
use crate::pattern::FINGERPRINT;
use crate::weights::{PHASES, Weights};
use isrever_board::Rule;
use ruzstd::decoding::StreamingDecoder;
use ruzstd::encoding::{CompressionLevel, compress_to_vec};
use std::fmt;
use std::io::Read;

const MAGIC: [u8; 8] = *b"ISREVAL\x1a";
const VERSION: u8 = 1;
const HEADER: usize = 24;

/// Bytes of all weights before compression.
const PLAIN: usize = 2 * PHASES * CLASSES;

/// Why bytes are not weights.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum WeightsError {
    /// They do not begin as weights do.
    NotWeights,
    /// They are of a version of the format that this program does not know.
    Version(u8),
    /// They name a rule that this program does not know.
    Rule(u8),
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
        let shape = (usize::from(header[10]), number(12), number(16) as usize);
        if shape != (PHASES, FINGERPRINT, CLASSES) {
            return Err(WeightsError::OtherPatterns);
        }
        if checksum(header, payload) != number(20) {
            return Err(WeightsError::Damaged);
        }
        let plain = decompress(payload).ok_or(WeightsError::Damaged)?;
        Ok(Weights::new(rule, &join(&plain)))
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
        header[10] = PHASES as u8;
        header[12..16].copy_from_slice(&FINGERPRINT.to_le_bytes());
        header[16..20].copy_from_slice(&(CLASSES as u32).to_le_bytes());
        let payload = compress_to_vec(&*split(self), CompressionLevel::Fastest);
        let sum = checksum(&header, &payload);
        header[20..].copy_from_slice(&sum.to_le_bytes());
        [&header[..], &payload].concat()
    }
}

/// Of everything but the checksum itself.
fn checksum(header: &[u8; HEADER], payload: &[u8]) -> u32 {
    let mut hasher = crc32fast::Hasher::new();
    hasher.update(&header[..20]);
    hasher.update(payload);
    hasher.finalize()
}

/// The weights before compression, if there are as many as there should be.
fn decompress(payload: &[u8]) -> Option<Vec<u8>> {
    let mut rest = payload;
    let mut plain = Vec::with_capacity(PLAIN);
    // One byte more than wanted is enough to know that there are too many.
    let decoder = StreamingDecoder::new(&mut rest).ok()?;
    decoder.take(PLAIN as u64 + 1).read_to_end(&mut plain).ok()?;
    (plain.len() == PLAIN && rest.is_empty()).then_some(plain)
}

/// Low bytes of all differences, then high bytes.
fn split(weights: &Weights) -> Vec<u8> {
    let mut plain = vec![0; PLAIN];
    let (low, high) = plain.split_at_mut(PLAIN / 2);
    let mut before = vec![0; CLASSES];
    for phase in 0..PHASES {
        let now = weights.phase(phase);
        for class in 0..CLASSES {
            let place = phase * CLASSES + class;
            let difference = now[class].wrapping_sub(before[class]);
            [low[place], high[place]] = difference.to_le_bytes();
        }
        before = now;
    }
    plain
}

/// The weights of each phase from what [`split`] made.
fn join(plain: &[u8]) -> Vec<Vec<i16>> {
    let (low, high) = plain.split_at(PLAIN / 2);
    let mut phases: Vec<Vec<i16>> = Vec::with_capacity(PHASES);
    for phase in 0..PHASES {
        let mut now = phases.last().cloned().unwrap_or_else(|| vec![0; CLASSES]);
        for (class, weight) in now.iter_mut().enumerate() {
            let place = phase * CLASSES + class;
            *weight = weight.wrapping_add(i16::from_le_bytes([low[place], high[place]]));
        }
        phases.push(now);
    }
    phases
}
