//! The deviations as smooth formulas.
//!
//! Both are products of powers, fitted to the logarithms: whatever the factors
//! are, a deviation is positive, and beyond the depths that were measured it
//! grows and shrinks slowly. What is fitted is the deviation from the shallow
//! value as it stands, mean included, because the search does not correct it.
//! Depths of different parity are left out: the search never compares them.

use super::Row;
use crate::least_squares::{Equation, solve};
use serde::Serialize;

/// Rows of fewer positions are too unsure to be fitted to.
const FEWEST: u64 = 10;

/// All squares but the first four: empty squares are counted as a part of these.
const SQUARES: f64 = 60.0;

/// How far a search of limited depth strays from a shallower one:
///
/// exp(a + b e + c e²) · (deep − shallow)^d · (1 + shallow)^f, where e is the number of empty
/// squares divided by 60.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct Midgame {
    /// a, b, c, d, f.
    pub factors: [f64; 5],
}

/// How far the score with best play to the end strays from a shallow search:
///
/// exp(a) · (empties − shallow)^b · (1 + shallow)^c.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct Ending {
    /// a, b, c.
    pub factors: [f64; 3],
}

/// How well a formula fits, as parts of the deviations that were measured.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct Residuals {
    /// Rows that were fitted to.
    pub rows: usize,
    /// Root of the mean of the squares, each row counted as often as it has positions.
    pub rms: f64,
    /// The largest.
    pub worst: f64,
}

impl Midgame {
    /// Fits the formula to the rows that it is for; `None` if they are too few to tell.
    pub fn fit(rows: &[Row]) -> Option<(Midgame, Residuals)> {
        let rows: Vec<&Row> = rows.iter().filter(|row| Midgame::covers(row)).collect();
        let model = Midgame {
            factors: solved(&rows, |row| {
                Some(Midgame::terms(row.empties, f64::from(row.deep?), row.shallow))
            })?,
        };
        Some((model, residuals(&rows, |row| model.at(row))))
    }

    /// The deviation, in discs.
    pub fn deviation(&self, empties: f64, deep: u32, shallow: u32) -> f64 {
        product(&self.factors, &Midgame::terms(empties, f64::from(deep), shallow))
    }

    /// The deviation that the formula has for a row, if it is for it.
    pub fn at(&self, row: &Row) -> Option<f64> {
        let deep = row.deep.filter(|_| Midgame::covers(row))?;
        Some(self.deviation(row.empties, deep, row.shallow))
    }

    fn covers(row: &Row) -> bool {
        row.deep.is_some_and(|deep| (deep - row.shallow).is_multiple_of(2)) && is_sure(row)
    }

    fn terms(empties: f64, deep: f64, shallow: u32) -> [f64; 5] {
        let (e, shallow) = (empties / SQUARES, f64::from(shallow));
        [1.0, e, e * e, (deep - shallow).ln(), (1.0 + shallow).ln()]
    }
}

impl Ending {
    /// Fits the formula to the rows that it is for; `None` if they are too few to tell.
    pub fn fit(rows: &[Row]) -> Option<(Ending, Residuals)> {
        let rows: Vec<&Row> = rows.iter().filter(|row| Ending::covers(row)).collect();
        let model =
            Ending { factors: solved(&rows, |row| Some(Ending::terms(row.empties, row.shallow)))? };
        Some((model, residuals(&rows, |row| model.at(row))))
    }

    /// The deviation, in discs.
    pub fn deviation(&self, empties: f64, shallow: u32) -> f64 {
        product(&self.factors, &Ending::terms(empties, shallow))
    }

    /// The deviation that the formula has for a row, if it is for it.
    pub fn at(&self, row: &Row) -> Option<f64> {
        Ending::covers(row).then(|| self.deviation(row.empties, row.shallow))
    }

    fn covers(row: &Row) -> bool {
        row.deep.is_none() && row.empties > f64::from(row.shallow) && is_sure(row)
    }

    fn terms(empties: f64, shallow: u32) -> [f64; 3] {
        let shallow = f64::from(shallow);
        [1.0, (empties - shallow).ln(), (1.0 + shallow).ln()]
    }
}

fn is_sure(row: &Row) -> bool {
    row.count >= FEWEST && row.scatter > 0.0
}

fn product<const N: usize>(factors: &[f64; N], terms: &[f64; N]) -> f64 {
    factors.iter().zip(terms).map(|(factor, term)| factor * term).sum::<f64>().exp()
}

/// The logarithm of a deviation is as sure as there are positions, so a row counts as often.
fn solved<const N: usize>(
    rows: &[&Row],
    terms: impl Fn(&Row) -> Option<[f64; N]>,
) -> Option<[f64; N]> {
    let equations =
        rows.iter().filter_map(|row| Some((terms(row)?, row.scatter.ln(), row.count as f64)));
    solve(&equations.collect::<Vec<Equation<N>>>())
}

fn residuals(rows: &[&Row], at: impl Fn(&Row) -> Option<f64>) -> Residuals {
    let (mut count, mut squares, mut worst) = (0.0, 0.0, 0.0_f64);
    for row in rows {
        let residual = at(row).map_or(0.0, |fitted| fitted / row.scatter - 1.0);
        count += row.count as f64;
        squares += row.count as f64 * residual * residual;
        worst = worst.max(residual.abs());
    }
    Residuals { rows: rows.len(), rms: (squares / f64::max(count, 1.0)).sqrt(), worst }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(empties: f64, deep: Option<u32>, shallow: u32, scatter: f64) -> Row {
        Row {
            empties_from: 0,
            empties_to: 60,
            empties,
            deep,
            shallow,
            count: 100,
            mean: 0.0,
            deviation: scatter,
            scatter,
        }
    }

    /// Rows of both kinds that follow these formulas, times `error` in turn.
    fn rows(midgame: Midgame, ending: Ending, error: f64) -> Vec<Row> {
        let mut rows = Vec::new();
        for empties in [10.0, 18.0, 30.0, 42.0, 54.0] {
            for shallow in 0..5 {
                let error = if shallow % 2 == 0 { error } else { 1.0 / error };
                for deep in (shallow + 2..9).step_by(2) {
                    let scatter = midgame.deviation(empties, deep, shallow) * error;
                    rows.push(row(empties, Some(deep), shallow, scatter));
                    // Of another parity: as wrong as can be, and not looked at.
                    rows.push(row(empties, Some(deep + 1), shallow, 100.0));
                }
                let scatter = ending.deviation(empties, shallow) * error;
                rows.push(row(empties, None, shallow, scatter));
            }
        }
        rows
    }

    #[test]
    fn known_formulas_are_found_again() {
        let midgame = Midgame { factors: [0.3, 2.0, -2.5, 0.4, -0.25] };
        let ending = Ending { factors: [0.2, 0.6, -0.3] };
        let rows = rows(midgame, ending, 1.0);
        let (found, residuals) = Midgame::fit(&rows).unwrap();
        assert!((0..5).all(|at| (found.factors[at] - midgame.factors[at]).abs() < 1e-6));
        assert!(residuals.worst < 1e-6 && residuals.rows == 5 * 14, "{residuals:?}");
        let (found, residuals) = Ending::fit(&rows).unwrap();
        assert!((0..3).all(|at| (found.factors[at] - ending.factors[at]).abs() < 1e-6));
        assert!(residuals.rms < 1e-6 && residuals.rows == 25, "{residuals:?}");
    }

    #[test]
    fn residuals_tell_how_far_rows_lie_off() {
        let midgame = Midgame { factors: [0.3, 2.0, -2.5, 0.4, -0.25] };
        let ending = Ending { factors: [0.2, 0.6, -0.3] };
        let (_, residuals) = Ending::fit(&rows(midgame, ending, 1.1)).unwrap();
        assert!((0.05..0.12).contains(&residuals.rms), "{residuals:?}");
        assert!((residuals.rms..0.2).contains(&residuals.worst), "{residuals:?}");
    }

    #[test]
    fn hand_computed_deviations_are_found() {
        let midgame = Midgame { factors: [2.0_f64.ln(), 1.0, -2.0, 0.5, -1.0] };
        // 30 empty squares: exp(½ − 2/4) = 1. Then 2 · √4 / 2.
        assert!((midgame.deviation(30.0, 5, 1) - 2.0).abs() < 1e-12);
        let ending = Ending { factors: [0.0, 0.5, -0.5] };
        // √(19 − 3) / √4.
        assert!((ending.deviation(19.0, 3) - 2.0).abs() < 1e-12);
    }

    #[test]
    fn too_few_rows_tell_nothing() {
        let rows = vec![row(20.0, Some(4), 2, 3.0), row(20.0, None, 2, 3.0)];
        assert!(Midgame::fit(&rows).is_none() && Ending::fit(&rows).is_none());
        assert!(Midgame::fit(&[]).is_none() && Ending::fit(&[]).is_none());
    }
}
