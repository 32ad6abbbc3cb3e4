//! The final: everybody against everybody, with a proof of every game.
//!
//! A final is a round robin of the arena. Its games are numbered and seeded as
//! the arena does, so that [`Club::prove`] can write them down as one of its
//! tournaments, which anybody can count again.

use crate::account::{AccountId, administrator};
use crate::battle::{self, BattleId, BattleKind, New, Player};
use crate::club::{Club, ClubError};
use crate::game;
use crate::queue::{self, JobKind};
use crate::terms::{self, Terms};
use crate::version::VersionId;
use crate::{audit, ladder, secret, version};
use isrever_agent::AgentSpec;
use isrever_arena::{self as arena, Pairing, Plan, Rating, Ratings, Schedule, Standings};
use rusqlite::{Connection, OptionalExtension, Row, params};
use serde::{Deserialize, Serialize};
use std::collections::HashMap;
use std::fmt;
use std::ops::RangeInclusive;
use std::path::Path;
use utoipa::ToSchema;

/// The number of a final.
pub type FinalId = i64;

/// Pairs of games of each two players that make sense.
const PAIRS: RangeInclusive<u64> = 1..=100;

/// The most characters of a final's name.
const MOST_NAME: usize = 64;

/// The estimate of the end goes by so many of the latest games.
const LATEST: i64 = 100;

/// One is surely better than another from this probability on.
const SURE: f64 = 0.975;

/// Whether a final goes on.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum FinalState {
    /// Its games are being played.
    Running,
    /// An administrator has stopped it; it can be resumed.
    Stopped,
    /// All its games are played.
    Over,
}

impl FinalState {
    /// All states.
    pub const ALL: [FinalState; 3] = [FinalState::Running, FinalState::Stopped, FinalState::Over];

    /// The state as one word. The words never change.
    pub const fn word(self) -> &'static str {
        match self {
            FinalState::Running => "running",
            FinalState::Stopped => "stopped",
            FinalState::Over => "over",
        }
    }
}

/// Somebody who plays in a final.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Finalist {
    /// Whose agent it is.
    pub account: AccountId,
    /// What people call its author.
    pub name: String,
    /// The section of the class; may be empty.
    pub section: String,
    /// The version that plays.
    pub version: VersionId,
    /// Its number among its author's versions.
    pub number: i64,
    /// SHA-256 of its source.
    pub digest: [u8; 32],
}

/// A final.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Final {
    /// Its number.
    pub id: FinalId,
    /// What it is called.
    pub name: String,
    /// Whether it goes on.
    pub state: FinalState,
    /// How it is played.
    pub terms: Terms,
    /// Pairs of games of each two players.
    pub pairs: u64,
    /// Where the choices of the agents come from.
    pub seed: u64,
    /// When it began: milliseconds since 1970.
    pub created: i64,
    /// Who plays, in the order of their places.
    pub players: Vec<Finalist>,
    /// How many games are played.
    pub played: u64,
    /// How many are to be played.
    pub waiting: u64,
    /// How many judges are there that play games.
    pub judges: u64,
    /// When its last game will be played, by what games took lately and the judges that are there:
    /// milliseconds since 1970. None if there is no judge, or no game to go by.
    pub expected_end: Option<i64>,
}

/// Somebody's place in a final.
#[derive(Clone, PartialEq, Debug)]
pub struct FinalRow {
    /// From 1; the same for the same points.
    pub rank: usize,
    /// The place in the list of players.
    pub player: usize,
    /// Five for each game won, less five for each one lost.
    pub points: i64,
    /// Games won, drawn and lost.
    pub counts: [u64; 3],
    /// How many of those were forfeited.
    pub forfeits: u64,
    /// How strong it is.
    pub rating: Rating,
    /// The ranks by rating that the games leave open: those of whom nobody can be sure that they are
    /// better or worse.
    pub ranks: [usize; 2],
}

/// Why there will be no final.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum FinalError {
    /// Fewer than two agents are there.
    Players,
    /// So many pairs make no sense.
    Pairs(u64),
    /// It cannot be called so.
    Name(String),
    /// There is no such final.
    Unknown,
    /// It is not in a state for that.
    State(FinalState),
}

impl fmt::Display for FinalError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            FinalError::Players => f.write_str("too few agents; expected at least two active ones"),
            FinalError::Pairs(pairs) => {
                let (least, most) = (PAIRS.start(), PAIRS.end());
                write!(f, "{pairs} pairs of games; expected {least} to {most}")
            }
            FinalError::Name(name) => {
                write!(f, "{name:?} cannot be its name; expected 1 to {MOST_NAME} characters")
            }
            FinalError::Unknown => f.write_str("there is no such final"),
            FinalError::State(state) => write!(f, "the final is {}", state.word()),
        }
    }
}

impl std::error::Error for FinalError {}

/// A final's row, without its players.
fn read(row: &Row<'_>) -> rusqlite::Result<(Final, String)> {
    let state: String = row.get(2)?;
    let of_final = Final {
        id: row.get(0)?,
        name: row.get(1)?,
        // The table contains no other words.
        state: FinalState::ALL
            .into_iter()
            .find(|one| one.word() == state)
            .unwrap_or(FinalState::Over),
        terms: Terms::default(),
        pairs: row.get::<_, i64>(4)?.cast_unsigned(),
        seed: row.get::<_, i64>(5)?.cast_unsigned(),
        created: row.get(6)?,
        players: Vec::new(),
        played: row.get::<_, i64>(7)?.cast_unsigned(),
        waiting: row.get::<_, i64>(8)?.cast_unsigned(),
        judges: 0,
        expected_end: None,
    };
    Ok((of_final, row.get(3)?))
}

const COLUMNS: &str = "id, name, state, terms, pairs, seed, created,
    (SELECT count(*) FROM battle JOIN game ON battle = battle.id
     WHERE final = final.id AND game.state = 'played'),
    (SELECT count(*) FROM battle JOIN game ON battle = battle.id
     WHERE final = final.id AND game.state = 'waiting')";

fn complete(
    connection: &Connection,
    (of_final, terms): (Final, String),
    now: i64,
) -> Result<Final, ClubError> {
    let mut statement = connection.prepare_cached(
        "SELECT account.id, account.name, section, version.id, number, digest
         FROM final_player JOIN version ON version.id = version
         JOIN account ON account.id = account WHERE final = ?1 ORDER BY place",
    )?;
    let players = statement.query_map([of_final.id], |row| {
        Ok(Finalist {
            account: row.get(0)?,
            name: row.get(1)?,
            section: row.get(2)?,
            version: row.get(3)?,
            number: row.get(4)?,
            digest: row.get(5)?,
        })
    })?;
    let players = players.collect::<rusqlite::Result<_>>()?;
    let of_final = Final { terms: Terms::read(&terms)?, players, ..of_final };
    if of_final.state != FinalState::Running {
        return Ok(of_final);
    }
    let judges = queue::judges(connection, now)?;
    let expected_end = match (judges, game_millis(connection, &of_final)?) {
        (1.., Some(millis)) => {
            Some(now + of_final.waiting.div_ceil(judges).cast_signed().saturating_mul(millis))
        }
        _ => None,
    };
    Ok(Final { judges, expected_end, ..of_final })
}

/// How many milliseconds the latest games of a final took on average; while there are none, other
/// games by the same terms.
fn game_millis(connection: &Connection, of_final: &Final) -> Result<Option<i64>, ClubError> {
    let own: Option<i64> = connection
        .prepare_cached(
            "SELECT CAST(avg(millis) AS INTEGER) FROM (
                 SELECT millis FROM battle JOIN game ON battle = battle.id
                 WHERE final = ?1 AND state = 'played' ORDER BY ended DESC LIMIT ?2)",
        )?
        .query_row(params![of_final.id, LATEST], |row| row.get(0))?;
    match own {
        Some(millis) => Ok(Some(millis)),
        None => game::usual_millis(connection, &of_final.terms),
    }
}

fn by_id(connection: &Connection, id: FinalId, now: i64) -> Result<Final, ClubError> {
    let query = format!("SELECT {COLUMNS} FROM final WHERE id = ?1");
    let found = connection.prepare_cached(&query)?.query_row([id], read).optional()?;
    complete(connection, found.ok_or(FinalError::Unknown)?, now)
}

/// How many pairs each two players of a final play, and which of them the one with this number is.
pub(crate) fn opening(
    connection: &Connection,
    id: FinalId,
    pair: i64,
) -> Result<(u64, u64), ClubError> {
    let (pairs, players): (i64, i64) = connection.query_row(
        "SELECT pairs, (SELECT count(*) FROM final_player WHERE final = id) FROM final
         WHERE id = ?1",
        [id],
        |row| Ok((row.get(0)?, row.get(1)?)),
    )?;
    let matchups = (players * (players - 1) / 2).max(1);
    Ok((pairs.cast_unsigned(), (pair / matchups).cast_unsigned()))
}

/// Closes the final of a battle, if it belongs to one of which nothing is left to play; and opens it
/// again if there is.
pub(crate) fn close_if_over(connection: &Connection, battle: BattleId) -> Result<(), ClubError> {
    connection
        .prepare_cached(
            "UPDATE final SET state = CASE
                 WHEN EXISTS (SELECT 1 FROM battle JOIN game ON battle = battle.id
                              WHERE battle.final = final.id AND game.state = 'waiting')
                 THEN CASE state WHEN 'over' THEN 'running' ELSE state END
                 ELSE 'over' END
             WHERE id = (SELECT final FROM battle WHERE id = ?1)",
        )?
        .execute([battle])?;
    Ok(())
}

impl Final {
    /// The tournament that it is.
    fn plan(&self) -> Plan {
        let player = |finalist: &Finalist| arena::Player {
            name: finalist.name.clone(),
            agent: AgentSpec::from(format!("python:{}.py", secret::hex(&finalist.digest))),
        };
        Plan {
            name: self.name.clone(),
            format: arena::Format::RoundRobin,
            players: self.players.iter().map(player).collect(),
            rule: self.terms.rule,
            size: self.terms.size,
            clock: self.terms.clock(),
            openings: self.terms.openings(self.pairs),
            pairs: self.pairs,
            rounds: 1,
            seed: self.seed,
            speed: None,
            sprt: arena::Sprt::default(),
        }
    }
}

/// The finished games of a final as texts, by their numbers in its tournament.
fn played(connection: &Connection, id: FinalId) -> Result<Vec<(u64, String)>, ClubError> {
    let mut statement = connection.prepare_cached(
        "SELECT 2 * pair + place, record FROM battle JOIN game ON battle = battle.id
         WHERE final = ?1 AND state = 'played' ORDER BY pair, place",
    )?;
    let rows = statement
        .query_map([id], |row| Ok((row.get::<_, i64>(0)?.cast_unsigned(), row.get(1)?)))?;
    Ok(rows.collect::<rusqlite::Result<_>>()?)
}

impl Club {
    /// Begins a final between all active versions, each two of whom play so many pairs of games.
    pub fn start_final(
        &self,
        by: AccountId,
        name: &str,
        pairs: u64,
        now: i64,
    ) -> Result<Final, ClubError> {
        let count = name.chars().count();
        if !(1..=MOST_NAME).contains(&count)
            || name.trim() != name
            || name.contains(char::is_control)
        {
            return Err(FinalError::Name(name.to_owned()).into());
        }
        if !PAIRS.contains(&pairs) {
            return Err(FinalError::Pairs(pairs).into());
        }
        // The file of a proof keeps it as a signed number.
        let seed = secret::seed()? >> 1;
        self.transaction(|connection| {
            administrator(connection, by)?;
            let versions = version::active(connection)?;
            if versions.len() < 2 {
                return Err(FinalError::Players.into());
            }
            let terms = terms::terms(connection)?;
            connection.execute(
                "INSERT INTO final (name, state, terms, pairs, seed, created)
                 VALUES (?1, 'running', ?2, ?3, ?4, ?5)",
                params![name, terms.write(), pairs.cast_signed(), seed.cast_signed(), now],
            )?;
            let id = connection.last_insert_rowid();
            for (place, version) in (0_i64..).zip(&versions) {
                connection
                    .prepare_cached(
                        "INSERT INTO final_player (final, place, version) VALUES (?1, ?2, ?3)",
                    )?
                    .execute(params![id, place, version.id])?;
            }
            let schedule = Schedule::new(&by_id(connection, id, now)?.plan());
            for pair in 0..schedule.most_games() / 2 {
                let places = schedule.pairing(2 * pair).players;
                let [one, other] = places.map(|place| Player::Version(versions[place].id));
                let new = New {
                    kind: BattleKind::Final,
                    of_final: Some((id, pair.cast_signed())),
                    asker: None,
                    players: [&one, &other],
                    terms: &terms,
                    seed,
                };
                battle::arrange(connection, &new, now)?;
            }
            let subject = format!("final {id}: {} agents, {pairs} pairs", versions.len());
            audit::note(connection, now, Some(by), "start-final", &subject)?;
            by_id(connection, id, now)
        })
    }

    /// Stops a final: games that are being played end, others wait.
    pub fn stop_final(&self, by: AccountId, id: FinalId, now: i64) -> Result<(), ClubError> {
        self.change_final(by, id, [FinalState::Running, FinalState::Stopped], "stop-final", now)
    }

    /// Goes on with a final that was stopped.
    pub fn resume_final(&self, by: AccountId, id: FinalId, now: i64) -> Result<(), ClubError> {
        self.change_final(by, id, [FinalState::Stopped, FinalState::Running], "resume-final", now)
    }

    fn change_final(
        &self,
        by: AccountId,
        id: FinalId,
        [from, to]: [FinalState; 2],
        action: &str,
        now: i64,
    ) -> Result<(), ClubError> {
        self.transaction(|connection| {
            administrator(connection, by)?;
            let of_final = by_id(connection, id, now)?;
            if of_final.state != from {
                return Err(FinalError::State(of_final.state).into());
            }
            connection
                .execute("UPDATE final SET state = ?2 WHERE id = ?1", params![id, to.word()])?;
            let waiting = "SELECT game.id FROM battle JOIN game ON battle = battle.id
                           WHERE final = ?1 AND state = 'waiting'";
            if to == FinalState::Stopped {
                connection.execute(
                    &format!(
                        "DELETE FROM job WHERE kind = 'game' AND subject IN ({waiting})
                         AND (lease IS NULL OR lease < ?2)"
                    ),
                    params![id, now],
                )?;
            } else {
                let mut statement = connection.prepare(waiting)?;
                let games = statement.query_map([id], |row| row.get(0))?;
                for game in games.collect::<rusqlite::Result<Vec<i64>>>()? {
                    queue::add(connection, JobKind::Game, game, BattleKind::Final.priority())?;
                }
            }
            audit::note(connection, now, Some(by), action, &format!("final {id}"))
        })
    }

    /// All finals, newest first.
    pub fn finals(&self, now: i64) -> Result<Vec<Final>, ClubError> {
        let connection = self.connection();
        let query = format!("SELECT {COLUMNS} FROM final ORDER BY id DESC");
        let mut statement = connection.prepare_cached(&query)?;
        let found: Vec<(Final, String)> =
            statement.query_map([], read)?.collect::<rusqlite::Result<_>>()?;
        found.into_iter().map(|row| complete(&connection, row, now)).collect()
    }

    /// The final with this number.
    pub fn final_round(&self, id: FinalId, now: i64) -> Result<Final, ClubError> {
        by_id(&self.connection(), id, now)
    }

    /// The finals that go on.
    pub fn running_finals(&self) -> Result<Vec<FinalId>, ClubError> {
        let connection = self.connection();
        let mut statement =
            connection.prepare_cached("SELECT id FROM final WHERE state = 'running'")?;
        let ids = statement.query_map([], |row| row.get(0))?;
        Ok(ids.collect::<rusqlite::Result<_>>()?)
    }

    /// Numbers of which one changes when the table of a final does.
    pub fn final_stamp(&self, id: FinalId) -> Result<[i64; 2], ClubError> {
        // Games that end and games that are annulled; what is played again is another game.
        let stamp = self.connection().query_row(
            "SELECT count(*) FILTER (WHERE state = 'played'),
                    count(*) FILTER (WHERE state = 'annulled')
             FROM battle JOIN game ON battle = battle.id WHERE final = ?1",
            [id],
            |row| Ok([row.get(0)?, row.get(1)?]),
        )?;
        Ok(stamp)
    }

    /// The table of a final, counted from its games: the best first.
    pub fn final_table(&self, id: FinalId, now: i64) -> Result<Vec<FinalRow>, ClubError> {
        let of_final = self.final_round(id, now)?;
        let games = ladder::games(&self.connection(), Some(id))?;
        let places = of_final.players.iter().enumerate();
        let places: HashMap<VersionId, usize> =
            places.map(|(place, finalist)| (finalist.version, place)).collect();
        let mut standings = Standings::new(of_final.players.len());
        for game in games {
            standings.add(&game.outcome(game.versions.map(|version| places[&version])));
        }
        Ok(rank(&standings))
    }

    /// The file that [`Club::prove`] writes, as bytes.
    pub fn proof(&self, id: FinalId, now: i64) -> Result<Vec<u8>, ClubError> {
        let path = self.directory().join(format!("proof-{}.db", secret::code()?));
        let proved = self.prove(id, &path, now);
        let bytes = proved.and_then(|()| Ok(std::fs::read(&path)?));
        for end in ["", ".lock", "-wal", "-shm"] {
            let mut name = path.clone().into_os_string();
            name.push(end);
            // Some of them are not there.
            let _ = std::fs::remove_file(name);
        }
        bytes
    }

    /// Writes all games of a final as a tournament of the arena to `path`, which must not be there.
    pub fn prove(&self, id: FinalId, path: &Path, now: i64) -> Result<(), ClubError> {
        let (of_final, games) = {
            let connection = self.connection();
            (by_id(&connection, id, now)?, played(&connection, id)?)
        };
        if path.exists() {
            return Err(ClubError::Proof(arena::StoreError::InUse));
        }
        let plan = of_final.plan();
        let schedule = Schedule::new(&plan);
        let openings = plan.openings.draw(plan.rule, plan.size, plan.seed, plan.opening_count());
        let mut store = arena::Store::create(path)?;
        let pen = store.pen()?;
        let tournament = store.enter(&pen, &plan, &openings, of_final.created / 1_000)?;
        for (number, text) in games {
            let pairing: Pairing = schedule.pairing(number);
            store.add(&pen, tournament, &pairing, &game::played(&text)?, None)?;
        }
        Ok(())
    }
}

/// The table of a final: by points, and for the same points by rating.
fn rank(standings: &Standings) -> Vec<FinalRow> {
    let ratings = Ratings::of(&standings.evidence_table());
    let mut rows = standings.rows();
    rows.sort_by_key(|row| std::cmp::Reverse(row.points));
    let count = rows.len();
    let others = |player: usize| (0..count).filter(move |&other| other != player);
    let better = |one: usize, other: usize| ratings.superiority(one, other) >= SURE;
    let mut table: Vec<FinalRow> = Vec::with_capacity(count);
    for (place, row) in rows.iter().enumerate() {
        let player = row.player;
        let above = others(player).filter(|&other| better(other, player)).count();
        let below = others(player).filter(|&other| better(player, other)).count();
        let rank = match table.last() {
            Some(last) if last.points == row.points => last.rank,
            _ => place + 1,
        };
        table.push(FinalRow {
            rank,
            player,
            points: row.points,
            counts: [row.counts.wins, row.counts.draws, row.counts.losses],
            forfeits: row.forfeits,
            rating: row.rating,
            ranks: [above + 1, count - below],
        });
    }
    table
}

/// A line of a rule by which ranks become grades.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Grade {
    /// Who is among the best of so many of a hundred.
    pub percent: u8,
    /// Gets this.
    pub grade: String,
}

/// The grade of a rank among so many, by a rule from the best grade down; none if the rule ends
/// before it.
pub fn grade(rank: usize, players: usize, rule: &[Grade]) -> Option<&str> {
    let is_among = |line: &&Grade| rank * 100 <= usize::from(line.percent) * players;
    rule.iter().find(is_among).map(|line| line.grade.as_str())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranks_become_grades_by_a_rule() {
        let rule: Vec<Grade> = [(10, "A"), (50, "B"), (100, "C")]
            .map(|(percent, grade)| Grade { percent, grade: grade.to_owned() })
            .into();
        let grades: Vec<&str> = (1..=20).filter_map(|rank| grade(rank, 20, &rule)).collect();
        assert_eq!(grades.concat(), "AABBBBBBBBCCCCCCCCCC");
        assert_eq!(grade(1, 1, &rule[..2]), None, "the best of one is the last as well");
        assert_eq!(grade(1, 20, &[]), None);
    }
}
