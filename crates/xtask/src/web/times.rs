//! Measures in a browser how long people wait at the web board.
//!
//! `web/browser/times.ts` plays and asks in a real Chromium against a release build, and writes how
//! long each answer took; here that becomes a table beside what the page is held to. Nothing fails
//! by being slow: a record is for people to read.

use super::npm::Npm;
use crate::spread::Spread;
use crate::{record, shell};
use anyhow::{Context, Result};
use serde::Deserialize;
use std::fmt::Write;
use std::fs;
use std::path::PathBuf;

#[derive(clap::Args)]
pub(crate) struct Options {
    /// How often each wait is measured
    #[arg(long, default_value_t = 40, value_parser = clap::value_parser!(u32).range(20..=1_000))]
    repetitions: u32,

    /// The program, instead of a release build of it
    #[arg(long)]
    program: Option<PathBuf>,

    /// Print the record instead of writing it
    #[arg(long)]
    dry_run: bool,
}

/// A line of what was measured.
#[derive(Deserialize)]
#[serde(untagged)]
enum Line {
    Browser { browser: String },
    Waits(Waits),
}

/// What people wait for, and how long each time.
#[derive(Deserialize)]
struct Waits {
    question: String,
    limit_ms: Option<f64>,
    waits_ms: Vec<f64>,
}

/// Measures and writes the record.
pub(super) fn run(npm: &Npm, options: &Options) -> Result<()> {
    let program = match &options.program {
        Some(program) => std::path::absolute(program)?,
        None => shell::release()?,
    };
    let file = shell::target_folder()?.join("web-times.jsonl");
    // What an earlier run left must not pass for today's.
    let _ = fs::remove_file(&file);
    let load = record::load();
    npm.call("run times", |command| {
        command
            .env("ISREVER", &program)
            .env("TIMES", &file)
            .env("REPETITIONS", options.repetitions.to_string())
    })?;
    let lines = fs::read_to_string(&file).context("the browser has measured nothing")?;
    let heading = record::heading("How long people wait at the web board", "web times", None)?;
    record::finish(&table(heading + &load, &lines)?, "web-times", options.dry_run)
}

/// The record: `text`, and a table of what the browser wrote as `lines`.
fn table(mut text: String, lines: &str) -> Result<String> {
    let mut rows = String::new();
    for line in lines.lines() {
        let line = serde_json::from_str(line).with_context(|| format!("not ours: {line}"))?;
        match line {
            Line::Browser { browser } => writeln!(text, "- Browser: {browser}, headless")?,
            Line::Waits(waits) => rows.push_str(&waits.row()),
        }
    }
    writeln!(
        text,
        "\nA wait begins when the browser receives a click or a key, or with the navigation of \
         somebody who has never been here, and ends when the picture that shows the answer is on \
         the screen: up to two frames, 33 ms, of every wait are the screen's own. Browser and \
         program share the cores. The rows without a limit say how responsive the page is while \
         the engine works for it and values stream in.\n"
    )?;
    writeln!(text, "| | times | limit | {} | within the limit |", Spread::HEAD)?;
    writeln!(text, "|---|---|---|---|---|---|---|")?;
    text.push_str(&rows);
    Ok(text)
}

impl Waits {
    fn row(&self) -> String {
        let spread: Spread = self.waits_ms.iter().copied().collect();
        let (limit, verdict) = match self.limit_ms {
            Some(limit) => (format!("{limit} ms"), self.within(limit)),
            None => (String::new(), String::new()),
        };
        let (question, count, cells) = (&self.question, spread.count(), spread.cells());
        format!("| {question} | {count} | {limit} | {cells} | {verdict} |\n")
    }

    /// How many of the waits were not longer than `limit_ms`.
    fn within(&self, limit_ms: f64) -> String {
        let within = self.waits_ms.iter().filter(|&&wait| wait <= limit_ms).count();
        if within == self.waits_ms.len() { "all".to_owned() } else { within.to_string() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn waits_stand_beside_what_they_are_held_to() {
        let lines = r#"{"browser":"Chromium 1"}
{"question":"a","limit_ms":150,"waits_ms":[10,20,149.96]}
{"question":"b","limit_ms":300,"waits_ms":[10,301]}
{"question":"c","limit_ms":null,"waits_ms":[]}"#;
        let text = table(String::new(), lines).unwrap();
        assert!(text.starts_with("- Browser: Chromium 1, headless\n"), "{text}");
        for row in [
            "| a | 3 | 150 ms | 20.0 ms | 150.0 ms | 150.0 ms | all |\n",
            "| b | 2 | 300 ms | 10.0 ms | 301.0 ms | 301.0 ms | 1 |\n",
            "| c | 0 |  | – | – | – |  |\n",
        ] {
            assert!(text.contains(row), "{row}{text}");
        }
    }

    #[test]
    fn a_line_of_something_else_is_refused() {
        let error = table(String::new(), "{\"question\":7}").unwrap_err();
        assert_eq!(error.to_string(), "not ours: {\"question\":7}");
    }
}
