//! Who plays: the agent trait, the agents, and the list of them by name.
//!
//! What is here: [`Agent`] and its [`Limits`]; simple agents (random, greedy, with
//! a perfect ending, tree search by playouts); the agents of five student
//! reports, with their parameters as tables; agent specs and the
//! [`catalogue()`] that understands them; seeded random numbers ([`Rng`]). What is
//! not: the rules (`isrever-board` has them), the engine, files, and any random
//! number that does not come from a seed passed in.

mod alpha_beta;
mod catalogue;
mod combination;
mod ending;
mod features;
mod field;
mod forfeit;
mod greedy;
mod invincible;
mod kept;
mod limited;
mod limits;
mod mcts;
mod parameters;
mod preset;
mod random;
mod reports;
mod rng;
#[cfg(test)]
mod sample;
mod spec;

pub use alpha_beta::{AlphaBeta, Best, DECIDED, Evaluation, TO_THE_END};
pub use catalogue::{Catalogue, Entry, catalogue};
pub use combination::Combination;
pub use ending::{Goal, perfect};
pub use features::{CLASSES, Features, WeightMap, sense};
pub use field::{Bits, Field};
pub use forfeit::{Forfeit, Reason};
pub use greedy::{Greedy, Measure};
pub use invincible::{ENDING, Invincible};
pub use limited::Limited;
pub use limits::{Choice, GameClock, Limits, Share, Watch};
pub use mcts::{Mcts, MctsSettings};
pub use parameters::{Parameter, ParameterError, Parameters};
pub use preset::Preset;
pub use random::Random;
pub use reports::{Depth3, FourStage, Genetic, Maximax, ThreeStage};
pub use rng::Rng;
pub use spec::{Settings, Spec, SpecError, duration};

use isrever_board::{Color, Game};
use std::time::Duration;

/// Something that plays.
///
/// It sees the whole game: the rule, the history, and the position now. It
/// plays for the side to move, whichever that is, and on every board size.
pub trait Agent: Send {
    /// What the agent is called in lists, dialogues and records.
    fn name(&self) -> String;

    /// Gets ready to play `color` in `game`, with `time` for each move if that is known, before any
    /// clock runs. Most agents have nothing to do; one that is a program starts.
    fn prepare(
        &mut self,
        game: &Game,
        color: Color,
        time: Option<Duration>,
    ) -> Result<(), Forfeit> {
        let _ = (game, color, time);
        Ok(())
    }

    /// The square to play on, one of `game.position().moves()`, and what else there is to say.
    ///
    /// Asked only when the side to move has a move: passes are the caller's business. However
    /// tight the limits are, there is an answer within a moment.
    ///
    /// # Errors
    /// Programs of other people may fail, which loses the game; agents of this project do not.
    fn choose(&mut self, game: &Game, limits: &Limits) -> Result<Choice, Forfeit>;

    /// Tidies up after an answer, while no clock runs. Most agents have nothing to do; one that is
    /// a program may have to be stopped, and begin anew.
    fn settle(&mut self) {}
}
