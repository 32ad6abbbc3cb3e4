//! The application on a socket: limits connections, ends slow ones, and stops in order.

mod connection;

use crate::app::App;
use crate::caller::Caller;
use crate::faults::Faults;
use crate::{cleaner, flags, memory};
use std::fmt;
use std::future::Future;
use std::net::SocketAddr;
use std::time::{Duration, Instant};
use tokio::net::{TcpListener, TcpStream, lookup_host};
use tokio::sync::watch;

/// How long a stopping server waits for answers in progress.
const STOP_PATIENCE: Duration = Duration::from_secs(3);

/// How long the other end of a connection may confirm nothing of what it was sent.
#[cfg(target_os = "linux")]
const LOST: Duration = Duration::from_secs(20);

/// The pause after the system refused a connection.
const BREATH: Duration = Duration::from_millis(50);

/// A listening socket.
#[derive(Debug)]
pub struct Bound {
    listener: TcpListener,
    address: SocketAddr,
}

impl Bound {
    /// The address of the socket.
    pub fn address(&self) -> SocketAddr {
        self.address
    }
}

/// Why the server cannot listen.
#[derive(Debug)]
pub enum BindError {
    /// The host has no address.
    NoAddress(String),
    /// Another program listens there.
    InUse(SocketAddr),
    /// The system refused.
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

/// Lets the system end a connection whose other end has confirmed nothing for a while, so that
/// somebody whose network is gone does not seem to be there for long.
fn end_when_lost(socket: &TcpStream) {
    #[cfg(target_os = "linux")]
    {
        // Without it only the presence of players is told late.
        let ms = u32::try_from(LOST.as_millis()).unwrap_or(u32::MAX);
        let _ = rustix::net::sockopt::set_tcp_user_timeout(socket, ms);
    }
    #[cfg(not(target_os = "linux"))]
    let _ = socket;
}

/// Serves until `stop` is ready; then ends streams, stops searches, and waits a moment for answers
/// on their way.
pub async fn serve(app: App, bound: Bound, stop: impl Future<Output = ()>) {
    memory::map_large();
    let router = app.router();
    let (stopping, watcher) = watch::channel(());
    let cleaner = tokio::spawn(cleaner::clean(app.clone()));
    let refused = Faults::default();
    tracing::info!(address = %bound.address, "listens");
    flags::arm_all(&app).await;
    let mut stop = std::pin::pin!(stop);
    loop {
        let accepted = tokio::select! {
            () = &mut stop => break,
            accepted = bound.listener.accept() => accepted,
        };
        let (socket, peer) = match accepted {
            Ok(accepted) => accepted,
            Err(error) => {
                // Out of file handles, or the connection was closed at once: makes room, or waits
                // for others to end.
                let has_room = app.connections().evict_one();
                if let Some(times) = refused.count(Instant::now()) {
                    tracing::error!(%error, times, has_room, "connections cannot be accepted");
                }
                tokio::time::sleep(BREATH).await;
                continue;
            }
        };
        match app.connections().enter(Caller::new(peer)) {
            Ok(place) => {
                // Sends small events at once.
                let _ = socket.set_nodelay(true);
                end_when_lost(&socket);
                let (app, router, watcher) = (app.clone(), router.clone(), watcher.clone());
                tokio::spawn(connection::hold(app, router, socket, peer, place, watcher));
            }
            Err(full) => {
                if let Some(times) = refused.count(Instant::now()) {
                    let address = peer.ip();
                    tracing::warn!(%address, times, "connections refused: {full}");
                }
                connection::refuse(socket, full);
            }
        }
    }
    tracing::info!("stops");
    drop((bound.listener, watcher));
    // Connections without a request end now, the others after their answers.
    let _ = stopping.send(());
    cleaner.abort();
    let closing = app.clone();
    // Blocks for a moment, until all searches have stopped.
    let closed = tokio::task::spawn_blocking(move || closing.close());
    let _ = tokio::time::timeout(STOP_PATIENCE, async {
        let _ = closed.await;
        stopping.closed().await;
    })
    .await;
}
