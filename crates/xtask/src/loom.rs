//! Runs the loom models of `search/split.rs` and `search/table.rs`.
//!
//! They check what the search's threads share in every order of their steps with at most three
//! preemptions.

use crate::shell;
use anyhow::Result;

/// Runs the models of the transposition table and the split points.
pub(crate) fn run() -> Result<()> {
    let mut test = shell::command("cargo test --locked --package isrever-search --lib model::");
    // The flag changes every crate, so that these builds would drive out the others.
    test.env("RUSTFLAGS", "--cfg loom")
        .env("CARGO_TARGET_DIR", shell::target_folder()?.join("loom"));
    shell::run(&mut test)
}
