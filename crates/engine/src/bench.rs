//! One number for what the search does: the nodes of fixed searches, on one thread.
//!
//! A change that is not meant to change the search leaves the number as it is;
//! one that is moves it, and says what it gained.

use crate::{Control, Goal, Settings, Solver};
use isrever_board::text::{self, Defaults};
use isrever_board::{Rule, Size};

/// The searches.
const SEARCHES: &str = include_str!("../../../testdata/bench.txt");

/// Memory of each search, in bytes.
const HASH_BYTES: usize = 16 << 20;

/// Runs the searches one after the other, tells `done` of the nodes of each, and gives the sum.
///
/// # Panics
/// If the list of searches, which comes with the program, is wrong.
pub fn bench(mut done: impl FnMut(u64)) -> u64 {
    let mut sum = 0;
    for line in searches() {
        let nodes = nodes(line);
        done(nodes);
        sum += nodes;
    }
    sum
}

/// How many searches there are.
pub fn bench_len() -> usize {
    searches().count()
}

fn searches() -> impl Iterator<Item = &'static str> {
    SEARCHES.lines().filter(|line| !line.starts_with('#'))
}

/// The nodes of one search, beginning with nothing remembered.
fn nodes(line: &str) -> u64 {
    let mut words = line.splitn(3, ' ');
    let mut word = || words.next().expect("three words");
    let rule: Rule = word().parse().expect("a rule");
    let depth: u32 = word().parse().expect("a depth");
    let defaults = Defaults { rule, size: Size::EIGHT };
    let records = text::read(word().as_bytes(), None, defaults).expect("a position or a game");
    let game = &records[0].game;
    let board = game.position().board().expect("8x8");
    let settings = Settings { hash_bytes: HASH_BYTES, ..Settings::new(rule, Size::EIGHT) };
    // To the end it is proved; before, cuts are right in 73 of 100 cases.
    let percent = if depth >= game.position().empties() { 100 } else { 73 };
    Solver::new(settings).solve(board, Goal::Value { depth, percent }, Control::NONE).nodes
}
