//! The plain search of the reports: minimax with alpha-beta pruning, and nothing else.
//!
//! It finds the best value that the side to move can force within some plies,
//! and evaluates the leaves. It has no table and no extensions; it tries moves in
//! the order of the board, or by a weight map.

use crate::features::{Features, WeightMap};
use isrever_agent::{Choice, Watch};
use isrever_board::{Rule, Square};

/// A depth that reaches the end of every game.
pub const TO_THE_END: u32 = u32::MAX;

/// The value of a decided game for each disc of the margin. It exceeds every evaluation, so a
/// search prefers a win to anything undecided, and a greater win to a smaller one.
pub const DECIDED: f64 = 1e9;

/// Values boards.
///
/// Throughout a search it takes the view of one side, the side to move at the
/// root: reports weigh their own discs and the opponent's differently.
pub trait Evaluation {
    /// The value of an unfinished game for the player, whichever side is to move.
    fn value(&self, field: &impl Features) -> f64;

    /// The value of a finished game for the player, by the player's score.
    fn decided(&self, score: i32) -> f64 {
        DECIDED * f64::from(score)
    }
}

/// A search in progress.
pub struct AlphaBeta<'a, 'w, E> {
    evaluation: &'a E,
    rule: Rule,
    watch: &'a mut Watch<'w>,
    order: Option<&'a WeightMap>,
    /// Leaves evaluated since the last [`AlphaBeta::best`] began.
    evaluations: u64,
}

/// The result of a search at the root.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Best {
    /// The best move; the first in order among equals.
    pub square: Square,
    /// Its value for the side that plays it.
    pub value: f64,
}

impl<'a, 'w, E: Evaluation> AlphaBeta<'a, 'w, E> {
    /// A new search, which tries moves in the order of the board.
    pub fn new(evaluation: &'a E, rule: Rule, watch: &'a mut Watch<'w>) -> AlphaBeta<'a, 'w, E> {
        AlphaBeta { evaluation, rule, watch, order: None, evaluations: 0 }
    }

    /// The same search, which tries squares of great weight first.
    #[must_use]
    pub fn ordered(self, order: &'a WeightMap) -> AlphaBeta<'a, 'w, E> {
        AlphaBeta { order: Some(order), ..self }
    }

    /// The best move within `depth` plies, at least one; a pass is a ply.
    ///
    /// A search that is stopped returns the best of the moves it has finished, or `None`.
    pub fn best(&mut self, field: &impl Features, depth: u32) -> Option<Best> {
        self.evaluations = 0;
        let mut best: Option<Best> = None;
        for square in self.moves(field) {
            let alpha = best.map_or(f64::NEG_INFINITY, |best| best.value);
            let next = field.play(square);
            let value = -self.value(&next, false, depth - 1, f64::NEG_INFINITY, -alpha);
            if self.watch.is_over() {
                break;
            }
            if best.is_none_or(|best| value > best.value) {
                best = Some(Best { square, value });
            }
        }
        best
    }

    /// Deepens iteratively from `first` to `last` plies, until it reaches the limits or an
    /// iteration that evaluates no leaf. An interrupted iteration counts only if no other finished.
    pub fn deepen(&mut self, field: &impl Features, first: u32, last: u32) -> Choice {
        let first_move = self.moves(field)[0];
        let mut choice = Choice::from(first_move);
        for depth in first..=last {
            let best = self.best(field, depth);
            let is_interrupted = self.watch.is_over();
            if let Some(best) = best
                && (!is_interrupted || choice.depth.is_none())
            {
                let depth = (!is_interrupted).then_some(depth.min(field.empties()));
                choice = Choice { square: best.square, value: Some(best.value), depth, nodes: 0 };
            }
            if is_interrupted || self.evaluations == 0 {
                break;
            }
        }
        Choice { nodes: self.watch.nodes(), ..choice }
    }

    /// The value of `field` for its player. `is_mine` says whether that is the side at the root.
    fn value<F: Features>(
        &mut self,
        field: &F,
        is_mine: bool,
        depth: u32,
        mut alpha: f64,
        beta: f64,
    ) -> f64 {
        if self.watch.tick() {
            return 0.0;
        }
        if !field.has_move() {
            let passed = field.pass();
            if !passed.has_move() {
                return seen_by(is_mine, field, |field| {
                    self.evaluation.decided(field.score(self.rule))
                });
            }
            if depth > 0 {
                return -self.value(&passed, !is_mine, depth - 1, -beta, -alpha);
            }
        }
        if depth == 0 {
            self.evaluations += 1;
            return seen_by(is_mine, field, |field| self.evaluation.value(field));
        }
        let mut best = f64::NEG_INFINITY;
        for square in self.moves(field) {
            let value = -self.value(&field.play(square), !is_mine, depth - 1, -beta, -alpha);
            best = best.max(value);
            alpha = alpha.max(value);
            if alpha >= beta {
                break;
            }
        }
        best
    }

    /// The player's moves in the order in which the search tries them.
    fn moves(&self, field: &impl Features) -> Vec<Square> {
        let mut moves: Vec<Square> = field.moves().collect();
        if let Some(order) = self.order {
            moves.sort_by(|&one, &other| order.of(other).total_cmp(&order.of(one)));
        }
        moves
    }
}

/// Evaluates `field` with the view of the side at the root; returns the value for its player.
fn seen_by<F: Features>(is_mine: bool, field: &F, value: impl Fn(&F) -> f64) -> f64 {
    if is_mine { value(field) } else { -value(&field.pass()) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample::positions;
    use crate::sense;
    use isrever_agent::{Bits, Field, Limits};
    use isrever_board::{Position, Size};

    /// An evaluation that is not symmetric between the sides.
    struct Evaluator {
        map: WeightMap,
        sense: f64,
    }

    impl Evaluator {
        fn new(size: Size, rule: Rule) -> Evaluator {
            let classes = [8.0, -3.0, 2.0, 1.0, -4.0, 0.0, 1.0, 2.0, 1.0, 0.5];
            Evaluator { map: WeightMap::new(&classes, size), sense: sense(rule) }
        }
    }

    impl Evaluation for Evaluator {
        fn value(&self, field: &impl Features) -> f64 {
            let own = self.map.sum(field.discs());
            field.margin(Field::mobility) - self.sense * own
        }
    }

    /// Textbook minimax without pruning.
    fn minimax(field: &impl Features, is_mine: bool, depth: u32, rule: Rule, e: &Evaluator) -> f64 {
        let own = if is_mine { field.clone() } else { field.pass() };
        if field.is_over() {
            return e.decided(own.score(rule));
        }
        if depth == 0 {
            return e.value(&own);
        }
        if !field.has_move() {
            return minimax(&field.pass(), !is_mine, depth - 1, rule, e);
        }
        let values =
            field.moves().map(|square| minimax(&field.play(square), !is_mine, depth - 1, rule, e));
        if is_mine {
            values.fold(f64::NEG_INFINITY, f64::max)
        } else {
            values.fold(f64::INFINITY, f64::min)
        }
    }

    #[test]
    fn pruning_changes_neither_value_nor_move() {
        for (size, depths) in [(Size::FOUR, 1..=5), (Size::SIX, 1..=4), (Size::EIGHT, 1..=3)] {
            for (place, position) in positions(size, 3, 11).into_iter().enumerate() {
                if !position.has_move() || place % 4 != 0 {
                    continue;
                }
                let field = Bits { board: position.board().unwrap(), size };
                for rule in Rule::ALL {
                    let evaluator = Evaluator::new(size, rule);
                    for depth in depths.clone() {
                        let limits = Limits::default();
                        let mut watch = Watch::new(&limits);
                        let mut search = AlphaBeta::new(&evaluator, rule, &mut watch);
                        let best = search.best(&field, depth).unwrap();
                        let mut plain: Option<Best> = None;
                        for square in field.moves() {
                            let next = field.play(square);
                            let value = minimax(&next, false, depth - 1, rule, &evaluator);
                            if plain.is_none_or(|plain| value > plain.value) {
                                plain = Some(Best { square, value });
                            }
                        }
                        assert_eq!(Some(best), plain, "{position:?} {rule} {depth}");
                    }
                }
            }
        }
    }

    #[test]
    fn an_order_changes_the_work_but_not_the_value() {
        let rule = Rule::Reversed;
        let mut nodes = [0, 0];
        for position in positions(Size::EIGHT, 1, 5).into_iter().filter(Position::has_move) {
            let field = Bits { board: position.board().unwrap(), size: Size::EIGHT };
            let evaluator = Evaluator::new(Size::EIGHT, rule);
            let limits = Limits::default();
            let (mut plain, mut ordered) = (Watch::new(&limits), Watch::new(&limits));
            let one = AlphaBeta::new(&evaluator, rule, &mut plain).best(&field, 4).unwrap();
            let mut search = AlphaBeta::new(&evaluator, rule, &mut ordered).ordered(&evaluator.map);
            assert_eq!(one.value, search.best(&field, 4).unwrap().value);
            nodes[0] += plain.nodes();
            nodes[1] += ordered.nodes();
        }
        assert_ne!(nodes[0], nodes[1]);
    }

    #[test]
    fn deepening_ends_with_the_game() {
        let rule = Rule::Reversed;
        let position = positions(Size::FOUR, 1, 3).into_iter().rfind(Position::has_move).unwrap();
        let field = Bits { board: position.board().unwrap(), size: Size::FOUR };
        let (evaluator, limits) = (Evaluator::new(Size::FOUR, rule), Limits::default());
        let mut watch = Watch::new(&limits);
        let choice = AlphaBeta::new(&evaluator, rule, &mut watch).deepen(&field, 1, TO_THE_END);
        assert!(choice.value.unwrap().abs() >= DECIDED || choice.value == Some(0.0));
    }
}
