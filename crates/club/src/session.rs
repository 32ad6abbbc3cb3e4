//! Sessions: log in with a password, and stay logged in by a cookie.

use crate::account::{self, Account, AccountId};
use crate::club::{Club, ClubError};
use crate::{audit, secret};
use rusqlite::{OptionalExtension, params};
use std::fmt;
use std::net::IpAddr;
use std::sync::PoisonError;

/// How long a session lasts that nobody uses: two weeks, in milliseconds.
const IDLE: i64 = 14 * 86_400_000;

/// How long a session lasts at most: a hundred days.
const LONGEST: i64 = 100 * 86_400_000;

/// How often it is noted that a session is used.
const NOTED: i64 = 60_000;

/// A session that has just begun.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Session {
    /// The cookie; told only once.
    pub cookie: String,
    /// Who has logged in.
    pub visitor: Visitor,
}

/// Somebody who has logged in.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Visitor {
    /// Who it is.
    pub account: Account,
    /// What a change must bring beside the cookie. Only pages that this server sent know it, so that
    /// no other site can make changes in the visitor's name.
    pub form: String,
}

/// Why somebody cannot log in.
#[derive(Debug)]
pub enum LogInError {
    /// There is no such name with such a password. It does not say which of the two is wrong.
    Wrong,
    /// After too many failures, one must wait: milliseconds.
    Wait(i64),
    /// The account is blocked.
    Blocked,
    /// The club's file fails.
    Club(ClubError),
}

impl fmt::Display for LogInError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            LogInError::Wrong => f.write_str(
                "nobody has this name and this password; expected a name and its password",
            ),
            LogInError::Wait(ms) => {
                let seconds = ms.div_euclid(1_000) + 1;
                write!(f, "too many wrong passwords; try again in {seconds} s")
            }
            LogInError::Blocked => f.write_str("the account is blocked; ask an administrator"),
            LogInError::Club(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for LogInError {}

impl<E: Into<ClubError>> From<E> for LogInError {
    fn from(error: E) -> LogInError {
        LogInError::Club(error.into())
    }
}

impl Club {
    /// Begins a session of the account called `name`.
    ///
    /// Failures are counted by name and by address: the first protects an account from many
    /// machines, the second all accounts from one.
    pub fn log_in(
        &self,
        name: &str,
        password: &str,
        address: IpAddr,
        now: i64,
    ) -> Result<Session, LogInError> {
        let key = name.to_lowercase();
        {
            let limits = self.log_ins().lock().unwrap_or_else(PoisonError::into_inner);
            let wait = limits.names.wait(&key, now).max(limits.addresses.wait(&address, now));
            if wait > 0 {
                return Err(LogInError::Wait(wait));
            }
        }
        let found = self.account_called(name)?;
        let is_right =
            self.is_right_password(found.as_ref().map_or(0, |account| account.id), password)?;
        let mut limits = self.log_ins().lock().unwrap_or_else(PoisonError::into_inner);
        let Some(account) = found.filter(|_| is_right) else {
            limits.names.fail(key, now);
            limits.addresses.fail(address, now);
            return Err(LogInError::Wrong);
        };
        limits.names.succeed(&key);
        limits.addresses.succeed(&address);
        drop(limits);
        if account.is_blocked {
            return Err(LogInError::Blocked);
        }
        Ok(self.begin_session(account, now)?)
    }

    /// Begins a session.
    pub(crate) fn begin_session(&self, account: Account, now: i64) -> Result<Session, ClubError> {
        let (cookie, form) = (secret::code()?, secret::code()?);
        self.transaction(|connection| {
            connection.execute(
                "INSERT INTO session (hash, account, form, created, used) VALUES (?1, ?2, ?3, ?4, ?4)",
                params![secret::hash(&cookie), account.id, form, now],
            )?;
            audit::note(connection, now, Some(account.id), "log-in", &account.name)
        })?;
        Ok(Session { cookie, visitor: Visitor { account, form } })
    }

    /// Whose session has this cookie, if it still lasts.
    pub fn visitor(&self, cookie: &str, now: i64) -> Result<Option<Visitor>, ClubError> {
        let hash = secret::hash(cookie);
        let connection = self.connection();
        let found: Option<(AccountId, String, i64, i64)> = connection
            .prepare_cached("SELECT account, form, created, used FROM session WHERE hash = ?1")?
            .query_row([hash], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?)))
            .optional()?;
        let Some((id, form, created, used)) = found else { return Ok(None) };
        if now - used > IDLE || now - created > LONGEST {
            connection.execute("DELETE FROM session WHERE hash = ?1", [hash])?;
            return Ok(None);
        }
        if now - used > NOTED {
            connection
                .execute("UPDATE session SET used = ?2 WHERE hash = ?1", params![hash, now])?;
        }
        let account = account::by_id(&connection, id)?;
        Ok(Some(Visitor { account, form }).filter(|visitor| !visitor.account.is_blocked))
    }

    /// Ends a session: the cookie is worth nothing from now on.
    pub fn log_out(&self, cookie: &str) -> Result<(), ClubError> {
        self.connection().execute("DELETE FROM session WHERE hash = ?1", [secret::hash(cookie)])?;
        Ok(())
    }

    /// Forgets sessions, invitations and judges that have ended by themselves.
    pub fn tidy(&self, now: i64) -> Result<(), ClubError> {
        let connection = self.connection();
        connection.execute(
            "DELETE FROM session WHERE used < ?1 OR created < ?2",
            params![now - IDLE, now - LONGEST],
        )?;
        connection.execute("DELETE FROM invitation WHERE expires < ?1 OR uses <= 0", [now])?;
        connection.execute("DELETE FROM judge WHERE seen < ?1", [now - IDLE])?;
        Ok(())
    }
}
