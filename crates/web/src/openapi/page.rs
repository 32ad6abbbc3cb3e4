//! The description as a page for people: plain HTML that needs no script.

use serde_json::{Map, Value};
use std::fmt::Write;

/// The page's style sheet.
pub(super) const STYLE: &str = include_str!("page.css");

/// The methods of routes in the order of the page.
const METHODS: [&str; 4] = ["get", "post", "put", "delete"];

/// The page of a description.
pub(super) fn page(description: &Value) -> String {
    let info = &description["info"];
    let mut page = format!(
        "<!doctype html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width\">\n\
         <title>{title} API</title>\n<link rel=\"icon\" href=\"/favicon.svg\" \
         type=\"image/svg+xml\">\n<link rel=\"stylesheet\" href=\"/api/docs.css\">\n\
         <main>\n<h1>{title} API {version}</h1>\n<p>{about}</p>\n\
         <p><a href=\"/api/openapi.json\">For programs: openapi.json</a>. Every request can be \
         refused, with the body <a href=\"#type-ErrorBody\">ErrorBody</a>.</p>\n",
        title = text(&info["title"]),
        version = text(&info["version"]),
        about = text(&info["description"]),
    );
    let tags = description["tags"].as_array().into_iter().flatten();
    let routes = routes(description);
    let mut sections = String::new();
    page.push_str("<nav>\n");
    for tag in tags {
        let (name, about) = (text(&tag["name"]), text(&tag["description"]));
        write(&mut page, format_args!("<h2><a href=\"#{name}\">{name}</a></h2>\n<ul>\n"));
        write(&mut sections, format_args!("<h2 id=\"{name}\">{name}: {about}</h2>\n"));
        let is_tagged = |operation: &Value| operation["tags"][0] == tag["name"];
        for &(path, method, operation) in routes.iter().filter(|route| is_tagged(route.2)) {
            let (id, summary) = (text(&operation["operationId"]), text(&operation["summary"]));
            write(&mut page, format_args!("<li><a href=\"#{id}\">{summary}</a></li>\n"));
            write_operation(&mut sections, path, method, operation);
        }
        page.push_str("</ul>\n");
    }
    page.push_str("</nav>\n");
    page.push_str(&sections);
    page.push_str("<h2 id=\"types\">Types</h2>\n");
    for (name, schema) in entries(&description["components"]["schemas"]) {
        write_type(&mut page, name, schema);
    }
    page.push_str("</main>\n</html>\n");
    page
}

/// All routes: path, method and operation.
fn routes(description: &Value) -> Vec<(&str, &'static str, &Value)> {
    entries(&description["paths"])
        .flat_map(|(path, item)| {
            let operations =
                METHODS.into_iter().filter_map(|method| Some((method, item.get(method)?)));
            operations.map(move |(method, operation)| (path.as_str(), method, operation))
        })
        .collect()
}

fn write_operation(page: &mut String, path: &str, method: &str, operation: &Value) {
    let (id, summary) = (text(&operation["operationId"]), text(&operation["summary"]));
    let (method, path) = (method.to_uppercase(), escaped(path));
    write(
        page,
        format_args!(
            "<section id=\"{id}\">\n<h3>{summary}</h3>\n<p><code>{method} {path}</code></p>\n"
        ),
    );
    page.push_str(who_may_ask(operation));
    let parameters = operation["parameters"].as_array().into_iter().flatten();
    let rows = parameters.map(|parameter| {
        let name = text(&parameter["name"]);
        let is_needed = parameter["required"] == true;
        row(&name, is_needed, &parameter["schema"], &parameter["description"])
    });
    write_table(page, "Parameters", rows.collect());
    for (media, content) in entries(&operation["requestBody"]["content"]) {
        let (media, kind) = (escaped(media), kind(&content["schema"]));
        write(page, format_args!("<p>Body, <code>{media}</code>: {kind}</p>\n"));
    }
    page.push_str("<ul>\n");
    for (status, response) in entries(&operation["responses"]) {
        let Some(about) = response["description"].as_str() else { continue };
        write(page, format_args!("<li><code>{}</code> {}", escaped(status), marked(about)));
        for (media, content) in entries(&response["content"]) {
            let (media, kind) = (escaped(media), kind(&content["schema"]));
            write(page, format_args!(" <code>{media}</code>: {kind}"));
        }
        page.push_str("</li>\n");
    }
    page.push_str("</ul>\n</section>\n");
}

/// What a caller shows, by the schemes that the operation names.
fn who_may_ask(operation: &Value) -> &'static str {
    let mut needed = operation["security"].as_array().into_iter().flatten();
    let Some(last) = needed.next_back() else { return "" };
    if last.get("member").is_none() {
        return "<p>With <code>Authorization: Bearer TOKEN</code>.</p>\n";
    }
    let others: Vec<&Value> = needed.collect();
    if others.iter().any(|one| one.get("form").is_some()) {
        "<p>With a member's <code>Authorization: Bearer TOKEN</code>, or with the cookie of a \
         session and its code in <code>X-Form-Code</code>.</p>\n"
    } else if others.len() > 1 {
        "<p>A member is told more, with <code>Authorization: Bearer TOKEN</code> or the cookie of a \
         session.</p>\n"
    } else {
        "<p>With a member's <code>Authorization: Bearer TOKEN</code>, or with the cookie of a \
         session.</p>\n"
    }
}

fn write_type(page: &mut String, name: &str, schema: &Value) {
    let (name, about) = (escaped(name), text(&schema["description"]));
    write(page, format_args!("<section id=\"type-{name}\">\n<h3>{name}</h3>\n<p>{about}</p>\n"));
    let needed = |name: &str| {
        schema["required"].as_array().is_some_and(|all| all.iter().any(|one| one == name))
    };
    let properties = entries(&schema["properties"]);
    let rows: Vec<String> = properties
        .map(|(name, property)| {
            row(&escaped(name), needed(name), property, &property["description"])
        })
        .collect();
    if rows.is_empty() {
        write(page, format_args!("<p>{}</p>\n", kind(schema)));
    }
    write_table(page, "Fields", rows);
    page.push_str("</section>\n");
}

fn write_table(page: &mut String, title: &str, rows: Vec<String>) {
    if !rows.is_empty() {
        let rows = rows.concat();
        write(
            page,
            format_args!(
                "<table><thead><tr><th>{title}</th><th>Type</th><th></th></tr></thead>\n\
                 <tbody>\n{rows}</tbody></table>\n"
            ),
        );
    }
}

/// A row of a table: a name, marked if it may be left out, its type and what it is.
fn row(name: &str, is_needed: bool, schema: &Value, about: &Value) -> String {
    let mark = if is_needed { "" } else { "?" };
    let (kind, about) = (kind(schema), text(about));
    format!("<tr><td><code>{name}{mark}</code></td><td>{kind}</td><td>{about}</td></tr>\n")
}

/// A type in a few words, with links to those that have a name.
fn kind(schema: &Value) -> String {
    if let Some(reference) = schema["$ref"].as_str() {
        let name = escaped(last(reference));
        return format!("<a href=\"#type-{name}\">{name}</a>");
    }
    let several = |word: &str, kinds: &Value| {
        let kinds = kinds.as_array().into_iter().flatten().map(kind);
        kinds.collect::<Vec<_>>().join(word)
    };
    for (key, word) in [("oneOf", " or "), ("anyOf", " or "), ("allOf", " and ")] {
        if schema[key].is_array() {
            return several(word, &schema[key]);
        }
    }
    if let Some(words) = schema["enum"].as_array() {
        let words = words.iter().map(|word| format!("<code>{}</code>", text(word)));
        return words.collect::<Vec<_>>().join(", ");
    }
    let word = match &schema["type"] {
        Value::Array(types) => types.iter().map(text).collect::<Vec<_>>().join(" or "),
        one => text(one),
    };
    let range = match (&schema["minimum"], &schema["maximum"]) {
        (least, most) if most.is_number() => format!(", {least} to {most}"),
        _ => String::new(),
    };
    match &schema["items"] {
        Value::Null if schema["properties"].is_object() => fields(&schema["properties"]),
        Value::Null => format!("{word}{range}"),
        items => format!("list of {}", kind(items)),
    }
}

/// The fields of a type without a name.
fn fields(properties: &Value) -> String {
    let fields =
        entries(properties).map(|(name, schema)| format!("{}: {}", escaped(name), kind(schema)));
    format!("({})", fields.collect::<Vec<_>>().join(", "))
}

/// The last part of a reference.
pub(super) fn last(reference: &str) -> &str {
    reference.rsplit('/').next().unwrap_or(reference)
}

fn entries(object: &Value) -> impl Iterator<Item = (&String, &Value)> {
    object.as_object().into_iter().flat_map(Map::iter)
}

fn write(page: &mut String, words: std::fmt::Arguments<'_>) {
    page.write_fmt(words).expect("a string takes everything");
}

/// A value's text, with code where it is marked.
fn text(value: &Value) -> String {
    marked(value.as_str().unwrap_or_default())
}

/// A text with `code` as code.
fn marked(words: &str) -> String {
    let parts = words.split('`').enumerate().map(|(number, part)| match number % 2 {
        0 => escaped(part),
        _ => format!("<code>{}</code>", escaped(part)),
    });
    parts.collect()
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn types_are_said_in_a_few_words() {
        for (schema, words) in [
            (json!({"$ref": "#/components/schemas/Pair"}), "<a href=\"#type-Pair\">Pair</a>"),
            (json!({"type": ["integer", "null"]}), "integer or null"),
            (json!({"type": "integer", "minimum": 1, "maximum": 3}), "integer, 1 to 3"),
            (json!({"type": "array", "items": {"type": "string"}}), "list of string"),
            (json!({"oneOf": [{"type": "null"}, {"type": "string"}]}), "null or string"),
            (
                json!({"type": "string", "enum": ["a", "<b>"]}),
                "<code>a</code>, <code>&lt;b&gt;</code>",
            ),
        ] {
            assert_eq!(kind(&schema), words);
        }
        assert_eq!(marked("`a<b` is <c>"), "<code>a&lt;b</code> is &lt;c&gt;");
    }
}
