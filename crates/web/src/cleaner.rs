//! Gives memory back: drops idle engines and searchers, and returns what was freed to the system.

use crate::app::App;
use std::time::{Duration, Instant};

/// The time between two rounds.
const PAUSE: Duration = Duration::from_secs(5);

/// Cleans up after every pause, for as long as it is polled.
pub(crate) async fn clean(app: App) {
    let mut worked = 0;
    loop {
        tokio::time::sleep(PAUSE).await;
        app.players().drop_idle(Instant::now());
        app.searchers().drop_idle(Instant::now());
        let done = app.pool().slices();
        if done != worked {
            worked = done;
            // Takes milliseconds if there is much to return.
            let _ = tokio::task::spawn_blocking(return_memory).await;
        }
    }
}

/// Returns freed memory to the system. The C library keeps what threads have freed for their next
/// search tables, which may never come.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
#[allow(unsafe_code, reason = "the C library's own call; the block says why it is sound")]
fn return_memory() {
    // SAFETY: it takes no pointer, and may be called at any time by any thread.
    unsafe { libc::malloc_trim(0) };
}

/// Other systems return memory by themselves.
#[cfg(not(all(target_os = "linux", target_env = "gnu")))]
fn return_memory() {}
