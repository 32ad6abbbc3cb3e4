//! Runs the program and keeps what it answers.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::{Mutex, PoisonError};
use std::thread;
#[cfg(target_os = "linux")]
use std::time::{Duration, Instant};

/// What the program answered.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) status: Option<i32>,
    pub(crate) out: String,
    pub(crate) err: String,
}

/// The program with these arguments, not yet started.
pub(crate) fn command(args: impl IntoIterator<Item = impl AsRef<OsStr>>) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_isrever"));
    command.args(args);
    command
}

/// Runs the program with nothing on its standard input.
pub(crate) fn run(args: impl IntoIterator<Item = impl AsRef<OsStr>>) -> Answer {
    run_with(args, b"")
}

/// Runs the program with these bytes on its standard input.
pub(crate) fn run_with(args: impl IntoIterator<Item = impl AsRef<OsStr>>, input: &[u8]) -> Answer {
    let mut child = command(args)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let mut stdin = child.stdin.take().expect("it is piped");
    let output = thread::scope(|scope| {
        // A program that has read enough closes the pipe; that is its right.
        scope.spawn(move || {
            let _ = stdin.write_all(input);
        });
        child.wait_with_output().expect("the program ends")
    });
    let Output { status, stdout, stderr } = output;
    Answer {
        status: status.code(),
        out: String::from_utf8_lossy(&stdout).into_owned(),
        err: String::from_utf8(stderr).expect("messages are UTF-8"),
    }
}

/// An agent of the guests' own tests.
pub(crate) fn agent(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../guest/tests/agents").join(name)
}

/// An empty directory called `name`. Tests run at the same time: no two may ask for the same one.
pub(crate) fn directory(name: &str) -> PathBuf {
    static OWNERS: Mutex<BTreeMap<String, String>> = Mutex::new(BTreeMap::new());
    let test = thread::current().name().unwrap_or_default().to_owned();
    let mut owners = OWNERS.lock().unwrap_or_else(PoisonError::into_inner);
    let owner = owners.entry(name.to_owned()).or_insert_with(|| test.clone());
    assert_eq!(*owner, test, "two tests want the directory {name}");
    drop(owners);
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&path);
    fs::create_dir_all(&path).expect("the directory can be made");
    path
}

/// Waits until `is_so`; ten minutes are for ever.
#[cfg(target_os = "linux")]
pub(crate) fn wait_until(is_so: impl Fn() -> bool) {
    let end = Instant::now() + Duration::from_secs(600);
    while !is_so() {
        assert!(Instant::now() < end, "it never happens");
        thread::sleep(Duration::from_millis(5));
    }
}

impl Answer {
    /// What was printed, when all went well.
    pub(crate) fn ok(self) -> String {
        assert_eq!((self.status, self.err.as_str()), (Some(0), ""), "{}", self.out);
        self.out
    }

    /// Checks that bad input was refused in one line that says all of `words`.
    pub(crate) fn refused(&self, words: &[&str]) {
        let Answer { status, out, err } = self;
        assert_eq!(*status, Some(2), "{err}");
        assert_eq!(out, "", "nothing is printed: {err}");
        assert!(err.starts_with("isrever: ") && err.ends_with('\n'), "{err:?}");
        assert_eq!(err.lines().count(), 1, "{err:?}");
        assert!(err.contains("expected "), "the expectation is named: {err:?}");
        for word in words {
            assert!(err.contains(word), "{word:?} is not in {err:?}");
        }
    }
}
