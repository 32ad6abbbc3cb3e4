//! Tells the program which commit and compiler it is made of. Without git it says so.

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
    println!("cargo:rustc-env=ISREVER_COMPILER={}", compiler.unwrap_or("unknown".to_owned()));
}

fn output(program: &str, arguments: &[&str]) -> Option<String> {
    let output = Command::new(program).args(arguments).output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    output.status.success().then(|| text.trim().to_owned())
}
