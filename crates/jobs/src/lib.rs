//! Long work in jobs, done by this machine's threads or by many machines.
//!
//! [`Work`] is what its jobs have in common; a job is a pure function of it and
//! of a few bytes. Whoever wants something done says which job comes next and
//! takes the outputs as they come, in any order. A [`Crew`] does the rest: the
//! threads of this machine, which pass values along as they are, or a
//! [`Remote`], to which everything goes as bytes. What comes out is the same.
//! At the other end, [`AnyWork`] does jobs that arrive as bytes.
//!
//! There is no network here, and no clock but to wait by: `isrever-cluster` has
//! the remote that is used.

mod bell;
mod crew;
mod manifest;
mod order;
mod remote;
mod threads;
mod work;

pub use crew::{Crew, RunError, Unfinished};
pub use manifest::{Attachment, Manifest};
pub use order::InOrder;
pub use remote::{AnyWork, Performer, Remote, RemoteError, Tasks};
pub use work::{Done, Failure, Message, Next, Origin, Work};
