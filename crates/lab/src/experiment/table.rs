//! A table of results: CSV for programs, the same numbers on the page.

use super::figure::digits;
use serde::{Deserialize, Serialize};

/// Tables with more rows than this are large.
const MOST_ROWS: usize = 24;

/// And so are tables with longer words than this, such as an agent with all its numbers.
const MOST_LETTERS: usize = 120;

/// A column of a table.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Column {
    /// What is in it; the head of the CSV.
    pub name: String,
    /// Digits behind the point of its numbers.
    pub decimals: usize,
}

/// What stands in a place of a table.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Cell {
    /// A number.
    Number(f64),
    /// Words.
    Text(String),
    /// Nothing is known.
    Missing,
}

impl From<f64> for Cell {
    fn from(number: f64) -> Cell {
        // JSON and CSV have no word for what is not a number.
        if number.is_finite() { Cell::Number(number) } else { Cell::Missing }
    }
}

impl From<u64> for Cell {
    fn from(number: u64) -> Cell {
        Cell::Number(number as f64)
    }
}

impl From<&str> for Cell {
    fn from(text: &str) -> Cell {
        Cell::Text(text.to_owned())
    }
}

impl From<String> for Cell {
    fn from(text: String) -> Cell {
        Cell::Text(text)
    }
}

impl From<Option<f64>> for Cell {
    fn from(number: Option<f64>) -> Cell {
        number.map_or(Cell::Missing, Cell::from)
    }
}

/// A table of results.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Table {
    /// What its file is called, without `.csv`.
    pub name: String,
    /// What it shows, a sentence.
    pub caption: String,
    /// Its columns.
    pub columns: Vec<Column>,
    /// Its rows.
    pub rows: Vec<Vec<Cell>>,
}

impl Table {
    /// A table without rows, its columns by name and digits behind the point.
    pub fn new(name: &str, caption: impl Into<String>, columns: &[(&str, usize)]) -> Table {
        let column = |&(name, decimals): &(&str, usize)| Column { name: name.to_owned(), decimals };
        Table {
            name: name.to_owned(),
            caption: caption.into(),
            columns: columns.iter().map(column).collect(),
            rows: Vec::new(),
        }
    }

    /// Adds a row. Numbers are rounded to what is shown: what is written once is what is read.
    ///
    /// # Panics
    /// If it has not as many cells as there are columns.
    pub fn row(&mut self, cells: impl IntoIterator<Item = Cell>) {
        let row: Vec<Cell> = cells.into_iter().collect();
        assert_eq!(row.len(), self.columns.len(), "{} has a cell for each column", self.name);
        let rounded = row.into_iter().zip(&self.columns).map(|(cell, column)| match cell {
            Cell::Number(number) => {
                let text = format!("{number:.*}", column.decimals);
                Cell::Number(text.parse().expect("a number that was just written"))
            }
            other => other,
        });
        self.rows.push(rounded.collect());
    }

    /// The table as CSV: commas, quotes where they are needed, a head.
    pub fn csv(&self) -> String {
        let head = self.columns.iter().map(|column| quoted(&column.name)).collect::<Vec<_>>();
        let mut out = head.join(",") + "\n";
        for row in &self.rows {
            let cells = row.iter().zip(&self.columns).map(|(cell, column)| match cell {
                Cell::Number(number) => format!("{number:.*}", column.decimals),
                Cell::Text(text) => quoted(text),
                Cell::Missing => String::new(),
            });
            out.push_str(&cells.collect::<Vec<_>>().join(","));
            out.push('\n');
        }
        out
    }

    /// The cells of a row as people read them.
    pub(super) fn shown<'a>(&'a self, row: &'a [Cell]) -> impl Iterator<Item = String> + 'a {
        row.iter().zip(&self.columns).map(|(cell, column)| match cell {
            Cell::Number(number) => digits(*number, column.decimals),
            Cell::Text(text) => text.clone(),
            Cell::Missing => "–".to_owned(),
        })
    }

    /// The heads of the columns as people read them.
    pub(super) fn heads(&self) -> impl Iterator<Item = String> + '_ {
        self.columns.iter().map(|column| column.name.replace('_', " "))
    }

    /// Whether it is for programs rather than for people: they are shown its picture, or a link.
    pub(super) fn is_large(&self) -> bool {
        let is_wide = |cell: &Cell| matches!(cell, Cell::Text(text) if text.len() > MOST_LETTERS);
        self.rows.len() > MOST_ROWS || self.rows.iter().flatten().any(is_wide)
    }

    /// Whether a column holds numbers, which stand to the right.
    pub(super) fn is_number(&self, column: usize) -> bool {
        self.rows.iter().all(|row| !matches!(row[column], Cell::Text(_)))
    }
}

fn quoted(text: &str) -> String {
    match text.contains([',', '"', '\n', '\r']) {
        true => format!("\"{}\"", text.replace('"', "\"\"")),
        false => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_what_is_shown_in_every_form() {
        let mut table = Table::new("t", "A table.", &[("who", 0), ("games", 0), ("mean", 2)]);
        table.row(["a, \"b\"".into(), 12_000_u64.into(), 1.005_4.into()]);
        table.row(["c".into(), 3_u64.into(), f64::NAN.into()]);
        assert_eq!(table.csv(), "who,games,mean\n\"a, \"\"b\"\"\",12000,1.01\nc,3,\n");
        let shown: Vec<String> = table.shown(&table.rows[0]).collect();
        assert_eq!(shown, ["a, \"b\"", "12,000", "1.01"]);
        assert!(table.is_number(2) && !table.is_number(0));
        assert!(!table.is_large());
        table.row(["x".repeat(MOST_LETTERS + 1).into(), 3_u64.into(), 0.5.into()]);
        assert!(table.is_large());
        let text = serde_json::to_string(&table).unwrap();
        assert_eq!(serde_json::from_str::<Table>(&text).unwrap(), table);
    }
}
