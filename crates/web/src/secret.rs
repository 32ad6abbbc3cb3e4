//! Ids and tokens of saved games, which nobody can guess, and seeds that nobody gave.
//!
//! Only these random numbers of the program come from the system.

pub(crate) use isrever_club::secret::{hash, name};

use isrever_club::secret::hex;

/// A random seed for an agent.
pub(crate) fn seed() -> Result<u64, getrandom::Error> {
    // At most 53 bits, which every browser can hold.
    getrandom::u64().map(|seed| seed >> 11)
}

/// The hash of a token or of an invitation's code, in hexadecimal digits.
pub(crate) fn hex_hash(token: &str) -> String {
    hex(&hash(token))
}

/// Whether a text can be a token that a caller has chosen: long enough that nobody guesses it.
pub(crate) fn is_token(text: &str) -> bool {
    (24..=64).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_alphanumeric())
}

#[cfg(test)]
mod tests {
    use super::*;
    use isrever_club::secret::LETTERS;

    #[test]
    fn names_differ_and_are_made_of_the_letters() {
        let [one, other] = [name::<32>().unwrap(), name::<32>().unwrap()];
        assert_ne!(one, other);
        assert!(one.len() == 32 && one.bytes().all(|letter| LETTERS.contains(&letter)));
        assert_ne!(hash(&one), hash(&other));
        assert!(seed().unwrap() < 1 << 53);
        assert!(hex_hash(&one).starts_with(&format!("{:02x}", hash(&one)[0])));
        assert!(is_token(&one) && !is_token("short") && !is_token(&"?".repeat(32)));
    }
}
