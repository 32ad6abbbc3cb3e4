//! Connections on a real socket: one address cannot shut out another, and the idlest makes room.

use crate::client::directory;
use isrever_web::{App, Limits, Settings, bind, serve};
use serde_json::Value;
use std::net::SocketAddr;
use std::time::Duration;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpSocket, TcpStream};
use tokio::sync::oneshot;
use tokio::task::JoinHandle;

/// Longer than any test takes.
const LONG: Duration = Duration::from_secs(600);

/// A server on a free port.
pub(crate) struct Server {
    pub(crate) address: SocketAddr,
    stop: oneshot::Sender<()>,
    served: JoinHandle<()>,
}

impl Server {
    pub(crate) async fn start(name: &str, limits: Limits) -> Server {
        let settings = Settings { workers: 1, limits, ..Settings::new(directory(name)) };
        let bound = bind("0.0.0.0", 0).await.unwrap();
        let address = SocketAddr::from(([127, 0, 0, 1], bound.address().port()));
        let (stop, stopped) = oneshot::channel();
        let app = App::open(settings).unwrap();
        let served = tokio::spawn(serve(app, bound, async { _ = stopped.await }));
        Server { address, stop, served }
    }

    /// A connection from `127.0.0.last`.
    pub(crate) async fn connect(&self, last: u8) -> TcpStream {
        let socket = TcpSocket::new_v4().unwrap();
        socket.bind(SocketAddr::from(([127, 0, 0, last], 0))).unwrap();
        socket.connect(self.address).await.unwrap()
    }

    /// Its health, asked for on a connection of its own.
    pub(crate) async fn health(&self) -> Value {
        let mut connection = self.connect(3).await;
        let request = "GET /api/health HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n";
        connection.write_all(request.as_bytes()).await.unwrap();
        let mut answer = String::new();
        connection.read_to_string(&mut answer).await.unwrap();
        serde_json::from_str(answer.split("\r\n\r\n").nth(1).unwrap()).unwrap()
    }

    /// The answer to what is sent to `path`, on a connection of its own.
    pub(crate) async fn post(&self, path: &str, token: Option<&str>, body: &Value) -> Value {
        let mut connection = self.connect(3).await;
        let body = body.to_string();
        let token = token.map(|token| format!("authorization: Bearer {token}\r\n"));
        let request = format!(
            "POST {path} HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n{}\
             content-type: application/json\r\ncontent-length: {}\r\n\r\n{body}",
            token.unwrap_or_default(),
            body.len(),
        );
        connection.write_all(request.as_bytes()).await.unwrap();
        let mut answer = String::new();
        connection.read_to_string(&mut answer).await.unwrap();
        serde_json::from_str(answer.split("\r\n\r\n").nth(1).unwrap()).unwrap()
    }

    pub(crate) async fn stop(self) {
        self.stop.send(()).unwrap();
        self.served.await.unwrap();
    }
}

/// Asks for something short on an open connection: the status, or nothing if it was closed.
pub(crate) async fn ask(connection: &mut TcpStream) -> Option<u16> {
    let request = "HEAD /api/agents HTTP/1.1\r\nhost: localhost\r\n\r\n";
    // If it was closed meanwhile, reading says so.
    let _ = connection.write_all(request.as_bytes()).await;
    let mut answer = Vec::new();
    while !answer.ends_with(b"\r\n\r\n") {
        match connection.read_u8().await {
            Ok(byte) => answer.push(byte),
            Err(_) => break,
        }
    }
    let answer = String::from_utf8(answer).unwrap();
    answer.split(' ').nth(1).map(|status| status.parse().unwrap())
}

#[tokio::test]
#[cfg(target_os = "linux")]
async fn a_thousand_connections_from_one_address_leave_another_served() {
    let limits = Limits { per_local_address: 50, grace: LONG, ..Limits::default() };
    let server = Server::start("thousand", limits).await;
    let mut held = Vec::new();
    for number in 0..1_000 {
        let mut connection = server.connect(1).await;
        if number < 50 {
            assert_eq!(ask(&mut connection).await, Some(200));
            held.push(connection);
        } else {
            let mut answer = String::new();
            // Those without a place are told so, if they listen, and closed.
            if connection.read_to_string(&mut answer).await.is_ok() {
                assert!(answer.starts_with("HTTP/1.1 429") && answer.contains("\"too-many\""));
            }
        }
    }
    assert_eq!(ask(&mut server.connect(2).await).await, Some(200), "another address");
    for connection in &mut held {
        assert_eq!(ask(connection).await, Some(200), "those that have a place keep it");
    }
    drop(held);
    server.stop().await;
}

#[tokio::test]
async fn the_idlest_connection_makes_room_and_a_stream_does_not() {
    let limits = Limits { connections: 3, grace: Duration::ZERO, ..Limits::default() };
    let server = Server::start("idlest", limits).await;
    let mut stream = server.connect(1).await;
    let request = "GET /api/analysis?seconds=60 HTTP/1.1\r\nhost: localhost\r\n\r\n";
    stream.write_all(request.as_bytes()).await.unwrap();
    assert_eq!(stream.read_u8().await.unwrap(), b'H', "it has begun");
    let mut idle = server.connect(1).await;
    assert_eq!(ask(&mut idle).await, Some(200));
    let mut recent = server.connect(1).await;
    assert_eq!(ask(&mut recent).await, Some(200));

    let mut new = server.connect(1).await;
    assert_eq!(ask(&mut new).await, Some(200));
    assert_eq!(ask(&mut idle).await, None, "it made room");
    assert_eq!(ask(&mut recent).await, Some(200));
    // The stream goes on: there are events after all of this.
    let mut events = [0; 2_000];
    stream.read_exact(&mut events).await.unwrap();
    server.stop().await;
}
