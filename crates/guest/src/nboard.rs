//! Engines that speak NBoard's protocol, version 2.
//!
//! We send the whole game as GGF before every move, so an engine needs to
//! remember nothing and can start from any position. GGF's type names the rule
//! (`8a` is reversed 8×8); not every engine reads that letter.

use crate::engine::{Command, Engine, TimeLimit, short_name};
use isrever_agent::{Agent, Choice, Forfeit, Limits, Reason};
use isrever_board::text::{self, Format, Record};
use isrever_board::{Color, Game, Move, Square};
use std::time::Duration;

/// An engine's depth when neither spec nor caller sets one.
const DEFAULT_DEPTH: u32 = 12;

/// An engine behind NBoard's protocol.
pub struct Nboard {
    command: Command,
    engine: Option<Engine>,
    pings: u32,
}

impl Nboard {
    /// An engine that starts with [`Agent::prepare`] or the first move.
    pub fn new(command: Command) -> Nboard {
        Nboard { command, engine: None, pings: 0 }
    }

    /// The engine; starts it if it does not run.
    fn engine(&mut self) -> Result<&mut Engine, Forfeit> {
        if self.engine.is_none() {
            let limit = TimeLimit::for_start();
            let mut engine = Engine::start(&self.command, "NBoard")?;
            engine.send("nboard 2", &limit)?;
            self.pings += 1;
            synchronize(&mut engine, self.pings, &limit)?;
            self.engine = Some(engine);
        }
        Ok(self.engine.as_mut().expect("it has just been started"))
    }

    fn ask(&mut self, game: &Game, limits: &Limits) -> Result<Choice, Forfeit> {
        let limit = TimeLimit::for_move(limits);
        self.engine()?;
        self.pings += 1;
        let (pings, engine) = (self.pings, self.engine()?);
        let record = text::write(&[Record::from(game.clone())], Format::Ggf);
        let record = record.map_err(|error| Forfeit::new(Reason::Refused, error.to_string()))?;
        let record = String::from_utf8_lossy(&record);
        engine.send(&format!("set depth {}", limits.depth.unwrap_or(DEFAULT_DEPTH)), &limit)?;
        engine.send(&format!("set game {}", record.trim()), &limit)?;
        synchronize(engine, pings, &limit)?;
        engine.send("go", &limit)?;
        let answer = loop {
            let line = engine.receive(&limit)?;
            if let Some(answer) = line.strip_prefix("===") {
                break answer.trim().to_owned();
            }
        };
        let protocol_error = || engine.protocol_error(&answer, "=== and a move");
        let mut words = answer.split(['/', ' ']).filter(|word| !word.is_empty());
        let word = words.next().ok_or_else(protocol_error)?;
        let value: Option<f64> = words.next().and_then(|value| value.parse().ok());
        let mv = read_move(word).ok_or_else(protocol_error)?;
        let square = legal(game, mv)?;
        Ok(Choice { value: value.filter(|value| value.is_finite()), ..Choice::from(square) })
    }
}

/// Sends a ping and skips all output before its pong, which belongs to earlier commands.
fn synchronize(engine: &mut Engine, ping: u32, limit: &TimeLimit<'_>) -> Result<(), Forfeit> {
    let pong = format!("pong {ping}");
    engine.send(&format!("ping {ping}"), limit)?;
    while engine.receive(limit)? != pong {}
    Ok(())
}

/// Reads a move as engines write it.
pub(crate) fn read_move(word: &str) -> Option<Move> {
    match word.to_ascii_lowercase().as_str() {
        "pa" | "pass" | "--" | "ps" => Some(Move::Pass),
        square => square.parse().ok().map(Move::Place),
    }
}

/// The square of a legal move.
pub(crate) fn legal(game: &Game, mv: Move) -> Result<Square, Forfeit> {
    let illegal = |error: String| Forfeit::new(Reason::Illegal, error);
    game.clone().play(mv).map_err(|error| illegal(error.to_string()))?;
    mv.square().ok_or_else(|| illegal("pass; expected a square".to_owned()))
}

impl Agent for Nboard {
    fn name(&self) -> String {
        format!("nboard:{}", short_name(&self.command))
    }

    fn prepare(&mut self, _: &Game, _: Color, _: Option<Duration>) -> Result<(), Forfeit> {
        self.engine().map(drop)
    }

    fn answer_time(&self) -> Option<Duration> {
        self.engine.as_ref()?.answer_time()
    }

    fn choose(&mut self, game: &Game, limits: &Limits) -> Result<Choice, Forfeit> {
        let limits = self.command.limits(limits);
        let choice = self.ask(game, &limits);
        if choice.is_err() {
            self.engine = None;
        }
        choice
    }
}
