//! Holds the API's description against two validators, and asks the server by a client made from it.

use super::npm::Npm;
use crate::package::Environment;
use crate::server::Server;
use crate::{setup, shell};
use anyhow::{Context, Result, ensure};
use std::ffi::OsStr;
use std::fs;
use std::path::Path;
use std::process::Command;

/// What validates the description and makes a client from it.
const REQUIREMENTS: &str = "web/contract/requirements.txt";

/// The settings of the generator.
const GENERATOR: &str = "web/contract/generator.yaml";

/// Checks the description of the server that `program` is.
pub(super) fn check(npm: &Npm, program: &Path) -> Result<()> {
    let folder = shell::target_folder()?.join("contract");
    fs::create_dir_all(&folder)?;
    let (data, club) = (folder.join("data"), folder.join("club"));
    // Only a new club tells the link that makes its administrator.
    if club.exists() {
        fs::remove_dir_all(&club)?;
    }
    let mut serve = Command::new(program);
    serve.arg("serve").arg("--data").arg(&data).arg("--club").arg(&club).args(["--judges", "0"]);
    let server = Server::start(&mut serve)?;
    let answer = server.client()?.get("/api/openapi.json")?;
    ensure!(answer.status == 200, "the server does not describe itself: {}", answer.status);
    let description = folder.join("openapi.json");
    fs::write(&description, answer.text()?)?;

    npm.call("run contract --", |command| command.arg(&description))?;
    println!("== web: the description, its other validator and a generated client");
    let environment = tools(&folder.join("python"))?;
    shell::run(environment.python().args(["-m", "openapi_spec_validator"]).arg(&description))?;
    let client = folder.join("client");
    let mut generator = Command::new(environment.program("openapi-python-client"));
    generator.args(["generate", "--overwrite", "--fail-on-warning", "--config", GENERATOR]);
    // It tidies what it writes by a tool that is found on the path.
    let path = setup::path_with([environment.programs()])?;
    generator.arg("--path").arg(&description).arg("--output-path").arg(&client);
    shell::run(generator.env("PATH", path))?;
    let link = server.said()["invitation"].as_str().context("an invitation")?;
    let code = link.rsplit('/').next().unwrap_or_default();
    let mut trial = environment.python();
    trial.arg("web/contract/trial.py").arg(format!("http://{}", server.address())).arg(code);
    shell::run(trial.env("PYTHONPATH", &client))?;
    server.stop()
}

/// The environment of the tools, made anew if others are required than it has.
fn tools(place: &Path) -> Result<Environment> {
    let (wanted, there) = (fs::read_to_string(REQUIREMENTS)?, place.join("requirements.txt"));
    if fs::read_to_string(&there).is_ok_and(|have| have == wanted) {
        return Environment::keep(place);
    }
    let environment = Environment::make(place)?;
    environment.install([OsStr::new("-r"), OsStr::new(REQUIREMENTS)])?;
    fs::write(there, wanted)?;
    Ok(environment)
}
