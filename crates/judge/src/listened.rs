//! An agent whose output is collected, for its author to read.

use isrever_agent::{Agent, Candidate, Choice, Forfeit, Limits};
use isrever_board::{Color, Game};
use isrever_guest::{Turn, Turns};
use std::fmt::Write;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

/// The most bytes that are collected of one agent in a game.
const MOST: usize = 64 << 10;

/// What an agent has printed so far, readable while it plays.
#[derive(Clone, Default)]
pub(crate) struct Heard(Arc<Mutex<String>>);

impl Heard {
    pub(crate) fn text(&self) -> String {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn add(&self, game: &Game, printed: &str) {
        let mut text = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if text.len() + printed.len() < MOST && !printed.is_empty() {
            // Writing to a string cannot fail.
            let _ = writeln!(text, "move {}:\n{}", game.ply() + 1, printed.trim_end());
        }
    }
}

/// An agent that is listened to.
pub(crate) struct Listened {
    pub(crate) agent: Box<dyn Agent>,
    pub(crate) heard: Heard,
    /// The turns that it takes, if the agent knows of none itself.
    pub(crate) turns: Option<Arc<Turns>>,
    /// The turn that its next answer has waited for.
    pub(crate) turn: Option<Turn>,
}

impl Agent for Listened {
    fn name(&self) -> String {
        self.agent.name()
    }

    fn prepare(
        &mut self,
        game: &Game,
        color: Color,
        time: Option<Duration>,
    ) -> Result<(), Forfeit> {
        let ready = self.agent.prepare(game, color, time);
        self.turn = None;
        self.listen(game);
        ready
    }

    fn await_turn(&mut self, stop: &AtomicBool) {
        match &self.turns {
            Some(turns) if self.turn.is_none() => self.turn = turns.take(stop),
            Some(_) => {}
            None => self.agent.await_turn(stop),
        }
    }

    fn choose(&mut self, game: &Game, limits: &Limits) -> Result<Choice, Forfeit> {
        let choice = self.agent.choose(game, limits);
        self.turn = None;
        self.listen(game);
        choice
    }

    fn candidates(&self) -> Vec<Candidate> {
        self.agent.candidates()
    }

    fn answer_time(&self) -> Option<Duration> {
        self.agent.answer_time()
    }

    fn settle(&mut self) {
        self.agent.settle();
    }
}

impl Listened {
    fn listen(&mut self, game: &Game) {
        if let Some(printed) = self.agent.take_printed() {
            self.heard.add(game, &printed);
        }
    }
}
