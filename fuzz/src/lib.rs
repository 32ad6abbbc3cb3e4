//! The invariants that the fuzz targets hold the readers to.
//!
//! `crates/board/tests/text_garbage.rs` holds them to the same with far fewer inputs.

use isrever_board::text::{Defaults, Format, Record, read, write};

/// Reads the bytes. What is accepted must be written and read again as the same records; what is
/// refused must be refused in one short line without control characters.
pub fn survivors(bytes: &[u8], format: Format) -> Option<(Vec<Record>, Vec<u8>)> {
    let defaults = Defaults::default();
    let records = match read(bytes, Some(format), defaults) {
        Ok(records) => records,
        Err(error) => {
            is_one_line(&error.to_string());
            return None;
        }
    };
    let written = write(&records, format).expect("what was read can be written");
    assert_eq!(read(&written, Some(format), defaults).as_ref(), Ok(&records));
    assert_eq!(read(&written, None, defaults).as_ref(), Ok(&records), "told from the text");
    Some((records, written))
}

/// Checks that a refusal is one short line without control characters.
pub fn is_one_line(refusal: &str) {
    assert!(!refusal.chars().any(char::is_control), "{refusal:?}");
    assert!(refusal.len() < 2000, "{refusal:?}");
}
