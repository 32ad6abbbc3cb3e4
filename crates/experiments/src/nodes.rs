//! The nodes of alpha-beta by round and depth (report 000, 4.1.2).

mod tree;

use super::random_games::{Turn, mean_of_sums, random_game};
use super::{Context, Experiment, Part, grouped};
use isrever_arena::Mean;
use isrever_board::Board;
use isrever_lab::experiment::{Comparison, Figure, Findings, Picture, Setting, Table};
use isrever_lab::plot::{Series, series_by_tens};
use rayon::prelude::*;
use tree::{Costs, Order, nodes};

pub(super) const EXPERIMENT: Experiment = Experiment {
    slug: "nodes",
    title: "Boards that alpha-beta looks at, by round and depth",
    source: "Report 000, 4.1.2",
    about: "nodes of a search of eight plies in each round, by depth in round 25, and the fit",
    duration: "6 min",
    is_cheap: false,
    rests_on: &[Part::Agents(&["combination"])],
    settings,
    run,
};

fn settings() -> Vec<Setting> {
    vec![
        Setting::count("games", "random games", 2..=1_000_000, [1_000, 3]),
        Setting::count("depth", "plies of the search in every round", 1..=10, [8, 3]),
        Setting::counts(
            "fit-depths",
            "plies of the searches in round 25",
            1..=10,
            [&[2, 3, 4, 5, 6, 7, 8], &[2, 3, 4]],
        ),
    ]
}

/// The report's means for rounds 4 to 63, of 20 games.
const REPORT: [f64; 60] = [
    4_718.0,
    3_417.2,
    5_966.2,
    8_077.35,
    11_556.8,
    10_895.9,
    14_716.9,
    20_135.15,
    21_844.8,
    27_982.95,
    31_761.05,
    33_572.1,
    34_618.75,
    47_106.85,
    38_053.15,
    52_759.2,
    44_033.35,
    46_200.55,
    41_071.8,
    48_206.35,
    42_535.7,
    55_950.05,
    44_863.9,
    55_113.5,
    52_172.45,
    51_687.25,
    46_795.9,
    55_287.3,
    45_400.75,
    50_862.8,
    44_323.7,
    55_210.75,
    41_196.35,
    45_773.85,
    33_494.0,
    42_181.5,
    33_707.75,
    36_366.95,
    28_291.9,
    28_087.55,
    22_076.6,
    22_581.05,
    18_327.85,
    15_726.5,
    10_201.95,
    10_457.55,
    7_504.7,
    5_452.15,
    4_559.3,
    3_548.45,
    2_617.0,
    1_934.75,
    1_075.85,
    436.3,
    182.714_286,
    71.904_762,
    26.772_727,
    10.8,
    5.086_957,
    2.166_667,
];

/// The round of the report's fit, and its means there by depth.
const FIT_ROUND: usize = 25;
const REPORT_FIT: [(u64, f64); 3] = [(2, 14.55), (4, 296.35), (8, 55_950.05)];

/// The counts of one game.
struct Game {
    /// Rounds and nodes of the search in each turn.
    turns: Vec<(usize, u64)>,
    /// Nodes by depth and the number of moves, in each turn of the round of the fit.
    fit: Vec<(u64, Vec<u64>)>,
    /// The same for the greatest depth, with moves in the order of the board.
    unordered: Vec<u64>,
}

fn game(context: &Context<'_>, costs: &Costs, number: u64) -> Game {
    let depth = context.count("depth") as u32;
    let mut found = Game { turns: Vec::new(), fit: Vec::new(), unordered: Vec::new() };
    random_game(context.seed(), number, |turn: &Turn| {
        let of = |depth: u32, order: Order| nodes(costs, turn.board, depth, order);
        found.turns.push((turn.round(), of(depth, Order::ByValue)));
        if turn.round() == FIT_ROUND {
            let depths = context.counts("fit-depths").into_iter();
            let by_depth = depths.map(|depth| of(depth as u32, Order::ByValue)).collect();
            found.fit.push((u64::from(turn.breadth()), by_depth));
            found.unordered.push(of(depth.min(6), Order::Board));
        }
    });
    context.progress.advance(1);
    found
}

/// The mean of whole numbers.
fn mean(numbers: impl Iterator<Item = u64> + Clone) -> Mean {
    let squares = numbers.clone().map(|number| number * number).sum();
    mean_of_sums(numbers.clone().count() as u64, numbers.sum(), squares)
}

/// The least-squares line `y = slope · x + rest`, and the share R² of the variance of y that it
/// explains.
fn line(points: &[(f64, f64)]) -> (f64, f64, f64) {
    let count = points.len() as f64;
    let (x, y) = points.iter().fold((0.0, 0.0), |(a, b), (x, y)| (a + x, b + y));
    let (x, y) = (x / count, y / count);
    let sum =
        |f: &dyn Fn(f64, f64) -> f64| points.iter().map(|&(a, b)| f(a - x, b - y)).sum::<f64>();
    let slope = sum(&|a, b| a * b) / sum(&|a, _| a * a);
    let explained = sum(&|a, b| a * b).powi(2) / (sum(&|a, _| a * a) * sum(&|_, b| b * b));
    (slope, y - slope * x, explained)
}

/// The growth of nodes per ply, from the slope of their logarithms.
fn growth(points: &[(f64, f64)]) -> f64 {
    let logs: Vec<(f64, f64)> = points.iter().map(|&(depth, nodes)| (depth, nodes.ln())).collect();
    line(&logs).0.exp()
}

fn run(context: &Context<'_>) -> Findings {
    let (count, depth) = (context.count("games"), context.count("depth"));
    context.progress.expect(count);
    let costs = Costs::of_report();
    let games: Vec<Game> =
        (0..count).into_par_iter().map(|number| game(context, &costs, number)).collect();
    let rounds: Vec<Mean> = (4..64)
        .map(|round| {
            let turns = games.iter().flat_map(|game| &game.turns);
            mean(turns.filter(|turn| turn.0 == round).map(|turn| turn.1))
        })
        .collect();
    let turns = || games.iter().flat_map(|game| &game.fit);
    let depths = context.counts("fit-depths");
    let by_depth: Vec<Mean> =
        (0..depths.len()).map(|place| mean(turns().map(|turn| turn.1[place]))).collect();
    let breadth = mean(turns().map(|turn| turn.0)).mean;
    let points: Vec<(f64, f64)> =
        depths.iter().zip(&by_depth).map(|(&depth, mean)| (depth as f64, mean.mean)).collect();
    let formula: Vec<(f64, f64)> =
        points.iter().map(|&(depth, nodes)| (breadth.sqrt().powf(depth), nodes)).collect();
    let (slope, rest, explained) = line(&formula);
    // As in the report: the formula's value as a function of the nodes, axes exchanged.
    let turned: Vec<(f64, f64)> = formula.iter().map(|&(root, nodes)| (nodes, root)).collect();
    let (turned_slope, turned_rest, _) = line(&turned);
    let growth = growth(&points);
    let all = mean_over(&games);
    let deepest = points.last().copied().unwrap_or((1.0, 1.0));
    let saved = breadth.powf(deepest.0) / deepest.1;
    let start =
        nodes(&costs, Board::start(super::random_games::SIZE), depth as u32, Order::ByValue);
    let unordered = mean(games.iter().flat_map(|game| game.unordered.iter().copied()));
    let is_report_s = depth == 8;
    let theirs = |value: f64, decimals| {
        if is_report_s { Figure::exact(value, decimals) } else { Figure::None }
    };
    let mut comparisons = vec![
        match is_report_s {
            true => Comparison::counted("round 4, 8 plies", REPORT[0], start as f64, 0),
            false => {
                Comparison::ours(format!("round 4, {depth} plies"), Figure::exact(start as f64, 0))
            }
        },
        Comparison::new(
            format!("mean of rounds 4 to 63, {depth} plies"),
            theirs(26_046.6, 1),
            Figure::mean(&all, 1),
        ),
    ];
    for (&depth, mean) in depths.iter().zip(&by_depth) {
        let report = REPORT_FIT.iter().find(|(plies, _)| *plies == depth);
        let report = report.map_or(Figure::None, |&(_, nodes)| Figure::exact(nodes, 2));
        let what = format!("round 25, {depth} plies");
        comparisons.push(Comparison::new(what, report, Figure::mean(mean, 2)));
    }
    comparisons.extend([
        Comparison::new(
            "fit √b^d = h · nodes + c, as the report's numbers are: h",
            theirs(0.0763, 4),
            Figure::exact(turned_slope, 4),
        ),
        Comparison::new("the same: c", theirs(21.33, 2), Figure::exact(turned_rest, 2)),
        Comparison::ours("fit nodes = h · √b^d + c: h", Figure::exact(slope, 3)),
        Comparison::ours("the same: c", Figure::exact(rest, 1)),
        Comparison::ours("the same: R²", Figure::exact(explained, 5)),
        Comparison::ours("breadth in round 25", Figure::exact(breadth, 2)),
        Comparison::ours("times as many boards for each ply more", Figure::exact(growth, 2)),
        Comparison::ours("the same if the hypothesis held: √b", Figure::exact(breadth.sqrt(), 2)),
        Comparison::new(
            "b^d over nodes, at the greatest depth of round 25",
            theirs(328.9, 1),
            Figure::exact(saved, 1),
        ),
        Comparison::ours(
            format!("round 25, {} plies, moves in the order of the board", depth.min(6)),
            Figure::mean(&unordered, 1),
        ),
    ]);
    Findings {
        question: format!(
            "In every turn of {} random games a search of {depth} plies counts the boards it \
             looks at; in round 25 so do searches of other depths.",
            grouped(count)
        ),
        comparisons,
        meaning: [
            format!(
                "With {breadth:.1} moves to choose from, each ply more takes {growth:.2} times as \
                 many boards; with a perfect order it would be {:.2} times, without pruning \
                 {breadth:.1}.",
                breadth.sqrt()
            ),
            hypothesis(breadth, growth, deepest),
        ],
        notes: vec![
            "Counted as the report's numbers of the last rounds show it: every board searched is \
             one, a forced pass too (2.1667 in round 63 is 20 turns with two boards and 4 passes \
             with three), and with one ply left the best move by evaluation is taken without \
             looking at boards (14.55 at depth 2 is the root and its moves)."
                .to_owned(),
            "Moves are ordered by the evaluation, which is that of 4.2.3, weights of squares. The \
             report does not say which one it used then: with another one the tree has another \
             size, beginning with round 4, where nothing is left to chance. That, and 20 games \
             instead of ours, is why figures differ."
                .to_owned(),
            "The report's b^d takes 8.09 for b; ours takes the breadth of round 25, where its own \
             table has 12.15."
                .to_owned(),
            "(0.0763, 21.33) in the report is said to be (h, c) of nodes = h · √b^d + c, but \
             reproduces its own three points only as √b^d = h · nodes + c: 0.0763 · 55,950 + 21.3 \
             = 4,290, which is the report's √b^8. Its abscissa is 8.09^(d/2), where 8.09 is a \
             breadth that its table of 4.1.1 has in no round near 25, and 1 at depth 2, where it \
             should be 8.09."
                .to_owned(),
            beyond_the_fit(&depths, breadth, (slope, rest)),
        ],
        tables: vec![
            round_table(&rounds, is_report_s),
            fit_table(&depths, &by_depth, breadth, (slope, rest)),
        ],
        pictures: pictures(
            &rounds,
            depth,
            is_report_s,
            (&points, &by_depth),
            (breadth, slope, rest),
        ),
        ..Findings::default()
    }
}

/// What the growth says about the report's hypothesis, the square root of the breadth for each ply.
fn hypothesis(breadth: f64, growth: f64, (depth, nodes): (f64, f64)) -> String {
    let ratio = growth / breadth.sqrt();
    let times = nodes / breadth.sqrt().powf(depth);
    let verdict = match ratio {
        ratio if ratio < 1.05 => "the report's order comes near it",
        ratio if ratio < 1.5 => "the report's order falls short of it with every ply",
        _ => "the report's order is far from it",
    };
    format!(
        "The report's hypothesis, √b for each ply, is what a perfect order would give, and \
         {verdict}: a ply takes {ratio:.2} times that, {depth:.0} plies by that {:.1} times as \
         much, and {times:.1} times the boards of √b^d. Its h and c are those of the opposite \
         regression, of √b^d on nodes.",
        ratio.powf(depth)
    )
}

/// What the fitted line says where it has no business.
fn beyond_the_fit(depths: &[u64], breadth: f64, (slope, rest): (f64, f64)) -> String {
    let fit = |depth: u64| slope * breadth.sqrt().powf(depth as f64) + rest;
    let below: Vec<String> =
        depths.iter().filter(|&&depth| fit(depth) < 1.0).map(u64::to_string).collect();
    let first = match below.as_slice() {
        [] => "It has a board or more at every depth".to_owned(),
        below => format!("It has less than one board at depth {}", below.join(", ")),
    };
    let last = depths.last().copied().unwrap_or(1);
    format!(
        "The line nodes = h · √b^d + c is decided by the deepest search, which is larger than all \
         others together: R² says little. {first}, and at depth {} it would have {} boards: \
         outside the depths it was fitted to, and at the lower ones, it is no estimate.",
        last + 2,
        grouped_number(fit(last + 2))
    )
}

fn grouped_number(number: f64) -> String {
    Figure::exact(number, 0).to_string()
}

/// The mean of the rounds' means; its error follows from the scatter of games.
fn mean_over(games: &[Game]) -> Mean {
    // Every game has nearly the same rounds, so the mean of a game is that of its turns.
    let of_game = |game: &Game| {
        let sum: u64 = game.turns.iter().map(|turn| turn.1).sum();
        sum as f64 / game.turns.len() as f64
    };
    Mean::of(&games.iter().map(of_game).collect::<Vec<f64>>())
}

fn round_table(rounds: &[Mean], is_report_s: bool) -> Table {
    let mut table = Table::new(
        "rounds",
        "Boards looked at by round, with 95 % intervals.",
        &[("round", 0), ("report", 2), ("mean", 2), ("reach", 2), ("turns", 0)],
    );
    for ((round, mean), report) in (4_u64..).zip(rounds).zip(REPORT) {
        let report = is_report_s.then_some(report);
        let (value, reach) = (mean.mean.into(), mean.reach().into());
        table.row([round.into(), report.into(), value, reach, mean.count.into()]);
    }
    table
}

fn fit_table(depths: &[u64], means: &[Mean], breadth: f64, (slope, rest): (f64, f64)) -> Table {
    let mut table = Table::new(
        "depths",
        "Boards looked at in round 25 by depth, with 95 % intervals, and what the fit says.",
        &[("depth", 0), ("report", 2), ("mean", 2), ("reach", 2), ("fit", 1), ("all", 0)],
    );
    for (&depth, mean) in depths.iter().zip(means) {
        let report = REPORT_FIT.iter().find(|(plies, _)| *plies == depth).map(|&(_, nodes)| nodes);
        let fit = slope * breadth.sqrt().powf(depth as f64) + rest;
        table.row([
            depth.into(),
            report.into(),
            mean.mean.into(),
            mean.reach().into(),
            fit.into(),
            breadth.powf(depth as f64).into(),
        ]);
    }
    table
}

fn pictures(
    rounds: &[Mean],
    depth: u64,
    is_report_s: bool,
    (points, by_depth): (&[(f64, f64)], &[Mean]),
    (breadth, slope, rest): (f64, f64, f64),
) -> Vec<Picture> {
    let ours =
        rounds.iter().zip(4_u8..).map(|(mean, round)| (f64::from(round), mean.mean, mean.reach()));
    let mut lines = vec![Series::line("ours", ours.collect())];
    if is_report_s {
        let report =
            REPORT.iter().zip(4_u8..).map(|(&nodes, round)| (f64::from(round), nodes, 0.0));
        lines.insert(0, Series::dots("report 000, 20 games", report.collect()));
    }
    let title = format!("Boards of a search of {depth} plies");
    let by_round = series_by_tens(&title, ["round (discs on the board)", "boards"], &lines);
    let dots = points.iter().zip(by_depth).map(|(&(at, nodes), mean)| (at, nodes, mean.reach()));
    let curve = |f: &dyn Fn(f64) -> f64| points.iter().map(|&(at, _)| (at, f(at), 0.0)).collect();
    let report = REPORT_FIT.iter().map(|&(depth, nodes)| (depth as f64, nodes, 0.0));
    let by_depth = series_by_tens(
        "Boards in round 25 by depth",
        ["depth (plies)", "boards"],
        &[
            Series::dots("ours", dots.collect()),
            Series::dots("report 000", report.collect()),
            Series::line("b^d", curve(&|depth| breadth.powf(depth))),
            Series::line("√b^d", curve(&|depth| breadth.sqrt().powf(depth))),
            Series::line("fit", curve(&|depth| slope * breadth.sqrt().powf(depth) + rest)),
        ],
    );
    vec![
        Picture::new("rounds", "Boards looked at by round, 95 % intervals as a band.", by_round),
        Picture::new(
            "depths",
            "Boards looked at in round 25 by depth, with 95 % intervals; the fit is not drawn where \
             it is below one board.",
            by_depth,
        ),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_report_s_fit_is_turned_round() {
        // Its own three points, with its own √b^d (of which the third should be 8.09, not 1).
        let points = [(55_950.05, 4_289.811), (296.35, 65.496_6), (14.55, 1.0)];
        let (slope, rest, _) = line(&points);
        assert!((slope - 0.076_292_79).abs() < 1e-7 && (rest - 21.334_24).abs() < 1e-3);
    }

    #[test]
    fn sentences_follow_from_the_numbers() {
        let near = hypothesis(9.0, 3.0, (4.0, 81.0));
        assert!(near.contains("comes near it: a ply takes 1.00 times that"), "{near}");
        let far = hypothesis(11.56, 4.29, (8.0, 77_788.0));
        assert!(far.contains("falls short of it with every ply: a ply takes 1.26"), "{far}");
        let fit = beyond_the_fit(&[2, 4], 9.0, (1.0, -10.0));
        assert!(fit.contains("less than one board at depth 2, and at depth 6"), "{fit}");
        assert!(fit.contains("it would have 719 boards"), "{fit}");
    }

    #[test]
    fn lines_and_breadths_are_found() {
        let points = [(1.0, 5.0), (2.0, 7.0), (4.0, 11.0)];
        let (slope, rest, explained) = line(&points);
        assert!((slope - 2.0).abs() < 1e-12 && (rest - 3.0).abs() < 1e-12);
        assert!((explained - 1.0).abs() < 1e-12);
        let grown = [2.0, 4.0, 8.0].map(|depth: f64| (depth, 5.0 * 3_f64.powf(depth)));
        assert!((growth(&grown) - 3.0).abs() < 1e-9);
    }

    #[test]
    fn the_report_s_mean_is_that_of_its_table() {
        let mean = REPORT.iter().sum::<f64>() / 60.0;
        assert!((mean - 26_046.629_1).abs() < 1e-3, "{mean}");
    }
}
