//! A tournament as a user writes it down: a TOML file, or options.
//!
//! [`Spec::KEYS`] is the table of all keys. [`Spec::settle`] fills in defaults and makes a [`Plan`];
//! [`Spec::from`] writes a plan down in full, as a store keeps it.

use crate::clock::Clock;
use crate::plan::{Format, Plan, Player};
use crate::sprt::Sprt;
use isrever_agent::{AgentSpec, TimedBy, duration, duration_or_zero};
use isrever_board::{Rule, Size};
pub use isrever_settings::Error as SpecError;
use isrever_settings::{Key, Kind, settings};
use serde::{Deserialize, Serialize};
use std::collections::HashSet;
use std::time::Duration;

/// The most players a tournament may have, and the most games.
const MOST_PLAYERS: usize = 1_000;
const MOST_GAMES: u64 = 100_000_000;

const FORMATS: &[&str] = &["round-robin", "gauntlet", "ladder", "challenge", "sprt"];
const TIME: Kind = Kind::Text("a time such as \"5s\" or \"250ms\"");
const PLAYERS: &str = "a list of agents such as \"greedy\", or of { name = …, agent = … }";

const ENTRANT: &[Key] = &[
    Key::new("name", Kind::Text("a name in quotes"), "the agent", "what it is called"),
    Key::new("agent", Kind::Text("an agent such as \"greedy\""), "", "the agent"),
];

const SPRT: &[Key] = &[
    Key::new("elo0", Kind::FINITE, "0", "the first is no stronger than this"),
    Key::new("elo1", Kind::FINITE, "10", "or it is at least so strong"),
    Key::new("alpha", Kind::FINITE, "0.05", "how often the stronger claim may be accepted wrongly"),
    Key::new("beta", Kind::FINITE, "0.05", "how often the weaker one may be"),
];

settings! {
    /// A tournament as a user writes it down.
    pub struct Spec {
        "name" name: Option<String> = Kind::Text("a name in quotes"), "the format",
            "what the tournament is called";
        "format" format: Option<String> = Kind::Choice(FORMATS), "`round-robin`",
            "`round-robin`; `gauntlet`, the first player against all others; `ladder`, each challenges the next above from the bottom up, the first listed being at the top; `challenge`, the last listed climbs until it does not win; `sprt`, two players until it is clear";
        "players" players: Vec<Entrant> = Kind::Items(PLAYERS, ENTRANT), "",
            "agents as `isrever agents` lists them, with names of their own if they have some";
        "rule" rule: Option<String> = Kind::Choice(&["reversed", "normal"]), "`reversed`",
            "what is played for";
        "size" size: Option<usize> = Kind::Among(&[4, 6, 8, 10, 12, 14, 16]), "8",
            "width of the board";
        "openings" openings: Option<String> =
            Kind::Text("start, random:PLIES, balanced or the name of a file"), "`random:8`",
            "what games begin with: `balanced` are 600 openings for `reversed` on 8×8; a file of positions or games is sought beside this one and played in turn";
        "pairs" pairs: Option<u64> = Kind::Whole(1, MOST_GAMES), "10; for `sprt` at most 50000",
            "pairs of games of each two that meet: one opening, colours swapped";
        "rounds" rounds: Option<u64> = Kind::Whole(1, MOST_GAMES), "1",
            "how often a ladder is climbed";
        "seed" seed: Option<u64> = Kind::Whole(0, u64::MAX), "1",
            "where openings and agents' choices come from";
        "time" time: Option<String> = TIME, "`5s` unless something else limits", "time for a move";
        "game-time" game_time: Option<String> = TIME, "`180s` unless something else limits",
            "time for all moves of a side";
        "grace" grace: Option<String> = TIME, "`50ms`", "how much later an answer may come";
        "clock" clock: Option<String> = Kind::Choice(TimedBy::WORDS), "`wall`",
            "what times of Python agents are measured by: the wall's clock, or by `cpu` the time that they run or sleep, without what they wait for a processor; for machines that are busy with other things";
        "nodes" nodes: Option<u64> = Kind::Whole(1, u64::MAX), "", "boards for a move";
        "depth" depth: Option<u32> = Kind::Whole(1, u32::MAX as u64), "", "plies for a move";
        "concurrency" concurrency: Option<usize> = Kind::Whole(1, u64::MAX),
            "cores over threads of an agent", "games at once; no game depends on it";
        "speed" speed: Option<u64> = Kind::Whole(1, u64::MAX), "",
            "the slowest core that may play, in positions a second as `isrever worker` measures them: slower workers of a cluster leave the games to others";
        "sprt" sprt: Option<Sprt> = Kind::Table(SPRT), "", "the claims of a sequential test";
    }
}

/// A player as a user writes it down: an agent's spec, or a table with a name.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(from = "Written")]
pub struct Entrant {
    /// Its name; by default that of its agent.
    pub name: Option<String>,
    /// Its agent.
    pub agent: String,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Written {
    Agent(String),
    Table {
        name: Option<String>,
        #[serde(default)]
        agent: String,
    },
}

impl From<Written> for Entrant {
    fn from(written: Written) -> Entrant {
        match written {
            Written::Agent(agent) => Entrant { name: None, agent },
            Written::Table { name, agent } => Entrant { name, agent },
        }
    }
}

impl Spec {
    /// Reads a TOML file.
    pub fn read(text: &str) -> Result<Spec, SpecError> {
        Spec::KEYS.read(text)
    }

    /// A tournament of these agents, everything else as it is by default.
    pub fn of(agents: &[&str]) -> Spec {
        let entrant = |agent: &&str| Entrant { name: None, agent: (*agent).to_owned() };
        Spec { players: agents.iter().map(entrant).collect(), ..Spec::default() }
    }

    /// These settings, and those of `other` where they are open.
    #[must_use]
    pub fn or(self, mut other: Spec) -> Spec {
        // One limit replaces all of the other's.
        let Spec { time, game_time, nodes, depth, .. } = &self;
        if time.is_some() || game_time.is_some() || nodes.is_some() || depth.is_some() {
            (other.time, other.game_time, other.nodes, other.depth) = (None, None, None, None);
        }
        self.merge(other)
    }

    /// Fills in the defaults. Refuses a tournament that cannot be played as it is written.
    pub fn settle(&self) -> Result<Plan, SpecError> {
        let plan = self.plan()?;
        for (key, is_said, format) in [
            ("rounds", self.rounds.is_some(), Format::Ladder),
            ("sprt", self.sprt.is_some(), Format::Sprt),
        ] {
            if is_said && plan.format != format {
                let offence = format!("a {} has none; expected format {format}", plan.format);
                return Err(SpecError::new(key, offence));
            }
        }
        self.name.as_deref().map_or(Ok(()), |name| check_name("name", name))?;
        let mut names = HashSet::new();
        for name in self.players.iter().filter_map(|entrant| entrant.name.as_ref()) {
            check_name("players", name)?;
            if !names.insert(name) {
                let offence = format!("two are called {name:?}; expected different names");
                return Err(SpecError::new("players", offence));
            }
        }
        let checked = plan.openings.check(plan.rule, plan.size);
        checked.map_err(|offence| SpecError::new("openings", offence))?;
        Ok(plan)
    }

    /// The same for a stored tournament: older versions accepted more.
    pub(crate) fn plan(&self) -> Result<Plan, SpecError> {
        let mut spec = self.clone();
        let keys = Spec::KEYS;
        let format = keys.fill("format", &mut spec.format, FORMATS[0].to_owned())?;
        let format: Format = format.parse().expect("the table has the formats");
        let rule = keys.fill("rule", &mut spec.rule, Rule::default().to_string())?;
        let players = self.named()?;
        let count = players.len();
        let (least, most) = match format {
            Format::Sprt => (2, 2),
            _ => (2, MOST_PLAYERS),
        };
        if !(least..=most).contains(&count) {
            let expected = if least == most { "two".to_owned() } else { format!("2 to {most}") };
            let players =
                if count == 1 { "1 player".to_owned() } else { format!("{count} players") };
            return Err(SpecError::new("players", format!("{players}; expected {expected}")));
        }
        let width = keys.fill("size", &mut spec.size, 8)?;
        let openings = self.openings.as_deref().unwrap_or("random:8");
        let plan = Plan {
            name: self.name.as_deref().map_or_else(|| format.to_string(), one_line),
            format,
            players,
            rule: rule.parse().expect("the table has the rules"),
            size: Size::new(width).expect("the table has the sizes"),
            clock: self.clocks()?,
            openings: openings.parse().map_err(|error| SpecError::new("openings", error))?,
            pairs: self.pairs.unwrap_or(if format == Format::Sprt { 50_000 } else { 10 }),
            rounds: self.rounds.unwrap_or(1),
            seed: self.seed.unwrap_or(1),
            speed: self.speed,
            sprt: self.sprt.unwrap_or_default(),
        };
        plan.sprt.check().map_err(|offence| SpecError::new("sprt", offence))?;
        for (key, number) in [("pairs", plan.pairs), ("rounds", plan.rounds)] {
            let meetings = (count * count) as u64 * number;
            if number == 0 || meetings.saturating_mul(plan.rounds) > MOST_GAMES {
                let expected = format!("expected at least 1, and at most {MOST_GAMES} games");
                return Err(SpecError::new(key, format!("cannot be {number}; {expected}")));
            }
        }
        Ok(plan)
    }

    /// The players, each with a name of its own.
    fn named(&self) -> Result<Vec<Player>, SpecError> {
        if self.players.iter().any(|entrant| entrant.agent.is_empty()) {
            let offence = "one has no agent; expected one such as greedy for each";
            return Err(SpecError::new("players", offence));
        }
        let mut taken = HashSet::new();
        let mut free = |name: &str| {
            let name = one_line(name);
            let numbered = (2..).map(|number| format!("{name} #{number}"));
            let mut names = std::iter::once(name.clone()).chain(numbered);
            names.find(|name| taken.insert(name.clone())).expect("there is no end of names")
        };
        // Names that were given come first: the others make way for them.
        let given: Vec<Option<String>> =
            self.players.iter().map(|entrant| entrant.name.as_deref().map(&mut free)).collect();
        let player = |(entrant, given): (&Entrant, Option<String>)| Player {
            name: given.unwrap_or_else(|| free(&entrant.agent)),
            agent: AgentSpec::new(&entrant.agent),
        };
        Ok(self.players.iter().zip(given).map(player).collect())
    }

    /// The limits, or the course's clock if there are none.
    fn clocks(&self) -> Result<Clock, SpecError> {
        let time = |key, text: &Option<String>| match text.as_deref() {
            None => Ok(None),
            Some(text) => {
                let read = if key == "grace" { duration_or_zero(text) } else { duration(text) };
                read.map(Some).map_err(|error| SpecError::new(key, format!("{text:?} is {error}")))
            }
        };
        let mut timed_by = self.clock.clone();
        let timed_by = Spec::KEYS.fill("clock", &mut timed_by, TimedBy::default().to_string())?;
        let clock = Clock {
            time: time("time", &self.time)?,
            game_time: time("game-time", &self.game_time)?,
            grace: time("grace", &self.grace)?.unwrap_or(Clock::GRACE),
            timed_by: timed_by.parse().expect("the table has the clocks"),
            nodes: self.nodes,
            depth: self.depth,
        };
        for (key, limit) in [("nodes", self.nodes), ("depth", self.depth.map(u64::from))] {
            limit.map_or(Ok(()), |limit| Spec::KEYS.check(key, &limit))?;
        }
        let Clock { grace, timed_by, .. } = clock;
        let is_free = clock == Clock { grace, timed_by, ..Clock::untimed() };
        Ok(if is_free { Clock { grace, timed_by, ..Clock::default() } } else { clock })
    }
}

/// Refuses a name that would not be shown as it was written.
fn check_name(key: &str, name: &str) -> Result<(), SpecError> {
    match name.trim().is_empty() || name.contains(char::is_control) {
        true => Err(SpecError::value(key, format_args!("{name:?}"), "one line")),
        false => Ok(()),
    }
}

/// A name that can be shown in one line: a file's name may have any characters in it.
fn one_line(name: &str) -> String {
    let line = name.replace(char::is_control, " ");
    match line.trim() {
        "" => "?".to_owned(),
        name => name.to_owned(),
    }
}

impl From<&Plan> for Spec {
    fn from(plan: &Plan) -> Spec {
        let time = |time: Duration| format!("{}s", time.as_secs_f64());
        let entrant = |player: &Player| Entrant {
            name: Some(player.name.clone()),
            agent: player.agent.to_string(),
        };
        Spec {
            name: Some(plan.name.clone()),
            format: Some(plan.format.to_string()),
            players: plan.players.iter().map(entrant).collect(),
            rule: Some(plan.rule.to_string()),
            size: Some(plan.size.width().into()),
            openings: Some(plan.openings.to_string()),
            pairs: Some(plan.pairs),
            rounds: (plan.format == Format::Ladder).then_some(plan.rounds),
            seed: Some(plan.seed),
            time: plan.clock.time.map(time),
            game_time: plan.clock.game_time.map(time),
            grace: Some(time(plan.clock.grace)),
            // Files of earlier versions have no such key, and know no other clock.
            clock: (plan.clock.timed_by != TimedBy::Wall).then(|| plan.clock.timed_by.to_string()),
            nodes: plan.clock.nodes,
            depth: plan.clock.depth,
            concurrency: None,
            speed: plan.speed,
            sprt: (plan.format == Format::Sprt).then_some(plan.sprt),
        }
    }
}

#[cfg(test)]
mod tests;
