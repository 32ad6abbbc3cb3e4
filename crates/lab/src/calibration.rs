//! Measures how far deep searches stray from shallow ones, for Multi-ProbCut.
//!
//! What is here: positions from games, their values by full-width searches of
//! every depth up to a limit, and near the end their exact scores; `table`
//! turns them into means and deviations, `model` into a smooth formula. What is
//! not: the search that uses it, and words. A position is a function of the
//! plan and its number alone.

mod model;
mod table;

pub use model::{Ending, Midgame, Residuals};
pub use table::{Row, table};

use crate::effort::Effort;
use isrever_agent::Rng;
use isrever_board::{Board, Rule, Size};
use isrever_eval::{DISC, Weights};
use isrever_search::{Control, Goal, Progress, Searcher, Settings};
use rayon::prelude::*;
use std::ops::{Range, RangeInclusive};
use std::sync::Mutex;

const SIZE: Size = Size::EIGHT;

/// How many plies lead to a position.
const PLIES: RangeInclusive<u32> = 6..=50;

/// Who plays on the way, but for one move in so many, which is random.
const PLAYER: Effort = Effort::Depth(2);
const RANDOM: u32 = 5;

/// Memory of a position's solver, in bytes.
const HASH_BYTES: usize = 16 << 20;

/// What is to be measured.
#[derive(Clone, Copy, Debug)]
pub struct Calibration {
    /// What the players play for.
    pub rule: Rule,
    /// The evaluation whose searches are compared.
    pub weights: &'static Weights,
    /// The deepest search, in plies.
    pub depth: u32,
    /// From this many empty squares on positions are solved as well.
    pub solve_from: u32,
    /// Where all random choices come from.
    pub seed: u64,
}

/// What searches say of one position, in discs, for the side to move.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Measurement {
    /// How many squares are empty.
    pub empties: u32,
    /// The value by each depth from 0 on, none of which reaches the end.
    pub values: Vec<i32>,
    /// The score with best play to the end, if it is near enough.
    pub exact: Option<i32>,
}

impl Calibration {
    /// Measures these positions on the threads of the current pool, and tells `done` of each one.
    pub fn measure(&self, numbers: Range<u64>, done: &(dyn Fn() + Sync)) -> Vec<Measurement> {
        numbers
            .into_par_iter()
            .map(|number| {
                let measurement = self.measurement(self.position(number));
                done();
                measurement
            })
            .collect()
    }

    /// Position `number`: somewhere in a game, with a move to make.
    pub fn position(&self, number: u64) -> Board {
        let mut rng = Rng::stream(self.seed, number);
        let mut solver = self.solver(1 << 18);
        loop {
            let plies = PLIES.start() + rng.below(PLIES.end() - PLIES.start() + 1);
            let mut board = Board::start(SIZE);
            for _ in 0..plies {
                if board.moves(SIZE) == 0 {
                    board = board.pass();
                }
                let moves = board.moves(SIZE);
                if moves == 0 {
                    break;
                }
                let is_random = rng.below(RANDOM) == 0;
                let square =
                    if is_random { rng.square(moves) } else { PLAYER.choose(board, &mut solver) };
                board = board.play(square, SIZE).expect("players play legal moves");
            }
            if board.moves(SIZE) != 0 {
                return board;
            }
        }
    }

    /// What searches say of `board`, which has a move.
    fn measurement(&self, board: Board) -> Measurement {
        let empties = board.empties(SIZE).count_ones();
        let mut solver = self.solver(HASH_BYTES);
        let leaf = (self.weights.plain_value(board) + DISC / 2).div_euclid(DISC);
        let mut values = vec![leaf];
        // A search that reaches the end is no estimate any more.
        let depth = self.depth.min(empties.saturating_sub(1));
        if depth > 0 {
            // Each pass goes one ply deeper, and the next one is told what it found.
            let found = Mutex::new(Vec::new());
            let progress = |progress: Progress| {
                let mut found = found.lock().expect("nobody panics here");
                found.extend(progress.guess.map(|(value, _)| value));
            };
            let control = Control { progress: &progress, ..Control::NONE };
            let solution = solver.search(board, Goal::Value { depth, confidence: 100 }, control);
            values.extend(found.into_inner().expect("nobody panics here"));
            values.push(solution.score());
        }
        let is_near = empties <= self.solve_from;
        let exact = is_near.then(|| solver.search(board, Goal::Exact, Control::NONE).score());
        Measurement { empties, values, exact }
    }

    fn solver(&self, hash_bytes: usize) -> Searcher {
        let weights = Some(self.weights);
        Searcher::new(Settings { hash_bytes, weights, ..Settings::new(self.rule, SIZE) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plan() -> Calibration {
        let rule = Rule::Reversed;
        let weights = Weights::embedded(rule, SIZE).unwrap();
        Calibration { rule, weights, depth: 3, solve_from: 11, seed: 1 }
    }

    #[test]
    fn every_depth_is_the_value_of_a_search_of_its_own() {
        let plan = plan();
        for number in 0..12 {
            let board = plan.position(number);
            let Measurement { empties, values, exact } = plan.measurement(board);
            assert!((10..=54).contains(&empties), "{empties}");
            assert_eq!(values.len(), 4);
            for (depth, &value) in (1..).zip(&values[1..]) {
                let goal = Goal::Value { depth, confidence: 100 };
                let solution = plan.solver(1 << 18).search(board, goal, Control::NONE);
                assert_eq!(solution.score(), value, "position {number}, depth {depth}");
            }
            assert_eq!(exact.is_some(), empties <= 11);
        }
    }

    #[test]
    fn values_of_no_depth_are_the_evaluation_rounded() {
        let plan = plan();
        let board = plan.position(3);
        let value = f64::from(plan.weights.plain_value(board)) / f64::from(DISC);
        assert_eq!(f64::from(plan.measurement(board).values[0]), (value + 0.5).floor());
    }

    #[test]
    fn threads_make_no_difference() {
        let measured = |threads: usize| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| plan().measure(0..20, &|| {}))
        };
        assert_eq!(measured(1), measured(2));
    }
}
