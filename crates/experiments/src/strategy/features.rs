//! What people count on a board: ten features of the side to move, each with its unit.

use isrever_agent::{Bits, Field};
use isrever_board::{Board, Size};
use isrever_reports::Features;

pub(super) const SIZE: Size = Size::EIGHT;

/// How many features there are.
pub(super) const COUNT: usize = FEATURES.len();

/// A feature of a board, seen by the side to move.
pub(super) struct Feature {
    /// Its name, and that of its picture.
    pub(super) name: &'static str,
    /// The title of its picture.
    pub(super) title: &'static str,
    /// One unit of it, in words.
    pub(super) unit: &'static str,
    /// Counts it.
    pub(super) count: fn(Board) -> i32,
}

/// All features. The counts of discs do not overlap but in `discs`, which counts them all: the
/// worth of a corner is that of a disc there rather than anywhere else.
pub(super) const FEATURES: [Feature; 10] = [
    Feature {
        name: "mobility",
        title: "Mobility",
        unit: "a legal move more than the opponent",
        count: |board| margin(board, |board| board.moves(SIZE)),
    },
    Feature {
        name: "frontier",
        title: "Frontier",
        unit: "a disc more beside empty squares",
        count: |board| of_field(board, Features::frontier),
    },
    Feature {
        name: "corners",
        title: "Corners",
        unit: "a corner more",
        count: |board| of_field(board, Features::corners),
    },
    Feature {
        name: "x-squares",
        title: "X-squares",
        unit: "a disc more diagonally beside an empty corner",
        count: |board| margin(board, |board| board.player & beside_empty_corners(board)[0]),
    },
    Feature {
        name: "c-squares",
        title: "C-squares",
        unit: "a disc more on the edge beside an empty corner",
        count: |board| margin(board, |board| board.player & beside_empty_corners(board)[1]),
    },
    Feature {
        name: "edges",
        title: "Edges",
        unit: "a disc more on the four middle squares of an edge",
        count: |board| margin(board, |board| board.player & MIDDLES),
    },
    Feature {
        name: "stable",
        title: "Stable discs",
        unit: "a stable disc more, corners apart",
        count: |board| of_field(board, Features::stable) - of_field(board, Features::corners),
    },
    Feature {
        name: "discs",
        title: "Discs",
        unit: "a disc more than the opponent",
        count: |board| margin(board, |board| board.player),
    },
    Feature {
        name: "parity",
        title: "Parity",
        unit: "the last move, if nobody passes",
        count: |board| (board.empties(SIZE).count_ones() % 2).cast_signed(),
    },
    Feature {
        name: "regions",
        title: "Odd regions",
        unit: "two more regions with an odd number of empty squares",
        // Whether their number is odd is parity already: what is left of it counts in twos.
        count: |board| (odd_regions(board.empties(SIZE)) / 2).cast_signed(),
    },
];

/// All counts of a board.
pub(super) fn counts(board: Board) -> [i32; COUNT] {
    FEATURES.each_ref().map(|feature| (feature.count)(board))
}

const FIRST_COLUMN: u64 = 0x0101_0101_0101_0101;
const LAST_COLUMN: u64 = FIRST_COLUMN << 7;

/// The middle squares of the edges: neither corners nor beside them.
const MIDDLES: u64 = 0x3c00_8181_8181_003c;

/// Each corner with the square diagonally beside it and the two beside it on the edge.
const CORNERS: [[u64; 3]; 4] = [
    [1, 1 << 9, 1 << 1 | 1 << 8],
    [1 << 7, 1 << 14, 1 << 6 | 1 << 15],
    [1 << 56, 1 << 49, 1 << 48 | 1 << 57],
    [1 << 63, 1 << 54, 1 << 55 | 1 << 62],
];

/// The squares beside empty corners: diagonally, and on the edge.
fn beside_empty_corners(board: Board) -> [u64; 2] {
    let empties = board.empties(SIZE);
    let is_empty = |[corner, ..]: &&[u64; 3]| empties & corner != 0;
    CORNERS.iter().filter(is_empty).fold([0, 0], |[x, c], square| [x | square[1], c | square[2]])
}

/// The regions of connected empty squares whose number is odd; diagonals connect.
fn odd_regions(mut empties: u64) -> u32 {
    let mut odd = 0;
    while empties != 0 {
        let mut region = empties & empties.wrapping_neg();
        loop {
            let row = region | (region & !LAST_COLUMN) << 1 | (region & !FIRST_COLUMN) >> 1;
            let wider = empties & (row | row << 8 | row >> 8);
            if wider == region {
                break;
            }
            region = wider;
        }
        odd += region.count_ones() % 2;
        empties &= !region;
    }
    odd
}

/// How many squares `pick` has of the player's more than of the opponent's.
fn margin(board: Board, pick: impl Fn(Board) -> u64) -> i32 {
    let [own, other] = [board, board.pass()].map(|board| pick(board).count_ones().cast_signed());
    own - other
}

/// The same for a count of the reports.
fn of_field(board: Board, count: impl Fn(&Bits) -> u32) -> i32 {
    let field = Bits { board, size: SIZE };
    count(&field).cast_signed() - count(&field.pass()).cast_signed()
}

#[cfg(test)]
mod tests {
    use super::super::super::random_games::random_game;
    use super::*;
    use isrever_board::{ArrayBoard, Cell, Square, Symmetry};

    fn index(name: &str) -> usize {
        FEATURES.iter().position(|feature| feature.name == name).unwrap()
    }

    /// The distance of a square to the nearest corner, by columns and rows, and that corner.
    fn corner(square: Square) -> (u8, u8, Square) {
        let near = |coordinate: u8| if coordinate < 4 { 0 } else { 7 };
        let [column, row] = [near(square.column()), near(square.row())];
        let steps = [square.column().abs_diff(column), square.row().abs_diff(row)];
        (steps[0].min(steps[1]), steps[0].max(steps[1]), Square::new(column, row))
    }

    fn neighbours(square: Square) -> impl Iterator<Item = Square> {
        let around = move |other: &Square| {
            let steps =
                [square.column().abs_diff(other.column()), square.row().abs_diff(other.row())];
            steps[0].max(steps[1]) == 1
        };
        SIZE.squares().filter(around)
    }

    /// How many regions of empty squares are odd, square by square.
    fn odd_regions_of(board: &ArrayBoard) -> i32 {
        let mut left: Vec<Square> =
            SIZE.squares().filter(|&square| board.cell(square) == Cell::Empty).collect();
        let mut odd = 0;
        while let Some(first) = left.pop() {
            let mut region = vec![first];
            let mut at = 0;
            while at < region.len() {
                let is_near = |square: &Square| neighbours(region[at]).any(|one| one == *square);
                let (near, far): (Vec<Square>, Vec<Square>) = left.drain(..).partition(is_near);
                region.extend(near);
                left = far;
                at += 1;
            }
            odd += i32::from(region.len() % 2 == 1);
        }
        odd
    }

    /// The counts square by square.
    fn plain(board: &ArrayBoard) -> [i32; COUNT] {
        let is_empty = |square: Square| board.cell(square) == Cell::Empty;
        let sum = |is_counted: &dyn Fn(Square) -> bool| -> i32 {
            let of = |square: Square| match board.cell(square) {
                Cell::Player => 1,
                Cell::Opponent => -1,
                Cell::Empty => 0,
            };
            SIZE.squares().filter(|&square| is_counted(square)).map(of).sum()
        };
        let moves = |board: &ArrayBoard| board.moves().map(|_| 1).sum::<i32>();
        let stable = |board: &ArrayBoard| Features::stable(board).cast_signed();
        let corners = sum(&|square| corner(square).1 == 0);
        [
            moves(board) - moves(&board.pass()),
            sum(&|square| neighbours(square).any(is_empty)),
            corners,
            sum(&|square| {
                corner(square).0 == 1 && corner(square).1 == 1 && is_empty(corner(square).2)
            }),
            sum(&|square| {
                corner(square).0 == 0 && corner(square).1 == 1 && is_empty(corner(square).2)
            }),
            sum(&|square| corner(square).0 == 0 && corner(square).1 > 1),
            stable(board) - stable(&board.pass()) - corners,
            sum(&|_| true),
            (board.count(Cell::Empty) % 2).cast_signed(),
            odd_regions_of(board) / 2,
        ]
    }

    #[test]
    fn counts_are_those_of_every_square_by_itself_and_of_every_image() {
        for number in 0..20 {
            random_game(1, number, |turn| {
                let board = turn.board;
                let counted = counts(board);
                assert_eq!(counted, plain(&ArrayBoard::from_bits(board, SIZE)), "{board:?}");
                for symmetry in Symmetry::ALL {
                    assert_eq!(counts(symmetry.board(board, SIZE)), counted, "{board:?}");
                }
                let other = counts(board.pass());
                for (feature, place) in FEATURES.iter().zip(0..) {
                    let is_shared = ["parity", "regions"].contains(&feature.name);
                    let expected = if is_shared { counted[place] } else { -counted[place] };
                    assert_eq!(other[place], expected, "{}: {board:?}", feature.name);
                }
            });
        }
    }

    #[test]
    fn regions_connect_diagonally_and_not_round_the_edge() {
        let bit = |name: &&str| name.parse::<Square>().unwrap().bit();
        for (names, odd) in [
            (&["a1"][..], 1),
            (&["a1", "b2"], 0),
            (&["h1", "a2"], 2),
            (&["h1", "a3"], 2),
            (&["a1", "c3", "e5"], 3),
            (&["a1", "b2", "a3", "h8"], 2),
        ] {
            assert_eq!(odd_regions(names.iter().map(bit).sum()), odd, "{names:?}");
        }
    }

    #[test]
    fn squares_beside_a_corner_count_while_it_is_empty() {
        let bit = |name: &str| name.parse::<Square>().unwrap().bit();
        let of = |own: &[&str], other: &[&str]| {
            let bits = |names: &[&str]| names.iter().map(|name| bit(name)).sum();
            let board = Board { player: bits(own), opponent: bits(other) };
            ["corners", "x-squares", "c-squares", "edges", "discs"]
                .map(|name| counts(board)[index(name)])
        };
        assert_eq!(of(&["b2", "b1", "a2", "c1"], &[]), [0, 1, 2, 1, 4]);
        assert_eq!(of(&["b2", "b1", "a2", "c1"], &["a1"]), [-1, 0, 0, 1, 3]);
        assert_eq!(of(&["h8"], &["g2", "h2", "b7", "h5"]), [1, -2, -1, -1, -3]);
    }
}
