//! Pictures of a book: how many positions at each ply, how deep they were searched, what they are worth.

use crate::error::Error;
use crate::output::replace_file;
use isrever_book::{Book, Entry};
use isrever_lab::plot::{Series, series, series_by_tens};
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

/// Writes all pictures into a folder.
pub(super) fn write(book: &Book, folder: &Path) -> Result<(), Error> {
    let pictures = pictures(book);
    fs::create_dir_all(folder).map_err(|error| Error::io(folder.display(), &error))?;
    for (name, svg) in pictures {
        replace_file(&folder.join(name), [Ok(svg.into_bytes())].into_iter())?;
    }
    Ok(())
}

/// Their file names and what they show.
fn pictures(book: &Book) -> [(&'static str, String); 4] {
    let about = format!(
        "{} positions, {} rule, {size}×{size}",
        crate::messages::grouped(&book.len().to_string()),
        book.rule(),
        size = book.size()
    );
    let along = "plies from the start";
    let plies = Plies::of(book);
    let count = |name: &str, is_counted: &dyn Fn(&Entry) -> bool| {
        let number = |entries: &[Entry]| entries.iter().filter(|it| is_counted(it)).count() as f64;
        Series::line(name, plies.each(|entries| (number(entries), 0.0)))
    };
    let positions = [
        count("positions", &|_| true),
        count("no move leads to another", &|entry| entry.worth.plies == 0),
        count("proved", &is_proved),
    ];
    let searched = |entry: &Entry| f64::from(entry.finding.depth);
    let depth = Series::line("searched", plies.each(|entries| spread(entries, searched)));
    let line = |entry: &Entry| f64::from(entry.worth.plies);
    let lines = Series::line("in the book", plies.each(|entries| spread(entries, line)));
    let worth = |entry: &Entry| f64::from(entry.worth.value);
    // One line for both would leap from each side's view to the other's at every ply.
    let values = [("after an even number of plies", 0), ("after an odd number", 1)];
    let values = values.map(|(name, odd)| {
        let mut points = plies.each(|entries| spread(entries, worth));
        points.retain(|&(ply, ..)| ply % 2.0 == f64::from(odd));
        Series::line(name, points)
    });
    let confidences: Vec<Series> = plies
        .confidences()
        .into_iter()
        .map(|confidence| {
            let is_own = move |entry: &Entry| {
                !entry.finding.is_exact && entry.finding.confidence == confidence
            };
            count(&format!("{confidence} %"), &is_own)
        })
        .chain([count("proof", &|entry| entry.finding.is_exact)])
        .collect();
    let title = |what: &str| format!("{what} ({about})");
    [
        ("positions.svg", series_by_tens(&title("Positions"), [along, "positions"], &positions)),
        (
            "depths.svg",
            series(
                &title("Plies searched, and plies in the book"),
                [along, "plies: mean and deviation"],
                &[depth, lines],
            ),
        ),
        (
            "values.svg",
            series(
                &title("Values for the side to move"),
                [along, "discs: mean and deviation"],
                &values,
            ),
        ),
        (
            "confidences.svg",
            series_by_tens(&title("How sure the searches are"), [along, "positions"], &confidences),
        ),
    ]
}

/// The entries of a book by their distance from the start.
struct Plies(BTreeMap<u32, Vec<Entry>>);

impl Plies {
    fn of(book: &Book) -> Plies {
        let mut plies: BTreeMap<u32, Vec<Entry>> = BTreeMap::new();
        for entry in book.entries() {
            plies.entry(super::ply(book, &entry)).or_default().push(entry);
        }
        Plies(plies)
    }

    /// A point for each distance: what is measured there and how far it spreads.
    fn each(&self, measure: impl Fn(&[Entry]) -> (f64, f64)) -> Vec<(f64, f64, f64)> {
        let point = |(&ply, entries): (&u32, &Vec<Entry>)| {
            let (value, reach) = measure(entries);
            (f64::from(ply), value, reach)
        };
        self.0.iter().map(point).collect()
    }

    /// Every confidence of a search that is no proof, the least first.
    fn confidences(&self) -> Vec<u8> {
        let all = self.0.values().flatten().filter(|entry| !entry.finding.is_exact);
        let mut all: Vec<u8> = all.map(|entry| entry.finding.confidence).collect();
        all.sort_unstable();
        all.dedup();
        all
    }
}

fn is_proved(entry: &Entry) -> bool {
    entry.worth.lower == entry.worth.upper
}

/// Mean and standard deviation.
fn spread(entries: &[Entry], number: impl Fn(&Entry) -> f64) -> (f64, f64) {
    let count = entries.len() as f64;
    let mean = entries.iter().map(&number).sum::<f64>() / count;
    let square = |entry| (number(entry) - mean).powi(2);
    (mean, (entries.iter().map(square).sum::<f64>() / count).sqrt())
}

#[cfg(test)]
mod tests {
    use super::*;
    use isrever_board::{Rule, Size, squares};
    use isrever_book::{Finding, Graph};

    #[test]
    fn a_book_of_any_length_has_pictures() {
        let size = Size::SIX;
        let mut graph = Graph::new(Rule::Reversed, size);
        for count in 0..3 {
            let book = Book::from_bytes(graph.to_bytes("").into()).unwrap();
            for (name, svg) in pictures(&book) {
                assert!(svg.starts_with("<svg") && !svg.contains("NaN"), "{name}, {count}: {svg}");
                assert!(svg.contains("plies from the start"), "{name}");
            }
            let next = graph.next(1, &isrever_book::Policy::default(), &[].into());
            // Nothing comes after a proof.
            let Some(&board) = next.first() else { break };
            let moves: Vec<_> = squares(board.moves(size)).collect();
            graph.insert(Finding {
                board,
                value: 1,
                best: moves[0],
                depth: 5,
                confidence: 73,
                is_exact: count == 1,
                nodes: 10,
                estimates: vec![0; moves.len()],
            });
            graph.propagate();
        }
    }
}
