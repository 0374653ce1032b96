//! Reading what may have no end.

use std::fs::File;
use std::io::{Error, ErrorKind, Read, Result};
use std::path::Path;

/// Bytes at most of what does not say how long it is: pipes and devices
pub const STREAM: u64 = 256 << 20;

/// Bytes at most of a file
pub const FILE: u64 = 2 << 30;

/// Everything up to the end, which must come
///
/// # Errors
/// Of the reader; [`ErrorKind::FileTooLarge`] if there is more than `most`.
///
/// ```
/// use terrace_support::read::up_to;
/// assert_eq!(up_to(&mut &b"abc"[..], 3).unwrap(), b"abc");
/// assert!(up_to(&mut std::io::repeat(0), 1000).is_err());
/// ```
pub fn up_to(reader: &mut impl Read, most: u64) -> Result<Vec<u8>> {
    let mut bytes = Vec::new();
    reader.take(most.saturating_add(1)).read_to_end(&mut bytes)?;
    match bytes.len() as u64 > most {
        true => Err(too_large(most)),
        false => Ok(bytes),
    }
}

/// The content of a file, or of what has its name
///
/// # Errors
/// Of the system; [`ErrorKind::FileTooLarge`] for a file above [`FILE`], and for a pipe or a device that gives more than [`STREAM`].
pub fn file(path: impl AsRef<Path>) -> Result<Vec<u8>> {
    let mut file = File::open(path)?;
    let about = file.metadata()?;
    match about.is_file() && about.len() > 0 {
        true if about.len() > FILE => Err(too_large(FILE)),
        true => up_to(&mut file, FILE),
        // Files of the system say that they are empty.
        false => up_to(&mut file, STREAM),
    }
}

/// The text of a file
///
/// # Errors
/// As [`file`]; [`ErrorKind::InvalidData`] for what is not UTF-8.
pub fn text(path: impl AsRef<Path>) -> Result<String> {
    String::from_utf8(file(path)?).map_err(|error| Error::new(ErrorKind::InvalidData, error.utf8_error()))
}

fn too_large(most: u64) -> Error {
    Error::new(ErrorKind::FileTooLarge, format!("it has more than {} MiB", most >> 20))
}
