//! Turns of the guests of several processes on the cores of one machine.
//!
//! Two guests that think on one core slow each other, and each would pay by its clock for what the
//! other does. Processes that take turns let one guest think on a core at a time, and no clock runs
//! while it waits for that. A turn is a lock on a file: the system releases it when its holder ends,
//! killed or not. A second lock is the gate to it, so that the holder, who wants it again a moment
//! later, cannot pass over anybody who waits.

use super::cores::{available, pin, set, share};
use rustix::fs::{FlockOperation, flock};
use rustix::io::Errno;
use rustix::process::{Pid, getpid};
use rustix::thread::CpuSet;
use std::fs::{DirBuilder, File, OpenOptions};
use std::io;
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::thread::sleep;
use std::time::{Duration, Instant};

/// How long to wait before a lock is tried again.
const PAUSE: Duration = Duration::from_millis(2);

/// How long a guest that may think anywhere waits: a person waits for it. The course's moves are over
/// sooner.
const PATIENCE: Duration = Duration::from_secs(10);

/// The cores of this machine in places, on each of which one guest thinks at a time.
///
/// All processes that take turns must see the same cores.
#[derive(Debug)]
pub struct Turns {
    folder: PathBuf,
    /// The cores of each place that this process may take.
    places: Vec<Vec<usize>>,
    /// Whether the whole process keeps to its place.
    is_confined: bool,
}

/// A turn to think, until it is dropped.
#[derive(Debug)]
pub struct Turn {
    _lock: Lock,
    /// The cores that it is for, unless the whole process keeps to them.
    cores: Option<CpuSet>,
}

/// A lock on a file, which dropping releases.
#[derive(Debug)]
struct Lock {
    file: File,
    is_held: bool,
}

/// The locks of a place.
struct Place {
    gate: Lock,
    turn: Lock,
}

impl Turns {
    /// Turns by locks in `folder` on the cores of `place`, from 0, of so many. This process keeps to
    /// them from now on. If there are more places than cores, some share a core and its turns.
    ///
    /// # Errors
    /// If the locks cannot be used.
    pub fn at(folder: PathBuf, place: usize, count: usize) -> io::Result<Turns> {
        let cores = share(&available(), place, count).to_vec();
        pin(getpid(), &set(&cores));
        Turns { folder, places: vec![cores], is_confined: true }.tried()
    }

    /// Turns at whichever of so many places is free first.
    ///
    /// # Errors
    /// If the locks cannot be used.
    pub fn anywhere(folder: PathBuf, count: usize) -> io::Result<Turns> {
        let cores = available();
        let count = count.min(cores.len()).max(1);
        let places = (0..count).map(|place| share(&cores, place, count).to_vec()).collect();
        Turns { folder, places, is_confined: false }.tried()
    }

    /// These turns, once every lock could be opened. Their files are for their owner alone: whoever
    /// can open them can keep everybody waiting.
    fn tried(self) -> io::Result<Turns> {
        DirBuilder::new().recursive(true).mode(0o700).create(&self.folder)?;
        self.open().map(|_| self)
    }

    fn open(&self) -> io::Result<Vec<Place>> {
        let place = |cores: &Vec<usize>| -> io::Result<Place> {
            let name = cores.first().map_or_else(|| "any".to_owned(), usize::to_string);
            let lock = |what: &str| -> io::Result<Lock> {
                let path = self.folder.join(format!("core-{name}.{what}"));
                let mut options = OpenOptions::new();
                options.create(true).truncate(false).write(true).mode(0o600);
                Ok(Lock { file: options.open(path)?, is_held: false })
            };
            Ok(Place { gate: lock("gate")?, turn: lock("turn")? })
        };
        self.places.iter().map(place).collect()
    }

    /// Waits for a turn. `None` if `stop` is set meanwhile, if files cannot be locked any more, or if no
    /// place was free for ten seconds where any would do: then guests think all the same.
    pub fn take(&self, stop: &AtomicBool) -> Option<Turn> {
        let mut places = self.open().ok()?;
        let began = Instant::now();
        loop {
            for at in 0..places.len() {
                if places[at].is_ours().ok()? {
                    let Place { turn, .. } = places.swap_remove(at);
                    let cores = (!self.is_confined).then(|| set(&self.places[at]));
                    return Some(Turn { _lock: turn, cores });
                }
            }
            let is_tired = !self.is_confined && began.elapsed() >= PATIENCE;
            if is_tired || stop.load(Relaxed) {
                return None;
            }
            sleep(PAUSE);
        }
    }
}

impl Place {
    /// Whether the turn is ours now.
    fn is_ours(&mut self) -> io::Result<bool> {
        Ok(self.gate.hold()? && self.turn.hold()?)
    }
}

impl Lock {
    /// Locks the file, unless somebody else has; whether it is locked.
    fn hold(&mut self) -> io::Result<bool> {
        if !self.is_held {
            match flock(&self.file, FlockOperation::NonBlockingLockExclusive) {
                Ok(()) => self.is_held = true,
                Err(Errno::WOULDBLOCK) => {}
                Err(error) => return Err(error.into()),
            }
        }
        Ok(self.is_held)
    }
}

impl Drop for Lock {
    fn drop(&mut self) {
        // To close it is not enough: a process that was forked meanwhile may have it open too.
        if self.is_held {
            let _ = flock(&self.file, FlockOperation::Unlock);
        }
    }
}

impl Turn {
    /// Moves a process to the cores that the turn is for.
    pub(super) fn keep_to_cores(&self, process: Pid) {
        if let Some(cores) = &self.cores {
            pin(process, cores);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::env::temp_dir;
    use std::fs::remove_dir_all;
    use std::process;
    use std::sync::Barrier;

    static NEVER: AtomicBool = AtomicBool::new(false);

    /// Turns at two places, and anywhere.
    struct Three {
        one: Turns,
        other: Turns,
        anywhere: Turns,
    }

    impl Three {
        /// Those of the test called `name`.
        fn new(name: &str) -> Three {
            let folder = temp_dir().join(format!("isrever-turns-{name}-{}", process::id()));
            let of = |places: &[usize], is_confined| {
                let places = places.iter().map(|&core| vec![core]).collect();
                Turns { folder: folder.clone(), places, is_confined }.tried().unwrap()
            };
            Three { one: of(&[0], true), other: of(&[1], true), anywhere: of(&[0, 1], false) }
        }
    }

    impl Drop for Three {
        fn drop(&mut self) {
            let _ = remove_dir_all(&self.one.folder);
        }
    }

    #[test]
    fn a_place_has_one_turn_at_a_time_and_any_place_will_do_for_some() {
        let all = Three::new("free");
        let Three { one, other, anywhere } = &all;
        let first = one.take(&NEVER).unwrap();
        let second = anywhere.take(&NEVER).unwrap();
        assert!(first.cores.is_none() && second.cores.is_some_and(|cores| cores.is_set(1)));
        let stopped = AtomicBool::new(true);
        for taken in [one, other, anywhere] {
            assert!(taken.take(&stopped).is_none(), "both places are taken");
        }
        drop(first);
        assert!(other.take(&stopped).is_none(), "the second place is not free");
        drop((one.take(&stopped).unwrap(), second));
        drop((other.take(&stopped).unwrap(), anywhere.take(&stopped).unwrap()));
    }

    #[test]
    fn the_one_that_waits_is_next_however_soon_the_holder_comes_again() {
        let all = Three::new("next");
        let (begun, is_over) = (Barrier::new(3), AtomicBool::new(false));
        std::thread::scope(|scope| {
            for judge in [&all.one, &all.other] {
                let (begun, is_over) = (&begun, &is_over);
                scope.spawn(move || {
                    let mut turn = judge.take(&NEVER);
                    begun.wait();
                    while !is_over.load(Relaxed) {
                        drop(turn);
                        turn = judge.take(&NEVER);
                    }
                });
            }
            begun.wait();
            // They take theirs again at once: without gates hardly ever one would be left.
            for _ in 0..20 {
                drop(all.anywhere.take(&NEVER).unwrap());
            }
            is_over.store(true, Relaxed);
        });
    }

    #[test]
    fn where_files_cannot_be_locked_nobody_waits() {
        let all = Three::new("gone");
        remove_dir_all(&all.one.folder).unwrap();
        assert!(all.one.take(&NEVER).is_none());
        let file = process::id().to_string();
        assert!(Turns::anywhere(PathBuf::from("/proc/self/stat").join(file), 1).is_err());
    }
}
