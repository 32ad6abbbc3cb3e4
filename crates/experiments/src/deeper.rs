//! Deeper is not always better (report 000, 2.2.3).
//!
//! A search with a report's evaluation looks one, two, three and more plies ahead
//! in positions near the end, where perfect play is known. A move errs if it gives
//! away the result. The experiment looks for a position where two plies err but
//! one and three do not, and checks it by brute force on the array board.

use super::boards::{board, brute_force, to_move};
use super::random_games::random_game;
use super::{Context, Experiment, Part, grouped};
use isrever_agent::Field;
use isrever_agent::{Bits, Limits, Parameters, Watch};
use isrever_arena::Mean;
use isrever_board::{Color, Position, Rule, Size, Square};
use isrever_lab::experiment::{Comparison, Figure, Findings, Picture, Setting, Table};
use isrever_lab::plot::{Series, series};
use isrever_reports::{
    AlphaBeta, Combination, Depth3, Evaluation, FourStage, Genetic, Goal, ThreeStage, perfect,
};
use rayon::prelude::*;

pub(super) const EXPERIMENT: Experiment = Experiment {
    slug: "deeper",
    title: "Deeper is not always better",
    source: "Report 000, 2.2.3",
    about: "how often searches of one to six plies give a result away, and where two err alone",
    duration: "20 s",
    is_cheap: false,
    rests_on: &[Part::Agents(&["combination", "depth3", "fourstage", "genetic", "threestage"])],
    settings,
    run,
};

fn settings() -> Vec<Setting> {
    vec![
        Setting::count("positions", "random positions", 10..=10_000_000, [10_000, 200]),
        Setting::count("empties", "their empty squares", 4..=14, [10, 8]),
        Setting::count("depth", "plies of the deepest search", 3..=8, [6, 3]),
    ]
}

const RULE: Rule = Rule::Reversed;
const SIZE: Size = Size::EIGHT;

const NAMES: [&str; 5] =
    ["combination (000)", "depth3 (001)", "fourstage (002)", "genetic (003)", "threestage (004)"];

/// A position in which a move can give away the result.
struct Question {
    field: Bits,
    is_black: bool,
    /// The best result: 1, 0 or −1.
    result: i32,
    /// The moves that keep it.
    keeping: Vec<Square>,
    /// The move of each evaluation at each depth.
    answers: Vec<Vec<Square>>,
}

impl Question {
    fn is_right(&self, evaluation: usize, depth: usize) -> bool {
        self.keeping.contains(&self.answers[evaluation][depth - 1])
    }

    /// Whether one and three plies keep the result and two do not.
    fn is_wanted(&self, evaluation: usize) -> bool {
        let right = [1, 2, 3].map(|depth| self.is_right(evaluation, depth));
        right == [true, false, true]
    }
}

/// The result of perfect play for the player of `field`.
fn result(field: &Bits) -> i32 {
    let limits = Limits::default();
    let watch = &mut Watch::new(&limits);
    if field.has_move() {
        let best = perfect(field, RULE, Goal::Result, watch);
        return best.expect("nobody stops it").1;
    }
    match field.pass().has_move() {
        true => -result(&field.pass()),
        false => field.score(RULE).signum(),
    }
}

/// The best move at each depth.
fn answers(field: &Bits, evaluation: &impl Evaluation, depth: u32) -> Vec<Square> {
    let limits = Limits::default();
    let mut watch = Watch::new(&limits);
    let mut search = AlphaBeta::new(evaluation, RULE, &mut watch);
    (1..=depth).map(|depth| search.best(field, depth).expect("there is a move").square).collect()
}

/// The first position of random game `number` with this many empty squares, if the side to move can
/// give the result away there.
fn question(context: &Context<'_>, number: u64) -> Option<Question> {
    let (empties, depth) = (context.count("empties") as usize, context.count("depth") as u32);
    let mut found = None;
    random_game(context.seed(), number, |turn| {
        if turn.round() == 64 - empties && turn.breadth() > 0 && found.is_none() {
            found = Some(*turn);
        }
    });
    let turn = found?;
    let field = Bits { board: turn.board, size: SIZE };
    let results: Vec<(Square, i32)> =
        field.moves().map(|square| (square, -result(&field.play(square)))).collect();
    let best = results.iter().map(|&(_, result)| result).max()?;
    let keeping: Vec<Square> =
        results.iter().filter(|(_, result)| *result == best).map(|(square, _)| *square).collect();
    if keeping.len() == results.len() {
        return None;
    }
    let of = |name: usize| -> Vec<Square> {
        match name {
            0 => {
                let parameters = Parameters::new(Combination::table());
                answers(&field, &Combination::new(&parameters, SIZE, RULE), depth)
            }
            1 => {
                let parameters = Parameters::new(Depth3::table());
                answers(&field, &Depth3::evaluation(&parameters, SIZE, RULE), depth)
            }
            2 => {
                let parameters = Parameters::new(FourStage::table());
                answers(&field, &FourStage::evaluation(&parameters, SIZE, RULE), depth)
            }
            3 => {
                let parameters = Parameters::new(Genetic::table());
                answers(&field, &Genetic::evaluation(&parameters, SIZE, RULE), depth)
            }
            _ => {
                let parameters = Parameters::new(ThreeStage::table());
                answers(&field, &ThreeStage::evaluation(&parameters, SIZE, RULE), depth)
            }
        }
    };
    let answers = (0..NAMES.len()).map(of).collect();
    Some(Question { field, is_black: turn.is_black, result: best, keeping, answers })
}

/// Whether brute force on the array board agrees about every move.
fn is_checked(question: &Question, evaluation: usize) -> bool {
    let array = position(question).to_array();
    let of = |square: Square| {
        let next = array.play(square).expect("it is a move");
        -brute_force(&next, RULE).signum()
    };
    let [one, two, three] = [0, 1, 2].map(|place| of(question.answers[evaluation][place]));
    let best = brute_force(&array, RULE).signum();
    one == best && three == best && two < best
}

fn position(question: &Question) -> Position {
    let turn = if question.is_black { Color::Black } else { Color::White };
    Position::from_board(question.field.board, SIZE, turn).expect("it comes from a game")
}

fn run(context: &Context<'_>) -> Findings {
    let count = context.count("positions");
    context.progress.expect(count);
    let questions: Vec<Question> = (0..count)
        .into_par_iter()
        .filter_map(|number| {
            let question = question(context, number);
            context.progress.advance(1);
            question
        })
        .collect();
    let depths = context.count("depth") as usize;
    // Errors of each evaluation at each depth.
    let errors: Vec<Vec<Mean>> = (0..NAMES.len())
        .map(|evaluation| {
            let at = |depth: usize| {
                let errs = |question: &Question| {
                    f64::from(u8::from(!question.is_right(evaluation, depth)))
                };
                Mean::of(&questions.iter().map(errs).collect::<Vec<f64>>())
            };
            (1..=depths).map(at).collect()
        })
        .collect();
    let example = questions.iter().find_map(|question| {
        let evaluation = (0..NAMES.len())
            .find(|&evaluation| question.is_wanted(evaluation) && question.result == 1)?;
        Some((question, evaluation))
    });
    findings(context, &questions, &errors, example)
}

fn findings(
    context: &Context<'_>,
    questions: &[Question],
    errors: &[Vec<Mean>],
    example: Option<(&Question, usize)>,
) -> Findings {
    let wanted: Vec<usize> = (0..NAMES.len())
        .map(|evaluation| questions.iter().filter(|q| q.is_wanted(evaluation)).count())
        .collect();
    let mut comparisons = vec![
        Comparison::new(
            "a position where two plies err, and one and three do not",
            Figure::words("stated"),
            Figure::words(example.map_or("none found".to_owned(), |(question, evaluation)| {
                let [one, two, three] = [0, 1, 2].map(|at| question.answers[evaluation][at]);
                format!("{}: {one}, {two}, {three} at depths 1, 2, 3", NAMES[evaluation])
            })),
        ),
        Comparison::ours(
            "trying everything on the plain board agrees",
            Figure::words(match example {
                Some((question, evaluation)) if is_checked(question, evaluation) => "yes",
                _ => "no",
            }),
        ),
    ];
    for (name, errors) in NAMES.iter().zip(errors) {
        for depth in [1, 2, 3] {
            let error = errors[depth - 1];
            let percent = Mean { mean: 100.0 * error.mean, error: 100.0 * error.error, ..error };
            let what = format!("{name}, depth {depth}: per cent of results given away");
            comparisons.push(Comparison::ours(what, Figure::mean(&percent, 1)));
        }
    }
    let mut table = Table::new(
        "errors",
        "Per cent of positions in which the move gives the result away, with 95 % intervals.",
        &[("evaluation", 0), ("depth", 0), ("percent", 2), ("reach", 2), ("two_err_alone", 0)],
    );
    let mut lines = Vec::new();
    for ((name, errors), wanted) in NAMES.iter().zip(errors).zip(&wanted) {
        for (depth, error) in (1_u64..).zip(errors) {
            let wanted = (depth == 2).then_some(*wanted as f64);
            let (percent, reach) = (100.0 * error.mean, 100.0 * error.reach());
            table.row([(*name).into(), depth.into(), percent.into(), reach.into(), wanted.into()]);
        }
        let points = (1_u8..).zip(errors);
        let points = points.map(|(d, e)| (f64::from(d), 100.0 * e.mean, 100.0 * e.reach()));
        lines.push(Series::line(name, points.collect()));
    }
    let svg = series("Results given away", ["depth (plies)", "per cent of positions"], &lines);
    let caption = "How often searches give the result away, by depth, with 95 % intervals.";
    let mut pictures = vec![Picture::new("errors", caption, svg)];
    pictures.extend(example.map(|(question, evaluation)| example_picture(question, evaluation)));
    let all: usize = wanted.iter().sum();
    Findings {
        question: format!(
            "{} positions with {} empty squares in which the result can be given away, of {} random \
             games, searched with five evaluations.",
            grouped(questions.len() as u64),
            context.count("empties"),
            grouped(context.count("positions"))
        ),
        comparisons,
        meaning: [
            match example {
                None => "No position was found where two plies err alone.".to_owned(),
                Some((question, evaluation)) => {
                    let [one, two, three] = [0, 1, 2].map(|at| question.answers[evaluation][at]);
                    format!(
                        "With the evaluation of {}, one ply plays {one} and three plies {three}, \
                         which win, and two plies {two}, which does not; there are {all} such \
                         cases in {} questions.",
                        NAMES[evaluation],
                        grouped((questions.len() * NAMES.len()) as u64)
                    )
                }
            },
            depth_helps(errors),
        ],
        notes: vec![
            "An error gives away a result (win, draw, loss); positions where every move has the \
             same result are left out."
                .to_owned(),
        ],
        tables: vec![table],
        pictures,
        ..Findings::default()
    }
}

/// What more plies are worth, from the shallowest search to the deepest.
fn depth_helps(errors: &[Vec<Mean>]) -> String {
    let change = |errors: &Vec<Mean>| {
        let (first, last) = (errors[0], errors[errors.len() - 1]);
        // The searches have the same positions, so that this interval is rather too wide.
        let reach = first.reach().hypot(last.reach());
        (100.0 * (first.mean - last.mean), 100.0 * reach)
    };
    let changes: Vec<(f64, f64)> = errors.iter().map(change).collect();
    let names = |is_so: &dyn Fn(&(f64, f64)) -> bool| {
        let so = NAMES.iter().zip(&changes).filter(|(_, change)| is_so(change));
        let names: Vec<&str> = so.map(|(name, _)| *name).collect();
        if names.is_empty() { "none".to_owned() } else { names.join(", ") }
    };
    let deepest = errors.first().map_or(0, Vec::len);
    let least = changes.iter().map(|change| change.0).fold(f64::INFINITY, f64::min);
    let most = changes.iter().map(|change| change.0).fold(f64::NEG_INFINITY, f64::max);
    match changes.iter().all(|(gain, reach)| gain > reach) {
        true => format!(
            "All the same {deepest} plies give away fewer results than one with every evaluation, \
             beyond noise: by {least:.0} to {most:.0} of 100, depending on the evaluation."
        ),
        false => format!(
            "From one ply to {deepest}, beyond noise, fewer results are given away with: {}; and \
             more with: {}.",
            names(&|(gain, reach)| gain > reach),
            names(&|(gain, reach)| -gain > *reach)
        ),
    }
}

fn example_picture(question: &Question, evaluation: usize) -> Picture {
    let position = position(question);
    let [one, two, three] = [0, 1, 2].map(|at| question.answers[evaluation][at]);
    let words = [
        format!("{}, {}", to_move(&position), NAMES[evaluation]),
        format!("depth 1: {one}, depth 2: {two}, depth 3: {three}"),
    ];
    let caption = format!("{one} and {three} win, {two} does not.");
    board("example", &caption, &position, words, None)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whether_depth_helps_is_judged_by_the_errors() {
        let errors = |first: f64, last: f64| {
            [first, 0.4, last].map(|mean| Mean { count: 9, mean, error: 0.01 }).to_vec()
        };
        let all = depth_helps(&[0.3, 0.2, 0.3, 0.25, 0.3].map(|last| errors(0.5, last)));
        assert!(all.ends_with("beyond noise: by 20 to 30 of 100, depending on the evaluation."));
        let some = [0.3, 0.49, 0.7, 0.3, 0.3].map(|last| errors(0.5, last));
        let expected = format!(
            "fewer results are given away with: {}, {}, {}; and more with: {}.",
            NAMES[0], NAMES[3], NAMES[4], NAMES[2]
        );
        assert!(depth_helps(&some).ends_with(&expected), "{}", depth_helps(&some));
        assert!(depth_helps(&[0.5; 5].map(|last| errors(0.5, last))).contains("none; and more"));
    }
}
