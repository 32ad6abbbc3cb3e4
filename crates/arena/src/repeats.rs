//! Finds games that repeat an earlier one move by move.
//!
//! Two agents without chance in them play the same game from the same opening
//! each time, and to play it again says nothing new. What is here finds such
//! games, so that they count once where it matters how sure one is. Where two
//! games from one opening differ, chance has a hand in it; then a repetition is
//! an observation as good as any other, and all of them count.

use crate::game::Played;
use isrever_board::text::write_moves;
use std::collections::{HashMap, HashSet};
use std::hash::{DefaultHasher, Hash, Hasher};

/// What tells a game from others, but for who played it: its opening, and all of it with its end.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Trace {
    opening: u64,
    whole: u64,
}

impl Trace {
    /// The trace of a game.
    pub fn of(played: &Played) -> Trace {
        let end = played.forfeit().map_or("over", |(_, forfeit)| forfeit.reason.word());
        Trace::of_line(&write_moves(&played.game, true), played.opening, end)
    }

    /// The same by the line that `write_moves` made of it, so many moves of which are the
    /// opening's, and the word for its end.
    pub fn of_line(line: &str, opening: usize, end: &str) -> Trace {
        let moves = line.rfind(' ').map_or(0, |space| space + 1);
        // A move begins with a letter, or is two strokes.
        let begins = |(place, byte): (usize, u8)| match byte {
            b'-' => (line.as_bytes()[moves..place].iter().rev())
                .take_while(|&&before| before == b'-')
                .count()
                .is_multiple_of(2),
            _ => byte.is_ascii_alphabetic(),
        };
        let mut starts =
            (moves..line.len()).filter(|&place| begins((place, line.as_bytes()[place])));
        let opening = starts.nth(opening).unwrap_or(line.len());
        Trace { opening: hash(&line[..opening]), whole: hash((line, end)) }
    }
}

fn hash(value: impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    value.hash(&mut hasher);
    hasher.finish()
}

/// What two players have played, pair by pair.
#[derive(Clone, Debug, Default)]
pub(crate) struct Repeats {
    seen: HashSet<[u64; 2]>,
    /// The first pair from each opening.
    firsts: HashMap<u64, [u64; 2]>,
    has_chance: bool,
}

impl Repeats {
    /// Notes a pair, its games in the order of the players who have black. Says whether it is new.
    pub(crate) fn add(&mut self, pair: [Trace; 2]) -> bool {
        let wholes = pair.map(|trace| trace.whole);
        let first = *self.firsts.entry(pair[0].opening).or_insert(wholes);
        self.has_chance |= first != wholes;
        self.seen.insert(wholes)
    }

    /// Whether two pairs from one opening were different.
    pub(crate) fn has_chance(&self) -> bool {
        self.has_chance
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn games_are_told_apart_by_opening_moves_and_end() {
        let trace = Trace::of_line("f5d6c3d3", 2, "over");
        assert_eq!(trace, Trace::of_line("f5d6c3d3", 2, "over"));
        let longer = Trace::of_line("f5d6c4", 2, "over");
        assert!(trace.opening == longer.opening && trace.whole != longer.whole);
        assert_ne!(trace.opening, Trace::of_line("f5f6c3d3", 2, "over").opening);
        assert_ne!(trace.whole, Trace::of_line("f5d6c3d3", 2, "time").whole);
        // Passes and two digits are one move each, and a board may come first.
        let wide = |line| Trace::of_line(line, 3, "over").opening;
        assert_eq!(wide("X-O- X a10--b2--c3"), wide("X-O- X a10--b2----"));
        assert_ne!(wide("X-O- X a10--b2"), wide("X-O- O a10--b2"));
    }

    #[test]
    fn chance_is_seen_where_one_opening_leads_to_different_games() {
        let pair = |line: &str| [Trace::of_line(line, 1, "over"), Trace::of_line("d3", 1, "over")];
        let mut repeats = Repeats::default();
        assert!(repeats.add(pair("f5d6")) && repeats.add(pair("d3c3")));
        assert!(!repeats.add(pair("f5d6")) && !repeats.has_chance());
        assert!(repeats.add(pair("f5f6")) && repeats.has_chance());
    }
}
