//! Visits of a simulated class: what its pages ask for, and how long each answer took.

use super::campus::{Campus, Line, Reply};
use super::people::Person;
use crate::http::Answer;
use crate::rng::Rng;
use crate::spread::Spread;
use anyhow::Result;
use serde_json::Value;
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// Nobody likes to wait longer, in milliseconds.
const LONG_MS: f64 = 300.0;

/// Answers of one route.
#[derive(Default)]
pub(super) struct Route {
    millis: Vec<f64>,
    /// Answers that are neither what was asked for nor a plain refusal.
    pub(super) faults: BTreeMap<String, u64>,
    interrupted: u64,
}

impl Route {
    pub(super) fn spread(&self) -> Spread {
        self.millis.iter().copied().collect()
    }

    /// How many answers took too long.
    pub(super) fn long(&self) -> usize {
        self.millis.iter().filter(|&&millis| millis > LONG_MS).count()
    }

    pub(super) const fn interrupted(&self) -> u64 {
        self.interrupted
    }
}

/// Answers of all routes.
#[derive(Default)]
pub(super) struct Times(Mutex<BTreeMap<&'static str, Route>>);

impl Times {
    fn add(&self, route: &'static str, act: impl FnOnce(&mut Route)) {
        let mut routes = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        act(routes.entry(route).or_default());
    }

    pub(super) fn routes(self) -> BTreeMap<&'static str, Route> {
        self.0.into_inner().unwrap_or_else(PoisonError::into_inner)
    }
}

/// What is known to be there, so that visitors can look at it.
#[derive(Default)]
pub(super) struct Known {
    games: Vec<i64>,
    battles: Vec<i64>,
    versions: BTreeMap<usize, Vec<i64>>,
    finals: Vec<i64>,
    files: Vec<String>,
}

impl Known {
    /// Notes what an answer of the API names.
    fn learn(&mut self, route: &str, person: usize, body: &Value) {
        let ids = |list: &Value| -> Vec<i64> {
            let rows = list.as_array().map(Vec::as_slice).unwrap_or_default();
            rows.iter().filter_map(|row| row["id"].as_i64()).collect()
        };
        match route {
            "battles" => {
                self.battles = ids(&body["battles"]);
                let battles = body["battles"].as_array().map(Vec::as_slice).unwrap_or_default();
                self.games = battles.iter().flat_map(|battle| ids(&battle["games"])).collect();
            }
            "versions" => {
                self.versions.insert(person, ids(&body["versions"]));
            }
            "finals" => self.finals = ids(&body["finals"]),
            _ => {}
        }
    }
}

/// The files that the page names.
fn files(page: &str) -> Vec<String> {
    let values = page.split(['"', '\'']).filter(|value| {
        let ending = value.rsplit('.').next().unwrap_or_default();
        ["js", "css", "svg", "png", "webmanifest"].contains(&ending) && !value.contains("://")
    });
    values.map(|value| format!("/{}", value.trim_start_matches(['.', '/']))).collect()
}

/// What visitors share.
pub(super) struct Visits<'a> {
    pub(super) campus: &'a Campus,
    pub(super) people: &'a [Person],
    pub(super) teacher: &'a Person,
    /// Who visits: blocked members do not.
    pub(super) visitors: &'a [usize],
    pub(super) times: &'a Times,
    pub(super) known: Mutex<Known>,
    pub(super) stop: AtomicBool,
}

/// The routes, each as often as it is listed.
const MIX: [&str; 32] = [
    "page",
    "club",
    "club",
    "ladder",
    "ladder",
    "ladder",
    "ladder",
    "section",
    "live",
    "live",
    "live",
    "live",
    "battles",
    "battles",
    "own battles",
    "battle",
    "game",
    "game",
    "game",
    "game file",
    "versions",
    "versions",
    "version",
    "report",
    "source",
    "finals",
    "final",
    "final",
    "tokens",
    "health",
    "teacher",
    "teacher",
];

/// What the teacher looks at.
const TEACHER: [&str; 4] = ["log", "state", "accounts", "grades"];

impl Visits<'_> {
    /// Looks at one thing after the other, so many times a second, until told to stop.
    pub(super) fn go_on(&self, seed: u64, rate: f64) -> Result<()> {
        let mut rng = Rng::new(seed);
        let mut line = Line::default();
        let pause = Duration::from_secs_f64(1.0 / rate);
        let mut next = Instant::now();
        while !self.stop.load(Relaxed) {
            thread::sleep(next.saturating_duration_since(Instant::now()));
            // Somebody who had to wait does not make up for it.
            next = next.max(Instant::now() - pause) + pause;
            let person = rng.one_of(self.visitors).copied().unwrap_or_default();
            let route = rng.one_of(&MIX).copied().unwrap_or_default();
            self.look(&mut line, &mut rng, person, route)?;
        }
        Ok(())
    }

    fn look(
        &self,
        line: &mut Line,
        rng: &mut Rng,
        person: usize,
        route: &'static str,
    ) -> Result<()> {
        let route = match route {
            "teacher" => TEACHER[rng.below(TEACHER.len())],
            other => other,
        };
        let is_teachers = TEACHER.contains(&route);
        let someone = if is_teachers { self.teacher } else { &self.people[person] };
        let Some(path) = self.path(rng, person, route) else { return Ok(()) };
        let Some(answer) = self.timed(line, someone, route, &path)? else { return Ok(()) };
        if route == "page" {
            let mut names = files(answer.text().unwrap_or_default());
            names.dedup();
            for name in &names {
                self.timed(line, someone, "page's file", name)?;
            }
            self.known().files = names;
        } else if let Ok(body) = answer.json() {
            self.known().learn(route, person, &body);
        }
        Ok(())
    }

    fn known(&self) -> std::sync::MutexGuard<'_, Known> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Where something is, if there is one.
    fn path(&self, rng: &mut Rng, person: usize, route: &str) -> Option<String> {
        let known = self.known();
        let own = known.versions.get(&person).map_or(&[][..], Vec::as_slice);
        let account = self.people[person].account;
        Some(match route {
            "page" => "/".to_owned(),
            "club" => "/api/club".to_owned(),
            "section" => format!("/api/club/ladder?section={}", rng.below(4) + 1),
            "battles" => "/api/club/battles?limit=50".to_owned(),
            "own battles" => format!("/api/club/battles?account={account}&limit=50"),
            "battle" => format!("/api/club/battles/{}", rng.one_of(&known.battles)?),
            "game" => format!("/api/club/games/{}", rng.one_of(&known.games)?),
            "game file" => format!("/api/club/games/{}/file", rng.one_of(&known.games)?),
            "version" => format!("/api/club/versions/{}", rng.one_of(own)?),
            "report" => format!("/api/club/versions/{}/report", rng.one_of(own)?),
            "source" => format!("/api/club/versions/{}/source", rng.one_of(own)?),
            "final" => format!("/api/club/finals/{}", rng.one_of(&known.finals)?),
            "grades" => {
                format!("/api/club/finals/{}/grades?rule=10:A,100:B", rng.one_of(&known.finals)?)
            }
            "health" => "/api/health".to_owned(),
            other => format!("/api/club/{other}"),
        })
    }

    /// Asks for something, and notes how long it took.
    fn timed(
        &self,
        line: &mut Line,
        person: &Person,
        route: &'static str,
        path: &str,
    ) -> Result<Option<Answer>> {
        let reply = match line.ask(self.campus, "GET", path, person.page(), "") {
            Ok(reply) => reply,
            Err(error) => {
                let words = format!("{:.0} s: {error:#}", self.campus.seconds());
                self.times.add(route, |one| *one.faults.entry(words).or_default() += 1);
                return Ok(None);
            }
        };
        let Reply::Answered(answer, millis) = reply else {
            self.times.add(route, |one| one.interrupted += 1);
            return Ok(None);
        };
        let is_refused = is_plain_refusal(route, answer.status);
        self.times.add(route, |one| {
            one.millis.push(millis);
            if answer.status != 200 && !is_refused {
                let words = format!("{path}: {}", answer.status);
                *one.faults.entry(words).or_default() += 1;
            }
        });
        Ok(Some(answer).filter(|answer| answer.status == 200))
    }
}

/// Whether it is in order that there is nothing to see: games that nobody has played yet have no
/// file, challenges of others do not exist, and what is not checked has no report.
fn is_plain_refusal(route: &str, status: u16) -> bool {
    status == 404 && ["game", "game file", "battle", "report"].contains(&route)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_page_names_its_files() {
        let page = r#"<link href="./a-1.css"><script src='/b.js'></script><a href="https://x.js">"#;
        assert_eq!(files(page), ["/a-1.css", "/b.js"]);
    }

    #[test]
    fn visitors_learn_what_there_is() {
        let mut known = Known::default();
        let body = serde_json::json!({"battles": [{"id": 7, "games": [{"id": 3}, {"id": 4}]}]});
        known.learn("battles", 0, &body);
        assert_eq!((&known.battles[..], &known.games[..]), (&[7][..], &[3, 4][..]));
    }
}
