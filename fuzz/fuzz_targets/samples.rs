//! Samples are refused in one line, or are boards that are written as the same bytes.

#![no_main]

use isrever_fuzz::is_one_line;
use isrever_lab::data::{Reader, header, records};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let reader = match Reader::new(bytes) {
        Ok(reader) => reader,
        Err(error) => return is_one_line(&error.to_string()),
    };
    let (rule, size) = (reader.rule(), reader.size());
    let mut samples = Vec::new();
    for sample in reader {
        match sample {
            Ok(sample) => samples.push(sample),
            Err(error) => is_one_line(&error.to_string()),
        }
    }
    for sample in &samples {
        let board = sample.board();
        assert_eq!(board.player & board.opponent, 0);
        assert_eq!((board.player | board.opponent) & !size.mask(), 0);
    }
    let written = [&header(rule, size)[..], &records(&samples)].concat();
    let again = Reader::new(&written[..]).expect("what is written is read");
    assert!(again.map(|sample| sample.expect("a sample")).eq(samples));
});
