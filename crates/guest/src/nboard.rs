//! Engines that speak NBoard's protocol, version 2.
//!
//! The whole game is sent before every move, as GGF, so an engine needs no
//! memory of it and positions can be set up. The rule is in the type (`8a`
//! is reversed 8×8); not every engine reads that letter.

use crate::engine::{Command, Engine, Turn, short};
use isrever_agent::{Agent, Choice, Forfeit, Limits, Reason};
use isrever_board::text::{self, Format, Record};
use isrever_board::{Color, Game, Move, Square};
use std::time::Duration;

/// How deep an engine looks where nobody says it.
const DEFAULT_DEPTH: u32 = 12;

/// An engine behind NBoard's protocol.
pub struct Nboard {
    command: Command,
    engine: Option<Engine>,
    pings: u32,
}

impl Nboard {
    /// An engine that starts when it is first asked.
    pub fn new(command: Command) -> Nboard {
        Nboard { command, engine: None, pings: 0 }
    }

    /// The engine, started and greeted if it is not there.
    fn engine(&mut self) -> Result<&mut Engine, Forfeit> {
        if self.engine.is_none() {
            let turn = Turn::getting_ready();
            let mut engine = Engine::start(&self.command, "NBoard")?;
            engine.tell("nboard 2", &turn)?;
            self.pings += 1;
            settled(&mut engine, self.pings, &turn)?;
            self.engine = Some(engine);
        }
        Ok(self.engine.as_mut().expect("it has just been started"))
    }

    fn ask(&mut self, game: &Game, limits: &Limits) -> Result<Choice, Forfeit> {
        let turn = Turn::of_move(limits);
        self.engine()?;
        self.pings += 1;
        let (pings, engine) = (self.pings, self.engine()?);
        let record = text::write(&[Record::from(game.clone())], Format::Ggf);
        let record = record.map_err(|error| Forfeit::new(Reason::Refused, error.to_string()))?;
        let record = String::from_utf8_lossy(&record);
        engine.tell(&format!("set depth {}", limits.depth.unwrap_or(DEFAULT_DEPTH)), &turn)?;
        engine.tell(&format!("set game {}", record.trim()), &turn)?;
        settled(engine, pings, &turn)?;
        engine.tell("go", &turn)?;
        let said = loop {
            let line = engine.hear(&turn)?;
            if let Some(said) = line.strip_prefix("===") {
                break said.trim().to_owned();
            }
        };
        let nonsense = || engine.nonsense(&said, "=== and a move");
        let mut words = said.split(['/', ' ']).filter(|word| !word.is_empty());
        let word = words.next().ok_or_else(nonsense)?;
        let value: Option<f64> = words.next().and_then(|value| value.parse().ok());
        let mv = read_move(word).ok_or_else(nonsense)?;
        let square = legal(game, mv)?;
        Ok(Choice { value: value.filter(|value| value.is_finite()), ..Choice::from(square) })
    }
}

/// What it was still saying about something else ends with the answer to this.
fn settled(engine: &mut Engine, ping: u32, turn: &Turn<'_>) -> Result<(), Forfeit> {
    let pong = format!("pong {ping}");
    engine.tell(&format!("ping {ping}"), turn)?;
    while engine.hear(turn)? != pong {}
    Ok(())
}

/// A move as engines write it; more than two letters of one are tolerated by nobody.
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
        format!("nboard:{}", short(&self.command))
    }

    fn prepare(&mut self, _: &Game, _: Color, _: Option<Duration>) -> Result<(), Forfeit> {
        self.engine().map(drop)
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
