//! Games between individuals: agents play to the last squares, then a proof decides.
//!
//! Report 000's players play the last twelve squares perfectly. If both do, the
//! first position with so few empty squares decides the game, and the solver says
//! who has won: the same results as if they had played it out, several hundred
//! times as fast.

use super::seed::{Purpose, seed};
use isrever_agent::{AgentSpec, Catalogue, Limits, Rng};
use isrever_arena::{Adjudicator, Clock, Counts, Match, Meeting, Openings, Unplayed, maker};
use isrever_board::{Color, Game, Rule, Size};
use isrever_search::{Control, Goal, Searcher, Settings};
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex};

/// Memory of a solver in bytes, enough for endings.
const HASH_BYTES: usize = 1 << 20;

/// How games are played.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Games {
    pub(super) rule: Rule,
    pub(super) size: Size,
    pub(super) openings: Openings,
    /// A proof decides the game once so few squares are empty; 0 plays every game out.
    pub(super) ending: u32,
    /// The limits of both players.
    pub(super) depth: Option<u32>,
    pub(super) nodes: Option<u64>,
}

impl Games {
    pub(super) fn limits(&self) -> Limits {
        Limits { depth: self.depth, nodes: self.nodes, ..Limits::default() }
    }

    fn clock(&self) -> Clock {
        Clock { depth: self.depth, nodes: self.nodes, ..Clock::untimed() }
    }
}

/// Follows the work, and may stop it.
pub struct Watch<'a> {
    /// Called after each game, pair of games or tree.
    pub done: &'a (dyn Fn() + Sync),
    /// Set it to end the work soon; unfinished work is lost.
    pub stop: &'a Arc<AtomicBool>,
}

/// Plays matches between agents of a catalogue, and lends solvers to those that decide games.
pub(super) struct GameRunner<'a> {
    pub(super) catalogue: &'a Catalogue,
    pub(super) games: &'a Games,
    solvers: Mutex<Vec<Searcher>>,
}

/// Two agents, as specs, and the number of their pair of games: all else follows from it.
#[derive(Clone, Debug)]
pub(super) struct Matchup<'a> {
    pub(super) specs: [&'a AgentSpec; 2],
    pub(super) pair: u64,
    /// One game, whose colours are drawn, instead of two.
    pub(super) is_single: bool,
}

impl<'a> GameRunner<'a> {
    pub(super) fn new(catalogue: &'a Catalogue, games: &'a Games) -> GameRunner<'a> {
        GameRunner { catalogue, games, solvers: Mutex::default() }
    }

    /// The counts of each matchup, seen by its first player, on the threads of the current pool;
    /// or why there are none. Matchups with the same pair number share their opening and
    /// all that the players draw by chance.
    pub(super) fn play(
        &self,
        matchups: &[Matchup<'_>],
        place: (u64, Purpose, u64),
        watch: &Watch<'_>,
    ) -> Result<Vec<Counts>, Unplayed> {
        let seed = seed(place.0, place.1, place.2);
        let pairs = matchups.iter().map(|matchup| matchup.pair + 1).max().unwrap_or(0);
        let count = usize::try_from(pairs).expect("openings fit into memory");
        let Games { rule, size, openings, ending, .. } = self.games;
        let openings = openings.draw(*rule, *size, seed, count);
        let makers: Vec<_> =
            matchups.iter().map(|one| one.specs.map(|spec| maker(self.catalogue, spec))).collect();
        let sign = |game: &Game| self.prove(game);
        let conditions = Match {
            adjudicator: Some(Adjudicator { empties: *ending, sign: &sign }),
            ..Match::new(self.games.clock(), watch.stop, watch.done)
        };
        conditions.play_each(0..matchups.len() as u64, |number| {
            let number = number as usize;
            let (matchup, [first, second]) = (&matchups[number], &makers[number]);
            let opening = openings[matchup.pair as usize % openings.len()].clone();
            let mut rng = Rng::stream(seed, matchup.pair);
            let meeting = Meeting::pair([first, second], opening, &mut rng);
            Meeting { single: matchup.is_single.then(|| matchup.color(seed)), ..meeting }
        })
    }

    /// The sign of the score for the side to move.
    fn prove(&self, game: &Game) -> i32 {
        let lent = self.solvers.lock().expect("nobody panics with it").pop();
        let Games { rule, size, .. } = *self.games;
        let settings = Settings { hash_bytes: HASH_BYTES, ..Settings::new(rule, size) };
        let mut solver = lent.unwrap_or_else(|| Searcher::new(settings));
        let board = game.position().board().expect("the plan has checked the size");
        // Earlier positions may change how the solver finds the answer, never the answer.
        let sign = solver.search(board, Goal::Wld, Control::NONE).score().signum();
        self.solvers.lock().expect("nobody panics with it").push(solver);
        sign
    }
}

impl Matchup<'_> {
    /// The first player's colour in a single game, drawn by both specs and the pair's number.
    fn color(&self, seed: u64) -> Color {
        let bytes = self.specs.iter().flat_map(|spec| spec.as_str().bytes());
        let number =
            bytes.fold(self.pair, |sum, byte| sum.wrapping_mul(31).wrapping_add(byte.into()));
        if Rng::stream(seed, number).below(2) == 0 { Color::Black } else { Color::White }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn games(ending: u32) -> Games {
        Games {
            rule: Rule::Reversed,
            size: Size::SIX,
            openings: Openings::Random(4),
            ending,
            depth: Some(1),
            nodes: None,
        }
    }

    fn counts(games: &Games, specs: [&str; 2], is_single: bool) -> Vec<Counts> {
        let catalogue = isrever_reports::catalogue();
        let [first, second] = specs.map(AgentSpec::new);
        let matchup = |pair| Matchup { specs: [&first, &second], pair, is_single };
        let matchups: Vec<Matchup<'_>> = (0..30).map(matchup).collect();
        let watch = Watch { done: &|| {}, stop: &Arc::default() };
        GameRunner::new(&catalogue, games).play(&matchups, (1, Purpose::Games, 2), &watch).unwrap()
    }

    #[test]
    fn a_proof_says_what_perfect_players_would_have_played() {
        let proved = counts(&games(8), ["greedy:by=squares", "random"], false);
        let played = counts(
            &Games { depth: None, ..games(0) },
            ["greedy-invincible:by=squares,ending=8", "random-invincible:ending=8"],
            false,
        );
        let results = |counts: &[Counts]| {
            counts.iter().map(|c| (c.wins, c.draws, c.losses)).collect::<Vec<_>>()
        };
        assert_eq!(results(&proved), results(&played));
    }

    #[test]
    fn single_games_have_drawn_colours() {
        let single = counts(&games(0), ["random", "greedy"], true);
        assert!(single.iter().all(|counts| counts.games() == 1));
        let turned = counts(&games(0), ["greedy", "random"], true);
        assert_ne!(single.iter().map(|c| c.turned()).collect::<Vec<_>>(), turned);
    }

    #[test]
    fn stopped_games_have_no_result() {
        let catalogue = isrever_reports::catalogue();
        let games = games(0);
        let random = AgentSpec::new("random");
        let matchup = Matchup { specs: [&random, &random], pair: 0, is_single: false };
        let stop = Arc::new(AtomicBool::new(true));
        let watch = Watch { done: &|| {}, stop: &stop };
        let runner = GameRunner::new(&catalogue, &games);
        assert_eq!(runner.play(&[matchup], (1, Purpose::Games, 0), &watch), Err(Unplayed::Stopped));
    }
}
