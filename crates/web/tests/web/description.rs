//! The OpenAPI description agrees with the routes and with the guide.

use crate::client::{Client, request};
use axum::body::Body;
use axum::http::Method;

#[tokio::test]
async fn every_route_that_is_described_is_there_and_in_the_words() {
    let client = Client::new("description");
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
        let is_there = path == "/api/openapi.json"
            || paths.get(path).is_some_and(|methods| methods.get(method.to_lowercase()).is_some());
        assert!(is_there, "{route} is only words");
    }
}
