//! Plays a tournament: games at once on threads, results into a store.
//!
//! Each thread plays game after game. One thread alone, the caller's, writes
//! to the store, decides what follows from results, and takes games away from
//! agents that never answer: their thread is given up and replaced. What is
//! played does not depend on how many threads there are, nor does any game on
//! another: an agent is made anew for each, from a seed of its own.

use crate::agenda::{Agenda, Fixture, Next};
use crate::clock::Clock;
use crate::dice::Dice;
use crate::game::{End, Played, Sheet};
use crate::plan::Plan;
use crate::standings::Outcome;
use crate::store::{Pen, Store, StoreError, Tournament};
use isrever_agent::{Agent, Catalogue, Forfeit, Reason};
use isrever_board::{Color, Game};
use std::collections::HashMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::mpsc::{self, RecvTimeoutError, SyncSender};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// How often overdue agents and the stop flag are looked at.
const LOOK: Duration = Duration::from_millis(50);

/// How long threads are waited for once everything is to stop.
const FAREWELL: Duration = Duration::from_secs(2);

/// What a run needs to know beside the tournament.
pub struct Run<'a> {
    /// Who can play.
    pub catalogue: Arc<Catalogue>,
    /// How many games are played at once.
    pub at_once: usize,
    /// Set it, from any thread, and the run ends soon; games that are being played are lost.
    pub stop: Arc<AtomicBool>,
    /// Told of each game once it is kept.
    pub tell: &'a mut dyn FnMut(&News<'_>),
}

/// A game that has just been kept.
pub struct News<'a> {
    /// Which game.
    pub fixture: Fixture,
    /// How it went.
    pub played: &'a Played,
    /// The tournament with it.
    pub agenda: &'a Agenda,
}

impl Run<'_> {
    /// Plays what is left of a tournament. Whether all of it is played now.
    pub fn play(
        &mut self,
        store: &mut Store,
        pen: &Pen,
        tournament: &Tournament,
    ) -> Result<bool, StoreError> {
        let agenda = store.agenda(tournament)?;
        let openings = store.openings(tournament)?;
        if openings.is_empty() {
            return Err(StoreError::Damaged("there is no opening".to_owned()));
        }
        let keep =
            |fixture: &Fixture, played: &Played| store.add(pen, tournament.id, fixture, played);
        self.play_all(&tournament.plan, openings, agenda, keep)
    }

    /// The same with `keep` for a store: the games come to it as they finish.
    ///
    /// # Panics
    /// If there is no opening.
    pub fn play_all<E>(
        &mut self,
        plan: &Plan,
        openings: Vec<Game>,
        agenda: Agenda,
        mut keep: impl FnMut(&Fixture, &Played) -> Result<(), E>,
    ) -> Result<bool, E> {
        assert!(!openings.is_empty(), "games begin with an opening");
        let hall = Arc::new(Hall {
            players: plan.players.iter().map(|player| player.agent.clone()).collect(),
            clock: plan.clock,
            seed: plan.seed,
            openings,
            catalogue: Arc::clone(&self.catalogue),
            stop: Arc::clone(&self.stop),
            // Set when this run ends, for whatever reason, so that no thread outlives it for long.
            is_closed: AtomicBool::new(false),
            agenda: Mutex::new(agenda),
            has_news: Condvar::new(),
            tables: Mutex::default(),
        });
        let result = self.oversee(&hall, &mut keep);
        hall.is_closed.store(true, Relaxed);
        hall.has_news.notify_all();
        result?;
        Ok(hall.agenda().is_over())
    }

    fn oversee<E>(
        &mut self,
        hall: &Arc<Hall>,
        keep: &mut dyn FnMut(&Fixture, &Played) -> Result<(), E>,
    ) -> Result<(), E> {
        // Who has ended a game waits until there is room: few are ever in nobody's hands.
        let (tell, told) = mpsc::sync_channel(1);
        let mut busy = 0;
        let mut names = 0..;
        let mut hire = || {
            let (hall, tell) = (Arc::clone(hall), tell.clone());
            let name: u64 = names.next().expect("there is no end of names");
            std::thread::spawn(move || hall.work(name, &tell));
        };
        for _ in 0..self.at_once.max(1) {
            hire();
            busy += 1;
        }
        let mut farewell = None;
        while busy > 0 {
            match told.recv_timeout(LOOK) {
                Ok(Told::Played(fixture, played)) => self.conclude(hall, fixture, &played, keep)?,
                Ok(Told::Gone) => busy -= 1,
                Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => {}
            }
            for (fixture, played) in hall.overdue(Instant::now()) {
                // Its thread may never come back.
                hire();
                self.conclude(hall, fixture, &played, keep)?;
            }
            if self.stop.load(Relaxed) {
                let until = *farewell.get_or_insert_with(|| Instant::now() + FAREWELL);
                if Instant::now() >= until {
                    break;
                }
            }
        }
        Ok(())
    }

    /// Keeps a game, and then lets everybody know.
    fn conclude<E>(
        &mut self,
        hall: &Hall,
        fixture: Fixture,
        played: &Played,
        keep: &mut dyn FnMut(&Fixture, &Played) -> Result<(), E>,
    ) -> Result<(), E> {
        keep(&fixture, played)?;
        let mut agenda = hall.agenda();
        agenda.add(&Outcome::of(&fixture, played));
        hall.has_news.notify_all();
        (self.tell)(&News { fixture, played, agenda: &agenda });
        Ok(())
    }
}

/// What a playing thread has to tell.
enum Told {
    /// A game has ended.
    Played(Fixture, Box<Played>),
    /// There is nothing more to do.
    Gone,
}

/// What the playing threads share.
struct Hall {
    players: Vec<String>,
    clock: Clock,
    seed: u64,
    openings: Vec<Game>,
    catalogue: Arc<Catalogue>,
    stop: Arc<AtomicBool>,
    is_closed: AtomicBool,
    agenda: Mutex<Agenda>,
    has_news: Condvar,
    /// The games that are being played, by thread.
    tables: Mutex<HashMap<u64, (Fixture, Arc<Sheet>)>>,
}

impl Hall {
    fn agenda(&self) -> MutexGuard<'_, Agenda> {
        self.agenda.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn tables(&self) -> MutexGuard<'_, HashMap<u64, (Fixture, Arc<Sheet>)>> {
        self.tables.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn is_stopped(&self) -> bool {
        self.stop.load(Relaxed) || self.is_closed.load(Relaxed)
    }

    /// Plays games until there are no more.
    fn work(&self, name: u64, tell: &SyncSender<Told>) {
        while let Some(fixture) = self.next() {
            let opening = (fixture.opening % self.openings.len() as u64) as usize;
            let sheet = Arc::new(Sheet::new(self.openings[opening].clone(), self.clock));
            self.tables().insert(name, (fixture, Arc::clone(&sheet)));
            let played = match self.agents(&fixture) {
                Ok(mut agents) => sheet.play(&mut agents, &self.stop),
                Err((color, forfeit)) => {
                    let game = sheet.game();
                    let opening = game.ply();
                    let thoughts = vec![Default::default(); opening];
                    let end = End::Forfeit { color, forfeit };
                    Some(Played { game, opening, thoughts, end })
                }
            };
            let is_mine = self.tables().remove(&name).is_some();
            match played {
                // Nobody listens any longer if the run has ended.
                Some(played) => drop(tell.send(Told::Played(fixture, Box::new(played)))),
                // It was taken away, and somebody else has this thread's place.
                None if !is_mine => return,
                None => break,
            }
        }
        drop(tell.send(Told::Gone));
    }

    /// The next game, as soon as it is known; `None` if there is none.
    fn next(&self) -> Option<Fixture> {
        let mut agenda = self.agenda();
        loop {
            if self.is_stopped() {
                return None;
            }
            match agenda.give_out() {
                Next::Play(fixture) => return Some(fixture),
                Next::Nothing => return None,
                Next::Wait => {
                    let waited = self.has_news.wait_timeout(agenda, LOOK);
                    agenda = waited.unwrap_or_else(PoisonError::into_inner).0;
                }
            }
        }
    }

    /// Both agents of a game, made anew; or who cannot be made, and why.
    fn agents(&self, fixture: &Fixture) -> Result<[Box<dyn Agent>; 2], (Color, Forfeit)> {
        let mut dice = Dice::new(self.seed, fixture.number);
        let mut make = |color: Color, player: usize| {
            let (spec, seed) = (&self.players[player], dice.number());
            let made = catch_unwind(AssertUnwindSafe(|| self.catalogue.make(spec, seed)));
            match made {
                Ok(Ok(agent)) => Ok(agent),
                Ok(Err(error)) => Err((color, Forfeit::new(Reason::Refused, error.to_string()))),
                Err(_) => Err((color, Forfeit::new(Reason::Crash, "it panicked at the start"))),
            }
        };
        let [black, white] = fixture.players;
        Ok([make(Color::Black, black)?, make(Color::White, white)?])
    }

    /// Takes the games away whose agents are long overdue.
    fn overdue(&self, now: Instant) -> Vec<(Fixture, Played)> {
        let mut tables = self.tables();
        let mut seized = Vec::new();
        tables.retain(|_, (fixture, sheet)| match sheet.seize(now) {
            None => true,
            Some(played) => {
                seized.push((*fixture, played));
                false
            }
        });
        seized
    }
}
