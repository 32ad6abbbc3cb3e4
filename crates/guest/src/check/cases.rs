//! The boards of the usability test, for any size: ordinary ones from games, extreme ones by hand.

use isrever_agent::{Agent, Limits, Random};
use isrever_board::{Color, Draft, Game, Move, Position, Rule, Size, Square};

/// How many random games the positions are chosen from.
const GAMES: u64 = 60;

/// A board, and what is special about it.
#[derive(Clone, Debug)]
pub struct Case {
    /// A short name that never changes.
    pub name: &'static str,
    /// What is special about it.
    pub about: &'static str,
    /// The board; the agent is to move, even where it cannot.
    pub position: Position,
}

/// The cases on a board of this size. There are at least ten.
pub fn cases(size: Size) -> Vec<Case> {
    let games: Vec<Game> = (0..GAMES).map(|seed| random_game(size, seed)).collect();
    let positions = || games.iter().flat_map(|game| game.positions().iter());
    let half = size.cells() as u32 / 2;
    let middle = |color| {
        positions()
            .filter(|position| position.turn() == color && position.moves().len() > 2)
            .min_by_key(|position| position.empties().abs_diff(half))
    };
    let single = positions().find(|position| position.empties() <= half && moves(position) == 1);
    let last = positions().find(|position| position.empties() == 1 && moves(position) == 1);
    let most = positions().max_by_key(|position| moves(position));
    let pass = positions().find(|position| position.must_pass());
    let found = [
        ("middle-black", "the middle of a game, black to move", middle(Color::Black)),
        ("middle-white", "the middle of a game, white to move", middle(Color::White)),
        ("single-move", "only one square to play on", single),
        ("last-square", "one empty square is left", last),
        ("many-moves", "as many squares to play on as are met in games", most),
        ("must-pass", "no square to play on, though the opponent has one", pass),
    ];

    let start = Position::start(size);
    let answer = start.play(start.moves()[0]).expect("the first of the legal moves is legal");
    let mut all = vec![
        Case { name: "start", about: "the start, black to move", position: start },
        Case { name: "answer", about: "white's first move", position: answer },
    ];
    let of_game = |(name, about, position): (_, _, Option<&Position>)| {
        Some(Case { name, about, position: position?.clone() })
    };
    all.extend(found.into_iter().filter_map(of_game));
    all.extend(extreme(size));
    all
}

/// Boards that no game reaches, and that expose faulty loops over rows and columns.
fn extreme(size: Size) -> impl Iterator<Item = Case> {
    let last = size.width() - 1;
    let middle = size.width() / 2;
    let black = Some(Color::Black);
    let white = Some(Color::White);
    let case = move |name, about, turn, disc: &dyn Fn(Square) -> Option<Color>| {
        let discs = size.squares().map(disc).collect();
        let position = Draft { size, discs, turn }.check().expect("there are discs");
        Case { name, about, position }
    };
    [
        case("corner", "two discs, and the corner is the only square", Color::White, &|square| {
            match (square.column(), square.row()) {
                (1, 0) => black,
                (2, 0) => white,
                _ => None,
            }
        }),
        case("long-line", "a whole row turns", Color::Black, &|square| match (
            square.column(),
            square.row(),
        ) {
            (0, row) if row == last => black,
            (column, row) if row == last && column < last => white,
            _ => None,
        }),
        // Report 001, 4.2, has this board as one of its "extreme boundary conditions".
        case(
            "column",
            "a corner disc, and the other colour to the edge",
            Color::Black,
            &|square| match (square.column(), square.row()) {
                (0, 0) => black,
                (0, _) => white,
                _ => None,
            },
        ),
        case("star", "one square turns discs in all eight directions", Color::Black, &|square| {
            let (across, down) =
                (square.column().abs_diff(middle - 1), square.row().abs_diff(middle - 1));
            let is_ray = across == down || across == 0 || down == 0;
            match across.max(down) {
                0 => None,
                far if is_ray && far == middle - 1 => black,
                far if is_ray && far < middle - 1 => white,
                _ => None,
            }
        }),
        case("alone", "the opponent has no disc left", Color::Black, &|square| {
            (square.row() == 0).then_some(Color::Black)
        }),
        case("wiped-out", "no disc of its own is left", Color::White, &|square| {
            (square.row() == 1).then_some(Color::Black)
        }),
        case("full", "no empty square is left", Color::White, &|square| {
            if (square.row() + square.column()) % 3 == 0 { white } else { black }
        }),
    ]
    .into_iter()
}

fn moves(position: &Position) -> usize {
    position.moves().len()
}

/// A whole game of random moves, which follows from the seed.
fn random_game(size: Size, seed: u64) -> Game {
    let mut game = Game::new(Rule::Reversed, size);
    let mut random = Random::new(seed);
    while !game.is_over() {
        let mv = if game.position().must_pass() {
            Move::Pass
        } else {
            let choice = random.choose(&game, &Limits::default());
            Move::Place(choice.expect("random agents do not fail").square)
        };
        game.play(mv).expect("a legal move");
    }
    game
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_size_has_at_least_ten_boards_as_described() {
        for size in Size::ALL {
            let cases = cases(size);
            assert!(cases.len() >= 12, "{size}: {}", cases.len());
            let named = |name: &str| cases.iter().find(|case| case.name == name);
            let count = |name: &str| named(name).map(|case| moves(&case.position));
            for name in ["single-move", "last-square", "corner"] {
                assert!(count(name).is_none_or(|count| count == 1), "{name} on {size}");
            }
            for name in ["must-pass", "column", "alone", "wiped-out", "full"] {
                assert!(count(name).is_none_or(|count| count == 0), "{name} on {size}");
            }
            assert!(count("long-line") >= Some(1) && count("many-moves") > Some(3), "{size}");
            let names: std::collections::BTreeSet<_> = cases.iter().map(|case| case.name).collect();
            assert_eq!(names.len(), cases.len());
            assert!(cases.iter().any(|case| case.position.turn() == Color::White));
        }
        let eight = cases(Size::EIGHT);
        assert_eq!(eight.len(), 15, "nothing is missing on the usual board");
        let star = eight.iter().find(|case| case.name == "star").unwrap();
        let turned = star.position.flips("d4".parse().unwrap()).len();
        assert_eq!(turned, 16, "two in each of eight directions");
    }
}
