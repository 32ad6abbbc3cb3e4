//! Model 2: the share of points against an opponent, played for until it is known well enough.
//!
//! The report's opponent moves at random and plays the last twelve squares
//! perfectly (`random-invincible`); what is measured is an evaluation, played
//! greedily with the same ending (`greedy-invincible`). Any two will do.

use crate::agenda::Agenda;
use crate::counts::Counts;
use crate::normal;
use crate::plan::Plan;
use crate::run::Run;
use std::convert::Infallible;
use std::sync::atomic::Ordering::Relaxed;

/// Pairs between two looks at the interval. Looks are few, so that a lucky moment is not taken for
/// knowledge, and at fixed places, so that threads make no difference.
const BATCH: u64 = 50;

/// What was found.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct WinRate {
    /// The games, seen by the first player.
    pub counts: Counts,
    /// The 95 % interval of its share of the points.
    pub interval: [f64; 2],
    /// Whether that is as narrow as was asked for.
    pub is_narrow: bool,
}

/// The 95 % interval of the first player's share of the points, by how pairs scatter.
///
/// As Agresti and Coull do for single games, two units are added that went one
/// way and the other: it holds what it promises near 0 and 1 too, and for few pairs.
pub fn share_interval(counts: &Counts) -> [f64; 2] {
    let centre = (*counts + ONE_EACH).score();
    let reach = normal::QUANTILE_95 * share_error(counts);
    [(centre - reach).max(0.0), (centre + reach).min(1.0)]
}

/// A pair won and a pair lost.
const ONE_EACH: Counts = Counts { wins: 2, draws: 0, losses: 2, pairs: [1, 0, 0, 0, 1], discs: 0 };

/// The standard error of the first player's share, two units added.
pub(super) fn share_error(counts: &Counts) -> f64 {
    (*counts + ONE_EACH).score_error().expect("there are two pairs")
}

/// Lets the first player of `plan` play the second until the interval of its share reaches no
/// further than `reach` to either side, or `plan.pairs` are played. `tell` hears of each game.
pub fn win_rate(plan: &Plan, reach: f64, run: &mut Run<'_>) -> WinRate {
    let mut counts = Counts::default();
    let mut batches = 0..;
    loop {
        let batch: u64 = batches.next().expect("there is no end of batches");
        let pairs = BATCH.min(plan.pairs - batch * BATCH);
        let part = Plan { pairs, seed: plan.seed.wrapping_add(batch << 32), ..plan.clone() };
        counts = counts + play(&part, run);
        let interval = share_interval(&counts);
        let is_narrow = interval[1] - interval[0] <= 2.0 * reach;
        let is_over = is_narrow || (batch + 1) * BATCH >= plan.pairs;
        if is_over || run.stop.load(Relaxed) {
            return WinRate { counts, interval, is_narrow };
        }
    }
}

/// Plays a part; its complete pairs.
fn play(plan: &Plan, run: &mut Run<'_>) -> Counts {
    let openings = plan.openings.draw(plan.rule, plan.size, plan.seed, plan.opening_count());
    let mut standings = crate::Standings::new(plan.players.len());
    let keep = |fixture: &crate::Fixture, played: &crate::Played| {
        standings.add(&crate::Outcome {
            number: fixture.number,
            pair: fixture.pair,
            players: fixture.players,
            score: played.score(),
            forfeit: None,
        });
        Ok::<(), Infallible>(())
    };
    let Ok(_) = run.play_all(plan, openings, Agenda::new(plan), keep);
    standings.pairs(0, 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dice::Dice;
    use crate::spec::Spec;
    use crate::{Clock, Openings};
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
            let catalogue = Arc::new(isrever_agent::catalogue());
            let stop = Arc::default();
            win_rate(&plan, reach, &mut Run { catalogue, at_once, stop, tell: &mut |_| {} })
        };
        let rough = rate(1, 0.06);
        assert!(rough.is_narrow && rough.counts.games().is_multiple_of(100), "{rough:?}");
        assert_eq!(rate(3, 0.06), rough);
        let finer = rate(2, 0.03);
        assert!(finer.counts.games() > rough.counts.games());
        assert!(
            finer.interval[0] < finer.counts.score() && finer.counts.score() < finer.interval[1]
        );
        let plan = Plan { pairs: 30, ..plan };
        let catalogue = Arc::new(isrever_agent::catalogue());
        let mut run = Run { catalogue, at_once: 2, stop: Arc::default(), tell: &mut |_| {} };
        let short = win_rate(&plan, 1e-6, &mut run);
        assert_eq!((short.is_narrow, short.counts.games()), (false, 60));
    }

    #[test]
    fn intervals_that_were_played_for_hold_the_truth_as_often_as_promised() {
        for (score, seed) in [(0.5, 1), (0.85, 2), (0.97, 3)] {
            let mut held = 0;
            for number in 0..500 {
                let mut dice = Dice::new(seed, number);
                let mut counts = Counts::default();
                let interval = loop {
                    for _ in 0..BATCH {
                        let mut game = || if dice.unit() < score { 2 } else { -2 };
                        counts = counts + Counts::of_pair([game(), game()]);
                    }
                    let interval = share_interval(&counts);
                    if interval[1] - interval[0] <= 0.08 {
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
