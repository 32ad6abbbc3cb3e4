//! The standings and cross table of a tournament.

use crate::counts::Counts;
use crate::pairing::Outcome;
use crate::plan::POINTS;
use crate::ratings::Ratings;
use crate::repeats::{Repeats, Trace};
use isrever_agent::Reason;
use isrever_board::Color;
use std::collections::{HashMap, HashSet};

/// What all players did against all others.
#[derive(Clone, Debug)]
pub struct Standings {
    /// Of complete pairs: `table[a][b]` is what `a` did against `b`.
    table: Vec<Vec<Counts>>,
    /// The same of pairs that were not played before, move by move.
    fresh: Vec<Vec<Counts>>,
    /// What was played, by matchup, the smaller place first.
    repeats: HashMap<[usize; 2], Repeats>,
    /// Pairs of which one game is there.
    open: HashMap<u64, Outcome>,
    /// The games that differ from all others of the same players and colours.
    different: HashSet<([usize; 2], Trace)>,
    forfeits: Vec<[u64; Reason::ALL.len()]>,
}

impl Standings {
    /// Nobody has played yet.
    pub fn new(players: usize) -> Standings {
        let table = vec![vec![Counts::default(); players]; players];
        Standings {
            fresh: table.clone(),
            table,
            repeats: HashMap::new(),
            open: HashMap::new(),
            different: HashSet::new(),
            forfeits: vec![Default::default(); players],
        }
    }

    /// Adds a game, which was not added before.
    pub fn add(&mut self, outcome: &Outcome) {
        let Outcome { pair, players, score, forfeit, trace, .. } = *outcome;
        self.different.insert((players, trace));
        if let Some((color, reason)) = forfeit {
            let place = Reason::ALL.iter().position(|&known| known == reason);
            let forfeits = &mut self.forfeits[players[usize::from(color == Color::White)]];
            forfeits[place.expect("all reasons are listed")] += 1;
        }
        let Some(other) = self.open.remove(&pair) else {
            self.open.insert(pair, *outcome);
            return;
        };
        // Colours were swapped between the two.
        let [first, second] = other.players;
        let counts = Counts::of_pair([other.score, -score]);
        add_both(&mut self.table, first, second, counts);
        let mut traces = [other.trace, trace];
        if first > second {
            traces.reverse();
        }
        let matchup = [first.min(second), first.max(second)];
        if self.repeats.entry(matchup).or_default().add(traces) {
            add_both(&mut self.fresh, first, second, counts);
        }
    }

    /// How many games there are that differ from all others of the same players and colours.
    pub fn different(&self) -> u64 {
        self.different.len() as u64
    }

    /// The same of the games between two players.
    pub fn different_between(&self, one: usize, other: usize) -> u64 {
        let is_theirs = |players: [usize; 2]| players == [one, other] || players == [other, one];
        self.different.iter().filter(|(players, _)| is_theirs(*players)).count() as u64
    }

    /// What of the complete pairs says how sure one can be: each of them, unless the two play the
    /// same from the same opening; then none twice.
    pub fn evidence(&self, one: usize, other: usize) -> Counts {
        let repeats = self.repeats.get(&[one.min(other), one.max(other)]);
        let has_chance = repeats.is_some_and(Repeats::has_chance);
        let table = if has_chance { &self.table } else { &self.fresh };
        table[one][other]
    }

    /// The cross table of the evidence, games of open pairs included.
    pub fn evidence_table(&self) -> Vec<Vec<Counts>> {
        let players = 0..self.table.len();
        let row = |one| players.clone().map(|other| self.evidence(one, other)).collect();
        self.with_open(players.clone().map(row).collect())
    }

    /// The cross table, games of open pairs included: `table[a][b]` is what `a` did against `b`.
    pub fn table(&self) -> Vec<Vec<Counts>> {
        self.with_open(self.table.clone())
    }

    fn with_open(&self, mut table: Vec<Vec<Counts>>) -> Vec<Vec<Counts>> {
        for outcome in self.open.values() {
            let [black, white] = outcome.players;
            add_both(&mut table, black, white, Counts::of_game(outcome.score));
        }
        table
    }

    /// What `one` did against `other` in complete pairs.
    pub fn pairs(&self, one: usize, other: usize) -> Counts {
        self.table[one][other]
    }

    /// How often a player lost otherwise than by discs.
    pub fn forfeits(&self, player: usize) -> u64 {
        self.forfeits[player].iter().sum()
    }

    /// The same by reason, of those that there were.
    pub fn forfeits_by_reason(&self, player: usize) -> Vec<(Reason, u64)> {
        let counts = Reason::ALL.into_iter().zip(self.forfeits[player]);
        counts.filter(|(_, count)| *count > 0).collect()
    }

    /// The players with all that is known of them, the best rated first.
    pub fn rows(&self) -> Vec<Row> {
        let table = self.table();
        let ratings = Ratings::of(&self.evidence_table());
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
                forfeits: self.forfeits(player),
                rating: ratings.all()[player],
                over_next: below.map(|&below| ratings.superiority(player, below)),
            }
        };
        order.iter().enumerate().map(row).collect()
    }
}

/// Adds what `first` did against `second` to a cross table, seen from both sides.
fn add_both(table: &mut [Vec<Counts>], first: usize, second: usize, counts: Counts) {
    table[first][second] = table[first][second] + counts;
    table[second][first] = table[second][first] + counts.turned();
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
        let trace = Trace::of_line(&format!("f5d6c{number}"), 3, "over");
        Outcome { number, pair: number / 2, players, score, forfeit: None, trace }
    }

    /// A pair from an opening that `line` begins with, both games won by the first player.
    fn won_pair(standings: &mut Standings, pair: u64, line: &str) {
        for (number, players, score) in [(2 * pair, [0, 1], 4), (2 * pair + 1, [1, 0], -4)] {
            let trace = Trace::of_line(line, 1, "over");
            standings.add(&Outcome { trace, ..outcome(number, players, score) });
        }
    }

    #[test]
    fn the_same_game_again_makes_nobody_surer() {
        let mut once = Standings::new(2);
        won_pair(&mut once, 0, "f5d6c3");
        let mut often = once.clone();
        (1..20).for_each(|pair| won_pair(&mut often, pair, "f5d6c3"));
        assert_eq!((often.different(), often.pairs(0, 1).games()), (2, 40));
        assert_eq!(often.evidence(0, 1), once.evidence(0, 1));
        assert_eq!(often.rows()[0].rating, once.rows()[0].rating);
        assert_eq!(often.rows()[0].counts.wins, 40, "what was played is told");
        // From here on chance has a hand in it: all of them count.
        won_pair(&mut often, 20, "f5f6e6");
        assert_eq!(often.evidence(0, 1), often.pairs(0, 1));
        assert_eq!((often.different(), often.different_between(1, 0)), (4, 4));
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
        let last =
            Outcome { forfeit: Some((Color::White, Reason::Crash)), ..outcome(5, [2, 1], 64) };
        standings.add(&last);
        let rows = standings.rows();
        assert_eq!(rows.iter().map(|row| row.player).collect::<Vec<_>>(), [2, 1, 0]);
        assert_eq!(rows.iter().map(|row| row.points).collect::<Vec<_>>(), [15, 5, -20]);
        assert_eq!(rows.iter().map(|row| row.forfeits).collect::<Vec<_>>(), [0, 1, 0]);
        assert_eq!(standings.forfeits_by_reason(1), [(Reason::Crash, 1)]);
        assert!(rows[0].over_next.unwrap() > 0.5 && rows[2].over_next.is_none());
        assert!(Standings::new(0).rows().is_empty());
    }
}
