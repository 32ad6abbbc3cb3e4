//! `isrever train exam take`: weights and agents choose moves, and get marks for them.
//!
//! Chosen moves without a score are solved after the last answer and added to the exam file.

use super::super::named_weights;
use super::TakeArgs;
use super::answers::{Answers, Attempt, By};
use super::file::{ExamFile, questions, record};
use crate::book::remark;
use crate::cluster::{Interruption, run_error};
use crate::error::Error;
use crate::output::json_line;
use crate::progress::progress_bar;
use isrever_agent::{AgentSpec, Catalogue};
use isrever_board::{Board, Rule, Size, Square};
use isrever_eval::Weights;
use isrever_jobs::{Crew, Done, Next};
use isrever_lab::Evaluator;
use isrever_lab::exam::{AgentCandidate, Candidate, Marks, Question};
use isrever_lab::solving::{Solved, Solving};
use isrever_players::catalogue;
use isrever_search::Control;
use rayon::prelude::*;
use serde::Serialize;
use std::cell::RefCell;
use std::cmp::Reverse;
use std::collections::BTreeSet;
use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::Write;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread;
use std::time::Duration;

/// More plies than any exam has: only the clock ends such a search.
const TO_THE_END: u32 = 60;

/// One effort with the keys of `--json`.
#[derive(Serialize)]
struct Row<'a> {
    file: String,
    rule: String,
    #[serde(flatten)]
    attempt: &'a Attempt,
    #[serde(flatten)]
    marks: Marks,
    optimal_share: f64,
    optimal_error: Option<f64>,
    mean_loss: f64,
    loss_error: Option<f64>,
}

/// Who looks for the answers, until when.
enum Effort<'a> {
    Depth(u32),
    Time(Duration),
    Agent(&'a AgentSpec),
}

/// Answers every question by every effort, marks the answers and shows the marks.
pub(super) fn run(args: &TakeArgs, out: &mut dyn Write) -> Result<(), Error> {
    // Refuses a file that is no exam before anything is changed. Then reads it again, locked.
    questions(&args.file, args.rule)?;
    args.cluster.reach()?;
    let mut file = ExamFile::open(&args.file)?;
    let (rule, mut questions) = questions(&args.file, args.rule)?;
    let weights = named_weights(&args.weights, rule)?;
    let catalogue = catalogue();
    for agent in &args.agent {
        remark(&catalogue, agent, (rule, Size::EIGHT));
        let checked = catalogue.check(agent, rule, Size::EIGHT);
        checked.map_err(|error| Error::input(format_args!("--agent {agent}"), error))?;
    }
    let mut kept = Answers::open(args.answers.as_deref(), &questions)?;
    args.threads.start()?;
    let pool = rayon::ThreadPoolBuilder::new().num_threads(args.at_once).build();
    let pool = pool.map_err(|error| Error::input("--at-once", error))?;
    let threads = args.search_threads;
    let candidate = Candidate { rule, weights, percent: args.percent, threads };
    let efforts = efforts(args);
    let bar = progress_bar((questions.len() * efforts.len()) as u64, "answers");
    let weights_say = weights_say(weights, &questions);
    let by_weights = |effort: String| By::Weights {
        weights: args.weights.display().to_string(),
        weights_say,
        effort,
        percent: args.percent,
        search_threads: threads,
    };
    let mut attempts = Vec::new();
    for effort in efforts {
        let by = match effort {
            Effort::Depth(depth) => by_weights(format!("depth {depth}")),
            Effort::Time(time) => by_weights(format!("{time:?}")),
            Effort::Agent(agent) => {
                let files_say = files_say(&catalogue, agent);
                By::Agent { agent: agent.to_string(), files_say }
            }
        };
        let program = env!("ISREVER_COMMIT").to_owned();
        let attempt = Attempt { program, by, at_once: args.at_once };
        let answers = kept.of(&attempt, &questions, || match effort {
            Effort::Depth(depth) => Ok(candidate.take(&questions, depth, &|| bar.inc(1))),
            Effort::Time(time) => {
                let answer = |question| {
                    let answer = timed(&candidate, question, time);
                    bar.inc(1);
                    answer
                };
                Ok(pool.install(|| questions.par_iter().map(answer).collect()))
            }
            Effort::Agent(spec) => {
                let agent = AgentCandidate { catalogue: &catalogue, spec, rule };
                let take = || agent.take(&questions, &|| bar.inc(1));
                let is_timed = catalogue.needs(spec).is_ok_and(|needs| needs.time.is_some());
                let answers = if is_timed { pool.install(take) } else { take() };
                answers.map_err(|error| Error::input(format_args!("--agent {spec}"), error))
            }
        })?;
        attempts.push((attempt, answers));
        bar.set_position((questions.len() * attempts.len()) as u64);
    }
    bar.finish_and_clear();
    let hash_bytes = (args.hash as usize) << 20;
    // The program's own weights solve the moves, whichever weights took the exam.
    let solving = Solving { evaluator: Evaluator::embedded(rule, Size::EIGHT), hash_bytes };
    let crew = args.cluster.crew(args.threads.count(), &args.file, "moves");
    let answers = attempts.iter().map(|(_, answers)| &answers[..]);
    let crew = (&crew, &args.cluster.interruption());
    if !solve(&mut file, &solving, crew, &mut questions, answers)? {
        let file = args.file.display();
        return Err(Interruption::stopped(format_args!("the moves that are solved are in {file}")));
    }
    let names = attempts.iter().map(|(attempt, _)| attempt.name().chars().count());
    let width = names.max().unwrap_or(0).max(10);
    if !args.json {
        let is_by_weights = |(attempt, _): &(Attempt, _)| matches!(attempt.by, By::Weights { .. });
        let weights = match attempts.iter().any(is_by_weights) {
            true => format!(", weights {}", args.weights.display()),
            false => String::new(),
        };
        let (file, count) = (args.file.display(), questions.len());
        writeln!(out, "{file}: {count} positions ({rule}){weights}")?;
        writeln!(out, "{:>width$}  {:>16}  {:>16}", "effort", "optimal", "loss in discs")?;
    }
    for (attempt, answers) in &attempts {
        let marked = questions.iter().zip(answers);
        let marks =
            marked.map(|(question, &square)| question.marks(square).expect("all are known"));
        let marks = marks.sum();
        match args.json {
            true => json(args, rule, attempt, marks, out)?,
            false => show(attempt.name(), width, &marks, out)?,
        }
    }
    Ok(())
}

/// The efforts asked for; one ply by default.
fn efforts(args: &TakeArgs) -> Vec<Effort<'_>> {
    let is_plain = args.depth.is_empty() && args.time.is_empty() && args.agent.is_empty();
    let depths = if is_plain { &[1][..] } else { &args.depth };
    let depths = depths.iter().map(|&depth| Effort::Depth(depth));
    let times = args.time.iter().map(|&time| Effort::Time(time));
    depths.chain(times).chain(args.agent.iter().map(Effort::Agent)).collect()
}

/// A hash of the files that an agent names: another file may have the same name.
fn files_say(catalogue: &Catalogue, agent: &AgentSpec) -> u64 {
    let hasher = RefCell::new(DefaultHasher::new());
    let entry = catalogue.find(agent).expect("the spec was checked");
    let _ = entry.rename_files(agent, |file| {
        fs::read(file).ok().hash(&mut *hasher.borrow_mut());
        None
    });
    hasher.into_inner().finish()
}

/// A hash of the weights' values of all positions: another file may have the same name.
fn weights_say(weights: &Weights, questions: &[Question]) -> u64 {
    let mut hasher = DefaultHasher::new();
    for question in questions {
        weights.plain_value(question.board()).hash(&mut hasher);
    }
    hasher.finish()
}

/// Has chosen moves solved that have no score, the longest first, and adds each score to the file at
/// once. `false` if it was stopped before the last.
fn solve<'a>(
    file: &mut ExamFile,
    solving: &Solving,
    (crew, interruption): (&Crew, &Interruption),
    questions: &mut [Question],
    answers: impl Iterator<Item = &'a [Square]>,
) -> Result<bool, Error> {
    let chosen: BTreeSet<(usize, Square)> =
        answers.flat_map(|squares| squares.iter().copied().enumerate()).collect();
    let is_open = |&(number, square): &(usize, Square)| questions[number].marks(square).is_none();
    let mut open: Vec<(usize, Square)> = chosen.into_iter().filter(is_open).collect();
    let empties = |number: usize| questions[number].board().empties(Size::EIGHT).count_ones();
    open.sort_by_key(|&(number, _)| Reverse(empties(number)));
    let bar = progress_bar(open.len() as u64, "moves solved");
    let after = |&(number, square): &(usize, Square)| {
        let next = questions[number].board().play(square, Size::EIGHT);
        let Board { player, opponent } = next.expect("an answer is a legal move");
        [player, opponent]
    };
    let boards: Vec<[u64; 2]> = open.iter().map(after).collect();
    let given = AtomicUsize::new(0);
    let next = || {
        let place = given.fetch_add(1, Relaxed);
        boards.get(place).map_or(Next::Nothing, |&board| Next::Job(place as u64, board))
    };
    let mut count = 0;
    let mut take = |Done { number: place, output, .. }: Done<Solved>| {
        let (number, square) = open[place as usize];
        questions[number].learn(square, -output.score);
        count += 1;
        bar.inc(1);
        file.replace(number, record(&questions[number], solving.evaluator.rule))
    };
    let total = Some(open.len() as u64);
    let solved = interruption.during(|stop| crew.run_of(total, solving, &next, &mut take, stop));
    bar.finish_and_clear();
    solved.map_err(run_error)?;
    Ok(count == open.len())
}

/// The answer of a search with this much time.
fn timed(candidate: &Candidate, question: &Question, time: Duration) -> Square {
    // Allocates the memory before the clock starts.
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
        // Ends the clock's thread.
        drop(done);
        answer
    })
}

fn json(
    args: &TakeArgs,
    rule: Rule,
    attempt: &Attempt,
    marks: Marks,
    out: &mut dyn Write,
) -> Result<(), Error> {
    let row = Row {
        file: args.file.display().to_string(),
        rule: rule.to_string(),
        attempt,
        marks,
        optimal_share: marks.optimal_share(),
        optimal_error: marks.optimal_error(),
        mean_loss: marks.mean_loss(),
        loss_error: marks.loss_error(),
    };
    Ok(json_line(out, &row)?)
}

fn show(effort: &str, width: usize, marks: &Marks, out: &mut dyn Write) -> Result<(), Error> {
    let error = |error: Option<f64>, factor: f64, digits: usize| {
        error.map_or(String::new(), |error| format!(" ± {:.digits$}", factor * error))
    };
    let share =
        format!("{:.1}{} %", 100.0 * marks.optimal_share(), error(marks.optimal_error(), 100.0, 1));
    let loss = format!("{:.2}{}", marks.mean_loss(), error(marks.loss_error(), 1.0, 2));
    writeln!(out, "{effort:>width$}  {share:>16}  {loss:>16}")?;
    Ok(())
}
