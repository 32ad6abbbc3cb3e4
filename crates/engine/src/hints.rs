//! What every move of a position is worth, stage after stage.
//!
//! The best move alone is the business of `player.rs`. Here each legal move has
//! a search of its own, for those who want to see them all: a person who asks
//! for hints, and a level that may choose another than the best.

use crate::{Control, Goal, Solver, Stage};
use isrever_board::{Board, Game, Move, Rule, Size, Square, squares};
use isrever_eval::{DISC, Weights};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

/// What one move is worth.
#[derive(Clone, PartialEq, Debug)]
pub struct Hint {
    /// The move.
    pub square: Square,
    /// What it is worth to the side that makes it, in discs.
    pub value: f64,
    /// How many plies deep the search was, the move counted.
    pub depth: u32,
    /// How often, in hundredths, its cuts are right.
    pub percent: u8,
    /// Whether the value is proved.
    pub is_exact: bool,
    /// The move and the best ones after it, as far as they are known.
    pub line: Vec<Move>,
    /// Boards visited so far, for all moves together.
    pub nodes: u64,
}

/// A board whose moves are looked at one by one.
pub(crate) struct Question<'a> {
    board: Board,
    rule: Rule,
    size: Size,
    stop: &'a AtomicBool,
    /// The most boards to visit, all searches together,
    most_nodes: Option<u64>,
    /// and how many were.
    nodes: u64,
}

impl<'a> Question<'a> {
    /// Asks about the position that `game` is at.
    ///
    /// # Panics
    /// If the board is larger than 8×8.
    pub(crate) fn new(game: &Game, stop: &'a AtomicBool, most_nodes: Option<u64>) -> Question<'a> {
        let board = game.position().board().expect("boards up to 8x8 have bits");
        let (rule, size) = (game.rule(), game.size());
        Question { board, rule, size, stop, most_nodes, nodes: 0 }
    }

    /// The moves by the replies that they leave the opponent, the fewest first: to have moves when
    /// the other side runs out of them is good under both rules.
    ///
    /// Quicker than a glance, as long as the weights are not unpacked. The values mean nothing.
    pub(crate) fn quickest(&self) -> Vec<Hint> {
        let mut hints: Vec<Hint> = squares(self.board.moves(self.size))
            .filter_map(|square| {
                let replies = self.board.play(square, self.size)?.moves(self.size).count_ones();
                let value = -f64::from(replies);
                let line = vec![Move::Place(square)];
                let (depth, percent, is_exact, nodes) = (0, 0, false, 0);
                Some(Hint { square, value, depth, percent, is_exact, line, nodes })
            })
            .collect();
        sort(&mut hints);
        hints.iter_mut().for_each(|hint| hint.value = 0.0);
        hints
    }

    /// The moves by what the evaluation says of the boards after them, the best first.
    ///
    /// It takes no longer than a glance, and is never stopped.
    pub(crate) fn glance(&self) -> Vec<Hint> {
        let weights = Weights::embedded(self.rule, self.size);
        let mut hints: Vec<Hint> = squares(self.board.moves(self.size))
            .filter_map(|square| {
                let after = self.board.play(square, self.size)?;
                let is_exact = after.is_over(self.size);
                let value = match weights {
                    Some(weights) if !is_exact => {
                        f64::from(weights.plain_value(after)) / f64::from(DISC)
                    }
                    _ => f64::from(after.score(self.size, self.rule)),
                };
                let line = vec![Move::Place(square)];
                let percent = 100;
                Some(Hint { square, value: -value, depth: 1, percent, is_exact, line, nodes: 0 })
            })
            .collect();
        sort(&mut hints);
        hints
    }

    /// Looks at each move as `stage` says, in the order of `hints`, and tells of each. Gives the
    /// hints anew, the best first, or nothing if it was stopped before the last.
    pub(crate) fn look(
        &mut self,
        solver: &mut Solver,
        hints: &[Hint],
        stage: Stage,
        tell: &mut dyn FnMut(&Hint),
    ) -> Option<Vec<Hint>> {
        let mut found = Vec::with_capacity(hints.len());
        for hint in hints {
            // The end of the game is as far as anybody can see.
            let is_known = hint.is_exact && hint.depth == 1;
            let hint = if is_known { hint.clone() } else { self.search(solver, hint, stage)? };
            tell(&hint);
            found.push(hint);
        }
        sort(&mut found);
        Some(found)
    }

    fn search(&mut self, solver: &mut Solver, hint: &Hint, stage: Stage) -> Option<Hint> {
        let square = hint.square;
        let after = self.board.play(square, self.size).expect("hints are legal moves");
        let Stage { depth, percent } = stage;
        let most_nodes = self.most_nodes.map(|most| most.saturating_sub(self.nodes));
        let control = Control { stop: self.stop, most_nodes, ..Control::NONE };
        let solution = solver.solve(after, Goal::Value { depth, percent }, control);
        self.nodes += solution.nodes;
        if self.stop.load(Relaxed) || self.most_nodes.is_some_and(|most| self.nodes >= most) {
            return None;
        }
        Some(Hint {
            square,
            value: f64::from(-solution.score),
            depth: solution.depth + 1,
            percent: solution.percent,
            is_exact: solution.is_proved,
            line: std::iter::once(Move::Place(square)).chain(solution.line).collect(),
            nodes: self.nodes,
        })
    }

    /// Boards visited so far.
    pub(crate) fn nodes(&self) -> u64 {
        self.nodes
    }
}

/// The best first; of equals, as they were.
fn sort(hints: &mut [Hint]) {
    hints.sort_by(|one, other| other.value.total_cmp(&one.value));
}
