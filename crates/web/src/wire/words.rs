//! Words of other crates that answers may contain, listed for the description.

use isrever_agent::{Kind, Reason};
use utoipa::openapi::Object;
use utoipa::openapi::schema::{ObjectBuilder, Type};

/// One of `words`, which stand for what `about` says.
fn words<'a>(about: &str, words: impl IntoIterator<Item = &'a str>) -> Object {
    ObjectBuilder::new()
        .schema_type(Type::String)
        .description(Some(about))
        .enum_values(Some(words))
        .build()
}

/// The kinds of agents.
pub(crate) fn kinds() -> Object {
    words("What kind of agent it is.", Kind::ALL.map(Kind::word))
}

/// How a game of a tournament can end.
pub(crate) fn ends() -> Object {
    let all = ["board"].into_iter().chain(Reason::ALL.map(Reason::word));
    words("`board` if neither side had a move, or why it was forfeited.", all)
}

/// The formats that can be read from JSON.
pub(crate) fn formats() -> Object {
    let names = ["board", "moves", "obf", "ggf", "sgf", "hex"];
    words("A format of texts; that of a request is recognised if it is missing.", names)
}

/// The formats that can be read.
pub(crate) fn file_formats() -> Object {
    let names = ["board", "moves", "obf", "ggf", "sgf", "wthor", "hex"];
    words("A format of files; that of a request is recognised if it is missing.", names)
}

/// The formats of a tournament.
pub(crate) fn tournament_formats() -> Object {
    words("`csv`, the table, or `ggf`, the games; `ggf` if missing.", ["csv", "ggf"])
}

/// The formats of several whole games.
pub(crate) fn game_formats() -> Object {
    words("A format of games; `ggf` if missing.", ["ggf", "sgf", "moves"])
}

/// The formats of a game of a battle, of which more is known.
pub(crate) fn battle_formats() -> Object {
    words("A format of games; `ggf` if missing.", ["ggf", "sgf", "moves", "json"])
}
