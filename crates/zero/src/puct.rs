//! The upper confidence bound of AlphaZero: where a visit goes next.

use crate::tree::{Choices, Edge};

/// How much a prior counts beside a value at a board with few visits.
const EXPLORATION: f32 = 1.5;
/// The visits after which exploration grows with their logarithm.
const EXPLORATION_BASE: f32 = 5_000.0;
/// How much less than its board a move is expected to be worth before its first visit, when the
/// moves visited so far have all of the prior.
const FIRST_VISIT_REDUCTION: f32 = 0.25;

/// The place of the move with the greatest bound. Moves that are proved to lose have none, if there
/// are others.
pub(crate) fn select(choices: &Choices<'_>) -> usize {
    let edges = choices.edges;
    let visits = |edge: &Edge| edge.visits + edge.pending;
    let all: u32 = edges.iter().map(visits).sum();
    let explored: f32 = edges.iter().filter(|edge| visits(edge) > 0).map(|edge| edge.prior).sum();
    let first = mean(choices) - FIRST_VISIT_REDUCTION * explored.sqrt();
    let all = all as f32;
    let exploration = EXPLORATION + (1.0 + all / EXPLORATION_BASE).ln();
    let scale = exploration * all.max(1.0).sqrt();
    let bound = |edge: &Edge| {
        let value = edge.value_if_pending_lose().unwrap_or(first);
        value + scale * edge.prior / (1.0 + visits(edge) as f32)
    };
    let is_lost = |edge: &Edge| edge.proved.is_some_and(|score| score < 0);
    let rated = edges.iter().enumerate().map(|(place, edge)| (is_lost(edge), bound(edge), place));
    let best = rated.reduce(|best, new| {
        let is_better = (!new.0 && best.0) || (new.0 == best.0 && new.1 > best.1);
        if is_better { new } else { best }
    });
    best.expect("a board in the tree has moves").2
}

/// The mean worth of a board: the network's value and all visits.
fn mean(choices: &Choices<'_>) -> f32 {
    let (mut sum, mut visits) = (choices.value, 1.0);
    for edge in choices.edges {
        if let Some(value) = edge.value() {
            let own = edge.visits as f32;
            sum += value * own;
            visits += own;
        }
    }
    sum / visits
}
