//! `cargo xtask python`: builds the wheel and tests it in a clean environment.
//!
//! The tools that build it live in one environment under the target folder, which is kept; the wheel
//! is tried out in another, which is made anew each time, so that what the package needs beside
//! itself is found out.

use crate::{setup, shell};
use anyhow::{Context, Result};
use clap::Subcommand;
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

#[derive(Subcommand)]
pub(crate) enum What {
    /// Build the wheel as the tests do, and test it in a clean virtual environment
    Test,
    /// Build the wheel to give away, into dist/
    Wheel,
}

/// Debian's packages that bring a Python for the rest.
const PACKAGES: &str = "python3 python3-venv";

/// What builds wheels.
const MATURIN: &str = "maturin==1.16.0";

/// What the tests need beside the wheel.
const REQUIREMENTS: &str = "python/requirements.txt";

/// Does one of the package's tasks.
pub(crate) fn run(what: &What) -> Result<()> {
    match what {
        What::Test => test(),
        What::Wheel => wheel(Path::new("dist"), Build::Dist).map(|wheel| {
            println!("written: {}", wheel.display());
        }),
    }
}

/// Builds the wheel, installs it into a new environment, and runs its tests there.
pub(crate) fn test() -> Result<()> {
    let folder = folder()?;
    let wheel = wheel(&folder.join("wheels"), Build::Test)?;
    let environment = Environment::make(&folder.join("clean"))?;
    environment.install([wheel.as_os_str(), OsStr::new("-r"), OsStr::new(REQUIREMENTS)])?;
    let mut tests = environment.python();
    // Nothing but the installed package may be found under its name.
    tests.args(["-P", "-m", "pytest"]).env_remove("PYTHONPATH");
    shell::run(&mut tests)
}

/// The environment with a release build of the package and what its tests need, for benchmarks.
pub(crate) fn released() -> Result<Environment> {
    let folder = folder()?;
    let wheel = wheel(&folder.join("wheels"), Build::Release)?;
    let environment = Environment::make(&folder.join("clean"))?;
    environment.install([wheel.as_os_str(), OsStr::new("-r"), OsStr::new(REQUIREMENTS)])?;
    Ok(environment)
}

fn folder() -> Result<PathBuf> {
    Ok(shell::target_folder()?.join("python"))
}

/// How a wheel is built.
#[derive(Clone, Copy)]
pub(crate) enum Build {
    /// As the tests of the crates are, which have built most of it already.
    Test,
    /// As a user builds it.
    Release,
    /// To give away.
    Dist,
}

/// Builds the wheel into `place`, where no other is then.
pub(crate) fn wheel(place: &Path, build: Build) -> Result<PathBuf> {
    let tools = Environment::keep(&folder()?.join("tools"))?;
    if !tools.program("maturin").exists() {
        tools.install([OsStr::new(MATURIN)])?;
    }
    if place.exists() {
        fs::remove_dir_all(place)?;
    }
    let mut maturin = Command::new(tools.program("maturin"));
    maturin.args(["build", "--locked", "--interpreter"]).arg(tools.program("python"));
    maturin.arg("--out").arg(place);
    match build {
        Build::Test => maturin.args(["--profile", "dev"]),
        Build::Release => &mut maturin,
        Build::Dist => maturin.args(["--profile", "dist"]),
    };
    shell::run(&mut maturin)?;
    let mut wheels = fs::read_dir(place)?.map(|entry| entry.map(|entry| entry.path()));
    wheels.next().context("a wheel was built")?.map_err(Into::into)
}

/// A virtual environment.
pub(crate) struct Environment(PathBuf);

impl Environment {
    /// The one in `place`, made if it is not there.
    pub(crate) fn keep(place: &Path) -> Result<Environment> {
        if !place.join("bin").join("python").exists() {
            return Environment::make(place);
        }
        Ok(Environment(place.to_owned()))
    }

    /// A new one in `place`.
    pub(crate) fn make(place: &Path) -> Result<Environment> {
        let mut command = Command::new(python()?);
        shell::run(command.args(["-m", "venv", "--clear"]).arg(place))?;
        Ok(Environment(place.to_owned()))
    }

    /// Where its programs are.
    pub(crate) fn programs(&self) -> PathBuf {
        self.0.join("bin")
    }

    /// One of its programs.
    pub(crate) fn program(&self, name: &str) -> PathBuf {
        self.programs().join(name)
    }

    /// Its Python.
    pub(crate) fn python(&self) -> Command {
        Command::new(self.program("python"))
    }

    /// Installs packages into it.
    pub(crate) fn install<'a>(&self, what: impl IntoIterator<Item = &'a OsStr>) -> Result<()> {
        let mut pip = self.python();
        pip.args(["-m", "pip", "install", "--quiet", "--disable-pip-version-check"]).args(what);
        shell::run(&mut pip)
    }
}

/// Makes sure that there is such a Python, long before it is needed.
pub(crate) fn install() -> Result<()> {
    python().map(drop)
}

/// A Python that is new enough for the package and can make virtual environments: Debian has what
/// those need in a package apart.
fn python() -> Result<PathBuf> {
    if let Some(python) = first() {
        return Ok(python);
    }
    setup::add("a python3 (3.10 or later) that can make virtual environments is", PACKAGES)?;
    first().with_context(|| format!("{PACKAGES} brought no python3 of 3.10 or later with venv"))
}

fn first() -> Option<PathBuf> {
    const QUESTION: &str = "import ensurepip, sys, venv; sys.exit(sys.version_info < (3, 10))";
    setup::all("python3").into_iter().find(|program| {
        let mut command = Command::new(program);
        command.args(["-E", "-c", QUESTION]).stdout(Stdio::null()).stderr(Stdio::null());
        command.status().is_ok_and(|status| status.success())
    })
}
