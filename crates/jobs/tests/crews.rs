//! Every crew does every job once, and what comes out does not depend on the crew.

use isrever_jobs::{
    AnyWork, Crew, Done, Failure, Manifest, Message, Next, RunError, Unfinished, Work,
};
use isrever_testkit::Backwards;
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Barrier};

/// Multiplies, and counts what each thread has done.
struct Times(u64);

impl Work for Times {
    type Job = u64;
    type Output = (u64, f64);
    type ThreadState = u64;

    fn thread_state(&self) -> u64 {
        0
    }

    fn perform(
        &self,
        done: &mut u64,
        job: &u64,
        _: &Arc<AtomicBool>,
    ) -> Result<(u64, f64), Failure> {
        *done += 1;
        match job {
            13 => Err(Failure::Machine("13 is too much for it".to_owned())),
            _ => Ok((self.0 * job, 0.1 * *job as f64)),
        }
    }

    fn manifest(&self) -> Result<Manifest, String> {
        Ok(Manifest::new("times", &self.0))
    }
}

/// A remote that multiplies as the manifest says.
fn backwards() -> Crew {
    Crew::Elsewhere(Arc::new(Backwards::new(|manifest| {
        let factor = manifest.text.parse().map_err(|_| "not a number".to_owned())?;
        Ok(Arc::new(Times(factor)))
    })))
}

fn crews() -> [Crew; 4] {
    [Crew::Here(0), Crew::Here(1), Crew::Here(5), backwards()]
}

#[test]
fn every_crew_does_every_job_once() {
    for crew in crews() {
        let given = AtomicU64::new(0);
        let next = || match given.fetch_add(1, Relaxed) {
            number if number < 100 => Next::Job(number, 100 + number),
            _ => Next::Nothing,
        };
        let mut outputs = BTreeMap::new();
        let mut take = |done: Done<(u64, f64)>| {
            assert!(outputs.insert(done.number, done.output).is_none());
            Ok::<(), String>(())
        };
        crew.run(&Times(3), &next, &mut take, &AtomicBool::new(false)).unwrap();
        let expected = (0..100).map(|n| (n, (3 * (100 + n), 0.1 * (100 + n) as f64)));
        assert!(outputs.into_iter().eq(expected));
    }
}

#[test]
fn a_job_may_depend_on_earlier_outputs() {
    for crew in crews() {
        // A job is known once all before it are done.
        let [given, taken] = [AtomicU64::new(0), AtomicU64::new(0)];
        let next = || {
            if given.load(Relaxed) == 20 {
                return Next::Nothing;
            }
            if taken.load(Relaxed) < given.load(Relaxed) {
                return Next::Wait;
            }
            match given.compare_exchange(
                taken.load(Relaxed),
                taken.load(Relaxed) + 1,
                Relaxed,
                Relaxed,
            ) {
                Ok(number) => Next::Job(number, 1_000 + number),
                Err(_) => Next::Wait,
            }
        };
        let mut sum = 0;
        let mut take = |done: Done<(u64, f64)>| {
            sum += done.output.0;
            taken.fetch_add(1, Relaxed);
            Ok::<(), String>(())
        };
        crew.run(&Times(2), &next, &mut take, &AtomicBool::new(false)).unwrap();
        assert_eq!(sum, (0..20).map(|n| 2 * (1_000 + n)).sum::<u64>());
    }
}

#[test]
fn outputs_in_order_are_those_of_a_loop() {
    for crew in crews() {
        let mut outputs = Vec::new();
        let mut take = |number, (product, _)| {
            outputs.push((number, product));
            Ok::<(), String>(())
        };
        let over = crew.in_order(&Times(7), 20..500, |n| n, &mut take, &AtomicBool::new(false));
        assert!(over.unwrap());
        assert_eq!(outputs, (20..500).map(|n| (n, 7 * n)).collect::<Vec<_>>());
    }
}

#[test]
fn a_machine_that_cannot_says_so_and_an_output_that_is_refused_ends_it() {
    for crew in crews() {
        let stop = AtomicBool::new(false);
        let ends = |last: u64| {
            let mut take = |number, _| if number == 40 { Err("full") } else { Ok(()) };
            let ended = crew.in_order(&Times(1), last - 20..last, |n| n, &mut take, &stop);
            ended.expect_err("it ends early").to_string()
        };
        assert_eq!(ends(20), "13 is too much for it");
        assert_eq!(ends(50), "full");
    }
}

#[test]
fn whoever_stops_it_need_not_wait_for_the_rest() {
    for crew in crews() {
        let stop = AtomicBool::new(false);
        let mut take = |number, _| {
            stop.store(number >= 50, Relaxed);
            Ok::<(), String>(())
        };
        let over = crew.in_order(&Times(1), 20..u64::MAX, |n| n, &mut take, &stop);
        assert!(!over.unwrap());
    }
}

/// Waits for the others at a barrier: nothing comes out unless all are at work at once.
struct Together(Barrier);

impl Work for Together {
    type Job = u64;
    type Output = u64;
    type ThreadState = ();

    fn thread_state(&self) {}

    fn perform(&self, (): &mut (), job: &u64, _: &Arc<AtomicBool>) -> Result<u64, Failure> {
        self.0.wait();
        Ok(*job)
    }

    fn manifest(&self) -> Result<Manifest, String> {
        Err("it needs threads that can meet; expected this machine's".to_owned())
    }
}

#[test]
fn as_many_jobs_are_done_at_once_as_there_are_threads() {
    let mut take = |_, _| Ok::<(), String>(());
    let stop = AtomicBool::new(false);
    let together = Together(Barrier::new(4));
    assert!(Crew::Here(4).in_order(&together, 0..400, |n| n, &mut take, &stop).unwrap());
    let remote = backwards();
    let refused = remote.in_order(&together, 0..400, |n| n, &mut take, &stop);
    let Err(RunError::Machine(why)) = refused else { panic!("it is refused") };
    assert!(why.contains("expected this machine's"));
}

#[test]
fn bytes_that_are_no_job_are_not_done() {
    let work = Arc::new(Times(1));
    let mut performer = work.performer();
    assert!(performer.perform(b"none", &Arc::default()).is_none());
    assert!(u64::from_bytes(b"-1").is_none());
    for value in [0.1, 1.0 / 3.0, f64::MIN_POSITIVE, 5e-324, f64::MAX, -0.0] {
        let survived = f64::from_bytes(&value.to_bytes()).unwrap();
        assert_eq!(survived.to_bits(), value.to_bits());
    }
}

#[test]
fn outputs_are_collected_in_order_or_not_at_all() {
    for crew in crews() {
        let mut told = 0;
        let mut done = |_: &(u64, f64)| told += 1;
        let collect = |count, factor, done: &mut dyn FnMut(&(u64, f64)), is_stopped| {
            let stop = AtomicBool::new(is_stopped);
            crew.collect(&Times(2), count, |number| factor * number, done, &stop)
        };
        let outputs = collect(50, 100, &mut done, false).unwrap();
        assert!(outputs.into_iter().map(|output| output.0).eq((0..50).map(|n| 200 * n)));
        assert_eq!(told, 50);
        assert_eq!(collect(0, 1, &mut |_| {}, false), Ok(Vec::new()));
        assert_eq!(collect(50, 100, &mut |_| {}, true), Err(Unfinished::Stopped));
        let failed = collect(20, 1, &mut |_| {}, false).unwrap_err();
        assert_eq!(failed, Unfinished::Failed("13 is too much for it".to_owned()));
    }
}
