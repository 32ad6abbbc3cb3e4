//! The weights that the program carries tell good endings from bad ones, on games of other seeds.

use isrever_board::Rule;
use isrever_eval::{DISC, Weights};
use isrever_lab::data::{Label, Sample};
use isrever_lab::selfplay::Plan;

#[test]
fn proved_scores_are_told_to_a_few_discs() {
    for rule in Rule::ALL {
        let plan = Plan::new(rule, 0x5eed);
        let samples: Vec<Sample> = (0..40).flat_map(|number| plan.game(number)).collect();
        let (mut count, mut before, mut after) = (0.0, 0.0, 0.0);
        for sample in samples.iter().filter(|sample| sample.label() == Label::Exact) {
            let value = Weights::embedded(rule).plain_value(sample.board());
            let score = f64::from(sample.score());
            count += 1.0;
            before += score.abs();
            after += (f64::from(value) / f64::from(DISC) - score).abs();
        }
        let (before, after) = (before / count, after / count);
        assert!(after < 6.0 && after < before / 2.0, "{rule}: {after} of {before}");
    }
}
