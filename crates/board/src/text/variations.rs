//! Variations of a game: its other lines of play, each from the start to its end.
//!
//! SGF nests them, a [`Record`](super::Record) lists them. A [`Lines`] is the tree between the
//! two: lines that begin alike share their first moves.

use crate::{Color, Game, Move};

/// The most variations of a game that are kept; those behind them are dropped.
pub(super) const MOST: usize = 256;

/// The most moves of a variation that is kept.
pub(super) const MOST_MOVES: usize = 256;

/// Lines of play as a tree; the first child of a node is the main line.
pub(super) struct Lines {
    nodes: Vec<Node>,
    /// The last node of the main line, which no other line goes on from.
    end: usize,
}

/// A move, and those that follow it; the root has none.
pub(super) struct Node {
    pub(super) played: Option<(Color, Move)>,
    pub(super) children: Vec<usize>,
}

impl Lines {
    /// The main line of a game, and the variations that are legal.
    pub(super) fn new(game: &Game, variations: &[Vec<Move>]) -> Lines {
        let root = Node { played: None, children: Vec::new() };
        let mut lines = Lines { nodes: vec![root], end: usize::MAX };
        lines.end = lines.add(game);
        for variation in variations.iter().take(MOST) {
            let mut line = Game::from_position(game.rule(), game.start().clone());
            if variation.iter().all(|&mv| line.play(mv).is_ok()) {
                lines.add(&line);
            }
        }
        lines
    }

    /// Adds a line of play, unless it only continues the main line; returns its last node.
    pub(super) fn add(&mut self, game: &Game) -> usize {
        let mut at = 0;
        for (mv, before) in game.moves().iter().zip(game.positions()) {
            if at == self.end {
                break;
            }
            let played = Some((before.turn(), *mv));
            let known = self.nodes[at].children.iter().find(|&&to| self.nodes[to].played == played);
            at = known.copied().unwrap_or_else(|| {
                let next = self.nodes.len();
                self.nodes.push(Node { played, children: Vec::new() });
                self.nodes[at].children.push(next);
                next
            });
        }
        at
    }

    /// A node; the root is 0.
    pub(super) fn node(&self, at: usize) -> &Node {
        &self.nodes[at]
    }

    /// All lines but the main one, in the order in which they are written.
    pub(super) fn variations(&self) -> Vec<Vec<Move>> {
        let mut found = Vec::new();
        // A node to visit, and how many moves lead to its parent.
        let mut stack = vec![(0, 0)];
        let mut path = Vec::new();
        while let Some((at, depth)) = stack.pop() {
            let Node { played, children } = &self.nodes[at];
            path.truncate(depth);
            path.extend(played.map(|(_, mv)| mv));
            if children.is_empty() {
                found.push(path.clone());
            }
            stack.extend(children.iter().rev().map(|&child| (child, path.len())));
        }
        found.remove(0);
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Rule, Size};

    fn line(text: &str) -> Vec<Move> {
        text.split(' ').map(|square| Move::Place(square.parse().unwrap())).collect()
    }

    #[test]
    fn lines_that_begin_alike_share_their_moves() {
        let mut game = Game::new(Rule::Reversed, Size::EIGHT);
        for mv in line("f5 d6 c3") {
            game.play(mv).unwrap();
        }
        // One is a part of the main line, one continues it, one is a part of another line, and one
        // is not legal.
        let variations =
            ["f5 f4", "c4", "f5 d6", "f5 d6 c3 d3", "f5 f4 e3", "a1 a2", "c4 c3"].map(line);
        let lines = Lines::new(&game, &variations);
        assert_eq!(lines.variations(), ["f5 f4 e3", "c4 c3"].map(line));
        assert_eq!(lines.nodes.len(), 1 + 3 + 2 + 2);
        assert!(Lines::new(&game, &[]).variations().is_empty());
    }
}
