//! Helpers for the tests and benchmarks of several crates.
//!
//! What is here: the slow, obvious searches that fast ones must agree with
//! ([`brute_force`], [`plain_brute_force`], [`minimax`]), random games, boards
//! and positions by seed, a server for jobs on many machines ([`NatsServer`]), and
//! machines that are none ([`Backwards`]), hostile agents ([`attacks`]) and those of
//! five reports ([`REPORTS`]). What is not: anything that the program itself uses. Only tests and build tools depend on the
//! crate, and it depends only on the rules, the evaluation, and what agents and jobs
//! are, so that every crate above them can use it.

#[cfg(target_os = "linux")]
pub mod attacks;
mod backwards;
mod nats;
mod oracle;
mod random;
mod reports;

pub use backwards::Backwards;
pub use nats::NatsServer;
pub use oracle::{brute_force, minimax, plain_brute_force};
pub use random::{
    Turn, boards_after, position, positions, random_boards, random_game, turns, unfinished_boards,
};
pub use reports::REPORTS;
