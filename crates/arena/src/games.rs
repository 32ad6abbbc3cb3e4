//! The games of a tournament as jobs, which any machine may play.
//!
//! A game depends on the plan, the openings and its pairing alone: it has new
//! agents, with seeds of their own. [`Games::manifest`] writes the first two
//! down for another machine, [`Games::read`] reads them there.

use crate::attached::Attached;
use crate::game::Played;
use crate::live::{LiveGame, Maker, Unplayed, maker};
use crate::pairing::Pairing;
use crate::plan::Plan;
use crate::referee::side;
use crate::seat::Seat;
use crate::spec::Spec;
use crate::written::transcript;
use isrever_agent::{Catalogue, Rng};
use isrever_board::Game;
use isrever_board::text::write_moves;
use isrever_jobs::{Failure, Manifest, Work};
use serde::{Deserialize, Serialize};
use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::{Duration, Instant};

/// How long to wait before each further attempt at a game that this machine could not play.
const PAUSES: [Duration; 2] = [Duration::from_millis(500), Duration::from_secs(2)];

/// How often a pause looks at the stop flag.
const POLL: Duration = Duration::from_millis(50);

/// The games of a tournament.
pub struct Games {
    shared: Arc<Shared>,
}

struct Shared {
    plan: Plan,
    openings: Vec<Game>,
    catalogue: Arc<Catalogue>,
}

/// The games in writing.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Text {
    spec: Spec,
    openings: Vec<String>,
}

/// Why a text is not that of games.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ManifestError(String);

impl fmt::Display for ManifestError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "not the games of a tournament: {}", self.0)
    }
}

impl std::error::Error for ManifestError {}

impl Games {
    /// What manifests of games say they are.
    pub const KIND: &'static str = "game";

    /// The games of a plan.
    ///
    /// # Panics
    /// If there is no opening.
    pub fn new(plan: Plan, openings: Vec<Game>, catalogue: Arc<Catalogue>) -> Games {
        assert!(!openings.is_empty(), "games begin with an opening");
        Games { shared: Arc::new(Shared { plan, openings, catalogue }) }
    }

    /// The games of a manifest's text; `find` says where a file is that it names.
    pub fn read(
        text: &str,
        catalogue: Arc<Catalogue>,
        find: &dyn Fn(&str) -> Option<PathBuf>,
    ) -> Result<Games, ManifestError> {
        let error = |error: &dyn fmt::Display| ManifestError(error.to_string());
        let Text { spec, openings } = serde_json::from_str(text).map_err(|why| error(&why))?;
        let mut plan = spec.plan().map_err(|why| error(&why))?;
        for player in &mut plan.players {
            player.agent =
                Attached::receive(&player.agent, &catalogue, find).map_err(|why| error(&why))?;
        }
        let openings = openings.iter().map(|line| transcript(line, plan.rule));
        let openings: Vec<Game> = openings.collect::<Result<_, _>>().map_err(|why| error(&why))?;
        if openings.is_empty() {
            return Err(error(&"there is no opening"));
        }
        Ok(Games::new(plan, openings, catalogue))
    }

    /// Makes sure that all agents can be made on this machine; or says why one cannot.
    pub fn check(&self) -> Result<(), String> {
        let Shared { plan, catalogue, .. } = self.shared.as_ref();
        plan.players.iter().try_for_each(|player| {
            let checked = catalogue.check(&player.agent, plan.rule, plan.size);
            checked.map_err(|error| format!("{}: {error}", player.name))
        })
    }
}

impl Work for Games {
    type Job = Pairing;
    type Output = Played;
    type ThreadState = Seat;

    fn thread_state(&self) -> Seat {
        Seat::default()
    }

    fn perform(
        &self,
        seat: &mut Seat,
        pairing: &Pairing,
        stop: &Arc<AtomicBool>,
    ) -> Result<Played, Failure> {
        let places = 0..self.shared.plan.players.len();
        if !pairing.players.iter().all(|player| places.contains(player)) {
            return Err(Failure::Machine(format!("there is no such pairing: {pairing:?}")));
        }
        let mut pauses = PAUSES.into_iter();
        loop {
            if stop.load(Relaxed) {
                return Err(Failure::Stopped);
            }
            let live = Arc::new(self.shared.begin(pairing));
            let (shared, pairing, flag) = (Arc::clone(&self.shared), *pairing, Arc::clone(stop));
            let played = seat.play(&live, move |live| shared.play(&pairing, live, &flag), stop);
            match (played, pauses.next()) {
                (Ok(played), _) => return Ok(played),
                (Err(Unplayed::Stopped), _) => return Err(Failure::Stopped),
                // A game that this machine could not play is void, and played again.
                (Err(Unplayed::Machine(..)), Some(pause)) => wait(pause, stop),
                (Err(Unplayed::Machine(color, forfeit)), None) => {
                    let player = &self.shared.plan.players[pairing.players[side(color)]];
                    return Err(Failure::Machine(format!("{} {forfeit}", player.name)));
                }
            }
        }
    }

    fn manifest(&self) -> Result<Manifest, String> {
        let Shared { plan, openings, catalogue } = self.shared.as_ref();
        let mut sent = plan.clone();
        let attached = Attached::default();
        for player in &mut sent.players {
            player.agent = attached.send(&player.agent, catalogue)?;
        }
        let openings = openings.iter().map(|opening| write_moves(opening, true)).collect();
        Ok(Manifest {
            attachments: attached.into_files(),
            // Of a machine with very many cores: an agent that takes all there are takes these.
            threads: plan.threads(catalogue, usize::MAX),
            memory_bytes: plan.memory_bytes(catalogue),
            speed: plan.speed,
            ..Manifest::new(Games::KIND, &Text { spec: Spec::from(&sent), openings })
        })
    }
}

/// Waits for `time`, or until somebody sets `stop`.
fn wait(time: Duration, stop: &AtomicBool) {
    let until = Instant::now() + time;
    while !stop.load(Relaxed) && Instant::now() < until {
        std::thread::sleep(POLL.min(until.saturating_duration_since(Instant::now())));
    }
}

impl Shared {
    /// A game that has not begun.
    fn begin(&self, pairing: &Pairing) -> LiveGame {
        let opening = (pairing.opening % self.openings.len() as u64) as usize;
        LiveGame::new(self.openings[opening].clone(), self.plan.clock)
    }

    /// Plays a game with agents made for it.
    fn play(
        &self,
        pairing: &Pairing,
        live: &LiveGame,
        stop: &Arc<AtomicBool>,
    ) -> Result<Played, Unplayed> {
        let mut rng = Rng::game(self.plan.seed, pairing.number);
        let [black, white] = pairing.players.map(|place| &self.plan.players[place].agent);
        let [black, white] = [black, white].map(|spec| maker(&self.catalogue, spec));
        let agents = [&black as &Maker<'_>, &white].map(|make| (make, rng.number()));
        live.play_new(agents, None, stop)
    }
}
