//! Interpreters in unusual places, and what guests may read of them.

use crate::hosting::{game, settings, written};
use isrever_agent::{Agent, Limits};
use isrever_guest::{Entry, Interpreter, Layer, PythonSettings, Sandbox};
use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;

const PLAYS: &str = "
import numpy
class AI(object):
    def __init__(self, chessboard_size, color, time_out):
        self.candidate_list = []
    def go(self, chessboard):
        self.candidate_list = [(2, 3)]
";

/// An empty folder of the test called `name`.
fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    folder
}

/// A virtual environment in `folder`, with the packages of the system.
fn environment(folder: &Path) -> PathBuf {
    let system = Interpreter::find(None).expect("tests need a python3 with numpy");
    let options = ["-m", "venv", "--without-pip", "--system-site-packages"];
    let made = Command::new(system.program()).args(options).arg(folder).status().unwrap();
    assert!(made.success());
    folder.join("bin/python3")
}

/// The folder of packages of a virtual environment that is new.
fn packages(venv: &Path) -> PathBuf {
    let version = Interpreter::find(Some(&environment(venv))).unwrap().version().to_owned();
    let minor: Vec<&str> = version.split('.').take(2).collect();
    venv.join(format!("lib/python{}/site-packages", minor.join(".")))
}

/// Plays a move with the interpreter at `python`; the sandbox it had.
fn played(lines: &str, python: &Path) -> Sandbox {
    let interpreter = Interpreter::find(Some(python)).unwrap();
    let mut agent = written(lines, PythonSettings { interpreter, ..settings() });
    agent.choose(&game(), &Limits::default()).expect("it plays");
    agent.sandbox().expect("it has started").clone()
}

#[test]
fn an_interpreter_has_the_whole_sandbox_wherever_it_is() {
    let usual = {
        let mut agent = written(PLAYS, settings());
        agent.choose(&game(), &Limits::default()).expect("it plays");
        agent.sandbox().expect("it has started").clone()
    };
    let folder = folder("places");
    let spaced = environment(&folder.join("a place with spaces"));
    assert_eq!(played(PLAYS, &spaced), usual);
    let link = folder.join("link");
    symlink(spaced.parent().unwrap().parent().unwrap(), &link).unwrap();
    assert_eq!(played(PLAYS, &link.join("bin/python3")), usual);
    let deep = folder.join("deep/".repeat(30));
    fs::create_dir_all(&deep).unwrap();
    assert_eq!(played(PLAYS, &environment(&deep.join("venv"))), usual);
}

#[test]
fn a_project_that_was_installed_in_place_stays_private() {
    let folder = folder("project");
    let project = folder.join("project");
    fs::create_dir(&project).unwrap();
    fs::write(project.join("neighbour.py"), "SECRET = 1\n").unwrap();
    let packages = packages(&folder.join("venv"));
    fs::write(packages.join("project.pth"), project.display().to_string()).unwrap();
    fs::write(packages.join("allowed.py"), "ANSWER = 2\n").unwrap();
    // Another name, because interpreters are asked only once.
    let python = folder.join("venv/bin/python");
    let lines = format!(
        "import sys, allowed
class AI(object):
    def __init__(self, chessboard_size, color, time_out):
        self.candidate_list = []
    def go(self, chessboard):
        assert allowed.ANSWER == 2
        assert {project:?} not in sys.path
        try: open({project:?} + '/neighbour.py')
        except OSError: self.candidate_list = [(2, 3)]
"
    );
    played(&lines, &python);
}

/// A package that is called numba and caches what it compiles where numba does: the first call of a
/// function compiles it, unless the cache has it.
const NUMBA: &str = "
import os
from numba.core import caching
def njit(function):
    def called(*arguments):
        name = function.__name__
        if name == '<lambda>':
            return function(*arguments)
        folder = os.path.join(os.environ['NUMBA_CACHE_DIR'], caching._CacheLocator.get_suitable_cache_subpath('ai.py'))
        path = os.path.join(folder, name)
        os.makedirs(folder, exist_ok=True)
        is_cached = os.path.exists(path)
        if not is_cached:
            open(path, 'w').write('compiled ' * 10000)
        return is_cached and len(open(path).read()) == 90000
    return called
";

const CACHING: &str = "
class _CacheLocator:
    @classmethod
    def get_suitable_cache_subpath(cls, file): return 'somewhere'
class _SourceFileBackedLocatorMixin:
    pass
";

/// Answers with whether its functions were compiled before: one that it calls at the start, and one
/// that it calls at a move.
const COMPILES: &str = "
import numba
@numba.njit
def early(): pass
@numba.njit
def late(): pass
class AI(object):
    def __init__(self, chessboard_size, color, time_out):
        self.candidate_list = []
        self.is_known = early()
    def go(self, chessboard):
        self.candidate_list = [(int(self.is_known), int(late()))]
";

/// A Python with that package, in a folder called `name`.
fn with_numba(name: &str) -> Arc<Interpreter> {
    let folder = folder(name);
    let packages = packages(&folder.join("venv"));
    fs::create_dir_all(packages.join("numba/core")).unwrap();
    fs::write(packages.join("numba/__init__.py"), NUMBA).unwrap();
    fs::write(packages.join("numba/core/__init__.py"), "").unwrap();
    fs::write(packages.join("numba/core/caching.py"), CACHING).unwrap();
    // Another name, because interpreters are asked only once.
    Interpreter::find(Some(&folder.join("venv/bin/python"))).unwrap()
}

#[test]
fn what_numba_compiles_at_the_start_is_kept_for_the_same_file_alone() {
    let interpreter = with_numba("numba");
    let known = |lines: &str, without: Option<Layer>| {
        let interpreter = interpreter.clone();
        let mut agent = written(lines, PythonSettings { interpreter, without, ..settings() });
        let answer = agent.ask(game().position(), &Limits::default());
        answer.unwrap_or_else(|forfeit| panic!("{forfeit}")).last
    };
    assert_eq!(known(COMPILES, None), Some(Entry::Place([0, 0])), "all is new");
    // What was compiled at a move stays new: no game learns anything of another.
    assert_eq!(known(COMPILES, None), Some(Entry::Place([1, 0])));
    assert_eq!(known(COMPILES, Some(Layer::Namespaces)), Some(Entry::Place([1, 0])));
    let other = format!("{COMPILES}# another file\n");
    assert_eq!(known(&other, None), Some(Entry::Place([0, 0])), "another agent has its own");
}

/// Uses numba if it is there; answers with whether each import found it.
const CAN_DO_WITHOUT: &str = "
try:
    import numba
except ImportError:
    numba = None
try:
    from numba import njit
except ModuleNotFoundError:
    njit = None
class AI(object):
    def __init__(self, chessboard_size, color, time_out):
        self.candidate_list = []
    def go(self, chessboard):
        self.candidate_list = [(int(numba is not None), int(njit is not None))]
";

#[test]
fn an_agent_that_can_do_without_numba_finds_it_only_where_it_is() {
    let usual = settings().interpreter;
    let here = i64::from(usual.numba().is_some());
    for (interpreter, found) in [(usual, here), (with_numba("with_numba"), 1)] {
        let mut agent = written(CAN_DO_WITHOUT, PythonSettings { interpreter, ..settings() });
        let answer = agent.ask(game().position(), &Limits::default());
        let last = answer.unwrap_or_else(|forfeit| panic!("{forfeit}")).last;
        assert_eq!(last, Some(Entry::Place([found, found])));
    }
}
