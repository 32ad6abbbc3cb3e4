//! A mean with its standard error.

use crate::normal;

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
    }
}
