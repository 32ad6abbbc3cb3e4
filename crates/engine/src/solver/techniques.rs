//! The techniques of the search, and sets of them to measure: all, all but one, and none.

/// The techniques that can be switched off to see what each is worth.
#[derive(Clone, Copy, Debug)]
pub struct Techniques {
    /// Transposition table: boards are remembered with their bounds.
    pub table: bool,
    /// Evaluation: on the upper plies, patterns with trained weights order the moves.
    pub evaluation: bool,
    /// Enhanced transposition cut-off: a child's known bound may end the search of its parent.
    pub look_ahead: bool,
    /// Stability: discs that can never turn bound the score.
    pub stability: bool,
    /// Fastest first: moves are tried in the order of what they promise.
    pub ordering: bool,
    /// Foresight: on the upper plies, that order looks at the best reply too.
    pub foresight: bool,
    /// Parity: near the leaves, quadrants with an odd number of empty squares come first.
    pub parity: bool,
    /// Narrow passes: a search of the few most promising moves guesses the score beforehand.
    pub narrow_passes: bool,
    /// Symmetry: near the start, boards that are images of each other are one.
    pub symmetry: bool,
}

impl Techniques {
    /// Everything switched on.
    pub const ALL: Techniques = Techniques {
        table: true,
        evaluation: true,
        look_ahead: true,
        stability: true,
        ordering: true,
        foresight: true,
        parity: true,
        narrow_passes: true,
        symmetry: true,
    };

    /// Everything switched off.
    pub const NONE: Techniques = Techniques {
        table: false,
        evaluation: false,
        look_ahead: false,
        stability: false,
        ordering: false,
        foresight: false,
        parity: false,
        narrow_passes: false,
        symmetry: false,
    };

    /// Each technique by name, with everything but it switched on.
    pub const EACH_OFF: [(&'static str, Techniques); 9] = {
        let on = Techniques::ALL;
        // Named one by one, so that a new technique does not compile until it is in the list.
        let Techniques {
            table: _,
            evaluation: _,
            look_ahead: _,
            stability: _,
            ordering: _,
            foresight: _,
            parity: _,
            narrow_passes: _,
            symmetry: _,
        } = on;
        [
            ("table", Techniques { table: false, ..on }),
            ("evaluation", Techniques { evaluation: false, ..on }),
            ("look_ahead", Techniques { look_ahead: false, ..on }),
            ("stability", Techniques { stability: false, ..on }),
            ("ordering", Techniques { ordering: false, ..on }),
            ("foresight", Techniques { foresight: false, ..on }),
            ("parity", Techniques { parity: false, ..on }),
            ("narrow_passes", Techniques { narrow_passes: false, ..on }),
            ("symmetry", Techniques { symmetry: false, ..on }),
        ]
    };
}
