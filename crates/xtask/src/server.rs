//! Starts and stops `isrever serve` on a free port.

use crate::http::Client;
use crate::shell;
use anyhow::{Context, Result, ensure};
use serde_json::Value;
use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};

/// A running `isrever serve`. Dropping it kills it.
pub(crate) struct Server {
    child: Child,
    address: String,
    said: Value,
}

impl Server {
    /// Starts `isrever serve` on any free port and waits until it says where it listens.
    pub(crate) fn start(serve: &mut Command) -> Result<Server> {
        Server::start_at(serve, 0)
    }

    /// Starts `isrever serve` on this port, or any free one if it is 0.
    pub(crate) fn start_at(serve: &mut Command, port: u16) -> Result<Server> {
        let mut child = serve
            .args(["--port", &port.to_string(), "--json"])
            .stdout(Stdio::piped())
            .spawn()
            .with_context(|| format!("cannot start {serve:?}"))?;
        let mut line = String::new();
        let out = child.stdout.take().context("its output is piped")?;
        BufReader::new(out).read_line(&mut line)?;
        let said: Value = serde_json::from_str(&line).context("it says where it is")?;
        let url = said["url"].as_str().context("a url")?;
        let address = url.trim_start_matches("http://").trim_end_matches('/').to_owned();
        Ok(Server { child, address, said })
    }

    /// Opens a connection of its own.
    pub(crate) fn client(&self) -> Result<Client> {
        Client::connect(&self.address)
    }

    /// Where it listens: a host and a port.
    pub(crate) fn address(&self) -> &str {
        &self.address
    }

    /// What it said when it was ready.
    pub(crate) fn said(&self) -> &Value {
        &self.said
    }

    /// Kills it, so that it has no time to put anything in order.
    pub(crate) fn kill(mut self) -> Result<()> {
        self.child.kill()?;
        self.child.wait()?;
        Ok(())
    }

    /// The process id.
    pub(crate) fn id(&self) -> u32 {
        self.child.id()
    }

    /// Stops it as Ctrl-C does, and checks that it ends well.
    pub(crate) fn stop(mut self) -> Result<()> {
        shell::run(Command::new("kill").args(["-INT", &self.id().to_string()]))?;
        let status = self.child.wait()?;
        ensure!(status.success(), "the server ended with {status}");
        Ok(())
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // After an error on the way; a server that was stopped is gone already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
