//! The bench signature: the nodes of a fixed set of searches on one thread.
//!
//! A non-functional change keeps the number; a functional one moves it, and shows what it gained.

use crate::{Control, Goal, Searcher, Settings};
use isrever_board::text::{self, Defaults};
use isrever_board::{Rule, Size};

/// The searches.
const SEARCHES: &str = include_str!("../../../testdata/bench.txt");

/// The memory of each search, in bytes.
const HASH_BYTES: usize = 16 << 20;

/// Runs the searches one after the other, calls `done` with the nodes of each, and returns the sum.
///
/// # Panics
/// If the embedded list of searches is malformed.
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

/// The nodes of one search with an empty table.
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
    let goal = Goal::within(Some(depth), game.position().empties(), 73);
    Searcher::new(settings).search(board, goal, Control::NONE).nodes
}
