//! Which Python runs the agents, and which files it needs to read.
//!
//! We trust the interpreter, but not the agent. So we ask the interpreter once,
//! outside the sandbox, where its modules are; a guest can read those paths.

use crate::captive::{Captive, Heard, Log, Until};
use crate::sandbox::launch::Plan;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// How long an interpreter may take to say what it is.
const PATIENCE: Duration = Duration::from_secs(20);

/// Libraries of the system, and what leads to them.
const SYSTEM: [&str; 12] = [
    "/usr/lib",
    "/usr/lib32",
    "/usr/lib64",
    "/usr/local/lib",
    "/lib",
    "/lib32",
    "/lib64",
    "/etc/alternatives",
    "/etc/ld.so.cache",
    "/nix/store",
    "/gnu/store",
    // How many processors there are: libraries ask for it.
    "/sys/devices/system/cpu",
];

/// What the interpreter is asked. Variables of its environment have no say, the user's own
/// modules do.
const QUESTION: &str = "
import json, os, sys
try:
    import numpy
    numpy = numpy.__version__
except ImportError:
    numpy = None
print(json.dumps({
    'program': os.path.realpath(sys.executable),
    'version': '.'.join(map(str, sys.version_info[:3])),
    'numpy': numpy,
    'prefixes': [sys.prefix, sys.base_prefix, sys.exec_prefix, sys.base_exec_prefix],
    'path': [place for place in sys.path if place],
}), flush=True)
";

/// A Python with numpy.
#[derive(Debug)]
pub struct Interpreter {
    program: PathBuf,
    version: String,
    numpy: String,
    path: Vec<String>,
    readable: Vec<PathBuf>,
}

#[derive(Deserialize)]
struct Answer {
    program: PathBuf,
    version: String,
    numpy: Option<String>,
    prefixes: Vec<PathBuf>,
    path: Vec<String>,
}

/// Why there is no interpreter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum InterpreterError {
    /// It is not there, or cannot be started.
    Missing(PathBuf, String),
    /// It runs and is no Python that we know.
    Strange(PathBuf),
    /// It has no numpy.
    NoNumpy(PathBuf),
    /// None was named, and none is on the path.
    None,
}

impl fmt::Display for InterpreterError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            InterpreterError::Missing(program, why) => {
                write!(f, "{} cannot be started ({why}); expected a Python", program.display())
            }
            InterpreterError::Strange(program) => {
                write!(f, "{} does not answer as Python does", program.display())?;
                f.write_str("; expected Python 3.7 or later")
            }
            InterpreterError::NoNumpy(program) => {
                write!(f, "{} has no numpy; expected a Python with numpy", program.display())?;
                f.write_str(" (Debian: apt install python3-numpy; elsewhere: pip install numpy)")
            }
            InterpreterError::None => f.write_str(
                "no python3 is on the path; expected one with numpy (Debian: apt install \
                 python3-numpy), or its name",
            ),
        }
    }
}

impl std::error::Error for InterpreterError {}

/// Interpreters that have answered, by the name they were asked by.
static KNOWN: Mutex<BTreeMap<PathBuf, Result<Arc<Interpreter>, InterpreterError>>> =
    Mutex::new(BTreeMap::new());

impl Interpreter {
    /// The interpreter called `named`; without a name, the first `python3` on the path that has
    /// numpy.
    pub fn find(named: Option<&Path>) -> Result<Arc<Interpreter>, InterpreterError> {
        if let Some(name) = named {
            // A bare name is looked for on the path, as a shell does.
            let program = if name.components().count() == 1 { on_path(name).next() } else { None };
            return Interpreter::known(&program.unwrap_or_else(|| name.to_owned()));
        }
        let mut first = None;
        for program in on_path(Path::new("python3")) {
            match Interpreter::known(&program) {
                Ok(interpreter) => return Ok(interpreter),
                Err(error) => first = first.or(Some(error)),
            }
        }
        Err(first.unwrap_or(InterpreterError::None))
    }

    /// What an interpreter answers, asked once.
    fn known(program: &Path) -> Result<Arc<Interpreter>, InterpreterError> {
        let Ok(mut known) = KNOWN.lock() else { return Interpreter::ask(program).map(Arc::new) };
        let ask = || Interpreter::ask(program).map(Arc::new);
        known.entry(program.to_owned()).or_insert_with(ask).clone()
    }

    fn ask(program: &Path) -> Result<Interpreter, InterpreterError> {
        let name = program.to_string_lossy().into_owned();
        let arguments = [name, "-E".to_owned(), "-B".to_owned(), "-c".into(), QUESTION.into()];
        let missing =
            |why: &dyn fmt::Display| InterpreterError::Missing(program.to_owned(), why.to_string());
        if program.as_os_str().as_encoded_bytes().contains(&0) {
            return Err(missing(&"a zero byte in its name"));
        }
        let plan = Plan::new(program, &arguments);
        let mut captive =
            Captive::start(plan, 1 << 20, Log::default()).map_err(|error| missing(&error))?;
        let strange = || InterpreterError::Strange(program.to_owned());
        let Heard::Line(line) = captive.hear(Until::after(PATIENCE)) else { return Err(strange()) };
        let answer: Answer = serde_json::from_slice(&line).map_err(|_| strange())?;
        let numpy = answer.numpy.clone();
        let numpy = numpy.ok_or_else(|| InterpreterError::NoNumpy(program.to_owned()))?;
        let readable = readable(&answer);
        let Answer { program, version, path, .. } = answer;
        Ok(Interpreter { program, version, numpy, path, readable })
    }

    /// The program itself, behind all links.
    pub fn program(&self) -> &Path {
        &self.program
    }

    /// Its version, such as `3.11.2`.
    pub fn version(&self) -> &str {
        &self.version
    }

    /// The version of its numpy.
    pub fn numpy(&self) -> &str {
        &self.numpy
    }

    /// Where it looks for modules.
    pub(crate) fn path(&self) -> &[String] {
        &self.path
    }

    /// What a guest that it runs must be able to read, as real paths.
    pub(crate) fn readable(&self) -> &[PathBuf] {
        &self.readable
    }
}

/// The real places that the interpreter of `answer` needs.
fn readable(answer: &Answer) -> Vec<PathBuf> {
    let system = SYSTEM.iter().map(PathBuf::from);
    // Of /usr the libraries are enough; any other prefix is the interpreter's own.
    let shared = ["/", "/usr", "/usr/local"].map(Path::new);
    let prefixes = answer.prefixes.iter().filter(|prefix| !shared.contains(&prefix.as_path()));
    let modules = answer.path.iter().map(PathBuf::from);
    let all = system.chain(prefixes.cloned()).chain(modules).chain([answer.program.clone()]);
    let mut places: Vec<PathBuf> = all.filter_map(|place| fs::canonicalize(place).ok()).collect();
    places.sort();
    places.dedup();
    places
}

/// The programs of this name on the path, in its order.
fn on_path(name: &Path) -> impl Iterator<Item = PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let programs: Vec<PathBuf> = std::env::split_paths(&path)
        .filter(|folder| folder.is_absolute())
        .map(|folder| folder.join(name))
        .filter(|program| program.is_file())
        .collect();
    programs.into_iter()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_python_is_refused_in_words() {
        let refusal = |name: &str| Interpreter::find(Some(Path::new(name))).unwrap_err();
        assert!(refusal("/no/such/python").to_string().contains("cannot be started (No such file"));
        assert!(matches!(refusal("/bin/true"), InterpreterError::Strange(_)));
        assert!(matches!(refusal("/bin"), InterpreterError::Missing(..)));
    }

    #[test]
    fn the_prefix_of_the_system_is_not_readable_as_a_whole() {
        let prefixes = ["/usr", "/usr", "/usr", "/proc/self"].map(PathBuf::from).to_vec();
        let answer = Answer {
            program: PathBuf::from("/bin/true"),
            version: String::new(),
            numpy: None,
            prefixes,
            path: vec!["/no/such/folder".to_owned()],
        };
        let places = readable(&answer);
        assert!(!places.contains(&PathBuf::from("/usr")) && !places.contains(&PathBuf::from("/")));
        assert!(places.contains(&fs::canonicalize("/bin/true").unwrap()));
        assert!(places.contains(&fs::canonicalize("/proc/self").unwrap()), "a prefix of its own");
    }
}
