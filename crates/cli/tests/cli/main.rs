//! The program as its users meet it: arguments, pipes and files in, text and exit status out.

mod arena;
mod arena_kill;
mod book;
mod calibrate;
#[cfg(target_os = "linux")]
mod check;
#[cfg(target_os = "linux")]
mod club;
#[cfg(unix)]
mod cluster;
#[cfg(unix)]
mod cluster_faults;
mod curve;
mod duel;
mod engine;
mod exam;
mod generations;
mod golden;
mod lab;
mod pipes;
mod play;
mod program;
mod protocols;
mod refusals;
mod serve;
mod shells;
mod solve;
mod stopped;
#[cfg(target_os = "linux")]
mod submit;
mod train;
mod tune;
mod weights;
