//! How a genetic algorithm climbs (report 003, III): the rank of its best, by generation.
//!
//! Report 003's algorithm tunes report 003's agent, by the code of `isrever tune`.
//! The best individuals of some generations then play a field of other agents and
//! get ratings among them.

use super::matches::Tournament;
use super::{Context, Experiment, Part};
use isrever_agent::{AgentSpec, Catalogue, Key};
use isrever_arena::{Counts, Format, Ratings};
use isrever_lab::Crew;
use isrever_lab::experiment::{Comparison, Figure, Findings, Picture, Setting, Table};
use isrever_lab::plot::{Series, series};
use isrever_lab::tune::{Spec, Tuning, Watch};
use isrever_reports::{Genetic, catalogue};
use std::sync::Arc;

pub(super) const EXPERIMENT: Experiment = Experiment {
    slug: "generations",
    title: "Generations against rank",
    source: "Report 003, III",
    about: "report 003's genetic algorithm: the best of each generation among a field of agents",
    duration: "2 min",
    is_cheap: false,
    rests_on: &[
        Part::Games,
        Part::Tuning,
        Part::Agents(&["combination", "depth3", "fourstage", "genetic", "greedy", "threestage"]),
    ],
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
            [&[0, 1, 2, 5, 10, 20, 40, 80, 200], &[0, 1]],
        ),
        Setting::count("depth", "plies that everybody looks ahead", 1..=4, [1, 1]),
        Setting::count("pairs", "pairs of games of each two in the field", 2..=100_000, [40, 2]),
        Setting::count("opening", "random moves at the beginning", 1..=20, [6, 6]),
    ]
}

/// The field that the best are rated among, each agent with the same depth.
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

/// The report's ranks by generation, on its course's platform.
const REPORT: [(u64, &str); 3] = [(80, "top 30 of the course"), (200, "top 10"), (3_000, "third")];

/// A generation whose best is rated.
struct Rated {
    generation: u64,
    rank: u64,
    elo: f64,
    reach: f64,
    counts: Counts,
}

/// The best of each generation asked for, as a spec.
fn champions(context: &Context<'_>, catalogue: Arc<Catalogue>) -> Vec<(u64, AgentSpec)> {
    let wanted = context.counts("generations");
    let last = wanted.last().copied().unwrap_or(0);
    // The algorithm does not tune when the periods change and when the final search begins.
    let tuned = Genetic::table().iter().map(|parameter| parameter.name.to_owned());
    let spec = Spec {
        agent: Some("genetic:final=6".to_owned()),
        parameters: Some(tuned.filter(|name| name != "period" && name != "final").collect()),
        algorithm: Some("binary".to_owned()),
        population: Some(context.count("population") as usize),
        start: Some("random".to_owned()),
        generations: Some(last as u32 + 1),
        patience: Some(0),
        objective: Some("round-robin".to_owned()),
        games: Some(1),
        openings: Some(format!("random:{}", context.count("opening"))),
        depth: Some(context.count("depth") as u32),
        seed: Some(context.seed()),
        ..Spec::default()
    };
    let plan = spec.settle(&catalogue).expect("the settings allow only what a tuning allows");
    let crew = Crew::Here(context.threads);
    let tuning = Tuning::new(&plan, catalogue, crew, Vec::new());
    let mut tuning = tuning.expect("nothing is no wrong log");
    let stop = Arc::default();
    let watch = Watch { done: &|| {}, stop: &stop };
    context.progress.expect(last + 1);
    let mut champions = Vec::new();
    for number in 0..=last {
        let generation = tuning.step(&watch).expect("nobody stops it");
        if wanted.contains(&number) {
            champions.push((number, plan.space.spec(generation.champion())));
        }
        context.progress.advance(1);
    }
    champions
}

/// The results within the field, and those of the champions against the field.
fn rated(context: &Context<'_>, champions: &[(u64, AgentSpec)]) -> Vec<Rated> {
    let depth = context.count("depth");
    let all = catalogue();
    // Random and greedy players look no further.
    let with_depth = |agent: &AgentSpec| match all.entry(agent.name()) {
        Some(entry) if entry.keys().contains(&Key::DEPTH) => agent.with("depth", depth),
        _ => agent.clone(),
    };
    let field = FIELD.map(|agent| with_depth(&AgentSpec::new(agent)));
    let robin = Tournament {
        catalogue: Arc::new(catalogue()),
        players: field.iter().map(|agent| (agent.as_str(), agent.as_str())).collect(),
        format: Format::RoundRobin,
        pairs: context.count("pairs"),
        opening: context.count("opening") as u32,
        nodes: u64::MAX,
    };
    let known = robin.play(context, |_, _| {});
    let mut all = Vec::new();
    for (generation, champion) in champions {
        let champion = with_depth(champion);
        let entered = [("the best", champion.as_str())].into_iter().chain(robin.players.clone());
        let gauntlet =
            Tournament { players: entered.collect(), format: Format::Gauntlet, ..robin.clone() };
        let mut table = gauntlet.play(context, |_, _| {});
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

/// The conclusion, for ratings that rise and for ratings that do not.
fn meaning(all: &[Rated]) -> [String; 2] {
    let of = FIELD.len() + 1;
    let share = |rated: &Rated| 100.0 * rated.counts.score();
    let told = |rated: &Rated| {
        format!("{:.0} % of the points and rank {} of {of}", share(rated), rated.rank)
    };
    let ends = all.first().zip(all.last()).expect("a list of settings has two numbers");
    let most =
        all.iter().fold(ends.0, |most, one| if share(one) > share(most) { one } else { most });
    let first = format!(
        "The best of generation {} makes {}, that of generation {} {}; the most is {:.0} %, in \
         generation {}.",
        ends.0.generation,
        told(ends.0),
        ends.1.generation,
        told(ends.1),
        share(most),
        most.generation
    );
    let [before, after] = [ends.0, ends.1].map(|rated| super::matches::share(&rated.counts));
    let report = "top 30 of its course after 80 generations, top 10 after 200 and third after 3000";
    let second = match after.0 - before.0 > before.1.hypot(after.1) {
        true => format!("That is a rise beyond noise, as the report saw one: {report}."),
        false => format!("That is no rise beyond noise; the report saw one: {report}."),
    };
    [first, second]
}

fn run(context: &Context<'_>) -> Findings {
    let champions = champions(context, Arc::new(catalogue()));
    let all = rated(context, &champions);
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
    let mut comparisons = Vec::new();
    for Rated { generation, rank, .. } in &all {
        let report = REPORT.iter().find(|(number, _)| number == generation);
        if let Some((_, report)) = report {
            let what = format!("rank of the best of generation {generation}");
            let ours = Figure::words(format!("{rank} of {of}"));
            comparisons.push(Comparison::new(what, Figure::words(*report), ours));
        }
    }
    for Rated { generation, counts, .. } in &all {
        let what = format!("generation {generation}: per cent of the points against the field");
        comparisons.push(Comparison::ours(what, Figure::score(counts)));
    }
    let svg = series(
        "The best of each generation against a field",
        ["generation", "per cent of the points"],
        &[Series::line("ours", points)],
    );
    Findings {
        question: format!(
            "Report 003's algorithm with {} individuals, everybody against everybody, tunes the \
             weights of its agent from random ones; the best of some generations meet {} agents.",
            context.count("population"),
            FIELD.len()
        ),
        comparisons,
        meaning: meaning(&all),
        notes: vec![
            "The report's field is its course's platform, which is gone; ours is eight agents that \
             look as far ahead. Its population is 60, on 40 cores, and its best of 3000 \
             generations was third."
                .to_owned(),
            "The best of a generation is who has most points in one game against each of the \
             others: luck is chosen with it, so that a later one may be weaker than an earlier one."
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

#[cfg(test)]
mod tests {
    use super::*;

    fn rated(generation: u64, rank: u64, wins: u64) -> Rated {
        let pairs = [200 - wins, 0, 0, 0, wins];
        let counts = Counts { wins: 2 * wins, draws: 0, losses: 400 - 2 * wins, pairs, discs: 0 };
        Rated { generation, rank, elo: 0.0, reach: 0.0, counts }
    }

    #[test]
    fn a_rise_is_told_only_where_there_is_one() {
        let [first, second] = meaning(&[rated(0, 6, 80), rated(40, 3, 150), rated(80, 4, 130)]);
        assert_eq!(
            first,
            "The best of generation 0 makes 40 % of the points and rank 6 of 9, that of generation \
             80 65 % of the points and rank 4 of 9; the most is 75 %, in generation 40."
        );
        assert!(second.starts_with("That is a rise beyond noise"), "{second}");
        let [_, second] = meaning(&[rated(0, 6, 80), rated(80, 6, 82)]);
        assert!(second.starts_with("That is no rise beyond noise"), "{second}");
    }
}
