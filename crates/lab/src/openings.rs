//! Finds balanced openings: positions of equal length that favour neither side.
//!
//! All positions that can be reached in so many moves are listed, one of each
//! eight images, shuffled by a seed, and valued: quickly first, and deeply
//! where that leaves them in question. Those within the margin are kept, in
//! the order of the shuffle.

mod values;

pub use values::Values;

use isrever_agent::Rng;
use isrever_board::{Board, Size, Square, squares};
use isrever_jobs::{Crew, RunError, Unfinished};
use std::collections::HashSet;
use std::sync::atomic::AtomicBool;

/// Positions valued by one job.
const BATCH: usize = 8;

/// What openings are wanted.
#[derive(Clone, Debug)]
pub struct Wanted {
    /// How the positions are valued, and which values are wanted.
    pub values: Values,
    /// Moves from the start.
    pub plies: u32,
    /// How many openings.
    pub count: usize,
    /// Where the order comes from.
    pub seed: u64,
}

/// There are enough.
struct Enough;

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
    pub fn find(
        &self,
        crew: &Crew,
        done: &mut dyn FnMut(usize),
        stop: &AtomicBool,
    ) -> Result<Vec<Opening>, Unfinished> {
        let mut lines = lines(self.plies, self.values.evaluator.size);
        Rng::new(self.seed).shuffle_like_rand(&mut lines);
        let batches: Vec<_> = lines.chunks(BATCH).collect();
        let mut found = Vec::new();
        // In the order of the lines, whichever job is done first.
        let mut take = |number: u64, values: Vec<Option<i32>>| {
            for ((_, moves), value) in batches[number as usize].iter().zip(values) {
                found.extend(value.map(|value| Opening { moves: moves.clone(), value }));
            }
            found.truncate(self.count);
            done(found.len());
            if found.len() == self.count { Err(Enough) } else { Ok(()) }
        };
        let job = |number: u64| {
            let boards = batches[number as usize].iter().map(|(board, _)| *board);
            boards.map(|Board { player, opponent }| [player, opponent]).collect()
        };
        match crew.in_order(&self.values, 0..batches.len() as u64, job, &mut take, stop) {
            Ok(true) => Ok(found),
            Err(RunError::Take(Enough)) => {
                crew.forget(&self.values);
                Ok(found)
            }
            Ok(false) => Err(Unfinished::Stopped),
            Err(RunError::Machine(why)) => Err(Unfinished::Failed(why)),
            Err(RunError::Remote(error)) => Err(Unfinished::Failed(error.to_string())),
        }
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
    use isrever_testkit::Backwards;
    use std::sync::Arc;

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
        let wanted = Wanted { values: values::tests::values(), plies: 5, count: 12, seed: 7 };
        let on = |wanted: &Wanted, threads| {
            let stop = AtomicBool::new(false);
            wanted.find(&Crew::Here(threads), &mut |_| {}, &stop).unwrap()
        };
        let found = on(&wanted, 1);
        assert_eq!(found.len(), 12);
        assert!(found.iter().all(|opening| opening.value.abs() <= 3 && opening.moves.len() == 5));
        assert_eq!(on(&wanted, 3), found);
        let elsewhere = Crew::Elsewhere(Arc::new(Backwards::new(|manifest| {
            let values = Values::read(&manifest.text, &|_| None, &|_| unreachable!());
            Ok(Arc::new(values?))
        })));
        let there = wanted.find(&elsewhere, &mut |_| {}, &AtomicBool::new(false));
        assert_eq!(there.unwrap(), found);
        assert_ne!(on(&Wanted { seed: 8, ..wanted.clone() }, 2), found);
        let stopped = wanted.find(&Crew::Here(2), &mut |_| {}, &AtomicBool::new(true));
        assert_eq!(stopped, Err(Unfinished::Stopped));
    }
}
