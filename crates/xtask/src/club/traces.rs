//! What the processes of a simulated class use, and what is left of them in the end.

use super::campus::{Campus, processes};
use crate::spread::Spread;
use anyhow::{Context, Result};
use std::collections::BTreeSet;
use std::fmt::Write;
use std::fs;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::thread;
use std::time::Duration;

/// How often memory is measured.
const PAUSE: Duration = Duration::from_secs(2);

/// Memory of one process at one moment.
struct Sample {
    seconds: f64,
    is_server: bool,
    process: u32,
    kib: f64,
}

/// Memory over time, and every judge that was seen.
#[derive(Default)]
pub(super) struct Memory {
    samples: Vec<Sample>,
    judges: BTreeSet<u32>,
}

/// Measures memory until told to stop.
pub(super) fn watch(campus: &Campus, stop: &AtomicBool) -> Memory {
    let mut memory = Memory::default();
    while !stop.load(Relaxed) {
        let judges = campus.judge_processes();
        let server = campus.server_process();
        let all = server.map(|id| (id, true)).into_iter();
        for (process, is_server) in all.chain(judges.iter().map(|&id| (id, false))) {
            // It may be gone.
            let Some(kib) = resident_kib(process) else { continue };
            memory.samples.push(Sample { seconds: campus.seconds(), is_server, process, kib });
        }
        memory.judges.extend(judges);
        thread::sleep(PAUSE);
    }
    memory
}

fn resident_kib(process: u32) -> Option<f64> {
    let status = fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    line.trim().trim_end_matches(" kB").parse().ok()
}

impl Memory {
    /// All samples as CSV.
    pub(super) fn csv(&self) -> Result<String> {
        let mut text = "seconds,what,process,kib\n".to_owned();
        for Sample { seconds, is_server, process, kib } in &self.samples {
            let what = if *is_server { "server" } else { "judge" };
            writeln!(text, "{seconds:.1},{what},{process},{kib}")?;
        }
        Ok(text)
    }

    /// The medians of the three thirds of the time, in MiB, and the most, for server or judges.
    pub(super) fn thirds(&self, of_server: bool) -> [f64; 4] {
        let of: Vec<&Sample> = self.samples.iter().filter(|s| s.is_server == of_server).collect();
        let end = of.iter().map(|sample| sample.seconds).fold(0.0, f64::max);
        let median = |third: u32| {
            let from = end * f64::from(third) / 3.0;
            let inside = |sample: &&&Sample| (from..=from + end / 3.0).contains(&sample.seconds);
            let spread: Spread =
                of.iter().filter(inside).map(|sample| sample.kib / 1_024.0).collect();
            spread.part(50).unwrap_or_default()
        };
        let most = of.iter().map(|sample| sample.kib / 1_024.0).fold(0.0, f64::max);
        [median(0), median(1), median(2), most]
    }

    /// Processes and folders of agents and judges that are there although the server has ended.
    pub(super) fn left(&self, campus: &Campus) -> Result<Vec<String>> {
        let marks: Vec<String> = self.judges.iter().map(|id| format!("guest-of-{id}")).collect();
        let club = campus.club();
        let club = club.to_string_lossy();
        let is_ours = |words: &[&str]| {
            let is_marked =
                |word: &&str| marks.iter().any(|mark| word.split(' ').any(|w| w == mark));
            words.contains(&&*club) || words.iter().any(is_marked)
        };
        let mut left: Vec<String> =
            processes(is_ours).iter().map(|id| format!("process {id}")).collect();
        for entry in fs::read_dir(campus.temporary())? {
            left.push(entry?.path().display().to_string());
        }
        Ok(left)
    }
}

/// A file of somebody else's with a secret in it, and whether it is as it was.
pub(super) struct Canary<'a> {
    pub(super) path: &'a Path,
    pub(super) secret: String,
}

impl Canary<'_> {
    pub(super) fn place(&self) -> Result<()> {
        fs::write(self.path, &self.secret).with_context(|| self.path.display().to_string())
    }

    pub(super) fn is_untouched(&self) -> bool {
        fs::read_to_string(self.path).is_ok_and(|text| text == self.secret)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_is_told_by_thirds() {
        let sample = |second: u32| Sample {
            seconds: f64::from(second),
            is_server: true,
            process: 1,
            kib: f64::from(1_024 * (1 + second / 10)),
        };
        let memory = Memory { samples: (0..30).map(sample).collect(), judges: BTreeSet::new() };
        let [first, second, third, most] = memory.thirds(true);
        assert_eq!((first, second, third, most), (1.0, 2.0, 3.0, 3.0));
        assert_eq!(memory.thirds(false), [0.0; 4]);
        assert!(memory.csv().unwrap().contains("\n29.0,server,1,3072\n"));
    }
}
