//! Positions solved one by one, as jobs, which any machine may do.

use crate::evaluator::{Evaluator, Find, Load, SentEvaluator};
use isrever_board::{Board, Move};
use isrever_jobs::{Failure, Manifest, Work};
use isrever_search::{Control, Goal, Searcher};
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// How positions are solved: each by a searcher of its own, so that which of several best moves is
/// found does not depend on other positions.
#[derive(Clone, Debug)]
pub struct Solving {
    /// The rule, the board, and what orders moves.
    pub evaluator: Evaluator,
    /// Memory of each searcher, in bytes.
    pub hash_bytes: usize,
}

/// The same in writing.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Text {
    evaluator: SentEvaluator,
    hash_bytes: usize,
}

/// The score of a position for the side to move, and a best move unless it has to pass or the game
/// is over.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Solved {
    /// The score.
    pub score: i32,
    /// A best move: `d3`.
    pub best: Option<String>,
}

impl Solving {
    /// What manifests of solving say they are.
    pub const KIND: &'static str = "solve";

    /// The solving of a manifest's text.
    pub fn read(text: &str, find: &Find<'_>, load: &Load<'_>) -> Result<Solving, String> {
        let refused = |what: String| format!("not solving: {what}");
        let Text { evaluator, hash_bytes } =
            serde_json::from_str(text).map_err(|why| refused(why.to_string()))?;
        let evaluator = Evaluator::receive(&evaluator, find, load).map_err(refused)?;
        Ok(Solving { evaluator, hash_bytes })
    }
}

impl Work for Solving {
    /// The discs of the side to move, and of the other.
    type Job = [u64; 2];
    type Output = Solved;
    type ThreadState = ();

    fn thread_state(&self) {}

    fn perform(
        &self,
        (): &mut (),
        &[player, opponent]: &[u64; 2],
        stop: &Arc<AtomicBool>,
    ) -> Result<Solved, Failure> {
        let settings = self.evaluator.settings(self.hash_bytes);
        let control = Control { stop, ..Control::NONE };
        let board = Board { player, opponent };
        let answer = Searcher::new(settings).search(board, Goal::Exact, control);
        if !answer.is_exact {
            return Err(Failure::Stopped);
        }
        let best = answer.best().and_then(Move::square).map(|square| square.to_string());
        Ok(Solved { score: answer.score(), best })
    }

    fn manifest(&self) -> Result<Manifest, String> {
        let (evaluator, attached) = self.evaluator.send()?;
        let text = Text { evaluator, hash_bytes: self.hash_bytes };
        Ok(Manifest {
            attachments: attached.into_iter().collect(),
            memory_bytes: self.hash_bytes as u64,
            ..Manifest::new(Solving::KIND, &text)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use isrever_board::{Rule, Size};

    #[test]
    fn what_is_written_for_other_machines_solves_the_same() {
        let size = Size::FOUR;
        let evaluator = Evaluator::embedded(Rule::Reversed, size);
        let solving = Solving { evaluator, hash_bytes: 1 << 16 };
        let text = solving.manifest().unwrap().text;
        let read = Solving::read(&text, &|_| None, &|_| unreachable!()).unwrap();
        let Board { player, opponent } = Board::start(size);
        let solve = |solving: &Solving, is_stopped: bool| {
            let stop = Arc::new(AtomicBool::new(is_stopped));
            solving.perform(&mut (), &[player, opponent], &stop)
        };
        let solved = solve(&read, false).unwrap();
        // Known from the whole tree of the small board.
        assert_eq!(solved.score, 4);
        assert_eq!(solve(&solving, false), Ok(solved));
        assert_eq!(solve(&solving, true), Err(Failure::Stopped));
        assert!(Solving::read("[]", &|_| None, &|_| unreachable!()).is_err());
    }
}
