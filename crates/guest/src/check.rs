//! The usability test: boards with known answers, and two whole games.
//!
//! As on the course's platform, the test asks the agent for the list of legal
//! squares and a decision on board after board, within the limits of time and
//! memory. The results are plain data; the caller prints them.

mod cases;

pub use cases::{Case, cases};

use crate::python::{Answer, CapturedOutput, Entry, Python, PythonSettings, Source, square};
use crate::sandbox::Sandbox;
use isrever_agent::{Agent, Forfeit, Limits, Random};
use isrever_board::{Color, Game, Move, Position, Rule, Size, Square};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// The most printed lines that a case's notes quote.
const MOST_LINES: usize = 10;

/// The result of a case.
#[derive(Clone, Debug)]
pub struct Finding {
    /// The board and what is special about it.
    pub case: Case,
    /// The squares that the list must hold.
    pub expected: Vec<Square>,
    /// The agent's answer; `None` after a forfeit and for whole games.
    pub answer: Option<Answer>,
    /// Why the agent would have lost the game.
    pub forfeit: Option<Forfeit>,
    /// What is wrong; empty if the agent passed.
    pub faults: Vec<String>,
    /// What is worth knowing, but not wrong.
    pub notes: Vec<String>,
    /// How often the time ran out.
    pub late: u32,
    /// The longest time that an answer took.
    pub slowest: Option<Duration>,
    /// The most memory of its own that the agent had so far, in bytes.
    pub memory_bytes: Option<u64>,
    /// The last lines that it printed.
    pub printed: Vec<String>,
}

impl Finding {
    /// Whether the agent passed.
    pub fn is_passed(&self) -> bool {
        self.faults.is_empty()
    }

    /// The squares of the board in the agent's list, in order and without repeats.
    pub fn found(&self) -> Vec<Square> {
        let size = self.case.position.size();
        let mut found = Vec::new();
        for entry in self.answer.iter().flat_map(|answer| &answer.list) {
            if let Entry::Place(place) = entry
                && let Some(square) = square(*place, size)
                && !found.contains(&square)
            {
                found.push(square);
            }
        }
        found
    }

    /// The decision, if it is a square of the board.
    pub fn decision(&self) -> Option<Square> {
        match &self.answer.as_ref()?.last {
            Some(Entry::Place(place)) => square(*place, self.case.position.size()),
            _ => None,
        }
    }
}

/// The usability test of one file.
#[derive(Clone, Debug)]
pub struct Check {
    /// The file.
    pub source: Source,
    /// How to run it.
    pub settings: PythonSettings,
    /// The size of the boards.
    pub size: Size,
    /// The rule of the whole games.
    pub rule: Rule,
    /// Ends the agent's move and the whole game that it is in when it is set; the rest is for the
    /// caller to refuse.
    pub stop: Arc<AtomicBool>,
}

/// The totals of a test.
#[derive(Clone, Debug, Default)]
pub struct Summary {
    /// Cases without a fault.
    pub passed: usize,
    /// Cases with one.
    pub failed: usize,
    /// Cases that were not tried, because the agent could not be started.
    pub skipped: usize,
    /// The sandbox that the agent ran in, if it ran.
    pub sandbox: Option<Sandbox>,
    /// Why this machine could not run the agent, which ended the test and says nothing about it.
    pub trouble: Option<Forfeit>,
}

impl Check {
    /// Runs every case, and passes each finding to `each` as it comes.
    pub fn run<E>(&self, mut each: impl FnMut(&Finding) -> Result<(), E>) -> Result<Summary, E> {
        let mut summary = Summary::default();
        // The single boards are no game, so a game's time does not limit them.
        let settings =
            PythonSettings { game_time: Duration::from_secs(86_400), ..self.settings.clone() };
        let new = |settings: PythonSettings| Python::new(self.source.clone(), settings);
        // One process per colour sees one board after the other, as in a game.
        let mut agents = [Color::Black, Color::White].map(|_| new(settings.clone()));
        let cases = cases(self.size);
        let count = cases.len();
        for (number, case) in cases.into_iter().enumerate() {
            let agent = &mut agents[usize::from(case.position.turn() == Color::White)];
            let finding = judge(case, agent, &self.limits());
            if summary.is_trouble(&finding) {
                return Ok(summary);
            }
            summary.count(&finding);
            each(&finding)?;
            if !agent.has_started() {
                summary.skipped = count - number - 1 + 2;
                return Ok(summary);
            }
            summary.sandbox = agent.sandbox().cloned().or(summary.sandbox);
        }
        drop(agents);
        for color in [Color::Black, Color::White] {
            let finding = self.whole_game(new(self.settings.clone()), color);
            if summary.is_trouble(&finding) {
                return Ok(summary);
            }
            summary.count(&finding);
            each(&finding)?;
        }
        Ok(summary)
    }

    /// No limits but the agent's own, and the flag.
    fn limits(&self) -> Limits {
        Limits { stop: Arc::clone(&self.stop), ..Limits::default() }
    }

    /// Plays a game against random moves.
    fn whole_game(&self, mut agent: Python, color: Color) -> Finding {
        let (name, about) = match color {
            Color::Black => ("game-black", "a whole game against random moves, as black"),
            Color::White => ("game-white", "a whole game against random moves, as white"),
        };
        let mut game = Game::new(self.rule, self.size);
        let mut random = Random::new(1);
        let (mut answered, mut forfeit, mut longest) = (None, None, Duration::ZERO);
        let mut late = 0;
        let is_stopped = || self.stop.load(Ordering::Relaxed);
        while let Some(turn) = game.turn().filter(|_| !is_stopped()) {
            let mv = if game.position().must_pass() {
                Move::Pass
            } else if turn != color {
                let choice = random.choose(&game, &Limits::default());
                Move::Place(choice.expect("random agents do not fail").square)
            } else {
                match agent.decide(&game, &self.limits()) {
                    Ok((square, answer)) => {
                        longest = longest.max(answer.time);
                        late += u32::from(answer.is_late);
                        answered = Some(answer);
                        agent.settle();
                        Move::Place(square)
                    }
                    Err(lost) => {
                        forfeit = Some(lost);
                        break;
                    }
                }
            };
            game.play(mv).expect("the move was checked");
        }
        let position = game.position().clone();
        let output = agent.captured_output();
        let mut notes = output_lines(&output);
        if forfeit.is_none() {
            let score = game.score(color);
            notes.push(format!("ended with {score:+} after {} moves", game.ply()));
            notes.push(format!("slowest move {:.2} s", longest.as_secs_f64()));
        }
        if late > 0 {
            let times = if late == 1 { "once".to_owned() } else { format!("{late} times") };
            notes.push(format!("the time ran out {times}; the list's last element counted"));
        }
        notes.extend(answered.as_ref().and_then(printed));
        notes.extend(answered.as_ref().map(memory));
        let fault = |lost: &Forfeit| format!("move {}: {lost}", game.ply() + 1);
        let faults = forfeit.iter().map(fault).collect();
        let expected = if forfeit.is_some() { position.moves() } else { Vec::new() };
        let case = Case { name, about, position };
        let memory_bytes = answered.as_ref().map(|answer| answer.memory_bytes);
        let slowest = answered.is_some().then_some(longest);
        let printed = last_lines(&output);
        let answer = None;
        Finding {
            case,
            expected,
            answer,
            forfeit,
            faults,
            notes,
            late,
            slowest,
            memory_bytes,
            printed,
        }
    }
}

impl Summary {
    /// Whether a case ended because of this machine, which is then noted.
    fn is_trouble(&mut self, finding: &Finding) -> bool {
        self.trouble = finding.forfeit.clone().filter(Forfeit::is_machine);
        self.trouble.is_some()
    }

    fn count(&mut self, finding: &Finding) {
        let count = if finding.is_passed() { &mut self.passed } else { &mut self.failed };
        *count += 1;
    }
}

/// Asks the agent about one board, and judges its answer.
fn judge(case: Case, agent: &mut Python, limits: &Limits) -> Finding {
    let expected = case.position.moves();
    let (answer, forfeit) = match agent.ask(&case.position, limits) {
        Ok(answer) => (Some(answer), None),
        Err(forfeit) => (None, Some(forfeit)),
    };
    let output = agent.captured_output();
    agent.settle();
    let mut faults: Vec<String> = forfeit.iter().map(Forfeit::to_string).collect();
    let mut notes = output_lines(&output);
    if let Some(answer) = &answer {
        faults.extend(wrong_list(answer, &case.position, &expected));
        faults.extend(wrong_decision(answer, &case.position, &expected));
        if answer.is_late {
            // What is missing is missing because of it.
            if faults.is_empty() { &mut notes } else { &mut faults }
                .insert(0, time_ran_out(answer));
        }
        notes.extend(printed(answer));
        notes.push(memory(answer));
    }
    let slowest = answer.as_ref().map(|answer| answer.time);
    let memory_bytes = answer.as_ref().map(|answer| answer.memory_bytes);
    let printed = last_lines(&output);
    let late = answer.as_ref().map_or(0, |answer| u32::from(answer.is_late));
    Finding { case, expected, answer, forfeit, faults, notes, late, slowest, memory_bytes, printed }
}

/// That the time ran out, and what is known of the list.
fn time_ran_out(answer: &Answer) -> String {
    let known = match (&answer.last, answer.is_whole) {
        (None, _) => ", and candidate_list was still empty",
        (Some(_), true) => "; the list counts as it then was",
        (Some(_), false) => {
            "; it could not be interrupted, and only the list's last element is known"
        }
    };
    format!("the time ran out after {:.1} s{known}", answer.time.as_secs_f64())
}

/// The faults of a list.
fn wrong_list(answer: &Answer, position: &Position, expected: &[Square]) -> Vec<String> {
    let mut faults = Vec::new();
    let mut found = Vec::new();
    for entry in &answer.list {
        match entry {
            Entry::Other(what) => {
                faults.push(format!("{what} is in the list; expected (row, column)"));
            }
            Entry::Place(place) => match square(*place, position.size()) {
                Some(square) => found.push(square),
                None => faults.push(format!("({}, {}) is off the board", place[0], place[1])),
            },
        }
    }
    let names = |squares: Vec<&Square>| {
        let names: Vec<String> = squares.into_iter().map(|&square| tuple(square)).collect();
        names.join(", ")
    };
    let missing: Vec<&Square> = expected.iter().filter(|square| !found.contains(square)).collect();
    if answer.is_whole && !missing.is_empty() {
        faults.push(format!("missing from the list: {}", names(missing)));
    }
    let mut illegal: Vec<&Square> =
        found.iter().filter(|square| !expected.contains(square)).collect();
    illegal.sort();
    illegal.dedup();
    if !illegal.is_empty() {
        faults.push(format!("in the list and not legal: {}", names(illegal)));
    }
    faults
}

/// The fault of a decision, unless the list shows it already.
fn wrong_decision(answer: &Answer, position: &Position, expected: &[Square]) -> Option<String> {
    match &answer.last {
        None => None,
        Some(Entry::Other(what)) => Some(format!("the decision is {what}")),
        Some(Entry::Place(place)) => match square(*place, position.size()) {
            Some(square) if expected.contains(&square) => None,
            Some(square) => Some(format!("the decision {} is not legal", tuple(square))),
            None => Some(format!("the decision ({}, {}) is off the board", place[0], place[1])),
        },
    }
}

/// A square as agents write it, and its name.
pub fn tuple(square: Square) -> String {
    format!("({}, {}) = {square}", square.row(), square.column())
}

/// An agent's output line by line: the traceback of its error, and what it printed last.
fn output_lines(output: &CapturedOutput) -> Vec<String> {
    let mut lines: Vec<String> = output.trace.lines().map(str::to_owned).collect();
    lines.extend(last_lines(output).iter().map(|line| format!("printed: {line}")));
    lines
}

/// What an agent printed last, line by line.
fn last_lines(output: &CapturedOutput) -> Vec<String> {
    let printed: Vec<&str> = output.printed.lines().collect();
    let last = &printed[printed.len().saturating_sub(MOST_LINES)..];
    last.iter().map(|line| (*line).to_owned()).collect()
}

fn printed(answer: &Answer) -> Option<String> {
    let bytes = answer.printed_bytes;
    (bytes > 0).then(|| format!("printed {bytes} bytes so far, which is allowed"))
}

fn memory(answer: &Answer) -> String {
    format!("at most {:.1} MiB of its own so far", answer.memory_bytes as f64 / f64::from(1 << 20))
}
