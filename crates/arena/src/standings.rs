//! The table of a tournament: who did what against whom.

use crate::counts::Counts;
use crate::plan::POINTS;
use crate::ratings::Ratings;
use isrever_board::Color;
use std::collections::HashMap;

/// A game as far as tables care.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Outcome {
    /// Its number in the tournament.
    pub number: u64,
    /// The pair of games that it belongs to.
    pub pair: u64,
    /// Who played black and who white.
    pub players: [usize; 2],
    /// What black won by.
    pub score: i32,
    /// Who lost it otherwise than by discs, if somebody did.
    pub forfeit: Option<Color>,
}

/// What all players did against all others.
#[derive(Clone, Debug)]
pub struct Standings {
    /// Of complete pairs: `table[a][b]` is what `a` did against `b`.
    table: Vec<Vec<Counts>>,
    /// Pairs of which one game is there: who played black and white, and black's score.
    open: HashMap<u64, ([usize; 2], i32)>,
    forfeits: Vec<u64>,
}

impl Standings {
    /// Nobody has played yet.
    pub fn new(players: usize) -> Standings {
        let table = vec![vec![Counts::default(); players]; players];
        Standings { table, open: HashMap::new(), forfeits: vec![0; players] }
    }

    /// Adds a game, which was not added before.
    pub fn add(&mut self, outcome: &Outcome) {
        let Outcome { pair, players, score, forfeit, .. } = *outcome;
        if let Some(color) = forfeit {
            self.forfeits[players[usize::from(color == Color::White)]] += 1;
        }
        match self.open.remove(&pair) {
            None => {
                self.open.insert(pair, (players, score));
            }
            Some(([first, second], other)) => {
                // Colours were swapped between the two.
                let counts = Counts::of_pair([other, -score]);
                self.table[first][second] = self.table[first][second] + counts;
                self.table[second][first] = self.table[second][first] + counts.turned();
            }
        }
    }

    /// The cross table, games of open pairs included: `table[a][b]` is what `a` did against `b`.
    pub fn table(&self) -> Vec<Vec<Counts>> {
        let mut table = self.table.clone();
        for &([black, white], score) in self.open.values() {
            let counts = Counts::of_game(score);
            table[black][white] = table[black][white] + counts;
            table[white][black] = table[white][black] + counts.turned();
        }
        table
    }

    /// What `one` did against `other` in complete pairs.
    pub fn pairs(&self, one: usize, other: usize) -> Counts {
        self.table[one][other]
    }

    /// How often a player lost otherwise than by discs.
    pub fn forfeits(&self, player: usize) -> u64 {
        self.forfeits[player]
    }

    /// The players with all that is known of them, the best rated first.
    pub fn rows(&self) -> Vec<Row> {
        let table = self.table();
        let ratings = Ratings::of(&table);
        let mut order: Vec<usize> = (0..table.len()).collect();
        let elo = |player: usize| ratings.all()[player].elo;
        order.sort_by(|&a, &b| elo(b).total_cmp(&elo(a)).then(a.cmp(&b)));
        let row = |(place, &player): (usize, &usize)| {
            let counts: Counts = table[player].iter().copied().sum();
            let below = order.get(place + 1);
            Row {
                player,
                counts,
                points: POINTS * counts.utility(),
                forfeits: self.forfeits[player],
                rating: ratings.all()[player],
                over_next: below.map(|&below| ratings.superiority(player, below)),
            }
        };
        order.iter().enumerate().map(row).collect()
    }
}

/// A player in the table.
#[derive(Clone, PartialEq, Debug)]
pub struct Row {
    /// Its place in the list of players.
    pub player: usize,
    /// What it did against all others.
    pub counts: Counts,
    /// Five for each game won, less five for each one lost.
    pub points: i64,
    /// How often it lost otherwise than by discs.
    pub forfeits: u64,
    /// How strong it is.
    pub rating: crate::Rating,
    /// How likely it is better than the next in the table.
    pub over_next: Option<f64>,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn outcome(number: u64, players: [usize; 2], score: i32) -> Outcome {
        Outcome { number, pair: number / 2, players, score, forfeit: None }
    }

    #[test]
    fn pairs_are_counted_when_they_are_complete_and_games_at_once() {
        let mut standings = Standings::new(3);
        standings.add(&outcome(0, [0, 1], 10));
        assert_eq!(standings.table()[0][1], Counts::of_game(10));
        assert_eq!(standings.table()[1][0], Counts::of_game(-10));
        standings.add(&outcome(3, [2, 1], -4));
        standings.add(&outcome(1, [1, 0], 6));
        assert_eq!(standings.table()[0][1], Counts::of_pair([10, -6]));
        assert_eq!(standings.table()[1][0], Counts::of_pair([-10, 6]));
        standings.add(&outcome(2, [1, 2], 2));
        // The game with white came first, the pair is the same.
        assert_eq!(standings.table()[1][2].pairs, [0, 0, 0, 0, 1]);
        assert_eq!(standings.table()[1][2].discs, 6);
    }

    #[test]
    fn the_best_comes_first() {
        let mut standings = Standings::new(3);
        for (number, players, score) in
            [(0, [0, 1], -2), (1, [1, 0], 2), (2, [0, 2], -2), (3, [2, 0], 2), (4, [1, 2], 0)]
        {
            standings.add(&outcome(number, players, score));
        }
        let last = Outcome { forfeit: Some(Color::White), ..outcome(5, [2, 1], 64) };
        standings.add(&last);
        let rows = standings.rows();
        assert_eq!(rows.iter().map(|row| row.player).collect::<Vec<_>>(), [2, 1, 0]);
        assert_eq!(rows.iter().map(|row| row.points).collect::<Vec<_>>(), [15, 5, -20]);
        assert_eq!(rows.iter().map(|row| row.forfeits).collect::<Vec<_>>(), [0, 1, 0]);
        assert!(rows[0].over_next.unwrap() > 0.5 && rows[2].over_next.is_none());
        assert!(Standings::new(0).rows().is_empty());
    }
}
