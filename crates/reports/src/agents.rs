//! The agents of five student reports on one course project, as their texts describe them.
//!
//! Each file quotes the sections it follows and lists where they are silent. What
//! they have in common, also by choice: a pass is a ply; a finished game is
//! scored by the rule of the game, and under the normal rule the weights, all but
//! mobility's, change their sign. Numbers of discs that divide a game into
//! stages are in proportion on boards other than 8×8; numbers of empty squares,
//! from which a search can reach the end, are not.

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

/// Time for a move on the platform the reports were written for.
const PLATFORM_TIME: Duration = Duration::from_secs(5);

/// A number of discs on 8×8, in proportion on a board of `size`.
fn in_proportion(discs: f64, size: Size) -> f64 {
    discs * size.cells() as f64 / Size::EIGHT.cells() as f64
}
