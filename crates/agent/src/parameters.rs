//! The tunable numbers of an agent as a table, which agents, tuners and lists share.

use crate::preset::Preset;
use std::fmt;

/// A square of each of the ten classes that the symmetries of 8×8 leave apart: the upper left
/// triangle of the board, row by row. Weights of squares are written down in this order.
pub const CLASSES: [&str; 10] = ["a1", "b1", "c1", "d1", "b2", "c2", "d2", "c3", "d3", "d4"];

/// A tunable number.
#[derive(Clone, PartialEq, Debug)]
pub struct Parameter {
    /// Its name in agent specs, such as `b2` in `b2=-40`.
    pub name: String,
    /// Its default value.
    pub default: f64,
    /// The least value allowed.
    pub least: f64,
    /// The greatest value allowed.
    pub most: f64,
    /// Values are multiples of this; 0 allows any number.
    pub step: f64,
    /// Where the default comes from.
    pub source: &'static str,
}

impl Parameter {
    /// A whole number from `least` to `most`.
    pub fn whole(
        name: &str,
        default: i32,
        (least, most): (i32, i32),
        source: &'static str,
    ) -> Parameter {
        let [default, least, most] = [default, least, most].map(f64::from);
        Parameter { name: name.to_owned(), default, least, most, step: 1.0, source }
    }

    /// Any number from `least` to `most`.
    pub fn real(
        name: &str,
        default: f64,
        (least, most): (f64, f64),
        source: &'static str,
    ) -> Parameter {
        Parameter { name: name.to_owned(), default, least, most, step: 0.0, source }
    }

    /// Whole numbers for the ten classes of squares, called `prefix` and the square.
    pub fn squares(
        prefix: &str,
        defaults: [i32; 10],
        range: (i32, i32),
        source: &'static str,
    ) -> Vec<Parameter> {
        let named = CLASSES.iter().zip(defaults);
        named
            .map(|(class, weight)| {
                Parameter::whole(&format!("{prefix}{class}"), weight, range, source)
            })
            .collect()
    }

    /// Whether the parameter can have this value.
    pub fn allows(&self, value: f64) -> bool {
        let is_on_step = self.step == 0.0 || (value / self.step).fract() == 0.0;
        (self.least..=self.most).contains(&value) && is_on_step
    }
}

/// A table with a value for each of its parameters.
#[derive(Clone, PartialEq, Debug)]
pub struct Parameters {
    table: &'static [Parameter],
    presets: &'static [Preset],
    values: Vec<f64>,
}

impl Parameters {
    /// The defaults of a table.
    pub fn new(table: &'static [Parameter]) -> Parameters {
        let values = table.iter().map(|parameter| parameter.default).collect();
        Parameters { table, presets: &[], values }
    }

    /// The same, with `presets` to choose from.
    #[must_use]
    pub fn with_presets(self, presets: &'static [Preset]) -> Parameters {
        Parameters { presets, ..self }
    }

    /// The presets to choose from.
    pub fn presets(&self) -> &'static [Preset] {
        self.presets
    }

    /// The table.
    pub fn table(&self) -> &'static [Parameter] {
        self.table
    }

    /// The values, in the order of the table.
    pub fn values(&self) -> &[f64] {
        &self.values
    }

    /// The value of the parameter called `name`.
    ///
    /// # Panics
    /// If the table has none of that name.
    pub fn get(&self, name: &str) -> f64 {
        match self.place(name) {
            Some(place) => self.values[place],
            None => panic!("no parameter is called {name}"),
        }
    }

    /// The value of the parameter called `name` as a whole number from 0 up.
    ///
    /// # Panics
    /// If the table has none of that name.
    pub fn count(&self, name: &str) -> u32 {
        // Negative values saturate; counts are declared from 0 up.
        #[expect(clippy::cast_sign_loss, reason = "counts are declared from 0 up")]
        let count = self.get(name) as u32;
        count
    }

    /// The values of the ten classes of squares called `prefix` and the square.
    ///
    /// # Panics
    /// If the table has none of those names.
    pub fn squares(&self, prefix: &str) -> [f64; 10] {
        CLASSES.map(|class| self.get(&format!("{prefix}{class}")))
    }

    /// Changes the parameter called `name`.
    pub fn set(&mut self, name: &str, value: f64) -> Result<(), ParameterError> {
        let Some(place) = self.place(name) else {
            let known = self.table.iter().map(|parameter| parameter.name.clone()).collect();
            return Err(ParameterError::Unknown { name: name.to_owned(), known });
        };
        if !self.table[place].allows(value) {
            return Err(ParameterError::OutOfRange { value, parameter: self.table[place].clone() });
        }
        self.values[place] = value;
        Ok(())
    }

    /// Changes the parameters that `preset` names.
    ///
    /// # Errors
    /// If the table does not allow a value; the values before it are changed.
    pub fn apply(&mut self, preset: &Preset) -> Result<(), ParameterError> {
        preset.settings().try_for_each(|(name, value)| self.set(name, value))
    }

    fn place(&self, name: &str) -> Option<usize> {
        self.table.iter().position(|parameter| parameter.name == name)
    }
}

/// A change that a table does not allow.
#[derive(Clone, PartialEq, Debug)]
pub enum ParameterError {
    /// No parameter has this name.
    Unknown {
        /// The unknown name.
        name: String,
        /// The known names.
        known: Vec<String>,
    },
    /// The parameter does not allow this value.
    OutOfRange {
        /// The refused value.
        value: f64,
        /// The parameter, with its range.
        parameter: Parameter,
    },
}

impl fmt::Display for ParameterError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ParameterError::Unknown { name, known } => {
                write!(f, "no parameter is called {name:?}; expected {}", known.join(", "))
            }
            ParameterError::OutOfRange { value, parameter } => {
                let Parameter { name, least, most, step, .. } = parameter;
                let kind = if *step == 1.0 { "a whole number" } else { "a number" };
                write!(f, "{name} cannot be {value}; expected {kind} from {least} to {most}")
            }
        }
    }
}

impl std::error::Error for ParameterError {}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::LazyLock;

    static TABLE: LazyLock<Vec<Parameter>> = LazyLock::new(|| {
        let mut table = vec![
            Parameter::whole("depth", 3, (1, 10), "a test"),
            Parameter::real("share", 0.5, (0.0, 1.0), "a test"),
        ];
        table.extend(Parameter::squares(
            "late_",
            [1, 2, 3, 4, 5, 6, 7, 8, 9, 10],
            (0, 99),
            "a test",
        ));
        table
    });

    #[test]
    fn values_begin_as_defaults_and_change_within_their_range() {
        let mut parameters = Parameters::new(&TABLE);
        assert_eq!((parameters.count("depth"), parameters.get("share")), (3, 0.5));
        assert_eq!(parameters.squares("late_")[9], 10.0);
        parameters.set("late_d4", 99.0).unwrap();
        parameters.set("share", 0.25).unwrap();
        assert_eq!((parameters.get("late_d4"), parameters.values()[1]), (99.0, 0.25));
    }

    #[test]
    fn what_a_table_does_not_allow_is_refused() {
        let mut parameters = Parameters::new(&TABLE);
        let mut refused = |name, value| parameters.set(name, value).unwrap_err().to_string();
        let range = "expected a whole number from 1 to 10";
        assert_eq!(refused("depth", 0.0), format!("depth cannot be 0; {range}"));
        assert_eq!(refused("depth", 2.5), format!("depth cannot be 2.5; {range}"));
        assert_eq!(refused("depth", f64::NAN), format!("depth cannot be NaN; {range}"));
        assert!(
            refused("dept", 1.0).starts_with("no parameter is called \"dept\"; expected depth,")
        );
        assert_eq!(parameters, Parameters::new(&TABLE));
    }

    #[test]
    fn a_preset_changes_what_it_names_and_nothing_else() {
        let one = Preset { name: "one", experiment: "nowhere", values: "late_a1=50,share=0.75\n" };
        let mut parameters = Parameters::new(&TABLE);
        parameters.apply(&one).unwrap();
        assert_eq!((parameters.get("late_a1"), parameters.get("share")), (50.0, 0.75));
        assert_eq!((parameters.get("late_b1"), parameters.count("depth")), (2.0, 3));
        let unknown = Preset { values: "z9=1", ..one };
        assert!(parameters.apply(&unknown).is_err());
    }
}
