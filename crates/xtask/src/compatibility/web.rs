//! Questions to the web server, and its answers as text.

use crate::http::{Answer, Client, Event};
use crate::server::Server;
use anyhow::{Context, Result};
use std::process::Command;

/// Stands for the id of the saved game that was begun last.
const ID: &str = "$ID";

/// Stands for the code of its invitation, if two people are to play it.
const CODE: &str = "$CODE";

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
    code: Option<String>,
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
        let body = body.replace(CODE, self.saved.code.as_deref().unwrap_or_default());
        let answer = self.client.ask_with_token(method, &path, &self.saved.token, &body)?;
        let begins = ["/api/games", "/api/friends"].contains(&path.as_str());
        if (method, begins, answer.status) == ("POST", true, 201) {
            let begun = answer.json()?;
            let text = |key: &str| begun[key].as_str().context("a text").map(str::to_owned);
            self.saved = Saved { id: text("id")?, token: text("token")?, code: text("code").ok() };
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

    /// Replaces the saved game's id, token and code, which are never the same twice.
    fn anonymous(&self, text: String) -> String {
        let Saved { id, token, code } = &self.saved;
        if id.is_empty() {
            return text;
        }
        let text = text.replace(id, ID).replace(token, "$TOKEN");
        code.as_ref().map_or_else(|| text.clone(), |code| text.replace(code, CODE))
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
