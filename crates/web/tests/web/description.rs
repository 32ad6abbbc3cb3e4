//! The OpenAPI description agrees with the routes and with the guide.

use crate::client::{Client, request};
use axum::body::Body;
use axum::http::Method;
use serde_json::{Value, json};
use std::collections::BTreeSet;

#[tokio::test]
async fn every_route_that_is_described_is_there_and_in_the_words() {
    let client = Client::with_club("description").client;
    let document = client.get("/api/openapi.json").await.json();
    assert!(document["openapi"].as_str().unwrap().starts_with("3.1"));
    let words = include_str!("../../../../docs/guide/web-api.md");
    let paths = document["paths"].as_object().unwrap();
    assert!(paths.len() > 15);
    for (path, methods) in paths {
        for method in methods.as_object().unwrap().keys() {
            let upper = method.to_uppercase();
            let line = format!("`{upper} {path}");
            assert!(words.contains(&line), "docs/guide/web-api.md does not say {line}");
            let method: Method = upper.parse().unwrap();
            let address = path.replace("{id}", "nosuchthing1").replace("{number}", "1");
            // Streams are not read: only whether they begin is of interest.
            let answer = client.send(request(method, &address, Body::from("nonsense"))).await;
            assert_ne!(answer.status(), 405, "{line}");
            assert!(answer.status() != 404 || path.contains('{'), "{line}");
        }
        let wrong = request(Method::PATCH, &path.replace(['{', '}'], ""), Body::empty());
        client.ask(wrong).await.refused(405, "method");
    }
    for line in words.lines().filter(|line| line.starts_with("### `")) {
        let route = line.trim_start_matches("### `").split(['?', '`']).next().unwrap();
        let (method, path) = route.split_once(' ').unwrap();
        let is_there = ["/api/openapi.json", "/api/docs", "/api/channel"].contains(&path)
            || paths.get(path).is_some_and(|methods| methods.get(method.to_lowercase()).is_some());
        assert!(is_there, "{route} is only words");
    }
}

/// The routes of the club that answer people who have not logged in.
const PUBLIC: [&str; 4] = ["log_in", "show_club", "show_invitation", "accept_invitation"];

#[tokio::test]
async fn the_club_routes_say_who_may_ask_and_hold_to_it() {
    let club = Client::with_club("described-security");
    let document = club.client.get("/api/openapi.json").await.json();
    let schemes = &document["components"]["securitySchemes"];
    assert_eq!(
        (&schemes["session"]["in"], &schemes["session"]["name"]),
        (&"cookie".into(), &"isrever".into())
    );
    assert_eq!(
        (&schemes["form"]["in"], &schemes["form"]["name"]),
        (&"header".into(), &"x-form-code".into())
    );
    let mut public = BTreeSet::new();
    let paths = document["paths"].as_object().unwrap();
    for (path, item) in paths.iter().filter(|(path, _)| path.starts_with("/api/club")) {
        for (method, operation) in item.as_object().unwrap() {
            let name = operation["operationId"].as_str().unwrap();
            let address = path.replace(['{', '}'], "").replace("/id", "/1");
            let method: Method = method.to_uppercase().parse().unwrap();
            let asked = || request(method.clone(), &address, Body::from("nonsense"));
            let ways = operation["security"].as_array().map_or(&[][..], Vec::as_slice);
            let is_public = ways.iter().all(|way| way.as_object().unwrap().is_empty())
                || ways.contains(&json!({}));
            let answer = club.client.ask(asked()).await;
            assert_eq!(answer.status != 401, is_public, "{name}: {}", answer.text());
            if is_public {
                public.insert(name);
                continue;
            }
            let is_change = method != Method::GET;
            let session = match is_change {
                true => json!({"session": [], "form": []}),
                false => json!({"session": []}),
            };
            assert_eq!(ways, [session, json!({"member": []})], "{name}");
            let mut by_cookie = asked();
            by_cookie.headers_mut().insert("cookie", club.cookie());
            let answer = club.client.ask(by_cookie).await;
            if is_change {
                answer.refused(403, "wrong-form");
                continue;
            }
            assert!(![401, 403].contains(&answer.status.as_u16()), "{name}: {}", answer.text());
            let mut by_token = asked();
            by_token.headers_mut().insert("authorization", club.bearer());
            let answer = club.client.ask(by_token).await;
            assert!(![401, 403].contains(&answer.status.as_u16()), "{name}: {}", answer.text());
        }
    }
    assert_eq!(public, BTreeSet::from(PUBLIC));
}

#[tokio::test]
async fn everything_is_described_in_words_and_by_a_name_of_its_own() {
    let client = Client::new("described");
    let document = client.get("/api/openapi.json").await.json();
    let is_said = |value: &Value| value.as_str().is_some_and(|words| !words.trim().is_empty());
    let tags: BTreeSet<&str> = document["tags"]
        .as_array()
        .unwrap()
        .iter()
        .map(|tag| tag["name"].as_str().unwrap())
        .collect();
    let mut ids = BTreeSet::new();
    for (path, item) in document["paths"].as_object().unwrap() {
        for (method, operation) in item.as_object().unwrap() {
            let name = format!("{method} {path}");
            assert!(is_said(&operation["summary"]), "{name} has no summary");
            assert!(tags.contains(operation["tags"][0].as_str().unwrap()), "{name} has no tag");
            assert!(
                ids.insert(operation["operationId"].as_str().unwrap()),
                "{name} has another's id"
            );
            for parameter in operation["parameters"].as_array().into_iter().flatten() {
                let is_described = is_said(&parameter["description"])
                    || is_said(&parameter["schema"]["description"]);
                assert!(is_described, "{name}: {}", parameter["name"]);
            }
            for (status, response) in operation["responses"].as_object().unwrap() {
                let is_refusal = response["$ref"].is_string();
                assert!(is_refusal || is_said(&response["description"]), "{name}: {status}");
            }
        }
    }
    let schemas = document["components"]["schemas"].as_object().unwrap();
    for (name, schema) in schemas {
        assert!(is_said(&schema["description"]), "{name} is not described");
        // The names of a pair's two fields say all there is.
        let is_pair = name.starts_with("Pair_");
        for (field, property) in schema["properties"].as_object().into_iter().flatten() {
            // A type of its own says what it is; one that may be null is described beside the null.
            let parts = property["oneOf"].as_array().into_iter().flatten();
            let is_described = is_pair
                || is_said(&property["description"])
                || property["$ref"].is_string()
                || parts.clone().any(|part| is_said(&part["description"]));
            assert!(is_described, "{name}.{field} is not described");
        }
    }
    let mut references = BTreeSet::new();
    collect_references(&document, &mut references);
    for reference in references {
        assert!(document.pointer(&reference[1..]).is_some(), "{reference} leads nowhere");
    }
}

fn collect_references<'a>(value: &'a Value, references: &mut BTreeSet<&'a str>) {
    match value {
        Value::Object(fields) => {
            references.extend(fields.get("$ref").and_then(Value::as_str));
            fields.values().for_each(|field| collect_references(field, references));
        }
        Value::Array(items) => items.iter().for_each(|item| collect_references(item, references)),
        _ => {}
    }
}

#[tokio::test]
async fn people_can_read_it_in_a_browser() {
    let client = Client::new("docs");
    let page = client.get("/api/docs").await;
    assert_eq!(page.headers["content-type"], "text/html; charset=utf-8");
    let text = page.text();
    let document = client.get("/api/openapi.json").await.json();
    for (path, item) in document["paths"].as_object().unwrap() {
        for (method, operation) in item.as_object().unwrap() {
            let route = format!("<code>{} {path}</code>", method.to_uppercase());
            assert!(text.contains(&route), "{route}");
            let anchor = format!("<section id={}>", operation["operationId"]);
            assert!(text.contains(&anchor), "{anchor}");
        }
    }
    for link in text.split("href=\"#").skip(1).map(|rest| rest.split('"').next().unwrap()) {
        assert!(text.contains(&format!("id=\"{link}\"")), "#{link} leads nowhere");
    }
    assert!(
        !text.contains("<script") && !text.contains("style="),
        "nothing that the policy forbids"
    );
    let style = client.get("/api/docs.css").await;
    assert_eq!(style.headers["content-type"], "text/css; charset=utf-8");
}
