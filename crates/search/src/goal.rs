//! What a search is to find out: a proved score, its sign, or a value by so many plies.

/// What to find out.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Goal {
    /// The score itself.
    Exact,
    /// Only its sign: won, drawn or lost.
    Wld,
    /// The value by a search of limited depth; to the end where the depth reaches it.
    Value {
        /// Plies.
        depth: u32,
        /// In how many of 100 cases a cut must be right: 49, 73, 87, 95, 98, 99, or 100 for no
        /// cuts. Iterations on the way to the end are more daring whatever is asked for.
        confidence: u8,
    },
}

impl Goal {
    /// The goal of a search limited to `depth` plies, where this many squares are empty. A search
    /// that reaches the end of the game proves the score; any other may cut with `confidence`.
    pub fn within(depth: Option<u32>, empties: u32, confidence: u8) -> Goal {
        let depth = depth.unwrap_or(u32::MAX).max(1);
        Goal::Value { depth, confidence: if depth >= empties { 100 } else { confidence } }
    }
}
