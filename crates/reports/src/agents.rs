//! The agents of five student reports on one course project, as their texts describe them.
//!
//! Each file quotes the sections it follows and lists what they leave open. All
//! agents share these readings: a pass is a ply; the rule of the game scores a
//! finished game; under the normal rule all weights but mobility's change their
//! sign. On boards other than 8×8, disc counts that divide a game into stages
//! scale with the board; numbers of empty squares from which a search can reach
//! the end do not.

mod depth3;
mod fourstage;
mod genetic;
mod maximax;
mod threestage;

pub use depth3::Depth3;
pub use fourstage::FourStage;
pub use genetic::Genetic;
pub use maximax::Maximax;
pub use threestage::ThreeStage;

use isrever_board::Size;
use std::time::Duration;

/// Versions of the agents and of the evaluation that report 000's share. A change after which an
/// agent plays or values otherwise raises its version: pages of experiments rest on it.
const VERSIONS: [(&str, u32); 7] = [
    ("combination", 1),
    ("depth3", 1),
    ("fourstage", 2),
    ("genetic", 2),
    ("greedy", 1),
    ("maximax", 1),
    ("threestage", 2),
];

/// The versions of how an agent of this crate plays, by the agent's name: its own, and that of the
/// evaluation which it may play by. None of other agents.
pub fn versions_of(agent: &str) -> impl Iterator<Item = (&'static str, u32)> {
    let shared =
        matches!(agent, "greedy" | "greedy-invincible" | "maximax").then_some("combination");
    let is_meant = move |name: &str| name == agent || Some(name) == shared;
    VERSIONS.into_iter().filter(move |&(name, _)| is_meant(name))
}

/// Time for a move on the platform that the reports were written for.
const PLATFORM_TIME: Duration = Duration::from_secs(5);

/// Scales a number of discs on 8×8 to a board of `size`.
fn in_proportion(discs: f64, size: Size) -> f64 {
    discs * size.cells() as f64 / Size::EIGHT.cells() as f64
}
