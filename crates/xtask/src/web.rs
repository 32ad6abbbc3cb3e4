//! `cargo xtask web`: builds, checks, photographs and times the web board's page.
//!
//! What `npm run …` does is said in `web/package.json`. The page that the program carries is
//! `web/dist/`, which is committed, so that building the program needs no Node.

mod npm;
mod times;

use crate::setup::{self, Need};
use crate::shell;
use anyhow::{Result, ensure};
use clap::Subcommand;
use npm::Npm;

#[derive(Subcommand)]
pub(crate) enum What {
    /// Build web/dist from its sources
    Build,
    /// Check types, unit tests, that web/dist is built from its sources, and the browser suite
    Test,
    /// Photograph the main screens into docs/screens/
    Screens,
    /// Measure in the browser how long people wait, and write a dated record
    Times(times::Options),
}

const BROWSER: [Need; 1] = [Need { program: "chromium", package: "chromium" }];

/// Does one of the page's tasks.
pub(crate) fn run(what: &What) -> Result<()> {
    match what {
        What::Build => Npm::ready()?.run("run build"),
        What::Test => test(),
        What::Screens => {
            setup::install(&BROWSER)?;
            let npm = Npm::ready()?;
            npm.run("run build")?;
            npm.drive(&shell::development()?, "run screens")
        }
        What::Times(options) => {
            setup::install(&BROWSER)?;
            times::run(&Npm::ready()?, options)
        }
    }
}

/// Every check of the page, cheapest first.
pub(crate) fn test() -> Result<()> {
    setup::install(&BROWSER)?;
    let npm = Npm::ready()?;
    npm.run("run types")?;
    npm.run("run unit")?;
    npm.run("run build")?;
    let changed = shell::output("git status --porcelain -- web/dist")?;
    ensure!(
        changed.is_empty(),
        "web/dist is not what its sources give:\n{changed}\nrun `cargo xtask web build` and commit it"
    );
    npm.run("run size")?;
    npm.drive(&shell::development()?, "run browser")
}
