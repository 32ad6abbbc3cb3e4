//! A thread's own small transposition table for boards close to the end.
//!
//! Most nodes are close to the end, and a board that recurs there recurs soon.
//! A probe of the shared table would wait for memory; this table fits into the
//! core's own cache, and no other thread writes to it.

use crate::table::TableNode;
use isrever_board::Board;

/// Pairs of boards: 256 KiB of them, a part of the cache of second level.
const PAIRS: usize = 1 << 12;

/// A board and its packed [`TableNode`]; 0 if the entry is empty.
#[derive(Clone, Copy, Default)]
struct Entry {
    board: Board,
    data: u64,
}

/// Two boards on one cache line, the one written last in front.
#[derive(Clone, Copy, Default)]
#[repr(align(64))]
struct Pair([Entry; 2]);

/// The table of one thread.
pub(crate) struct LocalTable {
    pairs: Box<[Pair]>,
}

impl LocalTable {
    /// An empty table.
    pub(crate) fn new() -> LocalTable {
        LocalTable { pairs: vec![Pair::default(); PAIRS].into_boxed_slice() }
    }

    #[inline(always)]
    fn at(hash: u64) -> usize {
        (hash >> (64 - PAIRS.ilog2())) as usize
    }

    /// The node of `board`, which has this hash.
    #[inline(always)]
    pub(crate) fn get(&self, board: Board, hash: u64) -> Option<TableNode> {
        let Pair(entries) = &self.pairs[LocalTable::at(hash)];
        let entry = entries.iter().find(|entry| entry.board == board && entry.data != 0);
        entry.map(|entry| TableNode::unpack(entry.data))
    }

    /// Stores or improves the node of `board`.
    #[inline(always)]
    pub(crate) fn put(&mut self, board: Board, hash: u64, node: TableNode) {
        let Pair(entries) = &mut self.pairs[LocalTable::at(hash)];
        if entries[0].board != board || entries[0].data == 0 {
            entries.swap(0, 1);
        }
        let node = match entries[0] {
            Entry { board: old, data } if old == board && data != 0 => {
                node.merged(TableNode::unpack(data))
            }
            _ => node,
        };
        entries[0] = Entry { board, data: node.pack(0) };
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::selectivity::Selectivity;
    use crate::table::NO_MOVE;

    fn board(number: u64) -> Board {
        Board { player: number, opponent: !number }
    }

    fn node(lower: i8, upper: i8) -> TableNode {
        let selectivity = Selectivity::MOST;
        TableNode { lower, upper, best: NO_MOVE, cost: 0, depth: 9, selectivity }
    }

    #[test]
    fn two_boards_share_a_line_and_the_older_one_is_replaced() {
        let mut table = LocalTable::new();
        let hash = board(1).hash();
        assert_eq!(table.get(board(1), hash), None);
        for number in 1..=3 {
            table.put(board(number), hash, node(number as i8, 64));
        }
        assert_eq!(
            [1, 2, 3].map(|number| table.get(board(number), hash).is_some()),
            [false, true, true]
        );
        assert_eq!(table.get(board(3), hash), Some(node(3, 64)));
    }

    #[test]
    fn bounds_of_a_board_tighten_in_either_place() {
        let mut table = LocalTable::new();
        let hash = board(5).hash();
        table.put(board(5), hash, node(-10, 64));
        table.put(board(6), hash, node(0, 0));
        table.put(board(5), hash, TableNode { best: 7, ..node(-64, 20) });
        assert_eq!(table.get(board(5), hash), Some(TableNode { best: 7, ..node(-10, 20) }));
        assert_eq!(table.get(board(6), hash), Some(node(0, 0)));
    }
}
