//! The numbers that decide when the search uses which technique: one table for all of them.
//!
//! A row has a number's name, range, meaning and origin, and the values that the
//! program ships, by rule and size of board. A [`Searcher`](crate::Searcher)
//! searches by the [`Parameters`] in its settings, so a run can change them
//! without a build. Within their ranges they decide how long a proof takes, never
//! what it proves; a midgame search is another search by other numbers.
//!
//! Not here: numbers that lay out memory, such as the size of a local table, are
//! constants where they are used, and so are those that only decide how threads
//! wait; the deviations behind forward pruning belong to the evaluation's weights.

use crate::selectivity::Selectivity;
use isrever_board::{Rule, Size};
use std::fmt;
use std::ops::RangeInclusive;

/// The same value for every game.
const fn all(value: i32) -> [i32; 4] {
    [value; 4]
}

/// A value for 8×8 and one for smaller boards.
const fn by_size(eight: i32, six: i32) -> [i32; 4] {
    [eight, eight, six, six]
}

/// A row of the table.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Parameter {
    /// Its name, as in `evaluated=12`.
    pub name: &'static str,
    /// What it decides.
    pub about: &'static str,
    /// The least value allowed.
    pub least: i32,
    /// The greatest value allowed.
    pub most: i32,
    /// Where the values come from: a page of `docs/records` and its section.
    pub record: &'static str,
    /// The values that the program ships: reversed and normal on 8×8, then on smaller boards.
    pub shipped: [i32; 4],
}

impl Parameter {
    /// The values allowed.
    pub fn range(&self) -> RangeInclusive<i32> {
        self.least..=self.most
    }
}

macro_rules! parameters {
    ($(
        $(#[doc = $about:literal])+
        $name:ident: $kind:ty, $least:literal..=$most:literal = $shipped:expr, $record:literal;
    )*) => {
        /// A value for each parameter of the search.
        ///
        /// ```
        /// use isrever_board::{Rule, Size};
        /// use isrever_search::{Parameters, Searcher, Settings};
        ///
        /// let settings = Settings::new(Rule::Reversed, Size::EIGHT);
        /// let mut parameters = settings.parameters;
        /// parameters.set("evaluated", 12).unwrap();
        /// let searcher = Searcher::new(Settings { parameters, ..settings });
        /// assert!(parameters.set("evaluated", 99).is_err());
        /// ```
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
        pub struct Parameters {
            $($(#[doc = $about])+ pub $name: $kind,)*
        }

        impl Parameters {
            /// The table, a row for each parameter.
            pub const TABLE: &[Parameter] = &[$(Parameter {
                name: stringify!($name),
                about: concat!($($about),+).trim_ascii(),
                least: $least,
                most: $most,
                record: $record,
                shipped: $shipped,
            }),*];

            /// The values that the program ships for games of this rule and size.
            #[expect(clippy::cast_sign_loss, reason = "the table has no such negative values")]
            pub const fn shipped(rule: Rule, size: Size) -> Parameters {
                let game = match (rule, size.width()) {
                    (Rule::Reversed, 8..) => 0,
                    (Rule::Normal, 8..) => 1,
                    (Rule::Reversed, _) => 2,
                    (Rule::Normal, _) => 3,
                };
                Parameters { $($name: $shipped[game] as $kind),* }
            }

            /// The values, in the order of the table.
            #[expect(clippy::cast_possible_wrap, reason = "no range reaches so far")]
            pub fn values(&self) -> impl Iterator<Item = i32> {
                [$(self.$name as i32),*].into_iter()
            }

            /// Changes the parameter called `name`.
            #[expect(clippy::cast_sign_loss, reason = "the table has no such negative values")]
            pub fn set(&mut self, name: &str, value: i32) -> Result<(), ParameterError> {
                let row = Parameters::TABLE.iter().find(|row| row.name == name);
                let row = row.ok_or_else(|| ParameterError::Unknown(name.to_owned()))?;
                if !row.range().contains(&value) {
                    return Err(ParameterError::OutOfRange { value, row });
                }
                match name {
                    $(stringify!($name) => self.$name = value as $kind,)*
                    _ => unreachable!("the table names every parameter"),
                }
                Ok(())
            }
        }
    };
}

parameters! {
    // Iterations.

    /// From this many empty squares on, a proof guesses the score first; with fewer it is as quick.
    guess_from: u32, 10..=64 = all(14), "solver-tried.md#each-change-alone";
    /// How sure the guess before a proof is: a level from 0 (right in 49 of 100 cases) to 5 (99).
    guess_level: u8, 0..=5 = all(1), "solver-tried.md#the-guess-before-the-proof-again";
    /// Before the guess, iterations go this deep at most.
    guess_deepest: u32, 4..=24 = all(12), "solver-tried.md#each-change-alone";
    /// Before the guess, iterations end this many plies before the end.
    guess_gap: u32, 4..=16 = all(8), "solver-tried.md#each-change-alone";
    /// A search that may reach the end jumps there from this many plies before it.
    end_step: u32, 1..=10 = all(3), "midgame-tried.md#step-to-the-end";
    /// Without an evaluation, the first guess tries this many moves at each node.
    narrow_first: usize, 1..=8 = all(2), "solver-tried.md#reversed-rule-what-was-tried-first";
    /// Without an evaluation, the second guess tries this many moves at each node.
    narrow_second: usize, 1..=16 = all(4), "solver-tried.md#reversed-rule-what-was-tried-first";
    /// A search of every move proves their scores at once up to this many empty squares.
    moves_proved: u32, 10..=20 = all(10), "solver-tried.md#each-change-alone";
    /// From here on a search of every move guesses each score, right in 49 of 100 cases.
    moves_guess_49: u32, 10..=60 = all(14), "solver-tried.md#each-change-alone";
    /// From here on it guesses again, right in 73 of 100 cases.
    moves_guess_73: u32, 10..=60 = all(18), "solver-tried.md#each-change-alone";
    /// From here on it guesses again, right in 95 of 100 cases.
    moves_guess_95: u32, 10..=60 = all(22), "solver-tried.md#each-change-alone";

    // Forward pruning.

    /// The least depth that Multi-ProbCut probes by a shallower search.
    probcut_from: u32, 2..=12 = all(3), "midgame-tried.md#confidence-of-the-iterations-before-the-last";
    /// Hundredths of standard deviations outside the window that prune at 49 % confidence.
    deviations_49: u32, 20..=500 = all(66), "midgame-tried.md#confidence-of-the-iterations-before-the-last";
    /// The same at 73 % confidence.
    deviations_73: u32, 20..=500 = all(110), "midgame-tried.md#confidence-of-the-iterations-before-the-last";
    /// The same at 87 % confidence.
    deviations_87: u32, 20..=500 = all(150), "midgame-tried.md#confidence-of-the-iterations-before-the-last";
    /// The same at 95 % confidence.
    deviations_95: u32, 20..=500 = all(200), "midgame-tried.md#confidence-of-the-iterations-before-the-last";
    /// The same at 98 % confidence.
    deviations_98: u32, 20..=500 = all(260), "midgame-tried.md#confidence-of-the-iterations-before-the-last";
    /// The same at 99 % confidence.
    deviations_99: u32, 20..=500 = all(330), "midgame-tried.md#confidence-of-the-iterations-before-the-last";

    // The tree above the endgame.

    /// Below this many empty squares a search to the end no longer evaluates.
    evaluated: u32, 8..=24 = by_size(13, 10), "solver-tried.md#the-guess-before-the-proof-again";
    /// From this depth on, ETC probes the table for all children first.
    etc_from: u32, 2..=20 = all(4), "midgame-tried.md#transposition-table-and-ordering";
    /// From this depth on, moves are ordered by the evaluation after them.
    valued: u32, 2..=20 = all(3), "midgame-tried.md#transposition-table-and-ordering";
    /// From this depth on, a node may become a split point.
    split_from: u32, 3..=20 = all(5), "midgame-tried.md#split-points-on-two-threads";
    /// A node may become a split point after so many moves if a cut is expected; else after one.
    split_after: usize, 1..=8 = all(2), "solver.md#ffo-4549-on-up-to-16-threads";
    /// Internal iterative deepening: from this depth on, a node of the principal variation without
    /// a table move is searched less deeply first.
    deepened: u32, 3..=20 = all(4), "midgame-tried.md#transposition-table-and-ordering";
    /// From this depth on, moves are ordered by a search of one ply.
    foreseen_1: u32, 4..=64 = by_size(16, 14), "solver-tried.md#each-change-alone";
    /// From this depth on, moves are ordered by a search of two plies.
    foreseen_2: u32, 4..=64 = by_size(22, 18), "solver-tried.md#each-change-alone";
    /// What each reply of the opponent takes off a move's ordering score, in 256ths of a disc.
    reply: i32, 0..=1280 = [48, 128, 128, 128], "search-parameters.md#what-a-reply-weighs";
    /// The same in a search to the end, where few replies make a small tree.
    reply_to_end: i32, 0..=2560 = [640, 640, 256, 640], "search-parameters.md#what-a-reply-weighs";
    /// Up to this many plies from the start, the table holds boards in canonical form.
    symmetric_plies: u32, 0..=12 = all(9), "solver.md#whole-boards";

    // The endgame, which evaluates nothing.

    /// From this many empty squares on, endgame nodes go to the shared table; below, to the
    /// thread's local table.
    shared_table: u32, 8..=20 = all(12), "solver-tried.md#each-change-alone";
    /// From this many empty squares on, the best reply counts in an endgame move's ordering score.
    foresight: u32, 7..=30 = all(13), "solver-tried.md#each-change-alone";
    /// From this many empty squares on, an endgame node may become a split point.
    endgame_split: u32, 6..=30 = all(13), "solver-tried.md#each-change-alone";
    /// Up to this many empty squares the endgame orders moves by the cheapest features.
    shallow: u32, 5..=12 = all(9), "solver-tried.md#last-nine-squares-what-made-the-difference";
    /// From this many empty squares on, shallow endgame nodes are stored; below, fetching one costs
    /// more than searching again.
    stored: u32, 5..=13 = all(6), "solver-tried.md#the-table-move-lists-and-flips-of-two-squares";
    /// From this many empty squares on, ETC probes the local table for a shallow node's children.
    shallow_etc: u32, 5..=13 = all(9), "solver-tried.md#the-table-move-lists-and-flips-of-two-squares";
    /// With four empty squares, so many stable discs to spare make counting them worth its time.
    spare_4: i32, 0..=64 = all(11), "solver.md#ffo-4044-since-020";
    /// The same with five.
    spare_5: i32, 0..=64 = all(8), "solver.md#ffo-4044-since-020";
    /// The same with six.
    spare_6: i32, 0..=64 = all(7), "solver.md#ffo-4044-since-020";
    /// The same with seven.
    spare_7: i32, 0..=64 = all(5), "solver.md#ffo-4044-since-020";
    /// The same with eight.
    spare_8: i32, 0..=64 = all(4), "solver.md#ffo-4044-since-020";
    /// The same with nine and more.
    spare_9: i32, 0..=64 = all(3), "solver.md#ffo-4044-since-020";

    // The endgame's move ordering: a sum of features, in which each reply of the opponent weighs
    // −64. Under the reversed rule corners and flipped discs are a burden, and a reply in the
    // corner is welcome; under the normal rule the weights have the signs of Othello.

    /// Weight of each corner that the opponent may take.
    corners: i32, -256..=256 = [8, -80, 32, -54], "solver-tried.md#each-change-alone";
    /// Weight of each empty square beside our discs: potential mobility of the opponent.
    potential: i32, -64..=64 = [-6, -5, -4, -17], "solver-tried.md#each-change-alone";
    /// Weight of a square in a quadrant with an odd number of empty squares.
    odd: i32, -128..=128 = [-8, 12, 11, 12], "solver-tried.md#each-change-alone";
    /// Weight of each disc flipped.
    flipped: i32, -128..=128 = [-20, 0, -20, 0], "solver-tried.md#each-change-alone";
    /// The share of the best reply's ordering score, in 64ths, where it counts.
    foreseen_reply: i32, -64..=64 = [-28, -32, -26, -24], "solver-tried.md#each-change-alone";
    /// Weight of a move on a1 or a square like it. The squares like one by the symmetries of the
    /// board have its weight; a smaller board's have that of the square as near the edges.
    square_a1: i32, -256..=256 = [-136, 70, -156, 94], "solver-tried.md#each-change-alone";
    /// Weight of a move on b1 or a square like it.
    square_b1: i32, -256..=256 = [-37, 40, -61, 16], "solver-tried.md#each-change-alone";
    /// Weight of a move on c1 or a square like it.
    square_c1: i32, -256..=256 = [-12, 29, -40, 1], "solver-tried.md#each-change-alone";
    /// Weight of a move on d1 or a square like it.
    square_d1: i32, -256..=256 = [1, 40, 1, 40], "solver-tried.md#each-change-alone";
    /// Weight of a move on b2 or a square like it.
    square_b2: i32, -256..=256 = [-21, 15, -49, -9], "solver-tried.md#each-change-alone";
    /// Weight of a move on c2 or a square like it.
    square_c2: i32, -256..=256 = [-6, 35, -32, 23], "solver-tried.md#each-change-alone";
    /// Weight of a move on d2 or a square like it.
    square_d2: i32, -256..=256 = [0, 24, 32, 24], "solver-tried.md#each-change-alone";
    /// Weight of a move on c3 or a square like it.
    square_c3: i32, -256..=256 = [32, 6, 24, 6], "solver-tried.md#each-change-alone";
    /// Weight of a move on d3 or a square like it.
    square_d3: i32, -256..=256 = [48, 24, 24, 24], "solver-tried.md#each-change-alone";
    /// Weight of a move on d4 or a square like it.
    square_d4: i32, -256..=256 = all(0), "solver-tried.md#each-change-alone";
}

impl Parameters {
    /// Whether every value is within its range.
    pub(crate) fn are_allowed(&self) -> bool {
        Parameters::TABLE.iter().zip(self.values()).all(|(row, value)| row.range().contains(&value))
    }

    /// Hundredths of standard deviations that prune, by level of selectivity.
    pub(crate) fn deviations(&self) -> [u32; Selectivity::LEVELS] {
        [
            self.deviations_49,
            self.deviations_73,
            self.deviations_87,
            self.deviations_95,
            self.deviations_98,
            self.deviations_99,
        ]
    }

    /// The level of the guess before a proof.
    pub(crate) fn guess(&self) -> Selectivity {
        Selectivity::from_number(self.guess_level)
    }

    /// From how many empty squares on a search of every move guesses scores, and by cuts of which
    /// confidence.
    pub(crate) fn guesses_of_moves(&self) -> [(u32, u8); 3] {
        [(self.moves_guess_49, 49), (self.moves_guess_73, 73), (self.moves_guess_95, 95)]
    }

    /// The stable discs to spare that make counting them worth its time, from four empty squares up.
    pub(crate) fn spare(&self) -> [i32; 6] {
        [self.spare_4, self.spare_5, self.spare_6, self.spare_7, self.spare_8, self.spare_9]
    }

    /// The weights of the classes of squares in the upper left triangle of 8×8, row by row.
    pub(crate) fn squares(&self) -> [i32; 10] {
        [
            self.square_a1,
            self.square_b1,
            self.square_c1,
            self.square_d1,
            self.square_b2,
            self.square_c2,
            self.square_d2,
            self.square_c3,
            self.square_d3,
            self.square_d4,
        ]
    }
}

/// Values in place of shipped ones, in games of any rule and size.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ParameterChanges {
    values: [Option<i32>; Parameters::TABLE.len()],
}

impl ParameterChanges {
    /// Leaves everything as it is shipped.
    pub const NONE: ParameterChanges = ParameterChanges { values: [None; Parameters::TABLE.len()] };

    /// Puts `value` in place of what is shipped of the parameter called `name`.
    pub fn set(&mut self, name: &str, value: i32) -> Result<(), ParameterError> {
        // Any game's parameters allow what the table allows.
        Parameters::shipped(Rule::Reversed, Size::EIGHT).set(name, value)?;
        let place = Parameters::TABLE.iter().position(|row| row.name == name);
        self.values[place.expect("it was just set")] = Some(value);
        Ok(())
    }

    /// Whether nothing is changed.
    pub fn is_empty(&self) -> bool {
        *self == ParameterChanges::NONE
    }

    /// `parameters` with these changes.
    #[must_use]
    pub fn applied_to(&self, mut parameters: Parameters) -> Parameters {
        for (row, value) in Parameters::TABLE.iter().zip(self.values) {
            if let Some(value) = value {
                parameters.set(row.name, value).expect("it was checked when it was set");
            }
        }
        parameters
    }
}

/// A change that the table does not allow.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ParameterError {
    /// No parameter has this name.
    Unknown(String),
    /// The parameter does not allow this value.
    OutOfRange {
        /// The refused value.
        value: i32,
        /// The parameter, with its range.
        row: &'static Parameter,
    },
}

impl fmt::Display for ParameterError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ParameterError::Unknown(name) => {
                write!(f, "no parameter of the search is called {name:?}")
            }
            ParameterError::OutOfRange { value, row: Parameter { name, least, most, .. } } => {
                write!(
                    f,
                    "{name} cannot be {value}; expected a whole number from {least} to {most}"
                )
            }
        }
    }
}

impl std::error::Error for ParameterError {}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fmt::Write as _;

    /// The rules and sizes that have values of their own, in the order of the table.
    const GAMES: [(Rule, Size); 4] = [
        (Rule::Reversed, Size::EIGHT),
        (Rule::Normal, Size::EIGHT),
        (Rule::Reversed, Size::SIX),
        (Rule::Normal, Size::SIX),
    ];

    #[test]
    fn shipped_values_are_within_their_ranges() {
        for (rule, size) in GAMES {
            let shipped = Parameters::shipped(rule, size);
            assert!(shipped.are_allowed(), "{rule} {size}");
            let mut copy = shipped;
            for (row, value) in Parameters::TABLE.iter().zip(shipped.values()) {
                assert_eq!(copy.set(row.name, row.least), Ok(()));
                assert_eq!(copy.set(row.name, value), Ok(()));
            }
            assert_eq!(copy, shipped);
        }
        let four = Parameters::shipped(Rule::Normal, Size::FOUR);
        assert_eq!(four, Parameters::shipped(Rule::Normal, Size::SIX));
    }

    #[test]
    fn what_the_table_does_not_allow_is_refused() {
        let shipped = Parameters::shipped(Rule::Reversed, Size::EIGHT);
        let mut parameters = shipped;
        let refused = parameters.set("evaluated", 99).unwrap_err().to_string();
        assert_eq!(refused, "evaluated cannot be 99; expected a whole number from 8 to 24");
        let refused = parameters.set("evalated", 9).unwrap_err().to_string();
        assert_eq!(refused, "no parameter of the search is called \"evalated\"");
        assert_eq!(parameters, shipped);
        assert!(!Parameters { stored: 99, ..shipped }.are_allowed());
    }

    /// A heading as the end of a link to it.
    fn anchor(heading: &str) -> String {
        let kept = heading.chars().filter(|c| c.is_alphanumeric() || " -".contains(*c));
        kept.flat_map(char::to_lowercase).map(|c| if c == ' ' { '-' } else { c }).collect()
    }

    #[test]
    fn every_value_has_a_record() {
        let records = [
            ("solver.md", include_str!("../../../docs/records/solver.md")),
            ("solver-tried.md", include_str!("../../../docs/records/solver-tried.md")),
            ("midgame-tried.md", include_str!("../../../docs/records/midgame-tried.md")),
            ("search-parameters.md", include_str!("../../../docs/records/search-parameters.md")),
        ];
        for row in Parameters::TABLE {
            let (page, section) = row.record.split_once('#').expect("a page and its section");
            let known = records.iter().find(|(name, _)| *name == page);
            let (_, text) = known.unwrap_or_else(|| panic!("{} names {page}", row.name));
            let headings = text.lines().filter_map(|line| line.strip_prefix("##"));
            let mut anchors =
                headings.map(|heading| anchor(heading.trim_start_matches(['#', ' '])));
            assert!(anchors.any(|anchor| anchor == section), "{}: {section}", row.name);
        }
    }

    #[test]
    fn the_guide_has_the_table() {
        let mut table = String::from(
            "| parameter | range | reversed | normal | 6×6 reversed | 6×6 normal | what it decides |\n\
             |---|---|---:|---:|---:|---:|---|\n",
        );
        for row in Parameters::TABLE {
            let Parameter { name, about, least, most, record, shipped } = row;
            write!(table, "| [`{name}`](../records/{record}) | {least} to {most} |").unwrap();
            shipped.iter().for_each(|value| write!(table, " {value} |").unwrap());
            writeln!(table, " {about} |").unwrap();
        }
        let guide = include_str!("../../../docs/guide/search-parameters.md");
        assert!(guide.contains(&table), "docs/guide/search-parameters.md should have\n{table}");
    }
}
