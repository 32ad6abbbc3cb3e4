//! Finds balanced openings: positions of equal length that favour neither side.
//!
//! All positions that can be reached in so many moves are listed, one of each
//! eight images, shuffled by a seed, and valued: quickly first, and deeply
//! where that leaves them in question. Those within the margin are kept, in
//! the order of the shuffle.

use isrever_agent::Rng;
use isrever_board::{Board, Size, Square, squares};
use isrever_search::{Control, Goal, Searcher, Settings};
use rayon::prelude::*;
use std::collections::HashSet;

/// Plies of the quick search.
const QUICK: u32 = 8;

/// Discs by which the quick value may lie outside the margin.
const DOUBT: i32 = 3;

/// Positions valued at a time: between two such blocks it is asked whether there are enough.
const BLOCK: usize = 64;

/// Memory of each search.
const HASH_BYTES: usize = 16 << 20;

/// What openings are wanted.
#[derive(Clone, Copy, Debug)]
pub struct Wanted {
    /// How the positions are valued: rule, board and weights.
    pub settings: Settings,
    /// Moves from the start.
    pub plies: u32,
    /// How many openings.
    pub count: usize,
    /// The most discs that either side may be ahead by.
    pub most: i32,
    /// Plies of the deep search.
    pub depth: u32,
    /// How often, in hundredths, its cuts are right.
    pub percent: u8,
    /// Where the order comes from.
    pub seed: u64,
}

/// Moves from the start, and what the position after them is worth to the side to move.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Opening {
    /// The moves; there is no pass among them.
    pub moves: Vec<Square>,
    /// The value by the deep search, in discs.
    pub value: i32,
}

impl Wanted {
    /// The openings, or as many as there are; `done` is told how many have been found.
    pub fn find(&self, done: &(dyn Fn(usize) + Sync)) -> Vec<Opening> {
        let mut lines = lines(self.plies, self.settings.size);
        Rng::new(self.seed).shuffle_like_rand(&mut lines);
        let mut found = Vec::new();
        for block in lines.chunks(BLOCK) {
            // In the order of the block, whichever thread is done first.
            found.par_extend(block.par_iter().filter_map(|(board, moves)| {
                let value = self.value(*board)?;
                Some(Opening { moves: moves.clone(), value })
            }));
            found.truncate(self.count);
            done(found.len());
            if found.len() == self.count {
                break;
            }
        }
        found
    }

    /// The value of a board that lies within the margin.
    fn value(&self, board: Board) -> Option<i32> {
        let mut solver = Searcher::new(Settings { hash_bytes: HASH_BYTES, ..self.settings });
        let mut by = |depth, percent, most| {
            let goal = Goal::Value { depth, confidence: percent };
            let value = solver.search(board, goal, Control::NONE).score();
            (value.abs() <= most).then_some(value)
        };
        by(self.depth.min(QUICK), 100, self.most + DOUBT)?;
        by(self.depth, self.percent, self.most)
    }
}

/// Every position after so many moves without a pass, the game not over, one of each eight images,
/// and moves that lead to it.
fn lines(plies: u32, size: Size) -> Vec<(Board, Vec<Square>)> {
    let mut lines = vec![(Board::start(size), Vec::new())];
    for _ in 0..plies {
        let mut seen = HashSet::new();
        let mut next = Vec::new();
        for (board, moves) in &lines {
            for square in squares(board.moves(size)) {
                let after = board.play(square, size).expect("a legal move");
                if after.moves(size) != 0 && seen.insert(after.canonical(size).0) {
                    next.push((after, [&moves[..], &[square]].concat()));
                }
            }
        }
        lines = next;
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;
    use isrever_board::{Game, Rule};

    #[test]
    fn every_position_is_listed_once_and_no_two_are_images() {
        // Of the four first moves one is left; of the three replies to it, three.
        let counts: Vec<usize> = (0..=4).map(|plies| lines(plies, Size::EIGHT).len()).collect();
        assert_eq!(counts, [1, 1, 3, 14, 60]);
        let lines = lines(4, Size::EIGHT);
        let canonical: HashSet<Board> =
            lines.iter().map(|(board, _)| board.canonical(Size::EIGHT).0).collect();
        assert_eq!(canonical.len(), lines.len());
        for (board, moves) in lines {
            let mut game = Game::new(Rule::Reversed, Size::EIGHT);
            moves.iter().for_each(|&square| game.place(square).unwrap());
            assert_eq!(game.position().board(), Some(board));
        }
    }

    #[test]
    fn openings_are_within_the_margin_and_the_same_on_any_number_of_threads() {
        let settings = Settings::new(Rule::Reversed, Size::EIGHT);
        let wanted =
            Wanted { settings, plies: 5, count: 12, most: 3, depth: 4, percent: 100, seed: 7 };
        let on = |threads| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| wanted.find(&|_| {}))
        };
        let found = on(1);
        assert_eq!(found.len(), 12);
        assert!(found.iter().all(|opening| opening.value.abs() <= 3 && opening.moves.len() == 5));
        assert_eq!(on(3), found);
        let other = Wanted { seed: 8, ..wanted }.find(&|_| {});
        assert_ne!(other, found);
    }
}
