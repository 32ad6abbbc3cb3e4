//! Solved positions, the same for all individuals.

use super::super::games::{GameRunner, Games, Watch};
use super::super::jobs::{KIND, Text};
use super::Objective;
use isrever_agent::{Agent, AgentSpec, Choice, Forfeit, Limits};
use isrever_arena::{Mean, random_positions};
use isrever_board::{Board, Game, Rule, Size, Square};
use isrever_jobs::{Crew, Failure, Manifest, Unfinished, Work};
use isrever_reports::measure::{Problem, minimax_loss};
use isrever_search::{Answer, Control, Goal, Searcher, Settings};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use std::collections::HashMap;
use std::ops::RangeInclusive;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

/// Memory of a solver, in bytes.
const HASH_BYTES: usize = 4 << 20;

/// Positions, and the score of every move at every node of their trees.
pub(in super::super) struct Problems {
    problems: Vec<Problem>,
    scores: HashMap<Board, Vec<(Square, i32)>>,
}

impl Problems {
    /// Draws the positions that `objective` needs, if any, and has them solved. Reports each tree
    /// to `watch`.
    pub(in super::super) fn new(
        objective: &Objective,
        games: &Games,
        seed: u64,
        crew: &Crew,
        watch: &Watch<'_>,
    ) -> Result<Problems, Unfinished> {
        let Objective::MinimaxLoss { positions, empties, plies } = objective else {
            return Ok(Problems { problems: Vec::new(), scores: HashMap::new() });
        };
        let Games { rule, size, .. } = *games;
        let trees = Trees::new(rule, size, empties.clone(), *positions, *plies, seed);
        let mut done = |_: &Tree| (watch.done)();
        let count = trees.problems.len() as u64;
        let solved = crew.collect(&trees, count, |number| number, &mut done, watch.stop)?;
        let node = |(board, scores): ([u64; 2], Vec<(u32, i32)>)| {
            let [player, opponent] = board;
            let scores = scores.into_iter();
            let scores = scores.map(|(index, score)| (Square::from_index(index), score));
            (Board { player, opponent }, scores.collect())
        };
        let scores = solved.into_iter().flatten().map(node).collect();
        Ok(Problems { problems: trees.problems, scores })
    }

    /// Minus the mean loss of each agent, and the number of its answers. The agents answer on the
    /// threads of the current pool: it takes them less time than to send the scores elsewhere.
    pub(super) fn judge(
        &self,
        runner: &GameRunner<'_>,
        specs: &[AgentSpec],
        plies: u32,
        watch: &Watch<'_>,
    ) -> Result<(Vec<f64>, u64), Unfinished> {
        let tasks: Vec<(&AgentSpec, &Problem)> =
            specs.iter().flat_map(|spec| self.problems.iter().map(move |p| (spec, p))).collect();
        let limits = runner.games.limits();
        let one = |&(spec, problem): &(&AgentSpec, &Problem)| {
            if watch.stop.load(Relaxed) {
                return Err(Unfinished::Stopped);
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
        let losses: Result<Vec<(f64, u64)>, Unfinished> = tasks.par_iter().map(one).collect();
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

/// The trees below positions as jobs, which any machine may solve.
#[derive(Debug)]
pub(in super::super) struct Trees {
    text: TreesText,
    rule: Rule,
    size: Size,
    problems: Vec<Problem>,
}

/// The same in writing: the positions follow from it.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(in super::super) struct TreesText {
    rule: String,
    size: u8,
    empties: [u32; 2],
    positions: usize,
    plies: u32,
    seed: u64,
}

/// The boards of a tree, and the score of every move there by the index of its square.
type Tree = Vec<([u64; 2], Vec<(u32, i32)>)>;

impl Trees {
    fn new(
        rule: Rule,
        size: Size,
        empties: RangeInclusive<u32>,
        positions: usize,
        plies: u32,
        seed: u64,
    ) -> Trees {
        let text = TreesText {
            rule: rule.to_string(),
            size: size.width(),
            empties: [*empties.start(), *empties.end()],
            positions,
            plies,
            seed,
        };
        let drawn = random_positions(empties, rule, size, seed, positions);
        let problem = |game| Problem { game, scores: Vec::new() };
        Trees { text, rule, size, problems: drawn.into_iter().map(problem).collect() }
    }

    /// The trees of a text.
    pub(in super::super) fn read(text: TreesText) -> Result<Trees, String> {
        let rule: Rule = text.rule.parse().map_err(str::to_owned)?;
        let size = Size::new(text.size.into()).map_err(|why| why.to_string())?;
        let [least, most] = text.empties;
        Ok(Trees::new(rule, size, least..=most, text.positions, text.plies, text.seed))
    }
}

impl Work for Trees {
    type Job = u64;
    type Output = Tree;
    type ThreadState = ();

    fn thread_state(&self) {}

    fn perform(&self, (): &mut (), &number: &u64, stop: &Arc<AtomicBool>) -> Result<Tree, Failure> {
        let problem = usize::try_from(number).ok().and_then(|number| self.problems.get(number));
        let Some(problem) = problem else {
            return Err(Failure::Machine(format!("there is no position {number}")));
        };
        if stop.load(Relaxed) {
            return Err(Failure::Stopped);
        }
        let settings = Settings::new(self.rule, self.size);
        let mut solver = Searcher::new(Settings { hash_bytes: HASH_BYTES, ..settings });
        let mut tree = Tree::new();
        let mut solve = |game: &Game| -> Vec<(Square, i32)> {
            let board = board(game);
            let moves = solver.search_moves(board, Goal::Exact, Control::NONE);
            let moves: Vec<(Square, i32)> =
                moves.iter().filter_map(Answer::scored_square).collect();
            let scores = moves.iter().map(|&(square, score)| (square.index(), score)).collect();
            tree.push(([board.player, board.opponent], scores));
            moves
        };
        let (one, limits) = (std::slice::from_ref(problem), Limits::default());
        let plies = self.text.plies;
        let walked = minimax_loss(one, plies, &mut Anyhow, &limits, &mut solve, &mut || {});
        walked.expect("it plays legal moves");
        Ok(tree)
    }

    fn manifest(&self) -> Result<Manifest, String> {
        Ok(Manifest {
            memory_bytes: HASH_BYTES as u64,
            ..Manifest::new(KIND, &Text::Trees(self.text.clone()))
        })
    }
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
