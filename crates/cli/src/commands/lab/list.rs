//! `isrever lab list`: the experiments there are.

use crate::error::Error;
use crate::output::json_line;
use isrever_experiments::{ALL, Experiment};
use isrever_lab::experiment::Setting;
use isrever_settings::typed;
use serde::Serialize;
use std::io::Write;

/// List the experiments, with what can be set
#[derive(clap::Args, Debug)]
#[command(after_help = "\
Examples:
  isrever lab list
  isrever lab list --json                 one object per experiment and line
With --json one object per experiment and line, with the keys
  experiment, title, source    its name, what it is called, which part of which report
  about, duration              what it does; how long a full run takes on two cores
  settings                     a list: key, about, expected, full, quick")]
pub(super) struct ListArgs {
    /// One object per experiment and line
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Row {
    experiment: &'static str,
    title: &'static str,
    source: &'static str,
    about: &'static str,
    duration: &'static str,
    settings: Vec<SettingRow>,
}

#[derive(Serialize)]
struct SettingRow {
    key: &'static str,
    about: &'static str,
    expected: String,
    full: String,
    quick: String,
}

impl From<&Setting> for SettingRow {
    fn from(setting: &Setting) -> SettingRow {
        SettingRow {
            key: setting.key.name,
            about: setting.key.about,
            expected: setting.key.expected(),
            full: setting.key.default.to_string(),
            quick: typed(&setting.quick),
        }
    }
}

impl From<&Experiment> for Row {
    fn from(experiment: &Experiment) -> Row {
        let Experiment { slug, title, source, about, duration, .. } = *experiment;
        let settings = experiment.settings().iter().map(SettingRow::from).collect();
        Row { experiment: slug, title, source, about, duration, settings }
    }
}

/// Lists the experiments.
pub(super) fn run(args: &ListArgs, out: &mut dyn Write) -> Result<(), Error> {
    for row in ALL.iter().map(Row::from) {
        if args.json {
            json_line(out, &row)?;
            continue;
        }
        let Row { experiment, source, about, duration, settings, .. } = row;
        writeln!(out, "{experiment:<15} {source}, {duration}")?;
        writeln!(out, "{:<15} {about}", "")?;
        let settings: Vec<String> =
            settings.iter().map(|SettingRow { key, full, .. }| format!("{key} = {full}")).collect();
        writeln!(out, "{:<15} {}", "", settings.join(", "))?;
    }
    Ok(())
}
