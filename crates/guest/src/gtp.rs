//! Engines that speak GTP, version 2, as Othello engines do.
//!
//! Squares are Othello's, no letter left out. The protocol has no word for the
//! rule and none to set up a position: an engine plays for its own idea of
//! winning, from the usual start.

use crate::engine::{Command, Engine, Turn, short};
use crate::nboard::{legal, read_move};
use isrever_agent::{Agent, Choice, Forfeit, Limits, Reason};
use isrever_board::{Color, Game, Move, Position, Size};
use std::time::{Duration, Instant};

/// An engine behind GTP.
pub struct Gtp {
    command: Command,
    engine: Option<Engine>,
    /// The board that the engine has before it.
    size: Option<Size>,
    moves: Vec<Move>,
    /// The seconds for a move that it was told.
    seconds: Option<u64>,
}

impl Gtp {
    /// An engine that starts when it is first asked.
    pub fn new(command: Command) -> Gtp {
        Gtp { command, engine: None, size: None, moves: Vec::new(), seconds: None }
    }

    /// Starts the engine if it is not there, and sets up the board.
    fn get_ready(&mut self, game: &Game) -> Result<(), Forfeit> {
        if self.engine.is_some() && self.size == Some(game.size()) {
            return Ok(());
        }
        let turn = Turn::getting_ready();
        if self.engine.is_none() {
            self.seconds = None;
        }
        let engine = match &mut self.engine {
            Some(engine) => engine,
            none => none.insert(Engine::start(&self.command, "GTP")?),
        };
        must(engine, &format!("boardsize {}", game.size()), &turn)?;
        must(engine, "clear_board", &turn)?;
        (self.size, self.moves) = (Some(game.size()), Vec::new());
        Ok(())
    }

    fn ask(&mut self, game: &Game, limits: &Limits) -> Result<Choice, Forfeit> {
        if *game.start() != Position::start(game.size()) {
            let details = "GTP cannot set up a position; expected a game from the usual start";
            return Err(Forfeit::new(Reason::Refused, details));
        }
        let turn = Turn::of_move(limits);
        self.get_ready(game)?;
        let engine = self.engine.as_mut().expect("it is ready");
        if !game.moves().starts_with(&self.moves) {
            must(engine, "clear_board", &turn)?;
            self.moves.clear();
        }
        for ply in self.moves.len()..game.ply() {
            let (mv, color) = (game.moves()[ply], game.positions()[ply].turn());
            let order = format!("play {} {mv}", letter(color));
            match (mv, say(engine, &order, &turn)?) {
                (_, Ok(_)) => {}
                // Some engines pass by themselves, and refuse to do it twice.
                (Move::Pass, Err(_)) => {}
                (Move::Place(_), Err(why)) => return Err(refused(engine, &order, &why)),
            }
            self.moves.push(mv);
        }
        let left = limits.deadline.map(|end| end.saturating_duration_since(Instant::now()));
        let seconds = left.map(|left| left.as_secs().max(1));
        if seconds != self.seconds {
            self.seconds = seconds;
            if let Some(seconds) = seconds {
                // So many seconds for each move. An engine without a clock may not know it.
                let _ = say(engine, &format!("time_settings 0 {seconds} 1"), &turn)?;
            }
        }
        let order = format!("genmove {}", letter(game.position().turn()));
        let said = say(engine, &order, &turn)?;
        let said = said.map_err(|why| refused(engine, &order, &why))?;
        let mv = read_move(said.trim()).ok_or_else(|| engine.nonsense(&said, "a square"))?;
        let square = legal(game, mv)?;
        // Its own move is on its board already.
        self.moves.push(mv);
        Ok(Choice::from(square))
    }
}

/// Says an order, and gives what comes back, an error being the engine's refusal.
fn say(
    engine: &mut Engine,
    order: &str,
    turn: &Turn<'_>,
) -> Result<Result<String, String>, Forfeit> {
    engine.tell(order, turn)?;
    let mut answer: Option<Result<String, String>> = None;
    loop {
        let line = engine.hear(turn)?;
        let line = line.trim();
        answer = match answer {
            // An empty line ends an answer; before one, it is none of ours.
            None if line.is_empty() => None,
            Some(answer) if line.is_empty() => return Ok(answer),
            None => match line.split_at_checked(1) {
                Some(("=", text)) => Some(Ok(text.trim().to_owned())),
                Some(("?", text)) => Some(Err(text.trim().to_owned())),
                _ => return Err(engine.nonsense(line, "= or ?")),
            },
            // More lines of the same answer, such as a drawn board.
            more => more,
        };
    }
}

/// Says an order that the engine must not refuse.
fn must(engine: &mut Engine, order: &str, turn: &Turn<'_>) -> Result<(), Forfeit> {
    match say(engine, order, turn)? {
        Ok(_) => Ok(()),
        Err(why) => Err(refused(engine, order, &why)),
    }
}

fn refused(engine: &Engine, order: &str, why: &str) -> Forfeit {
    engine.nonsense(&format!("? {why}"), &format!("{order:?} to be done"))
}

fn letter(color: Color) -> char {
    match color {
        Color::Black => 'b',
        Color::White => 'w',
    }
}

impl Agent for Gtp {
    fn name(&self) -> String {
        format!("gtp:{}", short(&self.command))
    }

    fn prepare(&mut self, game: &Game, _: Color, _: Option<Duration>) -> Result<(), Forfeit> {
        self.get_ready(game)
    }

    fn choose(&mut self, game: &Game, limits: &Limits) -> Result<Choice, Forfeit> {
        let limits = self.command.limits(limits);
        let choice = self.ask(game, &limits);
        if choice.is_err() {
            (self.engine, self.size) = (None, None);
        }
        choice
    }
}
