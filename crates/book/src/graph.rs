//! The graph of positions: findings meet here, and values go from a position to those before it.

use crate::finding::{Finding, most};
use crate::step::{After, after};
use isrever_board::{Board, Rule, Size, Square, squares};
use std::collections::HashMap;

/// What a position is worth by all that is known of those after it, for the side to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Worth {
    /// The value in discs.
    pub value: i8,
    /// The score is at least this: proved.
    pub lower: i8,
    /// The score is at most this: proved.
    pub upper: i8,
    /// The move that leads to the value.
    pub best: Square,
    /// How many moves of the best line there are before the search that the value rests on.
    pub plies: u8,
}

/// A graph of positions of one rule and size.
///
/// Whoever inserts findings calls [`Graph::propagate`] before asking what positions are worth.
#[derive(Clone, Debug)]
pub struct Graph {
    pub(crate) rule: Rule,
    pub(crate) size: Size,
    pub(crate) nodes: Vec<Node>,
    places: HashMap<Board, usize>,
    /// Positions that moves lead to and that are not in the graph, with those moves: node and
    /// number of the link.
    wanted: HashMap<Board, Vec<(usize, usize)>>,
    /// The nodes by their number of discs.
    pub(crate) by_discs: Vec<Vec<usize>>,
}

/// A position of the graph.
#[derive(Clone, Debug)]
pub(crate) struct Node {
    pub(crate) finding: Finding,
    /// One for each legal move, in the order of squares.
    pub(crate) links: Vec<Link>,
    pub(crate) worth: Worth,
}

/// Where a move leads.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Link {
    /// To the end of the game, with this score for the side that moved.
    Over(i8),
    /// To a position of the graph.
    Known { place: usize, is_reply: bool },
    /// To a position that is not in the graph.
    Unknown { is_reply: bool },
}

impl Graph {
    /// A graph without positions.
    ///
    /// # Panics
    /// If the board is larger than 8×8.
    pub fn new(rule: Rule, size: Size) -> Graph {
        assert!(size.has_bits(), "only boards up to 8x8 have books");
        let by_discs = vec![Vec::new(); size.cells() + 1];
        Graph {
            rule,
            size,
            nodes: Vec::new(),
            places: HashMap::new(),
            wanted: HashMap::new(),
            by_discs,
        }
    }

    /// The rule that the values are for.
    pub fn rule(&self) -> Rule {
        self.rule
    }

    /// The size of the board.
    pub fn size(&self) -> Size {
        self.size
    }

    /// How many positions there are.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// Whether the graph has this position, given in canonical form.
    pub fn contains(&self, board: Board) -> bool {
        self.places.contains_key(&board)
    }

    pub(crate) fn place(&self, board: Board) -> Option<usize> {
        self.places.get(&board).copied()
    }

    /// The finding about a position in canonical form, and what it is worth.
    pub fn find(&self, board: Board) -> Option<(&Finding, Worth)> {
        let node = &self.nodes[*self.places.get(&board)?];
        Some((&node.finding, node.worth))
    }

    /// All findings, in the order in which they came.
    pub fn findings(&self) -> impl Iterator<Item = &Finding> {
        self.nodes.iter().map(|node| &node.finding)
    }

    /// Adds a finding. Of two about the same position the better one stays; true if that is the new
    /// one.
    ///
    /// # Panics
    /// If it is not a finding of this board size: see [`Finding::check`].
    pub fn insert(&mut self, finding: Finding) -> bool {
        if let Err(error) = finding.check(self.size) {
            panic!("{error}");
        }
        if let Some(&place) = self.places.get(&finding.board) {
            let node = &mut self.nodes[place];
            let is_better = finding.is_better_than(&node.finding);
            if is_better {
                node.worth = leaf(&finding, self.size);
                node.finding = finding;
            }
            return is_better;
        }
        let (board, place) = (finding.board, self.nodes.len());
        let mut links = Vec::with_capacity(finding.estimates.len());
        for square in squares(board.moves(self.size)) {
            let link = match after(board, square, self.size, self.rule) {
                After::Over(score) => Link::Over(score),
                After::Position { board, is_reply } => match self.places.get(&board) {
                    Some(&place) => Link::Known { place, is_reply },
                    None => {
                        self.wanted.entry(board).or_default().push((place, links.len()));
                        Link::Unknown { is_reply }
                    }
                },
            };
            links.push(link);
        }
        for (before, number) in self.wanted.remove(&board).into_iter().flatten() {
            let link = &mut self.nodes[before].links[number];
            let Link::Unknown { is_reply } = *link else { unreachable!("it was wanted") };
            *link = Link::Known { place, is_reply };
        }
        self.by_discs[(board.player | board.opponent).count_ones() as usize].push(place);
        self.places.insert(board, place);
        let worth = leaf(&finding, self.size);
        self.nodes.push(Node { finding, links, worth });
        true
    }

    /// Lets values and bounds go from every position to those before it.
    ///
    /// A position is worth what its best move that leads into the book is worth, or what its own
    /// search found, if that prefers a move that does not. A bound is proved where a search has
    /// proved it, or by the bounds after the moves: one move that is at least so good, or none that
    /// is better.
    pub fn propagate(&mut self) {
        for discs in (0..self.by_discs.len()).rev() {
            for at in 0..self.by_discs[discs].len() {
                let place = self.by_discs[discs][at];
                self.nodes[place].worth = self.worth_of(&self.nodes[place]);
            }
        }
    }

    /// What a node is worth by what those after it are worth.
    fn worth_of(&self, node: &Node) -> Worth {
        let mut worth = leaf(&node.finding, self.size);
        if node.finding.is_exact {
            return worth;
        }
        let moves = squares(node.finding.board.moves(self.size));
        let mut upper = -most(self.size);
        let mut best: Option<(i8, u8, Square)> = None;
        for (square, link) in moves.zip(&node.links) {
            let (value, least, at_most, plies) = match *link {
                Link::Over(score) => (score, score, score, 0),
                Link::Known { place, is_reply } => {
                    let next = self.nodes[place].worth;
                    let [value, one, other] = [next.value, next.lower, next.upper]
                        .map(|it| After::seen_back(it, is_reply));
                    (value, one.min(other), one.max(other), next.plies)
                }
                Link::Unknown { .. } => {
                    upper = most(self.size);
                    if square == node.finding.best {
                        best = better(best, (node.finding.value, 0, square));
                    }
                    continue;
                }
            };
            worth.lower = worth.lower.max(least);
            upper = upper.max(at_most);
            best = better(best, (value, plies + 1, square));
        }
        worth.upper = upper;
        if let Some((value, plies, square)) = best {
            (worth.value, worth.plies, worth.best) = (value, plies, square);
        }
        worth.value = worth.value.clamp(worth.lower, worth.upper);
        worth
    }
}

/// The better of two moves: by value, then the one that is known further.
fn better(best: Option<(i8, u8, Square)>, next: (i8, u8, Square)) -> Option<(i8, u8, Square)> {
    match best {
        Some(best) if (best.0, best.1) >= (next.0, next.1) => Some(best),
        _ => Some(next),
    }
}

/// What a position is worth by its own finding alone.
fn leaf(finding: &Finding, size: Size) -> Worth {
    let (value, best) = (finding.value, finding.best);
    match finding.is_exact {
        true => Worth { value, lower: value, upper: value, best, plies: 0 },
        false => Worth { value, lower: -most(size), upper: most(size), best, plies: 0 },
    }
}
