//! What features are worth in one phase: together, each alone, and how much they vary.

use super::features::COUNT;
use super::positions::Valued;
use super::regression::{Estimate, fit, spread};
use std::collections::BTreeMap;

/// A feature that is the same in all but this share of the positions says nothing about them.
const RARE: f64 = 0.05;

/// What a feature is worth in discs.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Worth {
    /// One unit more while all other features stay the same.
    pub(super) together: Estimate,
    /// One unit more, whatever comes with it.
    pub(super) alone: Estimate,
    /// The correlation with the value.
    pub(super) correlation: f64,
    /// The standard deviation of the feature.
    pub(super) deviation: f64,
}

/// The positions of a phase under one rule, and what they show.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Phase {
    pub(super) positions: u64,
    pub(super) proved: u64,
    /// The standard deviation of the values.
    pub(super) deviation: f64,
    /// The share of the values' variance that all features explain together.
    pub(super) explained: Option<f64>,
    /// By feature; `None` for those that hardly vary.
    pub(super) worth: [Option<Worth>; COUNT],
}

impl Phase {
    /// What positions show that are independent of each other.
    pub(super) fn of(positions: &[Valued]) -> Phase {
        let values: Vec<f64> = positions.iter().map(|valued| f64::from(valued.value)).collect();
        let column = |feature: usize| positions.iter().map(move |valued| valued.counts[feature]);
        let varying: Vec<usize> =
            (0..COUNT).filter(|&feature| is_varying(column(feature))).collect();
        let rows = |features: &[usize]| -> Vec<Vec<f64>> {
            let row = |valued: &Valued| {
                features.iter().map(|&feature| f64::from(valued.counts[feature])).collect()
            };
            positions.iter().map(row).collect()
        };
        let (_, deviation) = spread(values.iter().copied());
        let together = if varying.is_empty() { None } else { fit(&rows(&varying), &values) };
        let mut worth = [None; COUNT];
        for (place, &feature) in varying.iter().enumerate() {
            let (Some(together), Some(alone)) = (&together, fit(&rows(&[feature]), &values)) else {
                continue;
            };
            let (together, alone_slope) = (together.slopes[place], alone.slopes[0]);
            let (_, deviation) = spread(column(feature).map(f64::from));
            // With one feature, R² is the square of the correlation.
            let correlation = alone.explained.max(0.0).sqrt().copysign(alone_slope.value);
            worth[feature] = Some(Worth { together, alone: alone_slope, correlation, deviation });
        }
        let proved = positions.iter().filter(|valued| valued.is_proved).count();
        Phase {
            positions: positions.len() as u64,
            proved: proved as u64,
            deviation,
            explained: together.map(|fit| fit.explained),
            worth,
        }
    }
}

/// Whether a feature differs from its commonest count in more than a few positions.
fn is_varying(counts: impl Iterator<Item = i32>) -> bool {
    let mut seen: BTreeMap<i32, usize> = BTreeMap::new();
    counts.for_each(|count| *seen.entry(count).or_default() += 1);
    let (all, most) = (seen.values().sum::<usize>(), seen.values().max().copied().unwrap_or(0));
    (all - most) as f64 > RARE * all as f64
}

#[cfg(test)]
mod tests {
    use super::*;
    use isrever_agent::Rng;

    #[test]
    fn known_worths_are_found_and_rare_features_are_left_out() {
        let mut rng = Rng::stream(1, 1);
        let positions: Vec<Valued> = (0..2_000)
            .map(|number| {
                let mut counts = [0; COUNT];
                counts[0] = rng.below(21).cast_signed() - 10;
                // The second goes along with the first.
                counts[1] = counts[0] / 2 + rng.below(5).cast_signed();
                counts[2] = i32::from(number % 100 == 0);
                let noise = rng.below(7).cast_signed() - 3;
                let value = 2 * counts[0] - 3 * counts[1] + noise;
                Valued { counts, value, is_proved: number < 5 }
            })
            .collect();
        let phase = Phase::of(&positions);
        assert_eq!((phase.positions, phase.proved), (2_000, 5));
        let [first, second] = [0, 1].map(|feature: usize| phase.worth[feature].unwrap());
        for (worth, value) in [(first, 2.0), (second, -3.0)] {
            let Estimate { value: found, error } = worth.together;
            assert!((found - value).abs() < 4.0 * error && error < 0.1, "{worth:?}");
        }
        assert!(first.alone.value < 1.0 && first.correlation.abs() < 0.9, "{first:?}");
        // What comes with the second outweighs it: alone it seems to be good.
        assert!(second.correlation > 0.1 && second.deviation > 2.0, "{second:?}");
        assert!(phase.worth[2..].iter().all(Option::is_none));
        assert!(phase.explained.unwrap() > 0.7);
    }

    #[test]
    fn nothing_is_found_in_nothing() {
        let phase = Phase::of(&[]);
        assert_eq!((phase.positions, phase.explained, phase.worth), (0, None, [None; COUNT]));
    }
}
