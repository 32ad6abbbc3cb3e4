//! How callers show who they are, and which routes of the club need a member.
//!
//! The routes of saved games and of games with friends name the token they need themselves.

use crate::member;
use serde_json::{Map, Value, json};

/// Where the club's routes begin.
const CLUB: &str = "/api/club";

/// What anybody may ask of a club; every other route of it is for those who have logged in.
const PUBLIC: [(&str, &str); 4] = [
    ("get", "/api/club"),
    ("post", "/api/club/session"),
    ("get", "/api/club/invitations/{code}"),
    ("post", "/api/club/invitations/{code}"),
];

/// Adds the schemes, and what each route of the club needs.
pub(super) fn describe(description: &mut Value) {
    description["components"]["securitySchemes"] = json!({
        "token": {
            "type": "http",
            "scheme": "bearer",
            "description": "The token of a saved game, or of a seat of a game with a friend",
        },
        "member": {
            "type": "http",
            "scheme": "bearer",
            "description": "A token of a member of the club, for programs",
        },
        "session": {
            "type": "apiKey",
            "in": "cookie",
            "name": member::NAME,
            "description": "The cookie that logging in sets",
        },
        "form": {
            "type": "apiKey",
            "in": "header",
            "name": member::FORM,
            "description": "The code of the session's forms, which logging in tells: \
                            every change needs it beside the cookie",
        },
    });
    let paths = description["paths"].as_object_mut().into_iter().flatten();
    for (path, item) in paths.filter(|(path, _)| path.starts_with(CLUB)) {
        for (method, operation) in item.as_object_mut().into_iter().flat_map(Map::iter_mut) {
            if let Some(needed) = needed(method, path) {
                operation["security"] = needed;
            }
        }
    }
}

/// What a route of the club needs; nothing of its own if it does not care who asks.
fn needed(method: &str, path: &str) -> Option<Value> {
    match (method, PUBLIC.contains(&(method, path))) {
        // It tells those who have logged in who they are.
        ("get", true) if path == CLUB => Some(json!([{}, {"session": []}, {"member": []}])),
        (_, true) => None,
        ("get", false) => Some(json!([{"session": []}, {"member": []}])),
        (_, false) => Some(json!([{"session": [], "form": []}, {"member": []}])),
    }
}
