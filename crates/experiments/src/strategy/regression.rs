//! Ordinary least squares with intervals that hold whatever the scatter, for a handful of features.

use isrever_arena::normal::QUANTILE_95;

/// A number with its standard error.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Estimate {
    pub(super) value: f64,
    pub(super) error: f64,
}

impl Estimate {
    /// How far the 95 % interval reaches to either side.
    pub(super) fn reach(&self) -> f64 {
        QUANTILE_95 * self.error
    }
}

/// A fit of values by features.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Fit {
    /// What one unit of each feature adds.
    pub(super) slopes: Vec<Estimate>,
    /// The value where all features are 0.
    pub(super) constant: Estimate,
    /// The share of the values' variance that the features explain, R².
    pub(super) explained: f64,
}

/// Fits `values` by `rows` of features, all of one length, and a constant. `None` if there are too
/// few rows, or a feature follows from the others.
///
/// Errors are White's (1980), with the correction n / (n − k) of MacKinnon and White (1985): they
/// do not assume that values scatter alike everywhere. Rows must be independent of each other.
pub(super) fn fit(rows: &[Vec<f64>], values: &[f64]) -> Option<Fit> {
    // The last unknown is the constant.
    let count = rows.first()?.len() + 1;
    if rows.len() <= count {
        return None;
    }
    let terms = |row: &[f64]| -> Vec<f64> { row.iter().copied().chain([1.0]).collect() };
    let mut moments = vec![vec![0.0; count]; count];
    let mut products = vec![0.0; count];
    for (row, value) in rows.iter().zip(values) {
        let terms = terms(row);
        for one in 0..count {
            for other in 0..count {
                moments[one][other] += terms[one] * terms[other];
            }
            products[one] += terms[one] * value;
        }
    }
    let inverse = inverted(moments)?;
    let factors = times(&inverse, &products);
    // The sandwich: how much each row could move the factors, by what the fit leaves of its value.
    let mut variances = vec![0.0; count];
    let mut left = 0.0;
    for (row, value) in rows.iter().zip(values) {
        let terms = terms(row);
        let residual = value - dot(&terms, &factors);
        left += residual * residual;
        for (variance, pull) in variances.iter_mut().zip(times(&inverse, &terms)) {
            *variance += (pull * residual).powi(2);
        }
    }
    let size = rows.len() as f64;
    let correction = size / (size - count as f64);
    let estimate =
        |(value, variance): (f64, f64)| Estimate { value, error: (correction * variance).sqrt() };
    let mut slopes: Vec<Estimate> = factors.into_iter().zip(variances).map(estimate).collect();
    let constant = slopes.pop()?;
    let mean = values.iter().sum::<f64>() / size;
    let total: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
    let explained = if total > 0.0 { 1.0 - left / total } else { 0.0 };
    Some(Fit { slopes, constant, explained })
}

/// The mean and the standard deviation of some numbers.
pub(super) fn spread(numbers: impl Iterator<Item = f64> + Clone) -> (f64, f64) {
    let count = numbers.clone().count().max(1) as f64;
    let mean = numbers.clone().sum::<f64>() / count;
    let variance = numbers.map(|number| (number - mean).powi(2)).sum::<f64>() / count;
    (mean, variance.sqrt())
}

fn dot(one: &[f64], other: &[f64]) -> f64 {
    one.iter().zip(other).map(|(a, b)| a * b).sum()
}

fn times(matrix: &[Vec<f64>], column: &[f64]) -> Vec<f64> {
    matrix.iter().map(|row| dot(row, column)).collect()
}

/// The inverse of a symmetric matrix by Gauss and Jordan; `None` if it has none.
fn inverted(mut matrix: Vec<Vec<f64>>) -> Option<Vec<Vec<f64>>> {
    let count = matrix.len();
    let diagonal: Vec<f64> = (0..count).map(|place| matrix[place][place]).collect();
    let unit = |row: usize| (0..count).map(|column| f64::from(u8::from(row == column))).collect();
    let mut inverse: Vec<Vec<f64>> = (0..count).map(unit).collect();
    // The matrix is positive: its own diagonal is a good pivot, and what is left of it says how
    // much of a feature the features before it do not explain.
    for place in 0..count {
        let pivot = matrix[place][place];
        if pivot <= 1e-9 * diagonal[place] {
            return None;
        }
        for column in 0..count {
            matrix[place][column] /= pivot;
            inverse[place][column] /= pivot;
        }
        for row in (0..count).filter(|&row| row != place) {
            let factor = matrix[row][place];
            for column in 0..count {
                matrix[row][column] -= factor * matrix[place][column];
                inverse[row][column] -= factor * inverse[place][column];
            }
        }
    }
    Some(inverse)
}

#[cfg(test)]
mod tests {
    use super::*;
    use isrever_agent::Rng;

    #[test]
    fn a_line_and_its_errors_by_hand() {
        // Through (0, 1), (1, 3), (2, 4): slope 3/2, height 7/6, residuals −1/6, 1/3, −1/6. The
        // variance of the slope is 3 · (1/36 + 1/36) / 2² = 1/24, and 1 − (1/6) / (14/3) explained.
        let rows = [vec![0.0], vec![1.0], vec![2.0]];
        let fit = fit(&rows, &[1.0, 3.0, 4.0]).unwrap();
        let slope = fit.slopes[0];
        assert!(
            (slope.value - 1.5).abs() < 1e-12 && (fit.constant.value - 7.0 / 6.0).abs() < 1e-12
        );
        assert!((slope.error - (1.0_f64 / 24.0).sqrt()).abs() < 1e-12, "{slope:?}");
        assert!((slope.reach() / slope.error - 1.96).abs() < 1e-4);
        assert!((fit.explained - 27.0 / 28.0).abs() < 1e-12, "{fit:?}");
    }

    #[test]
    fn features_together_are_told_apart_and_alone_they_are_not() {
        // The value is 2a − 3b, and b goes along with a: alone, a seems to be worth little.
        let pairs = [(0.0, 0.0), (3.0, 2.0), (3.0, 1.0), (0.0, 1.0), (-3.0, -2.0), (-3.0, -2.0)];
        let rows: Vec<Vec<f64>> = pairs.iter().map(|&(a, b)| vec![a, b]).collect();
        let values: Vec<f64> = pairs.iter().map(|&(a, b)| 2.0 * a - 3.0 * b + 7.0).collect();
        let both = fit(&rows, &values).unwrap();
        let found = [both.slopes[0].value, both.slopes[1].value, both.constant.value];
        for (found, true_value) in found.iter().zip([2.0, -3.0, 7.0]) {
            assert!((found - true_value).abs() < 1e-9, "{both:?}");
        }
        assert!((both.explained - 1.0).abs() < 1e-12 && both.slopes[0].error < 1e-9);
        let alone = fit(&pairs.map(|(a, _)| vec![a]), &values).unwrap();
        assert!(alone.slopes[0].value.abs() < 0.5, "{alone:?}");
    }

    #[test]
    fn what_follows_from_others_or_from_too_little_is_not_guessed() {
        assert_eq!(fit(&[], &[]), None);
        assert_eq!(fit(&[vec![1.0], vec![2.0]], &[1.0, 2.0]), None);
        let rows: Vec<Vec<f64>> =
            (0..9_u8).map(|n| vec![f64::from(n), 3.0 * f64::from(n)]).collect();
        assert_eq!(fit(&rows, &[1.0; 9]), None);
        let constant = vec![vec![4.0]; 9];
        assert_eq!(fit(&constant, &[1.0; 9]), None);
    }

    #[test]
    fn intervals_hold_the_truth_in_95_of_100_cases_where_the_scatter_varies() {
        let held = (0..1_000).filter(|&number| {
            let mut rng = Rng::stream(1, number);
            let rows: Vec<Vec<f64>> = (0..200).map(|_| vec![rng.normal(), rng.normal()]).collect();
            // Values scatter the more, the further the first feature is from 0.
            let value = |row: &Vec<f64>, noise: f64| row[0] - 2.0 * row[1] + 3.0 * row[0] * noise;
            let values: Vec<f64> = rows.iter().map(|row| value(row, rng.normal())).collect();
            let slope = fit(&rows, &values).unwrap().slopes[0];
            (slope.value - 1.0).abs() <= slope.reach()
        });
        // Three standard deviations of the binomial distribution are 21, and 200 rows are few.
        let held = held.count();
        assert!((915..=971).contains(&held), "{held}");
    }

    #[test]
    fn a_spread_by_hand() {
        assert_eq!(spread([1.0, 3.0, 1.0, 3.0].into_iter()), (2.0, 1.0));
        assert_eq!(spread([].into_iter()), (0.0, 0.0));
    }
}
