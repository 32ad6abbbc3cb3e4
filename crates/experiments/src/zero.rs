//! AlphaZero (report 003): what a network that learned from nothing makes against the reports' agents.
//!
//! The games against the reports' agents are played here. What took a GPU or many
//! cores is not done again: the learning curve, the costs of learning, the growth with
//! playouts and the games at 5 s a move come from the project's records.

mod stored;

use super::matches::{Tournament, result, results, share};
use super::{Context, Experiment, Part, grouped};
use isrever_arena::{Counts, Format};
use isrever_lab::experiment::{Comparison, Figure, Findings, Picture, Setting, Table};
use isrever_lab::plot::{Series, series, series_along_tens};
use isrever_players::catalogue;
use std::sync::Arc;
use stored::{Costs, Grown, Learned};

pub(super) const EXPERIMENT: Experiment = Experiment {
    slug: "zero",
    title: "AlphaZero against the reports' agents",
    source: "Report 003, III.E",
    about: "the agent zero by playouts against the reports' agents, and how it learned",
    duration: "5 min",
    is_cheap: false,
    rests_on: &[
        Part::Games,
        Part::Agents(&["maximax", "depth3", "fourstage", "genetic", "threestage"]),
        // Endings are solved by the engine's search, which chooses among equal moves.
        Part::Search,
        Part::Weights("zero-reversed.bin"),
        Part::Weights("reversed.bin"),
    ],
    settings,
    run,
};

fn settings() -> Vec<Setting> {
    vec![
        Setting::counts(
            "playouts",
            "playouts for a move of zero",
            1..=100_000,
            [&[1, 10, 100], &[1, 2]],
        ),
        Setting::count("pairs", "pairs of games against each agent", 1..=100_000, [20, 1]),
        Setting::count(
            "nodes",
            "boards a report's agent may look at for one move",
            100..=100_000_000,
            [20_000, 100],
        ),
        Setting::count("opening", "random moves at the beginning", 0..=20, [6, 6]),
    ]
}

/// The reports' agents, in the order of the reports; the first of them ends early by its rule for
/// time, and once more uses all that it is given.
const AGENTS: [&str; 6] =
    ["maximax", "maximax:rest=2", "depth3", "fourstage", "genetic", "threestage"];

/// The share of its games, in per cent, that the first of the course's platform won, an AlphaZero.
const REPORT_WON: f64 = 99.5;

/// What zero makes with so many playouts.
struct Played {
    playouts: u64,
    /// Against each agent.
    against: Vec<Counts>,
}

impl Played {
    fn all(&self) -> Counts {
        self.against.iter().copied().sum()
    }
}

fn play(context: &Context<'_>, playouts: u64) -> Played {
    let zero = format!("zero:playouts={playouts}");
    let agents = AGENTS.map(|agent| (agent, agent));
    let tournament = Tournament {
        catalogue: Arc::new(catalogue()),
        players: [("zero", zero.as_str())].into_iter().chain(agents).collect(),
        format: Format::Gauntlet,
        pairs: context.count("pairs"),
        opening: context.count("opening") as u32,
        // The limit is for both sides; no search of zero needs as many playouts.
        nodes: context.count("nodes").max(playouts),
    };
    let table = tournament.play(context, |_, _| {});
    Played { playouts, against: table[0][1..].to_vec() }
}

/// The share of games won in per cent, as wide as the interval of the points.
fn won(counts: &Counts) -> Figure {
    let won = 100.0 * counts.wins as f64 / counts.games().max(1) as f64;
    Figure::with_reach(won, share(counts).1, 1)
}

fn playouts_words(playouts: u64) -> String {
    match playouts {
        1 => "the network alone".to_owned(),
        _ => format!("{} playouts", grouped(playouts)),
    }
}

fn comparisons(
    all: &[Played],
    timed: &[(String, Counts)],
    costs: &Costs,
    grown: &[Grown],
) -> Vec<Comparison> {
    let mut comparisons = Vec::new();
    for (place, played) in all.iter().enumerate() {
        let words = playouts_words(played.playouts);
        let what = format!("per cent of games won, {words}");
        let ours = won(&played.all());
        // The report's agent had five seconds: it stands beside the most playouts.
        comparisons.push(match place + 1 == all.len() {
            true => Comparison::new(what, Figure::exact(REPORT_WON, 1), ours),
            false => Comparison::ours(what, ours),
        });
    }
    if let Some(most) = all.last() {
        let words = playouts_words(most.playouts);
        for (agent, counts) in AGENTS.iter().zip(&most.against) {
            let what = format!("per cent of the points against {agent}, {words}");
            comparisons.push(Comparison::ours(what, Figure::score(counts)));
        }
    }
    comparisons.push(Comparison::new(
        "per cent of games won, 1,000 playouts, the others 5 s a move",
        Figure::exact(REPORT_WON, 1),
        won(&timed.iter().map(|(_, counts)| *counts).sum()),
    ));
    let counted = |count: u64| Figure::exact(count as f64, 0);
    comparisons.push(Comparison::ours("games of learning", counted(costs.games)));
    comparisons.push(Comparison::ours(
        "evaluated boards, millions",
        counted(costs.evaluations / 1_000_000),
    ));
    comparisons.push(Comparison::ours(
        "minutes of games and learning on one GPU",
        Figure::exact(costs.seconds() / 60.0, 1),
    ));
    if let [first, .., last] = grown {
        let what =
            format!("Elo from {} to {} playouts", grouped(first.playouts), grouped(last.playouts));
        comparisons.push(Comparison::ours(what, Figure::exact(last.elo - first.elo, 0)));
    }
    comparisons
}

/// The conclusion: what the playouts make of the points, and what that says beside the report.
fn meaning(all: &[Played], costs: &Costs) -> [String; 2] {
    let told: Vec<String> = all
        .iter()
        .map(|played| {
            let counts = played.all();
            let points = 100.0 * counts.score();
            format!("{points:.1} % with {}", playouts_words(played.playouts))
        })
        .collect();
    let first = format!(
        "Against the reports' agents zero makes these shares of the points: {}.",
        told.join(", ")
    );
    let most = all.last().map(Played::all).unwrap_or_default();
    let lost = most.losses;
    let second = format!(
        "The report's AlphaZero won {REPORT_WON} % of its games on the course's platform; ours, \
         which learned from nothing in {:.0} minutes on one GPU, won {} of {} with the most \
         playouts and lost {}.",
        costs.seconds() / 60.0,
        grouped(most.wins),
        grouped(most.games()),
        if lost == 0 { "none".to_owned() } else { grouped(lost) },
    );
    [first, second]
}

fn results_table(all: &[Played]) -> Table {
    let caption = "Zero against each of the reports' agents, 95 % intervals by pairs of games.";
    let mut table = results("games", caption, &["playouts", "against"]);
    for played in all {
        let total = played.all();
        let named = AGENTS.iter().copied().zip(&played.against).chain([("all", &total)]);
        for (agent, counts) in named {
            table.row(result([played.playouts.into(), agent.into()], counts));
        }
    }
    table
}

fn timed_table(timed: &[(String, Counts)]) -> Table {
    let caption = "Zero with 1,000 playouts against the reports' agents with 5 s a move, 95 % \
                   intervals by pairs of games; from the record.";
    let mut table = results("seconds", caption, &["against"]);
    for agent in AGENTS {
        for (name, counts) in timed.iter().filter(|(name, _)| name == agent) {
            table.row(result([name.as_str().into()], counts));
        }
    }
    table
}

fn curve(learned: &[Learned]) -> (Table, Picture) {
    let mut table = Table::new(
        "curve",
        "Strength by training, Elo above level 5 of the engine, 64 playouts a move, 95 % \
         intervals; from the record.",
        &[("generation", 0), ("games", 0), ("minutes", 1), ("elo", 0), ("low", 0), ("high", 0)],
    );
    for one in learned {
        table.row([
            one.generation.into(),
            one.games.into(),
            (one.seconds / 60.0).into(),
            one.elo.into(),
            one.low.into(),
            one.high.into(),
        ]);
    }
    let points = learned.iter().map(|one| (one.seconds / 60.0, one.elo, one.high - one.elo));
    let svg = series(
        "Strength by training time",
        ["minutes of games and learning", "Elo above level 5"],
        &[Series::line("zero, 64 playouts", points.collect())],
    );
    (table, Picture::new("curve", "Elo above level 5 of the engine by minutes of training.", svg))
}

fn growth(grown: &[Grown], levels: &[stored::Level]) -> (Table, Picture) {
    let mut table = Table::new(
        "growth",
        "Zero by playouts beside levels of the engine, Elo with 95 % intervals, 0 the mean of \
         these players; from the record.",
        &[("player", 0), ("elo", 0), ("low", 0), ("high", 0), ("games", 0)],
    );
    let mut rows: Vec<(String, f64, [Option<f64>; 2], u64)> = grown
        .iter()
        .map(|one| {
            (format!("zero, {}", playouts_words(one.playouts)), one.elo, one.ends, one.games)
        })
        .chain(levels.iter().map(|one| (one.player.clone(), one.elo, one.ends, one.games)))
        .collect();
    rows.sort_by(|one, other| other.1.total_cmp(&one.1));
    for (player, elo, [low, high], games) in rows {
        table.row([player.into(), elo.into(), low.into(), high.into(), games.into()]);
    }
    let reach = |ends: [Option<f64>; 2], elo: f64| {
        ends.iter().flatten().map(|end| (end - elo).abs()).fold(f64::INFINITY, f64::min)
    };
    let points = grown.iter().map(|one| (one.playouts as f64, one.elo, reach(one.ends, one.elo)));
    let mut lines = vec![Series::line("zero", points.collect())];
    let ends = [grown.first(), grown.last()].map(|one| one.map_or(1.0, |one| one.playouts as f64));
    lines.extend(
        levels
            .iter()
            .map(|level| Series::line(&level.player, ends.map(|at| (at, level.elo, 0.0)).to_vec())),
    );
    let axes = ["playouts for a move", "Elo"];
    let svg = series_along_tens("Strength by playouts, 95 % intervals as a band", axes, &lines);
    (table, Picture::new("growth", "Elo by playouts, and levels of the engine.", svg))
}

fn costs_table(costs: &Costs) -> Table {
    let mut table = Table::new(
        "costs",
        "What learning took, by tens of generations; from the log of the run.",
        &[
            ("generations_to", 0),
            ("games", 0),
            ("samples", 0),
            ("evaluations", 0),
            ("play_seconds", 0),
            ("learn_seconds", 0),
            ("policy_loss", 3),
            ("result_loss", 3),
        ],
    );
    for part in &costs.parts {
        table.row([
            part.last.into(),
            part.games.into(),
            part.samples.into(),
            part.evaluations.into(),
            part.play_seconds.into(),
            part.learn_seconds.into(),
            part.policy_loss.into(),
            part.result_loss.into(),
        ]);
    }
    table
}

fn run(context: &Context<'_>) -> Findings {
    let all: Vec<Played> =
        context.counts("playouts").into_iter().map(|playouts| play(context, playouts)).collect();
    let costs = stored::costs();
    let (grown, levels) = stored::growth();
    let timed = stored::five_seconds();
    let (curve_table, curve_picture) = curve(&stored::learned());
    let (growth_table, growth_picture) = growth(&grown, &levels);
    let points = all.iter().map(|played| {
        let (points, reach) = share(&played.all());
        (played.playouts as f64, points, reach)
    });
    let mut lines = vec![Series::line("all", points.collect())];
    for (place, agent) in AGENTS.iter().enumerate() {
        let of =
            |played: &Played| (played.playouts as f64, 100.0 * played.against[place].score(), 0.0);
        lines.push(Series::line(agent, all.iter().map(of).collect()));
    }
    let svg = series_along_tens(
        "Zero against the reports' agents",
        ["playouts for a move", "per cent of the points"],
        &lines,
    );
    let nodes = grouped(context.count("nodes"));
    Findings {
        question: format!(
            "The agent zero with the program's network plays {} pairs of games against each of the \
             reports' agents, which look at {nodes} boards a move at most.",
            context.count("pairs")
        ),
        comparisons: comparisons(&all, &timed, &costs, &grown),
        meaning: meaning(&all, &costs),
        notes: vec![
            "The report's figure is of an agent of another student on the course's platform, which \
             is gone: its network, its opponents and its time are not known. Ours are the five \
             reports' agents, so that the two figures stand beside each other and no more."
                .to_owned(),
            "One playout is the network's own opinion: it plays the move that its policy likes \
             best. With at most 14 empty squares zero asks the exact solver, whatever its playouts."
                .to_owned(),
            format!(
                "Boards a move, not seconds, limit the reports' agents, so that the games repeat. \
                 Report 001's table of time-outs means some hundred boards a second for its \
                 program: {nodes} are more than it could look at in five seconds."
            ),
            "maximax ends its search early by the report's rule for time (see \
             [unused-time](../unused-time/page.md)); maximax:rest=2 uses all boards it is given."
                .to_owned(),
            "Learning took a GPU, the growth with playouts and the games at 5 s a move many cores: \
             their figures are read from docs/records/zero; the commands are in \
             docs/records/zero.md."
                .to_owned(),
        ],
        tables: vec![
            results_table(&all),
            timed_table(&timed),
            curve_table,
            growth_table,
            costs_table(&costs),
        ],
        pictures: vec![
            Picture::new(
                "games",
                "Per cent of the points by playouts, 95 % intervals as a band.",
                svg,
            ),
            curve_picture,
            growth_picture,
        ],
        ..Findings::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_conclusion_tells_shares_and_losses() {
        let counts = |wins: u64, losses: u64| {
            let pairs = [losses / 2, 0, 0, 0, wins / 2];
            Counts { wins, draws: 0, losses, pairs, discs: 0 }
        };
        let played =
            |playouts, losses| Played { playouts, against: vec![counts(40 - losses, losses); 5] };
        let costs = stored::costs();
        let [first, second] = meaning(&[played(1, 10), played(100, 0)], &costs);
        assert_eq!(
            first,
            "Against the reports' agents zero makes these shares of the points: 75.0 % with \
             the network alone, 100.0 % with 100 playouts."
        );
        assert!(
            second.ends_with("won 200 of 200 with the most playouts and lost none."),
            "{second}"
        );
        let [_, second] = meaning(&[played(1, 10)], &costs);
        assert!(second.ends_with("won 150 of 200 with the most playouts and lost 50."), "{second}");
    }
}
