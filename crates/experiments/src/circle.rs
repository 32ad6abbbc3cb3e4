//! Beating is not transitive (report 000, 2.2.2): three agents in a circle, twice.
//!
//! First by the report's definition: one game with each colour from the start
//! position, between deterministic agents. Then by match results: three agents,
//! each of which beats the next over hundreds of openings by more than chance
//! explains. The array board replays every game.

use super::boards::replayed_score;
use super::matches::Tournament;
use super::{Context, Experiment, Part};
use isrever_arena::{Counts, Format, Pairing, Played, circles};
use isrever_board::Rule;
use isrever_lab::experiment::{Comparison, Figure, Findings, Picture, Setting, Table};
use isrever_lab::plot::forest;
use isrever_reports::catalogue;
use std::sync::Arc;

pub(super) const EXPERIMENT: Experiment = Experiment {
    slug: "circle",
    title: "Beating is not transitive",
    source: "Report 000, 2.2.2",
    about: "agents that beat each other in a circle: in two games from the start, and in hundreds",
    duration: "10 s",
    is_cheap: true,
    rests_on: &[
        Part::Games,
        Part::Agents(&["maximax", "depth3", "fourstage", "genetic", "threestage"]),
    ],
    settings,
    run,
};

fn settings() -> Vec<Setting> {
    vec![
        Setting::count("pairs", "pairs of games for each two in the circle", 2..=100_000, [600, 4]),
        Setting::count("depth", "plies of the agents that play from the start", 1..=5, [2, 1]),
        Setting::count("opening", "random moves at the beginning", 0..=20, [8, 8]),
    ]
}

/// A circle that an earlier tournament suggested, for this one to confirm.
const CIRCLE: [&str; 3] = ["genetic:depth=1", "depth3:depth=1", "fourstage:nodes=1200,inner=0"];

/// Plays a tournament; counts the games whose score the array board disputes.
fn played(context: &Context<'_>, tournament: &Tournament<'_>) -> (Vec<Vec<Counts>>, u64, u64) {
    let (mut games, mut wrong) = (0, 0);
    let table = tournament.play(context, |_: &Pairing, played: &Played| {
        let (start, moves) = (played.game.start(), played.game.moves());
        games += 1;
        wrong += u64::from(replayed_score(start, moves, Rule::Reversed) != Some(played.score()));
    });
    (table, games, wrong)
}

fn run(context: &Context<'_>) -> Findings {
    let depths = 1..=context.count("depth");
    let specs: Vec<String> = ["depth3", "threestage", "fourstage", "genetic", "maximax"]
        .iter()
        .flat_map(|agent| depths.clone().map(move |depth| format!("{agent}:depth={depth}")))
        .collect();
    let exact = Tournament {
        catalogue: Arc::new(catalogue()),
        players: specs.iter().map(|spec| (spec.as_str(), spec.as_str())).collect(),
        format: Format::RoundRobin,
        pairs: 1,
        opening: 0,
        nodes: u64::MAX,
    };
    let (table, exact_games, exact_wrong) = played(context, &exact);
    let found = exact_circles(&table);
    let sampled = Tournament {
        players: CIRCLE.map(|spec| (spec, spec)).to_vec(),
        pairs: context.count("pairs"),
        opening: context.count("opening") as u32,
        nodes: 100_000,
        ..exact.clone()
    };
    let (links, games, wrong) = played(context, &sampled);
    let sure = circles(&links, 0.95);
    let names = |circle: &[usize; 3]| circle.map(|player| specs[player].as_str()).join(" beats ");
    let example =
        found.first().map(|circle| format!("{} beats {}", names(circle), specs[circle[0]]));
    let possible = specs.len() * (specs.len() - 1) * (specs.len() - 2) / 6;
    let chance = sure.first().map(|circle| circle.chance);
    let link =
        |place: usize| (CIRCLE[place], CIRCLE[(place + 1) % 3], links[place][(place + 1) % 3]);
    let mut comparisons = vec![
        Comparison::new(
            "a circle by the report's definition, two games from the start",
            Figure::words("proved to be possible"),
            Figure::words(example.clone().unwrap_or("none was found".to_owned())),
        ),
        Comparison::ours(
            format!("triples of {} agents that are circles, of {possible}", specs.len()),
            Figure::exact(found.len() as f64, 0),
        ),
    ];
    for (one, other, counts) in (0..3).map(link) {
        let what = format!("{one} against {other}: per cent of the points");
        comparisons.push(Comparison::ours(what, Figure::score(&counts)));
    }
    comparisons.push(Comparison::ours(
        "per cent of such circles by chance alone, at most",
        chance.map_or(Figure::words("no circle"), |chance| Figure::exact(100.0 * chance, 6)),
    ));
    comparisons.push(Comparison::ours(
        format!("games that the plain board scores otherwise, of {}", exact_games + games),
        Figure::exact((exact_wrong + wrong) as f64, 0),
    ));
    let rows: Vec<(String, f64, f64)> = (0..3)
        .map(link)
        .map(|(one, other, counts)| {
            let (score, reach) = super::matches::share(&counts);
            (format!("{one} – {other}"), score, reach)
        })
        .collect();
    let title = "Each link of the circle";
    Findings {
        question: format!(
            "{} agents without chance play each other from the start with either colour, as the \
             report defines beating; three more play {} openings from both sides.",
            specs.len(),
            context.count("pairs")
        ),
        comparisons,
        meaning: [
            match &example {
                Some(example) => format!("Beating is not transitive: {example}."),
                None => "No circle was found among these agents.".to_owned(),
            },
            match chance {
                Some(_) => format!(
                    "Nor is it a freak of two games: over {} openings a circle stays that chance \
                     does not explain, so no single list can rank all agents.",
                    context.count("pairs")
                ),
                None => format!(
                    "Over {} openings no circle is sure to 95 % in each link.",
                    context.count("pairs")
                ),
            },
        ],
        notes: vec![
            "The three agents of the larger circle were suggested by earlier tournaments with \
             other seeds; this one was played to confirm them."
                .to_owned(),
            "Every game was played again, move by move, on the array board, which shares no code \
             with the bitboards, and its score compared."
                .to_owned(),
        ],
        tables: vec![circle_table(&found, &specs, &table), link_table((0..3).map(link))],
        pictures: vec![Picture::new(
            "circle",
            "Per cent of the points of each agent against the next, 95 % intervals.",
            forest(title, "per cent of the points", 50.0, &rows),
        )],
        ..Findings::default()
    }
}

/// Triples in which each player made more than half of the points against the next. Each triple is
/// listed once, with its smallest player first.
fn exact_circles(table: &[Vec<Counts>]) -> Vec<[usize; 3]> {
    let beats = |a: usize, b: usize| table[a][b].utility() > 0;
    let players = table.len();
    let mut found = Vec::new();
    for a in 0..players {
        for b in a + 1..players {
            for c in a + 1..players {
                if b != c && beats(a, b) && beats(b, c) && beats(c, a) {
                    found.push([a, b, c]);
                }
            }
        }
    }
    found
}

fn circle_table(found: &[[usize; 3]], specs: &[String], table: &[Vec<Counts>]) -> Table {
    let mut circles = Table::new(
        "circles",
        "Circles by two games from the start; the sums of utilities of each link.",
        &[("first", 0), ("beats", 0), ("which beats", 0), ("utilities", 0)],
    );
    for &[a, b, c] in found {
        let links = [(a, b), (b, c), (c, a)].map(|(a, b)| table[a][b].utility().to_string());
        let [first, second, third] = [a, b, c].map(|player| specs[player].as_str().into());
        circles.row([first, second, third, links.join(" ").into()]);
    }
    circles
}

fn link_table<'a>(links: impl Iterator<Item = (&'a str, &'a str, Counts)>) -> Table {
    let mut table = Table::new(
        "links",
        "The circle over many openings.",
        &[("one", 0), ("other", 0), ("games", 0), ("points_percent", 2), ("sure_percent", 3)],
    );
    for (one, other, counts) in links {
        table.row([
            one.into(),
            other.into(),
            counts.games().into(),
            (100.0 * counts.score()).into(),
            (100.0 * counts.superiority()).into(),
        ]);
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn circles_are_found_once_each() {
        let [won, lost, none] =
            [Counts::of_pair([2, 2]), Counts::of_pair([-2, -2]), Counts::default()];
        // 0 beats 1, 1 beats 2, 2 beats 0; 3 beats all others.
        let table = vec![
            vec![none, won, lost, lost],
            vec![lost, none, won, lost],
            vec![won, lost, none, lost],
            vec![won, won, won, none],
        ];
        assert_eq!(exact_circles(&table), [[0, 1, 2]]);
    }
}
