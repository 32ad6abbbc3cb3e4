//! Casual games: a person plays against an agent that its author opened to people.
//!
//! A person may think for days, so no judge plays such a game from beginning to
//! end: the agent is started anew for each of its moves, which is a job of its
//! own. A game that is over is one like others.

use crate::account::{self, AccountId, Role};
use crate::battle::{self, Battle, BattleKind, New, Player};
use crate::club::{Club, ClubError};
use crate::game::{self, GameId, GameState, Outcome};
use crate::queue::{self, Job, JobKind};
use crate::terms::{self, Terms};
use crate::version::{self, VersionId, VersionState};
use crate::{audit, secret};
use isrever_agent::{Choice, Forfeit, Reason};
use isrever_arena::{End, MoveStats, Played};
use isrever_board::{Color, Game, Move, Size, Square};
use rusqlite::{Connection, OptionalExtension, params};
use serde::{Deserialize, Serialize};
use std::fmt;
use std::time::Duration;

/// The boards on which people play.
pub const CASUAL_SIZES: [Size; 3] = [Size::SIX, Size::EIGHT, Size::TEN];

/// The most games of one person that go on at a time.
const MOST_OPEN: i64 = 5;

/// The most games that a person may begin in an hour.
const MOST_IN_AN_HOUR: i64 = 60;

/// An agent that people may play against.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct OpenAgent {
    /// The version.
    pub version: VersionId,
    /// Its number among its author's.
    pub number: i64,
    /// Its author.
    pub account: AccountId,
    /// Its author's name.
    pub name: String,
    /// Its author's section.
    pub section: String,
}

/// Whose turn it is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Turn {
    /// The person's.
    Person,
    /// The agent's.
    Agent {
        /// Since when: milliseconds since 1970.
        since: i64,
    },
    /// Nobody's: the game is over.
    Over,
}

/// A game of a person against an agent.
#[derive(Clone, PartialEq, Debug)]
pub struct Casual {
    /// Its number.
    pub game: GameId,
    /// Its battle: the agent is the first player, the person the second.
    pub battle: Battle,
    /// The person's side.
    pub color: Color,
    /// The game as far as it has come; how it ended says nothing before it has.
    pub so_far: Played,
    /// Whose turn it is.
    pub turn: Turn,
    /// Whether the viewer may know why the agent failed.
    pub is_authors: bool,
}

/// What a judge needs to let an agent reply.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct ToReply {
    /// The game as far as it has come.
    pub so_far: Played,
    /// The agent.
    pub version: VersionId,
    /// Within which limits it answers.
    pub terms: Terms,
    /// Where its choices come from.
    pub seed: u64,
}

/// What an agent replied.
#[derive(Clone, PartialEq, Debug)]
pub struct Reply {
    /// Its move, or why it has lost the game.
    pub answer: Result<Choice, Forfeit>,
    /// The time it took.
    pub taken: Duration,
    /// What it printed.
    pub output: String,
}

/// Why a game or a move is refused.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum CasualError {
    /// The sparring is closed.
    Closed,
    /// Nobody may play against this version.
    Opponent,
    /// People do not play on this board.
    Size(Size),
    /// Too many of one's own games go on.
    Open,
    /// Too many were begun.
    Often,
    /// It is not the person's turn.
    Turn,
    /// The move is against the rules.
    Move(String),
}

impl fmt::Display for CasualError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CasualError::Closed => f.write_str("sparring is closed; ask an administrator"),
            CasualError::Opponent => f.write_str(
                "nobody may play against this agent; expected one that its author has opened",
            ),
            CasualError::Size(size) => {
                write!(f, "people do not play on {size} here; expected 6x6, 8x8 or 10x10")
            }
            CasualError::Open => {
                write!(f, "{MOST_OPEN} of your games go on already; end one of them first")
            }
            CasualError::Often => {
                write!(f, "too many games; expected at most {MOST_IN_AN_HOUR} in an hour")
            }
            CasualError::Turn => f.write_str("it is not your turn; wait for the agent's move"),
            CasualError::Move(message) => f.write_str(message),
        }
    }
}

impl std::error::Error for CasualError {}

/// A game that goes on, as the table has it.
struct Row {
    so_far: Played,
    asked: Option<i64>,
    changed: i64,
}

fn row(connection: &Connection, id: GameId) -> Result<Option<Row>, ClubError> {
    let found = connection
        .prepare_cached("SELECT record, asked, changed FROM casual WHERE game = ?1")?
        .query_row([id], |row| Ok((row.get::<_, String>(0)?, row.get(1)?, row.get(2)?)))
        .optional()?;
    let read = |(record, asked, changed): (String, _, _)| {
        Ok(Row { so_far: game::played(&record)?, asked, changed })
    };
    found.map(read).transpose()
}

/// The game with this number, if it is a person's against an agent and `by` may see it.
fn visible(connection: &Connection, by: AccountId, id: GameId) -> Result<Casual, ClubError> {
    let kept = game::by_id(connection, id)?;
    let battle = battle::by_id(connection, kept.battle)?;
    let is_casual = battle.kind == BattleKind::Casual && kept.state != GameState::Annulled;
    if !is_casual || !battle::is_visible(connection, by, &battle)? {
        return Err(ClubError::NoGame);
    }
    let (so_far, turn) = match (row(connection, id)?, kept.record) {
        (Some(row), _) => {
            (row.so_far, row.asked.map_or(Turn::Person, |since| Turn::Agent { since }))
        }
        (None, Some(record)) => (game::played(&record)?, Turn::Over),
        (None, None) => return Err(ClubError::NoGame),
    };
    let is_all = account::by_id(connection, by)?.role == Role::Administrator;
    let is_authors = is_all || battle.players[0].account == Some(by);
    Ok(Casual { game: id, color: persons_color(kept.place), battle, so_far, turn, is_authors })
}

/// The agent is the battle's first player, who is black in place 0.
const fn persons_color(place: u8) -> Color {
    if place == 0 { Color::White } else { Color::Black }
}

/// Makes the passes that must be made, and keeps the game with what is to happen next: a reply of
/// the agent, a move of the person, or nothing more.
fn go_on(
    connection: &Connection,
    id: GameId,
    mut so_far: Played,
    judge: Option<&str>,
    now: i64,
) -> Result<(), ClubError> {
    while so_far.game.position().must_pass() {
        so_far.game.play(Move::Pass).expect("it must be made");
        so_far.stats.push(MoveStats::default());
    }
    let kept = game::by_id(connection, id)?;
    let person = persons_color(kept.place);
    if so_far.game.is_over() || so_far.forfeit().is_some() {
        connection.execute("DELETE FROM casual WHERE game = ?1", [id])?;
        connection.execute("DELETE FROM job WHERE kind = 'reply' AND subject = ?1", [id])?;
        let printed = kept.outputs[0].clone().unwrap_or_default();
        let outputs = match person {
            Color::White => [printed.as_str(), ""],
            Color::Black => ["", printed.as_str()],
        };
        let taken = so_far.time(person.other()).as_millis();
        let millis = i64::try_from(taken).unwrap_or(i64::MAX);
        return game::keep(
            connection,
            id,
            judge,
            &Outcome { played: &so_far, outputs, millis },
            now,
        );
    }
    let asked = (so_far.game.turn() == Some(person.other())).then_some(now);
    let record = serde_json::to_string(&so_far).expect("a game is plain data");
    connection
        .prepare_cached(
            "INSERT OR REPLACE INTO casual (game, record, asked, changed) VALUES (?1, ?2, ?3, ?4)",
        )?
        .execute(params![id, record, asked, now])?;
    match asked {
        Some(_) => queue::add(connection, JobKind::Reply, id, BattleKind::Casual.priority()),
        None => Ok(()),
    }
}

/// Whether somebody may begin another game.
fn check_quota(connection: &Connection, by: AccountId, now: i64) -> Result<(), ClubError> {
    let (open, recent) = battle::asked_for(connection, BattleKind::Casual, by, now)?;
    if open >= MOST_OPEN {
        return Err(CasualError::Open.into());
    }
    if recent >= MOST_IN_AN_HOUR {
        return Err(CasualError::Often.into());
    }
    Ok(())
}

impl Club {
    /// The agents that people may play against, by their authors' names.
    pub fn open_agents(&self) -> Result<Vec<OpenAgent>, ClubError> {
        let connection = self.connection();
        let mut statement = connection.prepare_cached(
            "SELECT version.id, version.number, account.id, account.name, account.section
             FROM version JOIN account ON account.id = version.account
             WHERE is_open AND state = 'passed' AND NOT account.is_blocked
             ORDER BY account.name, version.number DESC",
        )?;
        let agents = statement.query_map([], |row| {
            Ok(OpenAgent {
                version: row.get(0)?,
                number: row.get(1)?,
                account: row.get(2)?,
                name: row.get(3)?,
                section: row.get(4)?,
            })
        })?;
        Ok(agents.collect::<rusqlite::Result<_>>()?)
    }

    /// Begins a game against an agent that is open to people. `color` is the person's.
    pub fn begin_casual(
        &self,
        by: AccountId,
        version: VersionId,
        size: Size,
        color: Color,
        now: i64,
    ) -> Result<Casual, ClubError> {
        let seed = secret::seed()?;
        self.transaction(|connection| {
            if !terms::doors(connection)?.sparring {
                return Err(CasualError::Closed.into());
            }
            let is_open = version::by_id(connection, version)
                .is_ok_and(|version| version.is_open && version.state == VersionState::Passed);
            if !is_open {
                return Err(CasualError::Opponent.into());
            }
            if !CASUAL_SIZES.contains(&size) {
                return Err(CasualError::Size(size).into());
            }
            check_quota(connection, by, now)?;
            let terms = Terms { size, ..terms::terms(connection)? };
            let new = New {
                kind: BattleKind::Casual,
                of_final: None,
                asker: Some(by),
                players: [&Player::Version(version), &Player::Person(by)],
                terms: &terms,
                seed,
            };
            let battle = battle::add(connection, &new, now)?;
            let place = u8::from(color == Color::Black);
            let id = game::add_unasked(connection, battle, place)?;
            let so_far = Played {
                game: Game::new(terms.rule, size),
                opening: 0,
                stats: Vec::new(),
                end: End::Over,
            };
            go_on(connection, id, so_far, None, now)?;
            let agent = version::named(connection, &version::by_id(connection, version)?)?;
            let subject = format!("game {id}, {agent}");
            audit::note(connection, now, Some(by), "begin-game", &subject)?;
            visible(connection, by, id)
        })
    }

    /// The game with this number, if it is a person's against an agent and `by` may see it.
    pub fn casual(&self, by: AccountId, id: GameId) -> Result<Casual, ClubError> {
        visible(&self.connection(), by, id)
    }

    /// Plays the person's move after `ply` moves. A move that was made before is not made again.
    pub fn play_casual(
        &self,
        by: AccountId,
        id: GameId,
        ply: usize,
        square: Square,
        now: i64,
    ) -> Result<Casual, ClubError> {
        self.transaction(|connection| {
            let casual = visible(connection, by, id)?;
            if casual.battle.asker != Some(by) {
                return Err(ClubError::NoGame);
            }
            let made = casual.so_far.game.moves().get(ply);
            if made.is_some_and(|mv| *mv == Move::Place(square)) {
                return Ok(casual);
            }
            if casual.turn != Turn::Person || ply != casual.so_far.game.ply() {
                return Err(CasualError::Turn.into());
            }
            let since = row(connection, id)?.map_or(now, |row| row.changed);
            let mut so_far = casual.so_far;
            let moved = so_far.game.place(square);
            moved.map_err(|illegal| CasualError::Move(illegal.to_string()))?;
            let thought = Duration::from_millis(u64::try_from(now - since).unwrap_or(0));
            so_far.stats.push(MoveStats { time: Some(thought), ..MoveStats::default() });
            go_on(connection, id, so_far, None, now)?;
            visible(connection, by, id)
        })
    }

    /// Gives a game up.
    pub fn resign_casual(&self, by: AccountId, id: GameId, now: i64) -> Result<Casual, ClubError> {
        self.transaction(|connection| {
            let casual = visible(connection, by, id)?;
            if casual.battle.asker != Some(by) {
                return Err(ClubError::NoGame);
            }
            if casual.turn != Turn::Over {
                let forfeit = Forfeit::new(Reason::Resigned, "");
                let end = End::Forfeit { color: casual.color, forfeit };
                go_on(connection, id, Played { end, ..casual.so_far }, None, now)?;
            }
            visible(connection, by, id)
        })
    }

    /// What a judge needs to let the agent of a job reply.
    pub fn reply_to_give(&self, job: &Job) -> Result<ToReply, ClubError> {
        let connection = self.connection();
        let row = row(&connection, job.subject)?.ok_or(ClubError::NoGame)?;
        let kept = game::by_id(&connection, job.subject)?;
        let Battle { players: [agent, _], terms, .. } = battle::by_id(&connection, kept.battle)?;
        let seed: i64 = connection.query_row(
            "SELECT seed FROM battle WHERE id = ?1",
            [kept.battle],
            |row| row.get(0),
        )?;
        let version = agent.player.version().ok_or(ClubError::NoVersion)?;
        Ok(ToReply { so_far: row.so_far, version, terms, seed: seed.cast_unsigned() })
    }

    /// Makes the move that an agent replied, or ends the game that it lost.
    pub fn finish_reply(&self, job: &Job, reply: &Reply, now: i64) -> Result<(), ClubError> {
        self.transaction(|connection| {
            queue::finish(connection, job)?;
            let mut so_far = row(connection, job.subject)?.ok_or(ClubError::NoGame)?.so_far;
            let [printed, _] = game::by_id(connection, job.subject)?.outputs;
            let printed = printed.unwrap_or_default() + &reply.output;
            connection
                .prepare_cached("UPDATE game SET one_output = ?2 WHERE id = ?1")?
                .execute(params![job.subject, game::cut(&printed)])?;
            let color = so_far.game.position().turn();
            let played = reply.answer.clone().and_then(|choice| {
                let placed = so_far.game.place(choice.square);
                placed.map_err(|illegal| Forfeit::new(Reason::Illegal, illegal.to_string()))?;
                Ok(choice)
            });
            match played {
                Ok(choice) => so_far.stats.push(MoveStats::new(&choice, reply.taken)),
                Err(forfeit) => so_far.end = End::Forfeit { color, forfeit },
            }
            go_on(connection, job.subject, so_far, Some(&job.judge), now)
        })
    }
}
