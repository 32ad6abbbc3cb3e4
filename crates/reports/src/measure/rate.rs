//! Model 2: the share of points against one opponent, until its interval is narrow.
//!
//! The report's opponent moves at random and plays the last twelve squares
//! perfectly (`random-invincible`). The report measures an evaluation, played
//! greedily with the same ending (`greedy-invincible`); any two agents will do.

use isrever_arena::{Counts, Outcome, Pairing, Plan, Played, Run, RunError, Schedule, Standings};
use std::convert::Infallible;
use std::sync::atomic::Ordering::Relaxed;

/// Pairs between two checks of the interval. Checks are few, so that a lucky moment does not end
/// the match, and at fixed numbers of pairs, so that threads make no difference.
const BATCH: u64 = 50;

/// A measured win rate.
#[derive(Clone, Debug)]
pub struct WinRate {
    /// The complete pairs, from the first player's view.
    pub counts: Counts,
    /// The 95 % interval of the first player's share of the points.
    pub interval: [f64; 2],
    /// Whether the interval is as narrow as requested.
    pub is_narrow: bool,
    /// The games, with the number of different ones and the forfeits.
    pub standings: Standings,
}

/// Plays the first player of `plan` against the second until the interval of its share reaches no
/// further than `reach` to either side, or `plan.pairs` are played, or the games only repeat.
///
/// # Errors
/// If this machine cannot run a player.
pub fn win_rate(
    plan: &Plan,
    reach: f64,
    run: &mut Run<'_>,
) -> Result<WinRate, RunError<Infallible>> {
    let mut standings = Standings::new(plan.players.len());
    let mut batches = 0..;
    loop {
        let batch: u64 = batches.next().expect("there is no end of batches");
        let pairs = BATCH.min(plan.pairs - batch * BATCH);
        let part = Plan { pairs, seed: plan.seed.wrapping_add(batch << 32), ..plan.clone() };
        let before = standings.evidence(0, 1);
        play(&part, batch * BATCH, &mut standings, run)?;
        let (counts, evidence) = (standings.pairs(0, 1), standings.evidence(0, 1));
        let is_stale = before == evidence;
        let (score, interval) = (counts.score(), evidence.interval());
        let is_narrow = interval[1] - score <= reach && score - interval[0] <= reach;
        let is_over = is_narrow || is_stale || (batch + 1) * BATCH >= plan.pairs;
        if is_over || run.stop.load(Relaxed) {
            return Ok(WinRate { counts, interval, is_narrow, standings });
        }
    }
}

/// Plays one batch, whose pairs are numbered from `first`.
fn play(
    plan: &Plan,
    first: u64,
    standings: &mut Standings,
    run: &mut Run<'_>,
) -> Result<bool, RunError<Infallible>> {
    let openings = plan.openings.draw(plan.rule, plan.size, plan.seed, plan.opening_count());
    let keep = |pairing: &Pairing, played: &Played| {
        let pairing = Pairing { pair: first + pairing.pair, ..*pairing };
        standings.add(&Outcome::of(&pairing, played));
        Ok::<(), Infallible>(())
    };
    run.play_all(plan, openings, Schedule::new(plan), keep)
}

#[cfg(test)]
mod tests {
    use super::*;
    use isrever_agent::Rng;
    use isrever_arena::{Clock, Crew, Openings, Spec};
    use isrever_board::Size;
    use std::sync::Arc;

    #[test]
    fn it_is_played_until_the_interval_is_narrow_on_any_number_of_threads() {
        let plan = Plan {
            size: Size::FOUR,
            clock: Clock::of_nodes(1),
            openings: Openings::Start,
            pairs: 100_000,
            ..Spec::of(&["greedy", "random"]).settle().unwrap()
        };
        let rate = |at_once, reach| {
            let catalogue = Arc::new(crate::catalogue());
            let stop = Arc::default();
            let mut run = Run { catalogue, crew: Crew::Here(at_once), stop, tell: &mut |_| {} };
            win_rate(&plan, reach, &mut run).unwrap()
        };
        let rough = rate(1, 0.06);
        assert!(rough.is_narrow && rough.counts.games().is_multiple_of(100), "{rough:?}");
        let again = rate(3, 0.06);
        assert_eq!((again.counts, again.interval), (rough.counts, rough.interval));
        let finer = rate(2, 0.03);
        assert!(finer.counts.games() > rough.counts.games());
        assert!(
            finer.interval[0] < finer.counts.score() && finer.counts.score() < finer.interval[1]
        );
        let plan = Plan { pairs: 30, ..plan };
        let catalogue = Arc::new(crate::catalogue());
        let (crew, stop) = (Crew::Here(2), Arc::default());
        let mut run = Run { catalogue, crew, stop, tell: &mut |_| {} };
        let short = win_rate(&plan, 1e-6, &mut run).unwrap();
        assert_eq!((short.is_narrow, short.counts.games()), (false, 60));
    }

    #[test]
    fn the_interval_reaches_no_further_than_asked_for_to_either_side() {
        let plan = Plan {
            size: Size::SIX,
            clock: Clock::of_nodes(50),
            pairs: 100_000,
            openings: Openings::Start,
            ..Spec::of(&["depth3", "random"]).settle().unwrap()
        };
        let catalogue = Arc::new(crate::catalogue());
        let (crew, stop) = (Crew::Here(2), Arc::default());
        let mut run = Run { catalogue, crew, stop, tell: &mut |_| {} };
        for reach in [0.05, 0.03] {
            let WinRate { counts, interval: [low, high], is_narrow, .. } =
                win_rate(&plan, reach, &mut run).unwrap();
            // Far from one half the interval is not centred on the share.
            let score = counts.score();
            assert!(is_narrow && (score - 0.5).abs() > 0.1, "{counts:?}");
            assert!(high - score <= reach && score - low <= reach, "{low} {score} {high}");
        }
    }

    #[test]
    fn the_same_game_over_and_over_is_not_played_for_ever() {
        let plan = Plan {
            size: Size::SIX,
            clock: Clock::of_nodes(20),
            pairs: 20_000,
            openings: Openings::Start,
            ..Spec::of(&["depth3", "genetic"]).settle().unwrap()
        };
        let catalogue = Arc::new(crate::catalogue());
        let (crew, stop) = (Crew::Here(2), Arc::default());
        let mut run = Run { catalogue, crew, stop, tell: &mut |_| {} };
        let rate = win_rate(&plan, 0.02, &mut run).unwrap();
        assert_eq!((rate.counts.games(), rate.standings.different()), (200, 2));
        let [low, high] = rate.interval;
        assert!(!rate.is_narrow && high - low > 0.4, "one pair says next to nothing: {rate:?}");
    }

    #[test]
    fn intervals_that_were_played_for_hold_the_truth_as_often_as_promised() {
        for (score, seed) in [(0.5, 1), (0.85, 2), (0.97, 3)] {
            let mut held = 0;
            for number in 0..500 {
                let mut rng = Rng::game(seed, number);
                let mut counts = Counts::default();
                let interval = loop {
                    for _ in 0..BATCH {
                        let mut game = || if rng.unit() < score { 2 } else { -2 };
                        counts = counts + Counts::of_pair([game(), game()]);
                    }
                    let interval = counts.interval();
                    let own = counts.score();
                    if interval[1] - own <= 0.04 && own - interval[0] <= 0.04 {
                        break interval;
                    }
                };
                held += u32::from((interval[0]..=interval[1]).contains(&score));
            }
            // 475 of 500, with a deviation of 5.
            assert!((460..=495).contains(&held), "{score}: {held}");
        }
    }
}
