//! The value of report 004's stages: the agent without each stage, against the whole agent.

use super::matches::{Tournament, picture, scores};
use super::{Context, Experiment, Part};
use isrever_arena::{Counts, Format};
use isrever_lab::experiment::{Comparison, Figure, Findings, Setting};
use isrever_reports::catalogue;
use std::sync::Arc;

pub(super) const EXPERIMENT: Experiment = Experiment {
    slug: "stages",
    title: "What the three stages are worth",
    source: "Report 004, 2.3 and 3.3",
    about: "report 004's agent without one of its stages, depths or terms, against the whole",
    duration: "30 s",
    is_cheap: false,
    rests_on: &[Part::Games, Part::Agents(&["threestage"])],
    settings,
    run,
};

fn settings() -> Vec<Setting> {
    vec![
        Setting::count("pairs", "pairs of games of each variant", 2..=100_000, [200, 2]),
        Setting::count(
            "nodes",
            "boards a search may look at for one move",
            10..=100_000_000,
            [1_000_000, 100],
        ),
        Setting::count("opening", "random moves at the beginning", 0..=20, [6, 6]),
    ]
}

const WHOLE: &str = "threestage";

/// The variants and their specs.
const VARIANTS: [(&str, &str); 13] = [
    ("early weights throughout", "threestage:early=64"),
    ("middle weights throughout", "threestage:early=4"),
    ("no search to the end", "threestage:ending=0"),
    ("depth 3 throughout", "threestage:middle_depth=3"),
    ("depth 4 throughout", "threestage:early_depth=4"),
    ("middle mobility 5, as in the code", "threestage:middle_mobility=5"),
    ("without squares", "threestage:early_squares=0,middle_squares=0"),
    ("without mobility", "threestage:early_mobility=0,middle_mobility=0"),
    ("without edges", "threestage:early_edge=0,middle_edge=0"),
    ("edges bad, not good", "threestage:early_edge=-3,middle_edge=-3"),
    ("leaves from 58 discs by evaluation", "threestage:late=64"),
    ("no stages: early weights, depth 3", "threestage:early=64,ending=0,late=64"),
    ("no stages: middle weights, depth 4", "threestage:early=4,ending=0,late=64"),
];

/// The variants without any stages.
const STAGELESS: [usize; 2] = [11, 12];

/// What all stages together are worth.
fn of_all_stages(counts: &[Counts]) -> String {
    let told = STAGELESS.map(|place| {
        let words = VARIANTS[place].0.trim_start_matches("no stages: ");
        let verdict = match counts[place].superiority() {
            sure if sure < 0.025 => "is worse",
            sure if sure > 0.975 => "is better",
            _ => "cannot be told apart",
        };
        format!("with {words} it {verdict} ({:.0} %)", 100.0 * counts[place].score())
    });
    format!("Without any stages, {}.", told.join(", "))
}

/// The conclusion about the report's claim, from the variants that are worse.
fn of_stages(worse: &[&str]) -> &'static str {
    let is_worse = |variant: usize| worse.contains(&VARIANTS[variant].0);
    // Without the early stage; without depth; without the ending.
    match [1, 3, 2].map(is_worse) {
        [false, true, true] => {
            "The report says, without a figure, that three stages made its agent much better: what \
             does is depth and the search to the end, not other weights at the beginning, and \
             weights are where it wishes for more stages."
        }
        [true, ..] => {
            "The report says, without a figure, that three stages made its agent much better: \
             other weights at the beginning are a part of that."
        }
        _ => {
            "The report says, without a figure, that three stages made its agent much better: \
             these games do not tell what of it does."
        }
    }
}

fn run(context: &Context<'_>) -> Findings {
    let tournament = Tournament {
        catalogue: Arc::new(catalogue()),
        players: [&[(WHOLE, WHOLE)], &VARIANTS[..]].concat(),
        format: Format::Gauntlet,
        pairs: context.count("pairs"),
        opening: context.count("opening") as u32,
        nodes: context.count("nodes"),
    };
    let table = tournament.play(context, |_, _| {});
    let names = VARIANTS.map(|(name, _)| name);
    let counts: Vec<Counts> = table[0][1..].iter().map(|counts| counts.turned()).collect();
    let is_sure = |counts: &&Counts| counts.superiority() < 0.025;
    let worse: Vec<&str> = names
        .iter()
        .zip(&counts)
        .filter(|(_, counts)| is_sure(counts))
        .map(|(name, _)| *name)
        .collect();
    let better: Vec<&str> = names
        .iter()
        .zip(&counts)
        .filter(|(_, counts)| counts.superiority() > 0.975)
        .map(|(name, _)| *name)
        .collect();
    let list = |names: &[&str]| match names {
        [] => "none".to_owned(),
        names => names.iter().map(|name| format!("“{name}”")).collect::<Vec<_>>().join(", "),
    };
    Findings {
        question: format!(
            "Report 004's agent with one thing changed plays the agent as it is: {} openings from \
             both sides.",
            context.count("pairs")
        ),
        comparisons: names
            .iter()
            .zip(&counts)
            .map(|(name, counts)| {
                let what = format!("{name}: per cent of the points against the whole");
                Comparison::ours(what, Figure::score(counts))
            })
            .collect(),
        meaning: [
            format!(
                "Beyond noise these are worse than the whole: {}; and these better: {}.",
                list(&worse),
                list(&better)
            ),
            format!("{} {}", of_all_stages(&counts), of_stages(&worse)),
        ],
        notes: vec![
            "The report gives weights (5, 3, 3) early and (3, 7, 3) in the middle in 2.3.3, and \
             (3, 5, 3) in its pseudo-code; the first is the whole here."
                .to_owned(),
            "Thirteen variants that change nothing would seem to change something in half of such \
             experiments: intervals are for each variant alone."
                .to_owned(),
        ],
        tables: vec![scores("scores", "Each variant against the whole.", &names, &counts)],
        pictures: vec![picture("scores", "Variants against the whole agent", &names, &counts)],
        ..Findings::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_report_s_claim_is_judged_by_the_variants_that_take_stages_away() {
        let [early, middle, ending, shallow] = [0, 1, 2, 3].map(|place| VARIANTS[place].0);
        assert!(of_stages(&[early, ending, shallow]).contains("not other weights"));
        assert!(of_stages(&[middle, ending, shallow]).contains("are a part of that"));
        assert!(of_stages(&[early]).contains("do not tell"));
        assert!(STAGELESS.iter().all(|&place| VARIANTS[place].0.starts_with("no stages: ")));
        let even = (0..50).map(|_| Counts::of_pair([2, -2])).sum::<Counts>();
        let lost = (0..50).map(|_| Counts::of_pair([-2, -2])).sum::<Counts>();
        let counts = [[even; 12].as_slice(), &[lost]].concat();
        assert_eq!(
            of_all_stages(&counts),
            "Without any stages, with early weights, depth 3 it cannot be told apart (50 %), with \
             middle weights, depth 4 it is worse (0 %)."
        );
        assert!(VARIANTS[1].1.ends_with("early=4") && VARIANTS[3].1.ends_with("depth=3"));
    }
}
