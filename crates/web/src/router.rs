//! The router: all routes behind the guard, and the page for everything else.

use crate::app::App;
use crate::refusal::{Code, Refusal};
use crate::routes::channel;
use crate::{guard, openapi, page};
use axum::Router;
use axum::response::IntoResponse;
use axum::routing::get;

impl App {
    /// The routes, ready to answer.
    pub fn router(&self) -> Router {
        let (api, description) = openapi::routes().split_for_parts();
        api.merge(openapi::documents(&description))
            .route("/api/channel", get(channel::channel))
            .fallback(page::page)
            .method_not_allowed_fallback(|| async { wrong_method().into_response() })
            .layer(axum::middleware::from_fn_with_state(self.clone(), guard::guard))
            .with_state(self.clone())
    }
}

/// Refuses a method that the route does not take.
fn wrong_method() -> Refusal {
    Refusal::new(
        Code::Method,
        "the route does not take this method; expected one that /api/docs lists",
    )
}
