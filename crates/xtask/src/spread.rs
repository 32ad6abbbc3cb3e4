//! Summarises many measurements of the same thing.

/// Measurements in milliseconds, shortest first.
pub(crate) struct Spread(Vec<f64>);

impl FromIterator<f64> for Spread {
    fn from_iter<I: IntoIterator<Item = f64>>(times_ms: I) -> Spread {
        let mut sorted: Vec<f64> = times_ms.into_iter().collect();
        sorted.sort_by(f64::total_cmp);
        Spread(sorted)
    }
}

impl Spread {
    /// The head of the columns that `cells` fills, but for what is measured.
    pub(crate) const HEAD: &str = "median | 95 % | slowest";

    /// The time that so many of a hundred measurements do not exceed; nothing if there are none.
    pub(crate) fn part(&self, hundredths: usize) -> Option<f64> {
        let rank = (self.0.len() * hundredths).div_ceil(100);
        self.0.get(rank.checked_sub(1)?).copied()
    }

    pub(crate) fn count(&self) -> usize {
        self.0.len()
    }

    /// A cell of a table: what so many of a hundred do not exceed.
    pub(crate) fn cell(&self, hundredths: usize) -> String {
        match self.part(hundredths) {
            Some(ms) => format!("{ms:.1} ms"),
            None => "–".to_owned(),
        }
    }

    /// Cells of a table: the median, what 95 of 100 do not exceed, the slowest.
    pub(crate) fn cells(&self) -> String {
        [50, 95, 100].map(|hundredths| self.cell(hundredths)).join(" | ")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hundred_measurements_are_told_by_three() {
        let spread: Spread = (1..=100).rev().map(f64::from).collect();
        assert_eq!(spread.cells(), "50.0 ms | 95.0 ms | 100.0 ms");
    }

    #[test]
    fn few_measurements_or_none_are_told_as_well() {
        assert_eq!(Spread::from_iter([7.25]).cells(), "7.2 ms | 7.2 ms | 7.2 ms");
        assert_eq!(Spread::from_iter([]).cells(), "– | – | –");
        assert_eq!(Spread::from_iter([]).count(), 0);
    }
}
