//! Tells the program which commit and compiler it is made of. Without git it says so.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

fn main() {
    // Whatever changes the sources changes what they are called.
    println!("cargo:rerun-if-changed=../../crates");
    if let Some(log) = output("git", &["rev-parse", "--git-path", "logs/HEAD"]) {
        println!("cargo:rerun-if-changed={log}");
    }
    let commit = output("git", &["rev-parse", "--short=12", "HEAD"]);
    let is_changed =
        output("git", &["status", "--porcelain", "--", ".."]).is_some_and(|list| !list.is_empty());
    let commit = match commit {
        Some(commit) if is_changed => format!("{commit} + changes"),
        Some(commit) => commit,
        None => "unknown".to_owned(),
    };
    println!("cargo:rustc-env=ISREVER_COMMIT={commit}");
    let compiler = std::env::var("RUSTC").ok().and_then(|rustc| output(&rustc, &["--version"]));
    println!("cargo:rustc-env=ISREVER_SOURCES={:016x}", sources());
    println!("cargo:rustc-env=ISREVER_COMPILER={}", compiler.unwrap_or("unknown".to_owned()));
}

/// The crates that results of jobs depend on.
const CRATES: [&str; 15] = [
    "agent",
    "arena",
    "board",
    "cluster",
    "engine",
    "eval",
    "experiments",
    "guest",
    "jobs",
    "lab",
    "players",
    "reports",
    "search",
    "settings",
    "zero",
];

/// A hash of the sources and weights that results of jobs depend on.
fn sources() -> u64 {
    println!("cargo:rerun-if-changed=../../weights");
    let mut files = Vec::new();
    for name in CRATES {
        gather(&Path::new("../../crates").join(name).join("src"), &mut files);
    }
    gather(Path::new("../../weights"), &mut files);
    files.sort();
    // The hash of Fowler, Noll and Vo.
    let mut hash: u64 = 0xcbf2_9ce4_8422_2325;
    for file in files {
        let name = file.to_string_lossy().replace('\\', "/");
        let bytes = fs::read(&file).expect("it was there a moment ago");
        for byte in name.bytes().chain([0]).chain(bytes).chain([0]) {
            hash = (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3);
        }
    }
    hash
}

fn gather(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("the sources are there") {
        let path = entry.expect("it can be listed").path();
        if path.is_dir() {
            gather(&path, files);
        } else {
            files.push(path);
        }
    }
}

fn output(program: &str, arguments: &[&str]) -> Option<String> {
    let output = Command::new(program).args(arguments).output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    output.status.success().then(|| text.trim().to_owned())
}
