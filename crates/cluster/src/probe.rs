//! What is at an address where no connection comes about.

use async_nats::ServerAddr;
use std::time::Duration;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::time::timeout;

/// How long it may take to say something.
const PATIENCE: Duration = Duration::from_secs(2);

/// The most bytes to listen to: a NATS server's first line has some hundred.
const MOST_BYTES: usize = 4096;

/// The most characters of what it says that are told.
const TOLD: usize = 40;

/// What is at an address.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Found {
    /// Nothing takes connections.
    Nothing,
    /// Something takes connections and says nothing.
    Silence,
    /// A NATS server.
    Nats {
        /// Whether it speaks TLS.
        has_tls: bool,
    },
    /// A web server.
    Web,
    /// Something else, which says this.
    Other(String),
}

impl Found {
    /// What says this of itself.
    fn new(said: &[u8]) -> Found {
        let said = String::from_utf8_lossy(said);
        if let Some(info) = said.strip_prefix("INFO ") {
            let info: serde_json::Value = serde_json::from_str(info.trim()).unwrap_or_default();
            let has_tls = ["tls_required", "tls_available"].iter().any(|key| info[key] == true);
            return Found::Nats { has_tls };
        }
        if said.starts_with("HTTP/") {
            return Found::Web;
        }
        let line = said.lines().next().unwrap_or_default();
        Found::Other(line.chars().take(TOLD).collect())
    }
}

/// Looks what is at an address.
pub(crate) async fn probe(server: &ServerAddr) -> Found {
    let connect = TcpStream::connect((server.host(), server.port()));
    let Ok(Ok(mut stream)) = timeout(PATIENCE, connect).await else { return Found::Nothing };
    if let Some(said) = listen(&mut stream).await {
        return Found::new(&said);
    }
    // Web servers speak when they are spoken to.
    let asked = timeout(PATIENCE, stream.write_all(b"GET / HTTP/1.0\r\n\r\n")).await;
    match listen(&mut stream).await.filter(|_| matches!(asked, Ok(Ok(())))) {
        Some(said) => Found::new(&said),
        None => Found::Silence,
    }
}

/// The first line, as far as it comes in time.
async fn listen(stream: &mut TcpStream) -> Option<Vec<u8>> {
    let mut said = Vec::new();
    let line = async {
        while !said.contains(&b'\n') && said.len() < MOST_BYTES {
            match stream.read_buf(&mut said).await {
                Ok(0) | Err(_) => return,
                Ok(_) => {}
            }
        }
    };
    // What came before the time was over counts.
    let _ = timeout(PATIENCE, line).await;
    Some(said).filter(|said| !said.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn servers_are_known_by_their_first_words() {
        let nats = |has_tls| Found::Nats { has_tls };
        for (said, found) in [
            ("INFO {\"server_id\":\"A\",\"tls_required\":true} \r\n", nats(true)),
            ("INFO {\"server_id\":\"A\",\"tls_available\":true}\r\n", nats(true)),
            ("INFO {\"server_id\":\"A\"} \r\n", nats(false)),
            ("HTTP/1.1 400 Bad Request\r\n\r\n", Found::Web),
            ("SSH-2.0-OpenSSH_9.2\r\n", Found::Other("SSH-2.0-OpenSSH_9.2".to_owned())),
        ] {
            assert_eq!(Found::new(said.as_bytes()), found, "{said}");
        }
    }
}
