//! `cargo xtask test`: runs every check, cheapest first, and stops at the first failure.

use crate::setup;
use crate::{architecture, cluster, compatibility, deny, guide, loom, package, python, shell, web};
use anyhow::{Context, Result};
use std::thread;
use std::time::Instant;

/// A check: what it is called, the command, and an environment variable it needs.
struct Check {
    name: &'static str,
    command: &'static str,
    variable: Option<(&'static str, &'static str)>,
}

const CHECKS: [Check; 4] = [
    Check { name: "format", command: "cargo fmt --all --check", variable: None },
    Check {
        name: "lints",
        command: "cargo clippy --workspace --all-targets --locked -- -D warnings",
        variable: None,
    },
    Check {
        name: "documentation",
        command: "cargo doc --workspace --no-deps --locked --document-private-items",
        variable: Some(("RUSTDOCFLAGS", "-D warnings")),
    },
    Check { name: "tests", command: "cargo test --workspace --locked", variable: None },
];

/// Runs all checks.
pub(crate) fn run() -> Result<()> {
    // What cannot be installed is missed before minutes of other checks, not after.
    python::install()?;
    package::install()?;
    setup::install(&[cluster::NATS])?;
    println!("\n== architecture: the tables of ARCHITECTURE.md");
    timed("architecture", architecture::check)?;
    println!("\n== licences: all dependencies");
    timed("licences", deny::check_licences)?;
    // Many tests wait for other processes most of their time: twice as many at once as there are
    // cores leave none idle.
    let at_once = 2 * thread::available_parallelism().map_or(1, usize::from);
    for Check { name, command, variable } in CHECKS {
        println!("\n== {name}: {command}");
        let mut command = shell::command(command);
        command.env("RUST_TEST_THREADS", at_once.to_string()).envs(variable);
        timed(name, || shell::run(&mut command))?;
    }
    println!("\n== models: the search's shared structures");
    timed("models", loom::run)?;
    println!("\n== compatibility: recorded answers");
    timed("compatibility", compatibility::test)?;
    println!("\n== guide: every command of README.md and docs/guide");
    timed("guide", guide::test)?;
    println!("\n== python: the package in a clean virtual environment");
    timed("python", package::test)?;
    println!("\n== web: the page's own checks");
    timed("web", web::test)?;
    println!("\nAll {} checks passed.", CHECKS.len() + 7);
    Ok(())
}

/// Does a check and says how long it took, or which one failed.
fn timed(name: &str, check: impl FnOnce() -> Result<()>) -> Result<()> {
    let started = Instant::now();
    check().with_context(|| format!("the check of {name} failed"))?;
    println!("== {name}: passed in {:.0} s", started.elapsed().as_secs_f64());
    Ok(())
}
