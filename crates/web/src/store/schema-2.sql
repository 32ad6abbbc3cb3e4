-- What version 2 added to the table of version 1.
ALTER TABLE game ADD COLUMN ended TEXT CHECK (ended IN ('resigned', 'time'));
ALTER TABLE game ADD COLUMN loser TEXT CHECK (loser IN ('black', 'white'));
ALTER TABLE game ADD COLUMN earlier TEXT;
