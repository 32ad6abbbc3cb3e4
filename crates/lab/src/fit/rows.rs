//! Samples as rows of a matrix of zeros and ones: a column for each weight.

use super::Errors;
use super::gradient;
use crate::data::Sample;
use isrever_eval::Shape;

/// Samples of one phase: which columns are set, and the score.
pub(super) struct Rows {
    shape: &'static Shape,
    /// Where the columns of each feature begin: beyond it sixteen bits are enough.
    bases: Vec<u32>,
    /// The columns of one row after those of the other.
    columns: Vec<u16>,
    scores: Vec<i8>,
}

impl Rows {
    pub(super) fn new(shape: &'static Shape, samples: &[Sample]) -> Rows {
        let bases = shape.feature_bases();
        let mut columns = Vec::with_capacity(samples.len() * bases.len());
        for sample in samples {
            let features = shape.features(sample.board()).zip(&bases);
            columns.extend(features.map(|(feature, base)| (feature - base) as u16));
        }
        let scores = samples.iter().map(|sample| sample.score() as i8).collect();
        Rows { shape, bases, columns, scores }
    }

    pub(super) fn len(&self) -> usize {
        self.scores.len()
    }

    pub(super) fn is_empty(&self) -> bool {
        self.scores.is_empty()
    }

    /// How far the values by these weights are from the scores.
    pub(super) fn errors(&self, weight: impl Fn(usize) -> f32) -> Errors {
        let (mut distances, mut squares) = (0.0, 0.0);
        let most = self.shape.size().cells() as f32;
        for (row, &score) in self.rows().zip(&self.scores) {
            let value: f32 = row.map(&weight).sum();
            let distance = f64::from(value.clamp(-most, most) - f32::from(score));
            distances += distance.abs();
            squares += distance * distance;
        }
        let count = self.len().max(1) as f64;
        Errors { mae: distances / count, rmse: (squares / count).sqrt() }
    }

    /// The columns that are set in each row, counted from the first of all.
    #[inline]
    fn rows(&self) -> impl Iterator<Item = impl Iterator<Item = usize>> {
        let place = |(&column, &base): (&u16, &u32)| base as usize + usize::from(column);
        self.columns
            .chunks_exact(self.bases.len())
            .map(move |row| row.iter().zip(&self.bases).map(place))
    }
}

/// Rows of several phases, each with a weight in the sum of squares.
pub(super) struct Matrix<'a> {
    columns: usize,
    /// The rows, and the root of their weight: rows so scaled count so much.
    blocks: Vec<(&'a Rows, f32)>,
}

impl<'a> Matrix<'a> {
    pub(super) fn new(shape: &Shape) -> Matrix<'a> {
        Matrix { columns: shape.class_count(), blocks: Vec::new() }
    }

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

    fn rows(&self) -> impl Iterator<Item = (impl Iterator<Item = usize>, f32)> {
        self.blocks.iter().flat_map(|&(rows, scale)| rows.rows().map(move |row| (row, scale)))
    }
}

impl gradient::Matrix for Matrix<'_> {
    fn columns(&self) -> usize {
        self.columns
    }

    fn times(&self, x: &[f32], product: &mut [f32]) {
        for ((row, scale), product) in self.rows().zip(product) {
            *product = scale * row.map(|place| x[place]).sum::<f32>();
        }
    }

    fn add_transposed(&self, y: &[f32], sum: &mut [f64]) {
        for ((row, scale), y) in self.rows().zip(y) {
            let scaled = f64::from(scale * y);
            for place in row {
                sum[place] += scaled;
            }
        }
    }

    fn diagonal(&self) -> Vec<f64> {
        let mut diagonal = vec![0.0; self.columns];
        for (row, scale) in self.rows() {
            for place in row {
                diagonal[place] += f64::from(scale * scale);
            }
        }
        diagonal
    }
}
