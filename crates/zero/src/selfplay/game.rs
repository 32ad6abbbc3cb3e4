//! One game of many: from evaluation to evaluation.

use super::sample::{NO_REPLY, Sample};
use super::{Finished, Plan};
use crate::bottom::Bottom;
use crate::evaluation::Evaluation;
use crate::gumbel::{self, Halving};
use crate::tree::{After, Guide, Tree, Visit};
use isrever_agent::Rng;
use isrever_board::{Board, Color, Move, Square, squares};

/// Moves of a tree: more than the visits of a move can add.
const MOST_EDGES: usize = 1 << 16;

/// A sample of a game that is not over.
#[derive(Clone, Debug)]
struct Open {
    board: Board,
    policy: [u16; 64],
    color: Color,
    /// How many moves had been made.
    ply: usize,
}

/// A game under way, at a board that waits for its evaluation.
#[derive(Clone, Debug)]
pub(super) struct Game {
    /// Its number, and that of all games at once: the next one here has the sum.
    number: u64,
    step: u64,
    rng: Rng,
    turn: Color,
    /// The squares of the moves, and who made them.
    moves: Vec<(Square, Color)>,
    open: Vec<Open>,
    tree: Tree,
    halving: Halving,
    visit: Visit,
    is_full: bool,
}

impl Game {
    /// Begins game `number`; the next one here is `step` games later.
    pub(super) fn new(plan: &Plan, number: u64, step: u64) -> Game {
        let tree = Tree::new(plan.stakes, Board::start(plan.stakes.size), MOST_EDGES);
        let mut game = Game {
            number,
            step,
            rng: Rng::stream(plan.seed, number),
            turn: Color::Black,
            moves: Vec::new(),
            open: Vec::new(),
            tree,
            halving: Halving::default(),
            visit: Visit::default(),
            is_full: false,
        };
        game.begin(plan);
        game
    }

    /// The board that waits for its evaluation.
    pub(super) fn board(&self) -> Board {
        self.visit.board()
    }

    /// Takes the evaluation of its board and goes on to the next.
    pub(super) fn step(
        &mut self,
        plan: &Plan,
        evaluation: &Evaluation,
        bottom: &mut Bottom,
        finished: &mut Vec<Finished>,
    ) {
        let is_root = self.tree.root_edges().is_empty();
        self.tree.evaluated(&self.visit, evaluation);
        if is_root {
            let visits = if self.is_full { plan.visits } else { plan.fast_visits };
            let moves = self.tree.root_edges().len();
            self.halving.begin(moves, visits, Some(&mut self.rng));
        }
        while !self.descend(bottom) {
            if self.play(plan, bottom, finished) {
                return;
            }
        }
    }

    /// Sends visits until one needs an evaluation; false if the search is over.
    fn descend(&mut self, bottom: &mut Bottom) -> bool {
        while self.tree.proved().is_none() {
            let Some(first) = self.halving.next(&self.tree) else { return false };
            let mut solve = |board| bottom.solve(board);
            if self.tree.descend(Some(first), Guide::Gumbel, &mut solve, &mut self.visit) {
                return true;
            }
        }
        false
    }

    /// Makes the chosen move, and those that follow without a search; true if a board waits for its
    /// evaluation then.
    fn play(&mut self, plan: &Plan, bottom: &mut Bottom, finished: &mut Vec<Finished>) -> bool {
        let edges = self.tree.root_edges();
        let proved = self
            .tree
            .proved()
            .and_then(|score| edges.iter().position(|edge| edge.proved == Some(score)));
        let chosen = edges[proved.unwrap_or_else(|| self.halving.choose(&self.tree))].square;
        let board = self.tree.root();
        if self.is_full {
            let policy = self.policy();
            self.open.push(Open { board, policy, color: self.turn, ply: self.moves.len() });
        }
        let after = self.make(plan, board, chosen);
        self.go_on(plan, after, bottom, finished)
    }

    /// The improved policy of the root.
    fn policy(&self) -> [u16; 64] {
        let (policy, _) = gumbel::policy(&self.tree.root_choices());
        let mut parts = [0; 64];
        for (edge, probability) in self.tree.root_edges().iter().zip(policy) {
            #[expect(
                clippy::cast_possible_truncation,
                clippy::cast_sign_loss,
                reason = "0 to 65535"
            )]
            let part = (probability * 65535.0).round() as u16;
            parts[edge.square.index() as usize] = part;
        }
        parts
    }

    /// Makes a move and says what is after it; `turn` is whoever moves next.
    fn make(&mut self, plan: &Plan, board: Board, square: Square) -> After {
        self.moves.push((square, self.turn));
        let after = plan.stakes.after(board, square);
        if let After::Turn { is_same_side: false, .. } = after {
            self.turn = self.turn.other();
        }
        after
    }

    /// Goes on until a board needs a search, in this game or in the next.
    fn go_on(
        &mut self,
        plan: &Plan,
        mut after: After,
        bottom: &mut Bottom,
        finished: &mut Vec<Finished>,
    ) -> bool {
        let size = plan.stakes.size;
        loop {
            let After::Turn { board, .. } = after else {
                self.finish(plan, finished);
                self.begin(plan);
                return true;
            };
            let moves = board.moves(size);
            if board.empties(size).count_ones() <= plan.solve_games_from {
                for mv in bottom.play_out(board).1 {
                    self.follow(mv);
                }
                self.finish(plan, finished);
                self.begin(plan);
                return true;
            }
            if moves.is_power_of_two() {
                let only = squares(moves).next().expect("there is one");
                after = self.make(plan, board, only);
                continue;
            }
            self.search(plan, board);
            return true;
        }
    }

    /// Makes a move of the solver's, which counts passes.
    fn follow(&mut self, mv: Move) {
        if let Move::Place(square) = mv {
            self.moves.push((square, self.turn));
        }
        self.turn = self.turn.other();
    }

    /// Begins the search of a board: its evaluation comes first.
    fn search(&mut self, plan: &Plan, board: Board) {
        self.is_full = self.rng.happens(plan.full_share);
        self.tree.restart(board);
        self.tree.descend(None, Guide::Gumbel, &mut |_| None, &mut self.visit);
    }

    /// Begins a game with random moves, up to a board that needs a search.
    fn begin(&mut self, plan: &Plan) {
        let size = plan.stakes.size;
        loop {
            self.turn = Color::Black;
            let plies = self.rng.below(plan.random_plies + 1);
            let mut after = After::Turn { board: Board::start(size), is_same_side: false };
            for _ in 0..plies {
                let After::Turn { board, .. } = after else { break };
                let square = self.rng.square(board.moves(size));
                after = self.make(plan, board, square);
            }
            // A random opening may end the game; such a game teaches nothing, and another begins.
            if let After::Turn { board, .. } = after {
                let is_long = board.empties(size).count_ones() > plan.solve_games_from;
                if is_long && !board.moves(size).is_power_of_two() {
                    self.search(plan, board);
                    return;
                }
            }
            self.moves.clear();
        }
    }

    /// Hands out the game with its samples, and gets ready for the next.
    fn finish(&mut self, plan: &Plan, finished: &mut Vec<Finished>) {
        let size = plan.stakes.size;
        // Seen by black.
        let mut end = Board::start(size);
        for &(square, color) in &self.moves {
            let board = if color == Color::Black { end } else { end.pass() };
            let after = board.play(square, size).expect("the moves were legal");
            end = if color == Color::Black { after.pass() } else { after };
        }
        #[expect(clippy::cast_possible_truncation, reason = "a score is within -64 and 64")]
        let score = end.score(size, plan.stakes.rule) as i8;
        let sample = |open: Open| {
            let is_black = open.color == Color::Black;
            let reply = self.moves.get(open.ply + 1).filter(|reply| reply.1 != open.color);
            #[expect(clippy::cast_possible_truncation, reason = "below 64")]
            let reply = reply.map_or(NO_REPLY, |reply| reply.0.index() as u8);
            Sample {
                board: open.board,
                policy: open.policy,
                score: if is_black { score } else { -score },
                owned: if is_black { end.player } else { end.opponent },
                reply,
            }
        };
        let samples = std::mem::take(&mut self.open).into_iter().map(sample).collect();
        #[expect(clippy::cast_possible_truncation, reason = "below 64")]
        let moves = self.moves.drain(..).map(|(square, _)| square.index() as u8).collect();
        finished.push(Finished { moves, score, samples });
        self.number += self.step;
        self.rng = Rng::stream(plan.seed, self.number);
    }
}
