//! Games between individuals: agents play to the last squares, then a proof decides.
//!
//! Report 000's players play the last twelve squares perfectly. If both do, the
//! first position with so few empty squares decides the game, and the solver says
//! who has won: the same results as if they had played it out, several hundred
//! times as fast.

use super::matchups::{Listed, Matchups};
use super::seed::{Purpose, seed};
use isrever_agent::{AgentSpec, Catalogue, Limits};
use isrever_arena::{Clock, Counts, Openings};
use isrever_board::{Rule, Size};
use isrever_jobs::{Crew, Unfinished};
use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// Matchups of one job.
const BATCH: usize = 16;

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

    pub(super) fn clock(&self) -> Clock {
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

/// Has matches between agents of a catalogue played.
pub(super) struct GameRunner<'a> {
    pub(super) catalogue: &'a Arc<Catalogue>,
    pub(super) games: &'a Games,
    pub(super) crew: &'a Crew,
}

/// Two agents, as specs, and the number of their pair of games: all else follows from it.
#[derive(Clone, Debug)]
pub(super) struct Matchup<'a> {
    pub(super) specs: [&'a AgentSpec; 2],
    pub(super) pair: u64,
    /// One game, whose colours are drawn, instead of two.
    pub(super) is_single: bool,
}

impl GameRunner<'_> {
    /// The counts of each matchup, seen by its first player; or why there are none. Matchups with
    /// the same pair number share their opening and all that the players draw by chance.
    pub(super) fn play(
        &self,
        matchups: &[Matchup<'_>],
        place: (u64, Purpose, u64),
        watch: &Watch<'_>,
    ) -> Result<Vec<Counts>, Unfinished> {
        let seed = seed(place.0, place.1, place.2);
        let mut agents: Vec<AgentSpec> = Vec::new();
        let mut places: HashMap<&AgentSpec, usize> = HashMap::new();
        let mut listed = Vec::new();
        for Matchup { specs, pair, is_single } in matchups {
            let agents = specs.map(|spec| {
                *places.entry(spec).or_insert_with(|| {
                    agents.push(spec.clone());
                    agents.len() - 1
                })
            });
            listed.push(Listed { agents, pair: *pair, is_single: *is_single });
        }
        let (catalogue, games) = (Arc::clone(self.catalogue), self.games.clone());
        let work = Matchups::new(catalogue, games, seed, agents, listed);
        let batches = matchups.len().div_ceil(BATCH) as u64;
        let job = |number: u64| {
            let first = number as usize * BATCH;
            [first, (first + BATCH).min(matchups.len())]
        };
        let mut done = |counts: &Vec<Counts>| counts.iter().for_each(|_| (watch.done)());
        let counts = self.crew.collect(&work, batches, job, &mut done, watch.stop)?;
        Ok(counts.into_iter().flatten().collect())
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
        let catalogue = Arc::new(isrever_reports::catalogue());
        let [first, second] = specs.map(AgentSpec::new);
        let matchup = |pair| Matchup { specs: [&first, &second], pair, is_single };
        let matchups: Vec<Matchup<'_>> = (0..30).map(matchup).collect();
        let watch = Watch { done: &|| {}, stop: &Arc::default() };
        let runner = GameRunner { catalogue: &catalogue, games, crew: &Crew::Here(2) };
        runner.play(&matchups, (1, Purpose::Games, 2), &watch).unwrap()
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
        let catalogue = Arc::new(isrever_reports::catalogue());
        let games = games(0);
        let random = AgentSpec::new("random");
        let matchup = Matchup { specs: [&random, &random], pair: 0, is_single: false };
        let stop = Arc::new(AtomicBool::new(true));
        let watch = Watch { done: &|| {}, stop: &stop };
        let runner = GameRunner { catalogue: &catalogue, games: &games, crew: &Crew::Here(2) };
        let played = runner.play(&[matchup], (1, Purpose::Games, 0), &watch);
        assert_eq!(played, Err(Unfinished::Stopped));
    }
}
