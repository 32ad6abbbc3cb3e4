//! Least squares with a handful of unknowns. Fits of a million weights are `fit`'s.

/// What one observation says: the terms, what they should add up to, and how much it counts.
pub(crate) type Equation<const N: usize> = ([f64; N], f64, f64);

/// The factors by which the terms come closest to what they should add up to; `None` if the
/// equations leave them open.
pub(crate) fn solve<const N: usize>(equations: &[Equation<N>]) -> Option<[f64; N]> {
    // The normal equations: few unknowns, of one order of magnitude, need nothing better.
    let mut matrix = [[0.0; N]; N];
    let mut side = [0.0; N];
    for (terms, sum, weight) in equations {
        for row in 0..N {
            for column in 0..N {
                matrix[row][column] += weight * terms[row] * terms[column];
            }
            side[row] += weight * terms[row] * sum;
        }
    }
    let scale = (0..N).map(|place| matrix[place][place]).fold(0.0, f64::max);
    for place in 0..N {
        let pivot = (place..N)
            .max_by(|&a, &b| matrix[a][place].abs().total_cmp(&matrix[b][place].abs()))?;
        // Nothing is left of a term that others make up.
        if matrix[pivot][place].abs() <= 1e-10 * scale {
            return None;
        }
        matrix.swap(place, pivot);
        side.swap(place, pivot);
        for row in place + 1..N {
            let factor = matrix[row][place] / matrix[place][place];
            for column in place..N {
                matrix[row][column] -= factor * matrix[place][column];
            }
            side[row] -= factor * side[place];
        }
    }
    let mut factors = [0.0; N];
    for row in (0..N).rev() {
        let known: f64 = (row + 1..N).map(|column| matrix[row][column] * factors[column]).sum();
        factors[row] = (side[row] - known) / matrix[row][row];
    }
    Some(factors)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_found_through_points() {
        // Through (0, 1), (1, 3), (2, 4): the mean is (1, 8/3), the slope 3/2.
        let points = [(0.0, 1.0), (1.0, 3.0), (2.0, 4.0)].map(|(x, y)| ([1.0, x], y, 1.0));
        let [height, slope] = solve(&points).unwrap();
        assert!((height - 7.0 / 6.0).abs() < 1e-12 && (slope - 1.5).abs() < 1e-12);
        // What counts twice is as good as there twice.
        let weighted = [points[0], (points[1].0, points[1].1, 2.0), points[2]];
        let repeated = [points[0], points[1], points[1], points[2]];
        let (weighted, repeated) = (solve(&weighted).unwrap(), solve(&repeated).unwrap());
        assert!((0..2).all(|place| (weighted[place] - repeated[place]).abs() < 1e-12));
    }

    #[test]
    fn what_is_left_open_is_not_guessed() {
        assert_eq!(solve::<2>(&[]), None);
        assert_eq!(solve(&[([1.0, 2.0], 3.0, 1.0)]), None);
        assert_eq!(solve(&[([1.0, 2.0], 3.0, 1.0), ([2.0, 4.0], 6.0, 1.0)]), None);
    }

    #[test]
    fn known_factors_are_found_again() {
        let factors = [0.5, -2.0, 3.0, 0.25];
        let equations: Vec<Equation<4>> = (1..40)
            .map(|i| {
                let x = f64::from(i) / 40.0;
                let terms = [1.0, x, x * x, x.ln()];
                (terms, terms.iter().zip(factors).map(|(a, b)| a * b).sum(), f64::from(i % 3 + 1))
            })
            .collect();
        let found = solve(&equations).unwrap();
        assert!((0..4).all(|place| (found[place] - factors[place]).abs() < 1e-6), "{found:?}");
    }
}
