//! Accounts: who belongs to a club, and what each may do.

use crate::club::{Club, ClubError};
use crate::{audit, password};
use rusqlite::{Connection, OptionalExtension, Row, params};
use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;
use utoipa::ToSchema;

/// The most characters of a name, and of a section.
const MOST_NAME: usize = 32;

/// The number of an account.
pub type AccountId = i64;

/// What an account may do.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum Role {
    /// Everything.
    Administrator,
    /// Submits agents, plays and watches.
    Member,
    /// Plays and watches.
    Guest,
}

impl Role {
    /// All roles.
    pub const ALL: [Role; 3] = [Role::Administrator, Role::Member, Role::Guest];

    /// The role as one word. The words never change.
    pub const fn word(self) -> &'static str {
        match self {
            Role::Administrator => "administrator",
            Role::Member => "member",
            Role::Guest => "guest",
        }
    }
}

impl FromStr for Role {
    type Err = String;

    fn from_str(word: &str) -> Result<Role, String> {
        Role::ALL.into_iter().find(|role| role.word() == word).ok_or_else(|| {
            format!("{word:?} is not a role; expected administrator, member or guest")
        })
    }
}

/// Somebody who belongs to a club.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Account {
    /// Its number.
    pub id: AccountId,
    /// What people call it; no two differ only in case.
    pub name: String,
    /// The section of the class; may be empty.
    pub section: String,
    /// What it may do.
    pub role: Role,
    /// Whether it has chosen a password.
    pub has_password: bool,
    /// Whether it may do nothing.
    pub is_blocked: bool,
    /// When it was made: milliseconds since 1970.
    pub created: i64,
}

/// Why a name is refused.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum NameError {
    /// It has characters that a name cannot have, or too many.
    Shape(String),
    /// Somebody else has it.
    Taken(String),
}

impl fmt::Display for NameError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NameError::Shape(name) => write!(
                f,
                "{name:?} cannot be a name; expected 1 to {MOST_NAME} letters and digits, with \
                 single spaces or . - _ ' between them"
            ),
            NameError::Taken(name) => {
                write!(f, "somebody is called {name:?}; expected another name")
            }
        }
    }
}

impl std::error::Error for NameError {}

/// Checks a new name. Letters of every script are welcome, and spaces between words; what could be
/// markup, a path or a space that nobody sees is not.
pub(crate) fn check_name(name: &str) -> Result<(), NameError> {
    let is_inner = |letter: char| letter.is_alphanumeric() || " ._-'’".contains(letter);
    let is_outer = |letter: Option<char>| letter.is_some_and(char::is_alphanumeric);
    let is_name = name.chars().count() <= MOST_NAME
        && name.chars().all(is_inner)
        && !name.contains("  ")
        && is_outer(name.chars().next())
        && is_outer(name.chars().next_back());
    if is_name { Ok(()) } else { Err(NameError::Shape(name.to_owned())) }
}

/// Whether a text can be the section of a class: empty, or a few words on one line.
pub(crate) fn is_section(text: &str) -> bool {
    text.chars().count() <= MOST_NAME
        && text.trim() == text
        && text.chars().all(|letter| letter.is_alphanumeric() || " ._-/()".contains(letter))
}

const COLUMNS: &str = "id, name, section, role, password IS NOT NULL, is_blocked, created";

fn read(row: &Row<'_>) -> rusqlite::Result<Account> {
    let role: String = row.get(3)?;
    Ok(Account {
        id: row.get(0)?,
        name: row.get(1)?,
        section: row.get(2)?,
        // The table contains no other words.
        role: role.parse().unwrap_or(Role::Guest),
        has_password: row.get(4)?,
        is_blocked: row.get(5)?,
        created: row.get(6)?,
    })
}

/// Adds an account without a password.
pub(crate) fn add(
    connection: &Connection,
    name: &str,
    section: &str,
    role: Role,
    now: i64,
) -> Result<AccountId, ClubError> {
    check_name(name)?;
    if by_name(connection, name)?.is_some() {
        return Err(NameError::Taken(name.to_owned()).into());
    }
    connection.execute(
        "INSERT INTO account (name, section, role, created) VALUES (?1, ?2, ?3, ?4)",
        params![name, section, role.word(), now],
    )?;
    Ok(connection.last_insert_rowid())
}

pub(crate) fn by_id(connection: &Connection, id: AccountId) -> Result<Account, ClubError> {
    let query = format!("SELECT {COLUMNS} FROM account WHERE id = ?1");
    let found = connection.prepare_cached(&query)?.query_row([id], read).optional()?;
    found.ok_or(ClubError::NoAccount)
}

pub(crate) fn by_name(connection: &Connection, name: &str) -> Result<Option<Account>, ClubError> {
    let query = format!("SELECT {COLUMNS} FROM account WHERE name = ?1");
    Ok(connection.prepare_cached(&query)?.query_row([name], read).optional()?)
}

/// Checks that `id` is an administrator who may act.
pub(crate) fn administrator(connection: &Connection, id: AccountId) -> Result<(), ClubError> {
    let account = by_id(connection, id)?;
    if account.role == Role::Administrator && !account.is_blocked {
        return Ok(());
    }
    Err(ClubError::Forbidden)
}

impl Club {
    /// All accounts, by name.
    pub fn accounts(&self) -> Result<Vec<Account>, ClubError> {
        let connection = self.connection();
        let query = format!("SELECT {COLUMNS} FROM account ORDER BY name");
        let mut statement = connection.prepare(&query)?;
        let accounts = statement.query_map([], read)?.collect::<rusqlite::Result<_>>()?;
        Ok(accounts)
    }

    /// The account with this number.
    pub fn account(&self, id: AccountId) -> Result<Account, ClubError> {
        by_id(&self.connection(), id)
    }

    /// The account called `name`.
    pub fn account_called(&self, name: &str) -> Result<Option<Account>, ClubError> {
        by_name(&self.connection(), name)
    }

    /// Changes one's own password, which ends one's other sessions.
    pub fn change_password(
        &self,
        id: AccountId,
        old: &str,
        new: &str,
        now: i64,
    ) -> Result<(), ClubError> {
        let name = self.account(id)?.name;
        password::check(&name, new)?;
        if !self.is_right_password(id, old)? {
            return Err(ClubError::WrongPassword);
        }
        let hash = self.passwords().hash(new);
        self.transaction(|connection| {
            set_password(connection, id, &hash)?;
            audit::note(connection, now, Some(id), "change-password", &name)
        })
    }

    /// Whether this is the account's password. Takes long, without holding the file.
    pub(crate) fn is_right_password(
        &self,
        id: AccountId,
        password: &str,
    ) -> Result<bool, ClubError> {
        let hash: Option<String> = self
            .connection()
            .query_row("SELECT password FROM account WHERE id = ?1", [id], |row| row.get(0))
            .optional()?
            .flatten();
        Ok(self.passwords().is_right(password, hash.as_deref()))
    }

    /// Changes what an account may do.
    pub fn set_role(
        &self,
        by: AccountId,
        id: AccountId,
        role: Role,
        now: i64,
    ) -> Result<(), ClubError> {
        self.transaction(|connection| {
            administrator(connection, by)?;
            let account = by_id(connection, id)?;
            connection
                .execute("UPDATE account SET role = ?2 WHERE id = ?1", params![id, role.word()])?;
            keep_an_administrator(connection)?;
            let subject = format!("{}: {}", account.name, role.word());
            audit::note(connection, now, Some(by), "set-role", &subject)
        })
    }

    /// Gives an account another name, by which its owner logs in from now on.
    pub fn rename(
        &self,
        by: AccountId,
        id: AccountId,
        name: &str,
        now: i64,
    ) -> Result<(), ClubError> {
        check_name(name)?;
        self.transaction(|connection| {
            administrator(connection, by)?;
            let account = by_id(connection, id)?;
            if by_name(connection, name)?.is_some_and(|other| other.id != id) {
                return Err(NameError::Taken(name.to_owned()).into());
            }
            connection.execute("UPDATE account SET name = ?2 WHERE id = ?1", params![id, name])?;
            let subject = format!("{}: {name}", account.name);
            audit::note(connection, now, Some(by), "rename", &subject)
        })
    }

    /// Puts an account into another section of the class.
    pub fn set_section(
        &self,
        by: AccountId,
        id: AccountId,
        section: &str,
        now: i64,
    ) -> Result<(), ClubError> {
        if !is_section(section) {
            return Err(ClubError::Section(section.to_owned()));
        }
        self.transaction(|connection| {
            administrator(connection, by)?;
            let account = by_id(connection, id)?;
            connection
                .execute("UPDATE account SET section = ?2 WHERE id = ?1", params![id, section])?;
            let subject = format!("{}: {section}", account.name);
            audit::note(connection, now, Some(by), "set-section", &subject)
        })
    }

    /// Removes an account that has left nothing behind: whoever has submitted or played can only be
    /// blocked, because others have played against them.
    pub fn remove_account(&self, by: AccountId, id: AccountId, now: i64) -> Result<(), ClubError> {
        self.transaction(|connection| {
            administrator(connection, by)?;
            let account = by_id(connection, id)?;
            let has_done: bool = connection.query_row(
                "SELECT EXISTS (SELECT 1 FROM version WHERE account = ?1)
                     OR EXISTS (SELECT 1 FROM battle WHERE asker = ?1)",
                [id],
                |row| row.get(0),
            )?;
            if has_done {
                return Err(ClubError::HasPlayed(account.name));
            }
            connection.execute("DELETE FROM account WHERE id = ?1", [id])?;
            keep_an_administrator(connection)?;
            let by = Some(by).filter(|&by| by != id);
            audit::note(connection, now, by, "remove-account", &account.name)
        })
    }

    /// Blocks an account, which ends its sessions and makes its tokens useless, or lets it in again.
    pub fn set_blocked(
        &self,
        by: AccountId,
        id: AccountId,
        is_blocked: bool,
        now: i64,
    ) -> Result<(), ClubError> {
        self.transaction(|connection| {
            administrator(connection, by)?;
            let account = by_id(connection, id)?;
            connection.execute(
                "UPDATE account SET is_blocked = ?2 WHERE id = ?1",
                params![id, is_blocked],
            )?;
            if is_blocked {
                connection.execute("DELETE FROM session WHERE account = ?1", [id])?;
            }
            keep_an_administrator(connection)?;
            let action = if is_blocked { "block" } else { "unblock" };
            audit::note(connection, now, Some(by), action, &account.name)
        })
    }
}

/// Sets a password, which ends the account's sessions.
pub(crate) fn set_password(
    connection: &Connection,
    id: AccountId,
    hash: &str,
) -> Result<(), ClubError> {
    connection.execute("UPDATE account SET password = ?2 WHERE id = ?1", params![id, hash])?;
    connection.execute("DELETE FROM session WHERE account = ?1", [id])?;
    Ok(())
}

/// Refuses a change after which nobody could administer the club.
fn keep_an_administrator(connection: &Connection) -> Result<(), ClubError> {
    let left: i64 = connection.query_row(
        "SELECT count(*) FROM account WHERE role = 'administrator' AND NOT is_blocked",
        [],
        |row| row.get(0),
    )?;
    if left == 0 { Err(ClubError::LastAdministrator) } else { Ok(()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_letters_and_digits_of_any_script() {
        for name in ["ada", "Ada.Lovelace", "李明", "s_2026-11", "x", &"n".repeat(MOST_NAME)]
            .into_iter()
            .chain(["Ada King", "Mary-Ann O'Brien van der Zee", "Ö. Ø’Å"])
        {
            assert_eq!(check_name(name), Ok(()), "{name}");
        }
        for name in [
            "",
            " ada",
            "ada ",
            "a  b",
            "a\u{a0}b",
            "<b>ada</b>",
            "../ada",
            "a\u{200b}da",
            "-ada",
            "ada.",
        ]
        .into_iter()
        .chain(["a\nb", "ada\u{202e}", &"n".repeat(MOST_NAME + 1)])
        {
            assert!(check_name(name).is_err(), "{name:?}");
        }
        assert!(is_section("") && is_section("Monday 10 (A)") && is_section("2026/1"));
        assert!(!is_section(" x") && !is_section("<x>") && !is_section("a\nb"));
    }
}
