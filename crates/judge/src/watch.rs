//! Says of a job that somebody is at it, for as long as somebody is.

use crate::judge::now;
use crate::judging::Attempt;
use isrever_club::{Club, ClubError, Job};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::{Duration, Instant};

/// How often a game or a check is looked at.
const LOOK: Duration = Duration::from_millis(100);

/// How often the club is told that somebody is at a job.
const SIGN_OF_LIFE: Duration = Duration::from_secs(5);

/// Does `work` while another thread tells the club so, and shows how far it has come. The flag that
/// `work` is given is set if the judge is to stop, or the job is no longer its own.
pub(crate) fn watched<T>(
    club: &Club,
    job: &Job,
    attempt: &Attempt,
    stop: &AtomicBool,
    work: impl FnOnce(&Arc<AtomicBool>) -> T,
) -> T {
    let is_done = AtomicBool::new(false);
    let end = Arc::new(AtomicBool::new(false));
    std::thread::scope(|scope| {
        let watcher = scope.spawn(|| {
            let mut told = Instant::now();
            let mut shown = None;
            while !is_done.load(Relaxed) {
                std::thread::park_timeout(LOOK);
                let step = attempt.step();
                let kept = if step != shown {
                    shown = step;
                    told = Instant::now();
                    attempt.show(club, job, now())
                } else if told.elapsed() >= SIGN_OF_LIFE {
                    told = Instant::now();
                    club.extend_job(job, now())
                } else {
                    Ok(())
                };
                // A file that cannot be written now may be later.
                if stop.load(Relaxed) || matches!(kept, Err(ClubError::Job(_))) {
                    end.store(true, Relaxed);
                }
            }
        });
        let done = work(&end);
        is_done.store(true, Relaxed);
        watcher.thread().unpark();
        done
    })
}
