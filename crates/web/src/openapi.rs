//! All routes, and their description for programs, from one list.

use crate::app::App;
use crate::refusal::ErrorBody;
use crate::routes::{
    analysis, board, check, friends, games, health, play, puzzles, share, tournaments, watch,
};
use axum::Router;
use axum::routing::get;
use utoipa::OpenApi;
use utoipa::openapi::OpenApi as Description;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

#[derive(OpenApi)]
#[openapi(
    info(
        title = "Isrever",
        description = "Reversed Reversi: rules, moves, analysis and saved games. \
                       docs/guide/web-api.md explains it."
    ),
    components(schemas(ErrorBody))
)]
struct Document;

/// Every route below `/api/` except the description itself.
pub(crate) fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::with_openapi(Document::openapi())
        .routes(routes!(play::position))
        .routes(routes!(play::play_move))
        .routes(routes!(play::agents))
        .routes(routes!(check::check))
        .routes(routes!(analysis::analysis))
        .routes(routes!(analysis::solve))
        .routes(routes!(analysis::review))
        .routes(routes!(share::read))
        .routes(routes!(share::write))
        .routes(routes!(board::picture))
        .routes(routes!(games::list, games::begin))
        .routes(routes!(games::export))
        .routes(routes!(games::show, games::change, games::delete))
        .routes(routes!(games::follow::follow))
        .routes(routes!(friends::begin))
        .routes(routes!(friends::join))
        .routes(routes!(friends::act))
        .routes(routes!(friends::address))
        .routes(routes!(watch::watch))
        .routes(routes!(tournaments::list))
        .routes(routes!(tournaments::show))
        .routes(routes!(tournaments::games))
        .routes(routes!(tournaments::game))
        .routes(routes!(tournaments::export::export))
        .routes(routes!(tournaments::ratings))
        .routes(routes!(puzzles::any))
        .routes(routes!(puzzles::show))
        .routes(routes!(puzzles::answer))
        .routes(routes!(health::health))
}

/// The route of the description.
pub(crate) fn document(description: &Description) -> Router<App> {
    let text = description.to_json().expect("the description can be written as JSON");
    let answer =
        move || async move { ([(axum::http::header::CONTENT_TYPE, "application/json")], text) };
    Router::new().route("/api/openapi.json", get(answer))
}
