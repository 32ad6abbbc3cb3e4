//! How fast a book grew, in words.

use std::fmt;
use std::time::Duration;

/// How fast a book grew; shown as the end of a sentence, and as nothing if nothing was searched.
pub(super) struct Speed {
    /// How many positions were searched.
    pub(super) searched: u64,
    /// How long it took, with writing the book.
    pub(super) took: Duration,
    /// How long the threads were inside searches, all together.
    pub(super) inside: Duration,
    /// How many threads there were; `None` if other machines did the work.
    pub(super) threads: Option<usize>,
}

impl fmt::Display for Speed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let seconds = self.took.as_secs_f64() * self.threads.unwrap_or(1) as f64;
        if self.searched == 0 || seconds == 0.0 {
            return Ok(());
        }
        let rate = self.searched as f64 / seconds;
        let digits = match rate {
            100.0.. => 0,
            10.0.. => 1,
            _ => 2,
        };
        match self.threads {
            Some(_) => {
                // Both are of the same clock: no more than the whole, but for rounding.
                let outside = (100.0 * (1.0 - self.inside.as_secs_f64() / seconds)).max(0.0);
                write!(f, "; {rate:.digits$} positions per core-second, ")?;
                write!(f, "{outside:.1} % of the time outside searches")
            }
            None => write!(f, "; {rate:.digits$} positions a second"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn speed_is_told_of_all_threads_together() {
        let said = |searched, took, inside, threads| {
            let [took, inside] = [took, inside].map(Duration::from_millis);
            Speed { searched, took, inside, threads }.to_string()
        };
        let words = "; 1.00 positions per core-second, 2.5 % of the time outside searches";
        assert_eq!(said(40, 10_000, 39_000, Some(4)), words);
        let words = "; 12.5 positions per core-second, 0.0 % of the time outside searches";
        assert_eq!(said(25, 1_000, 2_001, Some(2)), words);
        assert_eq!(said(300, 2_000, 0, None), "; 150 positions a second");
        // Nothing was searched, or in no time that a clock could tell.
        assert_eq!(said(0, 2_000, 0, Some(1)) + &said(3, 0, 0, None), "");
    }
}
