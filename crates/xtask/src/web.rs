//! The web board's page: built, checked in a real browser, and photographed for the README.
//!
//! What `npm run …` does is said in `web/package.json`. The page that the program carries is
//! `web/dist/`, which is committed, so that building the program needs no Node.

use crate::setup::{self, Need};
use crate::shell;
use anyhow::{Context, Result, ensure};
use clap::Subcommand;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

#[derive(Subcommand)]
pub(crate) enum What {
    /// Build web/dist from its sources
    Build,
    /// Check types, unit tests, that web/dist is built from its sources, and the browser suite
    Test,
    /// Photograph the main screens into docs/screens/
    Screens,
}

/// The oldest Node that the tools run on.
const NODE: (u32, u32) = (20, 19);

/// The Node that is fetched where Debian's is older.
const NODE_FETCHED: &str = "22";

const NEEDS: [Need; 2] =
    [Need { program: "node", package: "nodejs" }, Need { program: "npm", package: "npm" }];

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
            npm.with_program("run screens")
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
    npm.with_program("run browser")
}

/// Node's package tool in `web/`, with the packages of its lock file installed.
struct Npm {
    /// The search path with a Node that is new enough.
    path: OsString,
}

impl Npm {
    fn ready() -> Result<Npm> {
        setup::install(&NEEDS)?;
        let npm = Npm { path: setup::path_with(node_folder()?)? };
        npm.run("ci --no-audit --no-fund --loglevel=error")?;
        Ok(npm)
    }

    fn run(&self, arguments: &str) -> Result<()> {
        self.call(arguments, None)
    }

    /// Runs a task that needs the program: it is built first.
    fn with_program(&self, arguments: &str) -> Result<()> {
        // The profile of the tests, which have built most of it already.
        shell::run(&mut shell::command("cargo build --profile test --locked --bin isrever"))?;
        let program = shell::target_folder()?.join("debug").join("isrever");
        self.call(arguments, Some(&program))
    }

    fn call(&self, arguments: &str, program: Option<&Path>) -> Result<()> {
        println!("== web: npm {arguments}");
        let mut command = shell::command(&format!("npm {arguments}"));
        command.current_dir("web").env("PATH", &self.path);
        if let Some(program) = program {
            command.env("ISREVER", program);
        }
        shell::run(&mut command)
    }
}

/// The folder of a Node that is new enough: the system's, or one fetched into the target folder.
///
/// Debian 12 has Node 18; the package registry has newer ones as packages.
fn node_folder() -> Result<PathBuf> {
    let here = setup::find("node").context("node is not there")?;
    let version = shell::output("node --version")?;
    if is_new_enough(&version) {
        return Ok(here.parent().map(Path::to_owned).unwrap_or_default());
    }
    let machine = match std::env::consts::ARCH {
        "aarch64" => "arm64",
        _ => "x64",
    };
    let package = format!("node-linux-{machine}");
    let place = shell::target_folder()?.join("node");
    let folder = place.join("node_modules").join(&package).join("bin");
    if !folder.join("node").is_file() {
        println!("== Node {version} is too old; fetching Node {NODE_FETCHED}");
        std::fs::create_dir_all(&place)?;
        let mut command = shell::command("npm install --no-save --no-audit --no-fund --prefix");
        shell::run(command.arg(&place).arg(format!("{package}@{NODE_FETCHED}")))?;
    }
    Ok(folder)
}

/// Whether a version such as `v20.19.2` will do.
fn is_new_enough(version: &str) -> bool {
    let mut numbers = version.trim_start_matches('v').split('.').map(|part| part.parse().ok());
    match (numbers.next().flatten(), numbers.next().flatten()) {
        (Some(major), Some(minor)) => (major, minor) >= NODE,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_compared_by_their_numbers() {
        for good in ["v20.19.0", "v20.20.2", "v22.1.0", "v100.0.0"] {
            assert!(is_new_enough(good), "{good}");
        }
        for old in ["v18.20.4", "v20.9.0", "v9.99.0", "", "node", "v20"] {
            assert!(!is_new_enough(old), "{old}");
        }
    }
}
