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
    status: Status,
    /// What keeps the server from doing everything for everybody at once.
    reasons: Vec<HealthReason>,
    /// The program's version.
    version: &'static str,
    searches: Searches,
    /// Open streams.
    streams: usize,
    /// Open connections.
    connections: usize,
    /// Saved games; none if they cannot be counted.
    games: Option<u64>,
    /// How long it has been running.
    uptime_seconds: f64,
}

/// Whether the server can do everything.
#[derive(Clone, Copy, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
enum Status {
    Ok,
    /// There are reasons.
    Degraded,
}

/// Why the server is degraded.
#[derive(Serialize, ToSchema)]
struct HealthReason {
    code: ReasonCode,
    /// One line for people.
    message: &'static str,
}

/// A word for programs.
#[derive(Clone, Copy, Serialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
enum ReasonCode {
    DiskFull,
    DiskLow,
    StoreFailed,
    SearchesRefused,
    QueueLong,
    ConnectionsFull,
}

/// The work of the search threads.
#[derive(Serialize, ToSchema)]
struct Searches {
    /// Searches at this moment.
    running: usize,
    /// Searches that wait.
    queued: usize,
    /// Threads that search.
    workers: usize,
}

/// The health of the server
#[utoipa::path(
    get,
    path = "/api/health",
    operation_id = "show_health",
    tag = "server",
    responses((status = 200, body = Health))
)]
pub(crate) async fn health(State(app): State<App>) -> Json<Health> {
    let load = app.pool().load();
    let games = app.store().count().await.ok();
    let reasons = reasons(&app, games.is_some()).await;
    Json(Health {
        status: if reasons.is_empty() { Status::Ok } else { Status::Degraded },
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
async fn reasons(app: &App, is_readable: bool) -> Vec<HealthReason> {
    let mut reasons = Vec::new();
    let mut add = |is_so: bool, code, message| {
        if is_so {
            reasons.push(HealthReason { code, message });
        }
    };
    let trouble = app.store().trouble().await;
    let is_failed = trouble == Some(Trouble::Failed) || !is_readable;
    add(
        trouble == Some(Trouble::Full),
        ReasonCode::DiskFull,
        "the disk is full: games cannot be saved",
    );
    add(is_failed, ReasonCode::StoreFailed, "the database fails: games cannot be saved or read");
    let (settings, pool) = (app.settings(), app.pool());
    let is_low =
        disk::free_bytes(&settings.data).is_some_and(|free| free < settings.limits.free_bytes);
    add(is_low, ReasonCode::DiskLow, "the disk is nearly full: games may soon not be saved");
    let is_refusing = pool.has_refused_moves(Instant::now());
    add(
        is_refusing,
        ReasonCode::SearchesRefused,
        "moves had to be refused: too many are asked for",
    );
    add(pool.is_queue_long(), ReasonCode::QueueLong, "searches wait in a long queue");
    let is_full = app.connections().is_full();
    add(is_full, ReasonCode::ConnectionsFull, "there are as many connections as there may be");
    reasons
}
