//! `cargo xtask`: the whole build system beyond plain cargo.
//!
//! `test` runs every check there is, `architecture` writes the tables of ARCHITECTURE.md, `guide`
//! runs the commands of the guide, `compatibility` compares the program's answers with recorded
//! ones, `bench` measures and writes a dated record, `fuzz` feeds the readers hostile bytes for as
//! long as you like, `web` builds and checks the web board's page, `wasm` the search for
//! WebAssembly, `python` the Python package, `load` drives the web board with many players at
//! once, `club` tries the battle platform with a whole class, `cluster` starts a server and workers
//! to try, `deny` checks the dependencies, `dist` makes a release.

#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a build tool talks to a person")]

mod architecture;
mod bench;
#[cfg(target_os = "linux")]
mod club;
mod cluster;
mod compatibility;
mod deny;
mod dist;
mod fuzz;
mod guide;
mod hash;
mod http;
mod load;
mod loom;
mod package;
mod python;
mod record;
mod rng;
mod server;
mod setup;
mod shell;
mod spread;
mod test;
mod wasm;
mod web;

use clap::{Parser, Subcommand};

#[derive(Parser)]
#[command(name = "cargo xtask", about = "The project's checks and benchmarks")]
struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Run every check: format, lints, documentation, all tests, recorded answers, the guide's
    /// commands, the Python package, the web board in a browser
    Test,
    /// Write the tables of ARCHITECTURE.md from the sentences that open the files
    Architecture(architecture::Options),
    /// Run every command of README.md and the guide
    Guide(guide::Options),
    /// Run the benchmarks and write a dated record under docs/records/
    Bench {
        #[command(subcommand)]
        what: bench::What,
    },
    /// Build, check, photograph or time the web board's page
    Web {
        #[command(subcommand)]
        what: web::What,
    },
    /// Build the search for WebAssembly, or hold it to the native program in Node
    Wasm {
        #[command(subcommand)]
        what: wasm::What,
    },
    /// Build or test the Python package
    Python {
        #[command(subcommand)]
        what: package::What,
    },
    /// Fuzz every reader (needs a nightly toolchain; installs cargo-fuzz under target/)
    Fuzz {
        /// Seconds for each target
        #[arg(long, default_value_t = 60)]
        seconds: u32,
        /// Only this target
        target: Option<String>,
    },
    /// Check licences, bans and sources of all dependencies (installs cargo-deny under target/)
    Deny {
        /// Also check for known vulnerabilities, by the database on the network
        #[arg(long)]
        advisories: bool,
    },
    /// Make a release in dist/: program, completions, manual pages, wheel, checksums
    Dist,
    /// Check the search's shared structures by the model checker loom
    Loom,
    /// Check that the program still answers a corpus of commands as recorded
    Compatibility(compatibility::Options),
    /// Start a server and workers on this machine, to try what a cluster does
    Cluster(cluster::Options),
    /// Try the battle platform with a whole class, and kill its processes meanwhile
    #[cfg(target_os = "linux")]
    Club {
        #[command(subcommand)]
        what: club::What,
    },
    /// Drive the web board with many players and analyses, and write a dated record
    Load(load::Options),
}

fn main() -> anyhow::Result<()> {
    shell::enter_root()?;
    match Args::parse().command {
        Command::Test => test::run(),
        Command::Architecture(options) => architecture::run(&options),
        Command::Guide(options) => guide::run(&options),
        Command::Bench { what } => bench::run(&what),
        Command::Web { what } => web::run(&what),
        Command::Wasm { what } => wasm::run(&what),
        Command::Python { what } => package::run(&what),
        Command::Fuzz { seconds, target } => fuzz::run(seconds, target.as_deref()),
        Command::Deny { advisories } => deny::run(advisories),
        Command::Dist => dist::run(),
        Command::Loom => loom::run(),
        Command::Compatibility(options) => compatibility::run(&options),
        Command::Cluster(options) => cluster::run(&options),
        #[cfg(target_os = "linux")]
        Command::Club { what } => club::run(&what),
        Command::Load(options) => load::run(&options),
    }
}
