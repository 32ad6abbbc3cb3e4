//! The settings of a club, each a line of text under a key.

use crate::club::ClubError;
use rusqlite::{Connection, OptionalExtension, params};

pub(crate) fn get(connection: &Connection, key: &str) -> Result<Option<String>, ClubError> {
    let mut statement = connection.prepare_cached("SELECT value FROM setting WHERE key = ?1")?;
    Ok(statement.query_row([key], |row| row.get(0)).optional()?)
}

/// Sets a value, or goes back to the default.
pub(crate) fn set(
    connection: &Connection,
    key: &str,
    value: Option<&str>,
) -> Result<(), ClubError> {
    match value {
        Some(value) => connection.execute(
            "INSERT OR REPLACE INTO setting (key, value) VALUES (?1, ?2)",
            params![key, value],
        )?,
        None => connection.execute("DELETE FROM setting WHERE key = ?1", [key])?,
    };
    Ok(())
}
