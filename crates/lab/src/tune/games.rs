//! Games that individuals are judged by: to the last squares by agents, from there on by proof.
//!
//! Report 000's players play the last twelve squares perfectly. If both do,
//! the first position with so few empty squares decides the game, and the
//! solver says who has won: the same results as if they had played it out,
//! several hundred times as fast.

use super::dice::{Purpose, seed};
use crate::selfplay::Dice;
use isrever_agent::{Agent, Catalogue, Limits};
use isrever_arena::{Counts, Openings};
use isrever_board::{Color, Game, Move, Rule, Size};
use isrever_search::{Control, Goal, Searcher, Settings};
use rayon::prelude::*;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

/// Memory of a solver, in bytes: enough for endings.
const HASH_BYTES: usize = 1 << 20;

/// What games are to be like.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Games {
    pub(super) rule: Rule,
    pub(super) size: Size,
    pub(super) openings: Openings,
    /// From this many empty squares on the game is decided by proof; 0 if it is played out.
    pub(super) ending: u32,
    /// What both players are limited by.
    pub(super) depth: Option<u32>,
    pub(super) nodes: Option<u64>,
}

impl Games {
    pub(super) fn limits(&self) -> Limits {
        Limits { depth: self.depth, nodes: self.nodes, ..Limits::default() }
    }
}

/// Who is told of what is done, and may stop it.
pub struct Watch<'a> {
    /// Hears of each game, pair of games or tree.
    pub done: &'a (dyn Fn() + Sync),
    /// Set to end the work soon; what is not finished is lost.
    pub stop: &'a AtomicBool,
}

/// Where games are played: agents come from a catalogue, and solvers are lent.
pub(super) struct Room<'a> {
    pub(super) catalogue: &'a Catalogue,
    pub(super) games: &'a Games,
    solvers: Mutex<Vec<Searcher>>,
}

/// Two who meet, as specs, and the number of their pair of games: all else follows from it.
#[derive(Clone, Debug)]
pub(super) struct Meeting<'a> {
    pub(super) specs: [&'a str; 2],
    pub(super) pair: u64,
    /// One game, whose colours are drawn, instead of two.
    pub(super) is_single: bool,
}

impl<'a> Room<'a> {
    pub(super) fn new(catalogue: &'a Catalogue, games: &'a Games) -> Room<'a> {
        Room { catalogue, games, solvers: Mutex::default() }
    }

    /// The counts of each meeting, seen by its first player; `None` if it was stopped. Meetings
    /// with the same pair begin alike: the opening, and all that the players draw by chance.
    pub(super) fn play(
        &self,
        meetings: &[Meeting<'_>],
        place: (u64, Purpose, u64),
        watch: &Watch<'_>,
    ) -> Option<Vec<Counts>> {
        let seed = seed(place.0, place.1, place.2);
        let pairs = meetings.iter().map(|meeting| meeting.pair + 1).max().unwrap_or(0);
        let count = usize::try_from(pairs).expect("openings fit into memory");
        let Games { rule, size, openings, .. } = self.games;
        let openings = openings.draw(*rule, *size, seed, count);
        let one = |meeting: &Meeting<'_>| {
            if watch.stop.load(Relaxed) {
                return None;
            }
            let opening = &openings[meeting.pair as usize % openings.len()];
            let counts = self.meet(meeting, opening, seed);
            (watch.done)();
            Some(counts)
        };
        meetings.par_iter().map(one).collect()
    }

    fn meet(&self, meeting: &Meeting<'_>, opening: &Game, seed: u64) -> Counts {
        let mut dice = Dice::new(seed, meeting.pair);
        let mut game = |first: Color| {
            // Drawn whatever the players are, so that all meet the same chances.
            let seeds = [dice.number(), dice.number()];
            let make = |player: usize| {
                let agent = self.catalogue.make(meeting.specs[player], seeds[player]);
                agent.expect("the plan has checked the agents")
            };
            self.game(opening.clone(), [make(0), make(1)], first)
        };
        if meeting.is_single {
            // The colours are drawn for the two of them, not for the pair's number alone.
            let sum = meeting.specs.iter().flat_map(|spec| spec.bytes());
            let drawn =
                sum.fold(meeting.pair, |sum, byte| sum.wrapping_mul(31).wrapping_add(byte.into()));
            let is_black = Dice::new(seed, drawn).below(2) == 0;
            return Counts::of_game(game(if is_black { Color::Black } else { Color::White }));
        }
        Counts::of_pair([game(Color::Black), game(Color::White)])
    }

    /// Who has won, seen by the first agent, which plays `first`: the sign of the score.
    fn game(&self, mut game: Game, mut agents: [Box<dyn Agent>; 2], first: Color) -> i32 {
        let limits = self.games.limits();
        while let Some(turn) = game.turn() {
            let mover = usize::from(turn != first);
            if game.position().empties() <= self.games.ending {
                let sign = self.proof(&game);
                return if mover == 0 { sign } else { -sign };
            }
            let mv = match game.position().must_pass() {
                true => Some(Move::Pass),
                false => agents[mover].choose(&game, &limits).ok().map(|c| Move::Place(c.square)),
            };
            // Who does not move as it should loses.
            if mv.is_none_or(|mv| game.play(mv).is_err()) {
                return if mover == 0 { -1 } else { 1 };
            }
        }
        game.score(first).signum()
    }

    /// Who wins for the side to move.
    fn proof(&self, game: &Game) -> i32 {
        let lent = self.solvers.lock().expect("nobody panics with it").pop();
        let Games { rule, size, .. } = *self.games;
        let settings = Settings { hash_bytes: HASH_BYTES, ..Settings::new(rule, size) };
        let mut solver = lent.unwrap_or_else(|| Searcher::new(settings));
        let board = game.position().board().expect("the plan has checked the size");
        // What the solver has seen before may change how it finds the answer, never the answer.
        let sign = solver.search(board, Goal::Wld, Control::NONE).score().signum();
        self.solvers.lock().expect("nobody panics with it").push(solver);
        sign
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    static GO_ON: AtomicBool = AtomicBool::new(false);

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
        let meeting = |pair| Meeting { specs, pair, is_single };
        let meetings: Vec<Meeting<'_>> = (0..30).map(meeting).collect();
        let watch = Watch { done: &|| {}, stop: &GO_ON };
        Room::new(&catalogue, games).play(&meetings, (1, Purpose::Games, 2), &watch).unwrap()
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
    fn who_is_stopped_has_no_result() {
        let catalogue = isrever_reports::catalogue();
        let games = games(0);
        let meeting = Meeting { specs: ["random", "random"], pair: 0, is_single: false };
        let stop = AtomicBool::new(true);
        let watch = Watch { done: &|| {}, stop: &stop };
        let room = Room::new(&catalogue, &games);
        assert_eq!(room.play(&[meeting], (1, Purpose::Games, 0), &watch), None);
    }
}
