//! How a running solve is watched, stopped, and kept for another day.
//!
//! The solver has no clock and no files: whoever asks hands it a flag, a
//! counter and callbacks, and decides what to make of what they are told.

use super::search::PROVED;
use crate::table::{Known, NO_MOVE};
use isrever_board::{Board, Move, Size, Square};
use std::sync::atomic::{AtomicBool, AtomicU64};

/// How a running solve is watched and stopped.
#[derive(Clone, Copy)]
pub struct Control<'a> {
    /// Set it, from any thread, and the solve ends within a moment.
    pub stop: &'a AtomicBool,
    /// Stop after about so many nodes; with one thread, always after the same.
    pub most_nodes: Option<u64>,
    /// Told at the beginning of every pass.
    pub progress: &'a (dyn Fn(Progress) + Sync),
    /// Visited boards are added to it, many times a second and completely at the end.
    pub nodes: Option<&'a AtomicU64>,
    /// Who wants to know what was found on the way.
    pub findings: Option<Findings<'a>>,
}

impl Control<'static> {
    /// Runs to the end, unwatched.
    pub const NONE: Control<'static> = Control {
        stop: {
            static NEVER: AtomicBool = AtomicBool::new(false);
            &NEVER
        },
        most_nodes: None,
        progress: &|_| {},
        nodes: None,
        findings: None,
    };
}

/// How far a solve has come when a pass begins.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Progress {
    /// The number of the pass, from 1 on.
    pub pass: usize,
    /// How many passes there are: the last one proves, those before it guess.
    pub passes: usize,
    /// What the pass before found, and the best move; `None` in the first.
    pub guess: Option<(i32, Option<Move>)>,
    /// How many plies deep that pass was; 0 in the first.
    pub depth: u32,
    /// How often, in hundredths, its cuts are right: 100 if there were none, 0 if nobody knows.
    pub percent: u8,
    /// Boards visited so far.
    pub nodes: u64,
}

/// Who wants to know what took long to find, to keep it for a later run.
#[derive(Clone, Copy)]
pub struct Findings<'a> {
    /// Only what took one thread at least this many nodes.
    pub from_nodes: u64,
    /// Called from any of the searching threads.
    pub tell: &'a (dyn Fn(Finding) + Sync),
}

/// What was found out about a board on the way to a solution.
///
/// It is true of the board whatever the question was, so it serves every later solve of the same
/// size under the same rule.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Finding {
    /// The board, in the form in which the solver looks it up: near the start that is the
    /// canonical one.
    pub board: Board,
    /// How far it can be trusted: [`Finding::PROVED`], or the level of a pass that cuts or leaves
    /// moves out. What such a pass found saves only passes of the same or a lower level, and never
    /// decides a proof.
    pub level: u8,
    /// The score is at least this.
    pub lower: i8,
    /// The score is at most this.
    pub upper: i8,
    /// The best move's square, if one is known.
    pub best: Option<Square>,
    /// The nodes it took.
    pub nodes: u64,
}

impl Finding {
    /// The level of what is proved: no move was left out.
    pub const PROVED: u8 = PROVED;

    pub(super) fn new(board: Board, known: Known, nodes: u64, size: Size) -> Finding {
        // The table has numbers beyond all scores for "no bound".
        let most = size.cells() as i8;
        Finding {
            board,
            level: known.level,
            lower: known.lower.max(-most),
            upper: known.upper.min(most),
            best: (known.best != NO_MOVE).then(|| Square::from_index(known.best.into())),
            nodes,
        }
    }

    /// As the table holds it.
    pub(super) fn known(self, size: Size) -> Known {
        Known {
            lower: self.lower,
            upper: self.upper,
            best: self.best.map_or(NO_MOVE, |square| square.index() as u8),
            cost: self.nodes.max(1).ilog2() as u8,
            depth: self.board.empties(size).count_ones() as u8,
            level: self.level,
        }
    }
}
