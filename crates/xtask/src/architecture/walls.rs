//! The tests that SECURITY.md names for its walls: every one of them must exist.
//!
//! The last cell of each row of its table lists files, each followed by the tests in it that are
//! meant: `` `guest/tests/cores.rs`: `one_test`, `another`; `python/tests/test_fork.py`: `test_it` ``.
//! A test is a function with its attribute, a function of Python's, or an attack by its name.

use anyhow::{Context, Result, bail, ensure};
use std::fs;
use std::path::{Path, PathBuf};

const PAGE: &str = "SECURITY.md";

/// The heading above the table.
const HEADING: &str = "## Threats and walls";

/// Fails if a row names no test, or one that does not exist.
pub(super) fn check() -> Result<()> {
    let page = fs::read_to_string(PAGE)?;
    let read = |name: &str| {
        let file = file(name).with_context(|| format!("there is no file {name}"))?;
        Ok(fs::read_to_string(file)?)
    };
    let count = check_page(&page, &read)?;
    ensure!(count > 0, "{PAGE}: no table below {HEADING:?}");
    Ok(())
}

/// Checks the rows of a page by the sources that `read` gives, and counts them.
fn check_page(page: &str, read: &dyn Fn(&str) -> Result<String>) -> Result<usize> {
    let lines = (1..).zip(page.lines()).skip_while(|(_, line)| *line != HEADING).skip(1);
    let section = lines.take_while(|(_, line)| !line.starts_with("## "));
    // The first two lines of a table are its head.
    let rows = section.filter(|(_, line)| line.starts_with('|')).skip(2);
    let mut count = 0;
    for (number, row) in rows {
        let cell = row.trim_end_matches(['|', ' ']).rsplit(" | ").next().unwrap_or_default();
        check_cell(cell, read).with_context(|| format!("{PAGE}:{number}: {cell}"))?;
        count += 1;
    }
    Ok(count)
}

/// Checks the tests of one row.
fn check_cell(cell: &str, read: &dyn Fn(&str) -> Result<String>) -> Result<()> {
    let mut source = None;
    let mut count = 0;
    // What is quoted stands between every other pair of quotes.
    for quoted in cell.split('`').skip(1).step_by(2) {
        if is_file(quoted) {
            source = Some((quoted, read(quoted)?));
            continue;
        }
        let Some((file, source)) = &source else { bail!("{quoted:?} stands before any file") };
        ensure!(has_test(source, quoted), "there is no test {quoted:?} in {file}");
        count += 1;
    }
    ensure!(count > 0, "no test is named; expected a file in backticks, and its tests");
    Ok(())
}

fn is_file(name: &str) -> bool {
    let ending = Path::new(name).extension();
    name.contains('/') && ending.is_some_and(|ending| ending == "rs" || ending == "py")
}

/// Where a file lies that is named without `crates/`, and perhaps without `src/`.
fn file(name: &str) -> Option<PathBuf> {
    let (first, rest) = name.split_once('/')?;
    let places = [format!("crates/{name}"), format!("crates/{first}/src/{rest}"), name.to_owned()];
    places.into_iter().map(PathBuf::from).find(|place| place.is_file())
}

/// Whether a source has a test of this name.
fn has_test(source: &str, name: &str) -> bool {
    if name.contains(' ') {
        // An attack: the first argument of a function that makes one.
        let quoted = format!("{name:?},");
        let mut before = source.match_indices(&quoted).map(|(place, _)| &source[..place]);
        return before.any(|before| before.trim_end().ends_with('('));
    }
    if source.contains(&format!("\ndef {name}(")) {
        return name.starts_with("test_");
    }
    let mut lines: Vec<&str> = source.lines().map(str::trim).collect();
    let heads = [format!("fn {name}("), format!("async fn {name}(")];
    let Some(place) = lines.iter().position(|line| heads.iter().any(|h| line.starts_with(h)))
    else {
        // An attack of one word.
        return source.contains(&format!("(\"{name}\","));
    };
    lines.truncate(place);
    let attributes = lines.iter().rev().take_while(|line| line.starts_with("#["));
    attributes.into_iter().any(|line| line.starts_with("#[test]") || line.contains("::test"))
}

#[cfg(test)]
mod tests {
    use super::*;

    const SOURCE: &str = "
        #[test]
        #[expect(unsafe_code)]
        fn one() {}

        #[tokio::test(start_paused = true)]
        async fn another() {}

        fn helper() {}
        case(\"forks\", \"…\");
        fails(
            \"keeps data, in pipes\",
            \"says a word\",
        )\ndef test_it(x):\ndef other(x):\n";

    fn check_row(cell: &str) -> Result<usize> {
        let page = format!(
            "# Page\n{HEADING}\nWords.\n\n| a | b |\n|---|---|\n| x | {cell} |\n\n## Other\n| y |\n"
        );
        check_page(&page, &|name| match name {
            "a/b.rs" => Ok(SOURCE.to_owned()),
            _ => bail!("there is no file {name}"),
        })
    }

    #[test]
    fn tests_that_exist_are_found() {
        let cell = "`a/b.rs`: `one`, `another`, `forks`, `keeps data, in pipes`; `a/b.rs`: `test_it`; [more](x.md)";
        assert_eq!(check_row(cell).unwrap(), 1);
    }

    #[test]
    fn whatever_is_no_test_is_refused() {
        for (cell, offence) in [
            ("`a/b.rs`", "no test is named"),
            ("nothing", "no test is named"),
            ("`one`", "before any file"),
            ("`a/c.rs`: `one`", "there is no file a/c.rs"),
            ("`a/b.rs`: `two`", "no test \"two\" in a/b.rs"),
            ("`a/b.rs`: `helper`", "no test \"helper\""),
            ("`a/b.rs`: `other`", "no test \"other\""),
            ("`a/b.rs`: `on`", "no test \"on\""),
            ("`a/b.rs`: `says a word`", "no test \"says a word\""),
        ] {
            let error = format!("{:#}", check_row(cell).unwrap_err());
            assert!(error.contains(offence) && error.contains("SECURITY.md:7"), "{cell}: {error}");
        }
    }
}
