//! Engines that speak GTP, version 2, as Othello engines do.
//!
//! Squares are Othello's, with no letter left out. The protocol can neither
//! name the rule nor set up a position: an engine plays by its own rule, from
//! the usual start.

use crate::engine::{Command, Engine, TimeLimit, short_name};
use crate::nboard::{legal, read_move};
use isrever_agent::{Agent, Choice, Forfeit, Limits, Reason};
use isrever_board::{Color, Game, Move, Position, Size};
use std::time::Duration;

/// An engine behind GTP.
pub struct Gtp {
    command: Command,
    engine: Option<Engine>,
    /// The size of the engine's board, and the moves on it.
    size: Option<Size>,
    moves: Vec<Move>,
    /// The time that the engine was sent, and whether that is for the move or for the game.
    sent_time: Option<(Duration, Reason)>,
}

impl Gtp {
    /// An engine that starts with [`Agent::prepare`] or the first move.
    pub fn new(command: Command) -> Gtp {
        Gtp { command, engine: None, size: None, moves: Vec::new(), sent_time: None }
    }

    /// Starts the engine if it does not run, and sets up the board.
    fn get_ready(&mut self, game: &Game) -> Result<(), Forfeit> {
        if self.engine.is_some() && self.size == Some(game.size()) {
            return Ok(());
        }
        let limit = TimeLimit::for_start();
        if self.engine.is_none() {
            self.sent_time = None;
        }
        let engine = match &mut self.engine {
            Some(engine) => engine,
            none => none.insert(Engine::start(&self.command, "GTP")?),
        };
        must(engine, &format!("boardsize {}", game.size()), &limit)?;
        must(engine, "clear_board", &limit)?;
        (self.size, self.moves) = (Some(game.size()), Vec::new());
        Ok(())
    }

    fn ask(&mut self, game: &Game, limits: &Limits) -> Result<Choice, Forfeit> {
        if *game.start() != Position::start(game.size()) {
            let details = "GTP cannot set up a position; expected a game from the usual start";
            return Err(Forfeit::new(Reason::Refused, details));
        }
        let limit = TimeLimit::for_move(limits);
        self.get_ready(game)?;
        let engine = self.engine.as_mut().expect("it is ready");
        if !game.moves().starts_with(&self.moves) {
            must(engine, "clear_board", &limit)?;
            self.moves.clear();
        }
        for ply in self.moves.len()..game.ply() {
            let (mv, color) = (game.moves()[ply], game.positions()[ply].turn());
            let order = format!("play {} {mv}", letter(color));
            match (mv, command(engine, &order, &limit)?) {
                (_, Ok(_)) => {}
                // Some engines pass by themselves, and refuse to pass again.
                (Move::Pass, Err(_)) => {}
                (Move::Place(_), Err(why)) => return Err(refused(engine, &order, &why)),
            }
            self.moves.push(mv);
        }
        // Rounds, because in milliseconds the time would differ at every move.
        let time = Duration::from_millis((limit.time.as_millis() as u64).div_ceil(10) * 10);
        let new_time = Some((time, limit.reason));
        if new_time != self.sent_time {
            self.sent_time = new_time;
            for order in time_settings(time, limit.reason) {
                // An engine without a clock may refuse all of them.
                if command(engine, &order, &limit)?.is_ok() {
                    break;
                }
            }
        }
        let order = format!("genmove {}", letter(game.position().turn()));
        let answer = command(engine, &order, &limit)?;
        let answer = answer.map_err(|why| refused(engine, &order, &why))?;
        let mv =
            read_move(answer.trim()).ok_or_else(|| engine.protocol_error(&answer, "a square"))?;
        let square = legal(game, mv)?;
        // `genmove` plays the move on the engine's board.
        self.moves.push(mv);
        Ok(Choice::from(square))
    }
}

/// The commands that set an engine's time, best first. The protocol has integers; some engines read
/// fractions as well, and the others may take so many seconds for so many moves.
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

/// Sends a command and returns the answer; an inner error is the engine's refusal.
fn command(
    engine: &mut Engine,
    order: &str,
    limit: &TimeLimit<'_>,
) -> Result<Result<String, String>, Forfeit> {
    engine.send(order, limit)?;
    let mut answer: Option<Result<String, String>> = None;
    loop {
        let line = engine.receive(limit)?;
        let line = line.trim();
        answer = match answer {
            // An empty line ends an answer; we skip those before it.
            None if line.is_empty() => None,
            Some(answer) if line.is_empty() => return Ok(answer),
            None => match line.split_at_checked(1) {
                Some(("=", text)) => Some(Ok(text.trim().to_owned())),
                Some(("?", text)) => Some(Err(text.trim().to_owned())),
                _ => return Err(engine.protocol_error(line, "= or ?")),
            },
            // Skips further lines of the answer, such as a drawn board.
            more => more,
        };
    }
}

/// Sends a command that the engine must not refuse.
fn must(engine: &mut Engine, order: &str, limit: &TimeLimit<'_>) -> Result<(), Forfeit> {
    match command(engine, order, limit)? {
        Ok(_) => Ok(()),
        Err(why) => Err(refused(engine, order, &why)),
    }
}

fn refused(engine: &Engine, order: &str, why: &str) -> Forfeit {
    engine.protocol_error(&format!("? {why}"), &format!("{order:?} to be done"))
}

fn letter(color: Color) -> char {
    match color {
        Color::Black => 'b',
        Color::White => 'w',
    }
}

impl Agent for Gtp {
    fn name(&self) -> String {
        format!("gtp:{}", short_name(&self.command))
    }

    fn prepare(&mut self, game: &Game, _: Color, _: Option<Duration>) -> Result<(), Forfeit> {
        let ready = self.get_ready(game);
        if ready.is_err() {
            (self.engine, self.size) = (None, None);
        }
        ready
    }

    fn answer_time(&self) -> Option<Duration> {
        self.engine.as_ref()?.answer_time()
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
    fn times_are_sent_exactly_and_else_as_integers() {
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
