//! Values of positions as jobs, which any machine may do.

use crate::evaluator::{Evaluator, Find, Load, SentEvaluator};
use isrever_board::Board;
use isrever_jobs::{Failure, Manifest, Work};
use isrever_search::{Control, Goal, Searcher};
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

/// Plies of the quick search.
const QUICK: u32 = 8;

/// Discs by which the quick value may lie outside the margin.
const DOUBT: i32 = 3;

/// Memory of each search.
const HASH_BYTES: usize = 16 << 20;

/// How positions are valued: quickly first, and deeply where that leaves them in question.
#[derive(Clone, Debug)]
pub struct Values {
    /// The rule, the board and the weights of the searches.
    pub evaluator: Evaluator,
    /// The most discs that either side may be ahead by.
    pub most: i32,
    /// Plies of the deep search.
    pub depth: u32,
    /// How often, in hundredths, its cuts are right.
    pub percent: u8,
}

/// The same in writing.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Text {
    evaluator: SentEvaluator,
    most: i32,
    depth: u32,
    percent: u8,
}

impl Values {
    /// What manifests of values say they are.
    pub const KIND: &'static str = "openings";

    /// The values of a manifest's text.
    pub fn read(text: &str, find: &Find<'_>, load: &Load<'_>) -> Result<Values, String> {
        let refused = |what: String| format!("not values of positions: {what}");
        let Text { evaluator, most, depth, percent } =
            serde_json::from_str(text).map_err(|why| refused(why.to_string()))?;
        let evaluator = Evaluator::receive(&evaluator, find, load).map_err(refused)?;
        Ok(Values { evaluator, most, depth, percent })
    }

    /// The value of a board that lies within the margin; `None` of one that does not, or if the
    /// search was stopped.
    fn value(&self, board: Board, stop: &AtomicBool) -> Option<i32> {
        let mut solver = Searcher::new(self.evaluator.settings(HASH_BYTES));
        let mut by = |depth, confidence, most| {
            let control = Control { stop, ..Control::NONE };
            let value = solver.search(board, Goal::Value { depth, confidence }, control).score();
            (value.abs() <= most).then_some(value)
        };
        by(self.depth.min(QUICK), 100, self.most + DOUBT)?;
        by(self.depth, self.percent, self.most)
    }
}

impl Work for Values {
    /// Boards, each as the discs of the side to move and of the other.
    type Job = Vec<[u64; 2]>;
    /// Their values as far as they lie within the margin.
    type Output = Vec<Option<i32>>;
    type ThreadState = ();

    fn thread_state(&self) {}

    fn perform(
        &self,
        (): &mut (),
        boards: &Vec<[u64; 2]>,
        stop: &Arc<AtomicBool>,
    ) -> Result<Vec<Option<i32>>, Failure> {
        let mut values = Vec::new();
        for &[player, opponent] in boards {
            values.push(self.value(Board { player, opponent }, stop));
            if stop.load(Relaxed) {
                return Err(Failure::Stopped);
            }
        }
        Ok(values)
    }

    fn manifest(&self) -> Result<Manifest, String> {
        let (evaluator, attached) = self.evaluator.send()?;
        let Values { most, depth, percent, .. } = *self;
        let text = Text { evaluator, most, depth, percent };
        Ok(Manifest {
            attachments: attached.into_iter().collect(),
            memory_bytes: HASH_BYTES as u64,
            ..Manifest::new(Values::KIND, &text)
        })
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use isrever_board::{Rule, Size};

    pub(in super::super) fn values() -> Values {
        let evaluator = Evaluator::embedded(Rule::Reversed, Size::EIGHT);
        Values { evaluator, most: 3, depth: 4, percent: 100 }
    }

    #[test]
    fn what_is_written_for_other_machines_gives_the_same_values() {
        let start = Board::start(Size::EIGHT);
        let after = |square: &str| start.play(square.parse().unwrap(), Size::EIGHT).unwrap();
        let boards: Vec<[u64; 2]> =
            ["d3", "c4"].map(after).map(|Board { player, opponent }| [player, opponent]).to_vec();
        let perform = |values: &Values| values.perform(&mut (), &boards, &Arc::default()).unwrap();
        let text = values().manifest().unwrap().text;
        let read = Values::read(&text, &|_| None, &|_| unreachable!()).unwrap();
        assert_eq!(perform(&read), perform(&values()));
        let none = Values { most: -DOUBT - 1, ..values() };
        assert_eq!(perform(&none), [None, None]);
        assert!(Values::read("{}", &|_| None, &|_| unreachable!()).is_err());
        let stopped = values().perform(&mut (), &boards, &Arc::new(AtomicBool::new(true)));
        assert_eq!(stopped, Err(Failure::Stopped));
    }
}
