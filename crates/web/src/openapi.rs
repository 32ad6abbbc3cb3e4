//! All routes, and their description for programs and people, from one list.

mod page;
mod security;

use crate::app::App;
use crate::refusal::ErrorBody;
use crate::routes::{
    analysis, board, book, check, club, friends, games, health, play, puzzles, share, tournaments,
    watch,
};
use axum::Router;
use axum::http::header::CONTENT_TYPE;
use axum::routing::get;
use serde_json::{Map, Value, json};
use utoipa::OpenApi;
use utoipa::openapi::OpenApi as OpenApiDocument;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

#[derive(OpenApi)]
#[openapi(
    info(
        title = "Isrever",
        description = "Reversed Reversi: rules, moves, analysis and saved games. Unknown fields \
                       and parameters are refused. Lists in addresses are separated by commas."
    ),
    servers((url = "/", description = "This server")),
    tags(
        (name = "play", description = "Rules, agents and their moves"),
        (name = "analysis", description = "What moves are worth: streams of the engine, and the book"),
        (name = "text", description = "Games in the formats of other programs, and pictures"),
        (name = "games", description = "Saved games"),
        (name = "friends", description = "Games between two people at two screens"),
        (name = "puzzles", description = "Endings with one best move"),
        (name = "tournaments", description = "Tournaments of the arena"),
        (name = "club", description = "The battle platform, where the server has one"),
        (name = "server", description = "The server itself")
    ),
    security(()),
    components(schemas(ErrorBody, analysis::GoalWord, board::LanguageWord))
)]
struct Document;

/// Every route below `/api/` except those of the description itself.
pub(crate) fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::with_openapi(Document::openapi())
        .routes(routes!(play::position))
        .routes(routes!(play::play_move))
        .routes(routes!(play::agents))
        .routes(routes!(watch::watch))
        .routes(routes!(check::check))
        .routes(routes!(analysis::analysis))
        .routes(routes!(analysis::solve))
        .routes(routes!(analysis::review))
        .routes(routes!(book::show))
        .routes(routes!(share::read))
        .routes(routes!(share::write))
        .routes(routes!(board::picture))
        .routes(routes!(games::list, games::begin))
        .routes(routes!(games::export))
        .routes(routes!(games::show, games::change, games::delete))
        .routes(routes!(games::follow::follow))
        .routes(routes!(games::told::told))
        .routes(routes!(friends::begin))
        .routes(routes!(friends::join))
        .routes(routes!(friends::act))
        .routes(routes!(puzzles::any))
        .routes(routes!(puzzles::show))
        .routes(routes!(puzzles::answer))
        .routes(routes!(tournaments::list))
        .routes(routes!(tournaments::show))
        .routes(routes!(tournaments::games))
        .routes(routes!(tournaments::game))
        .routes(routes!(tournaments::export::export))
        .routes(routes!(tournaments::ratings))
        .routes(routes!(friends::address))
        .routes(routes!(health::health))
        .merge(club_routes())
}

/// The routes of the battle platform. Without a club they refuse everything.
fn club_routes() -> OpenApiRouter<App> {
    use club::{administration, battles, casual, finals, ladder, people, versions};
    OpenApiRouter::new()
        .routes(routes!(people::show))
        .routes(routes!(people::log_in, people::log_out))
        .routes(routes!(people::invitation, people::accept, administration::withdraw))
        .routes(routes!(people::password))
        .routes(routes!(people::tokens, people::add_token))
        .routes(routes!(people::remove_token))
        .routes(routes!(versions::list, versions::submit))
        .routes(routes!(versions::show, versions::change))
        .routes(routes!(versions::source))
        .routes(routes!(versions::report))
        .routes(routes!(versions::weaknesses))
        .routes(routes!(versions::practice))
        .routes(routes!(battles::list, battles::challenge))
        .routes(routes!(battles::show))
        .routes(routes!(battles::game))
        .routes(routes!(battles::download))
        .routes(routes!(casual::opponents))
        .routes(routes!(casual::begin))
        .routes(routes!(casual::show))
        .routes(routes!(casual::play))
        .routes(routes!(casual::resign))
        .routes(routes!(ladder::ladder))
        .routes(routes!(ladder::live))
        .routes(routes!(finals::list, finals::start))
        .routes(routes!(finals::show, finals::change))
        .routes(routes!(finals::proof))
        .routes(routes!(finals::grades))
        .routes(routes!(administration::invitations, administration::invite))
        .routes(routes!(administration::enrol))
        .routes(routes!(administration::accounts))
        .routes(routes!(administration::change_account, administration::remove_account))
        .routes(routes!(administration::reset_password))
        .routes(routes!(administration::settings))
        .routes(routes!(administration::annul))
        .routes(routes!(administration::block, administration::unblock))
        .routes(routes!(administration::log))
        .routes(routes!(administration::state))
        .routes(routes!(administration::retry))
}

/// The routes of the description: as JSON for programs, and as a page for people.
pub(crate) fn documents(description: &OpenApiDocument) -> Router<App> {
    let mut description =
        serde_json::to_value(description).expect("the description can be written as JSON");
    complete(&mut description);
    let (text, page) = (description.to_string(), page::page(&description));
    let json = move || async move { ([(CONTENT_TYPE, "application/json")], text) };
    let html = move || async move { ([(CONTENT_TYPE, "text/html; charset=utf-8")], page) };
    let style = || async { ([(CONTENT_TYPE, "text/css; charset=utf-8")], page::STYLE) };
    Router::new()
        .route("/api/openapi.json", get(json))
        .route("/api/docs", get(html))
        .route("/api/docs.css", get(style))
}

/// Adds what is the same for all routes: who may ask, refusals, and what each answer is in words.
fn complete(description: &mut Value) {
    let refusal = |about: &str| {
        json!({
            "description": about,
            "headers": {"Retry-After": {
                "description": "Seconds after which to ask again, if the server is busy",
                "schema": {"type": "integer"},
            }},
            "content": {"application/json": {"schema": {"$ref": "#/components/schemas/ErrorBody"}}},
        })
    };
    description["components"]["responses"] = json!({
        "Refused": refusal("The request is refused: it is wrong, or asks for too much"),
        "Failed": refusal("The server cannot do it now"),
    });
    security::describe(description);
    let schemas = description["components"]["schemas"].clone();
    let paths = description["paths"].as_object_mut().into_iter().flat_map(Map::values_mut);
    for operation in paths.filter_map(Value::as_object_mut).flat_map(Map::values_mut) {
        let responses = operation["responses"].as_object_mut().expect("every route answers");
        for response in responses.values_mut() {
            describe(response, &schemas);
        }
        for (statuses, name) in [("4XX", "Refused"), ("5XX", "Failed")] {
            let refusal = json!({"$ref": format!("#/components/responses/{name}")});
            responses.insert(statuses.to_owned(), refusal);
        }
    }
}

/// Describes an answer by the words of its body, if it has no words of its own.
fn describe(response: &mut Value, schemas: &Value) {
    if response.get("description").is_some() {
        return;
    }
    let body = response["content"].as_object().and_then(|content| content.values().next());
    let name = body.and_then(|body| body["schema"]["$ref"].as_str()).map(page::last);
    response["description"] = schemas[name.unwrap_or_default()]["description"].clone();
}
