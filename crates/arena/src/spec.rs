//! A tournament as it is written down: a TOML file, or options.
//!
//! What is not said has a default; what is not known is refused by name.
//! [`Spec::settle`] makes a [`Plan`] of it, and [`Spec::from`] writes one down
//! in full, which is how a store keeps it.

use crate::clock::Clock;
use crate::plan::{Format, Plan, Player};
use crate::sprt::Sprt;
use isrever_board::{Rule, Size};
use serde::de::value::MapAccessDeserializer;
use serde::de::{DeserializeOwned, MapAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize};
use std::collections::HashSet;
use std::fmt;
use std::str::FromStr;
use std::time::Duration;

/// The most players a tournament may have, and the most games.
const MOST_PLAYERS: usize = 1_000;
const MOST_GAMES: u64 = 100_000_000;

/// What was written down of a tournament.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
pub struct Spec {
    /// What it is called.
    pub name: Option<String>,
    /// Who plays whom.
    pub format: Option<String>,
    /// Who plays.
    pub players: Vec<Entrant>,
    /// `reversed` or `normal`.
    pub rule: Option<String>,
    /// Width of the board.
    pub size: Option<usize>,
    /// `start`, `random:PLIES` or a file.
    pub openings: Option<String>,
    /// Pairs of games.
    pub pairs: Option<u64>,
    /// How often a ladder is climbed.
    pub rounds: Option<u64>,
    /// Where random choices come from.
    pub seed: Option<u64>,
    /// Time for a move, such as `5s`.
    pub time: Option<String>,
    /// Time for a game.
    pub game_time: Option<String>,
    /// How late an answer may be.
    pub grace: Option<String>,
    /// Boards for a move.
    pub nodes: Option<u64>,
    /// Plies for a move.
    pub depth: Option<u32>,
    /// How many games are played at once; no game depends on it.
    pub concurrency: Option<usize>,
    /// What a sequential test decides.
    pub sprt: Option<Sprt>,
}

/// A player as it is written down: an agent's spec, or a name and that.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Entrant {
    /// What it is called; as its agent if that is not said.
    pub name: Option<String>,
    /// Its agent.
    pub agent: String,
}

impl<'de> Deserialize<'de> for Entrant {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Entrant, D::Error> {
        #[derive(Deserialize)]
        #[serde(deny_unknown_fields)]
        struct Table {
            name: Option<String>,
            agent: String,
        }
        struct Either;
        impl<'de> Visitor<'de> for Either {
            type Value = Entrant;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an agent such as \"greedy\", or { name = …, agent = … }")
            }
            fn visit_str<E>(self, agent: &str) -> Result<Entrant, E> {
                Ok(Entrant { name: None, agent: agent.to_owned() })
            }
            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Entrant, A::Error> {
                let Table { name, agent } = Table::deserialize(MapAccessDeserializer::new(map))?;
                Ok(Entrant { name, agent })
            }
        }
        deserializer.deserialize_any(Either)
    }
}

/// Why something is no tournament.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum SpecError {
    /// The text is not TOML, or says what nobody asked for.
    Text {
        /// Where.
        line: usize,
        /// What is wrong, and what was expected.
        offence: String,
    },
    /// A value makes no sense.
    Value {
        /// Of which key.
        key: &'static str,
        /// What is wrong, and what was expected.
        offence: String,
    },
}

impl fmt::Display for SpecError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SpecError::Text { line, offence } => write!(f, "line {line}: {offence}"),
            SpecError::Value { key, offence } => write!(f, "{key}: {offence}"),
        }
    }
}

impl std::error::Error for SpecError {}

fn wrong(key: &'static str, offence: impl fmt::Display) -> SpecError {
    SpecError::Value { key, offence: offence.to_string() }
}

/// Reads what is written down in TOML; what is wrong is said with its line.
pub fn read_toml<T: DeserializeOwned>(text: &str) -> Result<T, SpecError> {
    toml::from_str(text).map_err(|error| {
        let before = error.span().map_or("", |span| text.get(..span.start).unwrap_or(text));
        let line = before.matches('\n').count() + 1;
        let mut offence = error.message().replace('\n', " ").replace('`', "\"");
        for number in ["u64", "u32", "usize"] {
            if let Some(before) = offence.strip_suffix(&format!("expected {number}")) {
                offence = format!("{before}expected a whole number from 0 up");
            }
        }
        if !offence.contains("expected") {
            offence.push_str("; expected TOML such as pairs = 20");
        }
        SpecError::Text { line, offence }
    })
}

impl Spec {
    /// Reads a TOML file.
    pub fn read(text: &str) -> Result<Spec, SpecError> {
        read_toml(text)
    }

    /// A tournament of these agents, everything else as it is by default.
    pub fn of(agents: &[&str]) -> Spec {
        let entrant = |agent: &&str| Entrant { name: None, agent: (*agent).to_owned() };
        Spec { players: agents.iter().map(entrant).collect(), ..Spec::default() }
    }

    /// This, where it says something, else what `other` says.
    #[must_use]
    pub fn or(self, other: Spec) -> Spec {
        // Who limits moves one way does not mean the other's limits too.
        let has_limit = |spec: &Spec| {
            [
                spec.time.is_some(),
                spec.game_time.is_some(),
                spec.nodes.is_some(),
                spec.depth.is_some(),
            ]
            .contains(&true)
        };
        let limits = if has_limit(&self) { self.clone() } else { other.clone() };
        Spec {
            name: self.name.or(other.name),
            format: self.format.or(other.format),
            players: if self.players.is_empty() { other.players } else { self.players },
            rule: self.rule.or(other.rule),
            size: self.size.or(other.size),
            openings: self.openings.or(other.openings),
            pairs: self.pairs.or(other.pairs),
            rounds: self.rounds.or(other.rounds),
            seed: self.seed.or(other.seed),
            time: limits.time,
            game_time: limits.game_time,
            grace: self.grace.or(other.grace),
            nodes: limits.nodes,
            depth: limits.depth,
            concurrency: self.concurrency.or(other.concurrency),
            sprt: self.sprt.or(other.sprt),
        }
    }

    /// The tournament that this means; an error if it could not be played as it is written.
    pub fn settle(&self) -> Result<Plan, SpecError> {
        let plan = self.plan()?;
        for (key, is_said, format) in [
            ("rounds", self.rounds.is_some(), Format::Ladder),
            ("sprt", self.sprt.is_some(), Format::Sprt),
        ] {
            if is_said && plan.format != format {
                let offence = format!("a {} has none; expected format {format}", plan.format);
                return Err(wrong(key, offence));
            }
        }
        if plan.name.trim().is_empty() || plan.name.contains(['\n', '\r']) {
            return Err(wrong("name", format!("{:?} is no name; expected one line", plan.name)));
        }
        plan.openings.check(plan.rule, plan.size).map_err(|offence| wrong("openings", offence))?;
        Ok(plan)
    }

    /// The same for what was kept: older versions took more.
    pub(crate) fn plan(&self) -> Result<Plan, SpecError> {
        let format: Format = parsed("format", self.format.as_deref())?;
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
            return Err(wrong("players", format!("{players}; expected {expected}")));
        }
        let size = match self.size {
            None => Size::EIGHT,
            Some(width) => Size::new(width).map_err(|error| wrong("size", error))?,
        };
        let openings = self.openings.as_deref().unwrap_or("random:8");
        let plan = Plan {
            name: self.name.clone().unwrap_or_else(|| format.to_string()),
            format,
            players,
            rule: parsed::<Rule>("rule", self.rule.as_deref())?,
            size,
            clock: self.clock()?,
            openings: openings.parse().map_err(|error| wrong("openings", error))?,
            pairs: self.pairs.unwrap_or(if format == Format::Sprt { 50_000 } else { 10 }),
            rounds: self.rounds.unwrap_or(1),
            seed: self.seed.unwrap_or(1),
            sprt: self.sprt.unwrap_or_default(),
        };
        plan.sprt.check().map_err(|offence| wrong("sprt", offence))?;
        for (key, number) in [("pairs", plan.pairs), ("rounds", plan.rounds)] {
            let meetings = (count * count) as u64 * number;
            if number == 0 || meetings.saturating_mul(plan.rounds) > MOST_GAMES {
                let expected = format!("expected at least 1, and at most {MOST_GAMES} games");
                return Err(wrong(key, format!("{number} is no number of {key}; {expected}")));
            }
        }
        Ok(plan)
    }

    /// The players, each with a name of its own.
    fn named(&self) -> Result<Vec<Player>, SpecError> {
        let mut taken = HashSet::new();
        for name in self.players.iter().filter_map(|entrant| entrant.name.as_ref()) {
            if name.trim().is_empty() || name.contains(['\n', '\r']) {
                return Err(wrong("players", format!("{name:?} is no name; expected one line")));
            }
            if !taken.insert(name.clone()) {
                let offence = format!("two are called {name:?}; expected different names");
                return Err(wrong("players", offence));
            }
        }
        let name = |entrant: &Entrant| {
            let own = || {
                let numbered = (2..).map(|number| format!("{} #{number}", entrant.agent));
                let mut names = std::iter::once(entrant.agent.clone()).chain(numbered);
                names.find(|name| taken.insert(name.clone())).expect("there is no end of names")
            };
            let name = entrant.name.clone().unwrap_or_else(own);
            Player { name, agent: entrant.agent.clone() }
        };
        Ok(self.players.iter().map(name).collect())
    }

    /// The course's clock, unless something else is said.
    fn clock(&self) -> Result<Clock, SpecError> {
        let time = |key, text: &Option<String>| match text.as_deref() {
            None => Ok(None),
            Some("0s" | "0ms") if key == "grace" => Ok(Some(Duration::ZERO)),
            Some(text) => isrever_agent::duration(text).map(Some).ok_or_else(|| {
                wrong(key, format!("{text:?} is no time; expected one such as 5s or 250ms"))
            }),
        };
        let clock = Clock {
            time: time("time", &self.time)?,
            game_time: time("game-time", &self.game_time)?,
            grace: time("grace", &self.grace)?.unwrap_or(Clock::GRACE),
            nodes: self.nodes,
            depth: self.depth,
        };
        for (key, limit) in [("nodes", self.nodes), ("depth", self.depth.map(u64::from))] {
            if limit == Some(0) {
                return Err(wrong(key, "0 allows no move; expected at least 1"));
            }
        }
        let is_free = Clock { grace: Clock::GRACE, ..clock } == Clock::untimed();
        Ok(if is_free { Clock { grace: clock.grace, ..Clock::default() } } else { clock })
    }
}

/// A word as what it means, or the default.
fn parsed<T: FromStr<Err = &'static str> + Default>(
    key: &'static str,
    text: Option<&str>,
) -> Result<T, SpecError> {
    let word =
        |text: &str| text.parse().map_err(|error| wrong(key, format!("{text:?} is {error}")));
    text.map_or_else(|| Ok(T::default()), word)
}

impl From<&Plan> for Spec {
    fn from(plan: &Plan) -> Spec {
        let time = |time: Duration| format!("{}s", time.as_secs_f64());
        let entrant = |player: &Player| Entrant {
            name: Some(player.name.clone()),
            agent: player.agent.clone(),
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
            nodes: plan.clock.nodes,
            depth: plan.clock.depth,
            concurrency: None,
            sprt: (plan.format == Format::Sprt).then_some(plan.sprt),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const CUP: &str = r#"
        name = "cup"
        format = "gauntlet"
        players = ["engine", "random", { name = "quick", agent = "maximax:time=10ms" }, "random"]
        size = 6
        pairs = 20
        nodes = 1000
        openings = "random:4"
    "#;

    #[test]
    fn a_file_is_read_and_settled() {
        let spec = Spec::read(CUP).unwrap();
        let plan = spec.settle().unwrap();
        let names: Vec<&str> = plan.players.iter().map(|player| player.name.as_str()).collect();
        assert_eq!(names, ["engine", "random", "quick", "random #2"]);
        assert_eq!((plan.format, plan.size, plan.pairs), (Format::Gauntlet, Size::SIX, 20));
        assert_eq!(plan.clock, Clock::of_nodes(1_000));
        assert_eq!((plan.rule, plan.seed), (Rule::Reversed, 1));
        let test = "format = \"sprt\"\nplayers = [\"greedy\", \"random\"]\n[sprt]\nelo1 = 20.0";
        let ladder = "format = \"ladder\"\nplayers = [\"greedy\", \"random\"]\nrounds = 3";
        for text in [CUP, test, ladder] {
            let plan = Spec::read(text).unwrap().settle().unwrap();
            assert_eq!(Spec::from(&plan).settle().unwrap(), plan, "what is kept is the same");
            let json = serde_json::to_string(&Spec::from(&plan)).unwrap();
            assert_eq!(serde_json::from_str::<Spec>(&json).unwrap().plan().unwrap(), plan);
        }
    }

    #[test]
    fn without_limits_the_course_s_clock_is_used() {
        let clock = Spec::of(&["random", "greedy"]).settle().unwrap().clock;
        assert_eq!(clock, Clock::default());
        let grace = Some("0s".to_owned());
        let strict = Spec { grace, ..Spec::of(&["random", "greedy"]) }.settle().unwrap().clock;
        assert_eq!(strict, Clock { grace: Duration::ZERO, ..Clock::default() });
    }

    #[test]
    fn options_go_before_the_file() {
        let options = Spec { pairs: Some(3), time: Some("2s".to_owned()), ..Spec::default() };
        let plan = options.or(Spec::read(CUP).unwrap()).settle().unwrap();
        assert_eq!((plan.pairs, plan.players.len()), (3, 4));
        assert_eq!((plan.clock.time, plan.clock.nodes), (Some(Duration::from_secs(2)), None));
    }

    #[test]
    fn what_is_wrong_is_named_with_its_place_and_what_was_expected() {
        for (text, message) in [
            ("pears = 3", "line 1: unknown field \"pears\", expected one of \"name\", \"format\","),
            ("a = 1", "line 1: unknown field \"a\", expected one of"),
            ("\n\npairs = true", "line 3: invalid type: boolean \"true\", expected a whole number"),
            ("pairs = -3", "line 1: invalid value: integer \"-3\", expected a whole number from 0"),
            ("pairs = ", "line 1: "),
            ("\nplayers = [{ nam = 3 }]", "line 2: unknown field \"nam\", expected \"name\" or"),
            ("players = [3]", "line 1: invalid type: integer \"3\", expected an agent such as"),
            ("[sprt]\nelo2 = 1", "line 2: unknown field \"elo2\", expected one of \"elo0\""),
        ] {
            let error = Spec::read(text).unwrap_err().to_string();
            assert!(error.starts_with(message) && error.contains("expected"), "{error}");
        }
        let base = || Spec::of(&["random", "greedy"]);
        let text = |text: &str| Some(text.to_owned());
        for (spec, message) in [
            (Spec::of(&["random"]), "players: 1 player; expected 2 to 1000"),
            (
                Spec { format: text("sprt"), ..Spec::of(&["a", "b", "c"]) },
                "players: 3 players; expected two",
            ),
            (
                Spec { format: text("swiss"), ..base() },
                "format: \"swiss\" is not a format; expected",
            ),
            (Spec { rule: text("odd"), ..base() }, "rule: \"odd\" is"),
            (Spec { size: Some(7), ..base() }, "size: no board is 7 squares wide; expected 4,"),
            (Spec { time: text("5"), ..base() }, "time: \"5\" is no time; expected one such as 5s"),
            (Spec { nodes: Some(0), ..base() }, "nodes: 0 allows no move; expected at least 1"),
            (
                Spec { pairs: Some(0), ..base() },
                "pairs: 0 is no number of pairs; expected at least",
            ),
            (Spec { openings: text("random:0"), ..base() }, "openings: not a number of moves;"),
            (
                Spec {
                    sprt: Some(Sprt { beta: 0.0, ..Sprt::default() }),
                    format: text("sprt"),
                    ..base()
                },
                "sprt: beta is 0; expected",
            ),
            (
                Spec { sprt: Some(Sprt::default()), ..base() },
                "sprt: a round-robin has none; expected format sprt",
            ),
            (
                Spec { rounds: Some(2), format: text("challenge"), ..base() },
                "rounds: a challenge has none; expected format ladder",
            ),
            (Spec { name: text(" "), ..base() }, "name: \" \" is no name; expected one line"),
            (
                Spec { openings: text("random:12"), size: Some(4), ..base() },
                "openings: no game on 4x4 goes on after 12 moves; expected fewer, or start",
            ),
            (
                Spec { openings: text("random:40"), size: Some(6), ..base() },
                "openings: no game on 6x6 goes on after 40 moves;",
            ),
            (
                Spec { openings: text("balanced"), size: Some(6), ..base() },
                "openings: balanced ones are for reversed on 8x8; expected those",
            ),
        ] {
            let error = spec.settle().unwrap_err().to_string();
            assert!(error.starts_with(message), "{error}");
        }
        let twice = r#"players = [{name="a",agent="random"},{name="a",agent="greedy"}]"#;
        let error = Spec::read(twice).unwrap().settle().unwrap_err().to_string();
        assert_eq!(error, "players: two are called \"a\"; expected different names");
    }
}
