//! Submissions: every version of every member's agent, one of which is active.

use crate::account::{self, AccountId, Role, administrator};
use crate::club::{Club, ClubError};
use crate::queue::{self, Job, JobKind};
use crate::report::Report;
use crate::{audit, game, setting};
use rusqlite::{Connection, OptionalExtension, Row, params};
use serde::Serialize;
use sha2::{Digest, Sha256};
use std::collections::HashMap;
use std::fmt;
use utoipa::ToSchema;

/// The largest source, in bytes.
const MOST_BYTES: usize = 1 << 20;

/// The most characters of a file's name.
const MOST_FILE: usize = 64;

/// The most submissions of one account in an hour.
const MOST_IN_AN_HOUR: i64 = 20;

const HOUR: i64 = 3_600_000;

/// Of so many of its latest games one is told how many a version has failed in.
const LATEST_GAMES: i64 = 20;

/// Checks come before games: their author waits for them.
const CHECK_PRIORITY: i64 = 1_000;

/// The number of a version.
pub type VersionId = i64;

/// Whether a version may play.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum VersionState {
    /// It is yet to be checked.
    Waiting,
    /// It may play.
    Passed,
    /// It may not: the check found faults.
    Failed,
    /// It may not: an administrator says so.
    Blocked,
}

impl VersionState {
    /// All states.
    pub const ALL: [VersionState; 4] =
        [VersionState::Waiting, VersionState::Passed, VersionState::Failed, VersionState::Blocked];

    /// The state as one word. The words never change.
    pub const fn word(self) -> &'static str {
        match self {
            VersionState::Waiting => "waiting",
            VersionState::Passed => "passed",
            VersionState::Failed => "failed",
            VersionState::Blocked => "blocked",
        }
    }
}

/// A version of somebody's agent.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Version {
    /// Its number among all versions.
    pub id: VersionId,
    /// Whose it is.
    pub account: AccountId,
    /// Its number among its author's versions, from 1.
    pub number: i64,
    /// What its author calls the file.
    pub file: String,
    /// SHA-256 of its source.
    pub digest: [u8; 32],
    /// Whether it may play.
    pub state: VersionState,
    /// Why it is blocked, if it is; empty if an older program blocked it.
    pub reason: Option<String>,
    /// Whether it is the one that plays for its author.
    pub is_active: bool,
    /// Whether people may play against it.
    pub is_open: bool,
    /// When it was submitted: milliseconds since 1970.
    pub created: i64,
}

/// Why a submission is refused.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum SubmitError {
    /// Guests do not submit.
    Guest,
    /// The source is empty, too large, or not a text.
    Source,
    /// The file's name cannot be one.
    File(String),
    /// The author has submitted the same source before.
    Known {
        /// As this version.
        number: i64,
    },
    /// The author has submitted the same source before, and an administrator has blocked it.
    Blocked {
        /// As this version.
        number: i64,
        /// For this reason.
        reason: String,
    },
    /// The author has submitted too often.
    Often,
    /// The deadline has passed.
    Frozen,
}

impl fmt::Display for SubmitError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SubmitError::Guest => {
                f.write_str("guests cannot submit; ask an administrator to be a member")
            }
            SubmitError::Source => {
                let most = MOST_BYTES >> 10;
                write!(f, "not a Python file; expected a text of at most {most} KiB")
            }
            SubmitError::File(name) => {
                write!(f, "{name:?} cannot be the name; expected one such as my_ai.py")
            }
            SubmitError::Known { number } => {
                write!(f, "this is your version {number} already; you can let that one play")
            }
            SubmitError::Blocked { number, reason } => {
                write!(f, "this is your version {number}, which is blocked")?;
                if reason.is_empty() { Ok(()) } else { write!(f, ": {reason}") }
            }
            SubmitError::Often => {
                write!(f, "too many submissions; expected at most {MOST_IN_AN_HOUR} in an hour")
            }
            SubmitError::Frozen => f.write_str("the deadline has passed; submissions are closed"),
        }
    }
}

impl std::error::Error for SubmitError {}

const COLUMNS: &str =
    "id, account, number, file, digest, state, is_active, is_open, created, reason";

fn read(row: &Row<'_>) -> rusqlite::Result<Version> {
    let state: String = row.get(5)?;
    let state = VersionState::ALL.into_iter().find(|one| one.word() == state);
    Ok(Version {
        id: row.get(0)?,
        account: row.get(1)?,
        number: row.get(2)?,
        file: row.get(3)?,
        digest: row.get(4)?,
        // The table contains no other words.
        state: state.unwrap_or(VersionState::Blocked),
        reason: match state {
            Some(VersionState::Blocked) => row.get::<_, Option<String>>(9)?.or(Some(String::new())),
            _ => None,
        },
        is_active: row.get(6)?,
        is_open: row.get(7)?,
        created: row.get(8)?,
    })
}

pub(crate) fn by_id(connection: &Connection, id: VersionId) -> Result<Version, ClubError> {
    let query = format!("SELECT {COLUMNS} FROM version WHERE id = ?1");
    let found = connection.prepare_cached(&query)?.query_row([id], read).optional()?;
    found.ok_or(ClubError::NoVersion)
}

/// The versions that play for their authors.
pub(crate) fn active(connection: &Connection) -> Result<Vec<Version>, ClubError> {
    let query = format!(
        "SELECT {COLUMNS} FROM version WHERE is_active AND state = 'passed'
         AND account IN (SELECT id FROM account WHERE NOT is_blocked) ORDER BY id"
    );
    let mut statement = connection.prepare_cached(&query)?;
    let versions = statement.query_map([], read)?.collect::<rusqlite::Result<_>>()?;
    Ok(versions)
}

/// Who wrote each version.
pub(crate) fn authors(connection: &Connection) -> Result<HashMap<VersionId, AccountId>, ClubError> {
    let mut statement = connection.prepare_cached("SELECT id, account FROM version")?;
    let authors = statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?;
    Ok(authors.collect::<rusqlite::Result<_>>()?)
}

/// Checks a file before it is kept: its name and its source.
fn check(file: &str, source: &[u8]) -> Result<(), SubmitError> {
    let is_plain = |letter: char| letter.is_alphanumeric() || "._- ()".contains(letter);
    let is_name = file.ends_with(".py")
        && !file.starts_with('.')
        && file.chars().count() <= MOST_FILE
        && file.chars().all(is_plain);
    if !is_name {
        return Err(SubmitError::File(file.to_owned()));
    }
    let text = str::from_utf8(source).map_err(|_| SubmitError::Source)?;
    if text.trim().is_empty() || text.len() > MOST_BYTES || text.contains('\0') {
        return Err(SubmitError::Source);
    }
    Ok(())
}

impl Club {
    /// Submits a file, which is then checked by a judge. `own_seconds` is how long the judges'
    /// exercise took on the author's machine, if it was tried there.
    pub fn submit(
        &self,
        by: AccountId,
        file: &str,
        source: &[u8],
        own_seconds: Option<f64>,
        now: i64,
    ) -> Result<Version, ClubError> {
        check(file, source)?;
        let own_seconds = own_seconds.filter(|seconds| (0.0..=3_600.0).contains(seconds));
        let digest: [u8; 32] = Sha256::digest(source).into();
        self.transaction(|connection| {
            if account::by_id(connection, by)?.role == Role::Guest {
                return Err(SubmitError::Guest.into());
            }
            if is_frozen(connection, now)? {
                return Err(SubmitError::Frozen.into());
            }
            let known = connection
                .query_row(
                    &format!("SELECT {COLUMNS} FROM version WHERE account = ?1 AND digest = ?2"),
                    params![by, digest],
                    read,
                )
                .optional()?;
            if let Some(Version { number, reason, .. }) = known {
                return Err(match reason {
                    Some(reason) => SubmitError::Blocked { number, reason }.into(),
                    None => SubmitError::Known { number }.into(),
                });
            }
            let (last, recent): (i64, i64) = connection.query_row(
                "SELECT ifnull(max(number), 0), count(*) FILTER (WHERE created > ?2)
                 FROM version WHERE account = ?1",
                params![by, now - HOUR],
                |row| Ok((row.get(0)?, row.get(1)?)),
            )?;
            if recent >= MOST_IN_AN_HOUR {
                return Err(SubmitError::Often.into());
            }
            connection.execute(
                "INSERT INTO version (account, number, file, source, digest, state, created,
                                      own_seconds)
                 VALUES (?1, ?2, ?3, ?4, ?5, 'waiting', ?6, ?7)",
                params![by, last + 1, file, source, digest, now, own_seconds],
            )?;
            let id = connection.last_insert_rowid();
            queue::add(connection, JobKind::Check, id, CHECK_PRIORITY)?;
            let version = by_id(connection, id)?;
            audit::note(connection, now, Some(by), "submit", &named(connection, &version)?)?;
            Ok(version)
        })
    }

    /// The version with this number.
    pub fn version(&self, id: VersionId) -> Result<Version, ClubError> {
        by_id(&self.connection(), id)
    }

    /// An author's versions, newest first.
    pub fn versions(&self, account: AccountId) -> Result<Vec<Version>, ClubError> {
        let connection = self.connection();
        let query =
            format!("SELECT {COLUMNS} FROM version WHERE account = ?1 ORDER BY number DESC");
        let mut statement = connection.prepare_cached(&query)?;
        let versions = statement.query_map([account], read)?.collect::<rusqlite::Result<_>>()?;
        Ok(versions)
    }

    /// How many of a version's latest games between agents it has lost by failing.
    pub fn recent_failures(&self, id: VersionId) -> Result<u64, ClubError> {
        let failures: i64 = self
            .connection()
            .prepare_cached(
                "SELECT count(*) FROM (
                     SELECT record ->> '$.forfeiter' AS forfeiter,
                            CASE WHEN ifnull(one = ?1, 0) = (place = 0) THEN 'black' ELSE 'white' END AS own
                     FROM battle JOIN game ON battle = battle.id
                     WHERE (one = ?1 OR other = ?1) AND kind <> 'casual' AND state = 'played'
                     ORDER BY game.id DESC LIMIT ?2)
                 WHERE forfeiter = own",
            )?
            .query_row(params![id, LATEST_GAMES], |row| row.get(0))?;
        Ok(failures.cast_unsigned())
    }

    /// The versions that play for their authors.
    pub fn active_versions(&self) -> Result<Vec<Version>, ClubError> {
        active(&self.connection())
    }

    /// The source of a version, for its author and for administrators alone.
    pub fn source(&self, by: AccountId, id: VersionId) -> Result<Vec<u8>, ClubError> {
        let connection = self.connection();
        confidant(&connection, by, id)?;
        Ok(connection
            .query_row("SELECT source FROM version WHERE id = ?1", [id], |row| row.get(0))?)
    }

    /// The source of a version, for a judge.
    pub fn source_to_judge(&self, id: VersionId) -> Result<Vec<u8>, ClubError> {
        let source = self
            .connection()
            .query_row("SELECT source FROM version WHERE id = ?1", [id], |row| row.get(0))
            .optional()?;
        source.ok_or(ClubError::NoVersion)
    }

    /// What the check of a version found, for its author and for administrators alone; none before
    /// it was checked.
    pub fn report(&self, by: AccountId, id: VersionId) -> Result<Option<Report>, ClubError> {
        let connection = self.connection();
        confidant(&connection, by, id)?;
        report(&connection, id)
    }

    /// The Python that the newest version which was checked ran on; none before the first check.
    pub fn python(&self) -> Result<Option<String>, ClubError> {
        let python = self
            .connection()
            .prepare_cached(
                "SELECT json_extract(report, '$.python') FROM version
                 WHERE json_extract(report, '$.python') IS NOT NULL ORDER BY id DESC LIMIT 1",
            )?
            .query_row([], |row| row.get(0))
            .optional()?;
        Ok(python)
    }

    /// Keeps what the check of a version found. A version that passed becomes its author's active
    /// one, unless the author has submitted a later one that passed.
    pub fn finish_check(&self, job: &Job, report: &Report, now: i64) -> Result<(), ClubError> {
        let has_passed = report.has_passed();
        let report = serde_json::to_string(report).expect("a report is plain data");
        self.transaction(|connection| {
            queue::finish(connection, job)?;
            let version = by_id(connection, job.subject)?;
            if version.state != VersionState::Waiting {
                return Ok(());
            }
            let state = if has_passed { VersionState::Passed } else { VersionState::Failed };
            connection.execute(
                "UPDATE version SET state = ?2, report = ?3 WHERE id = ?1",
                params![version.id, state.word(), report],
            )?;
            let is_latest: bool = connection.query_row(
                "SELECT NOT EXISTS (SELECT 1 FROM version
                                    WHERE account = ?1 AND number > ?2 AND state = 'passed')",
                params![version.account, version.number],
                |row| row.get(0),
            )?;
            if has_passed && is_latest && !is_frozen(connection, now)? {
                set_active(connection, &version)?;
            }
            let subject = format!("{}: {}", named(connection, &version)?, state.word());
            audit::note(connection, now, None, "check", &subject)
        })
    }

    /// Makes one of one's own versions the one that plays.
    pub fn activate(&self, by: AccountId, id: VersionId, now: i64) -> Result<(), ClubError> {
        self.transaction(|connection| {
            let version = by_id(connection, id)?;
            if version.account != by || version.state != VersionState::Passed {
                return Err(ClubError::NoVersion);
            }
            if is_frozen(connection, now)? {
                return Err(SubmitError::Frozen.into());
            }
            set_active(connection, &version)?;
            audit::note(connection, now, Some(by), "activate", &named(connection, &version)?)
        })
    }

    /// Lets people play against one of one's own versions, or not.
    pub fn set_open(
        &self,
        by: AccountId,
        id: VersionId,
        is_open: bool,
        now: i64,
    ) -> Result<(), ClubError> {
        self.transaction(|connection| {
            let version = by_id(connection, id)?;
            if version.account != by {
                return Err(ClubError::NoVersion);
            }
            connection
                .execute("UPDATE version SET is_open = ?2 WHERE id = ?1", params![id, is_open])?;
            let action = if is_open { "open" } else { "close" };
            audit::note(connection, now, Some(by), action, &named(connection, &version)?)
        })
    }

    /// Blocks a version for a reason, which its author reads: it plays no more.
    pub fn block_version(
        &self,
        by: AccountId,
        id: VersionId,
        reason: &str,
        now: i64,
    ) -> Result<(), ClubError> {
        self.transaction(|connection| {
            administrator(connection, by)?;
            let version = by_id(connection, id)?;
            connection.execute(
                "UPDATE version SET state = 'blocked', is_active = 0, is_open = 0, reason = ?2
                 WHERE id = ?1",
                params![id, reason],
            )?;
            connection.execute("DELETE FROM job WHERE kind = 'check' AND subject = ?1", [id])?;
            game::drop_waiting(connection, id, "the version is blocked")?;
            let subject = format!("{}: {reason}", named(connection, &version)?);
            audit::note(connection, now, Some(by), "block-version", &subject)
        })
    }

    /// Lets a version that was blocked be what its check made it; one that was not checked is. It
    /// plays again when its author says so.
    pub fn unblock_version(&self, by: AccountId, id: VersionId, now: i64) -> Result<(), ClubError> {
        self.transaction(|connection| {
            administrator(connection, by)?;
            let version = by_id(connection, id)?;
            if version.state != VersionState::Blocked {
                return Err(ClubError::NoVersion);
            }
            let state = match report(connection, id)? {
                None => VersionState::Waiting,
                Some(report) if report.has_passed() => VersionState::Passed,
                Some(_) => VersionState::Failed,
            };
            connection.execute(
                "UPDATE version SET state = ?2, reason = NULL WHERE id = ?1",
                params![id, state.word()],
            )?;
            if state == VersionState::Waiting {
                queue::add(connection, JobKind::Check, id, CHECK_PRIORITY)?;
            }
            let subject = named(connection, &version)?;
            audit::note(connection, now, Some(by), "unblock-version", &subject)
        })
    }

    /// Sets the deadline after which nobody submits or changes what plays, or takes it away.
    pub fn set_deadline(
        &self,
        by: AccountId,
        deadline: Option<i64>,
        now: i64,
    ) -> Result<(), ClubError> {
        self.transaction(|connection| {
            administrator(connection, by)?;
            let text = deadline.map(|time| time.to_string());
            setting::set(connection, "deadline", text.as_deref())?;
            audit::note(
                connection,
                now,
                Some(by),
                "set-deadline",
                text.as_deref().unwrap_or("none"),
            )
        })
    }

    /// When submissions close, if that is set: milliseconds since 1970.
    pub fn deadline(&self) -> Result<Option<i64>, ClubError> {
        deadline(&self.connection())
    }
}

/// What the check of a version found, if it was checked.
fn report(connection: &Connection, id: VersionId) -> Result<Option<Report>, ClubError> {
    let (text, own_seconds): (Option<String>, Option<f64>) = connection.query_row(
        "SELECT report, own_seconds FROM version WHERE id = ?1",
        [id],
        |row| Ok((row.get(0)?, row.get(1)?)),
    )?;
    let Some(text) = text else { return Ok(None) };
    let report: Report = serde_json::from_str(&text)
        .map_err(|error| ClubError::Damaged(format!("a report: {error}")))?;
    Ok(Some(Report { own_seconds, ..report }))
}

/// A version as people call it, in the log too: its author, and its number among the author's.
pub(crate) fn named(connection: &Connection, version: &Version) -> Result<String, ClubError> {
    let author = account::by_id(connection, version.account)?.name;
    Ok(format!("{author} v{}", version.number))
}

fn deadline(connection: &Connection) -> Result<Option<i64>, ClubError> {
    Ok(setting::get(connection, "deadline")?.and_then(|text| text.parse().ok()))
}

fn is_frozen(connection: &Connection, now: i64) -> Result<bool, ClubError> {
    Ok(deadline(connection)?.is_some_and(|deadline| now >= deadline))
}

/// Makes a version the one that plays for its author.
fn set_active(connection: &Connection, version: &Version) -> Result<(), ClubError> {
    connection.execute("UPDATE version SET is_active = 0 WHERE account = ?1", [version.account])?;
    connection.execute("UPDATE version SET is_active = 1 WHERE id = ?1", [version.id])?;
    Ok(())
}

/// Checks that `by` is the author of a version, or an administrator. To others it does not exist.
pub(crate) fn confidant(
    connection: &Connection,
    by: AccountId,
    id: VersionId,
) -> Result<(), ClubError> {
    let version = by_id(connection, id)?;
    let account = account::by_id(connection, by)?;
    let is_one = version.account == by || account.role == Role::Administrator;
    if is_one && !account.is_blocked { Ok(()) } else { Err(ClubError::NoVersion) }
}
