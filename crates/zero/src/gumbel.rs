//! Choosing with few visits: sequential halving at the root, and the policy that visits improve.
//!
//! "Policy improvement by planning with Gumbel" (Danihelka, Guez, Schrittwieser,
//! Silver 2022): moves drawn without replacement by their logits are visited in
//! rounds, after each of which half of them stays. The improved policy adds to each
//! logit what the visits say of the move; moves without a visit count as much as the
//! board itself.

use crate::tree::{Choices, Edge, Tree};
use isrever_agent::Rng;

/// The most moves that the first round visits.
const CANDIDATES: usize = 16;
/// How much a value counts beside a logit: this, and one for each visit of the most visited move.
const VALUE_SCALE: f32 = 50.0;

/// The moves of a board, at most.
pub(crate) const MOST_MOVES: usize = 64;

/// The improved logits of the moves, in their order; and how many there are.
pub(crate) fn improved(choices: &Choices<'_>) -> ([f32; MOST_MOVES], usize) {
    let edges = choices.edges;
    let unvisited = board_value(choices);
    let most_visits = edges.iter().map(|edge| edge.visits).max().unwrap_or(0);
    // Values are from -1 to 1: half of the scale makes them as long as those of the paper.
    let scale = 0.5 * (VALUE_SCALE + most_visits as f32);
    let mut logits = [f32::NEG_INFINITY; MOST_MOVES];
    for (logit, edge) in logits.iter_mut().zip(edges) {
        *logit = edge.logit + scale * edge.value().unwrap_or(unvisited);
    }
    (logits, edges.len())
}

/// The improved policy: a probability for each move, in their order.
pub(crate) fn policy(choices: &Choices<'_>) -> ([f32; MOST_MOVES], usize) {
    let (mut logits, count) = improved(choices);
    let most = logits[..count].iter().copied().fold(f32::NEG_INFINITY, f32::max);
    let mut sum = 0.0;
    for logit in &mut logits[..count] {
        *logit = (*logit - most).exp();
        sum += *logit;
    }
    for probability in &mut logits[..count] {
        *probability /= sum;
    }
    (logits, count)
}

/// What a board is worth: the network's value, mixed with those of the visited moves.
fn board_value(choices: &Choices<'_>) -> f32 {
    let (mut sum, mut priors, mut visits) = (0.0, 0.0, 0.0);
    for edge in choices.edges {
        if let Some(value) = edge.value() {
            sum += edge.prior * value;
            priors += edge.prior;
            visits += edge.visits as f32;
        }
    }
    if priors <= 0.0 {
        choices.value
    } else {
        (choices.value + visits * sum / priors) / (1.0 + visits)
    }
}

/// Below the root: the move that the visits so far have given least of what the improved policy
/// gives it.
pub(crate) fn select(choices: &Choices<'_>) -> usize {
    let (policy, count) = policy(choices);
    let visits = |edge: &Edge| (edge.visits + edge.pending) as f32;
    let all: f32 = 1.0 + choices.edges.iter().map(visits).sum::<f32>();
    let lack = |place: usize| policy[place] - visits(&choices.edges[place]) / all;
    (0..count).reduce(|best, new| if lack(new) > lack(best) { new } else { best }).unwrap_or(0)
}

/// Sequential halving at one root.
#[derive(Clone, Debug, Default)]
pub struct Halving {
    /// The noise of each move.
    noise: Vec<f32>,
    /// For each visit, how many visits the moves must have that it chooses from.
    plan: Vec<u32>,
    done: usize,
}

impl Halving {
    /// Plans so many visits among the moves of an evaluated root. Without a source of chance the
    /// best moves are considered instead of moves drawn by their logits.
    pub fn begin(&mut self, moves: usize, visits: usize, rng: Option<&mut Rng>) {
        self.noise.clear();
        match rng {
            Some(rng) => self.noise.extend((0..moves).map(|_| gumbel(rng))),
            None => self.noise.resize(moves, 0.0),
        }
        plan(moves.min(CANDIDATES), visits, &mut self.plan);
        self.done = 0;
    }

    /// The root's move for the next visit; `None` when all visits are made.
    pub fn next(&mut self, tree: &Tree) -> Option<usize> {
        let &visits = self.plan.get(self.done)?;
        self.done += 1;
        Some(self.best(tree, |edge| edge.visits == visits).unwrap_or_else(|| self.choose(tree)))
    }

    /// The move to play: the best of those with the most visits.
    pub fn choose(&self, tree: &Tree) -> usize {
        let most = tree.root_edges().iter().map(|edge| edge.visits).max().unwrap_or(0);
        self.best(tree, |edge| edge.visits == most).unwrap_or(0)
    }

    /// The move with the greatest sum of noise and improved logit.
    fn best(&self, tree: &Tree, is_meant: impl Fn(&Edge) -> bool) -> Option<usize> {
        let (logits, count) = improved(&tree.root_choices());
        let places = (0..count).filter(|&place| is_meant(&tree.root_edges()[place]));
        let rating = |place: usize| self.noise[place] + logits[place];
        places.reduce(|best, new| if rating(new) > rating(best) { new } else { best })
    }
}

/// A number of the standard Gumbel distribution.
fn gumbel(rng: &mut Rng) -> f32 {
    #[expect(clippy::cast_possible_truncation, reason = "within -4 and 37")]
    let number = -(-(rng.unit() + f64::MIN_POSITIVE).ln()).ln() as f32;
    number
}

/// Shares `visits` among `moves`: rounds of equal length, each with the better half of the moves.
fn plan(moves: usize, visits: usize, plan: &mut Vec<u32>) {
    plan.clear();
    let rounds = moves.max(2).next_power_of_two().ilog2() as usize;
    let (mut considered, mut each) = (moves.max(1), 0);
    while plan.len() < visits {
        let more = (visits / (rounds * considered)).max(1);
        for _ in 0..more {
            plan.extend(std::iter::repeat_n(each, considered));
            each += 1;
        }
        considered = if moves > 1 { (considered / 2).max(2) } else { 1 };
    }
    plan.truncate(visits);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn planned(moves: usize, visits: usize) -> Vec<u32> {
        let mut list = Vec::new();
        plan(moves, visits, &mut list);
        list
    }

    #[test]
    fn halving_shares_visits_in_rounds() {
        assert_eq!(planned(1, 3), [0, 1, 2]);
        assert_eq!(planned(2, 4), [0, 0, 1, 1]);
        assert_eq!(planned(4, 16), [0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5]);
        assert_eq!(planned(3, 2), [0, 0]);
        for (moves, visits) in [(1, 1), (5, 16), (16, 64), (16, 7), (20, 200)] {
            assert_eq!(planned(moves, visits).len(), visits);
        }
    }
}
