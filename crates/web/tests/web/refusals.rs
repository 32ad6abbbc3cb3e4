//! Bad input at every door: one shape, a clear status, and nothing changed.

use crate::client::{Answer, Client, request};
use axum::body::Body;
use axum::http::Method;
use proptest::prelude::*;
use serde_json::json;

const POSTS: [&str; 6] = [
    "/api/position",
    "/api/move",
    "/api/read",
    "/api/write",
    "/api/games",
    "/api/puzzles/r8-1-1/answer",
];

const GETS: [&str; 8] = [
    "/api/analysis",
    "/api/solve",
    "/api/review",
    "/api/watch",
    "/api/board.svg",
    "/api/games",
    "/api/games/export",
    "/api/puzzles",
];

async fn post(client: &Client, path: &str, body: impl Into<Body>) -> Answer {
    client.ask(request(Method::POST, path, body.into())).await
}

#[tokio::test]
async fn bodies_that_are_no_requests_are_refused_everywhere() {
    let client = Client::new("bodies");
    for path in POSTS {
        for body in ["", "{", "[]", "null", "\"f5\"", "{}{}", "\u{0}", "{\"moves\":1}", "é"] {
            post(&client, path, body).await.refused(400, "bad-request");
        }
        for cut in ["{\"moves\":[\"f5\"", "{\"rule\":\"reversed\""] {
            let cut = post(&client, path, cut).await;
            assert!(!cut.refused(400, "bad-request").contains('?'));
            assert!(!cut.text().contains("\"?\""), "{}", cut.text());
        }
        let deep = "[".repeat(60_000);
        post(&client, path, deep).await.refused(400, "bad-request");
        let unknown = post(&client, path, "{\"rool\":\"reversed\"}").await;
        assert!(
            unknown.refused(400, "bad-request").starts_with("there is no field rool; expected ")
        );
        let large = format!("{{\"text\":\"{}\"}}", " ".repeat(3 << 20));
        post(&client, path, large).await.refused(413, "too-large");
        let mut plain = request(Method::POST, path, "{}".into());
        plain.headers_mut().insert("content-type", "text/plain".parse().unwrap());
        client.ask(plain).await.refused(415, "media-type");
        let mut none = request(Method::POST, path, "{}".into());
        none.headers_mut().remove("content-type");
        client.ask(none).await.refused(415, "media-type");
    }
    assert_eq!(client.get("/api/health").await.json()["games"], 0);
}

#[tokio::test]
async fn queries_that_are_no_requests_are_refused_everywhere() {
    let client = Client::new("queries");
    for path in GETS {
        for query in ["rool=x", "size=8&size=8", "size=eight", "size=-1", "rule=chess", "size=9999"]
        {
            let is_list = path.starts_with("/api/games");
            if is_list && query == "size=9999" {
                continue;
            }
            client.get(&format!("{path}?{query}")).await.refused(400, "bad-request");
        }
        let long = format!("{path}?moves={}", "a1".repeat(5_000));
        client.get(&long).await.refused(413, "too-large");
    }
    client.rest().await;
}

#[tokio::test]
async fn games_that_cannot_be_are_refused_everywhere() {
    let client = Client::new("impossible");
    let start = "-".repeat(64) + "+X";
    for path in ["/api/analysis", "/api/solve", "/api/review", "/api/board.svg"] {
        let refused = async |query: &str, code: &str| {
            client.get(&format!("{path}?{query}")).await.refused(400, code)
        };
        refused("size=5", "bad-request").await;
        refused("moves=f5,f5", "illegal-move").await;
        refused("moves=z9", "bad-request").await;
        refused("moves=pass", "illegal-move").await;
        refused("size=4&moves=f5", "illegal-move").await;
        refused(&format!("start={start}"), "bad-position").await;
        refused("start=XO", "bad-position").await;
        refused("start=", "bad-position").await;
        refused("size=6&start=-----OX--XO-----%20X", "bad-position").await;
    }
    let many = vec!["f5"; 600];
    let message = client.post("/api/position", json!({"moves": many})).await;
    assert!(message.refused(400, "bad-request").contains("expected at most 512"));
}

#[tokio::test]
async fn numbers_beyond_their_range_are_refused() {
    let client = Client::new("ranges");
    for path in [
        "/api/analysis?seconds=0",
        "/api/analysis?seconds=1e9",
        "/api/analysis?seconds=NaN",
        "/api/analysis?depth=0",
        "/api/analysis?depth=61",
        "/api/solve?seconds=-1",
        "/api/solve?goal=best",
        "/api/review?seconds=inf",
        "/api/watch?black=random&white=random&pause=6",
        "/api/watch?black=random",
        "/api/games?limit=0",
        "/api/games?limit=201",
        "/api/games?before=x",
        "/api/games/export?format=wthor",
        "/api/games/export?format=exe",
        "/api/puzzles?level=4",
        "/api/puzzles?size=16",
    ] {
        client.get(path).await.refused(400, "bad-request");
    }
    for (field, value) in [
        ("seconds", json!(0)),
        ("seconds", json!(6)),
        ("seconds", json!("1")),
        ("seed", json!(-1)),
        ("seed", json!(9_007_199_254_740_992_u64)),
        ("seed", json!(1.5)),
    ] {
        let mut body = json!({"agent": "random"});
        body[field] = value.clone();
        let answer = client.post("/api/move", body).await;
        let message = answer.refused(400, "bad-request");
        assert!(message.starts_with(field), "{message}");
    }
    client.get("/api/puzzles?after=x").await.refused(404, "not-found");
}

#[tokio::test]
async fn agents_from_elsewhere_are_not_let_in() {
    let client = Client::new("strangers");
    for spec in ["python:evil.py", "nboard:/bin/sh", "gtp:/bin/sh", "", "engine:threads=9", "x"] {
        let body = json!({"agent": spec});
        client.post("/api/move", body).await.refused(400, "bad-agent");
        let path = format!("/api/watch?black={spec}&white=random");
        client.get(&path).await.refused(400, "bad-agent");
    }
}

#[tokio::test]
async fn ids_of_no_game_are_not_found() {
    let client = Client::new("ids");
    for id in ["x", "aaaaaaaaaaaa", "%27%20OR%201=1", "1", &"a".repeat(3_000), "%00", "..%2f"] {
        for end in ["", "/follow"] {
            client.get(&format!("/api/games/{id}{end}")).await.refused(404, "not-found");
        }
        let path = format!("/api/games/{id}");
        client
            .with_token(Method::PUT, &path, "x", json!({"moves": []}))
            .await
            .refused(404, "not-found");
        client.get(&format!("/api/puzzles/{id}")).await.refused(404, "not-found");
        client.get(&format!("/api/tournaments/{id}")).await.refused(404, "not-found");
        client.get(&format!("/api/tournaments/1/games/{id}")).await.refused(404, "not-found");
    }
    let invalid = client.get("/api/games/%ff%fe").await;
    assert!(invalid.status.is_client_error(), "{invalid:?}");
    invalid.refused(400, "bad-request");
}

#[tokio::test]
async fn names_of_players_are_one_short_line() {
    let client = Client::new("names");
    let long = "x".repeat(65);
    for name in ["", "  ", "a\nb", "\u{7}", &long] {
        let body = json!({"black": {"kind": "human", "name": name},
                          "white": {"kind": "human", "name": "Bob"}});
        let answer = client.post("/api/games", body).await;
        assert!(answer.refused(400, "bad-request").starts_with("not a name; expected 1 to 64"));
        let body = json!({"format": "ggf", "black": name});
        client.post("/api/write", body).await.refused(400, "bad-request");
    }
    let body =
        json!({"black": {"kind": "god", "name": "x"}, "white": {"kind": "human", "name": "y"}});
    client.post("/api/games", body).await.refused(400, "bad-request");
    assert_eq!(client.get("/api/health").await.json()["games"], 0);
}

/// Texts that are now and then nearly requests.
fn hostile() -> impl Strategy<Value = String> {
    let word = prop_oneof![
        Just("f5".to_owned()),
        Just("pass".to_owned()),
        Just("----XO--OX------ X".to_owned()),
        Just("engine:level=1".to_owned()),
        "\\PC{0,12}",
    ];
    let value = prop_oneof![
        word.clone().prop_map(|text| json!(text)),
        any::<i64>().prop_map(|number| json!(number)),
        any::<f64>().prop_map(|number| json!(number)),
        any::<bool>().prop_map(|is| json!(is)),
        proptest::collection::vec(word, 0..4).prop_map(|list| json!(list)),
        Just(json!(null)),
        Just(json!({"kind": "human", "name": "x"})),
    ];
    let key = proptest::sample::select(vec![
        "rule", "size", "start", "moves", "agent", "seed", "seconds", "text", "format", "black",
        "white", "move", "history", "depth",
    ]);
    proptest::collection::vec((key, value), 0..6).prop_map(|pairs| {
        let map = pairs.into_iter().map(|(key, value)| (key.to_owned(), value)).collect();
        serde_json::Value::Object(map).to_string()
    })
}

#[test]
fn whatever_comes_is_answered_or_refused_and_never_our_fault() {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let client = runtime.block_on(async { Client::new("hostile") });
    let config = ProptestConfig { cases: 300, ..ProptestConfig::default() };
    proptest!(config, |(path in proptest::sample::select(POSTS.to_vec()), body in hostile())| {
        let answer = runtime.block_on(post(&client, path, body.clone()));
        prop_assert!(answer.status.as_u16() < 500, "{path} {body}: {}", answer.text());
    });
    let config = ProptestConfig { cases: 300, ..ProptestConfig::default() };
    let query = "[a-z]{0,6}(=[a-z0-9,%+:-]{0,8})?(&[a-z]{4,5}=\\PC{0,6})?";
    proptest!(config, |(path in proptest::sample::select(GETS.to_vec()), query in query)| {
        let address = format!("{path}?{}", query.replace(|c: char| !c.is_ascii_graphic(), "%E9"));
        let Ok(uri) = address.parse::<axum::http::Uri>() else { return Ok(()) };
        let response = runtime.block_on(client.send(request(Method::GET, &uri.to_string(), Body::empty())));
        prop_assert!(response.status().as_u16() < 500, "{address}: {}", response.status());
    });
    runtime.block_on(client.rest());
}
