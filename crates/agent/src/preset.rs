//! Named sets of parameter values that experiments have found.
//!
//! A preset is a line such as `a1=0.58,b1=0.32`, embedded from the folder of the
//! experiment that found it, as the tuner wrote it.

use crate::parameters::{ParameterError, Parameters};

/// A named set of values.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Preset {
    /// Its name, for `preset=NAME` in the spec of an agent.
    pub name: &'static str,
    /// The folder of the experiment, from the root of the repository.
    pub experiment: &'static str,
    /// The values, as `name=value,name=value`.
    pub values: &'static str,
}

impl Preset {
    /// The names of `presets`, as `a, b or c`.
    pub(crate) fn names(presets: &[Preset]) -> String {
        let names: Vec<&str> = presets.iter().map(|preset| preset.name).collect();
        match names.split_last() {
            Some((last, others)) if !others.is_empty() => {
                format!("{} or {last}", others.join(", "))
            }
            _ => names.concat(),
        }
    }

    /// Changes `parameters` to these values.
    ///
    /// # Errors
    /// If the table of the parameters does not allow a value.
    ///
    /// # Panics
    /// If the values are malformed.
    pub fn apply(&self, parameters: &mut Parameters) -> Result<(), ParameterError> {
        self.values.trim().split(',').try_for_each(|item| {
            let (name, value) = item.split_once('=').expect("presets are names and values");
            parameters.set(name, value.parse().expect("values of presets are numbers"))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parameters::{CLASSES, Parameter};
    use std::sync::LazyLock;

    static TABLE: LazyLock<Vec<Parameter>> = LazyLock::new(|| {
        CLASSES.map(|name| Parameter::real(name, 0.25, (-1.0, 1.0), "a test")).into()
    });

    const ONE: Preset = Preset { name: "one", experiment: "nowhere", values: "a1=0.5,d4=-1\n" };

    #[test]
    fn a_preset_changes_what_it_names_and_nothing_else() {
        let mut parameters = Parameters::new(&TABLE);
        let before = parameters.clone();
        ONE.apply(&mut parameters).unwrap();
        assert_eq!((parameters.get("a1"), parameters.get("d4")), (0.5, -1.0));
        assert_eq!(parameters.get("b1"), before.get("b1"));
        let unknown = Preset { values: "z9=1", ..ONE };
        assert!(unknown.apply(&mut parameters).is_err());
    }

    #[test]
    fn names_are_listed() {
        let two = Preset { name: "two", ..ONE };
        assert_eq!(Preset::names(&[ONE]), "one");
        assert_eq!(Preset::names(&[ONE, two, two]), "one, two or two");
    }
}
