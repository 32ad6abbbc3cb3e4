//! A small HTTP client: one connection, one request after the other, and event streams.

use anyhow::{Context, Result, ensure};
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
    /// The name and the value of a cookie that was set with it.
    pub(crate) cookie: Option<String>,
    body: Vec<u8>,
}

/// What comes before the body of an answer.
struct Head {
    status: u16,
    length: Option<usize>,
    cookie: Option<String>,
}

/// An event of a stream: its name, and its data as JSON text.
pub(crate) struct Event {
    pub(crate) name: String,
    pub(crate) data: String,
}

impl Answer {
    /// The body as JSON.
    pub(crate) fn json(&self) -> Result<Value> {
        serde_json::from_slice(&self.body).context("the body is JSON")
    }

    /// The body as it came.
    pub(crate) fn bytes(&self) -> &[u8] {
        &self.body
    }

    /// The body as text.
    pub(crate) fn text(&self) -> Result<&str> {
        std::str::from_utf8(&self.body).context("the body is text")
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

    /// Changes a saved game, which takes its token.
    pub(crate) fn put(&mut self, path: &str, token: &str, body: &str) -> Result<Answer> {
        self.ask_with_token("PUT", path, token, body)
    }

    /// Sends any request with the token of a saved game, or an empty one.
    pub(crate) fn ask_with_token(
        &mut self,
        method: &str,
        path: &str,
        token: &str,
        body: &str,
    ) -> Result<Answer> {
        self.ask(method, path, &format!("authorization: Bearer {token}\r\n"), body)
    }

    /// Begins a stream: its status, and the body of a refusal.
    pub(crate) fn open(&mut self, path: &str) -> Result<Answer> {
        self.send("GET", path, "", "")?;
        let Head { status, length, cookie } = self.head()?;
        let body = self.bytes(length.unwrap_or(0))?;
        Ok(Answer { status, cookie, body })
    }

    /// Reads the next event of a stream; `None` at its end.
    pub(crate) fn event(&mut self) -> Result<Option<Event>> {
        let (mut line, mut name) = (String::new(), String::new());
        loop {
            line.clear();
            if self.stream.read_line(&mut line)? == 0 || line == "0\r\n" {
                return Ok(None);
            }
            // Each event is a chunk of a chunked body: other lines are lengths and space.
            if let Some(text) = line.strip_prefix("event: ") {
                text.trim_end().clone_into(&mut name);
            } else if let Some(data) = line.strip_prefix("data: ") {
                return Ok(Some(Event { name, data: data.trim_end().to_owned() }));
            }
        }
    }

    /// Sends any request with further lines of its head, each with its end.
    pub(crate) fn ask(
        &mut self,
        method: &str,
        path: &str,
        headers: &str,
        body: &str,
    ) -> Result<Answer> {
        self.send(method, path, headers, body)?;
        let Head { status, length, cookie } = self.head()?;
        let body = match length {
            Some(length) => self.bytes(length)?,
            // 204 means that there is no body.
            None if status == 204 => Vec::new(),
            None => self.chunks()?,
        };
        Ok(Answer { status, cookie, body })
    }

    fn bytes(&mut self, length: usize) -> Result<Vec<u8>> {
        let mut bytes = vec![0; length];
        self.stream.read_exact(&mut bytes)?;
        Ok(bytes)
    }

    /// Reads a body that comes in chunks, each behind its length in hexadecimal.
    fn chunks(&mut self) -> Result<Vec<u8>> {
        let mut body = Vec::new();
        loop {
            let mut line = String::new();
            self.stream.read_line(&mut line)?;
            let length = usize::from_str_radix(line.trim_end(), 16).context("a chunk's length")?;
            body.extend(self.bytes(length)?);
            // The end of the line behind the chunk.
            self.bytes(2)?;
            if length == 0 {
                return Ok(body);
            }
        }
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

    /// Reads what comes before the body.
    fn head(&mut self) -> Result<Head> {
        let mut line = String::new();
        self.stream.read_line(&mut line).context("no answer")?;
        let status = line.split(' ').nth(1).context("an answer has a status")?.parse()?;
        let mut head = Head { status, length: None, cookie: None };
        loop {
            line.clear();
            ensure!(self.stream.read_line(&mut line)? > 0, "the answer breaks off");
            let Some((name, value)) = line.trim_end().split_once(": ") else { return Ok(head) };
            if name.eq_ignore_ascii_case("content-length") {
                head.length = Some(value.parse()?);
            } else if name.eq_ignore_ascii_case("set-cookie") {
                head.cookie = value.split(';').next().map(str::to_owned);
            }
        }
    }
}
