//! Gives memory back: drops idle engines and searchers, and returns what was freed to the system.

use crate::app::App;
use crate::memory;
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
            let _ = tokio::task::spawn_blocking(memory::give_back).await;
        }
    }
}
