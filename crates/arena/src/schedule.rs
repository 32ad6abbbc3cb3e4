//! Decides which game comes next, by the results so far.
//!
//! Games are numbered; a number says who plays whom from which opening, in a
//! ladder once the matches before it are decided. Two games make a pair: the
//! same opening, colours swapped. Pairs go round all matchups in turn, so that
//! a table is balanced at any time. Whatever order games finish in, and
//! however often a tournament is taken up again, its decisions are the same:
//! they look at results by number, not by time.

use crate::pairing::{Outcome, Pairing};
use crate::plan::{Format, Plan};
use crate::repeats::{Repeats, Trace};
use crate::sprt::{Sprt, Verdict};
use std::collections::{BTreeMap, HashSet};

/// A test in which so many pairs in a row were played before, move by move, ends without a verdict.
const MOST_REPEATS: u64 = 20;

/// What to do next.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Next {
    /// Play this game.
    Play(Pairing),
    /// Wait for games that are being played: the next depends on them.
    Wait,
    /// There is nothing more to play.
    Nothing,
}

/// The games of a tournament: those finished, those given out, those to come.
#[derive(Clone, Debug)]
pub struct Schedule {
    format: Format,
    /// The matchups, in the order they are played; a ladder's grow as it is climbed.
    matchups: Vec<[usize; 2]>,
    pairs: u64,
    /// What black won by in each game that is finished.
    scores: BTreeMap<u64, i32>,
    /// What tells the games of a sequential test from each other.
    traces: BTreeMap<u64, Trace>,
    given_out: HashSet<u64>,
    /// The first number that may not be given out yet.
    cursor: u64,
    ladder: Option<Ladder>,
    test: Option<Test>,
}

/// The state of a ladder.
#[derive(Clone, Debug)]
struct Ladder {
    /// Players from the top down.
    order: Vec<usize>,
    /// Which rung challenges the one above, in this match.
    rung: usize,
    rounds_left: u64,
    is_over: bool,
}

/// The state of a sequential test.
#[derive(Clone, Debug)]
struct Test {
    sprt: Sprt,
    /// Pairs, from the first on, that are complete and counted.
    counted: u64,
    points: [u64; 5],
    /// The points of those that were not played before.
    fresh: [u64; 5],
    repeats: Repeats,
    /// How many of the last pairs were all played before.
    stale: u64,
    verdict: Verdict,
}

impl Test {
    /// The pairs that say something, by the first player's points.
    fn evidence(&self) -> [u64; 5] {
        if self.repeats.has_chance() { self.points } else { self.fresh }
    }

    /// Whether the same games are played over and over.
    fn is_stale(&self) -> bool {
        self.stale >= MOST_REPEATS && !self.repeats.has_chance()
    }

    fn is_over(&self) -> bool {
        self.verdict != Verdict::Open || self.is_stale()
    }
}

impl Schedule {
    /// A tournament of which nothing is played yet.
    pub fn new(plan: &Plan) -> Schedule {
        let players = plan.players.len();
        let all = || (0..players).flat_map(move |a| ((a + 1)..players).map(move |b| [a, b]));
        let matchups: Vec<[usize; 2]> = match plan.format {
            Format::RoundRobin => all().collect(),
            Format::Gauntlet => all().filter(|[first, _]| *first == 0).collect(),
            Format::Sprt => vec![[0, 1]],
            Format::Ladder | Format::Challenge => vec![[players - 1, players - 2]],
        };
        let ladder = matches!(plan.format, Format::Ladder | Format::Challenge).then(|| Ladder {
            order: (0..players).collect(),
            rung: players - 1,
            rounds_left: plan.rounds,
            is_over: false,
        });
        let test = (plan.format == Format::Sprt).then_some(Test {
            sprt: plan.sprt,
            counted: 0,
            points: [0; 5],
            fresh: [0; 5],
            repeats: Repeats::default(),
            stale: 0,
            verdict: Verdict::Open,
        });
        Schedule {
            format: plan.format,
            matchups,
            pairs: plan.pairs,
            scores: BTreeMap::new(),
            traces: BTreeMap::new(),
            given_out: HashSet::new(),
            cursor: 0,
            ladder,
            test,
        }
    }

    /// Gives out the next game that is neither finished nor given out.
    pub fn give_out(&mut self) -> Next {
        if self.test.as_ref().is_some_and(Test::is_over) {
            return Next::Nothing;
        }
        while self.cursor < self.known() {
            let number = self.cursor;
            self.cursor += 1;
            if !self.scores.contains_key(&number) && self.given_out.insert(number) {
                return Next::Play(self.pairing(number));
            }
        }
        match &self.ladder {
            Some(ladder) if !ladder.is_over => Next::Wait,
            _ => Next::Nothing,
        }
    }

    /// Notes how a game ended, and draws the conclusions.
    pub fn add(&mut self, outcome: &Outcome) {
        if self.test.is_some() {
            self.traces.insert(outcome.number, outcome.trace);
        }
        self.record(outcome.number, outcome.score);
    }

    /// The same if nothing is known of a game but what black won by: it is taken for a new one.
    pub fn record(&mut self, number: u64, black_score: i32) {
        self.scores.insert(number, black_score);
        self.given_out.remove(&number);
        self.count_pairs();
        while self.climb() {}
    }

    /// The game of this number.
    ///
    /// # Panics
    /// If it is not known yet.
    pub fn pairing(&self, number: u64) -> Pairing {
        let matchups = self.matchups.len() as u64;
        let pair = number / 2;
        // A ladder plays match after match; else pairs go round all matchups.
        let (matchup, opening) = match self.ladder {
            Some(_) => (pair / self.pairs, pair % self.pairs),
            None => (pair % matchups, pair / matchups),
        };
        let [first, second] = self.matchups[usize::try_from(matchup).expect("few matchups")];
        let players = if number.is_multiple_of(2) { [first, second] } else { [second, first] };
        Pairing { number, pair, players, opening }
    }

    /// How many games are known by number.
    fn known(&self) -> u64 {
        2 * self.pairs * self.matchups.len() as u64
    }

    /// How many games there are; at most, where that depends on results.
    pub fn most_games(&self) -> u64 {
        match &self.ladder {
            None => self.known(),
            Some(ladder) if ladder.is_over => self.known(),
            Some(ladder) => {
                let whole = ladder.order.len() as u64 - 1;
                let rounds =
                    if self.format == Format::Challenge { 0 } else { ladder.rounds_left - 1 };
                self.known() + 2 * self.pairs * (ladder.rung as u64 - 1 + rounds * whole)
            }
        }
    }

    /// How many games are finished.
    pub fn finished(&self) -> u64 {
        self.scores.len() as u64
    }

    /// Whether nothing is left to play.
    pub fn is_over(&self) -> bool {
        match (&self.ladder, &self.test) {
            (Some(ladder), _) => ladder.is_over,
            (_, Some(test)) if test.is_over() => true,
            _ => self.finished() >= self.known(),
        }
    }

    /// Whether a finished game counts: all but those of a sequential test that were being played
    /// when it was decided.
    pub fn counts(&self, number: u64) -> bool {
        let is_late = |test: &Test| test.is_over() && number / 2 >= test.counted;
        !self.test.as_ref().is_some_and(is_late)
    }

    /// What a sequential test says, if this is one.
    pub fn verdict(&self) -> Option<Verdict> {
        self.test.as_ref().map(|test| test.verdict)
    }

    /// The pairs that a sequential test goes by, by the first player's points.
    pub fn test_points(&self) -> Option<[u64; 5]> {
        self.test.as_ref().map(Test::evidence)
    }

    /// Whether a sequential test has ended because the same games are played over and over.
    pub fn is_stale(&self) -> bool {
        self.test.as_ref().is_some_and(|test| test.verdict == Verdict::Open && test.is_stale())
    }

    /// The players of a ladder from the top down.
    pub fn ladder(&self) -> Option<&[usize]> {
        self.ladder.as_ref().map(|ladder| ladder.order.as_slice())
    }

    /// The first player's points in a pair, from 0 to 4 halves, if both games are finished.
    fn pair_points(&self, pair: u64) -> Option<usize> {
        let [one, other] = [2 * pair, 2 * pair + 1].map(|number| self.scores.get(&number));
        let half_points = |score: i32| match score.signum() {
            1 => 2,
            0 => 1,
            _ => 0,
        };
        Some(half_points(*one?) + half_points(-*other?))
    }

    /// Goes on with a sequential test, pair by pair in the order of their numbers.
    fn count_pairs(&mut self) {
        let Some(mut test) = self.test.take() else { return };
        while !test.is_over() {
            let Some(points) = self.pair_points(test.counted) else { break };
            let traces = [0, 1].map(|game| self.traces.get(&(2 * test.counted + game)).copied());
            let is_new = match traces {
                [Some(one), Some(other)] => test.repeats.add([one, other]),
                _ => true,
            };
            test.points[points] += 1;
            test.fresh[points] += u64::from(is_new);
            test.stale = if is_new { 0 } else { test.stale + 1 };
            test.counted += 1;
            test.verdict = test.sprt.verdict(test.evidence());
        }
        self.test = Some(test);
    }

    /// Decides the last match of a ladder, if it is complete, and goes on to the next. Says
    /// whether it did.
    fn climb(&mut self) -> bool {
        let matches = self.matchups.len() as u64;
        let pairs = (matches - 1) * self.pairs..matches * self.pairs;
        let points: Option<usize> = pairs.clone().map(|pair| self.pair_points(pair)).sum();
        let Some(ladder) = self.ladder.as_mut().filter(|ladder| !ladder.is_over) else {
            return false;
        };
        let Some(points) = points else { return false };
        let has_won = points as u64 > 2 * self.pairs;
        if has_won {
            ladder.order.swap(ladder.rung, ladder.rung - 1);
        }
        ladder.rung -= 1;
        if self.format == Format::Challenge {
            ladder.is_over = !has_won || ladder.rung == 0;
        } else if ladder.rung == 0 {
            ladder.rounds_left -= 1;
            ladder.is_over = ladder.rounds_left == 0;
            ladder.rung = ladder.order.len() - 1;
        }
        if !ladder.is_over {
            self.matchups.push([ladder.order[ladder.rung], ladder.order[ladder.rung - 1]]);
        }
        !ladder.is_over
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::spec::Spec;

    fn schedule(format: Format, players: usize, pairs: u64) -> Schedule {
        let agents = vec!["random"; players];
        let format = Some(format.to_string());
        let spec = Spec { format, pairs: Some(pairs), rounds: Some(2), ..Spec::of(&agents) };
        Schedule::new(&spec.plan().unwrap())
    }

    fn pairing(next: Next) -> Pairing {
        match next {
            Next::Play(pairing) => pairing,
            _ => panic!("{next:?}"),
        }
    }

    /// Plays everything; the stronger player, of the larger number, wins by so much. The games.
    fn play_all(schedule: &mut Schedule) -> Vec<Pairing> {
        let mut games = Vec::new();
        loop {
            match schedule.give_out() {
                Next::Play(pairing) => {
                    let [black, white] =
                        pairing.players.map(|player| i32::try_from(player).unwrap());
                    schedule.record(pairing.number, 2 * (black - white));
                    games.push(pairing);
                }
                Next::Nothing => return games,
                Next::Wait => panic!("nothing is being played"),
            }
        }
    }

    #[test]
    fn everybody_meets_everybody_with_both_colours_and_the_same_openings() {
        let mut schedule = schedule(Format::RoundRobin, 4, 3);
        assert_eq!(schedule.most_games(), 36);
        let games = play_all(&mut schedule);
        assert_eq!(
            games.iter().map(|game| game.number).collect::<Vec<_>>(),
            (0..36).collect::<Vec<_>>()
        );
        for a in 0..4 {
            for b in (0..4).filter(|&b| b != a) {
                let met = games.iter().filter(|game| game.players == [a, b]);
                assert_eq!(met.map(|game| game.opening).collect::<Vec<_>>(), [0, 1, 2]);
            }
        }
        for pair in games.chunks(2) {
            assert_eq!((pair[0].pair, pair[0].opening), (pair[1].pair, pair[1].opening));
            assert_eq!(pair[0].players, [pair[1].players[1], pair[1].players[0]]);
        }
        assert!(schedule.is_over() && games[..12].iter().all(|game| game.opening == 0));
    }

    #[test]
    fn a_gauntlet_is_run_by_the_first() {
        let games = play_all(&mut schedule(Format::Gauntlet, 4, 2));
        assert_eq!(games.len(), 12);
        assert!(games.iter().all(|game| game.players.contains(&0)));
    }

    #[test]
    fn what_is_finished_is_not_given_out_again() {
        let mut schedule = schedule(Format::RoundRobin, 3, 2);
        for number in [0, 3, 11] {
            schedule.record(number, 2);
        }
        let first = pairing(schedule.give_out());
        assert_eq!((first.number, schedule.finished()), (1, 3));
        let rest = play_all(&mut schedule);
        assert_eq!(rest.len(), 8);
        assert!(!schedule.is_over(), "game 1 was given out and is not back");
        schedule.record(1, 0);
        assert!(schedule.is_over());
    }

    #[test]
    fn the_best_climbs_a_ladder_from_the_bottom_to_the_top() {
        let mut schedule = schedule(Format::Ladder, 4, 1);
        assert_eq!(schedule.most_games(), 12);
        let games = play_all(&mut schedule);
        // Player 3 beats 2, 1 and 0; then, in the second round, 2 challenges 1 and so on.
        let firsts: Vec<[usize; 2]> = games.iter().step_by(2).map(|game| game.players).collect();
        assert_eq!(firsts, [[3, 2], [3, 1], [3, 0], [2, 1], [2, 0], [2, 3]]);
        assert_eq!(schedule.ladder(), Some(&[3, 2, 0, 1][..]));
        assert_eq!((schedule.is_over(), schedule.most_games()), (true, 12));
    }

    #[test]
    fn a_ladder_waits_for_its_match_and_resumes_anywhere() {
        let mut whole = schedule(Format::Ladder, 3, 2);
        let games = play_all(&mut whole);
        for cut in 0..games.len() {
            let mut again = schedule(Format::Ladder, 3, 2);
            // Finished games come back in any order.
            for game in games[..cut].iter().rev() {
                again.record(game.number, whole.scores[&game.number]);
            }
            assert_eq!(play_all(&mut again), games[cut..], "{cut}");
            assert_eq!(again.ladder(), whole.ladder());
        }
        let mut waiting = schedule(Format::Ladder, 3, 1);
        let [one, two] = [pairing(waiting.give_out()), pairing(waiting.give_out())];
        assert_eq!((one.pair, two.pair, waiting.give_out()), (0, 0, Next::Wait));
        waiting.record(0, 2);
        assert_eq!(waiting.give_out(), Next::Wait);
        waiting.record(1, 0);
        assert_eq!(pairing(waiting.give_out()).players, [2, 0]);
    }

    #[test]
    fn a_challenger_goes_on_until_it_does_not_win() {
        let mut schedule = schedule(Format::Challenge, 4, 1);
        let mut matches = Vec::new();
        while let Next::Play(game) = schedule.give_out() {
            // It beats 2 and draws with 1.
            let score = match game.players {
                [3, 2] => 4,
                [2, 3] => -4,
                _ => 0,
            };
            schedule.record(game.number, score);
            matches.push(game.players);
        }
        assert_eq!(matches, [[3, 2], [2, 3], [3, 1], [1, 3]]);
        assert_eq!(schedule.ladder(), Some(&[0, 1, 3, 2][..]));
        assert!(schedule.is_over());
    }

    #[test]
    fn a_test_ends_by_its_first_pairs_whatever_order_they_finish_in() {
        let mut in_order = schedule(Format::Sprt, 2, 1_000);
        let score = |number: u64| if number.is_multiple_of(7) { -2 } else { 2 } * if number.is_multiple_of(2) { 1 } else { -1 };
        while let Next::Play(game) = in_order.give_out() {
            in_order.record(game.number, score(game.number));
        }
        assert_eq!(in_order.verdict(), Some(Verdict::Accepted));
        let played = in_order.finished();
        assert!(played > 20 && played < 2_000, "{played}");
        let mut mixed = schedule(Format::Sprt, 2, 1_000);
        for number in (0..played + 10).rev() {
            mixed.record(number, score(number));
        }
        assert_eq!(mixed.test_points(), in_order.test_points());
        assert_eq!((mixed.verdict(), mixed.give_out()), (Some(Verdict::Accepted), Next::Nothing));
        assert!(mixed.counts(played - 1) && !mixed.counts(played));
        assert!(mixed.is_over());
    }

    #[test]
    fn a_test_of_the_same_games_over_and_over_ends_without_a_verdict() {
        let lost = |number: u64| if number.is_multiple_of(2) { -4 } else { 4 };
        let play = |line: &dyn Fn(u64) -> String| {
            let mut schedule = schedule(Format::Sprt, 2, 1_000);
            while let Next::Play(Pairing { number, pair, players, .. }) = schedule.give_out() {
                let trace = Trace::of_line(&line(pair), 1, "over");
                let (score, forfeit) = (lost(number), None);
                schedule.add(&Outcome { number, pair, players, score, forfeit, trace });
            }
            (schedule.verdict().unwrap(), schedule.is_stale(), schedule.finished())
        };
        assert_eq!(play(&|_| "f5d6".to_owned()), (Verdict::Open, true, 42));
        // Two openings in turn are no better.
        let two = |pair: u64| if pair.is_multiple_of(2) { "f5d6" } else { "d3c3" }.to_owned();
        assert_eq!(play(&two), (Verdict::Open, true, 44));
        let (verdict, is_stale, _) = play(&|pair| format!("f5a{pair}"));
        assert_eq!((verdict, is_stale), (Verdict::Refused, false));
    }
}
