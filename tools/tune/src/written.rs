//! The log that is written: whole lines, also where there is no more room.

use std::fs::File;
use std::io::{Seek, SeekFrom, Write};

/// A log
pub(crate) struct Written {
    file: File,
    /// Bytes of whole lines
    whole: u64,
}

impl Written {
    /// What is written so far are whole lines, and the next one goes behind them
    pub(crate) fn new(mut file: File) -> std::io::Result<Written> {
        let whole = file.seek(SeekFrom::End(0))?;
        Ok(Written { file, whole })
    }

    /// A line; where that fails, nothing of it stays
    pub(crate) fn line(&mut self, line: &str) -> std::io::Result<()> {
        let written = self.file.write_all(line.as_bytes()).and_then(|()| self.file.flush());
        match written {
            Ok(()) => self.whole += line.len() as u64,
            // A disk that is full can be cut all the same.
            Err(_) => self.file.set_len(self.whole)?,
        }
        written
    }
}
