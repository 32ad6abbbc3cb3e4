//! The club of a server: asks its file, and keeps the ladder going.

use crate::date::now_ms;
use crate::refusal::{Code, Refusal};
use isrever_club::{
    CasualError, ChallengeError, Club, ClubError, Final, FinalError, FinalId, FinalRow, FinalState,
    Ladder, LogInError, SubmitError, Work,
};
use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// How often the ladder is looked after.
const TURN: Duration = Duration::from_millis(500);

/// Sessions and invitations that have ended are forgotten after so many turns.
const TIDY: u32 = 7_200;

/// Counting the ladder, or the table of a final, takes at most one part in so many of the time.
const PARTS: u32 = 20;

/// Games of the ladder that wait for each judge: none has to wait for the next turn.
const GAMES_EACH: usize = 4;

/// The table of a final as it was counted last.
#[derive(Clone)]
struct Counted {
    stamp: [i64; 2],
    rows: Arc<Vec<FinalRow>>,
    ended: Instant,
    took: Duration,
}

/// The club of a server. Clones share it.
#[derive(Clone)]
pub(crate) struct ServedClub(Arc<Shared>);

struct Shared {
    club: Arc<Club>,
    ladder: Mutex<Arc<Ladder>>,
    /// The tables of finals as they were counted last.
    finals: Mutex<HashMap<FinalId, Counted>>,
    judges: usize,
    is_closed: AtomicBool,
}

impl ServedClub {
    /// Begins to look after a club.
    pub(crate) fn open(club: Arc<Club>, judges: usize) -> std::io::Result<ServedClub> {
        let is_closed = AtomicBool::new(false);
        let served = ServedClub(Arc::new(Shared {
            club,
            ladder: Mutex::default(),
            finals: Mutex::default(),
            judges,
            is_closed,
        }));
        // Nobody waits for the file while the ladder is counted.
        let own = Club::open(served.0.club.directory(), Work::default());
        let keeper = Keeper { served: served.clone(), club: own.map_err(std::io::Error::other)? };
        std::thread::Builder::new().name("ladder".to_owned()).spawn(move || keeper.keep())?;
        Ok(served)
    }

    /// Ends what goes on by itself.
    pub(crate) fn close(&self) {
        self.0.is_closed.store(true, Relaxed);
    }

    /// The ladder as it was counted last.
    pub(crate) fn ladder(&self) -> Arc<Ladder> {
        Arc::clone(&self.0.ladder.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// A final and its table: of a final that goes on as it was counted last, which may be a moment ago,
    /// so that nobody waits while players are rated.
    pub(crate) async fn final_table(
        &self,
        id: FinalId,
    ) -> Result<(Final, Arc<Vec<FinalRow>>), Refusal> {
        let served = self.clone();
        self.ask(move |club, now| {
            let of_final = club.final_round(id, now)?;
            let rows = match served.counted(id) {
                Some(counted) if of_final.state == FinalState::Running => counted.rows,
                counted => served.count_final(club, id, counted, now)?.rows,
            };
            Ok::<_, ClubError>((of_final, rows))
        })
        .await
    }

    /// The table of a final as it was counted last.
    fn counted(&self, id: FinalId) -> Option<Counted> {
        self.0.finals.lock().unwrap_or_else(PoisonError::into_inner).get(&id).cloned()
    }

    /// The table of a final, counted again unless nothing has changed.
    fn count_final(
        &self,
        club: &Club,
        id: FinalId,
        last: Option<Counted>,
        now: i64,
    ) -> Result<Counted, ClubError> {
        let stamp = club.final_stamp(id)?;
        if let Some(last) = last.filter(|last| last.stamp == stamp) {
            return Ok(last);
        }
        let began = Instant::now();
        let rows = Arc::new(club.final_table(id, now)?);
        let counted = Counted { stamp, rows, ended: Instant::now(), took: began.elapsed() };
        let mut finals = self.0.finals.lock().unwrap_or_else(PoisonError::into_inner);
        finals.insert(id, counted.clone());
        Ok(counted)
    }

    /// Asks the club on a thread that may wait for its file.
    pub(crate) async fn ask<T: Send + 'static, E: Into<Refusal> + Send + 'static>(
        &self,
        question: impl FnOnce(&Club, i64) -> Result<T, E> + Send + 'static,
    ) -> Result<T, Refusal> {
        let club = Arc::clone(&self.0.club);
        let answer = tokio::task::spawn_blocking(move || question(&club, now_ms())).await;
        answer.map_err(|_| Refusal::internal())?.map_err(E::into)
    }
}

/// Who counts the ladder when something has changed, and arranges battles where judges have time.
struct Keeper {
    served: ServedClub,
    club: Club,
}

/// How the ladder was counted last.
struct Count {
    stamp: [i64; 2],
    ended: Instant,
    took: Duration,
}

impl Keeper {
    fn keep(&self) {
        let mut last = None;
        let mut turn = 0;
        while !self.served.0.is_closed.load(Relaxed) {
            if let Err(error) = self.turn(&mut last, turn) {
                tracing::error!(%error, "the club's file cannot be used");
            }
            turn += 1;
            std::thread::sleep(TURN);
        }
    }

    fn turn(&self, last: &mut Option<Count>, turn: u32) -> Result<(), ClubError> {
        let Keeper { served, club } = self;
        let Shared { ladder, judges, .. } = served.0.as_ref();
        let now = now_ms();
        let stamp = club.ladder_stamp()?;
        let is_due = last
            .as_ref()
            .is_none_or(|last| last.stamp != stamp && last.ended.elapsed() >= PARTS * last.took);
        // Once in a while in any case: the trend is that of the last day.
        if is_due || turn.is_multiple_of(TIDY) {
            let began = Instant::now();
            let counted = Arc::new(club.ladder(now)?);
            *ladder.lock().unwrap_or_else(PoisonError::into_inner) = counted;
            *last = Some(Count { stamp, ended: Instant::now(), took: began.elapsed() });
        }
        for id in club.running_finals()? {
            let last = served.counted(id);
            if last.as_ref().is_none_or(|last| last.ended.elapsed() >= PARTS * last.took) {
                served.count_final(club, id, last, now)?;
            }
        }
        if turn.is_multiple_of(TIDY) {
            club.tidy(now)?;
        }
        // Judges on other machines are known by the jobs that they have.
        let taken = usize::try_from(club.backlog(now)?.taken).unwrap_or(usize::MAX);
        let room = GAMES_EACH.saturating_mul(taken.max(*judges).max(1));
        club.arrange_ladder(&served.ladder(), room, now)?;
        Ok(())
    }
}

impl From<ClubError> for Refusal {
    fn from(error: ClubError) -> Refusal {
        let message = error.to_string();
        let message = message.as_str();
        let of = |field: &str| Refusal::of(field, Code::BadRequest, message);
        let new = |code: Code| Refusal::new(code, message);
        let conflict = |field: &str| Refusal::of(field, Code::Conflict, message);
        match error {
            ClubError::Forbidden => new(Code::Forbidden),
            ClubError::NoAccount
            | ClubError::NoVersion
            | ClubError::NoBattle
            | ClubError::NoGame
            | ClubError::Invitation(_)
            | ClubError::Final(FinalError::Unknown) => new(Code::NotFound),
            ClubError::LastAdministrator => conflict("role"),
            ClubError::HasPlayed(_) => conflict("account"),
            ClubError::Submit(SubmitError::Known { .. }) => conflict("file"),
            ClubError::Submit(SubmitError::Blocked { .. }) => {
                Refusal::of("file", Code::Forbidden, message)
            }
            ClubError::Final(FinalError::State(_)) => conflict("state"),
            ClubError::Final(FinalError::Players) => conflict("players"),
            ClubError::Submit(SubmitError::Guest) | ClubError::Challenge(ChallengeError::Guest) => {
                new(Code::Forbidden)
            }
            ClubError::Submit(SubmitError::Frozen)
            | ClubError::Challenge(ChallengeError::Closed)
            | ClubError::Casual(CasualError::Closed) => new(Code::Closed),
            ClubError::Casual(CasualError::Turn) => new(Code::NotYourTurn),
            ClubError::Casual(CasualError::Move(_)) => new(Code::IllegalMove),
            ClubError::TooManyTokens
            | ClubError::Submit(SubmitError::Often)
            | ClubError::Casual(CasualError::Open | CasualError::Often)
            | ClubError::Challenge(ChallengeError::Waiting | ChallengeError::Often) => {
                new(Code::TooMany)
            }
            ClubError::WrongPassword => of("old"),
            ClubError::Password(_) => of("password"),
            ClubError::Name(_) | ClubError::Final(FinalError::Name(_)) => of("name"),
            ClubError::Section(_) => of("section"),
            ClubError::Uses { .. } => of("uses"),
            ClubError::Label(_) => of("label"),
            ClubError::Submit(SubmitError::File(_) | SubmitError::Source) => of("file"),
            ClubError::Challenge(ChallengeError::Own)
            | ClubError::Casual(CasualError::Opponent) => of("version"),
            ClubError::Casual(CasualError::Size(_)) => of("size"),
            ClubError::Challenge(ChallengeError::Opponent) => of("opponent"),
            ClubError::Final(FinalError::Pairs(_)) => of("pairs"),
            ClubError::Terms(_) => of("terms"),
            ClubError::Class(_) => new(Code::BadRequest),
            ClubError::Proof(_)
            | ClubError::Job(_)
            | ClubError::Io(_)
            | ClubError::Damaged(_)
            | ClubError::Random(_)
            | ClubError::Database(_) => {
                tracing::error!(%error, "the club's file cannot be used");
                Refusal::internal()
            }
        }
    }
}

impl From<LogInError> for Refusal {
    fn from(error: LogInError) -> Refusal {
        let message = error.to_string();
        match error {
            LogInError::Wrong => Refusal::new(Code::LogIn, message),
            LogInError::Wait(_) => Refusal::new(Code::TooMany, message),
            LogInError::Blocked => Refusal::new(Code::Forbidden, message),
            LogInError::Club(error) => error.into(),
        }
    }
}
