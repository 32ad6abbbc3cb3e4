//! The board as a picture.

use crate::receive::Query;
use crate::refusal::Refusal;
use crate::wire::game_request;
use axum::http::HeaderValue;
use axum::http::header::{CONTENT_DISPOSITION, CONTENT_TYPE};
use axum::response::{IntoResponse, Response};
use isrever_board::{Color, Dressing, Game, Marks, Rule, picture as draw};
use serde::Deserialize;
use utoipa::ToSchema;

/// A language of captions.
#[derive(Clone, Copy, Debug, Default, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum LanguageWord {
    /// English.
    #[default]
    En,
    /// Chinese.
    Zh,
}

game_request! {
    /// A game, and what to show beside the discs.
    PictureRequest {
        /// Whether to show the disc counts and the rule below the board; yes if missing.
        caption: Option<bool>,
        /// The language of the caption.
        #[serde(default)]
        language: LanguageWord,
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
    let (marks, caption) = (Marks::of_last_disc(&game), caption(&game, request.language));
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

/// The caption in the language that was asked for.
fn caption(game: &Game, language: LanguageWord) -> [String; 2] {
    match language {
        LanguageWord::En => isrever_board::caption(game.position(), game.rule()),
        LanguageWord::Zh => chinese(game),
    }
}

/// The same in Chinese, with the page's words.
fn chinese(game: &Game) -> [String; 2] {
    let count = |color| game.position().count(color);
    let discs = format!("黑方 ● {}，白方 ○ {}", count(Color::Black), count(Color::White));
    let objective = match game.rule() {
        Rule::Reversed => "子少者胜",
        Rule::Normal => "子多者胜",
    };
    if !game.is_over() {
        return [discs, objective.to_owned()];
    }
    let score = game.score(Color::Black);
    let winner = if score > 0 { "黑方" } else { "白方" };
    let result = match score {
        0 => "平局".to_owned(),
        _ => format!("{winner}胜 {} 子", score.unsigned_abs()),
    };
    [discs, format!("{result}（{objective}）")]
}
