//! Invitations: links that make an account, or set the password of one.

use crate::account::{self, AccountId, Role, administrator, is_section};
use crate::club::{Club, ClubError};
use crate::session::Session;
use crate::{audit, password, secret};
use rusqlite::{Connection, OptionalExtension, params};

/// How long an invitation lasts: thirty days, in milliseconds.
const LASTS: i64 = 30 * 86_400_000;

/// The most people that one invitation is for.
const MOST_USES: u32 = 1_000;

/// What somebody with a code is invited to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Invitation {
    /// The name of the account whose password is to be chosen; none if the account is yet to be made.
    pub name: Option<String>,
    /// What the account may do.
    pub role: Role,
    /// The section of the class.
    pub section: String,
}

/// An invitation that somebody may still accept, as administrators see it: without its code.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Open {
    /// SHA-256 of its code.
    pub digest: [u8; 32],
    /// What it is to.
    pub invitation: Invitation,
    /// How many may still accept it.
    pub uses: i64,
    /// When it was made: milliseconds since 1970; none if an older program made it.
    pub created: Option<i64>,
    /// Until when it can be accepted: milliseconds since 1970.
    pub expires: i64,
}

/// Why a code is worth nothing.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum InvitationError {
    /// There is no such invitation, or it is used up or too old.
    Unknown,
}

/// A row of the table.
struct Found {
    account: Option<AccountId>,
    invitation: Invitation,
}

fn find(connection: &Connection, code: &str, now: i64) -> Result<Found, ClubError> {
    let found = connection
        .prepare_cached(
            "SELECT invitation.account, account.name, invitation.role, invitation.section
             FROM invitation LEFT JOIN account ON account.id = invitation.account
             WHERE hash = ?1 AND uses > 0 AND expires >= ?2",
        )?
        .query_row(params![secret::hash(code), now], |row| {
            let role: String = row.get(2)?;
            let role = role.parse().unwrap_or(Role::Guest);
            let invitation = Invitation { name: row.get(1)?, role, section: row.get(3)? };
            Ok(Found { account: row.get(0)?, invitation })
        })
        .optional()?;
    found.ok_or(ClubError::Invitation(InvitationError::Unknown))
}

/// Adds an invitation; returns its code.
pub(crate) fn add(
    connection: &Connection,
    account: Option<AccountId>,
    role: Role,
    section: &str,
    uses: u32,
    now: i64,
) -> Result<String, ClubError> {
    let code = secret::code()?;
    connection.execute(
        "INSERT INTO invitation (hash, account, role, section, uses, expires, created)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
        params![secret::hash(&code), account, role.word(), section, uses, now + LASTS, now],
    )?;
    Ok(code)
}

/// Ends an account's password and sessions; returns the code by which it chooses a new one.
fn reset(
    connection: &Connection,
    by: Option<AccountId>,
    id: AccountId,
    now: i64,
) -> Result<String, ClubError> {
    let account = account::by_id(connection, id)?;
    connection.execute("UPDATE account SET password = NULL WHERE id = ?1", [id])?;
    connection.execute("DELETE FROM session WHERE account = ?1", [id])?;
    connection.execute("DELETE FROM invitation WHERE account = ?1", [id])?;
    audit::note(connection, now, by, "reset-password", &account.name)?;
    add(connection, Some(id), account.role, &account.section, 1, now)
}

impl Club {
    /// The code of the first administrator's invitation; none if there is an administrator. Earlier
    /// codes are worth nothing from now on.
    pub fn first_invitation(&self, now: i64) -> Result<Option<String>, ClubError> {
        self.transaction(|connection| {
            let is_there: bool = connection.query_row(
                "SELECT EXISTS (SELECT 1 FROM account WHERE role = 'administrator')",
                [],
                |row| row.get(0),
            )?;
            if is_there {
                return Ok(None);
            }
            connection.execute("DELETE FROM invitation WHERE role = 'administrator'", [])?;
            add(connection, None, Role::Administrator, "", 1, now).map(Some)
        })
    }

    /// Invites as many as `uses` to make an account; returns the code.
    pub fn invite(
        &self,
        by: AccountId,
        role: Role,
        section: &str,
        uses: u32,
        now: i64,
    ) -> Result<String, ClubError> {
        if !is_section(section) {
            return Err(ClubError::Section(section.to_owned()));
        }
        if !(1..=MOST_USES).contains(&uses) {
            return Err(ClubError::Uses { most: MOST_USES });
        }
        self.transaction(|connection| {
            administrator(connection, by)?;
            let subject = format!("{uses} × {}, {section:?}", role.word());
            audit::note(connection, now, Some(by), "invite", &subject)?;
            add(connection, None, role, section, uses, now)
        })
    }

    /// Invitations that can still be accepted, newest first: for administrators.
    pub fn invitations(&self, by: AccountId, now: i64) -> Result<Vec<Open>, ClubError> {
        let connection = self.connection();
        administrator(&connection, by)?;
        let mut statement = connection.prepare_cached(
            "SELECT hash, account.name, invitation.role, invitation.section, uses, expires,
                    invitation.created
             FROM invitation LEFT JOIN account ON account.id = invitation.account
             WHERE uses > 0 AND expires >= ?1 ORDER BY expires DESC, account.name, hash",
        )?;
        let open = statement.query_map([now], |row| {
            let role: String = row.get(2)?;
            let role = role.parse().unwrap_or(Role::Guest);
            Ok(Open {
                digest: row.get(0)?,
                invitation: Invitation { name: row.get(1)?, role, section: row.get(3)? },
                uses: row.get(4)?,
                expires: row.get(5)?,
                created: row.get(6)?,
            })
        })?;
        Ok(open.collect::<rusqlite::Result<_>>()?)
    }

    /// Withdraws the invitation whose code has this digest, in hexadecimal digits.
    pub fn withdraw(&self, by: AccountId, digest: &str, now: i64) -> Result<(), ClubError> {
        self.transaction(|connection| {
            administrator(connection, by)?;
            let found = connection
                .query_row(
                    "SELECT invitation.role, invitation.section, account.name
                     FROM invitation LEFT JOIN account ON account.id = invitation.account
                     WHERE hex(hash) = upper(?1)",
                    [digest],
                    |row| {
                        let name: Option<String> = row.get(2)?;
                        Ok((row.get::<_, String>(0)?, row.get::<_, String>(1)?, name))
                    },
                )
                .optional()?;
            let (role, section, name) =
                found.ok_or(ClubError::Invitation(InvitationError::Unknown))?;
            connection.execute("DELETE FROM invitation WHERE hex(hash) = upper(?1)", [digest])?;
            let subject = name.unwrap_or_else(|| format!("{role}, {section:?}"));
            audit::note(connection, now, Some(by), "withdraw", &subject)
        })
    }

    /// Lets an account choose a new password by a link; returns its code. The old password and all
    /// sessions end now.
    pub fn reset_password(
        &self,
        by: AccountId,
        id: AccountId,
        now: i64,
    ) -> Result<String, ClubError> {
        self.transaction(|connection| {
            administrator(connection, by)?;
            reset(connection, Some(by), id, now)
        })
    }

    /// The same for the owner of the club's machine, who may open the file anyhow: nobody is locked
    /// out of a club for good.
    pub fn reset_password_here(&self, id: AccountId, now: i64) -> Result<String, ClubError> {
        self.transaction(|connection| reset(connection, None, id, now))
    }

    /// What a code invites to.
    pub fn invitation(&self, code: &str, now: i64) -> Result<Invitation, ClubError> {
        Ok(find(&self.connection(), code, now)?.invitation)
    }

    /// Accepts an invitation: makes the account called `name`, or sets the password of the account
    /// that the invitation names; and begins a session.
    pub fn accept(
        &self,
        code: &str,
        name: &str,
        password: &str,
        now: i64,
    ) -> Result<Session, ClubError> {
        let named = self.invitation(code, now)?.name;
        let name = named.as_deref().unwrap_or(name);
        password::check(name, password)?;
        // Takes long: before the file is held.
        let hash = self.passwords().hash(password);
        let account = self.transaction(|connection| {
            let Found { account, invitation } = find(connection, code, now)?;
            let id = match account {
                Some(id) => id,
                None => account::add(connection, name, &invitation.section, invitation.role, now)?,
            };
            account::set_password(connection, id, &hash)?;
            connection.execute(
                "UPDATE invitation SET uses = uses - 1 WHERE hash = ?1",
                [secret::hash(code)],
            )?;
            audit::note(connection, now, Some(id), "accept", name)?;
            account::by_id(connection, id)
        })?;
        if account.is_blocked {
            return Err(ClubError::Forbidden);
        }
        self.begin_session(account, now)
    }
}
