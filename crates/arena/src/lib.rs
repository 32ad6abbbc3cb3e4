//! Who plays better: games between agents, tournaments, ratings.
//!
//! What is here, from one game up: its course ([`Referee`]); a [`Clock`] and a
//! [`LiveGame`] that two agents play, however badly they behave; [`Openings`];
//! pairs of games on a pool of threads ([`Match`]); a tournament as it is written
//! down ([`Spec`]) and as it is meant ([`Plan`]); which game comes next
//! ([`Schedule`]); the file that keeps all of it ([`Store`]); its games as jobs, here
//! or on other machines ([`Games`]); and what plays it ([`Run`]). Results are
//! [`Counts`], which can be added, and what they mean is a pure function of them:
//! [`Elo`], [`Ratings`], [`Sprt`], [`circles()`], [`Mean`]. What is not: agents (they come in by a catalogue), the
//! performance models (`isrever-reports`), any search, and words for people.
//!
//! To read what is kept: [`Store::open`], [`Store::tournaments`],
//! [`Store::standings`], [`Store::games`], [`Store::game`]; several tournaments as one: [`Together`].

mod attached;
mod circles;
mod clock;
mod counts;
mod export;
mod game;
mod games;
mod live;
mod matches;
mod mean;
pub mod normal;
mod opening;
mod pairing;
mod plan;
mod ratings;
mod referee;
mod repeats;
mod run;
mod schedule;
mod seat;
mod spec;
mod sprt;
mod standings;
mod store;
mod together;
mod written;

pub use attached::Attached;
pub use circles::{Circle, circles};
pub use clock::Clock;
pub use counts::{COUNTING, Counts, Elo, expected_score};
pub use export::{Occasion, csv, pgn, record};
pub use game::{End, MoveStats, Played};
pub use games::{Games, ManifestError};
pub use isrever_jobs::{Crew, Origin, RunError};
pub use live::{LiveGame, Maker, Unplayed, maker};
pub use matches::{Match, Meeting, See};
pub use mean::Mean;
pub use opening::{Openings, random_positions};
pub use pairing::{Outcome, Pairing};
pub use plan::{Format, POINTS, Plan, Player};
pub use ratings::{Rating, Ratings};
pub use referee::{Adjudicator, Referee};
pub use repeats::Trace;
pub use run::{News, Run};
pub use schedule::{Next, Schedule};
pub use seat::Seat;
pub use spec::{Entrant, Spec, SpecError};
pub use sprt::{Sprt, Verdict};
pub use standings::{Row, Standings};
pub use store::{Pen, Store, StoreError, Summary, Tournament};
pub use together::Together;
pub use written::transcript;
