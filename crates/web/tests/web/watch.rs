//! Agents playing each other.

use crate::client::Client;
use serde_json::json;

#[tokio::test]
async fn two_agents_play_to_the_end() {
    let client = Client::new("watch");
    let path = "/api/watch?size=6&black=engine:level=2&white=greedy&pause=0&seed=3";
    let events = client.stream(path).await.all().await;
    assert_eq!((events[0].name.as_str(), &events[0].data["white"]), ("start", &json!("greedy")));
    let (done, moves) = events[1..].split_last().unwrap();
    for (event, ply) in moves.iter().zip(1..) {
        assert_eq!((event.name.as_str(), &event.data["position"]["ply"]), ("move", &json!(ply)));
        assert_eq!(event.data["color"], event.data["position"]["last"]["color"]);
    }
    let end = &moves.last().unwrap().data["position"];
    assert_eq!((&end["over"], &end["result"]), (&json!(true), &done.data["result"]));
    let again = client.stream(path).await.all().await;
    let moves = |events: &[crate::client::Event]| {
        events.iter().map(|event| event.data["move"].clone()).collect::<Vec<_>>()
    };
    assert_eq!(moves(&again), moves(&events), "the same seed, the same game");
    client.rest().await;
}

#[tokio::test]
async fn nobody_plays_on_when_nobody_looks_on() {
    let client = Client::new("watch_left");
    let path = "/api/watch?black=engine&white=engine&pause=0&seconds=5";
    let mut stream = client.stream(path).await;
    assert_eq!(stream.next().await.unwrap().name, "start");
    drop(stream);
    client.rest().await;
}
