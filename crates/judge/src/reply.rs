//! Lets an agent reply to a person's move.

use crate::listened::{Heard, Listened};
use crate::play::settings;
use isrever_agent::{Agent, Limits};
use isrever_club::{Reply, ToReply};
use isrever_guest::{Python, PythonSettings, Source};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

/// The reply of an agent that is started for this move alone.
pub(crate) fn reply(
    asked: &ToReply,
    source: Source,
    usual: &PythonSettings,
    stop: &Arc<AtomicBool>,
) -> Reply {
    // Nobody else has a clock: the agent's host keeps the time for its move.
    let settings = PythonSettings {
        seed: asked.seed,
        is_move_time_own: true,
        is_game_time_own: false,
        ..settings(&asked.terms, usual)
    };
    let time = settings.move_time;
    let heard = Heard::default();
    let agent = Box::new(Python::new(source, settings));
    let mut agent = Listened { agent, heard: heard.clone(), turns: None, turn: None };
    let game = &asked.so_far.game;
    let color = game.position().turn();
    let limits = Limits { stop: Arc::clone(stop), ..Limits::default() };
    let mut taken = Duration::ZERO;
    agent.await_turn(stop);
    let answer = agent.prepare(game, color, Some(time)).and_then(|()| {
        agent.await_turn(stop);
        let began = Instant::now();
        let answer = agent.choose(game, &limits);
        taken = agent.answer_time().unwrap_or_else(|| began.elapsed());
        answer
    });
    Reply { answer, taken, output: heard.text() }
}
