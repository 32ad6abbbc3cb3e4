//! The arena by its public interface.

mod friends;
mod runs;
mod stores;
