//! Solved positions, the same for all individuals.

use super::super::games::{GameRunner, Games, Watch};
use super::Objective;
use isrever_agent::{Agent, AgentSpec, Choice, Forfeit, Limits};
use isrever_arena::{Mean, Unplayed, random_positions};
use isrever_board::{Board, Game, Square};
use isrever_reports::measure::{Problem, minimax_loss};
use isrever_search::{Answer, Control, Goal, Searcher, Settings};
use rayon::prelude::*;
use std::collections::HashMap;
use std::sync::atomic::Ordering::Relaxed;

/// Memory of a solver, in bytes.
const HASH_BYTES: usize = 4 << 20;

/// Positions, and the score of every move at every node of their trees.
pub(in super::super) struct Problems {
    problems: Vec<Problem>,
    scores: HashMap<Board, Vec<(Square, i32)>>,
}

impl Problems {
    /// Draws and solves the positions that `objective` needs, if any. Reports each tree to
    /// `watch`.
    pub(in super::super) fn new(
        objective: &Objective,
        games: &Games,
        seed: u64,
        watch: &Watch<'_>,
    ) -> Result<Problems, Unplayed> {
        let Objective::MinimaxLoss { positions, empties, plies } = objective else {
            return Ok(Problems { problems: Vec::new(), scores: HashMap::new() });
        };
        let drawn = random_positions(empties.clone(), games.rule, games.size, seed, *positions);
        let problems: Vec<Problem> =
            drawn.into_iter().map(|game| Problem { game, scores: Vec::new() }).collect();
        let settings = Settings::new(games.rule, games.size);
        let solved = |problem: &Problem| {
            let mut solver = Searcher::new(Settings { hash_bytes: HASH_BYTES, ..settings });
            let mut scores = HashMap::new();
            let mut solve = |game: &Game| -> Vec<(Square, i32)> {
                let board = board(game);
                let moves = solver.search_moves(board, Goal::Exact, Control::NONE);
                let moves: Vec<(Square, i32)> =
                    moves.iter().filter_map(Answer::scored_square).collect();
                scores.insert(board, moves.clone());
                moves
            };
            if watch.stop.load(Relaxed) {
                return Err(Unplayed::Stopped);
            }
            let one = std::slice::from_ref(problem);
            let limits = Limits::default();
            let walked = minimax_loss(one, *plies, &mut Anyhow, &limits, &mut solve, &mut || {});
            walked.expect("it plays legal moves");
            (watch.done)();
            Ok(scores)
        };
        let each: Result<Vec<_>, Unplayed> = problems.par_iter().map(solved).collect();
        Ok(Problems { problems, scores: each?.into_iter().flatten().collect() })
    }

    /// Minus the mean loss of each agent, and the number of its answers.
    pub(super) fn judge(
        &self,
        runner: &GameRunner<'_>,
        specs: &[AgentSpec],
        plies: u32,
        watch: &Watch<'_>,
    ) -> Result<(Vec<f64>, u64), Unplayed> {
        let tasks: Vec<(&AgentSpec, &Problem)> =
            specs.iter().flat_map(|spec| self.problems.iter().map(move |p| (spec, p))).collect();
        let limits = runner.games.limits();
        let one = |&(spec, problem): &(&AgentSpec, &Problem)| {
            if watch.stop.load(Relaxed) {
                return Err(Unplayed::Stopped);
            }
            let mut agent =
                runner.catalogue.make(spec, 0).expect("the plan has checked the agents");
            let mut solve = |game: &Game| self.scores[&board(game)].clone();
            let one = std::slice::from_ref(problem);
            let losses = minimax_loss(one, plies, agent.as_mut(), &limits, &mut solve, &mut || {});
            let losses = losses.expect("agents of this project play legal moves");
            (watch.done)();
            Ok((losses.discs().mean, losses.nodes() as u64))
        };
        let losses: Result<Vec<(f64, u64)>, Unplayed> = tasks.par_iter().map(one).collect();
        let losses = losses?;
        let mean = |losses: &[(f64, u64)]| {
            -Mean::of(&losses.iter().map(|(discs, _)| *discs).collect::<Vec<f64>>()).mean
        };
        let fitness = losses.chunks(self.problems.len()).map(mean).collect();
        Ok((fitness, losses.iter().map(|(_, nodes)| nodes).sum()))
    }
}

fn board(game: &Game) -> Board {
    game.position().board().expect("the plan has checked the size")
}

/// Plays anything: it is led through a tree so that all of it is solved.
struct Anyhow;

impl Agent for Anyhow {
    fn name(&self) -> String {
        "anyhow".to_owned()
    }

    fn choose(&mut self, game: &Game, _: &Limits) -> Result<Choice, Forfeit> {
        Ok(game.position().moves()[0].into())
    }
}
