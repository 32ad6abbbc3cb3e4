//! The tables of a store. `docs/guide/formats.md` describes them.

/// Marks an SQLite file as ours: "ISRA".
pub(super) const APPLICATION: i32 = 0x4953_5241;

/// The version of the tables.
pub(super) const VERSION: i32 = 1;

/// Makes the tables. All of it or nothing: it is run in one transaction.
pub(super) const TABLES: &str = "
CREATE TABLE tournament (
    id          INTEGER PRIMARY KEY,
    name        TEXT    NOT NULL,
    spec        TEXT    NOT NULL,   -- JSON: everything the games depend on but the openings
    created     INTEGER NOT NULL    -- seconds since 1970, UTC
) STRICT;
CREATE TABLE opening (
    tournament  INTEGER NOT NULL REFERENCES tournament (id),
    number      INTEGER NOT NULL,
    moves       TEXT    NOT NULL,   -- a transcript, after a board if it begins elsewhere
    PRIMARY KEY (tournament, number)
) STRICT, WITHOUT ROWID;
CREATE TABLE game (
    tournament  INTEGER NOT NULL REFERENCES tournament (id),
    number      INTEGER NOT NULL,
    pair        INTEGER NOT NULL,   -- two games of a pair: one opening, colours swapped
    black       INTEGER NOT NULL,   -- places in the spec's list of players, from 0
    white       INTEGER NOT NULL,
    opening     INTEGER NOT NULL,   -- how many of the moves are the opening's
    moves       TEXT    NOT NULL,   -- a transcript with all passes
    thoughts    TEXT    NOT NULL,   -- JSON: for each move [microseconds, value, depth, nodes]
    score       INTEGER NOT NULL,   -- what black won by, in discs
    reason      TEXT    NOT NULL,   -- over, or why somebody forfeited
    forfeiter   TEXT,               -- black, white, or null
    details     TEXT,               -- of a forfeit
    PRIMARY KEY (tournament, number)
) STRICT, WITHOUT ROWID;
";

/// Makes the table of machines, once there is a game that another one played.
pub(super) const ORIGIN: &str = "
CREATE TABLE IF NOT EXISTS origin (
    tournament  INTEGER NOT NULL REFERENCES tournament (id),
    number      INTEGER NOT NULL,
    worker      TEXT    NOT NULL,   -- the machine that played the game
    speed       REAL    NOT NULL,   -- of one of its cores: positions a second of a fixed search
    PRIMARY KEY (tournament, number)
) STRICT, WITHOUT ROWID;
";
