//! Streams of searches deepen, and stop when their reader leaves.

use crate::client::{Client, Event};
use serde_json::{Value, json};

fn names(events: &[Event]) -> Vec<&str> {
    events.iter().map(|event| event.name.as_str()).collect()
}

fn squares(list: &Value, key: &str) -> Vec<String> {
    let mut names: Vec<String> = list
        .as_array()
        .unwrap()
        .iter()
        .map(|item| item[key].as_str().unwrap().to_owned())
        .collect();
    names.sort();
    names
}

/// A legal game of so many moves on 6×6: whatever is legal first.
async fn line(client: &Client, plies: usize) -> String {
    let mut moves: Vec<String> = Vec::new();
    for _ in 0..plies {
        let body = json!({"size": 6, "moves": moves});
        let at = client.post("/api/position", body).await.json();
        let legal = at["legal"].as_array().unwrap();
        moves.push(match legal.get(moves.len() % legal.len().max(1)) {
            Some(legal) => legal["square"].as_str().unwrap().to_owned(),
            None => "pass".to_owned(),
        });
    }
    moves.join(",")
}

#[tokio::test]
async fn values_deepen_until_all_are_proved() {
    let client = Client::new("analysis");
    let moves = line(&client, 18).await;
    let query = format!("size=6&moves={moves}");
    let body = json!({"size": 6, "moves": moves});
    let position = client.post("/api/position", body).await.json();
    let events = client.stream(&format!("/api/analysis?{query}&seconds=60")).await.all().await;
    let (last, before) = events.split_last().unwrap();
    assert_eq!((last.name.as_str(), &last.data["reason"]), ("done", &json!("proved")));
    let mut depth = 0;
    for event in before {
        assert_eq!(event.name, "values");
        assert_eq!(squares(&event.data["moves"], "move"), squares(&position["legal"], "square"));
        let now = event.data["depth"].as_u64().unwrap();
        assert!(now >= depth || event.data["exact"] == false, "{events:?}");
        depth = depth.max(now);
        let moves = event.data["moves"].as_array().unwrap();
        assert_eq!(moves[0]["move"], event.data["best"]);
        assert!(moves.is_sorted_by_key(|mv| -mv["value"].as_i64().unwrap()));
        assert!(moves.iter().all(|mv| mv["pv"][0] == mv["move"]));
    }
    let end = &before.last().unwrap().data;
    assert_eq!((&end["exact"], &end["percent"]), (&json!(true), &json!(100)));
    assert!(end["moves"].as_array().unwrap().iter().all(|mv| mv["exact"] == true));

    let solved = client.stream(&format!("/api/solve?{query}")).await.all().await;
    let solution = &solved[solved.len() - 2];
    assert_eq!((solution.name.as_str(), &solution.data["exact"]), ("solution", &json!(true)));
    assert_eq!(solution.data["score"], end["value"]);
    assert_eq!(solution.data["wld"], end["wld"]);
}

#[tokio::test]
async fn a_depth_or_a_time_ends_an_analysis_and_a_finished_game_has_none() {
    let client = Client::new("analysis_ends");
    let events = client.stream("/api/analysis?depth=4&moves=f5").await.all().await;
    let last = events.last().unwrap();
    assert_eq!(last.data["reason"], "depth");
    let values = &events[events.len() - 2].data;
    assert_eq!((&values["depth"], &values["exact"]), (&json!(4), &json!(false)));
    let events = client.stream("/api/analysis?seconds=0.05").await.all().await;
    assert_eq!(events.last().unwrap().data["reason"], "time");
    let over = "start=XXXO------------%20O";
    let events = client.stream(&format!("/api/analysis?{over}")).await.all().await;
    let over_events = names(&events);
    assert_eq!((over_events, &events[0].data["reason"]), (vec!["done"], &json!("over")));
    let pass = "start=XO--------------%20O";
    let events = client.stream(&format!("/api/analysis?{pass}")).await.all().await;
    assert_eq!(events[0].data["moves"][0]["move"], "pass");
    assert_eq!(events[0].data["value"], 16);
}

#[tokio::test]
async fn threads_change_the_time_of_an_analysis_and_not_its_values() {
    let client = Client::new("analysis_threads");
    let moves = line(&client, 20).await;
    let mut tables = Vec::new();
    for threads in ["", "&threads=1", "&threads=2", "&threads=16"] {
        let path = format!("/api/analysis?size=6&moves={moves}&seconds=3600{threads}");
        let events = client.stream(&path).await.all().await;
        assert_eq!(events.last().unwrap().data["reason"], "proved");
        let values = &events[events.len() - 2].data["moves"];
        let values = values.as_array().unwrap().iter();
        let mut table: Vec<(String, i64)> = values
            .map(|mv| (mv["move"].as_str().unwrap().to_owned(), mv["value"].as_i64().unwrap()))
            .collect();
        table.sort();
        tables.push(table);
    }
    assert!(tables.windows(2).all(|pair| pair[0] == pair[1]), "{tables:?}");
}

#[tokio::test]
async fn small_boards_are_solved() {
    let client = Client::new("solve");
    for (rule, score) in [("reversed", 4), ("normal", -10)] {
        let path = format!("/api/solve?size=4&rule={rule}");
        let events = client.stream(&path).await.all().await;
        let solution = &events[events.len() - 2].data;
        assert_eq!((&solution["score"], &solution["exact"]), (&json!(score), &json!(true)));
        assert_eq!(events.last().unwrap().data["reason"], "proved");
        let wld = client.stream(&format!("{path}&goal=wld")).await.all().await;
        assert_eq!(wld[wld.len() - 2].data["wld"], json!(i32::signum(score)));
    }
    let events = client.stream("/api/solve?seconds=0.2").await.all().await;
    let solution = &events[events.len() - 2].data;
    assert_eq!(solution["exact"], false, "nobody proves the whole game so fast");
    assert_eq!(events.last().unwrap().data["reason"], "time");
}

#[tokio::test]
async fn the_search_stops_when_the_reader_leaves() {
    let client = Client::new("leaving");
    for path in
        ["/api/analysis?seconds=60", "/api/solve?seconds=60", "/api/review?moves=f5,d6&seconds=5"]
    {
        let mut streams = Vec::new();
        for _ in 0..4 {
            let mut stream = client.stream(path).await;
            assert!(stream.next().await.is_some());
            streams.push(stream);
        }
        let health = client.get("/api/health").await.json();
        assert_eq!(health["streams"], 4);
        drop(streams);
        client.rest().await;
    }
}

#[tokio::test]
async fn streams_are_bounded_and_end_when_the_server_stops() {
    let client = Client::new("bounded");
    let mut streams = Vec::new();
    for _ in 0..16 {
        streams.push(client.stream("/api/analysis?seconds=60").await);
    }
    let refused = client.get("/api/analysis?seconds=60").await;
    refused.refused(503, "busy");
    assert_eq!(refused.headers["retry-after"], "1");
    let body = json!({"agent": "engine:level=5", "moves": ["f5"]});
    client.post("/api/move", body).await.json();
    client.app().close();
    for stream in streams {
        let events = stream.all().await;
        assert_eq!(events.last().unwrap().name, "failed");
    }
}

#[tokio::test]
async fn a_review_says_what_every_move_cost() {
    let client = Client::new("review");
    let moves = line(&client, 24).await;
    let path = format!("/api/review?size=6&moves={moves}&depth=4");
    let events = client.stream(&path).await.all().await;
    let (done, verdicts) = events.split_last().unwrap();
    assert_eq!((done.name.as_str(), &done.data["reason"]), ("done", &json!("complete")));
    for pass in [1, 2] {
        let told = verdicts.iter().filter(|event| event.data["pass_number"] == pass);
        let plies: Vec<u64> = told.map(|event| event.data["ply"].as_u64().unwrap()).collect();
        assert_eq!(plies, (1..=24).rev().collect::<Vec<_>>());
    }
    let mut losses = [0, 0];
    for event in verdicts {
        let data = &event.data;
        let number = |key: &str| data[key].as_i64().unwrap();
        assert_eq!(number("loss"), number("best_value") - number("value"), "{data}");
        assert!(number("loss") >= 0, "{data}");
        let is_black = data["color"] == "black";
        let black = if is_black { number("value") } else { -number("value") };
        assert_eq!(number("value_black"), black);
        let least = match data["mark"].as_str() {
            None => 0,
            Some("inaccuracy") => 3,
            Some("mistake" | "blunder") => 1,
            Some(other) => panic!("{other}"),
        };
        assert!(number("loss") >= least, "{data}");
        if data["pass_number"] == 2 {
            losses[usize::from(!is_black)] += number("loss");
        }
    }
    assert_eq!(
        (&done.data["black"]["loss"], &done.data["white"]["loss"]),
        (&json!(losses[0]), &json!(losses[1]))
    );
    let empty = client.stream("/api/review").await.all().await;
    assert_eq!(names(&empty), ["done"]);
}
