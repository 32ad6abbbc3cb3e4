//! Describes this program and its machine, for the folders of experiments.

use isrever_board::{Rule, Size};
use isrever_lab::experiment::{Provenance, WeightsFile};
use isrever_web::date;
use std::fs;
use std::time::Duration;

/// The provenance of what began at `began_ms` milliseconds since 1970, took so long, and was
/// worked on by so many threads.
pub(crate) fn provenance(began_ms: i64, took: Duration, threads: usize) -> Provenance {
    Provenance {
        version: env!("CARGO_PKG_VERSION").to_owned(),
        commit: env!("ISREVER_COMMIT").to_owned(),
        compiler: env!("ISREVER_COMPILER").to_owned(),
        profile: if cfg!(debug_assertions) { "debug" } else { "release" }.to_owned(),
        machine: processor(),
        cores: std::thread::available_parallelism().map_or(1, usize::from),
        threads,
        began: date::words(began_ms),
        seconds: (took.as_secs_f64() * 1e3).round() / 1e3,
        weights: WeightsFile::carried(),
    }
}

/// The weights in the program for this rule and board: the file and the beginning of its hash.
pub(crate) fn embedded_weights(rule: Rule, size: Size) -> String {
    let name = match size {
        Size::EIGHT => format!("{rule}.bin"),
        _ => format!("{rule}-{size}x{size}.bin"),
    };
    let file = WeightsFile::carried().into_iter().find(|weights| weights.file == name);
    file.map_or_else(|| "none".to_owned(), |file| format!("{name} {}", &file.sha256[..8]))
}

/// What all processors together have spent on this process so far, threads that have ended included,
/// where the system tells it.
pub(crate) fn processor_time() -> Option<Duration> {
    time_of(Whose::Process)
}

/// How long this thread has had a processor, where the system tells it: unlike the clock on the
/// wall it does not run while others do.
pub(crate) fn thread_time() -> Option<Duration> {
    time_of(Whose::Thread)
}

/// Whose processor time.
enum Whose {
    Process,
    Thread,
}

#[cfg(unix)]
fn time_of(whose: Whose) -> Option<Duration> {
    use rustix::time::{ClockId, clock_gettime};
    let clock = match whose {
        Whose::Process => ClockId::ProcessCPUTime,
        Whose::Thread => ClockId::ThreadCPUTime,
    };
    clock_gettime(clock).try_into().ok()
}

#[cfg(not(unix))]
fn time_of(_: Whose) -> Option<Duration> {
    None
}

/// The processor's name, where the system tells it.
fn processor() -> String {
    let about = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let name = about.lines().find_map(|line| line.strip_prefix("model name"));
    let name = name.map(|name| name.trim_start_matches([' ', '\t', ':']).to_owned());
    name.unwrap_or_else(|| std::env::consts::ARCH.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_file_of_weights_has_its_hash() {
        let provenance = provenance(0, Duration::from_secs(2), 1);
        assert_eq!(provenance.weights.len(), 5);
        assert!(provenance.weights.iter().all(|weights| weights.sha256.len() == 64));
        assert_eq!(provenance.began, "1970-01-01T00:00:00Z");
        assert!(!provenance.commit.is_empty() && !provenance.compiler.is_empty());
    }
}
