//! The agents of a simulated class: good, slow, broken and hostile ones, all of them different.

use isrever_testkit::REPORTS;
use isrever_testkit::attacks::{Attack, attacks};
use std::fmt;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

/// The form of the agents that we make up; words in capitals are replaced.
const FORM: &str = include_str!("agent.py");

/// How good agents choose their moves.
const MANNERS: [&str; 6] = ["random", "greedy", "generous", "weights", "mobility", "search"];

/// What slow agents do at a move.
const SLOW: [&str; 4] = [
    "while True: pass",
    "time.sleep(3600)",
    "self.candidate_list.extend(moves)\n            while True: pass",
    "sum(range(10 ** 13))",
];

/// What broken agents do at a move.
const BROKEN: [&str; 12] = [
    "raise ValueError('boom')",
    "sys.exit(3)",
    "import posix; posix._exit(0)",
    "self.candidate_list.append((0, 0)); return",
    "self.candidate_list.append((99, 99)); return",
    "self.candidate_list = 'a1'; return",
    "return",
    "moves = moves[:-1]",
    "while True: print('x' * 1000)",
    "x = [0] * (1 << 30)",
    "self.go(chessboard)",
    "del self.candidate_list; return",
];

/// Files that are no agents at all.
const NO_AGENTS: [&str; 5] = [
    "class AI(object:\n    pass\n",
    "import no_such_module\nclass AI(object): pass\n",
    "x = 1\n",
    "import os\nclass AI(object): pass\n",
    "while True: pass\n",
];

/// What an agent is like.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Kind {
    /// Plays as well as it can.
    Good,
    /// Takes more time than there is.
    Slow,
    /// Crashes, or answers what is no move.
    Broken,
    /// Is no agent.
    NoAgent,
    /// Attacks as soon as it is asked for a move.
    Hostile,
    /// Passes the check, and attacks in battles.
    Sleeper,
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Kind::Good => "good",
            Kind::Slow => "slow",
            Kind::Broken => "broken",
            Kind::NoAgent => "no agent",
            Kind::Hostile => "hostile",
            Kind::Sleeper => "sleeper",
        })
    }
}

/// A file to submit.
pub(super) struct Agent {
    pub(super) kind: Kind,
    /// What it does.
    pub(super) about: String,
    pub(super) source: String,
}

/// Where agents come from.
pub(super) struct Workshop<'a> {
    /// A file outside the sandbox, which attacks want to read and change.
    pub(super) neighbour: &'a Path,
    /// The width of the boards on which sleepers wake up.
    pub(super) width: u8,
    pub(super) seed: u64,
    /// How many attacks have been submitted: each has its turn before one comes again.
    pub(super) attacks: AtomicUsize,
}

impl Workshop<'_> {
    /// The first agent of each member: of ten, five are good, one is slow, one broken, one attacks at
    /// once and two attack in battles.
    pub(super) fn first(&self, member: usize, name: &str, mark: &str) -> Agent {
        let round = member / 10;
        match member % 10 {
            0..=4 => self.good(round * 5 + member % 10, name, mark),
            5 => self.misbehaving(Kind::Slow, round, name, mark),
            6 => self.misbehaving(Kind::Broken, round, name, mark),
            7 => self.hostile(Kind::Hostile, mark),
            _ => self.hostile(Kind::Sleeper, mark),
        }
    }

    /// What a member submits later: the same kind of thing, but another one.
    pub(super) fn next(&self, member: usize, time: usize, name: &str, mark: &str) -> Agent {
        let number = time * 1_000 + member;
        match member % 10 {
            0..=4 => self.good(number, name, mark),
            5 | 6 if time % 3 == 2 => self.no_agent(number, mark),
            5 => self.misbehaving(Kind::Slow, number, name, mark),
            6 => self.misbehaving(Kind::Broken, number, name, mark),
            _ => self.hostile(Kind::Hostile, mark),
        }
    }

    /// A good agent; the first ones are those of the reports.
    pub(super) fn good(&self, number: usize, name: &str, mark: &str) -> Agent {
        if let Some(report) = REPORTS.get(number) {
            let source = format!("# {mark}\n{report}");
            return Agent { kind: Kind::Good, about: format!("report {number:03}"), source };
        }
        let manner = MANNERS[number % MANNERS.len()];
        let source = self.form(number, name, mark, manner, "False", "pass");
        Agent { kind: Kind::Good, about: manner.to_owned(), source }
    }

    /// An agent that does the same `work` at every move.
    pub(super) fn steady(&self, number: usize, name: &str, work: &str) -> Agent {
        let source = self.form(number, name, name, "greedy", "True", work);
        Agent { kind: Kind::Good, about: "steady".to_owned(), source }
    }

    /// A slow or broken agent: every other one passes its check.
    fn misbehaving(&self, kind: Kind, number: usize, name: &str, mark: &str) -> Agent {
        let ways: &[&str] = if kind == Kind::Slow { &SLOW } else { &BROKEN };
        let mischief = ways[number / 2 % ways.len()];
        let awake = format!("self.chessboard_size == {}", self.width);
        let condition = if number.is_multiple_of(2) { awake.as_str() } else { "True" };
        let source = self.form(number, name, mark, "greedy", condition, mischief);
        Agent { kind, about: mischief.to_owned(), source }
    }

    fn no_agent(&self, number: usize, mark: &str) -> Agent {
        let source = NO_AGENTS[number % NO_AGENTS.len()];
        let about = source.lines().next().unwrap_or_default().to_owned();
        Agent { kind: Kind::NoAgent, about, source: format!("# {mark}, {number}\n{source}") }
    }

    fn hostile(&self, kind: Kind, mark: &str) -> Agent {
        let all = attacks();
        let number = self.attacks.fetch_add(1, Relaxed);
        let attack: &Attack = all[number % all.len()];
        let neighbour = self.neighbour.to_string_lossy();
        let file = match kind {
            Kind::Sleeper => attack.sleeper(&neighbour, self.width),
            _ => attack.file(&neighbour),
        };
        Agent { kind, about: attack.name.to_owned(), source: format!("# {mark}, {number}\n{file}") }
    }

    fn form(
        &self,
        number: usize,
        name: &str,
        mark: &str,
        manner: &str,
        condition: &str,
        mischief: &str,
    ) -> String {
        let seed = self.seed.wrapping_mul(1_000_003).wrapping_add(number as u64).to_string();
        FORM.replace("MANNER", manner)
            .replace("CONDITION", condition)
            .replace("MISCHIEF", mischief)
            .replace("SEED_NUMBER", &seed)
            .replace("seed SEED", &format!("seed {seed}"))
            .replace("NAME", name)
            .replace("MARK", mark)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn all_agents_of_a_class_differ_and_every_attack_has_its_turn() {
        let shop = Workshop {
            neighbour: Path::new("/n"),
            width: 6,
            seed: 1,
            attacks: AtomicUsize::default(),
        };
        let mut tried = Vec::new();
        for member in 0..200 {
            let mut agents = vec![shop.first(member, "ada", "mark")];
            agents.extend((1..=5).map(|time| shop.next(member, time, "ada", "mark")));
            let mut sources = BTreeSet::new();
            for agent in agents {
                for word in ["MANNER", "MISCHIEF", "CONDITION", "SEED_NUMBER", "NAME'", "MARK"] {
                    assert!(!agent.source.contains(word), "{}: {word}", agent.about);
                }
                if matches!(agent.kind, Kind::Hostile | Kind::Sleeper) {
                    tried.push(agent.about);
                }
                assert!(sources.insert(agent.source), "{member} submits the same file twice");
            }
        }
        let in_one_round: BTreeSet<_> = tried.iter().take(attacks().len()).collect();
        assert_eq!(in_one_round.len(), attacks().len());
    }
}
