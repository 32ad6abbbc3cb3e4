//! The evolution strategy with covariance matrix adaptation, by the crate `cmaes`.
//!
//! The crate asks for one value after the other and its state cannot be kept.
//! So it is told the whole history again for every generation, and the points
//! it asks about last are the next individuals: that costs little beside the
//! games, and a tuning that goes on after a kill needs nothing but its log. It
//! searches the unit cube; beyond it the space goes on as in mirrors.

use super::super::history::Generation;
use super::super::space::Space;
use cmaes::{CMAESOptions, DVector, Mode};

/// The individuals that follow `history`.
pub(super) fn next(
    space: &Space,
    mean: Vec<f64>,
    population: usize,
    sigma: f64,
    seed: u64,
    history: &[Generation],
) -> Vec<Vec<f64>> {
    let mut known = history.iter().flat_map(|generation| &generation.fitness);
    let mut points: Vec<Vec<f64>> = Vec::new();
    let tell = |point: &DVector<f64>| {
        // What nobody knows yet is asked, and the answer is not used any more.
        known.next().copied().unwrap_or_else(|| {
            points.push(space.at(point.as_slice()));
            0.0
        })
    };
    let options =
        CMAESOptions::new(mean, sigma).mode(Mode::Maximize).population_size(population).seed(seed);
    let mut search = options.build(tell).expect("the plan has checked the settings");
    for _ in 0..=history.len() {
        // Its own rules for stopping are for functions without noise.
        let _ = search.next();
    }
    drop(search);
    points
}
