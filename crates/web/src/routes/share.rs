//! Reads positions and games from text in any format, and writes them.

use crate::app::App;
use crate::receive::{self, Body, MOST_FILE_BYTES, Query};
use crate::refusal::{Code, Refusal};
use crate::wire::{Moves, RuleWord, any_size_of, file_formats, formats, game_request, move_names};
use axum::Json;
use axum::extract::{FromRequestParts, Request, State};
use isrever_board::text::{self, Defaults, Format, Record};
use isrever_board::{Game, Move};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use utoipa::{IntoParams, ToSchema};

/// The most games in an answer.
const MOST_GAMES: usize = 500;

/// The most lines of play beside the main one.
const MOST_VARIATIONS: usize = 256;

/// The longest name of a player, in characters.
pub(super) const MOST_NAME: usize = 64;

/// A text to read.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct ReadRequest {
    /// Positions or games in any format.
    #[schema(example = "f5d6c3", max_length = 1048576)]
    text: String,
    /// The rule, if the text does not say it.
    #[serde(default)]
    rule: RuleWord,
    /// The size, if a game begins without a board.
    #[schema(minimum = 4, maximum = 16)]
    size: Option<u8>,
    #[schema(schema_with = formats)]
    format: Option<String>,
}

/// Defaults for a text that does not say its rule or size.
#[derive(Clone, Debug, Default, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub(crate) struct Reading {
    /// The rule, if the text does not say it.
    #[serde(default)]
    rule: RuleWord,
    /// The size, if a game begins without a board.
    #[param(minimum = 4, maximum = 16)]
    size: Option<u8>,
    #[param(schema_with = file_formats)]
    format: Option<String>,
}

/// A file as it is.
#[derive(ToSchema)]
#[schema(value_type = String, format = Binary)]
pub(crate) struct File(#[expect(dead_code, reason = "only described")] Vec<u8>);

/// The games and positions of a text.
#[derive(Serialize, ToSchema)]
pub(crate) struct ReadBody {
    #[schema(schema_with = file_formats)]
    format: &'static str,
    /// The number of games and positions.
    count: usize,
    /// Whether the answer has only the first of them.
    truncated: bool,
    /// At most 500.
    games: Vec<ReadGame>,
}

/// A game or a position of a text.
#[derive(Serialize, ToSchema)]
struct ReadGame {
    rule: RuleWord,
    /// The width of the board.
    size: u8,
    /// The position it began with.
    start: String,
    /// All moves, passes written out.
    moves: Vec<String>,
    /// Other lines of play, each from the start.
    variations: Vec<Vec<String>>,
    /// Black's name.
    black: Option<String>,
    /// White's name.
    white: Option<String>,
    /// Everything else that the text says of it, such as its date.
    tags: BTreeMap<String, String>,
    /// Known scores of the last position, for the side to move.
    scores: Vec<KnownScore>,
}

/// A known score of a move, or of the position if there is none.
#[derive(Serialize, ToSchema)]
struct KnownScore {
    #[serde(rename = "move")]
    /// A square or `pass`; null for the position itself.
    mv: Option<String>,
    /// In discs, for the side to move.
    score: i32,
}

/// Read positions and games in any format
#[utoipa::path(
    post,
    path = "/api/read",
    operation_id = "read_text",
    tag = "text",
    params(Reading),
    request_body(
        content(
            (ReadRequest = "application/json"),
            (File = "application/octet-stream")
        )
    ),
    responses((status = 200, body = ReadBody))
)]
pub(crate) async fn read(
    State(app): State<App>,
    request: Request,
) -> Result<Json<ReadBody>, Refusal> {
    let (bytes, reading) = match receive::media_type(&request) {
        Some("application/octet-stream") => {
            let (mut parts, body) = request.into_parts();
            let Query(reading) = Query::<Reading>::from_request_parts(&mut parts, &app).await?;
            let request = Request::from_parts(parts, body);
            (receive::bytes(&app, request, MOST_FILE_BYTES).await?.to_vec(), reading)
        }
        Some("application/json") => {
            // JSON may escape every byte in six, but only hostile texts need that.
            let bytes = receive::bytes(&app, request, 2 * MOST_FILE_BYTES).await?;
            let ReadRequest { text, rule, size, format } = receive::parse_json(&bytes)?;
            if text.len() > MOST_FILE_BYTES {
                let message =
                    format!("the text is too long; expected at most {MOST_FILE_BYTES} bytes");
                return Err(Refusal::of("text", Code::TooLarge, message));
            }
            (text.into_bytes(), Reading { rule, size, format })
        }
        _ => {
            let message = "the body has another Content-Type; expected application/json or \
                 application/octet-stream";
            return Err(Refusal::new(Code::MediaType, message));
        }
    };
    // Reads a large text on a thread that may block.
    let work = tokio::task::spawn_blocking(move || read_bytes(&bytes, &reading));
    Ok(Json(work.await.map_err(|_| Refusal::internal())??))
}

fn read_bytes(bytes: &[u8], reading: &Reading) -> Result<ReadBody, Refusal> {
    let format = reading.format.as_deref().map(|word| format("format", word)).transpose()?;
    let size = reading.size.map(any_size_of).transpose()?.unwrap_or_default();
    let defaults = Defaults { rule: reading.rule.into(), size };
    let format = format.unwrap_or_else(|| text::detect(bytes, defaults));
    let unreadable = |message: String| Refusal::of("text", Code::Unreadable, message);
    let records = text::records(bytes, Some(format), defaults);
    let (mut games, mut count) = (Vec::new(), 0);
    for record in records.map_err(|error| unreadable(error.to_string()))? {
        let record = record.map_err(|error| unreadable(error.to_string()))?;
        count += 1;
        if games.len() < MOST_GAMES {
            games.push(ReadGame::of(&record));
        }
    }
    Ok(ReadBody { format: format.name(), count, truncated: count > games.len(), games })
}

impl ReadGame {
    fn of(record: &Record) -> ReadGame {
        let name = |tag: &str| record.tag(tag).map(str::to_owned).filter(|name| !name.is_empty());
        let score = |&(mv, score): &(Option<Move>, i32)| KnownScore {
            mv: mv.map(|mv| mv.to_string()),
            score,
        };
        ReadGame {
            rule: record.game.rule().into(),
            size: record.game.size().width(),
            start: record.game.start().to_string(),
            moves: move_names(record.game.moves()),
            variations: record.variations.iter().map(|line| move_names(line)).collect(),
            black: name("PB"),
            white: name("PW"),
            tags: record.tags.iter().cloned().collect(),
            scores: record.scores.iter().map(score).collect(),
        }
    }
}

game_request! {
    /// A game, and the format to write it in.
    WriteRequest {
        #[schema(schema_with = formats)]
        format: String,
        /// Black's name.
        #[schema(max_length = 64)]
        black: Option<String>,
        /// White's name.
        #[schema(max_length = 64)]
        white: Option<String>,
        /// Other lines of play, each from the start; only `sgf` can hold them.
        variations: Option<Vec<Moves>>,
    }
}

/// A game in some format.
#[derive(Serialize, ToSchema)]
pub(crate) struct WriteBody {
    #[schema(schema_with = formats)]
    format: &'static str,
    /// The game.
    text: String,
}

/// Write a game in some format
#[utoipa::path(
    post,
    path = "/api/write",
    operation_id = "write_text",
    tag = "text",
    request_body = WriteRequest,
    responses((status = 200, body = WriteBody))
)]
pub(crate) async fn write(Body(request): Body<WriteRequest>) -> Result<Json<WriteBody>, Refusal> {
    let mut record = Record::from(request.any_game()?);
    for (field, tag, player) in [("black", "PB", &request.black), ("white", "PW", &request.white)] {
        if let Some(player) = player {
            record.tags.push((tag.to_owned(), name(field, player)?));
        }
    }
    record.variations = variations(&record.game, request.variations.as_deref().unwrap_or(&[]))?;
    let format = format("format", &request.format)?;
    if format == Format::Wthor {
        let message = "wthor is not a text; expected moves, board, obf, ggf, sgf or hex";
        return Err(Refusal::of("format", Code::BadRequest, message));
    }
    let bytes = text::write(&[record], format)
        .map_err(|error| Refusal::new(Code::BadRequest, error.to_string()))?;
    let text = String::from_utf8(bytes).map_err(|_| Refusal::internal())?;
    Ok(Json(WriteBody { format: format.name(), text }))
}

/// Lines of play from the start of `game`, forced passes written out.
fn variations(game: &Game, lines: &[Moves]) -> Result<Vec<Vec<Move>>, Refusal> {
    if lines.len() > MOST_VARIATIONS {
        let message = format!("too many lines; expected at most {MOST_VARIATIONS}");
        return Err(Refusal::of("variations", Code::BadRequest, message));
    }
    let start = game.start().to_string();
    let line = |moves: &Moves| {
        let size = Some(game.size().width());
        let line = crate::wire::any_game(game.rule().into(), size, Some(&start), moves);
        line.map(|line| line.moves().to_vec())
            .map_err(|refusal| Refusal { field: Some("variations".to_owned()), ..refusal })
    };
    lines.iter().map(line).collect()
}

pub(super) fn format(field: &str, word: &str) -> Result<Format, Refusal> {
    word.parse()
        .map_err(|error| Refusal::of(field, Code::BadRequest, format!("{word:?} is {error}")))
}

/// A player's name, sent as `field`, without space around it.
pub(super) fn name(field: &str, name: &str) -> Result<String, Refusal> {
    let name = name.trim();
    let is_plain = !name.chars().any(char::is_control);
    if is_plain && (1..=MOST_NAME).contains(&name.chars().count()) {
        return Ok(name.to_owned());
    }
    let message = format!("not a name; expected 1 to {MOST_NAME} characters on one line");
    Err(Refusal::of(field, Code::BadRequest, message))
}
