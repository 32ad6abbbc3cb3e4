//! The engine: the search as a player.
//!
//! A [`Player`] is an agent that searches within limits, with time control, and
//! at [`Level`]s below full strength; [`entry`] is its entry in a catalogue.
//! [`analyze`] has it judge the moves of a game. [`load_weights`] reads weights
//! from files. The search itself is in `isrever-search`; only this crate's watchdog
//! reads a clock.

mod analysis;
mod clock;
mod level;
mod player;
mod weights;

pub use analysis::{AnalysisSettings, analyze};
pub use level::{Level, Strength};
pub use player::{Player, PlayerSettings, entry};
pub use weights::{LoadError, load_weights};
