//! The queue of the judges: what is to be checked, played and reviewed, each by one judge at a time.
//!
//! A judge has a job for a limited time and extends it while it works. If the
//! judge dies, another one gets the job; a result that comes late is refused, so
//! that nothing is done twice.

use crate::club::{Club, ClubError};
use crate::report::CheckProgress;
use rusqlite::{Connection, OptionalExtension, params};
use std::fmt;

/// How long a judge has a job without a sign of life, in milliseconds.
const LEASE: i64 = 30_000;

/// A judge's sign of life is kept only if the last one is older, in milliseconds.
const SIGN: i64 = 5_000;

/// How often a job is tried before it is set aside.
const MOST_ATTEMPTS: i64 = 3;

/// The most urgent job of some kinds that nobody has. The sign keeps SQLite from looking for the
/// kinds first, and sorting all their jobs: there are tens of thousands in a final.
const NEXT: &str = "SELECT id, kind, subject, attempts FROM job
    WHERE trouble IS NULL AND (lease IS NULL OR lease < ?1) AND +kind IN (SELECT value FROM json_each(?2))
    ORDER BY priority DESC, id LIMIT 1";

/// What is to be done.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum JobKind {
    /// A version is to be checked.
    Check,
    /// A game is to be played.
    Game,
    /// A game is to be analysed.
    Review,
    /// An agent is to answer a person's move.
    Reply,
}

impl JobKind {
    /// All kinds.
    pub const ALL: [JobKind; 4] = [JobKind::Check, JobKind::Game, JobKind::Review, JobKind::Reply];

    /// The kind as one word. The words never change.
    pub const fn word(self) -> &'static str {
        match self {
            JobKind::Check => "check",
            JobKind::Game => "game",
            JobKind::Review => "review",
            JobKind::Reply => "reply",
        }
    }

    fn read(word: &str) -> JobKind {
        // The table contains no other words.
        JobKind::ALL.into_iter().find(|kind| kind.word() == word).unwrap_or(JobKind::Review)
    }
}

/// A job that a judge has taken.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Job {
    /// Its number.
    pub id: i64,
    /// What is to be done.
    pub kind: JobKind,
    /// The version or the game.
    pub subject: i64,
    /// Who has it.
    pub judge: String,
    /// Which attempt it is, from 1.
    pub attempt: i64,
}

/// Why a judge cannot go on with a job.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum JobError {
    /// The judge was silent for too long, and the job is another's, or the job is no longer wanted.
    Lost,
}

impl fmt::Display for JobError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the job is no longer this judge's")
    }
}

impl std::error::Error for JobError {}

/// A job that was set aside.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Trouble {
    /// What was to be done.
    pub kind: JobKind,
    /// The version or the game.
    pub subject: i64,
    /// Why it was not done.
    pub reason: String,
}

/// What there is to do.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Backlog {
    /// Jobs that wait.
    pub waiting: u64,
    /// Jobs that judges have.
    pub taken: u64,
    /// Jobs that were set aside.
    pub troubled: u64,
}

/// Adds a job; a job of the same kind and subject that is there stays as it is.
pub(crate) fn add(
    connection: &Connection,
    kind: JobKind,
    subject: i64,
    priority: i64,
) -> Result<(), ClubError> {
    connection
        .prepare_cached("INSERT OR IGNORE INTO job (kind, subject, priority) VALUES (?1, ?2, ?3)")?
        .execute(params![kind.word(), subject, priority])?;
    Ok(())
}

/// Takes a job off the queue when its result is kept, in the same transaction.
pub(crate) fn finish(connection: &Connection, job: &Job) -> Result<(), ClubError> {
    let gone = connection
        .prepare_cached("DELETE FROM job WHERE id = ?1 AND judge = ?2 AND attempts = ?3")?
        .execute(params![job.id, job.judge, job.attempt])?;
    if gone == 0 { Err(JobError::Lost.into()) } else { Ok(()) }
}

/// Says that a judge is still at a job.
pub(crate) fn extend(connection: &Connection, job: &Job, now: i64) -> Result<(), ClubError> {
    let kept = connection
        .prepare_cached("UPDATE job SET lease = ?4 WHERE id = ?1 AND judge = ?2 AND attempts = ?3")?
        .execute(params![job.id, job.judge, job.attempt, now + LEASE])?;
    if kept == 0 {
        return Err(JobError::Lost.into());
    }
    connection
        .prepare_cached("UPDATE judge SET seen = ?2 WHERE name = ?1 AND seen < ?2 - ?3")?
        .execute(params![job.judge, now, SIGN])?;
    Ok(())
}

/// Notes that a judge is there, for jobs of these kinds.
fn note_judge(
    connection: &Connection,
    judge: &str,
    kinds: &[JobKind],
    now: i64,
) -> Result<(), ClubError> {
    connection
        .prepare_cached(
            "INSERT INTO judge (name, is_player, seen) VALUES (?1, ?2, ?3)
             ON CONFLICT (name) DO UPDATE SET is_player = ?2, seen = ?3
             WHERE seen < ?3 - ?4 OR is_player <> ?2",
        )?
        .execute(params![judge, kinds.contains(&JobKind::Game), now, SIGN])?;
    Ok(())
}

/// How many judges that play games have lately given a sign of life. One that speaks for a cluster
/// counts as many times as it has games.
pub(crate) fn judges(connection: &Connection, now: i64) -> Result<u64, ClubError> {
    let (there, at_games): (i64, i64) = connection
        .prepare_cached(
            "SELECT (SELECT count(*) FROM judge WHERE is_player AND seen >= ?1 - ?2),
                    (SELECT count(*) FROM job
                     WHERE trouble IS NULL AND kind = 'game' AND lease >= ?1)",
        )?
        .query_row(params![now, LEASE], |row| Ok((row.get(0)?, row.get(1)?)))?;
    Ok(there.max(at_games).cast_unsigned())
}

impl Club {
    /// How many judges are there that play games.
    pub fn judges(&self, now: i64) -> Result<u64, ClubError> {
        judges(&self.connection(), now)
    }

    /// Forgets a judge that has ended in order.
    pub fn forget_judge(&self, judge: &str) -> Result<(), ClubError> {
        self.connection().execute("DELETE FROM judge WHERE name = ?1", [judge])?;
        Ok(())
    }

    /// The place of a version's check among those that wait, from 1; 0 if a judge is at it, and none
    /// if it waits for no check.
    pub fn place_of_check(&self, version: i64, now: i64) -> Result<Option<u64>, ClubError> {
        let place = self
            .connection()
            .prepare_cached(
                "SELECT CASE WHEN own.lease >= ?2 THEN 0 ELSE
                     (SELECT count(*) FROM job WHERE kind = 'check' AND id <= own.id
                      AND trouble IS NULL AND (lease IS NULL OR lease < ?2)) END
                 FROM job AS own WHERE kind = 'check' AND subject = ?1 AND trouble IS NULL",
            )?
            .query_row(params![version, now], |row| row.get::<_, i64>(0))
            .optional()?;
        Ok(place.map(i64::cast_unsigned))
    }

    /// How far the check of a version has come; none if no judge is at it, or the judge does not say.
    pub fn progress_of_check(
        &self,
        version: i64,
        now: i64,
    ) -> Result<Option<CheckProgress>, ClubError> {
        let progress = self
            .connection()
            .prepare_cached(
                "SELECT done, cases FROM job WHERE kind = 'check' AND subject = ?1
                 AND lease >= ?2 AND done IS NOT NULL AND cases IS NOT NULL",
            )?
            .query_row(params![version, now], |row| {
                Ok(CheckProgress { done: row.get(0)?, cases: row.get(1)? })
            })
            .optional()?;
        Ok(progress)
    }

    /// Says how far a check has come, for its author; and that its judge is still at it.
    pub fn show_check(
        &self,
        job: &Job,
        progress: CheckProgress,
        now: i64,
    ) -> Result<(), ClubError> {
        self.transaction(|connection| {
            extend(connection, job, now)?;
            connection
                .prepare_cached("UPDATE job SET done = ?2, cases = ?3 WHERE id = ?1")?
                .execute(params![job.id, progress.done, progress.cases])?;
            Ok(())
        })
    }

    /// The most urgent job of these kinds that nobody has, if there is one.
    pub fn take_job(
        &self,
        judge: &str,
        kinds: &[JobKind],
        now: i64,
    ) -> Result<Option<Job>, ClubError> {
        let words: Vec<&str> = kinds.iter().map(|kind| kind.word()).collect();
        let wanted = serde_json::to_string(&words).expect("words are plain data");
        self.transaction(|connection| {
            note_judge(connection, judge, kinds, now)?;
            loop {
                let found = connection
                    .prepare_cached(NEXT)?
                    .query_row(params![now, wanted], |row| {
                        let kind: String = row.get(1)?;
                        let (id, subject): (i64, i64) = (row.get(0)?, row.get(2)?);
                        let attempts: i64 = row.get(3)?;
                        Ok((id, JobKind::read(&kind), subject, attempts))
                    })
                    .optional()?;
                let Some((id, kind, subject, attempts)) = found else { return Ok(None) };
                let attempt = attempts + 1;
                if attempt > MOST_ATTEMPTS {
                    set_aside(connection, id, "every judge that took it ended without a result")?;
                    continue;
                }
                connection.execute(
                    "UPDATE job SET judge = ?2, lease = ?3, attempts = ?4, done = NULL, cases = NULL
                     WHERE id = ?1",
                    params![id, judge, now + LEASE, attempt],
                )?;
                return Ok(Some(Job { id, kind, subject, judge: judge.to_owned(), attempt }));
            }
        })
    }

    /// Says that a judge is still at a job.
    pub fn extend_job(&self, job: &Job, now: i64) -> Result<(), ClubError> {
        extend(&self.connection(), job, now)
    }

    /// Gives a job back undone, such as when a judge is stopped; it does not count as an attempt.
    pub fn give_back_job(&self, job: &Job) -> Result<(), ClubError> {
        self.connection().execute(
            "UPDATE job SET judge = NULL, lease = NULL, attempts = attempts - 1
             WHERE id = ?1 AND judge = ?2 AND attempts = ?3",
            params![job.id, job.judge, job.attempt],
        )?;
        Ok(())
    }

    /// Sets a job aside that cannot be done; the rest goes on. Tried again, it is as urgent as before.
    pub fn set_job_aside(&self, job: &Job, reason: &str) -> Result<(), ClubError> {
        self.transaction(|connection| {
            // Whoever has lost it must not.
            extend(connection, job, 0)?;
            set_aside(connection, job.id, reason)
        })
    }

    /// Jobs that were set aside.
    pub fn troubles(&self) -> Result<Vec<Trouble>, ClubError> {
        let connection = self.connection();
        let mut statement = connection.prepare_cached(
            "SELECT kind, subject, trouble FROM job WHERE trouble IS NOT NULL ORDER BY id",
        )?;
        let troubles = statement.query_map([], |row| {
            let kind: String = row.get(0)?;
            Ok(Trouble { kind: JobKind::read(&kind), subject: row.get(1)?, reason: row.get(2)? })
        })?;
        Ok(troubles.collect::<rusqlite::Result<_>>()?)
    }

    /// Has all jobs that were set aside tried again; returns how many.
    pub fn retry_troubles(&self) -> Result<usize, ClubError> {
        let query = "UPDATE job SET trouble = NULL, attempts = 0, judge = NULL, lease = NULL
                     WHERE trouble IS NOT NULL";
        Ok(self.connection().execute(query, [])?)
    }

    /// What there is to do.
    pub fn backlog(&self, now: i64) -> Result<Backlog, ClubError> {
        let counts = self.connection().query_row(
            "SELECT count(*) FILTER (WHERE trouble IS NULL AND (lease IS NULL OR lease < ?1)),
                    count(*) FILTER (WHERE trouble IS NULL AND lease >= ?1),
                    count(*) FILTER (WHERE trouble IS NOT NULL)
             FROM job",
            [now],
            |row| Ok((row.get::<_, i64>(0)?, row.get::<_, i64>(1)?, row.get::<_, i64>(2)?)),
        )?;
        let [waiting, taken, troubled] =
            [counts.0, counts.1, counts.2].map(|count| u64::try_from(count).unwrap_or(0));
        Ok(Backlog { waiting, taken, troubled })
    }
}

fn set_aside(connection: &Connection, id: i64, reason: &str) -> Result<(), ClubError> {
    connection.execute(
        "UPDATE job SET trouble = ?2, judge = NULL, lease = NULL WHERE id = ?1",
        params![id, reason],
    )?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::schema::{STEPS, plan};

    #[test]
    fn the_next_job_is_found_without_sorting_all() {
        let connection = Connection::open_in_memory().unwrap();
        STEPS.iter().for_each(|step| connection.execute_batch(step).unwrap());
        let plan = plan(&connection, NEXT);
        assert!(plan.contains("USING INDEX job_order") && !plan.contains("TEMP"), "{plan}");
    }
}
