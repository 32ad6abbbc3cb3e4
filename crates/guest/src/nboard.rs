//! Engines that speak NBoard's protocol, version 2.
//!
//! The whole game is sent before every move, as GGF, so an engine needs no
//! memory of it and positions can be set up. The rule is in the type (`8a`
//! is reversed 8×8); not every engine reads that letter.

use crate::engine::{Command, Engine, short};
use isrever_agent::{Agent, Choice, Forfeit, Limits, Reason};
use isrever_board::text::{self, Format, Record};
use isrever_board::{Game, Move, Square};

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

    fn ask(&mut self, game: &Game, limits: &Limits) -> Result<Choice, Forfeit> {
        let engine = match &mut self.engine {
            Some(engine) => engine,
            none => {
                let engine = none.insert(Engine::start(&self.command, "NBoard")?);
                engine.tell("nboard 2")?;
                engine
            }
        };
        let record = text::write(&[Record::from(game.clone())], Format::Ggf);
        let record = record.map_err(|error| Forfeit::new(Reason::Refused, error.to_string()))?;
        let record = String::from_utf8_lossy(&record);
        engine.tell(&format!("set depth {}", limits.depth.unwrap_or(DEFAULT_DEPTH)))?;
        engine.tell(&format!("set game {}", record.trim()))?;
        // What it was still saying about something else ends with the answer to this.
        self.pings += 1;
        let pong = format!("pong {}", self.pings);
        engine.tell(&format!("ping {}", self.pings))?;
        while engine.hear(None)? != pong {}
        engine.tell("go")?;
        let said = loop {
            let line = engine.hear(Some(limits))?;
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

    fn choose(&mut self, game: &Game, limits: &Limits) -> Result<Choice, Forfeit> {
        let limits = self.command.limits(limits);
        let choice = self.ask(game, &limits);
        if choice.is_err() {
            self.engine = None;
        }
        choice
    }
}
