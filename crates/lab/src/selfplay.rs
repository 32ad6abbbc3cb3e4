//! Plays the games that make training samples.
//!
//! A game begins with random moves, so that no two are alike; then a
//! [`Player`] moves for both sides; a solver plays the ending perfectly. Boards
//! of the ending get proved scores. Boards before it get the final score, or a
//! mean of that and of the values that the player's searches found. Boards of
//! the random opening are dropped: the random moves after them make the final
//! score say little about them. A game depends on the plan and its number alone.

mod games;
mod player;

pub use games::{Games, Take};
pub use player::{Player, PlayerError};

use crate::data::{Label, Sample};
use isrever_agent::Rng;
use isrever_board::{Board, Move, Rule, Size};
use isrever_eval::Weights;
use isrever_search::{Control, Goal, Searcher, Settings};
use std::ops::RangeInclusive;

/// One game in this many is held out of every fit.
const HELD_OUT: u32 = 50;

/// Memory of a game's solver in bytes, enough for these endings.
const HASH_BYTES: usize = 1 << 20;

/// The settings of the games.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The rule.
    pub rule: Rule,
    /// The board: 6×6 or 8×8.
    pub size: Size,
    /// The player between the random opening and the ending.
    pub player: Player,
    /// The number of random moves; each game draws one from this range, all equally likely.
    pub random_plies: RangeInclusive<u32>,
    /// The weights of searching players and of the solver's move ordering.
    pub weights: Option<&'static Weights>,
    /// The number of empty squares from which on both sides play perfectly.
    pub solve_from: u32,
    /// The λ of TD(λ): 1 scores a board by the end of the game alone, 0 by the search that chose its
    /// move alone.
    pub lambda: f32,
    /// The seed of all random choices.
    pub seed: u64,
}

impl Plan {
    /// The settings of the first games, before there is an evaluation.
    pub fn new(rule: Rule, size: Size, seed: u64) -> Plan {
        // A small board is solved from further out in the same time.
        let (random_plies, solve_from) =
            if size == Size::SIX { (2..=16, 18) } else { (6..=40, 14) };
        let (player, weights, lambda) = (Player::Mobile, None, 1.0);
        Plan { rule, size, player, random_plies, weights, solve_from, lambda, seed }
    }

    /// The samples of game `number`: every board on which the side to move has a choice.
    pub fn game(&self, number: u64) -> Vec<Sample> {
        let size = self.size;
        let mut rng = Rng::stream(self.seed, number);
        let is_held_out = rng.below(HELD_OUT) == 0;
        let (least, most) = (*self.random_plies.start(), *self.random_plies.end());
        let random_plies = least + rng.below(most.saturating_sub(least) + 1);
        // Each game has its own solver: earlier positions decide which of equal moves it takes.
        let mut solver = Searcher::new(Settings {
            hash_bytes: HASH_BYTES,
            weights: self.weights,
            ..Settings::new(self.rule, size)
        });
        let mut board = Board::start(size);
        let mut ply = 0;
        // Boards so far, whether the side that began is to move, and the values of its searches.
        let (mut boards, mut values) = (Vec::new(), Vec::new());
        let mut is_starter = true;
        while board.empties(size).count_ones() > self.solve_from {
            let moves = board.moves(size);
            if moves == 0 {
                if board.is_over(size) {
                    break;
                }
                (board, is_starter) = (board.pass(), !is_starter);
                continue;
            }
            let is_random = ply < random_plies;
            let player = if is_random { Player::Random } else { self.player };
            let (square, value) = player.choose(board, size, &mut solver, &mut rng);
            if !is_random {
                boards.push((board, is_starter));
                values.push(value.map(|value| for_starter(value, is_starter)));
            }
            board = board.play(square, size).expect("players play legal moves");
            (ply, is_starter) = (ply + 1, !is_starter);
        }
        let (ending, score) = ending(board, size, &mut solver);
        let scores = labels(&values, for_starter(score, is_starter), self.lambda);
        let played = boards.into_iter().zip(scores).map(|((board, is_starter), score)| {
            Sample::new(board, size, for_starter(score, is_starter), Label::Played)
        });
        played.chain(ending).map(|sample| sample.held_out(is_held_out)).collect()
    }
}

/// Turns a score for the side to move into one for the side that began, and back.
fn for_starter(score: i32, is_starter: bool) -> i32 {
    if is_starter { score } else { -score }
}

/// The labels of boards that led to a score of `end`, all for the same side: each is `lambda` times
/// the next one plus 1 − `lambda` times the value of its search, if there was one.
fn labels(values: &[Option<i32>], end: i32, lambda: f32) -> Vec<i32> {
    let mut label = end as f32;
    let mut labels: Vec<i32> = values
        .iter()
        .rev()
        .map(|value| {
            if let Some(value) = *value {
                label = lambda * label + (1.0 - lambda) * value as f32;
            }
            label.round() as i32
        })
        .collect();
    labels.reverse();
    labels
}

/// The samples of perfect play from `board`, and its score for the side to move.
fn ending(mut board: Board, size: Size, solver: &mut Searcher) -> (Vec<Sample>, i32) {
    let solution = solver.search(board, Goal::Exact, Control::NONE);
    let mut score = solution.score();
    let mut samples = Vec::new();
    for mv in &solution.pv {
        match *mv {
            Move::Pass => board = board.pass(),
            Move::Place(square) => {
                samples.push(Sample::new(board, size, score, Label::Exact));
                board = board.play(square, size).expect("solvers play legal moves");
            }
        }
        score = -score;
    }
    (samples, solution.score())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Plans of few plies to solve, for both boards and rules.
    fn plans(solve_from: u32, seed: u64) -> impl Iterator<Item = Plan> {
        let boards = [Size::SIX, Size::EIGHT];
        let each = boards.into_iter().flat_map(|size| Rule::ALL.map(|rule| (rule, size)));
        each.map(move |(rule, size)| Plan { solve_from, ..Plan::new(rule, size, seed) })
    }

    #[test]
    fn a_game_depends_on_its_number_and_the_seed() {
        for plan in plans(8, 1) {
            assert_eq!(plan.game(3), plan.game(3));
            assert_ne!(plan.game(0), plan.game(1));
            assert_ne!(Plan { seed: 2, ..plan.clone() }.game(0), plan.game(0));
        }
    }

    #[test]
    fn scores_of_a_game_fit_together() {
        for plan in plans(10, 3) {
            let plan = Plan { random_plies: 12..=12, ..plan };
            for number in 0..20 {
                let samples = plan.game(number);
                // The first 12 of 60 or 32 moves are not kept; some games end early.
                let moves = plan.size.cells() - 4 - 12;
                assert!((moves / 4..=moves).contains(&samples.len()), "{}", samples.len());
                assert!(samples.iter().all(|sample| sample.discs() >= 16));
                for sample in &samples {
                    let empties = sample.board().empties(plan.size).count_ones();
                    assert_eq!(sample.label() == Label::Exact, empties <= 10);
                    assert_eq!(sample.score().abs(), samples[0].score().abs());
                    assert_ne!(sample.board().moves(plan.size), 0);
                }
            }
        }
    }

    #[test]
    fn labels_lie_between_the_end_and_what_searches_said() {
        let values = [Some(8), None, Some(-4), Some(20)];
        assert_eq!(labels(&values, 12, 1.0), [12, 12, 12, 12]);
        assert_eq!(labels(&values, 12, 0.0), [8, -4, -4, 20]);
        // Halves of 12 and 20, of 16 and −4, nothing new, of 6 and 8.
        assert_eq!(labels(&values, 12, 0.5), [7, 6, 6, 16]);
        let negated = values.map(|value| value.map(|value: i32| -value));
        assert_eq!(labels(&negated, -12, 0.5), [-7, -6, -6, -16]);
        assert!(labels(&[], 3, 0.5).is_empty());
    }

    #[test]
    fn searches_have_a_say_in_the_scores_of_their_games_alone() {
        let weights = Weights::embedded(Rule::Reversed, Size::EIGHT);
        let plan = Plan::new(Rule::Reversed, Size::EIGHT, 7);
        let plan = Plan { weights, solve_from: 8, random_plies: 30..=30, ..plan };
        for player in [Player::Mobile, Player::Engine { depth: 1 }] {
            let [end, search] = [1.0, 0.0].map(|lambda| {
                let plan = Plan { player, lambda, ..plan.clone() };
                (0..5).flat_map(|number| plan.game(number)).collect::<Vec<Sample>>()
            });
            assert!(end.iter().map(Sample::board).eq(search.iter().map(Sample::board)));
            let differ = |(a, b): (&Sample, &Sample)| {
                assert!(a.label() == Label::Played || a == b, "the proved score is the score");
                a.score() != b.score()
            };
            let has_search = player != Player::Mobile;
            assert_eq!(
                end.iter().zip(&search).filter(|&pair| differ(pair)).count() > 10,
                has_search
            );
        }
    }

    #[test]
    fn one_game_in_fifty_is_held_out_whole() {
        let plan = Plan::new(Rule::Normal, Size::EIGHT, 1);
        let plan = Plan { player: Player::Random, solve_from: 4, ..plan };
        let mut count = 0;
        for number in 0..1000 {
            let samples = plan.game(number);
            assert!(samples.iter().all(|s| s.is_held_out() == samples[0].is_held_out()));
            count += u32::from(samples[0].is_held_out());
        }
        // Three standard deviations of the binomial distribution are 13.
        assert!((7..=33).contains(&count), "{count}");
    }

    #[test]
    fn proved_scores_are_the_solver_s() {
        for plan in plans(8, 5) {
            for sample in plan.game(0).into_iter().filter(|sample| sample.label() == Label::Exact) {
                let mut solver = Searcher::new(Settings::new(plan.rule, plan.size));
                let solution = solver.search(sample.board(), Goal::Exact, Control::NONE);
                assert_eq!(solution.score(), sample.score());
            }
        }
    }
}
