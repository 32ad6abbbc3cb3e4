//! The audit log: who did what, and when.

use crate::account::{AccountId, administrator};
use crate::club::{Club, ClubError};
use rusqlite::{Connection, params};

/// An entry of the log.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Entry {
    /// Its number; later entries have larger ones.
    pub id: i64,
    /// When: milliseconds since 1970.
    pub time: i64,
    /// The name of the account that did it; none for the server itself.
    pub actor: Option<String>,
    /// What was done, such as `log-in`.
    pub action: String,
    /// To whom or to what.
    pub subject: String,
}

/// Notes what somebody did, in the transaction that does it.
pub(crate) fn note(
    connection: &Connection,
    now: i64,
    actor: Option<AccountId>,
    action: &str,
    subject: &str,
) -> Result<(), ClubError> {
    connection
        .prepare_cached("INSERT INTO audit (time, actor, action, subject) VALUES (?1, ?2, ?3, ?4)")?
        .execute(params![now, actor, action, subject])?;
    Ok(())
}

impl Club {
    /// At most `limit` entries before the one with the number `before`, newest first.
    pub fn log(
        &self,
        by: AccountId,
        before: Option<i64>,
        limit: u32,
    ) -> Result<Vec<Entry>, ClubError> {
        let connection = self.connection();
        administrator(&connection, by)?;
        let mut statement = connection.prepare_cached(
            "SELECT audit.id, time, account.name, action, subject
             FROM audit LEFT JOIN account ON account.id = actor
             WHERE audit.id < ?1 ORDER BY audit.id DESC LIMIT ?2",
        )?;
        let entries = statement.query_map(params![before.unwrap_or(i64::MAX), limit], |row| {
            Ok(Entry {
                id: row.get(0)?,
                time: row.get(1)?,
                actor: row.get(2)?,
                action: row.get(3)?,
                subject: row.get(4)?,
            })
        })?;
        Ok(entries.collect::<rusqlite::Result<_>>()?)
    }
}
