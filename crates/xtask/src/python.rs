//! A Python with numpy, which the tests of other people's agents need, and how it gets here.
//!
//! Where there is none it is installed with Debian's packages, if that can be done: on a Debian
//! system, by root, as on a fresh build machine. Elsewhere the error says what to install.

use crate::shell;
use anyhow::{Result, bail, ensure};
use std::path::PathBuf;
use std::process::{Command, Stdio};

/// The packages that bring one.
const PACKAGES: &str = "python3 python3-numpy";

/// Makes sure that a `python3` on the path has numpy.
pub(crate) fn install() -> Result<()> {
    if is_there() {
        return Ok(());
    }
    let is_root = shell::output("id -u").is_ok_and(|user| user == "0");
    if !is_root || programs("apt-get").is_empty() {
        bail!("no python3 with numpy; on Debian: sudo apt-get install {PACKAGES}");
    }
    println!("== installing {PACKAGES}");
    for line in ["update -qq", &format!("install -y -qq --no-install-recommends {PACKAGES}")] {
        let mut command = shell::command(&format!("apt-get {line}"));
        shell::run(command.env("DEBIAN_FRONTEND", "noninteractive"))?;
    }
    ensure!(is_there(), "the packages {PACKAGES} brought no python3 with numpy");
    Ok(())
}

/// Whether any of the Pythons on the path has numpy: agents are run by the first that has.
fn is_there() -> bool {
    programs("python3").iter().any(|program| {
        let mut command = Command::new(program);
        command.args(["-E", "-c", "import numpy"]).stdout(Stdio::null()).stderr(Stdio::null());
        command.status().is_ok_and(|status| status.success())
    })
}

/// The programs of this name on the path.
fn programs(name: &str) -> Vec<PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let all = std::env::split_paths(&path).map(|folder| folder.join(name));
    all.filter(|program| program.is_file()).collect()
}
