//! Ids and tokens of saved games, which nobody can guess, and seeds that nobody gave.
//!
//! Only these random numbers of the program come from the system.

use sha2::{Digest, Sha256};

/// Letters and digits that are not mistaken for one another.
const LETTERS: &[u8; 32] = b"23456789abcdefghijkmnpqrstuvwxyz";

/// A name of `N` letters from the system's source of randomness.
pub(crate) fn name<const N: usize>() -> Result<String, getrandom::Error> {
    let mut bytes = [0; N];
    getrandom::fill(&mut bytes)?;
    Ok(bytes.iter().map(|&byte| char::from(LETTERS[usize::from(byte % 32)])).collect())
}

/// A random seed for an agent.
pub(crate) fn seed() -> Result<u64, getrandom::Error> {
    // Any browser can hold it.
    getrandom::u64().map(|seed| seed >> 11)
}

/// What is kept of a token: enough to know it again, not enough to tell it.
pub(crate) fn hash(token: &str) -> [u8; 32] {
    Sha256::digest(token.as_bytes()).into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_differ_and_are_made_of_the_letters() {
        let [one, other] = [name::<32>().unwrap(), name::<32>().unwrap()];
        assert_ne!(one, other);
        assert!(one.len() == 32 && one.bytes().all(|letter| LETTERS.contains(&letter)));
        assert_ne!(hash(&one), hash(&other));
        assert!(seed().unwrap() < 1 << 53);
    }
}
