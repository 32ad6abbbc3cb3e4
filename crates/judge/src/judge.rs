//! A judge: takes jobs from a club's queue, has them done, and keeps what came of them.

use crate::assignment::{Assignment, Verdict};
use crate::judging::{Attempt, Judging};
use crate::watch::watched;
use isrever_arena::Seat;
use isrever_club::{Club, ClubError, Job, JobKind};
use isrever_jobs::{Crew, Done, Next, RunError};
use std::collections::HashMap;
use std::convert::Infallible;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant, SystemTime};

/// How long a judge waits when there is nothing to do.
const IDLE: Duration = Duration::from_millis(500);

/// How often the club is told that other machines are at their jobs.
const SIGN_OF_LIFE: Duration = Duration::from_secs(5);

/// A judge of a club.
pub struct Judge {
    club: Club,
    name: String,
    judging: Judging,
    kinds: &'static [JobKind],
}

/// What a judge did.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum News {
    /// A job is done.
    Done(Job),
    /// A job could not be done here.
    SetAside(Job, String),
    /// Somebody else has the job by now, or nobody wants it any more.
    Lost(Job),
    /// The club's file could not be used.
    Trouble(String),
}

/// Where a judge tells what it did.
pub type Tell<'a> = dyn FnMut(News) + Send + 'a;

impl Judge {
    /// A judge called `name`, which no other judge is called.
    pub fn new(club: Club, name: impl Into<String>, judging: Judging) -> Judge {
        Judge { club, name: name.into(), judging, kinds: &JobKind::ALL }
    }

    /// The same judge for jobs of these kinds alone.
    pub fn only(self, kinds: &'static [JobKind]) -> Judge {
        Judge { kinds, ..self }
    }

    /// Does jobs until `stop` is set, and tells of each. A job that is in work then is given back.
    pub fn work(&self, stop: &Arc<AtomicBool>, tell: &mut Tell<'_>) {
        let mut seat = Seat::default();
        while !stop.load(Relaxed) {
            match self.take() {
                Ok(Some(job)) => tell(self.do_job(job, &mut seat, stop)),
                Ok(None) => wait(IDLE, stop),
                Err(error) => {
                    tell(News::Trouble(error.to_string()));
                    wait(IDLE, stop);
                }
            }
        }
        self.leave().into_iter().for_each(tell);
    }

    /// Says that the judge is no longer there.
    fn leave(&self) -> Option<News> {
        let left = self.club.forget_judge(&self.name);
        left.err().map(|error| News::Trouble(error.to_string()))
    }

    fn take(&self) -> Result<Option<Job>, ClubError> {
        self.club.take_job(&self.name, self.kinds, now())
    }

    fn do_job(&self, job: Job, seat: &mut Seat, stop: &Arc<AtomicBool>) -> News {
        let attempt = match Assignment::new(&self.club, &job) {
            Ok(assignment) => Attempt::new(assignment),
            Err(error) => return refused(job, error),
        };
        let verdict = watched(&self.club, &job, &attempt, stop, |end| {
            self.judging.attempt(&attempt, seat, end)
        });
        match verdict {
            Some(verdict) => self.keep(job, &verdict),
            // If nobody said so, the job is somebody else's.
            None if stop.load(Relaxed) => self.give_back(job),
            None => News::Lost(job),
        }
    }

    fn keep(&self, job: Job, verdict: &Verdict) -> News {
        match verdict.keep(&self.club, &job, now()) {
            Ok(None) => News::Done(job),
            Ok(Some(reason)) => News::SetAside(job, reason),
            Err(error) => refused(job, error),
        }
    }

    fn give_back(&self, job: Job) -> News {
        match self.club.give_back_job(&job) {
            Ok(()) => News::Lost(job),
            Err(error) => News::Trouble(error.to_string()),
        }
    }

    /// Has jobs done by a crew until `stop` is set, and tells of each: as many at a time as the crew
    /// wants. Jobs that are not done then are given back.
    pub fn work_with(
        &self,
        crew: &Crew,
        stop: &Arc<AtomicBool>,
        tell: &mut Tell<'_>,
    ) -> Result<(), RunError<Infallible>> {
        let shift = Shift { judge: self, jobs: Mutex::default(), last: AtomicU64::new(0) };
        let tell = Mutex::new(tell);
        let tell = |news: News| (tell.lock().unwrap_or_else(PoisonError::into_inner))(news);
        let is_over = AtomicBool::new(false);
        let ended = std::thread::scope(|scope| {
            let watcher = scope.spawn(|| shift.watch(&is_over));
            let next = || shift.next(&tell);
            let mut take = |done: Done<Verdict>| {
                if let Some(job) = shift.jobs().remove(&done.number) {
                    tell(self.keep(job, &done.output));
                }
                Ok::<(), Infallible>(())
            };
            let ended = crew.run(&self.judging, &next, &mut take, stop);
            is_over.store(true, Relaxed);
            watcher.thread().unpark();
            ended
        });
        for (_, job) in shift.jobs().drain() {
            tell(self.give_back(job));
        }
        self.leave().into_iter().for_each(tell);
        crew.forget(&self.judging);
        ended
    }
}

/// Jobs that others are at.
struct Shift<'a> {
    judge: &'a Judge,
    jobs: Mutex<HashMap<u64, Job>>,
    /// The last number that was given to a job.
    last: AtomicU64,
}

impl Shift<'_> {
    fn jobs(&self) -> MutexGuard<'_, HashMap<u64, Job>> {
        self.jobs.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The next job of the queue, if there is one.
    fn next(&self, tell: &dyn Fn(News)) -> Next<Assignment> {
        loop {
            let job = match self.judge.take() {
                Ok(Some(job)) => job,
                Ok(None) => return Next::Wait,
                Err(error) => {
                    tell(News::Trouble(error.to_string()));
                    return Next::Wait;
                }
            };
            match Assignment::new(&self.judge.club, &job) {
                Ok(assignment) => {
                    let number = self.last.fetch_add(1, Relaxed);
                    self.jobs().insert(number, job);
                    return Next::Job(number, assignment);
                }
                Err(error) => tell(refused(job, error)),
            }
        }
    }

    /// Tells the club again and again that somebody is at the jobs, until all is over.
    fn watch(&self, is_over: &AtomicBool) {
        let mut told = Instant::now();
        while !is_over.load(Relaxed) {
            std::thread::park_timeout(IDLE);
            if told.elapsed() < SIGN_OF_LIFE {
                continue;
            }
            told = Instant::now();
            let jobs: Vec<(u64, Job)> =
                self.jobs().iter().map(|(number, job)| (*number, job.clone())).collect();
            for (number, job) in jobs {
                // What comes of a job that is no longer wanted counts for nothing.
                if let Err(ClubError::Job(_)) = self.judge.club.extend_job(&job, now()) {
                    self.jobs().remove(&number);
                }
            }
        }
    }
}

/// Why a job came to nothing: it is no longer this judge's, or something is wrong with the club.
fn refused(job: Job, error: ClubError) -> News {
    match error {
        ClubError::Job(_) | ClubError::NoGame | ClubError::NoVersion => News::Lost(job),
        error => News::Trouble(error.to_string()),
    }
}

/// Milliseconds since 1970.
pub(crate) fn now() -> i64 {
    let since = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
    i64::try_from(since.as_millis()).unwrap_or(i64::MAX)
}

/// Waits for `time`, or until somebody sets `stop`.
fn wait(time: Duration, stop: &AtomicBool) {
    let until = Instant::now() + time;
    while !stop.load(Relaxed) && Instant::now() < until {
        std::thread::sleep(IDLE / 10);
    }
}
