//! Rules and moves.

use crate::client::Client;
use serde_json::{Value, json};

/// White, to move, has no square; black then has one, and the game is over after it.
const MUST_PASS: &str = "XO-------------- O";

#[tokio::test]
async fn a_position_is_all_that_a_board_needs() {
    let client = Client::new("position");
    let start = client.post("/api/position", json!({})).await.json();
    assert_eq!(
        (&start["rule"], &start["size"], &start["turn"]),
        (&json!("reversed"), &json!(8), &json!("black"))
    );
    let squares: Vec<&Value> =
        start["legal"].as_array().unwrap().iter().map(|legal| &legal["square"]).collect();
    assert_eq!(squares, ["d3", "c4", "f5", "e6"]);
    let body = json!({"rule": "normal", "moves": ["f5", "d6", "c3"], "history": true});
    let position = client.post("/api/position", body).await.json();
    assert_eq!(position["history"].as_array().unwrap().len(), 3);
    assert_eq!(position["ply"], 3);
    assert_eq!(position["leader"], "black", "most discs lead");
}

#[tokio::test]
async fn passes_are_told_played_and_implied() {
    let client = Client::new("passes");
    let post = async |moves: Value| {
        let body = json!({"start": MUST_PASS, "moves": moves});
        client.post("/api/position", body).await.json()
    };
    let stuck = post(json!([])).await;
    assert_eq!((&stuck["must_pass"], &stuck["legal"]), (&json!(true), &json!([])));
    assert_eq!(stuck["turn"], "white");
    let played = post(json!(["pass", "c1"])).await;
    let implied = post(json!("c1")).await;
    assert_eq!(played, implied);
    assert_eq!(played["moves"], json!(["pass", "c1"]));
    assert_eq!((&played["over"], &played["turn"]), (&json!(true), &Value::Null));
    assert_eq!(played["result"]["winner"], "white", "wiped out: the perfect win");
    assert_eq!(played["result"]["score"], json!({"black": -16, "white": 16}));
}

#[tokio::test]
async fn a_game_is_played_to_its_end_by_moves_alone() {
    let client = Client::new("game");
    for (size, rule) in [(4, "reversed"), (6, "normal"), (8, "reversed")] {
        let mut position = client.post("/api/position", json!({"size": size, "rule": rule})).await;
        let mut moves = json!([]);
        loop {
            let at = position.json();
            let at = if at["position"].is_object() { &at["position"] } else { &at };
            if at["over"] == true {
                let discs = &at["discs"];
                assert_eq!(discs, &at["result"]["discs"]);
                let [black, white] = ["black", "white"].map(|side| discs[side].as_i64().unwrap());
                let fewer = if black < white { "black" } else { "white" };
                let more = if black < white { "white" } else { "black" };
                let winner = if rule == "reversed" { fewer } else { more };
                assert_eq!(at["result"]["winner"].as_str(), (black != white).then_some(winner));
                break;
            }
            moves = at["moves"].clone();
            let body = json!({"size": size, "rule": rule, "moves": moves,
                              "agent": "engine:level=2", "seed": 5});
            position = client.post("/api/move", body).await;
        }
        assert!(moves.as_array().unwrap().len() > 5);
    }
    client.rest().await;
}

#[tokio::test]
async fn every_agent_that_is_listed_moves() {
    let client = Client::new("agents");
    let agents = client.get("/api/agents").await.json();
    let listed = ["agents", "levels"].map(|list| agents[list].as_array().unwrap().clone()).concat();
    assert!(listed.len() > 25);
    for agent in &listed {
        let spec = agent["spec"].as_str().unwrap();
        assert!(!agent["about"].as_str().unwrap().is_empty());
        let size = agent["only"]["size"].as_u64().unwrap_or(6);
        let first = if size == 6 { "e4" } else { "f5" };
        let body = json!({"size": size, "moves": [first], "agent": spec, "seconds": 0.05});
        let body = client.post("/api/move", body).await.json();
        assert_eq!(body["agent"], spec);
        assert_eq!(body["position"]["ply"], 2, "{spec}: {body}");
    }
    let kinds = |kind: &str| listed.iter().filter(|agent| agent["kind"] == kind).count();
    assert_eq!((kinds("engine"), kinds("report")), (2, 5));
}

#[tokio::test]
async fn an_agent_that_searches_by_playouts_tells_what_it_weighed() {
    let client = Client::new("candidates");
    let body = json!({"moves": ["f5"], "agent": "zero:playouts=20", "seconds": 5});
    let body = client.post("/api/move", body).await.json();
    let candidates = body["candidates"].as_array().unwrap();
    assert_eq!(candidates.len(), 3);
    let sum = |key: &str| candidates.iter().map(|one| one[key].as_f64().unwrap()).sum::<f64>();
    assert_eq!(sum("visits"), 19.0);
    assert!((sum("prior") - 1.0).abs() < 1e-3);
    assert!(candidates.iter().any(|one| one["square"] == body["move"]));
    let body = json!({"moves": ["f5"], "agent": "engine:level=1"});
    assert!(client.post("/api/move", body).await.json().get("candidates").is_none());
    let body = json!({"rule": "normal", "agent": "zero"});
    let refused = client.post("/api/move", body).await;
    refused.refused(400, "bad-agent");
}

#[tokio::test]
async fn a_pass_is_played_and_the_end_is_told() {
    let client = Client::new("pass_move");
    let body = json!({"start": MUST_PASS, "agent": "random"});
    let passed = client.post("/api/move", body).await.json();
    assert_eq!((&passed["move"], &passed["position"]["turn"]), (&json!("pass"), &json!("black")));
    let body = json!({"start": MUST_PASS, "moves": ["c1"], "agent": "random"});
    client.post("/api/move", body).await.refused(409, "game-over");
}

#[tokio::test]
async fn one_answer_says_all_that_a_page_needs_next() {
    let client = Client::new("ahead");
    let without = |position: &Value| {
        let mut position = position.clone();
        for legal in position["legal"].as_array_mut().unwrap() {
            legal.as_object_mut().unwrap().remove("after");
        }
        position
    };
    let at = async |position: &Value| {
        let body = json!({"size": 6, "moves": position["moves"], "ahead": true});
        client.post("/api/position", body).await.json()
    };
    let mut position = at(&json!({"moves": []})).await;
    let mut exchanges = 0;
    // A person and an agent in turn: one request for each of the agent's moves.
    while position["over"] == false {
        let legal = &position["legal"][0];
        assert_eq!(legal["after"], without(&at(&legal["after"]).await));
        position = match legal["after"]["turn"].as_str() {
            // The agent had to pass, or the game is over.
            turn if turn == position["turn"].as_str() || turn.is_none() => {
                at(&legal["after"]).await
            }
            _ => {
                let body = json!({"size": 6, "moves": legal["after"]["moves"], "ahead": true,
                                  "agent": "engine:level=3", "seed": 5});
                let answer = client.post("/api/move", body).await.json();
                assert_eq!(answer["position"], at(&answer["position"]).await);
                answer["position"].clone()
            }
        };
        assert_eq!(position["must_pass"], false);
        exchanges += 1;
    }
    assert!(exchanges > 10 && position["result"].is_object());

    let body = json!({"start": MUST_PASS, "ahead": true});
    let passed = client.post("/api/position", body).await.json();
    assert_eq!((&passed["moves"], &passed["passed"]), (&json!(["pass"]), &json!("white")));
    assert_eq!((&passed["turn"], &passed["last"]), (&json!("black"), &Value::Null));
    assert_eq!(passed["legal"][0]["after"]["result"]["winner"], "white");
}

#[tokio::test]
async fn the_same_seed_gives_the_same_move() {
    let client = Client::new("seed");
    for seed in 0..5 {
        let body = json!({"agent": "random", "moves": ["f5"], "seed": seed});
        let [one, other] = [
            client.post("/api/move", body.clone()).await.json(),
            client.post("/api/move", body).await.json(),
        ];
        assert_eq!(one["move"], other["move"]);
    }
}
