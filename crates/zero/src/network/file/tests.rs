//! Files come back as they were, and everything else is refused in one line.

use super::*;
use isrever_board::Board;
use proptest::prelude::*;

fn trained(blocks: usize) -> FloatNetwork {
    let shape = Shape::new(Size::FOUR, blocks, 16).unwrap();
    FloatNetwork::random(Rule::Reversed, shape, 2)
}

fn quantized(blocks: usize) -> Network {
    Network::quantize(&trained(blocks), &[Board::start(Size::FOUR)])
}

/// Writes the checksum anew, as if the bytes had been written so.
fn mend(bytes: &mut [u8]) {
    let sum = checksum(&bytes[..CHECKSUM], &bytes[HEADER..]);
    bytes[CHECKSUM..HEADER].copy_from_slice(&sum.to_le_bytes());
}

/// What both readers say.
fn read(bytes: &[u8]) -> [Result<(), NetworkError>; 2] {
    [FloatNetwork::from_bytes(bytes).map(drop), Network::from_bytes(bytes).map(drop)]
}

#[test]
fn networks_come_back_as_they_were() {
    for blocks in [1, 3] {
        let trained = trained(blocks);
        assert_eq!(FloatNetwork::from_bytes(&trained.to_bytes()), Ok(trained));
        let quantized = quantized(blocks);
        assert_eq!(Network::from_bytes(&quantized.to_bytes()), Ok(quantized));
    }
    let shape = Shape::new(Size::EIGHT, 1, 16).unwrap();
    let normal = FloatNetwork::random(Rule::Normal, shape, 2);
    assert_eq!(FloatNetwork::from_bytes(&normal.to_bytes()), Ok(normal));
}

#[test]
fn the_usual_network_takes_less_than_two_megabytes() {
    let shape = Shape::new(Size::EIGHT, 8, 96).unwrap();
    assert_eq!(HEADER + length(shape), 1_654_260);
}

#[test]
fn networks_cut_short_or_with_bytes_behind_them_are_refused() {
    for mut bytes in [trained(1).to_bytes(), quantized(1).to_bytes()] {
        // Every length at both ends, and some between.
        let lengths =
            (0..bytes.len()).filter(|&at| at < 100 || at + 100 > bytes.len() || at % 97 == 0);
        for length in lengths {
            assert!(read(&bytes[..length]).iter().all(Result::is_err), "{length} bytes");
        }
        bytes.push(0);
        assert!(read(&bytes).iter().all(Result::is_err));
    }
}

#[test]
fn headers_that_promise_too_much_are_refused_before_anything_is_made() {
    let bytes = quantized(1).to_bytes();
    let refusal = |changes: &[(usize, u8)]| {
        let mut bytes = bytes.clone();
        changes.iter().for_each(|&(at, byte)| bytes[at] = byte);
        mend(&mut bytes);
        Network::from_bytes(&bytes).unwrap_err().to_string()
    };
    assert_eq!(
        refusal(&[(0, b'J')]),
        "not a file of a network; expected one by python -m isrever.zero"
    );
    assert_eq!(refusal(&[(8, 1)]), "a network in floating point; expected a quantised one");
    assert_eq!(refusal(&[(8, 9)]), "a network of format 9; expected format 2");
    assert_eq!(refusal(&[(9, 2)]), "a network for rule number 2; expected 0 or 1");
    assert_eq!(refusal(&[(10, 7)]), "a network for boards 7 squares wide; expected 4, 6 or 8");
    assert_eq!(refusal(&[(10, 10)]), "a network for 10×10; expected 4×4, 6×6 or 8×8");
    assert_eq!(refusal(&[(11, 0)]), "a network of 0 blocks; expected 1 to 64");
    assert_eq!(
        refusal(&[(12, 255), (13, 255)]),
        "a network of 65535 channels; expected a multiple of 16 up to 512"
    );
    let greatest = refusal(&[(11, 64), (12, 0), (13, 2)]);
    let expected = HEADER + length(Shape::new(Size::FOUR, 64, 512).unwrap());
    let found = bytes.len();
    assert_eq!(greatest, format!("a network of {found} bytes; expected {expected}"));
    let mut spare = bytes;
    spare[14] = 1;
    assert_eq!(Network::from_bytes(&spare), Err(NetworkError::Damaged));
}

#[test]
fn numbers_that_could_overflow_are_refused() {
    let mut bytes = trained(1).to_bytes();
    bytes[HEADER..HEADER + 4].copy_from_slice(&f32::NEG_INFINITY.to_le_bytes());
    mend(&mut bytes);
    let refused = FloatNetwork::from_bytes(&bytes);
    assert_eq!(refused, Err(NetworkError::Number(f32::NEG_INFINITY)));
    // A step, the first weight of the stem, and the last bias.
    let bytes = quantized(1).to_bytes();
    let numbers = [f32::NAN, f32::INFINITY, 1e9, -1e9];
    let steps = [0.0, -1.0, 1e-9].map(|step| (HEADER, step));
    let places = [HEADER, HEADER + 4 * 5, bytes.len() - 4];
    let others = places.into_iter().flat_map(|at| numbers.map(|number| (at, number)));
    for (at, number) in others.chain(steps) {
        let mut bytes = bytes.clone();
        bytes[at..at + 4].copy_from_slice(&number.to_le_bytes());
        mend(&mut bytes);
        let refused = Network::from_bytes(&bytes);
        assert!(matches!(refused, Err(NetworkError::Number(_))), "{number} at {at}");
    }
}

#[test]
fn every_flipped_bit_of_the_header_is_refused() {
    for bytes in [trained(1).to_bytes(), quantized(1).to_bytes()] {
        for bit in 0..8 * (HEADER + 8) {
            let mut bytes = bytes.clone();
            bytes[bit / 8] ^= 1 << (bit % 8);
            assert!(read(&bytes).iter().all(Result::is_err), "bit {bit}");
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, failure_persistence: None, ..Default::default() })]

    #[test]
    fn any_flipped_bit_is_refused(place in any::<prop::sample::Index>(), bit in 0..8_u8) {
        for mut bytes in [trained(1).to_bytes(), quantized(1).to_bytes()] {
            let place = place.index(bytes.len());
            bytes[place] ^= 1_u8 << bit;
            prop_assert!(read(&bytes).iter().all(Result::is_err));
        }
    }

    #[test]
    fn no_bytes_make_a_reader_panic(content in prop::collection::vec(any::<u8>(), 0..400)) {
        let mut bytes = quantized(1).to_bytes();
        let at = content.len() % 30;
        let end = (at + content.len()).min(bytes.len());
        bytes[at..end].copy_from_slice(&content[..end - at]);
        if content.first().is_some_and(|byte| byte % 2 == 0) {
            mend(&mut bytes);
        }
        // Read or refused, but in any case without a panic; what is read can be evaluated.
        if let Ok(network) = Network::from_bytes(&bytes) {
            let mut out = Vec::new();
            network.evaluate(&[Board::start(network.shape().size())], &mut out);
            prop_assert!(out[0].value.is_finite() && out[0].score.is_finite());
        }
    }
}
