//! The health of the server.

use crate::app::App;
use crate::refusal::Refusal;
use axum::Json;
use axum::extract::State;
use serde::Serialize;
use utoipa::ToSchema;

/// How the server is.
#[derive(Serialize, ToSchema)]
pub(crate) struct Health {
    status: &'static str,
    version: &'static str,
    searches: Searches,
    /// Streams that are open.
    streams: usize,
    /// Games that are saved.
    games: u64,
    uptime_seconds: f64,
}

/// What the threads do that think.
#[derive(Serialize, ToSchema)]
struct Searches {
    /// Searches at this very moment.
    running: usize,
    queued: usize,
    workers: usize,
}

/// How the server is
#[utoipa::path(get, path = "/api/health", responses((status = 200, body = Health)))]
pub(crate) async fn health(State(app): State<App>) -> Result<Json<Health>, Refusal> {
    let load = app.pool().load();
    let games = app.store().count().await.map_err(|_| Refusal::internal())?;
    Ok(Json(Health {
        status: "ok",
        version: env!("CARGO_PKG_VERSION"),
        searches: Searches { running: load.running, queued: load.queued, workers: load.workers },
        streams: app.callers().streams(),
        games,
        uptime_seconds: app.uptime_seconds(),
    }))
}
