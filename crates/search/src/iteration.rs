//! Iterations: the searches, one after the other, that lead to an answer.
//!
//! Each iteration guesses the value for the next one's aspiration window, and
//! leaves good moves in the transposition table. A search to the end begins
//! with the most daring cuts, goes on with surer ones, and ends with a proof.

use crate::goal::Goal;
use crate::parameters::Parameters;
use crate::selectivity::Selectivity;
use isrever_board::Size;

/// One iteration of a search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Iteration {
    /// Plies.
    pub(crate) depth: u32,
    /// The most moves tried at a node of the endgame.
    pub(crate) width: usize,
    /// How daring cuts are.
    pub(crate) selectivity: Selectivity,
}

impl Iteration {
    /// Tries all moves, `depth` plies deep.
    pub(crate) const fn new(depth: u32, selectivity: Selectivity) -> Iteration {
        Iteration { depth, width: usize::MAX, selectivity }
    }

    /// Proves the score of a board with this many empty squares.
    pub(crate) const fn proof(empties: u32) -> Iteration {
        Iteration::new(empties, Selectivity::NONE)
    }

    /// Whether it tries every move.
    #[inline(always)]
    pub(crate) const fn is_wide(&self) -> bool {
        self.width == usize::MAX
    }

    /// In how many of 100 cases its cuts are right; 0 if it skips moves by their order alone.
    pub(crate) fn confidence(&self) -> u8 {
        if self.is_wide() { self.selectivity.confidence() } else { 0 }
    }

    /// The iterations that reach `goal` on a board with this many empty squares.
    pub(crate) fn plan(
        goal: Goal,
        empties: u32,
        has_evaluation: bool,
        guesses: bool,
        parameters: &Parameters,
    ) -> Vec<Iteration> {
        let proof = Iteration::proof(empties);
        let guesses = guesses && empties >= parameters.guess_from;
        let mut plan = Vec::new();
        match goal {
            Goal::Value { depth, confidence } if depth < empties => {
                let selectivity = Selectivity::from_confidence(confidence);
                plan.extend((1..=depth).map(|depth| Iteration::new(depth, selectivity)));
            }
            Goal::Value { confidence, .. } => {
                let surest = Selectivity::from_confidence(confidence);
                let plies = 1..=empties.saturating_sub(parameters.end_step);
                plan.extend(plies.map(|depth| Iteration::new(depth, Selectivity::MOST)));
                let to_end = Selectivity::pruning().filter(|&level| level <= surest);
                plan.extend(to_end.map(|level| Iteration::new(empties, level)));
                if surest == Selectivity::NONE {
                    plan.push(proof);
                }
            }
            Goal::Exact | Goal::Wld if guesses && has_evaluation => {
                let deepest = empties.saturating_sub(parameters.guess_gap);
                let plies = (4..=deepest.min(parameters.guess_deepest)).step_by(2);
                plan.extend(plies.map(|depth| Iteration::new(depth, Selectivity::MOST)));
                plan.push(Iteration::new(empties, parameters.guess()));
                plan.push(proof);
            }
            Goal::Exact | Goal::Wld if guesses => {
                // Guesses that try only so many moves at each node.
                let widths = [parameters.narrow_first, parameters.narrow_second];
                let narrow = widths.into_iter().zip(Selectivity::pruning());
                plan.extend(narrow.map(|(width, selectivity)| Iteration {
                    depth: empties,
                    width,
                    selectivity,
                }));
                plan.push(proof);
            }
            Goal::Exact | Goal::Wld => plan.push(proof),
        }
        plan
    }
}

/// The goals that a deepening search of every move pursues one after the other, after moves that
/// leave `empties` squares empty.
///
/// Up to `max_depth` plies, by cuts of this confidence. Where that reaches the end of the game,
/// cuts on the way are the most daring; then follow guesses of the final score, each of which takes
/// several times as long as the last, and its proof.
pub(crate) fn deepening(
    size: Size,
    empties: u32,
    max_depth: u32,
    confidence: u8,
    parameters: &Parameters,
) -> Vec<Goal> {
    if max_depth < empties {
        return (1..=max_depth).map(|depth| Goal::Value { depth, confidence }).collect();
    }
    let mut goals = Vec::new();
    // 4×4 has no evaluation to guess with, and needs no time.
    if empties > parameters.moves_proved && size != Size::FOUR {
        let confidence = Selectivity::MOST.confidence();
        let plies = 1..=empties - parameters.end_step;
        goals.extend(plies.map(|depth| Goal::Value { depth, confidence }));
        let guesses =
            parameters.guesses_of_moves().into_iter().filter(|&(from, _)| empties >= from);
        goals.extend(guesses.map(|(_, confidence)| Goal::Value { depth: empties, confidence }));
    }
    goals.push(Goal::Value { depth: empties, confidence: 100 });
    goals
}

#[cfg(test)]
mod tests {
    use super::*;
    use isrever_board::Rule;

    fn shipped() -> Parameters {
        Parameters::shipped(Rule::Reversed, Size::EIGHT)
    }

    #[test]
    fn a_search_to_the_end_deepens_then_grows_surer_then_proves() {
        let goal = Goal::Value { depth: 60, confidence: 100 };
        let plan = Iteration::plan(goal, 20, true, true, &shipped());
        let plan: Vec<_> = plan.iter().map(|step| (step.depth, step.confidence())).collect();
        let mut expected: Vec<_> = (1..=17).map(|depth| (depth, 49)).collect();
        expected.extend([49, 73, 87, 95, 98, 99, 100].map(|confidence| (20, confidence)));
        assert_eq!(plan, expected);
        let short = Goal::Value { depth: 3, confidence: 73 };
        let short = Iteration::plan(short, 20, true, true, &shipped());
        assert!(short.iter().all(|step| step.confidence() == 73) && short.len() == 3);
    }

    #[test]
    fn a_proof_guesses_first_unless_it_is_quick() {
        let steps = |empties, has_evaluation| -> Vec<_> {
            let plan = Iteration::plan(Goal::Exact, empties, has_evaluation, true, &shipped());
            plan.iter().map(|step| (step.depth, step.width, step.confidence())).collect()
        };
        let all = usize::MAX;
        assert_eq!(steps(13, true), [(13, all, 100)]);
        assert_eq!(steps(14, true), [(4, all, 49), (6, all, 49), (14, all, 73), (14, all, 100)]);
        assert_eq!(steps(14, false), [(14, 2, 0), (14, 4, 0), (14, all, 100)]);
    }

    #[test]
    fn goals_for_every_move_deepen_and_end_with_a_proof() {
        let all = |empties, max_depth| -> Vec<(u32, u8)> {
            let goals = deepening(Size::EIGHT, empties, max_depth, 73, &shipped());
            let pair = |goal: &Goal| match *goal {
                Goal::Value { depth, confidence } => (depth, confidence),
                _ => unreachable!("all are values"),
            };
            goals.iter().map(pair).collect()
        };
        assert_eq!(all(10, u32::MAX), [(10, 100)]);
        let plies = (1..=8).map(|depth| (depth, 49));
        assert_eq!(all(11, 20), plies.chain([(11, 100)]).collect::<Vec<_>>());
        let plies = (1..=11).map(|depth| (depth, 49));
        assert_eq!(all(14, 14), plies.chain([(14, 49), (14, 100)]).collect::<Vec<_>>());
        assert_eq!(all(24, 60)[21..], [(24, 49), (24, 73), (24, 95), (24, 100)]);
        assert_eq!(all(24, 3), [(1, 73), (2, 73), (3, 73)]);
        assert_eq!(all(0, 0), [(0, 100)]);
        let proof = Goal::Value { depth: 11, confidence: 100 };
        assert_eq!(deepening(Size::FOUR, 11, u32::MAX, 73, &shipped()), [proof]);
    }
}
