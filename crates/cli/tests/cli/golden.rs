//! What commands print, as files of commands and their output under `tests/golden/`.
//!
//! After a wanted change, `TRYCMD=overwrite cargo test -p isrever golden` writes them anew.

#[test]
fn commands_print_what_the_golden_files_say() {
    trycmd::TestCases::new().case("tests/golden/*.md");
}
