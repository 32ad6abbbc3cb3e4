//! Plays a game of a battle.

use crate::listened::{Heard, Listened};
use isrever_agent::{Agent, Catalogue, Forfeit, Reason, Rng};
use isrever_arena::{LiveGame, Maker, Played, Seat, Unplayed, maker};
use isrever_board::{Color, Game};
use isrever_club::{Player, Terms, ToPlay};
use isrever_guest::{Python, PythonSettings, Source};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// A game that is about to be played, and can be watched.
pub(crate) struct Match {
    game: ToPlay,
    live: Arc<LiveGame>,
    sources: [Option<Source>; 2],
    heard: [Heard; 2],
}

/// How agents of these terms are run.
pub(crate) fn settings(terms: &Terms, usual: &PythonSettings) -> PythonSettings {
    PythonSettings {
        move_time: Duration::from_millis(terms.move_ms),
        game_time: Duration::from_millis(terms.game_ms),
        memory_bytes: terms.memory_mib << 20,
        ..usual.clone()
    }
}

impl Match {
    /// The game, with the sources of those players that are versions.
    pub(crate) fn new(game: ToPlay, sources: [Option<Source>; 2]) -> Match {
        let live = Arc::new(LiveGame::new(opening(&game), game.terms.clock()));
        Match { game, live, sources, heard: Default::default() }
    }

    /// What black and white have printed.
    pub(crate) fn outputs(&self) -> [String; 2] {
        self.heard.each_ref().map(Heard::text)
    }

    /// Plays the game to its end.
    pub(crate) fn play(
        &self,
        seat: &mut Seat,
        catalogue: &Arc<Catalogue>,
        usual: &PythonSettings,
        stop: &Arc<AtomicBool>,
    ) -> Result<Played, Unplayed> {
        let seats = [0, 1].map(|side| Prepared {
            player: self.game.players[side].clone(),
            source: self.sources[side].clone(),
            settings: settings(&self.game.terms, usual),
            heard: self.heard[side].clone(),
            catalogue: Arc::clone(catalogue),
        });
        // As the arena draws them: black's first.
        let mut rng = Rng::game(self.game.seed, self.game.number);
        let seeds = [(); 2].map(|()| rng.number());
        let flag = Arc::clone(stop);
        let play = move |live: &LiveGame| {
            let makers = seats.each_ref().map(|seat| move |seed| seat.make(seed));
            let agents = [0, 1].map(|side| (&makers[side] as &Maker<'_>, seeds[side]));
            live.play_new(agents, None, &flag)
        };
        seat.play(&self.live, play, stop)
    }

    /// The moves so far as a transcript, and the milliseconds that black and white have used.
    pub(crate) fn progress(&self) -> (Game, [i64; 2]) {
        let so_far = self.live.progress();
        let used = |color| i64::try_from(so_far.time(color).as_millis()).unwrap_or(i64::MAX);
        let clocks = [Color::Black, Color::White].map(used);
        (so_far.game, clocks)
    }
}

/// What a game begins with.
fn opening(game: &ToPlay) -> Game {
    let Terms { rule, size, .. } = game.terms;
    let count = usize::try_from(game.pairs).unwrap_or(1);
    let mut openings = game.terms.openings(game.pairs).draw(rule, size, game.seed, count);
    match openings.is_empty() {
        true => Game::new(rule, size),
        false => openings.swap_remove((game.opening % openings.len() as u64) as usize),
    }
}

/// Everything that makes one side's agent.
struct Prepared {
    player: Player,
    source: Option<Source>,
    settings: PythonSettings,
    heard: Heard,
    catalogue: Arc<Catalogue>,
}

impl Prepared {
    fn make(&self, seed: u64) -> Result<Box<dyn Agent>, Forfeit> {
        let agent: Box<dyn Agent> = match (&self.player, &self.source) {
            (Player::BuiltIn(spec), _) => maker(&self.catalogue, spec.as_str())(seed)?,
            (Player::Version(_), Some(source)) => {
                // The arena has the clocks.
                let settings = PythonSettings {
                    seed,
                    is_move_time_own: false,
                    is_game_time_own: false,
                    ..self.settings.clone()
                };
                Box::new(Python::new(source.clone(), settings))
            }
            (Player::Version(_), None) | (Player::Person(_), _) => {
                let message = "there is no source to play with";
                return Err(Forfeit::new(Reason::Refused, message));
            }
        };
        // A version takes turns itself.
        let turns = match &self.player {
            Player::BuiltIn(_) => self.settings.turns.clone(),
            Player::Version(_) | Player::Person(_) => None,
        };
        Ok(Box::new(Listened { agent, heard: self.heard.clone(), turns, turn: None }))
    }
}
