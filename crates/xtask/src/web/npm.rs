//! Runs npm in `web/`, with a Node that is new enough.

use crate::setup::{self, Need};
use crate::shell;
use anyhow::{Context, Result};
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The oldest Node that the tools run on.
const NODE: (u32, u32) = (20, 19);

/// The Node that is fetched where Debian's is older.
const NODE_FETCHED: &str = "22";

const NEEDS: [Need; 2] =
    [Need { program: "node", package: "nodejs" }, Need { program: "npm", package: "npm" }];

/// The tool, with the packages of its lock file installed.
pub(super) struct Npm {
    /// The search path with a Node that is new enough.
    path: OsString,
}

impl Npm {
    pub(super) fn ready() -> Result<Npm> {
        setup::install(&NEEDS)?;
        let npm = Npm { path: setup::path_with([node_folder()?])? };
        npm.run("ci --no-audit --no-fund --loglevel=error")?;
        Ok(npm)
    }

    /// Does a task of `web/package.json`, or one of the tool's own.
    pub(super) fn run(&self, arguments: &str) -> Result<()> {
        self.call(arguments, |command| command)
    }

    /// Does a task that drives `program`.
    pub(super) fn drive(&self, program: &Path, arguments: &str) -> Result<()> {
        self.call(arguments, |command| command.env("ISREVER", program))
    }

    /// Does a task for which more than that is said in the environment.
    pub(super) fn call(
        &self,
        arguments: &str,
        say: impl FnOnce(&mut Command) -> &mut Command,
    ) -> Result<()> {
        println!("== web: npm {arguments}");
        let mut command = shell::command(&format!("npm {arguments}"));
        shell::run(say(command.current_dir("web").env("PATH", &self.path)))
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
