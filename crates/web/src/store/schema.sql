-- Games that were played on the web board. One row for each, changed as it is played.
CREATE TABLE IF NOT EXISTS game (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    -- SHA-256 of the secret that allows to move.
    token BLOB NOT NULL,
    rule TEXT NOT NULL CHECK (rule IN ('reversed', 'normal')),
    size INTEGER NOT NULL CHECK (size BETWEEN 4 AND 16 AND size % 2 = 0),
    -- Board string of the start; NULL for the usual one.
    start TEXT,
    -- Squares and 'pass', a comma between.
    moves TEXT NOT NULL,
    ply INTEGER NOT NULL,
    black_kind TEXT NOT NULL CHECK (black_kind IN ('human', 'agent')),
    black_name TEXT NOT NULL,
    white_kind TEXT NOT NULL CHECK (white_kind IN ('human', 'agent')),
    white_name TEXT NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('running', 'finished', 'stopped')),
    -- How often it was changed.
    revision INTEGER NOT NULL DEFAULT 0,
    -- Milliseconds since 1970.
    created INTEGER NOT NULL,
    changed INTEGER NOT NULL,
    -- Why it ended although it could have gone on, and who lost by that (nobody if both agreed).
    ended TEXT CHECK (ended IN ('resigned', 'time', 'agreed')),
    loser TEXT CHECK (loser IN ('black', 'white')),
    -- The players before the present ones, as JSON; NULL if there were none.
    earlier TEXT,
    -- What the referee of a game between two people knows, as JSON; NULL for other games.
    friends TEXT
) STRICT;
CREATE INDEX IF NOT EXISTS game_state ON game (state, number);
CREATE INDEX IF NOT EXISTS game_black ON game (black_name, number);
CREATE INDEX IF NOT EXISTS game_white ON game (white_name, number);
-- What agents of the server's owner told with their moves, variations included. Only the newest of a
-- game are kept.
CREATE TABLE IF NOT EXISTS told (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    game TEXT NOT NULL,
    -- The squares up to the move and with it, a comma between.
    line TEXT NOT NULL,
    agent TEXT NOT NULL,
    seconds REAL NOT NULL,
    -- What it printed; empty if that is nothing.
    output TEXT NOT NULL,
    UNIQUE (game, line)
) STRICT;
