//! Games of the network against itself, thousands at once.
//!
//! Every game is at a board that the network is to evaluate. A step hands each game
//! the evaluation of its board and takes it to the next one, through the end of its
//! search, its move, and a new game where one is over. So a group of games always
//! fills a batch, and while the network evaluates one group, a step moves another.
//!
//! Most moves are chosen with few visits and only move the game along; the others,
//! with more, are what a network learns from (playout cap randomisation). The
//! solver plays endings and makes their scores exact.

mod game;
mod plan;
mod sample;

pub use plan::{Plan, PlanError};
pub use sample::Sample;

use crate::bottom::Bottom;
use crate::evaluation::Evaluation;
use game::Game;
use isrever_board::Board;
use rayon::prelude::*;

/// Games that share a solver, and are played one after the other.
const TEAM: usize = 64;

/// A game that is over, and what can be learned from it.
#[derive(Clone, Debug, Default)]
pub struct Finished {
    /// The squares of its moves from the start; passes go without saying.
    pub moves: Vec<u8>,
    /// The black score.
    pub score: i8,
    /// The boards to learn from.
    pub samples: Vec<Sample>,
}

/// A team of games.
struct Team {
    bottom: Bottom,
    games: Vec<Game>,
    finished: Vec<Finished>,
}

/// Groups of games under way.
pub struct SelfPlay {
    plan: Plan,
    groups: Vec<Vec<Team>>,
}

impl SelfPlay {
    /// Begins `groups` times `teams` times 64 games of a plan that [`Plan::check`] accepts.
    pub fn new(plan: Plan, groups: usize, teams: usize) -> SelfPlay {
        let team = |number: usize| {
            let bottom = Bottom::new(&plan.stakes, plan.solve_leaves_from);
            let all = (groups * teams * TEAM) as u64;
            let first = (number * TEAM) as u64;
            let games =
                (first..first + TEAM as u64).map(|number| Game::new(&plan, number, all)).collect();
            Team { bottom, games, finished: Vec::new() }
        };
        let groups = (0..groups)
            .map(|group| (group * teams..(group + 1) * teams).into_par_iter().map(team).collect())
            .collect();
        SelfPlay { plan, groups }
    }

    /// The games of a group.
    pub fn group_len(&self) -> usize {
        self.groups[0].len() * TEAM
    }

    /// The boards that a group waits for, in the order of its games.
    pub fn boards(&self, group: usize) -> impl Iterator<Item = Board> {
        self.groups[group].iter().flat_map(|team| team.games.iter().map(Game::board))
    }

    /// Hands each game of a group the evaluation of its board, by the game's place, takes it to the
    /// next board, and writes `row` of that board into the game's place of `rows`.
    pub fn step<R: Send>(
        &mut self,
        group: usize,
        evaluation: impl Fn(usize) -> Evaluation + Sync,
        row: impl Fn(Board) -> R + Sync,
        rows: &mut [R],
    ) {
        let plan = &self.plan;
        let teams = self.groups[group].par_iter_mut().zip(rows.par_chunks_mut(TEAM));
        teams.enumerate().for_each(|(number, (team, rows))| {
            for (place, (game, out)) in team.games.iter_mut().zip(rows).enumerate() {
                let evaluation = evaluation(number * TEAM + place);
                game.step(plan, &evaluation, &mut team.bottom, &mut team.finished);
                *out = row(game.board());
            }
        });
    }

    /// Takes the games that are over by now.
    pub fn take(&mut self) -> Vec<Finished> {
        let teams = self.groups.iter_mut().flatten();
        teams.flat_map(|team| std::mem::take(&mut team.finished)).collect()
    }
}
