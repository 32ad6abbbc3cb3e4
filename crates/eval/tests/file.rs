//! Weights survive a round trip through their file format, and damaged files are refused.

use isrever_board::{Rule, Size};
use isrever_eval::{DIMENSIONS, Deviations, Parameters, Shape, Weights, WeightsError};
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

/// A network with rows of zeros and others.
fn network() -> Parameters {
    let row = |number: usize| -> [i16; DIMENSIONS] {
        std::array::from_fn(|i| i16::try_from(number * (i + 3) % 301).unwrap() - 150)
    };
    let narrow = |class: usize| -> [i8; DIMENSIONS] {
        std::array::from_fn(|i| match class % 3 {
            0 => 0,
            _ => i8::try_from(class * (i + 1) % 63).unwrap() - 31,
        })
    };
    Parameters {
        rows: (0..Shape::WIDE.pattern_class_count()).map(narrow).collect(),
        own_moves: std::array::from_fn(row),
        opponent_moves: std::array::from_fn(|number| row(number + 50)),
        odd_quadrants: std::array::from_fn(|number| row(number + 100)),
        outputs: std::array::from_fn(|number| row(number + 150)),
        biases: std::array::from_fn(|phase| 12_345 * i32::try_from(phase).unwrap() - 100_000),
    }
}

static NETWORK: LazyLock<Weights> =
    LazyLock::new(|| Weights::network(Rule::Normal, &network()).unwrap());

#[test]
fn networks_survive_a_round_trip() {
    let read = Weights::from_bytes(&NETWORK.to_bytes()).unwrap();
    assert_eq!((read.rule(), read.shape().size()), (Rule::Normal, Size::EIGHT));
    assert_eq!(read.deviations(), NETWORK.deviations());
    assert!(read.to_bytes() == NETWORK.to_bytes());
    let other = Weights::network(Rule::Normal, &{
        let mut other = network();
        other.rows[7][7] ^= 1;
        other
    });
    assert!(other.unwrap() != read);
}

#[test]
fn deviations_belong_to_the_network_they_were_measured_with() {
    assert!(!NETWORK.is_calibrated());
    assert!(!Weights::from_bytes(&NETWORK.to_bytes()).unwrap().is_calibrated());
    let deviations = Deviations { residuals: [0.25, 0.5], ..NETWORK.deviations() };
    let calibrated = NETWORK.calibrated(deviations).unwrap();
    let read = Weights::from_bytes(&calibrated.to_bytes()).unwrap();
    assert!(read == calibrated && read.is_calibrated());
    assert_eq!(read.deviations(), deviations);
    // The same deviations in the file of another network.
    let mut parameters = network();
    parameters.biases[3] += 1;
    let other = Weights::network(Rule::Normal, &parameters).unwrap().to_bytes();
    let mut plain = [calibrated.to_bytes(), other].map(|bytes| unpacked(&bytes));
    let (from, to) = (plain[0].len() - STORED, plain[1].len() - STORED);
    let stored = plain[0][from..].to_vec();
    plain[1][to..].copy_from_slice(&stored);
    let other = Weights::from_bytes(&packed(&calibrated.to_bytes(), &plain[1])).unwrap();
    assert_eq!(other.deviations(), deviations);
    assert!(!other.is_calibrated());
    // Linear weights have no place for them.
    assert!(weights(Rule::Normal, Size::SIX).calibrated(deviations).is_none());
}

#[test]
fn networks_whose_sums_overflow_are_refused() {
    let refused = |change: fn(&mut Parameters)| {
        let mut parameters = network();
        change(&mut parameters);
        Weights::network(Rule::Normal, &parameters).unwrap_err()
    };
    assert_eq!(refused(|network| network.rows[5][63] = 32), WeightsError::Overflow);
    assert_eq!(refused(|network| network.rows[5][0] = -128), WeightsError::Overflow);
    assert_eq!(refused(|network| network.own_moves[31][9] = i16::MIN), WeightsError::Overflow);
    assert_eq!(refused(|network| network.biases[29] = i32::MIN), WeightsError::Overflow);
    assert_eq!(refused(|network| network.rows.truncate(9)), WeightsError::OtherPatterns);
}

#[test]
fn damaged_networks_are_refused() {
    let file = NETWORK.to_bytes();
    let plain = unpacked(&file);
    let read = |plain: &[u8]| Weights::from_bytes(&packed(&file, plain)).map(|_| ());
    assert_eq!(read(&plain), Ok(()));
    for length in [0, 1, STORED, plain.len() / 2, plain.len() - 1] {
        assert_eq!(read(&plain[..length]), Err(WeightsError::Damaged), "{length}");
    }
    assert_eq!(read(&[&plain[..], &[0]].concat()), Err(WeightsError::Damaged));
    // A class that does not exist, a class more than there are rows, and deviations without sense.
    let changed = |at: usize, bytes: &[u8]| {
        let mut plain = plain.clone();
        plain[at..at + bytes.len()].copy_from_slice(bytes);
        read(&plain)
    };
    let last = Shape::WIDE.pattern_class_count() / 8;
    assert_eq!(changed(last, &[0xff]), Err(WeightsError::Damaged));
    assert_eq!(changed(0, &[0xff]), Err(WeightsError::Damaged));
    for wrong in [f32::NAN, f32::INFINITY, 1e9] {
        let at = plain.len() - STORED;
        assert_eq!(changed(at, &wrong.to_le_bytes()), Err(WeightsError::Overflow), "{wrong}");
    }
    // Linear weights with the version of a network, and boards without networks.
    let mut other = BYTES.clone();
    other[8] = 2;
    assert_eq!(Weights::from_bytes(&other).unwrap_err(), WeightsError::Size(6));
    other[11] = 0;
    assert_eq!(Weights::from_bytes(&other).unwrap_err(), WeightsError::OtherPatterns);
}

/// The bytes of deviations and their checksum at the end of a network's payload.
const STORED: usize = 44;

fn unpacked(file: &[u8]) -> Vec<u8> {
    miniz_oxide::inflate::decompress_to_vec_zlib(&file[24..]).unwrap()
}

/// A file with the header of `file`, another payload, and the checksum of both.
fn packed(file: &[u8], plain: &[u8]) -> Vec<u8> {
    with_checksum(file, &miniz_oxide::deflate::compress_to_vec_zlib(plain, 1))
}

fn with_checksum(file: &[u8], payload: &[u8]) -> Vec<u8> {
    let mut bytes = [&file[..24], payload].concat();
    let mut hasher = crc32fast::Hasher::new();
    hasher.update(&bytes[..20]);
    hasher.update(payload);
    bytes[20..24].copy_from_slice(&hasher.finalize().to_le_bytes());
    bytes
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
        let bytes = with_checksum(&BYTES, &tail);
        prop_assert_eq!(Weights::from_bytes(&bytes).unwrap_err(), WeightsError::Damaged);
    }
}
