//! Interpreters in unusual places, and what guests may read of them.

use crate::hosting::{game, settings, written};
use isrever_agent::{Agent, Limits};
use isrever_guest::{Interpreter, PythonSettings, Sandbox};
use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::Command;

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
    let python = environment(&folder.join("venv"));
    let version = Interpreter::find(Some(&python)).unwrap().version().to_owned();
    let minor: Vec<&str> = version.split('.').take(2).collect();
    let packages = folder.join(format!("venv/lib/python{}/site-packages", minor.join(".")));
    fs::write(packages.join("project.pth"), project.display().to_string()).unwrap();
    fs::write(packages.join("allowed.py"), "ANSWER = 2\n").unwrap();
    // Another name, because interpreters are asked only once.
    let python = python.with_file_name("python");
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
