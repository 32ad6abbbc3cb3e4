//! The web board as its callers meet it: requests in, answers and events out, without a socket.

mod analysis;
mod book;
mod channel;
mod client;
mod club;
mod connections;
mod contract;
mod description;
mod friends;
mod games;
mod health;
mod messages;
mod own;
mod play;
mod puzzles;
mod refusals;
mod share;
mod sites;
mod tournaments;
mod watch;
