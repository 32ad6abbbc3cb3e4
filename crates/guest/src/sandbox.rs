//! Walls around programs that are not to be trusted.
//!
//! Four layers, each of them the kernel's: limits on what is used
//! ([`bounds`]), seccomp for system calls ([`calls`]), Landlock for files
//! ([`files`]), namespaces for everything else ([`rooms`]). Every one is built
//! by the guest's process itself before it becomes the guest ([`launch`]), and
//! none can be taken down again. The import ban of the course is no wall.
//!
//! What is not here: time, which is kept by who asks for a move.

pub(crate) mod bounds;
mod calls;
mod files;
pub(crate) mod keeper;
pub(crate) mod launch;
mod rooms;

use bounds::Bounds;
use launch::{Failure, Plan, Started, Step, Streams};
use rustix::io::Errno;
use std::fmt;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::sync::Mutex;

/// How much of the sandbox a run insists on.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Policy {
    /// Every layer that this machine has; nothing runs without limits, seccomp and Landlock.
    #[default]
    Auto,
    /// Every layer there is, or nothing runs.
    Full,
    /// Every layer that this machine has, were it none.
    Weak,
    /// Only limits on what is used: for programs of one's own.
    Off,
}

impl Policy {
    /// Whether a guest may run without `layer`.
    fn can_miss(self, layer: Layer) -> bool {
        match self {
            Policy::Full => false,
            Policy::Auto => layer == Layer::Namespaces,
            Policy::Weak | Policy::Off => true,
        }
    }
}

impl FromStr for Policy {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Policy, &'static str> {
        match text {
            "auto" => Ok(Policy::Auto),
            "full" => Ok(Policy::Full),
            "weak" => Ok(Policy::Weak),
            "off" => Ok(Policy::Off),
            _ => Err("not a kind of sandbox; expected auto, full, weak or off"),
        }
    }
}

/// Writes `auto`, `full`, `weak` or `off`.
impl fmt::Display for Policy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Policy::Auto => "auto",
            Policy::Full => "full",
            Policy::Weak => "weak",
            Policy::Off => "off",
        })
    }
}

/// A part of the sandbox.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Layer {
    /// Memory, open files, sizes of files, processor time.
    Limits,
    /// System calls: no processes, no network, no signals.
    Seccomp,
    /// Files: the interpreter's to read, a private folder to write.
    Landlock,
    /// Processes, network, users and the file tree are the guest's own.
    Namespaces,
}

/// Writes the layer's name in lower case.
impl fmt::Display for Layer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Layer::Limits => "limits",
            Layer::Seccomp => "seccomp",
            Layer::Landlock => "landlock",
            Layer::Namespaces => "namespaces",
        })
    }
}

/// Which layers stand around a guest, and which do not and why.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Walls {
    /// The layers that are there.
    pub active: Vec<Layer>,
    /// Those that this machine lacks, with what it said.
    pub missing: Vec<(Layer, String)>,
}

/// Writes `limits, seccomp, landlock (no namespaces: …)`.
impl fmt::Display for Walls {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<String> = self.active.iter().map(Layer::to_string).collect();
        f.write_str(&names.join(", "))?;
        for (layer, why) in &self.missing {
            write!(f, " (no {layer}: {why})")?;
        }
        Ok(())
    }
}

/// Why a program could not be started.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum StartError {
    /// A layer that the policy insists on is not to be had.
    Layer(Layer, String),
    /// Something else failed.
    Other(String),
}

impl fmt::Display for StartError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            StartError::Layer(layer, why) => write!(
                f,
                "the sandbox lacks {layer} here ({why}); expected a machine that has it, or \
                 sandbox=weak to run without"
            ),
            StartError::Other(offence) => f.write_str(offence),
        }
    }
}

/// What the kernel says when it is short of something for the moment.
const PASSING: [Errno; 4] = [Errno::AGAIN, Errno::NOMEM, Errno::NOSPC, Errno::USERS];

/// What this machine turned out to lack; it is not tried again.
static LACKING: Mutex<Vec<(Layer, String)>> = Mutex::new(Vec::new());

/// A program to start behind walls.
pub(crate) struct Guest<'a> {
    pub(crate) program: &'a Path,
    pub(crate) arguments: &'a [String],
    /// Variables besides those that say where its folder is.
    pub(crate) variables: &'a [&'a str],
    /// What it may read, as real paths.
    pub(crate) readable: &'a [PathBuf],
    /// Makes a folder of its own, or gives the one that was made: asked for only where there are
    /// no namespaces to put one in.
    pub(crate) folder: &'a dyn Fn() -> std::io::Result<PathBuf>,
    pub(crate) bounds: Bounds,
    pub(crate) policy: Policy,
    /// A layer to do without, as if the machine lacked it.
    pub(crate) without: Option<Layer>,
}

impl Guest<'_> {
    /// Starts it behind as many walls as there are, if those suffice.
    pub(crate) fn start(
        &self,
        mut streams: impl FnMut() -> std::io::Result<Streams>,
    ) -> Result<(Started, Walls), StartError> {
        let mut missing = known();
        missing.extend(self.without.map(|layer| (layer, "switched off".to_owned())));
        loop {
            for (layer, why) in &missing {
                if !self.policy.can_miss(*layer) {
                    return Err(StartError::Layer(*layer, why.clone()));
                }
            }
            let other = |error: std::io::Error| StartError::Other(error.to_string());
            let has_rooms = self.is_wanted(Layer::Namespaces, &missing);
            let folder = if has_rooms { None } else { Some((self.folder)().map_err(other)?) };
            let streams = streams().map_err(other)?;
            let (plan, walls) = match self.plan(&missing, folder.as_deref()) {
                Ok(planned) => planned,
                Err(lacking) => {
                    remember(&mut missing, lacking);
                    continue;
                }
            };
            match plan.start(streams) {
                Ok(started) => return Ok((started, walls)),
                Err(Failure { step, error }) => match step.layer() {
                    Some(layer) if layer != Layer::Limits && walls.active.contains(&layer) => {
                        let lacking = (layer, said(error));
                        // A machine that is short of something now may have it the next time.
                        if PASSING.contains(&error) {
                            missing.push(lacking);
                        } else {
                            remember(&mut missing, lacking);
                        }
                    }
                    _ => return Err(StartError::Other(self.failed(step, error))),
                },
            }
        }
    }

    /// Whether to build `layer`.
    fn is_wanted(&self, layer: Layer, missing: &[(Layer, String)]) -> bool {
        self.policy != Policy::Off && !missing.iter().any(|(lacking, _)| *lacking == layer)
    }

    /// The start with every layer that is not missing; `folder` is for a guest without rooms.
    fn plan(
        &self,
        missing: &[(Layer, String)],
        folder: Option<&Path>,
    ) -> Result<(Plan, Walls), (Layer, String)> {
        let is_wanted = |layer| self.is_wanted(layer, missing);
        let mut plan = Plan::new(self.program, self.arguments);
        let mut walls = Walls { active: vec![Layer::Limits], missing: missing.to_vec() };
        let folder = folder.map_or_else(|| rooms::WORK.to_owned(), rooms::text);
        plan.bounds = Some(self.bounds.clone());
        plan.is_tame = self.policy != Policy::Off;
        if is_wanted(Layer::Seccomp) {
            let unknown = || (Layer::Seccomp, "unknown processor".to_owned());
            plan.calls = Some(calls::filters().ok_or_else(unknown)?);
            walls.active.push(Layer::Seccomp);
        }
        if is_wanted(Layer::Landlock) {
            let rules = files::rules(self.readable)
                .map_err(|error| (Layer::Landlock, error.to_string()))?;
            let absent = || (Layer::Landlock, "not in this kernel".to_owned());
            plan.files = Some(rules.ok_or_else(absent)?);
            walls.active.push(Layer::Landlock);
        }
        if is_wanted(Layer::Namespaces) {
            plan.rooms = Some(rooms::Rooms::plan(self.readable));
            walls.active.push(Layer::Namespaces);
        }
        let place = folder.to_string_lossy().into_owned();
        let own = ["HOME", "TMPDIR"].map(|name| format!("{name}={place}"));
        let variables: Vec<String> =
            self.variables.iter().map(|&variable| variable.to_owned()).chain(own).collect();
        plan.environment(&variables);
        plan.folder = Some(folder);
        Ok((plan, walls))
    }

    fn failed(&self, step: Step, error: Errno) -> String {
        let program = self.program.display();
        format!("{program} could not be started ({step:?}: {}); expected a program", said(error))
    }
}

/// What the machine is known to lack.
fn known() -> Vec<(Layer, String)> {
    LACKING.lock().map(|lacking| lacking.clone()).unwrap_or_default()
}

/// Notes one more layer that the machine lacks.
fn remember(missing: &mut Vec<(Layer, String)>, lacking: (Layer, String)) {
    if let Ok(mut known) = LACKING.lock()
        && !known.iter().any(|(layer, _)| *layer == lacking.0)
    {
        known.push(lacking.clone());
    }
    missing.push(lacking);
}

/// What the kernel says, in words.
fn said(error: Errno) -> String {
    std::io::Error::from(error).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn policies_say_what_they_insist_on() {
        let layers = [Layer::Limits, Layer::Seccomp, Layer::Landlock, Layer::Namespaces];
        for (name, needed) in [("auto", 3), ("full", 4), ("weak", 0), ("off", 0)] {
            let policy: Policy = name.parse().unwrap();
            let insisted = layers.iter().filter(|layer| !policy.can_miss(**layer)).count();
            assert_eq!((policy.to_string().as_str(), insisted), (name, needed));
        }
        assert!("none".parse::<Policy>().is_err());
    }

    #[test]
    fn walls_say_what_is_missing_and_why() {
        let walls = Walls {
            active: vec![Layer::Limits, Layer::Seccomp],
            missing: vec![(Layer::Landlock, "not in this kernel".to_owned())],
        };
        assert_eq!(walls.to_string(), "limits, seccomp (no landlock: not in this kernel)");
    }
}
