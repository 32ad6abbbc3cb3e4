//! Least squares by the conjugate gradient, with each column scaled by its frequency.
//!
//! The normal equations (AᵀA + λ) x = Aᵀb are never written down: a step needs
//! only A times a vector and its transpose times another. Weights of states
//! that were seen a million times and of others that were seen once differ in
//! scale by as much, which the preconditioner evens out. Sums over rows are in
//! double precision; a single one has too few digits for a column that is set
//! in millions of rows.

use std::ops::ControlFlow;

/// What the solver needs to know of A.
pub(super) trait Matrix {
    /// How many columns there are.
    fn columns(&self) -> usize;

    /// `product` = A `x`.
    fn times(&self, x: &[f32], product: &mut [f32]);

    /// `sum` += Aᵀ `y`.
    fn add_transposed(&self, y: &[f32], sum: &mut [f64]);

    /// About the diagonal of AᵀA: the closer, the fewer steps.
    fn diagonal(&self) -> Vec<f64>;
}

/// Approaches the x with the least |A x − `target`|² + `ridge` |x|², from zero, and shows each
/// step's number, from 1, and x to `look`, which says when it is enough.
pub(super) fn solve(
    matrix: &impl Matrix,
    target: Vec<f32>,
    ridge: f64,
    mut look: impl FnMut(u32, &[f64]) -> ControlFlow<()>,
) {
    let scale: Vec<f64> =
        matrix.diagonal().into_iter().map(|seen| 1.0 / (seen + ridge).max(1e-9)).collect();
    let mut x = vec![0.0; matrix.columns()];
    let mut residual = target;
    let mut product = vec![0.0; residual.len()];
    let mut downhill = vec![0.0; x.len()];
    matrix.add_transposed(&residual, &mut downhill);
    let mut direction: Vec<f64> = scaled(&scale, &downhill);
    let mut slope = dot(&downhill, &direction);
    let mut single: Vec<f32> = vec![0.0; x.len()];
    for step in 1.. {
        for (single, &double) in single.iter_mut().zip(&direction) {
            *single = double as f32;
        }
        matrix.times(&single, &mut product);
        let squares: f64 = product.iter().map(|&p| f64::from(p) * f64::from(p)).sum();
        let curvature = squares + ridge * dot(&direction, &direction);
        // Nothing to gain any more, or nothing to learn from at all.
        if slope <= 0.0 || curvature <= 0.0 {
            return;
        }
        let length = slope / curvature;
        for (x, direction) in x.iter_mut().zip(&direction) {
            *x += length * direction;
        }
        for (residual, &product) in residual.iter_mut().zip(&product) {
            *residual -= (length * f64::from(product)) as f32;
        }
        if look(step, &x).is_break() {
            return;
        }
        for (downhill, &x) in downhill.iter_mut().zip(&x) {
            *downhill = -ridge * x;
        }
        matrix.add_transposed(&residual, &mut downhill);
        let next = scaled(&scale, &downhill);
        let next_slope = dot(&downhill, &next);
        for (direction, next) in direction.iter_mut().zip(&next) {
            *direction = next + next_slope / slope * *direction;
        }
        slope = next_slope;
    }
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

fn scaled(scale: &[f64], vector: &[f64]) -> Vec<f64> {
    scale.iter().zip(vector).map(|(scale, x)| scale * x).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use isrever_agent::Rng;

    const COLUMNS: usize = 300;

    /// Ten columns of each row are set; the last column of all in every row.
    struct Few(Vec<[usize; 10]>);

    impl Matrix for Few {
        fn columns(&self) -> usize {
            COLUMNS
        }

        fn times(&self, x: &[f32], product: &mut [f32]) {
            for (row, product) in self.0.iter().zip(product) {
                *product = row.iter().map(|&column| x[column]).sum();
            }
        }

        fn add_transposed(&self, y: &[f32], sum: &mut [f64]) {
            for (row, &y) in self.0.iter().zip(y) {
                row.iter().for_each(|&column| sum[column] += f64::from(y));
            }
        }

        fn diagonal(&self) -> Vec<f64> {
            let mut diagonal = vec![0.0; COLUMNS];
            self.0.iter().flatten().for_each(|&column| diagonal[column] += 1.0);
            diagonal
        }
    }

    fn problem(rows: usize) -> (Few, Vec<f32>, Vec<f32>) {
        let mut rng = Rng::new(1);
        let mut column = || rng.index(COLUMNS);
        let matrix = Few((0..rows)
            .map(|_| {
                let mut row = [0; 10].map(|_| column());
                row[9] = COLUMNS - 1;
                row
            })
            .collect());
        let x: Vec<f32> = (0..COLUMNS).map(|i| ((i * i) % 17) as f32 - 8.0).collect();
        let mut target = vec![0.0; rows];
        matrix.times(&x, &mut target);
        (matrix, x, target)
    }

    fn solution(matrix: &Few, target: Vec<f32>, ridge: f64, steps: u32) -> Vec<f64> {
        let mut solution = Vec::new();
        solve(matrix, target, ridge, |step, x| {
            solution = x.to_vec();
            if step < steps { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        });
        solution
    }

    #[test]
    fn known_weights_are_found_again() {
        let (matrix, x, target) = problem(3_000);
        for (found, x) in solution(&matrix, target, 0.0, 60).iter().zip(&x) {
            assert!((found - f64::from(*x)).abs() < 1e-3, "{found} {x}");
        }
    }

    #[test]
    fn the_gradient_vanishes_at_the_solution_with_a_ridge() {
        let ridge = 25.0;
        let (matrix, _, target) = problem(1_000);
        let x = solution(&matrix, target.clone(), ridge, 100);
        let single: Vec<f32> = x.iter().map(|&x| x as f32).collect();
        let mut residual = vec![0.0; target.len()];
        matrix.times(&single, &mut residual);
        let residual: Vec<f32> = target.iter().zip(&residual).map(|(b, ax)| b - ax).collect();
        let mut gradient: Vec<f64> = x.iter().map(|x| -ridge * x).collect();
        matrix.add_transposed(&residual, &mut gradient);
        let scale: f64 = x.iter().map(|x| ridge * x.abs()).fold(0.0, f64::max);
        assert!(gradient.iter().all(|g| g.abs() < 1e-4 * scale), "{gradient:?}");
    }

    #[test]
    fn nothing_to_learn_from_is_no_solution() {
        assert!(solution(&Few(Vec::new()), Vec::new(), 1.0, 5).is_empty());
    }
}
