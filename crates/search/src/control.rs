//! Lets the caller watch, limit and stop a search, and keep its nodes.
//!
//! The search has no clock and no files. The caller hands it a stop flag, a
//! node counter and callbacks.

use crate::selectivity::Selectivity;
use crate::table::{NO_MOVE, TableNode};
use isrever_board::{Board, Move, Size, Square};
use std::sync::atomic::{AtomicBool, AtomicU64};

/// How the caller watches and stops a search.
///
/// ```
/// use isrever_board::{Board, Rule, Size};
/// use isrever_search::{Control, Goal, Searcher, Settings};
/// use std::sync::atomic::AtomicBool;
///
/// // A flag that is set already: the search still answers with a legal move.
/// let stop = AtomicBool::new(true);
/// let control = Control { stop: &stop, ..Control::NONE };
/// let mut searcher = Searcher::new(Settings::new(Rule::Reversed, Size::EIGHT));
/// let answer = searcher.search(Board::start(Size::EIGHT), Goal::Exact, control);
/// assert!(answer.best().is_some() && !answer.is_exact);
/// ```
#[derive(Clone, Copy)]
pub struct Control<'a> {
    /// Stops the search within a moment once any thread sets it.
    pub stop: &'a AtomicBool,
    /// Stops the search after about this many nodes; with one thread, always after the same.
    pub max_nodes: Option<u64>,
    /// As many boards as there is time to store, if time is limited: the transposition table is made
    /// no larger than these can fill, because memory costs time when it is first touched.
    pub expected_entries: Option<u64>,
    /// Called at the beginning of every iteration.
    pub progress: &'a (dyn Fn(Progress) + Sync),
    /// A counter that the search adds its nodes to, many times a second and completely at the end.
    pub nodes: Option<&'a AtomicU64>,
    /// Receives nodes that took long to search.
    pub stored_nodes: Option<StoredNodes<'a>>,
}

impl Control<'static> {
    /// Runs to the end, unwatched.
    pub const NONE: Control<'static> = Control {
        stop: {
            static NEVER: AtomicBool = AtomicBool::new(false);
            &NEVER
        },
        max_nodes: None,
        expected_entries: None,
        progress: &|_| {},
        nodes: None,
        stored_nodes: None,
    };
}

/// How far a search is when an iteration begins.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Progress {
    /// The number of the iteration, from 1 on.
    pub iteration: usize,
    /// How many iterations there are.
    pub iterations: usize,
    /// The score of the iteration before, and its best move; `None` in the first.
    pub guess: Option<(i32, Option<Move>)>,
    /// The depth of the iteration before, in plies; 0 in the first.
    pub depth: u32,
    /// In how many of 100 cases its cuts are right: 100 if there were none, 0 if that is unknown.
    pub confidence: u8,
    /// Nodes so far.
    pub nodes: u64,
}

/// What a search found of a board on its way, for the side to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Bounds {
    /// The score is at least this, as far as the search could see.
    pub lower: i32,
    /// The score is at most this, as far as the search could see.
    pub upper: i32,
    /// The depth of the search, in plies.
    pub depth: u32,
    /// In how many of 100 cases its cuts are right.
    pub confidence: u8,
}

impl From<TableNode> for Bounds {
    fn from(node: TableNode) -> Bounds {
        Bounds {
            lower: node.lower.into(),
            upper: node.upper.into(),
            depth: node.depth.into(),
            confidence: node.selectivity.confidence(),
        }
    }
}

/// Receives nodes that took long to search, to keep them for a later run.
#[derive(Clone, Copy)]
pub struct StoredNodes<'a> {
    /// Only nodes that took one thread at least this many nodes.
    pub min_nodes: u64,
    /// Called from any thread of the search.
    pub report: &'a (dyn Fn(StoredNode) + Sync),
}

/// A node of the transposition table that a later search can begin with.
///
/// Its bounds hold for the board whatever the question was, so it serves every search of the same
/// size under the same rule.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct StoredNode {
    /// The board as the table holds it: near the start, in canonical form.
    pub board: Board,
    /// The selectivity of the search. Bounds that are not [`Selectivity::NONE`] save only equally
    /// or more daring iterations, and never decide a proof.
    pub selectivity: Selectivity,
    /// The score is at least this.
    pub lower: i8,
    /// The score is at most this.
    pub upper: i8,
    /// The best move's square, if one is known.
    pub best: Option<Square>,
    /// The nodes that the search took.
    pub nodes: u64,
}

impl StoredNode {
    pub(crate) fn new(board: Board, node: TableNode, nodes: u64, size: Size) -> StoredNode {
        // The table uses numbers beyond all scores for "no bound".
        let most = size.cells() as i8;
        StoredNode {
            board,
            selectivity: node.selectivity,
            lower: node.lower.max(-most),
            upper: node.upper.min(most),
            best: (node.best != NO_MOVE).then(|| Square::from_index(node.best.into())),
            nodes,
        }
    }

    pub(crate) fn table_node(self, size: Size) -> TableNode {
        TableNode {
            lower: self.lower,
            upper: self.upper,
            best: self.best.map_or(NO_MOVE, |square| square.index() as u8),
            cost: self.nodes.max(1).ilog2() as u8,
            depth: self.board.empties(size).count_ones() as u8,
            selectivity: self.selectivity,
        }
    }
}
