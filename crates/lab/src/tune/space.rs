//! The space of a search: some parameters of an agent; the others stay as they are.

use isrever_agent::{AgentSpec, Catalogue, Parameter, Parameters, SpecError};
use isrever_board::{Rule, Size};
use std::collections::HashSet;
use std::fmt;

/// Rounds numbers without a step: the log stays short, and agents play with the logged values.
const DECIMALS: f64 = 1e4;

/// The tuned parameters of an agent, in the order of their table.
#[derive(Clone, Debug)]
pub struct Space {
    agent: AgentSpec,
    parameters: Parameters,
    tuned: Vec<usize>,
}

impl Space {
    /// The parameters called `names`, or all, of the agent of a spec in games under the reversed rule
    /// on 8×8. The spec's own values are where a search may start.
    pub fn new(
        catalogue: &Catalogue,
        agent: impl Into<AgentSpec>,
        names: Option<&[String]>,
    ) -> Result<Space, SpaceError> {
        Space::in_games(catalogue, agent, names, Rule::default(), Size::EIGHT)
    }

    /// The same in games of this rule and size, which have default values of their own.
    pub fn in_games(
        catalogue: &Catalogue,
        agent: impl Into<AgentSpec>,
        names: Option<&[String]>,
        rule: Rule,
        size: Size,
    ) -> Result<Space, SpaceError> {
        let agent = agent.into();
        catalogue.make(&agent, 0).map_err(SpaceError::Agent)?;
        let parameters = catalogue.parameters_in(&agent, rule, size).map_err(SpaceError::Agent)?;
        let parameters = parameters.ok_or_else(|| {
            let mut tunable = Vec::new();
            for entry in catalogue.entries() {
                // Greedy has parameters for some of its measures only.
                for spec in [entry.name().to_owned(), format!("{}:by=squares", entry.name())] {
                    if let Ok(Some(_)) = catalogue.parameters(&spec) {
                        tunable.push(spec);
                        break;
                    }
                }
            }
            SpaceError::NothingToTune { agent: agent.to_string(), tunable }
        })?;
        let table = parameters.table();
        let mut tuned: Vec<usize> = (0..table.len()).collect();
        if let Some(names) = names {
            let known = |name: &String| table.iter().any(|parameter| parameter.name == *name);
            let unknown = names.iter().find(|name| !known(name));
            if names.is_empty() || unknown.is_some() {
                let known = table.iter().map(|parameter| parameter.name.clone()).collect();
                return Err(SpaceError::Unknown { name: unknown.cloned(), known });
            }
            let mut once = HashSet::new();
            if let Some(name) = names.iter().find(|name| !once.insert(*name)) {
                return Err(SpaceError::Twice { name: name.clone() });
            }
            tuned.retain(|&place| names.contains(&table[place].name));
        }
        Ok(Space { agent, parameters, tuned })
    }

    /// The agent as a spec, before it is tuned.
    pub fn agent(&self) -> &AgentSpec {
        &self.agent
    }

    /// The number of tuned parameters.
    pub fn width(&self) -> usize {
        self.tuned.len()
    }

    /// The tuned parameters.
    pub fn parameters(&self) -> impl ExactSizeIterator<Item = &'static Parameter> {
        self.tuned.iter().map(|&place| &self.parameters.table()[place])
    }

    /// Their values before.
    pub fn start(&self) -> Vec<f64> {
        self.tuned.iter().map(|&place| self.parameters.values()[place]).collect()
    }

    /// The values at a point of the unit cube, rounded to those that parameters can have. Beyond the
    /// cube the space is mirrored.
    pub(super) fn at(&self, point: &[f64]) -> Vec<f64> {
        let value = |(parameter, &x): (&Parameter, &f64)| {
            let x = x.rem_euclid(2.0);
            let x = if x > 1.0 { 2.0 - x } else { x };
            settled(parameter, parameter.least + x * (parameter.most - parameter.least))
        };
        self.parameters().zip(point).map(value).collect()
    }

    /// The point of the unit cube that has these values.
    pub(super) fn point(&self, values: &[f64]) -> Vec<f64> {
        let x = |(parameter, value): (&Parameter, &f64)| {
            (value - parameter.least) / (parameter.most - parameter.least)
        };
        self.parameters().zip(values).map(x).collect()
    }

    /// The agent with these values.
    pub fn spec(&self, values: &[f64]) -> AgentSpec {
        let is_tuned = |key: &str| self.parameters().any(|parameter| parameter.name == key);
        let tuned = self.parameters().map(|parameter| parameter.name.as_str()).zip(values);
        self.agent.without(is_tuned).and(tuned)
    }

    /// All parameters of the agent as a preset, also those that were not tuned.
    pub fn preset(&self, values: &[f64]) -> String {
        let mut all = self.parameters.values().to_vec();
        for (&place, &value) in self.tuned.iter().zip(values) {
            all[place] = value;
        }
        let named = self.parameters.table().iter().zip(all);
        let items: Vec<String> = named.map(|(p, value)| format!("{}={value}", p.name)).collect();
        items.join(",")
    }
}

/// The nearest value that a parameter can have.
fn settled(parameter: &Parameter, value: f64) -> f64 {
    let value = match parameter.step {
        0.0 => (value * DECIMALS).round() / DECIMALS,
        step => (value / step).round() * step,
    };
    // Zero has one sign, so that it is written in one way.
    value.clamp(parameter.least, parameter.most) + 0.0
}

/// Why there is no such space.
#[derive(Clone, PartialEq, Debug)]
pub enum SpaceError {
    /// The spec is no agent's.
    Agent(SpecError),
    /// The agent has no parameters.
    NothingToTune {
        /// The agent.
        agent: String,
        /// Agents that have some.
        tunable: Vec<String>,
    },
    /// It has none of this name, or there were no names.
    Unknown {
        /// The name.
        name: Option<String>,
        /// The names there are.
        known: Vec<String>,
    },
    /// A name stands there twice.
    Twice {
        /// The name.
        name: String,
    },
}

impl fmt::Display for SpaceError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SpaceError::Agent(error) => error.fmt(f),
            SpaceError::NothingToTune { agent, tunable } => {
                write!(f, "{agent} has no parameters; expected one of {}", tunable.join(", "))
            }
            SpaceError::Unknown { name: Some(name), known } => {
                write!(f, "no parameter is called {name:?}; expected some of {}", known.join(", "))
            }
            SpaceError::Unknown { name: None, known } => {
                write!(f, "none; expected some of {}", known.join(", "))
            }
            SpaceError::Twice { name } => write!(f, "{name} is named twice; expected each once"),
        }
    }
}

impl std::error::Error for SpaceError {}

#[cfg(test)]
mod tests {
    use super::*;

    fn space(agent: &str, names: &[&str]) -> Result<Space, SpaceError> {
        let names: Vec<String> = names.iter().map(|&name| name.to_owned()).collect();
        let names = (!names.is_empty()).then_some(names);
        Space::new(&isrever_reports::catalogue(), agent, names.as_deref())
    }

    #[test]
    fn values_are_what_parameters_can_have_wherever_the_point_is() {
        let space = space("genetic:depth=1", &["stability", "period", "end_d4"]).unwrap();
        assert_eq!(space.width(), 3);
        assert_eq!(space.start(), [35.0, 218.0, 0.0]);
        assert_eq!(space.at(&[0.0, 0.5, 1.0]), [4.0, 0.0, 255.0]);
        assert_eq!(space.at(&[-0.25, 1.25, 2.0]), [19.0, 128.0, -255.0]);
        for values in [[4.0, -255.0, 17.0], [64.0, 255.0, 0.0]] {
            assert_eq!(space.at(&space.point(&values)), values);
        }
        assert_eq!(space.at(&[0.51, 0.501, 0.5])[1].to_string(), "1");
        let real = self::space("greedy:by=squares", &["a1"]).unwrap();
        assert_eq!(real.at(&[0.123_456_7]), [-0.7531]);
        assert_eq!(real.at(&[0.499_99])[0].to_string(), "0");
    }

    #[test]
    fn specs_say_the_values_once_and_presets_say_all() {
        let catalogue = isrever_reports::catalogue();
        let space =
            space("greedy:by=combination,a1=0.25,b1=0.5", &["a1", "late_mobility"]).unwrap();
        assert_eq!(space.start(), [0.25, 0.1]);
        let spec = space.spec(&[-0.5, 0.75]);
        assert_eq!(spec.as_str(), "greedy:by=combination,b1=0.5,a1=-0.5,late_mobility=0.75");
        let read = catalogue.parameters(&spec).unwrap().unwrap();
        assert_eq!((read.get("a1"), read.get("b1"), read.get("late_mobility")), (-0.5, 0.5, 0.75));
        let preset = space.preset(&[-0.5, 0.75]);
        assert!(preset.starts_with("a1=-0.5,b1=0.5,c1=") && preset.ends_with("late_mobility=0.75"));
        assert_eq!(preset.split(',').count(), 16);
    }

    #[test]
    fn what_cannot_be_tuned_is_refused() {
        let refusal = |agent, names: &[&str]| space(agent, names).unwrap_err().to_string();
        assert!(refusal("gredy", &[]).starts_with("no agent is called \"gredy\""));
        assert!(
            refusal("greedy", &[]).starts_with(
                "greedy has no parameters; expected one of greedy:by=squares, greedy-"
            )
        );
        let words = refusal("genetic", &["stability", "luck"]);
        assert!(
            words.starts_with("no parameter is called \"luck\"; expected some of period, sigmoid,")
        );
    }
}
