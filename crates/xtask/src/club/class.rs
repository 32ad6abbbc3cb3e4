//! A simulated class on the battle platform, from its class list to the proof of its final.
//!
//! Server and judges are real processes, which are killed at random all the
//! time. In the end everything is counted anew from the games.

mod verify;

use super::agents::Workshop;
use super::campus::Campus;
use super::count::rows;
use super::people::{Deeds, Person};
use super::report::Report;
use super::traces::{self, Canary};
use super::visits::{Known, Times, Visits};
use crate::rng::Rng;
use crate::shell;
use anyhow::{Context, Result, ensure};
use serde_json::{Value, json};
use std::collections::VecDeque;
use std::fs;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// How large the class is, and for how long it plays.
#[derive(clap::Args)]
pub(crate) struct Options {
    /// Members, each with an agent
    #[arg(long, default_value_t = 200, value_name = "N")]
    accounts: usize,

    /// How long the ladder goes on, beside joining, checks and the final
    #[arg(long, default_value_t = 60.0, value_name = "MINUTES")]
    minutes: f64,

    /// How many play in the final, from the whole ladder: everybody against everybody takes
    /// N × (N − 1) games
    #[arg(long, default_value_t = 24, value_name = "N")]
    finalists: usize,

    /// Milliseconds for a move on the ladder
    #[arg(long, default_value_t = 200, value_name = "MS")]
    move_ms: u64,

    /// Milliseconds for a move in the final
    #[arg(long, default_value_t = 50, value_name = "MS")]
    final_move_ms: u64,

    /// Requests a second of all pages together
    #[arg(long, default_value_t = 20.0, value_name = "N")]
    rate: f64,

    /// New versions and challenges in a minute
    #[arg(long, default_value_t = 20.0, value_name = "N")]
    changes: f64,

    /// Judges of the server
    #[arg(long, default_value_t = 2, value_name = "N")]
    judges: u16,

    /// The least and the most seconds between two kills of a judge or the server
    #[arg(long, num_args = 2, default_values_t = [20, 90], value_names = ["LEAST", "MOST"])]
    kills: Vec<usize>,

    /// Kill nobody, to see how memory goes
    #[arg(long)]
    calm: bool,

    /// Which class: agents, choices and kills depend on it
    #[arg(long, default_value_t = 1, value_name = "N")]
    seed: u64,

    /// Where everything is written; emptied first [default: class in cargo's target folder]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,

    /// The program, instead of a release build of it
    #[arg(long, value_name = "FILE")]
    program: Option<PathBuf>,
}

/// The board of the check, and the one on which battles are fought: sleepers attack there.
const CHECK_WIDTH: u8 = 8;
const BATTLE_WIDTH: u8 = 6;

/// Milliseconds for a move in a check: nobody should fail for want of a quick machine.
const CHECK_MOVE_MS: u64 = 1_000;

/// Connections of the class's browsers.
const BROWSERS: usize = 8;

/// Members who join at a time.
const JOINING: usize = 4;

/// Nothing may stand still for longer.
const PATIENCE: Duration = Duration::from_secs(300);

/// After so long, a job that a killed judge had is another's, and was done.
const SETTLED: Duration = Duration::from_secs(45);

/// Members whose checks are looked at in one turn, so that looking does not keep the server busy.
const LOOKED_AT: usize = 10;

const TURN: Duration = Duration::from_millis(250);

/// A class with its server.
struct Class<'a> {
    options: &'a Options,
    campus: &'a Campus,
    teacher: Person,
    people: Vec<Person>,
    shop: Workshop<'a>,
    deeds: Deeds,
    times: Times,
    /// How many files each member has submitted after the first.
    later: Vec<AtomicUsize>,
    phase: AtomicUsize,
}

/// Simulates a class; an error if anything is not as it must be.
pub(crate) fn run(options: &Options) -> Result<()> {
    ensure!(options.accounts >= 10 && options.finalists >= 2, "a class has 10 members or more");
    let program = options.program.clone().map_or_else(shell::release, Ok)?;
    let program = std::path::absolute(program)?;
    let folder = match &options.out {
        Some(folder) => std::path::absolute(folder)?,
        None => shell::target_folder()?.join("class"),
    };
    empty(&folder)?;
    let neighbour = folder.join("neighbour.txt");
    let secret = format!("the neighbour's secret of seed {}", options.seed);
    let canary = Canary { path: &neighbour, secret };
    canary.place()?;
    let campus = Campus::open(&program, &folder, options.judges)?;
    let stop = AtomicBool::new(false);
    let mut report = Report { is_calm: options.calm, ..Report::default() };
    let (class, memory) = thread::scope(|scope| -> Result<_> {
        let watch = scope.spawn(|| traces::watch(&campus, &stop));
        let class = simulate(options, &campus, &canary, &mut report);
        stop.store(true, Relaxed);
        Ok((class?, watch.join().expect("no panic")))
    })?;
    let Class { times, .. } = class;
    campus.stop()?;
    report.blame("left behind", memory.left(&campus)?);
    if !canary.is_untouched() {
        report.blame("the neighbour's file", ["it was changed".to_owned()]);
    }
    report.kills = campus.kills();
    let servers = report.kills.iter().filter(|kill| kill.what == "server").count();
    let gone = report.kills.iter().map(|kill| kill.gone).fold(0.0, f64::max);
    report.say("servers killed", servers);
    report.say("judges killed", report.kills.len() - servers);
    report.say("longest time without a server, in seconds", (gone * 100.0).round() / 100.0);
    report.say("seconds in all", campus.seconds().round());
    report.routes = times.routes();
    report.memory = memory;
    report.judge();
    println!("\n{}", report.write(&folder)?);
    println!("written: {}", folder.display());
    ensure!(report.faults.is_empty(), "{} faults", report.faults.len());
    Ok(())
}

/// Empties a folder that an earlier class made, or makes it.
fn empty(folder: &std::path::Path) -> Result<()> {
    let is_ours = folder.join("neighbour.txt").is_file();
    let is_empty = fs::read_dir(folder).map_or(true, |mut entries| entries.next().is_none());
    ensure!(is_ours || is_empty, "{} has something else in it", folder.display());
    if is_ours {
        fs::remove_dir_all(folder)?;
    }
    Ok(fs::create_dir_all(folder)?)
}

/// Everything that happens while the server is there.
fn simulate<'a>(
    options: &'a Options,
    campus: &'a Campus,
    canary: &'a Canary<'_>,
    report: &mut Report,
) -> Result<Class<'a>> {
    let class = Class::gather(options, campus, canary)?;
    report.say("members", class.people.len());
    report.say("seconds until all had joined", campus.seconds().round());
    let everybody: Vec<usize> = (0..class.people.len()).collect();
    class.among(&everybody, false, || class.wait_for_checks())?;
    report.say("seconds until all were checked", campus.seconds().round());

    class.set_terms(BATTLE_WIDTH, options.move_ms, true)?;
    let end = Instant::now() + Duration::from_secs_f64(60.0 * options.minutes);
    class.among(&everybody, true, || {
        while Instant::now() < end {
            thread::sleep(TURN);
        }
        Ok(())
    })?;
    class.set_terms(BATTLE_WIDTH, options.move_ms, false)?;
    class.wait_for_checks()?;
    class.drain()?;
    class.verify_submissions(report)?;
    class.verify_ladder(report)?;

    class.set_terms(BATTLE_WIDTH, options.final_move_ms, false)?;
    let finalists = class.choose_finalists()?;
    let id = class.hold_final(&finalists, report)?;
    class.verify_final(id, report)?;
    class.verify_secrets(canary, report)?;
    Ok(class)
}

impl<'a> Class<'a> {
    /// Makes the accounts by a class list; everybody joins and submits an agent.
    fn gather(
        options: &'a Options,
        campus: &'a Campus,
        canary: &'a Canary<'_>,
    ) -> Result<Class<'a>> {
        let mark = |number: usize| format!("mark-{}-{number}-of-its-author", options.seed);
        let teacher = Person::join(campus, &campus.invitation()?, "teacher", &mark(0))?;
        let mut class = Class {
            options,
            campus,
            teacher,
            people: Vec::new(),
            shop: Workshop {
                neighbour: canary.path,
                width: BATTLE_WIDTH,
                seed: options.seed,
                attacks: AtomicUsize::default(),
            },
            deeds: Deeds::default(),
            times: Times::default(),
            later: (0..options.accounts).map(|_| AtomicUsize::new(0)).collect(),
            phase: AtomicUsize::new(0),
        };
        class.set_terms(CHECK_WIDTH, CHECK_MOVE_MS, false)?;
        let list = (0..options.accounts).map(|n| format!("m{:03},{}\n", n + 1, n % 4 + 1));
        let list = format!("name,section\n{}", list.collect::<String>());
        let enrolled = class.teacher.send(campus, "/api/club/class", &list)?.json()?;
        let codes: Vec<&str> =
            rows(&enrolled["accounts"]).iter().filter_map(|row| row["code"].as_str()).collect();
        ensure!(codes.len() == options.accounts, "{} of them have codes", codes.len());
        let joined: Mutex<Vec<Option<Person>>> =
            Mutex::new((0..codes.len()).map(|_| None).collect());
        let next = AtomicUsize::new(0);
        thread::scope(|scope| -> Result<()> {
            let join = || -> Result<()> {
                while let Some((number, code)) =
                    codes.iter().enumerate().nth(next.fetch_add(1, Relaxed))
                {
                    let name = format!("m{:03}", number + 1);
                    let person = Person::join(campus, code, &name, &mark(number + 1))?;
                    let agent = class.shop.first(number, &name, &person.mark);
                    person.submit(campus, number, agent, &class.deeds)?;
                    joined.lock().unwrap_or_else(PoisonError::into_inner)[number] = Some(person);
                }
                Ok(())
            };
            let threads: Vec<_> = (0..JOINING).map(|_| scope.spawn(join)).collect();
            threads.into_iter().try_for_each(|thread| thread.join().expect("no panic"))
        })?;
        let joined = joined.into_inner().unwrap_or_else(PoisonError::into_inner);
        class.people = joined.into_iter().collect::<Option<_>>().context("everybody joins")?;
        Ok(class)
    }

    fn set_terms(&self, width: u8, move_ms: u64, is_open: bool) -> Result<()> {
        let terms = json!({"rule": "reversed", "size": width, "move_ms": move_ms,
                           "game_ms": 36 * move_ms, "memory_mib": 100});
        let body = json!({"terms": terms, "ladder_open": is_open, "sparring_open": is_open});
        self.teacher.change(self.campus, "PUT", "/api/club/settings", &body)?;
        Ok(())
    }

    /// Does something while members look at their pages, change things if they may, and processes
    /// are killed.
    fn among<T>(
        &self,
        visitors: &[usize],
        with_changes: bool,
        act: impl FnOnce() -> Result<T>,
    ) -> Result<T> {
        let visits = Visits {
            campus: self.campus,
            people: &self.people,
            teacher: &self.teacher,
            visitors,
            times: &self.times,
            known: Mutex::new(Known::default()),
            stop: AtomicBool::new(false),
        };
        let phase = self.phase.fetch_add(1, Relaxed) as u64;
        let seed = |number: usize| self.options.seed * 1_000 + phase * 100 + number as u64;
        thread::scope(|scope| {
            let rate = self.options.rate / BROWSERS as f64;
            let visits = &visits;
            let mut threads: Vec<_> = (0..BROWSERS)
                .map(|number| scope.spawn(move || visits.go_on(seed(number), rate)))
                .collect();
            if with_changes {
                threads.push(scope.spawn(move || self.change(seed(50), &visits.stop)));
            }
            if !self.options.calm {
                threads.push(scope.spawn(move || self.kill(seed(51), &visits.stop)));
            }
            let done = act();
            visits.stop.store(true, Relaxed);
            let ended: Result<()> =
                threads.into_iter().try_for_each(|thread| thread.join().expect("no panic"));
            done.and_then(|done| ended.map(|()| done))
        })
    }

    /// Kills a judge or the server now and then.
    fn kill(&self, seed: u64, stop: &AtomicBool) -> Result<()> {
        let mut rng = Rng::new(seed);
        loop {
            let [least, most] = self.options.kills[..] else { return Ok(()) };
            let wait = least + rng.below(most.saturating_sub(least) + 1);
            if is_stopped_within(Duration::from_secs(wait as u64), stop) {
                return Ok(());
            }
            if rng.below(3) == 0 {
                self.campus.kill_server()?;
            } else {
                self.campus.kill_judge(&mut rng)?;
            }
        }
    }

    /// Members submit new versions and challenge each other.
    fn change(&self, seed: u64, stop: &AtomicBool) -> Result<()> {
        let mut rng = Rng::new(seed);
        let pause = Duration::from_secs_f64(60.0 / self.options.changes);
        while !is_stopped_within(pause, stop) {
            let number = rng.below(self.people.len());
            if rng.below(2) == 0 {
                let person = &self.people[number];
                let time = self.later[number].fetch_add(1, Relaxed) + 1;
                let agent = self.shop.next(number, time, &person.name, &person.mark);
                person.submit(self.campus, number, agent, &self.deeds)?;
            } else {
                self.challenge(&mut rng)?;
            }
        }
        Ok(())
    }

    fn challenge(&self, rng: &mut Rng) -> Result<()> {
        let rungs = self.rungs()?;
        let (Some(own), Some(other)) = (rng.one_of(&rungs), rng.one_of(&rungs)) else {
            return Ok(());
        };
        let opponent = match rng.below(3) {
            0 => json!({"agent": "greedy"}),
            _ => json!({"version": other["version"]}),
        };
        let body = json!({"version": own["version"], "opponent": opponent});
        let person = self.people.iter().find(|one| own["account"].as_i64() == Some(one.account));
        person.context("somebody's")?.challenge(self.campus, &body, &self.deeds)
    }

    fn rungs(&self) -> Result<Vec<Value>> {
        let ladder = self.teacher.get(self.campus, "/api/club/ladder")?;
        Ok(rows(&ladder["rungs"]).to_vec())
    }

    /// Waits until `left` has come down to 0; an error if it stands still.
    fn wait_for(&self, what: &str, mut left: impl FnMut() -> Result<usize>) -> Result<()> {
        let mut best = usize::MAX;
        let mut changed = Instant::now();
        loop {
            let now = left()?;
            if now == 0 {
                return Ok(());
            }
            if now < best {
                (best, changed) = (now, Instant::now());
            }
            ensure!(changed.elapsed() < PATIENCE, "{what}: {now} are left, and stay");
            thread::sleep(4 * TURN);
        }
    }

    /// Waits until no version waits for its check.
    fn wait_for_checks(&self) -> Result<()> {
        let mut left: VecDeque<&Person> = self.people.iter().collect();
        self.wait_for("checks", || {
            for _ in 0..LOOKED_AT.min(left.len()) {
                let person = left.pop_front().expect("somebody is left");
                let versions = self.versions(person)?;
                if versions.iter().any(|version| version["state"] == "waiting") {
                    left.push_back(person);
                }
            }
            if !left.is_empty() {
                self.retry_troubles()?;
            }
            Ok(left.len())
        })
    }

    fn versions(&self, person: &Person) -> Result<Vec<Value>> {
        Ok(rows(&person.get(self.campus, "/api/club/versions")?["versions"]).to_vec())
    }

    /// Has jobs tried again that were set aside, such as when they lost three judges.
    fn retry_troubles(&self) -> Result<usize> {
        let state = self.teacher.get(self.campus, "/api/club/state")?;
        let troubles = rows(&state["troubles"]);
        for trouble in troubles {
            println!("set aside: {trouble}");
        }
        if !troubles.is_empty() {
            let retry = json!({});
            self.teacher.change(self.campus, "POST", "/api/club/state/retry", &retry)?;
        }
        Ok(troubles.len())
    }

    /// Waits until all games are played.
    fn drain(&self) -> Result<()> {
        self.wait_for("games", || {
            let battles = super::count::battles(self.campus, &self.teacher)?;
            let games = battles.iter().flat_map(|battle| rows(&battle["games"]));
            let waiting = games.filter(|game| game["state"] == "waiting").count();
            if waiting > 0 {
                self.retry_troubles()?;
            }
            Ok(waiting)
        })
    }

    /// Chooses those who play in the final, from the whole ladder; all others are blocked until then.
    fn choose_finalists(&self) -> Result<Vec<usize>> {
        let rungs = self.rungs()?;
        let count = self.options.finalists.min(rungs.len());
        let chosen =
            (0..count).filter_map(|place| rungs[place * rungs.len() / count]["account"].as_i64());
        let chosen: Vec<i64> = chosen.collect();
        for person in &self.people {
            if !chosen.contains(&person.account) {
                self.set_blocked(person, true)?;
            }
        }
        Ok((0..self.people.len()).filter(|&n| chosen.contains(&self.people[n].account)).collect())
    }

    fn set_blocked(&self, person: &Person, is_blocked: bool) -> Result<()> {
        let path = format!("/api/club/accounts/{}", person.account);
        self.teacher.change(self.campus, "PUT", &path, &json!({"blocked": is_blocked}))?;
        Ok(())
    }

    /// Holds a final, which is stopped once in the middle; returns its number.
    fn hold_final(&self, finalists: &[usize], report: &mut Report) -> Result<i64> {
        let begin = Instant::now();
        let body = json!({"name": "Final", "pairs": 1});
        let begun = self.teacher.change(self.campus, "POST", "/api/club/finals", &body)?;
        let id = begun["id"].as_i64().context("a final")?;
        let games = finalists.len() * (finalists.len() - 1);
        let path = format!("/api/club/finals/{id}");
        let change = |state: &str| {
            self.teacher.change(self.campus, "PUT", &path, &json!({"state": state})).map(|_| ())
        };
        let left = || -> Result<usize> {
            let of_final = &self.teacher.get(self.campus, &path)?["final"];
            let played = of_final["played"].as_u64().context("a count")? as usize;
            Ok(games.saturating_sub(played))
        };
        self.among(finalists, false, || {
            self.wait_for("the first third", || Ok(left()?.saturating_sub(games * 2 / 3)))?;
            change("stopped")?;
            // What was being played ends.
            thread::sleep(SETTLED);
            let stopped = left()?;
            thread::sleep(SETTLED / 4);
            let still = left()?;
            if still != stopped {
                let words = format!("{stopped} games were left when it was stopped, then {still}");
                report.blame("a stopped final goes on", [words]);
            }
            report.say("games left while the final was stopped", stopped);
            change("running")?;
            self.wait_for("the final", || {
                let left = left()?;
                if left > 0 {
                    self.retry_troubles()?;
                }
                Ok(left)
            })
        })?;
        report.say("games of the final", games);
        report.say("seconds of the final", begin.elapsed().as_secs());
        Ok(id)
    }
}

/// Waits for a time; whether everything was stopped meanwhile.
fn is_stopped_within(time: Duration, stop: &AtomicBool) -> bool {
    let end = Instant::now() + time;
    while Instant::now() < end {
        if stop.load(Relaxed) {
            return true;
        }
        thread::sleep(TURN.min(end.saturating_duration_since(Instant::now())));
    }
    stop.load(Relaxed)
}
