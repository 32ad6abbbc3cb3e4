//! `isrever agents`: the agents that can play.

use crate::args::AgentsArgs;
use crate::output::json_line;
use crate::players::catalogue;
use isrever_agent::{AgentSpec, Entry, Preset};
use serde::Serialize;
use std::io::{self, Write};

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
