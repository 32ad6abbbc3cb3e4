//! Bytes are refused, or are weights that are written and read again as the same.
//!
//! The checksum would refuse nearly all inputs, so it is made right first.

#![no_main]

use isrever_board::{Board, Size};
use isrever_eval::Weights;
use isrever_fuzz::is_one_line;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let mut bytes = bytes.to_vec();
    if let Some((header, payload)) = bytes.split_at_mut_checked(24) {
        let mut sum = crc32fast::Hasher::new();
        sum.update(&header[..20]);
        sum.update(payload);
        header[20..].copy_from_slice(&sum.finalize().to_le_bytes());
    }
    match Weights::from_bytes(&bytes) {
        Ok(weights) => {
            let again = Weights::from_bytes(&weights.to_bytes()).expect("what is written is read");
            if weights.shape().size() == Size::EIGHT {
                let board = Board::start(Size::EIGHT);
                assert_eq!(again.plain_value(board), weights.plain_value(board));
            }
        }
        Err(error) => is_one_line(&error.to_string()),
    }
});
