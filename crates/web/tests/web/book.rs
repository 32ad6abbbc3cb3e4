//! What the book knows of positions, how often their moves were played, and what they are called.

use crate::client::{Client, directory};
use axum::http::Method;
use isrever_board::{Board, Rule, Size, squares};
use isrever_book::{Book, Finding, Graph, Policy};
use isrever_web::{Books, Settings};
use serde_json::{Value, json};
use std::collections::HashSet;
use std::sync::Arc;

/// A book of so many positions, with values from the hashes of their boards.
fn grown(rule: Rule, size: Size, count: usize) -> Book {
    let mut graph = Graph::new(rule, size);
    while graph.len() < count {
        for board in graph.next(1, &Policy::default(), &HashSet::new()) {
            graph.insert(found(board, size));
        }
        graph.propagate();
    }
    Book::from_bytes(graph.to_bytes("by hashes").into()).unwrap()
}

fn found(board: Board, size: Size) -> Finding {
    let moves: Vec<_> = squares(board.moves(size)).collect();
    let (value, best) = ((board.hash() % 9) as i8 - 4, moves[0]);
    let estimates = vec![0; moves.len()];
    Finding { board, value, best, depth: 8, confidence: 95, is_exact: false, nodes: 1, estimates }
}

/// A server with a book of 40 positions for the reversed rule on 8×8.
fn client(name: &str) -> Client {
    let mut books = Books::default();
    books.add(grown(Rule::Reversed, Size::EIGHT, 40)).unwrap();
    assert!(books.add(grown(Rule::Reversed, Size::EIGHT, 1)).is_err(), "one for each");
    let (books, workers) = (Arc::new(books), 1);
    Client::with(Settings { books, workers, ..Settings::new(directory(name)) })
}

async fn book(client: &Client, query: &str) -> Value {
    client.get(&format!("/api/book?{query}")).await.json()
}

fn of<'a>(body: &'a Value, square: &str) -> &'a Value {
    let mut moves = body["moves"].as_array().unwrap().iter();
    moves.find(|it| it["move"] == square).unwrap_or_else(|| panic!("{square}: {body}"))
}

#[tokio::test]
async fn a_position_of_the_book_is_known_with_all_its_moves() {
    let client = client("book");
    let start = book(&client, "").await;
    assert_eq!(start["books"][0], json!({"rule": "reversed", "size": 8, "positions": 40}));
    assert_eq!((&start["opening"], &start["games"]), (&Value::Null, &json!(0)));
    let known = &start["known"];
    assert_eq!((&known["depth"], &known["selectivity"]), (&json!(8), &json!(95)));
    assert_eq!(known["lower"], -64, "nothing is proved");
    assert_eq!(start["moves"].as_array().unwrap().len(), 4);
    for it in start["moves"].as_array().unwrap() {
        assert_eq!((&it["kind"], &it["value"]), (&json!("known"), &known["value"]));
        assert_eq!(it["reached"]["plies"], known["plies"]);
    }
    let same = start["moves"].as_array().unwrap().iter().filter(|it| it["same_as"].is_string());
    assert_eq!(same.count(), 3, "one first move is as good as another");
    assert_eq!(start["tree"].as_array().unwrap().len(), 1);
    let branch = &start["tree"][0];
    assert_eq!((&branch["color"], &branch["value"]), (&json!("black"), &known["value"]));
    assert_eq!(branch["tree"][0]["color"], "white");
    assert_eq!(branch["tree"][0]["value"], -known["value"].as_i64().unwrap());
    assert_eq!(branch["move"], known["pv"][0]);

    // The same position in another image has the same values.
    let (one, other) = (book(&client, "moves=f5,d6").await, book(&client, "moves=c4,e3").await);
    assert_eq!(one["known"]["value"], other["known"]["value"]);
    assert_eq!(of(&one, "c3")["value"], of(&other, "f6")["value"]);
}

#[tokio::test]
async fn what_no_book_has_is_unknown() {
    let client = client("no-book");
    for query in ["moves=f5,d6,c3,d3,c4,f4,c5,b3,c2,e6", "rule=normal", "rule=normal&size=6"] {
        let body = book(&client, query).await;
        assert_eq!(body["known"], Value::Null, "{query}");
        assert_eq!(body["books"].as_array().unwrap().len(), 2);
        for it in body["moves"].as_array().unwrap() {
            assert!(it["value"].is_null() && it["kind"] == "unknown" && it["games"] == 0, "{it}");
        }
    }
    // White must pass, then the game is over.
    let passed = book(&client, "size=4&start=XO--------------%20O").await;
    assert_eq!(passed["moves"][0]["move"], "c1");
    let over = book(&client, "size=4&start=XO--------------%20O&moves=pass,c1").await;
    assert_eq!((&over["moves"], &over["tree"]), (&json!([]), &json!([])));
    client.get("/api/book?size=10").await.refused(400, "bad-request");
    client.get("/api/book?moves=a1").await.refused(400, "illegal-move");
}

#[tokio::test]
async fn openings_have_their_names() {
    let client = client("openings");
    let tiger = json!({"name": "Tiger", "chinese": "虎"});
    let before = book(&client, "moves=f5,d6,c3,d3").await;
    assert_eq!(before["opening"]["name"], "Perpendicular");
    assert_eq!(of(&before, "c4")["opening"], tiger);
    assert!(of(&before, "c5").get("opening").is_none());
    for moves in ["f5,d6,c3,d3,c4", "c4,e3,f6,e6,f5", "f5,d6,c3,d3,c4,f4"] {
        assert_eq!(book(&client, &format!("moves={moves}")).await["opening"], tiger, "{moves}");
        let body = json!({"moves": moves, "ahead": true});
        let position = client.post("/api/position", body).await.json();
        assert_eq!(position["opening"], tiger, "{moves}");
    }
    let start = client.post("/api/position", json!({"size": 6, "moves": ["b3"]})).await.json();
    assert!(start.get("opening").is_none());
}

/// Begins a saved game: its id and its token.
async fn begin(client: &Client, rule: &str, moves: &str) -> (String, String) {
    let player = json!({"kind": "human", "name": "Ann"});
    let body = json!({"rule": rule, "moves": moves, "black": player, "white": player});
    let begun = client.post("/api/games", body).await.json();
    (begun["id"].as_str().unwrap().to_owned(), begun["token"].as_str().unwrap().to_owned())
}

#[tokio::test]
async fn games_that_are_kept_are_counted_up_to_symmetry() {
    let client = client("games-played");
    // Some are there before anybody asks, others come later.
    begin(&client, "reversed", "f5,d6,c3").await;
    begin(&client, "normal", "f5,d6").await;
    let start = book(&client, "").await;
    assert_eq!((&start["games"], &of(&start, "c4")["games"]), (&json!(1), &json!(1)));
    let (id, token) = begin(&client, "reversed", "c4,e3").await;
    begin(&client, "reversed", "d3,c3").await;
    begin(&client, "reversed", "").await;
    let start = book(&client, "").await;
    assert_eq!((&start["games"], &of(&start, "f5")["games"]), (&json!(3), &json!(3)));
    let second = book(&client, "moves=f5").await;
    let games = |body: &Value, square| of(body, square)["games"].as_u64().unwrap();
    assert_eq!([games(&second, "d6"), games(&second, "f6")], [2, 1]);
    assert_eq!(second["games"], 3);

    // A move is taken back and another one is played.
    let path = format!("/api/games/{id}");
    let change = json!({"moves": ["c4", "c3", "d3"]});
    client.with_token(Method::PUT, &path, &token, change).await.json();
    let second = book(&client, "moves=f5").await;
    assert_eq!([games(&second, "d6"), games(&second, "f6")], [1, 2]);
    assert_eq!(games(&book(&client, "moves=f5,f6").await, "e6"), 1);
    client.with_token(Method::DELETE, &path, &token, Value::Null).await;
    let second = book(&client, "moves=f5").await;
    assert_eq!([games(&second, "d6"), games(&second, "f6")], [1, 1]);
    assert_eq!(book(&client, "rule=normal").await["games"], 1);
}

#[tokio::test]
async fn late_positions_are_not_counted() {
    let client = client("late");
    let mut moves: Vec<String> = Vec::new();
    for ply in 0..31 {
        let body = book(&client, &format!("moves={}", moves.join(","))).await;
        assert_eq!(body["games"].is_null(), ply >= 30, "{ply}");
        let best = body["moves"][0]["move"].as_str().unwrap().to_owned();
        moves.push(best);
    }
}
