//! The application on a socket: limits connections, ends slow ones, and stops in order.

use crate::app::App;
use axum::extract::ConnectInfo;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::GracefulShutdown;
use hyper_util::service::TowerToHyperService;
use std::fmt;
use std::future::Future;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;
use tokio::net::{TcpListener, lookup_host};
use tokio::sync::Semaphore;

/// So many connections may be open.
const MOST_CONNECTIONS: usize = 1_024;

/// How long the head of a request may take to arrive, also while nothing is asked.
const HEAD_PATIENCE: Duration = Duration::from_secs(30);

/// The longest head of a request, in bytes.
const MOST_HEAD_BYTES: usize = 32 << 10;

/// How long answers on their way may take when the server stops.
const STOP_PATIENCE: Duration = Duration::from_secs(3);

/// How long to wait when the system gives no more connections.
const BREATH: Duration = Duration::from_millis(50);

/// A socket that is listened to.
#[derive(Debug)]
pub struct Bound {
    listener: TcpListener,
    address: SocketAddr,
}

impl Bound {
    /// Where it can be reached.
    pub fn address(&self) -> SocketAddr {
        self.address
    }
}

/// Why a socket cannot be listened to.
#[derive(Debug)]
pub enum BindError {
    /// The host has no address.
    NoAddress(String),
    /// Another program listens there.
    InUse(SocketAddr),
    /// The system says no.
    Io(SocketAddr, std::io::Error),
}

impl fmt::Display for BindError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            BindError::NoAddress(host) => {
                write!(f, "{host:?} has no address; expected one such as 127.0.0.1 or 0.0.0.0")
            }
            BindError::InUse(address) => {
                write!(f, "{address} is in use by another program; expected a free port")
            }
            BindError::Io(address, error) => write!(f, "{address}: {error}"),
        }
    }
}

impl std::error::Error for BindError {}

/// Listens at `host`, a name or an address; port 0 is any free one.
pub async fn bind(host: &str, port: u16) -> Result<Bound, BindError> {
    let no_address = || BindError::NoAddress(host.to_owned());
    let mut addresses = lookup_host((host, port)).await.map_err(|_| no_address())?;
    let address = addresses.next().ok_or_else(no_address)?;
    let listener = TcpListener::bind(address).await.map_err(|error| match error.kind() {
        std::io::ErrorKind::AddrInUse => BindError::InUse(address),
        _ => BindError::Io(address, error),
    })?;
    let address = listener.local_addr().map_err(|error| BindError::Io(address, error))?;
    Ok(Bound { listener, address })
}

/// Serves until `stop` is ready; then ends streams, stops searches, and waits a moment for answers
/// on their way.
pub async fn serve(app: App, bound: Bound, stop: impl Future<Output = ()>) {
    let router = app.router();
    let graceful = GracefulShutdown::new();
    let places = Arc::new(Semaphore::new(MOST_CONNECTIONS));
    let mut stop = std::pin::pin!(stop);
    loop {
        let accepted = async {
            let place = Arc::clone(&places).acquire_owned().await;
            (place, bound.listener.accept().await)
        };
        let (place, accepted) = tokio::select! {
            () = &mut stop => break,
            accepted = accepted => accepted,
        };
        let Ok((socket, address)) = accepted else {
            // Out of file handles, or a connection that was gone at once: others end meanwhile.
            tokio::time::sleep(BREATH).await;
            continue;
        };
        // Events are small and must leave at once; without this they are only later.
        let _ = socket.set_nodelay(true);
        let service = router.clone().layer(axum::Extension(ConnectInfo(address)));
        let connection = http1::Builder::new()
            .timer(TokioTimer::new())
            .header_read_timeout(HEAD_PATIENCE)
            .max_buf_size(MOST_HEAD_BYTES)
            .serve_connection(TokioIo::new(socket), TowerToHyperService::new(service));
        let connection = graceful.watch(connection);
        tokio::spawn(async move {
            let _place = place;
            // A connection that fails concerns nobody but its other end.
            let _ = connection.await;
        });
    }
    drop(bound.listener);
    let closing = app.clone();
    // Searches stop within a moment, but this waits for them.
    let closed = tokio::task::spawn_blocking(move || closing.close());
    let _ = tokio::time::timeout(STOP_PATIENCE, async {
        let _ = closed.await;
        graceful.shutdown().await;
    })
    .await;
}
