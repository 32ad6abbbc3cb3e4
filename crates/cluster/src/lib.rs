//! Jobs on many machines, over NATS JetStream.
//!
//! A server (`nats-server -js`) carries jobs and outputs; it is the only thing
//! that all machines reach. [`Cluster`] is a [`Remote`](isrever_jobs::Remote):
//! it gives jobs out and collects what comes back. [`Worker`] does jobs with the
//! cores of its machine. [`status()`] tells what is queued and who works, and
//! [`cancel()`] removes a run.
//!
//! Nothing is lost and nothing counted twice, whoever is killed or frozen:
//! - A job stays in the stream of jobs until its output is in the stream of
//!   outputs. A worker says that it is still at it; when it falls silent, the
//!   server gives the job to another.
//! - Outputs are numbered, and a stream keeps one for each number. A job that
//!   was done twice gives the same output twice.
//! - The server keeps all streams on its disk. Everybody reconnects by himself.
//!
//! What machines must agree on goes by digest: a manifest, and the files it
//! needs. Subjects begin with the program's version, so that a worker never
//! sees jobs of another one.

mod address;
mod cancel;
mod collect;
mod error;
mod files;
mod names;
mod probe;
mod record;
mod status;
mod submit;
mod wire;
mod worker;

pub use address::Address;
pub use cancel::{Cancelled, cancel};
pub use error::ClusterError;
pub use files::Files;
pub use status::{RunStatus, Status, WorkerStatus, status};
pub use submit::{Cluster, News, Unfit};
pub use wire::Sent;
pub use worker::{Opener, Unopened, Worker, WorkerEvent};
