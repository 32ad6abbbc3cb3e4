//! What people cost a judge's clock: agents that always do the same work are timed on the ladder while
//! nobody else is there, while people play against the engine, and while they play against agents.

use super::agents::Workshop;
use super::campus::{Campus, Line};
use super::count::{battles, rows};
use super::people::{Deeds, Person, granted, refusal};
use crate::shell;
use crate::spread::Spread;
use anyhow::{Context, Result, ensure};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};
use std::thread::{self, sleep};
use std::time::{Duration, Instant};

/// How long to time, and beside whom.
#[derive(clap::Args)]
pub(crate) struct Options {
    /// Seconds of the ladder beside each kind of people, in each round
    #[arg(long, default_value_t = 60, value_name = "SECONDS")]
    seconds: u64,

    /// How often each kind of people has its turn
    #[arg(long, default_value_t = 2, value_name = "N")]
    rounds: usize,

    /// How many people play at a time
    #[arg(long, default_value_t = 4, value_name = "N")]
    people: usize,

    /// Judges of the server
    #[arg(long, default_value_t = 2, value_name = "N")]
    judges: u16,

    /// The program, instead of a release build of it
    #[arg(long, value_name = "FILE")]
    program: Option<PathBuf>,
}

/// What agents do at every move, beside choosing it: always the same work.
const WORK: &str = "for _ in range(2_000_000): pass";

/// Agents on the ladder for each judge, so that none has to wait for another game of the same.
const AGENTS_EACH: usize = 3;

/// Milliseconds for a move: several times what it takes.
const MOVE_MS: u64 = 1_000;

/// Nothing may stand still for longer.
const PATIENCE: Duration = Duration::from_secs(300);

/// How long to wait before something is asked again.
const PAUSE: Duration = Duration::from_millis(50);

/// What people do beside the ladder.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Load {
    Nobody,
    Engine,
    Agents,
}

impl fmt::Display for Load {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Load::Nobody => "nobody",
            Load::Engine => "people against the engine, 1 s a move",
            Load::Agents => "people against agents",
        })
    }
}

/// What was timed beside people of one kind.
struct Timed {
    load: Load,
    /// Milliseconds of the ladder's moves.
    moves: Vec<f64>,
    /// How many games were lost by time.
    lost_by_time: usize,
    /// Milliseconds until people were answered.
    answers: Vec<f64>,
}

struct Trial<'a> {
    campus: &'a Campus,
    teacher: Person,
    people: Vec<Person>,
    /// Versions that people may play against.
    versions: Vec<i64>,
    stop: AtomicBool,
    answers: Mutex<Vec<f64>>,
}

/// Times the ladder, and says what people cost it.
pub(crate) fn run(options: &Options) -> Result<()> {
    let program = options.program.clone().map_or_else(shell::release, Ok)?;
    let folder = shell::target_folder()?.join("club-clock");
    if folder.exists() {
        fs::remove_dir_all(&folder)?;
    }
    let campus = Campus::open(&std::path::absolute(program)?, &folder, options.judges)?;
    let trial = Trial::open(&campus, options)?;
    let mut timed = [Load::Nobody, Load::Engine, Load::Agents].map(|load| Timed {
        load,
        moves: Vec::new(),
        lost_by_time: 0,
        answers: Vec::new(),
    });
    let mut known = BTreeSet::new();
    for round in 1..=options.rounds {
        for timed in &mut timed {
            println!("round {round}: {}", timed.load);
            trial.time(timed, Duration::from_secs(options.seconds), &mut known)?;
        }
    }
    campus.stop()?;
    println!(
        "\n| beside the ladder | moves | {} | 99 % | lost by time | people's answers |",
        Spread::HEAD
    );
    println!("|---|--:|--:|--:|--:|--:|--:|--:|");
    for Timed { load, moves, lost_by_time, answers } in timed {
        let moves: Spread = moves.into_iter().collect();
        let answers: Spread = answers.into_iter().collect();
        let told = match answers.count() {
            0 => "–".to_owned(),
            count => format!("{count}, median {}, slowest {}", answers.cell(50), answers.cell(100)),
        };
        println!(
            "| {load} | {} | {} | {} | {lost_by_time} | {told} |",
            moves.count(),
            moves.cells(),
            moves.cell(99)
        );
    }
    Ok(())
}

impl<'a> Trial<'a> {
    /// Has everybody join, and agents submitted and opened to people.
    fn open(campus: &'a Campus, options: &Options) -> Result<Trial<'a>> {
        let teacher = Person::join(campus, &campus.invitation()?, "teacher", "mark")?;
        let authors = AGENTS_EACH * usize::from(options.judges.max(1));
        let names: Vec<String> =
            (0..authors + options.people).map(|number| format!("m{number:03}")).collect();
        let list = format!(
            "name,section\n{}",
            names.iter().map(|name| format!("{name},1\n")).collect::<String>()
        );
        let enrolled = teacher.send(campus, "/api/club/class", &list)?.json()?;
        let codes = rows(&enrolled["accounts"]).iter().filter_map(|row| row["code"].as_str());
        let joined = codes.zip(&names).map(|(code, name)| Person::join(campus, code, name, name));
        let mut members = joined.collect::<Result<Vec<Person>>>()?;
        ensure!(members.len() == names.len(), "{} of {} joined", members.len(), names.len());
        let people = members.split_off(authors);
        let mut trial = Trial {
            campus,
            teacher,
            people,
            versions: Vec::new(),
            stop: AtomicBool::new(false),
            answers: Mutex::default(),
        };
        trial.set_ladder(false)?;
        let shop = Workshop {
            neighbour: Path::new("/nowhere"),
            width: 6,
            seed: 1,
            attacks: AtomicUsize::default(),
        };
        let deeds = Deeds::default();
        for (number, author) in members.iter().enumerate() {
            author.submit(campus, number, shop.steady(number, &author.name, WORK), &deeds)?;
        }
        for author in &members {
            let begin = Instant::now();
            let version = loop {
                let version = &author.get(campus, "/api/club/versions")?["versions"][0];
                if version["state"] == "passed" {
                    break version["id"].as_i64().context("a number")?;
                }
                ensure!(version["state"] == "waiting", "{}: {}", author.name, version["state"]);
                ensure!(begin.elapsed() < PATIENCE, "{} is not checked", author.name);
                sleep(PAUSE);
            };
            let path = format!("/api/club/versions/{version}");
            author.change(campus, "PUT", &path, &json!({"open": true}))?;
            trial.versions.push(version);
        }
        Ok(trial)
    }

    fn set_ladder(&self, is_open: bool) -> Result<()> {
        let terms = json!({"rule": "reversed", "size": 6, "move_ms": MOVE_MS,
                           "game_ms": 36 * MOVE_MS, "memory_mib": 100});
        let body = json!({"terms": terms, "ladder_open": is_open, "sparring_open": true});
        self.teacher.change(self.campus, "PUT", "/api/club/settings", &body)?;
        Ok(())
    }

    /// Times the moves of the ladder for so long; `known` are the games that were timed before.
    fn time(&self, timed: &mut Timed, time: Duration, known: &mut BTreeSet<i64>) -> Result<()> {
        self.stop.store(false, Relaxed);
        let load = timed.load;
        thread::scope(|scope| -> Result<()> {
            let people: Vec<_> = match load {
                Load::Nobody => Vec::new(),
                _ => {
                    let play = |(number, person)| {
                        move || match load {
                            Load::Agents => self.play_agents(person, number),
                            _ => self.play_engine(person),
                        }
                    };
                    self.people.iter().enumerate().map(play).map(|play| scope.spawn(play)).collect()
                }
            };
            let done = self.let_play(time);
            self.stop.store(true, Relaxed);
            people.into_iter().try_for_each(|thread| thread.join().expect("no panic"))?;
            done
        })?;
        timed.answers.append(&mut self.answers.lock().unwrap_or_else(PoisonError::into_inner));
        for battle in battles(self.campus, &self.teacher)? {
            let games = rows(&battle["games"]).iter().filter(|_| battle["kind"] == "ladder");
            for game in games.filter_map(|game| game["id"].as_i64()) {
                if known.insert(game) {
                    let game = self.teacher.get(self.campus, &format!("/api/club/games/{game}"))?;
                    let seconds =
                        rows(&game["moves"]).iter().filter_map(|mv| mv["seconds"].as_f64());
                    timed.moves.extend(seconds.map(|seconds| seconds * 1e3));
                    timed.lost_by_time += usize::from(game["end"] == "time");
                }
            }
        }
        Ok(())
    }

    /// Opens the ladder for so long, and waits for the games that have been arranged.
    fn let_play(&self, time: Duration) -> Result<()> {
        self.set_ladder(true)?;
        sleep(time);
        self.set_ladder(false)?;
        let begin = Instant::now();
        loop {
            let battles = battles(self.campus, &self.teacher)?;
            let mut ladder = battles.iter().filter(|battle| battle["kind"] == "ladder");
            let is_waiting = |battle: &Value| {
                rows(&battle["games"]).iter().any(|game| game["state"] == "waiting")
            };
            if !ladder.any(is_waiting) {
                return Ok(());
            }
            ensure!(begin.elapsed() < PATIENCE, "games of the ladder are left, and stay");
            sleep(PAUSE);
        }
    }

    fn note(&self, begin: Instant) {
        let millis = begin.elapsed().as_secs_f64() * 1e3;
        self.answers.lock().unwrap_or_else(PoisonError::into_inner).push(millis);
    }

    /// Asks the engine for one move after the other.
    fn play_engine(&self, person: &Person) -> Result<()> {
        let mut line = Line::default();
        let body = json!({"rule": "reversed", "size": 8, "moves": [], "agent": "engine:book=none",
                          "seconds": 1.0});
        while !self.stop.load(Relaxed) {
            let begin = Instant::now();
            let body = body.to_string();
            let answer = line.insist(self.campus, "POST", "/api/move", person.page(), &body)?;
            match refusal(&answer) {
                None => self.note(begin),
                // There are more people than places for searches.
                Some(_) => sleep(PAUSE),
            }
        }
        Ok(())
    }

    /// Plays one game after the other against the agents of others, by the first legal move.
    fn play_agents(&self, person: &Person, number: usize) -> Result<()> {
        let mut line = Line::default();
        let version = self.versions[number % self.versions.len()];
        let mut ask = |method: &str, path: &str, body: &Value| -> Result<Value> {
            let body = if method == "GET" { String::new() } else { body.to_string() };
            granted(&line.insist(self.campus, method, path, person.page(), &body)?)
                .with_context(|| path.to_owned())
        };
        while !self.stop.load(Relaxed) {
            let begin = json!({"version": version, "size": 6, "color": "black"});
            let mut game = ask("POST", "/api/club/casual", &begin)?;
            let path = format!("/api/club/casual/{}", game["game"]);
            let mut asked = None;
            while game["turn"] != "over" && !self.stop.load(Relaxed) {
                if game["turn"] == "person" {
                    if let Some(asked) = asked.take() {
                        self.note(asked);
                    }
                    let ply = rows(&game["moves"]).len();
                    let body = json!({"move": game["legal"][0], "ply": ply});
                    asked = Some(Instant::now());
                    game = ask("POST", &format!("{path}/moves"), &body)?;
                } else {
                    sleep(PAUSE);
                    game = ask("GET", &path, &Value::Null)?;
                }
            }
            if game["turn"] != "over" {
                // The agent may have ended it meanwhile.
                let _ = ask("POST", &format!("{path}/resignation"), &json!({}));
            }
        }
        Ok(())
    }
}
