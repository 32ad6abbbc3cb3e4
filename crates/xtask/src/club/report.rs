//! What came of a simulated class: faults, figures, and files with all of them.

use super::agents::Kind;
use super::campus::Kill;
use super::traces::Memory;
use super::visits::Route;
use anyhow::Result;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::fmt::Write;
use std::fs;
use std::path::Path;

/// Memory may grow by so much from the second third of the time to the last.
const GROWTH: f64 = 1.1;

/// Everything that was seen.
#[derive(Default)]
pub(super) struct Report {
    /// What must not be.
    pub(super) faults: Vec<String>,
    /// What was counted, in order.
    pub(super) figures: Vec<(String, Value)>,
    pub(super) verdicts: BTreeMap<Kind, BTreeMap<String, u64>>,
    pub(super) routes: BTreeMap<&'static str, Route>,
    pub(super) kills: Vec<Kill>,
    pub(super) memory: Memory,
    /// Whether servers lived long enough for their memory to say something.
    pub(super) is_calm: bool,
}

impl Report {
    /// Notes a figure, and prints it.
    pub(super) fn say(&mut self, name: &str, value: impl Into<Value>) {
        let value = value.into();
        println!("{name}: {value}");
        self.figures.push((name.to_owned(), value));
    }

    /// Notes what is wrong with something.
    pub(super) fn blame(&mut self, about: &str, faults: impl IntoIterator<Item = String>) {
        for fault in faults {
            println!("FAULT, {about}: {fault}");
            self.faults.push(format!("{about}: {fault}"));
        }
    }

    /// Judges what was measured: requests that a living server did not answer, and memory.
    pub(super) fn judge(&mut self) {
        let faults: Vec<String> = self
            .routes
            .iter()
            .flat_map(|(name, route)| {
                route.faults.iter().map(move |(words, count)| format!("{name}: {count} × {words}"))
            })
            .collect();
        self.blame("answers", faults);
        let mut grown = Vec::new();
        for (name, of_server) in [("server", true), ("judges", false)] {
            let [_, middle, last, _] = self.memory.thirds(of_server);
            if self.is_calm && last > GROWTH * middle {
                grown.push(format!("{name}: {middle:.1} MiB, then {last:.1} MiB"));
            }
        }
        self.blame("memory grows", grown);
    }

    /// Writes all files, and returns the summary as a page.
    pub(super) fn write(&self, folder: &Path) -> Result<String> {
        fs::write(folder.join("memory.csv"), self.memory.csv()?)?;
        let mut kills = "seconds,what,seconds_gone\n".to_owned();
        for Kill { at, what, gone } in &self.kills {
            writeln!(kills, "{at:.1},{what},{gone:.2}")?;
        }
        fs::write(folder.join("kills.csv"), kills)?;
        fs::write(folder.join("times.csv"), self.times_csv()?)?;
        fs::write(folder.join("summary.json"), format!("{:#}\n", self.summary()))?;
        let page = self.page()?;
        fs::write(folder.join("summary.md"), &page)?;
        Ok(page)
    }

    fn times_csv(&self) -> Result<String> {
        let mut text = "route,count,median_ms,p99_ms,max_ms,above_300_ms,interrupted\n".to_owned();
        for (name, route) in &self.routes {
            let spread = route.spread();
            let [median, most, max] =
                [50, 99, 100].map(|part| spread.part(part).unwrap_or_default());
            let (count, long, interrupted) = (spread.count(), route.long(), route.interrupted());
            writeln!(text, "{name},{count},{median:.1},{most:.1},{max:.1},{long},{interrupted}")?;
        }
        Ok(text)
    }

    fn summary(&self) -> Value {
        let figures: serde_json::Map<String, Value> = self.figures.iter().cloned().collect();
        let verdicts: BTreeMap<String, &BTreeMap<String, u64>> =
            self.verdicts.iter().map(|(kind, counts)| (kind.to_string(), counts)).collect();
        let routes = self.routes.iter().map(|(name, route)| {
            let spread = route.spread();
            let row = json!({
                "count": spread.count(), "median_ms": spread.part(50), "p99_ms": spread.part(99),
                "max_ms": spread.part(100), "above_300_ms": route.long(),
                "interrupted": route.interrupted(),
            });
            ((*name).to_owned(), row)
        });
        json!({
            "faults": self.faults, "figures": figures, "verdicts": verdicts,
            "routes": routes.collect::<serde_json::Map<_, _>>(),
            "memory_mib": {
                "server": self.memory.thirds(true), "judges": self.memory.thirds(false),
            },
        })
    }

    /// Tables for people.
    fn page(&self) -> Result<String> {
        let mut text = String::new();
        for (name, value) in &self.figures {
            let value = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
            writeln!(text, "- {name}: {value}")?;
        }
        writeln!(text, "\n| agents | verdicts |\n|---|---|")?;
        for (kind, counts) in &self.verdicts {
            let words: Vec<String> =
                counts.iter().map(|(state, count)| format!("{count} {state}")).collect();
            writeln!(text, "| {kind} | {} |", words.join(", "))?;
        }
        writeln!(
            text,
            "\n| route | answers | median | 99 % | slowest | above 300 ms | interrupted by a kill |\n\
             |---|--:|--:|--:|--:|--:|--:|"
        )?;
        let (mut all, mut long) = (0, 0);
        for (name, route) in &self.routes {
            let spread = route.spread();
            let cells = [50, 99, 100].map(|part| spread.cell(part)).join(" | ");
            let (count, slow) = (spread.count(), route.long());
            (all, long) = (all + count, long + slow);
            writeln!(text, "| {name} | {count} | {cells} | {slow} | {} |", route.interrupted())?;
        }
        let share = 100.0 * long as f64 / all.max(1) as f64;
        writeln!(text, "\n{all} answers, {share:.2} % of them after more than 300 ms.\n")?;
        writeln!(
            text,
            "| memory, MiB | first third | second | last | most |\n|---|--:|--:|--:|--:|"
        )?;
        for (name, of_server) in [("server", true), ("a judge", false)] {
            let [first, second, last, most] = self.memory.thirds(of_server);
            writeln!(text, "| {name} | {first:.1} | {second:.1} | {last:.1} | {most:.1} |")?;
        }
        writeln!(text, "\nFaults: {}.", self.faults.len())?;
        self.faults.iter().try_for_each(|fault| writeln!(text, "- {fault}"))?;
        Ok(text)
    }
}
