//! `cargo xtask guide`: runs every command of README.md and the guide.
//!
//! A command is a line of a `sh` block. Those of one page run in order in a scratch folder of their
//! own under `target/guide/`, which begins with the files of `testdata/guide/`: they stand for the
//! reader's own. Each must end with exit status 0 within two minutes. What a test cannot afford is
//! changed by an annotation above the block ([`page`] lists them) or skipped, and what is skipped is
//! listed here, so that it cannot grow unseen.

mod page;
mod session;

use crate::setup::{self, Need};
use crate::{python, shell};
use anyhow::{Context, Result, bail, ensure};
use page::{Block, Kind};
use session::Session;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::thread;
use std::time::Instant;

#[derive(clap::Args, Default)]
pub(crate) struct Options {
    /// Only this page, such as README or training; says how long each command takes
    #[arg(long, value_name = "PAGE")]
    page: Option<String>,

    /// The program to run, instead of a development build of it
    #[arg(long, value_name = "PROGRAM")]
    binary: Option<PathBuf>,
}

/// The tests of the Python package train a network.
const TRAINING: &str =
    "python -m isrever.train --data games-*.dat -o network.bin --compare embedded";

/// All commands that are not run. A page that skips another one must add it here.
const SKIPPED: [(&str, &str); 37] = [
    ("docs/guide/cluster.md", "nats-server -c nats.conf"),
    ("docs/guide/cluster.md", "isrever worker --cluster nats://head:4222 --cluster-key token"),
    (
        "docs/guide/cluster.md",
        "isrever arena run cup.toml --db cup.db --cluster nats://head:4222 --cluster-key token",
    ),
    (
        "docs/guide/cluster.md",
        "isrever cluster status --cluster nats://head:4222 --cluster-key token --watch",
    ),
    (
        "docs/guide/cluster.md",
        "isrever cluster cancel 3f9a --yes --cluster nats://head:4222 --cluster-key token",
    ),
    (
        "docs/guide/cluster.md",
        "for host in lab1 lab2 lab3; do ssh $host \"nohup nice isrever worker --cluster \
         nats://head:4222 --cluster-key token >worker-$host.log 2>&1 </dev/null & echo \\$! \
         >worker-$host.pid\"; done",
    ),
    (
        "docs/guide/cluster.md",
        "for host in lab1 lab2 lab3; do ssh $host \"kill \\$(cat worker-$host.pid)\"; done",
    ),
    (
        "docs/guide/cluster.md",
        "sbatch --array=1-64 --cpus-per-task=4 --requeue --signal=B:TERM@90 --wrap 'exec isrever \
         worker --cluster nats://head:4222 --cluster-key token --threads $SLURM_CPUS_PER_TASK \
         --grace 25s'",
    ),
    (
        "docs/guide/cluster.md",
        "hq submit --array=1-64 --cpus=4 -- isrever worker --cluster nats://head:4222 \
         --cluster-key token --threads 4",
    ),
    ("docs/guide/course.md", "sudo apt install python3-numpy"),
    ("docs/guide/course.md", "isrever arena show final-1.db"),
    ("docs/guide/course.md", "isrever club judge /srv/club"),
    ("docs/guide/course.md", "isrever club judge /srv/club --replies"),
    ("docs/guide/course.md", "isrever club judge /srv/club --places 4 --place 1"),
    ("docs/guide/course.md", "isrever club judge /srv/club --places 4 --replies"),
    (
        "docs/guide/course.md",
        "isrever club judge /srv/club --cluster nats://head:4222 --cluster-key token",
    ),
    (
        "docs/guide/course.md",
        "isrever worker --cluster nats://head:4222 --cluster-key token --kinds club",
    ),
    ("docs/guide/course.md", "ISREVER_TOKEN=… isrever submit my_ai.py --to https://board.example"),
    ("README.md", "cargo run --release"),
    ("README.md", "cargo xtask test"),
    ("README.md", "cargo install --path crates/cli"),
    ("README.md", "python3 -m venv .venv && . .venv/bin/activate"),
    ("README.md", "pip install ."),
    ("README.md", "python python/examples/1_play.py"),
    ("docs/guide/README.md", "cargo install --path crates/cli"),
    ("docs/guide/python.md", "git clone … isrever && cd isrever"),
    ("docs/guide/python.md", "python3 -m venv .venv && . .venv/bin/activate"),
    ("docs/guide/python.md", "pip install ."),
    ("docs/guide/python.md", "pip install \".[gym,zoo]\""),
    ("docs/guide/python.md", "pip install \".[train]\""),
    ("docs/guide/python.md", "pip install \".[sb3]\""),
    ("docs/guide/training.md", "pip install \".[train]\""),
    ("docs/guide/training.md", TRAINING),
    ("docs/guide/training.md", "pip install \".[train]\""),
    ("docs/guide/training.md", "python -m isrever.zero --dir four --size 4 --generations 40"),
    ("docs/guide/training.md", "python -m isrever.zero.agree --dir four"),
    (
        "docs/guide/training.md",
        "isrever play --against zero:weights=four/network-0040.bin --size 4",
    ),
];

/// Needed by pages that speak to the server.
const NEEDS: [Need; 1] = [Need { program: "curl", package: "curl" }];

/// A page and its blocks of commands.
struct Page {
    path: String,
    blocks: Vec<Block>,
}

/// Runs every page.
pub(crate) fn test() -> Result<()> {
    run(&Options::default())
}

/// Runs all pages, or one; an error names each command that fails.
pub(crate) fn run(options: &Options) -> Result<()> {
    let mut pages = pages()?;
    check_skipped(&pages)?;
    if let Some(name) = &options.page {
        let names: Vec<String> = pages.iter().map(|page| stem(&page.path)).collect();
        pages.retain(|page| page.path == *name || stem(&page.path) == *name);
        ensure!(!pages.is_empty(), "no page {name}; expected one of {}", names.join(", "));
    }
    setup::install(&NEEDS)?;
    python::install()?;
    let program = match &options.binary {
        Some(program) => std::path::absolute(program)?,
        None => shell::development()?,
    };
    // As the tests build them, so that nothing is built twice.
    shell::run(&mut shell::command("cargo build --locked --workspace --examples"))?;
    let (next, started) = (AtomicUsize::new(0), Instant::now());
    let cores = thread::available_parallelism().map_or(1, usize::from);
    let work = || -> Result<Vec<String>> {
        let mut failures = Vec::new();
        while let Some(page) = pages.get(next.fetch_add(1, Relaxed)) {
            failures.extend(follow(page, &program, options.page.is_some())?);
        }
        Ok(failures)
    };
    let mut failures = Vec::new();
    thread::scope(|scope| -> Result<()> {
        let workers: Vec<_> = (0..cores.min(pages.len())).map(|_| scope.spawn(work)).collect();
        for worker in workers {
            failures.extend(worker.join().expect("a worker returns errors")?);
        }
        Ok(())
    })?;
    let sum = |is_skipped| pages.iter().map(|page| count(page, is_skipped)).sum::<usize>();
    let (ran, skipped, seconds) = (sum(false), sum(true), started.elapsed().as_secs_f64());
    println!("{ran} commands ran in {seconds:.0} s, {skipped} were skipped");
    ensure!(failures.is_empty(), "{} commands failed:\n\n{}", failures.len(), failures.join("\n"));
    Ok(())
}

/// How many commands of a page are run, or skipped.
fn count(page: &Page, is_skipped: bool) -> usize {
    let blocks = page.blocks.iter().filter(|block| block.is_skipped() == is_skipped);
    blocks.map(|block| block.commands.len()).sum()
}

/// Runs a page: the commands that failed, with what they said.
fn follow(page: &Page, program: &Path, is_told: bool) -> Result<Vec<String>> {
    let scratch = shell::target_folder()?.join("guide").join(stem(&page.path));
    let started = Instant::now();
    let session = Session::new(program, &scratch)?;
    let (mut failures, mut told) = (Vec::new(), String::new());
    for block in &page.blocks {
        if let Kind::Skip(reason) = &block.kind {
            told += &format!("  skipped {}: {reason}\n", block.commands.len());
            continue;
        }
        let place = |line: usize| format!("{}:{line}", page.path);
        let block_session = session.begin(block);
        let mut block_session = block_session.with_context(|| place(block.line))?;
        for (line, command) in &block.commands {
            let started = Instant::now();
            if let Err(error) = block_session.run(command) {
                failures.push(format!("{}: {command}\n{error:#}\n", place(*line)));
            }
            if is_told {
                println!("{:6.1} s  {command}", started.elapsed().as_secs_f64());
            }
        }
        block_session.end()?;
    }
    let (ran, seconds) = (count(page, false), started.elapsed().as_secs_f64());
    let verdict = if failures.is_empty() { "" } else { ", FAILURES" };
    println!("{}: {ran} commands in {seconds:.1} s{verdict}\n{told}", page.path);
    Ok(failures)
}

/// README.md and the pages of the guide that have commands.
fn pages() -> Result<Vec<Page>> {
    let mut paths = vec!["README.md".to_owned()];
    for entry in fs::read_dir("docs/guide")? {
        let path = entry?.path();
        if path.extension().is_some_and(|ending| ending == "md") {
            paths.push(path.to_string_lossy().into_owned());
        }
    }
    paths[1..].sort();
    let mut pages = Vec::new();
    for path in paths {
        let text = fs::read_to_string(&path)?;
        let blocks = page::read(&text).with_context(|| path.clone())?;
        if !blocks.is_empty() {
            pages.push(Page { path, blocks });
        }
    }
    Ok(pages)
}

/// The name of a page by which it is asked for: those of the two READMEs are different.
fn stem(path: &str) -> String {
    path.trim_start_matches("docs/guide/").trim_end_matches(".md").replace(
        "README",
        match path {
            "README.md" => "README",
            _ => "guide",
        },
    )
}

/// Compares what the pages skip with the list.
fn check_skipped(pages: &[Page]) -> Result<()> {
    let mut listed = SKIPPED.to_vec();
    for Page { path, blocks } in pages {
        for (line, command) in blocks.iter().filter(|b| b.is_skipped()).flat_map(|b| &b.commands) {
            let command =
                command.split_once(" #").map_or(command.as_str(), |(code, _)| code).trim();
            let found = listed.iter().position(|one| *one == (path.as_str(), command));
            let Some(found) = found else {
                bail!("{path}:{line} skips `{command}`, which the list in guide.rs does not have");
            };
            listed.swap_remove(found);
        }
    }
    ensure!(
        listed.is_empty(),
        "the list in guide.rs has commands that are not skipped: {listed:?}"
    );
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_pages_can_be_read_and_skip_only_what_is_listed() {
        shell::enter_root().unwrap();
        let pages = pages().unwrap();
        check_skipped(&pages).unwrap();
        let names: Vec<_> = pages.iter().map(|page| stem(&page.path)).collect();
        assert!(["README", "guide", "training"].iter().all(|name| names.iter().any(|n| n == name)));
        assert!(pages.iter().map(|page| count(page, false)).sum::<usize>() > 50);
    }

    #[test]
    fn a_skip_that_is_not_listed_is_refused() {
        let blocks = page::read("<!-- guide: skip no time -->\n```sh\nrm -r x\n```\n").unwrap();
        let page = Page { path: "x.md".to_owned(), blocks };
        let error = check_skipped(&[page]).unwrap_err().to_string();
        assert!(error.starts_with("x.md:3 skips `rm -r x`"), "{error}");
    }
}
