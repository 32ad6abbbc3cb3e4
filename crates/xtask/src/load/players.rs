//! The clients of the server: players and analyses, and the tally of the answers they got.

use crate::http::{Answer, Client};
use crate::spread::Spread;
use anyhow::{Context, Result};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::iter::Sum;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::time::{Duration, Instant};

/// Events that an analyst waits for before leaving.
const EVENTS: u64 = 20;

/// Answers by status, and how long they took.
#[derive(Default)]
pub(crate) struct Tally {
    statuses: BTreeMap<u16, u64>,
    times: Vec<Duration>,
}

impl Tally {
    pub(crate) fn add(&mut self, status: u16, time: Duration) {
        *self.statuses.entry(status).or_default() += 1;
        self.times.push(time);
    }

    /// Counts an answer and the time it takes.
    pub(crate) fn time(&mut self, ask: impl FnOnce() -> Result<Answer>) -> Result<Answer> {
        let began = Instant::now();
        let answer = ask()?;
        self.add(answer.status, began.elapsed());
        Ok(answer)
    }

    /// Whether everything was answered, or refused for good reason.
    pub(crate) fn is_clean(&self) -> bool {
        self.statuses.keys().all(|status| matches!(status, 200 | 201 | 429 | 503))
    }

    pub(crate) fn statuses(&self) -> String {
        let parts = self.statuses.iter().map(|(status, count)| format!("{count} × {status}"));
        parts.collect::<Vec<_>>().join(", ")
    }

    /// A row of a table: how many, and how long they took.
    pub(crate) fn row(&self, name: &str) -> String {
        let spread: Spread = self.times.iter().map(|time| time.as_secs_f64() * 1e3).collect();
        format!("| {name} | {} | {} |", spread.count(), spread.cells())
    }
}

impl Sum for Tally {
    fn sum<I: Iterator<Item = Tally>>(tallies: I) -> Tally {
        tallies.fold(Tally::default(), |mut sum, tally| {
            for (status, count) in tally.statuses {
                *sum.statuses.entry(status).or_default() += count;
            }
            sum.times.extend(tally.times);
            sum
        })
    }
}

/// Numbers for a player's choices.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: usize) -> usize {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % sides.max(1)
    }
}

/// Plays saved games against low levels, one after the other, until it is told to stop; those that
/// are finished are counted.
pub(crate) fn play(
    mut client: Client,
    number: u64,
    size: u8,
    stop: &AtomicBool,
    finished: Option<&AtomicU64>,
) -> Result<Tally> {
    let mut tally = Tally::default();
    let mut dice = Dice(number);
    while !stop.load(Relaxed) {
        let agent = format!("engine:level={}", 1 + dice.roll(5));
        let body = json!({
            "size": size,
            "black": {"kind": "human", "name": format!("player {number}")},
            "white": {"kind": "agent", "name": agent},
        });
        let begun = tally.time(|| client.post("/api/games", &body.to_string()))?;
        if begun.status != 201 {
            continue;
        }
        let begun = begun.json()?;
        let text = |key: &str| begun[key].as_str().context("a text").map(str::to_owned);
        let (path, token) = (format!("/api/games/{}", text("id")?), text("token")?);
        let mut position =
            tally.time(|| client.post("/api/position", &json!({"size": size}).to_string()))?;
        while !stop.load(Relaxed) {
            let at = position.json()?;
            let at = if at["position"].is_object() { &at["position"] } else { &at };
            if at["over"] == true {
                if let Some(finished) = finished {
                    finished.fetch_add(1, Relaxed);
                }
                break;
            }
            let mut moves = at["moves"].as_array().context("moves")?.clone();
            let legal = at["legal"].as_array().context("legal squares")?;
            let asked = if at["turn"] == "black" {
                moves.push(match legal.get(dice.roll(legal.len())) {
                    Some(legal) => legal["square"].clone(),
                    None => Value::from("pass"),
                });
                let body = json!({"moves": moves}).to_string();
                tally.time(|| client.put(&path, &token, &body))?;
                let body = json!({"size": size, "moves": moves}).to_string();
                tally.time(|| client.post("/api/position", &body))?
            } else {
                let body = json!({"size": size, "moves": moves, "agent": agent}).to_string();
                let moved = tally.time(|| client.post("/api/move", &body))?;
                if moved.status == 200 {
                    let body = json!({"moves": moved.json()?["position"]["moves"]}).to_string();
                    tally.time(|| client.put(&path, &token, &body))?;
                }
                moved
            };
            // Refused: the same is asked again, as the page does.
            if asked.status == 200 {
                position = asked;
            }
        }
    }
    Ok(tally)
}

/// Begins analyses and leaves them after some events, until it is told to stop.
pub(crate) fn analyse(
    connect: impl Fn() -> Result<Client>,
    number: u64,
    stop: &AtomicBool,
) -> Result<Tally> {
    let mut tally = Tally::default();
    let mut dice = Dice(number);
    let lines = ["f5", "f5,d6", "f5,d6,c3", "f5,f6,e6", "f5,f4,e3", "f5,d6,c3,d3,c4"];
    while !stop.load(Relaxed) {
        let path = format!("/api/analysis?moves={}&seconds=20", lines[dice.roll(lines.len())]);
        let mut client = connect()?;
        let began = Instant::now();
        let status = client.open(&path)?.status;
        if status == 200 {
            client.event()?;
        }
        tally.add(status, began.elapsed());
        if status != 200 {
            // As long as the server asks for.
            std::thread::sleep(Duration::from_secs(1));
            continue;
        }
        for _ in 0..EVENTS {
            if stop.load(Relaxed) || client.event()?.is_none() {
                break;
            }
        }
    }
    Ok(tally)
}
