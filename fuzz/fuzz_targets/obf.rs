//! The scores of a problem belong to legal moves and fit its board.

#![no_main]

use isrever_board::text::Format;
use isrever_fuzz::survivors;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let Some((records, _)) = survivors(bytes, Format::Obf) else { return };
    for record in records {
        let limit = record.game.size().cells() as u32;
        for (mv, score) in record.scores {
            assert!(score.unsigned_abs() <= limit);
            assert!(mv.is_none_or(|mv| record.game.clone().play(mv).is_ok()));
        }
    }
});
