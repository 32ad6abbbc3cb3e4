//! RESULT is not invertible (report 000, 2.2.1): two positions, two moves, one board.
//!
//! The search follows all games from the start, ply by ply, until it reaches a
//! position from two different ones. The array board then replays both ways.

use super::boards::{board, replay, to_move};
use super::{Context, Experiment};
use isrever_board::{Color, Game, Move, Position, Rule, Size, Square};
use isrever_lab::experiment::{Comparison, Figure, Findings, Picture, Setting, Table};
use std::collections::HashMap;

pub(super) const EXPERIMENT: Experiment = Experiment {
    slug: "not-invertible",
    title: "RESULT is not invertible",
    source: "Report 000, 2.2.1",
    about: "all positions of the first plies: which have more than one that leads to them",
    duration: "1 s",
    is_cheap: true,
    rests_on: &[],
    settings,
    run,
};

fn settings() -> Vec<Setting> {
    vec![Setting::count("plies", "moves from the start", 1..=8, [7, 5])]
}

/// How a position was first reached: the moves from the start.
type Way = Vec<Square>;

/// A position with two ways to it, whose last steps begin at different positions.
struct Example {
    ways: [Way; 2],
}

/// One ply of all games.
struct Ply {
    number: u64,
    positions: u64,
    steps: u64,
    shared: u64,
}

fn run(context: &Context<'_>) -> Findings {
    let plies = context.count("plies");
    let mut level: HashMap<Position, Way> = HashMap::new();
    level.insert(Position::start(Size::EIGHT), Vec::new());
    let mut found: Vec<Ply> = Vec::new();
    let mut example: Option<Example> = None;
    context.progress.expect(plies);
    for number in 1..=plies {
        let mut parents: Vec<(&Position, &Way)> = level.iter().collect();
        // Maps have no fixed order, so sort by way.
        parents.sort_by(|one, other| one.1.cmp(other.1));
        // Each position with its first way, and the number of other ways to it.
        let mut next: HashMap<Position, (Way, u64)> = HashMap::new();
        let mut steps = 0;
        for (position, way) in parents {
            for square in position.moves() {
                let after = position.play(square).expect("it is a move");
                let longer: Way = way.iter().copied().chain([square]).collect();
                steps += 1;
                match next.get_mut(&after) {
                    None => {
                        next.insert(after, (longer, 1));
                    }
                    Some((first, count)) => {
                        // Two moves from one position lead to different ones, so this way comes
                        // from another position.
                        *count += 1;
                        if example.is_none() {
                            example = Some(Example { ways: [first.clone(), longer] });
                        }
                    }
                }
            }
        }
        let shared = next.values().filter(|(_, count)| *count > 1).count() as u64;
        found.push(Ply { number, positions: next.len() as u64, steps, shared });
        level = next.into_iter().map(|(position, (way, _))| (position, way)).collect();
        context.progress.advance(1);
    }
    findings(plies, &found, example.as_ref())
}

/// The positions before and after the last step of a way.
fn last_step(way: &Way) -> (Position, Position, Square) {
    let mut game = Game::new(Rule::Reversed, Size::EIGHT);
    for &square in way {
        game.place(square).expect("a way is legal");
    }
    let positions = game.positions();
    let before = positions[positions.len() - 2].clone();
    (before, game.position().clone(), *way.last().expect("a way has a step"))
}

/// Whether on the array board, too, two legal ways from two different boards end in one.
fn is_checked(example: &Example) -> bool {
    let start = Position::start(Size::EIGHT);
    let moves = |way: &[Square]| way.iter().map(|&square| Move::Place(square)).collect::<Vec<_>>();
    let [one, other] = example.ways.each_ref().map(|way| replay(&start, &moves(way)));
    let [before, other_before] =
        example.ways.each_ref().map(|way| replay(&start, &moves(&way[..way.len() - 1])));
    one.is_some() && one == other && before.is_some() && before != other_before
}

fn words(way: &[Square]) -> String {
    way.iter().map(Square::to_string).collect::<Vec<_>>().concat()
}

fn findings(plies: u64, found: &[Ply], example: Option<&Example>) -> Findings {
    let mut table = Table::new(
        "plies",
        "All positions after so many moves, and those with more than one position before them.",
        &[("ply", 0), ("positions", 0), ("steps", 0), ("shared", 0), ("shared_percent", 2)],
    );
    for Ply { number, positions, steps, shared } in found {
        let percent = 100.0 * *shared as f64 / *positions as f64;
        table.row([
            (*number).into(),
            (*positions).into(),
            (*steps).into(),
            (*shared).into(),
            percent.into(),
        ]);
    }
    let pictures = example.map_or_else(Vec::new, pictures);
    let sentence = match example {
        None => format!("No two positions lead to the same one within {plies} plies."),
        Some(Example { ways: [one, other] }) => {
            let ((_, _, first), (_, _, second)) = (last_step(one), last_step(other));
            format!(
                "After {} and after {} the boards differ, and {first} on the one and {second} on \
                 the other give the same board.",
                words(&one[..one.len() - 1]),
                words(&other[..other.len() - 1])
            )
        }
    };
    let last = found.last().map_or(0.0, |ply| 100.0 * ply.shared as f64 / ply.positions as f64);
    Findings {
        question: format!(
            "All games from the start are followed for {plies} plies; a position that is reached \
             from two different ones has no inverse."
        ),
        comparisons: vec![
            Comparison::new(
                "two positions and moves with one result",
                Figure::words("proved to exist"),
                Figure::words(example.map_or("none found".to_owned(), |example| {
                    let [one, other] = example.ways.each_ref().map(|way| words(way));
                    format!("{one} and {other}")
                })),
            ),
            Comparison::ours(
                "the plain board agrees",
                Figure::words(if example.is_some_and(is_checked) { "yes" } else { "no" }),
            ),
            Comparison::ours(
                format!("per cent of positions after {plies} plies with more than one before them"),
                Figure::exact(last, 2),
            ),
        ],
        meaning: [
            sentence,
            "So a position does not tell its past: a search that undoes moves must remember what \
             they turned, and a table of positions finds many that were reached another way."
                .to_owned(),
        ],
        notes: vec![
            "It is the first example in the order of squares, so there is no seed to it."
                .to_owned(),
        ],
        tables: vec![table],
        pictures,
        ..Findings::default()
    }
}

fn pictures(example: &Example) -> Vec<Picture> {
    let mut pictures = Vec::new();
    for (name, way) in ["first", "second"].into_iter().zip(&example.ways) {
        let (before, after, square) = last_step(way);
        let moved = format!("after {}", words(&way[..way.len() - 1]));
        let side = if before.turn() == Color::Black { "Black" } else { "White" };
        let caption = format!("{side} plays {square} here.");
        pictures.push(board(
            &format!("{name}-before"),
            &caption,
            &before,
            [moved, to_move(&before)],
            None,
        ));
        let turned = before.flips(square);
        pictures.push(board(
            &format!("{name}-after"),
            &format!("After {}: the ring is the move, thin rings are what it turned.", words(way)),
            &after,
            [format!("after {square}"), to_move(&after)],
            Some((square, turned)),
        ));
    }
    pictures
}
