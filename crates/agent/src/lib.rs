//! The agent trait, and agents by name.
//!
//! What is here: the [`Agent`] trait and its [`Limits`]; [`AgentSpec`]s and the
//! [`Catalogue`] that makes agents of them; [`Parameters`] as tables and
//! [`Preset`]s; the boards that searches run on ([`Field`]); durations as text
//! ([`duration()`]); seeded random numbers ([`Rng`]); and the two simplest agents,
//! [`Random`] and [`Mcts`]. What is not: the rules (`isrever-board`), the agents of
//! the reports (`isrever-reports`), the engine, and any random number that does not
//! come from a seed passed in.

mod catalogue;
mod duration;
mod entry;
mod field;
mod forfeit;
mod form;
mod limited;
mod limits;
mod loaded;
mod mcts;
mod nearest;
mod needs;
mod parameters;
mod preset;
mod random;
mod rng;
mod settings;
mod spec;
mod timed_by;

pub use catalogue::Catalogue;
pub use duration::{ClockError, DurationError, EXPECTED_DURATION, duration, duration_or_zero};
pub use entry::Entry;
pub use field::{Bits, Field};
pub use forfeit::{Forfeit, Reason};
pub use form::Form;
pub use limited::Limited;
pub use limits::{Candidate, Choice, GameClock, Limits, Share, Watch};
pub use loaded::{LoadError, LoadedFiles};
pub use mcts::{Mcts, MctsSettings};
pub use nearest::{did_you_mean, listed_words, nearest};
pub use needs::{Kind, Needs, Threads};
pub use parameters::{CLASSES, Parameter, ParameterError, Parameters};
pub use preset::Preset;
pub use random::Random;
pub use rng::Rng;
pub use settings::{Key, Settings};
pub use spec::{AgentSpec, SpecError};
pub use timed_by::TimedBy;

use isrever_board::{Color, Game};
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// The agents of this crate.
pub fn catalogue() -> Catalogue {
    Catalogue::new([Random::entry(), Mcts::entry()])
}

/// Something that plays.
///
/// It sees the whole game: the rule, the history, and the position now. It
/// plays for the side to move, whichever that is, and on every board size.
pub trait Agent: Send {
    /// The name of the agent in lists, dialogues and records.
    fn name(&self) -> String;

    /// Gets ready to play `color` in `game`, with `time` for each move if that is known, before any
    /// clock runs. Most agents have nothing to do; a program starts.
    fn prepare(
        &mut self,
        game: &Game,
        color: Color,
        time: Option<Duration>,
    ) -> Result<(), Forfeit> {
        let _ = (game, color, time);
        Ok(())
    }

    /// Chooses a square to play on, one of `game.position().moves()`.
    ///
    /// Callers ask only when the side to move has a move, and make passes themselves. However
    /// tight the limits are, the agent answers within a moment.
    ///
    /// # Errors
    /// Third-party programs may fail, which loses the game; agents of this project do not.
    fn choose(&mut self, game: &Game, limits: &Limits) -> Result<Choice, Forfeit>;

    /// Waits until the machine has room for its next answer, or `stop` is set, while no clock runs.
    /// [`Agent::choose`] or [`Agent::prepare`] must follow at once: until then it may hold up others.
    /// Most agents have nothing to wait for; a program may have to take turns with others.
    fn await_turn(&mut self, stop: &AtomicBool) {
        let _ = stop;
    }

    /// The moves that it weighed for its last answer, if it searches by playouts.
    fn candidates(&self) -> Vec<Candidate> {
        Vec::new()
    }

    /// Takes what it has printed since the last call, if it is a program that prints.
    fn take_printed(&mut self) -> Option<String> {
        None
    }

    /// How long its last answer took, if it measures that better than its caller can: the host of a
    /// program knows how late its own threads were. Callers count this time instead of theirs.
    fn answer_time(&self) -> Option<Duration> {
        None
    }

    /// Tidies up after an answer, while no clock runs. Most agents have nothing to do; a program may
    /// have to be stopped and started again.
    fn settle(&mut self) {}
}
