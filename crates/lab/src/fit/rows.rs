//! Samples as rows of a matrix of zeros and ones: a column for each weight.

use super::Errors;
use super::gradient;
use crate::data::Sample;
use isrever_eval::{CLASSES, FEATURES, feature_bases, features};
use std::sync::LazyLock;

/// Where the columns of each feature begin: beyond it sixteen bits are enough.
static BASES: LazyLock<[u32; FEATURES]> = LazyLock::new(feature_bases);

/// Samples of one phase: which columns are set, and the score.
#[derive(Default)]
pub(super) struct Rows {
    columns: Vec<[u16; FEATURES]>,
    scores: Vec<i8>,
}

impl FromIterator<Sample> for Rows {
    fn from_iter<I: IntoIterator<Item = Sample>>(samples: I) -> Rows {
        let bases = *BASES;
        let mut rows = Rows::default();
        for sample in samples {
            let mut columns = features(sample.board());
            for (column, base) in columns.iter_mut().zip(bases) {
                *column -= base;
            }
            rows.columns.push(columns.map(|column| column as u16));
            rows.scores.push(sample.score() as i8);
        }
        rows
    }
}

impl Rows {
    pub(super) fn len(&self) -> usize {
        self.scores.len()
    }

    pub(super) fn is_empty(&self) -> bool {
        self.scores.is_empty()
    }

    /// How far the values by these weights are from the scores.
    pub(super) fn errors(&self, weight: impl Fn(usize) -> f32) -> Errors {
        let (mut distances, mut squares) = (0.0, 0.0);
        for (columns, &score) in self.columns.iter().zip(&self.scores) {
            let value: f32 = places(columns).map(&weight).sum();
            let distance = f64::from(value.clamp(-64.0, 64.0) - f32::from(score));
            distances += distance.abs();
            squares += distance * distance;
        }
        let count = self.len().max(1) as f64;
        Errors { mae: distances / count, rmse: (squares / count).sqrt() }
    }
}

/// The columns of a row, counted from the first of all.
#[inline]
fn places(columns: &[u16; FEATURES]) -> impl Iterator<Item = usize> {
    let bases: &'static [u32; FEATURES] = &BASES;
    columns.iter().zip(bases).map(|(&column, &base)| base as usize + usize::from(column))
}

/// Rows of several phases, each with a weight in the sum of squares.
#[derive(Default)]
pub(super) struct Matrix<'a> {
    /// The rows, and the root of their weight: rows so scaled count so much.
    blocks: Vec<(&'a Rows, f32)>,
}

impl<'a> Matrix<'a> {
    pub(super) fn add(&mut self, rows: &'a Rows, weight: f32) {
        self.blocks.push((rows, weight.sqrt()));
    }

    /// The scores, scaled as the rows are.
    pub(super) fn target(&self) -> Vec<f32> {
        let scores = self.blocks.iter().flat_map(|(rows, scale)| {
            rows.scores.iter().map(move |&score| scale * f32::from(score))
        });
        scores.collect()
    }

    fn rows(&self) -> impl Iterator<Item = (&'a [u16; FEATURES], f32)> {
        self.blocks
            .iter()
            .flat_map(|&(rows, scale)| rows.columns.iter().map(move |row| (row, scale)))
    }
}

impl gradient::Matrix for Matrix<'_> {
    fn columns(&self) -> usize {
        CLASSES
    }

    fn times(&self, x: &[f32], product: &mut [f32]) {
        for ((columns, scale), product) in self.rows().zip(product) {
            *product = scale * places(columns).map(|place| x[place]).sum::<f32>();
        }
    }

    fn add_transposed(&self, y: &[f32], sum: &mut [f64]) {
        for ((columns, scale), y) in self.rows().zip(y) {
            let scaled = f64::from(scale * y);
            for place in places(columns) {
                sum[place] += scaled;
            }
        }
    }

    fn diagonal(&self) -> Vec<f64> {
        let mut diagonal = vec![0.0; CLASSES];
        for (columns, scale) in self.rows() {
            for place in places(columns) {
                diagonal[place] += f64::from(scale * scale);
            }
        }
        diagonal
    }
}
