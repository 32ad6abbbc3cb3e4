//! The clients of the server: players and analyses, and the tally of the answers they got.

use crate::http::{Answer, Client};
use crate::rng::Rng;
use crate::spread::Spread;
use anyhow::{Context, Result};
use serde_json::{Value, json};
use std::collections::{BTreeMap, VecDeque};
use std::io::Write;
use std::iter::Sum;
use std::net::TcpStream;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::time::{Duration, Instant};

/// Events that a client waits for before it leaves an analysis.
const EVENTS: u64 = 20;

/// The most connections that are held open for nothing.
const MOST_HELD: usize = 600;

/// Stands for the status of a request whose connection broke.
const BROKEN: u16 = 0;

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
        self.statuses.keys().all(|status| matches!(*status, 200 | 201 | 429 | 503 | BROKEN))
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.times.is_empty()
    }

    /// The share of requests that were not answered.
    pub(crate) fn refused_share(&self) -> f64 {
        let is_answered = |status: u16| (200..300).contains(&status);
        let refused = self.statuses.iter().filter(|(status, _)| !is_answered(**status));
        let refused: u64 = refused.map(|(_, count)| count).sum();
        refused as f64 / self.times.len().max(1) as f64
    }

    /// How long each answer took, in milliseconds.
    pub(crate) fn times_ms(&self) -> impl Iterator<Item = f64> + '_ {
        self.times.iter().map(|time| time.as_secs_f64() * 1e3)
    }

    pub(crate) fn statuses(&self) -> String {
        let parts = self.statuses.iter().map(|(&status, count)| match status {
            BROKEN => format!("{count} broken"),
            status => format!("{count} × {status}"),
        });
        parts.collect::<Vec<_>>().join(", ")
    }

    /// A row of a table: how many, and how long they took.
    pub(crate) fn row(&self, name: &str) -> String {
        let spread: Spread = self.times_ms().collect();
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

/// How a player behaves.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Manner {
    /// Plays against level 5, and waits before each move and after a refusal.
    Polite,
    /// Plays against levels 1 to 5 without a pause.
    Greedy,
}

/// The pause of a polite player before a move.
const PAUSE: Duration = Duration::from_millis(500);

/// Plays saved games, one after the other, until it is stopped; counts the finished ones. Connects
/// again if its connection breaks.
pub(crate) fn play(
    connect: &dyn Fn() -> Result<Client>,
    number: u64,
    size: u8,
    manner: Manner,
    stop: &AtomicBool,
    finished: Option<&AtomicU64>,
) -> Result<Tally> {
    let mut tally = Tally::default();
    let mut rng = Rng::new(number);
    while !stop.load(Relaxed) {
        let Ok(mut client) = connect() else {
            tally.add(BROKEN, Duration::ZERO);
            continue;
        };
        let mut player = Player { client: &mut client, number, size, manner, tally: &mut tally };
        while !stop.load(Relaxed) {
            match player.game(&mut rng, stop) {
                Ok(is_over) => {
                    if let Some(finished) = finished.filter(|_| is_over) {
                        finished.fetch_add(1, Relaxed);
                    }
                }
                Err(_) => {
                    player.tally.add(BROKEN, Duration::ZERO);
                    break;
                }
            }
        }
    }
    Ok(tally)
}

/// A player on a connection.
struct Player<'a> {
    client: &'a mut Client,
    number: u64,
    size: u8,
    manner: Manner,
    tally: &'a mut Tally,
}

impl Player<'_> {
    /// Plays one game: whether it came to its end.
    fn game(&mut self, rng: &mut Rng, stop: &AtomicBool) -> Result<bool> {
        let level = if self.manner == Manner::Polite { 5 } else { 1 + rng.below(5) };
        let (agent, size) = (format!("engine:level={level}"), self.size);
        let body = json!({
            "size": size,
            "black": {"kind": "human", "name": format!("player {}", self.number)},
            "white": {"kind": "agent", "name": agent},
        });
        let Player { client, tally, .. } = self;
        let begun = tally.time(|| client.post("/api/games", &body.to_string()))?;
        if begun.status != 201 {
            return Ok(false);
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
                return Ok(true);
            }
            let mut moves = at["moves"].as_array().context("moves")?.clone();
            let legal = at["legal"].as_array().context("legal squares")?;
            let asked = if at["turn"] == "black" {
                if self.manner == Manner::Polite {
                    std::thread::sleep(PAUSE);
                }
                moves.push(match legal.get(rng.below(legal.len())) {
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
            // Repeats a refused request, as the page does.
            if asked.status == 200 {
                position = asked;
            } else if self.manner == Manner::Polite {
                std::thread::sleep(Duration::from_secs(1));
            }
        }
        Ok(false)
    }
}

/// Asks for moves of level 20 without a pause, until it is stopped.
pub(crate) fn hammer(
    connect: impl Fn() -> Result<Client>,
    number: u64,
    stop: &AtomicBool,
) -> Result<Tally> {
    let mut tally = Tally::default();
    while !stop.load(Relaxed) {
        let Ok(mut client) = connect() else { continue };
        while !stop.load(Relaxed) {
            let body = json!({"moves": "f5d6c3d3c4", "agent": "engine:level=20", "seed": number});
            if tally.time(|| client.post("/api/move", &body.to_string())).is_err() {
                tally.add(BROKEN, Duration::ZERO);
                break;
            }
        }
    }
    Ok(tally)
}

/// Opens connections as fast as the server lets it, begins a request on each, and never ends one.
pub(crate) fn hold_connections(address: &str, stop: &AtomicBool) -> Result<Tally> {
    let mut held = VecDeque::new();
    while !stop.load(Relaxed) {
        if let Ok(mut connection) = TcpStream::connect(address) {
            // The server may have refused it already.
            let _ = connection.write_all(b"GET /api/health HTTP/1.1\r\nhost: ");
            held.push_back(connection);
        }
        if held.len() > MOST_HELD {
            held.pop_front();
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    Ok(Tally::default())
}

/// Begins analyses and leaves each after some events, until it is stopped.
pub(crate) fn analyse(
    connect: impl Fn() -> Result<Client>,
    number: u64,
    stop: &AtomicBool,
) -> Result<Tally> {
    let mut tally = Tally::default();
    let mut rng = Rng::new(number);
    let lines = ["f5", "f5,d6", "f5,d6,c3", "f5,f6,e6", "f5,f4,e3", "f5,d6,c3,d3,c4"];
    while !stop.load(Relaxed) {
        let path = format!("/api/analysis?moves={}&seconds=20", lines[rng.below(lines.len())]);
        let Ok(mut client) = connect() else { continue };
        let began = Instant::now();
        let status = client.open(&path).map_or(BROKEN, |answer| answer.status);
        tally.add(status, began.elapsed());
        if status != 200 {
            // Less than the server asks for, and enough not to keep the driver itself from working.
            std::thread::sleep(Duration::from_millis(100));
            continue;
        }
        for _ in 0..EVENTS {
            if stop.load(Relaxed) || !client.event().is_ok_and(|event| event.is_some()) {
                break;
            }
        }
    }
    Ok(tally)
}
