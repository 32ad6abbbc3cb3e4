//! Samples survive their file, and other bytes are refused.

use isrever_board::{Board, Rule, Size};
use isrever_lab::data::{DataError, Label, Reader, Sample, header, records};
use isrever_lab::selfplay::Plan;
use proptest::prelude::*;

const SIZE: Size = Size::EIGHT;

fn samples(size: Size) -> Vec<Sample> {
    Plan { solve_from: 6, ..Plan::new(Rule::Reversed, size, 1) }.game(0)
}

fn bytes(rule: Rule, size: Size, samples: &[Sample]) -> Vec<u8> {
    [&header(rule, size)[..], &records(samples)].concat()
}

fn read(bytes: &[u8]) -> Result<Vec<Sample>, DataError> {
    Reader::new(bytes)?.collect()
}

#[test]
fn samples_survive_their_file() {
    for size in [Size::SIX, Size::EIGHT] {
        for rule in Rule::ALL {
            let samples = samples(size);
            let bytes = bytes(rule, size, &samples);
            assert_eq!(bytes.len(), 32 + 18 * samples.len());
            let reader = Reader::new(&bytes[..]).unwrap();
            assert_eq!((reader.rule(), reader.size()), (rule, size));
            assert_eq!(read(&bytes).unwrap(), samples);
        }
        assert!(read(&bytes(Rule::Normal, size, &[])).unwrap().is_empty());
    }
}

#[test]
fn numbers_stand_in_the_file_lowest_byte_first() {
    let board = Board { player: 0x0000_0008_1000_0000, opponent: 0x0000_0010_0800_0000 };
    let sample = Sample::new(board, SIZE, -2, Label::Exact);
    let bytes = bytes(Rule::Reversed, SIZE, &[sample]);
    assert_eq!(bytes[..11], *b"ISRDATA\x1a\x01\x00\x00");
    assert_eq!(header(Rule::Normal, Size::SIX)[8..12], [1, 1, 6, 0]);
    assert_eq!(bytes[32..40], sample.board().player.to_le_bytes());
    assert_eq!(bytes[40..48], sample.board().opponent.to_le_bytes());
    assert_eq!(bytes[48..], [0xfe, 1]);
}

#[test]
fn what_is_wrong_is_said() {
    let whole = bytes(Rule::Reversed, Size::SIX, &samples(Size::SIX)[..3]);
    let changed = |at: usize, byte: u8| {
        let mut bytes = whole.clone();
        bytes[at] = byte;
        read(&bytes).unwrap_err().to_string()
    };
    assert!(matches!(read(b""), Err(DataError::NotData)));
    assert!(changed(3, b'x').starts_with("not a file of samples"));
    assert_eq!(changed(8, 7), "samples in format 7; expected format 1");
    assert_eq!(changed(9, 7), "samples of rule number 7; expected 0 or 1");
    assert_eq!(changed(10, 4), "samples of boards 4 squares wide; expected 6 or 8");
    assert!(changed(32 + 16, 37).starts_with("record 1: a score beyond the board; expected"));
    assert!(changed(32 + 18 + 7, 1).starts_with("record 2: a disc beyond the board"));
    assert_eq!(changed(32 + 18 + 17, 4), "record 2: flags that are not known; expected 0 to 3");
    let short = read(&whole[..whole.len() - 1]).unwrap_err().to_string();
    assert_eq!(short, "cut short in record 3; expected whole records");
    let mut twice = whole.clone();
    twice.copy_within(32..40, 40);
    assert!(read(&twice).unwrap_err().to_string().starts_with("record 1: two discs"));
}

proptest! {
    #[test]
    fn any_bytes_are_read_or_refused(tail in proptest::collection::vec(any::<u8>(), 0..200)) {
        let whole = [&header(Rule::Normal, SIZE)[..], &tail].concat();
        // What can be read is written as it was.
        if let Ok(samples) = read(&whole) {
            prop_assert_eq!(bytes(Rule::Normal, SIZE, &samples), whole);
        }
        prop_assert!(read(&tail).is_err());
    }

    #[test]
    fn boards_and_scores_survive(
        a in any::<u64>(),
        b in any::<u64>(),
        score in -64..=64_i32,
        exact in any::<bool>(),
        held_out in any::<bool>(),
    ) {
        let label = if exact { Label::Exact } else { Label::Played };
        let board = Board { player: a & b, opponent: a & !b };
        let sample = Sample::new(board, SIZE, score, label).held_out(held_out);
        prop_assert_eq!(read(&bytes(Rule::Reversed, SIZE, &[sample])).unwrap(), [sample]);
        prop_assert_eq!((sample.score(), sample.label()), (score, label));
    }
}
