//! The weights that the program carries tell good endings from bad ones, on games of other seeds.

use isrever_board::{Rule, Size};
use isrever_eval::{DISC, Weights};
use isrever_lab::data::{Label, Sample};
use isrever_lab::selfplay::Plan;

#[test]
fn proved_scores_are_told_to_a_few_discs() {
    for size in [Size::SIX, Size::EIGHT] {
        for rule in Rule::ALL {
            // Small boards can be solved from further out, but not so many of them in a test.
            let plan = Plan { solve_from: 14, ..Plan::new(rule, size, 0x5eed) };
            let weights = Weights::embedded(rule, size).unwrap();
            let samples: Vec<Sample> = (0..40).flat_map(|number| plan.game(number)).collect();
            let (mut count, mut before, mut after) = (0.0, 0.0, 0.0);
            for sample in samples.iter().filter(|sample| sample.label() == Label::Exact) {
                let value = weights.plain_value(sample.board());
                let score = f64::from(sample.score());
                count += 1.0;
                before += score.abs();
                after += (f64::from(value) / f64::from(DISC) - score).abs();
            }
            let (before, after) = (before / count, after / count);
            assert!(after < 6.0 && after < before / 2.0, "{rule}, {size}: {after} of {before}");
        }
    }
}
