//! Holds what the platform shows against what was asked for and what was played.

use super::Class;
use crate::club::agents::Kind;
use crate::club::count::{Everything, Total, add_up, differences, rows};
use crate::club::report::Report;
use crate::club::traces::Canary;
use crate::shell;
use anyhow::{Context, Result};
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::sync::PoisonError;
use std::time::{Duration, Instant};

/// How long the server may take to count the ladder.
const COUNTING: Duration = Duration::from_secs(60);

impl Class<'_> {
    /// Every submission has a verdict, or was refused for a reason; no attack passes.
    pub(super) fn verify_submissions(&self, report: &mut Report) -> Result<()> {
        let submissions = self.deeds.submissions.lock().unwrap_or_else(PoisonError::into_inner);
        let mut kept: Vec<BTreeMap<String, Value>> = Vec::new();
        for person in &self.people {
            let versions = self.versions(person)?;
            let by_digest = versions.into_iter().map(|version| {
                (version["digest"].as_str().unwrap_or_default().to_owned(), version)
            });
            kept.push(by_digest.collect());
        }
        let mut faults = Vec::new();
        let mut attacks = BTreeSet::new();
        for one in submissions.iter() {
            let version = kept[one.person].get(&one.digest);
            let verdict = match (&one.refusal, version) {
                (Some(reason), _) => format!("refused ({reason})"),
                (None, None) => {
                    faults.push(format!("{} by {} is lost", one.about, one.person));
                    continue;
                }
                (None, Some(version)) => version["state"].as_str().unwrap_or_default().to_owned(),
            };
            if verdict == "waiting" || (verdict == "passed" && one.kind == Kind::Hostile) {
                faults.push(format!("{} ({}) is {verdict}", one.about, one.kind));
            }
            if matches!(one.kind, Kind::Hostile | Kind::Sleeper) && one.refusal.is_none() {
                attacks.insert(one.about.clone());
            }
            *report.verdicts.entry(one.kind).or_default().entry(verdict).or_default() += 1;
        }
        let versions: usize = kept.iter().map(BTreeMap::len).sum();
        let taken = submissions.iter().filter(|one| one.refusal.is_none()).count();
        if versions != taken {
            faults.push(format!("{versions} versions of {taken} submissions"));
        }
        report.blame("submissions", faults);
        report.say("submissions", submissions.len());
        report.say("different attacks among them", attacks.len());
        Ok(())
    }

    /// Every battle has exactly its games, and the ladder is what they make it.
    pub(super) fn verify_ladder(&self, report: &mut Report) -> Result<()> {
        let all = self.verify_battles(report)?;
        let (games, faults) = all.count()?;
        report.blame("games counted anew", faults);
        let challenges = self.deeds.challenges.lock().unwrap_or_else(PoisonError::into_inner);
        let numbers: BTreeSet<i64> =
            all.battles.iter().filter_map(|battle| battle["id"].as_i64()).collect();
        let lost = challenges.iter().filter(|id| !numbers.contains(id));
        report.blame("challenges", lost.map(|id| format!("battle {id} is lost")));
        let refused = self.deeds.refused_challenges.lock().unwrap_or_else(PoisonError::into_inner);
        report.say("challenges", challenges.len());
        report.say("challenges that were refused", refused.len());
        let of_ladder: Vec<_> = games.iter().filter(|game| game.kind == "ladder").collect();
        report.say("games of the ladder", of_ladder.len());
        let totals = add_up(of_ladder.iter().copied(), |game, side| game.accounts[side]);
        let key = |row: &Value| Some(row["account"].as_i64());
        let begin = Instant::now();
        // The server counts when something has changed, half a second later at most.
        let (rungs, faults) = loop {
            let rungs = self.rungs()?;
            let faults = differences(&rungs, &totals, key);
            if faults.is_empty() || begin.elapsed() > COUNTING {
                break (rungs, faults);
            }
            std::thread::sleep(super::TURN);
        };
        report.blame("the ladder", faults);
        report.say("members on the ladder", rungs.len());
        let mut ends: BTreeMap<String, u64> = BTreeMap::new();
        for game in all.games.values() {
            *ends.entry(game["end"].as_str().unwrap_or_default().to_owned()).or_default() += 1;
        }
        report.say("ends of games", json!(ends));
        Ok(())
    }

    fn verify_battles(&self, report: &mut Report) -> Result<Everything> {
        let all = Everything::fetch(self.campus, &self.teacher)?;
        let state = self.teacher.get(self.campus, "/api/club/state")?;
        let set_aside = rows(&state["troubles"]).iter().filter(|row| row["kind"] == "game");
        let set_aside: BTreeSet<i64> =
            set_aside.filter_map(|row| row["subject"].as_i64()).collect();
        report.say("games set aside", set_aside.len());
        report.blame("battles", all.faults(&set_aside)?);
        Ok(all)
    }

    /// The table of a final is what its games make it, and so is its proof.
    pub(super) fn verify_final(&self, id: i64, report: &mut Report) -> Result<()> {
        let all = self.verify_battles(report)?;
        let (games, faults) = all.count()?;
        report.blame("games counted anew", faults);
        let of_final: Vec<_> = games.iter().filter(|game| game.of_final == Some(id)).collect();
        let totals = add_up(of_final.iter().copied(), |game, side| game.names[side].clone());
        let shown = self.teacher.get(self.campus, &format!("/api/club/finals/{id}"))?;
        let table = rows(&shown["rows"]);
        let key = |row: &Value| row["name"].as_str().map(str::to_owned);
        let mut faults = differences(table, &totals, key);
        let expected = table.len() * (table.len() - 1);
        if of_final.len() != expected || shown["final"]["state"] != "over" {
            faults.push(format!("{} of {expected} games: {}", of_final.len(), shown["final"]));
        }
        faults.extend(self.proof_faults(id, &totals)?);
        report.blame("the final", faults);
        for person in &self.people {
            self.set_blocked(person, false)?;
        }
        Ok(())
    }

    /// Where the proof of a final says something else than the count.
    fn proof_faults(&self, id: i64, totals: &BTreeMap<String, Total>) -> Result<Vec<String>> {
        let bytes = self.teacher.file(self.campus, &format!("/api/club/finals/{id}/proof"))?;
        let file = self.campus.club().with_file_name("final.db");
        fs::write(&file, bytes)?;
        let program = self.campus.program().display().to_string();
        let shown = shell::output(&format!("{program} arena show {} --json", file.display()))?;
        let mut faults = Vec::new();
        let mut seen = 0;
        for line in shown.lines() {
            let row: Value = serde_json::from_str(line).context("a row of the proof")?;
            if row["kind"] != "player" {
                continue;
            }
            let name = row["player"].as_str().unwrap_or_default();
            let total = totals.iter().find(|(one, _)| name.starts_with(one.as_str()));
            let count = |key: &str| row[key].as_i64();
            seen += 1;
            let counted = total.map(|(_, total)| [total.wins, total.draws, total.losses]);
            if counted.map(|counts| counts.map(Some))
                != Some([count("wins"), count("draws"), count("losses")])
            {
                faults.push(format!("the proof says {row}, but {counted:?}"));
            }
        }
        if seen != totals.len() {
            faults.push(format!("the proof has {seen} players, not {}", totals.len()));
        }
        Ok(faults)
    }

    /// Nobody's agent has told what is in the neighbour's file or in a source of somebody else.
    pub(super) fn verify_secrets(&self, canary: &Canary<'_>, report: &mut Report) -> Result<()> {
        let all = Everything::fetch(self.campus, &self.teacher)?;
        let mut faults = Vec::new();
        let mut judge = |what: String, own: Option<&str>, text: &str| {
            let is_told = text.contains(&canary.secret)
                || self
                    .people
                    .iter()
                    .any(|person| own != Some(&person.name) && text.contains(&person.mark));
            if is_told {
                faults.push(format!("{what} has a secret"));
            }
        };
        for (number, game) in &all.games {
            for color in ["black", "white"] {
                let words = game[format!("{color}_output")].as_str().unwrap_or_default();
                judge(format!("{color} in game {number}"), game[color].as_str(), words);
            }
            judge(format!("game {number}"), None, game["details"].as_str().unwrap_or_default());
        }
        for person in &self.people {
            for version in self.versions(person)? {
                let path = format!("/api/club/versions/{}/report", version["id"]);
                let found = self.teacher.get(self.campus, &path)?.to_string();
                judge(
                    format!("the report of version {}", version["id"]),
                    Some(&person.name),
                    &found,
                );
            }
        }
        report.blame("secrets", faults);
        Ok(())
    }
}
