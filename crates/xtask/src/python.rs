//! Finds or installs a Python with numpy, for tests of Python agents.

use crate::setup;
use anyhow::{Result, ensure};
use std::process::{Command, Stdio};

/// The packages that bring one.
const PACKAGES: &str = "python3 python3-numpy";

/// Makes sure that a `python3` on the path has numpy.
pub(crate) fn install() -> Result<()> {
    if is_there() {
        return Ok(());
    }
    setup::add("a python3 with numpy is", PACKAGES)?;
    ensure!(is_there(), "the packages {PACKAGES} brought no python3 with numpy");
    Ok(())
}

/// Whether any of the Pythons on the path has numpy: agents are run by the first that has.
fn is_there() -> bool {
    setup::all("python3").iter().any(|program| {
        let mut command = Command::new(program);
        command.args(["-E", "-c", "import numpy"]).stdout(Stdio::null()).stderr(Stdio::null());
        command.status().is_ok_and(|status| status.success())
    })
}
