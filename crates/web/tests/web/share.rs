//! Positions and games as text, and as pictures.

use crate::client::{Client, request};
use axum::http::Method;
use serde_json::json;

#[tokio::test]
async fn what_is_written_can_be_read_again() {
    let client = Client::new("share");
    let game = json!({"rule": "reversed", "moves": ["f5", "d6", "c3", "d3"]});
    let position = client.post("/api/position", game.clone()).await.json();
    for format in ["moves", "board", "obf", "ggf", "sgf", "hex"] {
        let mut body = game.clone();
        body["format"] = json!(format);
        body["black"] = json!("Ann");
        body["white"] = json!("鲍勃");
        let written = client.post("/api/write", body).await.json();
        assert_eq!(written["format"], format);
        let body = json!({"text": written["text"]});
        let read = client.post("/api/read", body).await.json();
        assert_eq!((&read["format"], &read["count"]), (&json!(format), &json!(1)));
        let found = &read["games"][0];
        let body = json!({"rule": found["rule"], "start": found["start"], "moves": found["moves"]});
        let again = client.post("/api/position", body).await.json();
        assert_eq!(again["board"], position["board"], "{format}");
        if matches!(format, "ggf" | "sgf") {
            assert_eq!((&found["black"], &found["white"]), (&json!("Ann"), &json!("鲍勃")));
            assert_eq!(found["moves"], game["moves"]);
        }
    }
}

#[tokio::test]
async fn files_are_read_as_bytes_and_long_ones_in_part() {
    let client = Client::new("files");
    let lines = "f5d6c3\n".repeat(700);
    let mut sent = request(Method::POST, "/api/read?rule=normal&format=moves", lines.into());
    sent.headers_mut().insert("content-type", "application/octet-stream".parse().unwrap());
    let read = client.ask(sent).await.json();
    assert_eq!((&read["count"], &read["truncated"]), (&json!(700), &json!(true)));
    assert_eq!(read["games"].as_array().unwrap().len(), 500);
    assert_eq!(read["games"][499]["rule"], "normal");
}

#[tokio::test]
async fn what_cannot_be_read_is_told_where() {
    let client = Client::new("unreadable");
    let refused = async |text: &str| {
        client.post("/api/read", json!({"text": text})).await.refused(400, "unreadable")
    };
    assert!(refused("").await.starts_with("nothing to read; expected a position or a game"));
    assert!(refused("f5f5").await.contains("f5 is occupied; expected"));
    let wrong = json!({"text": "f5", "format": "png"});
    client.post("/api/read", wrong).await.refused(400, "bad-request");
}

#[tokio::test]
async fn a_board_is_drawn() {
    let client = Client::new("picture");
    let picture = client.get("/api/board.svg?moves=f5d6").await;
    assert_eq!(
        (picture.status.as_u16(), &picture.headers["content-type"]),
        (200, &"image/svg+xml".parse().unwrap())
    );
    let text = picture.text();
    assert!(text.contains(">Black ● 3, White ○ 3<") && text.contains(">fewer discs win<"));
    let chinese = client.get("/api/board.svg?moves=f5d6&language=zh").await.text();
    assert!(chinese.contains(">黑方 ● 3，白方 ○ 3<") && chinese.contains(">子少者胜<"));
    assert_eq!(text.matches("r=\"16\"").count(), 6, "discs");
    let plain =
        client.get("/api/board.svg?moves=f5d6&caption=false&marks=false&download=true").await;
    assert_eq!(plain.text().matches("<circle").count(), 6);
    assert!(!plain.text().contains("discs win"));
    assert_eq!(plain.headers["content-disposition"], "attachment; filename=\"board.svg\"");
}

#[tokio::test]
async fn sgf_holds_the_variations_of_a_game() {
    let client = Client::new("variations");
    let body = json!({
        "moves": ["f5", "d6", "c3"],
        "variations": [["f5", "f4", "e3"], ["c4"]],
        "format": "sgf",
        "black": "Ann",
    });
    let text = client.post("/api/write", body.clone()).await.json()["text"].clone();
    let text = text.as_str().unwrap();
    assert!(text.contains("(;B[f5](;W[d6];B[c3])(;W[f4];B[e3]))(;B[c4])"), "{text}");
    let read = client.post("/api/read", json!({"text": text})).await.json();
    assert_eq!(read["games"][0]["moves"], body["moves"]);
    assert_eq!(read["games"][0]["variations"], body["variations"]);
    assert_eq!(read["games"][0]["black"], "Ann");
    let mut wrong = body.clone();
    wrong["variations"][1] = json!(["a1"]);
    client.post("/api/write", wrong.clone()).await.refused(400, "illegal-move");
    wrong["variations"] = json!(vec![json!(["c4"]); 257]);
    client.post("/api/write", wrong).await.refused(400, "bad-request");
}
