//! What an agent is, and how to ask for one.
//!
//! What is here: the [`Agent`] trait and its [`Limits`]; agent specs and the
//! [`Catalogue`] that makes agents of them; [`Parameters`] as tables and
//! [`Preset`]s; the boards that searches run on ([`Field`]); seeded random numbers
//! ([`Rng`]); and the two simplest agents, [`Random`] and [`Mcts`]. What is not: the rules (`isrever-board` has
//! them), the agents of the reports (`isrever-reports`), the engine, files, and
//! any random number that does not come from a seed passed in.

mod catalogue;
mod field;
mod forfeit;
mod limited;
mod limits;
mod mcts;
mod parameters;
mod preset;
mod random;
mod rng;
mod spec;

pub use catalogue::{Catalogue, Entry, catalogue, nearest};
pub use field::{Bits, Field};
pub use forfeit::{Forfeit, Reason};
pub use limited::Limited;
pub use limits::{Choice, GameClock, Limits, Share, Watch};
pub use mcts::{Mcts, MctsSettings};
pub use parameters::{CLASSES, Parameter, ParameterError, Parameters};
pub use preset::Preset;
pub use random::Random;
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
