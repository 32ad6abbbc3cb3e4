//! The sandbox for programs that are not to be trusted.
//!
//! It has four layers, all of them the kernel's: resource limits ([`limits`]),
//! seccomp filters for system calls ([`seccomp`]), Landlock rules for files
//! ([`landlock`]), and namespaces for everything else ([`namespaces`]). The
//! guest's process applies them to itself between clone and exec ([`child`]) and
//! cannot undo them. The course's ban on some imports is no part of it.
//!
//! What is not here: time limits, which the caller that asks for a move keeps.

pub(crate) mod cgroup;
pub(crate) mod child;
mod landlock;
pub(crate) mod limits;
mod namespaces;
pub(crate) mod reaper;
mod seccomp;
pub(crate) mod spawner;

use child::{Failure, Plan, Step, Streams};
use limits::ResourceLimits;
use rustix::io::Errno;
use spawner::Started;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::Duration;
use std::{fmt, io};

/// Which layers of the sandbox a run requires.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Policy {
    /// Uses every layer that this machine has, and requires limits, seccomp and Landlock.
    #[default]
    Auto,
    /// Requires every layer.
    Full,
    /// Uses every layer that this machine has, and requires none.
    Weak,
    /// Uses resource limits alone, for programs of the user's own.
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

/// A layer of the sandbox.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Layer {
    /// Memory, open files, sizes of files, processor time.
    Limits,
    /// System calls: no processes, no network, no signals.
    Seccomp,
    /// Files: the interpreter's to read, a private folder to write.
    Landlock,
    /// Processes, network, users and a file tree of the guest's own.
    Namespaces,
}

impl Layer {
    /// What a guest can do where the machine lacks this layer, and the others are there.
    pub fn gap(self) -> &'static str {
        match self {
            Layer::Limits => "it can take all memory and all disk space",
            Layer::Seccomp => "it can use the network, start programs and send signals",
            Layer::Landlock => "it can read and change every file of this user",
            Layer::Namespaces => {
                "it can see which files and processes there are, but not open, change or end them"
            }
        }
    }
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

/// The sandbox of a running guest: which layers it has, which it lacks, and why.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Sandbox {
    /// The layers in place.
    pub active: Vec<Layer>,
    /// The layers that this machine lacks, each with the kernel's error.
    pub missing: Vec<(Layer, String)>,
}

/// Writes `limits, seccomp, landlock (no namespaces: …)`.
impl fmt::Display for Sandbox {
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
    /// The machine lacks a layer that the policy requires.
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

/// Why an attempt to start a program failed.
pub(crate) enum Trouble {
    /// It may succeed in a moment.
    Passing(String),
    /// It fails as often as it is tried.
    Lasting(StartError),
}

/// Errors of calls in this process.
impl From<io::Error> for Trouble {
    fn from(error: io::Error) -> Trouble {
        let why = error.to_string();
        match Errno::from_io_error(&error) {
            Some(errno) if TRANSIENT.contains(&errno) => Trouble::Passing(why),
            _ => Trouble::Lasting(StartError::Other(why)),
        }
    }
}

/// Errors of a kernel that is out of some resource for the moment.
const TRANSIENT: [Errno; 5] = [Errno::AGAIN, Errno::NOMEM, Errno::MFILE, Errno::NFILE, Errno::INTR];

/// Errors of a kernel that may be out of namespaces for the moment, or not allow any.
const NO_ROOM: [Errno; 2] = [Errno::NOSPC, Errno::USERS];

/// How long to wait before each further attempt to start a program, while the kernel is out of
/// some resource: over a second in all.
const PAUSES_MS: [u64; 5] = [10, 50, 150, 300, 600];

/// The layers that this machine turned out to lack, and that are not tried again.
static LACKING: Mutex<Vec<(Layer, String)>> = Mutex::new(Vec::new());

/// Whether this machine has given a guest namespaces before.
static HAS_NAMESPACES: AtomicBool = AtomicBool::new(false);

/// A program to start in the sandbox.
pub(crate) struct Guest<'a> {
    pub(crate) program: &'a Path,
    pub(crate) arguments: &'a [String],
    /// Its environment, besides the variables that name its folder.
    pub(crate) variables: &'a [&'a str],
    /// What it may read, as real paths.
    pub(crate) readable: &'a [PathBuf],
    /// Creates the guest's own folder, or returns the one created before. Called only where there
    /// are no namespaces, which bring their own.
    pub(crate) folder: &'a dyn Fn() -> io::Result<PathBuf>,
    pub(crate) limits: ResourceLimits,
    pub(crate) policy: Policy,
    /// A layer to leave out, as if the machine lacked it.
    pub(crate) without: Option<Layer>,
}

impl Guest<'_> {
    /// Starts the program with every layer that the machine has, if those satisfy the policy.
    ///
    /// Waits for a resource that the machine is out of, and tries again: a guest is never started
    /// with fewer layers because of that.
    pub(crate) fn start(
        &self,
        mut streams: impl FnMut() -> io::Result<Streams>,
    ) -> Result<(Started, Sandbox), StartError> {
        retried(|| self.try_start(&mut streams))
    }

    fn try_start(
        &self,
        streams: &mut dyn FnMut() -> io::Result<Streams>,
    ) -> Result<(Started, Sandbox), Trouble> {
        let mut missing = known();
        missing.extend(self.without.map(|layer| (layer, "switched off".to_owned())));
        loop {
            for (layer, why) in &missing {
                if !self.policy.can_miss(*layer) {
                    return Err(Trouble::Lasting(StartError::Layer(*layer, why.clone())));
                }
            }
            let has_namespaces = self.is_wanted(Layer::Namespaces, &missing);
            let folder = if has_namespaces { None } else { Some((self.folder)()?) };
            let streams = streams()?;
            let (plan, sandbox) = match self.plan(&missing, folder.as_deref())? {
                Ok(planned) => planned,
                Err(lacking) => {
                    remember(&mut missing, lacking);
                    continue;
                }
            };
            let Failure { step, error } = match plan.start(streams) {
                Ok(started) => {
                    HAS_NAMESPACES.fetch_or(has_namespaces, Relaxed);
                    return Ok((started, sandbox));
                }
                Err(failure) => failure,
            };
            let is_out_of_room = NO_ROOM.contains(&error);
            if TRANSIENT.contains(&error) || (is_out_of_room && HAS_NAMESPACES.load(Relaxed)) {
                return Err(Trouble::Passing(self.failed(step, error)));
            }
            match step.layer() {
                Some(layer) if layer != Layer::Limits && sandbox.active.contains(&layer) => {
                    let lacking = (layer, message(error));
                    // There may be room next time.
                    if is_out_of_room {
                        missing.push(lacking);
                    } else {
                        remember(&mut missing, lacking);
                    }
                }
                _ => return Err(Trouble::Lasting(StartError::Other(self.failed(step, error)))),
            }
        }
    }

    /// Whether to try `layer`.
    fn is_wanted(&self, layer: Layer, missing: &[(Layer, String)]) -> bool {
        self.policy != Policy::Off && !missing.iter().any(|(lacking, _)| *lacking == layer)
    }

    /// Plans the start with every layer that is not missing; or says which one this machine lacks.
    /// `folder` is for a guest without namespaces.
    fn plan(
        &self,
        missing: &[(Layer, String)],
        folder: Option<&Path>,
    ) -> io::Result<Result<(Plan, Sandbox), (Layer, String)>> {
        let is_wanted = |layer| self.is_wanted(layer, missing);
        let mut plan = Plan::new(self.program, self.arguments);
        let mut sandbox = Sandbox { active: vec![Layer::Limits], missing: missing.to_vec() };
        plan.limits = Some(self.limits.clone());
        plan.drops_privileges = self.policy != Policy::Off;
        if is_wanted(Layer::Seccomp) {
            let Some(filters) = seccomp::filters() else {
                return Ok(Err((Layer::Seccomp, "unknown processor".to_owned())));
            };
            plan.seccomp = Some(filters);
            sandbox.active.push(Layer::Seccomp);
        }
        if is_wanted(Layer::Landlock) {
            let Some(rules) = landlock::rules(self.readable)? else {
                return Ok(Err((Layer::Landlock, "not in this kernel".to_owned())));
            };
            plan.landlock = Some(rules);
            sandbox.active.push(Layer::Landlock);
        }
        if is_wanted(Layer::Namespaces) {
            plan.namespaces = Some(namespaces::Namespaces::plan(self.readable));
            sandbox.active.push(Layer::Namespaces);
        }
        let work = plan.namespaces.as_ref().map(|namespaces| namespaces.work.clone());
        let folder = folder.map(namespaces::c_path).or(work).expect("one of both is there");
        let path = folder.to_string_lossy().into_owned();
        let own = ["HOME", "TMPDIR"].map(|name| format!("{name}={path}"));
        let variables: Vec<String> =
            self.variables.iter().map(|&variable| variable.to_owned()).chain(own).collect();
        plan.environment(&variables);
        plan.folder = Some(folder);
        Ok(Ok((plan, sandbox)))
    }

    fn failed(&self, step: Step, error: Errno) -> String {
        let (program, why) = (self.program.display(), message(error));
        format!("{program} could not be started ({step:?}: {why}); expected a program")
    }
}

/// Tries again after each of [`PAUSES_MS`] while the machine is out of some resource.
pub(crate) fn retried<T>(mut attempt: impl FnMut() -> Result<T, Trouble>) -> Result<T, StartError> {
    let mut pauses = PAUSES_MS.into_iter();
    loop {
        match (attempt(), pauses.next()) {
            (Err(Trouble::Passing(_)), Some(pause)) => {
                std::thread::sleep(Duration::from_millis(pause));
            }
            (Err(Trouble::Passing(why)), None) => return Err(StartError::Other(why)),
            (Err(Trouble::Lasting(error)), _) => return Err(error),
            (Ok(done), _) => return Ok(done),
        }
    }
}

/// The layers that the machine is known to lack.
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

/// The kernel's error as text.
fn message(error: Errno) -> String {
    io::Error::from(error).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn policies_require_their_layers() {
        let layers = [Layer::Limits, Layer::Seccomp, Layer::Landlock, Layer::Namespaces];
        for (name, needed) in [("auto", 3), ("full", 4), ("weak", 0), ("off", 0)] {
            let policy: Policy = name.parse().unwrap();
            let required = layers.iter().filter(|layer| !policy.can_miss(**layer)).count();
            assert_eq!((policy.to_string().as_str(), required), (name, needed));
        }
        assert!("none".parse::<Policy>().is_err());
    }

    #[test]
    fn a_sandbox_says_what_is_missing_and_why() {
        let sandbox = Sandbox {
            active: vec![Layer::Limits, Layer::Seccomp],
            missing: vec![(Layer::Landlock, "not in this kernel".to_owned())],
        };
        assert_eq!(sandbox.to_string(), "limits, seccomp (no landlock: not in this kernel)");
    }
}
