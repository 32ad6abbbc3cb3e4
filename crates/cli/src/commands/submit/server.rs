//! The club's server as a submitter asks it: three requests, over HTTP or HTTPS.

use crate::error::Error;
use isrever_club::Report;
use isrever_web::SiteUrl;
use rustls::crypto::ring;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use std::time::{Duration, Instant};
use ureq::http::Response;
use ureq::tls::{Certificate, RootCerts, TlsConfig};
use ureq::{Agent, Body};

/// How long one request may take.
const PATIENCE: Duration = Duration::from_secs(60);

/// How often to ask whether a file is checked.
const PAUSE: Duration = Duration::from_secs(1);

/// How long a server may be away while a file is checked.
const MOST_AWAY: Duration = Duration::from_secs(120);

/// The most bytes of an answer.
const MOST_BYTES: u64 = 16 << 20;

/// A version of an agent, as the club tells of it.
#[derive(Deserialize, Serialize)]
pub(super) struct Version {
    pub(super) id: i64,
    pub(super) number: i64,
    pub(super) file: String,
    pub(super) state: State,
}

/// What became of a version.
#[derive(Clone, Copy, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum State {
    Waiting,
    Passed,
    Failed,
    Blocked,
}

/// A refusal of the web API.
#[derive(Deserialize)]
struct Refused {
    error: Refusal,
}

#[derive(Deserialize)]
struct Refusal {
    message: String,
}

/// The server of a club.
pub(super) struct Server {
    agent: Agent,
    url: String,
    bearer: String,
}

impl Server {
    /// The server at `url`, to which `token` says who asks.
    pub(super) fn new(url: &SiteUrl, token: &str) -> Result<Server, Error> {
        let url = url.url().to_owned();
        let mut config = Agent::config_builder()
            .http_status_as_error(false)
            // The token is for this server alone.
            .max_redirects(0)
            .max_redirects_will_error(false)
            .timeout_global(Some(PATIENCE))
            .user_agent(concat!("isrever/", env!("CARGO_PKG_VERSION")));
        if url.starts_with("https:") {
            config = config.tls_config(trusted(&url)?);
        }
        let agent = config.build().into();
        Ok(Server { agent, url, bearer: format!("Bearer {token}") })
    }

    /// Submits a file.
    pub(super) fn submit(
        &self,
        name: &str,
        source: &[u8],
        seconds: Option<f64>,
    ) -> Result<Version, Error> {
        let mut request = self.agent.post(self.at("")).query("file", name);
        if let Some(seconds) = seconds {
            request = request.query("seconds", seconds.to_string());
        }
        let request =
            request.header("authorization", &self.bearer).header("content-type", "text/x-python");
        self.read(request.send(source).map_err(|error| self.unreachable(&error))?)
    }

    /// Waits until a version is checked. A server that is away for a while does not matter.
    pub(super) fn checked(&self, version: Version) -> Result<Version, Error> {
        let path = format!("/{}", version.id);
        let mut version = version;
        let mut seen = Instant::now();
        while version.state == State::Waiting {
            std::thread::sleep(PAUSE);
            match self.get(&path) {
                Ok(now) => {
                    version = now;
                    seen = Instant::now();
                }
                Err(Error::Io(_)) if seen.elapsed() < MOST_AWAY => {}
                Err(error) => return Err(error),
            }
        }
        Ok(version)
    }

    /// What the check of a version found.
    pub(super) fn report(&self, version: &Version) -> Result<Report, Error> {
        self.get(&format!("/{}/report", version.id))
    }

    fn at(&self, path: &str) -> String {
        format!("{}api/club/versions{path}", self.url)
    }

    fn get<T: DeserializeOwned>(&self, path: &str) -> Result<T, Error> {
        let request = self.agent.get(self.at(path)).header("authorization", &self.bearer);
        self.read(request.call().map_err(|error| self.unreachable(&error))?)
    }

    /// Reads an answer; what the server refuses is wrong input, what it cannot do is not.
    fn read<T: DeserializeOwned>(&self, mut answer: Response<Body>) -> Result<T, Error> {
        let status = answer.status();
        let text = answer.body_mut().with_config().limit(MOST_BYTES).read_to_string();
        let text = text.map_err(|error| self.unreachable(&error))?;
        if status.is_success() {
            return serde_json::from_str(&text).map_err(|_| {
                let offence = "no answer of a club; expected the address of one's page";
                Error::input(&self.url, offence)
            });
        }
        let said = serde_json::from_str::<Refused>(&text).map(|refused| refused.error.message);
        let offence = said.unwrap_or_else(|_| {
            format!("it answers {status}; expected the address of a club's page, and a token of it")
        });
        match status.is_server_error() || status.as_u16() == 429 {
            true => Err(Error::io(&self.url, &std::io::Error::other(offence))),
            false => Err(Error::input(&self.url, offence)),
        }
    }

    fn unreachable(&self, error: &ureq::Error) -> Error {
        match error {
            ureq::Error::HostNotFound => {
                Error::input(&self.url, "no machine has that name; expected the club's address")
            }
            _ => Error::io(&self.url, &std::io::Error::other(error.to_string())),
        }
    }
}

/// Whom this machine trusts.
fn trusted(url: &str) -> Result<TlsConfig, Error> {
    let found = rustls_native_certs::load_native_certs();
    if found.certs.is_empty() {
        let why = found.errors.first().map(|error| format!(" ({error})")).unwrap_or_default();
        let error = format!("this machine trusts no certificates{why}");
        return Err(Error::io(url, &std::io::Error::other(error)));
    }
    let roots = found.certs.iter().map(|one| Certificate::from_der(one).to_owned()).collect();
    Ok(TlsConfig::builder()
        .root_certs(RootCerts::Specific(Arc::new(roots)))
        .unversioned_rustls_crypto_provider(Arc::new(ring::default_provider()))
        .build())
}
