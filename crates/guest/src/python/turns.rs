//! Turns of the guests of several processes on the cores of one machine.
//!
//! Two guests that think on one core slow each other, and each would pay by its clock for what the
//! other does. Processes that take turns let one guest think on a core at a time, and no clock runs
//! while it waits for that. A turn is a lock on a file: the system releases it when its holder ends,
//! killed or not. A second lock is the gate to it, so that the holder, who wants it again a moment
//! later, cannot pass over anybody who waits.

use super::cores::{available, confine, pin, set, share};
use rustix::fs::{FlockOperation, flock};
use rustix::process::Pid;
use rustix::thread::CpuSet;
use std::fs::{File, OpenOptions, create_dir_all};
use std::io;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::thread::sleep;
use std::time::Duration;

/// How long to wait before a lock is tried again.
const PAUSE: Duration = Duration::from_millis(2);

/// The cores of this machine in places, on each of which one guest thinks at a time.
#[derive(Debug)]
pub struct Turns {
    folder: PathBuf,
    /// How many places there are: no more than cores.
    count: usize,
    /// The place that this process keeps to; `None` if it takes any.
    own: Option<usize>,
    /// The cores that this process might use at the beginning.
    cores: Vec<usize>,
}

/// A guest's turn to think, until it is dropped.
#[derive(Debug)]
pub(crate) struct Turn {
    _lock: Lock,
    /// The cores that it is for, unless the whole process keeps to them.
    cores: Option<CpuSet>,
}

/// A file that is locked until this is dropped, once it is.
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
    pub fn at(folder: PathBuf, place: usize, count: usize) -> io::Result<Turns> {
        let turns = Turns::anywhere(folder, count)?;
        confine(std::process::id(), place, count);
        Ok(Turns { own: Some(place % turns.count), ..turns })
    }

    /// Turns at whichever of so many places is free first.
    pub fn anywhere(folder: PathBuf, count: usize) -> io::Result<Turns> {
        create_dir_all(&folder)?;
        let cores = available();
        Ok(Turns { folder, count: count.min(cores.len()).max(1), own: None, cores })
    }

    /// Waits for a turn. `None` if `stop` is set meanwhile, or files cannot be locked: then guests
    /// think all the same.
    pub(super) fn take(&self, stop: &AtomicBool) -> Option<Turn> {
        let first = self.own.unwrap_or(0);
        let places = first..self.own.map_or(self.count, |own| own + 1);
        let mut places: Vec<Place> =
            places.map(|place| self.place(place)).collect::<io::Result<_>>().ok()?;
        loop {
            if let Some(at) = places.iter_mut().position(Place::is_ours) {
                let Place { turn, .. } = places.swap_remove(at);
                let share = || set(share(&self.cores, first + at, self.count));
                return Some(Turn { _lock: turn, cores: self.own.is_none().then(share) });
            }
            if stop.load(Relaxed) {
                return None;
            }
            sleep(PAUSE);
        }
    }

    fn place(&self, place: usize) -> io::Result<Place> {
        let lock = |what: &str| -> io::Result<Lock> {
            let path = self.folder.join(format!("{}.{what}", place + 1));
            let file = OpenOptions::new().create(true).truncate(false).write(true).open(path)?;
            Ok(Lock { file, is_held: false })
        };
        Ok(Place { gate: lock("gate")?, turn: lock("turn")? })
    }
}

impl Place {
    /// Whether the turn is ours now.
    fn is_ours(&mut self) -> bool {
        self.gate.hold() && self.turn.hold()
    }
}

impl Lock {
    /// Locks the file, unless somebody else has; whether it is locked.
    fn hold(&mut self) -> bool {
        let lock = || flock(&self.file, FlockOperation::NonBlockingLockExclusive).is_ok();
        self.is_held = self.is_held || lock();
        self.is_held
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
    use std::sync::atomic::AtomicUsize;

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
            let anywhere = || Turns { count: 2, ..Turns::anywhere(folder.clone(), 2).unwrap() };
            let at = |place| Turns { own: Some(place), ..anywhere() };
            Three { one: at(0), other: at(1), anywhere: anywhere() }
        }
    }

    impl Drop for Three {
        fn drop(&mut self) {
            let _ = remove_dir_all(&self.one.folder);
        }
    }

    #[test]
    fn a_place_has_one_turn_at_a_time_and_whoever_may_go_anywhere_takes_what_is_free() {
        let all = Three::new("free");
        let Three { one, other, anywhere } = &all;
        let first = one.take(&NEVER).unwrap();
        let second = anywhere.take(&NEVER).unwrap();
        assert!(first.cores.is_none() && second.cores.is_some());
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
    fn who_waits_is_next_however_soon_the_holder_comes_again() {
        let all = Three::new("next");
        let (begun, count, is_over) =
            (Barrier::new(3), AtomicUsize::new(0), AtomicBool::new(false));
        std::thread::scope(|scope| {
            for judge in [&all.one, &all.other] {
                let (begun, count, is_over) = (&begun, &count, &is_over);
                scope.spawn(move || {
                    let mut turn = judge.take(&NEVER);
                    begun.wait();
                    while !is_over.load(Relaxed) {
                        drop(turn);
                        turn = judge.take(&NEVER);
                        count.fetch_add(1, Relaxed);
                    }
                });
            }
            begun.wait();
            // Without gates the two would hardly ever leave it a turn: they take theirs again at once.
            for _ in 0..20 {
                drop(all.anywhere.take(&NEVER).unwrap());
            }
            is_over.store(true, Relaxed);
        });
        assert!(count.into_inner() > 0);
    }

    #[test]
    fn where_files_cannot_be_locked_nobody_waits() {
        let all = Three::new("gone");
        remove_dir_all(&all.one.folder).unwrap();
        assert!(all.one.take(&NEVER).is_none());
    }
}
