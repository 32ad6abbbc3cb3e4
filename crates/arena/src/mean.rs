//! A mean with its standard error.

use crate::normal;

/// So many standard errors to either side hold 95 % of Student's distribution with 1, 2, 3 and so on
/// degrees of freedom.
const STUDENT_95: [f64; 30] = [
    12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228, 2.201, 2.179, 2.160,
    2.145, 2.131, 2.120, 2.110, 2.101, 2.093, 2.086, 2.080, 2.074, 2.069, 2.064, 2.060, 2.056,
    2.052, 2.048, 2.045, 2.042,
];

/// A mean of independent values.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Mean {
    /// How many values.
    pub count: u64,
    /// Their mean.
    pub mean: f64,
    /// Its standard error; infinite if there are fewer than two values.
    pub error: f64,
}

impl Mean {
    /// The mean of `values`.
    pub fn of(values: &[f64]) -> Mean {
        let count = values.len() as f64;
        let mean = values.iter().fold(0.0, |sum, value| sum + value) / count.max(1.0);
        let squares: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
        let error = match values.len() {
            0 | 1 => f64::INFINITY,
            _ => (squares / (count - 1.0) / count).sqrt(),
        };
        Mean { count: values.len() as u64, mean, error }
    }

    /// How far the 95 % interval reaches to either side.
    pub fn reach(&self) -> f64 {
        normal::QUANTILE_95 * self.error
    }

    /// The same where there are so few values that their scatter itself is uncertain: by Student's
    /// distribution.
    pub fn reach_of_few(&self) -> f64 {
        let freedom = (self.count as usize).saturating_sub(1);
        let quantile = match freedom {
            0 => f64::INFINITY,
            _ => STUDENT_95.get(freedom - 1).copied().unwrap_or(normal::QUANTILE_95),
        };
        quantile * self.error
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn means_and_errors() {
        let mean = Mean::of(&[1.0, 2.0, 3.0, 4.0]);
        assert_eq!((mean.count, mean.mean), (4, 2.5));
        // Squares of 5 over 3 are 1.6667, over 4 again 0.41667, of which the root is 0.6455.
        assert!((mean.error - 0.645_497).abs() < 1e-6);
        assert!((mean.reach() - 1.265_151).abs() < 1e-5);
        assert_eq!(Mean::of(&[7.0]).error, f64::INFINITY);
        assert_eq!(Mean::of(&[]).mean, 0.0);
        // Three degrees of freedom.
        assert!((mean.reach_of_few() - 3.182 * mean.error).abs() < 1e-9);
        assert_eq!(Mean::of(&[7.0]).reach_of_few(), f64::INFINITY);
        let many = Mean { count: 1_000, ..mean };
        assert_eq!(many.reach_of_few(), many.reach());
    }
}
