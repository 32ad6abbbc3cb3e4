//! Rock, paper, scissors: players that beat each other in a circle.
//!
//! That beating is not transitive is a theorem of report 000 (2.2.2); here is
//! how to find an example in a finished tournament, and how sure one can be.

use crate::counts::Counts;

/// Three players, each of which beat the next and the last the first.
#[derive(Clone, PartialEq, Debug)]
pub struct Circle {
    /// Their places in the table; the first is the smallest.
    pub players: [usize; 3],
    /// How each of them did against the next.
    pub counts: [Counts; 3],
    /// How likely it is that all three are better than the next, from 0 to 1.
    pub likelihood: f64,
    /// How likely chance alone would show something so clear somewhere in the table, at most: the
    /// weakest link's error, times the number of circles there could be.
    pub chance: f64,
}

/// The circles of a cross table in which each player is better than the next with at least this
/// likelihood, surest first. `table[a][b]` is what `a` did against `b`.
pub fn circles(table: &[Vec<Counts>], level: f64) -> Vec<Circle> {
    let players = table.len();
    let possible = players * players.saturating_sub(1) * players.saturating_sub(2) / 3;
    let beats = |a: usize, b: usize| {
        table[a][b].score() > 0.5 && table[a][b].superiority() >= level && a != b
    };
    let mut circles = Vec::new();
    for a in 0..players {
        for b in (a + 1)..players {
            for c in (a + 1)..players {
                if b == c || !(beats(a, b) && beats(b, c) && beats(c, a)) {
                    continue;
                }
                let counts = [table[a][b], table[b][c], table[c][a]];
                let sure = counts.map(|counts| counts.superiority());
                let weakest = sure.into_iter().fold(1.0, f64::min);
                circles.push(Circle {
                    players: [a, b, c],
                    counts,
                    likelihood: sure.iter().product(),
                    chance: (possible as f64 * (1.0 - weakest)).min(1.0),
                });
            }
        }
    }
    circles.sort_by(|one, other| other.likelihood.total_cmp(&one.likelihood));
    circles
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A table of four players; those named beat each other clearly, all others are level.
    fn table(beats: &[(usize, usize, u64)]) -> Vec<Vec<Counts>> {
        let level = Counts { wins: 10, losses: 10, pairs: [0, 0, 10, 0, 0], ..Counts::default() };
        let mut table = vec![vec![level; 4]; 4];
        for &(a, b, more) in beats {
            let pairs = [10, 0, 10, 0, 10 + more];
            let counts = Counts { wins: 30 + 2 * more, losses: 30, pairs, ..Counts::default() };
            (table[a][b], table[b][a]) = (counts, counts.turned());
        }
        table
    }

    #[test]
    fn circles_are_found_once_and_the_surest_first() {
        let found = circles(&table(&[(0, 2, 50), (2, 1, 50), (1, 0, 50)]), 0.95);
        assert_eq!(found.iter().map(|circle| circle.players).collect::<Vec<_>>(), [[0, 2, 1]]);
        assert!(found[0].likelihood > 0.99 && found[0].chance < 0.01, "{found:?}");
        let two = table(&[(0, 2, 20), (2, 1, 20), (1, 0, 20), (3, 0, 60), (2, 3, 60)]);
        let players: Vec<_> = circles(&two, 0.95).iter().map(|circle| circle.players).collect();
        assert_eq!(players, [[0, 2, 3], [0, 2, 1]]);
    }

    #[test]
    fn what_is_no_circle_or_not_sure_is_none() {
        assert_eq!(circles(&table(&[(0, 1, 50), (1, 2, 50), (0, 2, 50)]), 0.95), []);
        assert_eq!(circles(&table(&[(0, 1, 50), (1, 2, 50), (2, 0, 1)]), 0.95), []);
        assert_eq!(circles(&[], 0.95), []);
    }
}
