//! The SHA-256 of bytes, in hexadecimal digits.

use sha2::{Digest, Sha256};

/// The hash of `bytes` as `sha256sum` prints it.
pub(crate) fn hash(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}
