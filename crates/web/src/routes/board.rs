//! The board as a picture.

use crate::receive::Query;
use crate::refusal::Refusal;
use crate::wire::game_request;
use axum::http::HeaderValue;
use axum::http::header::{CONTENT_DISPOSITION, CONTENT_TYPE};
use axum::response::{IntoResponse, Response};
use isrever_board::{Color, Dressing, Game, Marks, Rule, picture as draw};

game_request! {
    /// A game, and what to show beside the discs.
    PictureRequest {
        /// Whether to show the disc counts below the board; yes if missing.
        caption: Option<bool>,
        /// Whether to mark the last move and the legal squares; yes if missing.
        marks: Option<bool>,
        /// Whether to send it as an attachment.
        #[serde(default)]
        download: bool,
    }
}

/// The board as a picture, SVG
#[utoipa::path(
    get,
    path = "/api/board.svg",
    operation_id = "draw_board",
    tag = "text",
    params(PictureRequest),
    responses(
        (status = 200, content_type = "image/svg+xml", body = String, description = "The picture")
    )
)]
pub(crate) async fn picture(Query(request): Query<PictureRequest>) -> Result<Response, Refusal> {
    let game = request.any_game()?;
    let (marks, caption) = (Marks::of_last_disc(&game), caption(&game));
    let dressing = Dressing {
        marks: request.marks.unwrap_or(true).then_some(&marks),
        caption: request.caption.unwrap_or(true).then_some(&caption),
    };
    let svg = draw(game.position(), dressing);
    let mut response = ([(CONTENT_TYPE, "image/svg+xml")], svg).into_response();
    if request.download {
        let attachment = HeaderValue::from_static("attachment; filename=\"board.svg\"");
        response.headers_mut().insert(CONTENT_DISPOSITION, attachment);
    }
    Ok(response)
}

/// The caption: disc counts and the leader.
fn caption(game: &Game) -> [String; 2] {
    let count = |color| game.position().count(color);
    let discs = format!("Black ● {}, White ○ {}", count(Color::Black), count(Color::White));
    let objective = match game.rule() {
        Rule::Reversed => "fewer discs win",
        Rule::Normal => "more discs win",
    };
    let score = game.score(Color::Black);
    let leader = if score > 0 { "Black" } else { "White" };
    let standing = match (game.is_over(), score) {
        (true, 0) => "a draw".to_owned(),
        (true, _) => format!("{leader} wins by {}", score.unsigned_abs()),
        (false, 0) => "level".to_owned(),
        (false, _) => format!("{leader} is ahead"),
    };
    [discs, format!("{standing} ({objective})")]
}
