//! Helpers for the tests and benchmarks of several crates.
//!
//! What is here: the slow, obvious searches that fast ones must agree with
//! ([`brute_force`], [`plain_brute_force`], [`minimax`]), random games, boards
//! and positions by seed, and a server for jobs on many machines ([`NatsServer`]). What is not: anything that the program itself uses. Only
//! tests depend on the crate, and it depends only on the rules and the evaluation,
//! so that every crate above them can use it.

mod nats;
mod oracle;
mod random;

pub use nats::NatsServer;
pub use oracle::{brute_force, minimax, plain_brute_force};
pub use random::{
    Turn, boards_after, position, positions, random_boards, random_game, turns, unfinished_boards,
};
