//! What the checks need beyond the Rust toolchain, and how it gets here.
//!
//! A program that is missing is installed with its Debian package where that can be done: on a
//! Debian system, by root, as on a fresh build machine. Elsewhere the error says what to install.

use crate::shell;
use anyhow::{Context, Result, bail, ensure};
use std::ffi::OsString;
use std::path::PathBuf;
use std::process::Command;

/// A program and the Debian package that has it.
pub(crate) struct Need {
    pub(crate) program: &'static str,
    pub(crate) package: &'static str,
}

/// Makes sure that all these programs are here.
pub(crate) fn install(needs: &[Need]) -> Result<()> {
    let missing: Vec<_> = needs.iter().filter(|need| find(need.program).is_none()).collect();
    if missing.is_empty() {
        return Ok(());
    }
    let packages: Vec<_> = missing.iter().map(|need| need.package).collect();
    let packages = packages.join(" ");
    let is_root = shell::output("id -u").is_ok_and(|user| user == "0");
    if !is_root || find("apt-get").is_none() {
        let programs: Vec<_> = missing.iter().map(|need| need.program).collect();
        bail!("{} missing; on Debian: sudo apt-get install {packages}", programs.join(", "));
    }
    println!("== installing {packages}");
    shell::run(&mut apt("update -qq"))?;
    shell::run(&mut apt(&format!("install -y -qq --no-install-recommends {packages}")))?;
    for Need { program, package } in missing {
        ensure!(find(program).is_some(), "the package {package} brought no {program}");
    }
    Ok(())
}

/// A command of Debian's package tool that asks no questions.
fn apt(arguments: &str) -> Command {
    let mut command = shell::command(&format!("apt-get {arguments}"));
    command.env("DEBIAN_FRONTEND", "noninteractive");
    command
}

/// Where a program is, if it can be called by its name.
pub(crate) fn find(program: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    std::env::split_paths(&path).map(|folder| folder.join(program)).find(|file| file.is_file())
}

/// The search path with `folder` before all others.
pub(crate) fn path_with(folder: PathBuf) -> Result<OsString> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::join_paths(std::iter::once(folder).chain(std::env::split_paths(&path)))
        .context("a folder whose name cannot stand in PATH")
}
