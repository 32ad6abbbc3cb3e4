//! Clients that hold on to a connection, by a clock that runs ahead when everybody waits.

use super::*;
use crate::app::Settings;
use crate::limits::Limits;
use std::time::Duration;
use tokio::io::{AsyncReadExt, AsyncWriteExt, DuplexStream, duplex};
use tokio::sync::watch;
use tokio::task::JoinHandle;
use tokio::time::{Instant, sleep};

/// What fits between the two ends of a connection, in bytes.
const BETWEEN: usize = 1 << 10;

/// A long answer that needs no other thread.
const LONG: &str = "GET /api/openapi.json HTTP/1.1\r\nhost: localhost\r\n\r\n";

/// A connection to a server of its own.
struct Connection {
    app: App,
    client: DuplexStream,
    held: JoinHandle<()>,
    /// Dropping it tells the connection to end.
    _stopping: watch::Sender<()>,
}

impl Connection {
    fn new(name: &str) -> Connection {
        let name = format!("isrever-connection-{name}-{}", std::process::id());
        let data = std::env::temp_dir().join(name);
        let app = App::open(Settings { workers: 1, ..Settings::new(data) }).unwrap();
        let peer = SocketAddr::from(([192, 0, 2, 7], 1));
        let place = app.connections().enter(Caller::new(peer)).ok().unwrap();
        let (client, server) = duplex(BETWEEN);
        let (router, (stopping, watcher)) = (app.router(), watch::channel(()));
        let held = tokio::spawn(hold(app.clone(), router, server, peer, place, watcher));
        Connection { app, client, held, _stopping: stopping }
    }

    fn limits(&self) -> Limits {
        self.app.settings().limits
    }

    /// Waits until the server has closed the connection: what it had sent.
    async fn closed(mut self) -> String {
        let mut answer = Vec::new();
        // What is left of a connection that was broken off may be an error.
        let _ = self.client.read_to_end(&mut answer).await;
        if !self.held.is_finished() {
            self.held.await.unwrap();
        }
        assert_eq!(self.app.connections().count(), 0, "its place is free");
        self.app.close();
        let _ = std::fs::remove_dir_all(&self.app.settings().data);
        String::from_utf8(answer).unwrap()
    }
}

#[tokio::test(start_paused = true)]
async fn a_head_that_comes_byte_by_byte_does_not_hold_a_connection() {
    let (mut connection, began) = (Connection::new("head"), Instant::now());
    let head = "GET /api/openapi.json HTTP/1.1\r\nhost: localhost\r\nx: ".bytes();
    for byte in head.chain(std::iter::repeat(b'x')) {
        sleep(Duration::from_secs(1)).await;
        if connection.client.write_all(&[byte]).await.is_err() {
            break;
        }
    }
    assert!(began.elapsed() <= connection.limits().head + Duration::from_secs(2));
    connection.closed().await;
}

#[tokio::test(start_paused = true)]
async fn a_body_that_comes_byte_by_byte_does_not_hold_a_connection() {
    let (mut connection, began) = (Connection::new("body"), Instant::now());
    let head = "POST /api/position HTTP/1.1\r\nhost: localhost\r\n\
                content-type: application/json\r\ncontent-length: 5000\r\n\r\n";
    connection.client.write_all(head.as_bytes()).await.unwrap();
    while connection.client.write_all(b" ").await.is_ok() {
        sleep(Duration::from_secs(1)).await;
    }
    assert!(began.elapsed() <= connection.limits().body + Duration::from_secs(2));
    let answer = connection.closed().await;
    assert!(answer.starts_with("HTTP/1.1 408"), "{answer}");
    assert!(answer.contains("\"timeout\""), "{answer}");
}

#[tokio::test(start_paused = true)]
async fn a_connection_without_requests_does_not_stay_for_ever() {
    let (mut connection, began) = (Connection::new("idle"), Instant::now());
    connection.client.write_all(LONG.as_bytes()).await.unwrap();
    let patience = connection.limits().head;
    let answer = connection.closed().await;
    assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
    assert!(began.elapsed() >= patience && began.elapsed() <= patience + Duration::from_secs(1));
}

#[tokio::test(start_paused = true)]
async fn a_reader_that_takes_nothing_is_dropped() {
    let (mut connection, began) = (Connection::new("reader"), Instant::now());
    connection.client.write_all(LONG.as_bytes()).await.unwrap();
    (&mut connection.held).await.unwrap();
    let patience = connection.limits().write;
    assert!(began.elapsed() >= patience && began.elapsed() <= patience + Duration::from_secs(1));
    let was = connection.closed().await;
    assert!(was.len() <= BETWEEN, "the rest was never sent");
}

#[tokio::test(start_paused = true)]
async fn a_reader_that_is_slow_but_reads_gets_everything() {
    let (mut connection, began) = (Connection::new("slow"), Instant::now());
    connection.client.write_all(LONG.as_bytes()).await.unwrap();
    let patience = connection.limits().write;
    let (mut answer, mut part) = (Vec::new(), [0; BETWEEN]);
    while !answer.ends_with(b"}") || answer.len() < 10 * BETWEEN {
        sleep(patience / 2).await;
        let count = connection.client.read(&mut part).await.unwrap();
        assert!(count > 0, "it broke off after {} bytes", answer.len());
        answer.extend(&part[..count]);
    }
    assert!(began.elapsed() > 4 * patience, "the whole takes longer than any part may");
    connection.closed().await;
}
