//! The weights embedded in the program: those of `weights/` at the root, whose manifest says where
//! they come from.

use crate::weights::Weights;
use isrever_board::{Rule, Size};
use std::sync::LazyLock;

static REVERSED: LazyLock<Weights> =
    LazyLock::new(|| unpack(include_bytes!("../../../weights/reversed.bin")));

static NORMAL: LazyLock<Weights> =
    LazyLock::new(|| unpack(include_bytes!("../../../weights/normal.bin")));

static REVERSED_6X6: LazyLock<Weights> =
    LazyLock::new(|| unpack(include_bytes!("../../../weights/reversed-6x6.bin")));

static NORMAL_6X6: LazyLock<Weights> =
    LazyLock::new(|| unpack(include_bytes!("../../../weights/normal-6x6.bin")));

impl Weights {
    /// The weights for `rule` on boards of `size` that the program carries, if it does. They are
    /// unpacked when first asked for.
    pub fn embedded(rule: Rule, size: Size) -> Option<&'static Weights> {
        match (rule, size) {
            (Rule::Reversed, Size::EIGHT) => Some(&REVERSED),
            (Rule::Normal, Size::EIGHT) => Some(&NORMAL),
            (Rule::Reversed, Size::SIX) => Some(&REVERSED_6X6),
            (Rule::Normal, Size::SIX) => Some(&NORMAL_6X6),
            _ => None,
        }
    }
}

fn unpack(bytes: &[u8]) -> Weights {
    Weights::from_bytes(bytes).expect("the tests have read the weights that are carried")
}
