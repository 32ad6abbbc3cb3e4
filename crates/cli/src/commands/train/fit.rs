//! `isrever train fit`: weights from samples.

use super::{FitArgs, data_error, open, positions};
use crate::error::Error;
use crate::messages::grouped;
use crate::output::{json_line, replace_file};
use crate::progress::progress_bar;
use isrever_board::{Board, Rule, Size};
use isrever_eval::Shape;
use isrever_lab::data::{Sample, merge};
use isrever_lab::exam::leave_out;
use isrever_lab::{Errors, FitOptions, PhaseReport, fit, plot};
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

/// Reads everything, fits, and writes the weights and what is to be said of them.
pub(super) fn run(args: &FitArgs, out: &mut dyn Write) -> Result<(), Error> {
    let mut samples = Vec::new();
    for path in &args.data {
        read(path, args.rule, args.size, &mut samples)?;
    }
    let samples = leave_out(samples, &excluded(&args.exclude)?);
    if samples.is_empty() {
        return Err(Error::input("--data", "no samples; expected at least one"));
    }
    let shape = Shape::of(args.size).expect("sizes that can be typed have patterns");
    args.threads.start()?;
    let samples = merge(samples);
    let options = FitOptions { ridge: args.ridge, iterations: args.iterations };
    let bar = progress_bar(shape.phase_count() as u64, "phases");
    let (weights, reports) = fit(args.rule, shape, &samples, options, &|_| bar.inc(1));
    bar.finish_and_clear();
    write(&args.output, weights.to_bytes())?;
    if let Some(directory) = &args.report {
        fs::create_dir_all(directory).map_err(|error| Error::io(directory.display(), &error))?;
        write_report(&directory.join("report.jsonl"), &reports)?;
        let (rule, size) = (args.rule, args.size);
        let title = format!("Weights for the {rule} rule on {size}×{size}");
        write(&directory.join("errors.svg"), plot::errors(&title, &reports).into_bytes())?;
    }
    if args.json {
        for report in &reports {
            json_line(out, report)?;
        }
        return Ok(());
    }
    show(&reports, out)
}

/// The positions that are not to be fitted to.
pub(super) fn excluded(paths: &[PathBuf]) -> Result<Vec<Board>, Error> {
    let boards: Vec<Vec<Board>> =
        paths.iter().map(|path| positions::boards(path)).collect::<Result<_, _>>()?;
    Ok(boards.concat())
}

/// Adds the samples of a file, if they are of the rule and the board that are asked for.
pub(super) fn read(
    path: &Path,
    rule: Rule,
    size: Size,
    samples: &mut Vec<Sample>,
) -> Result<(), Error> {
    let reader = open(path)?.only(rule, size).map_err(|error| data_error(path, &error))?;
    for sample in reader {
        samples.push(sample.map_err(|error| data_error(path, &error))?);
    }
    Ok(())
}

/// Writes one line for each phase.
pub(super) fn write_report(path: &Path, reports: &[PhaseReport]) -> Result<(), Error> {
    let mut lines = Vec::new();
    for report in reports {
        json_line(&mut lines, report)?;
    }
    write(path, lines)
}

pub(super) fn write(path: &Path, bytes: Vec<u8>) -> Result<(), Error> {
    replace_file(path, std::iter::once(Ok(bytes)))
}

fn show(reports: &[PhaseReport], out: &mut dyn Write) -> Result<(), Error> {
    writeln!(out, "Errors on positions held out, in discs, before and after:")?;
    writeln!(
        out,
        "{:>5}  {:>12}  {:>9}  {:>5}  {:>14}  {:>14}",
        "phase", "samples", "held out", "steps", "mean distance", "root mean sq."
    )?;
    let mut row = |name: &str, samples, held_out, steps: &str, before: Errors, after: Errors| {
        let number = |number: usize| grouped(&number.to_string());
        writeln!(
            out,
            "{name:>5}  {:>12}  {:>9}  {steps:>5}  {:>6.2}  {:>6.2}  {:>6.2}  {:>6.2}",
            number(samples),
            number(held_out),
            before.mae,
            after.mae,
            before.rmse,
            after.rmse,
        )
    };
    for report in reports {
        let PhaseReport { phase, samples, held_out, iterations, before, after } = *report;
        row(&phase.to_string(), samples, held_out, &iterations.to_string(), before, after)?;
    }
    let samples = reports.iter().map(|report| report.samples).sum();
    let held_out = reports.iter().map(|report| report.held_out).sum();
    let before = overall(reports, |report| report.before);
    row("all", samples, held_out, "", before, overall(reports, |report| report.after))?;
    Ok(())
}

/// The errors of all phases together.
pub(super) fn overall(reports: &[PhaseReport], errors: impl Fn(&PhaseReport) -> Errors) -> Errors {
    let (mut count, mut distances, mut squares) = (0.0, 0.0, 0.0);
    for report in reports {
        let (held_out, errors) = (report.held_out as f64, errors(report));
        count += held_out;
        distances += held_out * errors.mae;
        squares += held_out * errors.rmse * errors.rmse;
    }
    let count = f64::max(count, 1.0);
    Errors { mae: distances / count, rmse: (squares / count).sqrt() }
}
