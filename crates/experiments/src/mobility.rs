//! Do not give up mobility (report 000, hypothesis 3): agents with it, without it, and against it.

use super::matches::{Tournament, picture, result, results, share};
use super::{Context, Experiment, Part};
use isrever_arena::{Counts, Format};
use isrever_lab::experiment::{Comparison, Figure, Findings, Setting};
use isrever_reports::catalogue;
use std::sync::Arc;

pub(super) const EXPERIMENT: Experiment = Experiment {
    slug: "mobility",
    title: "Mobility in the reversed game",
    source: "Report 000, 3.2, hypothesis 3",
    about: "agents that seek mobility against the same agents without it, and that shun it",
    duration: "20 s",
    is_cheap: false,
    rests_on: &[Part::Games, Part::Agents(&["depth3", "fourstage", "maximax", "threestage"])],
    settings,
    run,
};

fn settings() -> Vec<Setting> {
    vec![
        Setting::count("pairs", "pairs of games of each two", 2..=100_000, [300, 2]),
        Setting::count("depth", "plies that everybody looks ahead", 1..=6, [2, 1]),
        Setting::count("opening", "random moves at the beginning", 0..=20, [6, 6]),
    ]
}

/// Agents whose evaluation has a term for mobility, with settings that take the term away and that
/// turn it round.
const AGENTS: [(&str, &str, &str, &str); 4] = [
    (
        "combination (000)",
        "maximax",
        "early_mobility=0,middle_mobility=0,late_mobility=0",
        "early_mobility=-0.1,middle_mobility=-0.1,late_mobility=-0.1",
    ),
    ("depth3 (001)", "depth3", "mobility=0", "mobility=-5"),
    ("fourstage (002)", "fourstage", "mobility=0", "mobility=-5"),
    (
        "threestage (004)",
        "threestage",
        "early_mobility=0,middle_mobility=0",
        "early_mobility=-3,middle_mobility=-7",
    ),
];

/// The results of an agent with mobility against itself without, and against itself turned round.
struct Played {
    name: &'static str,
    against: [Counts; 2],
}

const OTHERS: [&str; 2] = ["without mobility", "shunning mobility"];

fn played(context: &Context<'_>) -> Vec<Played> {
    let depth = context.count("depth");
    AGENTS
        .iter()
        .map(|&(name, agent, without, against)| {
            let with = format!("{agent}:depth={depth}");
            let others = [without, against].map(|settings| format!("{with},{settings}"));
            let tournament = Tournament {
                catalogue: Arc::new(catalogue()),
                players: vec![(name, &with), (OTHERS[0], &others[0]), (OTHERS[1], &others[1])],
                format: Format::Gauntlet,
                pairs: context.count("pairs"),
                opening: context.count("opening") as u32,
                nodes: u64::MAX,
            };
            let table = tournament.play(context, |_, _| {});
            Played { name, against: [table[0][1], table[0][2]] }
        })
        .collect()
}

/// What the games say about the hypothesis.
fn meaning(all: &[Played]) -> [String; 2] {
    let sure = |other: usize, is_sure: fn(f64) -> bool| {
        let names = all.iter().filter(|one| is_sure(one.against[other].superiority()));
        names.map(|one| one.name).collect::<Vec<_>>()
    };
    let told = |names: &[&str]| match names {
        [] => "none".to_owned(),
        names => names.join(", "),
    };
    let [better, worse] = [sure(0, |sure| sure > 0.975), sure(0, |sure| sure < 0.025)];
    let [shunned, sought] = [sure(1, |sure| sure > 0.975), sure(1, |sure| sure < 0.025)];
    let first = format!(
        "Of {} agents these play better with mobility than without, beyond noise: {}; and these \
         worse: {}.",
        all.len(),
        told(&better),
        told(&worse)
    );
    let second = match (shunned.len(), sought.len()) {
        (shunned, 0) if shunned == all.len() => {
            "All of them beat themselves with the sign of mobility turned round: whoever gives up \
             mobility because the goal is reversed, as the report says most did, plays worse."
                .to_owned()
        }
        _ => format!(
            "Against themselves with the sign of mobility turned round these are better: {}; and \
             these worse: {}.",
            told(&shunned),
            told(&sought)
        ),
    };
    // An agent is for the hypothesis that is better with mobility than in one of the other ways, and
    // never worse; against it in the same way.
    let is_for = |name: &&str, yes: [&Vec<&str>; 2], no: [&Vec<&str>; 2]| {
        yes.iter().any(|names| names.contains(name)) && !no.iter().any(|names| names.contains(name))
    };
    let count = |yes: [&Vec<&str>; 2], no: [&Vec<&str>; 2]| {
        all.iter().filter(|one| is_for(&one.name, yes, no)).count()
    };
    let (good, bad) = ([&better, &shunned], [&worse, &sought]);
    let verdict = match (count(good, bad), count(bad, good)) {
        (support, 0) if support == all.len() => {
            "So the hypothesis holds for all of them".to_owned()
        }
        (0, 0) => "So these games say nothing about the hypothesis".to_owned(),
        (support, 0) => format!(
            "So the hypothesis holds for {support} of {}, and the others say nothing against it",
            all.len()
        ),
        (0, contrary) => format!("So the hypothesis fails, for {contrary} of {}", all.len()),
        (support, contrary) => format!(
            "So the hypothesis holds for {support} of {} and fails for {contrary}: whether a term \
             for mobility pays depends on the rest of the evaluation",
            all.len()
        ),
    };
    [first, format!("{second} {verdict}.")]
}

fn run(context: &Context<'_>) -> Findings {
    let all = played(context);
    let mut table = results(
        "mobility",
        "Each agent as it is, which seeks mobility, against itself.",
        &["agent", "against"],
    );
    let mut comparisons = Vec::new();
    for Played { name, against } in &all {
        for (other, counts) in OTHERS.iter().zip(against) {
            let what = format!("{name}, per cent of the points against itself {other}");
            comparisons.push(Comparison::ours(what, Figure::score(counts)));
            table.row(result([(*name).into(), (*other).into()], counts));
        }
    }
    let pictures = OTHERS
        .iter()
        .zip(["without", "shunning"])
        .enumerate()
        .map(|(other, (words, file))| {
            let names: Vec<&str> = all.iter().map(|one| one.name).collect();
            let counts: Vec<Counts> = all.iter().map(|one| one.against[other]).collect();
            picture(file, &format!("With mobility against {words}"), &names, &counts)
        })
        .collect();
    let least = all.iter().map(|one| share(&one.against[0]).0).fold(f64::INFINITY, f64::min);
    Findings {
        question: format!(
            "Four reports' agents, whose evaluations count moves, play {} openings from both sides \
             against themselves without that term and with its sign turned round, all {} plies \
             deep.",
            context.count("pairs"),
            context.count("depth")
        ),
        comparisons,
        meaning: meaning(&all),
        notes: vec![
            "Hypothesis 3 is “don't give up mobility”: more moves for oneself and fewer for the \
             opponent are good under the reversed rule as under the normal one, because who has \
             few must play where it costs."
                .to_owned(),
            "What a move more is worth by itself, while everything else stays the same, is measured \
             in [strategy](../strategy/page.md)."
                .to_owned(),
            "Report 003's agent weighs moves by square instead of counting them, and has no such \
             sign."
                .to_owned(),
            format!(
                "fourstage counts moves only before the first disc on an edge, so little depends \
                 on it; the least share against an agent without mobility is {least:.1} %."
            ),
        ],
        tables: vec![table],
        pictures,
        ..Findings::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_hypothesis_is_judged_by_the_games() {
        let [won, even, lost] = [[2, 2], [2, -2], [-2, -2]]
            .map(|pair| (0..50).map(|_| Counts::of_pair(pair)).sum::<Counts>());
        let played = |name, against| Played { name, against };
        let [first, second] = meaning(&[played("a", [won, won]), played("b", [even, won])]);
        assert!(first.ends_with("beyond noise: a; and these worse: none."), "{first}");
        assert!(second.starts_with("All of them beat themselves"), "{second}");
        assert!(second.ends_with(" So the hypothesis holds for all of them."), "{second}");
        let [_, second] = meaning(&[played("a", [won, lost]), played("b", [lost, won])]);
        assert!(second.contains("these are better: b; and these worse: a. "), "{second}");
        assert!(second.ends_with("So these games say nothing about the hypothesis."), "{second}");
        for (games, verdict) in [
            ([[won, even], [lost, lost]], "holds for 1 of 2 and fails for 1: whether a term"),
            ([[lost, even], [even, even]], "fails, for 1 of 2"),
            ([[won, even], [even, even]], "holds for 1 of 2, and the others say nothing"),
        ] {
            let [_, second] = meaning(&[played("a", games[0]), played("b", games[1])]);
            assert!(second.contains(&format!("So the hypothesis {verdict}")), "{second}");
        }
    }

    #[test]
    fn the_settings_are_those_of_the_agents() {
        for (_, agent, without, against) in AGENTS {
            for settings in [without, against] {
                assert!(catalogue().make(format!("{agent}:{settings}"), 1).is_ok());
            }
        }
    }
}
