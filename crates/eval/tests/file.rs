//! Weights survive a round trip through their file format, and damaged files are refused.

use isrever_board::{Rule, Size};
use isrever_eval::{Shape, Weights, WeightsError};
use proptest::prelude::*;
use std::sync::LazyLock;

/// A file of weights with every kind of number in it, most of them small.
static BYTES: LazyLock<Vec<u8>> = LazyLock::new(|| weights(Rule::Reversed, Size::SIX).to_bytes());

fn weights(rule: Rule, size: Size) -> Weights {
    let shape = Shape::of(size).unwrap();
    let weight = |phase: usize, class: usize| {
        let rare = if class.is_multiple_of(1000) { (class * (phase + 7)) as u16 } else { 0 };
        rare.wrapping_add((class % 7) as u16).cast_signed()
    };
    let phases: Vec<Vec<i16>> = (0..shape.phase_count())
        .map(|p| (0..shape.class_count()).map(|c| weight(p, c)).collect())
        .collect();
    Weights::linear(rule, shape, &phases)
}

#[test]
fn weights_survive_a_round_trip() {
    for size in [Size::SIX, Size::EIGHT] {
        for rule in Rule::ALL {
            let weights = weights(rule, size);
            let read = Weights::from_bytes(&weights.to_bytes()).unwrap();
            assert_eq!((read.rule(), read.shape().size()), (rule, size));
            assert!(read == weights);
        }
    }
}

#[test]
fn errors_name_the_fault() {
    let changed = |at: usize, byte: u8| {
        let mut bytes = BYTES.clone();
        bytes[at] = byte;
        Weights::from_bytes(&bytes).unwrap_err()
    };
    assert_eq!(Weights::from_bytes(b"").unwrap_err(), WeightsError::NotWeights);
    assert_eq!(changed(0, b'X'), WeightsError::NotWeights);
    assert_eq!(changed(8, 9), WeightsError::Version(9));
    assert_eq!(changed(9, 2), WeightsError::Rule(2));
    assert_eq!(changed(10, 31), WeightsError::OtherPatterns);
    // The width of another board with patterns, and of one without.
    assert_eq!(changed(11, 0), WeightsError::OtherPatterns);
    assert_eq!(changed(11, 4), WeightsError::Size(4));
    assert_eq!(changed(9, 1), WeightsError::Damaged);
    let more = [&BYTES[..], b"more"].concat();
    assert_eq!(Weights::from_bytes(&more).unwrap_err(), WeightsError::Damaged);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn every_changed_byte_is_detected(at in any::<prop::sample::Index>(), flip in 1..=255_u8) {
        let mut bytes = BYTES.clone();
        let at = at.index(bytes.len());
        bytes[at] ^= flip;
        prop_assert!(Weights::from_bytes(&bytes).is_err());
    }

    #[test]
    fn truncated_files_are_refused(at in any::<prop::sample::Index>()) {
        prop_assert!(Weights::from_bytes(&BYTES[..at.index(BYTES.len())]).is_err());
    }

    #[test]
    fn hostile_bytes_are_refused(tail in proptest::collection::vec(any::<u8>(), 0..200)) {
        // A valid header and checksum before a wrong payload.
        let mut bytes = [&BYTES[..24], &tail].concat();
        let mut hasher = crc32fast::Hasher::new();
        hasher.update(&bytes[..20]);
        hasher.update(&tail);
        bytes[20..24].copy_from_slice(&hasher.finalize().to_le_bytes());
        prop_assert_eq!(Weights::from_bytes(&bytes).unwrap_err(), WeightsError::Damaged);
    }
}
