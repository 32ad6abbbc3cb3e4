//! Puzzles: positions in which one move is proved to be better than all others.
//!
//! A puzzle follows from its id: rule, size, level and a number, which is the
//! seed of a game between weak engines. A number whose game leads to no puzzle
//! stands for the next number that has one.

use super::searchers::Searchers;
use isrever_agent::{Agent, Limits};
use isrever_board::{Color, Game, Move, Rule, Size, Square};
use isrever_engine::{Level, Player, PlayerSettings};
use isrever_search::{Answer, Control, Goal};
use serde::Serialize;
use std::fmt;
use std::str::FromStr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use utoipa::ToSchema;

/// The levels of puzzles.
pub(crate) const LEVELS: (u8, u8) = (1, 3);

/// Numbers of puzzles.
pub(crate) const NUMBERS: (u32, u32) = (1, 1_000_000_000);

/// How many numbers to try for one puzzle; one in two or three has one.
const MOST_TRIES: u32 = 200;

/// How many puzzles to look at for one that decides the game.
const DECIDED_TRIES: u32 = 5;

/// By how many discs a move must be best if it does not decide who wins.
const MARGIN: i32 = 4;

/// The id of a puzzle.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Id {
    pub(crate) rule: Rule,
    pub(crate) size: Size,
    pub(crate) level: u8,
    pub(crate) number: u32,
}

/// Why the best move is best.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Aim {
    /// Only one move wins.
    Win,
    /// Only one move does not lose.
    Draw,
    /// One move is best by some discs.
    Margin,
}

/// A puzzle with its solution.
#[derive(Clone, Debug)]
pub(crate) struct Puzzle {
    pub(crate) id: Id,
    /// The game that led to the position.
    pub(crate) game: Game,
    pub(crate) aim: Aim,
    /// Every move's score, best first.
    pub(crate) scores: Vec<(Square, i32)>,
    /// The best moves of both sides to the end.
    pub(crate) line: Vec<Move>,
}

impl Aim {
    /// Why the first of the sorted `scores` is best; `None` if it is hardly better.
    fn of(scores: &[(Square, i32)]) -> Option<Aim> {
        match *scores {
            [(_, best), (_, next), ..] if best > 0 && next <= 0 => Some(Aim::Win),
            [(_, best), (_, next), ..] if best == 0 && next < 0 => Some(Aim::Draw),
            [(_, best), (_, next), _, ..] if best - next >= MARGIN => Some(Aim::Margin),
            _ => None,
        }
    }
}

impl Id {
    /// The number of empty squares.
    fn empties(self) -> u32 {
        let least = match self.size {
            Size::FOUR => 5,
            Size::SIX => 7,
            _ => 8,
        };
        least + 2 * u32::from(self.level - 1)
    }

    fn next(self) -> Id {
        let (least, most) = NUMBERS;
        Id { number: if self.number >= most { least } else { self.number + 1 }, ..self }
    }
}

/// Writes `r8-1-4711`: rule and size, level, number.
impl fmt::Display for Id {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let rule = match self.rule {
            Rule::Reversed => 'r',
            Rule::Normal => 'n',
        };
        write!(f, "{rule}{}-{}-{}", self.size, self.level, self.number)
    }
}

impl FromStr for Id {
    type Err = ();

    fn from_str(text: &str) -> Result<Id, ()> {
        let mut parts = text.splitn(3, '-');
        let kind = parts.next().ok_or(())?;
        let mut number = || parts.next()?.parse::<u32>().ok();
        let (level, number) = (number().ok_or(())?, number().ok_or(())?);
        let (rule, size) = match kind.as_bytes() {
            [rule, size] => (rule, size - b'0'.min(*size)),
            _ => return Err(()),
        };
        let rule = match rule {
            b'r' => Rule::Reversed,
            b'n' => Rule::Normal,
            _ => return Err(()),
        };
        let size = Size::BITS.into_iter().find(|bits| bits.width() == size).ok_or(())?;
        let level = u8::try_from(level).map_err(|_| ())?;
        let is_known =
            (LEVELS.0..=LEVELS.1).contains(&level) && (NUMBERS.0..=NUMBERS.1).contains(&number);
        let id = Id { rule, size, level, number };
        // Each puzzle has one name: no signs, no leading zeros.
        if is_known && id.to_string() == text { Ok(id) } else { Err(()) }
    }
}

/// The puzzle of `id`, or the next one; `None` if it was stopped.
pub(crate) fn find(mut id: Id, searchers: &Searchers, stop: &Arc<AtomicBool>) -> Option<Puzzle> {
    for _ in 0..MOST_TRIES {
        if stop.load(Relaxed) {
            return None;
        }
        if let Some(puzzle) = make(id, searchers, stop) {
            return Some(puzzle);
        }
        id = id.next();
    }
    None
}

/// The puzzle of `id` or one of the next, if possible one whose best move decides who wins.
///
/// Where it is stopped, or there is none nearby, a puzzle that is only about discs will do.
pub(crate) fn choose(id: Id, searchers: &Searchers, stop: &Arc<AtomicBool>) -> Option<Puzzle> {
    let first = find(id, searchers, stop)?;
    let mut next = first.clone();
    for _ in 0..DECIDED_TRIES {
        if next.aim != Aim::Margin {
            return Some(next);
        }
        match find(next.id.next(), searchers, stop) {
            Some(puzzle) => next = puzzle,
            None => break,
        }
    }
    Some(first)
}

/// The puzzle after `id`.
pub(crate) fn after(id: Id) -> Id {
    id.next()
}

/// The puzzle of exactly this number, if there is one.
fn make(id: Id, searchers: &Searchers, stop: &Arc<AtomicBool>) -> Option<Puzzle> {
    let game = play(id)?;
    let board = game.position().board()?;
    let mut searcher = searchers.lend(id.rule, id.size);
    let answers = searcher.search_moves(board, Goal::Exact, Control { stop, ..Control::NONE });
    if answers.len() != game.position().moves().len() {
        return None;
    }
    let line = answers.first()?.pv.clone();
    let scores: Vec<(Square, i32)> = answers.iter().filter_map(Answer::scored_square).collect();
    let aim = Aim::of(&scores)?;
    Some(Puzzle { id, game, aim, scores, line })
}

/// A game between weak engines up to the position of the puzzle, if it gets there.
fn play(id: Id) -> Option<Game> {
    // Weak but not random play leads to positions like those of people.
    let level = Level::new(6 + id.level)?;
    let player = |color: u64| {
        let seed = u64::from(id.number) << 1 | color;
        let (strength, hash_bytes) = (level.strength(), 1 << 20);
        Player::new(PlayerSettings { strength, seed, hash_bytes, ..PlayerSettings::default() })
    };
    let mut players = [player(0), player(1)];
    let mut game = Game::new(id.rule, id.size);
    while game.position().empties() > id.empties() {
        if game.is_over() {
            return None;
        }
        if game.position().must_pass() {
            game.play(Move::Pass).ok()?;
            continue;
        }
        let turn = usize::from(game.position().turn() == Color::White);
        let choice = players[turn].choose(&game, &Limits::default()).ok()?;
        game.place(choice.square).ok()?;
    }
    let is_choice = game.position().moves().len() >= 2;
    (is_choice && !game.is_over()).then_some(game)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_survive_their_names() {
        let id = Id { rule: Rule::Reversed, size: Size::EIGHT, level: 2, number: 4_711 };
        assert_eq!(id.to_string(), "r8-2-4711");
        assert_eq!("r8-2-4711".parse(), Ok(id));
        for text in [
            "",
            "r8",
            "r8-2",
            "r8-0-1",
            "r8-4-1",
            "r8-1-0",
            "x8-1-1",
            "r5-1-1",
            "r8-1-01",
            "r8-1-+1",
            "r8-1-1-1",
            "r8-1-99999999999",
            "é8-1-1",
            "r10-1-1",
        ] {
            assert_eq!(text.parse::<Id>(), Err(()), "{text}");
        }
    }

    #[test]
    fn the_first_is_best_for_a_reason() {
        let of = |scores: &[i32]| {
            let square = "a1".parse().unwrap();
            Aim::of(&scores.iter().map(|&score| (square, score)).collect::<Vec<_>>())
        };
        assert_eq!(of(&[2, 0]), Some(Aim::Win));
        assert_eq!(of(&[0, -2]), Some(Aim::Draw));
        assert_eq!(of(&[8, 4, 2]), Some(Aim::Margin));
        assert_eq!(of(&[8, 6]), None);
        assert_eq!(of(&[8]), None);
        assert_eq!(of(&[-8, -8, -10]), None);
    }

    #[test]
    fn a_puzzle_that_decides_the_game_is_chosen_before_others() {
        let searchers = Searchers::default();
        let mut decided = 0;
        for number in 1..=6 {
            let id = Id { rule: Rule::Reversed, size: Size::FOUR, level: 1, number: number * 100 };
            let chosen = choose(id, &searchers, &Arc::default()).unwrap();
            let found = find(id, &searchers, &Arc::default()).unwrap();
            // The first that decides, or the very first.
            let is_kept = chosen.id == found.id;
            assert!(is_kept || (found.aim == Aim::Margin && chosen.aim != Aim::Margin));
            decided += u32::from(chosen.aim != Aim::Margin);
        }
        assert!(decided >= 4, "{decided} of 6");
        let stopped = Arc::new(AtomicBool::new(true));
        let id = "r4-1-1".parse().unwrap();
        assert!(choose(id, &searchers, &stopped).is_none());
    }

    #[test]
    fn a_puzzle_is_the_same_again_and_has_one_best_move() {
        let searchers = Searchers::default();
        for (text, empties) in [("r8-1-1", 8), ("n6-1-5", 7), ("r4-1-9", 5)] {
            let id: Id = text.parse().unwrap();
            let puzzle = find(id, &searchers, &Arc::default()).unwrap();
            assert_eq!(puzzle.game.position().empties(), empties);
            assert!(puzzle.scores[0].1 > puzzle.scores[1].1);
            assert_eq!(puzzle.line[0], Move::Place(puzzle.scores[0].0));
            let again = find(puzzle.id, &searchers, &Arc::default()).unwrap();
            assert_eq!(
                (again.id, again.game, again.scores),
                (puzzle.id, puzzle.game, puzzle.scores)
            );
        }
    }
}
