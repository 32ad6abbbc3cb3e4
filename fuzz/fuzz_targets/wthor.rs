//! A WTHOR file that is read is written byte for byte.

#![no_main]

use isrever_board::text::Format;
use isrever_fuzz::survivors;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    if let Some((_, written)) = survivors(bytes, Format::Wthor) {
        assert_eq!(written, bytes);
    }
});
