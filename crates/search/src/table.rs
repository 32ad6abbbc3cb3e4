//! The transposition table, shared by all threads without locks.
//!
//! An entry is three words: both bitboards, each scrambled with the third,
//! which holds the bounds. A reader that meets a half-written entry unscrambles
//! other bitboards than it asked for, and ignores it. Whole boards are
//! compared, so that two boards are never confused.

use crate::selectivity::Selectivity;
use crate::sync::{AtomicU64, Ordering::Relaxed};
use isrever_board::{Board, Kernel};
use isrever_eval::prefer_large_pages;
use std::cmp::Ordering;
use std::hint::black_box;

/// Entries in a bucket: the places where one board may be.
const WAYS: usize = 4;

/// Bytes of a cache line.
const CACHE_LINE: usize = 64;

/// No best move is known.
pub(crate) const NO_MOVE: u8 = 64;

/// What the table holds of a board: a transposition-table node.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct TableNode {
    /// The score is at least this.
    pub(crate) lower: i8,
    /// The score is at most this.
    pub(crate) upper: i8,
    /// Index of the best move found, or [`NO_MOVE`].
    pub(crate) best: u8,
    /// The binary logarithm of the nodes that the search took.
    pub(crate) cost: u8,
    /// The depth of the search, in plies.
    pub(crate) depth: u8,
    /// The selectivity of the search. Bounds of a more daring search serve ordering only.
    pub(crate) selectivity: Selectivity,
}

impl TableNode {
    /// The bounds after a search of `depth` plies in the window from `alpha` to `beta` that returned
    /// `score`.
    #[inline(always)]
    pub(crate) fn from_window(score: i32, alpha: i32, beta: i32, depth: u32) -> TableNode {
        let lower = if score > alpha { score as i8 } else { i8::MIN };
        let upper = if score < beta { score as i8 } else { i8::MAX };
        let selectivity = Selectivity::MOST;
        TableNode { lower, upper, best: NO_MOVE, cost: 0, depth: depth as u8, selectivity }
    }

    /// The bound that decides whether the score is above `alpha`, if the search that found it was
    /// deep and sure enough.
    #[inline(always)]
    pub(crate) fn cutoff(self, alpha: i32, depth: u32, selectivity: Selectivity) -> Option<i32> {
        if u32::from(self.depth) < depth || self.selectivity < selectivity {
            return None;
        }
        let is_above = self.is_above(alpha)?;
        Some(i32::from(if is_above { self.lower } else { self.upper }))
    }

    /// Whether the score is above `alpha`, as far as these bounds tell, however shallow or daring the
    /// search was that found them.
    #[inline(always)]
    pub(crate) fn is_above(self, alpha: i32) -> Option<bool> {
        if i32::from(self.lower) > alpha {
            Some(true)
        } else if i32::from(self.upper) <= alpha {
            Some(false)
        } else {
            None
        }
    }

    pub(crate) fn pack(self, generation: u8) -> u64 {
        // The 1 keeps an empty slot from matching any board.
        let TableNode { best, cost, depth, selectivity, .. } = self;
        let [lower, upper] = [self.lower, self.upper].map(i8::cast_unsigned);
        u64::from_le_bytes([lower, upper, best, cost, selectivity.number(), generation, 1, depth])
    }

    pub(crate) fn unpack(word: u64) -> TableNode {
        let [lower, upper, best, cost, selectivity, _, _, depth] = word.to_le_bytes();
        let [lower, upper] = [lower, upper].map(u8::cast_signed);
        let selectivity = Selectivity::from_number(selectivity);
        TableNode { lower, upper, best, cost, depth, selectivity }
    }

    /// Combines this node with an older one of the same board: the deeper, surer search wins, and
    /// bounds of equal searches tighten each other.
    pub(crate) fn merged(self, old: TableNode) -> TableNode {
        match (self.depth, self.selectivity).cmp(&(old.depth, old.selectivity)) {
            Ordering::Less => old,
            Ordering::Greater => self,
            Ordering::Equal => TableNode {
                lower: self.lower.max(old.lower),
                upper: self.upper.min(old.upper),
                best: if self.best == NO_MOVE { old.best } else { self.best },
                cost: self.cost.max(old.cost),
                depth: self.depth,
                selectivity: self.selectivity,
            },
        }
    }
}

/// Scrambles the second bitboard. With the data itself, two words of one write and one of another
/// could pass for a board with some discs flipped.
#[inline(always)]
const fn scrambled(data: u64) -> u64 {
    data.wrapping_mul(0x9e37_79b9_7f4a_7c15)
}

/// An entry: both bitboards, scrambled with the data, and the data.
type Entry = [AtomicU64; 3];

/// The data of an entry, if it is about `board`.
#[inline(always)]
fn matching([player, opponent, data]: &Entry, board: Board) -> Option<u64> {
    let data = data.load(Relaxed);
    let is_same = player.load(Relaxed) ^ data == board.player
        && opponent.load(Relaxed) ^ scrambled(data) == board.opponent;
    (is_same && data != 0).then_some(data)
}

#[inline(always)]
fn write([player, opponent, word]: &Entry, board: Board, data: u64) {
    player.store(board.player ^ data, Relaxed);
    opponent.store(board.opponent ^ scrambled(data), Relaxed);
    word.store(data, Relaxed);
}

/// Empty entries. The system hands out zeros, so that memory is touched only where it is used.
#[cfg(not(loom))]
fn empty_entries(count: usize) -> Vec<Entry> {
    bytemuck::zeroed_vec(count)
}

#[cfg(loom)]
fn empty_entries(count: usize) -> Vec<Entry> {
    (0..count).map(|_| Entry::default()).collect()
}

/// Whether a table of this many bytes can be allocated, as far as the system says before the memory
/// is used. Allocating one that cannot aborts the program.
#[must_use]
pub fn has_room(bytes: usize) -> bool {
    let mut room = Vec::<u8>::new();
    let has_room = room.try_reserve_exact(bytes).is_ok();
    // Keeps the optimiser from removing the allocation.
    black_box(&mut room);
    has_room
}

/// A table of fixed size.
pub(crate) struct Table {
    entries: Box<[Entry]>,
    /// The first entry of the first bucket. It begins a cache line, so that no bucket spans more than
    /// two.
    start: usize,
    /// All buckets, and how many of them are in use.
    buckets: usize,
    used: usize,
    /// The number of the search: entries of earlier generations are replaced first.
    generation: u8,
}

impl Table {
    /// A table of at most `bytes`, but at least one bucket.
    pub(crate) fn new(bytes: usize) -> Table {
        let buckets = (bytes / (WAYS * size_of::<Entry>())).max(1);
        let mut entries = empty_entries(buckets * WAYS + CACHE_LINE / size_of::<u64>());
        prefer_large_pages(&mut entries);
        let begins_line =
            |entry| std::ptr::from_ref::<Entry>(entry).addr().is_multiple_of(CACHE_LINE);
        let start = entries.iter().position(begins_line).unwrap_or(0);
        Table { entries: entries.into_boxed_slice(), start, buckets, used: 1, generation: 0 }
    }

    /// Begins a new generation: older entries stay, but are replaced first.
    pub(crate) fn new_generation(&mut self) {
        self.generation = self.generation.wrapping_add(1);
    }

    /// Makes room for about so many entries, as far as the table may grow.
    ///
    /// It begins small, because memory costs time when it is first touched, and what lies close
    /// together is found sooner.
    pub(crate) fn make_room(&mut self, entries: usize) {
        let old = self.used;
        self.used = old.max(entries.div_ceil(WAYS)).min(self.buckets);
        if self.used > old {
            self.spread(old);
        }
    }

    /// For how many entries there is room.
    #[cfg(test)]
    pub(crate) fn room(&self) -> usize {
        self.used * WAYS
    }

    /// For how many entries there can be room.
    #[cfg(test)]
    pub(crate) fn most_room(&self) -> usize {
        self.buckets * WAYS
    }

    /// Moves the entries of the first `old` buckets to where they are looked for now, which is never
    /// before the place where they were: so the last ones go first.
    fn spread(&mut self, old: usize) {
        for at in (self.start..self.start + old * WAYS).rev() {
            let entry = std::mem::take(&mut self.entries[at]);
            let [player, opponent, data] = entry.map(|word| word.load(Relaxed));
            if data != 0 {
                let board = Board { player: player ^ data, opponent: opponent ^ scrambled(data) };
                let entry = self.place(board, board.hash());
                write(entry, board, data);
            }
        }
    }

    #[inline(always)]
    fn bucket(&self, hash: u64) -> &[Entry] {
        let bucket = ((u128::from(hash) * self.used as u128) >> 64) as usize;
        let at = self.start + bucket * WAYS;
        &self.entries[at..at + WAYS]
    }

    /// Fetches the bucket of a hash into the cache.
    #[inline(always)]
    pub(crate) fn prefetch(&self, kernel: impl Kernel, hash: u64) {
        let bucket = self.bucket(hash);
        // A bucket spans two cache lines.
        kernel.prefetch(&bucket[0]);
        kernel.prefetch(&bucket[WAYS - 1]);
    }

    /// The node of `board`, which has this hash.
    #[inline(always)]
    pub(crate) fn get(&self, board: Board, hash: u64) -> Option<TableNode> {
        self.bucket(hash).iter().find_map(|entry| matching(entry, board)).map(TableNode::unpack)
    }

    /// Stores or improves the node of `board`.
    #[inline(always)]
    pub(crate) fn put(&self, board: Board, hash: u64, node: TableNode) {
        let entry = self.place(board, hash);
        let node = match matching(entry, board) {
            Some(data) => node.merged(TableNode::unpack(data)),
            None => node,
        };
        write(entry, board, node.pack(self.generation));
    }

    /// Where to store `board`: its own entry, or the one of its bucket that is worth least.
    #[inline(always)]
    fn place(&self, board: Board, hash: u64) -> &Entry {
        let bucket = self.bucket(hash);
        let mut least = &bucket[0];
        let mut least_value = u16::MAX;
        for entry in bucket {
            if matching(entry, board).is_some() {
                return entry;
            }
            let [_, _, _, cost, _, generation, ..] = entry[2].load(Relaxed).to_le_bytes();
            let value = u16::from(cost) + if generation == self.generation { 256 } else { 0 };
            if value < least_value {
                (least, least_value) = (entry, value);
            }
        }
        least
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn board(number: u64) -> Board {
        Board { player: number, opponent: !number }
    }

    fn node(lower: i8, upper: i8, selectivity: u8) -> TableNode {
        let selectivity = Selectivity::from_number(selectivity);
        TableNode { lower, upper, best: NO_MOVE, cost: 3, depth: 9, selectivity }
    }

    #[test]
    fn more_memory_than_there_is_is_refused() {
        assert!(has_room(1 << 20));
        assert!(!has_room(usize::MAX / 2));
    }

    #[test]
    fn bounds_of_one_selectivity_tighten_and_surer_searches_win() {
        let table = Table::new(1 << 16);
        let (board, hash) = (board(5), board(5).hash());
        assert_eq!(table.get(board, hash), None);
        table.put(board, hash, node(-10, 64, 1));
        table.put(board, hash, TableNode { best: 7, ..node(-64, 20, 1) });
        assert_eq!(table.get(board, hash), Some(TableNode { best: 7, ..node(-10, 20, 1) }));
        table.put(board, hash, node(2, 2, 0));
        assert_eq!(table.get(board, hash), Some(TableNode { best: 7, ..node(-10, 20, 1) }));
        table.put(board, hash, node(-4, 4, 2));
        assert_eq!(table.get(board, hash), Some(node(-4, 4, 2)));
    }

    #[test]
    fn the_smallest_table_forgets_but_never_lies() {
        let table = Table::new(0);
        for number in 1..1000 {
            table.put(board(number), board(number).hash(), node(number as i8 % 60, 64, 0));
            for other in 1..=number {
                if let Some(found) = table.get(board(other), board(other).hash()) {
                    assert_eq!(found.lower, other as i8 % 60);
                }
            }
        }
    }

    #[test]
    fn a_table_that_grows_keeps_what_it_holds() {
        let mut table = Table::new(1 << 16);
        let mut held: Vec<u64> = Vec::new();
        for entries in [1, 30, 100, 700, 1_000, usize::MAX] {
            table.make_room(entries);
            let find = |number: u64| {
                let found = table.get(board(number), board(number).hash());
                assert!(found.is_none_or(|found| found.lower == number as i8 % 60), "{number}");
                found.is_some()
            };
            // Two neighbouring buckets may have more for a third than it has room for.
            let kept = held.iter().filter(|&&number| find(number)).count();
            assert!(kept * 20 >= held.len() * 19, "{kept} of {}", held.len());
            let numbers = 1..entries.min(2_000) as u64;
            for number in numbers.clone() {
                table.put(board(number), board(number).hash(), node(number as i8 % 60, 64, 1));
            }
            held = numbers.filter(|&number| find(number)).collect();
        }
        // There is room for some 2,700, but not in every bucket.
        assert!((1_700..2_000).contains(&held.len()), "{}", held.len());
    }

    #[test]
    fn entries_of_an_earlier_generation_are_replaced_first() {
        let mut table = Table::new(0);
        for number in 1..=4 {
            table.put(board(number), board(number).hash(), TableNode { cost: 60, ..node(0, 0, 0) });
        }
        table.new_generation();
        for number in 5..=8 {
            table.put(board(number), board(number).hash(), node(0, 0, 0));
        }
        assert!((1..=4).all(|number| table.get(board(number), board(number).hash()).is_none()));
        assert!((5..=8).all(|number| table.get(board(number), board(number).hash()).is_some()));
    }
}

#[cfg(all(test, loom))]
mod model {
    use super::*;
    use loom::thread;
    use std::sync::Arc;

    fn node(lower: i8, cost: u8) -> TableNode {
        let selectivity = Selectivity::MOST;
        TableNode { lower, upper: lower, best: NO_MOVE, cost, depth: 9, selectivity }
    }

    /// Two threads write `boards` into one entry while a third reads, in every order of their steps
    /// with at most three preemptions:
    /// the reader finds a board's own node or nothing, and nothing under boards that mix both writes.
    fn written_at_once(boards: [Board; 2]) {
        let mut model = loom::model::Builder::new();
        model.preemption_bound = Some(3);
        model.check(move || {
            let entry = Arc::new(Entry::default());
            let data = [0, 1].map(|at| node(at, 1).pack(0));
            let writing =
                |at: usize, entry: Arc<Entry>| move || write(&entry, boards[at], data[at]);
            let threads = [0, 1].map(|at| thread::spawn(writing(at, entry.clone())));
            for (board, data) in boards.into_iter().zip(data) {
                assert!(matching(&entry, board).is_none_or(|found| found == data));
            }
            let mix = data[0] ^ data[1];
            for Board { player, opponent } in boards {
                let mixed = Board { player: player ^ mix, opponent: opponent ^ mix };
                assert_eq!(matching(&entry, mixed), None);
            }
            threads.into_iter().for_each(|thread| thread.join().unwrap());
        });
    }

    #[test]
    fn a_half_written_entry_matches_no_board() {
        let [few, many, other] = [0x0f, 0xff00, 0xf0_0000];
        written_at_once([few, other].map(|player| Board { player, opponent: many }));
        written_at_once([few, other].map(|opponent| Board { player: many, opponent }));
    }

    /// Two threads store bounds of one board: afterwards the table has one or both, never others.
    #[test]
    fn bounds_stored_at_once_are_never_mixed_up() {
        let mut model = loom::model::Builder::new();
        model.preemption_bound = Some(2);
        model.check(|| {
            let table = Arc::new(Table::new(0));
            let board = Board { player: 1, opponent: 2 };
            let put =
                |node: TableNode, table: Arc<Table>| move || table.put(board, board.hash(), node);
            let nodes = [(-4, i8::MAX), (i8::MIN, 6)].map(|(lower, upper)| TableNode {
                lower,
                upper,
                ..node(0, 3)
            });
            let threads = nodes.map(|node| thread::spawn(put(node, table.clone())));
            threads.into_iter().for_each(|thread| thread.join().unwrap());
            if let Some(found) = table.get(board, board.hash()) {
                assert!(
                    [-4, i8::MIN].contains(&found.lower) && [6, i8::MAX].contains(&found.upper)
                );
            }
        });
    }
}
