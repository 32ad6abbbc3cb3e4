//! Plays a tournament: games as jobs of a crew, results into a store.
//!
//! The caller's thread alone writes to the store, and decides what follows from
//! results. Who plays the games, and how many at once, does not change what is
//! played.

use crate::game::Played;
use crate::games::Games;
use crate::pairing::{Outcome, Pairing};
use crate::plan::Plan;
use crate::schedule::{self, Schedule};
use crate::store::{Pen, Store, StoreError, Tournament};
use isrever_agent::Catalogue;
use isrever_board::Game;
use isrever_jobs::{Crew, Done, Next, Origin, RunError};
use std::collections::HashMap;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// How to play a tournament.
pub struct Run<'a> {
    /// Makes the agents.
    pub catalogue: Arc<Catalogue>,
    /// Who plays the games: as many threads as games at once, or other machines.
    pub crew: Crew,
    /// Set it, from any thread, and the run ends soon; unfinished games are lost.
    pub stop: Arc<AtomicBool>,
    /// Is told of each game once it is kept.
    pub tell: &'a mut dyn FnMut(&News<'_>),
}

/// A game that has just been kept.
pub struct News<'a> {
    /// Which game.
    pub pairing: Pairing,
    /// How it went.
    pub played: &'a Played,
    /// The tournament with it.
    pub schedule: &'a Schedule,
}

impl Run<'_> {
    /// Plays the rest of a tournament; `true` if all of it is played now.
    pub fn play(
        &mut self,
        store: &mut Store,
        pen: &Pen,
        tournament: &Tournament,
    ) -> Result<bool, RunError<StoreError>> {
        let schedule = store.schedule(tournament).map_err(RunError::Take)?;
        let openings = store.openings(tournament).map_err(RunError::Take)?;
        if openings.is_empty() {
            return Err(RunError::Take(StoreError::Damaged("there is no opening".to_owned())));
        }
        let keep = |pairing: &Pairing, played: &Played, origin: Option<&Origin>| {
            store.add(pen, tournament.id, pairing, played, origin)
        };
        self.play_and_keep(&tournament.plan, openings, schedule, keep)
    }

    /// The same with `keep` for a store: it receives the games as they finish.
    ///
    /// # Panics
    /// If there is no opening.
    pub fn play_all<E>(
        &mut self,
        plan: &Plan,
        openings: Vec<Game>,
        schedule: Schedule,
        mut keep: impl FnMut(&Pairing, &Played) -> Result<(), E>,
    ) -> Result<bool, RunError<E>> {
        let keep = |pairing: &Pairing, played: &Played, _: Option<&Origin>| keep(pairing, played);
        self.play_and_keep(plan, openings, schedule, keep)
    }

    fn play_and_keep<E>(
        &mut self,
        plan: &Plan,
        openings: Vec<Game>,
        schedule: Schedule,
        mut keep: impl FnMut(&Pairing, &Played, Option<&Origin>) -> Result<(), E>,
    ) -> Result<bool, RunError<E>> {
        let games = Games::new(plan.clone(), openings, Arc::clone(&self.catalogue));
        let state = Mutex::new(State { schedule, pairings: HashMap::new() });
        let mut take = |Done { number, output: played, origin }: Done<Played>| {
            let pairing = lock(&state).pairings.remove(&number).expect("it was given out");
            keep(&pairing, &played, origin.as_ref())?;
            let schedule = &mut lock(&state).schedule;
            schedule.add(&Outcome::of(&pairing, &played));
            (self.tell)(&News { pairing, played: &played, schedule });
            Ok(())
        };
        let total = Some(lock(&state).schedule.most_games());
        self.crew.run_of(total, &games, &|| lock(&state).next(), &mut take, &self.stop)?;
        Ok(lock(&state).schedule.is_over())
    }
}

/// What is played and what is to come.
struct State {
    schedule: Schedule,
    /// The games that are being played, by number.
    pairings: HashMap<u64, Pairing>,
}

impl State {
    /// The next game.
    fn next(&mut self) -> Next<Pairing> {
        match self.schedule.give_out() {
            schedule::Next::Play(pairing) => {
                self.pairings.insert(pairing.number, pairing);
                Next::Job(pairing.number, pairing)
            }
            schedule::Next::Wait => Next::Wait,
            schedule::Next::Nothing => Next::Nothing,
        }
    }
}

fn lock(state: &Mutex<State>) -> MutexGuard<'_, State> {
    state.lock().unwrap_or_else(PoisonError::into_inner)
}
