//! What the project may depend on, by the rules of `deny.toml`.
//!
//! Every test run checks the licences of all dependencies. `cargo xtask deny` runs cargo-deny
//! itself, with bans, sources and, where the network allows it, security advisories.

use crate::{setup, shell};
use anyhow::{Context, Result, ensure};
use serde::Deserialize;
use spdx::{Expression, LicenseItem, LicenseReq, ParseMode};
use std::fs;

const RULES: &str = "deny.toml";

/// Runs cargo-deny, installed under the target folder; `has_advisories` fetches the database of
/// known vulnerabilities and checks against it.
pub(crate) fn run(has_advisories: bool) -> Result<()> {
    let cargo_deny = setup::cargo_tool("cargo-deny", "0.20.2")?;
    let advisories = if has_advisories { "advisories" } else { "" };
    let line = format!("{} check licenses bans sources {advisories}", cargo_deny.display());
    shell::run(&mut shell::command(&line))
}

#[derive(Deserialize)]
struct Rules {
    licenses: Licenses,
}

#[derive(Deserialize)]
struct Licenses {
    allow: Vec<String>,
}

#[derive(Deserialize)]
struct Metadata {
    packages: Vec<Package>,
}

#[derive(Deserialize)]
struct Package {
    name: String,
    license: Option<String>,
}

/// Checks that the licence of every dependency is allowed.
pub(crate) fn check_licences() -> Result<()> {
    let rules: Rules = toml::from_str(&fs::read_to_string(RULES)?).context(RULES)?;
    let metadata = shell::output("cargo metadata --format-version 1 --locked --all-features")?;
    let metadata: Metadata = serde_json::from_str(&metadata)?;
    let refused: Vec<String> = metadata
        .packages
        .iter()
        .filter_map(|package| offence(package, &rules.licenses.allow))
        .collect();
    ensure!(refused.is_empty(), "{}; {RULES} has what is allowed", refused.join("; "));
    println!("the licences of {} packages are allowed", metadata.packages.len());
    Ok(())
}

/// What is wrong with the licence of `package`, if anything.
fn offence(package: &Package, allowed: &[String]) -> Option<String> {
    let Some(license) = &package.license else {
        return Some(format!("{} states no licence", package.name));
    };
    match Expression::parse_mode(license, ParseMode::LAX) {
        Ok(expression) if expression.evaluate(|need| is_allowed(need, allowed)) => None,
        _ => Some(format!("{} is under {license}", package.name)),
    }
}

fn is_allowed(need: &LicenseReq, allowed: &[String]) -> bool {
    match &need.license {
        LicenseItem::Spdx { .. } => allowed.contains(&need.to_string()),
        LicenseItem::Other { .. } => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_choice_needs_one_allowed_licence_and_a_sum_all() {
        let allowed = ["MIT", "Apache-2.0 WITH LLVM-exception"].map(str::to_owned);
        for (license, is_fine) in [
            (Some("MIT"), true),
            (Some("MIT/GPL-3.0-only"), true),
            (Some("GPL-3.0-only OR Apache-2.0 WITH LLVM-exception"), true),
            (Some("MIT AND GPL-3.0-only"), false),
            (Some("Apache-2.0"), false),
            (Some("LicenseRef-ours"), false),
            (Some("free"), false),
            (None, false),
        ] {
            let license = license.map(str::to_owned);
            let package = Package { name: "x".to_owned(), license };
            assert_eq!(offence(&package, &allowed).is_none(), is_fine, "{:?}", package.license);
        }
    }
}
