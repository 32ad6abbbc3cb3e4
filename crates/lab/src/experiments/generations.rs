//! How a genetic algorithm climbs (report 003, III): the rank of its best, by generation.
//!
//! Report 003's algorithm tunes report 003's agent, as `isrever tune` does it;
//! the best of some generations then play a field of other agents and are rated
//! among them.

use super::matches::Tournament;
use super::{Bench, Experiment};
use crate::experiment::{Comparison, Figure, Findings, Picture, Setting, Table};
use crate::plot::{Series, series};
use crate::tune::{Spec, Tuning, Watch};
use isrever_agent::{Catalogue, Genetic, catalogue};
use isrever_arena::{Counts, Format, Ratings};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

pub(super) const EXPERIMENT: Experiment = Experiment {
    slug: "generations",
    title: "Generations against rank",
    source: "Report 003, III",
    about: "report 003's genetic algorithm: the best of each generation among a field of agents",
    duration: "1 min",
    settings,
    run,
};

fn settings() -> Vec<Setting> {
    vec![
        Setting::count("population", "individuals of a generation", 4..=200, [60, 4]),
        Setting::counts(
            "generations",
            "generations whose best are rated",
            0..=10_000,
            [&[0, 1, 2, 5, 10, 20, 40, 80], &[0, 1]],
        ),
        Setting::count("depth", "plies that everybody looks ahead", 1..=4, [1, 1]),
        Setting::count("pairs", "pairs of games of each two in the field", 2..=100_000, [40, 2]),
        Setting::count("opening", "random moves at the beginning", 1..=20, [6, 6]),
    ]
}

/// Whom the best are rated among, each with the same number of plies.
const FIELD: [&str; 8] = [
    "random",
    "greedy",
    "greedy:by=squares",
    "greedy:by=combination",
    "depth3",
    "threestage",
    "fourstage",
    "genetic",
];

/// A generation whose best is rated.
struct Rated {
    generation: u64,
    rank: u64,
    elo: f64,
    reach: f64,
    counts: Counts,
}

/// The best of each generation asked for, as a spec.
fn champions(bench: &Bench<'_>, catalogue: &Catalogue) -> Vec<(u64, String)> {
    let wanted = bench.counts("generations");
    let last = wanted.last().copied().unwrap_or(0);
    // When the periods change and how long the ending is, is not the algorithm's to decide.
    let tuned = Genetic::table().iter().map(|parameter| parameter.name.to_owned());
    let spec = Spec {
        agent: Some("genetic:final=6".to_owned()),
        parameters: Some(tuned.filter(|name| name != "period" && name != "final").collect()),
        algorithm: Some("binary".to_owned()),
        population: Some(bench.count("population") as usize),
        start: Some("random".to_owned()),
        generations: Some(last as u32 + 1),
        patience: Some(0),
        objective: Some("round-robin".to_owned()),
        games: Some(1),
        openings: Some(format!("random:{}", bench.count("opening"))),
        depth: Some(bench.count("depth") as u32),
        seed: Some(bench.seed()),
        ..Spec::default()
    };
    let plan = spec.settle(catalogue).expect("the settings allow only what a tuning allows");
    let mut tuning = Tuning::new(&plan, catalogue, Vec::new()).expect("nothing is no wrong log");
    let stop = AtomicBool::new(false);
    let watch = Watch { done: &|| {}, stop: &stop };
    bench.progress.expect(last + 1);
    let mut champions = Vec::new();
    for number in 0..=last {
        let generation = tuning.step(&watch).expect("nobody stops it");
        if wanted.contains(&number) {
            champions.push((number, plan.space.spec(generation.champion())));
        }
        bench.progress.advance(1);
    }
    champions
}

/// What everybody in the field did against everybody, and the champions against the field.
fn rated(bench: &Bench<'_>, champions: &[(u64, String)]) -> Vec<Rated> {
    let depth = bench.count("depth");
    let with_depth = |agent: &str| match agent.split(':').next() {
        Some("random" | "greedy") => agent.to_owned(),
        _ if agent.contains(':') => format!("{agent},depth={depth}"),
        _ => format!("{agent}:depth={depth}"),
    };
    let field = FIELD.map(with_depth);
    let robin = Tournament {
        catalogue: Arc::new(catalogue()),
        players: field.iter().map(|agent| (agent.as_str(), agent.as_str())).collect(),
        format: Format::RoundRobin,
        pairs: bench.count("pairs"),
        opening: bench.count("opening") as u32,
        nodes: u64::MAX,
    };
    let known = robin.play(bench, |_, _| {});
    let mut all = Vec::new();
    for (generation, champion) in champions {
        let champion = with_depth(champion);
        let entered = [("the best", champion.as_str())].into_iter().chain(robin.players.clone());
        let gauntlet =
            Tournament { players: entered.collect(), format: Format::Gauntlet, ..robin.clone() };
        let mut table = gauntlet.play(bench, |_, _| {});
        for (one, row) in known.iter().enumerate() {
            table[one + 1][1..].copy_from_slice(row);
        }
        let ratings = Ratings::of(&table);
        let own = ratings.all()[0];
        let better = ratings.all().iter().filter(|rating| rating.elo > own.elo).count();
        all.push(Rated {
            generation: *generation,
            rank: better as u64 + 1,
            elo: own.elo,
            reach: (own.high - own.elo).max(own.elo - own.low),
            counts: table[0].iter().copied().sum(),
        });
    }
    all
}

fn run(bench: &Bench<'_>) -> Findings {
    let champions = champions(bench, &catalogue());
    let all = rated(bench, &champions);
    let mut table = Table::new(
        "generations",
        "The best of a generation among the field, 95 % intervals.",
        &[
            ("generation", 0),
            ("rank", 0),
            ("points_percent", 1),
            ("reach", 1),
            ("elo", 0),
            ("elo_reach", 0),
        ],
    );
    let mut points = Vec::new();
    for Rated { generation, rank, elo, reach, counts } in &all {
        let (share, share_reach) = super::matches::share(counts);
        table.row([
            (*generation).into(),
            (*rank).into(),
            share.into(),
            share_reach.into(),
            (*elo).into(),
            (*reach).into(),
        ]);
        points.push((*generation as f64, share, share_reach));
    }
    let mut agents = Table::new("agents", "The agents.", &[("generation", 0), ("agent", 0)]);
    for (generation, agent) in &champions {
        agents.row([(*generation).into(), agent.as_str().into()]);
    }
    let of = FIELD.len() + 1;
    let mut comparisons = vec![Comparison::new(
        "rank of the best, last generation",
        Figure::words("3rd after 3000 generations, of the course"),
        Figure::words(all.last().map_or(String::new(), |last| {
            format!("{} of {of} after {} generations", last.rank, last.generation)
        })),
    )];
    for Rated { generation, counts, .. } in &all {
        let what = format!("generation {generation}: per cent of the points against the field");
        comparisons.push(Comparison::ours(what, Figure::score(counts)));
    }
    let (first, last) = (all.first(), all.last());
    let share = |rated: Option<&Rated>| rated.map_or(0.0, |rated| 100.0 * rated.counts.score());
    let rank = |rated: Option<&Rated>| rated.map_or(0, |rated| rated.rank);
    let svg = series(
        "The best of each generation against a field",
        ["generation", "per cent of the points"],
        &[Series::line("ours", points)],
    );
    Findings {
        question: format!(
            "Report 003's algorithm with {} individuals, everybody against everybody, tunes the \
             weights of its agent from random ones; the best of some generations meet {} agents.",
            bench.count("population"),
            FIELD.len()
        ),
        comparisons,
        meaning: [
            format!(
                "From generation {} to {} the best rises from rank {} to {} of {of}, and from \
                 {:.0} to {:.0} % of the points.",
                first.map_or(0, |rated| rated.generation),
                last.map_or(0, |rated| rated.generation),
                rank(first),
                rank(last),
                share(first),
                share(last)
            ),
            "The report saw the same on a larger scale: top 30 of the course after 80 generations, \
             top 10 after 200 and third after 3000, most of the way being made early."
                .to_owned(),
        ],
        notes: vec![
            "The report's field is its course's platform, which is gone; ours is eight agents that \
             look as far ahead. Its population is 60, on 40 cores."
                .to_owned(),
        ],
        tables: vec![table, agents],
        pictures: vec![Picture::new(
            "generations",
            "Per cent of the points of the best against the field, 95 % intervals as a band.",
            svg,
        )],
        ..Findings::default()
    }
}
