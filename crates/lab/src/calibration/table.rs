//! Measurements as a table of means and deviations.

use super::Measurement;
use serde::Serialize;
use std::collections::BTreeMap;

/// So many numbers of empty squares share a row.
const GROUP: u32 = 4;

/// How far searches of one depth stray from those of another, in positions that are about as far
/// from the end.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct Row {
    /// The fewest empty squares.
    pub empties_from: u32,
    /// The most.
    pub empties_to: u32,
    /// The mean of those that there were.
    pub empties: f64,
    /// Plies of the deep search; `None` if it goes to the end.
    pub deep: Option<u32>,
    /// Plies of the shallow one.
    pub shallow: u32,
    /// How many positions there were.
    pub count: u64,
    /// The mean of deep minus shallow, in discs.
    pub mean: f64,
    /// Its standard deviation.
    pub deviation: f64,
    /// The root of the mean of its squares: the deviation from the shallow value as it stands.
    pub scatter: f64,
}

/// One row for each group of empty squares and each pair of depths that occurred at least twice.
pub fn table(measurements: &[Measurement]) -> Vec<Row> {
    let mut sums: BTreeMap<(u32, u32, u32), Sums> = BTreeMap::new();
    for Measurement { empties, values, exact } in measurements {
        let ends = exact.map(|score| (TO_THE_END, score));
        let deeper = (0..).zip(values.iter().copied()).chain(ends);
        for (deep, deep_value) in deeper {
            for (shallow, &value) in (0..deep).zip(values) {
                let sums = sums.entry((empties / GROUP, deep, shallow)).or_default();
                sums.add(*empties, f64::from(deep_value - value));
            }
        }
    }
    let rows = sums.into_iter().filter(|(_, sums)| sums.count > 1);
    rows.map(|((group, deep, shallow), sums)| sums.row(group, deep, shallow)).collect()
}

/// In place of a depth: deeper than any.
const TO_THE_END: u32 = u32::MAX;

#[derive(Default)]
struct Sums {
    count: u64,
    empties: u64,
    sum: f64,
    squares: f64,
}

impl Sums {
    fn add(&mut self, empties: u32, difference: f64) {
        self.count += 1;
        self.empties += u64::from(empties);
        self.sum += difference;
        self.squares += difference * difference;
    }

    fn row(self, group: u32, deep: u32, shallow: u32) -> Row {
        let count = self.count as f64;
        let mean = self.sum / count;
        let variance = (self.squares - count * mean * mean) / (count - 1.0);
        Row {
            empties_from: GROUP * group,
            empties_to: GROUP * group + GROUP - 1,
            empties: self.empties as f64 / count,
            deep: (deep != TO_THE_END).then_some(deep),
            shallow,
            count: self.count,
            mean,
            // Rounding must not make it negative where all are alike.
            deviation: variance.max(0.0).sqrt(),
            scatter: (self.squares / count).sqrt(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hand_computed_rows_are_found() {
        let measurement = |empties, values: &[i32], exact| Measurement {
            empties,
            values: values.to_vec(),
            exact,
        };
        let rows = table(&[
            measurement(12, &[0, 3], Some(4)),
            measurement(13, &[1, 2], Some(-3)),
            measurement(15, &[-2, 3], None),
            // Alone in its group.
            measurement(16, &[9, 9], None),
        ]);
        assert_eq!(rows.len(), 3);
        // Differences 3, 1 and 5: mean 3, variance (0 + 4 + 4) / 2, squares 35.
        let Row { empties, deep, shallow, count, mean, deviation, scatter, .. } = rows[0];
        assert_eq!((rows[0].empties_from, rows[0].empties_to), (12, 15));
        assert_eq!((deep, shallow, count, mean, deviation), (Some(1), 0, 3, 3.0, 2.0));
        assert!((empties - 40.0 / 3.0).abs() < 1e-12);
        assert!((scatter - (35.0_f64 / 3.0).sqrt()).abs() < 1e-12);
        // To the end: 4 and −4 from no ply, 1 and −5 from one.
        assert_eq!((rows[1].deep, rows[1].shallow, rows[1].mean), (None, 0, 0.0));
        assert_eq!((rows[2].deep, rows[2].shallow, rows[2].mean), (None, 1, -2.0));
        assert!((rows[2].deviation - 18.0_f64.sqrt()).abs() < 1e-12);
        assert!(table(&[]).is_empty());
    }
}
