//! The weights that the program carries: `weights/` at the root, with a manifest that says where
//! they come from.

use crate::weights::Weights;
use isrever_board::Rule;
use std::sync::LazyLock;

static REVERSED: LazyLock<Weights> =
    LazyLock::new(|| unpack(include_bytes!("../../../weights/reversed.bin")));

static NORMAL: LazyLock<Weights> =
    LazyLock::new(|| unpack(include_bytes!("../../../weights/normal.bin")));

impl Weights {
    /// The weights for `rule` that the program carries. They are unpacked when first asked for.
    pub fn embedded(rule: Rule) -> &'static Weights {
        match rule {
            Rule::Reversed => &REVERSED,
            Rule::Normal => &NORMAL,
        }
    }
}

fn unpack(bytes: &[u8]) -> Weights {
    Weights::from_bytes(bytes).expect("the tests have read the weights that are carried")
}
