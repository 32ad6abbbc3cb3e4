//! A saved game as a row of the table, and the queries.

use isrever_board::Rule;
use rusqlite::types::Value;
use rusqlite::{Connection, OptionalExtension, Row, params, params_from_iter};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// Whether a person plays or a program.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Kind {
    Human,
    Agent,
}

/// Where a game stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum State {
    Running,
    /// Neither side has a move.
    Finished,
    /// Given up.
    Stopped,
}

/// Who plays.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Player {
    pub(crate) kind: Kind,
    /// At most 64 characters.
    pub(crate) name: String,
}

/// What is saved of a game: who plays, and the line as it is now.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Sheet {
    pub(crate) id: String,
    pub(crate) token: [u8; 32],
    pub(crate) rule: Rule,
    pub(crate) size: u8,
    pub(crate) start: Option<String>,
    pub(crate) moves: String,
    pub(crate) ply: u32,
    pub(crate) black: Player,
    pub(crate) white: Player,
    pub(crate) state: State,
}

/// A saved game: its sheet, and what the table adds to it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Saved {
    pub(crate) number: i64,
    pub(crate) sheet: Sheet,
    pub(crate) created_ms: i64,
    pub(crate) changed_ms: i64,
    /// How often it was changed.
    pub(crate) revision: i64,
}

/// Which games are wanted; the default wants all.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Filter {
    pub(crate) state: Option<State>,
    pub(crate) rule: Option<Rule>,
    pub(crate) size: Option<u8>,
    pub(crate) player: Option<String>,
}

impl Kind {
    fn word(self) -> &'static str {
        match self {
            Kind::Human => "human",
            Kind::Agent => "agent",
        }
    }

    fn read(word: &str) -> Kind {
        // The table holds no other words.
        if word == "agent" { Kind::Agent } else { Kind::Human }
    }
}

impl State {
    /// As the table has it.
    pub(crate) fn word(self) -> &'static str {
        match self {
            State::Running => "running",
            State::Finished => "finished",
            State::Stopped => "stopped",
        }
    }

    fn read(word: &str) -> State {
        match word {
            "finished" => State::Finished,
            "stopped" => State::Stopped,
            _ => State::Running,
        }
    }
}

const COLUMNS: &str = "number, id, token, rule, size, start, moves, ply, black_kind, black_name, \
     white_kind, white_name, state, created, changed, revision";

fn saved(row: &Row<'_>) -> rusqlite::Result<Saved> {
    let text = |column: usize| row.get_ref(column)?.as_str().map_err(rusqlite::Error::from);
    let player = |kind: usize| -> rusqlite::Result<Player> {
        Ok(Player { kind: Kind::read(text(kind)?), name: row.get(kind + 1)? })
    };
    let sheet = Sheet {
        id: row.get(1)?,
        token: row.get(2)?,
        rule: if text(3)? == "normal" { Rule::Normal } else { Rule::Reversed },
        size: row.get(4)?,
        start: row.get(5)?,
        moves: row.get(6)?,
        ply: row.get(7)?,
        black: player(8)?,
        white: player(10)?,
        state: State::read(text(12)?),
    };
    Ok(Saved {
        number: row.get(0)?,
        sheet,
        created_ms: row.get(13)?,
        changed_ms: row.get(14)?,
        revision: row.get(15)?,
    })
}

/// Saves a new game.
pub(super) fn insert(
    connection: &Connection,
    sheet: &Sheet,
    now: i64,
) -> rusqlite::Result<super::Done> {
    let mut statement = connection.prepare_cached(
        "INSERT INTO game (id, token, rule, size, start, moves, ply, black_kind, black_name, \
         white_kind, white_name, state, created, changed) \
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?13)",
    )?;
    statement.execute(params![
        sheet.id,
        sheet.token,
        sheet.rule.to_string(),
        sheet.size,
        sheet.start,
        sheet.moves,
        sheet.ply,
        sheet.black.kind.word(),
        sheet.black.name,
        sheet.white.kind.word(),
        sheet.white.name,
        sheet.state.word(),
        now,
    ])?;
    Ok(by_id(connection, &sheet.id)?.ok_or(super::Undone::NoGame))
}

/// The game called `id`.
pub(super) fn by_id(connection: &Connection, id: &str) -> rusqlite::Result<Option<Saved>> {
    let query = format!("SELECT {COLUMNS} FROM game WHERE id = ?1");
    connection.prepare_cached(&query)?.query_row([id], saved).optional()
}

/// The newest games that pass `filter`, at most `limit`, before number `before`.
pub(super) fn newest(
    connection: &Connection,
    filter: &Filter,
    before: Option<i64>,
    limit: u32,
) -> rusqlite::Result<Vec<Saved>> {
    let (mut conditions, mut values) = filter.conditions();
    if let Some(before) = before {
        conditions.push("number < ?");
        values.push(before.into());
    }
    values.push(Value::Integer(limit.into()));
    let query = format!(
        "SELECT {COLUMNS} FROM game WHERE {} ORDER BY number DESC LIMIT ?",
        conditions.join(" AND ")
    );
    let mut statement = connection.prepare_cached(&query)?;
    statement.query_map(params_from_iter(values), saved)?.collect()
}

/// How many games pass `filter`.
pub(super) fn count(connection: &Connection, filter: &Filter) -> rusqlite::Result<u64> {
    let (conditions, values) = filter.conditions();
    let query = format!("SELECT count(*) FROM game WHERE {}", conditions.join(" AND "));
    let mut statement = connection.prepare_cached(&query)?;
    let count: i64 = statement.query_row(params_from_iter(values), |row| row.get(0))?;
    Ok(count.unsigned_abs())
}

impl Filter {
    /// The conditions, and the values of their question marks in order.
    fn conditions(&self) -> (Vec<&'static str>, Vec<Value>) {
        let mut conditions = vec!["1"];
        let mut values = Vec::new();
        if let Some(state) = self.state {
            conditions.push("state = ?");
            values.push(Value::Text(state.word().to_owned()));
        }
        if let Some(rule) = self.rule {
            conditions.push("rule = ?");
            values.push(Value::Text(rule.to_string()));
        }
        if let Some(size) = self.size {
            conditions.push("size = ?");
            values.push(Value::Integer(size.into()));
        }
        if let Some(player) = &self.player {
            conditions.push("(black_name = ? OR white_name = ?)");
            values.extend([Value::Text(player.clone()), Value::Text(player.clone())]);
        }
        (conditions, values)
    }
}
