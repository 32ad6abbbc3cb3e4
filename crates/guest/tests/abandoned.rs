//! Folders of guests whose host was killed are removed by the next one, and no others.

#![cfg(target_os = "linux")]

#[path = "guest/hosting.rs"]
#[expect(dead_code, reason = "shared with the other tests")]
mod hosting;

use isrever_agent::Agent;
use isrever_board::Color;
use isrever_guest::{Layer, PythonSettings};
use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, Command, Stdio};

/// The variable that makes this test program the host of an agent.
const HOST: &str = "ISREVER_TEST_HOST";

/// An agent that leaves files in its folder.
const AGENT: &str = "
import posix
class AI(object):
    def __init__(self, chessboard_size, color, time_out):
        posix.mkdir('a')
        open('a/b', 'w').close()
    def go(self, chessboard): pass
";

#[test]
fn host_of_the_test_below() {
    if std::env::var_os(HOST).is_none() {
        return;
    }
    let settings = PythonSettings { without: Some(Layer::Namespaces), ..hosting::settings() };
    let mut agent = hosting::written(AGENT, settings);
    agent.prepare(&hosting::game(), Color::Black, None).unwrap();
    writeln!(std::io::stdout(), "\nagent is there").unwrap();
    std::thread::park();
}

/// Starts this test program again, as the host of an agent whose folder is in `place`.
fn host(place: &Path) -> Child {
    let mut host = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "host_of_the_test_below", "--nocapture"])
        .env(HOST, "yes")
        .env("TMPDIR", place)
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(host.stdout.take().unwrap()).lines();
    assert!(lines.any(|line| line.unwrap().ends_with("agent is there")));
    host
}

/// Whether the folders in `place` are those of `hosts`, one each.
fn are_of(place: &Path, hosts: &[&Child]) -> bool {
    let names = fs::read_dir(place).unwrap().map(|entry| entry.unwrap().file_name());
    let mut names: Vec<String> = names.map(|name| name.into_string().unwrap()).collect();
    let own = |host: &&Child| format!("isrever-guest-{}-0", host.id());
    let mut expected: Vec<String> = hosts.iter().map(own).collect();
    names.sort();
    expected.sort();
    names == expected
}

#[test]
fn the_next_host_removes_folders_of_one_that_was_killed() {
    let place = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let place = place.join(format!("abandoned-{}", std::process::id()));
    fs::create_dir(&place).unwrap();
    let kill = |host: &mut Child| {
        host.kill().unwrap();
        host.wait().unwrap();
    };
    let (mut first, mut second) = (host(&place), host(&place));
    assert!(are_of(&place, &[&first, &second]), "running hosts keep their folders");
    kill(&mut first);
    assert!(are_of(&place, &[&first, &second]), "nobody could remove it");
    let mut third = host(&place);
    assert!(are_of(&place, &[&second, &third]), "the third removes the first's");
    kill(&mut second);
    kill(&mut third);
    let mut last = host(&place);
    assert!(are_of(&place, &[&last]));
    kill(&mut last);
    // What is left now would be the next one's to remove.
    fs::remove_dir_all(&place).unwrap();
}
