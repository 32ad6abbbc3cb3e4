//! The health of the server: what it does, and what keeps it from doing all of it.

use crate::app::App;
use crate::disk;
use crate::store::Trouble;
use axum::Json;
use axum::extract::State;
use serde::Serialize;
use std::time::Instant;
use utoipa::ToSchema;

/// The health of the server.
#[derive(Serialize, ToSchema)]
pub(crate) struct Health {
    /// `ok`, or `degraded` if there are reasons.
    status: &'static str,
    /// What keeps the server from doing everything for everybody at once.
    reasons: Vec<Reason>,
    version: &'static str,
    searches: Searches,
    /// Open streams.
    streams: usize,
    /// Open connections.
    connections: usize,
    /// Saved games; none if they cannot be counted.
    games: Option<u64>,
    uptime_seconds: f64,
}

/// Why the server is degraded.
#[derive(Serialize, ToSchema)]
struct Reason {
    /// `disk-full`, `disk-low`, `store-failed`, `searches-refused`, `queue-long` or
    /// `connections-full`.
    code: &'static str,
    /// One line for people.
    message: &'static str,
}

/// The work of the search threads.
#[derive(Serialize, ToSchema)]
struct Searches {
    /// Searches at this moment.
    running: usize,
    queued: usize,
    workers: usize,
}

/// The health of the server
#[utoipa::path(get, path = "/api/health", responses((status = 200, body = Health)))]
pub(crate) async fn health(State(app): State<App>) -> Json<Health> {
    let load = app.pool().load();
    let games = app.store().count().await.ok();
    let reasons = reasons(&app, games.is_some()).await;
    Json(Health {
        status: if reasons.is_empty() { "ok" } else { "degraded" },
        reasons,
        version: env!("CARGO_PKG_VERSION"),
        searches: Searches { running: load.running, queued: load.queued, workers: load.workers },
        streams: app.callers().streams(),
        connections: app.connections().count(),
        games,
        uptime_seconds: app.uptime_seconds(),
    })
}

/// Everything that is wrong at this moment.
async fn reasons(app: &App, is_readable: bool) -> Vec<Reason> {
    let mut reasons = Vec::new();
    let mut add = |is_so: bool, code, message| {
        if is_so {
            reasons.push(Reason { code, message });
        }
    };
    let trouble = app.store().trouble().await;
    let is_failed = trouble == Some(Trouble::Failed) || !is_readable;
    add(trouble == Some(Trouble::Full), "disk-full", "the disk is full: games cannot be saved");
    add(is_failed, "store-failed", "the database fails: games cannot be saved or read");
    let (settings, pool) = (app.settings(), app.pool());
    let is_low =
        disk::free_bytes(&settings.data).is_some_and(|free| free < settings.limits.free_bytes);
    add(is_low, "disk-low", "the disk is nearly full: games may soon not be saved");
    let is_refusing = pool.has_refused_moves(Instant::now());
    add(is_refusing, "searches-refused", "moves had to be refused: too many are asked for");
    add(pool.is_queue_long(), "queue-long", "searches wait in a long queue");
    let is_full = app.connections().is_full();
    add(is_full, "connections-full", "there are as many connections as there may be");
    reasons
}
