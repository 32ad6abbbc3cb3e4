//! A tournament's plan: everything that its games depend on.

use crate::clock::Clock;
use crate::opening::Openings;
use crate::sprt::Sprt;
use isrever_agent::{AgentSpec, Catalogue, Needs};
use isrever_board::{Rule, Size};
use std::cmp::Reverse;
use std::fmt;
use std::str::FromStr;

/// What a game won is worth on the course's platform; one lost costs as much.
pub const POINTS: i64 = 5;

/// Who plays whom.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Format {
    /// Everybody against everybody.
    #[default]
    RoundRobin,
    /// The first against all others.
    Gauntlet,
    /// From the bottom up, each player challenges the next above, and takes its place if it wins.
    /// The first player listed stands at the top.
    Ladder,
    /// The last player listed challenges the next above, and goes on for as long as it wins.
    Challenge,
    /// The first two, until it is clear who is better.
    Sprt,
}

impl Format {
    /// Every format there is.
    pub const ALL: [Format; 5] =
        [Format::RoundRobin, Format::Gauntlet, Format::Ladder, Format::Challenge, Format::Sprt];

    /// The word for it.
    pub const fn name(self) -> &'static str {
        match self {
            Format::RoundRobin => "round-robin",
            Format::Gauntlet => "gauntlet",
            Format::Ladder => "ladder",
            Format::Challenge => "challenge",
            Format::Sprt => "sprt",
        }
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Format {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Format, &'static str> {
        Format::ALL
            .into_iter()
            .find(|format| format.name() == text)
            .ok_or("not a format; expected round-robin, gauntlet, ladder, challenge or sprt")
    }
}

/// Somebody who plays.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Player {
    /// What it is called in tables; no two are called the same.
    pub name: String,
    /// The agent.
    pub agent: AgentSpec,
}

/// A tournament.
#[derive(Clone, PartialEq, Debug)]
pub struct Plan {
    /// What it is called.
    pub name: String,
    /// Who plays whom.
    pub format: Format,
    /// Who plays.
    pub players: Vec<Player>,
    /// What is played for.
    pub rule: Rule,
    /// The board.
    pub size: Size,
    /// What each side may spend.
    pub clock: Clock,
    /// What games begin with.
    pub openings: Openings,
    /// Pairs of games of each two players that meet; at most so many in a sequential test.
    pub pairs: u64,
    /// How often a ladder is climbed.
    pub rounds: u64,
    /// Where all random choices come from.
    pub seed: u64,
    /// The slowest core that may play, in positions a second of a fixed search, if workers of a
    /// cluster do.
    pub speed: Option<u64>,
    /// What a sequential test decides.
    pub sprt: Sprt,
}

impl Plan {
    /// How many openings are played at most.
    pub fn opening_count(&self) -> usize {
        usize::try_from(self.pairs).unwrap_or(usize::MAX)
    }

    /// What the players take of the machine; a player that `catalogue` does not know takes nothing.
    fn needs(&self, catalogue: &Catalogue) -> impl Iterator<Item = Needs> {
        self.players.iter().map(|player| catalogue.needs(&player.agent).unwrap_or_default())
    }

    /// Whether results depend on how fast the machine is, and on its load.
    pub fn is_timed(&self, catalogue: &Catalogue) -> bool {
        self.clock.is_timed() || self.needs(catalogue).any(|needs| needs.time.is_some())
    }

    /// How many threads one game keeps busy on a machine with so many cores: only one side thinks
    /// at a time.
    pub fn threads(&self, catalogue: &Catalogue, cores: usize) -> usize {
        self.needs(catalogue).map(|needs| needs.threads.on(cores)).max().unwrap_or(1)
    }

    /// The most memory that one game takes, in bytes, as far as it is known.
    pub fn memory_bytes(&self, catalogue: &Catalogue) -> u64 {
        let mut most: Vec<u64> =
            self.needs(catalogue).filter_map(|needs| needs.memory_bytes).collect();
        most.sort_unstable_by_key(|&bytes| Reverse(bytes));
        // Both players of a game are there from its beginning to its end.
        most.iter().take(2).sum()
    }

    /// How many games may be played at once on so many cores, so that no clock runs while its
    /// agent waits for a core: any number if no agent looks at a clock.
    pub fn most_at_once(&self, catalogue: &Catalogue, cores: usize) -> Option<usize> {
        self.is_timed(catalogue).then(|| (cores / self.threads(catalogue, cores)).max(1))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::spec::Spec;

    fn plan(players: &[&str], clock: Clock) -> Plan {
        Plan { clock, ..Spec::of(players).settle().unwrap() }
    }

    #[test]
    fn timed_games_leave_each_agent_its_cores() {
        let catalogue = isrever_agent::catalogue();
        let most = |players: &[&str], clock| plan(players, clock).most_at_once(&catalogue, 8);
        assert_eq!(most(&["random", "random"], Clock::default()), Some(8));
        assert_eq!(most(&["random", "mcts:threads=3"], Clock::default()), Some(2));
        assert_eq!(most(&["mcts:threads=all", "random"], Clock::default()), Some(1));
        assert_eq!(most(&["mcts:threads=64", "random"], Clock::default()), Some(1));
        assert_eq!(most(&["random", "random"], Clock::of_nodes(9)), None);
        assert_eq!(most(&["random", "mcts:time=1s, threads = 4"], Clock::of_nodes(9)), Some(2));
        assert_eq!(most(&["random", "mcts:time=3m"], Clock::of_nodes(9)), Some(8));
    }

    #[test]
    fn formats_survive_their_names() {
        for format in Format::ALL {
            assert_eq!(format.to_string().parse(), Ok(format));
        }
        assert!("swiss".parse::<Format>().is_err());
    }
}
