//! Runs other programs from the project's root.

use anyhow::{Context, Result, ensure};
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Makes the project's root the current folder, wherever the task was called.
pub(crate) fn enter_root() -> Result<()> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    std::env::set_current_dir(&root).with_context(|| format!("cannot enter {}", root.display()))
}

/// Where cargo puts what it builds, as an absolute path.
pub(crate) fn target_folder() -> Result<PathBuf> {
    let folder = std::env::var_os("CARGO_TARGET_DIR").unwrap_or_else(|| "target".into());
    Ok(std::path::absolute(folder)?)
}

/// The program as a user has it, built anew if need be.
pub(crate) fn release() -> Result<PathBuf> {
    run(&mut command("cargo build --release --locked --package isrever"))?;
    Ok(target_folder()?.join("release").join("isrever"))
}

/// The program as the tests have it, built anew if need be.
///
/// `cargo build --package isrever` would build it, and most of what it uses, a second time: with
/// the features that it needs itself, where the tests have those of all packages together.
pub(crate) fn development() -> Result<PathBuf> {
    run(&mut command("cargo test --no-run --quiet --locked --workspace --test cli"))?;
    Ok(target_folder()?.join("debug").join("isrever"))
}

/// A command from one line of words, the first being the program.
pub(crate) fn command(line: &str) -> Command {
    let mut words = line.split_whitespace();
    let mut command = Command::new(words.next().unwrap_or_default());
    command.args(words);
    command
}

/// Runs a command, its output going to the terminal; an error if it fails.
pub(crate) fn run(command: &mut Command) -> Result<()> {
    let status = command.status().with_context(|| format!("cannot start {command:?}"))?;
    ensure!(status.success(), "{command:?} failed with {status}");
    Ok(())
}

/// Runs a command, and `each` on every line of its standard output as it comes; an error if one of
/// them fails.
pub(crate) fn each_line(line: &str, mut each: impl FnMut(&str) -> Result<()>) -> Result<()> {
    let mut child = command(line)
        .stdout(Stdio::piped())
        .spawn()
        .with_context(|| format!("cannot start `{line}`"))?;
    let mut lines = BufReader::new(child.stdout.take().context("its output is piped")?).lines();
    let heard = lines.try_for_each(|words| each(&words?));
    // Whoever is not listened to any longer must not wait for it.
    drop(lines);
    let status = child.wait()?;
    heard?;
    ensure!(status.success(), "`{line}` failed with {status}");
    Ok(())
}

/// What a command writes to its standard output, trimmed; an error if it fails.
pub(crate) fn output(line: &str) -> Result<String> {
    let output = command(line)
        .stderr(Stdio::inherit())
        .output()
        .with_context(|| format!("cannot start `{line}`"))?;
    ensure!(output.status.success(), "`{line}` failed with {}", output.status);
    Ok(String::from_utf8(output.stdout)?.trim().to_owned())
}
