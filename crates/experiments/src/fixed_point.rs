//! Minimax is a fixed point of the minimax estimate at every depth (report 000, 2.2.3).
//!
//! On 4×4 brute force solves every reachable position; with those values at the
//! leaves, the estimates at all depths must equal them. With any other evaluation
//! they must differ somewhere. On 8×8 endings take the place of the whole game,
//! with the solver's scores.

use super::boards::brute_force;
use super::random_games::random_game;
use super::{Context, Experiment, Part, grouped};
use isrever_agent::{Bits, Parameters};
use isrever_board::{Board, Color, Position, Rule, Size, squares};
use isrever_lab::experiment::{Comparison, Figure, Findings, Picture, Setting, Table};
use isrever_lab::plot::{Series, series};
use isrever_reports::{Combination, Evaluation};
use isrever_search::{Control, Goal, Searcher, Settings};
use rayon::prelude::*;
use std::collections::HashMap;

pub(super) const EXPERIMENT: Experiment = Experiment {
    slug: "fixed-point",
    title: "Minimax is a fixed point of its estimate",
    source: "Report 000, 2.2.3",
    about: "estimates with perfect values at the leaves, at every depth: all of 4×4, endings of 8×8",
    duration: "5 s",
    is_cheap: true,
    rests_on: &[Part::Agents(&["combination"])],
    settings,
    run,
};

fn settings() -> Vec<Setting> {
    vec![
        Setting::count("endings", "endings on 8×8", 1..=1_000_000, [1_000, 5]),
        Setting::count("empties", "their empty squares", 2..=12, [8, 6]),
        Setting::count("checked", "positions checked by trying everything", 0..=100_000, [500, 20]),
    ]
}

const RULE: Rule = Rule::Reversed;
const SMALL: Size = Size::FOUR;

/// The successors of a position: after each move, after a pass, or none.
enum After {
    Moves(Vec<usize>),
    Pass(usize),
    Over(i32),
}

/// All reachable positions of 4×4, as boards of the side to move; the start comes first.
struct Graph {
    boards: Vec<Board>,
    after: Vec<After>,
}

impl Graph {
    fn new() -> Graph {
        let start = Board::start(SMALL);
        let mut graph = Graph { boards: vec![start], after: Vec::new() };
        let mut places = HashMap::from([(start, 0)]);
        // A board gets its index when it is first seen, and its successors when its turn comes.
        while let Some(&board) = graph.boards.get(graph.after.len()) {
            let mut place = |next: Board, boards: &mut Vec<Board>| {
                *places.entry(next).or_insert_with(|| {
                    boards.push(next);
                    boards.len() - 1
                })
            };
            let moves = board.moves(SMALL);
            let after = if moves != 0 {
                let next = squares(moves).map(|square| {
                    let next = board.play_unchecked(square.bit(), board.flips(square));
                    place(next, &mut graph.boards)
                });
                After::Moves(next.collect())
            } else if board.is_over(SMALL) {
                After::Over(board.score(SMALL, RULE))
            } else {
                After::Pass(place(board.pass(), &mut graph.boards))
            };
            graph.after.push(after);
        }
        graph
    }

    /// Estimates one ply deeper: the value of each position if its successors have `values`. The
    /// value of a finished game is its score.
    fn deepened(&self, values: &[f64]) -> Vec<f64> {
        let value = |after: &After| match after {
            After::Moves(next) => {
                next.iter().map(|&place| -values[place]).fold(f64::NEG_INFINITY, f64::max)
            }
            After::Pass(next) => -values[*next],
            After::Over(score) => f64::from(*score),
        };
        self.after.par_iter().map(value).collect()
    }

    /// The value of every position: estimates until nothing changes, at the latest at the length of
    /// the longest game.
    fn minimax(&self) -> Vec<f64> {
        let mut values = vec![0.0; self.boards.len()];
        loop {
            let next = self.deepened(&values);
            if next == values {
                return values;
            }
            values = next;
        }
    }
}

/// The number of estimates that differ from the values.
fn differing(one: &[f64], other: &[f64]) -> u64 {
    one.iter().zip(other).filter(|(one, other)| one != other).count() as u64
}

/// The minimax estimate of `board` at this depth, with the values of `leaf` at the leaves.
fn estimate(board: Board, depth: u32, leaf: &mut dyn FnMut(Board) -> i32) -> i32 {
    const EIGHT: Size = Size::EIGHT;
    let moves = board.moves(EIGHT);
    if board.is_over(EIGHT) {
        board.score(EIGHT, RULE)
    } else if depth == 0 {
        leaf(board)
    } else if moves == 0 {
        -estimate(board.pass(), depth - 1, leaf)
    } else {
        let children = squares(moves).map(|square| {
            let next = board.play_unchecked(square.bit(), board.flips(square));
            -estimate(next, depth - 1, leaf)
        });
        children.max().expect("there is a move")
    }
}

/// The number of estimates of an ending, at depths 1 to 4, that differ from its score, and the
/// number of estimates.
fn ending(context: &Context<'_>, number: u64) -> (u64, u64) {
    let empties = context.count("empties") as usize;
    let mut found = None;
    random_game(context.seed(), number, |turn| {
        if turn.round() == 64 - empties && turn.breadth() > 0 {
            found = Some(turn.board);
        }
    });
    context.progress.advance(1);
    let Some(board) = found else { return (0, 0) };
    let mut solver =
        Searcher::new(Settings { hash_bytes: 1 << 16, ..Settings::new(RULE, Size::EIGHT) });
    let mut solve = |board: Board| solver.search(board, Goal::Exact, Control::NONE).score();
    let score = solve(board);
    let wrong = (1..=4).filter(|&depth| estimate(board, depth, &mut solve) != score).count();
    (wrong as u64, 4)
}

fn run(context: &Context<'_>) -> Findings {
    let graph = Graph::new();
    let values = graph.minimax();
    let checked = checked(context, &graph, &values);
    let parameters = Parameters::new(Combination::table());
    let opinion = Combination::new(&parameters, SMALL, RULE);
    let guesses: Vec<f64> = graph
        .boards
        .iter()
        .map(|&board| (16.0 * opinion.value(&Bits { board, size: SMALL })).round())
        .collect();
    let mut table = Table::new(
        "depths",
        "Positions of 4×4 whose estimate at this depth is not their value.",
        &[("depth", 0), ("perfect_leaves", 0), ("guessed_leaves", 0), ("guessed_percent", 2)],
    );
    let (mut perfect, mut guessed) = (values.clone(), guesses.clone());
    let mut wrong = 0;
    let mut points = Vec::new();
    for depth in 0..=12_u64 {
        let [one, other] = [&perfect, &guessed].map(|estimates| differing(estimates, &values));
        let percent = 100.0 * other as f64 / values.len() as f64;
        wrong += one;
        points.push((depth as f64, percent, 0.0));
        table.row([depth.into(), one.into(), other.into(), percent.into()]);
        perfect = graph.deepened(&perfect);
        guessed = graph.deepened(&guessed);
    }
    let endings = context.count("endings");
    context.progress.expect(endings);
    let (wrong_endings, tried) = (0..endings)
        .into_par_iter()
        .map(|number| ending(context, number))
        .reduce(|| (0, 0), |one, other| (one.0 + other.0, one.1 + other.1));
    let start = values[0];
    let svg = series(
        "4×4: estimates that are not the value",
        ["depth (plies)", "per cent of positions"],
        &[
            Series::line("report 000's evaluation at the leaves", points.clone()),
            Series::line(
                "perfect values at the leaves",
                points.iter().map(|&(depth, ..)| (depth, 0.0, 0.0)).collect(),
            ),
        ],
    );
    Findings {
        question: "Every position of 4×4 is valued by trying everything, and then estimated at \
                   depths 0 to 12 with those values at the leaves, and with a report's evaluation."
            .to_owned(),
        comparisons: vec![
            Comparison::counted(
                "estimates with perfect leaves that differ, 4×4, all depths",
                0.0,
                wrong as f64,
                0,
            ),
            Comparison::counted(
                format!("the same for endings of 8×8, depths 1 to 4, of {tried}"),
                0.0,
                wrong_endings as f64,
                0,
            ),
            Comparison::ours("positions of 4×4", Figure::exact(values.len() as f64, 0)),
            Comparison::ours("value of the start of 4×4", Figure::exact(start, 0)),
            Comparison::ours(
                format!("values that the plain board says otherwise, of {}", checked.1),
                Figure::exact(checked.0 as f64, 0),
            ),
        ],
        meaning: [
            format!(
                "With perfect values at the leaves all {} positions of 4×4 keep their value at \
                 every depth: minimax is a fixed point of its estimate.",
                grouped(values.len() as u64)
            ),
            format!(
                "A report's evaluation is none: at depth 1 {:.0} % of its estimates are wrong, and \
                 only a search to the end of the game brings that to nothing.",
                points[1].1
            ),
        ],
        notes: vec![
            "Positions are those of both sides to move that can be reached, passes counted as \
             plies; the evaluation is rounded to whole discs, which changes nothing about the \
             claim."
                .to_owned(),
        ],
        tables: vec![table],
        pictures: vec![Picture::new(
            "depths",
            "Positions of 4×4 whose estimate is not their value; all are counted, so there is no \
             interval.",
            svg,
        )],
        ..Findings::default()
    }
}

/// The number of values that brute force on the array board disputes, and the number checked: a
/// sample spread evenly over the positions with few empty squares.
fn checked(context: &Context<'_>, graph: &Graph, values: &[f64]) -> (u64, u64) {
    let most = context.count("checked") as usize;
    let late: Vec<usize> = (0..values.len())
        .filter(|&place| graph.boards[place].empties(SMALL).count_ones() <= 7)
        .collect();
    let step = (late.len() / most.max(1)).max(1);
    let places: Vec<usize> = late.into_iter().step_by(step).take(most).collect();
    let is_wrong = |&&place: &&usize| {
        let position = Position::from_board(graph.boards[place], SMALL, Color::Black);
        let array = position.expect("it can be reached").to_array();
        f64::from(brute_force(&array, RULE)) != values[place]
    };
    (places.par_iter().filter(is_wrong).count() as u64, places.len() as u64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_graph_of_four_by_four_has_the_known_value() {
        let graph = Graph::new();
        let values = graph.minimax();
        // Solved from the start: +4 for black under the reversed rule.
        assert_eq!(values[0], 4.0);
        assert_eq!(graph.after.len(), graph.boards.len());
        assert_eq!(differing(&graph.deepened(&values), &values), 0);
    }
}
