//! Gives guests that run at the same time cores of their own: no thread of one slows another.
//!
//! A guest runs while it starts and while it thinks; between its moves it is suspended. The cores of
//! this process are shared out evenly over as many guests as ever ran at once, so a guest that runs
//! alone has all of them. The sandbox keeps guests from choosing their cores themselves. If more
//! guests run than there are cores, some share one.

use crate::owner::Owner;
use rustix::process::Pid;
use rustix::thread::{CpuSet, sched_getaffinity, sched_setaffinity};
use std::collections::HashSet;
use std::fs;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// How often to look for threads that a guest starts while its cores change.
const MOST_LOOKS: usize = 100;

/// The guests that run now.
static PLACES: Mutex<Places> = Mutex::new(Places { owner: None, guests: Vec::new() });

/// Guests by place: there are as many places as guests ever ran at once.
struct Places {
    /// The process whose guests they are: a forked one begins with none.
    owner: Option<Owner>,
    guests: Vec<Option<Pid>>,
}

/// A guest's place among those that run, until it is dropped.
pub(super) struct Place(usize);

/// Lets process `pid` run on the cores of a free place.
pub(super) fn occupy(pid: Pid) -> Place {
    let mut places = places();
    if !places.owner.is_some_and(Owner::is_this) {
        *places = Places { owner: Some(Owner::this()), guests: Vec::new() };
    }
    let guests = &mut places.guests;
    let free = guests.iter().position(Option::is_none);
    let place = free.unwrap_or_else(|| {
        guests.push(None);
        guests.len() - 1
    });
    guests[place] = Some(pid);
    if guests.len() == 1 {
        return Place(place);
    }
    let (all, count) = (available(), guests.len());
    // A new place leaves fewer cores to the others; an old one is this guest's business alone.
    let moving = if free.is_none() { 0..count } else { place..place + 1 };
    for place in moving {
        if let Some(pid) = guests[place] {
            pin(pid, &set(share(&all, place, count)));
        }
    }
    Place(place)
}

impl Drop for Place {
    fn drop(&mut self) {
        if let Some(guest) = places().guests.get_mut(self.0) {
            *guest = None;
        }
    }
}

/// Ignores poisoning: the list is consistent at every moment.
fn places() -> MutexGuard<'static, Places> {
    PLACES.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The cores that this process may use.
pub(super) fn available() -> Vec<usize> {
    let own = sched_getaffinity(Some(rustix::process::getpid())).unwrap_or_else(|_| CpuSet::new());
    (0..CpuSet::MAX_CPU).filter(|&core| own.is_set(core)).collect()
}

/// The cores of one place of so many: apart from those of all others, if there are enough.
pub(super) fn share(all: &[usize], place: usize, count: usize) -> &[usize] {
    let shares = count.min(all.len()).max(1);
    let share = place % shares;
    &all[share * all.len() / shares..(share + 1) * all.len() / shares]
}

pub(super) fn set(cores: &[usize]) -> CpuSet {
    let mut set = CpuSet::new();
    cores.iter().for_each(|&core| set.set(core));
    set
}

/// Moves all threads of a process to these cores. New threads inherit them, except those that a
/// thread starts before its turn comes; so this looks again until it finds none.
pub(super) fn pin(pid: Pid, cores: &CpuSet) {
    let mut pinned = HashSet::new();
    for _ in 0..MOST_LOOKS {
        let before = pinned.len();
        let tasks = fs::read_dir(format!("/proc/{}/task", pid.as_raw_nonzero()));
        for entry in tasks.into_iter().flatten().flatten() {
            let thread = entry.file_name().to_str().and_then(|name| name.parse().ok());
            if let Some(thread) = thread.and_then(Pid::from_raw)
                && pinned.insert(thread)
            {
                // It fails harmlessly if the thread has just ended.
                let _ = sched_setaffinity(Some(thread), cores);
            }
        }
        if pinned.len() == before {
            break;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cores_are_shared_out_evenly_and_apart() {
        let all = [0, 1, 2, 3, 6, 7];
        for count in 1..=6 {
            let shares: Vec<_> = (0..count).map(|place| share(&all, place, count)).collect();
            assert_eq!(shares.concat(), all, "each core once");
            assert!(
                shares
                    .iter()
                    .all(|share| (6 / count..=6_usize.div_ceil(count)).contains(&share.len()))
            );
        }
        assert_eq!(share(&all, 0, 8), [0], "more guests than cores");
        assert_eq!(share(&all, 6, 8), [0]);
        assert_eq!(share(&[], 1, 2), [0; 0], "no core is known");
    }
}
