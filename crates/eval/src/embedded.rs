//! The weights embedded in the program: those of `weights/` at the root, whose manifest says where
//! they come from.

use crate::weights::Weights;
use isrever_board::{Rule, Size};
use std::sync::LazyLock;

/// The network of a rule. The build script unpacks it, so that a program that starts need not; in
/// WebAssembly, where the program is what a browser loads, it stays compressed.
macro_rules! network {
    ($rule:ident, $name:literal) => {{
        #[cfg(not(target_arch = "wasm32"))]
        let network = {
            let plain = include_bytes!(concat!(env!("OUT_DIR"), "/", $name));
            Weights::from_plain_bytes(Rule::$rule, plain).expect(TESTED)
        };
        #[cfg(target_arch = "wasm32")]
        let network = unpack(include_bytes!(concat!("../../../weights/", $name, ".bin")));
        network
    }};
}

/// Why embedded weights can be read.
const TESTED: &str = "the tests read the embedded weights";

static REVERSED: LazyLock<Weights> = LazyLock::new(|| network!(Reversed, "reversed"));

static NORMAL: LazyLock<Weights> = LazyLock::new(|| network!(Normal, "normal"));

static REVERSED_6X6: LazyLock<Weights> =
    LazyLock::new(|| unpack(include_bytes!("../../../weights/reversed-6x6.bin")));

static NORMAL_6X6: LazyLock<Weights> =
    LazyLock::new(|| unpack(include_bytes!("../../../weights/normal-6x6.bin")));

impl Weights {
    /// The embedded weights for `rule` on boards of `size`, if there are any. The first call unpacks
    /// them.
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
    Weights::from_bytes(bytes).expect(TESTED)
}
