//! `isrever train exam take`: weights choose, and are marked. Here is the clock.

use super::super::{named_weights, positions, progress_bar};
use super::TakeArgs;
use crate::fault::Fault;
use crate::output::json_line;
use isrever_board::{Move, Rule};
use isrever_engine::Control;
use isrever_lab::exam::{Candidate, Marks, Question};
use serde::Serialize;
use std::io::Write;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread;
use std::time::Duration;

/// More plies than any exam has: only the clock ends such a search.
const TO_THE_END: u32 = 60;

/// One effort with the keys of `--json`.
#[derive(Serialize)]
struct Row {
    file: String,
    rule: String,
    weights: String,
    effort: String,
    percent: u8,
    #[serde(flatten)]
    marks: Marks,
    optimal_share: f64,
    optimal_error: Option<f64>,
    mean_loss: f64,
    loss_error: Option<f64>,
}

/// Answers every question by every effort, and shows the marks.
pub(super) fn run(args: &TakeArgs, out: &mut dyn Write) -> Result<(), Fault> {
    let (rule, questions) = questions(args)?;
    let weights = named_weights(&args.weights, rule)?;
    let candidate = Candidate { rule, weights, percent: args.percent };
    args.threads.start()?;
    let is_plain = args.depth.is_empty() && args.time.is_empty();
    let depths = if is_plain { &[1][..] } else { &args.depth };
    let bar = progress_bar((questions.len() * (depths.len() + args.time.len())) as u64, "answers");
    if !args.json {
        let (file, name) = (args.file.display(), args.weights.display());
        writeln!(out, "{file}: {} positions ({rule}), weights {name}", questions.len())?;
        writeln!(out, "{:>10}  {:>16}  {:>16}", "effort", "optimal", "loss in discs")?;
    }
    let mut tell = |effort: String, marks: Marks| -> Result<(), Fault> {
        // Whoever reads through a pipe sees each line as it is known.
        bar.suspend(|| {
            if args.json {
                json(args, rule, effort, marks, out)
            } else {
                show(&effort, &marks, out)
            }
            .and_then(|()| Ok(out.flush()?))
        })
    };
    for &depth in depths {
        let marks = candidate.take(&questions, depth, &|| bar.inc(1));
        tell(format!("depth {depth}"), marks)?;
    }
    for &time in &args.time {
        let answers = questions.iter().map(|question| {
            let marks = timed(&candidate, question, time);
            bar.inc(1);
            marks
        });
        let marks = answers.sum();
        tell(format!("{time:?}"), marks)?;
    }
    bar.finish_and_clear();
    Ok(())
}

/// The answer that is found within a time.
fn timed(candidate: &Candidate, question: &Question, time: Duration) -> Marks {
    // The clock runs for the search alone, not while memory is laid out for it.
    let mut solver = candidate.solver();
    let stop = AtomicBool::new(false);
    let (done, is_done) = channel::<()>();
    thread::scope(|scope| {
        let stop = &stop;
        scope.spawn(move || {
            if is_done.recv_timeout(time) == Err(RecvTimeoutError::Timeout) {
                stop.store(true, Relaxed);
            }
        });
        let control = Control { stop, ..Control::NONE };
        let marks = candidate.answer(question, TO_THE_END, &mut solver, control);
        // Nobody waits for a clock that has done its work.
        drop(done);
        marks
    })
}

/// The exam, all of one rule.
fn questions(args: &TakeArgs) -> Result<(Rule, Vec<Question>), Fault> {
    let (place, positions) = positions::read(&args.file, args.rule)?;
    let rule = positions.first().and_then(|(_, record)| record.scores_rule.or(args.rule));
    let Some(rule) = rule else {
        let offence = "does not say the rule of its scores; expected --rule";
        return Err(Fault::input(place, offence));
    };
    let mut questions = Vec::new();
    for ((board, record), number) in positions.iter().zip(1..) {
        if record.scores_rule.or(args.rule) != Some(rule) {
            let offence = format!("scores of another rule; expected the {rule} rule");
            return Err(positions::fault(&place, number, offence));
        }
        let scores = record.scores.iter().filter_map(|&(mv, score)| match mv {
            Some(Move::Place(square)) => Some((square, score)),
            _ => None,
        });
        let question = Question::new(*board, &scores.collect::<Vec<_>>());
        questions.push(question.map_err(|error| positions::fault(&place, number, error))?);
    }
    Ok((rule, questions))
}

fn json(
    args: &TakeArgs,
    rule: Rule,
    effort: String,
    marks: Marks,
    out: &mut dyn Write,
) -> Result<(), Fault> {
    let row = Row {
        file: args.file.display().to_string(),
        rule: rule.to_string(),
        weights: args.weights.display().to_string(),
        effort,
        percent: args.percent,
        marks,
        optimal_share: marks.optimal_share(),
        optimal_error: marks.optimal_error(),
        mean_loss: marks.mean_loss(),
        loss_error: marks.loss_error(),
    };
    Ok(json_line(out, &row)?)
}

fn show(effort: &str, marks: &Marks, out: &mut dyn Write) -> Result<(), Fault> {
    let error = |error: Option<f64>, factor: f64, digits: usize| {
        error.map_or(String::new(), |error| format!(" ± {:.digits$}", factor * error))
    };
    let share =
        format!("{:.1}{} %", 100.0 * marks.optimal_share(), error(marks.optimal_error(), 100.0, 1));
    let loss = format!("{:.2}{}", marks.mean_loss(), error(marks.loss_error(), 1.0, 2));
    writeln!(out, "{effort:>10}  {share:>16}  {loss:>16}")?;
    Ok(())
}
