//! The engine as an agent: it thinks within limits, and always answers.
//!
//! The only place of this crate that reads a clock: a second thread watches it,
//! and the caller's flag, and tells the search when to stop.

use crate::{Control, Goal, Settings, Solver};
use isrever_agent::{
    Agent, Catalogue, Choice, Entry, Forfeit, Genetic, Limited, Limits, Parameters,
};
use isrever_board::{Game, Move, Rule, Size};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::{Duration, Instant};

/// Time for a move where nothing is limited.
const DEFAULT_TIME: Duration = Duration::from_secs(1);

/// How long the caller's flag may go unnoticed.
const LOOK: Duration = Duration::from_millis(2);

/// What is kept of the time for waking up and answering: so much, and a part of all.
const RESERVE: Duration = Duration::from_millis(3);
const RESERVE_PART: u32 = 64;

/// What the engine may use.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PlayerSettings {
    /// How many threads search.
    pub threads: usize,
    /// Memory for remembered boards, in bytes.
    pub hash_bytes: usize,
    /// How often, in hundredths, a cut of the midgame search must be right.
    pub percent: u8,
}

impl Default for PlayerSettings {
    /// One thread, 64 MiB, the most daring cuts: they gain more depth than they lose.
    fn default() -> PlayerSettings {
        PlayerSettings { threads: 1, hash_bytes: 64 << 20, percent: 73 }
    }
}

/// What the engine thinks of a position.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Thought {
    /// The best moves for both sides as far as they are known; empty if the game is over.
    pub line: Vec<Move>,
    /// What the position is worth to the side to move, in discs.
    pub value: i32,
    /// How many plies deep the search was.
    pub depth: u32,
    /// How often, in hundredths, its cuts are right.
    pub percent: u8,
    /// Whether the value is proved.
    pub is_exact: bool,
    /// Boards visited.
    pub nodes: u64,
}

/// The engine, playing.
pub struct Player {
    settings: PlayerSettings,
    /// The search for one rule and size, with what it remembers.
    solver: Option<(Rule, Size, Solver)>,
}

impl Player {
    /// An engine that remembers nothing yet.
    pub fn new(settings: PlayerSettings) -> Player {
        Player { settings, solver: None }
    }

    /// Thinks about the position that `game` is at, within `limits`; for a second where they limit
    /// nothing.
    ///
    /// # Panics
    /// If the board is larger than 8×8.
    pub fn think(&mut self, game: &Game, limits: &Limits) -> Thought {
        let position = game.position();
        let board = position.board().expect("boards up to 8x8 have bits");
        let limits = limits.or_time(DEFAULT_TIME);
        let depth = limits.depth.unwrap_or(u32::MAX).max(1);
        let empties = position.empties();
        // To the end there is a proof in the end; before, daring cuts go deeper.
        let percent = if depth >= empties { 100 } else { self.settings.percent };
        let goal = Goal::Value { depth, percent };
        let solver = self.solver(game.rule(), position.size());
        let solution = watched(&limits, |stop| {
            let control = Control { stop, most_nodes: limits.nodes, ..Control::NONE };
            solver.solve(board, goal, control)
        });
        Thought {
            line: solution.line,
            value: solution.score,
            depth: solution.depth,
            percent: solution.percent,
            is_exact: solution.is_proved,
            nodes: solution.nodes,
        }
    }

    fn solver(&mut self, rule: Rule, size: Size) -> &mut Solver {
        let PlayerSettings { threads, hash_bytes, .. } = self.settings;
        if self.solver.as_ref().is_none_or(|(r, s, _)| (*r, *s) != (rule, size)) {
            // The old memory goes back before there is new.
            self.solver = None;
        }
        let fresh = || {
            let settings = Settings { threads, hash_bytes, ..Settings::new(rule, size) };
            (rule, size, Solver::new(settings))
        };
        &mut self.solver.get_or_insert_with(fresh).2
    }
}

impl Agent for Player {
    fn name(&self) -> String {
        "engine".to_owned()
    }

    fn choose(&mut self, game: &Game, limits: &Limits) -> Result<Choice, Forfeit> {
        if !game.position().size().has_bits() {
            // The search knows no larger boards; the best of the reports' agents does.
            return Genetic::new(Parameters::new(Genetic::table())).choose(game, limits);
        }
        let thought = self.think(game, limits);
        let square = match thought.line.first() {
            Some(&Move::Place(square)) => square,
            _ => unreachable!("asked only where there is a move"),
        };
        Ok(Choice {
            square,
            value: Some(thought.value.into()),
            depth: Some(thought.depth),
            nodes: thought.nodes,
        })
    }
}

/// Agents of this crate and of those below, by name.
pub fn catalogue() -> Catalogue {
    let mut catalogue = isrever_agent::catalogue();
    let about = "the engine: trained patterns, deep search, perfect endings; threads=N, hash=MIB";
    catalogue.add(Entry::new("engine", about, |spec, _| {
        let mut settings = isrever_agent::Settings::new(spec)?;
        let default = PlayerSettings::default();
        let threads = settings.read("threads", "a number from 1 to 1024", |text| {
            text.parse().ok().filter(|threads| (1..=1024).contains(threads))
        })?;
        let hash_mib: Option<usize> = settings.read("hash", "MiB from 1 to 65536", |text| {
            text.parse().ok().filter(|mib| (1..=1 << 16).contains(mib))
        })?;
        let share = settings.share()?;
        settings.finish()?;
        let player = Player::new(PlayerSettings {
            threads: threads.unwrap_or(default.threads),
            hash_bytes: hash_mib.map_or(default.hash_bytes, |mib| mib << 20),
            ..default
        });
        Ok(Limited::new(Box::new(player), share))
    }));
    catalogue
}

/// Does `work` with a flag that is set when the time is over or the caller says so.
fn watched<R>(limits: &Limits, work: impl FnOnce(&AtomicBool) -> R) -> R {
    let deadline = limits.deadline.map(|deadline| {
        let left = deadline.saturating_duration_since(Instant::now());
        deadline - (RESERVE + left / RESERVE_PART).min(left)
    });
    let stop = &AtomicBool::new(limits.stop.load(Relaxed));
    std::thread::scope(|scope| {
        let (done, is_done) = mpsc::channel::<()>();
        // The receiver moves into the thread; the search's end is noticed by the sender's.
        let watch = move || {
            loop {
                let left = deadline.map_or(LOOK, |deadline| {
                    deadline.saturating_duration_since(Instant::now()).min(LOOK)
                });
                if is_done.recv_timeout(left) != Err(RecvTimeoutError::Timeout) {
                    break;
                }
                if limits.stop.load(Relaxed) || deadline.is_some_and(|end| Instant::now() >= end) {
                    stop.store(true, Relaxed);
                    break;
                }
            }
        };
        let watch = std::thread::Builder::new().spawn_scoped(scope, watch);
        if watch.is_err() && deadline.is_some() {
            // Nobody can watch the clock: the quickest answer is the only safe one.
            stop.store(true, Relaxed);
        }
        let result = work(stop);
        drop(done);
        result
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;

    fn thought(limits: &Limits) -> Thought {
        Player::new(PlayerSettings { hash_bytes: 1 << 20, ..PlayerSettings::default() })
            .think(&Game::new(Rule::Reversed, Size::EIGHT), limits)
    }

    #[test]
    fn a_depth_is_kept_and_gives_the_same_thought_again() {
        let first = thought(&Limits::of_depth(6));
        assert_eq!((first.depth, first.percent, first.is_exact), (6, 73, false));
        assert_eq!(first.line.len(), 6);
        assert_eq!(thought(&Limits::of_depth(6)), first);
    }

    #[test]
    fn nodes_are_kept_and_give_the_same_thought_again() {
        let first = thought(&Limits::of_nodes(50_000));
        // Nodes are looked at where boards are remembered; a few leaves may come after.
        assert!((50_000..51_000).contains(&first.nodes), "{}", first.nodes);
        assert!(first.depth >= 3 && !first.line.is_empty());
        assert_eq!(thought(&Limits::of_nodes(50_000)), first);
    }

    #[test]
    fn without_any_time_there_is_a_legal_move() {
        let game = Game::new(Rule::Reversed, Size::EIGHT);
        let stopped = Limits { stop: Arc::new(AtomicBool::new(true)), ..Limits::default() };
        for limits in [Limits::of_time(Duration::ZERO), stopped] {
            let choice = Player::new(PlayerSettings::default()).choose(&game, &limits).unwrap();
            assert!(game.position().moves().contains(&choice.square));
        }
    }

    #[test]
    fn small_and_large_boards_are_played_too() {
        for rule in Rule::ALL {
            for width in [4, 6, 10] {
                let size = Size::new(width).unwrap();
                let game = Game::new(rule, size);
                let mut player = Player::new(PlayerSettings::default());
                let choice = player.choose(&game, &Limits::of_depth(2)).unwrap();
                assert!(game.position().moves().contains(&choice.square));
            }
        }
    }
}
