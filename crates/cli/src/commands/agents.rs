//! `isrever agents`: the agents that can play.

use crate::output::json_line;
use crate::players::catalogue;
use isrever_agent::{AgentSpec, Entry, Preset};
use serde::Serialize;
use std::io::{self, Write};

/// List the agents that can play
#[derive(clap::Args, Debug)]
#[command(after_help = "\
Examples:
  isrever agents
  isrever agents --json                   one object per agent and line
Ask for an agent by its name, or by its name and settings: greedy:by=mobility, maximax:time=5s,
mcts:playouts=1000,threads=all. Agents that search take time=5s (or ms, m, h), depth=N and nodes=N,
mcts only time; reports' agents also take every parameter of theirs, such as b2=-40, and preset=NAME
for those that a tuning has found. For an unknown key the error lists the known ones.
Other people's programs play as python:ai.py, nboard:COMMAND or gtp:COMMAND.")]
pub(crate) struct AgentsArgs {
    /// One object per agent and line
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Serialize)]
struct Row {
    name: &'static str,
    about: &'static str,
    presets: Vec<&'static str>,
    kind: &'static str,
    keys: Vec<&'static str>,
    parameters: Vec<String>,
    timed: bool,
    memory_mib: Option<u64>,
}

impl Row {
    /// An agent as it is without settings.
    fn new(entry: &Entry) -> Row {
        let spec = AgentSpec::new(entry.name());
        let parameters = entry.parameters(&spec).ok().flatten();
        let table = parameters.map_or(&[][..], |parameters| parameters.table());
        Row {
            name: entry.name(),
            about: entry.about(),
            presets: entry.presets().iter().map(|preset| preset.name).collect(),
            kind: entry.kind().word(),
            keys: entry.keys().iter().map(|key| key.name).collect(),
            parameters: table.iter().map(|parameter| parameter.name.clone()).collect(),
            timed: entry.is_timed(),
            memory_mib: entry
                .needs(&spec)
                .ok()
                .and_then(|needs| needs.memory_bytes)
                .map(|bytes| bytes >> 20),
        }
    }
}

/// Lists the agents.
pub(crate) fn run(args: &AgentsArgs, out: &mut dyn Write) -> io::Result<()> {
    let catalogue = catalogue();
    let width = catalogue.entries().iter().map(|entry| entry.name().len()).max().unwrap_or(0);
    for entry in catalogue.entries() {
        if args.json {
            json_line(out, &Row::new(entry))?;
            continue;
        }
        writeln!(out, "{:width$}  {}", entry.name(), entry.about())?;
        for Preset { name, experiment, .. } in entry.presets() {
            writeln!(out, "{:width$}    preset={name}, from {experiment}", "")?;
        }
    }
    Ok(())
}
