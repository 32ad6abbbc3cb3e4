//! Runs the commands of a page in its scratch folder.

use super::page::{Block, Kind};
use crate::http::Client;
use crate::server::Server;
use crate::{setup, shell};
use anyhow::{Context, Result, bail, ensure};
use std::ffi::OsString;
use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// A command may take so many seconds, on a busy machine too.
const SECONDS: &str = "120";
/// Files that stand for the reader's own.
const FILES: &str = "testdata/guide";
/// The address that pages write, where the board is unless another port is asked for.
const ADDRESS: &str = "127.0.0.1:7788";
/// Of what a failed command said, so many lines are shown.
const LINES: usize = 20;

/// The folder of the Rust examples below cargo's own.
const EXAMPLES: &str = "debug/examples";

/// A page that is being run.
pub(super) struct Session<'a> {
    program: &'a Path,
    scratch: PathBuf,
    path: OsString,
}

/// A block that is being run.
pub(super) struct Running<'a> {
    session: &'a Session<'a>,
    block: &'a Block,
    server: Option<Server>,
}

impl<'a> Session<'a> {
    /// Makes the scratch folder.
    pub(super) fn new(program: &'a Path, scratch: &Path) -> Result<Session<'a>> {
        // Left over from an earlier run, or not there at all.
        let _ = fs::remove_dir_all(scratch);
        let programs = scratch.join(".bin");
        fs::create_dir_all(&programs)?;
        std::os::unix::fs::symlink(program, programs.join("isrever"))?;
        for entry in fs::read_dir(FILES).with_context(|| format!("cannot read {FILES}"))? {
            let entry = entry?;
            fs::copy(entry.path(), scratch.join(entry.file_name()))?;
        }
        // Otherwise curl succeeds with an answer that is a refusal.
        fs::write(scratch.join(".curlrc"), "fail\n")?;
        let examples = shell::target_folder()?.join(EXAMPLES);
        let path = setup::path_with([programs, examples])?;
        Ok(Session { program, scratch: scratch.to_owned(), path })
    }

    /// Gets ready for a block.
    pub(super) fn begin(&'a self, block: &'a Block) -> Result<Running<'a>> {
        for (path, name) in &block.copies {
            let place = self.scratch.join(name);
            fs::create_dir_all(place.parent().context("a file lies in a folder")?)?;
            fs::copy(path, place).with_context(|| format!("cannot copy {path}"))?;
        }
        let server = match block.kind {
            Kind::Client => {
                let mut serve = Command::new(self.program);
                serve.args(["serve", "--data", "served"]).current_dir(&self.scratch);
                Some(Server::start(&mut serve)?)
            }
            _ => None,
        };
        Ok(Running { session: self, block, server })
    }

    /// A command of a shell, whose failure is that of any program in it.
    fn command(&self, line: &str) -> Command {
        let mut command = Command::new("timeout");
        command.args(["--kill-after=5", SECONDS, "bash", "-o", "pipefail", "-c", line]);
        command.current_dir(&self.scratch).env("PATH", &self.path);
        // Where the program keeps games unless it is told.
        command.env("XDG_DATA_HOME", self.scratch.join(".data")).env("CURL_HOME", &self.scratch);
        command
    }
}

impl Running<'_> {
    /// Runs one command of the block; an error if it fails.
    pub(super) fn run(&mut self, line: &str) -> Result<()> {
        let line = match &self.server {
            Some(server) => {
                ensure!(line.contains(ADDRESS), "it does not say {ADDRESS}");
                line.replace(ADDRESS, server.address())
            }
            None => line.to_owned(),
        };
        match self.block.kind {
            Kind::Server => serve(self.session.command(&format!("exec {line}"))),
            _ => self.finish(self.session.command(&line)),
        }
    }

    /// Ends the block's server.
    pub(super) fn end(self) -> Result<()> {
        self.server.map_or(Ok(()), Server::stop)
    }

    /// Runs a command to its end.
    fn finish(&self, mut command: Command) -> Result<()> {
        // One file for both streams keeps their order, and no pipe can be full.
        let said = self.session.scratch.join(".output");
        let file = fs::File::create(&said)?;
        let mut child = command
            .stdin(Stdio::piped())
            .stdout(file.try_clone()?)
            .stderr(file)
            .spawn()
            .context("cannot start timeout")?;
        // A program may have read enough before the end.
        let _ = child.stdin.take().context("it is piped")?.write_all(self.block.input.as_bytes());
        let status = child.wait()?;
        if status.success() {
            return Ok(());
        }
        let text = String::from_utf8_lossy(&fs::read(said)?).into_owned();
        let lines: Vec<&str> = text.lines().collect();
        let lines = &lines[lines.len().saturating_sub(LINES)..];
        match status.code() {
            Some(124 | 137) => bail!("it takes longer than {SECONDS} s\n{}", lines.join("\n")),
            _ => bail!("it ends with {status}\n{}", lines.join("\n")),
        }
    }
}

/// Runs a server until it has answered a request, and stops it as Ctrl-C does.
fn serve(mut command: Command) -> Result<()> {
    let mut child = command.stdin(Stdio::null()).stdout(Stdio::piped()).spawn()?;
    // Kept to the end: a server that cannot print any longer would fail.
    let mut said = BufReader::new(child.stdout.take().context("it is piped")?);
    let asked = ask(&mut said);
    let stopped = Command::new("kill").args(["-INT", &child.id().to_string()]).status();
    let status = child.wait()?;
    asked?;
    ensure!(stopped?.success(), "it cannot be stopped");
    ensure!(status.success(), "it ends with {status}");
    Ok(())
}

/// Waits until a server says where it is, and asks how it is.
fn ask(said: &mut impl BufRead) -> Result<()> {
    for line in said.lines() {
        if let Some((_, rest)) = line?.split_once("http://") {
            let address = rest.split('/').next().unwrap_or_default();
            let answer = Client::connect(address)?.get("/api/health")?;
            ensure!(answer.status == 200, "it answers with status {}", answer.status);
            return Ok(());
        }
    }
    bail!("it does not say where it is")
}
