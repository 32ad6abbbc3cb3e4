//! `cargo xtask architecture`: writes the tables of ARCHITECTURE.md, or checks them.
//!
//! The page is written by hand except for what stands between a marker (`<!-- crates -->`,
//! `<!-- absences -->`, `<!-- files FOLDER -->`) and `<!-- end -->`. Those tables come from cargo's
//! metadata, from the list of what crates do without, and from the sentence that opens each file.
//! The check also follows every link of the page to a file, looks for what must be absent, and for
//! the tests that SECURITY.md names.

mod absent;
mod opening;
mod walls;

use crate::shell;
use anyhow::{Context, Result, bail, ensure};
use serde::Deserialize;
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

/// The page.
const PAGE: &str = "ARCHITECTURE.md";
/// Ends a generated table.
const END: &str = "<!-- end -->";
/// What a crate's folder may hold, in the order of its table.
const PARTS: [&str; 4] = ["src", "tests", "benches", "examples"];

#[derive(clap::Args)]
pub(crate) struct Options {
    /// Change nothing, and fail if a table is stale
    #[arg(long)]
    check: bool,
}

/// Writes the tables, or checks them.
pub(crate) fn run(options: &Options) -> Result<()> {
    if options.check {
        return check();
    }
    let old = fs::read_to_string(PAGE)?;
    let new = filled(&old, &crates()?)?;
    let verdict = if new == old { "is fresh already" } else { "written" };
    fs::write(PAGE, &new)?;
    println!("{PAGE}: {verdict}");
    check_all_but_tables(&new)
}

/// Fails if a table is stale.
pub(crate) fn check() -> Result<()> {
    let old = fs::read_to_string(PAGE)?;
    let new = filled(&old, &crates()?)?;
    if let Some((line, (old, new))) = (1..).zip(lines(&old).zip(lines(&new))).find(differs) {
        bail!(
            "{PAGE} is stale at line {line}:\n  it says  {old}\n  expected {new}\n\
             run `cargo xtask architecture` and commit the page"
        );
    }
    check_all_but_tables(&old)?;
    println!("{PAGE} is fresh");
    Ok(())
}

/// Fails if a link leads nowhere, or if the code does not keep what the page says of it.
fn check_all_but_tables(page: &str) -> Result<()> {
    check_links(page)?;
    absent::check()?;
    walls::check()
}

fn differs((_, (old, new)): &(i32, (&str, &str))) -> bool {
    old != new
}

/// The lines of a page, then empty ones for ever: a page may be longer than the other.
fn lines(page: &str) -> impl Iterator<Item = &str> {
    page.lines().map(Some).chain([None, None]).map(|line| line.unwrap_or("(the end of the page)"))
}

/// Fails if a link leads to a file that is not there.
fn check_links(page: &str) -> Result<()> {
    for (number, line) in (1..).zip(page.lines()) {
        for link in line.split("](").skip(1) {
            let target = link.split([')', '#']).next().unwrap_or_default();
            let is_there =
                target.is_empty() || target.contains("://") || Path::new(target).exists();
            ensure!(is_there, "{PAGE}:{number}: {target} is not there; expected where it went");
        }
    }
    Ok(())
}

/// A crate of the workspace.
struct Crate {
    /// The folder's name, which is shorter than the crate's.
    name: String,
    description: String,
    /// The crates that it uses, without those of its tests.
    uses: Vec<String>,
}

/// The page with fresh tables; an error if a crate has no place on it.
fn filled(page: &str, crates: &[Crate]) -> Result<String> {
    let (mut filled, mut folders) = (String::new(), Vec::new());
    let mut lines = page.lines();
    while let Some(line) = lines.next() {
        writeln!(filled, "{line}")?;
        let table = match marker(line).as_slice() {
            ["crates"] => crates_table(crates)?,
            ["absences"] => absent::table()?,
            &["files", folder] => {
                folders.push(folder);
                files_table(Path::new(folder))?
            }
            _ => continue,
        };
        ensure!(lines.any(|line| line == END), "{PAGE}: no `{END}` below `{line}`");
        writeln!(filled, "{table}{END}")?;
    }
    for Crate { name, .. } in crates {
        let folder = format!("crates/{name}");
        ensure!(
            folders.contains(&folder.as_str()),
            "{PAGE} has no table for {folder}; expected `<!-- files {folder} -->` and `{END}`"
        );
    }
    Ok(filled)
}

/// The words of a marker; none if the line is not one.
fn marker(line: &str) -> Vec<&str> {
    let words = line.strip_prefix("<!-- ").and_then(|rest| rest.strip_suffix(" -->"));
    words.unwrap_or_default().split_whitespace().collect()
}

/// The crates with what each is for and uses, each below those that use it.
fn crates_table(crates: &[Crate]) -> Result<String> {
    let mut table = "| crate | what it is | uses |\n|---|---|---|\n".to_owned();
    for Crate { name, description, uses } in crates {
        let uses = uses.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(" ");
        writeln!(table, "| [`{name}`](#{name}) | {description} | {uses} |")?;
    }
    Ok(table)
}

/// The files of a folder with the sentence that opens each.
fn files_table(folder: &Path) -> Result<String> {
    let mut table = "| file | what is in it |\n|---|---|\n".to_owned();
    let mut parts: Vec<PathBuf> = PARTS.iter().map(|part| folder.join(part)).collect();
    parts.retain(|part| part.is_dir());
    if parts.is_empty() {
        parts.push(folder.to_owned());
    }
    for part in parts {
        let mut files = Vec::new();
        gather(&part, &mut files)?;
        // A module stands before the folder of its parts, and the root of a crate before all.
        files.sort_by_key(|file| (!is_root(file), file.with_extension("")));
        // Most files lie in src: its name would be noise.
        let root = if part.ends_with("src") { &part } else { folder };
        for file in files {
            let sentence = opening::sentence(&fs::read_to_string(&file)?)
                .with_context(|| format!("{} cannot stand in a table", file.display()))?;
            let name = file.strip_prefix(root)?.display();
            writeln!(table, "| `{name}` | {sentence} |")?;
        }
    }
    Ok(table)
}

fn is_root(file: &Path) -> bool {
    ["lib.rs", "main.rs", "main.ts", "__init__.py"].iter().any(|name| file.ends_with(name))
}

/// The source files below a folder.
fn gather(folder: &Path, files: &mut Vec<PathBuf>) -> Result<()> {
    for entry in
        fs::read_dir(folder).with_context(|| format!("cannot read {}", folder.display()))?
    {
        let path = entry?.path();
        if path.is_dir() {
            gather(&path, files)?;
        } else if path
            .extension()
            .is_some_and(|ending| ["rs", "ts", "py"].iter().any(|e| ending == *e))
        {
            files.push(path);
        }
    }
    Ok(())
}

#[derive(Deserialize)]
struct Metadata {
    packages: Vec<Package>,
}

#[derive(Deserialize)]
struct Package {
    name: String,
    description: Option<String>,
    manifest_path: PathBuf,
    dependencies: Vec<Dependency>,
}

#[derive(Deserialize)]
struct Dependency {
    name: String,
    /// None for the crate itself; `dev` and `build` do not count.
    kind: Option<String>,
}

/// The crates of the workspace, each above those that it uses.
fn crates() -> Result<Vec<Crate>> {
    let text = shell::output("cargo metadata --no-deps --offline --locked --format-version 1")?;
    let Metadata { packages } = serde_json::from_str(&text)?;
    let folder = |package: &Package| -> Option<String> {
        Some(package.manifest_path.parent()?.file_name()?.to_str()?.to_owned())
    };
    let mut crates = Vec::new();
    for package in &packages {
        let mut uses: Vec<String> = Vec::new();
        for dependency in package.dependencies.iter().filter(|one| one.kind.is_none()) {
            uses.extend(packages.iter().find(|one| one.name == dependency.name).and_then(folder));
        }
        uses.sort();
        let name = folder(package).context("a package lies in a folder")?;
        let description = package.description.clone();
        let description = description.with_context(|| format!("{name} has no description"))?;
        crates.push(Crate { name, description, uses });
    }
    Ok(sorted(crates))
}

/// The crates in layers: each after all that use it, and by name within a layer.
fn sorted(mut rest: Vec<Crate>) -> Vec<Crate> {
    rest.sort_by(|one, other| one.name.cmp(&other.name));
    let mut sorted = Vec::with_capacity(rest.len());
    while !rest.is_empty() {
        let used: Vec<String> = rest.iter().flat_map(|one| one.uses.clone()).collect();
        // Cargo allows no circles: some crate is used by none of the rest.
        let (top, below) = rest.into_iter().partition(|one| !used.contains(&one.name));
        sorted.extend::<Vec<Crate>>(top);
        rest = below;
    }
    sorted
}

#[cfg(test)]
mod tests {
    use super::*;

    fn one(name: &str, uses: &[&str]) -> Crate {
        let uses = uses.iter().map(ToString::to_string).collect();
        Crate { name: name.to_owned(), description: format!("About {name}"), uses }
    }

    #[test]
    fn crates_stand_above_those_they_use() {
        let crates = [one("a", &[]), one("b", &["a"]), one("c", &["a", "b"]), one("d", &[])];
        let names: Vec<_> = sorted(crates.into()).into_iter().map(|one| one.name).collect();
        assert_eq!(names, ["c", "d", "b", "a"]);
    }

    #[test]
    fn only_what_stands_between_markers_changes() {
        let page = "Above.\n<!-- crates -->\nold\n<!-- end -->\nBelow.\n";
        let row = "| [`a`](#a) | About a |  |";
        let expected = format!(
            "Above.\n<!-- crates -->\n| crate | what it is | uses |\n|---|---|---|\n{row}\n\
             <!-- end -->\nBelow.\n"
        );
        let fresh = crates_table(&[one("a", &[])]).unwrap();
        assert!(fresh.contains(row));
        let error = filled(page, &[one("a", &[])]).unwrap_err().to_string();
        assert!(error.contains("no table for crates/a"), "{error}");
        assert_eq!(filled(page, &[]).unwrap().lines().count(), expected.lines().count() - 1);
        let error = check_links("[a](#a)\n[b](src/nowhere.rs#b)\n").unwrap_err().to_string();
        assert!(error.contains(":2: src/nowhere.rs is not there"), "{error}");
        let error = filled("<!-- crates -->\n", &[]).unwrap_err().to_string();
        assert!(error.contains("no `<!-- end -->`"), "{error}");
    }
}
