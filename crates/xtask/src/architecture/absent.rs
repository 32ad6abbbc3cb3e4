//! What crates do without, checked in their sources: files, clocks, threads, the rule.
//!
//! Tests, at the foot of a file or in `tests.rs`, and comments may name what the code must not use.

use super::gather;
use anyhow::{Result, bail};
use std::fmt::Write;
use std::fs;
use std::path::Path;

/// Something that some crates do without.
struct Absence {
    what: &'static str,
    /// What code that does it has to write.
    words: &'static [&'static str],
    crates: &'static [&'static str],
    /// The only files of these crates that may do it, tests that are files of their own included.
    except: &'static [&'static str],
}

const ABSENCES: [Absence; 8] = [
    Absence {
        what: "asks which rule is played (`Rule::Reversed`, `Rule::Normal`)",
        words: &["Rule::Reversed", "Rule::Normal"],
        crates: &[
            "book", "board", "agent", "jobs", "cluster", "search", "engine", "reports", "players",
            "zero", "arena",
        ],
        except: &[
            "board/src/rule.rs",
            "board/src/text/ggf.rs",
            "board/src/text/sgf.rs",
            "board/src/text/wthor.rs",
            "book/src/foreign.rs",
            "search/src/bounds.rs",
            "search/src/parameters.rs",
            "search/src/probcut.rs",
            "search/src/searcher.rs",
            "arena/src/opening.rs",
            "book/src/embedded.rs",
        ],
    },
    Absence {
        what: "opens files",
        words: &["std::fs", "fs::", "File::"],
        crates: &[
            "book",
            "board",
            "agent",
            "jobs",
            "eval",
            "search",
            "engine",
            "reports",
            "players",
            "zero",
            "arena",
            "lab",
            "experiments",
            "wasm",
            "py",
        ],
        except: &[
            "arena/src/store.rs",
            "agent/src/loaded.rs",
            "book/src/bytes.rs",
            "py/src/training.rs",
        ],
    },
    Absence {
        what: "reads a clock",
        words: &["Instant::now", "SystemTime::now", ".elapsed()"],
        crates: &[
            "book",
            "board",
            "club",
            "agent",
            "jobs",
            "eval",
            "search",
            "engine",
            "reports",
            "players",
            "zero",
            "lab",
            "experiments",
            "wasm",
        ],
        except: &["agent/src/limits.rs", "engine/src/player/watchdog.rs"],
    },
    Absence {
        what: "starts threads of its own",
        words: &["std::thread", "thread::"],
        crates: &[
            "book",
            "board",
            "club",
            "agent",
            "jobs",
            "eval",
            "search",
            "engine",
            "reports",
            "players",
            "zero",
            "lab",
            "experiments",
            "wasm",
        ],
        except: &[
            "agent/src/mcts.rs",
            "jobs/src/threads.rs",
            "search/src/pool.rs",
            "search/src/pool/own.rs",
            "engine/src/player/watchdog.rs",
            "zero/src/agent.rs",
        ],
    },
    Absence {
        what: "uses the network, the environment or other programs",
        words: &["std::net", "std::env", "Command::new"],
        crates: &[
            "book",
            "board",
            "agent",
            "jobs",
            "eval",
            "search",
            "engine",
            "reports",
            "players",
            "zero",
            "arena",
            "lab",
            "experiments",
            "wasm",
        ],
        except: &[],
    },
    Absence {
        what: "draws random numbers without `agent::Rng`",
        words: &["rand::", "rand_xoshiro", "getrandom"],
        crates: &[
            "book",
            "board",
            "club",
            "agent",
            "jobs",
            "cluster",
            "eval",
            "search",
            "engine",
            "reports",
            "players",
            "zero",
            "arena",
            "guest",
            "lab",
            "experiments",
            "wasm",
            "py",
            "web",
            "cli",
        ],
        except: &[
            "agent/src/rng.rs",
            "club/src/secret.rs",
            "engine/src/clock/simulation.rs",
            "web/src/secret.rs",
        ],
    },
    Absence {
        what: "knows agents",
        words: &["isrever_agent"],
        crates: &["book", "board", "eval", "jobs", "cluster", "search", "wasm"],
        except: &[],
    },
    Absence {
        what: "contains `unsafe` code",
        words: &["unsafe {", "unsafe fn", "unsafe impl", "unsafe extern"],
        crates: &[
            "book",
            "board",
            "club",
            "agent",
            "jobs",
            "cluster",
            "eval",
            "search",
            "engine",
            "reports",
            "players",
            "arena",
            "guest",
            "lab",
            "experiments",
            "wasm",
            "py",
            "web",
            "cli",
            "testkit",
            "zero",
        ],
        except: &[
            "board/src/kernel/avx2.rs",
            "board/src/kernel/avx512.rs",
            "book/src/bytes.rs",
            "eval/src/pages.rs",
            "guest/src/sandbox/child.rs",
            "guest/src/sandbox/reaper.rs",
            "guest/src/sandbox/namespaces.rs",
            "search/src/pool/own.rs",
            "web/src/memory.rs",
            "zero/src/network/simd/avx2.rs",
            "zero/src/network/simd/avx512.rs",
        ],
    },
];

/// All of it as a table.
pub(super) fn table() -> Result<String> {
    let mut table = "| what | no code does it in | except in |\n|---|---|---|\n".to_owned();
    for Absence { what, crates, except, .. } in &ABSENCES {
        let names = |names: &[&str]| {
            let names: Vec<_> = names.iter().map(|name| format!("`{name}`")).collect();
            names.join(", ").replace("/src/", "/")
        };
        writeln!(table, "| {what} | {} | {} |", names(crates), names(except))?;
    }
    Ok(table)
}

/// Fails if a crate does what it must do without.
pub(super) fn check() -> Result<()> {
    for absence in &ABSENCES {
        for name in absence.crates {
            let mut files = Vec::new();
            gather(&Path::new("crates").join(name).join("src"), &mut files)?;
            for file in files {
                let is_test = file.file_name().is_some_and(|name| name == "tests.rs");
                if is_test || absence.except.iter().any(|except| file.ends_with(except)) {
                    continue;
                }
                let text = fs::read_to_string(&file)?;
                if let Some((line, word)) = found(&text, absence.words) {
                    let (file, what) = (file.display(), absence.what);
                    bail!("{file}:{line}: `{word}`, but nothing in {name} {what}; see absent.rs");
                }
            }
        }
    }
    Ok(())
}

/// The first line of code, before any tests, that has one of the words.
fn found<'a>(text: &str, words: &[&'a str]) -> Option<(usize, &'a str)> {
    let code = text.split("\n#[cfg(test)]\nmod ").next().unwrap_or_default();
    let code = code.split("\n#[cfg(all(test, loom))]\nmod ").next().unwrap_or_default();
    (1..).zip(code.lines()).find_map(|(number, line)| {
        let is_code = !line.trim_start().starts_with("//");
        let word = words.iter().find(|word| is_code && has_word(line, word))?;
        Some((number, *word))
    })
}

/// Whether a line has a word that does not go on to the left: `fs::` is not in `lifs::`.
fn has_word(line: &str, word: &str) -> bool {
    line.match_indices(word).any(|(place, _)| {
        let before = line[..place].chars().next_back();
        !word.starts_with(char::is_alphabetic)
            || !before.is_some_and(|letter| letter.is_alphanumeric() || letter == '_')
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_found_in_code_and_not_elsewhere() {
        let words = ["std::fs", "fs::", ".elapsed()"];
        assert_eq!(found("use x;\nuse std::fs;\n", &words), Some((2, "std::fs")));
        assert_eq!(found("let a = began.elapsed();\n", &words), Some((1, ".elapsed()")));
        for text in ["// std::fs\n", "lifs::x\n", "x\n#[cfg(test)]\nmod tests {\nfs::x\n"] {
            assert_eq!(found(text, &words), None, "{text}");
        }
    }
}
