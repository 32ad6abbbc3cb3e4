//! `cargo xtask web`: builds, checks, photographs, times and soaks the web board's page.
//!
//! What `npm run …` does is said in `web/package.json`. The page that the program carries is
//! `web/dist/`, which is committed, so that building the program needs no Node.

mod contract;
mod npm;
mod times;

use crate::python;
use crate::setup::{self, Need};
use crate::shell;
use anyhow::{Result, ensure};
use clap::Subcommand;
use npm::Npm;
use std::path::PathBuf;

#[derive(Subcommand)]
pub(crate) enum What {
    /// Build web/dist from its sources
    Build,
    /// Check types, unit tests, that web/dist is built from its sources, the API's description, and
    /// the browser suite
    Test,
    /// Check the API's description by two validators and a client that is made from it
    Contract,
    /// Photograph the main screens into docs/screens/
    Screens,
    /// Photograph every screen in its states at nine sizes, in both languages and themes, into
    /// target/gallery/, and check that axe-core finds nothing and that none scrolls to the side
    Gallery,
    /// Play games between two pages with drops, reloads, take-backs and killed servers
    Soak(Soak),
    /// Measure in the browser how long people wait, and write a dated record
    Times(times::Options),
}

/// How long to soak.
#[derive(clap::Args)]
pub(crate) struct Soak {
    /// How many games
    #[arg(long, default_value_t = 50)]
    games: u32,

    /// Which games: the same seed asks for the same moves and faults
    #[arg(long, default_value_t = 1)]
    seed: u32,

    /// The program, instead of a development build of it
    #[arg(long)]
    program: Option<PathBuf>,
}

const BROWSER: [Need; 1] = [Need { program: "chromium", package: "chromium" }];

/// Does one of the page's tasks.
pub(crate) fn run(what: &What) -> Result<()> {
    match what {
        What::Build => Npm::ready()?.run("run build"),
        What::Test => test(),
        What::Contract => contract::check(&Npm::ready()?, &shell::development()?),
        What::Screens => {
            setup::install(&BROWSER)?;
            let npm = Npm::ready()?;
            npm.run("run build")?;
            npm.drive(&shell::development()?, "run screens")
        }
        What::Gallery => {
            setup::install(&BROWSER)?;
            python::install()?;
            let npm = Npm::ready()?;
            npm.run("run build")?;
            let (program, folder) =
                (shell::development()?, shell::target_folder()?.join("gallery"));
            npm.call("run gallery", |command| {
                command.env("ISREVER", program).env("GALLERY", folder)
            })
        }
        What::Soak(Soak { games, seed, program }) => {
            setup::install(&BROWSER)?;
            let program = program.clone().map_or_else(shell::development, Ok)?;
            let program = std::path::absolute(program)?;
            Npm::ready()?.call("run soak", |command| {
                let command = command.env("ISREVER", program).env("GAMES", games.to_string());
                command.env("SEED", seed.to_string())
            })
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
    python::install()?;
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
    let program = shell::development()?;
    contract::check(&npm, &program)?;
    npm.drive(&program, "run browser")
}
