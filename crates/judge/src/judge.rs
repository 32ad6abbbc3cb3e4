//! A judge: takes one job after the other, does it, and keeps what came of it.

use crate::check::check;
use crate::play::{Match, settings};
use crate::review::review;
use crate::watch::watched;
use isrever_agent::Catalogue;
use isrever_arena::{Seat, Unplayed};
use isrever_club::{Club, ClubError, Job, JobKind, Outcome, Player};
use isrever_guest::{PythonSettings, Source};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::{Duration, Instant, SystemTime};

/// How long a judge waits when there is nothing to do.
const IDLE: Duration = Duration::from_millis(500);

/// A judge of a club.
pub struct Judge {
    club: Club,
    name: String,
    catalogue: Arc<Catalogue>,
    python: PythonSettings,
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

/// What became of a job.
enum End {
    Kept,
    Stopped,
    Impossible(String),
}

impl Judge {
    /// A judge called `name`, which no other judge is called. Built-in players come from the
    /// catalogue; submissions run as `python` says, within the terms of the game.
    pub fn new(
        club: Club,
        name: impl Into<String>,
        catalogue: Arc<Catalogue>,
        python: PythonSettings,
    ) -> Judge {
        Judge { club, name: name.into(), catalogue, python }
    }

    /// Does jobs until `stop` is set, and tells of each. A job that is in work then is given back.
    pub fn work(&self, stop: &Arc<AtomicBool>, tell: &mut dyn FnMut(News)) {
        let mut seat = Seat::default();
        while !stop.load(Relaxed) {
            match self.club.take_job(&self.name, &JobKind::ALL, now()) {
                Ok(Some(job)) => tell(self.do_job(job, &mut seat, stop)),
                Ok(None) => wait(IDLE, stop),
                Err(error) => {
                    tell(News::Trouble(error.to_string()));
                    wait(IDLE, stop);
                }
            }
        }
    }

    fn do_job(&self, job: Job, seat: &mut Seat, stop: &Arc<AtomicBool>) -> News {
        let done = match job.kind {
            JobKind::Check => self.check(&job, stop),
            JobKind::Game => self.play(&job, seat, stop),
            JobKind::Review => self.review(&job, stop),
        };
        match done {
            Ok(End::Kept) => News::Done(job),
            Ok(End::Stopped) if stop.load(Relaxed) => match self.club.give_back_job(&job) {
                Ok(()) => News::Lost(job),
                Err(error) => News::Trouble(error.to_string()),
            },
            Ok(End::Stopped)
            | Err(ClubError::Job(_) | ClubError::NoGame | ClubError::NoVersion) => News::Lost(job),
            Ok(End::Impossible(reason)) => match self.club.set_job_aside(&job, &reason) {
                Ok(()) => News::SetAside(job, reason),
                Err(_) => News::Lost(job),
            },
            Err(error) => News::Trouble(error.to_string()),
        }
    }

    fn source(&self, id: i64) -> Result<Source, ClubError> {
        let bytes = self.club.source_to_judge(id)?;
        Ok(Source::new(&PathBuf::from("my_ai.py"), &bytes))
    }

    fn check(&self, job: &Job, stop: &Arc<AtomicBool>) -> Result<End, ClubError> {
        let (source, terms) = (self.source(job.subject)?, self.club.terms()?);
        let settings = settings(&terms, &self.python);
        let done = watched(&self.club, job, None, stop, |end| {
            let report = check(source, &settings, &terms, end);
            (!end.load(Relaxed)).then_some(report)
        });
        let Some(done) = done else { return Ok(End::Stopped) };
        match done {
            Ok(report) => self.club.finish_check(job, &report, now()).map(|()| End::Kept),
            Err(trouble) => Ok(End::Impossible(trouble)),
        }
    }

    fn play(&self, job: &Job, seat: &mut Seat, stop: &Arc<AtomicBool>) -> Result<End, ClubError> {
        let game = self.club.game_to_play(job)?;
        let source = |player: &Player| player.version().map(|id| self.source(id)).transpose();
        let sources = [source(&game.players[0])?, source(&game.players[1])?];
        let game = Match::new(game, sources);
        let began = Instant::now();
        let played = watched(&self.club, job, Some(&game), stop, |end| {
            game.play(seat, &self.catalogue, &self.python, end)
        });
        let millis = i64::try_from(began.elapsed().as_millis()).unwrap_or(i64::MAX);
        match played {
            Ok(played) => {
                let [black, white] = game.outputs();
                let outputs = [black.as_str(), white.as_str()];
                let outcome = Outcome { played: &played, outputs, millis };
                self.club.finish_game(job, &outcome, now()).map(|()| End::Kept)
            }
            Err(Unplayed::Stopped) => Ok(End::Stopped),
            Err(Unplayed::Machine(color, forfeit)) => {
                Ok(End::Impossible(format!("{color}: {forfeit}")))
            }
        }
    }

    fn review(&self, job: &Job, stop: &Arc<AtomicBool>) -> Result<End, ClubError> {
        let played = self.club.game_to_review(job)?;
        let review = watched(&self.club, job, None, stop, |end| {
            let review = review(&played, end);
            (!end.load(Relaxed)).then_some(review)
        });
        let Some(review) = review else { return Ok(End::Stopped) };
        self.club.finish_review(job, &review).map(|()| End::Kept)
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
