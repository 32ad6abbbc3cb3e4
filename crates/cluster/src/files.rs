//! Manifests and files by digest: into the server's store, and out of it.

use crate::address::Link;
use crate::error::{ClusterError, is_full};
use crate::wire::{SentFile, digest};
use async_nats::jetstream::object_store::ObjectMetadata;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;
use tokio::io::AsyncReadExt;

/// No file has more bytes than this.
const MOST_BYTES: u64 = 1 << 30;

/// How long the server may send nothing of a file that it has begun to send.
const SILENCE: Duration = Duration::from_secs(30);

/// How long to wait before a file is read again that was not what was expected: somebody may just be
/// sending it.
const PAUSE: Duration = Duration::from_secs(1);

/// Why a file cannot be had.
#[derive(Debug)]
pub(crate) enum FileError {
    /// It was not to be had; it may be another time.
    Unavailable(ClusterError),
    /// The server has something else under its digest, whoever asks: a clause for people.
    Altered(String),
}

impl From<ClusterError> for FileError {
    fn from(error: ClusterError) -> FileError {
        FileError::Unavailable(error)
    }
}

/// Where a worker keeps the files that it fetched; they go when this is dropped.
#[derive(Debug)]
pub struct Files {
    folder: PathBuf,
}

impl Files {
    /// Files in a new folder.
    pub fn new(folder: PathBuf) -> Result<Files, ClusterError> {
        fs::create_dir_all(&folder).map_err(|error| ClusterError::file(&folder, &error))?;
        Ok(Files { folder })
    }

    /// Where a file is, once it is fetched.
    pub(crate) async fn fetch(&self, link: &Link, file: &SentFile) -> Result<PathBuf, FileError> {
        let name = Path::new(&file.name).file_name().and_then(|name| name.to_str());
        let is_digest =
            file.digest.len() == 64 && file.digest.bytes().all(|b| b.is_ascii_hexdigit());
        let Some(name) = name.filter(|name| is_digest && !name.contains(char::is_control)) else {
            let what =
                format_args!("{:?} is no file's name; expected one with a digest", file.name);
            return Err(ClusterError::new(what).into());
        };
        let folder = self.folder.join(&file.digest);
        let path = folder.join(name);
        if path.exists() {
            return Ok(path);
        }
        let bytes = expect(link, &file.digest, name).await?;
        let failed = |error| ClusterError::file(&path, &error);
        fs::create_dir_all(&folder).map_err(failed)?;
        // Whole or not at all: another thread may want it too.
        let begun = self.folder.join(format!("{}.begun", file.digest));
        fs::write(&begun, bytes).and_then(|()| fs::rename(&begun, &path)).map_err(failed)?;
        Ok(path)
    }
}

impl Drop for Files {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.folder);
    }
}

/// Puts bytes into the store, unless they are there; their digest. What is there under their digest and
/// is something else is replaced.
pub(crate) async fn put(link: &Link, bytes: &[u8]) -> Result<String, ClusterError> {
    let digest = digest(bytes);
    // Reading them costs no more than sending them did.
    if size(link, &digest).await == Some(bytes.len() as u64) && get(link, &digest).await.is_ok() {
        return Ok(digest);
    }
    let metadata = ObjectMetadata { name: digest.clone(), ..ObjectMetadata::default() };
    let stored = link.files.put(metadata, &mut &*bytes).await;
    stored.map_err(|error| match is_full(&error) {
        true => ClusterError::full(),
        false => ClusterError::server("a file cannot be stored", &error),
    })?;
    Ok(digest)
}

/// How many bytes of a digest the store has, if it has them.
pub(crate) async fn size(link: &Link, digest: &str) -> Option<u64> {
    let info = link.files.info(digest).await.ok()?;
    (!info.deleted).then_some(info.size as u64)
}

/// Takes the bytes of a digest out of the store; `false` if they were not there.
pub(crate) async fn remove(link: &Link, digest: &str) -> bool {
    size(link, digest).await.is_some() && link.files.delete(digest).await.is_ok()
}

/// The bytes of a digest, for a worker; `what` they are, for people.
pub(crate) async fn expect(link: &Link, digest: &str, what: &str) -> Result<Vec<u8>, FileError> {
    let bytes = match get(link, digest).await {
        Err(FileError::Altered(_)) => {
            tokio::time::sleep(PAUSE).await;
            get(link, digest).await
        }
        bytes => bytes,
    };
    bytes.map_err(|error| match error {
        FileError::Altered(found) => FileError::Altered(format!(
            "{what} of digest {digest} holds something else ({found}); \
             expected what was sent; resuming the run sends it again"
        )),
        error => error,
    })
}

/// The bytes of a digest.
async fn get(link: &Link, expected: &str) -> Result<Vec<u8>, FileError> {
    let missing = |error: &dyn std::fmt::Display| {
        ClusterError::new(format_args!("the file {expected} cannot be had: {error}"))
    };
    let object = link.files.get(expected).await.map_err(|error| missing(&error))?;
    let (mut object, mut bytes) = (object.take(MOST_BYTES), Vec::new());
    loop {
        // The server says nothing of parts that it has lost.
        match tokio::time::timeout(SILENCE, object.read_buf(&mut bytes)).await {
            Ok(Ok(0)) => break,
            Ok(Ok(_)) => {}
            Ok(Err(error)) if error.kind() == io::ErrorKind::InvalidData => {
                return Err(FileError::Altered("it is damaged".to_owned()));
            }
            Ok(Err(error)) => return Err(missing(&error).into()),
            Err(_) => return Err(missing(&"the server sends no more of it").into()),
        }
    }
    match digest(&bytes) {
        found if found == expected => Ok(bytes),
        found => Err(FileError::Altered(found)),
    }
}
