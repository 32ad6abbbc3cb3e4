//! Several streams over one WebSocket, on a real socket.

use crate::client::Client;
use crate::connections::Server;
use axum::body::Body;
use axum::http::Method;
use futures_util::{SinkExt, StreamExt};
use isrever_web::Limits;
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;
use tokio::net::TcpStream;
use tokio_tungstenite::tungstenite::{Error, Message};
use tokio_tungstenite::{WebSocketStream, client_async};

type Socket = WebSocketStream<TcpStream>;

async fn open(server: &Server) -> Socket {
    let address = format!("ws://localhost:{}/api/channel", server.address.port());
    client_async(address, server.connect(1).await).await.unwrap().0
}

async fn ask(socket: &mut Socket, asked: Value) {
    socket.send(Message::text(asked.to_string())).await.unwrap();
}

/// The next message that says something.
async fn hear(socket: &mut Socket) -> Option<Value> {
    loop {
        let Some(Ok(Message::Text(text))) = socket.next().await else { return None };
        let message: Value = serde_json::from_str(&text).unwrap();
        if message.get("data").is_some() {
            return Some(message);
        }
    }
}

#[tokio::test]
async fn ten_analyses_share_a_channel() {
    let server = Server::start("channel", Limits::default()).await;
    let mut socket = open(&server).await;
    for stream in 0..10 {
        let path = format!("/api/analysis?size=4&seconds=600&moves=b1,a1&depth={}", stream + 1);
        ask(&mut socket, json!({"stream": stream, "path": path})).await;
    }
    let mut ended = BTreeMap::new();
    while ended.len() < 10 {
        let message = hear(&mut socket).await.unwrap();
        let stream = message["stream"].as_u64().unwrap();
        assert!(!ended.contains_key(&stream), "nothing follows the end: {message}");
        if message["event"] == "done" {
            ended.insert(stream, message["data"]["reason"].clone());
        }
    }
    assert!(ended.values().all(|reason| reason == "proved"), "{ended:?}");
    drop(socket);
    server.stop().await;
}

#[tokio::test]
async fn a_stream_ends_when_the_page_says_so_or_leaves() {
    let server = Server::start("channel_ends", Limits::default()).await;
    let searches = async || loop {
        // Until the server has noticed.
        let health = server.health().await;
        if health["streams"] == 0 && health["searches"]["running"] == 0 {
            return;
        }
    };
    let path = "/api/analysis?seconds=3600";
    let mut socket = open(&server).await;
    ask(&mut socket, json!({"stream": 1, "path": path})).await;
    assert_eq!(hear(&mut socket).await.unwrap()["event"], "values");
    ask(&mut socket, json!({"stream": 1})).await;
    searches().await;
    ask(&mut socket, json!({"stream": 2, "path": path})).await;
    while hear(&mut socket).await.unwrap()["stream"] != 2 {}
    drop(socket);
    searches().await;
    server.stop().await;
}

#[tokio::test]
async fn what_is_no_stream_is_refused_and_the_others_go_on() {
    let server = Server::start("channel_refuses", Limits::default()).await;
    let mut socket = open(&server).await;
    for nonsense in ["", "{", "[]", r#"{"stream": -1}"#, r#"{"stream": 1, "more": 2}"#] {
        socket.send(Message::text(nonsense)).await.unwrap();
    }
    for (path, status, code) in [
        ("/api/analysis?size=5", 400, "bad-request"),
        ("/api/games/nosuchgame12/follow", 404, "not-found"),
        ("/api/games/nosuchgame12", 404, "not-found"),
        ("/api/health", 404, "not-found"),
        ("not a path", 404, "not-found"),
    ] {
        ask(&mut socket, json!({"stream": 3, "path": path})).await;
        let message = hear(&mut socket).await.unwrap();
        assert_eq!(
            (&message["stream"], &message["status"]),
            (&json!(3), &json!(status)),
            "{message}"
        );
        assert_eq!(message["data"]["error"]["code"], code, "{message}");
    }
    ask(&mut socket, json!({"stream": 4, "path": "/api/solve?size=4&moves=b1,a1"})).await;
    while hear(&mut socket).await.unwrap()["event"] != "done" {}
    let long = "x".repeat(1 << 20);
    let _ = socket.send(Message::text(long)).await;
    assert_eq!(hear(&mut socket).await, None, "a message that is too long ends the channel");
    server.stop().await;
}

#[tokio::test]
async fn other_sites_open_no_channel() {
    let server = Server::start("channel_sites", Limits::default()).await;
    let address = format!("ws://localhost:{}/api/channel", server.address.port());
    let mut request =
        tokio_tungstenite::tungstenite::client::IntoClientRequest::into_client_request(address)
            .unwrap();
    request.headers_mut().insert("origin", "https://evil.example".parse().unwrap());
    match client_async(request, server.connect(1).await).await {
        Err(Error::Http(answer)) => assert_eq!(answer.status(), 403),
        other => panic!("{other:?}"),
    }
    let client = Client::new("channel_plain");
    let plain = crate::client::request(Method::GET, "/api/channel", Body::empty());
    client.ask(plain).await.refused(400, "bad-request");
    server.stop().await;
}

#[tokio::test]
async fn an_idle_channel_makes_room_and_one_at_work_does_not() {
    let limits = Limits { connections: 2, grace: Duration::ZERO, ..Limits::default() };
    let server = Server::start("channel_room", limits).await;
    let mut working = open(&server).await;
    ask(&mut working, json!({"stream": 1, "path": "/api/analysis?seconds=3600"})).await;
    assert_eq!(hear(&mut working).await.unwrap()["event"], "values");
    let mut idle = open(&server).await;
    let mut third = server.connect(2).await;
    assert_eq!(crate::connections::ask(&mut third).await, Some(200));
    assert_eq!(hear(&mut idle).await, None, "the idle one went");
    assert_eq!(hear(&mut working).await.unwrap()["event"], "values", "the other did not");
    drop((working, third));
    server.stop().await;
}

#[tokio::test]
async fn followed_games_share_a_channel_and_a_seat_has_its_token() {
    let server = Server::start("channel_follows", Limits::default()).await;
    let mut games = Vec::new();
    for _ in 0..8 {
        let body = json!({"size": 4, "side": "black", "name": "Ann"});
        let begun = server.post("/api/friends", None, &body).await;
        games.push((begun["id"].as_str().unwrap().to_owned(), begun["token"].clone()));
    }
    let mut socket = open(&server).await;
    for (stream, (id, token)) in games.iter().enumerate() {
        let path = format!("/api/games/{id}/follow");
        // The first is watched, the others are played.
        let token = if stream == 0 { Value::Null } else { token.clone() };
        ask(&mut socket, json!({"stream": stream, "path": path, "token": token})).await;
    }
    let mut heard = BTreeMap::new();
    while heard.len() < games.len() {
        let message = hear(&mut socket).await.unwrap();
        if message["event"] == "presence" {
            let data = &message["data"];
            heard.insert(message["stream"].as_u64().unwrap(), data["black"] == true);
        }
    }
    assert!(!heard[&0] && (1..8).all(|stream| heard[&stream]), "{heard:?}");
    for (id, token) in &games {
        let path = format!("/api/friends/{id}/act");
        server.post(&path, token.as_str(), &json!({"action": "resign"})).await;
    }
    let mut ended = BTreeSet::new();
    while ended.len() < games.len() {
        let message = hear(&mut socket).await.unwrap();
        if message["event"] == "game" && message["data"]["state"] == "stopped" {
            ended.insert(message["stream"].as_u64().unwrap());
        }
    }
    for token in ["a token of nobody", "\u{7}"] {
        let path = format!("/api/games/{}/follow", games[0].0);
        ask(&mut socket, json!({"stream": 9, "path": path, "token": token})).await;
        let refused = loop {
            let message = hear(&mut socket).await.unwrap();
            if message["stream"] == 9 {
                break message;
            }
        };
        assert!(refused["status"].as_u64().is_some_and(|status| status >= 400), "{refused}");
    }
    drop(socket);
    server.stop().await;
}
