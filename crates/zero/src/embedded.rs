//! The network that the program carries; the manifest of `weights/` says where it comes from.

use crate::network::Network;
use std::sync::LazyLock;

static EMBEDDED: LazyLock<Network> = LazyLock::new(|| {
    let bytes = include_bytes!("../../../weights/zero-reversed.bin");
    Network::from_bytes(bytes).expect("the tests read the embedded network")
});

impl Network {
    /// The embedded network; it says itself which game it plays.
    pub fn embedded() -> &'static Network {
        &EMBEDDED
    }
}
