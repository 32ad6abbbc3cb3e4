//! The usability test: boards with known answers, and two whole games.
//!
//! As on the course's platform the agent is asked for the list of legal squares
//! and a decision on board after board, within the limits of time and memory.
//! What is found is data; who calls says it to people.

mod cases;

pub use cases::{Case, cases};

use crate::python::{Answer, Entry, LastWords, Python, PythonSettings, Source, square};
use crate::sandbox::Walls;
use isrever_agent::{Agent, Forfeit, Limits, Random};
use isrever_board::{Color, Game, Move, Position, Rule, Size, Square};
use std::time::Duration;

/// The most lines that are shown of what an agent printed about one case.
const MOST_LINES: usize = 10;

/// What came of a case.
#[derive(Clone, Debug)]
pub struct Finding {
    /// The board and what is special about it.
    pub case: Case,
    /// The squares that the list must hold.
    pub expected: Vec<Square>,
    /// What the agent answered; nothing where a whole game was played to its end.
    pub answer: Option<Answer>,
    /// Why it would have lost the game.
    pub forfeit: Option<Forfeit>,
    /// What is wrong; nothing if it passed.
    pub faults: Vec<String>,
    /// What is worth knowing and not wrong.
    pub notes: Vec<String>,
}

impl Finding {
    /// Whether nothing is wrong.
    pub fn is_passed(&self) -> bool {
        self.faults.is_empty()
    }

    /// The elements of the list that are squares of the board, in order, each once.
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
    /// How it is run.
    pub settings: PythonSettings,
    /// The size of the boards.
    pub size: Size,
    /// What the whole games are played for.
    pub rule: Rule,
}

/// What a test comes to.
#[derive(Clone, Debug, Default)]
pub struct Summary {
    /// Cases without a fault.
    pub passed: usize,
    /// Cases with one.
    pub failed: usize,
    /// Cases that were not tried, because the agent could not even be started.
    pub skipped: usize,
    /// The walls that the agent ran behind, if it ran.
    pub walls: Option<Walls>,
}

impl Check {
    /// Runs every case, and tells each finding as it comes.
    pub fn run<E>(&self, mut each: impl FnMut(&Finding) -> Result<(), E>) -> Result<Summary, E> {
        let mut summary = Summary::default();
        // The boards are no game: the time for one is not theirs.
        let settings =
            PythonSettings { game_time: Duration::from_secs(86_400), ..self.settings.clone() };
        let new = |settings: PythonSettings| Python::new(self.source.clone(), settings);
        // One process for each colour, which sees one board after the other, as in a game.
        let mut agents = [Color::Black, Color::White].map(|_| new(settings.clone()));
        let cases = cases(self.size);
        let count = cases.len();
        for (number, case) in cases.into_iter().enumerate() {
            let agent = &mut agents[usize::from(case.position.turn() == Color::White)];
            let finding = judged(case, agent);
            summary.count(&finding);
            each(&finding)?;
            if !agent.has_started() {
                summary.skipped = count - number - 1 + 2;
                return Ok(summary);
            }
            summary.walls = agent.walls().cloned().or(summary.walls);
        }
        drop(agents);
        for color in [Color::Black, Color::White] {
            let finding = self.whole_game(new(self.settings.clone()), color);
            summary.count(&finding);
            each(&finding)?;
        }
        Ok(summary)
    }

    /// A game against random moves.
    fn whole_game(&self, mut agent: Python, color: Color) -> Finding {
        let (name, about) = match color {
            Color::Black => ("game-black", "a whole game against random moves, as black"),
            Color::White => ("game-white", "a whole game against random moves, as white"),
        };
        let mut game = Game::new(self.rule, self.size);
        let mut random = Random::new(1);
        let (mut answered, mut forfeit, mut longest) = (None, None, Duration::ZERO);
        let mut late = 0;
        while let Some(turn) = game.turn() {
            let mv = if game.position().must_pass() {
                Move::Pass
            } else if turn != color {
                let choice = random.choose(&game, &Limits::default());
                Move::Place(choice.expect("random agents do not fail").square)
            } else {
                match agent.decide(&game, &Limits::default()) {
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
        let mut notes = said(&agent.last_words());
        if forfeit.is_none() {
            let score = game.score(color);
            notes.push(format!("ended with {score:+} after {} moves", game.ply()));
            notes.push(format!("slowest move {:.2} s", longest.as_secs_f64()));
        }
        if late > 0 {
            notes.push(format!("the time ran out {late} times; the list's last element counted"));
        }
        notes.extend(answered.as_ref().and_then(printed));
        notes.extend(answered.as_ref().map(memory));
        let fault = |lost: &Forfeit| format!("move {}: {lost}", game.ply() + 1);
        let faults = forfeit.iter().map(fault).collect();
        let expected = if forfeit.is_some() { position.moves() } else { Vec::new() };
        let case = Case { name, about, position };
        Finding { case, expected, answer: None, forfeit, faults, notes }
    }
}

impl Summary {
    fn count(&mut self, finding: &Finding) {
        let count = if finding.is_passed() { &mut self.passed } else { &mut self.failed };
        *count += 1;
    }
}

/// What the agent does with a board.
fn judged(case: Case, agent: &mut Python) -> Finding {
    let expected = case.position.moves();
    let (answer, forfeit) = match agent.ask(&case.position, &Limits::default()) {
        Ok(answer) => (Some(answer), None),
        Err(forfeit) => (None, Some(forfeit)),
    };
    let words = agent.last_words();
    agent.settle();
    let mut faults: Vec<String> = forfeit.iter().map(Forfeit::to_string).collect();
    let mut notes = said(&words);
    if let Some(answer) = &answer {
        faults.extend(wrong_list(answer, &case.position, &expected));
        faults.extend(wrong_decision(answer, &case.position, &expected));
        if answer.is_late {
            let seconds = answer.time.as_secs_f64();
            let known = match answer.is_whole {
                true => "the list as it then was",
                false => "it could not be interrupted, and only the list's last element is known",
            };
            notes.push(format!("the time ran out after {seconds:.1} s; {known}"));
        }
        notes.extend(printed(answer));
        notes.push(memory(answer));
    }
    Finding { case, expected, answer, forfeit, faults, notes }
}

/// What is wrong with a list, if anything.
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

/// What is wrong with a decision, if anything that the list does not show already.
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

/// What an agent said, line by line: the way to its error, and the last that it printed.
fn said(words: &LastWords) -> Vec<String> {
    let mut lines: Vec<String> = words.trace.lines().map(str::to_owned).collect();
    let printed: Vec<&str> = words.printed.lines().collect();
    let last = &printed[printed.len().saturating_sub(MOST_LINES)..];
    lines.extend(last.iter().map(|line| format!("printed: {line}")));
    lines
}

fn printed(answer: &Answer) -> Option<String> {
    let bytes = answer.printed_bytes;
    (bytes > 0).then(|| format!("printed {bytes} bytes so far, which is allowed"))
}

fn memory(answer: &Answer) -> String {
    format!("at most {:.1} MiB of its own so far", answer.memory_bytes as f64 / f64::from(1 << 20))
}
