//! `cargo xtask wasm`: builds the search for WebAssembly and compares it with the program.
//!
//! rustup's toolchain here may have no standard library for WebAssembly. Debian's `rustc-web` has
//! its source, so that cargo builds it: the packages are fetched and unpacked under the target
//! folder, not installed.

use crate::setup::{self, Need};
use crate::shell;
use anyhow::{Context, Result, ensure};
use clap::Subcommand;
use serde::Deserialize;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Debian's compiler and the source of its standard library.
const PACKAGES: [&str; 3] = ["rustc-web", "rust-web-src", "libstd-rust-web-dev"];

/// Suites that both programs solve.
const SUITES: [(&str, &str); 2] = [
    ("reversed", "testdata/endgames/small.reversed.obf"),
    ("normal", "testdata/endgames/small.normal.obf"),
];

#[derive(Subcommand)]
pub(crate) enum What {
    /// Build target/isrever.wasm
    Build,
    /// Build it, and compare values, nodes and bench signature with the native program in Node
    Test,
}

/// Does one of these.
pub(crate) fn run(what: &What) -> Result<()> {
    let module = build()?;
    println!("== {}: {} bytes", module.display(), fs::metadata(&module)?.len());
    match what {
        What::Build => Ok(()),
        What::Test => test(&module),
    }
}

/// Builds the module.
fn build() -> Result<PathBuf> {
    let target = shell::target_folder()?;
    let root = toolchain(&target.join("wasm-toolchain"))?;
    let sysroot = shell::output("rustc --print sysroot")?;
    let linker = format!("{sysroot}/lib/rustlib/{}/bin/rust-lld", host()?);
    ensure!(Path::new(&linker).is_file(), "{linker} is not there; expected rustup's own linker");
    let mut cargo = shell::command(
        "cargo build --release --locked --package isrever-wasm --target wasm32-unknown-unknown \
         -Zbuild-std=std,panic_abort",
    );
    cargo
        .env("RUSTC", root.join("usr/bin/rustc"))
        // The option that builds the standard library is not stable.
        .env("RUSTC_BOOTSTRAP", "1")
        .env("LD_LIBRARY_PATH", root.join("usr/lib/x86_64-linux-gnu"))
        .env("RUSTFLAGS", format!("-Clinker={linker} -Ctarget-feature=+simd128"))
        .env("CARGO_TARGET_DIR", target.join("wasm"));
    shell::run(&mut cargo)?;
    let built = target.join("wasm/wasm32-unknown-unknown/release/isrever_wasm.wasm");
    let module = target.join("isrever.wasm");
    fs::copy(built, &module)?;
    Ok(module)
}

/// The triple of this machine.
fn host() -> Result<String> {
    let version = shell::output("rustc -vV")?;
    let host = version.lines().find_map(|line| line.strip_prefix("host: "));
    host.map(str::to_owned).context("rustc does not say which machine it is for")
}

/// Fetches and unpacks Debian's compiler, unless it is there.
fn toolchain(folder: &Path) -> Result<PathBuf> {
    let root = folder.join("root");
    if root.join("usr/bin/rustc").is_file() {
        return Ok(root);
    }
    setup::install(&[Need { program: "dpkg", package: "dpkg" }])?;
    fs::create_dir_all(folder)?;
    // The names of its libraries have their versions in them.
    let library = dependency("libstd-rust-web-dev", "libstd-rust-web-")?;
    let llvm = dependency(&library, "libllvm")?;
    let libraries = [library.as_str(), llvm.as_str()];
    let mut download = shell::command("apt-get download");
    shell::run(download.args(PACKAGES).args(libraries).current_dir(folder))?;
    let partly = folder.join("partly");
    for file in fs::read_dir(folder)? {
        let path = file?.path();
        if path.extension().is_some_and(|extension| extension == "deb") {
            shell::run(shell::command("dpkg -x").arg(&path).arg(&partly))?;
            fs::remove_file(path)?;
        }
    }
    fs::rename(partly, &root)?;
    Ok(root)
}

/// The package that `package` depends on whose name begins so.
fn dependency(package: &str, name: &str) -> Result<String> {
    let depends = shell::output(&format!("apt-cache depends {package}"))?;
    let mut names = depends.lines().filter_map(|line| line.trim().strip_prefix("Depends: "));
    let found = names.find(|depends| depends.starts_with(name));
    found.map(str::to_owned).with_context(|| format!("{package} depends on no {name}…"))
}

/// What `isrever solve --json` says of a position.
#[derive(Deserialize)]
struct Solved {
    position: String,
    best: Option<String>,
    score: i32,
    nodes: u64,
}

/// What the module says.
#[derive(Deserialize, PartialEq, Debug)]
#[serde(untagged)]
enum Line {
    Position { score: i32, nodes: u64 },
    Bench { signature: u64 },
}

/// Compares the module with the native program.
fn test(module: &Path) -> Result<()> {
    setup::install(&[Need { program: "node", package: "nodejs" }])?;
    shell::run(&mut shell::command("cargo build --locked --package isrever"))?;
    let program = shell::target_folder()?.join("debug/isrever");
    let (mut positions, mut expected) = (String::new(), Vec::new());
    for (rule, file) in SUITES {
        let arguments = ["solve", "--json", "--hash", "16", "--rule", rule, "--file", file];
        let output = Command::new(&program).args(arguments).output()?;
        ensure!(output.status.success(), "isrever solve failed with {}", output.status);
        for line in String::from_utf8(output.stdout)?.lines() {
            let Solved { position, best, score, nodes } = serde_json::from_str(line)?;
            // The program does not search a game that is over.
            if best.is_none() {
                continue;
            }
            positions.push_str(&format!("{position} {rule}\n"));
            expected.push(Line::Position { score, nodes });
        }
    }
    let signature = fs::read_to_string("testdata/bench-signature.txt")?.trim().parse()?;
    expected.push(Line::Bench { signature });
    let mut node = Command::new("node")
        .arg("crates/wasm/check.mjs")
        .arg(module)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()?;
    node.stdin.take().context("its input is piped")?.write_all(positions.as_bytes())?;
    let output = node.wait_with_output()?;
    ensure!(output.status.success(), "node failed with {}", output.status);
    let lines = String::from_utf8(output.stdout)?;
    let found: Vec<Line> = lines.lines().map(serde_json::from_str).collect::<Result<_, _>>()?;
    ensure!(found.len() == expected.len(), "{} answers; expected {}", found.len(), expected.len());
    for ((found, expected), position) in found.iter().zip(&expected).zip(positions.lines()) {
        ensure!(found == expected, "{position}: {found:?}; expected {expected:?}");
    }
    ensure!(found.last() == expected.last(), "{:?}; expected {:?}", found.last(), expected.last());
    println!("== {} positions and the bench signature are the same", expected.len() - 1);
    Ok(())
}
