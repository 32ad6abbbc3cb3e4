//! A position that is read is displayed as a line that parses to it.

#![no_main]

use isrever_board::text::Format;
use isrever_fuzz::survivors;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let Some((records, _)) = survivors(bytes, Format::Board) else { return };
    for record in records {
        let position = record.game.position();
        assert!(record.game.moves().is_empty());
        assert_eq!(position.to_string().parse().as_ref(), Ok(position));
    }
});
