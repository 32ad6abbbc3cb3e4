//! Where the server is, and how to get in.

use crate::error::{ClusterError, persist, with_causes};
use crate::names::{self, Queue};
use crate::probe::{Found, probe};
use crate::submit::runtime;
use async_nats::connection::State;
use async_nats::jetstream::consumer::pull;
use async_nats::jetstream::context::{
    CreateObjectStoreError, CreateStreamError, CreateStreamErrorKind,
};
use async_nats::jetstream::object_store::{self, ObjectStore};
use async_nats::jetstream::stream::{Config, DiscardPolicy, RetentionPolicy, StorageType, Stream};
use async_nats::jetstream::{self, Context, ErrorCode};
use async_nats::{Client, ConnectError, ConnectErrorKind, ConnectOptions, ServerAddr};
use std::error::Error;
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// How long jobs and outputs that nobody asks for are kept.
const KEPT: Duration = Duration::from_secs(14 * 24 * 3600);

/// How long the server waits for a sign of life before it gives a job to another worker.
pub(crate) const ACK_WAIT: Duration = Duration::from_secs(10);

/// How long a request to the server may take.
const REQUEST: Duration = Duration::from_secs(10);

/// How often a stream is asked for that somebody else is just making, and the pause in between.
const MOST_TRIES: u32 = 40;
const BETWEEN_TRIES: Duration = Duration::from_millis(50);

/// How long the seed of an NKey is.
const SEED: usize = 58;

/// Where a cluster's server is, and how to get in.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Address {
    /// `nats://host:4222`, with `TOKEN@` or `USER:PASSWORD@` before the host if the server wants
    /// one; `tls://…` where nothing but TLS will do.
    pub url: String,
    /// A file with a token, the seed of a user's NKey, or a user's credentials.
    pub key: Option<PathBuf>,
    /// A file with the certificate by which the server is known.
    pub authority: Option<PathBuf>,
    /// The certificate of this machine and its key, for servers that want one.
    pub certificate: Option<(PathBuf, PathBuf)>,
}

/// An open connection.
#[derive(Clone)]
pub(crate) struct Link {
    pub(crate) client: Client,
    pub(crate) context: Context,
    pub(crate) jobs: Stream,
    pub(crate) outputs: Stream,
    pub(crate) runs: Stream,
    pub(crate) files: ObjectStore,
}

impl Address {
    /// The server's address without secrets.
    pub fn public(&self) -> String {
        match (self.url.split_once("://"), self.url.rsplit_once('@')) {
            (Some((scheme, _)), Some((_, host))) => format!("{scheme}://{host}"),
            (None, Some((_, host))) => host.to_owned(),
            _ => self.url.clone(),
        }
    }

    /// Makes sure that the server can be used, within `patience` if it may just be starting. `wait` is
    /// told once why it takes longer.
    pub fn reach(
        &self,
        patience: Duration,
        wait: &dyn Fn(&ClusterError),
    ) -> Result<(), ClusterError> {
        let mut is_told = false;
        runtime()?.block_on(async {
            let connect = || async { self.connect("isrever").await.map(drop) };
            let failed = |error: &ClusterError| {
                if !std::mem::replace(&mut is_told, true) {
                    wait(error);
                }
                false
            };
            persist(patience, failed, connect).await
        })
    }

    /// What is wrong at this address.
    fn failed(&self, what: impl std::fmt::Display) -> ClusterError {
        ClusterError::new(format_args!("{}: {what}", self.public()))
    }

    /// The server without the token before its host, and the token.
    fn server(&self) -> Result<(ServerAddr, Option<String>), ClusterError> {
        if self.url.trim().is_empty() {
            let what = "the cluster's address is empty; expected one such as nats://host:4222";
            return Err(ClusterError::new(what).input());
        }
        let (url, token) = split_token(&self.url);
        let server = url.parse::<ServerAddr>().ok();
        let server = server.filter(|server| ["nats", "tls"].contains(&server.scheme()));
        match server.filter(|server| !server.host().is_empty()) {
            Some(server) => Ok((server, token)),
            None => {
                let what = "not an address; expected one such as nats://host:4222";
                Err(self.failed(what).input())
            }
        }
    }

    /// Why there is no connection.
    async fn unreached(&self, server: &ServerAddr, error: &ConnectError) -> ClusterError {
        use ConnectErrorKind::{Authentication, AuthorizationViolation, Dns, TimedOut, Tls};
        let insecure = || {
            let what = format_args!("no secure connection: {}", with_causes(error));
            self.failed(what).input()
        };
        match error.kind() {
            Dns => {
                let what = "no such host; expected the name of the server's machine";
                return self.failed(what).input();
            }
            AuthorizationViolation | Authentication => {
                let what = "the server does not let us in; expected its token, user or key";
                return self.failed(what).input();
            }
            _ if with_causes(error).contains("certificate") => return insecure(),
            _ => {}
        }
        match probe(server).await {
            Found::Nothing => {
                self.failed("no server answers; expected a NATS server there").passing()
            }
            Found::Silence => {
                let what = "something takes connections there and says nothing; \
                            expected a NATS server, most often on port 4222";
                self.failed(what).passing()
            }
            Found::Web => {
                let what = "a web server answers there; \
                            expected a NATS server, most often on port 4222";
                self.failed(what).input()
            }
            Found::Other(said) => {
                let what = format_args!(
                    "not a NATS server: it says {said:?}; expected one, most often on port 4222"
                );
                self.failed(what).input()
            }
            Found::Nats { has_tls: false } if server.tls_required() => {
                let what = "the server does not speak TLS; expected nats:// for it, \
                            or a certificate in its configuration";
                self.failed(what).input()
            }
            Found::Nats { .. } => match error.kind() {
                Tls => insecure(),
                TimedOut => self.failed("the server did not answer in time").passing(),
                _ => {
                    let what = format_args!("no connection: {}", with_causes(error));
                    self.failed(what).passing()
                }
            },
        }
    }

    /// Connects as `name`, and makes sure that the streams are there.
    pub(crate) async fn connect(&self, name: &str) -> Result<Link, ClusterError> {
        let (server, token) = self.server()?;
        let mut options = self.options(name)?;
        if let Some(token) = token {
            options = options.token(token);
        }
        let client = match options.connect(&server).await {
            Ok(client) => client,
            Err(error) => return Err(self.unreached(&server, &error).await),
        };
        let mut context = jetstream::new(client.clone());
        context.set_timeout(REQUEST);
        let outputs = vec![names::output("*", "*"), names::trouble("*", "*")];
        let jobs = Config {
            retention: RetentionPolicy::WorkQueue,
            max_messages_per_subject: 1,
            discard_new_per_subject: true,
            ..settings(names::JOBS, vec!["isrever.jobs.>".to_owned()])
        };
        let outputs = Config { max_messages_per_subject: 1, ..settings(names::OUTPUTS, outputs) };
        let unmade = |error: CreateStreamError| match error.kind() {
            CreateStreamErrorKind::JetStreamUnavailable => {
                let what =
                    "no JetStream there; expected a server with -js, or jetstream {} in its file";
                self.failed(what).passing().input()
            }
            _ => self.failed(format_args!("no stream can be made: {error}")).passing(),
        };
        let jobs = stream(&context, jobs).await.map_err(unmade)?;
        let outputs = stream(&context, outputs).await.map_err(unmade)?;
        let runs = Config {
            max_messages_per_subject: 1,
            ..settings(names::RUNS, vec![names::record("*")])
        };
        let runs = stream(&context, runs).await.map_err(unmade)?;
        let bucket = object_store::Config {
            bucket: names::FILES.to_owned(),
            max_age: KEPT,
            storage: StorageType::File,
            ..object_store::Config::default()
        };
        let files = files(&context, bucket).await.map_err(|error| {
            self.failed(format_args!("no store for files can be made: {error}")).passing()
        })?;
        Ok(Link { client, context, jobs, outputs, runs, files })
    }

    fn options(&self, name: &str) -> Result<ConnectOptions, ClusterError> {
        let mut options = ConnectOptions::new()
            .name(name)
            .request_timeout(Some(REQUEST))
            .connection_timeout(Duration::from_secs(5))
            .ping_interval(Duration::from_secs(10))
            .reconnect_delay_callback(|attempts| Duration::from_millis(50 << attempts.min(5)));
        if let Some(path) = &self.key {
            let unreadable = |what: &dyn std::fmt::Display| {
                ClusterError::new(format_args!("{}: {what}", path.display())).input()
            };
            let text = read(path, "a token, a seed or credentials")?;
            options = if text.contains("BEGIN NATS USER JWT") {
                let refused = "not credentials; expected a user's, as nsc writes them";
                options.credentials(&text).map_err(|_| unreadable(&refused))?
            } else {
                match text.trim() {
                    secret if secret.is_empty() || secret.contains(char::is_control) => {
                        let refused =
                            "not a key; expected one line with a token or a seed, or credentials";
                        return Err(unreadable(&refused));
                    }
                    seed if seed.starts_with("SU") && seed.len() == SEED => {
                        options.nkey(seed.to_owned())
                    }
                    token => options.token(token.to_owned()),
                }
            };
        }
        if let Some(path) = &self.authority {
            if !read(path, "a certificate")?.contains("BEGIN CERTIFICATE") {
                let what = format_args!("{}: not a certificate; expected PEM", path.display());
                return Err(ClusterError::new(what).input());
            }
            options = options.add_root_certificates(path.clone());
        }
        if let Some((certificate, key)) = &self.certificate {
            options = options.add_client_certificate(certificate.clone(), key.clone());
        }
        Ok(options)
    }
}

impl Link {
    /// Whether the server is away, as far as the connection knows.
    pub(crate) fn is_away(&self) -> bool {
        self.client.connection_state() != State::Connected
    }

    /// The consumer that gives the jobs of a queue to workers.
    pub(crate) async fn consumer(
        &self,
        version: &str,
        queue: &Queue,
    ) -> Result<jetstream::consumer::PullConsumer, ClusterError> {
        let name = queue.consumer(version);
        let config = pull::Config {
            durable_name: Some(name.clone()),
            filter_subject: queue.jobs(version),
            ack_wait: ACK_WAIT,
            max_ack_pending: -1,
            // Workers count the attempts, so that a reason is told.
            max_deliver: -1,
            inactive_threshold: KEPT,
            ..pull::Config::default()
        };
        let failed =
            |error: &dyn std::fmt::Display| ClusterError::server("jobs cannot be asked for", error);
        let make = || self.jobs.get_or_create_consumer(&name, config.clone());
        let consumer = make().await.map_err(|error| failed(&error))?;
        // A server that was killed may begin to count the jobs of an empty queue anew, and its
        // consumer wait for numbers that come much later: such a one is of no use any more.
        let delivered = consumer.cached_info().delivered.stream_sequence;
        let last = self.jobs.get_info().await.map_err(|error| failed(&error))?.state.last_sequence;
        if delivered <= last {
            return Ok(consumer);
        }
        // Somebody else may have seen it too.
        let _ = self.jobs.delete_consumer(&name).await;
        make().await.map_err(|error| failed(&error))
    }
}

/// A stream of the server, made if it is not there.
async fn stream(context: &Context, config: Config) -> Result<Stream, CreateStreamError> {
    made(|| context.get_or_create_stream(config.clone()), is_taken).await
}

/// The store for files, made if it is not there.
async fn files(
    context: &Context,
    config: object_store::Config,
) -> Result<ObjectStore, CreateObjectStoreError> {
    let make = || async {
        match context.get_object_store(names::FILES).await {
            Ok(files) => Ok(files),
            Err(_) => context.create_object_store(config.clone()).await,
        }
    };
    let is_taken = |error: &CreateObjectStoreError| {
        let source = error.source().and_then(|source| source.downcast_ref());
        source.is_some_and(is_taken)
    };
    made(make, is_taken).await
}

/// What `make` makes, also if somebody else is making the same: for a moment the server says then that
/// its subjects are taken.
async fn made<T, E, F: Future<Output = Result<T, E>>>(
    make: impl Fn() -> F,
    is_taken: impl Fn(&E) -> bool,
) -> Result<T, E> {
    for _ in 0..MOST_TRIES {
        match make().await {
            Err(error) if is_taken(&error) => tokio::time::sleep(BETWEEN_TRIES).await,
            made => return made,
        }
    }
    make().await
}

/// Whether a stream cannot be made because another one has its subjects.
fn is_taken(error: &CreateStreamError) -> bool {
    let CreateStreamErrorKind::JetStream(error) = error.kind() else { return false };
    error.error_code() == ErrorCode::STREAM_SUBJECT_OVERLAP
}

/// The settings that all streams share.
fn settings(name: &str, subjects: Vec<String>) -> Config {
    Config {
        name: name.to_owned(),
        subjects,
        storage: StorageType::File,
        // A full stream refuses what is new: nothing that is there is lost.
        discard: DiscardPolicy::New,
        max_age: KEPT,
        allow_direct: true,
        ..Config::default()
    }
}

/// What is in a file with a secret or a certificate.
fn read(path: &Path, expected: &str) -> Result<String, ClusterError> {
    fs::read_to_string(path).map_err(|error| match error.kind() {
        ErrorKind::NotFound => {
            let what =
                format_args!("{}: no such file; expected one with {expected}", path.display());
            ClusterError::new(what).input()
        }
        ErrorKind::InvalidData => {
            let what =
                format_args!("{}: not text; expected a file with {expected}", path.display());
            ClusterError::new(what).input()
        }
        _ => ClusterError::file(path, &error),
    })
}

/// An address without the token before its host, and the token.
fn split_token(url: &str) -> (String, Option<String>) {
    let (scheme, rest) = url.split_once("://").unwrap_or(("nats", url));
    let (secret, host) = match rest.rsplit_once('@') {
        // USER:PASSWORD is left to the client.
        Some((secret, host)) if !secret.contains(':') => (Some(secret.to_owned()), host),
        _ => (None, rest),
    };
    (format!("{scheme}://{host}"), secret)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_are_taken_off_and_users_are_left() {
        for (url, bare, token) in [
            ("nats://host:4222", "nats://host:4222", None),
            ("nats://secret@host", "nats://host", Some("secret")),
            ("tls://s3cr@t@host:1", "tls://host:1", Some("s3cr@t")),
            ("nats://me:pass@host", "nats://me:pass@host", None),
            ("host", "nats://host", None),
            ("secret@host", "nats://host", Some("secret")),
        ] {
            assert_eq!(split_token(url), (bare.to_owned(), token.map(str::to_owned)));
        }
    }

    #[test]
    fn secrets_are_not_shown() {
        for (url, shown) in [
            ("nats://host:4222", "nats://host:4222"),
            ("nats://secret@host", "nats://host"),
            ("nats://me:pass@host:1", "nats://host:1"),
            ("secret@host:1", "host:1"),
        ] {
            assert_eq!(Address { url: url.to_owned(), ..Address::default() }.public(), shown);
        }
    }

    #[test]
    fn what_is_no_address_is_refused_without_a_server() {
        for url in ["", "  ", "nats://", "http://host:4222", "nats://host:port", "ws://host"] {
            let address = Address { url: url.to_owned(), ..Address::default() };
            let error = address.server().unwrap_err();
            assert!(
                error.is_input() && error.to_string().contains("; expected"),
                "{url:?}: {error}"
            );
        }
    }
}
