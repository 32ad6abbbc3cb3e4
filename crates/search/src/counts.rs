//! What a search did beside visiting boards, for those who weigh what it cost.

use std::ops::AddAssign;

/// What a search did beside visiting boards.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Counts {
    /// Boards above the endgame that were evaluated only to order moves; some programs count them
    /// as nodes.
    pub ordering_nodes: u64,
    /// Boards that the weights evaluated.
    pub evaluations: u64,
    /// Boards looked up in the shared table. A look into a thread's own table is a part of its node.
    pub probes: u64,
}

impl AddAssign for Counts {
    fn add_assign(&mut self, other: Counts) {
        self.ordering_nodes += other.ordering_nodes;
        self.evaluations += other.evaluations;
        self.probes += other.probes;
    }
}
