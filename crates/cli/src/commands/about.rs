//! `isrever` alone: what this is and what to try.

use std::io::{self, Write};

/// Says what there is.
pub(crate) fn run(out: &mut dyn Write) -> io::Result<()> {
    out.write_all(TEXT.as_bytes())
}

const TEXT: &str = concat!(
    "Isrever ",
    env!("CARGO_PKG_VERSION"),
    ": Reversed Reversi. Othello's moves, and the player with fewer discs wins.

So far there is:
  isrever play       a game in the terminal
  isrever show       positions and games, drawn
  isrever convert    positions and games from one format to another
  isrever move       the engine's move, and what it thinks
  isrever solve      endgames, played perfectly
  isrever analyze    games: what every move was worth, and what it lost
  isrever nboard     the engine behind an NBoard
  isrever gtp        the engine by the Go Text Protocol
  isrever perft      counts of all games of a length
  isrever bench      the search in one number
  isrever arena      games between agents, and ratings
  isrever train      evaluations, from games to weights
  isrever arena      tests of agents by other people
  isrever agents     who can play

To try:
  isrever play --against random --size 6
  isrever show --step f5d6c3
  isrever convert f5d6c3 --to ggf
  isrever solve --size 4
  isrever perft 9

isrever --help and isrever COMMAND --help say more.
"
);
