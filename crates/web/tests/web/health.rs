//! The health of a server in trouble, and after it.

use crate::client::{Client, directory};
use axum::http::Method;
use isrever_web::{Limits, Settings};
use serde_json::{Value, json};
use std::time::Duration;

/// The codes of what is wrong.
async fn reasons(client: &Client) -> Vec<String> {
    let health = client.get("/api/health").await.json();
    let reasons = health["reasons"].as_array().unwrap();
    assert_eq!(health["status"], if reasons.is_empty() { "ok" } else { "degraded" });
    assert!(reasons.iter().all(|reason| reason["message"].as_str().unwrap().len() > 10));
    reasons.iter().map(|reason| reason["code"].as_str().unwrap().to_owned()).collect()
}

fn players() -> Value {
    json!({"black": {"kind": "human", "name": "Ann"}, "white": {"kind": "human", "name": "Bob"}})
}

#[tokio::test]
async fn a_full_disk_loses_no_game_and_is_told_until_there_is_space() {
    let limits = Limits { database_bytes: 64 << 10, ..Limits::default() };
    let client = Client::with(Settings { limits, ..Settings::new(directory("full")) });
    assert_eq!(reasons(&client).await, [""; 0]);
    let mut begun = Vec::new();
    let refused = loop {
        let answer = client.post("/api/games", players()).await;
        if !answer.status.is_success() {
            break answer;
        }
        begun.push(answer.json());
    };
    assert!(refused.refused(507, "disk-full").contains("nothing was saved"));
    assert!(begun.len() > 10, "{}", begun.len());
    assert_eq!(reasons(&client).await, ["disk-full"]);
    let health = client.get("/api/health").await.json();
    assert_eq!(health["games"], begun.len(), "what was saved is there");
    // Moves do not need the disk.
    client.post("/api/move", json!({"agent": "greedy"})).await.json();

    for game in &begun {
        let text = |key: &str| game[key].as_str().unwrap().to_owned();
        let path = format!("/api/games/{}", text("id"));
        let deleted = client.with_token(Method::DELETE, &path, &text("token"), json!({})).await;
        assert_eq!(deleted.status, 204, "{}", deleted.text());
    }
    assert_eq!(reasons(&client).await, [""; 0]);
    assert_eq!(client.get("/api/health").await.json()["games"], 0);
    client.post("/api/games", players()).await.json();
}

#[tokio::test]
async fn a_disk_with_little_space_is_told_before_it_is_full() {
    let limits = Limits { free_bytes: u64::MAX, ..Limits::default() };
    let client = Client::with(Settings { limits, ..Settings::new(directory("low")) });
    assert_eq!(reasons(&client).await, ["disk-low"]);
    client.post("/api/games", players()).await.json();
}

#[tokio::test]
async fn refused_moves_are_told() {
    let patience = Duration::ZERO;
    let client = Client::with(Settings { patience, ..Settings::new(directory("refusing")) });
    let refused = loop {
        // A search may begin before anybody sees that its time is over.
        let answer = client.post("/api/move", json!({"agent": "greedy"})).await;
        if !answer.status.is_success() {
            break answer;
        }
    };
    refused.refused(503, "busy");
    assert_eq!(reasons(&client).await, ["searches-refused"]);
}
