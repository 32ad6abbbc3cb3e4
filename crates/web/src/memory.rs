//! Has the C library return freed memory to the system instead of keeping it for later.
//!
//! After a flood of searches it would keep hundreds of MiB: it raises the size
//! from which memory is mapped apart to that of the search tables, and puts them
//! among small things, where they cannot be returned whole.

#![allow(unsafe_code, reason = "calls of the C library; each block says why it is sound")]

/// Allocations from this size on are mapped apart, and returned as soon as they are freed.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
const MAPPED_BYTES: libc::c_int = 4 << 20;

/// Maps search tables apart from now on.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
pub(crate) fn map_large() {
    // SAFETY: it takes two numbers, changes only where later allocations come from, and locks what
    // it changes.
    unsafe { libc::mallopt(libc::M_MMAP_THRESHOLD, MAPPED_BYTES) };
}

/// Returns what small things have left behind.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
pub(crate) fn give_back() {
    // SAFETY: it takes no pointer, and may be called at any time by any thread.
    unsafe { libc::malloc_trim(0) };
}

/// Other libraries are left alone.
#[cfg(not(all(target_os = "linux", target_env = "gnu")))]
pub(crate) fn map_large() {}

/// Other libraries return memory by themselves.
#[cfg(not(all(target_os = "linux", target_env = "gnu")))]
pub(crate) fn give_back() {}
