//! Questions to the web server, and its answers as text.

use crate::http::{Answer, Client, Event};
use crate::server::Server;
use anyhow::{Context, Result};
use std::process::Command;

/// Stands for the id of the saved game that was begun last.
const ID: &str = "$ID";

/// The server of an area and a connection to it.
pub(super) struct Web {
    server: Server,
    client: Client,
    /// The saved game that was begun last.
    saved: Saved,
}

#[derive(Default)]
struct Saved {
    id: String,
    token: String,
}

impl Web {
    pub(super) fn start(serve: &mut Command) -> Result<Web> {
        let server = Server::start(serve)?;
        let client = server.client()?;
        Ok(Web { server, client, saved: Saved::default() })
    }

    pub(super) fn stop(self) -> Result<()> {
        self.server.stop()
    }

    /// Sends a request: the status unless it is 200, and the body or the events.
    pub(super) fn ask(&mut self, method: &str, path: &str, body: &str) -> Result<String> {
        let path = path.replace(ID, &self.saved.id);
        if method == "STREAM" {
            return self.stream(&path);
        }
        let answer = self.client.ask_with_token(method, &path, &self.saved.token, body)?;
        if (method, path.as_str(), answer.status) == ("POST", "/api/games", 201) {
            let begun = answer.json()?;
            let text = |key: &str| begun[key].as_str().context("a text").map(str::to_owned);
            self.saved = Saved { id: text("id")?, token: text("token")? };
        }
        self.told(&answer)
    }

    /// The status unless it is 200, and the body.
    fn told(&self, answer: &Answer) -> Result<String> {
        let status = match answer.status {
            200 => String::new(),
            status => format!("status {status}\n"),
        };
        Ok(self.anonymous(status + answer.text()?))
    }

    /// Replaces the saved game's id and token, which are never the same twice.
    fn anonymous(&self, text: String) -> String {
        let Saved { id, token } = &self.saved;
        match id.is_empty() {
            true => text,
            false => text.replace(id, ID).replace(token, "$TOKEN"),
        }
    }

    /// Reads a stream to its end, on a connection of its own. Of the tables of an analysis the last
    /// one is told, and of the progress of a proof nothing: how many come depends on the machine.
    fn stream(&self, path: &str) -> Result<String> {
        let mut client = self.server.client()?;
        let answer = client.open(path)?;
        if answer.status != 200 {
            return self.told(&answer);
        }
        let mut events: Vec<Event> = Vec::new();
        while let Some(event) = client.event()? {
            if event.name == "values" {
                events.retain(|earlier| earlier.name != "values");
            }
            if event.name != "progress" {
                events.push(event);
            }
        }
        let lines = events.iter().map(|Event { name, data }| format!("{name} {data}\n"));
        Ok(self.anonymous(lines.collect()))
    }
}
