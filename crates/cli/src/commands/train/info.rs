//! `isrever train data info`: describes files of samples.

use super::{InfoArgs, data_error, open};
use crate::error::Error;
use crate::messages::grouped;
use crate::output::json_line;
use isrever_eval::Shape;
use isrever_lab::data::Label;
use serde::Serialize;
use std::io::Write;
use std::path::Path;

/// Scores are counted in classes of so many discs.
const SCORES: i32 = 8;

/// The counts of one file, with the keys of `--json`.
#[derive(Serialize)]
struct Counts {
    file: String,
    rule: String,
    size: u8,
    samples: u64,
    exact: u64,
    phases: Vec<PhaseCount>,
    scores: Vec<ScoreCount>,
}

#[derive(Clone, Default, Serialize)]
struct PhaseCount {
    phase: usize,
    played: u64,
    exact: u64,
}

#[derive(Clone, Serialize)]
struct ScoreCount {
    /// The lowest and the highest score counted here.
    from: i32,
    to: i32,
    samples: u64,
}

/// Counts each file; nothing is printed before all of them are known to be good.
pub(super) fn run(args: &InfoArgs, out: &mut dyn Write) -> Result<(), Error> {
    let counts: Vec<Counts> =
        args.files.iter().map(|path| count(path)).collect::<Result<_, _>>()?;
    for counts in &counts {
        if args.json {
            json_line(out, counts)?;
        } else {
            show(counts, out)?;
        }
    }
    Ok(())
}

fn count(path: &Path) -> Result<Counts, Error> {
    let reader = open(path)?;
    let size = reader.size();
    let shape = Shape::of(size).expect("readers read boards that have patterns");
    let most = i32::from(size.width()).pow(2);
    // Wins and losses alike: 1 to 8, 9 to 16 and so on; draws are a class of their own.
    let classes = (most + SCORES - 1) / SCORES;
    let class = |number: i32| {
        let near = SCORES * (number - number.signum()) + number.signum();
        let far = (SCORES * number).clamp(-most, most);
        ScoreCount { from: near.min(far), to: near.max(far), samples: 0 }
    };
    let mut counts = Counts {
        file: path.display().to_string(),
        rule: reader.rule().to_string(),
        size: size.width(),
        samples: 0,
        exact: 0,
        phases: (0..shape.phase_count())
            .map(|phase| PhaseCount { phase, ..PhaseCount::default() })
            .collect(),
        scores: (-classes..=classes).map(class).collect(),
    };
    for sample in reader {
        let sample = sample.map_err(|error| data_error(path, &error))?;
        let phase = &mut counts.phases[shape.phase(sample.discs())];
        counts.samples += 1;
        match sample.label() {
            Label::Played => phase.played += 1,
            Label::Exact => {
                phase.exact += 1;
                counts.exact += 1;
            }
        }
        let score = sample.score();
        if let Some(class) = counts.scores.iter_mut().find(|class| score <= class.to) {
            class.samples += 1;
        }
    }
    Ok(counts)
}

fn show(counts: &Counts, out: &mut dyn Write) -> Result<(), Error> {
    let number = |number: u64| grouped(&number.to_string());
    let Counts { file, rule, size, samples, exact, .. } = counts;
    let (samples, exact) = (number(*samples), number(*exact));
    writeln!(out, "{file}: {samples} samples ({rule}, {size}x{size}), {exact} proved")?;
    writeln!(out, "{:>5}  {:>7}  {:>14}  {:>14}", "phase", "discs", "played", "proved")?;
    for PhaseCount { phase, played, exact } in &counts.phases {
        let from = 4 + 2 * phase;
        // The full board has no phase of its own.
        let is_last = phase + 1 == counts.phases.len();
        let to = if is_last { from + 2 } else { from + 1 };
        let discs = format!("{from}-{to}");
        writeln!(out, "{phase:>5}  {discs:>7}  {:>14}  {:>14}", number(*played), number(*exact))?;
    }
    writeln!(out, "{:>14}  {:>14}", "score", "samples")?;
    for ScoreCount { from, to, samples } in &counts.scores {
        let scores = if from == to { from.to_string() } else { format!("{from} to {to}") };
        writeln!(out, "{scores:>14}  {:>14}", number(*samples))?;
    }
    Ok(())
}
