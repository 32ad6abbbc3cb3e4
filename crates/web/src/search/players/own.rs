//! Moves of the owner's agents, whose processes think while a thread waits for them.

use super::{Agent, Players, Seed, Thought, within};
use crate::refusal::{Code, Refusal};
use isrever_agent::{Choice, Forfeit, Limits};
use isrever_board::Game;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};
use tokio::sync::oneshot;

/// The most of what an agent has printed that is passed on, in bytes.
pub(crate) const MOST_PRINTED: usize = 8 << 10;

impl Players {
    /// Has an own agent choose, on a thread that waits for it: its process thinks, whatever the
    /// pool's threads do. Refused if others think for longer than `patience`.
    pub(crate) async fn ask_own(
        &self,
        agent: &Agent,
        seed: Seed,
        game: &Game,
        (time, patience): (Duration, Duration),
    ) -> Result<Thought, Refusal> {
        let permit = Arc::clone(&self.own_permits).acquire_owned();
        let permit = tokio::time::timeout(patience, permit).await;
        let permit = permit.ok().and_then(Result::ok).ok_or_else(Refusal::busy)?;
        // Whoever stops waiting stops the agent.
        let leaver = Leaver(Arc::default());
        let (players, agent, game) = (self.clone(), agent.clone(), game.clone());
        let stop = Arc::clone(&leaver.0);
        let (tell, told) = oneshot::channel();
        tokio::task::spawn_blocking(move || {
            let _permit = permit;
            players.choose_own(&agent, seed, &game, &within(time, &stop), tell);
        });
        told.await.unwrap_or_else(|_| Err(Refusal::internal()))
    }

    /// Has an own agent choose, lets it tidy up for its next move in the game, and tells its answer.
    fn choose_own(
        &self,
        agent: &Agent,
        seed: Seed,
        game: &Game,
        limits: &Limits,
        tell: oneshot::Sender<Result<Thought, Refusal>>,
    ) {
        let spec = agent.full();
        let mut made = match self.own_kept.take(&spec, game, Instant::now()) {
            Some(kept) => kept,
            None => match self.own.catalogue().make(spec.clone(), seed.number()) {
                Ok(made) => made,
                Err(error) => {
                    let _ = tell.send(Err(failed(agent, &error.to_string(), None)));
                    return;
                }
            },
        };
        let answer = started(made.as_mut(), game, limits);
        let printed = made.take_printed().map(|printed| end_of(&printed));
        let thought = match answer {
            Ok(choice) => Ok(Thought {
                choice,
                candidates: made.candidates(),
                printed,
                time: made.answer_time(),
            }),
            Err(forfeit) => Err(failed(agent, &forfeit.to_string(), printed)),
        };
        if thought.is_ok() {
            // Before the answer, which may be followed at once by the question for the next move.
            made.settle();
            self.own_kept.put(&spec, game, made, Instant::now());
        }
        // The caller may have left.
        let _ = tell.send(thought);
    }
}

/// Sets its flag when it is dropped.
struct Leaver(Arc<AtomicBool>);

impl Drop for Leaver {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// An agent's choice, after its start if it has not started: that takes none of its time.
fn started(
    agent: &mut dyn isrever_agent::Agent,
    game: &Game,
    limits: &Limits,
) -> Result<Choice, Forfeit> {
    let began = Instant::now();
    let time = limits.deadline.map(|deadline| deadline.saturating_duration_since(began));
    let turn = game.turn().expect("the side to move has a move");
    agent.prepare(game, turn, time)?;
    let deadline = time.map(|time| Instant::now() + time);
    agent.choose(game, &Limits { deadline, ..limits.clone() })
}

/// The refusal of a move because the agent failed: for its owner to read.
fn failed(agent: &Agent, why: &str, printed: Option<String>) -> Refusal {
    let output = printed.filter(|printed| !printed.is_empty());
    let message = format!("{}: {why}", agent.spec());
    Refusal { output, ..Refusal::of("agent", Code::AgentFailed, message) }
}

/// The last lines of a text that may be too long to pass on.
fn end_of(text: &str) -> String {
    let Some(cut) = text.len().checked_sub(MOST_PRINTED).filter(|&cut| cut > 0) else {
        return text.to_owned();
    };
    let cut = text.ceil_char_boundary(cut);
    let rest = &text[cut..];
    format!("…{}", rest.find('\n').map_or(rest, |line| &rest[line..]))
}
