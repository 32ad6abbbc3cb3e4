//! The time left in a game, from its text and its moves.

use isrever_agent::GameClock;
use isrever_board::Color;
use isrever_board::text::Record;
use std::time::Duration;

/// The times of both sides.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Clocks {
    /// For black and for white; `None` if the game is not timed.
    times: [Option<Times>; 2],
    /// What black and white have used,
    used: [f64; 2],
    /// and the moves they have made.
    moves: [u32; 2],
}

/// How much time a side has, in seconds.
#[derive(Clone, Copy, PartialEq, Debug)]
struct Times {
    main: f64,
    increment: f64,
    /// What it has once more when the rest is used up.
    grace: f64,
}

impl Clocks {
    /// Of a game that is not timed.
    pub(super) const NONE: Clocks = Clocks { times: [None; 2], used: [0.0; 2], moves: [0; 2] };

    /// As the tags of a game and the notes beside its moves say.
    pub(super) fn of(record: &Record) -> Clocks {
        let times = |own: &str| {
            let text = record.tag(own).or_else(|| record.tag("TI"));
            text.and_then(Times::read)
        };
        let mut clocks = Clocks { times: [times("TB"), times("TW")], ..Clocks::NONE };
        for (ply, position) in record.game.positions().iter().take(record.game.ply()).enumerate() {
            let seconds = record.notes.get(ply).and_then(|note| note.seconds);
            clocks.moved(position.turn(), seconds);
        }
        clocks
    }

    /// `color` has made a move.
    pub(super) fn moved(&mut self, color: Color, seconds: Option<f64>) {
        self.used[side(color)] += seconds.unwrap_or(0.0);
        self.moves[side(color)] += 1;
    }

    /// What `color` has left, if the game is timed.
    pub(super) fn left(&self, color: Color) -> Option<GameClock> {
        let Times { main, increment, grace } = self.times[side(color)]?;
        let left = main + increment * f64::from(self.moves[side(color)]) - self.used[side(color)];
        // Who has used up all has its grace; beyond that every moment is too long.
        let left = if left > 0.0 { left } else { (left + grace).max(0.0) };
        let [remaining, increment] = [left, increment].map(Duration::from_secs_f64);
        Some(GameClock { remaining, increment, moves_left: None })
    }
}

impl Times {
    /// Reads `15:00//02:00`: the main time, the increment, the grace. Nothing or nonsense is no
    /// limit.
    fn read(text: &str) -> Option<Times> {
        let mut parts = text.split('/').map(seconds);
        let main = parts.next()??;
        let mut more = || parts.next().flatten().unwrap_or(0.0);
        let (increment, grace) = (more(), more());
        (main > 0.0).then_some(Times { main, increment, grace })
    }
}

/// Reads `1:15:00`, `15:00` or `900`. More than some days is no time for a game.
fn seconds(text: &str) -> Option<f64> {
    // A time may have moves and notes behind a comma.
    let text = text.split(',').next().unwrap_or(text).trim();
    let sum = text.split(':').try_fold(0.0, |sum, part| {
        let part: f64 = part.parse().ok()?;
        Some(sum * 60.0 + part)
    })?;
    (0.0..1e6).contains(&sum).then_some(sum)
}

fn side(color: Color) -> usize {
    usize::from(color == Color::White)
}

#[cfg(test)]
mod tests {
    use super::*;
    use isrever_board::text::{self, Defaults, Format};

    fn left(game: &str, color: Color) -> Option<[u64; 2]> {
        let record =
            &text::read(game.as_bytes(), Some(Format::Ggf), Defaults::default()).unwrap()[0];
        let clock = Clocks::of(record).left(color)?;
        Some([clock.remaining, clock.increment].map(|time| time.as_secs()))
    }

    #[test]
    fn what_is_left_is_what_there_was_less_what_was_used() {
        let game = |tags, moves| format!("(;GM[Othello]TY[8a]{tags}{moves};)");
        let moves = "B[F5//10]W[D6/1.5/20]B[C3//30]";
        let timed = game("TI[15:00]", moves);
        assert_eq!(left(&timed, Color::Black), Some([860, 0]));
        assert_eq!(left(&timed, Color::White), Some([880, 0]));
        let added = game("TI[01:00/5/2:00]", moves);
        assert_eq!(left(&added, Color::Black), Some([30, 5]));
        assert_eq!(left(&added, Color::White), Some([45, 5]));
        let grace = game("TI[0:30//2:00]", moves);
        assert_eq!(left(&grace, Color::Black), Some([110, 0]));
        assert_eq!(left(&game("TI[0:10]", moves), Color::Black), Some([0, 0]));
        assert_eq!(left(&game("TB[1:00]TW[1:00:00]", moves), Color::White), Some([3_580, 0]));
        for tags in ["", "TI[]", "TI[soon]", "TI[-5:00]", "TI[9999999:00]", "TI[NaN]"] {
            assert_eq!(left(&game(tags, moves), Color::Black), None, "{tags}");
        }
    }
}
