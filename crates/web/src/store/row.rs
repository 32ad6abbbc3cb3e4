//! A saved game as a row of the table, and the queries.

use crate::referee::Friends;
use crate::refusal::Refusal;
use crate::wire::{ColorWord, Moves};
use isrever_board::{Game, Rule};
use rusqlite::types::Value;
use rusqlite::{Connection, OptionalExtension, Row, params, params_from_iter};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// The kinds of players.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Kind {
    Human,
    Agent,
}

/// Why a game ended that could have gone on.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Reason {
    /// A side gave up.
    Resigned,
    /// A side ran out of time.
    Time,
}

/// How a game ended that could have gone on: who lost it, and why.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Loss {
    pub(crate) reason: Reason,
    pub(crate) loser: ColorWord,
}

/// How a game ended that could have gone on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Ending {
    Lost(Loss),
    /// Both sides agreed to a draw.
    Agreed,
}

/// The players until one of them was changed.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
pub(crate) struct Earlier {
    /// How many moves had been made when they were changed.
    pub(crate) until: u32,
    pub(crate) black: Player,
    pub(crate) white: Player,
}

/// The state of a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum State {
    Running,
    /// Neither side has a move, or a side has resigned or run out of time.
    Finished,
    /// Given up.
    Stopped,
}

/// A player.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Player {
    pub(crate) kind: Kind,
    /// What people call it; an agent's spec.
    #[schema(min_length = 1, max_length = 64)]
    pub(crate) name: String,
}

/// A game to save: its players and moves.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct GameRow {
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
    pub(crate) ending: Option<Ending>,
    /// The players before the present ones, earliest first.
    pub(crate) earlier: Vec<Earlier>,
    /// What the referee knows, if two people play it at two screens.
    pub(crate) friends: Option<Friends>,
}

impl GameRow {
    /// Replays the game, which was legal when it was saved.
    pub(crate) fn replayed(&self) -> Result<Game, Refusal> {
        let GameRow { rule, size, start, moves, .. } = self;
        let moves: Moves =
            serde_json::from_value(moves.as_str().into()).map_err(|_| Refusal::internal())?;
        crate::wire::any_game((*rule).into(), Some(*size), start.as_deref(), &moves)
            .map_err(|_| Refusal::internal())
    }
}

/// A saved game: its row, and the columns that the table adds.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Saved {
    pub(crate) number: i64,
    pub(crate) game: GameRow,
    pub(crate) created_ms: i64,
    pub(crate) changed_ms: i64,
    /// How often it was changed.
    pub(crate) revision: i64,
}

/// Selects games; the default selects all.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Filter {
    pub(crate) state: Option<State>,
    pub(crate) rule: Option<Rule>,
    pub(crate) size: Option<u8>,
    pub(crate) player: Option<String>,
}

impl Ending {
    /// The words in the table; they never change.
    pub(crate) fn words(self) -> (&'static str, Option<&'static str>) {
        let Ending::Lost(Loss { reason, loser }) = self else { return ("agreed", None) };
        let reason = match reason {
            Reason::Resigned => "resigned",
            Reason::Time => "time",
        };
        let loser = match loser {
            ColorWord::Black => "black",
            ColorWord::White => "white",
        };
        (reason, Some(loser))
    }

    fn read(reason: &str, loser: Option<&str>) -> Ending {
        // The table contains no other words.
        let reason = match reason {
            "agreed" => return Ending::Agreed,
            "time" => Reason::Time,
            _ => Reason::Resigned,
        };
        let loser = if loser == Some("white") { ColorWord::White } else { ColorWord::Black };
        Ending::Lost(Loss { reason, loser })
    }
}

/// What the referee knows as it is stored; null for other games.
pub(super) fn friends_text(friends: Option<&Friends>) -> Option<String> {
    friends.map(|friends| serde_json::to_string(friends).unwrap_or_default())
}

/// Earlier players as they are stored; null if there were none.
pub(super) fn earlier_text(earlier: &[Earlier]) -> Option<String> {
    let text = || serde_json::to_string(earlier).unwrap_or_default();
    (!earlier.is_empty()).then(text)
}

impl Kind {
    pub(crate) fn word(self) -> &'static str {
        match self {
            Kind::Human => "human",
            Kind::Agent => "agent",
        }
    }

    fn read(word: &str) -> Kind {
        // The table contains no other words.
        if word == "agent" { Kind::Agent } else { Kind::Human }
    }
}

impl State {
    /// The word in the table; it never changes.
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
     white_kind, white_name, state, created, changed, revision, ended, loser, earlier, friends";

fn saved(row: &Row<'_>) -> rusqlite::Result<Saved> {
    let text = |column: usize| row.get_ref(column)?.as_str().map_err(rusqlite::Error::from);
    let player = |kind: usize| -> rusqlite::Result<Player> {
        Ok(Player { kind: Kind::read(text(kind)?), name: row.get(kind + 1)? })
    };
    let word = |column: usize| row.get::<_, Option<String>>(column);
    let loser = word(17)?;
    let ending = word(16)?.map(|reason| Ending::read(&reason, loser.as_deref()));
    let friends = word(19)?.and_then(|text| serde_json::from_str(&text).ok());
    let earlier = word(18)?.and_then(|text| serde_json::from_str(&text).ok()).unwrap_or_default();
    let game = GameRow {
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
        ending,
        earlier,
        friends,
    };
    Ok(Saved {
        number: row.get(0)?,
        game,
        created_ms: row.get(13)?,
        changed_ms: row.get(14)?,
        revision: row.get(15)?,
    })
}

/// Saves a new game.
pub(super) fn insert(
    connection: &Connection,
    game: &GameRow,
    now: i64,
) -> rusqlite::Result<super::Done> {
    let mut statement = connection.prepare_cached(
        "INSERT INTO game (id, token, rule, size, start, moves, ply, black_kind, black_name, \
         white_kind, white_name, state, created, changed, friends) \
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?13, ?14)",
    )?;
    statement.execute(params![
        game.id,
        game.token,
        game.rule.to_string(),
        game.size,
        game.start,
        game.moves,
        game.ply,
        game.black.kind.word(),
        game.black.name,
        game.white.kind.word(),
        game.white.name,
        game.state.word(),
        now,
        friends_text(game.friends.as_ref()),
    ])?;
    Ok(by_id(connection, &game.id)?.ok_or(super::Undone::NoGame))
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

/// The running games between two people.
pub(super) fn running_friends(connection: &Connection) -> rusqlite::Result<Vec<Saved>> {
    let query = format!(
        "SELECT {COLUMNS} FROM game WHERE state = 'running' AND friends IS NOT NULL ORDER BY number"
    );
    connection.prepare_cached(&query)?.query_map([], saved)?.collect()
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
    /// The conditions, and the values of their parameters in order.
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
