//! One search tree of random playouts.

use crate::{Field, Rng};
use isrever_board::{Rule, Square};

/// A move and the results of its playouts.
#[derive(Clone, Debug)]
struct Node {
    /// The square of the disc; `None` for a pass, and for the root.
    square: Option<Square>,
    /// Playouts through here.
    visits: u32,
    /// Those won by the side that made the move, draws counted half.
    wins: f64,
    /// The place of its first reply in the tree, once its replies are in it.
    first_child: usize,
    children: usize,
}

impl Node {
    fn new(square: Option<Square>) -> Node {
        Node { square, visits: 0, wins: 0.0, first_child: 0, children: 0 }
    }
}

/// A tree of moves, the root first.
#[derive(Debug)]
pub(super) struct Tree {
    nodes: Vec<Node>,
    /// The tree stops growing at this many nodes; playouts go on below it.
    most_nodes: usize,
    exploration: f64,
    /// Squares of one ply of a random game; kept to save allocations.
    moves: Vec<Square>,
}

impl Tree {
    /// A tree with a root and its moves, row by row.
    pub(super) fn new(root: &impl Field, exploration: f64, most_nodes: usize) -> Tree {
        let nodes = vec![Node::new(None)];
        let mut tree = Tree { nodes, most_nodes, exploration, moves: Vec::new() };
        let moves: Vec<Square> = root.moves().collect();
        tree.add(0, moves.into_iter().map(Some));
        tree
    }

    fn add(&mut self, parent: usize, moves: impl Iterator<Item = Option<Square>>) {
        let first = self.nodes.len();
        self.nodes.extend(moves.map(Node::new));
        self.nodes[parent].first_child = first;
        self.nodes[parent].children = self.nodes.len() - first;
    }

    /// The moves at the root with their visits and wins.
    pub(super) fn root_moves(&self) -> Vec<(Square, u32, f64)> {
        let Node { first_child, children, .. } = self.nodes[0];
        let moves = &self.nodes[first_child..first_child + children];
        moves.iter().filter_map(|node| Some((node.square?, node.visits, node.wins))).collect()
    }

    /// Plays one game, down the tree and then at random, and learns from it.
    pub(super) fn playout<F: Field>(&mut self, root: &F, rule: Rule, rng: &mut Rng) {
        let mut field = root.clone();
        let mut path = vec![0];
        let mut at = 0;
        loop {
            if self.nodes[at].children == 0 {
                // A leaf is played out the first time, and grows the second time.
                if self.nodes[at].visits == 0 || !self.expand(at, &field) {
                    break;
                }
            }
            at = self.select(at, rng);
            path.push(at);
            field = match self.nodes[at].square {
                Some(square) => field.play(square),
                None => field.pass(),
            };
        }
        let score = self.play_out(field, rule, rng);
        // The score is the player's at the end of the path; the last move was the opponent's.
        let mut won = f64::from(1 - score.signum()) / 2.0;
        for &place in path.iter().rev() {
            let node = &mut self.nodes[place];
            node.visits += 1;
            node.wins += won;
            won = 1.0 - won;
        }
    }

    /// Adds the moves of the node `at`, where `field` stands. False if the game is over there or
    /// the tree is full.
    fn expand(&mut self, at: usize, field: &impl Field) -> bool {
        let moves: Vec<Square> = field.moves().collect();
        if self.nodes.len() + moves.len() >= self.most_nodes {
            return false;
        }
        if moves.is_empty() {
            if !field.pass().has_move() {
                return false;
            }
            self.add(at, [None].into_iter());
            return true;
        }
        self.add(at, moves.into_iter().map(Some));
        true
    }

    /// The child with the greatest upper confidence bound; one never visited comes first.
    fn select(&self, at: usize, rng: &mut Rng) -> usize {
        let Node { first_child, children, visits, .. } = self.nodes[at];
        let places = first_child..first_child + children;
        let fresh = places.clone().filter(|&place| self.nodes[place].visits == 0).count();
        if fresh > 0 {
            let mut fresh_places = places.filter(|&place| self.nodes[place].visits == 0);
            return fresh_places.nth(rng.index(fresh)).expect("counted above");
        }
        let log = f64::from(visits).ln();
        let bound = |place: usize| {
            let Node { visits, wins, .. } = self.nodes[place];
            let visits = f64::from(visits);
            wins / visits + self.exploration * (log / visits).sqrt()
        };
        places.max_by(|&one, &other| bound(one).total_cmp(&bound(other))).expect("it has children")
    }

    /// Plays at random to the end. The score is for the player of `field`.
    fn play_out<F: Field>(&mut self, mut field: F, rule: Rule, rng: &mut Rng) -> i32 {
        let (mut is_player, mut has_passed) = (true, false);
        loop {
            self.moves.clear();
            self.moves.extend(field.moves());
            if self.moves.is_empty() {
                if has_passed {
                    let score = field.score(rule);
                    return if is_player { score } else { -score };
                }
                field = field.pass();
                has_passed = true;
            } else {
                field = field.play(rng.pick(&self.moves));
                has_passed = false;
            }
            is_player = !is_player;
        }
    }
}
