//! Tokens: how programs act for an account.

use crate::account::{self, Account, AccountId};
use crate::club::{Club, ClubError};
use crate::{audit, secret};
use rusqlite::{OptionalExtension, params};

/// How often it is noted that a token is used, in milliseconds.
const NOTED: i64 = 60_000;

/// The most tokens of one account.
const MOST: i64 = 20;

/// The longest label, in characters.
const MOST_LABEL: usize = 64;

/// A token as its owner sees it in a list: the token itself is not kept.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Token {
    /// What its owner calls it.
    pub label: String,
    /// When it was made: milliseconds since 1970.
    pub created: i64,
    /// When it was last used, to about a minute.
    pub used: Option<i64>,
}

impl Club {
    /// Makes a token of one's own; it is told only once.
    pub fn add_token(&self, id: AccountId, label: &str, now: i64) -> Result<String, ClubError> {
        let label = label.trim();
        let is_plain = !label.is_empty() && !label.chars().any(char::is_control);
        if !is_plain || label.chars().count() > MOST_LABEL {
            return Err(ClubError::Label(label.to_owned()));
        }
        let token = secret::code()?;
        self.transaction(|connection| {
            let count: i64 = connection.query_row(
                "SELECT count(*) FROM token WHERE account = ?1",
                [id],
                |row| row.get(0),
            )?;
            if count >= MOST {
                return Err(ClubError::TooManyTokens);
            }
            connection.execute(
                "INSERT INTO token (hash, account, label, created) VALUES (?1, ?2, ?3, ?4)",
                params![secret::hash(&token), id, label, now],
            )?;
            audit::note(connection, now, Some(id), "add-token", label)
        })?;
        Ok(token)
    }

    /// One's tokens, newest first.
    pub fn tokens(&self, id: AccountId) -> Result<Vec<Token>, ClubError> {
        let connection = self.connection();
        let mut statement = connection.prepare_cached(
            "SELECT label, created, used FROM token WHERE account = ?1 ORDER BY created DESC, label",
        )?;
        let tokens = statement.query_map([id], |row| {
            Ok(Token { label: row.get(0)?, created: row.get(1)?, used: row.get(2)? })
        })?;
        Ok(tokens.collect::<rusqlite::Result<_>>()?)
    }

    /// Removes one's tokens with this label; returns whether there were any.
    pub fn remove_token(&self, id: AccountId, label: &str, now: i64) -> Result<bool, ClubError> {
        self.transaction(|connection| {
            let gone = connection.execute(
                "DELETE FROM token WHERE account = ?1 AND label = ?2",
                params![id, label],
            )?;
            if gone > 0 {
                audit::note(connection, now, Some(id), "remove-token", label)?;
            }
            Ok(gone > 0)
        })
    }

    /// For whom a token speaks, if it is one.
    pub fn bearer(&self, token: &str, now: i64) -> Result<Option<Account>, ClubError> {
        let hash = secret::hash(token);
        let connection = self.connection();
        let found: Option<(AccountId, Option<i64>)> = connection
            .prepare_cached("SELECT account, used FROM token WHERE hash = ?1")?
            .query_row([hash], |row| Ok((row.get(0)?, row.get(1)?)))
            .optional()?;
        let Some((id, used)) = found else { return Ok(None) };
        if used.is_none_or(|used| now - used > NOTED) {
            connection.execute("UPDATE token SET used = ?2 WHERE hash = ?1", params![hash, now])?;
        }
        let account = account::by_id(&connection, id)?;
        Ok(Some(account).filter(|account| !account.is_blocked))
    }
}
