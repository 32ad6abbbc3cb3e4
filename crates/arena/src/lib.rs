//! Who plays better: games between agents, tournaments, ratings.
//!
//! What is here, from one game up: a [`Clock`] and a [`Sheet`] on which two
//! agents play, however badly they behave; [`Openings`]; a tournament as it is
//! written down ([`Spec`]) and as it is meant ([`Plan`]); which game comes next
//! ([`Agenda`]); the file that keeps all of it ([`Store`]); and who plays the
//! games ([`Run`]). Results are [`Counts`], which can be added, and what they
//! mean is a pure function of them: [`Elo`], [`Ratings`], [`Sprt`],
//! [`circles()`], [`Mean`]. What is not: agents (they come in by a catalogue), the
//! performance models (`isrever-reports`), any search, and words for people.
//!
//! To read what is kept: [`Store::open`], [`Store::tournaments`],
//! [`Store::standings`], [`Store::games`], [`Store::game`].

mod agenda;
mod circles;
mod clock;
mod counts;
mod dice;
mod export;
mod game;
mod mean;
pub mod normal;
mod opening;
mod plan;
mod ratings;
mod repeats;
mod run;
mod spec;
mod sprt;
mod standings;
mod store;

pub use agenda::{Agenda, Fixture, Next};
pub use circles::{Circle, circles};
pub use clock::Clock;
pub use counts::{Counts, Elo, expected_score};
pub use export::{csv, pgn, record};
pub use game::{End, Played, Sheet, Thought};
pub use mean::Mean;
pub use opening::{Openings, random_positions};
pub use plan::{Format, POINTS, Plan, Player};
pub use ratings::{Rating, Ratings};
pub use repeats::Trace;
pub use run::{News, Run};
pub use spec::{Entrant, Spec, SpecError, read_toml};
pub use sprt::{Sprt, Verdict};
pub use standings::{Outcome, Row, Standings};
pub use store::{Pen, Store, StoreError, Summary, Tournament};
