//! Where the evaluation pays for its time, by size of board.

use isrever_board::Size;

/// Where the evaluation pays for its time, on boards of one size; fitted to node counts.
pub(crate) struct Thresholds {
    /// Below this many empty squares a search to the end no longer evaluates.
    pub(crate) evaluated: u32,
    /// From these depths on, moves are ordered by a search of one and of two plies.
    pub(crate) foreseen: [u32; 2],
}

impl Thresholds {
    pub(crate) const fn of(size: Size) -> &'static Thresholds {
        match size.width() {
            // Evaluations are more accurate here: they pay for longer, and need less lookahead.
            ..=6 => &Thresholds { evaluated: 10, foreseen: [14, 18] },
            _ => &Thresholds { evaluated: 13, foreseen: [16, 22] },
        }
    }
}
