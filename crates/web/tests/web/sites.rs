//! Other sites, other hosts, and what every answer carries.

use crate::client::{Client, directory, request};
use axum::body::Body;
use axum::http::Method;
use isrever_web::Settings;
use serde_json::json;

#[tokio::test]
async fn every_answer_is_dressed() {
    let client = Client::new("dressed");
    for path in ["/", "/api/health", "/api/nothing", "/no.js", "/api/analysis?size=5"] {
        let answer = client.get(path).await;
        let policy = answer.headers["content-security-policy"].to_str().unwrap();
        for part in ["default-src 'self'", "script-src 'self'", "frame-ancestors 'none'"] {
            assert!(policy.contains(part), "{path}: {policy}");
        }
        assert!(!policy.contains("unsafe"), "{policy}");
        for (name, value) in [
            ("x-content-type-options", "nosniff"),
            ("referrer-policy", "no-referrer"),
            ("cross-origin-opener-policy", "same-origin"),
            ("cross-origin-resource-policy", "same-origin"),
        ] {
            assert_eq!(answer.headers[name], value, "{path}");
        }
        assert!(answer.headers.get("access-control-allow-origin").is_none());
        if path.starts_with("/api/") {
            assert_eq!(answer.headers["cache-control"], "no-store");
        }
    }
}

#[tokio::test]
async fn the_page_is_there_and_is_asked_for_again_only_if_it_changed() {
    let client = Client::new("page");
    let page = client.get("/").await;
    assert_eq!(
        (page.status.as_u16(), &page.headers["content-type"]),
        (200, &"text/html; charset=utf-8".parse().unwrap())
    );
    assert!(page.text().to_lowercase().contains("<!doctype html>"));
    let mut again = request(Method::GET, "/", Body::empty());
    again.headers_mut().insert("if-none-match", page.headers["etag"].clone());
    let again = client.ask(again).await;
    assert_eq!((again.status.as_u16(), again.bytes.len()), (304, 0));
    assert_eq!(client.get("/index.html").await.bytes, page.bytes);
    client.ask(request(Method::POST, "/", Body::empty())).await.refused(405, "method");
}

#[tokio::test]
async fn texts_are_sent_compressed_to_who_takes_that() {
    let client = Client::new("packed");
    let ask = async |path: &str, known: Option<&axum::http::HeaderValue>| {
        let mut asked = request(Method::GET, path, Body::empty());
        asked.headers_mut().insert("accept-encoding", "gzip, br".parse().unwrap());
        if let Some(known) = known {
            asked.headers_mut().insert("if-none-match", known.clone());
        }
        client.ask(asked).await
    };
    for path in ["/app.js", "/app.css", "/", "/manifest.webmanifest"] {
        let (plain, packed) = (client.get(path).await, ask(path, None).await);
        assert!(!plain.headers.contains_key("content-encoding"));
        assert_eq!(packed.headers["content-encoding"], "gzip", "{path}");
        assert_eq!(packed.headers["content-type"], plain.headers["content-type"]);
        assert_ne!(packed.headers["etag"], plain.headers["etag"], "other bytes");
        for answer in [&plain, &packed] {
            assert_eq!(answer.headers["vary"], "accept-encoding", "{path}");
        }
        assert!(packed.bytes.starts_with(&[0x1f, 0x8b]) && packed.bytes.len() < plain.bytes.len());
        let again = ask(path, Some(&packed.headers["etag"])).await;
        assert_eq!((again.status.as_u16(), again.bytes.len()), (304, 0));
    }
    // A picture is compressed already.
    let icon = ask("/icon-192.png", None).await;
    assert_eq!(
        (icon.status.as_u16(), &icon.headers["content-type"]),
        (200, &"image/png".parse().unwrap())
    );
    assert!(!icon.headers.contains_key("content-encoding") && !icon.headers.contains_key("vary"));
}

#[tokio::test]
async fn path_tricks_find_nothing() {
    let client = Client::new("paths");
    for path in [
        "/../Cargo.toml",
        "/..%2f..%2fCargo.toml",
        "/%2e%2e/%2e%2e/etc/passwd",
        "/....//etc/passwd.txt",
        "/index.html/../../secret.txt",
        "/C:%5cwindows%5cwin.ini",
        "/index.html%00.js",
        "//etc/passwd.conf",
        "//",
        "/play",
        "/%69ndex.html",
    ] {
        client.get(path).await.refused(404, "not-found");
    }
    for path in ["/api", "/api/", "/api/games/../../x.y", "/api/games/..", "/api/nothing/at/all"] {
        client.get(path).await.refused(404, "not-found");
    }
}

#[tokio::test]
async fn other_sites_and_other_hosts_get_nothing_and_change_nothing() {
    let client = Client::new("sites");
    let body =
        json!({"black": {"kind": "human", "name": "a"}, "white": {"kind": "human", "name": "b"}});
    let ask = async |method: Method, path: &str, name: &'static str, value: &str| {
        let body = if method == Method::GET { Body::empty() } else { body.to_string().into() };
        let mut request = request(method, path, body);
        request.headers_mut().insert(name, value.parse().unwrap());
        client.ask(request).await
    };
    for (name, value) in [
        ("origin", "https://evil.example"),
        ("origin", "null"),
        ("origin", "http://localhost:1"),
        ("sec-fetch-site", "cross-site"),
        ("sec-fetch-site", "same-site"),
        ("host", "evil.example"),
        ("host", "localhost.evil.example:7788"),
    ] {
        ask(Method::POST, "/api/games", name, value).await.refused(403, "cross-site");
        ask(Method::GET, "/api/analysis", name, value).await.refused(403, "cross-site");
        ask(Method::GET, "/api/games", name, value).await.refused(403, "cross-site");
    }
    assert_eq!(client.get("/api/health").await.json()["games"], 0);
    for (name, value) in [
        ("origin", "http://localhost:7788"),
        ("sec-fetch-site", "same-origin"),
        ("host", "127.0.0.1:7788"),
        ("host", "[::1]:7788"),
        ("host", "board.example"),
    ] {
        assert_eq!(ask(Method::POST, "/api/games", name, value).await.status, 201, "{value}");
    }
    // A link from another site may open the page, of course.
    assert_eq!(ask(Method::GET, "/", "sec-fetch-site", "cross-site").await.status, 200);
}

#[tokio::test]
async fn sites_that_the_owner_names_may_ask_the_api_and_no_others() {
    let settings = Settings {
        allowed_origins: vec!["https://page.example".parse().unwrap()],
        ..Settings::new(directory("origins"))
    };
    let client = Client::with(settings);
    let from = |method: Method, path: &str, origin: &str| {
        let mut request = request(method, path, Body::empty());
        let headers = request.headers_mut();
        headers.insert("origin", origin.parse().unwrap());
        headers.insert("sec-fetch-site", "cross-site".parse().unwrap());
        headers.insert("access-control-request-method", "POST".parse().unwrap());
        client.ask(request)
    };
    let answer = from(Method::GET, "/api/health", "https://page.example").await;
    assert_eq!(answer.status, 200);
    assert_eq!(answer.headers["access-control-allow-origin"], "https://page.example");
    assert_eq!(answer.headers["vary"], "Origin");
    assert_eq!(answer.headers["cross-origin-resource-policy"], "cross-origin");
    assert!(answer.headers.get("access-control-allow-credentials").is_none());
    let refused = from(Method::GET, "/api/games/nosuchgame12", "https://page.example").await;
    assert_eq!(
        refused.headers["access-control-allow-origin"], "https://page.example",
        "to be read"
    );
    let before = from(Method::OPTIONS, "/api/move", "https://page.example").await;
    assert_eq!((before.status.as_u16(), before.bytes.len()), (204, 0));
    assert_eq!(before.headers["access-control-allow-headers"], "Authorization, Content-Type");

    for origin in
        ["https://evil.example", "http://page.example", "https://page.example:8443", "null"]
    {
        let answer = from(Method::GET, "/api/health", origin).await;
        answer.refused(403, "cross-site");
        assert!(answer.headers.get("access-control-allow-origin").is_none(), "{origin}");
        from(Method::OPTIONS, "/api/move", origin).await.refused(403, "cross-site");
    }
    // The page itself has nothing for other sites.
    let page = from(Method::GET, "/", "https://page.example").await;
    assert!(page.headers.get("access-control-allow-origin").is_none());
}
