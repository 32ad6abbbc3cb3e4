//! Holds every answer against the OpenAPI description: nothing undescribed is ever sent.

use boon::{Compiler, Schemas};
use serde_json::{Value, json};
use std::collections::BTreeSet;

/// Where the description is for its own references.
const ROOT: &str = "memory:///openapi.json";

/// The description, for checks.
pub(crate) struct Contract {
    document: Value,
}

impl Contract {
    /// Takes a description at its word: fields that it does not name are not allowed.
    pub(crate) fn new(mut document: Value) -> Contract {
        let mut parts = BTreeSet::new();
        collect_parts(&document, &mut parts);
        let schemas = document["components"]["schemas"].as_object_mut().expect("schemas");
        for (name, schema) in schemas {
            if !parts.contains(name) {
                forbid_others(schema);
            }
        }
        Contract { document }
    }

    /// What is said of the answer with this status to a request; nothing if it is no described route.
    fn response(&self, method: &str, path: &str, status: u16) -> Option<&Value> {
        let path = path.split('?').next().unwrap_or(path);
        let paths = self.document["paths"].as_object().expect("paths");
        // A fixed path comes before one with an id.
        let mut found: Vec<_> = paths.iter().filter(|(route, _)| is_like(route, path)).collect();
        found.sort_by_key(|(route, _)| route.contains('{'));
        let (_, item) = found.first()?;
        let responses = &item.get(method.to_lowercase())?["responses"];
        let range = format!("{}XX", status / 100);
        let response = responses.get(status.to_string()).or_else(|| responses.get(range));
        let response =
            response.unwrap_or_else(|| panic!("{method} {path} may not answer {status}"));
        Some(match response["$ref"].as_str() {
            Some(reference) => self.document.pointer(&reference[1..]).expect("it is there"),
            None => response,
        })
    }

    /// Checks an answer.
    pub(crate) fn check(&self, asked: (&str, &str), status: u16, media: &str, body: &[u8]) {
        let Some(response) = self.response(asked.0, asked.1, status) else { return };
        let Some(content) = response.get("content") else {
            assert!(body.is_empty(), "{asked:?} answers more than is described");
            return;
        };
        let media = media.split(';').next().unwrap_or(media);
        let content = content.get(media).unwrap_or_else(|| panic!("{asked:?} answers as {media}"));
        if media == "application/json" {
            let body = serde_json::from_slice(body).expect("JSON");
            self.check_schema(asked, &content["schema"], &body);
        }
    }

    /// Checks an event of a stream.
    pub(crate) fn check_event(&self, path: &str, event: &str, data: &Value) {
        let Some(response) = self.response("get", path, 200) else { return };
        let schema = &response["content"]["text/event-stream"]["schema"];
        self.check_schema(("event", path), schema, &json!({"event": event, "data": data}));
    }

    fn check_schema(&self, asked: (&str, &str), schema: &Value, value: &Value) {
        let reference = schema["$ref"].as_str().expect("every body has a type with a name");
        let mut compiler = Compiler::new();
        compiler.add_resource(ROOT, self.document.clone()).expect("a new resource");
        let mut schemas = Schemas::new();
        let index =
            compiler.compile(&format!("{ROOT}{reference}"), &mut schemas).expect("a schema");
        if let Err(error) = schemas.validate(value, index) {
            panic!("{asked:?} is not {reference}: {error:#}\n{value:#}");
        }
    }
}

/// Whether a path is one of a route such as `/api/games/{id}`.
fn is_like(route: &str, path: &str) -> bool {
    let (mut parts, mut words) = (route.split('/'), path.split('/'));
    loop {
        match (parts.next(), words.next()) {
            (None, None) => return true,
            (Some(part), Some(word)) if part == word || part.starts_with('{') => {}
            _ => return false,
        }
    }
}

/// Collects the names of the types that are part of a larger object, and do not stand alone.
fn collect_parts(value: &Value, parts: &mut BTreeSet<String>) {
    match value {
        Value::Object(fields) => {
            for part in fields.get("allOf").and_then(Value::as_array).into_iter().flatten() {
                let name = part["$ref"].as_str().and_then(|reference| reference.rsplit('/').next());
                parts.extend(name.map(str::to_owned));
            }
            fields.values().for_each(|field| collect_parts(field, parts));
        }
        Value::Array(items) => items.iter().for_each(|item| collect_parts(item, parts)),
        _ => {}
    }
}

/// Forbids fields that the schema of an object does not name.
fn forbid_others(schema: &mut Value) {
    if schema.get("properties").is_some() || schema.get("allOf").is_some() {
        schema["unevaluatedProperties"] = json!(false);
    }
    for part in schema.get_mut("oneOf").and_then(Value::as_array_mut).into_iter().flatten() {
        forbid_others(part);
    }
}
