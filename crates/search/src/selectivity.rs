//! Selectivity: how daring the forward pruning of a search is.

/// A level of forward pruning. Greater levels prune less and are right more often.
///
/// ```
/// use isrever_search::Selectivity;
///
/// let level = Selectivity::from_confidence(90);
/// assert_eq!(level.confidence(), 95, "the most daring level that is sure enough");
/// assert_eq!(Selectivity::from_confidence(100), Selectivity::NONE);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Selectivity(u8);

/// The share of a normal distribution, in percent, that lies within so many deviations.
const CONFIDENCES: [u8; Selectivity::LEVELS] = [49, 73, 87, 95, 98, 99];

impl Selectivity {
    /// How many levels prune.
    pub(crate) const LEVELS: usize = 6;

    /// Prunes most: a cut is right in 49 of 100 cases. The first iterations of a search to the end
    /// use it, and are the answer where time runs out.
    pub const MOST: Selectivity = Selectivity(0);

    /// Prunes nothing: bounds at this level are proved.
    pub const NONE: Selectivity = Selectivity(255);

    /// The levels that prune, from the most daring to the surest.
    pub(crate) fn pruning() -> impl Iterator<Item = Selectivity> {
        (0..Selectivity::LEVELS as u8).map(Selectivity)
    }

    /// The most daring level whose cuts are right in at least `confidence` of 100 cases.
    pub fn from_confidence(confidence: u8) -> Selectivity {
        let level = Selectivity::pruning().find(|level| level.confidence() >= confidence);
        level.unwrap_or(Selectivity::NONE)
    }

    /// In how many of 100 cases a cut at this level is right.
    pub fn confidence(self) -> u8 {
        CONFIDENCES.get(usize::from(self.0)).copied().unwrap_or(100)
    }

    /// The level with this number, as tables and files store it.
    pub const fn from_number(number: u8) -> Selectivity {
        Selectivity(number)
    }

    /// The number that tables and files store.
    #[inline(always)]
    pub const fn number(self) -> u8 {
        self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_confidence_names_its_level() {
        for level in Selectivity::pruning() {
            assert_eq!(Selectivity::from_confidence(level.confidence()), level);
            assert!(level < Selectivity::NONE);
        }
        assert_eq!(Selectivity::from_confidence(100), Selectivity::NONE);
        assert_eq!(Selectivity::NONE.confidence(), 100);
        assert_eq!(Selectivity::from_confidence(90).confidence(), 95);
    }
}
