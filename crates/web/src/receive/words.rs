//! Says in a user's words what is wrong with a request, where the parser speaks of Rust's types.

/// What a field takes, by its name. Other fields are described by their type.
const EXPECTED: [(&str, &str); 29] = [
    ("action", "move, resign, offer, accept or decline"),
    ("agent", "an agent such as engine:level=5"),
    ("ahead", "true or false"),
    ("caption", "true or false"),
    ("clock", "an object with seconds and increment"),
    ("code", "the invitation's code"),
    ("depth", "a whole number of plies, at least 1"),
    ("download", "true or false"),
    ("format", "the name of a format, such as ggf"),
    ("goal", "exact or wld"),
    ("history", "true or false"),
    ("kind", "human or agent"),
    ("level", "a whole number from 1 to 3"),
    ("limit", "a whole number, at least 1"),
    ("marks", "true or false"),
    ("move", "a square such as f5, or pass"),
    ("moves", "a list of squares such as f5, and pass"),
    ("name", "a name"),
    ("offer", "draw, take-back or rematch"),
    ("pause", "a number of seconds"),
    ("ply", "a whole number, at least 0"),
    ("rule", "reversed or normal"),
    ("seconds", "a number of seconds"),
    ("seed", "a whole number from 0 to 9007199254740991"),
    ("side", "black or white"),
    ("size", "4, 6, 8, 10, 12, 14 or 16"),
    ("start", "a position as text"),
    ("state", "running, finished or stopped"),
    ("token", "24 to 64 letters and digits"),
];

/// What is wrong with a request.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Fault {
    pub(super) field: Option<String>,
    pub(super) message: String,
}

/// The fault at `path` that the parser describes by `words`. `found` is the text of the field, where
/// the parser does not repeat it.
pub(super) fn fault(path: &str, words: &str, found: Option<&str>) -> Fault {
    // A text that breaks off has a field whose name is not known.
    let path = path.trim_end_matches(['.', '?']);
    let words = without_place(words);
    if let Some(name) = quoted(words, "missing field ") {
        let field = below(path, name);
        let expected = expected(&field, "it");
        return of(&field, format!("{field} is missing; expected {expected}"));
    }
    if let Some(name) = quoted(words, "duplicate field ") {
        let field = below(path, name);
        return of(&field, format!("{field} is there twice; expected it once"));
    }
    if let Some(name) = quoted(words, "unknown field ") {
        let names = alternatives(words);
        let parent = path.rsplit_once('.').map_or("", |(parent, _)| parent);
        let is_last = path.rsplit('.').next() == Some(name);
        let field = if is_last { path.to_owned() } else { below(parent, name) };
        return of(&field, format!("there is no field {field}; expected {names}"));
    }
    let subject = if path.is_empty() { "the request" } else { path };
    let message = if let Some(name) = quoted(words, "unknown variant ") {
        format!("{subject} cannot be {name:?}; expected {}", alternatives(words))
    } else if let Some((found, kind)) = mismatch(words) {
        format!("{subject} cannot be {found}; expected {}", expected(path, kind))
    } else if is_unparsed(words) {
        let found = found.unwrap_or("this");
        format!("{subject} cannot be {found}; expected {}", expected(path, words))
    } else if path.is_empty() {
        words.to_owned()
    } else {
        format!("{path}: {words}")
    };
    Fault { field: (!path.is_empty()).then(|| path.to_owned()), message }
}

fn of(field: &str, message: String) -> Fault {
    Fault { field: Some(field.to_owned()), message }
}

/// The path of a field inside another.
fn below(path: &str, name: &str) -> String {
    if path.is_empty() { name.to_owned() } else { format!("{path}.{name}") }
}

/// The message without the place in the text, which says little about one line.
fn without_place(words: &str) -> &str {
    words.rfind(" at line ").map_or(words, |end| &words[..end])
}

/// The word in backticks behind `start`.
fn quoted<'a>(words: &'a str, start: &str) -> Option<&'a str> {
    words.strip_prefix(start)?.strip_prefix('`')?.split('`').next()
}

/// The words in backticks behind "expected", as a list.
fn alternatives(words: &str) -> String {
    let Some((_, rest)) = words.rsplit_once(", expected ") else { return "none".to_owned() };
    let names: Vec<&str> = rest.split('`').skip(1).step_by(2).collect();
    match &names[..] {
        [] => "none".to_owned(),
        [name] => (*name).to_owned(),
        [names @ .., last] => format!("{} or {last}", names.join(", ")),
    }
}

/// What was found, in plain words, and the type that was expected.
fn mismatch(words: &str) -> Option<(String, &str)> {
    let rest =
        words.strip_prefix("invalid type: ").or_else(|| words.strip_prefix("invalid value: "));
    let (found, kind) = rest?.rsplit_once(", expected ")?;
    let inner = |start: &str| Some(found.strip_prefix(start)?.trim_matches('`').to_owned());
    let plain =
        inner("integer ").or_else(|| inner("floating point ")).or_else(|| inner("boolean "));
    let plain = plain.unwrap_or_else(|| match found {
        "sequence" => "a list".to_owned(),
        "map" => "an object".to_owned(),
        "unit value" | "Option value" => "null".to_owned(),
        text => text
            .strip_prefix("string ")
            .map_or_else(|| text.to_owned(), |t| format!("the text {t}")),
    });
    Some((plain, kind))
}

/// Whether the standard library could not read a number or a boolean.
fn is_unparsed(words: &str) -> bool {
    [
        "invalid digit",
        "invalid float",
        "invalid length",
        "number too",
        "cannot parse",
        "provided string",
        "expected value",
    ]
    .iter()
    .any(|start| words.starts_with(start))
}

/// What a field takes: by its name, or else by the type that the parser names.
fn expected<'a>(path: &str, kind: &'a str) -> &'a str {
    let name = path.rsplit('.').next().unwrap_or_default();
    let name = name.split('[').next().unwrap_or_default();
    if let Some((_, expected)) = EXPECTED.iter().find(|(field, _)| *field == name) {
        return expected;
    }
    match kind {
        "it" => "it in the request",
        "u8" | "u16" | "u32" | "u64" | "usize" => "a whole number, at least 0",
        "i8" | "i16" | "i32" | "i64" | "isize" => "a whole number",
        "f32" | "f64" => "a number",
        "a boolean" => "true or false",
        "a string" | "a borrowed string" | "string or map" => "a text",
        "a sequence" => "a list",
        _ if kind.starts_with("struct ") || kind.starts_with("a map") => "an object",
        _ if kind.starts_with("invalid length") => "an object",
        _ if kind.starts_with("invalid float") => "a number",
        _ if kind.starts_with("provided string") => "true or false",
        "expected value" => "another value",
        _ if is_unparsed(kind) => "a whole number",
        _ => "something else",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_parsers_words_become_those_of_a_user() {
        for (path, words, found, field, message) in [
            (
                "size",
                "invalid digit found in string",
                Some("\"x\""),
                "size",
                r#"size cannot be "x"; expected 4, 6, 8, 10, 12, 14 or 16"#,
            ),
            (
                "size",
                "invalid value: integer `300`, expected u8 at line 1 column 9",
                None,
                "size",
                "size cannot be 300; expected 4, 6, 8, 10, 12, 14 or 16",
            ),
            (
                "ply",
                "invalid type: string \"a, expected b\", expected u32",
                None,
                "ply",
                "ply cannot be the text \"a, expected b\"; expected a whole number, at least 0",
            ),
            (
                ".",
                "missing field `agent` at line 1 column 2",
                None,
                "agent",
                "agent is missing; expected an agent such as engine:level=5",
            ),
            (
                "black",
                "missing field `name`",
                None,
                "black.name",
                "black.name is missing; expected a name",
            ),
            (
                ".",
                "invalid type: sequence, expected struct MoveRequest",
                None,
                "",
                "the request cannot be a list; expected an object",
            ),
            (
                "rule",
                "unknown variant `chess`, expected `reversed` or `normal`",
                None,
                "rule",
                "rule cannot be \"chess\"; expected reversed or normal",
            ),
            (
                "rool",
                "unknown field `rool`, expected one of `rule`, `size`, `start`",
                None,
                "rool",
                "there is no field rool; expected rule, size or start",
            ),
            (
                "size",
                "duplicate field `size`",
                None,
                "size.size",
                "size.size is there twice; expected it once",
            ),
            (
                "moves",
                "\"z9\" is not a move; expected a square",
                None,
                "moves",
                "moves: \"z9\" is not a move; expected a square",
            ),
            (
                "before",
                "invalid digit found in string",
                None,
                "before",
                "before cannot be this; expected a whole number",
            ),
        ] {
            let told = fault(path, words, found);
            assert_eq!(told.field.as_deref().unwrap_or(""), field, "{words}");
            assert_eq!(told.message, message);
        }
    }
}
