//! Codes that nobody can guess, and their hashes, which alone are kept.

use sha2::{Digest, Sha256};

/// Why the system has no random numbers.
pub type RandomError = getrandom::Error;

/// Letters and digits that are easy to tell apart: what names are made of.
pub const LETTERS: &[u8; 32] = b"23456789abcdefghijkmnpqrstuvwxyz";

/// The length of every code: 160 bits.
pub(crate) const LENGTH: usize = 32;

/// A new code.
pub(crate) fn code() -> Result<String, RandomError> {
    name::<LENGTH>()
}

/// A name of `N` letters, 5 bits each, from the system's source of randomness.
pub fn name<const N: usize>() -> Result<String, RandomError> {
    let mut bytes = [0; N];
    getrandom::fill(&mut bytes)?;
    Ok(bytes.iter().map(|&byte| char::from(LETTERS[usize::from(byte % 32)])).collect())
}

/// A seed for random choices, from the same source.
pub(crate) fn seed() -> Result<u64, RandomError> {
    getrandom::u64()
}

/// The hash of a code. Codes are long and random: they need no salt, and comparing hashes takes no
/// time that depends on the code.
pub fn hash(code: &str) -> [u8; 32] {
    Sha256::digest(code.as_bytes()).into()
}

/// Bytes as hexadecimal digits.
pub fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_differ_and_are_made_of_the_letters() {
        let [one, other] = [code().unwrap(), code().unwrap()];
        assert_ne!(one, other);
        assert!(one.len() == LENGTH && one.bytes().all(|letter| LETTERS.contains(&letter)));
        assert_ne!(hash(&one), hash(&other));
        assert_eq!((name::<12>().unwrap().len(), hex(&[0, 10, 255]).as_str()), (12, "000aff"));
    }
}
