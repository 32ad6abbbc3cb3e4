//! Weights of squares, one for each of the ten classes that the symmetries of 8×8 leave apart.
//!
//! On another board a square takes the weight of the 8×8 square at the same
//! distance from the nearest two edges. A larger board repeats the middle lines:
//! a square four or more steps from an edge counts as three steps away. A smaller
//! board lacks the middle: on 4×4 the four squares around the centre count as b2.

use isrever_board::{Size, Square};

/// The class of a square.
fn class(square: Square, size: Size) -> usize {
    let depth = |coordinate: u8| usize::from(coordinate.min(size.width() - 1 - coordinate).min(3));
    let (column, row) = (depth(square.column()), depth(square.row()));
    let (low, high) = (column.min(row), column.max(row));
    // Four classes begin in the first row, three in the second, two and one in the others.
    [0, 4, 7, 9][low] + high - low
}

/// A weight for every square of a board.
#[derive(Clone, PartialEq, Debug)]
pub struct WeightMap {
    /// Indexed by row and column of the largest board, so that a lookup needs no size.
    weights: Vec<f64>,
}

impl WeightMap {
    /// The map of a board of `size`, given the weights of the [`CLASSES`](isrever_agent::CLASSES).
    pub fn new(classes: &[f64; 10], size: Size) -> WeightMap {
        let mut weights = vec![0.0; 256];
        for square in size.squares() {
            weights[place(square)] = classes[class(square, size)];
        }
        WeightMap { weights }
    }

    /// The weight of one square.
    #[inline]
    pub fn of(&self, square: Square) -> f64 {
        self.weights[place(square)]
    }

    /// The sum of the weights of `squares`.
    #[inline]
    pub fn sum(&self, squares: impl Iterator<Item = Square>) -> f64 {
        squares.map(|square| self.of(square)).sum()
    }

    /// The sum of the absolute weights of all squares.
    pub fn reach(&self) -> f64 {
        self.weights.iter().map(|weight| weight.abs()).sum()
    }
}

#[inline]
fn place(square: Square) -> usize {
    usize::from(square.row()) << 4 | usize::from(square.column())
}

#[cfg(test)]
mod tests {
    use super::*;
    use isrever_agent::CLASSES;

    const COUNTED: [f64; 10] = [0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0];

    fn row(map: &WeightMap, size: Size, row: u8) -> Vec<f64> {
        (0..size.width()).map(|column| map.of(Square::new(column, row))).collect()
    }

    #[test]
    fn the_classes_are_those_of_their_squares() {
        let map = WeightMap::new(&COUNTED, Size::EIGHT);
        for (name, weight) in CLASSES.iter().zip(COUNTED) {
            assert_eq!(map.of(name.parse().unwrap()), weight, "{name}");
        }
        assert_eq!(row(&map, Size::EIGHT, 0), [0.0, 1.0, 2.0, 3.0, 3.0, 2.0, 1.0, 0.0]);
        assert_eq!(row(&map, Size::EIGHT, 6), [1.0, 4.0, 5.0, 6.0, 6.0, 5.0, 4.0, 1.0]);
        assert_eq!(row(&map, Size::EIGHT, 3), [3.0, 6.0, 8.0, 9.0, 9.0, 8.0, 6.0, 3.0]);
        assert_eq!(
            map.reach(),
            4.0 * (9.0 + 7.0 + 4.0) + 8.0 * (1.0 + 2.0 + 3.0 + 5.0 + 6.0 + 8.0)
        );
    }

    #[test]
    fn other_boards_go_by_the_distance_from_the_edges() {
        let map = WeightMap::new(&COUNTED, Size::FOUR);
        assert_eq!(row(&map, Size::FOUR, 0), [0.0, 1.0, 1.0, 0.0]);
        assert_eq!(row(&map, Size::FOUR, 2), [1.0, 4.0, 4.0, 1.0]);
        let ten = Size::new(10).unwrap();
        let map = WeightMap::new(&COUNTED, ten);
        assert_eq!(row(&map, ten, 0), [0.0, 1.0, 2.0, 3.0, 3.0, 3.0, 3.0, 2.0, 1.0, 0.0]);
        assert_eq!(row(&map, ten, 4), [3.0, 6.0, 8.0, 9.0, 9.0, 9.0, 9.0, 8.0, 6.0, 3.0]);
    }
}
