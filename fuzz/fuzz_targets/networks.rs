//! Bytes are refused, or are a network that is written and read again as the same, and whose answers
//! are numbers, the same on every instruction set.
//!
//! The length and the checksum would refuse nearly all inputs, so they are made right first.

#![no_main]

use isrever_board::Board;
use isrever_fuzz::is_one_line;
use isrever_zero::{FloatNetwork, Network, NetworkError, Simd};
use libfuzzer_sys::fuzz_target;
use std::fmt::Debug;

/// Bytes of a header, and where its checksum begins.
const HEADER: usize = 20;
const CHECKSUM: usize = 16;

/// The longest network that is made of an input.
const MOST_BYTES: usize = 1 << 20;

fuzz_target!(|bytes: &[u8]| {
    survivor(bytes, FloatNetwork::from_bytes, FloatNetwork::to_bytes);
    let Some(network) = survivor(bytes, Network::from_bytes, Network::to_bytes) else { return };
    let boards = [Board::start(network.shape().size())];
    let evaluations = Simd::ALL.map(|simd| {
        let mut evaluations = Vec::new();
        network.evaluate_with(simd, &boards, &mut evaluations);
        evaluations
    });
    for evaluation in &evaluations[0] {
        assert!((-1.0..=1.0).contains(&evaluation.value), "{}", evaluation.value);
        assert!(
            evaluation.score.is_finite() && evaluation.policy.iter().all(|one| one.is_finite())
        );
    }
    assert!(evaluations.iter().all(|others| *others == evaluations[0]));
});

/// The network in the bytes once length and checksum are right, if there is one.
fn survivor<N: PartialEq + Debug>(
    bytes: &[u8],
    read: impl Fn(&[u8]) -> Result<N, NetworkError>,
    write: impl Fn(&N) -> Vec<u8>,
) -> Option<N> {
    let mut found = read(&mended(bytes, bytes.len()));
    if let Err(NetworkError::Length { expected, .. }) = found
        && expected <= MOST_BYTES
    {
        found = read(&mended(bytes, expected));
    }
    match found {
        Ok(network) => {
            assert_eq!(read(&write(&network)).as_ref(), Ok(&network));
            Some(network)
        }
        Err(error) => {
            is_one_line(&error.to_string());
            None
        }
    }
}

/// The bytes with this length, what is behind the header repeated, and with the right checksum.
fn mended(bytes: &[u8], length: usize) -> Vec<u8> {
    let Some((header, content)) = bytes.split_at_checked(HEADER) else { return bytes.to_vec() };
    let content = content.iter().copied().chain((content.is_empty()).then_some(0));
    let mut mended = header.to_vec();
    mended.extend(content.cycle().take(length.saturating_sub(HEADER)));
    let mut sum = crc32fast::Hasher::new();
    sum.update(&mended[..CHECKSUM]);
    sum.update(&mended[HEADER..]);
    mended[CHECKSUM..HEADER].copy_from_slice(&sum.finalize().to_le_bytes());
    mended
}
