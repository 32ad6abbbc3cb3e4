//! The network that the program carries; the manifest of `weights/` says where it comes from.

use crate::network::Network;
use isrever_board::{Rule, Size};
use std::sync::LazyLock;

static REVERSED: LazyLock<Network> = LazyLock::new(|| {
    let bytes = include_bytes!("../../../weights/zero-reversed.bin");
    Network::from_bytes(bytes).expect("the tests read the embedded network")
});

impl Network {
    /// The embedded network for `rule` on boards of `size`, if there is one.
    pub fn embedded(rule: Rule, size: Size) -> Option<&'static Network> {
        (rule == Rule::Reversed && size == Size::EIGHT).then(|| &*REVERSED)
    }
}
