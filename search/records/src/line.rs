//! A record as a line of JSON: `{"length":…,"id":"…","record":{…}}`.
//!
//! The length and the id are of the text behind `"record":`. A tool of any version can so tell whole lines from damaged ones.

use crate::record::{FORM, Id, Record};
use std::fmt;

/// Bytes of a line at most
pub const LONGEST: u64 = 1 << 20;

const LENGTH: &[u8] = b"{\"length\":";
const ID: &[u8] = b",\"id\":\"";
const RECORD: &[u8] = b"\",\"record\":";

/// Why a line is no record
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum NoRecord {
    /// It does not begin and end as lines of records do
    Frame,
    /// It has another length than it states
    Length {
        /// As stated
        stated: usize,
        /// Bytes that are there
        found: usize,
    },
    /// Its text is another one than when it was written
    Checksum,
    /// A newer tool wrote it
    Newer(u64),
    /// It is whole, and yet no record
    Content(String),
    /// It has too many bytes
    Long,
}

impl fmt::Display for NoRecord {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NoRecord::Frame => f.write_str("it is no line of a record"),
            NoRecord::Length { stated, found } => write!(f, "it states {stated} bytes and has {found}"),
            NoRecord::Checksum => f.write_str("its checksum is wrong"),
            NoRecord::Newer(form) => write!(f, "it has form {form}; this tool reads form {FORM}"),
            NoRecord::Content(why) => write!(f, "its content is no record: {why}"),
            NoRecord::Long => write!(f, "it has more than {} KiB", LONGEST >> 10),
        }
    }
}

impl std::error::Error for NoRecord {}

/// The line of a record with its line break, and its id
pub fn write(record: &Record) -> Result<(Id, String), NoRecord> {
    let text = serde_json::to_string(record).map_err(|why| NoRecord::Content(why.to_string()))?;
    let id = Id::of(&text);
    let line = format!("{{\"length\":{},\"id\":\"{id}\",\"record\":{text}}}\n", text.len());
    if line.len() as u64 > LONGEST {
        return Err(NoRecord::Long);
    }
    Ok((id, line))
}

/// The record of a line without its line break
pub fn read(line: &[u8]) -> Result<(Id, Record), NoRecord> {
    let (id, body) = whole(line)?;
    let record: Record = match serde_json::from_slice(body) {
        Ok(record) => record,
        Err(why) => {
            let form = serde_json::from_slice::<serde_json::Value>(body).ok();
            let form = form.and_then(|value| value["form"].as_u64());
            return Err(match form.filter(|form| *form > u64::from(FORM)) {
                Some(form) => NoRecord::Newer(form),
                None => NoRecord::Content(why.to_string()),
            });
        }
    };
    match record.form {
        FORM if record.is_sound() => Ok((id, record)),
        FORM => Err(NoRecord::Content("its times are none".into())),
        form if form > FORM => Err(NoRecord::Newer(form.into())),
        form => Err(NoRecord::Content(format!("there is no form {form}"))),
    }
}

/// The id and the text of a line that is as it was written
fn whole(line: &[u8]) -> Result<(Id, &[u8]), NoRecord> {
    let line = line.strip_prefix(LENGTH).ok_or(NoRecord::Frame)?;
    let digits = line.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let stated = std::str::from_utf8(&line[..digits]).ok().and_then(|digits| digits.parse().ok());
    let stated: usize = stated.ok_or(NoRecord::Frame)?;
    let line = line[digits..].strip_prefix(ID).ok_or(NoRecord::Frame)?;
    let (id, line) = line.split_at_checked(32).ok_or(NoRecord::Frame)?;
    let id: Id = std::str::from_utf8(id).ok().and_then(|id| id.parse().ok()).ok_or(NoRecord::Frame)?;
    let body = line.strip_prefix(RECORD).ok_or(NoRecord::Frame)?;
    if body.len() != stated + 1 {
        return Err(NoRecord::Length { stated, found: body.len().saturating_sub(1) });
    }
    let body = body.strip_suffix(b"}").ok_or(NoRecord::Frame)?;
    if Id::of(body) == id { Ok((id, body)) } else { Err(NoRecord::Checksum) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::{About, Hash};

    fn sample() -> Record {
        Record {
            form: FORM,
            program: Hash::of("p"),
            target: Hash::of("t"),
            compiler: Hash::of("c"),
            machine: Hash::of("m"),
            schedule: vec!["1: (8,^) (^ ; ^) (THR.x,^)".into()],
            seconds: 0.1 + 0.2,
            chosen: 0.5,
            about: About { computation: "»product« of i 16\n".into(), ..About::default() },
            unix: 1_800_000_000,
        }
    }

    /// A line with this text as its record
    fn framed(text: &str) -> String {
        format!("{{\"length\":{},\"id\":\"{}\",\"record\":{text}}}", text.len(), Hash::of(text))
    }

    #[test]
    fn a_line_comes_back() {
        let (id, line) = write(&sample()).expect("it can be written");
        assert_eq!(line.matches('\n').count(), 1, "one line");
        assert!(serde_json::from_str::<serde_json::Value>(&line).is_ok(), "a line is JSON");
        assert_eq!(read(line.trim_end().as_bytes()), Ok((id, sample())));
    }

    /// No reader would take it
    #[test]
    fn a_line_that_is_too_long_is_not_written() {
        let long = Record { schedule: vec!["x".repeat(LONGEST as usize)], ..sample() };
        assert_eq!(write(&long), Err(NoRecord::Long));
    }

    #[test]
    fn each_byte_counts() {
        let (_, line) = write(&sample()).expect("it can be written");
        let line = line.trim_end().as_bytes();
        for n in 0..line.len() {
            let mut other = line.to_vec();
            other[n] ^= 1;
            assert!(read(&other).is_err(), "byte {n}: {}", String::from_utf8_lossy(&other));
            assert!(read(&line[..n]).is_err(), "the first {n} bytes");
        }
    }

    #[test]
    fn what_is_wrong_is_named() {
        let text = serde_json::to_string(&sample()).expect("it is JSON");
        let why = |text: &str| read(framed(text).as_bytes()).expect_err("it is no record");
        assert_eq!(why(&text.replace("\"form\":1", "\"form\":7,\"speed\":[]")), NoRecord::Newer(7));
        assert_eq!(why(&text.replace("\"form\":1", "\"form\":2")), NoRecord::Newer(2));
        assert_eq!(
            why(&text.replace("\"form\":1", "\"form\":0")),
            NoRecord::Content("there is no form 0".into())
        );
        assert!(why(&text.replace("\"unix\"", "\"when\"")).to_string().contains("unknown field `when`"));
        assert!(
            why(&text.replace("\"chosen\":0.5", "\"chosen\":-1")).to_string().contains("its times are none")
        );
        assert!(why("[]").to_string().starts_with("its content is no record"));
        assert_eq!(read(b"{}"), Err(NoRecord::Frame));
        let longer = framed(&text).replace("{\"length\":", "{\"length\":9");
        assert!(matches!(read(longer.as_bytes()), Err(NoRecord::Length { .. })));
        let huge = framed(&text).replace("{\"length\":", "{\"length\":99999999999999999999");
        assert_eq!(read(huge.as_bytes()), Err(NoRecord::Frame));
    }
}
