//! Who plays better.
mod agenda;
mod circles;
mod clock;
mod counts;
mod dice;
mod game;
pub mod normal;
mod opening;
mod plan;
mod ratings;
mod spec;
mod sprt;

pub use agenda::{Agenda, Fixture, Next};
pub use circles::{Circle, circles};
pub use clock::Clock;
pub use counts::{Counts, Elo, expected_score};
pub use game::{End, Played, Sheet, Thought};
pub use opening::Openings;
pub use plan::{Format, POINTS, Plan, Player};
pub use ratings::{Rating, Ratings};
pub use spec::{Entrant, Spec, SpecError};
pub use sprt::{Sprt, Verdict};
