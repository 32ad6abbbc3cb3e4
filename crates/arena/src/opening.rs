//! Openings of games: the start, random moves, or positions from a file.

use isrever_agent::Rng;
use isrever_board::text::{self, Defaults, Format};
use isrever_board::{Color, Game, Position, Rule, Size, Symmetry};
use std::collections::HashSet;
use std::fmt;
use std::ops::RangeInclusive;
use std::str::FromStr;

/// Random openings are drawn until so many in a row were all known.
const MOST_REPEATS: u32 = 2_000;

/// The most random moves an opening may have.
const MOST_PLIES: u32 = 40;

/// Positions after eight moves of Reversed Reversi that a deep search calls level.
const BALANCED: &str = include_str!("../../../testdata/openings/reversed-8ply.txt");

/// Where openings come from.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Openings {
    /// The start position, always.
    Start,
    /// So many random moves from the start, none twice, images under the symmetries counted as one.
    Random(u32),
    /// Moves from the start that leave neither side ahead, in an order of the seed.
    Balanced,
    /// What a file holds, in turn.
    File(String),
}

impl Openings {
    /// The first `count` openings of `seed`, or all there are if those are fewer; they are to be
    /// played in turn. There are none if the board has no room for the moves. Those of a file are for who can read it.
    pub fn draw(&self, rule: Rule, size: Size, seed: u64, count: usize) -> Vec<Game> {
        match self {
            Openings::Start => vec![Game::new(rule, size)],
            Openings::Random(plies) => distinct(rule, size, seed, count, |_| *plies),
            Openings::Balanced => balanced(rule, seed, count),
            Openings::File(_) => Vec::new(),
        }
    }

    /// What is wrong with these openings under a rule on a board, if anything.
    pub fn check(&self, rule: Rule, size: Size) -> Result<(), String> {
        match self {
            Openings::Random(plies) if self.draw(rule, size, 1, 1).is_empty() => Err(format!(
                "no game on {size}x{size} goes on after {plies} moves; expected fewer, or start"
            )),
            Openings::Balanced if rule != Rule::Reversed || size != Size::EIGHT => {
                Err("balanced ones are for reversed on 8x8; expected those, or random:PLIES"
                    .to_owned())
            }
            _ => Ok(()),
        }
    }
}

/// `start`, `random:PLIES`, `balanced`, or the name of a file.
impl FromStr for Openings {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Openings, &'static str> {
        match text.split_once(':') {
            _ if text == "start" => Ok(Openings::Start),
            _ if text == "balanced" => Ok(Openings::Balanced),
            _ if text == "random" || text.is_empty() => {
                Err("no openings; expected start, random:PLIES, balanced or a file")
            }
            Some(("random", plies)) => match plies.parse() {
                Ok(plies) if (1..=MOST_PLIES).contains(&plies) => Ok(Openings::Random(plies)),
                _ => Err("not a number of moves; expected random:1 to random:40"),
            },
            _ => Ok(Openings::File(text.to_owned())),
        }
    }
}

impl fmt::Display for Openings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Openings::Start => f.write_str("start"),
            Openings::Random(plies) => write!(f, "random:{plies}"),
            Openings::Balanced => f.write_str("balanced"),
            Openings::File(name) => f.write_str(name),
        }
    }
}

/// Positions of random games, none twice, with so many empty squares: each draws a number of these.
pub fn random_positions(
    empties: RangeInclusive<u32>,
    rule: Rule,
    size: Size,
    seed: u64,
    count: usize,
) -> Vec<Game> {
    let first = size.cells() as u32 - 4;
    let plies = |rng: &mut Rng| {
        let spread = empties.end().saturating_sub(*empties.start()) + 1;
        first.saturating_sub(empties.start() + rng.below(spread))
    };
    distinct(rule, size, seed, count, plies)
}

/// So many of the balanced openings, shuffled.
fn balanced(rule: Rule, seed: u64, count: usize) -> Vec<Game> {
    let mut lines: Vec<&str> = BALANCED.lines().collect();
    Rng::game(seed, 0).shuffle(&mut lines);
    let defaults = Defaults { rule, size: Size::EIGHT };
    let game = |line: &&str| {
        let read = text::read(line.as_bytes(), Some(Format::Moves), defaults);
        read.expect("they are tested").swap_remove(0).game
    };
    lines.iter().take(count).map(game).collect()
}

/// Random games of so many moves, no two of which lead to the same.
fn distinct(
    rule: Rule,
    size: Size,
    seed: u64,
    count: usize,
    plies: impl Fn(&mut Rng) -> u32,
) -> Vec<Game> {
    let mut openings = Vec::new();
    let mut seen = HashSet::new();
    let mut repeats = 0;
    let mut numbers = 0..;
    while openings.len() < count && repeats < MOST_REPEATS {
        let number = numbers.next().expect("there is no end of numbers");
        let mut rng = Rng::game(seed, number);
        match one(plies(&mut rng), rule, size, &mut rng) {
            Some(game) if seen.insert(canonical(game.position())) => {
                openings.push(game);
                repeats = 0;
            }
            _ => repeats += 1,
        }
    }
    openings
}

/// A game of so many random moves, passes not counted, unless it is over then.
fn one(plies: u32, rule: Rule, size: Size, rng: &mut Rng) -> Option<Game> {
    let mut game = Game::new(rule, size);
    for _ in 0..plies {
        game.turn()?;
        let position = game.position();
        let position = if position.must_pass() { position.pass() } else { position.clone() };
        let moves = position.moves();
        game.place(rng.pick(&moves)).expect("the move is legal");
    }
    game.turn().map(|_| game)
}

/// The discs as the side to move sees them (its own, the other's, none), in the smallest of the
/// eight images: the same for all that is the same but for turning, mirroring and colours.
fn canonical(position: &Position) -> Vec<u8> {
    let size = position.size();
    let seen = |disc: Option<Color>| match disc {
        None => 0,
        Some(color) if color == position.turn() => 1,
        Some(_) => 2,
    };
    let image = |symmetry: Symmetry| -> Vec<u8> {
        let squares = size.squares().map(|square| symmetry.square(square, size));
        squares.map(|square| seen(position.disc(square))).collect()
    };
    Symmetry::ALL.into_iter().map(image).min().expect("there are eight")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn openings_differ_and_come_from_the_seed() {
        let draw = |seed| Openings::Random(8).draw(Rule::Reversed, Size::EIGHT, seed, 200);
        let openings = draw(1);
        assert_eq!(openings.len(), 200);
        let positions: HashSet<_> =
            openings.iter().map(|game| canonical(game.position())).collect();
        assert_eq!(positions.len(), 200);
        for game in &openings {
            assert_eq!(game.position().empties(), 52);
            assert!(game.turn().is_some());
        }
        assert_eq!(openings, draw(1));
        assert_ne!(openings, draw(2));
        let fewer = Openings::Random(8).draw(Rule::Reversed, Size::EIGHT, 1, 50);
        assert_eq!(fewer, openings[..50], "more openings begin with the same ones");
    }

    #[test]
    fn positions_have_the_empty_squares_asked_for() {
        let positions = random_positions(10..=14, Rule::Normal, Size::EIGHT, 3, 100);
        let empties: HashSet<u32> =
            positions.iter().map(|game| game.position().empties()).collect();
        assert_eq!((positions.len(), empties), (100, (10..=14).collect()));
    }

    #[test]
    fn symmetric_openings_are_one() {
        let count =
            |plies, size| Openings::Random(plies).draw(Rule::Reversed, size, 1, 1_000).len();
        // The four first moves are one; the second can be parallel, diagonal or perpendicular.
        assert_eq!([1, 2, 3].map(|plies| count(plies, Size::EIGHT)), [1, 3, 14]);
        assert_eq!(count(2, Size::new(10).unwrap()), 3);
        assert_eq!(count(40, Size::FOUR), 0, "no game is so long");
    }

    #[test]
    fn balanced_openings_differ_and_are_shuffled_by_the_seed() {
        let draw = |seed| Openings::Balanced.draw(Rule::Reversed, Size::EIGHT, seed, 1_000);
        let openings = draw(1);
        let positions: HashSet<_> =
            openings.iter().map(|game| canonical(game.position())).collect();
        assert_eq!((openings.len(), positions.len()), (600, 600));
        assert!(openings.iter().all(|game| game.ply() == 8 && game.turn().is_some()));
        assert_eq!((openings.clone(), openings == draw(2)), (draw(1), false));
        let few = Openings::Balanced.draw(Rule::Reversed, Size::EIGHT, 1, 20);
        assert_eq!(few, openings[..20], "more openings begin with the same ones");
    }

    #[test]
    fn openings_are_asked_for_by_words() {
        for text in ["start", "random:8", "balanced", "suite.txt", "a:b/c.ggf"] {
            assert_eq!(text.parse::<Openings>().unwrap().to_string(), text);
        }
        for text in ["", "random", "random:", "random:0", "random:41", "random:x"] {
            assert!(text.parse::<Openings>().is_err(), "{text}");
        }
    }
}
