//! Search strategies with one evaluation (report 000, 4.3).

use super::matches::{Tournament, cross, picture, scores, totals};
use super::searcher::{Search, Searcher};
use super::{Context, Experiment, Part, grouped};
use isrever_agent::{Catalogue, Entry, Parameters};
use isrever_arena::{Format, Pairing, Played, Ratings};
use isrever_board::{Color, Position, Rule, Size};
use isrever_lab::experiment::{Comparison, Figure, Findings, Setting, Table};
use isrever_reports::{Combination, WeightMap, catalogue};
use std::sync::Arc;

pub(super) const EXPERIMENT: Experiment = Experiment {
    slug: "strategies",
    title: "Search strategies with one evaluation",
    source: "Report 000, 4.3",
    about: "greedy, fixed depth, deepening, ordering, a table, playouts; one evaluation, equal nodes",
    duration: "30 s",
    is_cheap: false,
    rests_on: &[Part::Games, Part::Agents(&["combination", "greedy", "maximax"])],
    settings,
    run,
};

fn settings() -> Vec<Setting> {
    vec![
        Setting::count("pairs", "pairs of games for each two", 2..=100_000, [100, 2]),
        Setting::count(
            "nodes",
            "boards a search may look at for one move",
            100..=10_000_000,
            [2_000, 200],
        ),
        Setting::count(
            "playouts",
            "random games of the tree search for one move",
            10..=1_000_000,
            [100, 10],
        ),
        Setting::count("opening", "random moves at the beginning", 0..=20, [6, 6]),
    ]
}

const RULE: Rule = Rule::Reversed;
const SIZE: Size = Size::EIGHT;

const NAMES: [&str; 9] = [
    "one ply",
    "two plies",
    "three plies",
    "deepening",
    "deepening, ordered",
    "maximax with a table",
    "maximax, all of its boards",
    "greedy with a perfect ending",
    "playouts, no evaluation",
];

fn evaluation() -> Combination {
    Combination::new(&Parameters::new(Combination::table()), SIZE, RULE)
}

fn players() -> Catalogue {
    let mut all = catalogue();
    // Squares that cost least come first.
    let costs = Parameters::new(Combination::table()).squares("");
    let order = WeightMap::new(&costs.map(|cost| -cost), SIZE);
    let searches = [
        Search::Plies(1),
        Search::Plies(2),
        Search::Plies(3),
        Search::Deepening,
        Search::Ordered(order),
    ];
    for (name, search) in NAMES.into_iter().zip(searches) {
        all.add(Entry::new(name, "alpha-beta", move |_, _| {
            Ok(Box::new(Searcher::new(name, evaluation(), search.clone())))
        }));
    }
    all
}

fn run(context: &Context<'_>) -> Findings {
    let (nodes, playouts) = (context.count("nodes"), context.count("playouts"));
    let mcts = format!("mcts:playouts={playouts}");
    let mut entered: Vec<(&str, &str)> = NAMES[..5].iter().map(|&name| (name, name)).collect();
    entered.push((NAMES[5], "maximax"));
    entered.push((NAMES[6], "maximax:rest=2"));
    entered.push((NAMES[7], "greedy-invincible:by=combination,ending=10"));
    entered.push((NAMES[8], &mcts));
    let tournament = Tournament {
        catalogue: Arc::new(players()),
        players: entered,
        format: Format::RoundRobin,
        pairs: context.count("pairs"),
        opening: context.count("opening") as u32,
        nodes,
    };
    let mut boards = [(0_u64, 0_u64); NAMES.len()];
    let table = tournament.play(context, |pairing: &Pairing, played: &Played| {
        for (color, stats) in colors(played).zip(&played.stats) {
            if let Some(nodes) = stats.nodes {
                let player = pairing.players[usize::from(color == Color::White)];
                boards[player].0 += nodes;
                boards[player].1 += 1;
            }
        }
    });
    let used = boards.map(|(boards, moves)| boards as f64 / moves.max(1) as f64);
    let all = totals(&table);
    let ratings = Ratings::of(&table);
    let mut rated = Table::new(
        "ratings",
        "Ratings on the scale of Elo, 0 the mean, with 95 % intervals.",
        &[("player", 0), ("elo", 0), ("low", 0), ("high", 0), ("boards_a_move", 0)],
    );
    for ((name, rating), boards) in NAMES.iter().zip(ratings.all()).zip(used) {
        let figures = [rating.elo, rating.low, rating.high, boards].map(Into::into);
        rated.row([(*name).into()].into_iter().chain(figures));
    }
    let share = |player: usize| 100.0 * all[player].score();
    let best = (0..NAMES.len()).fold(0, |best, at| if share(at) > share(best) { at } else { best });
    Findings {
        question: format!(
            "Report 000's evaluation under different searches, {nodes} boards a move at most; \
             every two play {} openings from both sides.",
            context.count("pairs")
        ),
        comparisons: NAMES
            .iter()
            .zip(&all)
            .map(|(name, counts)| {
                let what = format!("{name}: per cent of the points");
                Comparison::ours(what, Figure::score(counts))
            })
            .collect(),
        meaning: [
            format!(
                "{} makes most points, {:.0} %; one, two and three plies make {:.0}, {:.0} and \
                 {:.0} %.",
                capital(NAMES[best]),
                share(best),
                share(0),
                share(1),
                share(2)
            ),
            format!(
                "With the same evaluation and boards, deepening makes {:.0} %, in an order of \
                 squares {:.0} %, with the report's table and its rule, which uses {:.0} of {} \
                 boards, {:.0} %, and with its table and all boards {:.0} %: {}.",
                share(3),
                share(4),
                used[5],
                grouped(nodes),
                share(5),
                share(6),
                match table[4][6].superiority() {
                    sure if sure > 0.975 => "with as many boards a plain order beats its table",
                    sure if sure < 0.025 => "with as many boards its table beats a plain order",
                    _ => "these games do not tell its table from a plain order",
                }
            ),
        ],
        notes: vec![
            "The report names this experiment and has no figures for it.".to_owned(),
            format!(
                "The tree search plays {playouts} random games a move and does not ask the \
                 evaluation; it is here because the report names it as the next thing to try."
            ),
            "The perfect ending is of ten squares, as far as the boards of a move allow."
                .to_owned(),
            "Boards a move are those that were looked at on average: a fixed depth needs no more, \
             and the report's rule ends early (see [unused-time](../unused-time/page.md)); for the \
             tree search they are games."
                .to_owned(),
        ],
        tables: vec![
            rated,
            scores("scores", "All games of each strategy.", &NAMES, &all),
            cross(&NAMES, &table),
        ],
        pictures: vec![picture("scores", "Strategies against all others", &NAMES, &all)],
        ..Findings::default()
    }
}

/// The colours of a game's moves.
fn colors(played: &Played) -> impl Iterator<Item = Color> + use<> {
    let turns: Vec<Color> = played.game.positions().iter().map(Position::turn).collect();
    turns.into_iter()
}

fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or(String::new(), |first| first.to_uppercase().chain(letters).collect())
}
