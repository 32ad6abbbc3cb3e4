//! `isrever train calibrate`: how far deep searches stray from shallow ones.

use super::fit::write;
use super::{EMBEDDED, ThreadArgs, named_weights};
use crate::error::Error;
use crate::messages::grouped;
use crate::progress::progress_bar;
use isrever_board::Rule;
use isrever_eval::Deviations;
use isrever_lab::calibration::{Calibration, Ending, Midgame, Residuals, Row, table};
use isrever_lab::plot;
use serde::Serialize;
use std::io::Write;
use std::path::PathBuf;

/// Measure how far deep searches stray from shallow ones, for Multi-ProbCut
#[derive(clap::Args, Debug)]
#[command(after_help = "\
Examples:
  isrever train calibrate --positions 2000 --depth 10 -o reversed.json
  isrever train calibrate --weights new.bin --rule normal --positions 500 -o normal.csv
  isrever train calibrate --weights network.bin -o network.json --calibrated network.bin
Positions come from games by a search of two plies with random moves among them. Each is valued by
full-width searches of every depth, and near the end it is solved. Two formulas are fitted to how
far deep values lie from shallow ones of the same parity, one for limited depths and one to the end.
Multi-ProbCut prunes by the deviations in the file of weights. A network has its own, which
--calibrated puts there; linear weights share one set.
FILE.json holds the formulas and the table they were fitted to, FILE.csv the table alone; a picture
of both goes beside it as FILE.svg. In the table
  empties_from, empties_to, empties   the group of empty squares, and their mean
  deep, shallow     plies; deep is null, or empty in CSV, where the search goes to the end
  count             positions
  mean, deviation   of deep minus shallow, in discs
  scatter           root of the mean of its squares: what the formulas are fitted to")]
pub(super) struct CalibrateArgs {
    /// How many positions
    #[arg(long, default_value_t = 1000, value_name = "N", allow_negative_numbers = true,
          value_parser = clap::value_parser!(u64).range(1..=100_000_000))]
    positions: u64,

    /// Plies of the deepest search
    #[arg(long, default_value_t = 8, value_name = "N", allow_negative_numbers = true,
          value_parser = clap::value_parser!(u32).range(1..=20))]
    depth: u32,

    /// From this many empty squares on positions are solved as well
    #[arg(long, default_value_t = 20, value_name = "N", allow_negative_numbers = true,
          value_parser = clap::value_parser!(u32).range(0..=30))]
    solve_from: u32,

    /// What values positions: a file of weights, or embedded for those in the program
    #[arg(long, default_value = EMBEDDED, value_name = "FILE")]
    weights: PathBuf,

    /// Where the random choices come from: the same seed, the same positions
    #[arg(long, default_value_t = 1, value_name = "N", allow_negative_numbers = true)]
    seed: u64,

    /// What the players play for
    #[arg(long, default_value_t, value_name = "reversed|normal")]
    rule: Rule,

    /// Write here: FILE.json, or FILE.csv for the table alone
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,

    /// Write the network here, with the deviations that were measured with it
    #[arg(long, value_name = "FILE")]
    calibrated: Option<PathBuf>,

    #[command(flatten)]
    threads: ThreadArgs,
}

/// What is written as JSON.
#[derive(Serialize)]
struct Document<'a> {
    rule: String,
    weights: String,
    positions: u64,
    depth: u32,
    solve_from: u32,
    seed: u64,
    midgame: Option<Fitted<Midgame>>,
    ending: Option<Fitted<Ending>>,
    rows: &'a [Row],
}

impl Document<'_> {
    /// Both formulas as the search uses them, if both were found.
    fn deviations(&self) -> Option<Deviations> {
        let (midgame, ending) = (self.midgame.as_ref()?, self.ending.as_ref()?);
        let residuals = [&midgame.residuals, &ending.residuals].map(|fit| fit.rms as f32);
        Some(Deviations {
            midgame: midgame.formula.factors.map(|factor| factor as f32),
            ending: ending.formula.factors.map(|factor| factor as f32),
            residuals,
        })
    }
}

/// A formula and how well it fits.
#[derive(Serialize)]
struct Fitted<T> {
    #[serde(flatten)]
    formula: T,
    residuals: Residuals,
}

impl<T> From<(T, Residuals)> for Fitted<T> {
    fn from((formula, residuals): (T, Residuals)) -> Fitted<T> {
        Fitted { formula, residuals }
    }
}

/// Measures, fits, writes, and says what was found.
pub(super) fn run(args: &CalibrateArgs, out: &mut dyn Write) -> Result<(), Error> {
    let CalibrateArgs { positions, depth, solve_from, seed, rule, output, .. } = args;
    let (depth, solve_from, seed, rule) = (*depth, *solve_from, *seed, *rule);
    let is_csv = match output.extension().and_then(|extension| extension.to_str()) {
        Some("csv") => true,
        Some("json") => false,
        _ => {
            let offence = "neither .json nor .csv; expected one of them";
            return Err(Error::input(format_args!("--output {}", output.display()), offence));
        }
    };
    let weights = named_weights(&args.weights, rule)?;
    if args.calibrated.is_some() && !weights.is_network() {
        let offence = format!("{} has linear weights; expected a network", args.weights.display());
        return Err(Error::input("--calibrated", offence));
    }
    args.threads.start()?;
    let bar = progress_bar(*positions, "positions");
    let plan = Calibration { rule, weights, depth, solve_from, seed };
    let rows = table(&plan.measure(0..*positions, &|| bar.inc(1)));
    bar.finish_and_clear();
    let document = Document {
        rule: rule.to_string(),
        weights: args.weights.display().to_string(),
        positions: *positions,
        depth,
        solve_from,
        seed,
        midgame: Midgame::fit(&rows).map(Fitted::from),
        ending: Ending::fit(&rows).map(Fitted::from),
        rows: &rows,
    };
    let bytes = if is_csv { csv(&rows).into_bytes() } else { json(&document)? };
    write(output, bytes)?;
    write(&output.with_extension("svg"), picture(&document).into_bytes())?;
    let (count, rows) = (grouped(&positions.to_string()), grouped(&rows.len().to_string()));
    writeln!(out, "{}: {rows} rows of {count} positions ({rule})", output.display())?;
    show(&document, out)?;
    let Some(file) = &args.calibrated else { return Ok(()) };
    let deviations = document.deviations().ok_or_else(|| {
        Error::input("--calibrated", "too few positions or depths to tell; expected more of them")
    })?;
    let calibrated = weights.calibrated(deviations).expect("only networks come here");
    write(file, calibrated.to_bytes())?;
    writeln!(out, "{}: the network with these deviations", file.display())?;
    Ok(())
}

fn json(document: &Document<'_>) -> Result<Vec<u8>, Error> {
    let mut bytes = serde_json::to_vec_pretty(document).map_err(std::io::Error::from)?;
    bytes.push(b'\n');
    Ok(bytes)
}

fn csv(rows: &[Row]) -> String {
    let mut text =
        String::from("empties_from,empties_to,empties,deep,shallow,count,mean,deviation,scatter\n");
    for row in rows {
        let Row { empties_from, empties_to, empties, shallow, count, mean, deviation, .. } = row;
        let deep = row.deep.map_or(String::new(), |deep| deep.to_string());
        text += &format!(
            "{empties_from},{empties_to},{empties:.3},{deep},{shallow},{count},{mean:.4},\
             {deviation:.4},{:.4}\n",
            row.scatter
        );
    }
    text
}

fn picture(document: &Document<'_>) -> String {
    let Document { midgame, ending, rows, .. } = document;
    let midgame =
        rows.iter().filter_map(|row| Some((midgame.as_ref()?.formula.at(row)?, row.scatter)));
    let ending =
        rows.iter().filter_map(|row| Some((ending.as_ref()?.formula.at(row)?, row.scatter)));
    let kinds = [("limited depth", midgame.collect()), ("to the end", ending.collect())];
    plot::deviations(&format!("Deviations of searches ({})", document.rule), &kinds)
}

fn show(document: &Document<'_>, out: &mut dyn Write) -> Result<(), Error> {
    writeln!(out, "A search of limited depth strays from a shallower one of its parity by")?;
    match &document.midgame {
        Some(Fitted { formula: Midgame { factors: [a, b, c, d, f] }, residuals }) => {
            writeln!(
                out,
                "  exp({a:.4} {b:+.4} e {c:+.4} e²) (deep − shallow)^{d:.4} (1 + shallow)^{f:.4}, \
                 e = empties / 60",
            )?;
            show_residuals(residuals, out)?;
        }
        None => writeln!(out, "  nobody knows: too few positions or depths to tell")?,
    }
    writeln!(out, "The score with best play to the end strays from a shallow search by")?;
    match &document.ending {
        Some(Fitted { formula: Ending { factors: [a, b, c] }, residuals }) => {
            let power = "(empties − shallow)";
            writeln!(out, "  exp({a:.4}) {power}^{b:.4} (1 + shallow)^{c:.4}")?;
            show_residuals(residuals, out)
        }
        None => Ok(writeln!(out, "  nobody knows: too few positions or depths to tell")?),
    }
}

fn show_residuals(residuals: &Residuals, out: &mut dyn Write) -> Result<(), Error> {
    let Residuals { rows, rms, worst } = residuals;
    let [rms, worst] = [rms, worst].map(|part| 100.0 * part);
    writeln!(out, "  {rows} rows, residuals {rms:.1} % (root mean square), at most {worst:.1} %")?;
    Ok(())
}
