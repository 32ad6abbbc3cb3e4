//! Losses on time: a timer for each game whose clock runs, and a look at the clock before it is read.

use crate::app::App;
use crate::date::steady_ms;
use crate::refusal::Refusal;
use crate::routes::games::tell;
use crate::store::Saved;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::task::AbortHandle;

/// The timers of games whose clocks run, by id. Clones share them.
#[derive(Clone, Default)]
pub(crate) struct Flags(Arc<Mutex<HashMap<String, AbortHandle>>>);

impl Flags {
    /// Ends all timers.
    pub(crate) fn close(&self) {
        for (_, timer) in self.lock().drain() {
            timer.abort();
        }
    }

    /// Sets the timer of a game by its clock, in place of an earlier one.
    pub(crate) fn arm(&self, app: &App, saved: &Saved) {
        let id = &saved.game.id;
        let deadline = saved.game.friends.as_ref().and_then(|friends| {
            let is_running = saved.game.ending.is_none();
            friends.clock.as_ref().filter(|_| is_running)?.deadline_ms()
        });
        let timer = deadline.map(|deadline| {
            let (app, id) = (app.clone(), id.clone());
            let wait = u64::try_from(deadline - steady_ms()).unwrap_or(0);
            let ring = async move {
                tokio::time::sleep(Duration::from_millis(wait)).await;
                // A store that fails now is asked again by the next reader.
                if let Ok(saved) = app.store().settle(id).await {
                    tell(&app, &saved);
                }
            };
            tokio::spawn(ring).abort_handle()
        });
        let mut timers = self.lock();
        let earlier = match timer {
            Some(timer) => timers.insert(id.clone(), timer),
            None => timers.remove(id),
        };
        if let Some(earlier) = earlier {
            earlier.abort();
        }
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<String, AbortHandle>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A game as it is now: lost on time, if a side is out of time.
pub(crate) async fn settled(app: &App, saved: Saved) -> Result<Saved, Refusal> {
    let clock = saved.game.friends.as_ref().and_then(|friends| friends.clock.as_ref());
    let is_due = clock.is_some_and(|clock| clock.flag(steady_ms()).is_some());
    if !is_due || saved.game.ending.is_some() {
        return Ok(saved);
    }
    let saved = app.store().settle(saved.game.id).await?;
    tell(app, &saved);
    Ok(saved)
}

/// Sets the timers of all running games, after the server has started.
pub(crate) async fn arm_all(app: &App) {
    match app.store().running_friends().await {
        Ok(games) => games.iter().for_each(|saved| app.flags().arm(app, saved)),
        Err(error) => tracing::error!(?error, "clocks cannot be read"),
    }
}
