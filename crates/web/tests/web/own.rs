//! Agents of the server's owner.

use crate::client::{Client, directory};
use isrever_agent::{
    Agent, AgentSpec, Catalogue, Choice, Entry, Forfeit, Kind, Limits, Reason, SpecError,
};
use isrever_board::{Color, Game, Rule, Size};
use isrever_club::{CheckTotal, CheckedCase};
use isrever_web::{Checker, OwnAgents, Settings};
use serde_json::{Value, json};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
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

/// Finds a fault in its second case, and waits in its third until it is told to stop.
struct Test;

impl Checker for Test {
    fn check(
        &self,
        spec: &AgentSpec,
        (rule, size): (Rule, Size),
        stop: &Arc<AtomicBool>,
        each: &mut dyn FnMut(CheckedCase) -> bool,
    ) -> Result<CheckTotal, String> {
        let case = |name: &str, faults: &[&str]| CheckedCase {
            name: name.to_owned(),
            about: format!("{spec} {rule}"),
            board: "-".repeat(size.cells()),
            size: size.width(),
            color: "black".to_owned(),
            expected: vec!["c4".to_owned()],
            list: Some(Vec::new()),
            decision: None,
            forfeit: None,
            passed: faults.is_empty(),
            faults: faults.iter().map(|&fault| fault.to_owned()).collect(),
            notes: Vec::new(),
            seconds: Some(0.25),
            late: false,
        };
        if size == Size::FOUR {
            while !stop.load(Ordering::Relaxed) {
                std::thread::yield_now();
            }
            assert!(!each(case("stopped", &[])), "nobody wants it any more");
            return Ok(CheckTotal::default());
        }
        let is_wanted = each(case("start", &[])) && each(case("corner", &["missing: c4"]));
        assert!(is_wanted);
        Ok(CheckTotal { passed: 1, failed: 1, skipped: 0 })
    }
}

/// A board whose owner has a Python file, a program, and a test.
fn checked_client(name: &str) -> Client {
    let entry = |name| {
        let make = |_: &AgentSpec, _| -> Result<Box<dyn Agent>, SpecError> {
            Ok(Box::new(Program::new(600, Arc::default())))
        };
        Entry::new(name, "a program", make)
    };
    let file = entry("file").of_kind(Kind::Python);
    let catalogue = Catalogue::new([file, entry("other").of_kind(Kind::Program)]);
    let mut own = OwnAgents::new(catalogue).with_checker(Test);
    own.add("mine", "file").unwrap();
    own.add("engine2", "other").unwrap();
    let (own_agents, patience) = (Arc::new(own), Duration::from_secs(600));
    Client::with(Settings { own_agents, patience, ..Settings::new(directory(name)) })
}

#[tokio::test]
async fn the_file_of_an_own_agent_is_tested_one_test_at_a_time() {
    let client = checked_client("own-check");
    let events = client.stream("/api/agents/mine/check?size=10&rule=normal").await.all().await;
    let names: Vec<&str> = events.iter().map(|event| event.name.as_str()).collect();
    assert_eq!(names, ["case", "case", "done"]);
    assert_eq!(events[0].data["about"], "file normal");
    assert_eq!(events[0].data["board"].as_str().unwrap().len(), 100);
    assert_eq!(events[1].data["faults"], json!(["missing: c4"]));
    let total = json!({"reason": "over", "passed": 1, "failed": 1, "skipped": 0});
    assert_eq!(events[2].data, total);
    // A second one is refused while the first runs, and may begin when its reader has left.
    let first = client.stream("/api/agents/mine/check?size=4").await;
    client.get("/api/agents/mine/check").await.refused(503, "busy");
    drop(first);
    while client.get("/api/agents/mine/check").await.status == 503 {
        tokio::task::yield_now().await;
    }
    for (path, status, code) in [
        ("/api/agents/random/check", 404, "not-found"),
        ("/api/agents/engine2/check", 400, "bad-agent"),
        ("/api/agents/mine/check?size=9", 400, "bad-request"),
        ("/api/agents/mine/check?depth=9", 400, "bad-request"),
    ] {
        client.get(path).await.refused(status, code);
    }
}

#[tokio::test]
async fn files_play_on_every_board_and_programs_on_the_usual_ones() {
    let client = checked_client("own-large");
    let agents = client.get("/api/agents").await.json();
    let all = json!([4, 6, 8, 10, 12, 14, 16]);
    let sizes = |at: usize| agents["agents"][at]["sizes"].clone();
    assert_eq!([sizes(0), sizes(1), sizes(2)], [all.clone(), json!([4, 6, 8]), all.clone()]);
    assert_eq!(agents["sizes"], all);
    for (agent, size) in [("mine", 16), ("random", 10), ("engine:level=2", 12)] {
        let body = json!({"size": size, "agent": agent, "ahead": true});
        let answer = client.post("/api/move", body).await.json();
        assert_eq!(answer["position"]["board"].as_str().unwrap().len(), size * size);
        assert!(answer["position"]["legal"][0]["after"].is_object());
    }
    let body = json!({"size": 10, "agent": "engine2"});
    client.post("/api/move", body).await.refused(400, "bad-agent");
    for path in ["analysis", "solve", "review"] {
        client.get(&format!("/api/{path}?size=10")).await.refused(400, "bad-request");
    }
    client.rest().await;
}
