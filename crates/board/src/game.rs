//! A game: a start position and the moves played, with undo and redo.
//!
//! A game checks every move and never holds an illegal one. A pass is a move of
//! its own, and legal only when it is forced.

use crate::{Color, Position, Rule, Size, Square};
use std::fmt;

/// A move of one side.
///
/// ```
/// use isrever_board::Move;
///
/// assert_eq!(Move::Place("f5".parse()?).to_string(), "f5");
/// assert_eq!(Move::Pass.square(), None);
/// # Ok::<(), isrever_board::SquareError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Move {
    /// Places a disc.
    Place(Square),
    /// Passes, having no square to play on.
    Pass,
}

impl Move {
    /// The square played on, if any.
    pub const fn square(self) -> Option<Square> {
        match self {
            Move::Place(square) => Some(square),
            Move::Pass => None,
        }
    }
}

/// Writes the square, or `pass`.
impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Move::Place(square) => square.fmt(f),
            Move::Pass => f.write_str("pass"),
        }
    }
}

/// A game under one rule, with its history.
///
/// ```
/// use isrever_board::{Color, Game, Move, Rule, Size};
///
/// let mut game = Game::new(Rule::Reversed, Size::EIGHT);
/// game.place("f5".parse()?)?;
/// game.place("d6".parse()?)?;
/// assert_eq!(game.turn(), Some(Color::Black));
/// assert_eq!(game.undo(), Some(Move::Place("d6".parse()?)));
///
/// let error = game.place("a1".parse()?).unwrap_err();
/// assert!(error.to_string().contains("expected f4, d6 or f6"), "{error}");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Game {
    rule: Rule,
    /// The position before each move, and the one after the last: one more than moves.
    positions: Vec<Position>,
    moves: Vec<Move>,
    /// How many of the moves are played; the later ones are undone and can be redone.
    ply: usize,
}

impl Game {
    /// A new game from the start position.
    pub fn new(rule: Rule, size: Size) -> Game {
        Game::from_position(rule, Position::start(size))
    }

    /// A new game from any position.
    pub fn from_position(rule: Rule, position: Position) -> Game {
        Game { rule, positions: vec![position], moves: Vec::new(), ply: 0 }
    }

    /// The rule.
    pub fn rule(&self) -> Rule {
        self.rule
    }

    /// The width of the board.
    pub fn size(&self) -> Size {
        self.start().size()
    }

    /// The position the game began with.
    pub fn start(&self) -> &Position {
        &self.positions[0]
    }

    /// The position now.
    pub fn position(&self) -> &Position {
        &self.positions[self.ply]
    }

    /// The positions up to now, the start first and the present one last.
    pub fn positions(&self) -> &[Position] {
        &self.positions[..=self.ply]
    }

    /// The moves played up to now, passes included.
    pub fn moves(&self) -> &[Move] {
        &self.moves[..self.ply]
    }

    /// How many moves are played, passes included.
    pub fn ply(&self) -> usize {
        self.ply
    }

    /// The side to move, or `None` when the game is over.
    pub fn turn(&self) -> Option<Color> {
        (!self.position().is_over()).then(|| self.position().turn())
    }

    /// Whether neither side has a move.
    pub fn is_over(&self) -> bool {
        self.position().is_over()
    }

    /// The score of `color` by the present discs; the result of the game once it is over.
    pub fn score(&self, color: Color) -> i32 {
        self.position().score(self.rule, color)
    }

    /// Plays a move. Forgets the undone moves, unless the move is the first of them.
    pub fn play(&mut self, mv: Move) -> Result<(), IllegalMove> {
        let position = self.position();
        let next = match mv {
            Move::Place(square) => position.play(square),
            Move::Pass => position.must_pass().then(|| position.pass()),
        };
        let Some(next) = next else { return Err(IllegalMove::new(position, mv)) };
        if self.moves.get(self.ply) != Some(&mv) {
            self.moves.truncate(self.ply);
            self.positions.truncate(self.ply + 1);
            self.moves.push(mv);
            self.positions.push(next);
        }
        self.ply += 1;
        Ok(())
    }

    /// Places a disc, after the pass that the side to move may be forced to make first.
    ///
    /// Readers of transcripts without passes use it. On error nothing is played.
    pub fn place(&mut self, square: Square) -> Result<(), IllegalMove> {
        if !self.position().must_pass() {
            return self.play(Move::Place(square));
        }
        let passed = self.position().pass();
        if passed.play(square).is_none() {
            return Err(IllegalMove::new(&passed, Move::Place(square)));
        }
        self.play(Move::Pass)?;
        self.play(Move::Place(square))
    }

    /// Takes the last move back and returns it.
    pub fn undo(&mut self) -> Option<Move> {
        self.ply = self.ply.checked_sub(1)?;
        Some(self.moves[self.ply])
    }

    /// Plays the last undone move again and returns it.
    pub fn redo(&mut self) -> Option<Move> {
        let mv = *self.moves.get(self.ply)?;
        self.ply += 1;
        Some(mv)
    }
}

/// A move that the rules forbid.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IllegalMove {
    /// The move.
    pub mv: Move,
    /// The side that tried it.
    pub color: Color,
    /// Why it is forbidden.
    pub reason: IllegalReason,
    /// The legal squares; empty if the side must pass or the game is over.
    pub legal: Vec<Square>,
}

/// Why a move is forbidden.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IllegalReason {
    /// The game has ended.
    GameOver,
    /// The square is not on this board.
    OffBoard(Size),
    /// There is a disc already.
    Occupied,
    /// No disc would turn.
    TurnsNothing,
    /// The side has no legal square: it must pass.
    MustPass,
    /// The side has a legal square: it may not pass.
    MayNotPass,
}

impl IllegalMove {
    fn new(position: &Position, mv: Move) -> IllegalMove {
        let reason = match mv {
            _ if position.is_over() => IllegalReason::GameOver,
            Move::Pass => IllegalReason::MayNotPass,
            Move::Place(square) if !position.size().contains(square) => {
                IllegalReason::OffBoard(position.size())
            }
            Move::Place(square) if position.disc(square).is_some() => IllegalReason::Occupied,
            Move::Place(_) if position.must_pass() => IllegalReason::MustPass,
            Move::Place(_) => IllegalReason::TurnsNothing,
        };
        IllegalMove { mv, color: position.turn(), reason, legal: position.moves() }
    }
}

impl fmt::Display for IllegalMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let IllegalMove { mv, color, reason, legal } = self;
        match reason {
            IllegalReason::GameOver => {
                return write!(f, "{mv} comes after the end of the game; expected no more moves");
            }
            IllegalReason::OffBoard(size) => write!(f, "{mv} is off the {size}x{size} board")?,
            IllegalReason::Occupied => write!(f, "{mv} is occupied")?,
            IllegalReason::TurnsNothing => {
                write!(f, "{mv} is illegal: {color} turns no disc there")?;
            }
            IllegalReason::MustPass => write!(f, "{mv} is illegal: {color} has no move")?,
            IllegalReason::MayNotPass => write!(f, "{color} may not pass, having a move")?,
        }
        f.write_str("; expected ")?;
        match legal.split_last() {
            None => f.write_str("a pass"),
            Some((last, [])) => write!(f, "{last}"),
            Some((last, others)) => {
                let others: Vec<String> = others.iter().map(Square::to_string).collect();
                write!(f, "{} or {last}", others.join(", "))
            }
        }
    }
}

impl std::error::Error for IllegalMove {}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Draft;

    fn place(name: &str) -> Move {
        Move::Place(name.parse().unwrap())
    }

    /// White, to move, has no square; black then has one.
    fn white_must_pass() -> Game {
        let mut discs = vec![None; 16];
        discs[0] = Some(Color::Black);
        discs[1] = Some(Color::White);
        let draft = Draft { size: Size::FOUR, discs, turn: Color::White };
        Game::from_position(Rule::Reversed, draft.check().unwrap())
    }

    #[test]
    fn undo_and_redo_step_through_the_history() {
        let mut game = Game::new(Rule::Reversed, Size::EIGHT);
        game.play(place("f5")).unwrap();
        game.play(place("d6")).unwrap();
        let end = game.position().clone();
        assert_eq!(game.undo(), Some(place("d6")));
        assert_eq!(game.undo(), Some(place("f5")));
        assert_eq!(game.undo(), None);
        assert_eq!(game.position(), game.start());
        game.play(place("f5")).unwrap();
        assert_eq!(game.redo(), Some(place("d6")), "the same move keeps what followed it");
        assert_eq!(game.redo(), None);
        assert_eq!(game.position(), &end);
        game.undo();
        game.play(place("f6")).unwrap();
        assert_eq!(game.redo(), None, "another move forgets it");
        assert_eq!(game.positions().len(), 3);
    }

    #[test]
    fn a_forced_pass_is_played_or_implied() {
        let mut game = white_must_pass();
        assert!(game.position().must_pass());
        let mut implied = game.clone();
        game.play(Move::Pass).unwrap();
        game.play(place("c1")).unwrap();
        implied.place("c1".parse().unwrap()).unwrap();
        assert_eq!(game, implied);
        assert_eq!(game.turn(), None);
        assert_eq!(game.score(Color::White), 16, "wiped out: the perfect win");
    }

    #[test]
    fn illegal_moves_say_why_and_change_nothing() {
        let mut game = Game::new(Rule::Reversed, Size::EIGHT);
        let before = game.clone();
        for (mv, message) in [
            (place("d4"), "d4 is occupied; expected d3, c4, f5 or e6"),
            (place("a1"), "a1 is illegal: black turns no disc there; expected d3, c4, f5 or e6"),
            (place("a9"), "a9 is off the 8x8 board; expected d3, c4, f5 or e6"),
            (Move::Pass, "black may not pass, having a move; expected d3, c4, f5 or e6"),
        ] {
            assert_eq!(game.play(mv).unwrap_err().to_string(), message);
        }
        assert_eq!(game, before);

        let mut game = white_must_pass();
        let error = game.play(place("c1")).unwrap_err();
        assert_eq!(error.to_string(), "c1 is illegal: white has no move; expected a pass");
        let error = game.place("d4".parse().unwrap()).unwrap_err();
        assert_eq!(error.to_string(), "d4 is illegal: black turns no disc there; expected c1");
        assert_eq!(game.ply(), 0, "the implied pass was not played");
        game.place("c1".parse().unwrap()).unwrap();
        let error = game.play(Move::Pass).unwrap_err();
        assert_eq!(
            error.to_string(),
            "pass comes after the end of the game; expected no more moves"
        );
    }
}
