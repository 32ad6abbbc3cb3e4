//! As much of HTTP as a load driver needs: one connection, one request after the other, and streams.

use anyhow::{Context, Result, bail, ensure};
use serde_json::Value;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::time::Duration;

/// Nothing may take longer; a server that is silent for so long is stuck.
const PATIENCE: Duration = Duration::from_secs(30);

/// A connection to the server.
pub(crate) struct Client {
    stream: BufReader<TcpStream>,
    address: String,
}

/// What was answered.
pub(crate) struct Answer {
    pub(crate) status: u16,
    body: Vec<u8>,
}

impl Answer {
    /// The body as JSON.
    pub(crate) fn json(&self) -> Result<Value> {
        serde_json::from_slice(&self.body).context("the body is JSON")
    }
}

impl Client {
    pub(crate) fn connect(address: &str) -> Result<Client> {
        let stream = TcpStream::connect(address).context("cannot connect")?;
        stream.set_read_timeout(Some(PATIENCE))?;
        stream.set_nodelay(true)?;
        Ok(Client { stream: BufReader::new(stream), address: address.to_owned() })
    }

    pub(crate) fn get(&mut self, path: &str) -> Result<Answer> {
        self.ask("GET", path, "", "")
    }

    pub(crate) fn post(&mut self, path: &str, body: &str) -> Result<Answer> {
        self.ask("POST", path, "", body)
    }

    /// Asks with the token of a saved game.
    pub(crate) fn put(&mut self, path: &str, token: &str, body: &str) -> Result<Answer> {
        self.ask("PUT", path, &format!("authorization: Bearer {token}\r\n"), body)
    }

    /// Begins a stream: its status. Unless it is 200 the body has been read.
    pub(crate) fn open(&mut self, path: &str) -> Result<u16> {
        self.send("GET", path, "", "")?;
        let (status, length) = self.head()?;
        if let Some(length) = length {
            self.stream.read_exact(&mut vec![0; length])?;
        }
        Ok(status)
    }

    /// The name of the next event of a stream; nothing at its end.
    pub(crate) fn event(&mut self) -> Result<Option<String>> {
        let mut line = String::new();
        loop {
            line.clear();
            if self.stream.read_line(&mut line)? == 0 {
                return Ok(None);
            }
            // Events come as chunks of a chunked body: other lines are lengths, data and space.
            if let Some(name) = line.strip_prefix("event: ") {
                return Ok(Some(name.trim().to_owned()));
            }
            if line == "0\r\n" {
                return Ok(None);
            }
        }
    }

    fn ask(&mut self, method: &str, path: &str, headers: &str, body: &str) -> Result<Answer> {
        self.send(method, path, headers, body)?;
        let (status, length) = self.head()?;
        let Some(length) = length else { bail!("{path}: the answer has no length") };
        let mut body = vec![0; length];
        self.stream.read_exact(&mut body)?;
        Ok(Answer { status, body })
    }

    fn send(&mut self, method: &str, path: &str, headers: &str, body: &str) -> Result<()> {
        let request = format!(
            "{method} {path} HTTP/1.1\r\nhost: {}\r\ncontent-type: application/json\r\n\
             {headers}content-length: {}\r\n\r\n{body}",
            self.address,
            body.len()
        );
        Ok(self.stream.get_mut().write_all(request.as_bytes())?)
    }

    /// The status and the length of the body, if it has one.
    fn head(&mut self) -> Result<(u16, Option<usize>)> {
        let mut line = String::new();
        self.stream.read_line(&mut line).context("no answer")?;
        let status = line.split(' ').nth(1).context("an answer has a status")?.parse()?;
        let mut length = None;
        loop {
            line.clear();
            ensure!(self.stream.read_line(&mut line)? > 0, "the answer breaks off");
            let lower = line.trim_end().to_ascii_lowercase();
            if lower.is_empty() {
                return Ok((status, length));
            }
            if let Some(value) = lower.strip_prefix("content-length: ") {
                length = Some(value.parse()?);
            }
        }
    }
}
