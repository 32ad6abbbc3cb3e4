//! A GGF game has no notes or one for each move, all of them finite, and survives SGF too.

#![no_main]

use isrever_board::text::{Format, write};
use isrever_fuzz::survivors;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let Some((records, _)) = survivors(bytes, Format::Ggf) else { return };
    for record in &records {
        assert!(record.notes.is_empty() || record.notes.len() == record.game.ply());
        let mut numbers = record.notes.iter().flat_map(|note| [note.value, note.seconds]).flatten();
        assert!(numbers.all(f64::is_finite));
    }
    let sgf = write(&records, Format::Sgf).expect("SGF holds every game");
    let back = survivors(&sgf, Format::Sgf).expect("what is written can be read").0;
    assert!(back.iter().zip(&records).all(|(back, record)| back.game == record.game));
});
