//! How far deep searches stray from shallow ones, by which Multi-ProbCut chooses its margins.
//!
//! The deviations depend on the evaluation, so they are measured with its weights
//! (`isrever train calibrate`) and stored beside them, with a checksum of the
//! weights they were measured with.

use isrever_board::{Rule, Size};

/// All squares but the first four: empty squares are counted as a part of these.
const SQUARES: f32 = 60.0;

/// The bytes of deviations in a file.
pub(crate) const BYTES: usize = 4 * (NUMBERS + 1);

/// The numbers of both formulas and their residuals.
const NUMBERS: usize = 5 + 3 + 2;

/// The largest number that a formula may have.
const MOST: f32 = 20.0;

/// Two formulas for the standard deviation of a deep search's value from a shallow one's, in discs.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Deviations {
    /// A search of limited depth: exp(a + b e + c e²) · (deep − shallow)^d · (1 + shallow)^f, where
    /// e is the number of empty squares divided by 60.
    pub midgame: [f32; 5],
    /// A search to the end: exp(a) · (empties − shallow)^b · (1 + shallow)^c.
    pub ending: [f32; 3],
    /// How well either fits what was measured: the root of the mean square of the relative error.
    pub residuals: [f32; 2],
}

impl Deviations {
    /// Those of weights that come without: measured with linear weights of 8×8 under each rule, and
    /// scaled for smaller boards by a factor fitted to node counts.
    pub fn common(rule: Rule, size: Size) -> Deviations {
        let mut deviations = match rule {
            Rule::Reversed => Deviations {
                midgame: [1.25, -2.26, 1.34, 0.26, -0.31],
                ending: [1.335_001, 0.0, -0.13],
                residuals: [0.1, 0.1],
            },
            Rule::Normal => Deviations {
                midgame: [1.50, -0.15, -1.02, 0.32, -0.33],
                ending: [2.174_752, 0.0, -0.34],
                residuals: [0.1, 0.1],
            },
        };
        if size.width() <= 6 {
            let scale = 0.6_f32.ln();
            deviations.midgame[0] += scale;
            deviations.ending[0] += scale;
        }
        deviations
    }

    /// The deviation of a search of `deep` plies from one of `shallow`, with so many empty squares.
    pub fn midgame(&self, empties: u32, deep: u32, shallow: u32) -> f32 {
        let [a, b, c, d, f] = self.midgame;
        let e = empties as f32 / SQUARES;
        let base = (a + e * (b + e * c)).exp();
        base * ((deep - shallow) as f32).powf(d) * (1.0 + shallow as f32).powf(f)
    }

    /// The deviation of the final score from a search of `shallow` plies, fewer than there are
    /// empty squares.
    pub fn ending(&self, empties: u32, shallow: u32) -> f32 {
        let [a, b, c] = self.ending;
        a.exp() * ((empties - shallow) as f32).powf(b) * (1.0 + shallow as f32).powf(c)
    }

    fn numbers(&self) -> [f32; NUMBERS] {
        let [a, b, c, d, e] = self.midgame;
        let [f, g, h] = self.ending;
        let [i, j] = self.residuals;
        [a, b, c, d, e, f, g, h, i, j]
    }

    /// The bytes in a file, behind which stands the checksum of the weights they were measured with.
    pub(crate) fn to_bytes(self, checksum: u32) -> [u8; BYTES] {
        let mut bytes = [0; BYTES];
        let (words, _) = bytes.as_chunks_mut::<4>();
        for (word, number) in words.iter_mut().zip(self.numbers()) {
            *word = number.to_le_bytes();
        }
        words[NUMBERS] = checksum.to_le_bytes();
        bytes
    }

    /// The inverse of [`Deviations::to_bytes`]; `None` if a number is no number, or far too large.
    pub(crate) fn from_bytes(bytes: &[u8; BYTES]) -> Option<(Deviations, u32)> {
        let (words, _) = bytes.as_chunks::<4>();
        let numbers: [f32; NUMBERS] = std::array::from_fn(|i| f32::from_le_bytes(words[i]));
        let [a, b, c, d, e, f, g, h, i, j] = numbers;
        let deviations =
            Deviations { midgame: [a, b, c, d, e], ending: [f, g, h], residuals: [i, j] };
        let is_sound = numbers.iter().all(|number| number.abs() <= MOST);
        is_sound.then_some((deviations, u32::from_le_bytes(words[NUMBERS])))
    }
}
