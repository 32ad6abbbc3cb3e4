//! Puzzles, asked and answered.

use crate::client::Client;
use serde_json::json;

#[tokio::test]
async fn a_puzzle_is_asked_answered_and_asked_again() {
    let client = Client::new("puzzles");
    let puzzle = client.get("/api/puzzles?rule=reversed&size=6&level=1").await.json();
    let id = puzzle["id"].as_str().unwrap();
    assert_eq!((&puzzle["empties"], &puzzle["size"]), (&json!(7), &json!(6)));
    assert_eq!(client.get(&format!("/api/puzzles/{id}")).await.json(), puzzle);

    let legal = puzzle["position"]["legal"].as_array().unwrap();
    let path = format!("/api/puzzles/{id}/answer");
    let mut correct = 0;
    for square in legal.iter().map(|legal| &legal["square"]) {
        let answer = client.post(&path, json!({"move": square})).await.json();
        let moves = answer["moves"].as_array().unwrap();
        assert_eq!(moves.len(), legal.len());
        assert_eq!((&moves[0]["move"], &moves[0]["score"]), (&answer["best"], &answer["score"]));
        assert!(moves[0]["score"].as_i64() > moves[1]["score"].as_i64(), "one is best");
        assert_eq!(answer["correct"] == true, *square == answer["best"]);
        correct += usize::from(answer["correct"] == true);
    }
    assert_eq!(correct, 1);

    let next = client.get(&format!("/api/puzzles?after={id}")).await.json();
    assert_ne!(next["id"], puzzle["id"]);
    assert_eq!(next["size"], 6);
    client.post(&path, json!({"move": "a1b2"})).await.refused(400, "illegal-move");
    client.get("/api/puzzles/r8-9-1").await.refused(404, "not-found");
}
