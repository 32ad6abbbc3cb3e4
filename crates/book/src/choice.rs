//! Which positions to search next: drop-out expansion after Lincke (2001), for both sides.
//!
//! A position not yet in the book costs as many plies as it is away from the
//! start, and more for every disc that moves on the way lose. The cheapest is
//! searched next, so that good lines become long and bad ones stay short. There
//! are two such costs. In one the first player is the one whom the book is for:
//! its own mistakes cost much, because it will not make them, and those of the
//! other side little, because somebody may. In the other it is the second
//! player. Positions are taken from both in turn.

use crate::finding::most;
use crate::graph::{Graph, Link, Node};
use crate::step::{After, after};
use isrever_board::{Board, squares};
use std::collections::HashSet;

/// How a book grows.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Policy {
    /// Plies that a disc costs which the side loses that the book is for.
    pub own: f64,
    /// Plies that a disc costs which the other side loses.
    pub other: f64,
    /// All positions up to this many plies from the start come first.
    pub full: u32,
    /// No position is further from the start than this.
    pub most_plies: u32,
    /// Only the positions of a perfect strategy for either side, as long as at least this many
    /// squares are empty; their findings must be proved.
    pub strategy: Option<u32>,
    /// Positions whose value is that of their own search are searched again before any new one, if
    /// that search had fewer nodes than nine tenths of this.
    pub deepen: Option<u64>,
}

impl Default for Policy {
    /// Two plies for an own disc, half a ply for one of the other side; nothing in full, 60 plies.
    fn default() -> Policy {
        Policy { own: 2.0, other: 0.5, full: 0, most_plies: 60, strategy: None, deepen: None }
    }
}

/// A move to a position that is not in the graph.
#[derive(Clone, Copy, Debug)]
struct Candidate {
    cost: f64,
    place: usize,
    number: usize,
}

impl Graph {
    /// The positions to search next, at most `count`, the most urgent first; none of `pending`,
    /// which are being searched.
    pub fn next(&self, count: usize, policy: &Policy, pending: &HashSet<Board>) -> Vec<Board> {
        if let Some(empties) = policy.strategy {
            return self.next_of_strategy(empties, count, pending);
        }
        if self.is_empty() {
            let (start, _) = Board::start(self.size).canonical(self.size);
            let chosen = [start].into_iter().filter(|board| !pending.contains(board));
            return chosen.take(count).collect();
        }
        let mut sides = self.candidates(policy);
        for side in &mut sides {
            let key = |candidate: &Candidate| (candidate.place, candidate.number);
            side.sort_by(|one, other| {
                one.cost.total_cmp(&other.cost).then(key(one).cmp(&key(other)))
            });
        }
        let [first, second] = sides.map(Vec::into_iter);
        let mut chosen = Vec::new();
        let mut seen = HashSet::new();
        // Both lists have the same moves, so they end together.
        for candidate in first.zip(second).flat_map(|(one, other)| [one, other]) {
            if chosen.len() == count {
                break;
            }
            let board = self.beyond(candidate);
            if !pending.contains(&board) && seen.insert(board) {
                chosen.push(board);
            }
        }
        chosen
    }

    /// The positions to search again, at most `count`, those nearest the start first; none of
    /// `pending`.
    pub fn shallow(&self, count: usize, policy: &Policy, pending: &HashSet<Board>) -> Vec<Board> {
        let Some(nodes) = policy.deepen else { return Vec::new() };
        let is_shallow = |node: &&Node| {
            // Numbers of nodes are kept to three digits, and searches end a little before theirs.
            let is_short = node.finding.nodes < nodes / 10 * 9;
            is_short && node.worth.plies == 0 && !node.finding.is_exact
        };
        let places = self.by_discs.iter().flatten();
        let shallow = places.map(|&place| &self.nodes[place]).filter(is_shallow);
        let boards = shallow.map(|node| node.finding.board);
        boards.filter(|board| !pending.contains(board)).take(count).collect()
    }

    /// The position, in canonical form, that a move out of the graph leads to.
    fn beyond(&self, candidate: Candidate) -> Board {
        let from = self.nodes[candidate.place].finding.board;
        let square = squares(from.moves(self.size)).nth(candidate.number).expect("a legal move");
        match after(from, square, self.size, self.rule) {
            After::Position { board, .. } => board,
            After::Over(_) => unreachable!("it leads to a position"),
        }
    }

    /// The moves that leave the graph, with their cost for a book of the first player and for one of
    /// the second.
    fn candidates(&self, policy: &Policy) -> [Vec<Candidate>; 2] {
        let mut costs = vec![[f64::INFINITY; 2]; self.nodes.len()];
        let (start, _) = Board::start(self.size).canonical(self.size);
        if let Some(place) = self.place(start) {
            // The first number is for the side to move as the one whom the book is for.
            costs[place] = [0.0, 0.0];
        }
        let mut sides = [Vec::new(), Vec::new()];
        for (discs, places) in self.by_discs.iter().enumerate() {
            let plies = discs as u32 - discs.min(4) as u32;
            for &place in places {
                let (node, cost) = (&self.nodes[place], costs[place]);
                let is_settled = node.worth.lower == node.worth.upper && plies >= policy.full;
                if cost == [f64::INFINITY; 2] || is_settled || plies >= policy.most_plies {
                    continue;
                }
                for (number, link) in node.links.iter().enumerate() {
                    let loss = f64::from(self.loss(node, number).max(0));
                    let to =
                        [cost[0] + 1.0 + policy.own * loss, cost[1] + 1.0 + policy.other * loss];
                    match *link {
                        Link::Over(_) => {}
                        Link::Known { place, is_reply } => {
                            let to = if is_reply { [to[1], to[0]] } else { to };
                            let known = &mut costs[place];
                            *known = [known[0].min(to[0]), known[1].min(to[1])];
                        }
                        Link::Unknown { .. } => {
                            let is_full = plies < policy.full;
                            for (side, cost) in sides.iter_mut().zip(to) {
                                let cost = if is_full { f64::from(plies) - 1e6 } else { cost };
                                side.push(Candidate { cost, place, number });
                            }
                        }
                    }
                }
            }
        }
        sides
    }

    /// How many discs the move of this number loses, as far as one can tell.
    fn loss(&self, node: &Node, number: usize) -> i32 {
        let value = match node.links[number] {
            Link::Over(score) => i32::from(score),
            Link::Known { place, is_reply } => {
                After::seen_back(self.nodes[place].worth.value, is_reply).into()
            }
            // A move of which nothing is known comes after all others.
            Link::Unknown { .. } => {
                let worst = -i32::from(most(self.size));
                node.finding.estimate(number, self.size).unwrap_or(worst)
            }
        };
        i32::from(node.worth.value) - value
    }
}
