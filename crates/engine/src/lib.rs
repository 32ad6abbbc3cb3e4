//! The engine: the search as a player.
//!
//! A [`Player`] is an agent that searches within limits, with time control, and
//! at [`Level`]s below full strength, and that plays from a book where it has one
//! ([`BookChoice`]); [`entry`] is its entry in a catalogue.
//! [`analyze`] has it judge the moves of a game. [`load_weights`] reads weights
//! from files. The search itself is in `isrever-search`; only this crate's watchdog
//! reads a clock.
//!
//! ```
//! use isrever_agent::{Agent, Limits};
//! use isrever_board::{Game, Move, Rule, Size};
//! use isrever_engine::{Level, Player, PlayerSettings};
//!
//! // The engine at level 3 plays a game against itself.
//! let strength = Level::new(3).expect("there are 20").strength();
//! let mut player = Player::new(PlayerSettings { strength, ..PlayerSettings::default() });
//! let mut game = Game::new(Rule::Reversed, Size::SIX);
//! while !game.is_over() {
//!     // Agents are asked only where there is a move.
//!     let mv = match game.position().must_pass() {
//!         true => Move::Pass,
//!         false => Move::Place(player.choose(&game, &Limits::default())?.square),
//!     };
//!     game.play(mv)?;
//! }
//! assert!(game.position().moves().is_empty());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod analysis;
mod books;
mod clock;
mod level;
mod player;
mod weights;

pub use analysis::{AnalysisSettings, analyze};
pub use books::load_book;
pub use level::{Level, Strength};
pub use player::{BookChoice, OtherWeights, Player, PlayerSettings, entry};
pub use weights::{LoadError, NoWeights, load_weights};
