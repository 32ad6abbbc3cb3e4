//! The speed-up of a search by ordering, undo and bitboards, one at a time (report 002, table V).

mod ground;

use super::random_games::random_game;
use super::{Context, Experiment};
use ground::{Grid, Ground, Weights};
use isrever_arena::Mean;
use isrever_board::Board;
use isrever_lab::experiment::{Comparison, Figure, Findings, Picture, Setting, Table, Timings};
use isrever_lab::plot::forest;
use std::time::Duration;

pub(super) const EXPERIMENT: Experiment = Experiment {
    slug: "efficiency",
    title: "What makes a search fast",
    source: "Report 002, table V",
    about: "a search of six plies: bare, with ordering, with undo, on bitboards, and all of it",
    duration: "20 s",
    is_cheap: false,
    rests_on: &[],
    settings,
    run,
};

fn settings() -> Vec<Setting> {
    vec![
        Setting::count("positions", "random positions of the middle game", 2..=10_000, [20, 2]),
        Setting::count("round", "their discs", 8..=60, [30, 30]),
        Setting::count("depth", "plies of the search", 1..=10, [6, 3]),
    ]
}

const VERSIONS: [&str; 5] = ["bare", "ordering", "undo", "bitboards", "all"];

/// The report's seconds, means of its five rounds.
const REPORT: [f64; 5] = [9.7508, 5.4506, 9.7456, 2.029, 1.9192];

/// Plain alpha-beta, in the versions of the ablation.
struct Search<'a> {
    weights: &'a Weights,
    is_ordered: bool,
    nodes: u64,
}

impl Search<'_> {
    fn ordered(&self, mut moves: Vec<u8>) -> Vec<u8> {
        if self.is_ordered {
            moves.sort_by_key(|&square| -self.weights.of(square));
        }
        moves
    }

    /// The value of `ground`; every move makes a copy of the board.
    fn copying<G: Ground>(&mut self, ground: &G, depth: u64, mut alpha: i64, beta: i64) -> i64 {
        self.nodes += 1;
        if depth == 0 {
            return ground.value(self.weights);
        }
        let moves = ground.moves();
        if moves.is_empty() {
            let passed = ground.passed();
            return match passed.moves().is_empty() {
                true => ground.end(),
                false => -self.copying(&passed, depth - 1, -beta, -alpha),
            };
        }
        for square in self.ordered(moves) {
            let value = -self.copying(&ground.after(square), depth - 1, -beta, -alpha);
            alpha = alpha.max(value);
            if alpha >= beta {
                break;
            }
        }
        alpha
    }

    /// The same on one board, by making and undoing moves.
    fn undoing(&mut self, grid: &mut Grid, depth: u64, mut alpha: i64, beta: i64) -> i64 {
        self.nodes += 1;
        if depth == 0 {
            return grid.value(self.weights);
        }
        let moves = grid.moves();
        if moves.is_empty() {
            grid.pass();
            let value = match grid.moves().is_empty() {
                true => -grid.end(),
                false => -self.undoing(grid, depth - 1, -beta, -alpha),
            };
            grid.pass();
            return value;
        }
        for square in self.ordered(moves) {
            let turned = grid.place(square);
            let value = -self.undoing(grid, depth - 1, -beta, -alpha);
            grid.take_back(square, &turned);
            alpha = alpha.max(value);
            if alpha >= beta {
                break;
            }
        }
        alpha
    }
}

/// How long to repeat a search for its timing, and how often at most if the clock stands still.
const ENOUGH: Duration = Duration::from_millis(100);
const MOST_TIMES: u32 = 10_000;

/// Greater than every value.
const MOST: i64 = 1_000_000_000;

/// The value of `board` by one of the versions, and its number of nodes.
fn searched(version: usize, board: Board, depth: u64, weights: &Weights) -> (i64, u64) {
    let is_ordered = matches!(VERSIONS[version], "ordering" | "all");
    let mut search = Search { weights, is_ordered, nodes: 0 };
    let value = match VERSIONS[version] {
        "undo" => search.undoing(&mut Grid::new(board), depth, -MOST, MOST),
        "bitboards" | "all" => search.copying(&board, depth, -MOST, MOST),
        _ => search.copying(&Grid::new(board), depth, -MOST, MOST),
    };
    (value, search.nodes)
}

/// The result of `work` and its seconds. Repeats the work until a clock that may tick only every few
/// milliseconds can measure it.
fn timed<T>(context: &Context<'_>, work: impl Fn() -> T) -> (T, f64) {
    let began = (context.clock)();
    let mut result = work();
    for times in 1.. {
        let spent = (context.clock)() - began;
        if spent >= ENOUGH || times == MOST_TIMES {
            return (result, spent.as_secs_f64() / f64::from(times));
        }
        result = work();
    }
    unreachable!("there is an end of times")
}

/// Boards of the middle game, one of each random game.
fn boards(context: &Context<'_>) -> Vec<Board> {
    let (round, count) = (context.count("round") as usize, context.count("positions") as usize);
    let of_game = |number: u64| {
        let mut found = None;
        random_game(context.seed(), number, |turn| {
            if turn.round() == round && turn.breadth() > 0 {
                found = Some(turn.board);
            }
        });
        found
    };
    (0..).filter_map(of_game).take(count).collect()
}

fn run(context: &Context<'_>) -> Findings {
    let (boards, depth) = (boards(context), context.count("depth"));
    let weights = Weights::of_report();
    context.progress.expect((boards.len() * VERSIONS.len()) as u64);
    let mut nodes = vec![Vec::new(); VERSIONS.len()];
    let mut seconds = vec![Vec::new(); VERSIONS.len()];
    let mut disagreements = 0;
    // One at a time: other work on the machine would be measured too.
    for &board in &boards {
        let mut values = Vec::new();
        for version in 0..VERSIONS.len() {
            let search = || searched(version, board, depth, &weights);
            let ((value, looked), spent) = timed(context, search);
            seconds[version].push(spent);
            nodes[version].push(looked as f64);
            values.push(value);
            context.progress.advance(1);
        }
        disagreements += u64::from(values.iter().any(|&value| value != values[0]));
    }
    let means: Vec<Mean> = nodes.iter().map(|nodes| Mean::of(nodes)).collect();
    let mut table = Table::new(
        "nodes",
        "Boards looked at for one search, with 95 % intervals over positions.",
        &[("version", 0), ("nodes", 1), ("reach", 1), ("part_of_bare", 4)],
    );
    for (version, mean) in VERSIONS.iter().zip(&means) {
        let part = mean.mean / means[0].mean;
        table.row([(*version).into(), mean.mean.into(), mean.reach().into(), part.into()]);
    }
    let rows: Vec<(String, f64, f64)> = VERSIONS
        .iter()
        .zip(&means)
        .map(|(version, mean)| ((*version).to_owned(), mean.mean, mean.reach()))
        .collect();
    let saved = saved(&means);
    Findings {
        question: format!(
            "{} positions with {} discs are searched {depth} plies deep in five versions of one \
             search, with the terms of report 002's middle game.",
            boards.len(),
            context.count("round")
        ),
        comparisons: vec![
            Comparison::ours("boards of the bare search", Figure::mean(&means[0], 0)),
            Comparison::ours("boards with ordering", Figure::mean(&means[1], 0)),
            Comparison::ours("boards saved by ordering, times", Figure::exact(saved, 2)),
            Comparison::ours(
                "positions on which versions differ in value",
                Figure::exact(disagreements as f64, 0),
            ),
        ],
        meaning: meaning(&means, disagreements),
        notes: vec![
            "Bare: a board of 64 cells, copied for each move, moves in the order of the board. \
             Undo: the same board, moves taken back. Bitboards: two words, copied. All: bitboards \
             and ordering; there is nothing to undo on two words."
                .to_owned(),
            "What the report calls compiled (Numba) has no counterpart: all of this is compiled."
                .to_owned(),
        ],
        tables: vec![table],
        pictures: vec![Picture::new(
            "nodes",
            "Boards looked at for one search, with 95 % intervals over positions.",
            forest("Boards of one search", "boards", means[0].mean, &rows),
        )],
        timings: Some(timings(&seconds, &nodes, depth)),
        ..Findings::default()
    }
}

/// How many times fewer boards ordering needs.
fn saved(means: &[Mean]) -> f64 {
    means[0].mean / means[1].mean
}

/// What the boards and the values say.
fn meaning(means: &[Mean], disagreements: u64) -> [String; 2] {
    let saved = saved(means);
    let ordering = match saved > 1.0 {
        true => format!("makes the tree {saved:.2} times smaller"),
        false => format!("makes the tree no smaller ({saved:.2} times)"),
    };
    let rest = match means[2].mean == means[0].mean && means[3].mean == means[0].mean {
        true => {
            "undo and bitboards leave it as it is, so that all they can gain is time for a board"
        }
        false => "undo and bitboards change it too, which they should not",
    };
    let values = match disagreements {
        0 => "All five versions find the same values".to_owned(),
        1 => "On one position the versions differ in value, which they should not".to_owned(),
        count => {
            format!("On {count} positions the versions differ in value, which they should not")
        }
    };
    [
        format!("Ordering by weights of squares {ordering}; {rest}."),
        format!("{values}. How long each takes is in the timings, beside the report's seconds."),
    ]
}

/// What versions gain, by name, the report's and ours.
fn gained(gains: &[(&str, f64, Mean)]) -> String {
    let one = |(name, report, ours): &(&str, f64, Mean)| {
        let (mean, reach) = (ours.mean, ours.reach());
        let told = match (mean - reach > 1.0, mean + reach < 1.0) {
            (true, _) => "gains",
            (_, true) => "costs",
            _ => "gains nothing beyond noise:",
        };
        format!("{name} {told} {mean:.2} ± {reach:.2} times (the report's {report:.2})")
    };
    gains.iter().map(one).collect::<Vec<_>>().join(", ")
}

fn timings(seconds: &[Vec<f64>], nodes: &[Vec<f64>], depth: u64) -> Timings {
    // Compare versions position by position, because the sizes of their trees differ.
    let gains = |version: usize| -> Vec<f64> {
        seconds[0].iter().zip(&seconds[version]).map(|(bare, own)| bare / own).collect()
    };
    let is_report_s = depth == 6;
    let mut table = Table::new(
        "timings",
        "Seconds for one search, 95 % intervals over positions, and how much faster than bare.",
        &[
            ("version", 0),
            ("report_seconds", 3),
            ("seconds", 6),
            ("reach", 6),
            ("report_times_faster", 2),
            ("times_faster", 2),
            ("times_reach", 2),
            ("nodes_per_second", 0),
        ],
    );
    let mut comparisons = Vec::new();
    let mut rows = Vec::new();
    let mut all_gains = Vec::new();
    for (version, name) in VERSIONS.iter().enumerate() {
        let (mean, gain) = (Mean::of(&seconds[version]), Mean::of(&gains(version)));
        let speed = nodes[version].iter().sum::<f64>() / seconds[version].iter().sum::<f64>();
        table.row([
            (*name).into(),
            is_report_s.then_some(REPORT[version]).into(),
            mean.mean.into(),
            mean.reach().into(),
            (REPORT[0] / REPORT[version]).into(),
            gain.mean.into(),
            gain.reach().into(),
            speed.into(),
        ]);
        all_gains.push((*name, REPORT[0] / REPORT[version], gain));
        rows.push((format!("{name}, report"), REPORT[0] / REPORT[version], 0.0));
        rows.push((format!("{name}, ours"), gain.mean, gain.reach()));
        let report = Figure::exact(REPORT[0] / REPORT[version], 2);
        let what = format!("{name}: times faster than bare");
        comparisons.push(Comparison::new(what, report, Figure::mean(&gain, 2)));
        if is_report_s {
            let what = format!("{name}: seconds for {depth} plies");
            let (report, ours) = (Figure::exact(REPORT[version], 2), Figure::mean(&mean, 4));
            comparisons.push(Comparison::new(what, report, ours));
        }
    }
    Timings {
        comparisons,
        notes: vec![format!(
            "Seconds differ by the language (the report's is Python on another machine), the \
                 position and the evaluation; what can be compared is how much each idea gains \
                 over the bare search: {}.",
            gained(&all_gains[1..])
        )],
        tables: vec![table],
        pictures: vec![Picture::new(
            "timings",
            "How many times faster than bare, the report's beside ours; ours with 95 % intervals \
             over positions.",
            forest("What each idea gains", "times faster than bare", 1.0, &rows),
        )],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_said_follows_from_the_boards_and_the_seconds() {
        let mean = |mean| Mean { count: 2, mean, error: 0.1 };
        let [first, second] = meaning(&[100.0, 50.0, 100.0, 100.0, 50.0].map(mean), 0);
        assert!(first.contains("2.00 times smaller; undo and bitboards leave it"), "{first}");
        assert!(second.starts_with("All five versions find the same values."), "{second}");
        let [first, second] = meaning(&[100.0, 125.0, 90.0, 100.0, 50.0].map(mean), 3);
        assert!(first.contains("no smaller (0.80 times); undo and bitboards change it"), "{first}");
        assert!(second.starts_with("On 3 positions the versions differ in value"), "{second}");
        let said =
            gained(&[("undo", 1.0, mean(1.05)), ("all", 5.0, mean(9.0)), ("b", 2.0, mean(0.5))]);
        let words = "undo gains nothing beyond noise: 1.05 ± 0.20 times (the report's 1.00), all gains \
                     9.00 ± 0.20 times (the report's 5.00), b costs 0.50 ± 0.20 times (the report's \
                     2.00)";
        assert_eq!(said, words);
    }

    #[test]
    fn all_versions_find_the_value_of_plain_minimax() {
        fn minimax(board: Board, depth: u64, weights: &Weights) -> i64 {
            let moves = Ground::moves(&board);
            if depth == 0 {
                board.value(weights)
            } else if !moves.is_empty() {
                let values = moves.iter().map(|&at| -minimax(board.after(at), depth - 1, weights));
                values.max().unwrap()
            } else if Ground::moves(&board.pass()).is_empty() {
                board.end()
            } else {
                -minimax(board.pass(), depth - 1, weights)
            }
        }
        let weights = Weights::of_report();
        random_game(6, 2, |turn| {
            if !turn.round().is_multiple_of(3) {
                return;
            }
            let expected = minimax(turn.board, 3, &weights);
            let found: Vec<(i64, u64)> =
                (0..5).map(|version| searched(version, turn.board, 3, &weights)).collect();
            assert!(found.iter().all(|(value, _)| *value == expected), "{found:?} {expected}");
            assert_eq!((found[0].1, found[1].1), (found[2].1, found[4].1), "same order, same tree");
            assert_eq!(found[0].1, found[3].1);
        });
    }
}
