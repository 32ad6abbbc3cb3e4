//! Whatever is pasted, its format is told and its reader answers.

#![no_main]

use isrever_board::text::{Defaults, detect};
use isrever_fuzz::survivors;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    survivors(bytes, detect(bytes, Defaults::default()));
});
