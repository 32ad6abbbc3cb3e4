//! Features square by square, on any board: the oracle of the bitboard version.

use super::Features;
use isrever_agent::Field;
use isrever_board::{ArrayBoard, Cell, Size, Square};

/// One step in each of the four line directions: columns and rows.
const LINES: [(i8, i8); 4] = [(1, 0), (0, 1), (1, 1), (-1, 1)];

/// The square `steps` steps away from `square`, if it is on the board.
fn away(square: Square, (column, row): (i8, i8), steps: i8, size: Size) -> Option<Square> {
    let column = square.column().checked_add_signed(column * steps)?;
    let row = square.row().checked_add_signed(row * steps)?;
    (column < size.width() && row < size.width()).then(|| Square::new(column, row))
}

/// Whether a coordinate is at the edge.
fn is_outermost(coordinate: u8, size: Size) -> bool {
    coordinate == 0 || coordinate == size.width() - 1
}

fn is_corner(square: Square, size: Size) -> bool {
    is_outermost(square.column(), size) && is_outermost(square.row(), size)
}

fn is_edge(square: Square, size: Size) -> bool {
    is_outermost(square.column(), size) || is_outermost(square.row(), size)
}

/// Whether the whole line through `square` is filled.
fn is_full(board: &ArrayBoard, square: Square, line: (i8, i8)) -> bool {
    [-1, 1].into_iter().all(|way| {
        (1..)
            .map_while(|steps| away(square, line, way * steps, Field::size(board)))
            .all(|other| board.cell(other) != Cell::Empty)
    })
}

/// A set of the player's squares that grows to a fixed point.
struct Found {
    is_found: [[bool; 16]; 16],
    count: u32,
}

impl Found {
    fn contains(&self, square: Square) -> bool {
        self.is_found[usize::from(square.row())][usize::from(square.column())]
    }

    /// Adds candidates as long as `joins` accepts one, given the squares found so far; counts them.
    fn count(mut candidates: Vec<Square>, joins: impl Fn(Square, &Found) -> bool) -> u32 {
        let mut found = Found { is_found: [[false; 16]; 16], count: 0 };
        loop {
            let before = found.count;
            candidates.retain(|&square| {
                let is_new = joins(square, &found);
                if is_new {
                    found.is_found[usize::from(square.row())][usize::from(square.column())] = true;
                    found.count += 1;
                }
                !is_new
            });
            if found.count == before {
                return found.count;
            }
        }
    }
}

/// How many of the candidates are corners or joined to one by steps along rows and columns.
fn joined(candidates: Vec<Square>, size: Size) -> u32 {
    Found::count(candidates, |square, found| {
        is_corner(square, size)
            || [(1, 0), (0, 1)].into_iter().any(|line| {
                [-1, 1].into_iter().any(|way| {
                    away(square, line, way, size).is_some_and(|other| found.contains(other))
                })
            })
    })
}

impl Features for ArrayBoard {
    fn corners(&self) -> u32 {
        self.discs().filter(|&square| is_corner(square, Field::size(self))).count() as u32
    }

    fn edge(&self) -> u32 {
        self.discs().filter(|&square| is_edge(square, Field::size(self))).count() as u32
    }

    fn frontier(&self) -> u32 {
        let is_open = |square: &Square| {
            LINES.iter().any(|&line| {
                [-1, 1].into_iter().any(|way| {
                    away(*square, line, way, Field::size(self))
                        .is_some_and(|other| self.cell(other) == Cell::Empty)
                })
            })
        };
        self.discs().filter(is_open).count() as u32
    }

    fn anchored(&self) -> u32 {
        let size = Field::size(self);
        joined(self.discs().filter(|&square| is_edge(square, size)).collect(), size)
    }

    fn joined(&self) -> u32 {
        joined(self.discs().collect(), Field::size(self))
    }

    fn stable(&self) -> u32 {
        let size = Field::size(self);
        Found::count(self.discs().collect(), |square, found| {
            LINES.iter().all(|&line| {
                [-1, 1].into_iter().any(|way| {
                    away(square, line, way, size).is_none_or(|other| found.contains(other))
                }) || is_full(self, square, line)
            })
        })
    }
}
