//! Saved games in an embedded database.
//!
//! One thread writes all waiting changes in one transaction, and answers their
//! callers after the commit, so a killed server loses nothing that it has
//! confirmed. Readers use another connection and do not wait for the writer.
//! The schema is in `schema.sql` and `docs/guide/formats.md`.

mod friends;
mod played;
mod row;
mod told;
mod trouble;

pub(crate) use told::Told;
pub(crate) use trouble::Trouble;

pub(crate) use friends::{Act, Join};
pub(crate) use played::{MOST_MOVES as MOST_COUNTED_MOVES, Step};
pub(crate) use row::{Earlier, Ending, Filter, GameRow, Kind, Loss, Player, Reason, Saved, State};

use crate::date::now_ms;
use crate::limits::Limits;
use crate::referee::Foul;
use crate::wire::MOST_MOVES;
use played::{Counts, Difference, Played};
use rusqlite::{Connection, OptionalExtension, TransactionBehavior, params};
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use tokio::sync::{mpsc, oneshot};
use trouble::{Troubles, is_full};

/// The name of the database in the data directory.
const FILE: &str = "games.db";

/// The application id of the database: "Isrv".
const APPLICATION: i32 = 0x4973_7276;

/// The version of the schema.
const VERSION: i32 = 4;

/// The tables as they are, and what versions 3 and 4 changed.
const SCHEMA: &str = include_str!("store/schema.sql");
const SCHEMA_3: &str = concat!(
    "ALTER TABLE game RENAME TO old;",
    include_str!("store/schema.sql"),
    include_str!("store/schema-3.sql"),
);
const SCHEMA_4: &str = concat!(
    "ALTER TABLE game RENAME TO old;",
    include_str!("store/schema.sql"),
    include_str!("store/schema-4.sql"),
);

/// The most changes that may wait.
const MOST_WAITING: usize = 256;

/// The most changes of players in a game that are kept.
const MOST_EARLIER: usize = 64;

/// How long to wait while another program holds the database.
const PATIENCE: Duration = Duration::from_secs(5);

/// The saved games. Clones share them.
#[derive(Clone)]
pub(crate) struct Store {
    changes: mpsc::Sender<Order>,
    troubles: Troubles,
    reader: Arc<Mutex<Connection>>,
    played: Played,
}

/// Why the store cannot be opened.
#[derive(Debug)]
pub enum StoreError {
    /// The directory or the file cannot be used.
    Unusable(PathBuf, String),
    /// The file is something else.
    Foreign(PathBuf),
    /// The file was written by a later version.
    Newer(PathBuf, i32),
}

impl fmt::Display for StoreError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            StoreError::Unusable(path, error) => {
                let expected = "expected a directory that can be written to";
                write!(f, "{}: {error}; {expected}", path.display())
            }
            StoreError::Foreign(path) => {
                write!(
                    f,
                    "{}: not a database of games; expected one of isrever serve",
                    path.display()
                )
            }
            StoreError::Newer(path, version) => {
                write!(f, "{}: version {version}; expected at most {VERSION}", path.display())
            }
        }
    }
}

impl std::error::Error for StoreError {}

/// A change, and the sender of its outcome.
enum Order {
    Begin(Box<GameRow>, oneshot::Sender<Done>),
    Change(Change, oneshot::Sender<Done>),
    Delete(String, oneshot::Sender<Done>),
    Join(Join, oneshot::Sender<Done>),
    Act(Act, oneshot::Sender<Done>),
    /// Ends the game of this id if a side is out of time.
    Settle(String, oneshot::Sender<Done>),
    /// Saves a game and deletes it again, to see whether that is possible.
    Try(oneshot::Sender<Done>),
}

impl Order {
    /// The game whose moves it may change.
    fn changed_id(&self) -> Option<&str> {
        match self {
            Order::Change(change, _) => Some(&change.id),
            Order::Delete(id, _) => Some(id),
            Order::Act(act, _) => Some(&act.id),
            Order::Begin(..) | Order::Join(..) | Order::Settle(..) | Order::Try(_) => None,
        }
    }

    /// The game as it is after it, if it may have other moves.
    fn changed<'a>(&self, done: &'a Done) -> Option<&'a GameRow> {
        match self {
            Order::Begin(..) | Order::Change(..) | Order::Act(..) => {
                Some(&done.as_ref().ok()?.game)
            }
            Order::Delete(..) | Order::Join(..) | Order::Settle(..) | Order::Try(_) => None,
        }
    }

    fn into_answer(self) -> oneshot::Sender<Done> {
        match self {
            Order::Begin(_, answer) | Order::Change(_, answer) => answer,
            Order::Join(_, answer) | Order::Act(_, answer) => answer,
            Order::Delete(_, answer) | Order::Settle(_, answer) | Order::Try(answer) => answer,
        }
    }
}

/// The new moves of a game.
pub(crate) struct Change {
    pub(crate) id: String,
    /// How many moves the caller expects to be saved.
    pub(crate) ply: Option<u32>,
    /// Which revision the caller expects to be saved.
    pub(crate) revision: Option<i64>,
    pub(crate) moves: String,
    pub(crate) moves_ply: u32,
    pub(crate) state: State,
    pub(crate) loss: Option<Loss>,
    /// New players, where one is changed.
    pub(crate) black: Option<Player>,
    pub(crate) white: Option<Player>,
    /// What agents told with moves.
    pub(crate) told: Vec<Told>,
}

/// The outcome of a change: the game as it is saved now.
pub(crate) type Done = Result<Saved, Undone>;

/// Why a change was not made.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Undone {
    /// There is no such game.
    NoGame,
    /// Another number of moves is saved than the caller expects.
    Conflict(u32),
    /// Another revision is saved than the caller expects.
    Stale(i64),
    /// The game is over.
    Over,
    /// The referee forbids it.
    Foul(Foul),
    /// Too many changes wait.
    Busy,
    /// There is no space left.
    Full,
    /// The database failed.
    Failed,
}

impl Store {
    /// Opens the database of `directory`; makes the directory if necessary.
    pub(crate) fn open(directory: &Path, limits: Limits) -> Result<Store, StoreError> {
        let unusable = |error: &dyn fmt::Display| {
            StoreError::Unusable(directory.to_owned(), error.to_string())
        };
        std::fs::create_dir_all(directory).map_err(|error| unusable(&error))?;
        let path = directory.join(FILE);
        let mut connection = open_checked(&path)?;
        friends::resume(&connection).map_err(|error| unusable(&error))?;
        limit_size(&connection, limits.database_bytes).map_err(|error| unusable(&error))?;
        let reader = connect(&path).map_err(|error| unusable(&error))?;
        reader.pragma_update(None, "query_only", true).map_err(|error| unusable(&error))?;
        let (changes, mut orders) = mpsc::channel(MOST_WAITING);
        let troubles = Troubles::default();
        let told = troubles.clone();
        let played = Played::default();
        let counted = played.clone();
        let write = move || {
            while let Some(first) = orders.blocking_recv() {
                let mut batch = vec![first];
                while let Ok(next) = orders.try_recv() {
                    batch.push(next);
                }
                write(&mut connection, batch, &told, &mut counted.lock());
            }
        };
        let writer = std::thread::Builder::new().name("games".to_owned()).spawn(write);
        writer.map_err(|error| unusable(&error))?;
        Ok(Store { changes, troubles, reader: Arc::new(Mutex::new(reader)), played })
    }

    /// Saves a new game.
    pub(crate) async fn begin(&self, game: GameRow) -> Done {
        self.order(|answer| Order::Begin(Box::new(game), answer)).await
    }

    /// Saves the new moves of a game.
    pub(crate) async fn change(&self, change: Change) -> Done {
        self.order(|answer| Order::Change(change, answer)).await
    }

    /// Deletes a game.
    pub(crate) async fn delete(&self, id: String) -> Done {
        self.order(|answer| Order::Delete(id, answer)).await
    }

    /// Gives the free seat of a game to somebody.
    pub(crate) async fn join(&self, join: Join) -> Done {
        self.order(|answer| Order::Join(join, answer)).await
    }

    /// Carries out what a seat asks for.
    pub(crate) async fn act(&self, act: Act) -> Done {
        self.order(|answer| Order::Act(act, answer)).await
    }

    /// Ends a game if a side is out of time.
    pub(crate) async fn settle(&self, id: String) -> Done {
        self.order(|answer| Order::Settle(id, answer)).await
    }

    /// The running games between two people, whose clocks may run.
    pub(crate) async fn running_friends(&self) -> Result<Vec<Saved>, Undone> {
        self.read(friends::running).await
    }

    /// Why games cannot be saved at present, if they cannot. Tries again if the last attempt is some
    /// time ago.
    pub(crate) async fn trouble(&self) -> Option<Trouble> {
        if self.troubles.is_time_to_try() {
            // The outcome is recorded like that of any change.
            let _ = self.order(Order::Try).await;
        }
        self.troubles.current()
    }

    async fn order(&self, order: impl FnOnce(oneshot::Sender<Done>) -> Order) -> Done {
        let (answer, answered) = oneshot::channel();
        self.changes.try_send(order(answer)).map_err(|_| Undone::Busy)?;
        answered.await.unwrap_or(Err(Undone::Failed))
    }

    /// The game called `id`.
    pub(crate) async fn game(&self, id: String) -> Result<Option<Saved>, Undone> {
        self.read(move |connection| row::by_id(connection, &id)).await
    }

    /// What agents told with the moves of the game called `id`, earliest first.
    pub(crate) async fn told(&self, id: String) -> Result<Vec<Told>, Undone> {
        self.read(move |connection| told::of(connection, &id)).await
    }

    /// The newest games that pass the filter, at most `limit`, before number `before`; and how
    /// many pass it in all.
    pub(crate) async fn games(
        &self,
        filter: Filter,
        before: Option<i64>,
        limit: u32,
    ) -> Result<(Vec<Saved>, u64), Undone> {
        self.read(move |connection| {
            let games = row::newest(connection, &filter, before, limit)?;
            Ok((games, row::count(connection, &filter)?))
        })
        .await
    }

    /// How many games there are.
    pub(crate) async fn count(&self) -> Result<u64, Undone> {
        self.read(|connection| row::count(connection, &Filter::default())).await
    }

    /// How many games have made each of `steps`.
    pub(crate) async fn played(&self, steps: Vec<Step>) -> Result<Vec<u32>, Undone> {
        let (played, reader) = (self.played.clone(), Arc::clone(&self.reader));
        // The counts first: while they wait for the writer, others go on reading.
        let work = move || {
            let mut counts = played.lock();
            let connection = reader.lock().unwrap_or_else(PoisonError::into_inner);
            played::counts(&mut counts, &connection, &steps)
        };
        flattened(tokio::task::spawn_blocking(work).await)
    }

    async fn read<R: Send + 'static>(
        &self,
        read: impl FnOnce(&Connection) -> rusqlite::Result<R> + Send + 'static,
    ) -> Result<R, Undone> {
        let reader = Arc::clone(&self.reader);
        let work = move || read(&reader.lock().unwrap_or_else(PoisonError::into_inner));
        flattened(tokio::task::spawn_blocking(work).await)
    }
}

/// What a thread has read.
fn flattened<R, E>(read: Result<rusqlite::Result<R>, E>) -> Result<R, Undone> {
    match read {
        Ok(Ok(found)) => Ok(found),
        _ => Err(Undone::Failed),
    }
}

fn connect(path: &Path) -> rusqlite::Result<Connection> {
    let connection = Connection::open(path)?;
    connection.busy_timeout(PATIENCE)?;
    // In this mode readers and the writer do not wait for each other, and a commit survives a kill
    // of the process.
    connection.pragma_update(None, "journal_mode", "wal")?;
    connection.pragma_update(None, "synchronous", "normal")?;
    Ok(connection)
}

/// Lets the database grow to so many bytes, and no further.
fn limit_size(connection: &Connection, most_bytes: u64) -> rusqlite::Result<()> {
    let page: u32 = connection.pragma_query_value(None, "page_size", |row| row.get(0))?;
    let pages = most_bytes / u64::from(page.max(1));
    let pages = u32::try_from(pages).unwrap_or(u32::MAX);
    // It answers with the limit that holds from now on.
    connection.pragma_update_and_check(None, "max_page_count", pages.max(1), |_| Ok(()))
}

/// Opens the database and makes its tables; refuses databases of other programs.
fn open_checked(path: &Path) -> Result<Connection, StoreError> {
    let unusable = |error: rusqlite::Error| match error.sqlite_error_code() {
        Some(rusqlite::ErrorCode::NotADatabase) => StoreError::Foreign(path.to_owned()),
        _ => StoreError::Unusable(path.to_owned(), error.to_string()),
    };
    let connection = Connection::open(path).map_err(unusable)?;
    let pragma = |name: &str| connection.pragma_query_value(None, name, |row| row.get::<_, i32>(0));
    let (application, version) =
        (pragma("application_id").map_err(unusable)?, pragma("user_version").map_err(unusable)?);
    let tables = "SELECT count(*) FROM sqlite_schema";
    let tables: i64 = connection.query_row(tables, [], |row| row.get(0)).map_err(unusable)?;
    if tables > 0 && application != APPLICATION {
        return Err(StoreError::Foreign(path.to_owned()));
    }
    if version > VERSION {
        return Err(StoreError::Newer(path.to_owned(), version));
    }
    drop(connection);
    let connection = connect(path).map_err(unusable)?;
    let steps = [(1, include_str!("store/schema-2.sql")), (2, SCHEMA_3), (3, SCHEMA_4)];
    for (from, step) in steps {
        if tables > 0 && (1..=from).contains(&version) {
            // All of it or nothing: a server that is killed here finds the old table again.
            let to = from + 1;
            let step = format!("BEGIN;{step}PRAGMA user_version = {to};COMMIT;");
            connection.execute_batch(&step).map_err(unusable)?;
        }
    }
    connection.execute_batch(SCHEMA).map_err(unusable)?;
    connection.pragma_update(None, "application_id", APPLICATION).map_err(unusable)?;
    connection.pragma_update(None, "user_version", VERSION).map_err(unusable)?;
    Ok(connection)
}

/// Makes all changes in one transaction, records the first failure of the database, and then sends
/// the outcomes: whoever knows of a failure can also read about it. The counts of moves stay locked
/// meanwhile, so that nobody counts a game that is being changed.
fn write(
    connection: &mut Connection,
    batch: Vec<Order>,
    troubles: &Troubles,
    counts: &mut Option<Counts>,
) {
    let mut answers = Vec::with_capacity(batch.len());
    let mut differences = Vec::new();
    let mut failure = None;
    let written = (|| -> rusqlite::Result<()> {
        let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
        for order in batch {
            // A failure may have ended the transaction; what follows must not be saved without it.
            if transaction.is_autocommit() {
                answers.push((Err(Undone::Failed), order.into_answer()));
                continue;
            }
            let before = match order.changed_id() {
                Some(id) if counts.is_some() => row::by_id(&transaction, id).ok().flatten(),
                _ => None,
            };
            let done = make(&transaction, &order).map_err(|error| {
                let undone = undone(&error);
                failure.get_or_insert(error);
                undone
            });
            let done = done.flatten();
            if counts.is_some() && done.is_ok() {
                let before = before.as_ref().map(|saved| &saved.game);
                differences.push(Difference::new(before, order.changed(&done)));
            }
            answers.push((done, order.into_answer()));
        }
        transaction.commit()
    })();
    if let (Ok(()), Some(counts)) = (&written, counts) {
        differences.into_iter().for_each(|difference| played::apply(counts, difference));
    }
    // If the transaction ended early, the first failure says why.
    let reason = written.as_ref().err().map(|error| undone(failure.as_ref().unwrap_or(error)));
    troubles.record(failure.map_or(written, Err));
    for (done, answer) in answers {
        // The caller may have left.
        let _ = answer.send(reason.clone().map_or(done, Err));
    }
}

/// Makes one change.
fn make(connection: &Connection, order: &Order) -> rusqlite::Result<Done> {
    match order {
        Order::Begin(game, _) => row::insert(connection, game, now_ms()),
        Order::Change(change, _) => self::change(connection, change),
        Order::Delete(id, _) => delete(connection, id),
        Order::Join(join, _) => friends::join(connection, join),
        Order::Act(act, _) => friends::act(connection, act),
        Order::Settle(id, _) => friends::settle(connection, id),
        Order::Try(_) => attempt(connection),
    }
}

/// What a failure of the database means to the caller.
fn undone(error: &rusqlite::Error) -> Undone {
    if is_full(error) { Undone::Full } else { Undone::Failed }
}

/// A long game that nobody plays.
fn attempted() -> GameRow {
    let player = Player { kind: Kind::Human, name: String::new() };
    GameRow {
        id: String::new(),
        token: [0; 32],
        rule: isrever_board::Rule::default(),
        size: 8,
        start: None,
        // Longer than a page, so that it needs space of its own.
        moves: "a1,".repeat(8 * MOST_MOVES),
        ply: 0,
        black: player.clone(),
        white: player,
        state: State::Running,
        ending: None,
        earlier: Vec::new(),
        friends: None,
    }
}

/// Saves a long game and deletes it again.
fn attempt(connection: &Connection) -> rusqlite::Result<Done> {
    let done = row::insert(connection, &attempted(), now_ms())?;
    connection.execute("DELETE FROM game WHERE id = ''", [])?;
    Ok(done)
}

fn change(connection: &Connection, change: &Change) -> rusqlite::Result<Done> {
    let Some(saved) = row::by_id(connection, &change.id)? else { return Ok(Err(Undone::NoGame)) };
    if change.ply.is_some_and(|ply| ply != saved.game.ply) {
        return Ok(Err(Undone::Conflict(saved.game.ply)));
    }
    if change.revision.is_some_and(|revision| revision != saved.revision) {
        return Ok(Err(Undone::Stale(saved.revision)));
    }
    if saved.game.state == State::Finished {
        // Its moves stay, but what was told with them may come later.
        if change.moves != saved.game.moves || change.loss.is_some() || change.told.is_empty() {
            return Ok(Err(Undone::Over));
        }
        told::add(connection, &change.id, &change.told)?;
        return Ok(Ok(saved));
    }
    let GameRow { black, white, mut earlier, ply, moves, start, .. } = saved.game;
    clip(&mut earlier, &moves, &change.moves);
    let next = (
        change.black.clone().unwrap_or_else(|| black.clone()),
        change.white.clone().unwrap_or_else(|| white.clone()),
    );
    if next != (black.clone(), white.clone()) && earlier.len() < MOST_EARLIER {
        earlier.push(Earlier { until: ply.min(change.moves_ply), black, white });
    }
    let is_black_first = start.as_deref().is_none_or(|text| text.ends_with('X'));
    let earlier = tidy(earlier, &next, is_black_first);
    let mut statement = connection.prepare_cached(
        "UPDATE game SET moves = ?2, ply = ?3, state = ?4, changed = ?5, black_kind = ?6, \
         black_name = ?7, white_kind = ?8, white_name = ?9, ended = ?10, loser = ?11, \
         earlier = ?12, revision = revision + 1 WHERE id = ?1",
    )?;
    let ending = change.loss.map(|loss| Ending::Lost(loss).words());
    statement.execute(params![
        change.id,
        change.moves,
        change.moves_ply,
        change.state.word(),
        now_ms(),
        next.0.kind.word(),
        next.0.name,
        next.1.kind.word(),
        next.1.name,
        ending.map(|words| words.0),
        ending.and_then(|words| words.1),
        row::earlier_text(&earlier),
    ])?;
    told::add(connection, &change.id, &change.told)?;
    Ok(row::by_id(connection, &change.id)?.ok_or(Undone::NoGame))
}

/// Takes moves off earlier players that were taken back and made again by others.
fn clip(earlier: &mut [Earlier], old: &str, new: &str) {
    let moves = |text: &str| text.split(',').filter(|mv| !mv.is_empty()).count() as u32;
    let same =
        old.split(',').zip(new.split(',')).take_while(|(old, new)| old == new).count() as u32;
    if moves(new) > same {
        for each in earlier {
            each.until = each.until.min(same);
        }
    }
}

/// The earlier players of a game without those who made no move before others took over.
fn tidy(earlier: Vec<Earlier>, present: &(Player, Player), is_black_first: bool) -> Vec<Earlier> {
    let mut kept: Vec<Earlier> = Vec::new();
    let mut rest = earlier.into_iter().peekable();
    while let Some(each) = rest.next() {
        let from = kept.last().map_or(0, |last| last.until);
        // The sides take turns, passes included.
        let has_moved = |is_black: bool| {
            (from..each.until).any(|ply| (ply % 2 == 0) == (is_black == is_black_first))
        };
        let (black, white) =
            rest.peek().map_or((&present.0, &present.1), |next| (&next.black, &next.white));
        if each.black != *black && has_moved(true) || each.white != *white && has_moved(false) {
            kept.push(each);
        }
    }
    kept
}

fn delete(connection: &Connection, id: &str) -> rusqlite::Result<Done> {
    let saved = row::by_id(connection, id).optional()?.flatten();
    let Some(saved) = saved else { return Ok(Err(Undone::NoGame)) };
    connection.execute("DELETE FROM game WHERE id = ?1", [id])?;
    connection.execute("DELETE FROM told WHERE game = ?1", [id])?;
    Ok(Ok(saved))
}

#[cfg(test)]
mod tests;
