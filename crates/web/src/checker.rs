//! The usability test of an own agent's file, as the server's owner provides it.
//!
//! What is here: what a test is asked and what it answers. What is not: the test
//! itself, which runs other people's programs and is given to the server.

use isrever_agent::AgentSpec;
use isrever_board::{Rule, Size};
use isrever_club::{CheckTotal, CheckedCase};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// Tests the files of agents, board by board.
pub trait Checker: Send + Sync {
    /// Tests the agent of `spec` on boards of `size`, and passes each case to `each` as it comes,
    /// until that returns false. The flag ends the case that is in work.
    fn check(
        &self,
        spec: &AgentSpec,
        game: (Rule, Size),
        stop: &Arc<AtomicBool>,
        each: &mut dyn FnMut(CheckedCase) -> bool,
    ) -> Result<CheckTotal, String>;
}
