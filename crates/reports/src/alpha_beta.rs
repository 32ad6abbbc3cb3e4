//! The plain search of the reports: minimax with alpha-beta pruning, and nothing else.
//!
//! The best value the side to move can force within some plies, the leaves
//! being evaluated. No table, no extensions; the order of moves is the board's,
//! or that of a weight map.

use crate::features::{Features, WeightMap};
use isrever_agent::{Choice, Watch};
use isrever_board::{Rule, Square};

/// To the end of the game, however many plies that takes.
pub const TO_THE_END: u32 = u32::MAX;

/// What decided games are worth, for each disc of the margin: more than any evaluation says, so
/// that a win is preferred to everything that is not one, and a greater win to a smaller.
pub const DECIDED: f64 = 1e9;

/// An opinion on boards.
///
/// It is asked with the eyes of one side throughout a search, the side that
/// has to choose: reports weigh their own discs and the opponent's differently.
pub trait Evaluation {
    /// What an unfinished game is worth to the player, whoever is to move.
    fn value(&self, field: &impl Features) -> f64;

    /// What a game that ended with this score is worth to the player.
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
    /// How often the evaluation was asked since the last [`AlphaBeta::best`] began.
    guesses: u64,
}

/// What a search found at the root.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Best {
    /// The best move; among equals the first in order.
    pub square: Square,
    /// What it is worth to the side that plays it.
    pub value: f64,
}

impl<'a, 'w, E: Evaluation> AlphaBeta<'a, 'w, E> {
    /// A search that has not begun. Moves are tried in the order of the board.
    pub fn new(evaluation: &'a E, rule: Rule, watch: &'a mut Watch<'w>) -> AlphaBeta<'a, 'w, E> {
        AlphaBeta { evaluation, rule, watch, order: None, guesses: 0 }
    }

    /// The same search, trying squares of great weight first.
    #[must_use]
    pub fn ordered(self, order: &'a WeightMap) -> AlphaBeta<'a, 'w, E> {
        AlphaBeta { order: Some(order), ..self }
    }

    /// The best move within `depth` plies, at least one; a pass is a ply.
    ///
    /// Stopped on the way, it is the best of the moves searched to the end, and `None` if there
    /// is none.
    pub fn best(&mut self, field: &impl Features, depth: u32) -> Option<Best> {
        self.guesses = 0;
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

    /// Searches deeper and deeper, from `first` to `last` plies, until the limits are reached or
    /// nothing is left to guess. An interrupted search counts only if there is no other.
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
            if is_interrupted || self.guesses == 0 {
                break;
            }
        }
        Choice { nodes: self.watch.nodes(), ..choice }
    }

    /// What `field` is worth to its player. `is_mine`: whether the player is the side at the root.
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
            self.guesses += 1;
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

    /// The player's moves in the order they are tried in.
    fn moves(&self, field: &impl Features) -> Vec<Square> {
        let mut moves: Vec<Square> = field.moves().collect();
        if let Some(order) = self.order {
            moves.sort_by(|&one, &other| order.of(other).total_cmp(&order.of(one)));
        }
        moves
    }
}

/// What `opinion` says of the field with the eyes of the side at the root, told to the player.
fn seen_by<F: Features>(is_mine: bool, field: &F, opinion: impl Fn(&F) -> f64) -> f64 {
    if is_mine { opinion(field) } else { -opinion(&field.pass()) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample::positions;
    use crate::sense;
    use isrever_agent::{Bits, Field, Limits};
    use isrever_board::{Position, Size};

    /// Something to disagree about, with a lean that tells the sides apart.
    struct Opinion {
        map: WeightMap,
        sense: f64,
    }

    impl Opinion {
        fn new(size: Size, rule: Rule) -> Opinion {
            let classes = [8.0, -3.0, 2.0, 1.0, -4.0, 0.0, 1.0, 2.0, 1.0, 0.5];
            Opinion { map: WeightMap::new(&classes, size), sense: sense(rule) }
        }
    }

    impl Evaluation for Opinion {
        fn value(&self, field: &impl Features) -> f64 {
            let own = self.map.sum(field.discs());
            field.margin(Field::mobility) - self.sense * own
        }
    }

    /// Minimax as in the book: two functions in one, no pruning.
    fn minimax(field: &impl Features, is_mine: bool, depth: u32, rule: Rule, e: &Opinion) -> f64 {
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
                    let opinion = Opinion::new(size, rule);
                    for depth in depths.clone() {
                        let limits = Limits::default();
                        let mut watch = Watch::new(&limits);
                        let mut search = AlphaBeta::new(&opinion, rule, &mut watch);
                        let best = search.best(&field, depth).unwrap();
                        let mut plain: Option<Best> = None;
                        for square in field.moves() {
                            let next = field.play(square);
                            let value = minimax(&next, false, depth - 1, rule, &opinion);
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
            let opinion = Opinion::new(Size::EIGHT, rule);
            let limits = Limits::default();
            let (mut plain, mut ordered) = (Watch::new(&limits), Watch::new(&limits));
            let one = AlphaBeta::new(&opinion, rule, &mut plain).best(&field, 4).unwrap();
            let mut search = AlphaBeta::new(&opinion, rule, &mut ordered).ordered(&opinion.map);
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
        let (opinion, limits) = (Opinion::new(Size::FOUR, rule), Limits::default());
        let mut watch = Watch::new(&limits);
        let choice = AlphaBeta::new(&opinion, rule, &mut watch).deepen(&field, 1, TO_THE_END);
        assert!(choice.value.unwrap().abs() >= DECIDED || choice.value == Some(0.0));
    }
}
