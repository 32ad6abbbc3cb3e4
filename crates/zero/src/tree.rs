//! The tree of a search: boards, their moves, and how the visits through them ended.
//!
//! A visit goes down from the root to a move whose board is not in the tree yet.
//! The network evaluates that board, or the rules or the solver prove its score;
//! either way the result goes back up the path. A proved move is final, and so is
//! a board with a move proved to win or with all its moves proved.
//!
//! Passes are no moves of the tree: the board after a move is that of the side
//! that can move next, which may be the one that has just moved.

use crate::evaluation::Evaluation;
use crate::gumbel;
use crate::puct;
use isrever_board::{Board, Rule, Size, Square, squares};

/// Stands for the board of a move that is not in the tree.
const NO_NODE: u32 = u32::MAX;

/// How visits choose their way below the root.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Guide {
    /// The upper confidence bound of AlphaZero.
    Puct,
    /// As the improved policy would have it, without chance: for few visits.
    Gumbel,
}

/// What is played, and for how much discs count beside the result.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Stakes {
    /// What the players play for.
    pub rule: Rule,
    /// The board: 4×4, 6×6 or 8×8.
    pub size: Size,
    /// The part of a value, from 0 to 1, that the score makes; the rest is the result.
    pub score_weight: f32,
}

impl Stakes {
    /// The worth of a proved score, from −1 to 1.
    pub(crate) fn worth(&self, score: i8) -> f32 {
        self.blend(f32::from(score.signum()), f32::from(score))
    }

    /// The worth of what a network expects.
    fn expected(&self, evaluation: &Evaluation) -> f32 {
        self.blend(evaluation.value, evaluation.score)
    }

    fn blend(&self, value: f32, score: f32) -> f32 {
        let part = (score / self.size.cells() as f32).clamp(-1.0, 1.0);
        value + self.score_weight * (part - value)
    }
}

/// A move, and how the visits through it ended, seen by the side that plays it.
#[derive(Clone, Copy, Debug)]
pub struct Edge {
    /// Where the disc goes.
    pub square: Square,
    /// The score, if the result is proved. A win may be higher, and a loss lower.
    pub proved: Option<i8>,
    /// How the network rates it: a logit, and the probability that follows.
    pub(crate) logit: f32,
    /// The probability that the network gives it.
    pub prior: f32,
    /// Visits that have ended.
    pub visits: u32,
    /// Visits that are under way.
    pub(crate) pending: u32,
    node: u32,
    sum: f64,
    /// The worth of the proved score.
    worth: f32,
}

impl Edge {
    /// The mean worth of its visits, or of its proof; `None` before both.
    pub fn value(&self) -> Option<f32> {
        if self.proved.is_some() {
            return Some(self.worth);
        }
        #[expect(clippy::cast_possible_truncation, reason = "a mean within -1 and 1")]
        let mean = || (self.sum / f64::from(self.visits)) as f32;
        (self.visits > 0).then(mean)
    }

    /// The same with every visit under way counted as lost, so that the next goes elsewhere.
    pub(crate) fn value_if_pending_lose(&self) -> Option<f32> {
        if self.pending == 0 || self.proved.is_some() {
            return self.value();
        }
        let all = f64::from(self.visits + self.pending);
        #[expect(clippy::cast_possible_truncation, reason = "a mean within -1 and 1")]
        let mean = ((self.sum - f64::from(self.pending)) / all) as f32;
        Some(mean)
    }
}

/// A board in the tree.
#[derive(Clone, Copy, Debug)]
struct Node {
    board: Board,
    first_edge: u32,
    edge_count: u32,
    /// What the network expected, seen by the side to move.
    value: f32,
    /// Whether the side to move is the one that moved before: the other had to pass.
    is_same_side: bool,
    proved: Option<i8>,
}

/// What a choice among the moves of a board depends on.
pub(crate) struct Choices<'a> {
    pub(crate) edges: &'a [Edge],
    /// What the network expected of the board.
    pub(crate) value: f32,
}

/// A visit on its way: the moves from the root, and the board to evaluate.
#[derive(Clone, Debug, Default)]
pub struct Visit {
    /// The moves, as places of nodes and edges.
    path: Vec<(u32, u32)>,
    /// The board at their end.
    board: Board,
    is_same_side: bool,
}

impl Visit {
    /// The board at its end, seen by the side to move.
    pub fn board(&self) -> Board {
        self.board
    }
}

/// What a visit found out about its last move, seen by the side that plays it.
#[derive(Clone, Copy)]
enum Found {
    /// Its score.
    Proved(i8),
    /// What it is worth by the network.
    Expected(f32),
}

/// A search tree.
#[derive(Clone, Debug)]
pub struct Tree {
    stakes: Stakes,
    root: Board,
    nodes: Vec<Node>,
    edges: Vec<Edge>,
    most_edges: usize,
}

impl Tree {
    /// The most bytes that a move can take, with its part of the boards.
    pub const EDGE_BYTES: usize = size_of::<Edge>() + size_of::<Node>();

    /// The empty tree of a board whose side to move has a move. It never has more than
    /// `most_edges` moves, except that the root is always in it.
    pub fn new(stakes: Stakes, root: Board, most_edges: usize) -> Tree {
        debug_assert!(root.moves(stakes.size) != 0, "the side to move has a move");
        Tree { stakes, root, nodes: Vec::new(), edges: Vec::new(), most_edges }
    }

    /// Empties the tree and begins anew, in the same memory.
    pub fn restart(&mut self, root: Board) {
        debug_assert!(root.moves(self.stakes.size) != 0, "the side to move has a move");
        self.root = root;
        self.nodes.clear();
        self.edges.clear();
    }

    /// What is played.
    pub fn stakes(&self) -> &Stakes {
        &self.stakes
    }

    /// The board at the root.
    pub fn root(&self) -> Board {
        self.root
    }

    /// The moves at the root; none before its evaluation.
    pub fn root_edges(&self) -> &[Edge] {
        if self.nodes.is_empty() { &[] } else { self.edges_of(0) }
    }

    /// What the network expected of the root.
    pub(crate) fn root_choices(&self) -> Choices<'_> {
        Choices { edges: self.root_edges(), value: self.nodes.first().map_or(0.0, |n| n.value) }
    }

    /// The score of the root, if its result is proved. A win may be higher, and a loss lower.
    pub fn proved(&self) -> Option<i8> {
        self.nodes.first()?.proved
    }

    /// The memory that its boards and moves take.
    pub fn bytes(&self) -> usize {
        size_of_val(&*self.edges) + size_of_val(&*self.nodes)
    }

    fn edges_of(&self, node: u32) -> &[Edge] {
        let Node { first_edge, edge_count, .. } = self.nodes[node as usize];
        &self.edges[first_edge as usize..(first_edge + edge_count) as usize]
    }

    /// Sends a visit down, along the root's move number `first` if there is one, and says whether
    /// its board is to be evaluated. Otherwise it has ended: with a proof of the rules or of
    /// `solve`, which may know the exact score of a board for its side to move.
    pub fn descend(
        &mut self,
        first: Option<usize>,
        guide: Guide,
        solve: &mut impl FnMut(Board) -> Option<i8>,
        visit: &mut Visit,
    ) -> bool {
        visit.path.clear();
        if self.nodes.is_empty() {
            (visit.board, visit.is_same_side) = (self.root, true);
            return true;
        }
        let (mut at, mut chosen) = (0, first);
        loop {
            let choices =
                Choices { edges: self.edges_of(at), value: self.nodes[at as usize].value };
            let place = chosen.take().unwrap_or_else(|| match guide {
                Guide::Puct => puct::select(&choices),
                Guide::Gumbel => gumbel::select(&choices),
            });
            let Node { board, first_edge, .. } = self.nodes[at as usize];
            #[expect(clippy::cast_possible_truncation, reason = "a board has at most 64 moves")]
            let place = first_edge + place as u32;
            visit.path.push((at, place));
            let edge = &mut self.edges[place as usize];
            edge.pending += 1;
            if let Some(score) = edge.proved {
                self.end(visit, Found::Proved(score));
                return false;
            }
            if edge.node != NO_NODE {
                at = edge.node;
                continue;
            }
            match self.stakes.after(board, edge.square) {
                After::Over(score) => {
                    self.end(visit, Found::Proved(score));
                    return false;
                }
                After::Turn { board, is_same_side } => {
                    (visit.board, visit.is_same_side) = (board, is_same_side);
                    if let Some(score) = solve(board) {
                        let score = if is_same_side { score } else { -score };
                        self.end(visit, Found::Proved(score));
                        return false;
                    }
                    return true;
                }
            }
        }
    }

    /// Ends a visit with what the network says about its board.
    pub fn evaluated(&mut self, visit: &Visit, evaluation: &Evaluation) {
        let value = self.stakes.expected(evaluation);
        let moves = visit.board.moves(self.stakes.size);
        let has_room = self.edges.len() + moves.count_ones() as usize <= self.most_edges;
        match visit.path.last() {
            None if self.nodes.is_empty() => {
                self.add(visit, moves, value, evaluation);
            }
            None => {}
            Some(&(_, edge)) => {
                if has_room && self.edges[edge as usize].node == NO_NODE {
                    self.edges[edge as usize].node = self.add(visit, moves, value, evaluation);
                }
                let worth = if visit.is_same_side { value } else { -value };
                self.end(visit, Found::Expected(worth));
            }
        }
    }

    /// Takes back a visit that will not be evaluated.
    pub fn cancel(&mut self, visit: &Visit) {
        for &(_, edge) in &visit.path {
            self.edges[edge as usize].pending -= 1;
        }
    }

    /// Adds the board of a visit with its moves.
    #[expect(clippy::cast_possible_truncation, reason = "far fewer than 2^32 moves fit")]
    fn add(&mut self, visit: &Visit, moves: u64, value: f32, evaluation: &Evaluation) -> u32 {
        let node = self.nodes.len() as u32;
        let first_edge = self.edges.len() as u32;
        let logit = |square: Square| evaluation.policy[square.index() as usize];
        let most = squares(moves).map(logit).fold(f32::NEG_INFINITY, f32::max);
        let sum: f32 = squares(moves).map(|square| (logit(square) - most).exp()).sum();
        self.edges.extend(squares(moves).map(|square| Edge {
            square,
            proved: None,
            logit: logit(square) - most,
            prior: (logit(square) - most).exp() / sum,
            visits: 0,
            pending: 0,
            node: NO_NODE,
            sum: 0.0,
            worth: 0.0,
        }));
        self.nodes.push(Node {
            board: visit.board,
            first_edge,
            edge_count: moves.count_ones(),
            value,
            is_same_side: visit.is_same_side,
            proved: None,
        });
        node
    }

    /// Takes what a visit found up its path.
    fn end(&mut self, visit: &Visit, found: Found) {
        let (mut proof, mut worth) = match found {
            Found::Proved(score) => (Some(score), self.stakes.worth(score)),
            Found::Expected(worth) => (None, worth),
        };
        for &(at, place) in visit.path.iter().rev() {
            let edge = &mut self.edges[place as usize];
            edge.pending -= 1;
            edge.visits += 1;
            edge.sum += f64::from(worth);
            if let (Some(score), None) = (proof, edge.proved) {
                (edge.proved, edge.worth) = (Some(score), self.stakes.worth(score));
            }
            proof = proof.and_then(|_| self.prove(at));
            if !self.nodes[at as usize].is_same_side {
                worth = -worth;
                proof = proof.map(|score| -score);
            }
        }
    }

    /// The proved score of a node, if its moves prove it.
    fn prove(&mut self, at: u32) -> Option<i8> {
        let edges = self.edges_of(at);
        let best = edges.iter().filter_map(|edge| edge.proved).max()?;
        let is_proved = best > 0 || edges.iter().all(|edge| edge.proved.is_some());
        self.nodes[at as usize].proved = is_proved.then_some(best);
        is_proved.then_some(best)
    }

    /// Makes `board`, at most two moves below the root, the new root and forgets everything that is
    /// not below it; says whether it was in the tree. If not, the tree begins anew.
    pub fn advance(&mut self, board: Board) -> bool {
        if board == self.root && !self.nodes.is_empty() {
            return true;
        }
        let children = |node: u32| {
            let nodes = self.edges_of(node).iter().map(|edge| edge.node);
            nodes.filter(|&node| node != NO_NODE).collect::<Vec<u32>>()
        };
        let near = if self.nodes.is_empty() { Vec::new() } else { children(0) };
        let far = near.iter().flat_map(|&node| children(node));
        let found =
            near.iter().copied().chain(far).find(|&node| self.nodes[node as usize].board == board);
        let Some(found) = found else {
            self.restart(board);
            return false;
        };
        let mut kept = Tree::new(self.stakes, board, self.most_edges);
        kept.copy(self, found);
        kept.nodes[0].is_same_side = true;
        *self = kept;
        true
    }

    /// Copies the part of `other` below `top` into this empty tree, the near boards first.
    #[expect(clippy::cast_possible_truncation, reason = "no more than in the other tree")]
    fn copy(&mut self, other: &Tree, top: u32) {
        self.nodes.push(other.nodes[top as usize]);
        let mut at = 0;
        while at < self.nodes.len() {
            let Node { first_edge, edge_count, .. } = self.nodes[at];
            self.nodes[at].first_edge = self.edges.len() as u32;
            for place in first_edge..first_edge + edge_count {
                let mut edge = other.edges[place as usize];
                if edge.node != NO_NODE {
                    self.nodes.push(other.nodes[edge.node as usize]);
                    edge.node = self.nodes.len() as u32 - 1;
                }
                self.edges.push(edge);
            }
            at += 1;
        }
    }
}

/// What is after a move.
pub(crate) enum After {
    /// The end, with the score of the side that moved.
    Over(i8),
    /// Somebody's turn.
    Turn {
        /// The board, seen by the side to move.
        board: Board,
        /// Whether the side that moved moves again.
        is_same_side: bool,
    },
}

impl Stakes {
    /// What is after a legal move.
    pub(crate) fn after(&self, board: Board, square: Square) -> After {
        let after = board.play_unchecked(square.bit(), board.flips(square));
        if after.moves(self.size) != 0 {
            return After::Turn { board: after, is_same_side: false };
        }
        let passed = after.pass();
        if passed.moves(self.size) != 0 {
            return After::Turn { board: passed, is_same_side: true };
        }
        #[expect(clippy::cast_possible_truncation, reason = "a score is within -64 and 64")]
        let score = passed.score(self.size, self.rule) as i8;
        After::Over(score)
    }
}
