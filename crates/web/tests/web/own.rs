//! Agents of the server's owner.

use crate::client::{Client, directory};
use isrever_agent::{
    Agent, AgentSpec, Catalogue, Choice, Entry, Forfeit, Kind, Limits, Reason, SpecError,
};
use isrever_board::{Color, Game};
use isrever_web::{OwnAgents, Settings};
use serde_json::{Value, json};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// Prints the number of its moves, plays the first legal one, and crashes after `most`.
struct Program {
    moves: u32,
    most: u32,
    printed: String,
    is_prepared: bool,
    has_settled: bool,
    /// How many programs were started.
    started: Arc<AtomicU64>,
}

impl Program {
    fn new(most: u32, started: Arc<AtomicU64>) -> Program {
        let (moves, printed) = (0, String::new());
        Program { moves, most, printed, is_prepared: false, has_settled: true, started }
    }
}

impl Agent for Program {
    fn name(&self) -> String {
        "program".to_owned()
    }

    fn prepare(&mut self, _: &Game, _: Color, time: Option<Duration>) -> Result<(), Forfeit> {
        assert!(time.is_some());
        if !self.is_prepared {
            self.started.fetch_add(1, Ordering::Relaxed);
        }
        self.is_prepared = true;
        Ok(())
    }

    fn choose(&mut self, game: &Game, _: &Limits) -> Result<Choice, Forfeit> {
        assert!(self.is_prepared && self.has_settled);
        self.has_settled = false;
        self.moves += 1;
        if self.moves > self.most {
            self.printed = "Traceback\nValueError: boom\n".to_owned();
            return Err(Forfeit::new(Reason::Crash, "ValueError: boom"));
        }
        self.printed = format!("move {}\n{}", self.moves, "filler\n".repeat(2_000));
        Ok(game.position().moves()[0].into())
    }

    fn take_printed(&mut self) -> Option<String> {
        Some(std::mem::take(&mut self.printed))
    }

    fn settle(&mut self) {
        self.has_settled = true;
    }
}

/// A board whose owner has two programs, one of which crashes in its third move; and how many
/// processes were started.
fn client(name: &str) -> (Client, Arc<AtomicU64>) {
    let started = Arc::new(AtomicU64::new(0));
    let program = |name, most| {
        let started = Arc::clone(&started);
        let make = move |_: &AgentSpec, _| -> Result<Box<dyn Agent>, SpecError> {
            Ok(Box::new(Program::new(most, Arc::clone(&started))))
        };
        Entry::new(name, "a program", make).of_kind(Kind::Program)
    };
    let catalogue = Catalogue::new([program("steady", 60), program("brittle", 2)]);
    let mut own = OwnAgents::new(catalogue);
    own.add("mine", "steady").unwrap();
    own.add("old", "brittle").unwrap();
    let (own_agents, patience) = (Arc::new(own), Duration::from_secs(600));
    let settings = Settings { own_agents, patience, ..Settings::new(directory(name)) };
    (Client::with(settings), started)
}

#[tokio::test]
async fn own_agents_are_listed_first_and_play_whole_games_in_one_process() {
    let (client, started) = client("own");
    let agents = client.get("/api/agents").await.json();
    let listed: Vec<Value> = agents["agents"].as_array().unwrap()[..3]
        .iter()
        .map(|agent| json!([agent["spec"], agent["kind"], agent["own"]]))
        .collect();
    assert_eq!(
        json!(listed),
        json!([["mine", "program", true], ["old", "program", true], ["random", "simple", false]])
    );
    let (mut moves, mut answered) = (json!([]), 0);
    loop {
        let body = json!({"size": 4, "moves": moves, "agent": "mine"});
        let answer = client.post("/api/move", body).await;
        let answer = answer.json();
        moves = answer["position"]["moves"].clone();
        if answer["move"] != "pass" {
            answered += 1;
            let output = answer["output"].as_str().unwrap();
            assert!(output.len() < 9_000 && output.starts_with("…\nfiller"), "the end of it");
        }
        if answer["position"]["over"] == true {
            break;
        }
    }
    assert!(answered > 5);
    // A process for each side, kept for all its moves: they assert that they settle.
    assert_eq!(started.load(Ordering::Relaxed), 2);
    client.rest().await;
}

#[tokio::test]
async fn an_agent_that_fails_is_answered_with_its_reason_and_output() {
    let (client, started) = client("own-fails");
    let ask = async |moves: Value| {
        client.post("/api/move", json!({"moves": moves, "agent": "old"})).await
    };
    let first = ask(json!([])).await.json();
    assert_eq!(first["agent"], "old");
    // Black's second move and its third, in the same process.
    let second = ask(json!(["d3", "c3"])).await.json();
    assert!(second["output"].as_str().unwrap().contains("filler"));
    let failed = ask(json!(["d3", "c3", "c4", "c5"])).await;
    assert_eq!(failed.status, 424);
    let error = &serde_json::from_slice::<Value>(&failed.bytes).unwrap()["error"];
    assert_eq!(error["code"], "agent-failed");
    assert_eq!(error["message"], "old: crashed: ValueError: boom");
    assert_eq!(error["output"], "Traceback\nValueError: boom\n");
    // The next try has a new process.
    assert_eq!(started.load(Ordering::Relaxed), 1);
    assert_eq!(ask(json!(["d3", "c3", "c4", "c5"])).await.status, 200);
    assert_eq!(started.load(Ordering::Relaxed), 2);
    client.rest().await;
}

#[tokio::test]
async fn own_agents_can_be_watched_and_given_no_settings_by_callers() {
    let (client, _) = client("own-watched");
    let events = client.stream("/api/watch?black=mine&white=random&size=4&pause=0").await;
    let events = events.all().await;
    assert_eq!(events.last().unwrap().name, "done");
    let printed = events.iter().filter(|event| event.data["output"].is_string()).count();
    assert!(printed > 2);
    for spec in ["mine:time=1s", "steady", "minee"] {
        client.post("/api/move", json!({"agent": spec})).await.refused(400, "bad-agent");
    }
    client.rest().await;
}
