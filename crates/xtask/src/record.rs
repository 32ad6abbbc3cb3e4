//! Writes dated records of measurements under docs/records/.

use crate::shell;
use anyhow::Result;
use std::fmt::Write;
use std::fs;

/// When, on what and of what the record speaks; on this machine if no other is named. The task is
/// what `cargo xtask` was asked for.
pub(crate) fn heading(title: &str, task: &str, machine: Option<&str>) -> Result<String> {
    let cpu = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let model = cpu.lines().find_map(|line| line.strip_prefix("model name")).unwrap_or("unknown");
    let dirty = if shell::output("git status --porcelain")?.is_empty() { "" } else { " + changes" };
    let mut text = String::new();
    writeln!(text, "# {title}\n")?;
    writeln!(text, "- Command: `cargo xtask {task}`")?;
    writeln!(text, "- Date: {}", shell::output("date -u +%F")?)?;
    writeln!(text, "- Commit: {}{dirty}", shell::output("git rev-parse --short HEAD")?)?;
    writeln!(text, "- Compiler: {}", shell::output("rustc --version")?)?;
    let model = model.trim_start_matches([' ', '\t', ':']);
    writeln!(text, "- Machine: {}", machine.unwrap_or(model))?;
    Ok(text)
}

/// How busy the machine was: what stands in a record whose figures depend on it.
pub(crate) fn load() -> String {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let load = fs::read_to_string("/proc/loadavg").unwrap_or_default();
    let load: Vec<&str> = load.split_whitespace().take(3).collect();
    let load = load.join(", ");
    format!("- Cores: {cores}\n- Load over the last 1, 5 and 15 minutes: {load}\n")
}

/// Writes the record to its dated file, or prints it.
pub(crate) fn finish(record: &str, name: &str, dry_run: bool) -> Result<()> {
    if dry_run {
        println!("\n{record}");
        return Ok(());
    }
    let path = format!("docs/records/{}-{name}.md", shell::output("date -u +%F")?);
    fs::write(&path, record)?;
    println!("\nwritten: {path}");
    Ok(())
}
