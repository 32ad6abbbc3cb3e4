//! The clocks of both sides by the rules of Go: a main time, then byo-yomi.

use isrever_agent::GameClock;
use isrever_board::Color;
use std::time::Duration;

/// What was agreed on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Terms {
    main: Duration,
    /// What there is for every so many moves once the main time is used up.
    period: Duration,
    moves: u32,
}

/// What one side has left.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Left {
    time: Duration,
    /// The moves it must last for; 0 while it is the main time.
    moves: u32,
}

/// The clocks of both sides, black's first.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Clocks {
    terms: Option<Terms>,
    left: [Option<Left>; 2],
}

impl Clocks {
    /// What `time_settings` agrees on. A period for no moves means that there is no limit.
    pub(super) fn agree(main: Duration, period: Duration, moves: u32) -> Clocks {
        if !period.is_zero() && moves == 0 {
            return Clocks::default();
        }
        let mut clocks = Clocks { terms: Some(Terms { main, period, moves }), left: [None; 2] };
        clocks.begin();
        clocks
    }

    /// A new game begins.
    pub(super) fn begin(&mut self) {
        let first = self.terms.map(|terms| match terms.main.is_zero() && terms.moves > 0 {
            true => Left { time: terms.period, moves: terms.moves },
            false => Left { time: terms.main, moves: 0 },
        });
        self.left = [first; 2];
    }

    /// What `time_left` says of `color`.
    pub(super) fn set(&mut self, color: Color, time: Duration, moves: u32) {
        self.left[side(color)] = Some(Left { time, moves });
    }

    /// `color` has thought for so long about a move.
    pub(super) fn spend(&mut self, color: Color, time: Duration) {
        let terms = self.terms;
        let Some(left) = &mut self.left[side(color)] else { return };
        let over = time.saturating_sub(left.time);
        left.time = left.time.saturating_sub(time);
        match terms.filter(|terms| terms.moves > 0) {
            // The main time is over, and the move is the first of a period.
            Some(terms) if left.moves == 0 && left.time.is_zero() => {
                let time = terms.period.saturating_sub(over);
                *left = Left { time, moves: terms.moves - 1 };
                if left.moves == 0 {
                    *left = Left { time: terms.period, moves: terms.moves };
                }
            }
            Some(terms) if left.moves == 1 => {
                *left = Left { time: terms.period, moves: terms.moves };
            }
            _ => left.moves = left.moves.saturating_sub(1),
        }
    }

    /// What `color` has left, if there is a limit.
    pub(super) fn left(&self, color: Color) -> Option<GameClock> {
        let Left { time, moves } = self.left[side(color)]?;
        let has_periods = self.terms.is_some_and(|terms| terms.moves > 0);
        // A period comes after the main time, and is as good as an increment then.
        let increment = match self.terms {
            Some(terms) if has_periods && moves == 0 => terms.period / terms.moves,
            _ => Duration::ZERO,
        };
        let moves_left = (moves > 0).then_some(moves);
        Some(GameClock { remaining: time, increment, moves_left })
    }
}

fn side(color: Color) -> usize {
    usize::from(color == Color::White)
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn seconds(seconds: u64) -> Duration {
        Duration::from_secs(seconds)
    }

    fn left(clocks: &Clocks, color: Color) -> Option<(u64, u64, Option<u32>)> {
        let GameClock { remaining, increment, moves_left } = clocks.left(color)?;
        Some((remaining.as_secs(), increment.as_secs(), moves_left))
    }

    #[test]
    fn time_is_spent_and_periods_begin_anew() {
        let mut clocks = Clocks::agree(seconds(60), seconds(0), 0);
        clocks.spend(Color::Black, seconds(25));
        assert_eq!(left(&clocks, Color::Black), Some((35, 0, None)));
        assert_eq!(left(&clocks, Color::White), Some((60, 0, None)));
        clocks.spend(Color::Black, seconds(50));
        assert_eq!(left(&clocks, Color::Black), Some((0, 0, None)));
        clocks.begin();
        assert_eq!(left(&clocks, Color::Black), Some((60, 0, None)));

        let mut clocks = Clocks::agree(seconds(10), seconds(30), 2);
        assert_eq!(left(&clocks, Color::Black), Some((10, 15, None)));
        clocks.spend(Color::Black, seconds(15));
        assert_eq!(left(&clocks, Color::Black), Some((25, 0, Some(1))));
        clocks.spend(Color::Black, seconds(5));
        assert_eq!(left(&clocks, Color::Black), Some((30, 0, Some(2))));
        let per_move = Clocks::agree(seconds(0), seconds(5), 1);
        assert_eq!(left(&per_move, Color::White), Some((5, 0, Some(1))));
    }

    #[test]
    fn what_the_other_side_says_counts_and_no_limit_is_none() {
        let mut clocks = Clocks::agree(seconds(0), seconds(9), 0);
        assert_eq!(left(&clocks, Color::Black), None);
        clocks.set(Color::Black, seconds(7), 0);
        clocks.set(Color::White, seconds(8), 3);
        assert_eq!(left(&clocks, Color::Black), Some((7, 0, None)));
        assert_eq!(left(&clocks, Color::White), Some((8, 0, Some(3))));
    }
}
