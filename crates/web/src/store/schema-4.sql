-- What version 4 does after the table of version 3 was renamed to `old` and made anew: it takes larger
-- boards, and what agents told has a table of its own.
INSERT INTO game (number, id, token, rule, size, start, moves, ply, black_kind, black_name, white_kind,
    white_name, state, revision, created, changed, ended, loser, earlier, friends)
SELECT number, id, token, rule, size, start, moves, ply, black_kind, black_name, white_kind,
    white_name, state, revision, created, changed, ended, loser, earlier, friends FROM old;
DROP TABLE old;
-- The indices of the old table kept their names until it was dropped.
CREATE INDEX IF NOT EXISTS game_state ON game (state, number);
CREATE INDEX IF NOT EXISTS game_black ON game (black_name, number);
CREATE INDEX IF NOT EXISTS game_white ON game (white_name, number);
