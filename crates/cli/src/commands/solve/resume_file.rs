//! The file of `--resume`: the nodes that took a solve long to search, a line each.
//!
//! The first line says which boards they are of; each other line is a node:
//!
//! ```text
//! isrever findings 1, 6x6, normal
//! 0000000008040000 0000000014180800 proof -36 -4 c2 1843200 5d3a90c1
//! ```
//!
//! Both bitboards in hexadecimal (the side to move first, a1 the lowest bit),
//! the selectivity (`proof`, or the level of an iteration that prunes; older
//! programs may have written one too low, never too high), the lower and the
//! upper bound, the best square or `-`, the nodes, and a checksum (FNV-1a, 32
//! bits) of the first line and of the line up to it: no line is damaged unseen
//! or taken from a file of another kind.
//!
//! Each line is appended by one write as soon as it is found. If the process is
//! killed in the middle of one, the file ends without a line break, and the next
//! run cuts the torn line off.

use crate::error::Error;
use crate::journal::Journal;
use isrever_board::{Board, Rule, Size, Square};
use isrever_search::{Selectivity, StoredNode};
use std::io;
use std::path::Path;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// A node that took one thread fewer nodes than this, a hundredth of a second, gets no line. Those on
/// the principal variation must be searched again, some dozens of times: a killed solve loses about
/// half a second.
pub(super) const MIN_NODES: u64 = 1 << 18;

/// After so many lines, some MiB, only what took twice as long is worth one, and so on: the file
/// stays small however long the solve is, and what can be lost stays a small part of it.
const LINES_PER_DOUBLING: u64 = 50_000;

/// The most that is asked for, in doublings: a second or two, and so less than a minute lost.
const MOST_DOUBLINGS: u64 = 7;

/// No line is as long as this.
const MOST_LINE_BYTES: usize = 256;

const LEADER: &str = "isrever findings ";
const VERSION: &str = "1";
const PROOF: &str = "proof";
const NOTHING: &str = "-";

/// The open file.
pub(super) struct ResumeFile {
    basis: u32,
    state: Mutex<State>,
}

struct State {
    journal: Journal,
    lines: u64,
    /// The first error. After it nothing is written.
    error: Option<io::Error>,
}

impl ResumeFile {
    /// Opens the file at `path` or makes it, and returns the nodes it holds.
    ///
    /// Refuses a file that holds anything but findings of this size and rule, or that is damaged,
    /// and leaves it as it is.
    pub(super) fn open(
        path: &Path,
        size: Size,
        rule: Rule,
    ) -> Result<(ResumeFile, Vec<StoredNode>), Error> {
        let header = header(size, rule);
        let basis = checksum(0x811c_9dc5, &header);
        let (mut journal, nodes) =
            Journal::open(path, "solve", |whole, torn| read(whole, torn, &header, basis, size))?;
        if journal.is_empty() {
            let written = journal.append(format!("{header}\n").as_bytes());
            written.map_err(|error| journal.io_error(&error))?;
        }
        let state = State { journal, lines: nodes.len() as u64, error: None };
        Ok((ResumeFile { basis, state: Mutex::new(state) }, nodes))
    }

    /// Writes a line if the node took long enough.
    pub(super) fn add(&self, node: StoredNode) {
        let mut state = self.state();
        let doublings = (state.lines / LINES_PER_DOUBLING).min(MOST_DOUBLINGS);
        if state.error.is_some() || node.nodes < MIN_NODES << doublings {
            return;
        }
        state.lines += 1;
        state.error = state.journal.append(line(node, self.basis).as_bytes()).err();
    }

    /// The error of the first line that could not be written.
    pub(super) fn check(&self) -> Result<(), Error> {
        let state = self.state();
        state.error.as_ref().map_or(Ok(()), |error| Err(state.journal.io_error(error)))
    }

    fn state(&self) -> MutexGuard<'_, State> {
        // A thread that panicked takes the whole solve with it; the file is still a file.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn header(size: Size, rule: Rule) -> String {
    format!("{LEADER}{VERSION}, {size}x{size}, {rule}")
}

/// FNV-1a, going on from `basis`.
fn checksum(basis: u32, text: &str) -> u32 {
    text.bytes().fold(basis, |sum, byte| (sum ^ u32::from(byte)).wrapping_mul(0x0100_0193))
}

fn line(node: StoredNode, basis: u32) -> String {
    let StoredNode { board: Board { player, opponent }, selectivity, lower, upper, best, nodes } =
        node;
    let level = match selectivity {
        Selectivity::NONE => PROOF.to_owned(),
        level => level.number().to_string(),
    };
    let best = best.map_or(NOTHING.to_owned(), |square| square.to_string());
    let text = format!("{player:016x} {opponent:016x} {level} {lower} {upper} {best} {nodes}");
    format!("{text} {:08x}\n", checksum(basis, &text))
}

/// What a line says, if it is as it was written.
fn node(line: &str, basis: u32, size: Size) -> Option<StoredNode> {
    let (text, sum) = line.rsplit_once(' ')?;
    if sum != format!("{:08x}", checksum(basis, text)) {
        return None;
    }
    let words: Vec<&str> = text.split(' ').collect();
    let [player, opponent, level, lower, upper, best, nodes] = words[..] else { return None };
    let bits = |word| u64::from_str_radix(word, 16).ok();
    let board = Board { player: bits(player)?, opponent: bits(opponent)? };
    let selectivity = match level {
        PROOF => Selectivity::NONE,
        number => Selectivity::from_number(number.parse().ok()?),
    };
    let best = if best == NOTHING { None } else { Some(best.parse::<Square>().ok()?) };
    let (lower, upper) = (lower.parse().ok()?, upper.parse().ok()?);
    let is_possible = board.player & board.opponent == 0
        && (board.player | board.opponent) & !size.mask() == 0
        && best.is_none_or(|square| size.squares().any(|other| other == square))
        && lower <= upper;
    let nodes = nodes.parse().ok()?;
    is_possible.then_some(StoredNode { board, selectivity, lower, upper, best, nodes })
}

/// The nodes of the whole lines of a file. The error says which line is wrong, and how.
fn read(
    whole: &[u8],
    torn: &[u8],
    header: &str,
    basis: u32,
    size: Size,
) -> Result<Vec<StoredNode>, String> {
    let mut lines = whole.split_inclusive(|&byte| byte == b'\n').map(|line| {
        std::str::from_utf8(line).unwrap_or_default().strip_suffix('\n').unwrap_or_default()
    });
    let Some(first) = lines.next() else {
        let is_ours = header.as_bytes().starts_with(torn);
        return if is_ours { Ok(Vec::new()) } else { Err(format!("line 1: {STRANGE}")) };
    };
    check_header(first, header).map_err(|offence| format!("line 1: {offence}"))?;
    let damage =
        |number: usize| format!("line {number}: damaged; expected a finding as it was written");
    let read = |(line, number)| node(line, basis, size).ok_or_else(|| damage(number));
    let nodes = lines.zip(2..).map(read).collect::<Result<Vec<StoredNode>, String>>()?;
    match torn.len() < MOST_LINE_BYTES {
        true => Ok(nodes),
        // No write that was cut short leaves so much.
        false => Err(damage(nodes.len() + 2)),
    }
}

const STRANGE: &str = "not a file of findings; expected one that --resume made, or a new name";

/// What is wrong with the first line, if it is not `expected`.
fn check_header(line: &str, expected: &str) -> Result<(), String> {
    if line == expected {
        return Ok(());
    }
    match line.strip_prefix(LEADER).map(|rest| rest.split(", ").collect::<Vec<_>>()).as_deref() {
        Some([VERSION, size, rule]) => {
            let expected = expected.rsplit(", ").take(2).collect::<Vec<_>>();
            let [rule_asked, size_asked] = expected[..] else { unreachable!("our own header") };
            Err(format!("findings for {size} {rule}; expected {size_asked} {rule_asked}"))
        }
        Some([version, ..]) if *version != VERSION => {
            Err(format!("version {version} of the format; expected {VERSION}"))
        }
        _ => Err(STRANGE.to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SIZE: Size = Size::SIX;

    fn sample(number: u64) -> StoredNode {
        StoredNode {
            board: Board { player: number, opponent: 1 << 20 },
            selectivity: match number.is_multiple_of(2) {
                true => Selectivity::NONE,
                false => Selectivity::from_number(number as u8),
            },
            lower: -36,
            upper: number as i8,
            best: (number > 2).then(|| Square::from_index(3)),
            nodes: MIN_NODES * number,
        }
    }

    /// A file of three findings, and what its checksums start from.
    fn file() -> (String, String, u32) {
        let header = header(SIZE, Rule::Normal);
        let basis = checksum(0x811c_9dc5, &header);
        let lines: String = (1..=3).map(|number| line(sample(number), basis)).collect();
        (format!("{header}\n{lines}"), header, basis)
    }

    #[test]
    fn findings_come_back_as_they_were() {
        let (text, header, basis) = file();
        let nodes = read(text.as_bytes(), b"", &header, basis, SIZE).unwrap();
        assert_eq!(nodes, [sample(1), sample(2), sample(3)]);
        for (whole, torn) in [("", ""), ("", &header[..9]), (&text[..], "00000000080")] {
            assert!(read(whole.as_bytes(), torn.as_bytes(), &header, basis, SIZE).is_ok());
        }
    }

    #[test]
    fn every_changed_byte_is_noticed() {
        let (text, header, basis) = file();
        for at in 0..text.len() - 1 {
            let mut bytes = text.clone().into_bytes();
            bytes[at] ^= 1;
            let offence = read(&bytes, b"", &header, basis, SIZE).unwrap_err();
            let line = text[..at].matches('\n').count() + 1;
            // A line break that is none any more makes one line of two.
            let is_right = offence.starts_with(&format!("line {line}: "));
            assert!(is_right || text.as_bytes()[at] == b'\n', "byte {at}: {offence}");
        }
        let strange = read(b"", b"my notes", &header, basis, SIZE).unwrap_err();
        assert!(strange.starts_with("line 1: not a file of findings"), "{strange}");
        let long = read(text.as_bytes(), &[b'0'; 1000], &header, basis, SIZE).unwrap_err();
        assert!(long.starts_with("line 5: damaged"), "{long}");
    }

    #[test]
    fn a_full_disk_is_reported_and_quick_nodes_get_no_line() {
        let name = format!("isrever-findings-{}", std::process::id());
        let path = std::env::temp_dir().join(name);
        let _ = std::fs::remove_file(&path);
        let (resume_file, nodes) = ResumeFile::open(&path, SIZE, Rule::Normal).unwrap();
        assert!(nodes.is_empty());
        resume_file.add(StoredNode { nodes: MIN_NODES - 1, ..sample(1) });
        resume_file.add(sample(1));
        assert!(resume_file.check().is_ok());
        resume_file.state().journal.fill_disk();
        resume_file.add(sample(2));
        resume_file.add(sample(3));
        let error = resume_file.check().unwrap_err();
        assert!(error.line().is_some_and(|line| line.contains("isrever-findings-")), "{error:?}");
        drop(resume_file);
        let (_, nodes) = ResumeFile::open(&path, SIZE, Rule::Normal).unwrap();
        assert_eq!(nodes, [sample(1)]);
        std::fs::remove_file(&path).unwrap();
    }
}
