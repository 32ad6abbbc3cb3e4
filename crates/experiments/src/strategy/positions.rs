//! Positions with values: from games of the engine against itself, and from the exam.

use super::super::Context;
use super::features::{COUNT, SIZE, counts};
use isrever_agent::Rng;
use isrever_board::text::{Defaults, Format, Record, read};
use isrever_board::{Board, Move, Rule};
use isrever_search::{Control, Goal, Searcher, Settings};
use rayon::prelude::*;

/// The exam: positions of 24 to 28 empty squares with proved scores, none of them trained on.
const EXAM: &str = include_str!("../../../../testdata/exams/reversed-24-28.obf");

/// Memory of a game's searcher in bytes, enough for these searches.
const HASH_BYTES: usize = 1 << 20;

/// In how many of 100 cases a cut of the searches that value positions must be right.
const CONFIDENCE: u8 = 95;

/// Plies of the searches that choose moves.
const PLAYER_PLIES: u32 = 1;

/// A position with its features and its value, seen by the side to move.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Valued {
    pub(super) counts: [i32; COUNT],
    pub(super) value: i32,
    pub(super) is_proved: bool,
}

/// How positions are drawn and valued.
pub(super) struct Sampling {
    seed: u64,
    /// The empty squares of each phase; a position has as many, or one more.
    phases: Vec<u32>,
    depth: u32,
    solve: u32,
    opening: u32,
    random: u32,
}

impl Sampling {
    /// The sampling of a specification.
    pub(super) fn new(context: &Context<'_>) -> Sampling {
        let [depth, solve, opening, random] =
            ["depth", "solve", "opening", "random"].map(|key| context.count(key) as u32);
        let phases = context.counts("empties").into_iter().map(|empties| empties as u32).collect();
        Sampling { seed: context.seed(), phases, depth, solve, opening, random }
    }

    /// The positions of so many games under `rule`, by phase: one of each phase from a game, so
    /// that the positions of a phase are independent of each other.
    pub(super) fn positions(&self, context: &Context<'_>, rule: Rule) -> Vec<Vec<Valued>> {
        let games: Vec<Vec<(usize, Valued)>> = (0..context.count("games"))
            .into_par_iter()
            .map(|number| {
                let positions = self.game(rule, number);
                context.progress.advance(1);
                positions
            })
            .collect();
        let mut phases = vec![Vec::new(); self.phases.len()];
        for (phase, valued) in games.into_iter().flatten() {
            phases[phase].push(valued);
        }
        phases
    }

    /// The positions of game `number`, each with the place of its phase.
    fn game(&self, rule: Rule, number: u64) -> Vec<(usize, Valued)> {
        let mut rng = Rng::stream(self.seed, number);
        // One side may play worse than the other, so that positions are good, bad and level. An
        // odd and an even number of empty squares are equally likely, or parity could not be told.
        let rates = [(); 2].map(|()| rng.below(self.random + 1));
        let wanted: Vec<u32> = self.phases.iter().map(|empties| empties + rng.below(2)).collect();
        let fewest = wanted.iter().copied().min().unwrap_or(0);
        let mut searcher = searcher(rule);
        let (mut board, mut ply, mut side) = (Board::start(SIZE), 0, 0);
        let mut positions = Vec::new();
        loop {
            let (moves, empties) = (board.moves(SIZE), board.empties(SIZE).count_ones());
            if empties < fewest || board.is_over(SIZE) {
                return positions;
            }
            if moves == 0 {
                (board, side) = (board.pass(), 1 - side);
                continue;
            }
            for (phase, _) in wanted.iter().enumerate().filter(|(_, wanted)| **wanted == empties) {
                positions.push((phase, self.valued(board, &mut searcher)));
            }
            let is_random = ply < self.opening || rng.below(100) < rates[side];
            let square = match is_random {
                true => rng.square(moves),
                false => {
                    let goal = Goal::Value { depth: PLAYER_PLIES, confidence: 100 };
                    match searcher.search(board, goal, Control::NONE).best() {
                        Some(Move::Place(square)) => square,
                        _ => unreachable!("the board has a move"),
                    }
                }
            };
            board = board.play(square, SIZE).expect("a legal move");
            (ply, side) = (ply + 1, 1 - side);
        }
    }

    /// A board with its value: proved near the end, by a search elsewhere.
    fn valued(&self, board: Board, searcher: &mut Searcher) -> Valued {
        let goal = match board.empties(SIZE).count_ones() <= self.solve {
            true => Goal::Exact,
            false => Goal::Value { depth: self.depth, confidence: CONFIDENCE },
        };
        let answer = searcher.search(board, goal, Control::NONE);
        Valued { counts: counts(board), value: answer.score(), is_proved: answer.is_exact }
    }

    /// The exam's positions with their proved scores, and the same with values of a search.
    pub(super) fn exam(&self, context: &Context<'_>) -> Vec<[Valued; 2]> {
        exam()
            .into_par_iter()
            .map(|(board, score)| {
                let searched = self.valued(board, &mut searcher(Rule::Reversed));
                context.progress.advance(1);
                [Valued { value: score, is_proved: true, ..searched }, searched]
            })
            .collect()
    }
}

/// A searcher with an empty table: earlier positions have a say in values and equal moves.
fn searcher(rule: Rule) -> Searcher {
    Searcher::new(Settings { hash_bytes: HASH_BYTES, ..Settings::new(rule, SIZE) })
}

/// How many positions the exam has.
pub(super) fn exam_len() -> u64 {
    exam().len() as u64
}

/// The exam's boards with the score of their best move.
fn exam() -> Vec<(Board, i32)> {
    let records = read(EXAM.as_bytes(), Some(Format::Obf), Defaults::default());
    let records = records.expect("the exam is read by tests");
    let question = |record: Record| {
        let best = record.scores.iter().map(|(_, score)| *score).max();
        (record.game.position().board().expect("the exam is on 8×8"), best.expect("it has scores"))
    };
    records.into_iter().map(question).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sampling() -> Sampling {
        Sampling { seed: 1, phases: vec![6, 30], depth: 2, solve: 8, opening: 6, random: 40 }
    }

    #[test]
    fn a_game_gives_one_position_of_each_phase_that_it_reaches() {
        let mut odd = [0; 2];
        for rule in Rule::ALL {
            for number in 0..30 {
                let positions = sampling().game(rule, number);
                assert!(positions.len() <= 2, "{positions:?}");
                assert_eq!(positions[0].0, 1, "every game reaches the middle");
                for (phase, valued) in &positions {
                    assert_eq!(valued.is_proved, *phase == 0, "{valued:?}");
                    odd[*phase] += valued.counts[8];
                }
                assert_eq!(positions, sampling().game(rule, number));
            }
        }
        // Three standard deviations of the binomial distribution of 60 are 12.
        assert!(odd.iter().all(|count| (16..=44).contains(count)), "{odd:?}");
    }

    #[test]
    fn the_exam_is_read_with_its_best_scores() {
        let exam = exam();
        assert_eq!(exam.len() as u64, exam_len());
        assert_eq!((exam.len(), exam[0].1, exam[1].1), (500, 14, 0));
        for (board, score) in exam {
            assert!((24..=28).contains(&board.empties(SIZE).count_ones()));
            assert!(score.abs() <= 64 && board.moves(SIZE) != 0);
        }
    }
}
