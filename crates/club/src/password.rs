//! Passwords: which are good enough, and their argon2id hashes.

use argon2::password_hash::phc::PasswordHash;
use argon2::{Algorithm, Argon2, Params, PasswordHasher, PasswordVerifier, Version};
use std::fmt;
use std::sync::{Condvar, Mutex, PoisonError};

/// The least and the most characters of a password.
const LENGTH: std::ops::RangeInclusive<usize> = 10..=200;

/// How much work a hash is: memory in KiB, and passes over it.
///
/// The default is the least that OWASP's password storage cheat sheet recommends for argon2id.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Work {
    /// Memory in KiB.
    pub memory_kib: u32,
    /// Passes over the memory.
    pub passes: u32,
}

impl Default for Work {
    fn default() -> Work {
        Work { memory_kib: 19 << 10, passes: 2 }
    }
}

/// Why a password is refused.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PasswordError {
    /// It is too short or too long.
    Length,
    /// It is the name of its account, or only one character over and over.
    Obvious,
}

impl fmt::Display for PasswordError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PasswordError::Length => {
                let (least, most) = (LENGTH.start(), LENGTH.end());
                write!(f, "the password cannot be that; expected {least} to {most} characters")
            }
            PasswordError::Obvious => {
                f.write_str("the password is easy to guess; expected another one")
            }
        }
    }
}

impl std::error::Error for PasswordError {}

/// Checks a new password of the account called `name`.
pub(crate) fn check(name: &str, password: &str) -> Result<(), PasswordError> {
    if !LENGTH.contains(&password.chars().count()) {
        return Err(PasswordError::Length);
    }
    let first = password.chars().next();
    let is_one_letter = password.chars().all(|letter| Some(letter) == first);
    if is_one_letter || password.eq_ignore_ascii_case(name) {
        return Err(PasswordError::Obvious);
    }
    Ok(())
}

/// Hashes passwords with a fixed amount of work.
pub(crate) struct Passwords {
    argon: Argon2<'static>,
    /// The hash of no password: names that nobody has take as long to check as those that exist.
    nobody: String,
    gate: Gate,
}

/// Lets a few through at a time: each hash takes a core and some memory.
#[derive(Default)]
struct Gate {
    inside: Mutex<usize>,
    left: Condvar,
}

/// How many hashes are computed at a time.
const MOST_AT_ONCE: usize = 2;

impl Gate {
    fn pass<T>(&self, act: impl FnOnce() -> T) -> T {
        let lock = || self.inside.lock().unwrap_or_else(PoisonError::into_inner);
        let mut inside = lock();
        while *inside >= MOST_AT_ONCE {
            inside = self.left.wait(inside).unwrap_or_else(PoisonError::into_inner);
        }
        *inside += 1;
        drop(inside);
        let done = act();
        *lock() -= 1;
        self.left.notify_one();
        done
    }
}

impl Passwords {
    pub(crate) fn new(work: Work) -> Passwords {
        let params = Params::new(work.memory_kib, work.passes, 1, None).expect("sensible work");
        let argon = Argon2::new(Algorithm::Argon2id, Version::V0x13, params);
        let nobody = hash(&argon, "");
        Passwords { argon, nobody, gate: Gate::default() }
    }

    /// The hash of a password, in PHC form.
    pub(crate) fn hash(&self, password: &str) -> String {
        self.gate.pass(|| hash(&self.argon, password))
    }

    /// Whether `password` has this hash; takes as long if there is none.
    pub(crate) fn is_right(&self, password: &str, hash: Option<&str>) -> bool {
        let text = hash.unwrap_or(&self.nobody);
        let Ok(parsed) = PasswordHash::new(text) else { return false };
        let verify = || self.argon.verify_password(password.as_bytes(), &parsed).is_ok();
        self.gate.pass(verify) && hash.is_some()
    }
}

fn hash(argon: &Argon2<'_>, password: &str) -> String {
    argon.hash_password(password.as_bytes()).expect("sensible work").to_string()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};

    #[test]
    fn a_password_is_neither_short_nor_obvious() {
        for (password, refused) in [
            ("correct horse", None),
            ("123456789", Some(PasswordError::Length)),
            (&"x".repeat(201), Some(PasswordError::Length)),
            ("aaaaaaaaaaaa", Some(PasswordError::Obvious)),
            ("Adalovelace", Some(PasswordError::Obvious)),
            ("四字熟語は難しい言葉", None),
        ] {
            assert_eq!(check("adalovelace", password).err(), refused, "{password}");
        }
    }

    #[test]
    fn few_hash_at_a_time_and_all_have_their_turn() {
        let (gate, most, inside) = (Gate::default(), AtomicUsize::new(0), AtomicUsize::new(0));
        std::thread::scope(|scope| {
            for _ in 0..8 {
                scope.spawn(|| {
                    for _ in 0..50 {
                        gate.pass(|| {
                            most.fetch_max(inside.fetch_add(1, SeqCst) + 1, SeqCst);
                            std::thread::yield_now();
                            inside.fetch_sub(1, SeqCst);
                        });
                    }
                });
            }
        });
        assert!((1..=MOST_AT_ONCE).contains(&most.load(SeqCst)));
        assert_eq!(*gate.inside.lock().unwrap(), 0);
    }

    #[test]
    fn only_the_password_itself_is_right() {
        let passwords = Passwords::new(Work { memory_kib: 64, passes: 1 });
        let hash = passwords.hash("correct horse");
        assert!(hash.starts_with("$argon2id$v=19$m=64,t=1,p=1$"), "{hash}");
        assert_ne!(hash, passwords.hash("correct horse"), "every hash has its own salt");
        assert!(passwords.is_right("correct horse", Some(&hash)));
        assert!(!passwords.is_right("correct Horse", Some(&hash)));
        assert!(!passwords.is_right("", None) && !passwords.is_right("", Some("nonsense")));
        assert!(!passwords.is_right("correct horse", None));
    }
}
