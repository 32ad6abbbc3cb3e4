//! Sets of techniques to measure: all but one, and none.

use super::Techniques;

impl Techniques {
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
