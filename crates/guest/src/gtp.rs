//! Engines that speak GTP, version 2, as Othello engines do.
//!
//! Squares are Othello's, no letter left out. The protocol has no word for the
//! rule and none to set up a position: an engine plays for its own idea of
//! winning, from the usual start.

use crate::engine::{Command, Engine, Turn, short};
use crate::nboard::{legal, read_move};
use isrever_agent::{Agent, Choice, Forfeit, Limits, Reason};
use isrever_board::{Color, Game, Move, Position, Size};
use std::time::Duration;

/// An engine behind GTP.
pub struct Gtp {
    command: Command,
    engine: Option<Engine>,
    /// The board that the engine has before it.
    size: Option<Size>,
    moves: Vec<Move>,
    /// The time that it was told, and whether that is for the move or for the game.
    agreed: Option<(Duration, Reason)>,
}

impl Gtp {
    /// An engine that starts when it is first asked.
    pub fn new(command: Command) -> Gtp {
        Gtp { command, engine: None, size: None, moves: Vec::new(), agreed: None }
    }

    /// Starts the engine if it is not there, and sets up the board.
    fn get_ready(&mut self, game: &Game) -> Result<(), Forfeit> {
        if self.engine.is_some() && self.size == Some(game.size()) {
            return Ok(());
        }
        let turn = Turn::getting_ready();
        if self.engine.is_none() {
            self.agreed = None;
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
        // To the millisecond it would be another time at every move.
        let time = Duration::from_millis((turn.time.as_millis() as u64).div_ceil(10) * 10);
        let agreed = Some((time, turn.reason));
        if agreed != self.agreed {
            self.agreed = agreed;
            for order in time_settings(time, turn.reason) {
                // An engine without a clock may know none of them.
                if say(engine, &order, &turn)?.is_ok() {
                    break;
                }
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

/// How an engine is told its time, best first. The protocol has whole numbers; some engines read
/// fractions as well, and those that do not may count so many seconds for so many moves.
fn time_settings(time: Duration, reason: Reason) -> Vec<String> {
    let (milliseconds, seconds) = (time.as_millis(), time.as_secs());
    if reason == Reason::GameTime && seconds > 0 {
        return vec![format!("time_settings {seconds} 0 0")];
    }
    let whole = (1..=100).find(|moves| (milliseconds * moves).is_multiple_of(1000));
    let shared = match whole {
        Some(moves) if milliseconds > 0 => (milliseconds * moves / 1000, moves),
        _ => (1, 1000 / milliseconds.clamp(1, 1000)),
    };
    let mut orders = vec![format!("time_settings 0 {} {}", shared.0, shared.1)];
    if shared.1 > 1 {
        orders.insert(0, format!("time_settings 0 {} 1", time.as_secs_f64()));
    }
    orders
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
        let ready = self.get_ready(game);
        if ready.is_err() {
            (self.engine, self.size) = (None, None);
        }
        ready
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_told_exactly_and_else_in_whole_numbers() {
        for (milliseconds, reason, orders) in [
            (5_000, Reason::Time, &["time_settings 0 5 1"][..]),
            (300, Reason::Time, &["time_settings 0 0.3 1", "time_settings 0 3 10"]),
            (2_250, Reason::Time, &["time_settings 0 2.25 1", "time_settings 0 9 4"]),
            (10_400, Reason::GameTime, &["time_settings 10 0 0"]),
            (400, Reason::GameTime, &["time_settings 0 0.4 1", "time_settings 0 2 5"]),
            (0, Reason::GameTime, &["time_settings 0 0 1", "time_settings 0 1 1000"]),
        ] {
            let time = Duration::from_millis(milliseconds);
            assert_eq!(time_settings(time, reason), orders, "{milliseconds}");
        }
    }
}
