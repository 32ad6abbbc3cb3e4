//! Messages about wrong requests: every field of every route, in a user's words.

use crate::client::{Client, request};
use crate::club::ClubClient;
use axum::body::Body;
use axum::http::Method;
use http_body_util::BodyExt;
use serde_json::{Map, Value, json};

/// Words of the parser and of Rust that no message may contain.
const FOREIGN: [&str; 17] = [
    "`",
    "u8",
    "u16",
    "u32",
    "u64",
    "i64",
    "f64",
    "usize",
    "struct",
    "variant",
    "enum",
    "invalid type",
    "invalid value",
    "missing field",
    "sequence",
    " map",
    "at line 1 column",
];

/// What a field must be for the others to be looked at.
fn valid(field: &str) -> Value {
    match field {
        "agent" => json!("random"),
        "format" => json!("ggf"),
        "move" | "text" => json!("f5"),
        "moves" => json!([]),
        "black" | "white" => json!({"kind": "human", "name": "Ann"}),
        "side" | "color" => json!("black"),
        "name" | "code" => json!("Ann"),
        "token" => json!("a".repeat(32)),
        "action" => json!("resign"),
        "password" | "old" => json!("correct horse"),
        "label" | "reason" => json!("laptop"),
        "opponent" => json!({"agent": "random"}),
        "role" => json!("member"),
        "uses" | "pairs" | "version" | "ply" => json!(1),
        "size" => json!(8),
        "state" => json!("stopped"),
        _ => panic!("{field} is required: what is it?"),
    }
}

/// Checks a refusal: plain words, and the field if it is about one.
fn check(asked: &str, field: &str, body: &[u8]) {
    let text = String::from_utf8_lossy(body);
    let answer: Value = serde_json::from_str(&text).unwrap();
    let message = answer["error"]["message"].as_str().unwrap();
    let quoted: String = message.split('"').step_by(2).collect();
    for word in FOREIGN {
        assert!(!quoted.contains(word), "{asked}: {message}");
    }
    let named = answer["error"]["field"].as_str().unwrap_or_else(|| panic!("{asked}: {text}"));
    assert!(named.starts_with(field), "{asked}: {text}");
    assert!(message.contains("expected") || message.contains("may not"), "{asked}: {message}");
}

async fn ask(served: &ClubClient, method: &str, path: &str, body: Body) -> Option<Vec<u8>> {
    let id = if path.starts_with("/api/club/") { "1" } else { "r8-1-1" };
    let path = path.replace("{id}", id).replace("{number}", "1");
    let mut asked = request(method.parse::<Method>().unwrap(), &path, body);
    asked.headers_mut().insert("authorization", served.bearer());
    let answer = served.client.send(asked).await;
    assert!(answer.status().as_u16() < 500, "{path}");
    if answer.status() != 400 {
        // A stream is not read, and what is not found is another matter.
        return None;
    }
    Some(answer.into_body().collect().await.unwrap().to_bytes().to_vec())
}

/// Sends wrong queries: how many were refused.
async fn wrong_queries(client: &ClubClient, method: &str, path: &str, fields: &[&str]) -> usize {
    let mut refused = 0;
    let players = match path {
        "/api/watch" => "black=random&white=random&",
        "/api/club/versions" => "file=a.py&",
        _ => "",
    };
    for field in fields {
        for value in ["", "x", "-1", "1e99", "99999999999999999999", "%00", "[]"] {
            let others = if players.contains(&format!("{field}=")) { "" } else { players };
            let asked = format!("{path}?{others}{field}={value}");
            if let Some(body) = ask(client, method, &asked, Body::empty()).await {
                // Without one of its players, a match lacks the other.
                let field = if players.is_empty() || !others.is_empty() { field } else { "" };
                check(&asked, field, &body);
                refused += 1;
            }
        }
    }
    refused
}

/// Sends wrong bodies: how many were refused.
async fn wrong_bodies(client: &ClubClient, method: &str, path: &str, schema: &Value) -> usize {
    let required: Vec<&str> =
        schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
    let base: Map<String, Value> = required
        .iter()
        .filter(|field| !(path == "/api/write" && ["black", "white"].contains(field)))
        .map(|field| ((*field).to_owned(), valid(field)))
        .collect();
    let mut refused = 0;
    for field in schema["properties"].as_object().unwrap().keys() {
        let mut bodies: Vec<Map<String, Value>> = [
            json!(true),
            json!(-1),
            json!(1.5),
            json!(1e300),
            json!(u64::MAX),
            json!("nonsense"),
            json!([1]),
            json!({}),
            json!({"kind": 1}),
            json!({"kind": "god", "name": "x"}),
            json!({"x": 1}),
            json!(null),
            json!([["f5"]]),
            json!("\u{7}"),
        ]
        .into_iter()
        .map(|value| {
            let mut body = base.clone();
            body.insert(field.clone(), value);
            body
        })
        .collect();
        if required.contains(&field.as_str()) {
            let mut body = base.clone();
            body.remove(field);
            bodies.push(body);
        }
        for body in bodies {
            let body = Value::Object(body).to_string();
            if let Some(answer) = ask(client, method, path, body.clone().into()).await {
                check(&format!("{path} {body}"), field, &answer);
                refused += 1;
            }
        }
    }
    refused
}

#[tokio::test]
async fn a_message_names_the_field_and_no_type_of_rust() {
    let client = Client::with_club("messages");
    let document = client.client.get("/api/openapi.json").await.json();
    let (mut queries, mut bodies) = (0, 0);
    for (path, methods) in document["paths"].as_object().unwrap() {
        for (method, route) in methods.as_object().unwrap() {
            let method = method.to_uppercase();
            let parameters = route["parameters"].as_array().into_iter().flatten();
            let fields: Vec<&str> = parameters
                .filter(|parameter| parameter["in"] == "query" && path != "/api/read")
                .map(|parameter| parameter["name"].as_str().unwrap())
                .collect();
            queries += wrong_queries(&client, &method, path, &fields).await;
            let body = &route["requestBody"]["content"]["application/json"]["schema"]["$ref"];
            if let Some(name) = body.as_str().and_then(|name| name.rsplit('/').next()) {
                let schema = &document["components"]["schemas"][name];
                bodies += wrong_bodies(&client, &method, path, schema).await;
            }
        }
    }
    assert!(queries > 150 && bodies > 200, "{queries} {bodies}");
    client.client.rest().await;
}

#[tokio::test]
async fn limits_are_told_by_at_most_and_at_least() {
    let client = Client::new("bounds");
    for (path, message) in [
        ("/api/analysis?seconds=3601", "seconds cannot be 3601; expected at most 3600"),
        ("/api/analysis?threads=0", "threads cannot be 0; expected at least 1"),
        ("/api/analysis?threads=17", "threads cannot be 17; expected at most 16"),
        ("/api/solve?seconds=61", "seconds cannot be 61; expected at most 60"),
        ("/api/analysis?seconds=0", "seconds cannot be 0; expected at least 0.05"),
        ("/api/analysis?depth=61", "depth cannot be 61; expected at most 60"),
        ("/api/games?limit=0", "limit cannot be 0; expected at least 1"),
        ("/api/puzzles?level=4", "level cannot be 4; expected at most 3"),
        ("/api/board.svg?size=9999", "size cannot be \"9999\"; expected 4, 6, 8, 10, 12, 14 or 16"),
        ("/api/solve?goal=best", "goal cannot be \"best\"; expected exact or wld"),
        ("/api/watch?black=random", "white is missing; expected it in the request"),
    ] {
        assert_eq!(client.get(path).await.refused(400, "bad-request"), message);
    }
    let cut = client.ask(request(Method::POST, "/api/move", "{\"agent\":".into())).await;
    let message = "the body breaks off at line 1, column 9; expected one JSON object";
    assert_eq!(cut.refused(400, "bad-request"), message);
}
