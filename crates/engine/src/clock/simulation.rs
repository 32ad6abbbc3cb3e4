//! Simulates the clock on made-up readings: machines that stall, whole games.

use super::*;
use rand::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

/// Where a growing wait ends.
const GROWN: Duration = Duration::from_millis(600);

/// A machine that lets the process wait when it pleases.
struct Machine {
    rng: Xoshiro256PlusPlus,
    now: Duration,
    /// The longest wait.
    most: Duration,
    /// Whether the longest wait grows, each time it comes, by half.
    grows: bool,
    /// How many waits in a thousand are long.
    load: u64,
    readings: u64,
}

impl Machine {
    fn new(seed: u64, most: Duration, load: u64) -> Machine {
        let rng = Xoshiro256PlusPlus::seed_from_u64(seed);
        Machine { rng, now: Duration::ZERO, most, grows: false, load, readings: 0 }
    }

    /// From 0 to 1.
    fn part(&mut self) -> f64 {
        (self.rng.next_u64() >> 11) as f64 / (1u64 << 53) as f64
    }

    /// Waits a little longer than `wait`, or much.
    fn sleep(&mut self, wait: Duration) {
        let stall = match self.rng.next_u64() % 1_000 < self.load {
            // As long as it may be, one time in two.
            true if self.rng.next_u64().is_multiple_of(2) => self.most,
            true => self.most.mul_f64(self.part()),
            false => Duration::from_micros(self.rng.next_u64() % 200),
        };
        if self.grows && stall == self.most {
            self.most = self.most.mul_f64(1.5).min(GROWN);
        }
        self.now += wait + stall;
        self.readings += 1;
    }

    /// Thinks until the clock says stop. The search may notice at once, late, or never: then the
    /// answer is given without it. Gives the time it took, and the waits that the clock remembers.
    fn think(
        &mut self,
        budget: MoveBudget,
        waits: Duration,
        first_iteration: f64,
    ) -> (Duration, Duration) {
        let began = self.now;
        let mut clock = Clock::new(budget, waits);
        let mut iteration_end = first_iteration;
        loop {
            let wait = clock.wait(self.now - began);
            self.sleep(wait);
            let now = self.now - began;
            if clock.read(now) {
                break;
            }
            if now.as_secs_f64() >= iteration_end {
                // Each iteration takes up to three times as long as the last.
                iteration_end = now.as_secs_f64() * (2.0 + 2.0 * self.part());
                if !clock.begin_iteration(now) {
                    break;
                }
            }
        }
        let patience = clock.give_up_at().saturating_sub(self.now - began);
        match self.rng.next_u64() % 3 {
            0 => self.sleep(Duration::ZERO),
            1 => self.sleep(patience / 2),
            _ => self.sleep(patience),
        }
        let taken = self.now - began;
        (taken, clock.answered(taken))
    }
}

#[test]
fn no_move_of_five_seconds_is_late_on_a_hostile_machine() {
    let limit = Duration::from_secs(5);
    let mut readings = 0;
    for seed in 0..40 {
        // Half the reserve, from a quiet machine to one that stalls at every look.
        let most = Duration::from_millis(83);
        let load = [0, 1, 20, 300, 1_000][seed as usize % 5];
        let mut machine = Machine::new(seed, most, load);
        let (mut waits, mut used) = (Duration::ZERO, Duration::ZERO);
        for number in 0..20 {
            let (taken, remembered) = machine.think(MoveBudget::of_move(limit), waits, 1e-4);
            assert!(taken <= limit, "seed {seed}, move {number}: {taken:?}");
            used += taken;
            waits = remembered;
        }
        let part = used.as_secs_f64() / (20.0 * limit.as_secs_f64());
        let least = if load == 0 { 0.96 } else { 0.92 };
        assert!(part >= least, "seed {seed}: {part}");
        readings += machine.readings;
    }
    assert!(readings >= 100_000, "{readings}");
}

#[test]
fn waits_that_grow_by_half_at_a_time_are_kept_up_with() {
    let limit = Duration::from_secs(5);
    for seed in 0..200 {
        let machine = Machine::new(seed, Duration::from_millis(60), 1 + seed % 50);
        let mut machine = Machine { grows: true, ..machine };
        let (taken, _) = machine.think(MoveBudget::of_move(limit), Duration::ZERO, 1e-4);
        assert!(taken <= limit, "seed {seed}: {taken:?}, waits {:?}", machine.most);
    }
}

#[test]
fn no_game_is_lost_on_time_and_its_time_is_used() {
    for seed in 0..60u64 {
        let [main, increment] = [[60_000, 0], [180_000, 2_000], [10_000, 100]][seed as usize % 3];
        let [main, increment] = [main, increment].map(Duration::from_millis);
        let load = [0, 5, 50][seed as usize / 3 % 3];
        let mut machine = Machine::new(seed, Duration::from_millis(20), load);
        let (mut remaining, mut waits) = (main, Duration::ZERO);
        let mut used = Duration::ZERO;
        for empties in (1..=60).rev().step_by(2) {
            let clock = GameClock { remaining, increment, moves_left: None };
            // From twenty empty squares on the first pass or two solve it.
            let budget = match empties {
                0..20 => MoveBudget::of_move(Duration::from_millis(40)),
                _ => MoveBudget::of_game(clock, empties),
            };
            let (taken, remembered) = machine.think(budget, waits, 1e-4);
            assert!(
                taken < remaining,
                "seed {seed}, {empties} empties: {taken:?} of {remaining:?}"
            );
            remaining = remaining - taken + increment;
            used += taken;
            waits = remembered;
        }
        let had = main + increment * 20;
        let part = used.as_secs_f64() / had.as_secs_f64();
        assert!(part >= 0.75, "seed {seed}: {part} of {had:?}");
    }
}
