//! `isrever agents`: the agents that can play.

use crate::args::AgentsArgs;
use crate::output::json_line;
use crate::players::catalogue;
use isrever_agent::Preset;
use serde::Serialize;
use std::io::{self, Write};

#[derive(Serialize)]
struct Row {
    name: &'static str,
    about: &'static str,
    presets: Vec<&'static str>,
}

/// Lists the agents.
pub(crate) fn run(args: &AgentsArgs, out: &mut dyn Write) -> io::Result<()> {
    let catalogue = catalogue();
    let width = catalogue.entries().iter().map(|entry| entry.name().len()).max().unwrap_or(0);
    for entry in catalogue.entries() {
        let presets = entry.presets();
        let names = presets.iter().map(|preset| preset.name).collect();
        let row = Row { name: entry.name(), about: entry.about(), presets: names };
        if args.json {
            json_line(out, &row)?;
            continue;
        }
        writeln!(out, "{:width$}  {}", row.name, row.about)?;
        for Preset { name, experiment, .. } in presets {
            writeln!(out, "{:width$}    preset={name}, from {experiment}", "")?;
        }
    }
    Ok(())
}
