//! The web board: rules, engine and saved games over HTTP, and the page itself.
//!
//! What is here: the application as a value ([`App`]), whose router can be asked
//! without a socket; the server that puts it on one ([`serve`]); a bounded, fair
//! pool of search threads; streams that stop their search when the reader
//! leaves; saved games in an embedded database, the referee of games between two
//! people among them; and the page itself, embedded.
//! What is not: rules, search and agents, which are crates of their own, the
//! page's sources (`web/` at the root), and printing. `docs/guide/web-api.md` is the
//! contract with the page and with programs.

mod address;
mod app;
mod attachment;
mod books;
mod caller;
mod callers;
mod checker;
mod cleaner;
mod club;
mod connections;
pub mod date;
mod disk;
mod faults;
mod flags;
mod followers;
mod guard;
mod limits;
mod member;
mod memory;
mod openapi;
mod own;
mod page;
mod pool;
mod receive;
mod referee;
mod refusal;
mod router;
mod routes;
mod search;
mod secret;
mod server;
mod socket;
mod store;
mod stream;
mod tournaments;
mod wire;

pub use address::{SiteUrl, SiteUrlError};
pub use app::{App, OpenError, Settings};
pub use books::{BookTaken, Books};
pub use checker::Checker;
pub use limits::Limits;
pub use own::OwnAgents;
pub use server::{BindError, Bound, bind, serve};
pub use store::StoreError;
