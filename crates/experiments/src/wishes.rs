//! The reports' wishes, and readings of their text: each against the agent without it.

use super::matches::{Tournament, picture, result, results};
use super::{Context, Experiment, Part, grouped};
use isrever_arena::{Counts, Format};
use isrever_lab::experiment::{Comparison, Figure, Findings, Setting};
use isrever_reports::catalogue;
use std::sync::Arc;

pub(super) const EXPERIMENT: Experiment = Experiment {
    slug: "wishes",
    title: "The reports' wishes, and readings of their text",
    source: "Reports 000 to 004, their last sections",
    about: "agents with a wish of their report granted, or by another reading, against themselves",
    duration: "3 min",
    is_cheap: false,
    rests_on: &[
        Part::Games,
        Part::Agents(&["maximax", "depth3", "fourstage", "genetic", "threestage"]),
    ],
    settings,
    run,
};

fn settings() -> Vec<Setting> {
    vec![
        Setting::count("pairs", "pairs of games of each two", 2..=100_000, [150, 2]),
        Setting::count(
            "nodes",
            "boards an agent may look at for one move",
            100..=10_000_000,
            [10_000, 200],
        ),
        Setting::count("opening", "random moves at the beginning", 0..=20, [6, 6]),
    ]
}

/// A change of an agent.
struct Change {
    words: &'static str,
    source: &'static str,
    /// The agent with it and without.
    agents: [&'static str; 2],
}

const fn change(
    words: &'static str,
    source: &'static str,
    with: &'static str,
    without: &'static str,
) -> Change {
    Change { words, source, agents: [with, without] }
}

const CHANGES: [Change; 12] = [
    change("playouts in the rest of the time", "000, 5", "maximax:rest=1", "maximax"),
    change("more plies in the rest of the time", "000, 5 (ours)", "maximax:rest=2", "maximax"),
    change("√b as the assumed breadth", "000, 4.1.2", "maximax:breadth_power=0.5", "maximax"),
    change("squares beside a taken corner", "001, 5.2", "depth3:beside=450", "depth3"),
    change("depth by mobility", "001, 5.2", "depth3:wide=20,narrow=10", "depth3"),
    change("inner discs are stable", "002, III.C", "fourstage", "fourstage:inner=0"),
    change("at most 10 plies", "002, III.E", "fourstage", "fourstage:last=60"),
    change("both, against our former reading", "002", "fourstage", "fourstage:inner=0,last=60"),
    change("a sigmoid 2 discs wide", "003, III.A", "genetic:sigmoid=2", "genetic"),
    change("a sigmoid 8 discs wide", "003, III.A", "genetic:sigmoid=8", "genetic"),
    change(
        "a sigmoid 4 discs wide, tuned maps",
        "003, III.A",
        "genetic:preset=tuned-maps,sigmoid=4",
        "genetic:preset=tuned-maps",
    ),
    change("leaves from 58 discs decided", "004, 2.3.3", "threestage", "threestage:late=64"),
];

fn played(context: &Context<'_>) -> Vec<Counts> {
    CHANGES
        .iter()
        .map(|change| {
            let tournament = Tournament {
                catalogue: Arc::new(catalogue()),
                players: vec![("with", change.agents[0]), ("without", change.agents[1])],
                format: Format::RoundRobin,
                pairs: context.count("pairs"),
                opening: context.count("opening") as u32,
                nodes: context.count("nodes"),
            };
            tournament.play(context, |_, _| {})[0][1]
        })
        .collect()
}

fn list(names: &[&str]) -> String {
    match names {
        [] => "none".to_owned(),
        names => names.iter().map(|name| format!("“{name}”")).collect::<Vec<_>>().join(", "),
    }
}

fn run(context: &Context<'_>) -> Findings {
    let counts = played(context);
    let names = CHANGES.each_ref().map(|change| change.words);
    let sure = |is_sure: fn(f64) -> bool| {
        let both = names.iter().zip(&counts);
        let sure = both.filter(|(_, counts)| is_sure(counts.superiority()));
        sure.map(|(name, _)| *name).collect::<Vec<_>>()
    };
    let [better, worse] = [sure(|sure| sure > 0.975), sure(|sure| sure < 0.025)];
    let mut table = results(
        "wishes",
        "Each agent with the change against itself without it.",
        &["change", "report", "with", "without"],
    );
    for (change, counts) in CHANGES.iter().zip(&counts) {
        let who = [change.words, change.source, change.agents[0], change.agents[1]];
        table.row(result(who.map(Into::into), counts));
    }
    Findings {
        question: format!(
            "Twelve changes that reports wish for, or that another reading of their text makes, \
             each against the agent without it: {} openings from both sides, {} boards a move.",
            context.count("pairs"),
            grouped(context.count("nodes"))
        ),
        comparisons: CHANGES
            .iter()
            .zip(&counts)
            .map(|(change, counts)| {
                let what = format!("{} ({}): per cent of the points", change.words, change.source);
                Comparison::ours(what, Figure::score(counts))
            })
            .collect(),
        meaning: [
            format!("Beyond noise these play better: {}; and these worse: {}.", list(&better), list(&worse)),
            match CHANGES.len() - better.len() - worse.len() {
                0 => "No change leaves it open.".to_owned(),
                open => format!("The games do not tell {open} of the changes from none."),
            },
        ],
        notes: vec![
            "What a report's text says is the agent's default, a wish is an option: `isrever agents` \
             lists both."
                .to_owned(),
            "`genetic` also stops before depth 20 now, as algorithm 1 does; nobody gets there with \
             so few boards, so there is nothing to play about."
                .to_owned(),
            "`fourstage` looks at six plies at least where it is limited by time; with a limit of \
             boards it begins at the first ply."
                .to_owned(),
            "Twelve changes that do nothing would seem to do something in half of such \
             experiments: intervals are for each alone."
                .to_owned(),
        ],
        tables: vec![table],
        pictures: vec![picture("wishes", "With the change against without", &names, &counts)],
        ..Findings::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_agents_are_there_and_differ() {
        let catalogue = catalogue();
        for Change { agents: [with, without], words, .. } in &CHANGES {
            let [one, other] =
                [with, without].map(|spec| catalogue.parameters(*spec).unwrap().unwrap());
            assert_ne!(one.values(), other.values(), "{words}");
        }
    }
}
