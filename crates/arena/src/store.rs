//! Keeps tournaments in one SQLite file.
//!
//! What is here: [`Store`], which makes, opens and reads such a file, and
//! [`Pen`], the right to add games to it, of which there is one at a time. A
//! game is added in one transaction and is there from then on, whatever
//! happens to the process; the number of a game is its key, so that none is
//! there twice. Readers may read while somebody writes.

mod schema;

use crate::game::Played;
use crate::pairing::{Outcome, Pairing};
use crate::plan::Plan;
use crate::repeats::Trace;
use crate::schedule::Schedule;
use crate::spec::Spec;
use crate::standings::Standings;
use crate::written::{Written, forfeit, transcript};
use isrever_agent::Forfeit;
use isrever_board::text::write_moves;
use isrever_board::{Game, Rule};
use isrever_jobs::Origin;
use rusqlite::{Connection, OpenFlags, OptionalExtension, Row, params};
use std::collections::BTreeMap;
use std::fmt;
use std::fs::{File, TryLockError};
use std::path::{Path, PathBuf};
use std::thread::sleep;
use std::time::{Duration, Instant};

/// How long one waits for another who is just writing.
const BUSY: Duration = Duration::from_secs(10);

/// How long the lock of a run that was killed may outlive it: a process that it was just forking has
/// the file open too until it begins a program.
const OUTLIVES: Duration = Duration::from_secs(3);

/// How long to wait before the lock is tried again.
const PAUSE: Duration = Duration::from_millis(10);

/// A file of tournaments.
pub struct Store {
    connection: Connection,
    path: PathBuf,
}

/// The right to add games to a file: nobody else has it until this is dropped, or the process ends.
#[derive(Debug)]
pub struct Pen {
    /// The lock goes with the file's handle.
    _lock: File,
}

/// A tournament of a store.
#[derive(Clone, PartialEq, Debug)]
pub struct Tournament {
    /// Its number in the store.
    pub id: i64,
    /// What is played.
    pub plan: Plan,
    /// When it began: seconds since 1970, UTC.
    pub created: i64,
    /// The same as a day: `2026-11-15`.
    pub date: String,
    /// How many games are finished.
    pub finished: u64,
}

/// A game of a store, without its moves.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Summary {
    /// Who played, and how it went.
    pub outcome: Outcome,
    /// How many moves there are, the opening's and passes included.
    pub plies: u64,
    /// Why somebody forfeited it, if somebody did.
    pub forfeit: Option<Forfeit>,
}

/// What a store cannot do.
#[derive(Debug)]
pub enum StoreError {
    /// There is no such file.
    NoFile,
    /// It is something else.
    NotOurs,
    /// It was written by a later version of this program.
    Version(i32),
    /// Somebody else is adding games.
    InUse,
    /// There is no such tournament.
    NoTournament {
        /// The number asked for.
        id: i64,
        /// The numbers there are.
        known: Vec<i64>,
    },
    /// What is there contradicts itself.
    Damaged(String),
    /// The database failed.
    Database(rusqlite::Error),
    /// The system failed.
    Io(std::io::Error),
}

impl fmt::Display for StoreError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            StoreError::NoFile => f.write_str("no such file; expected one that arena run made"),
            StoreError::NotOurs => {
                f.write_str("not a file of tournaments; expected one that arena run made")
            }
            StoreError::Version(version) => {
                write!(f, "version {version} of the format; expected {}", schema::VERSION)
            }
            StoreError::InUse => {
                f.write_str("games are being added by another run; expected nobody else")
            }
            StoreError::NoTournament { id, known } => {
                let known: Vec<String> = known.iter().map(i64::to_string).collect();
                let known = if known.is_empty() { "none".to_owned() } else { known.join(", ") };
                write!(f, "there is no tournament {id}; expected one of: {known}")
            }
            StoreError::Damaged(what) => write!(f, "damaged: {what}; expected what was written"),
            StoreError::Database(error) => error.fmt(f),
            StoreError::Io(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for StoreError {}

impl From<rusqlite::Error> for StoreError {
    fn from(error: rusqlite::Error) -> StoreError {
        match error.sqlite_error_code() {
            Some(rusqlite::ErrorCode::NotADatabase) => StoreError::NotOurs,
            _ => StoreError::Database(error),
        }
    }
}

impl Store {
    /// Opens a file that is there.
    pub fn open(path: impl AsRef<Path>) -> Result<Store, StoreError> {
        let path = path.as_ref();
        if !path.is_file() {
            return Err(StoreError::NoFile);
        }
        Store::connect(path, OpenFlags::SQLITE_OPEN_READ_WRITE)?.checked()
    }

    /// Opens a file, or makes it.
    pub fn create(path: impl AsRef<Path>) -> Result<Store, StoreError> {
        let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_CREATE;
        let mut store = Store::connect(path.as_ref(), flags)?;
        // Whoever looks at the file finds all of the tables or none, and who was killed while
        // making them leaves none: then they are made now.
        let transaction =
            store.connection.transaction_with_behavior(rusqlite::TransactionBehavior::Immediate)?;
        let tables: i64 =
            transaction.query_row("SELECT count(*) FROM sqlite_schema", [], |row| row.get(0))?;
        if tables == 0 {
            transaction.execute_batch(schema::TABLES)?;
            transaction.pragma_update(None, "application_id", schema::APPLICATION)?;
            transaction.pragma_update(None, "user_version", schema::VERSION)?;
        }
        transaction.commit()?;
        store.checked()
    }

    fn connect(path: &Path, flags: OpenFlags) -> Result<Store, StoreError> {
        let connection = Connection::open_with_flags(path, flags)?;
        connection.busy_timeout(BUSY)?;
        Ok(Store { connection, path: path.to_owned() })
    }

    /// The same, if it is ours: nothing is changed before that is known.
    fn checked(self) -> Result<Store, StoreError> {
        let number = |name| {
            self.connection.query_row(&format!("PRAGMA {name}"), [], |row| row.get::<_, i32>(0))
        };
        if number("application_id")? != schema::APPLICATION {
            return Err(StoreError::NotOurs);
        }
        match number("user_version")? {
            schema::VERSION => {}
            other => return Err(StoreError::Version(other)),
        }
        // Readers do not wait for the writer, and a transaction is one write to the end of a
        // journal. It is not pushed to the disk each time: it survives the process, however that
        // ends, and the file stays whole if the machine fails.
        self.connection.pragma_update(None, "journal_mode", "WAL")?;
        self.connection.pragma_update(None, "synchronous", "NORMAL")?;
        self.connection.pragma_update(None, "foreign_keys", true)?;
        Ok(self)
    }

    /// The right to add games; an error if somebody else has it, and keeps it.
    pub fn pen(&self) -> Result<Pen, StoreError> {
        // Beside the database, whose own locks come and go with each transaction.
        let name = format!("{}.lock", self.path.display());
        let lock = File::options().create(true).append(true).open(name).map_err(StoreError::Io)?;
        let begin = Instant::now();
        loop {
            match lock.try_lock() {
                Ok(()) => return Ok(Pen { _lock: lock }),
                Err(TryLockError::WouldBlock) if begin.elapsed() < OUTLIVES => sleep(PAUSE),
                Err(TryLockError::WouldBlock) => return Err(StoreError::InUse),
                Err(TryLockError::Error(error)) => return Err(StoreError::Io(error)),
            }
        }
    }

    /// Enters a tournament that begins now, in seconds since 1970; its number.
    pub fn enter(
        &mut self,
        _pen: &Pen,
        plan: &Plan,
        openings: &[Game],
        now: i64,
    ) -> Result<i64, StoreError> {
        let spec = serde_json::to_string(&Spec::from(plan)).expect("a spec is plain data");
        let transaction = self.connection.transaction()?;
        transaction.execute(
            "INSERT INTO tournament (name, spec, created) VALUES (?1, ?2, ?3)",
            params![plan.name, spec, now],
        )?;
        let id = transaction.last_insert_rowid();
        {
            let sql = "INSERT INTO opening (tournament, number, moves) VALUES (?1, ?2, ?3)";
            let mut insert = transaction.prepare(sql)?;
            for (number, opening) in (0_i64..).zip(openings) {
                insert.execute(params![id, number, write_moves(opening, true)])?;
            }
        }
        transaction.commit()?;
        Ok(id)
    }

    /// Adds a game that has ended, and which machine played it, if another did.
    pub fn add(
        &mut self,
        _pen: &Pen,
        tournament: i64,
        pairing: &Pairing,
        played: &Played,
        origin: Option<&Origin>,
    ) -> Result<(), StoreError> {
        let written = Written::from(played);
        let stats = serde_json::to_string(&written.thoughts).expect("statistics are plain data");
        let signed = |number: u64| number.cast_signed();
        let [black, white] = pairing.players.map(usize::cast_signed);
        let transaction = self.connection.transaction()?;
        if let Some(Origin { worker, speed }) = origin {
            // Files of earlier versions have no such table, and need none.
            transaction.execute_batch(schema::ORIGIN)?;
            let sql = "INSERT INTO origin (tournament, number, worker, speed)
                       VALUES (?1, ?2, ?3, ?4)";
            let number = signed(pairing.number);
            transaction.prepare_cached(sql)?.execute(params![tournament, number, worker, speed])?;
        }
        let sql = "INSERT INTO game (tournament, number, pair, black, white, opening, moves,
                   thoughts, score, reason, forfeiter, details)
                   VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12)";
        transaction.prepare_cached(sql)?.execute(params![
            tournament,
            signed(pairing.number),
            signed(pairing.pair),
            black,
            white,
            played.opening.cast_signed(),
            written.moves,
            stats,
            played.score(),
            written.reason,
            written.forfeiter,
            written.details,
        ])?;
        Ok(transaction.commit()?)
    }

    /// All tournaments, in the order they began.
    pub fn tournaments(&self) -> Result<Vec<Tournament>, StoreError> {
        let sql = "SELECT id, spec, created, date(created, 'unixepoch'),
                   (SELECT count(*) FROM game WHERE tournament = id) FROM tournament ORDER BY id";
        let mut statement = self.connection.prepare(sql)?;
        let mut rows = statement.query([])?;
        let mut tournaments = Vec::new();
        while let Some(row) = rows.next()? {
            tournaments.push(tournament(row)?);
        }
        Ok(tournaments)
    }

    /// The tournament of this number.
    pub fn tournament(&self, id: i64) -> Result<Tournament, StoreError> {
        let mut all = self.tournaments()?;
        match all.iter().position(|tournament| tournament.id == id) {
            Some(place) => Ok(all.swap_remove(place)),
            None => {
                let known = all.iter().map(|tournament| tournament.id).collect();
                Err(StoreError::NoTournament { id, known })
            }
        }
    }

    /// What the games of a tournament begin with.
    pub fn openings(&self, tournament: &Tournament) -> Result<Vec<Game>, StoreError> {
        let sql = "SELECT moves FROM opening WHERE tournament = ?1 ORDER BY number";
        let mut statement = self.connection.prepare(sql)?;
        let lines = statement.query_map([tournament.id], |row| row.get::<_, String>(0))?;
        let damaged = |error| StoreError::Damaged(format!("an opening: {error}"));
        lines.map(|line| transcript(&line?, tournament.plan.rule).map_err(damaged)).collect()
    }

    /// The finished games of a tournament, by number.
    pub fn games(&self, tournament: i64) -> Result<Vec<Summary>, StoreError> {
        let sql = "SELECT number, pair, black, white, score, reason, forfeiter, details,
                   json_array_length(thoughts), opening, moves FROM game WHERE tournament = ?1 ORDER BY number";
        let mut statement = self.connection.prepare(sql)?;
        let mut rows = statement.query([tournament])?;
        let mut games = Vec::new();
        while let Some(row) = rows.next()? {
            let (reason, forfeiter, details): (String, Option<String>, Option<String>) =
                (row.get(5)?, row.get(6)?, row.get(7)?);
            let forfeit =
                forfeit(&reason, forfeiter.as_deref(), details).map_err(StoreError::Damaged)?;
            let outcome = Outcome {
                number: unsigned(row.get(0)?)?,
                pair: unsigned(row.get(1)?)?,
                players: [place(row.get(2)?)?, place(row.get(3)?)?],
                score: row.get(4)?,
                forfeit: forfeit.as_ref().map(|(color, forfeit)| (*color, forfeit.reason)),
                trace: Trace::of_line(&row.get::<_, String>(10)?, place(row.get(9)?)?, &reason),
            };
            let forfeit = forfeit.map(|(_, forfeit)| forfeit);
            games.push(Summary { outcome, plies: unsigned(row.get(8)?)?, forfeit });
        }
        Ok(games)
    }

    /// One finished game with its moves, if there is one of this number.
    pub fn game(
        &self,
        tournament: &Tournament,
        number: u64,
    ) -> Result<Option<(Pairing, Played)>, StoreError> {
        let sql = "SELECT pair, black, white, opening, moves, thoughts, reason, forfeiter, details
                   FROM game WHERE tournament = ?1 AND number = ?2";
        let mut statement = self.connection.prepare_cached(sql)?;
        let read = |row: &Row<'_>| Ok(saved(row, tournament.plan.rule, number));
        statement
            .query_row(params![tournament.id, number.cast_signed()], read)
            .optional()?
            .transpose()
    }

    /// The machines that played games of a tournament, by the game's number; games that were played
    /// where the store is are not among them.
    pub fn origins(&self, tournament: i64) -> Result<BTreeMap<u64, Origin>, StoreError> {
        let sql = "SELECT name FROM sqlite_master WHERE type = 'table' AND name = 'origin'";
        if !self.connection.prepare(sql)?.exists([])? {
            return Ok(BTreeMap::new());
        }
        let sql = "SELECT number, worker, speed FROM origin WHERE tournament = ?1";
        let mut statement = self.connection.prepare(sql)?;
        let mut rows = statement.query([tournament])?;
        let mut origins = BTreeMap::new();
        while let Some(row) = rows.next()? {
            let origin = Origin { worker: row.get(1)?, speed: row.get(2)? };
            origins.insert(unsigned(row.get(0)?)?, origin);
        }
        Ok(origins)
    }

    /// What is left to play of a tournament, with all finished games recorded.
    pub fn schedule(&self, tournament: &Tournament) -> Result<Schedule, StoreError> {
        let mut schedule = Schedule::new(&tournament.plan);
        for game in self.games(tournament.id)? {
            schedule.add(&game.outcome);
        }
        Ok(schedule)
    }

    /// The table of a tournament as it is now.
    pub fn standings(&self, tournament: &Tournament) -> Result<Standings, StoreError> {
        let mut standings = Standings::new(tournament.plan.players.len());
        for outcome in self.counted(tournament)? {
            standings.add(&outcome);
        }
        Ok(standings)
    }

    /// The finished games of a tournament that count for its table.
    pub(crate) fn counted(&self, tournament: &Tournament) -> Result<Vec<Outcome>, StoreError> {
        let players = tournament.plan.players.len();
        let schedule = self.schedule(tournament)?;
        let mut counted = Vec::new();
        for Summary { outcome, .. } in self.games(tournament.id)? {
            if outcome.players.iter().any(|&player| player >= players) {
                let game = told(outcome.number);
                return Err(StoreError::Damaged(format!("game {game} has an unknown player")));
            }
            if schedule.counts(outcome.number) {
                counted.push(outcome);
            }
        }
        Ok(counted)
    }
}

fn tournament(row: &Row<'_>) -> Result<Tournament, StoreError> {
    let (id, spec): (i64, String) = (row.get(0)?, row.get(1)?);
    let damaged = |error: &dyn fmt::Display| {
        StoreError::Damaged(format!("the spec of tournament {id}: {error}"))
    };
    let spec: Spec = serde_json::from_str(&spec).map_err(|error| damaged(&error))?;
    let plan = spec.plan().map_err(|error| damaged(&error))?;
    let finished = unsigned(row.get(4)?)?;
    Ok(Tournament { id, plan, created: row.get(2)?, date: row.get(3)?, finished })
}

/// The number of a game as people are told it: from 1.
fn told(number: u64) -> u64 {
    number + 1
}

/// A game from the row of its number.
fn saved(row: &Row<'_>, rule: Rule, number: u64) -> Result<(Pairing, Played), StoreError> {
    let damaged =
        |error: &dyn fmt::Display| StoreError::Damaged(format!("game {}: {error}", told(number)));
    let players = [place(row.get(1)?)?, place(row.get(2)?)?];
    let thoughts: String = row.get(5)?;
    let written = Written {
        rule: rule.to_string(),
        opening: place(row.get(3)?)?,
        moves: row.get(4)?,
        thoughts: serde_json::from_str(&thoughts).map_err(|error| damaged(&error))?,
        reason: row.get(6)?,
        forfeiter: row.get(7)?,
        details: row.get(8)?,
    };
    let played = Played::try_from(written).map_err(|error| damaged(&error))?;
    let pair = unsigned(row.get(0)?)?;
    // Which opening it was is not kept: its moves are.
    Ok((Pairing { number, pair, players, opening: pair }, played))
}

fn unsigned(number: i64) -> Result<u64, StoreError> {
    u64::try_from(number).map_err(|_| StoreError::Damaged(format!("{number} is negative")))
}

fn place(number: i64) -> Result<usize, StoreError> {
    usize::try_from(number).map_err(|_| StoreError::Damaged(format!("{number} is no place")))
}
