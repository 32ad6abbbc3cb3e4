//! What one thread remembers of boards close to the end.
//!
//! Such boards are most of a search, and whichever of them comes again comes
//! soon. In the table that all threads share each look would wait for memory;
//! here all boards fit into the nearest cache of the processor, and nobody
//! else's writes disturb it.

use crate::table::Known;
use isrever_board::Board;

/// Pairs of boards: one mebibyte of them.
const PAIRS: usize = 1 << 14;

/// A board and what is known of it, the latter as it is packed in the table; 0 if nothing is.
#[derive(Clone, Copy, Default)]
struct Entry {
    board: Board,
    data: u64,
}

/// Two boards on one line of the cache, the one that was written last in front.
#[derive(Clone, Copy, Default)]
#[repr(align(64))]
struct Pair([Entry; 2]);

/// The boards that one thread remembers by itself.
pub(super) struct Near {
    pairs: Box<[Pair]>,
}

impl Near {
    /// Remembers nothing yet.
    pub(super) fn new() -> Near {
        Near { pairs: vec![Pair::default(); PAIRS].into_boxed_slice() }
    }

    #[inline(always)]
    fn at(hash: u64) -> usize {
        (hash >> (64 - PAIRS.ilog2())) as usize
    }

    /// What is known of `board`, whose hash is given.
    #[inline(always)]
    pub(super) fn get(&self, board: Board, hash: u64) -> Option<Known> {
        let Pair(entries) = &self.pairs[Near::at(hash)];
        let entry = entries.iter().find(|entry| entry.board == board && entry.data != 0);
        entry.map(|entry| Known::unpack(entry.data))
    }

    /// Adds to what is known of `board`.
    #[inline(always)]
    pub(super) fn put(&mut self, board: Board, hash: u64, known: Known) {
        let Pair(entries) = &mut self.pairs[Near::at(hash)];
        if entries[0].board != board || entries[0].data == 0 {
            entries.swap(0, 1);
        }
        let known = match entries[0] {
            Entry { board: old, data } if old == board && data != 0 => {
                known.merged(Known::unpack(data))
            }
            _ => known,
        };
        entries[0] = Entry { board, data: known.pack(0) };
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::NO_MOVE;

    fn board(number: u64) -> Board {
        Board { player: number, opponent: !number }
    }

    fn known(lower: i8, upper: i8) -> Known {
        Known { lower, upper, best: NO_MOVE, cost: 0, depth: 9, level: 1 }
    }

    #[test]
    fn two_boards_share_a_line_and_the_older_one_goes_first() {
        let mut near = Near::new();
        let hash = board(1).hash();
        assert_eq!(near.get(board(1), hash), None);
        for number in 1..=3 {
            near.put(board(number), hash, known(number as i8, 64));
        }
        assert_eq!(
            [1, 2, 3].map(|number| near.get(board(number), hash).is_some()),
            [false, true, true]
        );
        assert_eq!(near.get(board(3), hash), Some(known(3, 64)));
    }

    #[test]
    fn bounds_of_a_board_close_in_whichever_place_it_has() {
        let mut near = Near::new();
        let hash = board(5).hash();
        near.put(board(5), hash, known(-10, 64));
        near.put(board(6), hash, known(0, 0));
        near.put(board(5), hash, Known { best: 7, ..known(-64, 20) });
        assert_eq!(near.get(board(5), hash), Some(Known { best: 7, ..known(-10, 20) }));
        assert_eq!(near.get(board(6), hash), Some(known(0, 0)));
    }
}
