//! Open files of the host never stop a guest, and a host that has no room for more loses no game.
//! The one test has a process to itself, because it fills that process with open files.

#![cfg(target_os = "linux")]

#[path = "guest/hosting.rs"]
#[expect(dead_code, reason = "shared with the other tests")]
mod hosting;

use hosting::{agent, game, settings};
use isrever_agent::{Agent, Limits, Reason};
use isrever_guest::{Interpreter, Layer, PythonSettings, Sandbox};
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
use std::fs::File;
use std::path::Path;

/// A name of Python that no other test uses.
const PYTHON: &str = "/usr/bin/../bin/python3";

/// Plays a move with a new agent; the sandbox it ran in.
fn played(settings: PythonSettings) -> Sandbox {
    let mut agent = agent("simple.py", settings);
    agent.choose(&game(), &Limits::default()).expect("it plays a legal move");
    agent.sandbox().expect("it has started").clone()
}

#[test]
fn open_files_of_the_host_stop_no_guest_and_lose_no_game() {
    let full = played(settings());
    let without = PythonSettings { without: Some(Layer::Namespaces), ..settings() };
    let weaker = played(without.clone());

    // More than a guest itself may have.
    let open: Vec<File> = (0..300).map(|_| File::open("/dev/null").unwrap()).collect();
    assert_eq!(played(settings()), full);
    assert_eq!(played(without), weaker);
    drop(open);

    // No room for the pipes to a guest.
    let limit = getrlimit(Resource::Nofile);
    let mut agent = agent("simple.py", settings());
    setrlimit(Resource::Nofile, Rlimit { current: Some(100), ..limit }).unwrap();
    let filling: Vec<File> = std::iter::from_fn(|| File::open("/dev/null").ok()).collect();
    let refused = agent.choose(&game(), &Limits::default());
    let missing = Interpreter::find(Some(Path::new(PYTHON)));
    drop(filling);
    setrlimit(Resource::Nofile, limit).unwrap();
    let forfeit = refused.expect_err("there is no room");
    assert_eq!(forfeit.reason, Reason::Machine, "{forfeit}");
    assert!(forfeit.details.contains("Too many open files"), "{forfeit}");
    assert!(missing.is_err());

    // Nothing of that is remembered.
    agent.choose(&game(), &Limits::default()).expect("there is room again");
    assert_eq!(agent.sandbox(), Some(&full));
    let again = Interpreter::find(Some(Path::new(PYTHON)));
    assert!(again.is_ok(), "{again:?}");
}
