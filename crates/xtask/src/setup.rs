//! Installs what the checks need beyond the Rust toolchain.
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
    let [programs, packages] = [
        missing.iter().map(|need| need.program).collect::<Vec<_>>().join(", "),
        missing.iter().map(|need| need.package).collect::<Vec<_>>().join(" "),
    ];
    add(&programs, &packages)?;
    for Need { program, package } in missing {
        ensure!(find(program).is_some(), "the package {package} brought no {program}");
    }
    Ok(())
}

/// Installs Debian's `packages`, for what is `missing`.
pub(crate) fn add(missing: &str, packages: &str) -> Result<()> {
    let is_root = shell::output("id -u").is_ok_and(|user| user == "0");
    if !is_root || find("apt-get").is_none() {
        bail!("{missing} missing; on Debian: sudo apt-get install {packages}");
    }
    println!("== installing {packages}");
    shell::run(&mut apt("update -qq"))?;
    shell::run(&mut apt(&format!("install -y -qq --no-install-recommends {packages}")))
}

/// A tool of cargo's, such as cargo-fuzz, built once and kept under the target folder.
pub(crate) fn cargo_tool(name: &str, version: &str) -> Result<PathBuf> {
    let root = shell::target_folder()?.join("tools");
    let program = root.join("bin").join(name);
    if !program.exists() {
        let line = format!("cargo install {name} --version {version} --locked --root");
        shell::run(shell::command(&line).arg(&root))?;
    }
    Ok(program)
}

/// A command of Debian's package tool that asks no questions.
fn apt(arguments: &str) -> Command {
    let mut command = shell::command(&format!("apt-get {arguments}"));
    command.env("DEBIAN_FRONTEND", "noninteractive");
    command
}

/// Where a program is, if it can be called by its name.
pub(crate) fn find(program: &str) -> Option<PathBuf> {
    all(program).into_iter().next()
}

/// All the programs of this name on the search path.
pub(crate) fn all(program: &str) -> Vec<PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let files = std::env::split_paths(&path).map(|folder| folder.join(program));
    files.filter(|file| file.is_file()).collect()
}

/// The search path with `folders` before all others.
pub(crate) fn path_with(folders: impl IntoIterator<Item = PathBuf>) -> Result<OsString> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::join_paths(folders.into_iter().chain(std::env::split_paths(&path)))
        .context("a folder whose name cannot stand in PATH")
}
