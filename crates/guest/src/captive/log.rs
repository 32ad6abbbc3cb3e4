//! The end of what a program prints, and how much it was.

/// How many of the last bytes are kept.
const KEPT: usize = 16 << 10;

/// What a program printed.
#[derive(Debug, Default)]
pub(crate) struct Log {
    last: Vec<u8>,
    bytes: u64,
    /// How much of it was taken.
    taken: u64,
    most: Option<u64>,
}

impl Log {
    /// A log of at most `most` bytes; beyond that the program has printed too much.
    pub(crate) fn new(most: u64) -> Log {
        Log { most: Some(most), ..Log::default() }
    }

    /// Takes in what was printed.
    pub(crate) fn keep(&mut self, piece: &[u8]) {
        self.bytes += piece.len() as u64;
        let piece = &piece[piece.len().saturating_sub(KEPT)..];
        let too_many = (self.last.len() + piece.len()).saturating_sub(KEPT);
        self.last.drain(..too_many);
        self.last.extend_from_slice(piece);
    }

    /// How much it was.
    pub(crate) fn bytes(&self) -> u64 {
        self.bytes
    }

    /// Whether it was too much.
    pub(crate) fn is_over(&self) -> bool {
        self.most.is_some_and(|most| self.bytes > most)
    }

    /// The end of what was not yet taken, as text.
    pub(crate) fn take(&mut self) -> String {
        let fresh = usize::try_from(self.bytes - self.taken).unwrap_or(usize::MAX);
        self.taken = self.bytes;
        let start = self.last.len().saturating_sub(fresh);
        String::from_utf8_lossy(&self.last[start..]).into_owned()
    }

    /// The end of it, as text.
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
            log.keep(&[b'a'; 10_000]);
            log.keep(b"end");
        }
        assert!(log.last().ends_with("aend") && log.last().len() == KEPT);
        assert_eq!((log.bytes(), log.is_over()), (30_009, false));
        assert_eq!(log.take(), log.last());
        log.keep(b"ing");
        assert_eq!((log.take().as_str(), log.take().as_str()), ("ing", ""));
        log.keep(&[b'b'; 30_000]);
        assert_eq!((log.last(), log.is_over()), ("b".repeat(KEPT), true));
    }
}
