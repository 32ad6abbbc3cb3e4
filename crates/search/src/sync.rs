//! Atomics and locks of the structures that threads share.
//!
//! Under `--cfg loom` they are those of the model checker, which runs a test in the orders that
//! the threads' steps can take, up to a few preemptions: `cargo xtask loom`.

#[cfg(loom)]
pub(crate) use loom::{
    hint::spin_loop,
    sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering},
    sync::{Condvar, Mutex, MutexGuard},
};
#[cfg(not(loom))]
pub(crate) use std::{
    hint::spin_loop,
    sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering},
    sync::{Condvar, Mutex, MutexGuard},
};

/// An idle thread spins this often, some 50 µs, before it sleeps: many split points come sooner, and
/// are done in less time than waking up takes.
pub(crate) const IDLE_SPINS: u32 = if cfg!(loom) { 1 } else { 1000 };
