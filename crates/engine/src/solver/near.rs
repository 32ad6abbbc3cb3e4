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
    _fill: u64,
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
            Entry { board: old, data, .. } if old == board && data != 0 => {
                known.merged(Known::unpack(data))
            }
            _ => known,
        };
        entries[0] = Entry { board, data: known.pack(0), _fill: 0 };
    }
}
