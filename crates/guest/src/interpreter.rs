//! Which Python runs the agents, and which files it needs to read.
//!
//! We trust the interpreter, but not the agent. So we ask the interpreter once,
//! outside the sandbox, where its modules are; a guest can read those paths.

use crate::process::{GuestProcess, Log, Received, Until};
use crate::sandbox::child::Plan;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// How long an interpreter may take to answer [`QUESTION`].
const ANSWER_TIME: Duration = Duration::from_secs(120);

/// The system's libraries, and the files needed to find them.
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
    // Libraries read the number of processors here.
    "/sys/devices/system/cpu",
];

/// A program that prints where the interpreter's modules are. It runs with `-E`, which ignores
/// Python's environment variables but not the user's own modules.
const QUESTION: &str = "
import json, os, site, sys, sysconfig
try:
    import numpy
    numpy = numpy.__version__
except ImportError:
    numpy = None
try:
    from importlib.metadata import version
    numba = version('numba')
except ImportError:
    numba = None
print(json.dumps({
    'program': os.path.realpath(sys.executable),
    'version': '.'.join(map(str, sys.version_info[:3])),
    'numpy': numpy,
    'numba': numba,
    'prefixes': [sys.prefix, sys.base_prefix, sys.exec_prefix, sys.base_exec_prefix],
    'path': [place for place in sys.path if place],
    'packages': [
        *site.getsitepackages(), site.getusersitepackages(), *sysconfig.get_paths().values()
    ],
}), flush=True)
";

/// A Python with numpy.
#[derive(Debug)]
pub struct Interpreter {
    program: PathBuf,
    version: String,
    numpy: String,
    numba: Option<String>,
    path: Vec<String>,
    readable: Vec<PathBuf>,
}

#[derive(Deserialize)]
struct Answer {
    program: PathBuf,
    version: String,
    numpy: Option<String>,
    numba: Option<String>,
    prefixes: Vec<PathBuf>,
    path: Vec<String>,
    /// The folders of the standard library and of installed packages.
    packages: Vec<PathBuf>,
}

impl Answer {
    /// The interpreter's own prefixes. The libraries suffice beneath /usr.
    fn own_prefixes(&self) -> impl Iterator<Item = &PathBuf> {
        let shared = ["/", "/usr", "/usr/local"].map(Path::new);
        self.prefixes.iter().filter(move |prefix| !shared.contains(&prefix.as_path()))
    }

    /// Where modules are that guests may import. Not the folders of projects that were installed in
    /// place, or that `.pth` files name: there may be other agents in them.
    fn modules(&self) -> Vec<String> {
        let is_installed = |place: &&String| {
            let place = Path::new(place);
            let mut folders = self.own_prefixes().chain(&self.packages);
            // A zipped standard library lies beside the plain one.
            let is_zip = place.extension().is_some_and(|extension| extension == "zip");
            is_zip || folders.any(|folder| place.starts_with(folder))
        };
        self.path.iter().filter(is_installed).cloned().collect()
    }
}

/// Why there is no interpreter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum InterpreterError {
    /// It does not exist, or cannot be started.
    Missing(PathBuf, String),
    /// It does not answer as Python 3.7 or later does.
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

/// The interpreters asked so far, by program.
static KNOWN: Mutex<BTreeMap<PathBuf, Result<Arc<Interpreter>, InterpreterError>>> =
    Mutex::new(BTreeMap::new());

impl Interpreter {
    /// Finds the interpreter `named`; without a name, the first `python3` on the path that has
    /// numpy.
    pub fn find(named: Option<&Path>) -> Result<Arc<Interpreter>, InterpreterError> {
        if let Some(name) = named {
            // Searches the path for a bare name, as a shell does.
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

    /// The interpreter's answer; asks only until it has answered.
    fn known(program: &Path) -> Result<Arc<Interpreter>, InterpreterError> {
        let Ok(mut known) = KNOWN.lock() else { return Interpreter::ask(program).map(Arc::new) };
        if let Some(answer) = known.get(program) {
            return answer.clone();
        }
        let answer = Interpreter::ask(program).map(Arc::new);
        if !matches!(answer, Err(InterpreterError::Missing(..))) {
            known.insert(program.to_owned(), answer.clone());
        }
        answer
    }

    fn ask(program: &Path) -> Result<Interpreter, InterpreterError> {
        let name = program.to_string_lossy().into_owned();
        let arguments = [name, "-E".to_owned(), "-B".to_owned(), "-c".into(), QUESTION.into()];
        let missing =
            |why: &dyn fmt::Display| InterpreterError::Missing(program.to_owned(), why.to_string());
        if program.as_os_str().as_encoded_bytes().contains(&0) {
            return Err(missing(&"a zero byte in its name"));
        }
        let plan = || Plan::new(program, &arguments);
        let mut process =
            GuestProcess::start(plan, 1 << 20, Log::default()).map_err(|error| missing(&error))?;
        let strange = || InterpreterError::Strange(program.to_owned());
        let Received::Line(line) = process.receive(Until::after(ANSWER_TIME)) else {
            return Err(strange());
        };
        let answer: Answer = serde_json::from_slice(&line).map_err(|_| strange())?;
        let numpy = answer.numpy.clone();
        let numpy = numpy.ok_or_else(|| InterpreterError::NoNumpy(program.to_owned()))?;
        let (readable, path) = (readable(&answer), answer.modules());
        let Answer { program, version, numba, .. } = answer;
        Ok(Interpreter { program, version, numpy, numba, path, readable })
    }

    /// The program itself, all symbolic links resolved.
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

    /// The version of its numba, if it has one.
    pub fn numba(&self) -> Option<&str> {
        self.numba.as_deref()
    }

    /// Its module search path.
    pub(crate) fn path(&self) -> &[String] {
        &self.path
    }

    /// The paths that its guests must be able to read, all links resolved.
    pub(crate) fn readable(&self) -> &[PathBuf] {
        &self.readable
    }
}

impl fmt::Display for Interpreter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Python {}, numpy {}, ", self.version, self.numpy)?;
        match &self.numba {
            Some(numba) => write!(f, "numba {numba}"),
            None => f.write_str("no numba"),
        }
    }
}

/// The paths that the interpreter of `answer` needs, all links resolved.
fn readable(answer: &Answer) -> Vec<PathBuf> {
    let system = SYSTEM.iter().map(PathBuf::from);
    let prefixes = answer.own_prefixes().cloned();
    let modules = answer.modules().into_iter().map(PathBuf::from);
    let all = system.chain(prefixes).chain(modules).chain([answer.program.clone()]);
    let mut places: Vec<PathBuf> = all.filter_map(|place| fs::canonicalize(place).ok()).collect();
    places.sort();
    places.dedup();
    places
}

/// All programs of this name on the path, in order.
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
    fn programs_other_than_python_are_refused() {
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
            numba: None,
            prefixes,
            path: vec!["/no/such/folder".to_owned(), "/etc".to_owned(), "/usr/share".to_owned()],
            packages: vec![PathBuf::from("/no/such"), PathBuf::from("/usr/share")],
        };
        assert_eq!(answer.modules(), ["/no/such/folder", "/usr/share"]);
        let places = readable(&answer);
        assert!(!places.contains(&PathBuf::from("/usr")) && !places.contains(&PathBuf::from("/")));
        assert!(places.contains(&fs::canonicalize("/bin/true").unwrap()));
        assert!(places.contains(&fs::canonicalize("/proc/self").unwrap()), "a prefix of its own");
    }
}
