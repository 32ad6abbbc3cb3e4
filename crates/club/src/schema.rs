//! The tables of a club's file, and how an older file becomes a present one.

/// Marks an SQLite file as a club's: "ISRC".
pub(crate) const APPLICATION: i32 = 0x4953_5243;

/// The steps from an empty file to the present tables. A file has made as many of them as its
/// `user_version` says; steps are only ever added.
pub(crate) const STEPS: [&str; 6] = [PEOPLE, GAMES, GAMES_OF_BATTLES, CASUAL, JUDGES, PROGRESS];

/// People, submissions, and what judges have to do.
const PEOPLE: &str = "
CREATE TABLE account (
    id          INTEGER PRIMARY KEY,
    name        TEXT    NOT NULL COLLATE NOCASE UNIQUE,
    section     TEXT    NOT NULL,   -- of the class; may be empty
    role        TEXT    NOT NULL,   -- administrator, member or guest
    password    TEXT,               -- argon2id in PHC form; null until it is chosen
    is_blocked  INTEGER NOT NULL DEFAULT 0,
    created     INTEGER NOT NULL    -- milliseconds since 1970, like all times here
) STRICT;
CREATE TABLE session (
    hash        BLOB    PRIMARY KEY,    -- SHA-256 of the cookie
    account     INTEGER NOT NULL REFERENCES account (id) ON DELETE CASCADE,
    form        TEXT    NOT NULL,       -- what the session's own pages send with each change
    created     INTEGER NOT NULL,
    used        INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX session_account ON session (account);
CREATE TABLE invitation (
    hash        BLOB    PRIMARY KEY,    -- SHA-256 of the code
    account     INTEGER REFERENCES account (id) ON DELETE CASCADE,  -- whose password it sets, or null
    role        TEXT    NOT NULL,
    section     TEXT    NOT NULL,
    uses        INTEGER NOT NULL,       -- how many may still accept it
    expires     INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE token (
    hash        BLOB    PRIMARY KEY,    -- SHA-256 of the token
    account     INTEGER NOT NULL REFERENCES account (id) ON DELETE CASCADE,
    label       TEXT    NOT NULL,
    created     INTEGER NOT NULL,
    used        INTEGER                 -- null if it was never used
) STRICT, WITHOUT ROWID;
CREATE INDEX token_account ON token (account);
CREATE TABLE audit (
    id          INTEGER PRIMARY KEY,
    time        INTEGER NOT NULL,
    actor       INTEGER REFERENCES account (id) ON DELETE SET NULL, -- null for the server itself
    action      TEXT    NOT NULL,
    subject     TEXT    NOT NULL
) STRICT;
CREATE TABLE version (
    id          INTEGER PRIMARY KEY,
    account     INTEGER NOT NULL REFERENCES account (id),
    number      INTEGER NOT NULL,       -- from 1 for each account
    file        TEXT    NOT NULL,       -- what its author calls it
    source      BLOB    NOT NULL,
    digest      BLOB    NOT NULL,       -- SHA-256 of the source
    state       TEXT    NOT NULL,       -- waiting, passed, failed or blocked
    report      TEXT,                   -- JSON: what the check found
    is_active   INTEGER NOT NULL DEFAULT 0,
    is_open     INTEGER NOT NULL DEFAULT 0, -- whether people may play against it
    created     INTEGER NOT NULL,
    UNIQUE (account, number),
    UNIQUE (account, digest)
) STRICT;
CREATE UNIQUE INDEX version_active ON version (account) WHERE is_active;
CREATE TABLE job (
    id          INTEGER PRIMARY KEY,
    kind        TEXT    NOT NULL,       -- check, game, review or reply
    subject     INTEGER NOT NULL,       -- the version or the game
    priority    INTEGER NOT NULL,       -- larger ones first
    attempts    INTEGER NOT NULL DEFAULT 0,
    judge       TEXT,                   -- who has it; null if nobody does
    lease       INTEGER,                -- until when
    trouble     TEXT,                   -- why it is set aside
    UNIQUE (kind, subject)
) STRICT;
CREATE INDEX job_order ON job (priority DESC, id) WHERE trouble IS NULL;
CREATE TABLE setting (
    key         TEXT    PRIMARY KEY,
    value       TEXT    NOT NULL
) STRICT, WITHOUT ROWID;
";

/// Battles and their games.
const GAMES: &str = "
ALTER TABLE version ADD COLUMN own_seconds REAL;    -- of an exercise on the author's machine
CREATE TABLE final (
    id          INTEGER PRIMARY KEY,
    name        TEXT    NOT NULL,
    state       TEXT    NOT NULL,       -- running, stopped or over
    terms       TEXT    NOT NULL,       -- JSON: what is played, and within which limits
    pairs       INTEGER NOT NULL,       -- pairs of games of each two players
    seed        INTEGER NOT NULL,
    created     INTEGER NOT NULL
) STRICT;
CREATE TABLE final_player (
    final       INTEGER NOT NULL REFERENCES final (id),
    place       INTEGER NOT NULL,       -- from 0
    version     INTEGER NOT NULL REFERENCES version (id),
    PRIMARY KEY (final, place)
) STRICT, WITHOUT ROWID;
CREATE TABLE battle (
    id          INTEGER PRIMARY KEY,
    kind        TEXT    NOT NULL,       -- ladder, challenge, final or casual
    final       INTEGER REFERENCES final (id),
    pair        INTEGER NOT NULL,       -- its number in a final; else 0
    asker       INTEGER REFERENCES account (id),    -- null for the server itself
    one         INTEGER REFERENCES version (id),    -- black in the first game
    one_agent   TEXT,                   -- instead of a version, a built-in agent's spec, or `person`
                                        -- for the one who asked
    other       INTEGER REFERENCES version (id),
    other_agent TEXT,
    terms       TEXT    NOT NULL,
    seed        INTEGER NOT NULL,
    created     INTEGER NOT NULL,
    CHECK ((one IS NULL) <> (one_agent IS NULL)),
    CHECK ((other IS NULL) <> (other_agent IS NULL)),
    CHECK ((kind = 'final') = (final IS NOT NULL))
) STRICT;
CREATE INDEX battle_kind ON battle (kind, id);
CREATE INDEX battle_one ON battle (one, id);
CREATE INDEX battle_other ON battle (other, id);
CREATE UNIQUE INDEX battle_final ON battle (final, pair) WHERE final IS NOT NULL;
CREATE TABLE game (
    id          INTEGER PRIMARY KEY,
    battle      INTEGER NOT NULL REFERENCES battle (id),
    place       INTEGER NOT NULL,       -- 0 if the battle's first player is black, or 1
    state       TEXT    NOT NULL,       -- waiting, played or annulled
    record      TEXT,                   -- JSON: its moves, what they cost, and how it ended
    score       INTEGER,                -- of the battle's first player
    one_output  TEXT,                   -- what the agent printed, for its author
    other_output TEXT,
    judge       TEXT,                   -- who played it
    millis      INTEGER,                -- how long that took
    ended       INTEGER,
    reason      TEXT,                   -- why it was annulled
    review      TEXT                    -- JSON: what each move was worth
) STRICT;
CREATE UNIQUE INDEX game_place ON game (battle, place) WHERE state <> 'annulled';
CREATE INDEX game_state ON game (state, id);
CREATE TABLE live (
    game        INTEGER PRIMARY KEY REFERENCES game (id),
    moves       TEXT    NOT NULL,       -- as far as the game has come
    clocks      TEXT    NOT NULL,       -- JSON: milliseconds that black and white have used
    updated     INTEGER NOT NULL
) STRICT;
";

/// Games of people against agents, as long as they go on.
const CASUAL: &str = "
CREATE TABLE casual (
    game        INTEGER PRIMARY KEY REFERENCES game (id),
    record      TEXT    NOT NULL,       -- JSON: its moves so far, and what they cost
    asked       INTEGER,                -- since when the agent is to move; null if the person is
    changed     INTEGER NOT NULL
) STRICT;
";

/// The games of a battle are found without a look at all games.
const GAMES_OF_BATTLES: &str = "
CREATE INDEX game_battle ON game (battle);
";

/// Which judges are there, why versions are blocked, and what invitations are listed by.
const JUDGES: &str = "
CREATE TABLE judge (
    name        TEXT    PRIMARY KEY,
    is_player   INTEGER NOT NULL,       -- whether it plays games; some only let agents reply
    seen        INTEGER NOT NULL        -- when it last gave a sign of life
) STRICT, WITHOUT ROWID;
ALTER TABLE version ADD COLUMN reason TEXT;         -- why it is blocked
ALTER TABLE invitation ADD COLUMN created INTEGER;  -- null for those of older programs
";

/// How far a check has come, for its author to see.
const PROGRESS: &str = "
ALTER TABLE job ADD COLUMN done INTEGER;    -- cases of a check that are done; null before the first
ALTER TABLE job ADD COLUMN cases INTEGER;   -- how many there are
";

/// How SQLite finds what a query asks for, in its words.
#[cfg(test)]
pub(crate) fn plan(connection: &rusqlite::Connection, query: &str) -> String {
    let mut statement = connection.prepare(&format!("EXPLAIN QUERY PLAN {query}")).unwrap();
    let nothing = vec![rusqlite::types::Null; statement.parameter_count()];
    let lines = statement
        .query_map(rusqlite::params_from_iter(nothing), |row| row.get::<_, String>(3))
        .unwrap();
    lines.collect::<rusqlite::Result<Vec<_>>>().unwrap().join("\n")
}
