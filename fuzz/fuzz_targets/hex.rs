//! The bitboards of a position that is read share no disc and lie on its board.

#![no_main]

use isrever_board::text::Format;
use isrever_fuzz::survivors;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let Some((records, _)) = survivors(bytes, Format::Hex) else { return };
    for record in records {
        let position = record.game.position();
        let board = position.board().expect("bitboards came in");
        assert_eq!(board.player & board.opponent, 0);
        assert_eq!((board.player | board.opponent) & !position.size().mask(), 0);
    }
});
