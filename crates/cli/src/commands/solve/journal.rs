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

use crate::fault::Fault;
use isrever_board::{Board, Rule, Size, Square};
use isrever_search::{Selectivity, StoredNode};
use std::fs::{self, OpenOptions};
use std::io::{self, BufRead, BufReader, ErrorKind, Read, Write};
use std::path::{Path, PathBuf};
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
const MOST_LINE_BYTES: u64 = 256;

const LEADER: &str = "isrever findings ";
const VERSION: &str = "1";
const PROOF: &str = "proof";
const NOTHING: &str = "-";

/// The open file.
pub(super) struct Journal {
    path: PathBuf,
    basis: u32,
    pen: Mutex<Pen>,
}

/// Where lines are written.
struct Pen {
    out: Box<dyn Write + Send>,
    lines: u64,
    /// Why nothing more is written: a line behind a torn one would make it damage.
    error: Option<io::Error>,
}

impl Journal {
    /// Opens the file at `path` or makes it, and gives what it holds.
    ///
    /// A file that is not one of findings of this size and rule, or that is damaged, is refused and
    /// stays as it is.
    pub(super) fn open(
        path: &Path,
        size: Size,
        rule: Rule,
    ) -> Result<(Journal, Vec<StoredNode>), Fault> {
        let io_fault = |error: io::Error| Fault::io(path.display(), &error);
        let refuse = |offence: &str| Fault::input(path.display(), offence);
        if fs::metadata(path).is_ok_and(|metadata| !metadata.is_file()) {
            return Err(refuse("not an ordinary file; expected one to keep findings in"));
        }
        let options = OpenOptions::new().read(true).append(true).create(true).clone();
        let mut file = options.open(path).map_err(|error| match error.kind() {
            ErrorKind::NotFound => refuse("no such directory; expected a file that can be made"),
            _ => io_fault(error),
        })?;
        // Two solves would cut off each other's lines. Where locks are unknown, one must do.
        if matches!(file.try_lock(), Err(fs::TryLockError::WouldBlock)) {
            return Err(refuse("in use by another solve; expected a file of its own"));
        }
        let header = header(size, rule);
        let basis = checksum(0x811c_9dc5, &header);
        let contents = read(&file, &header, basis, size).map_err(|error| match error {
            ReadError::Io(error) => io_fault(error),
            ReadError::Line(number, offence) => refuse(&format!("line {number}: {offence}")),
        })?;
        let Contents { nodes, whole_bytes } = contents;
        if file.metadata().map_err(io_fault)?.len() > whole_bytes {
            file.set_len(whole_bytes).map_err(io_fault)?;
        }
        if whole_bytes == 0 {
            file.write_all(format!("{header}\n").as_bytes()).map_err(io_fault)?;
        }
        let pen = Pen { out: Box::new(file), lines: nodes.len() as u64, error: None };
        Ok((Journal { path: path.to_owned(), basis, pen: Mutex::new(pen) }, nodes))
    }

    /// Writes a line, if the finding is worth one.
    pub(super) fn add(&self, node: StoredNode) {
        let mut pen = self.pen();
        let doublings = (pen.lines / LINES_PER_DOUBLING).min(MOST_DOUBLINGS);
        if pen.error.is_some() || node.nodes < MIN_NODES << doublings {
            return;
        }
        pen.lines += 1;
        let line = line(node, self.basis);
        pen.error = pen.out.write_all(line.as_bytes()).err();
    }

    /// The fault of the first line that could not be written.
    pub(super) fn check(&self) -> Result<(), Fault> {
        match &self.pen().error {
            Some(error) => Err(Fault::io(self.path.display(), error)),
            None => Ok(()),
        }
    }

    fn pen(&self) -> MutexGuard<'_, Pen> {
        // A thread that panicked takes the whole solve with it; the file is still a file.
        self.pen.lock().unwrap_or_else(PoisonError::into_inner)
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

/// What a file holds, and how long it is without what was not written to its end.
struct Contents {
    nodes: Vec<StoredNode>,
    whole_bytes: u64,
}

#[derive(Debug)]
enum ReadError {
    Io(io::Error),
    /// What is wrong with the line of that number.
    Line(usize, String),
}

impl From<io::Error> for ReadError {
    fn from(error: io::Error) -> ReadError {
        ReadError::Io(error)
    }
}

fn read(file: impl Read, header: &str, basis: u32, size: Size) -> Result<Contents, ReadError> {
    let mut file = BufReader::new(file);
    let mut contents = Contents { nodes: Vec::new(), whole_bytes: 0 };
    let mut bytes = Vec::new();
    for number in 1.. {
        bytes.clear();
        let count = (&mut file).take(MOST_LINE_BYTES).read_until(b'\n', &mut bytes)?;
        let text = std::str::from_utf8(&bytes).unwrap_or_default();
        let whole = text.strip_suffix('\n');
        // Only the last line can be without its end, and only a short one was cut off.
        let is_torn = !bytes.ends_with(b"\n") && (count as u64) < MOST_LINE_BYTES;
        match (number, whole) {
            (1, Some(line)) => check_header(line, header).map_err(|o| ReadError::Line(1, o))?,
            (1, None) if is_torn && header.as_bytes().starts_with(&bytes) => break,
            (1, None) => return Err(ReadError::Line(1, STRANGE.to_owned())),
            _ if is_torn => break,
            _ => {
                let node = whole.and_then(|line| node(line, basis, size));
                let offence = "damaged; expected a finding as it was written";
                let damage = || ReadError::Line(number, offence.to_owned());
                contents.nodes.push(node.ok_or_else(damage)?);
            }
        }
        contents.whole_bytes += count as u64;
    }
    Ok(contents)
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
        let Contents { nodes, whole_bytes } = read(text.as_bytes(), &header, basis, SIZE).unwrap();
        assert_eq!(nodes, [sample(1), sample(2), sample(3)]);
        assert_eq!(whole_bytes, text.len() as u64);
    }

    #[test]
    fn wherever_it_is_cut_off_the_whole_lines_count() {
        let (text, header, basis) = file();
        for length in 0..text.len() {
            let Contents { nodes, whole_bytes } =
                read(&text.as_bytes()[..length], &header, basis, SIZE).unwrap();
            let whole = text[..length].matches('\n').count();
            assert_eq!(nodes.len(), whole.saturating_sub(1));
            assert_eq!(whole_bytes as usize, text[..length].rfind('\n').map_or(0, |at| at + 1));
        }
    }

    #[test]
    fn every_changed_byte_is_noticed() {
        let (text, header, basis) = file();
        for at in 0..text.len() - 1 {
            let mut bytes = text.clone().into_bytes();
            bytes[at] ^= 1;
            let Err(ReadError::Line(number, _)) = read(&bytes[..], &header, basis, SIZE) else {
                panic!("byte {at} was changed");
            };
            let line = text[..at].matches('\n').count() + 1;
            // A line break that is none any more makes one line of two.
            assert!(number == line || text.as_bytes()[at] == b'\n', "byte {at}: line {number}");
        }
        let long = format!("{text}{}", "0".repeat(1000));
        assert!(matches!(read(long.as_bytes(), &header, basis, SIZE), Err(ReadError::Line(5, _))));
    }

    /// Takes one line, and then no more, like a full disc.
    struct Full(std::sync::Arc<Mutex<Vec<u8>>>);

    impl Write for Full {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            let mut written = self.0.lock().unwrap();
            if !written.is_empty() {
                return Err(ErrorKind::StorageFull.into());
            }
            written.extend(bytes);
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn a_full_disc_is_told_and_what_is_not_worth_a_line_gets_none() {
        let written = std::sync::Arc::default();
        let pen =
            Pen { out: Box::new(Full(std::sync::Arc::clone(&written))), lines: 0, error: None };
        let journal = Journal { path: "there".into(), basis: 1, pen: Mutex::new(pen) };
        journal.add(StoredNode { nodes: MIN_NODES - 1, ..sample(1) });
        assert!(written.lock().unwrap().is_empty());
        journal.add(sample(1));
        assert!(journal.check().is_ok());
        journal.add(sample(2));
        journal.add(sample(3));
        let fault = journal.check().unwrap_err();
        assert!(fault.line().is_some_and(|line| line.starts_with("there: ")), "{fault:?}");
        assert_eq!(*written.lock().unwrap(), line(sample(1), 1).as_bytes());
    }
}
