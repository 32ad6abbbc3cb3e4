//! Report 000's search, instrumented to count nodes: double-alpha maximax without a table.
//!
//! The evaluation is the ten weights of 4.2.3 in whole numbers, updated
//! incrementally: an experiment evaluates billions of boards.

use isrever_agent::Parameters;
use isrever_board::{Board, Rule, Size, squares};
use isrever_reports::{Combination, WeightMap};

const SIZE: Size = Size::EIGHT;
const RULE: Rule = Rule::Reversed;

/// The scale of the whole-number weights: the report gives eight digits.
const UNIT: f64 = 1e8;

/// The value of a decided game: more than all discs together.
const DECIDED: i64 = 1 << 40;

/// The cost of a disc to its owner, square by square.
pub(super) struct Costs([i64; 64]);

impl Costs {
    /// The report's weights.
    pub(super) fn of_report() -> Costs {
        let weights = Parameters::new(Combination::squares_table()).squares("");
        let map = WeightMap::new(&weights, SIZE);
        let mut costs = [0; 64];
        for square in SIZE.squares() {
            costs[square.index() as usize] = (UNIT * map.of(square)).round() as i64;
        }
        Costs(costs)
    }

    fn of(&self, discs: u64) -> i64 {
        squares(discs).map(|square| self.0[square.index() as usize]).sum()
    }

    /// The value of `board` for its player, whichever side is to move.
    fn value(&self, board: Board) -> i64 {
        self.of(board.opponent) - self.of(board.player)
    }
}

/// The order of moves.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Order {
    /// The best evaluation first, as in the report.
    ByValue,
    /// The order of the board.
    Board,
}

/// The nodes of a search of `depth` plies, the root included.
pub(super) fn nodes(costs: &Costs, board: Board, depth: u32, order: Order) -> u64 {
    let mut tree = Tree { costs, order, nodes: 0 };
    tree.value(board, costs.value(board), depth, (-DECIDED, -DECIDED));
    tree.nodes
}

struct Tree<'a> {
    costs: &'a Costs,
    order: Order,
    nodes: u64,
}

impl Tree<'_> {
    /// The value of `board` for its player at this depth; `now` is its static evaluation. `own` and
    /// `other` are the best values that the sides have on the path.
    fn value(&mut self, board: Board, now: i64, depth: u32, (mut own, other): (i64, i64)) -> i64 {
        self.nodes += 1;
        let moves = board.moves(SIZE);
        if moves == 0 {
            let passed = board.pass();
            if passed.moves(SIZE) == 0 {
                return DECIDED * i64::from(board.score(SIZE, RULE).signum());
            }
            return match depth {
                0 | 1 => now,
                _ => -self.value(passed, -now, depth - 1, (other, own)),
            };
        }
        // A disc costs once where it is placed, and twice where it is turned.
        let costs = self.costs;
        let children = squares(moves).map(|square| {
            let flips = board.flips(square);
            (now - costs.of(square.bit()) - 2 * costs.of(flips), square.bit(), flips)
        });
        if depth <= 1 {
            let mut best = i64::MIN;
            for (value, ..) in children {
                best = best.max(value);
                // The other side already has something as good, so the exact value is irrelevant.
                if -best <= other {
                    break;
                }
            }
            return best;
        }
        let mut children: Vec<(i64, u64, u64)> = children.collect();
        if self.order == Order::ByValue {
            children.sort_by_key(|&(value, ..)| -value);
        }
        let mut best = i64::MIN;
        for (value, bit, flips) in children {
            let next = board.play_unchecked(bit, flips);
            best = best.max(-self.value(next, -value, depth - 1, (other, own)));
            own = own.max(best);
            // The other side already has something as good.
            if -best <= other {
                break;
            }
        }
        best
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random_games::random_game;

    /// The same without pruning.
    fn minimax(costs: &Costs, board: Board, depth: u32) -> i64 {
        let (moves, passed) = (board.moves(SIZE), board.pass());
        let next = || squares(moves).map(|square| board.play(square, SIZE).unwrap());
        match depth {
            _ if moves == 0 && passed.moves(SIZE) == 0 => {
                DECIDED * i64::from(board.score(SIZE, RULE).signum())
            }
            1 if moves == 0 => costs.value(board),
            // With one ply left the search visits no finished game.
            1 => next().map(|next| -costs.value(next)).max().unwrap(),
            _ if moves == 0 => -minimax(costs, passed, depth - 1),
            _ => next().map(|next| -minimax(costs, next, depth - 1)).max().unwrap(),
        }
    }

    #[test]
    fn pruning_and_order_change_the_work_but_not_the_value() {
        let costs = Costs::of_report();
        let mut sums = [0; 2];
        random_game(2, 0, |turn| {
            for depth in 1..=3 {
                let expected = minimax(&costs, turn.board, depth);
                for (sum, order) in sums.iter_mut().zip([Order::ByValue, Order::Board]) {
                    let mut tree = Tree { costs: &costs, order, nodes: 0 };
                    let now = costs.value(turn.board);
                    let window = (-DECIDED, -DECIDED);
                    assert_eq!(tree.value(turn.board, now, depth, window), expected);
                    *sum += tree.nodes;
                }
            }
        });
        assert!(sums[0] < sums[1], "{sums:?}");
    }

    #[test]
    fn boards_are_counted_as_the_report_counts_them() {
        let costs = Costs::of_report();
        let start = Board::start(SIZE);
        assert_eq!(nodes(&costs, start, 1, Order::ByValue), 1);
        assert_eq!(nodes(&costs, start, 2, Order::ByValue), 5);
        // One square is empty, and its disc ends the game; or the other side has to place it.
        let last = Board { player: 0x81, opponent: !0x8000_0000_0000_0081 };
        assert_eq!(nodes(&costs, last, 8, Order::ByValue), 2);
        let passed = last.pass();
        assert_eq!((passed.moves(SIZE), nodes(&costs, passed, 8, Order::ByValue)), (0, 3));
    }
}
