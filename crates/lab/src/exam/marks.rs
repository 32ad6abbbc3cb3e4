//! Marks for answers, their means and standard errors.

use serde::Serialize;
use std::iter::Sum;
use std::ops::Add;

/// How well questions were answered.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize)]
pub struct Marks {
    /// How many there were.
    pub questions: u64,
    /// How many answers were as good as any.
    pub optimal: u64,
    /// The discs that the others lost, together.
    pub loss: u64,
    /// The same, each squared.
    pub loss_squares: u64,
}

impl Marks {
    /// The marks for one answer that loses so many discs.
    pub fn of_loss(loss: u64) -> Marks {
        Marks { questions: 1, optimal: u64::from(loss == 0), loss, loss_squares: loss * loss }
    }

    /// The share of answers that were as good as any.
    pub fn optimal_share(&self) -> f64 {
        self.optimal as f64 / self.questions.max(1) as f64
    }

    /// Its standard error, `None` for fewer than two answers.
    pub fn optimal_error(&self) -> Option<f64> {
        // The sum of zeros and ones is that of their squares.
        error(self.questions, self.optimal, self.optimal)
    }

    /// How many discs an answer loses.
    pub fn mean_loss(&self) -> f64 {
        self.loss as f64 / self.questions.max(1) as f64
    }

    /// Its standard error, `None` for fewer than two answers.
    pub fn loss_error(&self) -> Option<f64> {
        error(self.questions, self.loss, self.loss_squares)
    }
}

/// The standard error of a mean.
fn error(count: u64, sum: u64, squares: u64) -> Option<f64> {
    if count < 2 {
        return None;
    }
    let (count, sum) = (count as f64, sum as f64);
    let variance = (squares as f64 - sum * sum / count) / (count - 1.0);
    Some((variance.max(0.0) / count).sqrt())
}

impl Add for Marks {
    type Output = Marks;

    fn add(self, other: Marks) -> Marks {
        Marks {
            questions: self.questions + other.questions,
            optimal: self.optimal + other.optimal,
            loss: self.loss + other.loss,
            loss_squares: self.loss_squares + other.loss_squares,
        }
    }
}

impl Sum for Marks {
    fn sum<I: Iterator<Item = Marks>>(marks: I) -> Marks {
        marks.fold(Marks::default(), Add::add)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hand_computed_values_are_found() {
        let marks: Marks = [0, 0, 2, 6].map(Marks::of_loss).into_iter().sum();
        assert_eq!(marks, Marks { questions: 4, optimal: 2, loss: 8, loss_squares: 40 });
        assert_eq!((marks.optimal_share(), marks.mean_loss()), (0.5, 2.0));
        // Squares about the mean: 4 + 4 + 0 + 16 = 24, so √(24 / 3 / 4); and √(1 / 3 / 4).
        assert!((marks.loss_error().unwrap() - 2.0_f64.sqrt()).abs() < 1e-12);
        assert!((marks.optimal_error().unwrap() - (1.0_f64 / 12.0).sqrt()).abs() < 1e-12);
    }

    #[test]
    fn one_answer_has_no_error_to_tell() {
        for marks in [Marks::default(), Marks::of_loss(3)] {
            assert_eq!((marks.loss_error(), marks.optimal_error()), (None, None));
        }
        assert_eq!(Marks::default().mean_loss(), 0.0);
    }
}
