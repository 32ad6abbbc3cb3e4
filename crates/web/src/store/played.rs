//! How often moves were played in the games that are kept, whichever way the board was turned.
//!
//! The counts are made of the whole database when they are asked for the first
//! time, and follow every change from then on. They are in memory alone, so that
//! they are never out of step with the games.

use super::row::GameRow;
use isrever_board::{Board, Position, Rule, Size, Square};
use rusqlite::{Connection, Row};
use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Moves are counted from positions with fewer discs than this many and four: later ones hardly ever
/// come again.
pub(crate) const MOST_MOVES: usize = 30;

/// The counts, once somebody has asked for them. Clones share them.
#[derive(Clone, Default)]
pub(super) struct Played(Arc<Mutex<Option<Counts>>>);

/// How many games have made a step.
pub(super) type Counts = HashMap<Step, u32>;

/// A move from one position to another, both in canonical form, as a hash.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Step(u64);

/// What a change of a game changes in the counts.
#[derive(Default)]
pub(super) struct Difference {
    before: Vec<Step>,
    after: Vec<Step>,
}

impl Step {
    /// The step from a position to the next one.
    pub(crate) fn new(rule: Rule, size: Size, from: Board, to: Board) -> Step {
        Step::of(rule, size, from.canonical(size).0, to.canonical(size).0)
    }

    fn of(rule: Rule, size: Size, from: Board, to: Board) -> Step {
        // Odd, so that nothing of the first hash is lost.
        const FACTOR: u64 = 0x9e37_79b9_7f4a_7c15;
        let kind = u64::from(size.width()) << 1 | u64::from(rule == Rule::Normal);
        Step((from.hash() ^ kind).wrapping_mul(FACTOR) ^ to.hash())
    }
}

impl Difference {
    /// What the counts lose with `before` and gain with `after`.
    pub(super) fn new(before: Option<&GameRow>, after: Option<&GameRow>) -> Difference {
        let steps = |row: Option<&GameRow>| row.map(steps_of).unwrap_or_default();
        Difference { before: steps(before), after: steps(after) }
    }
}

impl Played {
    /// The counts, for as long as nobody else needs them.
    pub(super) fn lock(&self) -> MutexGuard<'_, Option<Counts>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// How many games have made each of `steps`, by counts that are made now if there are none.
pub(super) fn counts(
    counts: &mut Option<Counts>,
    connection: &Connection,
    steps: &[Step],
) -> rusqlite::Result<Vec<u32>> {
    let counts = match counts {
        Some(counts) => counts,
        none => none.insert(counted(connection)?),
    };
    Ok(steps.iter().map(|step| counts.get(step).copied().unwrap_or(0)).collect())
}

/// Takes over what has changed.
pub(super) fn apply(counts: &mut Counts, difference: Difference) {
    let Difference { before, after } = difference;
    for step in before {
        if let Some(count) = counts.get_mut(&step) {
            *count -= 1;
            if *count == 0 {
                counts.remove(&step);
            }
        }
    }
    for step in after {
        *counts.entry(step).or_default() += 1;
    }
}

/// The counts of all games.
fn counted(connection: &Connection) -> rusqlite::Result<Counts> {
    let mut statement = connection.prepare("SELECT rule, size, start, moves FROM game")?;
    let read = |row: &Row<'_>| -> rusqlite::Result<Vec<Step>> {
        let text = |column| row.get_ref(column)?.as_str_or_null().map_err(rusqlite::Error::from);
        let rule = if text(0)? == Some("normal") { Rule::Normal } else { Rule::Reversed };
        Ok(steps(rule, row.get(1)?, text(2)?, text(3)?.unwrap_or_default()))
    };
    let mut counts = Counts::new();
    for after in statement.query_map([], read)? {
        apply(&mut counts, Difference { before: Vec::new(), after: after? });
    }
    Ok(counts)
}

fn steps_of(row: &GameRow) -> Vec<Step> {
    steps(row.rule, row.size, row.start.as_deref(), &row.moves)
}

/// The first steps of a game as it is saved.
fn steps(rule: Rule, width: u8, start: Option<&str>, moves: &str) -> Vec<Step> {
    let mut steps = Vec::new();
    let Some((mut board, size)) = first(width, start) else { return steps };
    let mut from = board.canonical(size).0;
    for word in moves.split(',').filter(|word| !word.is_empty()) {
        if (board.player | board.opponent).count_ones() as usize >= MOST_MOVES + 4 {
            break;
        }
        let Ok(square) = word.parse::<Square>() else {
            board = board.pass();
            from = board.canonical(size).0;
            continue;
        };
        // What is saved is legal; whatever else there may be is not counted.
        let Some(next) = board.play(square, size) else { break };
        let to = next.canonical(size).0;
        steps.push(Step::of(rule, size, from, to));
        (board, from) = (next, to);
    }
    steps
}

/// The position that a game began with.
fn first(width: u8, start: Option<&str>) -> Option<(Board, Size)> {
    let Some(text) = start else {
        let size = Size::new(width.into()).ok().filter(|size| size.has_bits())?;
        return Some((Board::start(size), size));
    };
    let position: Position = text.parse().ok()?;
    Some((position.board()?, position.size()))
}

#[cfg(test)]
mod tests {
    use super::*;

    const RULE: Rule = Rule::Reversed;

    fn step(moves: &str, square: &str) -> Step {
        let size = Size::EIGHT;
        let play = |board: Board, word: &str| board.play(word.parse().unwrap(), size).unwrap();
        let words = moves.split(',').filter(|word| !word.is_empty());
        let from = words.fold(Board::start(size), play);
        Step::new(RULE, size, from, play(from, square))
    }

    #[test]
    fn games_count_once_however_the_board_is_turned() {
        let mut counts = Counts::new();
        let game =
            |moves| Difference { after: steps(RULE, 8, None, moves), ..Difference::default() };
        for moves in ["f5,d6,c3", "c4,e3,f6", "d3,c5", "f5,f6", ""] {
            apply(&mut counts, game(moves));
        }
        assert_eq!(counts[&step("", "e6")], 4);
        assert_eq!(counts[&step("f5", "d6")], 3, "perpendicular");
        assert_eq!(counts[&step("f5", "f6")], 1, "diagonal");
        assert_eq!(counts.get(&step("f5", "f4")), None);
        let other = Step::new(Rule::Normal, Size::EIGHT, Board::start(Size::EIGHT), {
            Board::start(Size::EIGHT).play("f5".parse().unwrap(), Size::EIGHT).unwrap()
        });
        assert_eq!(counts.get(&other), None, "the other rule is another game");
        let (before, after) = (steps(RULE, 8, None, "f5,f6"), steps(RULE, 8, None, "f5,f4"));
        apply(&mut counts, Difference { before, after });
        assert_eq!(counts.get(&step("f5", "f6")), None);
        assert_eq!((counts[&step("f5", "f4")], counts[&step("", "f5")]), (1, 4));
    }

    #[test]
    fn what_cannot_be_read_is_not_counted() {
        assert_eq!(steps(RULE, 10, None, "f5"), []);
        assert_eq!(steps(RULE, 8, Some("nonsense"), "f5"), []);
        assert_eq!(steps(RULE, 8, None, "f5,a1,d6").len(), 1);
        // White cannot move, and Black goes on.
        let passed = steps(RULE, 4, Some("XO-------------- O"), "pass,c1");
        assert_eq!(passed.len(), 1);
    }
}
