//! A game that is read is the same game with its passes written and left out.

#![no_main]

use isrever_board::text::{Defaults, Format, read, write_moves};
use isrever_fuzz::survivors;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let Some((records, _)) = survivors(bytes, Format::Moves) else { return };
    for record in records {
        let text = write_moves(&record.game, true);
        let back = read(text.as_bytes(), Some(Format::Moves), Defaults::default());
        assert_eq!(back, Ok(vec![record]));
    }
});
