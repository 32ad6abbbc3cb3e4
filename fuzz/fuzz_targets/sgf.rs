//! An SGF game has no notes or one for each move, finite and with no empty comment, and
//! survives GGF too.

#![no_main]

use isrever_board::text::{Format, write};
use isrever_fuzz::survivors;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let Some((records, _)) = survivors(bytes, Format::Sgf) else { return };
    for record in &records {
        assert!(record.notes.is_empty() || record.notes.len() == record.game.ply());
        let mut numbers = record.notes.iter().flat_map(|note| [note.value, note.seconds]).flatten();
        assert!(numbers.all(f64::is_finite));
        let mut comments = record.notes.iter().filter_map(|note| note.comment.as_deref());
        assert!(comments.all(|comment| !comment.is_empty()));
    }
    let ggf = write(&records, Format::Ggf).expect("GGF holds every game");
    let back = survivors(&ggf, Format::Ggf).expect("what is written can be read").0;
    assert!(back.iter().zip(&records).all(|(back, record)| back.game == record.game));
});
