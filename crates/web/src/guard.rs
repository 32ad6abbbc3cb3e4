//! Refuses requests from other sites, and adds the security headers of every answer.
//!
//! A page of another site must not reach this server through a reader's
//! browser: neither by a cross-site request (`Origin` and `Sec-Fetch-Site`) nor
//! by DNS rebinding (`Host`). Programs that send none of these headers may ask,
//! and so may pages of the sites that the server's owner names.

use crate::address::SiteUrl;
use crate::app::App;
use crate::refusal::{Code, Refusal};
use axum::extract::{Request, State};
use axum::http::header::{
    ACCESS_CONTROL_ALLOW_HEADERS, ACCESS_CONTROL_ALLOW_METHODS, ACCESS_CONTROL_ALLOW_ORIGIN,
    ACCESS_CONTROL_EXPOSE_HEADERS, ACCESS_CONTROL_MAX_AGE, VARY,
};
use axum::http::header::{CACHE_CONTROL, CONTENT_SECURITY_POLICY, HOST, HeaderName, ORIGIN};
use axum::http::header::{REFERRER_POLICY, X_CONTENT_TYPE_OPTIONS, X_FRAME_OPTIONS};
use axum::http::uri::{Authority, Uri};
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use std::net::IpAddr;

/// The longest address of a request, in bytes.
pub(crate) const MOST_URI_BYTES: usize = 8 << 10;

const POLICY: &str = "default-src 'self'; img-src 'self' data: blob:; style-src 'self'; \
     script-src 'self'; connect-src 'self'; object-src 'none'; base-uri 'none'; \
     form-action 'none'; frame-ancestors 'none'";

/// Checks a request, and adds headers to its answer.
pub(crate) async fn guard(State(app): State<App>, request: Request, next: Next) -> Response {
    let is_api = request.uri().path().starts_with("/api/");
    let settings = app.settings();
    let public = settings.public_url.as_ref().map(|url| url.host().to_owned());
    let allowed: Vec<String> = settings.allowed_hosts.iter().cloned().chain(public).collect();
    let friend = friend(&settings.allowed_origins, request.headers()).filter(|_| is_api);
    let checked = check(request.uri(), request.headers(), &allowed, is_api && friend.is_none());
    let mut response = match checked {
        Ok(()) if friend.is_some() && request.method() == Method::OPTIONS => {
            StatusCode::NO_CONTENT.into_response()
        }
        Ok(()) => next.run(request).await,
        Err(refusal) => refusal.into_response(),
    };
    add_headers(response.headers_mut(), is_api);
    if let Some(origin) = friend {
        add_cross_origin_headers(response.headers_mut(), origin);
    }
    response
}

/// The other site that a request comes from, if it may ask.
fn friend(origins: &[SiteUrl], headers: &HeaderMap) -> Option<HeaderValue> {
    let origin = headers.get(ORIGIN)?;
    origins.iter().any(|site| origin == site.origin()).then(|| origin.clone())
}

/// Checks the host, and with `is_strict` also that no other site asks.
fn check(
    uri: &Uri,
    headers: &HeaderMap,
    allowed: &[String],
    is_strict: bool,
) -> Result<(), Refusal> {
    let length = uri.path().len() + uri.query().map_or(0, str::len);
    if length > MOST_URI_BYTES {
        let message = format!("the address is too long; expected at most {MOST_URI_BYTES} bytes");
        return Err(Refusal::new(Code::TooLarge, message));
    }
    let text = |name: HeaderName| headers.get(name).map(|value| value.to_str().unwrap_or("?"));
    let host = text(HOST).or_else(|| uri.authority().map(Authority::as_str));
    let Some(host) = host.filter(|host| is_known_host(host, allowed)) else {
        let message = "the Host is not one of this server; expected an address, localhost, or a \
             name given with --allow-host";
        return Err(Refusal::new(Code::CrossSite, message));
    };
    if !is_strict {
        return Ok(());
    }
    let is_same_site =
        headers.get("sec-fetch-site").is_none_or(|site| site == "same-origin" || site == "none");
    let is_same_origin = text(ORIGIN).is_none_or(|origin| {
        origin.split_once("://").is_some_and(|(_, authority)| authority == host)
    });
    if is_same_site && is_same_origin {
        return Ok(());
    }
    let message = "the request came from another site; expected one from this server's own page";
    Err(Refusal::new(Code::CrossSite, message))
}

/// Whether a host with or without a port is an address, which DNS cannot rebind, or an allowed name.
fn is_known_host(host: &str, allowed: &[String]) -> bool {
    let name = match host.rsplit_once(':') {
        Some((name, port)) if port.bytes().all(|byte| byte.is_ascii_digit()) => name,
        _ => host,
    };
    let bare = name.strip_prefix('[').and_then(|name| name.strip_suffix(']')).unwrap_or(name);
    bare.parse::<IpAddr>().is_ok()
        || name.eq_ignore_ascii_case("localhost")
        || allowed.iter().any(|allowed| allowed.eq_ignore_ascii_case(name))
}

fn add_headers(headers: &mut HeaderMap, is_api: bool) {
    for (name, value) in [
        (CONTENT_SECURITY_POLICY, POLICY),
        (X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (X_FRAME_OPTIONS, "DENY"),
        (REFERRER_POLICY, "no-referrer"),
        (HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
        (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
    ] {
        headers.insert(name, HeaderValue::from_static(value));
    }
    if is_api {
        headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    }
}

/// Lets the page of another site read the answer. It has no cookies to send.
fn add_cross_origin_headers(headers: &mut HeaderMap, origin: HeaderValue) {
    headers.insert(ACCESS_CONTROL_ALLOW_ORIGIN, origin);
    for (name, value) in [
        (VARY, "Origin"),
        (ACCESS_CONTROL_ALLOW_METHODS, "GET, POST, PUT, DELETE"),
        (ACCESS_CONTROL_ALLOW_HEADERS, "Authorization, Content-Type"),
        (ACCESS_CONTROL_EXPOSE_HEADERS, "Retry-After"),
        (ACCESS_CONTROL_MAX_AGE, "600"),
        (HeaderName::from_static("cross-origin-resource-policy"), "cross-origin"),
    ] {
        headers.insert(name, HeaderValue::from_static(value));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asked(pairs: &[(&'static str, &str)]) -> Result<(), Refusal> {
        let mut headers = HeaderMap::new();
        for (name, value) in pairs {
            headers.insert(*name, value.parse().unwrap());
        }
        let allowed = ["board.example".to_owned()];
        check(&Uri::from_static("/api/health"), &headers, &allowed, true)
    }

    #[test]
    fn addresses_and_own_names_are_known() {
        for host in [
            "127.0.0.1:7788",
            "localhost",
            "LOCALHOST:80",
            "[::1]:7788",
            "192.168.0.9",
            "board.example:443",
        ] {
            assert_eq!(asked(&[("host", host)]), Ok(()), "{host}");
        }
        for host in ["evil.example", "localhost.evil.example", "", "127.0.0.1.evil.example:80", "é"]
        {
            assert!(asked(&[("host", host)]).is_err(), "{host}");
        }
        assert!(asked(&[]).is_err(), "no host at all");
    }

    #[test]
    fn other_sites_are_refused() {
        let host = ("host", "localhost:7788");
        for pair in [
            ("origin", "http://localhost:7788"),
            ("sec-fetch-site", "same-origin"),
            ("sec-fetch-site", "none"),
        ] {
            assert_eq!(asked(&[host, pair]), Ok(()), "{pair:?}");
        }
        for pair in [
            ("origin", "http://evil.example"),
            ("origin", "http://localhost:7789"),
            ("origin", "null"),
            ("sec-fetch-site", "cross-site"),
            ("sec-fetch-site", "same-site"),
        ] {
            assert_eq!(asked(&[host, pair]).unwrap_err().code, Code::CrossSite, "{pair:?}");
        }
    }
}
