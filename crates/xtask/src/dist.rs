//! What a release consists of: program, completions, manual pages, wheel and checksums, in `dist/`.

use crate::hash::hash;
use crate::{package, shell};
use anyhow::{Context, Result};
use std::fmt::Write;
use std::fs;
use std::path::Path;

const PLACE: &str = "dist";

/// The shells that get completions, each with the name its users expect of the file.
const COMPLETIONS: [(&str, &str); 3] =
    [("bash", "isrever.bash"), ("zsh", "_isrever"), ("fish", "isrever.fish")];

/// Builds everything anew.
pub(crate) fn run() -> Result<()> {
    let place = Path::new(PLACE);
    // The wheel's folder holds nothing else when it is made.
    let wheel = package::wheel(place, package::Build::Dist)?;
    shell::run(&mut shell::command("cargo build --profile dist --locked --package isrever"))?;
    let version = env!("CARGO_PKG_VERSION");
    let target = format!("{}-{}", std::env::consts::ARCH, std::env::consts::OS);
    let name = format!("isrever-{version}-{target}");
    let folder = place.join(&name);
    fs::create_dir_all(&folder)?;
    let program = folder.join("isrever");
    fs::copy(shell::target_folder()?.join("dist/isrever"), &program)?;
    for (shell_name, file) in COMPLETIONS {
        let line = format!("{} completions {shell_name}", program.display());
        fs::write(folder.join(file), shell::output(&line)? + "\n")?;
    }
    shell::run(&mut shell::command(&format!("{} man {}", program.display(), folder.display())))?;
    for file in ["README.md", "CHANGELOG.md", "LICENSE-APACHE", "LICENSE-MIT"] {
        fs::copy(file, folder.join(file))?;
    }
    let archive = format!("{name}.tar.gz");
    shell::run(&mut shell::command(&format!("tar -C {PLACE} -czf {PLACE}/{archive} {name}")))?;
    fs::remove_dir_all(&folder)?;
    let wheel = wheel.file_name().and_then(|name| name.to_str()).context("the wheel has a name")?;
    let mut sums = String::new();
    for file in [archive.as_str(), wheel] {
        let bytes = fs::read(place.join(file))?;
        writeln!(sums, "{}  {file}", hash(&bytes))?;
        println!("{PLACE}/{file}: {:.1} MiB", bytes.len() as f64 / (1 << 20) as f64);
    }
    fs::write(place.join("SHA256SUMS"), sums)?;
    println!("{PLACE}/SHA256SUMS: `sha256sum -c SHA256SUMS` checks them");
    Ok(())
}
