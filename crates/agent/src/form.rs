//! What the text behind the colon of a spec is: settings, and perhaps a file or a command line.

use crate::settings::{Key, Settings};
use crate::spec::{AgentSpec, Item, SpecError};

/// The meaning of the text behind the colon.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Form {
    /// Settings: `engine:level=5,threads=2`.
    Settings,
    /// A file, then settings: `python:ai.py,time=5s`.
    File,
    /// Settings, then a command line, which may have commas: `nboard:depth=12,edax -nboard`.
    Command,
}

impl Form {
    /// The settings of `spec`, and the file or command line beside them; empty if there is none.
    /// Before a command line, only `keys` are settings.
    pub fn read<'a>(
        self,
        spec: &'a AgentSpec,
        keys: &[Key],
    ) -> Result<(Settings<'a>, &'a str), SpecError> {
        let (settings, subject) = match self {
            Form::Settings => (spec.items.as_slice(), ""),
            Form::File => match spec.items.split_first() {
                Some((file, settings)) => (settings, file.text.as_str()),
                None => ([].as_slice(), ""),
            },
            Form::Command => {
                let settings = &spec.items[..command_place(spec, keys)];
                let start = spec.items.get(settings.len()).map_or(0, |item| item.start);
                (settings, spec.rest()[start..].trim())
            }
        };
        Ok((Settings::of(spec.name(), settings)?, subject))
    }

    /// The same agent with other names for the files that `spec` names: the file of its form, the
    /// program of its command line if that has a folder, and the values of `keys` that are files.
    /// `rename` says what a file is called, or that it keeps its name.
    #[must_use]
    pub fn rename_files(
        self,
        spec: &AgentSpec,
        keys: &[Key],
        rename: impl Fn(&str) -> Option<String>,
    ) -> AgentSpec {
        match self {
            Form::Settings => {
                let files = keys.iter().filter(|key| key.is_file());
                files.fold(spec.clone(), |spec, key| match spec.get(key.name).and_then(&rename) {
                    Some(file) => spec.with(key.name, file),
                    None => spec,
                })
            }
            Form::File => match spec.items.first().and_then(|item| rename(&item.text)) {
                Some(file) => spec.with_item(0, &file),
                None => spec.clone(),
            },
            Form::Command => {
                let start = spec.items.get(command_place(spec, keys)).map_or(0, |item| item.start);
                let (before, line) = spec.rest().split_at(start);
                let program = line.split_whitespace().next().unwrap_or_default();
                // A program without a folder is found on the path.
                let renamed = rename(program).filter(|_| program.contains('/'));
                match renamed {
                    Some(file) => {
                        let line = line.replacen(program, &file, 1);
                        AgentSpec::new(&format!("{}:{before}{line}", spec.name()))
                    }
                    None => spec.clone(),
                }
            }
        }
    }
}

/// The number of settings before a command line. The last item is never one of them.
fn command_place(spec: &AgentSpec, keys: &[Key]) -> usize {
    let is_setting =
        |item: &&Item| item.key().is_some_and(|key| keys.iter().any(|known| known.name == key));
    let before = spec.items.len().saturating_sub(1);
    spec.items[..before].iter().take_while(is_setting).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    const KEYS: [Key; 2] = [Key::DEPTH, Key::new("book", "a file").of_file()];

    #[test]
    fn the_form_says_what_is_a_setting() {
        for (form, text, settings, subject) in [
            (Form::Settings, "a:depth=3,x=y", vec!["depth", "x"], ""),
            (Form::File, "a:ai.py,depth=3", vec!["depth"], "ai.py"),
            (Form::File, "a", vec![], ""),
            (
                Form::Command,
                "a:depth=3, book=b,sh -c 'a, b=c'",
                vec!["depth", "book"],
                "sh -c 'a, b=c'",
            ),
            (Form::Command, "a:sh depth=3,depth=4", vec![], "sh depth=3,depth=4"),
            (Form::Command, "a:depth=3", vec![], "depth=3"),
            (Form::Command, "a", vec![], ""),
        ] {
            let spec = AgentSpec::new(text);
            let (mut read, found) = form.read(&spec, &KEYS).unwrap();
            assert_eq!(found, subject, "{text}");
            for key in settings {
                assert!(read.text(key).is_some(), "{key} of {text}");
            }
            assert_eq!(read.finish(), Ok(()), "{text}");
        }
    }

    #[test]
    fn files_get_other_names() {
        let rename = |file: &str| file.contains("own").then(|| format!("/home/{file}"));
        for (form, text, renamed) in [
            (Form::Settings, "a:depth=3,book=own,x=own", "a:depth=3,book=/home/own,x=own"),
            (Form::Settings, "a: book=other", "a: book=other"),
            (Form::File, "a:own.py,depth=3", "a:/home/own.py,depth=3"),
            (Form::File, "a:ai.py, depth=3", "a:ai.py, depth=3"),
            (Form::Command, "a:depth=3,./own -x own", "a:depth=3,/home/./own -x own"),
            (Form::Command, "a:own/x a, b", "a:/home/own/x a, b"),
            (Form::Command, "a:own -x", "a:own -x"),
        ] {
            let spec = form.rename_files(&AgentSpec::new(text), &KEYS, rename);
            assert_eq!(spec.as_str(), renamed);
        }
    }
}
