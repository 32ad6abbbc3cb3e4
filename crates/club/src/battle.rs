//! Battles: two games between the same two players, each of whom is black once.

use crate::account::{self, AccountId, Role};
use crate::club::{Club, ClubError};
use crate::game::{self, GameId, GameState};
use crate::terms::{self, Terms};
use crate::version::{self, VersionId, VersionState};
use crate::{audit, secret};
use rusqlite::{Connection, OptionalExtension, Row, params};
use serde::{Deserialize, Serialize};
use std::fmt;
use utoipa::ToSchema;

/// The most battles of one account that wait to be played.
const MOST_WAITING: i64 = 3;

/// The most battles that an account may ask for in an hour.
const MOST_IN_AN_HOUR: i64 = 60;

const HOUR: i64 = 3_600_000;

/// The number of a battle.
pub type BattleId = i64;

/// Why a battle is played.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum BattleKind {
    /// For the ladder: it counts.
    Ladder,
    /// Because somebody asked for it: it does not count.
    Challenge,
    /// For a final.
    Final,
    /// A person plays against an agent: one game, which does not count.
    Casual,
}

impl BattleKind {
    /// All kinds.
    pub const ALL: [BattleKind; 4] =
        [BattleKind::Ladder, BattleKind::Challenge, BattleKind::Final, BattleKind::Casual];

    /// The kind as one word. The words never change.
    pub const fn word(self) -> &'static str {
        match self {
            BattleKind::Ladder => "ladder",
            BattleKind::Challenge => "challenge",
            BattleKind::Final => "final",
            BattleKind::Casual => "casual",
        }
    }

    /// How urgent its games are: a person waits for a reply, somebody for a challenge.
    pub(crate) const fn priority(self) -> i64 {
        match self {
            BattleKind::Casual => 2_000,
            BattleKind::Challenge => 500,
            BattleKind::Final => 300,
            BattleKind::Ladder => 100,
        }
    }

    /// Whether all members may see its games.
    const fn is_public(self) -> bool {
        matches!(self, BattleKind::Ladder | BattleKind::Final)
    }

    fn read(word: &str) -> BattleKind {
        // The table contains no other words.
        BattleKind::ALL.into_iter().find(|kind| kind.word() == word).unwrap_or(BattleKind::Ladder)
    }
}

/// Who plays.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Player {
    /// A version of somebody's agent.
    Version(VersionId),
    /// A built-in agent, by its spec.
    BuiltIn(String),
    /// A person.
    Person(AccountId),
}

/// What the table has instead of a spec for a person, who is the one that asked.
const PERSON: &str = "person";

impl Player {
    /// The version, if it is one.
    pub const fn version(&self) -> Option<VersionId> {
        match self {
            Player::Version(id) => Some(*id),
            Player::BuiltIn(_) | Player::Person(_) => None,
        }
    }

    fn agent(&self) -> Option<&str> {
        match self {
            Player::Version(_) => None,
            Player::BuiltIn(spec) => Some(spec),
            Player::Person(_) => Some(PERSON),
        }
    }
}

/// A player of a battle, with what people call it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Contestant {
    /// Who plays.
    pub player: Player,
    /// Its author's name, the built-in agent's spec, or the person's name.
    pub name: String,
    /// Its author or the person, if there is one.
    pub account: Option<AccountId>,
    /// The version's number among its author's.
    pub number: Option<i64>,
}

/// A game of a battle, in short.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Summary {
    /// Its number.
    pub id: GameId,
    /// 0 if the battle's first player is black, or 1.
    pub place: u8,
    /// Whether it is played.
    pub state: GameState,
    /// What the battle's first player won by, if it is played.
    pub score: Option<i32>,
    /// `over`, or why somebody forfeited it, if it is played.
    pub end: Option<String>,
    /// When it ended: milliseconds since 1970.
    pub ended: Option<i64>,
}

/// Two games between the same players; one if a person plays.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Battle {
    /// Its number.
    pub id: BattleId,
    /// Why it is played.
    pub kind: BattleKind,
    /// The final that it belongs to.
    pub of_final: Option<i64>,
    /// The one that is black in the first game, and the other.
    pub players: [Contestant; 2],
    /// Who asked for it, if somebody did.
    pub asker: Option<AccountId>,
    /// How it is played.
    pub terms: Terms,
    /// When it was arranged: milliseconds since 1970.
    pub created: i64,
    /// Its games, annulled ones included.
    pub games: Vec<Summary>,
}

/// Which battles to list.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Wanted {
    /// Those of this account's versions alone.
    pub account: Option<AccountId>,
    /// Those of this kind alone.
    pub kind: Option<BattleKind>,
    /// Those of this final alone.
    pub of_final: Option<i64>,
    /// Those before this one.
    pub before: Option<BattleId>,
    /// How many at most.
    pub limit: u32,
}

/// Why there will be no battle.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ChallengeError {
    /// Guests have no agents.
    Guest,
    /// The sparring is closed.
    Closed,
    /// The first player is not a version of one's own that may play.
    Own,
    /// The second player cannot be played with.
    Opponent,
    /// Too many of one's own battles wait.
    Waiting,
    /// Too many were asked for.
    Often,
}

impl fmt::Display for ChallengeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ChallengeError::Guest => {
                f.write_str("guests have no agents; ask an administrator to be a member")
            }
            ChallengeError::Closed => f.write_str("sparring is closed; ask an administrator"),
            ChallengeError::Own => f.write_str(
                "not an agent of yours that may play; expected a version that has passed its check",
            ),
            ChallengeError::Opponent => f.write_str(
                "there is no such opponent; expected somebody's active agent, a version of your \
                 own, or a built-in agent",
            ),
            ChallengeError::Waiting => {
                write!(f, "{MOST_WAITING} of your battles wait already; expected fewer")
            }
            ChallengeError::Often => {
                write!(f, "too many battles; expected at most {MOST_IN_AN_HOUR} in an hour")
            }
        }
    }
}

impl std::error::Error for ChallengeError {}

/// A battle to be arranged.
pub(crate) struct New<'a> {
    pub(crate) kind: BattleKind,
    /// The final and the number of the pair in it.
    pub(crate) of_final: Option<(i64, i64)>,
    pub(crate) asker: Option<AccountId>,
    pub(crate) players: [&'a Player; 2],
    pub(crate) terms: &'a Terms,
    pub(crate) seed: u64,
}

/// Arranges a battle, and has its two games played.
pub(crate) fn arrange(
    connection: &Connection,
    new: &New<'_>,
    now: i64,
) -> Result<BattleId, ClubError> {
    let id = add(connection, new, now)?;
    for place in 0..2 {
        game::add(connection, id, place, new.kind)?;
    }
    Ok(id)
}

/// Adds a battle without games.
pub(crate) fn add(connection: &Connection, new: &New<'_>, now: i64) -> Result<BattleId, ClubError> {
    let [one, other] = new.players;
    let (of_final, pair) = new.of_final.map_or((None, 0), |(id, pair)| (Some(id), pair));
    connection
        .prepare_cached(
            "INSERT INTO battle (kind, final, pair, asker, one, one_agent, other, other_agent,
                                 terms, seed, created)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)",
        )?
        .execute(params![
            new.kind.word(),
            of_final,
            pair,
            new.asker,
            one.version(),
            one.agent(),
            other.version(),
            other.agent(),
            new.terms.write(),
            new.seed.cast_signed(),
            now,
        ])?;
    let id = connection.last_insert_rowid();
    Ok(id)
}

/// What a battle's row says, and the names that go with it.
const COLUMNS: &str = "battle.id, battle.kind, battle.final, battle.asker, battle.terms,
    battle.created, asker_account.name, one, one_agent, one_account.id, one_account.name, one_version.number,
    other, other_agent, other_account.id, other_account.name, other_version.number";

const TABLES: &str = "battle
    LEFT JOIN account AS asker_account ON asker_account.id = battle.asker
    LEFT JOIN version AS one_version ON one_version.id = one
    LEFT JOIN account AS one_account ON one_account.id = one_version.account
    LEFT JOIN version AS other_version ON other_version.id = other
    LEFT JOIN account AS other_account ON other_account.id = other_version.account";

fn contestant(row: &Row<'_>, first: usize) -> rusqlite::Result<Contestant> {
    let version: Option<VersionId> = row.get(first)?;
    let agent: Option<String> = row.get(first + 1)?;
    let name: Option<String> = row.get(first + 3)?;
    let (account, number) = (row.get(first + 2)?, row.get(first + 4)?);
    // The table has one or the other.
    if let Some(id) = version {
        let name = name.unwrap_or_default();
        return Ok(Contestant { player: Player::Version(id), name, account, number });
    }
    let spec = agent.unwrap_or_default();
    let kind: String = row.get(1)?;
    if kind == BattleKind::Casual.word() && spec == PERSON {
        let person: AccountId = row.get(3)?;
        let (player, name) = (Player::Person(person), row.get(6)?);
        return Ok(Contestant { player, name, account: Some(person), number });
    }
    Ok(Contestant { player: Player::BuiltIn(spec.clone()), name: spec, account, number })
}

/// A battle without its games.
fn read(row: &Row<'_>) -> rusqlite::Result<(Battle, String)> {
    let kind: String = row.get(1)?;
    let battle = Battle {
        id: row.get(0)?,
        kind: BattleKind::read(&kind),
        of_final: row.get(2)?,
        asker: row.get(3)?,
        terms: Terms::default(),
        created: row.get(5)?,
        players: [contestant(row, 7)?, contestant(row, 12)?],
        games: Vec::new(),
    };
    Ok((battle, row.get(4)?))
}

/// The battle with its terms and games.
fn complete(
    connection: &Connection,
    (battle, terms): (Battle, String),
) -> Result<Battle, ClubError> {
    let games = game::of_battle(connection, battle.id)?;
    Ok(Battle { terms: Terms::read(&terms)?, games, ..battle })
}

pub(crate) fn by_id(connection: &Connection, id: BattleId) -> Result<Battle, ClubError> {
    let query = format!("SELECT {COLUMNS} FROM {TABLES} WHERE battle.id = ?1");
    let found = connection.prepare_cached(&query)?.query_row([id], read).optional()?;
    complete(connection, found.ok_or(ClubError::NoBattle)?)
}

/// Whether an account may see a battle: challenges and casual games are for those who take part, and
/// for administrators.
pub(crate) fn is_visible(
    connection: &Connection,
    by: AccountId,
    battle: &Battle,
) -> Result<bool, ClubError> {
    let account = account::by_id(connection, by)?;
    let takes_part = battle.asker == Some(by)
        || battle.players.iter().any(|contestant| contestant.account == Some(by));
    let may = battle.kind.is_public() || takes_part || account.role == Role::Administrator;
    Ok(may && !account.is_blocked)
}

impl Club {
    /// Asks for a battle of one of one's own versions with anybody's active agent, an own version,
    /// or a built-in agent. The caller has checked that there is such a built-in agent.
    pub fn challenge(
        &self,
        by: AccountId,
        own: VersionId,
        opponent: &Player,
        now: i64,
    ) -> Result<Battle, ClubError> {
        let seed = secret::seed()?;
        self.transaction(|connection| {
            if account::by_id(connection, by)?.role == Role::Guest {
                return Err(ChallengeError::Guest.into());
            }
            if !terms::doors(connection)?.sparring {
                return Err(ChallengeError::Closed.into());
            }
            let find = |id| version::by_id(connection, id).ok();
            let may_play = |version: &version::Version| version.state == VersionState::Passed;
            let is_own = |version: &version::Version| version.account == by;
            let Some(version) = find(own).filter(|version| may_play(version) && is_own(version))
            else {
                return Err(ChallengeError::Own.into());
            };
            let is_known = match opponent {
                Player::BuiltIn(_) => true,
                Player::Person(_) => false,
                Player::Version(id) => find(*id).is_some_and(|version| {
                    may_play(&version) && (version.is_active || is_own(&version))
                }),
            };
            if !is_known {
                return Err(ChallengeError::Opponent.into());
            }
            check_quota(connection, by, now)?;
            let player = Player::Version(own);
            let new = New {
                kind: BattleKind::Challenge,
                of_final: None,
                asker: Some(by),
                players: [&player, opponent],
                terms: &terms::terms(connection)?,
                seed,
            };
            let id = arrange(connection, &new, now)?;
            let subject = format!("battle {id}, {}", version::named(connection, &version)?);
            audit::note(connection, now, Some(by), "challenge", &subject)?;
            by_id(connection, id)
        })
    }

    /// The battle with this number, if `by` may see it.
    pub fn battle(&self, by: AccountId, id: BattleId) -> Result<Battle, ClubError> {
        let connection = self.connection();
        let battle = by_id(&connection, id)?;
        match is_visible(&connection, by, &battle)? {
            true => Ok(battle),
            false => Err(ClubError::NoBattle),
        }
    }

    /// The battles that `by` wants and may see, newest first.
    pub fn battles(&self, by: AccountId, wanted: &Wanted) -> Result<Vec<Battle>, ClubError> {
        let connection = self.connection();
        let is_all = account::by_id(&connection, by)?.role == Role::Administrator;
        let query = format!(
            "SELECT {COLUMNS} FROM {TABLES}
             WHERE battle.id < ?1
               AND (?2 IS NULL OR ?2 IN (one_account.id, other_account.id)
                    OR (battle.kind = 'casual' AND ?2 = battle.asker))
               AND (?3 IS NULL OR battle.kind = ?3)
               AND (?4 IS NULL OR battle.final = ?4)
               AND (?5 OR battle.kind IN ('ladder', 'final')
                    OR ?6 IN (battle.asker, one_account.id, other_account.id))
             ORDER BY battle.id DESC LIMIT ?7"
        );
        let mut statement = connection.prepare_cached(&query)?;
        let found = statement.query_map(
            params![
                wanted.before.unwrap_or(BattleId::MAX),
                wanted.account,
                wanted.kind.map(BattleKind::word),
                wanted.of_final,
                is_all,
                by,
                wanted.limit,
            ],
            read,
        )?;
        let found: Vec<(Battle, String)> = found.collect::<rusqlite::Result<_>>()?;
        found.into_iter().map(|row| complete(&connection, row)).collect()
    }
}

/// How many battles of a kind that somebody asked for are not over, and how many are of the last hour.
pub(crate) fn asked_for(
    connection: &Connection,
    kind: BattleKind,
    by: AccountId,
    now: i64,
) -> Result<(i64, i64), ClubError> {
    Ok(connection.query_row(
        "SELECT count(*) FILTER (WHERE EXISTS (SELECT 1 FROM game WHERE battle = battle.id
                                               AND state = 'waiting')),
                count(*) FILTER (WHERE created > ?2)
         FROM (SELECT id, created FROM battle WHERE kind = ?3 AND asker = ?1
               ORDER BY id DESC LIMIT 1000) AS battle",
        params![by, now - HOUR, kind.word()],
        |row| Ok((row.get(0)?, row.get(1)?)),
    )?)
}

/// Whether an account may ask for another battle.
fn check_quota(connection: &Connection, by: AccountId, now: i64) -> Result<(), ClubError> {
    let (waiting, recent) = asked_for(connection, BattleKind::Challenge, by, now)?;
    if waiting >= MOST_WAITING {
        return Err(ChallengeError::Waiting.into());
    }
    if recent >= MOST_IN_AN_HOUR {
        return Err(ChallengeError::Often.into());
    }
    Ok(())
}
