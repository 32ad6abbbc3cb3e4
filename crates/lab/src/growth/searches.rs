//! Searches of single positions for a book, as jobs.

use crate::evaluator::{Evaluator, Find, Load, SentEvaluator};
use isrever_board::{Board, Move, squares};
use isrever_book::{Finding, Line};
use isrever_jobs::{Failure, Manifest, Work};
use isrever_search::{Answer, Control, EveryMove, Goal, Searcher};
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

/// Memory of a short search.
const HASH_BYTES: usize = 32 << 20;

/// Memory of a long one, which may take billions of nodes.
const LONG_HASH_BYTES: usize = 256 << 20;

/// A search of up to so many nodes is short: more would replace what is still needed.
const SHORT_NODES: u64 = 10_000_000;

/// A proof with up to so many empty squares is short.
const SHORT_PROOF: u32 = 22;

/// In how many of 100 cases the cuts of the shallow searches are right.
const SHALLOW_CONFIDENCE: u8 = 73;

/// How positions of a book are searched.
#[derive(Clone, Debug)]
pub struct Searches {
    /// The rule, the board and the weights of the searches.
    pub evaluator: Evaluator,
    /// The nodes of each search; `None` to search to the end and prove the score.
    pub nodes: Option<u64>,
    /// Plies of the shallow search that estimates every move.
    pub shallow: u32,
}

/// The same in writing.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Text {
    evaluator: SentEvaluator,
    nodes: Option<u64>,
    shallow: u32,
}

impl Searches {
    /// What manifests of such searches say they are.
    pub const KIND: &'static str = "book";

    /// The searches of a manifest's text.
    pub fn read(text: &str, find: &Find<'_>, load: &Load<'_>) -> Result<Searches, String> {
        let refused = |what: String| format!("not searches for a book: {what}");
        let Text { evaluator, nodes, shallow } =
            serde_json::from_str(text).map_err(|why| refused(why.to_string()))?;
        let evaluator = Evaluator::receive(&evaluator, find, load).map_err(refused)?;
        Ok(Searches { evaluator, nodes, shallow })
    }

    /// The memory of a search of a position with so many empty squares.
    fn hash_bytes(&self, empties: u32) -> usize {
        let is_short = self.nodes.map_or(empties <= SHORT_PROOF, |nodes| nodes <= SHORT_NODES);
        if is_short { HASH_BYTES } else { LONG_HASH_BYTES }
    }

    /// What a search finds about a position in canonical form; `None` if it was stopped.
    pub fn search(&self, board: Board, stop: &AtomicBool) -> Option<Finding> {
        let size = self.evaluator.size;
        let empties = board.empties(size).count_ones();
        let settings = self.evaluator.settings(self.hash_bytes(empties));
        // A table of its own: what is found follows from the position alone.
        let mut searcher = Searcher::new(settings);
        let goal = match self.nodes {
            Some(_) => Goal::within(None, empties, 100),
            None => Goal::Exact,
        };
        let control = Control { stop, max_nodes: self.nodes, ..Control::NONE };
        let answer = searcher.search(board, goal, control);
        let mut every_move =
            EveryMove::deepening(board, &settings, self.shallow, SHALLOW_CONFIDENCE);
        let control = Control { stop, ..Control::NONE };
        searcher.ask_every_move(&mut every_move, control, &mut |_| {});
        if stop.load(Relaxed) {
            return None;
        }
        let estimate = |square| {
            let of_square = |answer: &&Answer| answer.best().and_then(Move::square) == Some(square);
            let answer = every_move.completed().iter().find(of_square).expect("every move is seen");
            discs(answer.score())
        };
        Some(Finding {
            board,
            value: discs(answer.score()),
            best: answer.best().and_then(Move::square).expect("there is a move"),
            depth: u8::try_from(answer.depth).expect("no deeper than the board"),
            // Unknown is as little as can be said.
            confidence: answer.confidence.max(1),
            is_exact: answer.is_exact,
            nodes: answer.nodes,
            estimates: squares(board.moves(size)).map(estimate).collect(),
        })
    }
}

fn discs(score: i32) -> i8 {
    i8::try_from(score.clamp(-64, 64)).expect("no more discs than squares")
}

impl Work for Searches {
    /// A position in canonical form: the discs of the side to move, and of the other.
    type Job = [u64; 2];
    /// What was found.
    type Output = Line;
    type ThreadState = ();

    fn thread_state(&self) {}

    fn perform(
        &self,
        (): &mut (),
        &[player, opponent]: &[u64; 2],
        stop: &Arc<AtomicBool>,
    ) -> Result<Line, Failure> {
        let finding = self.search(Board { player, opponent }, stop).ok_or(Failure::Stopped)?;
        Ok(Line::new(&finding, self.evaluator.size))
    }

    fn manifest(&self) -> Result<Manifest, String> {
        let (evaluator, attached) = self.evaluator.send()?;
        let text = Text { evaluator, nodes: self.nodes, shallow: self.shallow };
        Ok(Manifest {
            attachments: attached.into_iter().collect(),
            memory_bytes: self.hash_bytes(u32::MAX) as u64,
            ..Manifest::new(Searches::KIND, &text)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use isrever_board::{Rule, Size};
    use isrever_testkit::{brute_force, unfinished_boards};

    #[test]
    fn a_proof_is_the_score_and_a_search_to_the_end_is_one_too() {
        let (rule, size) = (Rule::Reversed, Size::SIX);
        let evaluator = Evaluator::embedded(rule, size);
        let stop = AtomicBool::new(false);
        for board in unfinished_boards(size, 7, 20) {
            if board.moves(size) == 0 {
                continue;
            }
            let (board, _) = board.canonical(size);
            for nodes in [None, Some(10_000_000)] {
                let searches = Searches { evaluator: evaluator.clone(), nodes, shallow: 3 };
                let finding = searches.search(board, &stop).unwrap();
                assert_eq!(finding.check(size), Ok(()));
                assert!(finding.is_exact);
                assert_eq!(i32::from(finding.value), brute_force(board, size, rule));
            }
        }
    }

    #[test]
    fn a_stopped_search_finds_nothing_and_bad_manifests_are_refused() {
        let evaluator = Evaluator::embedded(Rule::Reversed, Size::EIGHT);
        let searches = Searches { evaluator, nodes: Some(1_000), shallow: 1 };
        let (start, _) = Board::start(Size::EIGHT).canonical(Size::EIGHT);
        assert_eq!(searches.search(start, &AtomicBool::new(true)), None);
        assert!(Searches::read("{}", &|_| None, &|_| unreachable!()).is_err());
    }
}
