//! Fits weights to samples: linear least squares with a ridge, each phase by itself.
//!
//! A phase is fitted to its own samples and, at half weight, to those of its
//! neighbours, so that values do not jump from one phase to the next. Samples
//! that are held out say when to stop and how good the weights are. A phase is
//! the work of one thread, so the result is the same on any number of threads.

mod gradient;
mod rows;

use crate::data::Sample;
use gradient::solve;
use isrever_board::Rule;
use isrever_eval::{DISC, Shape, Weights};
use rayon::prelude::*;
use rows::{Matrix, Rows};
use serde::{Deserialize, Serialize};
use std::ops::ControlFlow;

/// The weight of a neighbouring phase's samples.
const NEIGHBOUR: f32 = 0.5;

/// So many steps without a better error on the samples held out are enough.
const PATIENCE: u32 = 5;

/// How to fit.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct FitOptions {
    /// How strongly weights are drawn to zero: a weight that was seen so many times is halved.
    pub ridge: f64,
    /// The most steps of the conjugate gradient.
    pub iterations: u32,
}

impl Default for FitOptions {
    fn default() -> FitOptions {
        FitOptions { ridge: 30.0, iterations: 40 }
    }
}

/// How far values are from scores, in discs.
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Errors {
    /// Mean of the distances.
    pub mae: f64,
    /// Root of the mean of their squares.
    pub rmse: f64,
}

/// How a phase was fitted.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct PhaseReport {
    /// The phase, from 0.
    pub phase: usize,
    /// Samples of this phase that were fitted to.
    pub samples: usize,
    /// Samples of this phase that were held out.
    pub held_out: usize,
    /// Steps until the errors on those were smallest.
    pub iterations: u32,
    /// Their errors if every position is worth nothing.
    pub before: Errors,
    /// Their errors by the fitted weights, as they are kept.
    pub after: Errors,
}

/// Fits weights for `rule` to `samples`, whose boards are of `shape`, on the threads of the current
/// pool, and tells `done` of each phase that is finished.
pub fn fit(
    rule: Rule,
    shape: &'static Shape,
    samples: &[Sample],
    options: FitOptions,
    done: &(dyn Fn(&PhaseReport) + Sync),
) -> (Weights, Vec<PhaseReport>) {
    let data = gather(shape, samples);
    let fitted: Vec<(Vec<i16>, PhaseReport)> = (0..shape.phase_count())
        .into_par_iter()
        .with_max_len(1)
        .map(|phase| {
            let fitted = fit_phase(shape, &data, phase, options);
            done(&fitted.1);
            fitted
        })
        .collect();
    let (phases, reports): (Vec<_>, Vec<_>) = fitted.into_iter().unzip();
    (Weights::linear(rule, shape, &phases), reports)
}

/// The samples of one phase.
struct PhaseData {
    fitted: Rows,
    held_out: Rows,
}

/// The samples by phase, those held out apart.
fn gather(shape: &'static Shape, samples: &[Sample]) -> Vec<PhaseData> {
    let mut boards = vec![(Vec::new(), Vec::new()); shape.phase_count()];
    for sample in samples {
        let (fitted, held_out) = &mut boards[shape.phase(sample.discs())];
        (if sample.is_held_out() { held_out } else { fitted }).push(*sample);
    }
    let rows = |(fitted, held_out): &(Vec<Sample>, Vec<Sample>)| PhaseData {
        fitted: Rows::new(shape, fitted),
        held_out: Rows::new(shape, held_out),
    };
    boards.par_iter().map(rows).collect()
}

fn fit_phase(
    shape: &'static Shape,
    data: &[PhaseData],
    phase: usize,
    options: FitOptions,
) -> (Vec<i16>, PhaseReport) {
    let own = &data[phase];
    let mut matrix = Matrix::new(shape);
    for neighbour in phase.saturating_sub(1)..data.len().min(phase + 2) {
        let weight = if neighbour == phase { 1.0 } else { NEIGHBOUR };
        matrix.add(&data[neighbour].fitted, weight);
    }
    let mut best =
        Best { weights: vec![0.0; shape.class_count()], rmse: f64::INFINITY, iteration: 0 };
    solve(&matrix, matrix.target(), options.ridge, |iteration, weights| {
        let rmse = own.held_out.errors(|class| weights[class] as f32).rmse;
        // With nothing held out there is nothing to say that it was enough.
        if rmse < best.rmse || own.held_out.is_empty() {
            best = Best { weights: weights.to_vec(), rmse, iteration };
        }
        if iteration >= best.iteration + PATIENCE || iteration >= options.iterations {
            return ControlFlow::Break(());
        }
        ControlFlow::Continue(())
    });
    let kept: Vec<i16> = best.weights.iter().map(|&weight| rounded(weight)).collect();
    let report = PhaseReport {
        phase,
        samples: own.fitted.len(),
        held_out: own.held_out.len(),
        iterations: best.iteration,
        before: own.held_out.errors(|_| 0.0),
        after: own.held_out.errors(|class| f32::from(kept[class]) / DISC as f32),
    };
    (kept, report)
}

/// The weights that were best on the samples held out.
struct Best {
    weights: Vec<f64>,
    rmse: f64,
    iteration: u32,
}

/// A weight in discs as it is kept, in parts of a disc.
fn rounded(weight: f64) -> i16 {
    // Casts from floating point end at the limits.
    (weight * f64::from(DISC)).round() as i16
}
