//! The end of a program's output, and how long it was in all.

/// How many of the last bytes a log keeps.
const KEPT: usize = 16 << 10;

/// What a program printed.
#[derive(Debug, Default)]
pub(crate) struct Log {
    last: Vec<u8>,
    bytes: u64,
    /// How many bytes [`Log::take`] has returned or skipped.
    taken: u64,
    most: Option<u64>,
}

impl Log {
    /// A log of at most `most` bytes; beyond that the program has printed too much.
    pub(crate) fn new(most: u64) -> Log {
        Log { most: Some(most), ..Log::default() }
    }

    /// Appends output, and drops the oldest bytes.
    pub(crate) fn append(&mut self, output: &[u8]) {
        self.bytes += output.len() as u64;
        let output = &output[output.len().saturating_sub(KEPT)..];
        let too_many = (self.last.len() + output.len()).saturating_sub(KEPT);
        self.last.drain(..too_many);
        self.last.extend_from_slice(output);
    }

    /// How many bytes were printed in all.
    pub(crate) fn bytes(&self) -> u64 {
        self.bytes
    }

    /// Whether that is more than allowed.
    pub(crate) fn is_over(&self) -> bool {
        self.most.is_some_and(|most| self.bytes > most)
    }

    /// The end of the output since the last call, as text.
    pub(crate) fn take(&mut self) -> String {
        let fresh = usize::try_from(self.bytes - self.taken).unwrap_or(usize::MAX);
        self.taken = self.bytes;
        let start = self.last.len().saturating_sub(fresh);
        String::from_utf8_lossy(&self.last[start..]).into_owned()
    }

    /// The end of the output, as text.
    pub(crate) fn last(&self) -> String {
        String::from_utf8_lossy(&self.last).into_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_end_is_kept_and_all_is_counted() {
        let mut log = Log::new(40_000);
        for _ in 0..3 {
            log.append(&[b'a'; 10_000]);
            log.append(b"end");
        }
        assert!(log.last().ends_with("aend") && log.last().len() == KEPT);
        assert_eq!((log.bytes(), log.is_over()), (30_009, false));
        assert_eq!(log.take(), log.last());
        log.append(b"ing");
        assert_eq!((log.take().as_str(), log.take().as_str()), ("ing", ""));
        log.append(&[b'b'; 30_000]);
        assert_eq!((log.last(), log.is_over()), ("b".repeat(KEPT), true));
    }
}
