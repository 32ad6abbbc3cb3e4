//! Books from files, each file mapped once however many games use it.

use isrever_agent::{LoadError, LoadedFiles};
use isrever_book::{Book, BookError, Bytes};
use std::path::Path;

/// The files that were mapped.
static LOADED: LoadedFiles<Book> = LoadedFiles::new(0);

/// The book in a file that `book grow` wrote. It stays until the program ends.
///
/// # Errors
/// If there is no such file, or it holds something else.
pub fn load_book(path: &Path) -> Result<&'static Book, LoadError<BookError>> {
    LOADED.open(path, |path| Book::from_bytes(Bytes::map(path)?).map_err(LoadError::Format))
}
