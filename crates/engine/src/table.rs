//! The transposition table: what is already known of a board, shared by all threads.
//!
//! An entry is three words: both bitboards, each scrambled with the third,
//! which holds the bounds. A reader that meets a half-written entry sees other
//! bitboards than it asked for and takes it for a stranger, so no lock is
//! needed; and because whole boards are compared, two boards are never
//! confused.

mod pages;

use isrever_board::{Board, Kernel};
use std::cmp::Ordering;
use std::hint::black_box;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// Entries looked at for one board.
const WAYS: usize = 4;

/// No move is known to be best.
pub(crate) const NO_MOVE: u8 = 64;

/// What is known of a board.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Known {
    /// The score is at least this.
    pub(crate) lower: i8,
    /// The score is at most this.
    pub(crate) upper: i8,
    /// Index of the best move found, or [`NO_MOVE`].
    pub(crate) best: u8,
    /// The binary logarithm of the nodes that it took to know this.
    pub(crate) cost: u8,
    /// How many plies deep the search was that found the bounds.
    pub(crate) depth: u8,
    /// How far it can be trusted: bounds of a lower level are good for ordering only.
    pub(crate) level: u8,
}

impl Known {
    /// What a search of `depth` plies in the window from `alpha` to `beta` has proved that ended
    /// with `score`.
    #[inline(always)]
    pub(crate) fn from_window(score: i32, alpha: i32, beta: i32, depth: u32) -> Known {
        let lower = if score > alpha { score as i8 } else { i8::MIN };
        let upper = if score < beta { score as i8 } else { i8::MAX };
        Known { lower, upper, best: NO_MOVE, cost: 0, depth: depth as u8, level: 0 }
    }

    /// The bound that says whether the score is above `alpha`, if a search of so many plies that can
    /// be trusted so far has found one.
    #[inline(always)]
    pub(crate) fn settles(self, alpha: i32, depth: u32, level: u8) -> Option<i32> {
        let is_good_enough = u32::from(self.depth) >= depth && self.level >= level;
        let [lower, upper] = [self.lower, self.upper].map(i32::from);
        if is_good_enough && lower > alpha {
            Some(lower)
        } else if is_good_enough && upper <= alpha {
            Some(upper)
        } else {
            None
        }
    }

    pub(crate) fn pack(self, date: u8) -> u64 {
        // The 1 keeps an empty slot from matching any board.
        let Known { best, cost, depth, level, .. } = self;
        let [lower, upper] = [self.lower, self.upper].map(i8::cast_unsigned);
        u64::from_le_bytes([lower, upper, best, cost, level, date, 1, depth])
    }

    pub(crate) fn unpack(word: u64) -> Known {
        let [lower, upper, best, cost, level, _, _, depth] = word.to_le_bytes();
        Known { lower: lower.cast_signed(), upper: upper.cast_signed(), best, cost, depth, level }
    }

    /// What is known when both this and what was known before are true.
    pub(crate) fn merged(self, old: Known) -> Known {
        match (self.depth, self.level).cmp(&(old.depth, old.level)) {
            Ordering::Less => old,
            Ordering::Greater => self,
            Ordering::Equal => Known {
                lower: self.lower.max(old.lower),
                upper: self.upper.min(old.upper),
                best: if self.best == NO_MOVE { old.best } else { self.best },
                cost: self.cost.max(old.cost),
                depth: self.depth,
                level: self.level,
            },
        }
    }
}

/// What the second bitboard is mixed with. Were it the data itself, two words of one write and
/// one of another could pass for a board with some discs turned.
#[inline(always)]
const fn scrambled(data: u64) -> u64 {
    data.wrapping_mul(0x9e37_79b9_7f4a_7c15)
}

#[derive(Default)]
struct Entry {
    player: AtomicU64,
    opponent: AtomicU64,
    data: AtomicU64,
}

impl Entry {
    #[inline(always)]
    fn matches(&self, board: Board) -> Option<u64> {
        let data = self.data.load(Relaxed);
        let is_same = self.player.load(Relaxed) ^ data == board.player
            && self.opponent.load(Relaxed) ^ scrambled(data) == board.opponent;
        (is_same && data != 0).then_some(data)
    }

    #[inline(always)]
    fn write(&self, board: Board, data: u64) {
        self.player.store(board.player ^ data, Relaxed);
        self.opponent.store(board.opponent ^ scrambled(data), Relaxed);
        self.data.store(data, Relaxed);
    }
}

/// Whether so many bytes for remembered boards can be had, as far as the system says before they are
/// used. A table that cannot be had ends the program.
#[must_use]
pub fn has_room(bytes: usize) -> bool {
    let mut room = Vec::<u8>::new();
    let is_had = room.try_reserve_exact(bytes).is_ok();
    // Memory that nobody looks at need not be asked for.
    black_box(&mut room);
    is_had
}

/// A table of fixed size.
pub(crate) struct Table {
    entries: Box<[Entry]>,
    /// Search number: entries of earlier searches are the first to go.
    date: u8,
}

impl Table {
    /// A table that takes at most `bytes`, but has room for at least one bucket.
    pub(crate) fn new(bytes: usize) -> Table {
        let buckets = (bytes / (WAYS * size_of::<Entry>())).max(1);
        let mut entries = Vec::with_capacity(buckets * WAYS);
        pages::prefer_large(&mut entries);
        entries.resize_with(buckets * WAYS, Entry::default);
        Table { entries: entries.into_boxed_slice(), date: 0 }
    }

    /// Begins a new search: what earlier ones left stays, but makes room first.
    pub(crate) fn begin(&mut self) {
        self.date = self.date.wrapping_add(1);
    }

    #[inline(always)]
    fn bucket(&self, hash: u64) -> &[Entry] {
        let buckets = (self.entries.len() / WAYS) as u128;
        let at = ((u128::from(hash) * buckets) >> 64) as usize * WAYS;
        &self.entries[at..at + WAYS]
    }

    /// Begins to fetch what is known of the board with this hash.
    #[inline(always)]
    pub(crate) fn prefetch(&self, kernel: impl Kernel, hash: u64) {
        let bucket = self.bucket(hash);
        // A bucket lies on two cache lines, or on three.
        kernel.prefetch(&bucket[0]);
        kernel.prefetch(&bucket[WAYS - 1]);
    }

    /// What is known of `board`, whose hash is given.
    #[inline(always)]
    pub(crate) fn get(&self, board: Board, hash: u64) -> Option<Known> {
        self.bucket(hash).iter().find_map(|entry| entry.matches(board)).map(Known::unpack)
    }

    /// Adds to what is known of `board`.
    #[inline(always)]
    pub(crate) fn put(&self, board: Board, hash: u64, known: Known) {
        let bucket = self.bucket(hash);
        let mut least = &bucket[0];
        let mut least_worth = u16::MAX;
        for entry in bucket {
            if let Some(data) = entry.matches(board) {
                entry.write(board, known.merged(Known::unpack(data)).pack(self.date));
                return;
            }
            let [_, _, _, cost, _, date, ..] = entry.data.load(Relaxed).to_le_bytes();
            let worth = u16::from(cost) + if date == self.date { 256 } else { 0 };
            if worth < least_worth {
                (least, least_worth) = (entry, worth);
            }
        }
        least.write(board, known.pack(self.date));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn board(number: u64) -> Board {
        Board { player: number, opponent: !number }
    }

    fn known(lower: i8, upper: i8, level: u8) -> Known {
        Known { lower, upper, best: NO_MOVE, cost: 3, depth: 9, level }
    }

    #[test]
    fn more_memory_than_there_is_cannot_be_had() {
        assert!(has_room(1 << 20));
        assert!(!has_room(1 << 62));
    }

    #[test]
    fn bounds_of_one_level_close_in_and_higher_levels_win() {
        let table = Table::new(1 << 16);
        let (board, hash) = (board(5), board(5).hash());
        assert_eq!(table.get(board, hash), None);
        table.put(board, hash, known(-10, 64, 1));
        table.put(board, hash, Known { best: 7, ..known(-64, 20, 1) });
        assert_eq!(table.get(board, hash), Some(Known { best: 7, ..known(-10, 20, 1) }));
        table.put(board, hash, known(2, 2, 0));
        assert_eq!(table.get(board, hash), Some(Known { best: 7, ..known(-10, 20, 1) }));
        table.put(board, hash, known(-4, 4, 2));
        assert_eq!(table.get(board, hash), Some(known(-4, 4, 2)));
    }

    #[test]
    fn the_smallest_table_forgets_but_never_lies() {
        let table = Table::new(0);
        for number in 1..1000 {
            table.put(board(number), board(number).hash(), known(number as i8 % 60, 64, 0));
            for other in 1..=number {
                if let Some(found) = table.get(board(other), board(other).hash()) {
                    assert_eq!(found.lower, other as i8 % 60);
                }
            }
        }
    }

    #[test]
    fn entries_of_an_earlier_search_make_room_first() {
        let mut table = Table::new(0);
        for number in 1..=4 {
            table.put(board(number), board(number).hash(), Known { cost: 60, ..known(0, 0, 0) });
        }
        table.begin();
        for number in 5..=8 {
            table.put(board(number), board(number).hash(), known(0, 0, 0));
        }
        assert!((1..=4).all(|number| table.get(board(number), board(number).hash()).is_none()));
        assert!((5..=8).all(|number| table.get(board(number), board(number).hash()).is_some()));
    }
}
