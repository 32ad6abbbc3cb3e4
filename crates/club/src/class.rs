//! Class lists: a CSV file makes the accounts of a whole class.

use crate::account::{self, AccountId, Role, administrator, check_name, is_section};
use crate::club::{Club, ClubError};
use crate::{audit, invitation};
use std::collections::BTreeSet;
use std::fmt;

/// The most rows of a list.
const MOST_ROWS: usize = 2_000;

/// The largest list, in bytes.
const MOST_BYTES: usize = 1 << 20;

/// A new account of a list, and the code of the link by which its owner chooses a password.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Enrolled {
    /// Its name.
    pub name: String,
    /// The section of the class.
    pub section: String,
    /// The code; told only once.
    pub code: String,
}

/// Why a list is refused. Nothing of it is kept then.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ClassError {
    /// It has no column with the header `name`.
    NoName,
    /// It has no rows, or too many.
    Rows,
    /// A row, numbered from 1 with the header, says something impossible.
    Row(usize, String),
}

impl fmt::Display for ClassError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ClassError::NoName => f.write_str(
                "the first row has no column name; expected name, and perhaps section and role",
            ),
            ClassError::Rows => write!(f, "not a class; expected 1 to {MOST_ROWS} rows of names"),
            ClassError::Row(row, message) => write!(f, "row {row}: {message}"),
        }
    }
}

impl std::error::Error for ClassError {}

/// A row of a list.
struct Wanted {
    name: String,
    section: String,
    role: Role,
}

/// Reads a list, which may begin with a byte order mark, as spreadsheets write it.
fn read(text: &str) -> Result<Vec<Wanted>, ClassError> {
    if text.len() > MOST_BYTES {
        return Err(ClassError::Rows);
    }
    let text = text.trim_start_matches('\u{feff}');
    let mut reader = csv::ReaderBuilder::new().trim(csv::Trim::All).from_reader(text.as_bytes());
    let header = reader.headers().map_err(|_| ClassError::NoName)?.clone();
    let column = |name: &str| header.iter().position(|one| one.eq_ignore_ascii_case(name));
    let (name, section, role) = (column("name"), column("section"), column("role"));
    let name = name.ok_or(ClassError::NoName)?;
    let mut rows = Vec::new();
    let mut names = BTreeSet::new();
    for (record, number) in reader.records().zip(2..) {
        let wrong = |message: String| ClassError::Row(number, message);
        let record = record.map_err(|error| wrong(error.to_string()))?;
        let field = |column: Option<usize>| column.and_then(|at| record.get(at)).unwrap_or("");
        let row = Wanted {
            name: field(Some(name)).to_owned(),
            section: field(section).to_owned(),
            role: match field(role) {
                "" => Role::Member,
                word => word.parse().map_err(wrong)?,
            },
        };
        check_name(&row.name).map_err(|error| wrong(error.to_string()))?;
        if !is_section(&row.section) {
            return Err(wrong(format!("{:?} cannot be a section", row.section)));
        }
        if !names.insert(row.name.to_lowercase()) {
            return Err(wrong(format!("{:?} is there twice", row.name)));
        }
        rows.push(row);
        if rows.len() > MOST_ROWS {
            return Err(ClassError::Rows);
        }
    }
    if rows.is_empty() { Err(ClassError::Rows) } else { Ok(rows) }
}

impl Club {
    /// Makes the accounts of a class list. Names that exist already keep their accounts, and are not
    /// in the answer; all of the list is taken or nothing.
    pub fn enrol(&self, by: AccountId, list: &str, now: i64) -> Result<Vec<Enrolled>, ClubError> {
        let rows = read(list)?;
        self.transaction(|connection| {
            administrator(connection, by)?;
            let mut enrolled = Vec::new();
            for Wanted { name, section, role } in rows {
                if account::by_name(connection, &name)?.is_some() {
                    continue;
                }
                let id = account::add(connection, &name, &section, role, now)?;
                let code = invitation::add(connection, Some(id), role, &section, 1, now)?;
                enrolled.push(Enrolled { name, section, code });
            }
            let subject = format!("{} accounts", enrolled.len());
            audit::note(connection, now, Some(by), "enrol", &subject)?;
            Ok(enrolled)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_are_read_as_spreadsheets_write_them() {
        let rows = read("\u{feff}Section,Name\r\nA, ada \r\n\"A\",李明\r\n").unwrap();
        let names: Vec<_> = rows.iter().map(|row| (&row.name[..], &row.section[..])).collect();
        assert_eq!(names, [("ada", "A"), ("李明", "A")]);
        assert!(rows.iter().all(|row| row.role == Role::Member));
        assert_eq!(read("name,role\nada,guest\n").unwrap()[0].role, Role::Guest);
    }

    #[test]
    fn a_wrong_row_is_named() {
        for (list, message) in [
            ("", "the first row has no column name"),
            ("who\nada\n", "the first row has no column name"),
            ("name\n", "not a class"),
            ("name\nada\nAda\n", "row 3: \"Ada\" is there twice"),
            ("name\n<script>\n", "row 2: \"<script>\" cannot be a name"),
            ("name,role\nada,king\n", "row 2: \"king\" is not a role"),
            ("name,section\nada,a\u{7}b\n", "row 2: "),
        ] {
            let error = read(list).map(|_| ()).unwrap_err().to_string();
            assert!(error.starts_with(message), "{list:?}: {error}");
        }
    }
}
