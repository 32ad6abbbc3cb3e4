//! Report 000's search, made to count: double-alpha maximax without a table.
//!
//! The evaluation is the ten weights of 4.2.3, summed by bytes of the board: an
//! experiment asks it billions of times.

use isrever_agent::{Combination, Parameters, WeightMap};
use isrever_board::{Board, Rule, Size, squares};

const SIZE: Size = Size::EIGHT;
const RULE: Rule = Rule::Reversed;

/// What discs cost their owner, for each byte of the board and each state of it.
pub(super) struct Costs(Vec<[f64; 256]>);

impl Costs {
    /// The report's weights, so scaled that all discs of the board together cost 1 at most.
    pub(super) fn of_report() -> Costs {
        let weights = Parameters::new(Combination::squares_table()).squares("");
        let map = WeightMap::new(&weights, SIZE);
        let scale = 0.999 / map.reach();
        let bytes = (0..8).map(|byte| {
            let mut sums = [0.0; 256];
            for (state, sum) in (0_u64..).zip(&mut sums) {
                *sum = scale * map.sum(squares(state << (8 * byte)));
            }
            sums
        });
        Costs(bytes.collect())
    }

    fn of(&self, discs: u64) -> f64 {
        self.0.iter().zip(discs.to_le_bytes()).map(|(sums, byte)| sums[usize::from(byte)]).sum()
    }

    /// What `board` is worth to its player, whoever is to move.
    fn value(&self, board: Board) -> f64 {
        self.of(board.opponent) - self.of(board.player)
    }
}

/// Which move is tried first.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Order {
    /// The one with the best value at once, as in the report.
    ByValue,
    /// The first of the board.
    Board,
}

/// How many boards a search of `depth` plies looks at, the first included.
pub(super) fn nodes(costs: &Costs, board: Board, depth: u32, order: Order) -> u64 {
    let mut tree = Tree { costs, order, nodes: 0 };
    tree.value(board, depth, (-1.0, -1.0));
    tree.nodes
}

struct Tree<'a> {
    costs: &'a Costs,
    order: Order,
    nodes: u64,
}

impl Tree<'_> {
    /// What `board` is worth to its player within so many plies. `own` and `other` are the best
    /// values that the sides have on the way here.
    fn value(&mut self, board: Board, depth: u32, (mut own, other): (f64, f64)) -> f64 {
        self.nodes += 1;
        let moves = board.moves(SIZE);
        if moves == 0 {
            let passed = board.pass();
            if passed.moves(SIZE) == 0 {
                return f64::from(board.score(SIZE, RULE).signum());
            }
            return match depth {
                0 | 1 => self.costs.value(board),
                _ => -self.value(passed, depth - 1, (other, own)),
            };
        }
        let children = squares(moves).map(|square| {
            let next = board.play_unchecked(square.bit(), board.flips(square));
            (-self.costs.value(next), next)
        });
        if depth <= 1 {
            return children.fold(f64::NEG_INFINITY, |best, (value, _)| best.max(value));
        }
        let mut children: Vec<(f64, Board)> = children.collect();
        if self.order == Order::ByValue {
            children.sort_by(|one, other| other.0.total_cmp(&one.0));
        }
        let mut best = f64::NEG_INFINITY;
        for (_, next) in children {
            best = best.max(-self.value(next, depth - 1, (other, own)));
            own = own.max(best);
            // The other side has something as good already.
            if -best <= other {
                break;
            }
        }
        best
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::random_games::random_game;
    use super::*;

    /// The same without pruning.
    fn minimax(costs: &Costs, board: Board, depth: u32) -> f64 {
        let (moves, passed) = (board.moves(SIZE), board.pass());
        if moves == 0 && passed.moves(SIZE) == 0 {
            f64::from(board.score(SIZE, RULE).signum())
        } else if depth == 0 || moves == 0 && depth == 1 {
            costs.value(board)
        } else if moves == 0 {
            -minimax(costs, passed, depth - 1)
        } else if depth == 1 {
            // With one ply left a finished game is not looked at.
            let children =
                squares(moves).map(|square| -costs.value(board.play(square, SIZE).unwrap()));
            children.fold(f64::NEG_INFINITY, f64::max)
        } else {
            let children = squares(moves)
                .map(|square| -minimax(costs, board.play(square, SIZE).unwrap(), depth - 1));
            children.fold(f64::NEG_INFINITY, f64::max)
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
                    assert_eq!(tree.value(turn.board, depth, (-1.0, -1.0)), expected);
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
