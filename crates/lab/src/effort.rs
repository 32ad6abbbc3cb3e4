//! How hard a search tries for one move: by depth or by nodes, never by the clock. So it chooses the
//! same move on every machine.

use isrever_agent::{Agent, Choice, Forfeit, Limits};
use isrever_board::{Board, Game, Move, Square};
use isrever_search::{Control, Goal, Progress, Searcher};
use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

/// More than any game has left: a search of this depth goes to the end.
const TO_THE_END: u32 = 60;

/// How much a search may do for one move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Effort {
    /// So many plies, full width.
    Depth(u32),
    /// Ply after ply, until so many boards are visited. The search finishes the ply it has begun,
    /// so that it stops at the same place every time.
    Nodes(u64),
}

impl Effort {
    /// The move that `solver` likes best on `board`, which has at least one.
    pub fn choose(self, board: Board, solver: &mut Searcher) -> Square {
        let solution = match self {
            Effort::Depth(depth) => {
                solver.search(board, Goal::Value { depth, confidence: 100 }, Control::NONE)
            }
            Effort::Nodes(nodes) => {
                let stop = AtomicBool::new(false);
                // The first iteration always ends: there must be a move to answer with.
                let progress = |progress: Progress| {
                    stop.store(progress.iteration > 1 && progress.nodes >= nodes, Relaxed);
                };
                let control = Control { stop: &stop, progress: &progress, ..Control::NONE };
                solver.search(board, Goal::Value { depth: TO_THE_END, confidence: 100 }, control)
            }
        };
        match solution.best() {
            Some(Move::Place(square)) => square,
            _ => unreachable!("the board has a move"),
        }
    }
}

/// A search with this effort as an agent, whatever limits it is given.
pub(crate) struct SearchAgent {
    pub(crate) effort: Effort,
    /// What it has searched before decides which of equal moves it takes.
    pub(crate) solver: Searcher,
}

impl Agent for SearchAgent {
    fn name(&self) -> String {
        self.effort.to_string()
    }

    fn choose(&mut self, game: &Game, _: &Limits) -> Result<Choice, Forfeit> {
        let board = game.position().board().expect("solvers are made for small boards");
        Ok(self.effort.choose(board, &mut self.solver).into())
    }
}

/// Writes `depth 4` or `1000 nodes`.
impl fmt::Display for Effort {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Effort::Depth(depth) => write!(f, "depth {depth}"),
            Effort::Nodes(nodes) => write!(f, "{nodes} nodes"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use isrever_board::{Rule, Size};
    use isrever_search::Settings;

    fn solver() -> Searcher {
        let settings = Settings::new(Rule::Reversed, Size::EIGHT);
        Searcher::new(Settings { hash_bytes: 1 << 16, ..settings })
    }

    #[test]
    fn nodes_reach_as_deep_as_they_last() {
        let mut board = Board::start(Size::EIGHT);
        for _ in 0..12 {
            // One node is spent on the first ply, whatever comes of it.
            let shallow = Effort::Nodes(1).choose(board, &mut solver());
            assert_eq!(shallow, Effort::Depth(1).choose(board, &mut solver()));
            let square = Effort::Nodes(2_000).choose(board, &mut solver());
            assert_eq!(square, Effort::Nodes(2_000).choose(board, &mut solver()));
            board = board.play(square, Size::EIGHT).unwrap();
        }
    }

    #[test]
    fn efforts_are_told() {
        assert_eq!(Effort::Depth(4).to_string(), "depth 4");
        assert_eq!(Effort::Nodes(1000).to_string(), "1000 nodes");
    }
}
