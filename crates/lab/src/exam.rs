//! Exams: positions with known scores, and how well a player chooses a move in them.
//!
//! What is here: positions to ask about, questions (positions with solved moves),
//! answers to them, and marks, which can be added up. A move is solved only after
//! a player chose it: solving all would take ten times as long. What is not here:
//! files and clocks.

mod agent;
mod marks;
mod question;

pub use agent::{AgentCandidate, Unanswered};
pub use marks::Marks;
pub use question::{Question, QuestionError};

use crate::data::Sample;
use crate::duel::random_plies;
use crate::effort::Effort;
use isrever_agent::Rng;
use isrever_board::{Board, Move, Rule, Size, Square};
use isrever_eval::Weights;
use isrever_search::{Control, Goal, Pool, Searcher, Settings};
use rayon::prelude::*;
use std::collections::HashSet;
use std::ops::RangeInclusive;

const SIZE: Size = Size::EIGHT;

/// Memory of the searcher that plays up to the positions, in bytes. Changing it may change the
/// positions.
const HASH_BYTES: usize = 16 << 20;

/// The number of random moves at the beginning of a game.
const RANDOM_PLIES: RangeInclusive<u32> = 6..=16;

/// The search that plays up to the positions.
const PLAYER: Effort = Effort::Depth(4);

/// The positions of an exam, each from a game of its own.
#[derive(Clone, Debug)]
pub struct Positions {
    /// The rule of the games.
    pub rule: Rule,
    /// The weights that play them.
    pub weights: &'static Weights,
    /// The number of empty squares; each position draws one from this range.
    pub empties: RangeInclusive<u32>,
    /// The seed of all random choices.
    pub seed: u64,
}

impl Positions {
    /// Position `number`, which has at least two legal moves.
    pub fn board(&self, number: u64) -> Board {
        // Training games use the streams from 0 up; exams count down.
        let mut rng = Rng::stream(self.seed, !number);
        let mut solver = solver(self.rule, self.weights);
        let draw = |from: &RangeInclusive<u32>, rng: &mut Rng| {
            from.start() + rng.below(from.end() - from.start() + 1)
        };
        loop {
            let empties = draw(&self.empties, &mut rng);
            let random = draw(&RANDOM_PLIES, &mut rng).min(60_u32.saturating_sub(empties));
            let mut board = random_plies(random, &mut rng);
            while board.empties(SIZE).count_ones() > empties && !board.is_over(SIZE) {
                board = match board.moves(SIZE) {
                    0 => board.pass(),
                    _ => {
                        let square = PLAYER.choose(board, &mut solver);
                        board.play(square, SIZE).expect("searches choose legal moves")
                    }
                };
            }
            let is_asked = board.empties(SIZE).count_ones() == empties;
            if is_asked && board.moves(SIZE).count_ones() > 1 {
                return board;
            }
        }
    }
}

/// A player that takes an exam.
#[derive(Clone, Copy, Debug)]
pub struct Candidate {
    /// The rule.
    pub rule: Rule,
    /// Its weights.
    pub weights: &'static Weights,
    /// The confidence of its cuts in per cent; 100 for no cuts.
    pub percent: u8,
    /// The threads of one search.
    pub threads: usize,
}

impl Candidate {
    /// Answers by a search of `depth` plies, on the threads of the current pool; calls `done` after
    /// each.
    pub fn take(
        &self,
        questions: &[Question],
        depth: u32,
        done: &(dyn Fn() + Sync),
    ) -> Vec<Square> {
        let answer = |question: &Question| {
            // A new searcher each time: one question must not help with the next.
            let square = self.answer(question, depth, &mut self.solver(), Control::NONE);
            done();
            square
        };
        questions.par_iter().map(answer).collect()
    }

    /// A new searcher with its settings.
    pub fn solver(&self) -> Searcher {
        let (weights, pool) = (Some(self.weights), Pool::threads(self.threads));
        Searcher::new(Settings { weights, pool, ..Settings::new(self.rule, SIZE) })
    }

    /// The answer of a search of `depth` plies, or of a stopped one as far as it came.
    pub fn answer(
        &self,
        question: &Question,
        depth: u32,
        solver: &mut Searcher,
        control: Control<'_>,
    ) -> Square {
        let goal = Goal::Value { depth, confidence: self.percent };
        match solver.search(question.board(), goal, control).best() {
            Some(Move::Place(square)) => square,
            _ => unreachable!("a question has a legal move"),
        }
    }
}

fn solver(rule: Rule, weights: &'static Weights) -> Searcher {
    let weights = Some(weights);
    Searcher::new(Settings { hash_bytes: HASH_BYTES, weights, ..Settings::new(rule, SIZE) })
}

/// Removes the samples of `boards` and their images: weights must not be fitted to an exam that they
/// take later.
pub fn leave_out(mut samples: Vec<Sample>, boards: &[Board]) -> Vec<Sample> {
    let asked: HashSet<Board> = boards.iter().map(|board| board.canonical(SIZE).0).collect();
    samples.retain(|sample| !asked.contains(&sample.board()));
    samples
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::Label;
    use isrever_board::Symmetry;

    pub(super) fn carried(rule: Rule) -> &'static Weights {
        Weights::embedded(rule, SIZE).unwrap()
    }

    pub(super) fn positions(rule: Rule) -> Positions {
        Positions { rule, weights: carried(rule), empties: 7..=9, seed: 1 }
    }

    pub(super) fn questions(rule: Rule) -> Vec<Question> {
        let mut solver = solver(rule, carried(rule));
        let positions = positions(rule);
        let solve = |number| Question::solve(positions.board(number), &mut solver, Control::NONE);
        (0..6).map(solve).collect::<Option<_>>().unwrap()
    }

    #[test]
    fn positions_are_as_asked_for_and_the_same_for_a_seed() {
        let positions = positions(Rule::Reversed);
        for number in 0..10 {
            let board = positions.board(number);
            assert!((7..=9).contains(&board.empties(SIZE).count_ones()));
            assert!(board.moves(SIZE).count_ones() > 1);
            assert_eq!(board, positions.board(number));
        }
        assert_ne!(positions.board(0), positions.board(1));
        assert_ne!(Positions { seed: 2, ..positions.clone() }.board(0), positions.board(0));
    }

    #[test]
    fn a_search_to_the_end_makes_no_mistake() {
        for rule in Rule::ALL {
            let candidate = Candidate { rule, weights: carried(rule), percent: 100, threads: 1 };
            let questions = questions(rule);
            let mut solver = candidate.solver();
            for (question, answer) in questions.iter().zip(candidate.take(&questions, 60, &|| {})) {
                let score = question.score_of(answer, &mut solver, Control::NONE);
                assert_eq!(score, Some(question.best()));
            }
        }
    }

    #[test]
    fn threads_make_no_difference() {
        let rule = Rule::Reversed;
        let questions = questions(rule);
        let candidate = Candidate { rule, weights: carried(rule), percent: 100, threads: 1 };
        let answers = |threads: usize| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| candidate.take(&questions, 2, &|| {}))
        };
        assert_eq!(answers(1), answers(2));
    }

    #[test]
    fn questions_and_their_images_are_left_out() {
        let positions = positions(Rule::Normal);
        let boards: Vec<Board> = (0..4).map(|number| positions.board(number)).collect();
        let image = |board: Board| Symmetry::ALL[3].board(board, SIZE);
        let samples: Vec<Sample> =
            boards.iter().map(|&board| Sample::new(image(board), SIZE, 0, Label::Played)).collect();
        assert_eq!(leave_out(samples.clone(), &boards[1..3]), [samples[0], samples[3]]);
        assert_eq!(leave_out(samples.clone(), &[]), samples);
        // The same discs with the other side to move are another position.
        assert_eq!(leave_out(samples.clone(), &[boards[0].pass()]), samples);
    }
}
