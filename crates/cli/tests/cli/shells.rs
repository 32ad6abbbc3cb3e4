//! Completions for shells and manual pages name every command.

use crate::program::{directory, run};
use std::fs;

const COMMANDS: [&str; 4] = ["play", "solve", "arena", "completions"];

#[test]
fn completions_know_the_commands_and_their_options() {
    for shell in ["bash", "zsh", "fish"] {
        let script = run(["completions", shell]).ok();
        for name in COMMANDS.iter().chain(&["moves-left"]) {
            assert!(script.contains(name), "{shell} does not complete {name}");
        }
    }
    let refused = run(["completions", "dos"]);
    assert_eq!((refused.status, refused.out.as_str()), (Some(2), ""));
    assert!(refused.err.contains("bash"), "{}", refused.err);
}

#[test]
fn every_command_has_a_manual_page() {
    let page = run(["man"]).ok();
    assert!(page.contains(".TH isrever 1"), "{page}");
    let folder = directory("man");
    run(["man".as_ref(), folder.as_os_str()]).ok();
    for name in COMMANDS {
        let page = fs::read_to_string(folder.join(format!("isrever-{name}.1"))).unwrap();
        assert!(page.contains(".SH SYNOPSIS"), "{name}");
    }
    let file = folder.join("isrever.1");
    assert_eq!(run(["man".as_ref(), file.as_os_str()]).status, Some(1), "a file is no folder");
}
