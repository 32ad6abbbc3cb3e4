//! `isrever train exam take`: weights choose, and are marked. Here is the clock.
//!
//! A move that nobody has chosen before is solved now, and the file knows it from then on.

use super::super::{named_weights, progress_bar};
use super::TakeArgs;
use super::sheet::{Sheet, questions, record};
use crate::fault::Fault;
use crate::output::json_line;
use indicatif::ProgressBar;
use isrever_board::{Rule, Size, Square};
use isrever_engine::{Control, Settings, Solver};
use isrever_lab::exam::{Candidate, Marks, Question};
use rayon::prelude::*;
use serde::Serialize;
use std::io::Write;
use std::path::Path;
use std::sync::Mutex;
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
    let (rule, mut questions) = questions(&args.file, args.rule)?;
    let weights = named_weights(&args.weights, rule)?;
    let hash_bytes = (args.hash as usize) << 20;
    // Whoever takes the exam, the weights in the program mark it.
    let settings = Settings { hash_bytes, ..Settings::new(rule, Size::EIGHT) };
    let desk = Desk { path: &args.file, settings };
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
        let answers = candidate.take(&questions, depth, &|| bar.inc(1));
        let marks = desk.mark(&mut questions, &answers, &bar)?;
        tell(format!("depth {depth}"), marks)?;
    }
    let pool = rayon::ThreadPoolBuilder::new().num_threads(args.at_once).build();
    let pool = pool.map_err(|error| Fault::input("--at-once", error))?;
    for &time in &args.time {
        let answer = |question| {
            let answer = timed(&candidate, question, time);
            bar.inc(1);
            answer
        };
        let answers: Vec<Square> = pool.install(|| questions.par_iter().map(answer).collect());
        let marks = desk.mark(&mut questions, &answers, &bar)?;
        tell(format!("{time:?}"), marks)?;
    }
    bar.finish_and_clear();
    Ok(())
}

/// Where answers are marked.
struct Desk<'a> {
    path: &'a Path,
    settings: Settings,
}

impl Desk<'_> {
    /// The marks for `answers`. Moves without a score are solved, each by a thread of its own, and
    /// written down as soon as they are.
    fn mark(
        &self,
        questions: &mut [Question],
        answers: &[Square],
        bar: &ProgressBar,
    ) -> Result<Marks, Fault> {
        let is_open = |&number: &usize| questions[number].marks(answers[number]).is_none();
        let open: Vec<usize> = (0..answers.len()).filter(is_open).collect();
        if !open.is_empty() {
            bar.inc_length(open.len() as u64);
            let sheet = Mutex::new(Sheet::open(self.path)?);
            let solve = |&number: &usize| {
                let (mut question, square) = (questions[number].clone(), answers[number]);
                let mut solver = Solver::new(self.settings);
                let score = question.score_of(square, &mut solver, Control::NONE);
                question.learn(square, score.expect("nobody stops it"));
                let record = record(&question, self.settings.rule);
                sheet.lock().expect("no holder panics").replace(number, record)?;
                bar.inc(1);
                Ok((number, question))
            };
            let solved: Vec<(usize, Question)> =
                open.par_iter().map(solve).collect::<Result<_, Fault>>()?;
            for (number, question) in solved {
                questions[number] = question;
            }
        }
        let marked = questions.iter().zip(answers);
        Ok(marked.map(|(question, &square)| question.marks(square).expect("all are known")).sum())
    }
}

/// The answer that is found within a time.
fn timed(candidate: &Candidate, question: &Question, time: Duration) -> Square {
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
        let answer = candidate.answer(question, TO_THE_END, &mut solver, control);
        // Nobody waits for a clock that has done its work.
        drop(done);
        answer
    })
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
