//! A round robin of single heuristics (report 002, table III).

use super::matches::{Tournament, cross, picture, scores, totals};
use super::searcher::{Search, Searcher};
use super::{Context, Experiment, Part};
use isrever_agent::{Catalogue, Entry, Field, Parameters};
use isrever_arena::{Counts, Format};
use isrever_board::{Rule, Size};
use isrever_lab::experiment::{Comparison, Figure, Findings, Setting, Table, Verdict};
use isrever_reports::{Evaluation, Features, FourStage, WeightMap, catalogue};
use std::sync::Arc;

pub(super) const EXPERIMENT: Experiment = Experiment {
    slug: "heuristics",
    title: "Single heuristics, each against each",
    source: "Report 002, table III",
    about: "round robin of mobility, stability, frontier and weights of squares alone",
    duration: "10 s",
    is_cheap: true,
    rests_on: &[Part::Games, Part::Agents(&["fourstage"])],
    settings,
    run,
};

fn settings() -> Vec<Setting> {
    vec![
        Setting::count("pairs", "pairs of games for each two", 2..=100_000, [500, 2]),
        Setting::count("depth", "plies of the search", 1..=8, [3, 1]),
        Setting::count("opening", "random moves at the beginning", 0..=20, [6, 6]),
    ]
}

/// The terms of an evaluation.
#[derive(Clone)]
enum Heuristic {
    Mobility,
    Stability,
    Frontier,
    Weights(WeightMap),
}

impl Evaluation for Heuristic {
    fn value(&self, field: &impl Features) -> f64 {
        match self {
            Heuristic::Mobility => field.margin(Field::mobility),
            // Under the reversed rule own stable discs are bad, own frontier discs good (III.C).
            // Report 002's stable discs are those joined to a corner.
            Heuristic::Stability => -field.margin(Features::joined),
            Heuristic::Frontier => field.margin(Features::frontier),
            Heuristic::Weights(map) => field.weight(map),
        }
    }
}

const NAMES: [&str; 5] = ["mobility", "stability", "frontier", "weights", "all four"];

/// The report's rates, and the order of the table's rows and columns.
const REPORT: [f64; 4] = [0.0, 66.7, 33.3, 100.0];

/// Table IV, of another work: per cent of games won, row against column, in the order of [`NAMES`].
const OTHER_WORK: [[f64; 5]; 5] = [
    [50.0, 46.0, 71.0, 31.0, 56.0],
    [54.0, 77.0, 66.0, 35.0, 56.0],
    [29.0, 34.0, 44.0, 19.0, 55.0],
    [69.0, 65.0, 81.0, 48.0, 82.0],
    [44.0, 44.0, 45.0, 18.0, 46.0],
];

/// The other work's table beside ours; what plays itself is half by definition here.
fn other_work(table: &[Vec<Counts>]) -> Table {
    let columns = [("row", 0), ("column", 0), ("other_work_percent", 0), ("ours_percent", 1)];
    let caption = "Table IV, another work's results as the report cites them, beside ours.";
    let mut all = Table::new("other-work", caption, &columns);
    for (row, name) in NAMES.iter().enumerate() {
        for (column, other) in NAMES.iter().enumerate() {
            let counts = &table[row][column];
            let ours = (counts.games() > 0).then(|| 100.0 * counts.score());
            let cells = [OTHER_WORK[row][column].into(), ours.into()];
            all.row([(*name).into(), (*other).into()].into_iter().chain(cells));
        }
    }
    all
}

/// The pairs of different players that table IV and ours order alike, and all such pairs.
fn alike(table: &[Vec<Counts>]) -> [usize; 2] {
    let pairs = (0..NAMES.len()).flat_map(|one| (one + 1..NAMES.len()).map(move |two| (one, two)));
    let is_alike = |&(one, two): &(usize, usize)| {
        (OTHER_WORK[one][two] > 50.0) == (table[one][two].score() > 0.5)
    };
    [pairs.clone().filter(is_alike).count(), pairs.count()]
}

fn players(depth: u32) -> Catalogue {
    let mut all = catalogue();
    let parameters = Parameters::new(FourStage::table());
    let map = WeightMap::new(&parameters.squares(""), Size::EIGHT);
    let single =
        [Heuristic::Mobility, Heuristic::Stability, Heuristic::Frontier, Heuristic::Weights(map)];
    for (name, heuristic) in NAMES.into_iter().zip(single) {
        all.add(Entry::new(name, "one heuristic", move |_, _| {
            Ok(Box::new(Searcher::new(name, heuristic.clone(), Search::Plies(depth))))
        }));
    }
    all.add(Entry::new(NAMES[4], "report 002's evaluation", move |_, _| {
        let evaluation = FourStage::evaluation(&parameters, Size::EIGHT, Rule::Reversed);
        Ok(Box::new(Searcher::new(NAMES[4], evaluation, Search::Plies(depth))))
    }));
    all
}

/// The percentage of opponents against which a player made more than half of the points.
fn beaten(row: &[Counts]) -> f64 {
    let beaten = row.iter().filter(|counts| counts.score() > 0.5).count();
    100.0 * beaten as f64 / (row.len() - 1) as f64
}

fn run(context: &Context<'_>) -> Findings {
    let depth = context.count("depth") as u32;
    let tournament = Tournament {
        catalogue: Arc::new(players(depth)),
        players: NAMES.map(|name| (name, name)).to_vec(),
        format: Format::RoundRobin,
        pairs: context.count("pairs"),
        opening: context.count("opening") as u32,
        nodes: u64::MAX,
    };
    let table = tournament.play(context, |_, _| {});
    // The report's table has no player with all four.
    let singles: Vec<Vec<Counts>> = table[..4].iter().map(|row| row[..4].to_vec()).collect();
    let mut comparisons = Vec::new();
    for (player, (name, report)) in NAMES.iter().zip(REPORT).enumerate() {
        let what = format!("{name}: per cent of the others beaten");
        comparisons.push(Comparison::counted(what, report, beaten(&singles[player]), 1));
    }
    let against = totals(&singles);
    for (name, counts) in NAMES.iter().zip(&against) {
        let what = format!("{name}: per cent of the points against the other three");
        comparisons.push(Comparison::ours(what, Figure::score(counts)));
    }
    let all = totals(&table);
    let mut order: Vec<usize> = (0..4).collect();
    order.sort_by(|&a, &b| against[b].score().total_cmp(&against[a].score()).then(a.cmp(&b)));
    let ranked: Vec<&str> = order.iter().map(|&player| NAMES[player]).collect();
    let all_four = table[4].iter().copied().sum::<Counts>();
    let alike = alike(&table);
    let agree = comparisons.iter().filter(|c| c.verdict == Verdict::Agrees).count();
    Findings {
        question: format!(
            "Four evaluations of a single term each, and report 002's own of all of them by stage, \
             search {depth} plies; every two play {} openings from both sides.",
            context.count("pairs")
        ),
        comparisons,
        meaning: [
            format!("By points the order is {}.", ranked.join(", ")),
            format!(
                "Who beats whom is as in the report, from one game each, for {agree} of four, and all \
                 terms together make {:.0} % of the points against the single ones.",
                100.0 * all_four.score()
            ),
        ],
        notes: vec![
            "The report played one game for each two, and does not say how deep; a result of one \
             game says little about a pairing near 50 %."
                .to_owned(),
            format!(
                "Table IV of the report has another work's results ([5] there, “An Analysis of \
                 Heuristics in Othello”): of {} pairs of different players it says of {} what ours \
                 says. Its diagonal is not 50 %, its “all” is the weakest, and it does not say \
                 which rule it played.",
                alike[1], alike[0]
            ),
            "Signs are those of the report for the reversed rule: own frontier discs are good, own \
             stable discs bad, weights of squares as in its table II."
                .to_owned(),
        ],
        tables: vec![
            cross(&NAMES, &table),
            other_work(&table),
            scores("scores", "All games of each player.", &NAMES, &all),
        ],
        pictures: vec![picture("scores", "Single heuristics against all others", &NAMES, &all)],
        ..Findings::default()
    }
}
