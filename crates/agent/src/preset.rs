//! Named sets of parameter values that experiments have found.
//!
//! A preset is a line such as `a1=0.58,b1=0.32`, embedded from the folder of the
//! experiment that found it, as the tuner wrote it.

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

    /// The names and values.
    ///
    /// # Panics
    /// If the values are malformed.
    pub fn settings(&self) -> impl Iterator<Item = (&'static str, f64)> {
        self.values.trim().split(',').map(|item| {
            let (name, value) = item.split_once('=').expect("presets are names and values");
            (name, value.parse().expect("values of presets are numbers"))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ONE: Preset = Preset { name: "one", experiment: "nowhere", values: "a1=0.5,d4=-1\n" };

    #[test]
    fn a_preset_is_names_and_values() {
        assert_eq!(ONE.settings().collect::<Vec<_>>(), [("a1", 0.5), ("d4", -1.0)]);
    }

    #[test]
    fn names_are_listed() {
        let two = Preset { name: "two", ..ONE };
        assert_eq!(Preset::names(&[ONE]), "one");
        assert_eq!(Preset::names(&[ONE, two, two]), "one, two or two");
    }
}
