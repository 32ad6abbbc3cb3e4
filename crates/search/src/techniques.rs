//! The techniques of the search that can be switched off to measure what each is worth.

/// Which techniques the search uses.
#[derive(Clone, Copy, Debug)]
pub struct Techniques {
    /// Transposition table.
    pub table: bool,
    /// Evaluation: on the upper plies of a proof, trained patterns order the moves.
    pub evaluation: bool,
    /// Enhanced transposition cut-off (ETC): a child's stored bound may cut off its parent.
    pub etc: bool,
    /// Stability: discs that can never be flipped bound the score.
    pub stability: bool,
    /// Move ordering, fastest first; without it, moves come in the order of squares.
    pub ordering: bool,
    /// On the upper plies, the opponent's best reply counts in a move's ordering score.
    pub foresight: bool,
    /// Parity: near the leaves, quadrants with an odd number of empty squares come first.
    pub parity: bool,
    /// Narrow or selective iterations guess the score before a proof.
    pub narrow_iterations: bool,
    /// Symmetry: near the start, the table holds boards in canonical form.
    pub symmetry: bool,
}

impl Techniques {
    /// Everything switched on.
    pub const ALL: Techniques = Techniques {
        table: true,
        evaluation: true,
        etc: true,
        stability: true,
        ordering: true,
        foresight: true,
        parity: true,
        narrow_iterations: true,
        symmetry: true,
    };

    /// Everything switched off.
    pub const NONE: Techniques = Techniques {
        table: false,
        evaluation: false,
        etc: false,
        stability: false,
        ordering: false,
        foresight: false,
        parity: false,
        narrow_iterations: false,
        symmetry: false,
    };

    /// Each technique by name, with everything but it switched on.
    pub const EACH_OFF: [(&'static str, Techniques); 9] = {
        let on = Techniques::ALL;
        // Named one by one, so that a new technique does not compile until it is in the list.
        let Techniques {
            table: _,
            evaluation: _,
            etc: _,
            stability: _,
            ordering: _,
            foresight: _,
            parity: _,
            narrow_iterations: _,
            symmetry: _,
        } = on;
        [
            ("table", Techniques { table: false, ..on }),
            ("evaluation", Techniques { evaluation: false, ..on }),
            ("etc", Techniques { etc: false, ..on }),
            ("stability", Techniques { stability: false, ..on }),
            ("ordering", Techniques { ordering: false, ..on }),
            ("foresight", Techniques { foresight: false, ..on }),
            ("parity", Techniques { parity: false, ..on }),
            ("narrow_iterations", Techniques { narrow_iterations: false, ..on }),
            ("symmetry", Techniques { symmetry: false, ..on }),
        ]
    };
}
