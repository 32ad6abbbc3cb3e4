//! The battle platform without HTTP: accounts, submissions, ladder and final in one SQLite file.
//!
//! What is here: [`Club`], the open file, and what people may do with it. Every
//! change that somebody makes is in the audit log, in the same transaction.
//! Passwords are kept as argon2id hashes; log-ins, invitations and tokens as
//! hashes of codes that nobody can guess. Callers pass in the time.
//! What is not: HTTP, pages and games, which other crates have.

mod account;
mod audit;
mod class;
mod club;
mod invitation;
mod limiter;
mod password;
mod queue;
mod schema;
mod secret;
mod session;
mod token;
mod version;

pub use account::{Account, AccountId, NameError, Role};
pub use audit::Entry;
pub use class::{ClassError, Enrolled};
pub use club::{Club, ClubError, OpenError};
pub use invitation::{Invitation, InvitationError};
pub use limiter::Limiter;
pub use password::{PasswordError, Work};
pub use queue::{Backlog, Job, JobError, JobKind, Trouble};
pub use secret::RandomError;
pub use session::{LogInError, Session, Visitor};
pub use token::Token;
pub use version::{SubmitError, Version, VersionId, VersionState};
