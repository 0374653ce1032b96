//! Segments: files of lines, each written by one process and only appended to.

use crate::error::StoreError;
use crate::line::{self, LONGEST, NoRecord};
use crate::record::{Id, Record};
use std::fmt;
use std::fs::{File, OpenOptions};
use std::io::{BufRead, BufReader, Read, Seek, SeekFrom, Write};
use std::path::Path;
use std::time::{SystemTime, UNIX_EPOCH};

/// How names of segments end
pub const ENDING: &str = ".jsonl";

/// A line that is no record
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Fault {
    /// Name of the segment
    pub segment: String,
    /// The line, from 1
    pub line: u64,
    /// What is wrong with it
    pub why: Why,
}

/// What is wrong with a line
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Why {
    /// The last line has no end: a process ended, or a disk was full, while it was written
    Torn,
    /// It is no record that this tool reads
    No(NoRecord),
}

impl Fault {
    /// Is it damage? Lines of newer tools are none
    pub fn is_damage(&self) -> bool {
        !matches!(self.why, Why::Torn | Why::No(NoRecord::Newer(_)))
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Fault { segment, line, why } = self;
        match why {
            Why::Torn => write!(f, "`{segment}`, line {line}: cut off, and left out"),
            Why::No(why) => write!(f, "`{segment}`, line {line}: {why}"),
        }
    }
}

/// Where in a segment reading begins or has ended: behind so many bytes and lines
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct At {
    /// Bytes
    pub bytes: u64,
    /// Lines
    pub lines: u64,
}

/// What a reader of a segment does with its lines
pub trait Visit {
    /// A record, at this byte, with the text of its line
    fn record(&mut self, id: Id, record: Record, at: u64, text: &[u8]) -> Result<(), StoreError>;
    /// A line that is none, with its text
    fn fault(&mut self, fault: Fault, text: &[u8]) -> Result<(), StoreError>;
}

/// Read the lines of a segment from some place on; where the last whole line ends
pub fn read(folder: &Path, name: &str, from: At, visit: &mut dyn Visit) -> Result<At, StoreError> {
    let path = folder.join(name);
    let fail = |why: std::io::Error| StoreError::read(&path, why);
    let mut file = File::open(&path).map_err(fail)?;
    file.seek(SeekFrom::Start(from.bytes)).map_err(fail)?;
    let mut file = BufReader::with_capacity(1 << 16, file);
    let mut at = from;
    let mut text = Vec::new();
    loop {
        text.clear();
        let mut bytes = (&mut file).take(LONGEST + 1).read_until(b'\n', &mut text).map_err(fail)? as u64;
        if bytes == 0 {
            return Ok(at);
        }
        let long = bytes > LONGEST && text.last() != Some(&b'\n');
        let mut ends = text.last() == Some(&b'\n');
        if long {
            // The rest of such a line is no line of its own.
            let mut rest = Vec::new();
            while !ends {
                rest.clear();
                let more = (&mut file).take(LONGEST).read_until(b'\n', &mut rest).map_err(fail)? as u64;
                bytes += more;
                ends = rest.last() == Some(&b'\n');
                if more == 0 {
                    break;
                }
            }
        }
        let fault = |why| Fault { segment: name.to_owned(), line: at.lines + 1, why };
        if !ends {
            visit.fault(fault(Why::Torn), &text)?;
            return Ok(at);
        }
        let whole = text.strip_suffix(b"\n").unwrap_or(&text);
        match line::read(whole) {
            _ if long => visit.fault(fault(Why::No(NoRecord::Long)), &text)?,
            Ok((id, record)) => visit.record(id, record, at.bytes, &text)?,
            Err(why) => visit.fault(fault(Why::No(why)), &text)?,
        }
        at = At { bytes: at.bytes + bytes, lines: at.lines + 1 };
    }
}

/// The record at a byte of a segment
pub fn read_at(folder: &Path, name: &str, at: u64) -> Result<(Id, Record), StoreError> {
    let path = folder.join(name);
    let fail = |why: std::io::Error| StoreError::read(&path, why);
    let mut file = File::open(&path).map_err(fail)?;
    file.seek(SeekFrom::Start(at)).map_err(fail)?;
    let mut text = Vec::new();
    BufReader::new(file).take(LONGEST).read_until(b'\n', &mut text).map_err(fail)?;
    let whole = text.strip_suffix(b"\n").unwrap_or(&text);
    line::read(whole).map_err(|why| StoreError::read(&path, format!("at byte {at}: {why}")))
}

/// A segment of this process, made by its first record
pub struct Writer {
    file: File,
    name: String,
}

impl Writer {
    /// A new segment
    pub fn new(folder: &Path) -> Result<Writer, StoreError> {
        for attempt in 0..64 {
            let name = fresh_name(attempt);
            let path = folder.join(&name);
            match OpenOptions::new().append(true).create_new(true).open(&path) {
                Ok(file) => return Ok(Writer { file, name }),
                Err(why) if why.kind() == std::io::ErrorKind::AlreadyExists => {}
                Err(why) => return Err(StoreError::write(&path, why)),
            }
        }
        Err(StoreError::write(folder, "no name is free"))
    }

    /// Its name
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Append lines at once, and wait until the disk has them
    pub fn append(&mut self, lines: &[u8]) -> Result<(), StoreError> {
        let before = self.file.metadata().map(|meta| meta.len());
        let written = self.file.write_all(lines).and_then(|()| self.file.sync_data());
        written.map_err(|why| {
            // What a full disk has cut off would be a torn line in the middle, were there another record behind it.
            if let Ok(before) = before {
                let _ = self.file.set_len(before);
            }
            StoreError::write(Path::new(&self.name), why)
        })
    }
}

/// `2026-11-29-0123456789abcdef.jsonl`
pub(crate) fn fresh_name(attempt: u32) -> String {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    let own = format!("{} {} {attempt} {:p}", now.as_nanos(), std::process::id(), &now);
    let (year, month, day) = date(now.as_secs());
    format!("{year:04}-{month:02}-{day:02}-{}{ENDING}", &crate::record::Hash::of(own).to_string()[..16])
}

/// Year, month and day of seconds since 1970, by the Gregorian calendar
pub fn date(seconds: u64) -> (u64, u64, u64) {
    // Years begin in March here, so that leap days are their last ones.
    let days = seconds / 86_400 + 719_468;
    let (era, day) = (days / 146_097, days % 146_097);
    let year = (day - day / 1_460 + day / 36_524 - day / 146_096) / 365;
    let of_year = day - (365 * year + year / 4 - year / 100);
    let month = (5 * of_year + 2) / 153;
    let day = of_year - (153 * month + 2) / 5 + 1;
    let (month, carry) = if month < 10 { (month + 3, 0) } else { (month - 9, 1) };
    (year + era * 400 + carry, month, day)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates() {
        for (seconds, wanted) in [
            (0, (1970, 1, 1)),
            (951_782_400, (2000, 2, 29)),
            (1_735_689_599, (2024, 12, 31)),
            (1_795_910_400, (2026, 11, 29)),
            (4_107_542_400, (2100, 3, 1)),
        ] {
            assert_eq!(date(seconds), wanted, "{seconds}");
        }
    }

    #[test]
    fn names_differ() {
        let mut names: Vec<String> = (0..100).map(fresh_name).collect();
        names.sort();
        names.dedup();
        assert_eq!(names.len(), 100);
        assert!(names[0].ends_with(ENDING));
    }
}
