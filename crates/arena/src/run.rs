//! Plays a tournament: several games at once on threads, results into a store.
//!
//! Each thread plays game after game. The caller's thread alone writes to the
//! store, decides what follows from results, and takes games away from agents
//! that never answer: it gives up their thread and starts another. The number of
//! threads does not change what is played, and no game depends on another: each
//! has new agents, with seeds of their own.

use crate::clock::Clock;
use crate::game::Played;
use crate::live::{LiveGame, Maker, Unplayed, maker};
use crate::pairing::{Outcome, Pairing};
use crate::plan::{Plan, Player};
use crate::referee::side;
use crate::schedule::{Next, Schedule};
use crate::store::{Pen, Store, StoreError, Tournament};
use isrever_agent::{Catalogue, Forfeit, Rng};
use isrever_board::Game;
use std::collections::HashMap;
use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::mpsc::{self, RecvTimeoutError, SyncSender};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// How often the run looks for overdue agents and at the stop flag.
const POLL: Duration = Duration::from_millis(50);

/// How long a stopped run waits for its threads.
const STOP_WAIT: Duration = Duration::from_secs(2);

/// How long to wait before each further attempt at a game that this machine could not play.
const PAUSES: [Duration; 2] = [Duration::from_millis(500), Duration::from_secs(2)];

/// Why a run ended early.
#[derive(Debug)]
pub enum RunError<E> {
    /// A game could not be kept.
    Keep(E),
    /// This machine cannot run a player: its name, and why.
    Machine(String, Forfeit),
}

impl<E: fmt::Display> fmt::Display for RunError<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RunError::Keep(error) => error.fmt(f),
            RunError::Machine(player, forfeit) => write!(f, "{player} {forfeit}"),
        }
    }
}

impl<E: fmt::Debug + fmt::Display> std::error::Error for RunError<E> {}

impl<E> From<E> for RunError<E> {
    fn from(error: E) -> RunError<E> {
        RunError::Keep(error)
    }
}

/// How to play a tournament.
pub struct Run<'a> {
    /// Makes the agents.
    pub catalogue: Arc<Catalogue>,
    /// How many games are played at once.
    pub at_once: usize,
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
        let schedule = store.schedule(tournament)?;
        let openings = store.openings(tournament)?;
        if openings.is_empty() {
            return Err(StoreError::Damaged("there is no opening".to_owned()).into());
        }
        let keep =
            |pairing: &Pairing, played: &Played| store.add(pen, tournament.id, pairing, played);
        self.play_all(&tournament.plan, openings, schedule, keep)
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
        assert!(!openings.is_empty(), "games begin with an opening");
        let shared = Arc::new(Shared {
            players: plan.players.clone(),
            clock: plan.clock,
            seed: plan.seed,
            openings,
            catalogue: Arc::clone(&self.catalogue),
            stop: Arc::clone(&self.stop),
            // Set when this run ends, for whatever reason, so that no thread outlives it for long.
            is_closed: AtomicBool::new(false),
            schedule: Mutex::new(schedule),
            has_news: Condvar::new(),
            live_games: Mutex::default(),
        });
        let result = self.oversee(&shared, &mut keep);
        shared.is_closed.store(true, Relaxed);
        shared.has_news.notify_all();
        result?;
        Ok(shared.schedule().is_over())
    }

    fn oversee<E>(
        &mut self,
        shared: &Arc<Shared>,
        keep: &mut dyn FnMut(&Pairing, &Played) -> Result<(), E>,
    ) -> Result<(), RunError<E>> {
        // A thread with a finished game waits until the last one is kept: few are ever unsaved.
        let (send, receive) = mpsc::sync_channel(1);
        let mut busy = 0;
        let mut ids = 0..;
        let mut start_thread = || {
            let (shared, send) = (Arc::clone(shared), send.clone());
            let id: u64 = ids.next().expect("there is no end of numbers");
            std::thread::spawn(move || shared.work(id, &send));
        };
        for _ in 0..self.at_once.max(1) {
            start_thread();
            busy += 1;
        }
        let mut give_up_at = None;
        while busy > 0 {
            match receive.recv_timeout(POLL) {
                Ok(Message::Played(pairing, played)) => {
                    self.conclude(shared, pairing, &played, keep)?;
                }
                Ok(Message::Unplayable(player, forfeit)) => {
                    let name = shared.players[player].name.clone();
                    return Err(RunError::Machine(name, forfeit));
                }
                Ok(Message::Idle) => busy -= 1,
                Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => {}
            }
            for (pairing, played) in shared.seize_overdue(Instant::now()) {
                // The thread of that game may never come back.
                start_thread();
                self.conclude(shared, pairing, &played, keep)?;
            }
            if self.stop.load(Relaxed) {
                let until = *give_up_at.get_or_insert_with(|| Instant::now() + STOP_WAIT);
                if Instant::now() >= until {
                    break;
                }
            }
        }
        Ok(())
    }

    /// Keeps a game, and then tells everybody.
    fn conclude<E>(
        &mut self,
        shared: &Shared,
        pairing: Pairing,
        played: &Played,
        keep: &mut dyn FnMut(&Pairing, &Played) -> Result<(), E>,
    ) -> Result<(), E> {
        keep(&pairing, played)?;
        let mut schedule = shared.schedule();
        schedule.add(&Outcome::of(&pairing, played));
        shared.has_news.notify_all();
        (self.tell)(&News { pairing, played, schedule: &schedule });
        Ok(())
    }
}

/// What a playing thread reports.
enum Message {
    /// A game has ended.
    Played(Pairing, Box<Played>),
    /// This machine cannot run a player.
    Unplayable(usize, Forfeit),
    /// The thread ends: there is nothing more to play.
    Idle,
}

/// What the playing threads share.
struct Shared {
    players: Vec<Player>,
    clock: Clock,
    seed: u64,
    openings: Vec<Game>,
    catalogue: Arc<Catalogue>,
    stop: Arc<AtomicBool>,
    is_closed: AtomicBool,
    schedule: Mutex<Schedule>,
    has_news: Condvar,
    /// The games that are being played, by thread.
    live_games: Mutex<HashMap<u64, (Pairing, Arc<LiveGame>)>>,
}

impl Shared {
    fn schedule(&self) -> MutexGuard<'_, Schedule> {
        self.schedule.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn live_games(&self) -> MutexGuard<'_, HashMap<u64, (Pairing, Arc<LiveGame>)>> {
        self.live_games.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn is_stopped(&self) -> bool {
        self.stop.load(Relaxed) || self.is_closed.load(Relaxed)
    }

    /// Plays games on thread `id` until there are no more.
    fn work(&self, id: u64, send: &SyncSender<Message>) {
        while let Some(pairing) = self.next() {
            let mut pauses = PAUSES.into_iter();
            let (played, is_mine) = loop {
                let opening = (pairing.opening % self.openings.len() as u64) as usize;
                let live = Arc::new(LiveGame::new(self.openings[opening].clone(), self.clock));
                self.live_games().insert(id, (pairing, Arc::clone(&live)));
                let played = self.play(&pairing, &live);
                let is_mine = self.live_games().remove(&id).is_some();
                // A game that this machine could not play is void, and played again.
                match (&played, pauses.next()) {
                    (Err(Unplayed::Machine(..)), Some(pause)) => self.wait(pause),
                    _ => break (played, is_mine),
                }
            };
            match played {
                // The receiver is gone if the run has ended.
                Ok(played) => drop(send.send(Message::Played(pairing, Box::new(played)))),
                Err(Unplayed::Machine(color, forfeit)) => {
                    let player = pairing.players[side(color)];
                    drop(send.send(Message::Unplayable(player, forfeit)));
                    break;
                }
                // The game was taken away, and another thread has this one's place.
                Err(Unplayed::Stopped) if !is_mine => return,
                Err(Unplayed::Stopped) => break,
            }
        }
        drop(send.send(Message::Idle));
    }

    /// Waits for `time`, or until the run is stopped.
    fn wait(&self, time: Duration) {
        let until = Instant::now() + time;
        while !self.is_stopped() && Instant::now() < until {
            std::thread::sleep(POLL.min(until.saturating_duration_since(Instant::now())));
        }
    }

    /// Plays a game with agents made for it.
    fn play(&self, pairing: &Pairing, live: &LiveGame) -> Result<Played, Unplayed> {
        let mut rng = Rng::game(self.seed, pairing.number);
        let [black, white] = pairing.players.map(|place| &self.players[place].agent);
        let [black, white] = [black, white].map(|spec| maker(&self.catalogue, spec));
        let agents = [&black as &Maker<'_>, &white].map(|make| (make, rng.number()));
        live.play_new(agents, None, &self.stop)
    }

    /// The next game, as soon as it is known; `None` if there is none.
    fn next(&self) -> Option<Pairing> {
        let mut schedule = self.schedule();
        loop {
            if self.is_stopped() {
                return None;
            }
            match schedule.give_out() {
                Next::Play(pairing) => return Some(pairing),
                Next::Nothing => return None,
                Next::Wait => {
                    let waited = self.has_news.wait_timeout(schedule, POLL);
                    schedule = waited.unwrap_or_else(PoisonError::into_inner).0;
                }
            }
        }
    }

    /// Takes away the games whose agents are long overdue.
    fn seize_overdue(&self, now: Instant) -> Vec<(Pairing, Played)> {
        let mut live_games = self.live_games();
        let mut seized = Vec::new();
        live_games.retain(|_, (pairing, live)| match live.seize(now) {
            None => true,
            Some(played) => {
                seized.push((*pairing, played));
                false
            }
        });
        seized
    }
}
