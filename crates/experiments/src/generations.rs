//! How a genetic algorithm climbs (report 003, III): the rank of its best, by generation.
//!
//! Report 003's algorithm tunes report 003's agent, by the code of `isrever tune`: a
//! game from the start against everybody else, fitness by games won, and of a
//! generation the individual that has lived longest. Those of some generations
//! play a field of other agents and get ratings among them. The whole search is
//! repeated with other seeds, to see how much of a curve is luck; the first one goes
//! on to the report's 3,000 generations.

use super::matches::Tournament;
use super::{Context, Experiment, Part};
use isrever_agent::{AgentSpec, Catalogue, Key};
use isrever_arena::{Counts, Format, Mean, Ratings};
use isrever_lab::Crew;
use isrever_lab::experiment::{Comparison, Figure, Findings, Picture, Setting, Table};
use isrever_lab::plot::{Series, series_along_tens};
use isrever_lab::tune::{Generation, Spec, Tuning, Watch};
use isrever_reports::{Genetic, catalogue};
use std::sync::Arc;

pub(super) const EXPERIMENT: Experiment = Experiment {
    slug: "generations",
    title: "Generations against rank",
    source: "Report 003, III",
    about: "report 003's genetic algorithm: who lives longest in each generation, among a field of agents",
    duration: "1 h",
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
        Setting::count("searches", "whole searches, each with a seed of its own", 1..=100, [5, 2]),
        Setting::count("population", "individuals of a generation", 4..=200, [60, 4]),
        Setting::counts(
            "generations",
            "generations whose longest survivors are rated",
            0..=10_000,
            [&[0, 1, 2, 5, 10, 20, 40, 80, 200], &[0, 1]],
        ),
        Setting::counts(
            "further",
            "generations beyond, of the first search alone",
            0..=100_000,
            [&[500, 1_000, 2_000, 3_000], &[2, 3]],
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

/// A generation whose longest survivor is rated.
struct Rated {
    generation: u64,
    /// The generations that the survivor has lived through.
    age: u32,
    rank: u64,
    elo: f64,
    reach: f64,
    counts: Counts,
}

/// What a search found.
struct Found {
    /// The longest survivor of each generation asked for, as a spec, and how long it has lived.
    survivors: Vec<(u64, u32, AgentSpec)>,
    /// Of every generation the individuals' games won, drawn and lost, and ages, the fittest first.
    log: Vec<[Vec<u32>; 4]>,
}

/// A search with a seed of its own.
fn search(context: &Context<'_>, catalogue: Arc<Catalogue>, search: u64) -> Found {
    let mut wanted = context.counts("generations");
    let common = wanted.last().copied().unwrap_or(0);
    if search == 0 {
        wanted.extend(context.counts("further").into_iter().filter(|&number| number > common));
    }
    let last = wanted.last().copied().unwrap_or(0);
    // The algorithm does not tune how periods change and when the final search begins.
    let fixed = ["period", "sigmoid", "final"];
    // From 54 discs on the report's agent searches to the end: a proof says who wins.
    let ending = Some(10);
    let tuned = Genetic::table().iter().map(|parameter| parameter.name.to_owned());
    let spec = Spec {
        agent: Some("genetic".to_owned()),
        parameters: Some(tuned.filter(|name| !fixed.contains(&name.as_str())).collect()),
        algorithm: Some("binary".to_owned()),
        population: Some(context.count("population") as usize),
        start: Some("random".to_owned()),
        generations: Some(last as u32 + 1),
        patience: Some(0),
        objective: Some("wins".to_owned()),
        openings: Some("start".to_owned()),
        depth: Some(context.count("depth") as u32),
        ending,
        seed: Some(context.seed() + search),
        ..Spec::default()
    };
    let plan = spec.settle(&catalogue).expect("the settings allow only what a tuning allows");
    let crew = Crew::Here(context.threads);
    let tuning = Tuning::new(&plan, catalogue, crew, Vec::new());
    let mut tuning = tuning.expect("nothing is no wrong log");
    let stop = Arc::default();
    let watch = Watch { done: &|| {}, stop: &stop };
    context.progress.expect(last + 1);
    let (mut survivors, mut log) = (Vec::new(), Vec::new());
    for number in 0..=last {
        let generation = tuning.step(&watch).expect("nobody stops it");
        log.push(logged(generation));
        if wanted.contains(&number) {
            let age = generation.ages.iter().copied().max().unwrap_or(1);
            survivors.push((number, age, plan.space.spec(generation.survivor())));
        }
        context.progress.advance(1);
    }
    Found { survivors, log }
}

/// A generation's games won, drawn and lost, and ages, the fittest first.
fn logged(generation: &Generation) -> [Vec<u32>; 4] {
    let ranked = generation.ranked();
    let column = |value: &dyn Fn(usize) -> u32| ranked.iter().map(|&place| value(place)).collect();
    let results = |which: usize| column(&|place| generation.results[place][which]);
    // Results are kept as won, lost and drawn.
    [results(0), results(2), results(1), column(&|place| generation.ages[place])]
}

/// The field, and its results within itself.
struct Field {
    agents: [AgentSpec; FIELD.len()],
    table: Vec<Vec<Counts>>,
}

impl Field {
    fn new(context: &Context<'_>) -> Field {
        let agents = FIELD.map(|agent| with_depth(context, &AgentSpec::new(agent)));
        let players = agents.iter().map(|agent| (agent.as_str(), agent.as_str())).collect();
        let table = tournament(context, players, Format::RoundRobin).play(context, |_, _| {});
        Field { agents, table }
    }

    /// An agent among the field.
    fn rate(&self, context: &Context<'_>, generation: u64, age: u32, agent: &AgentSpec) -> Rated {
        let agent = with_depth(context, agent);
        let field = self.agents.iter().map(|agent| (agent.as_str(), agent.as_str()));
        let players = [("the survivor", agent.as_str())].into_iter().chain(field).collect();
        let gauntlet = tournament(context, players, Format::Gauntlet);
        let mut table = gauntlet.play(context, |_, _| {});
        for (one, row) in self.table.iter().enumerate() {
            table[one + 1][1..].copy_from_slice(row);
        }
        let ratings = Ratings::of(&table);
        let own = ratings.all()[0];
        let better = ratings.all().iter().filter(|rating| rating.elo > own.elo).count();
        Rated {
            generation,
            age,
            rank: better as u64 + 1,
            elo: own.elo,
            reach: (own.high - own.elo).max(own.elo - own.low),
            counts: table[0].iter().copied().sum(),
        }
    }
}

fn tournament<'a>(
    context: &Context<'_>,
    players: Vec<(&'a str, &'a str)>,
    format: Format,
) -> Tournament<'a> {
    Tournament {
        catalogue: Arc::new(catalogue()),
        players,
        format,
        pairs: context.count("pairs"),
        opening: context.count("opening") as u32,
        nodes: u64::MAX,
    }
}

/// The agent with everybody's depth; random and greedy players look no further anyway.
fn with_depth(context: &Context<'_>, agent: &AgentSpec) -> AgentSpec {
    match catalogue().entry(agent.name()) {
        Some(entry) if entry.keys().contains(&Key::DEPTH) => {
            agent.with("depth", context.count("depth"))
        }
        _ => agent.clone(),
    }
}

/// What the searches that got there have at `place` of the generations.
fn at(searches: &[Vec<Rated>], place: usize) -> impl Iterator<Item = &Rated> + Clone {
    searches.iter().filter_map(move |search| search.get(place))
}

/// All searches as one: their games added up, their ranks and ratings averaged.
fn joined(searches: &[Vec<Rated>]) -> Vec<Rated> {
    (0..searches[0].len())
        .map(|place| {
            let own = || at(searches, place);
            let count = own().count() as f64;
            let mean = |value: fn(&Rated) -> f64| own().map(value).sum::<f64>() / count;
            #[expect(clippy::cast_sign_loss, reason = "ranks and ages are counted from one")]
            let rounded = |mean: f64| mean.round() as u64;
            Rated {
                generation: searches[0][place].generation,
                age: rounded(mean(|rated| f64::from(rated.age))) as u32,
                rank: rounded(mean(|rated| rated.rank as f64)),
                elo: mean(|rated| rated.elo),
                reach: mean(|rated| rated.reach),
                counts: own().map(|rated| rated.counts).sum(),
            }
        })
        .collect()
}

/// The mean share of the points over searches, in per cent; its error is by how searches scatter.
fn spread(searches: &[Vec<Rated>], place: usize) -> Mean {
    let shares = at(searches, place).map(|rated| 100.0 * rated.counts.score());
    Mean::of(&shares.collect::<Vec<f64>>())
}

/// How much higher the share of the points is in the last generation that all searches have than in
/// the first, and that generation.
fn rise(searches: &[Vec<Rated>]) -> (Mean, u64) {
    let last = searches.iter().map(Vec::len).min().unwrap_or(1) - 1;
    let share = |rated: &Rated| 100.0 * rated.counts.score();
    let rises = searches.iter().map(|search| share(&search[last]) - share(&search[0]));
    (Mean::of(&rises.collect::<Vec<f64>>()), searches[0][last].generation)
}

/// The conclusion, for ratings that rise and for ratings that do not.
fn meaning(searches: &[Vec<Rated>]) -> [String; 2] {
    let all = joined(searches);
    let of = FIELD.len() + 1;
    let share = |rated: &Rated| 100.0 * rated.counts.score();
    let told = |rated: &Rated| {
        format!("{:.0} % of the points and rank {} of {of}", share(rated), rated.rank)
    };
    let ends = all.first().zip(all.last()).expect("a list of settings has two numbers");
    let most =
        all.iter().fold(ends.0, |most, one| if share(one) > share(most) { one } else { most });
    let first = format!(
        "The longest survivor of generation {} makes {}, that of generation {} {}; the most is \
         {:.0} %, in generation {}.",
        ends.0.generation,
        told(ends.0),
        ends.1.generation,
        told(ends.1),
        share(most),
        most.generation
    );
    let (by, generation) = rise(searches);
    let reach = by.reach_of_few();
    let report = "top 30 of its course after 80 generations, top 10 after 200 and third after 3000";
    let told = match reach.is_finite() {
        true => format!("{:+.1} ± {reach:.1} %", by.mean).replace('-', "−"),
        false => "a single search".to_owned(),
    };
    let second = match by.mean > reach {
        true => format!(
            "From generation {} to {generation} that is a rise beyond what searches scatter by \
             ({told}), as the report saw one: {report}.",
            ends.0.generation
        ),
        false => format!(
            "From generation {} to {generation} that is no rise beyond what searches scatter by \
             ({told}); the report saw one: {report}.",
            ends.0.generation
        ),
    };
    [first, second]
}

fn run(context: &Context<'_>) -> Findings {
    let field = Field::new(context);
    let found: Vec<Found> = (0..context.count("searches"))
        .map(|number| search(context, Arc::new(catalogue()), number))
        .collect();
    let rate = |(generation, age, agent): &(u64, u32, AgentSpec)| {
        field.rate(context, *generation, *age, agent)
    };
    let searches: Vec<Vec<Rated>> =
        found.iter().map(|search| search.survivors.iter().map(rate).collect()).collect();
    let all = joined(&searches);
    let of = FIELD.len() + 1;
    let mut comparisons = Vec::new();
    for (place, Rated { generation, .. }) in all.iter().enumerate() {
        let report = REPORT.iter().find(|(number, _)| number == generation);
        if let Some((_, report)) = report {
            let ranks: Vec<String> =
                at(&searches, place).map(|rated| rated.rank.to_string()).collect();
            let what = format!("rank of the longest survivor of generation {generation}");
            let ours = Figure::words(format!("{} of {of}", ranks.join(", ")));
            comparisons.push(Comparison::new(what, Figure::words(*report), ours));
        }
    }
    for (place, Rated { generation, counts, .. }) in all.iter().enumerate() {
        let what = format!("generation {generation}: per cent of the points against the field");
        let figure = match at(&searches, place).count() {
            1 => Figure::score(counts),
            _ => {
                let mean = spread(&searches, place);
                Figure::with_reach(mean.mean, mean.reach_of_few(), 1)
            }
        };
        comparisons.push(Comparison::ours(what, figure));
    }
    Findings {
        question: format!(
            "Report 003's algorithm with {} individuals, a game from the start against everybody \
             else, tunes the weights of its agent from random ones, in {} searches of their own; \
             the longest survivors of some generations meet {} agents.",
            context.count("population"),
            searches.len(),
            FIELD.len()
        ),
        comparisons,
        meaning: meaning(&searches),
        notes: notes(&searches),
        tables: tables(&searches, &found),
        pictures: vec![picture(&searches)],
        ..Findings::default()
    }
}

fn notes(searches: &[Vec<Rated>]) -> Vec<String> {
    let last = searches.iter().map(Vec::len).min().unwrap_or(0) - 1;
    let generation = searches[0][last].generation;
    let shares = at(searches, last).map(|rated| 100.0 * rated.counts.score());
    let (least, most) = shares.fold((f64::INFINITY, f64::NEG_INFINITY), |(least, most), share| {
        (least.min(share), most.max(share))
    });
    let mut notes = vec![
        "The report's field is its course's platform, which is gone; ours is eight agents that \
         look as far ahead. Its population is 60, on 40 cores; beyond the last generation that all \
         searches have, the figures are those of the first search alone."
            .to_owned(),
        "The report selects by games won (algorithms 15 to 17) and takes “the highest winning \
         ratio or longest survival generation individual”: here it is the longest survivor, \
         among equals who won most."
            .to_owned(),
        "Not the report's: its agents search to the end from 54 discs on, ours are spared that, \
         because a proof says who wins; and the length of the agent's periods and the discs from \
         which it searches to the end are not tuned, for the report's algorithm does not name them."
            .to_owned(),
    ];
    if searches.len() > 1 {
        notes.push(format!(
            "Between {} searches that differ in their seed alone, the survivor of generation \
             {generation} makes from {least:.0} to {most:.0} % of the points: a single search says \
             no more than that. Intervals are by how searches scatter, where there are several.",
            searches.len()
        ));
    }
    notes
}

fn tables(searches: &[Vec<Rated>], found: &[Found]) -> Vec<Table> {
    let mut table = Table::new(
        "generations",
        "The longest survivor of a generation among the field, 95 % intervals.",
        &[
            ("search", 0),
            ("generation", 0),
            ("age", 0),
            ("rank", 0),
            ("points_percent", 1),
            ("reach", 1),
            ("elo", 0),
            ("elo_reach", 0),
        ],
    );
    for (search, number) in searches.iter().zip(1_u64..) {
        for Rated { generation, age, rank, elo, reach, counts } in search {
            let (share, share_reach) = super::matches::share(counts);
            table.row([
                number.into(),
                (*generation).into(),
                u64::from(*age).into(),
                (*rank).into(),
                share.into(),
                share_reach.into(),
                (*elo).into(),
                (*reach).into(),
            ]);
        }
    }
    let columns = [("search", 0), ("generation", 0), ("agent", 0)];
    let mut agents = Table::new("agents", "The agents.", &columns);
    for (search, number) in found.iter().zip(1_u64..) {
        for (generation, _, agent) in &search.survivors {
            agents.row([number.into(), (*generation).into(), agent.as_str().into()]);
        }
    }
    let columns = [("generation", 0), ("wins", 0), ("draws", 0), ("losses", 0), ("ages", 0)];
    let what = "Of every generation of the first search: games won, drawn and lost, and ages in \
                generations, of all individuals from the fittest down.";
    let mut log = Table::new("log", what, &columns);
    for (number, columns) in (0_u64..).zip(&found[0].log) {
        let [wins, draws, losses, ages] = columns.each_ref().map(|column| {
            let numbers: Vec<String> = column.iter().map(u32::to_string).collect();
            numbers.join(" ")
        });
        log.row([
            number.into(),
            wins.as_str().into(),
            draws.as_str().into(),
            losses.as_str().into(),
            ages.as_str().into(),
        ]);
    }
    vec![table, agents, log]
}

/// A line for each search.
fn picture(searches: &[Vec<Rated>]) -> Picture {
    let line = |(search, number): (&Vec<Rated>, u32)| {
        let point = |rated: &Rated| {
            let (share, reach) = super::matches::share(&rated.counts);
            (rated.generation as f64, share, reach)
        };
        Series::line(&format!("search {number}"), search.iter().map(point).collect())
    };
    let lines: Vec<Series> = searches.iter().zip(1..).map(line).collect();
    let svg = series_along_tens(
        "The longest survivors against a field",
        ["generation", "per cent of the points"],
        &lines,
    );
    let caption = "Per cent of the points of the longest survivor against the field, a line for \
                   each search from generation 1, 95 % intervals as a band.";
    Picture::new("generations", caption, svg)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rated(generation: u64, rank: u64, wins: u64) -> Rated {
        let pairs = [200 - wins, 0, 0, 0, wins];
        let counts = Counts { wins: 2 * wins, draws: 0, losses: 400 - 2 * wins, pairs, discs: 0 };
        Rated { generation, age: 1, rank, elo: 0.0, reach: 0.0, counts }
    }

    #[test]
    fn searches_are_joined_and_their_spread_is_told() {
        let searches =
            [vec![rated(0, 6, 80), rated(40, 3, 150)], vec![rated(0, 8, 40), rated(40, 4, 100)]];
        let all = joined(&searches);
        assert_eq!((all[0].rank, all[1].rank, all[1].counts.games()), (7, 4, 800));
        assert_eq!((spread(&searches, 1).mean, spread(&searches, 1).count), (62.5, 2));
        assert!(notes(&searches)[3].contains("from 50 to 75 % of the points"));
        // The first search goes on alone.
        let [mut first, second] = searches;
        first.push(rated(99, 2, 180));
        let searches = [first, second];
        let all = joined(&searches);
        assert_eq!((all[2].rank, all[2].counts.games(), spread(&searches, 2).count), (2, 400, 1));
        assert!(notes(&searches)[3].contains("generation 40 makes from 50 to 75 %"));
        assert_eq!(notes(&searches[..1]).len(), 3);
    }

    #[test]
    fn a_rise_is_told_only_where_there_is_one() {
        let told = |searches: [[u64; 3]; 2]| {
            let search = |[one, two, three]: [u64; 3]| {
                vec![rated(0, 6, one), rated(40, 3, two), rated(80, 4, three)]
            };
            meaning(&searches.map(search))
        };
        let [first, second] = told([[80, 150, 130], [80, 150, 128]]);
        assert_eq!(
            first,
            "The longest survivor of generation 0 makes 40 % of the points and rank 6 of 9, that of \
             generation 80 64 % of the points and rank 4 of 9; the most is 75 %, in generation 40."
        );
        let rises = "From generation 0 to 80 that is a rise beyond what searches scatter by \
                     (+24.5 ± 6.4 %), as";
        assert!(second.starts_with(rises), "{second}");
        // The same on average, but the searches differ; and a single search says nothing.
        let [_, second] = told([[80, 150, 190], [80, 150, 68]]);
        assert!(second.contains("no rise beyond what searches scatter by (+24.5 ± "), "{second}");
        let [_, second] = meaning(&[vec![rated(0, 6, 80), rated(80, 6, 150)]]);
        assert!(second.contains("no rise beyond what searches scatter by (a single"), "{second}");
    }
}
