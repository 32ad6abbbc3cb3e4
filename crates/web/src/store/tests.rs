//! Databases of earlier versions are brought up to date, and clocks go on after a restart.

use super::*;
use crate::referee::{Clock, Control, Friends};
use crate::wire::ColorWord;
use std::path::Path;

/// The table as version 1 had it.
const VERSION_1: &str = "CREATE TABLE game (number INTEGER PRIMARY KEY AUTOINCREMENT, \
     id TEXT NOT NULL UNIQUE, token BLOB NOT NULL, rule TEXT NOT NULL, size INTEGER NOT NULL, \
     start TEXT, moves TEXT NOT NULL, ply INTEGER NOT NULL, black_kind TEXT NOT NULL, \
     black_name TEXT NOT NULL, white_kind TEXT NOT NULL, white_name TEXT NOT NULL, \
     state TEXT NOT NULL, revision INTEGER NOT NULL DEFAULT 0, created INTEGER NOT NULL, \
     changed INTEGER NOT NULL) STRICT; CREATE INDEX game_state ON game (state, number);";

/// An empty directory, and the database in it.
fn place(name: &str) -> (PathBuf, PathBuf) {
    let name = format!("isrever-store-{name}-{}", std::process::id());
    let directory = std::env::temp_dir().join(name);
    let _ = std::fs::remove_dir_all(&directory);
    std::fs::create_dir_all(&directory).unwrap();
    let path = directory.join(FILE);
    (directory, path)
}

/// A database of an earlier version with one game in it.
fn old(path: &Path, version: i32) {
    let old = Connection::open(path).unwrap();
    old.execute_batch(VERSION_1).unwrap();
    old.execute_batch(
        "INSERT INTO game VALUES (7, 'abc', zeroblob(32), 'reversed', 8, NULL, 'f5', 1, \
         'human', 'Ann', 'agent', 'greedy', 'running', 4, 7, 9)",
    )
    .unwrap();
    if version == 2 {
        old.execute_batch(include_str!("schema-2.sql")).unwrap();
        old.execute_batch("UPDATE game SET state = 'finished', ended = 'time', loser = 'white'")
            .unwrap();
    }
    if version == 3 {
        old.execute_batch(include_str!("schema-2.sql")).unwrap();
        old.execute_batch("ALTER TABLE game ADD COLUMN friends TEXT").unwrap();
    }
    old.pragma_update(None, "application_id", APPLICATION).unwrap();
    old.pragma_update(None, "user_version", version).unwrap();
}

#[test]
fn databases_of_earlier_versions_are_brought_up_to_date() {
    for version in [1, 2, 3] {
        let (directory, path) = place(&format!("version-{version}"));
        old(&path, version);
        for _ in 0..2 {
            let connection = open_checked(&path).unwrap();
            let saved = row::by_id(&connection, "abc").unwrap().unwrap();
            assert_eq!((saved.game.moves.as_str(), saved.revision, saved.number), ("f5", 4, 7));
            assert_eq!((saved.game.earlier.len(), saved.game.friends), (0, None));
            let loss = Loss { reason: Reason::Time, loser: ColorWord::White };
            let ending = (version == 2).then_some(Ending::Lost(loss));
            assert_eq!(saved.game.ending, ending);
            let version = connection.pragma_query_value(None, "user_version", |row| row.get(0));
            assert_eq!(version, Ok(VERSION));
            let indices = "SELECT count(*) FROM sqlite_schema WHERE name LIKE 'game_%'";
            assert_eq!(connection.query_row(indices, [], |row| row.get(0)), Ok(3));
            assert_eq!(told::of(&connection, "abc"), Ok(Vec::new()));
        }
        std::fs::remove_dir_all(&directory).unwrap();
    }
}

#[test]
fn a_clock_goes_on_where_it_was_when_the_server_starts_again() {
    let (directory, path) = place("resume");
    let mut connection = open_checked(&path).unwrap();
    let mut friends = Friends::new(
        String::new(),
        String::new(),
        ColorWord::Black,
        Some(Control { seconds: 60, increment: 0 }),
    );
    // White's time has run for an hour: the server was away.
    let an_hour_ago = crate::date::steady_ms() - 3_600_000;
    let clock: &mut Clock = friends.clock.as_mut().unwrap();
    clock.run(Some(ColorWord::White), an_hour_ago);
    let mut game = attempted();
    game.id = "abc".to_owned();
    game.moves = "f5".to_owned();
    game.friends = Some(friends);
    let transaction = connection.transaction().unwrap();
    row::insert(&transaction, &game, 0).unwrap().unwrap();
    transaction.commit().unwrap();
    let of = |connection: &Connection| {
        let saved = row::by_id(connection, "abc").unwrap().unwrap();
        saved.game.friends.unwrap().clock.unwrap()
    };
    assert_eq!(of(&connection).flag(crate::date::steady_ms()), Some(ColorWord::White));
    friends::resume(&connection).unwrap();
    assert_eq!(of(&connection).flag(crate::date::steady_ms()), None);
    assert_eq!(of(&connection).running(), Some(ColorWord::White));
    std::fs::remove_dir_all(&directory).unwrap();
}
