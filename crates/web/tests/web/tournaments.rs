//! Tournaments of the arena, read from its database.

use crate::client::{Client, directory};
use isrever_arena::{Clock, LiveGame, Next, Plan, Schedule, Spec, Store};
use serde_json::{Value, json};
use std::path::Path;
use std::sync::Arc;

const SPEC: &str = r#"
name = "small"
size = 6
pairs = 3
nodes = 20
openings = "random:4"
players = [
  { name = "greedy@v1", agent = "greedy" },
  { name = "greedy@v2", agent = "greedy:by=mobility" },
  "random",
]
"#;

/// Plays the whole tournament into a new database.
fn played(path: &Path) {
    let plan = Spec::read(SPEC).unwrap().settle().unwrap();
    let plan = Plan { clock: Clock::of_nodes(20), ..plan };
    let openings = plan.openings.draw(plan.rule, plan.size, plan.seed, plan.opening_count());
    let mut store = Store::create(path).unwrap();
    let pen = store.pen().unwrap();
    let id = store.enter(&pen, &plan, &openings, 1_794_700_800).unwrap();
    let mut schedule = Schedule::new(&plan);
    let catalogue = isrever_players::catalogue();
    while let Next::Play(pairing) = schedule.give_out() {
        let opening = openings[pairing.opening as usize % openings.len()].clone();
        let make = |player: usize| catalogue.make(&plan.players[player].agent, 1).unwrap();
        let mut agents = pairing.players.map(make);
        let game = LiveGame::new(opening, plan.clock).play(&mut agents, &Arc::default()).unwrap();
        store.add(&pen, id, &pairing, &game, None).unwrap();
        schedule.record(pairing.number, game.score());
    }
}

#[tokio::test]
async fn a_tournament_is_shown_with_its_tables_and_games() {
    let folder = directory("tournaments");
    std::fs::create_dir_all(&folder).unwrap();
    let path = folder.join("arena.db");
    played(&path);
    let client = Client::with_arena(folder, Some(path));
    let list = client.get("/api/tournaments").await.json();
    let row = &list["tournaments"][0];
    assert_eq!((&row["name"], &row["state"]), (&json!("small"), &json!("finished")));
    assert_eq!((&row["games"], &row["planned"], &row["size"]), (&json!(18), &json!(18), &json!(6)));

    let path = format!("/api/tournaments/{}", row["id"]);
    let shown = client.get(&path).await.json();
    let standings = shown["standings"].as_array().unwrap();
    assert_eq!(standings.len(), 3);
    assert!(standings.is_sorted_by_key(|row| -row["elo"].as_f64().unwrap() as i64));
    for (row, place) in standings.iter().zip(0..) {
        let count = |key: &str| row[key].as_u64().unwrap();
        assert_eq!(count("wins") + count("draws") + count("losses"), count("games"));
        assert_eq!(shown["table"]["players"][place], row["player"]);
        let cells = shown["table"]["cells"][place].as_array().unwrap();
        assert!(cells[place].is_null());
        let wins: u64 = cells.iter().filter_map(|cell| cell["wins"].as_u64()).sum();
        assert_eq!(wins, count("wins"));
    }

    let mut numbers = Vec::new();
    let mut after = String::new();
    loop {
        let page = client.get(&format!("{path}/games?player=random&limit=5{after}")).await.json();
        for game in page["games"].as_array().unwrap() {
            assert!([&game["black"], &game["white"]].contains(&&json!("random")));
            numbers.push(game["number"].as_u64().unwrap());
        }
        if page["next"].is_null() {
            break;
        }
        after = format!("&after={}", page["next"]);
    }
    assert_eq!(numbers.len(), 12);
    let all = client.get(&format!("{path}/games")).await.json();
    let all = all["games"].as_array().unwrap();
    assert!(
        all.iter().zip(1..).all(|(game, number)| game["number"] == number),
        "as arena show does"
    );
    client.get(&format!("{path}/games/0")).await.refused(404, "not-found");
    let last = client.get(&format!("{path}/games/18")).await.json();
    assert_eq!((&last["number"], &last["black"]), (&json!(18), &all[17]["black"]));
    let game = client.get(&format!("{path}/games/{}", numbers[3])).await.json();
    let body = json!({"rule": game["rule"], "start": game["start"], "moves": game["moves"]});
    let end = client.post("/api/position", body).await.json();
    assert_eq!((&end["over"], &end["score"]["black"]), (&json!(true), &game["score_black"]));
    assert_eq!(game["end"], "board");

    let ratings = client.get("/api/ratings").await.json();
    let points = ratings["series"][0]["points"].as_array().unwrap();
    let versions: Vec<&Value> = points.iter().map(|point| &point["version"]).collect();
    assert_eq!(ratings["series"][0]["name"], "greedy");
    assert!(versions.contains(&&json!("v1")) && versions.contains(&&json!("v2")));
    client.get("/api/tournaments/9").await.refused(404, "not-found");
    client.get(&format!("{path}/games/99")).await.refused(404, "not-found");
    client.get(&format!("{path}/games?limit=0")).await.refused(400, "bad-request");
}

#[tokio::test]
async fn a_tournament_can_be_taken_away_as_a_file() {
    let folder = directory("tournament-files");
    std::fs::create_dir_all(&folder).unwrap();
    let path = folder.join("arena.db");
    played(&path);
    let client = Client::with_arena(folder, Some(path));
    let table = client.get("/api/tournaments/1/export?format=csv").await;
    assert_eq!(table.headers["content-disposition"], "attachment; filename=\"tournament-1.csv\"");
    assert_eq!(table.text().lines().count(), 4, "a head and three players");
    assert!(table.text().starts_with("rank,player,agent,games"));
    let all = client.get("/api/tournaments/1/export?format=ggf").await;
    assert_eq!(all.text().matches("(;GM[Othello]").count(), 18);
    let some = "/api/tournaments/1/export?format=ggf&player=random&opponent=greedy@v1";
    let some = client.get(some).await.text();
    assert_eq!(some.matches("(;GM[Othello]").count(), 6);
    assert!(!some.contains("greedy@v2"));
    client.get("/api/tournaments/9/export?format=csv").await.refused(404, "not-found");
    client.get("/api/tournaments/1/export?format=pdf").await.refused(400, "bad-request");
}
