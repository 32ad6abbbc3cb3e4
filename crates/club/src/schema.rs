//! The tables of a club's file, and how an older file becomes a present one.

/// Marks an SQLite file as a club's: "ISRC".
pub(crate) const APPLICATION: i32 = 0x4953_5243;

/// The steps from an empty file to the present tables. A file has made as many of them as its
/// `user_version` says; steps are only ever added.
pub(crate) const STEPS: [&str; 1] = ["
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
    kind        TEXT    NOT NULL,       -- check, game or review
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
"];
