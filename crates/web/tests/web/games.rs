//! Saved games.

use crate::client::{Client, directory};
use axum::http::Method;
use isrever_web::{OwnAgents, Settings};
use serde_json::{Value, json};
use std::path::Path;
use std::sync::Arc;

/// A board whose owner has the agent `mine`.
fn with_own(folder: &Path) -> Client {
    let mut own = OwnAgents::new(isrever_players::catalogue());
    own.add("mine", "random").unwrap();
    Client::with(Settings { own_agents: Arc::new(own), ..Settings::new(folder.to_owned()) })
}

fn ann_and_engine(moves: Value) -> Value {
    json!({
        "size": 6,
        "moves": moves,
        "black": {"kind": "human", "name": "Ann"},
        "white": {"kind": "agent", "name": "engine:level=5"},
    })
}

async fn begin(client: &Client, body: Value) -> (String, String) {
    let begun = client.post("/api/games", body).await;
    assert_eq!(begun.status, 201);
    let begun = begun.json();
    let text = |key: &str| begun[key].as_str().unwrap().to_owned();
    (format!("/api/games/{}", text("id")), text("token"))
}

#[tokio::test]
async fn a_game_is_saved_move_by_move_and_found_again_by_the_next_server() {
    let folder = directory("saved");
    let client = Client::at(folder.clone());
    let (path, token) = begin(&client, ann_and_engine(json!([]))).await;
    let moves = ["e4", "c5", "b2"];
    let mut legal = Vec::new();
    for mv in moves {
        legal.push(mv);
        let at = client.post("/api/position", json!({"size": 6, "moves": legal})).await;
        if at.status != 200 {
            legal.pop();
            break;
        }
        let body = json!({"moves": legal, "ply": legal.len() - 1});
        let saved = client.with_token(Method::PUT, &path, &token, body).await.json();
        assert_eq!((&saved["moves"], &saved["state"]), (&json!(legal), &json!("running")));
    }
    assert!(!legal.is_empty());
    let before = client.get(&path).await.json();
    drop(client);
    let client = Client::at(folder);
    assert_eq!(client.get(&path).await.json(), before);
    assert_eq!(client.get("/api/health").await.json()["games"], 1);
}

#[tokio::test]
async fn only_the_token_lets_a_game_be_changed() {
    let client = Client::new("tokens");
    let (path, token) = begin(&client, ann_and_engine(json!(["e4"]))).await;
    let (other_path, other_token) = begin(&client, ann_and_engine(json!([]))).await;
    let before = client.get(&path).await.json();
    let body = json!({"moves": []});
    for wrong in [other_token.as_str(), "", "x", &token[1..]] {
        for method in [Method::PUT, Method::DELETE] {
            let answer = client.with_token(method, &path, wrong, body.clone()).await;
            answer.refused(403, "wrong-token");
        }
    }
    let bare = crate::client::request(Method::PUT, &path, body.to_string().into());
    client.ask(bare).await.refused(401, "no-token");
    let put = async |body: Value| client.with_token(Method::PUT, &path, &token, body).await;
    put(json!({"moves": ["e4", "e4"]})).await.refused(400, "illegal-move");
    put(json!({"moves": [], "ply": 7})).await.refused(409, "conflict");
    put(json!({"moves": [], "state": "finished"})).await.refused(400, "bad-request");
    put(json!({})).await.refused(400, "bad-request");
    assert_eq!(client.get(&path).await.json(), before, "nothing has changed");

    let deleted = client.with_token(Method::DELETE, &path, &token, Value::Null).await;
    assert_eq!(deleted.status, 204);
    client.get(&path).await.refused(404, "not-found");
    put(json!({"moves": []})).await.refused(404, "not-found");
    assert_eq!(client.get(&other_path).await.status, 200);
}

#[tokio::test]
async fn games_are_listed_newest_first_page_by_page() {
    let client = Client::new("listed");
    for number in 0..7 {
        let mut body = ann_and_engine(json!([]));
        body["rule"] = json!(if number % 2 == 0 { "reversed" } else { "normal" });
        body["black"]["name"] = json!(format!("player {number}"));
        begin(&client, body).await;
    }
    let first = client.get("/api/games?limit=3").await.json();
    assert_eq!(first["total"], 7);
    let name = |page: &Value, place: usize| page["games"][place]["black"]["name"].clone();
    assert_eq!((name(&first, 0), name(&first, 2)), (json!("player 6"), json!("player 4")));
    assert!(first["games"][0].get("moves").is_none());
    let second = client.get(&format!("/api/games?limit=3&before={}", first["next"])).await.json();
    assert_eq!(name(&second, 0), "player 3");
    let third = client.get(&format!("/api/games?limit=3&before={}", second["next"])).await.json();
    assert_eq!((third["games"].as_array().unwrap().len(), &third["next"]), (1, &Value::Null));
    let all = client.get(&format!("/api/games?limit={}", first["total"])).await.json();
    assert_eq!(all["next"], Value::Null, "a full page that is the last");
    let count = async |query: &str| {
        client.get(&format!("/api/games?{query}")).await.json()["total"].clone()
    };
    assert_eq!(count("rule=normal").await, 3);
    assert_eq!(count("player=player%205").await, 1);
    assert_eq!(count("player=%25").await, 0, "a name is not a pattern");
    assert_eq!(count("state=finished&size=6").await, 0);
}

#[tokio::test]
async fn a_game_that_ends_is_finished_and_all_can_be_exported() {
    let client = Client::new("finished");
    let path = "/api/watch?size=4&black=random&white=random&pause=0&seed=1";
    let events = client.stream(path).await.all().await;
    let end = events[events.len() - 2].data["position"].clone();
    let mut body = ann_and_engine(json!([]));
    body["size"] = json!(4);
    let (path, token) = begin(&client, body).await;
    let put = json!({"moves": end["moves"]});
    let saved = client.with_token(Method::PUT, &path, &token, put).await.json();
    assert_eq!((&saved["state"], &saved["result"]), (&json!("finished"), &end["result"]));
    for moves in [json!([]), end["moves"].clone()] {
        let put = json!({"moves": moves});
        client.with_token(Method::PUT, &path, &token, put).await.refused(409, "game-over");
    }
    assert_eq!(client.get(&path).await.json(), saved, "a finished game stays as it is");

    begin(&client, ann_and_engine(json!(["e4"]))).await;
    for format in ["ggf", "sgf"] {
        let file = client.get(&format!("/api/games/export?format={format}")).await;
        let name = format!("attachment; filename=\"games.{format}\"");
        assert_eq!(file.headers["content-disposition"], name.as_str());
        let read = client.post("/api/read", json!({"text": file.text()})).await.json();
        assert_eq!((&read["count"], &read["format"]), (&json!(2), &json!(format)));
        assert_eq!(read["games"][1]["moves"], end["moves"]);
        assert_eq!(read["games"][0]["black"], "Ann");
    }
    let file = client.get("/api/games/export?format=moves&state=finished").await.text();
    assert_eq!(file.lines().count(), 1);
    client.rest().await;
}

#[tokio::test]
async fn who_follows_a_game_hears_of_every_change() {
    let client = Client::new("follow");
    let (path, token) = begin(&client, ann_and_engine(json!([]))).await;
    let mut stream = client.stream(&format!("{path}/follow")).await;
    let event = stream.next().await.unwrap();
    assert_eq!((event.name.as_str(), &event.data["ply"]), ("game", &json!(0)));
    let put = async |body: Value| client.with_token(Method::PUT, &path, &token, body).await.json();
    put(json!({"moves": ["e4"]})).await;
    assert_eq!(stream.next().await.unwrap().data["moves"], json!(["e4"]));
    put(json!({"moves": []})).await;
    assert_eq!(stream.next().await.unwrap().data["moves"], json!([]), "an undo");
    put(json!({"moves": [], "state": "stopped"})).await;
    assert_eq!(stream.next().await.unwrap().data["state"], "stopped");
    assert_eq!(stream.next().await.unwrap().data["reason"], "stopped");
    assert_eq!(stream.next().await, None);
    drop(stream);

    put(json!({"moves": ["e4"]})).await;
    let mut stream = client.stream(&format!("{path}/follow")).await;
    assert_eq!(stream.next().await.unwrap().data["state"], "running", "taken up again");
    client.with_token(Method::DELETE, &path, &token, Value::Null).await;
    assert_eq!(stream.next().await.unwrap().data["reason"], "deleted");
    drop(stream);
    client.rest().await;
}

#[tokio::test]
async fn a_side_that_resigns_or_runs_out_of_time_has_lost_for_good() {
    let client = Client::new("lost");
    for (reason, result) in [("resigned", "W+R"), ("time", "W+T")] {
        let (path, token) = begin(&client, ann_and_engine(json!(["e4"]))).await;
        let put = async |body: Value| client.with_token(Method::PUT, &path, &token, body).await;
        let end = json!({"reason": reason, "loser": "black"});
        let saved = put(json!({"moves": ["e4"], "end": end})).await.json();
        assert_eq!((&saved["state"], &saved["result"]), (&json!("finished"), &Value::Null));
        assert_eq!(saved["end"], json!({"reason": reason, "winner": "white"}));
        put(json!({"moves": ["e4", "e3"]})).await.refused(409, "game-over");
        assert_eq!(client.get(&path).await.json(), saved);
        let file = client.get("/api/games/export?format=sgf").await.text();
        assert!(file.contains(&format!("RE[{result}]")), "{file}");
    }
    let (path, token) = begin(&client, ann_and_engine(json!([]))).await;
    let put = async |body: Value| client.with_token(Method::PUT, &path, &token, body).await;
    for end in [json!({"reason": "bored", "loser": "black"}), json!({"reason": "time"}), json!(7)] {
        put(json!({"moves": [], "end": end})).await.refused(400, "bad-request");
    }
    assert_eq!(client.get(&path).await.json()["end"], Value::Null);
}

#[tokio::test]
async fn a_change_of_what_somebody_else_has_changed_is_refused() {
    let client = Client::new("stale");
    let (path, token) = begin(&client, ann_and_engine(json!([]))).await;
    let put = async |body: Value| client.with_token(Method::PUT, &path, &token, body).await;
    let first = client.get(&path).await.json()["revision"].clone();
    let saved = put(json!({"moves": ["e4"], "revision": first})).await.json();
    // Taken back and played another way: the number of moves is the same, the game is not.
    put(json!({"moves": []})).await;
    put(json!({"moves": ["b3"]})).await;
    let late = json!({"moves": ["e4", "e3"], "revision": saved["revision"], "ply": 1});
    put(late).await.refused(409, "conflict");
    assert_eq!(client.get(&path).await.json()["moves"], json!(["b3"]));
}

#[tokio::test]
async fn a_game_says_who_played_which_part_of_it() {
    let client = Client::new("players");
    let (path, token) = begin(&client, ann_and_engine(json!([]))).await;
    let put = async |body: Value| client.with_token(Method::PUT, &path, &token, body).await;
    let level = |level: u8| json!({"kind": "agent", "name": format!("engine:level={level}")});
    // Nobody has moved: the first player never played.
    let saved = put(json!({"moves": [], "white": level(3)})).await.json();
    assert_eq!((&saved["white"], saved.get("earlier")), (&level(3), None));
    // White has not moved yet.
    put(json!({"moves": ["e4"]})).await;
    let saved = put(json!({"moves": ["e4"], "white": level(4)})).await.json();
    assert_eq!((&saved["white"], saved.get("earlier")), (&level(4), None));
    let three = legal_line(&client, 3).await;
    put(json!({"moves": []})).await;
    put(json!({"moves": three[..1]})).await;
    put(json!({"moves": three[..2]})).await;
    let saved = put(json!({"moves": three[..2], "white": level(9)})).await.json();
    assert_eq!(saved["white"], level(9));
    let ann = json!({"kind": "human", "name": "Ann"});
    let earlier = json!([{"until": 2, "black": ann, "white": level(4)}]);
    assert_eq!(saved["earlier"], earlier);
    let saved = put(json!({"moves": three[..2], "black": ann, "white": level(9)})).await.json();
    assert_eq!(saved["earlier"], earlier, "the same players are no change");
    put(json!({"moves": three, "white": level(12)})).await;
    let saved = put(json!({"moves": three, "white": level(9)})).await.json();
    assert_eq!(saved["earlier"], earlier, "level 12 has made no move");
    let file = client.get("/api/games/export?format=sgf").await.text();
    assert!(file.contains("PW[engine:level=4, engine:level=9]"), "{file}");
    let saved = put(json!({"moves": three[..1]})).await.json();
    assert_eq!(saved["earlier"], earlier, "taken back");
    // What was taken back and played again is the present players'.
    let other = legal_line_after(&client, &three[..1], &three[1]).await;
    let saved = put(json!({"moves": other})).await.json();
    assert_eq!((&saved["white"], saved.get("earlier")), (&level(9), None));
    let body = json!({"moves": [], "white": {"kind": "agent", "name": ""}});
    put(body).await.refused(400, "bad-request");
}

/// The first legal squares of a 6×6 game, one after the other.
async fn legal_line(client: &Client, length: usize) -> Vec<Value> {
    let mut moves = Vec::new();
    while moves.len() < length {
        let at = client.post("/api/position", json!({"size": 6, "moves": moves})).await.json();
        moves.push(at["legal"][0]["square"].clone());
    }
    moves
}

/// These moves, and one more that is not `but`.
async fn legal_line_after(client: &Client, moves: &[Value], but: &Value) -> Vec<Value> {
    let at = client.post("/api/position", json!({"size": 6, "moves": moves})).await.json();
    let legal = at["legal"].as_array().unwrap();
    let square = legal.iter().map(|legal| &legal["square"]).find(|square| *square != but);
    moves.iter().chain(square).cloned().collect()
}

#[tokio::test]
async fn games_on_large_boards_are_saved_found_again_and_exported() {
    let folder = directory("large");
    let client = Client::at(folder.clone());
    let mut before = Vec::new();
    for size in [10, 12, 14, 16] {
        let path = format!("/api/watch?size={size}&black=random&white=random&pause=0&seed=1");
        let events = client.stream(&path).await.all().await;
        let end = events[events.len() - 2].data["position"].clone();
        let mut body = ann_and_engine(json!([]));
        body["size"] = json!(size);
        let (path, token) = begin(&client, body).await;
        let moves = end["moves"].as_array().unwrap();
        let half = json!({"moves": moves[..moves.len() / 2], "ply": 0});
        let saved = client.with_token(Method::PUT, &path, &token, half).await.json();
        assert_eq!((&saved["size"], &saved["state"]), (&json!(size), &json!("running")));
        let all = json!({"moves": moves});
        let saved = client.with_token(Method::PUT, &path, &token, all).await.json();
        assert_eq!((&saved["state"], &saved["result"]), (&json!("finished"), &end["result"]));
        before.push((path, saved));
    }
    drop(client);
    let client = Client::at(folder);
    for (path, saved) in &before {
        assert_eq!(client.get(path).await.json(), *saved);
        let listed = client.get(&format!("/api/games?size={}", saved["size"])).await.json();
        assert_eq!((&listed["total"], &listed["games"][0]["id"]), (&json!(1), &saved["id"]));
    }
    for format in ["ggf", "sgf"] {
        let file = client.get(&format!("/api/games/export?format={format}")).await;
        let read = client.post("/api/read", json!({"text": file.text()})).await.json();
        assert_eq!(read["count"], 4, "{format}");
        assert_eq!(read["games"][0]["moves"], before[3].1["moves"], "{format}");
    }
    let mut body = ann_and_engine(json!([]));
    body["size"] = json!(18);
    client.post("/api/games", body).await.refused(400, "bad-request");
    client.rest().await;
}

#[tokio::test]
async fn what_agents_told_is_kept_with_the_game_for_those_who_play_it() {
    let folder = directory("told");
    let client = with_own(&folder);
    let (path, token) = begin(&client, ann_and_engine(json!([]))).await;
    let put = async |body: Value| client.with_token(Method::PUT, &path, &token, body).await;
    let moves = legal_line(&client, 2).await;
    let note = |line: &[Value], output: &str| json!({"line": line, "agent": "mine", "seconds": 0.25, "output": output});
    put(json!({"moves": moves[..1]})).await;
    let saved = put(json!({"moves": moves, "told": [note(&moves, "2 discs\n")]})).await.json();
    assert!(saved.get("told").is_none(), "others may read the game");
    // Another way, which the agent answered too.
    let other = legal_line_after(&client, &moves[..1], &moves[1]).await;
    let long = "long\n".repeat(4000);
    put(json!({"moves": other, "told": [note(&other, &long)]})).await;
    for wrong in [
        json!([{"line": [], "agent": "mine", "seconds": 1}]),
        json!([{"line": ["pass"], "agent": "mine", "seconds": 1}]),
        json!([{"line": ["f5"], "agent": "", "seconds": 1}]),
        json!([{"line": ["f5"], "agent": "mine", "seconds": -1}]),
        json!([{"line": ["f5"], "agent": "mine"}]),
        json!(vec![note(&moves, ""); 65]),
    ] {
        put(json!({"moves": moves, "told": wrong})).await.refused(400, "bad-request");
    }
    // Of agents that the owner does not have nothing is kept.
    let stranger = json!([{"line": moves, "agent": "random", "seconds": 1}]);
    put(json!({"moves": other, "told": stranger})).await.json();
    drop(client);
    let client = with_own(&folder);
    let path_told = format!("{path}/told");
    client.get(&path_told).await.refused(401, "no-token");
    let wrong = client.with_token(Method::GET, &path_told, "x", Value::Null).await;
    wrong.refused(403, "wrong-token");
    let ask = async || client.with_token(Method::GET, &path_told, &token, Value::Null).await;
    let told = ask().await.json();
    assert_eq!(told["told"][0], note(&moves, "2 discs\n"));
    assert_eq!(told["told"][1]["line"], json!(other));
    let kept = told["told"][1]["output"].as_str().unwrap();
    assert!(long.ends_with(kept) && kept.len() <= (8 << 10) + 3, "{}", kept.len());
    assert_eq!(told["told"].as_array().unwrap().len(), 2);
    client.with_token(Method::DELETE, &path, &token, Value::Null).await;
    ask().await.refused(404, "not-found");
}

#[tokio::test]
async fn what_was_told_may_come_after_the_end_and_changes_nothing_else() {
    let client = with_own(&directory("told_late"));
    let events = client.stream("/api/watch?size=4&black=random&white=random&pause=0&seed=1").await;
    let events = events.all().await;
    let moves = events[events.len() - 2].data["position"]["moves"].clone();
    let mut body = ann_and_engine(moves.clone());
    body["size"] = json!(4);
    let (path, token) = begin(&client, body).await;
    let put = async |body: Value| client.with_token(Method::PUT, &path, &token, body).await;
    let told = json!([{"line": [moves[0]], "agent": "mine", "seconds": 0.5, "output": "x"}]);
    let saved = put(json!({"moves": moves, "told": told})).await.json();
    assert_eq!((&saved["state"], &saved["moves"]), (&json!("finished"), &moves));
    let kept = client.with_token(Method::GET, &format!("{path}/told"), &token, Value::Null).await;
    assert_eq!(kept.json()["told"][0]["output"], "x");
    put(json!({"moves": moves})).await.refused(409, "game-over");
    let short = json!(moves.as_array().unwrap()[..2]);
    put(json!({"moves": short, "told": told})).await.refused(409, "game-over");
    let lost = json!({"reason": "resigned", "loser": "black"});
    put(json!({"moves": moves, "told": told, "end": lost})).await;
    let still = client.get(&path).await.json();
    assert_eq!((&still["moves"], &still["end"]["reason"]), (&moves, &json!("board")));
}
