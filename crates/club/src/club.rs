//! A club's file: opens it, brings it up to date, and gives others their turn.

use crate::account::NameError;
use crate::battle::ChallengeError;
use crate::casual::CasualError;
use crate::class::ClassError;
use crate::final_round::FinalError;
use crate::invitation::InvitationError;
use crate::limiter::Limiter;
use crate::password::{PasswordError, Passwords, Work};
use crate::queue::JobError;
use crate::schema::{APPLICATION, STEPS};
use crate::secret::RandomError;
use crate::terms::TermsError;
use crate::version::SubmitError;
use isrever_arena::StoreError;
use rusqlite::{Connection, TransactionBehavior};
use std::fmt;
use std::net::IpAddr;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// The name of the file in a club's directory.
const FILE: &str = "club.db";

/// How long one waits for another process that is just writing.
const BUSY: Duration = Duration::from_secs(10);

/// An open club. Several processes may have it open at a time.
pub struct Club {
    directory: PathBuf,
    connection: Mutex<Connection>,
    passwords: Passwords,
    log_ins: Mutex<LogIns>,
}

/// Wrong passwords for one name that cost nothing.
const FREE_OF_NAME: u32 = 5;

/// The same from one address, which may be that of a whole class.
const FREE_OF_ADDRESS: u32 = 100;

/// Failures to log in.
pub(crate) struct LogIns {
    pub(crate) names: Limiter<String>,
    pub(crate) addresses: Limiter<IpAddr>,
}

/// Why a club cannot be opened.
#[derive(Debug)]
pub enum OpenError {
    /// The directory cannot be made or read.
    Io(std::io::Error),
    /// The file is not a club's.
    Foreign,
    /// The file was made by a newer program.
    Newer,
    /// The database fails.
    Database(rusqlite::Error),
}

impl fmt::Display for OpenError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            OpenError::Io(error) => error.fmt(f),
            OpenError::Foreign => write!(f, "{FILE} is not a club's file; expected one, or none"),
            OpenError::Newer => {
                write!(
                    f,
                    "{FILE} was made by a newer program; expected one of this version or older"
                )
            }
            OpenError::Database(error) => write!(f, "{FILE}: {error}"),
        }
    }
}

impl std::error::Error for OpenError {}

impl From<rusqlite::Error> for OpenError {
    fn from(error: rusqlite::Error) -> OpenError {
        match error.sqlite_error_code() {
            Some(rusqlite::ErrorCode::NotADatabase) => OpenError::Foreign,
            _ => OpenError::Database(error),
        }
    }
}

/// Why something cannot be done.
#[derive(Debug)]
pub enum ClubError {
    /// Only an administrator may, or nobody.
    Forbidden,
    /// There is no such account.
    NoAccount,
    /// Nobody could administer the club after it.
    LastAdministrator,
    /// An account that has submitted or played cannot be removed.
    HasPlayed(String),
    /// The old password is another.
    WrongPassword,
    /// The new password is refused.
    Password(PasswordError),
    /// The name is refused.
    Name(NameError),
    /// The section is refused.
    Section(String),
    /// An invitation is for 1 to so many people.
    Uses {
        /// How many at most.
        most: u32,
    },
    /// The code is worth nothing.
    Invitation(InvitationError),
    /// The class list is refused.
    Class(ClassError),
    /// The label of a token is refused.
    Label(String),
    /// The account has too many tokens.
    TooManyTokens,
    /// A submission is refused.
    Submit(SubmitError),
    /// There is no such version, or it is not for everybody.
    NoVersion,
    /// There is no such battle, or it is not for everybody.
    NoBattle,
    /// There is no such game, or it is not for everybody.
    NoGame,
    /// A battle is refused.
    Challenge(ChallengeError),
    /// A game against an agent, or a move in it, is refused.
    Casual(CasualError),
    /// Games cannot be played so.
    Terms(TermsError),
    /// A final cannot be had so.
    Final(FinalError),
    /// The proof of a final cannot be written.
    Proof(StoreError),
    /// A file cannot be read.
    Io(std::io::Error),
    /// The job is no longer this judge's.
    Job(JobError),
    /// What is in the file contradicts itself.
    Damaged(String),
    /// The system has no random numbers.
    Random(RandomError),
    /// The database fails.
    Database(rusqlite::Error),
}

impl fmt::Display for ClubError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ClubError::Forbidden => f.write_str("you may not do that; ask an administrator"),
            ClubError::NoAccount => f.write_str("there is no such account"),
            ClubError::LastAdministrator => {
                f.write_str("nobody else is an administrator; make somebody else one first")
            }
            ClubError::HasPlayed(name) => {
                write!(f, "{name} has submitted or played; block the account instead")
            }
            ClubError::WrongPassword => {
                f.write_str("the old password is wrong; expected the present one")
            }
            ClubError::Password(error) => error.fmt(f),
            ClubError::Name(error) => error.fmt(f),
            ClubError::Section(text) => {
                write!(f, "{text:?} cannot be a section; expected a few plain words, or nothing")
            }
            ClubError::Uses { most } => {
                write!(f, "an invitation cannot be for so many; expected 1 to {most}")
            }
            ClubError::Invitation(InvitationError::Unknown) => f.write_str(
                "the invitation is unknown, used up or too old; ask an administrator for another",
            ),
            ClubError::Class(error) => error.fmt(f),
            ClubError::Label(text) => {
                write!(f, "{text:?} cannot be a label; expected 1 to 64 characters on one line")
            }
            ClubError::TooManyTokens => {
                f.write_str("there are too many tokens; remove one that is no longer used")
            }
            ClubError::Submit(error) => error.fmt(f),
            ClubError::NoVersion => f.write_str("there is no such version of an agent"),
            ClubError::NoBattle => f.write_str("there is no such battle"),
            ClubError::NoGame => f.write_str("there is no such game"),
            ClubError::Challenge(error) => error.fmt(f),
            ClubError::Casual(error) => error.fmt(f),
            ClubError::Terms(error) => error.fmt(f),
            ClubError::Final(error) => error.fmt(f),
            ClubError::Proof(error) => write!(f, "the proof: {error}"),
            ClubError::Io(error) => error.fmt(f),
            ClubError::Job(error) => error.fmt(f),
            ClubError::Damaged(what) => {
                write!(f, "{FILE} is damaged: {what}; expected what was written")
            }
            ClubError::Random(error) => write!(f, "no random numbers: {error}"),
            ClubError::Database(error) => write!(f, "the club's file: {error}"),
        }
    }
}

impl std::error::Error for ClubError {}

macro_rules! from {
    ($($error:ty => $variant:ident),* $(,)?) => {$(
        impl From<$error> for ClubError {
            fn from(error: $error) -> ClubError {
                ClubError::$variant(error)
            }
        }
    )*};
}

from! {
    rusqlite::Error => Database,
    RandomError => Random,
    PasswordError => Password,
    NameError => Name,
    ClassError => Class,
    SubmitError => Submit,
    ChallengeError => Challenge,
    CasualError => Casual,
    TermsError => Terms,
    FinalError => Final,
    StoreError => Proof,
    std::io::Error => Io,
    JobError => Job,
}

impl Club {
    /// Whether there is a club in `directory`, whatever its file contains.
    pub fn is_in(directory: &Path) -> bool {
        directory.join(FILE).is_file()
    }

    /// Opens the club of `directory`; makes both if they are not there.
    pub fn open(directory: &Path, work: Work) -> Result<Club, OpenError> {
        std::fs::create_dir_all(directory).map_err(OpenError::Io)?;
        let path = directory.join(FILE);
        keep_private(&path).map_err(OpenError::Io)?;
        let mut connection = Connection::open(path)?;
        connection.busy_timeout(BUSY)?;
        connection.pragma_update(None, "foreign_keys", true)?;
        connection.pragma_update(None, "journal_mode", "WAL")?;
        connection.pragma_update(None, "synchronous", "NORMAL")?;
        migrate(&mut connection)?;
        let passwords = Passwords::new(work);
        let names = Limiter::new(FREE_OF_NAME);
        let log_ins = Mutex::new(LogIns { names, addresses: Limiter::new(FREE_OF_ADDRESS) });
        let directory = directory.to_owned();
        Ok(Club { directory, connection: Mutex::new(connection), passwords, log_ins })
    }

    /// Writes a copy of the whole file to `path`, which must not be there, while others work.
    pub fn back_up(&self, path: &Path) -> Result<(), ClubError> {
        let path = path.to_str().ok_or(rusqlite::Error::InvalidPath(path.to_owned()))?;
        self.connection().execute("VACUUM INTO ?1", [path])?;
        Ok(())
    }

    /// Where its file is.
    pub fn directory(&self) -> &Path {
        &self.directory
    }

    pub(crate) fn connection(&self) -> MutexGuard<'_, Connection> {
        self.connection.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn passwords(&self) -> &Passwords {
        &self.passwords
    }

    pub(crate) fn log_ins(&self) -> &Mutex<LogIns> {
        &self.log_ins
    }

    /// Does all of `act` or nothing.
    pub(crate) fn transaction<T>(
        &self,
        act: impl FnOnce(&Connection) -> Result<T, ClubError>,
    ) -> Result<T, ClubError> {
        let mut connection = self.connection();
        let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
        let done = act(&transaction)?;
        transaction.commit()?;
        Ok(done)
    }
}

/// Makes a file that nobody else on the machine can read, if there is none: it has people's sources.
/// What SQLite puts beside it has the same permissions.
fn keep_private(path: &Path) -> std::io::Result<()> {
    let mut options = std::fs::File::options();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    match options.open(path) {
        Err(error) if error.kind() != std::io::ErrorKind::AlreadyExists => Err(error),
        _ => Ok(()),
    }
}

/// Brings the tables up to date, in one transaction.
fn migrate(connection: &mut Connection) -> Result<(), OpenError> {
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    let number =
        |name: &str| transaction.pragma_query_value(None, name, |row| row.get::<_, i64>(0));
    let (application, version) = (number("application_id")?, number("user_version")?);
    let tables: i64 =
        transaction.query_row("SELECT count(*) FROM sqlite_schema", [], |row| row.get(0))?;
    let is_new = application == 0 && version == 0 && tables == 0;
    if !is_new && application != i64::from(APPLICATION) {
        return Err(OpenError::Foreign);
    }
    let made = usize::try_from(version).map_err(|_| OpenError::Foreign)?;
    let steps = STEPS.get(made..).ok_or(OpenError::Newer)?;
    for step in steps {
        transaction.execute_batch(step)?;
    }
    transaction.pragma_update(None, "application_id", APPLICATION)?;
    transaction.pragma_update(
        None,
        "user_version",
        u32::try_from(STEPS.len()).unwrap_or(u32::MAX),
    )?;
    transaction.commit()?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_older_file_becomes_a_present_one_and_keeps_what_it_has() {
        for made in 1..STEPS.len() {
            let mut connection = Connection::open_in_memory().unwrap();
            for step in &STEPS[..made] {
                connection.execute_batch(step).unwrap();
            }
            connection.pragma_update(None, "application_id", APPLICATION).unwrap();
            connection.pragma_update(None, "user_version", made as u32).unwrap();
            let add = "INSERT INTO account (name, section, role, created)
                       VALUES ('ada', '', 'member', 0)";
            connection.execute(add, []).unwrap();
            migrate(&mut connection).unwrap();
            migrate(&mut connection).unwrap();
            let count = |table: &str| {
                let query = format!("SELECT count(*) FROM {table}");
                connection.query_row(&query, [], |row| row.get::<_, i64>(0)).unwrap()
            };
            assert_eq!((count("account"), count("game")), (1, 0));
        }
    }
}
