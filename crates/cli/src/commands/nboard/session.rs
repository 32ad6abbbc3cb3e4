//! An NBoard session: which answer follows which command.

use super::clock::Clocks;
use super::order::Order;
use crate::commands::protocol::{Line, MOST_LINE_BYTES, SearchEvent, Task, unlimited};
use crate::plain::plain;
use isrever_agent::{Limits, Share};
use isrever_board::{Game, Move, Rule};
use isrever_engine::AnalysisSettings;
use isrever_search::Answer;
use std::collections::HashMap;

/// So many plies more than the depth, the end is looked for.
const MORE_AT_THE_END: u32 = 4;

/// Plies for an analysis if nobody has said how many.
const ANALYSIS_DEPTH: u32 = 12;

/// What is to be done about what was said.
#[derive(Clone, Debug)]
pub(super) enum Act {
    Say(String),
    /// Stop the search, if there is one.
    Stop,
    Think(Task),
    Quit,
}

/// What is being searched.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Work {
    Nothing,
    Go,
    /// The values of this many moves.
    Hint(usize),
    Analyze,
}

/// What is known so far.
pub(super) struct Session {
    game: Game,
    /// The rule of the command line, which wins over that of a game's type.
    rule: Option<Rule>,
    clocks: Clocks,
    depth: Option<u32>,
    /// What the engine allows itself for each move.
    share: Share,
    work: Work,
    /// The last value of each move, to know which are the best.
    values: HashMap<Move, f64>,
}

impl Session {
    /// A conversation that begins with `game`; all games are played under `rule`, if it is given.
    pub(super) fn new(game: Game, rule: Option<Rule>, share: Share) -> Session {
        let (clocks, work) = (Clocks::NONE, Work::Nothing);
        Session { game, rule, clocks, depth: None, share, work, values: HashMap::new() }
    }

    /// What a line asks for.
    pub(super) fn hear(&mut self, line: &Line) -> Vec<Act> {
        let order = match line {
            Line::Text(text) => Order::read(text, self.game.size()),
            Line::TooLong => {
                Some(Err(format!("the line is too long; expected at most {MOST_LINE_BYTES} bytes")))
            }
        };
        let Some(order) = order else { return Vec::new() };
        let mut acts = self.interrupted();
        match order.and_then(|order| self.obey(order)) {
            Ok(more) => acts.extend(more),
            Err(offence) => acts.push(status(&format!("error: {}", plain(&offence)))),
        }
        acts
    }

    /// A new line ends the search before it.
    fn interrupted(&mut self) -> Vec<Act> {
        match std::mem::replace(&mut self.work, Work::Nothing) {
            Work::Nothing => Vec::new(),
            _ => vec![Act::Stop, status("")],
        }
    }

    fn obey(&mut self, order: Order) -> Result<Vec<Act>, String> {
        Ok(match order {
            Order::Hello => vec![self.name()],
            Order::Depth(depth) => {
                self.depth = Some(depth.min(60));
                vec![self.name()]
            }
            Order::Game(record) => {
                self.clocks = Clocks::of(&record);
                self.game = match self.rule {
                    Some(rule) => under(rule, &record.game),
                    None => record.game,
                };
                Vec::new()
            }
            Order::Contempt => Vec::new(),
            Order::Move(mv, seconds) => {
                self.play(mv, seconds)?;
                Vec::new()
            }
            Order::Hint(count) => {
                self.check_search()?;
                self.values.clear();
                let limits = self.depth.map_or_else(unlimited, |_| Limits {
                    depth: self.depth(),
                    ..Limits::default()
                });
                self.think(
                    Work::Hint(count),
                    "Analyzing",
                    Task::EveryMove(self.game.clone(), limits),
                )
            }
            Order::Go => {
                if self.game.is_over() {
                    return Err("the game is over; expected a game with a move to make".to_owned());
                }
                let share = Share { depth: self.depth().or(self.share.depth), ..self.share };
                let clock = self.clocks.left(self.game.position().turn());
                let limits = Limits { clock, ..Limits::default() }.tightened(&share);
                self.think(Work::Go, "Thinking", Task::Move(self.game.clone(), limits))
            }
            Order::Ping(number) => vec![Act::Say(format!("pong {}", plain(&number)))],
            Order::Learn => vec![Act::Say("learned".to_owned())],
            Order::Analyze => {
                self.check_size()?;
                let depth = self.depth.unwrap_or(ANALYSIS_DEPTH);
                let share = Share { depth: Some(depth), ..Share::default() };
                let settings = AnalysisSettings { share, solve_from: depth + MORE_AT_THE_END };
                let task = Task::Analysis(self.game.clone(), settings);
                self.think(Work::Analyze, "Analyzing", task)
            }
            Order::Quit => vec![Act::Quit],
        })
    }

    fn name(&self) -> Act {
        let depth = self.depth.map_or(String::new(), |depth| format!(" {depth}"));
        Act::Say(format!("set myname Isrever{depth}"))
    }

    fn think(&mut self, work: Work, word: &str, task: Task) -> Vec<Act> {
        self.work = work;
        vec![status(word), Act::Think(task)]
    }

    /// How far to look in the present position, as far as somebody has said.
    fn depth(&self) -> Option<u32> {
        let empties = self.game.position().empties();
        self.depth.map(|depth| if empties <= depth + MORE_AT_THE_END { 60 } else { depth })
    }

    /// Plays a move, after the pass that may be implied.
    fn play(&mut self, mv: Move, seconds: Option<f64>) -> Result<(), String> {
        let before = self.game.ply();
        let played = match mv {
            Move::Place(square) => self.game.place(square),
            Move::Pass => self.game.play(mv),
        };
        played.map_err(|error| error.to_string())?;
        for ply in before..self.game.ply() {
            let is_last = ply + 1 == self.game.ply();
            let color = self.game.positions()[ply].turn();
            self.clocks.moved(color, seconds.filter(|_| is_last));
        }
        Ok(())
    }

    fn check_size(&self) -> Result<(), String> {
        let size = self.game.size();
        match size.has_bits() {
            true => Ok(()),
            false => Err(format!("the board is {size}x{size}; expected at most 8x8")),
        }
    }

    fn check_search(&self) -> Result<(), String> {
        self.check_size()?;
        match self.game.is_over() {
            true => Err("the game is over; expected a game with a move to make".to_owned()),
            false => Ok(()),
        }
    }

    /// What to say about an event of the search.
    pub(super) fn found(&mut self, event: &SearchEvent) -> Vec<Act> {
        match (event, self.work) {
            (SearchEvent::Move(mv, value, seconds), _) => {
                self.work = Work::Nothing;
                let value = value.map_or(String::new(), |value| format!("{value}.00"));
                let line = format!("=== {}/{value}/{seconds:.2}", capital(*mv));
                vec![Act::Say(line), status("")]
            }
            (SearchEvent::Value(answer, seconds), Work::Hint(count)) => {
                self.hint(answer, *seconds, count)
            }
            (SearchEvent::Position(ply, value), _) => {
                vec![Act::Say(format!("analysis {ply} {value}.00"))]
            }
            (SearchEvent::End, _) => {
                self.work = Work::Nothing;
                vec![status("")]
            }
            (SearchEvent::Value(..), _) => Vec::new(),
        }
    }

    /// A line for a move, if it is among the best `count`.
    fn hint(&mut self, answer: &Answer, seconds: f64, count: usize) -> Vec<Act> {
        let Answer { value, nodes, pv, .. } = answer;
        let Some(best) = answer.best() else { return Vec::new() };
        self.values.insert(best, *value);
        let better = self.values.values().filter(|&other| other > value).count();
        if better >= count {
            return Vec::new();
        }
        let depth = depth_words(answer);
        vec![
            Act::Say(format!("search {} {value:.2} 0 {depth}", moves(pv))),
            Act::Say(format!("nodestats {nodes} {seconds:.2}")),
        ]
    }
}

/// The same moves under another rule.
fn under(rule: Rule, game: &Game) -> Game {
    let mut again = Game::from_position(rule, game.start().clone());
    for &mv in game.moves() {
        again.play(mv).expect("moves are legal under both rules");
    }
    again
}

fn status(text: &str) -> Act {
    Act::Say(format!("status {text}").trim_end().to_owned())
}

/// The depth as NBoard shows it: plies with the confidence of cuts, if there are any, or that the
/// value is proved.
fn depth_words(answer: &Answer) -> String {
    let Answer { depth, confidence, .. } = answer;
    match (answer.is_exact, confidence) {
        (true, _) => "100%".to_owned(),
        (false, 100) => depth.to_string(),
        (false, _) => format!("{depth}@{confidence}%"),
    }
}

/// Moves without spaces, in capitals.
fn moves(pv: &[Move]) -> String {
    pv.iter().map(|&mv| capital(mv)).collect()
}

fn capital(mv: Move) -> String {
    match mv {
        Move::Place(square) => square.to_string().to_uppercase(),
        Move::Pass => "PA".to_owned(),
    }
}

#[cfg(test)]
mod tests;
