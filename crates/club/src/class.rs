//! Class lists: a CSV file makes the accounts of a whole class.

use crate::account::{self, AccountId, Role, administrator, check_name, is_section};
use crate::club::{Club, ClubError};
use crate::{audit, invitation};
use serde::Serialize;
use std::collections::BTreeSet;
use std::fmt;
use utoipa::ToSchema;

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

/// What became of a list.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Enrolment {
    /// The accounts that were made, in the order of the list.
    pub enrolled: Vec<Enrolled>,
    /// The names of rows that make no account because there is one.
    pub known: Vec<String>,
    /// The names of rows that would have made an account, were it not for the faults.
    pub left: Vec<String>,
    /// The rows that say something impossible.
    pub faults: Vec<RowFault>,
}

/// A row of a list that says something impossible.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RowFault {
    /// The line of the file, from 1 with the header.
    pub line: u64,
    /// The name in it.
    pub name: String,
    /// What is wrong, in one word.
    pub kind: FaultKind,
    /// What is wrong, and what was expected.
    pub message: String,
}

/// What is wrong with a row.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum FaultKind {
    /// It cannot be read.
    Row,
    /// Nobody can be called so.
    Name,
    /// A row before has the same name.
    Twice,
    /// No section can be called so.
    Section,
    /// There is no such role.
    Role,
}

/// Why a whole list is refused. Nothing of it is kept then.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ClassError {
    /// It has no column with the header `name`.
    NoName,
    /// It has no rows, or too many.
    Rows,
}

impl fmt::Display for ClassError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ClassError::NoName => f.write_str(
                "the first row has no column name; expected name, and perhaps section and role",
            ),
            ClassError::Rows => write!(f, "not a class; expected 1 to {MOST_ROWS} rows of names"),
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

/// What separates the columns: whichever of those that spreadsheets write is most often in the first
/// line.
fn separator(text: &str) -> u8 {
    let header = text.lines().next().unwrap_or("").as_bytes();
    let count = |mark: &u8| header.iter().filter(|byte| *byte == mark).count();
    // Of equally many the last one counts: the comma, where there are none.
    *b"\t;,".iter().max_by_key(|mark| count(mark)).unwrap_or(&b',')
}

/// Reads a list as spreadsheets write it: it may begin with a byte order mark, and commas, semicolons
/// or tabs are between its columns. Rows that say something impossible do not keep the others from
/// being read.
fn read(text: &str) -> Result<(Vec<Wanted>, Vec<RowFault>), ClassError> {
    if text.len() > MOST_BYTES {
        return Err(ClassError::Rows);
    }
    // Ends of lines in one form: the reader counts them, and one behind the last row is no row.
    let text = text.trim_start_matches('\u{feff}').replace("\r\n", "\n").replace('\r', "\n") + "\n";
    let mut reader = csv::ReaderBuilder::new()
        .trim(csv::Trim::All)
        .flexible(true)
        .delimiter(separator(&text))
        .from_reader(text.as_bytes());
    let header = reader.headers().map_err(|_| ClassError::NoName)?.clone();
    let column = |name: &str| header.iter().position(|one| one.eq_ignore_ascii_case(name));
    let name = column("name").ok_or(ClassError::NoName)?;
    let columns = [Some(name), column("section"), column("role")];
    let (mut rows, mut faults) = (Vec::new(), Vec::new());
    let mut names = BTreeSet::new();
    let mut record = csv::StringRecord::new();
    loop {
        let read = reader.read_record(&mut record);
        // The reader stands behind the row.
        let line = reader.position().line() - 1;
        match read {
            Ok(false) => break,
            // Spreadsheets write rows of separators below a table.
            Ok(true) if record.iter().all(str::is_empty) => continue,
            Ok(true) => {
                let [name, section, role] =
                    columns.map(|column| column.and_then(|at| record.get(at)).unwrap_or(""));
                match row(name, section, role, &mut names) {
                    Ok(row) => rows.push(row),
                    Err((kind, message)) => {
                        faults.push(RowFault { line, name: name.to_owned(), kind, message });
                    }
                }
            }
            Err(error) => {
                let (name, message) = (String::new(), error.to_string());
                faults.push(RowFault { line, name, kind: FaultKind::Row, message });
            }
        }
        if rows.len() + faults.len() > MOST_ROWS {
            return Err(ClassError::Rows);
        }
    }
    if rows.is_empty() && faults.is_empty() { Err(ClassError::Rows) } else { Ok((rows, faults)) }
}

/// Reads the fields of a row; `names` are those of the rows before, in small letters.
fn row(
    name: &str,
    section: &str,
    role: &str,
    names: &mut BTreeSet<String>,
) -> Result<Wanted, (FaultKind, String)> {
    check_name(name).map_err(|error| (FaultKind::Name, error.to_string()))?;
    if !is_section(section) {
        return Err((FaultKind::Section, ClubError::Section(section.to_owned()).to_string()));
    }
    let role = match role.to_lowercase().as_str() {
        "" => Role::Member,
        word => word.parse().map_err(|error| (FaultKind::Role, error))?,
    };
    if !names.insert(name.to_lowercase()) {
        return Err((FaultKind::Twice, format!("{name:?} is there twice")));
    }
    Ok(Wanted { name: name.to_owned(), section: section.to_owned(), role })
}

impl Club {
    /// Makes the accounts of a class list. Names that exist already keep their accounts. If a row is
    /// wrong, nobody is taken in, unless `is_partial`: then the right rows are.
    pub fn enrol(
        &self,
        by: AccountId,
        list: &str,
        is_partial: bool,
        now: i64,
    ) -> Result<Enrolment, ClubError> {
        let (rows, faults) = read(list)?;
        self.transaction(|connection| {
            administrator(connection, by)?;
            let is_taken = is_partial || faults.is_empty();
            let mut enrolment = Enrolment { faults, ..Enrolment::default() };
            for Wanted { name, section, role } in rows {
                if account::by_name(connection, &name)?.is_some() {
                    enrolment.known.push(name);
                } else if is_taken {
                    let id = account::add(connection, &name, &section, role, now)?;
                    let code = invitation::add(connection, Some(id), role, &section, 1, now)?;
                    enrolment.enrolled.push(Enrolled { name, section, code });
                } else {
                    enrolment.left.push(name);
                }
            }
            if is_taken {
                let subject = format!("{} accounts", enrolment.enrolled.len());
                audit::note(connection, now, Some(by), "enrol", &subject)?;
            }
            Ok(enrolment)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_are_read_as_spreadsheets_write_them() {
        for list in [
            "\u{feff}Section,Name\r\nA, ada \r\n\"A\",李明\r\n",
            "\u{feff}Section;Name\r\nA;ada\r\n\"A\";李明\r\n;\r\n",
            "section\tname\trole\nA\tada\n\nA\t李明\tMember\n",
        ] {
            let (rows, faults) = read(list).unwrap();
            let names: Vec<_> = rows.iter().map(|row| (&row.name[..], &row.section[..])).collect();
            assert_eq!(names, [("ada", "A"), ("李明", "A")], "{list:?}");
            assert!(rows.iter().all(|row| row.role == Role::Member));
            assert_eq!(faults, []);
        }
        assert_eq!(read("name,role\nada,guest\n").unwrap().0[0].role, Role::Guest);
    }

    #[test]
    fn every_wrong_row_is_named_and_the_others_are_read() {
        let list = "name,section,role\nada,A,\nAda,A,\n<b>,A,\nbob,a\u{7}b,\n\ncarol,A,king\n\
                    Dan King,A,guest\n../x";
        for list in [list.to_owned(), list.replace('\n', "\r\n"), list.replace('\n', "\r")] {
            let (rows, faults) = read(&list).unwrap();
            let names: Vec<&str> = rows.iter().map(|row| row.name.as_str()).collect();
            assert_eq!(names, ["ada", "Dan King"], "{list:?}");
            let faults: Vec<_> =
                faults.iter().map(|one| (one.line, one.kind, &one.name[..])).collect();
            let expected = [
                (3, FaultKind::Twice, "Ada"),
                (4, FaultKind::Name, "<b>"),
                (5, FaultKind::Section, "bob"),
                (7, FaultKind::Role, "carol"),
                (9, FaultKind::Name, "../x"),
            ];
            assert_eq!(faults, expected, "{list:?}");
        }
        for list in ["", "who\nada\n"] {
            assert_eq!(read(list).map(drop), Err(ClassError::NoName), "{list:?}");
        }
        assert_eq!(read("name\n").map(drop), Err(ClassError::Rows));
    }
}
