//! Lines from a stream, whatever comes.

use crate::VERSION;
use std::fmt;
use std::io::{BufRead, Read};

/// Bytes of a trial, at most: it has two programs, with constants of any size
pub const LONGEST_TRIAL: u64 = 1 << 30;

/// Bytes of an answer, at most
pub const LONGEST_ANSWER: u64 = 16 << 20;

/// What is wrong with a line
#[derive(Clone, PartialEq, Debug)]
pub enum Wrong {
    /// It has more bytes than that
    Long(u64),
    /// It is no text
    NoText,
    /// It is no JSON
    NoJson(String),
    /// It is of another version
    Version(u64),
    /// It is no trial
    NoTrial(String),
    /// This limit is no time
    NoTime(&'static str, f64),
    /// Nothing is to be measured
    NoRuns,
}

impl fmt::Display for Wrong {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Wrong::Long(longest) => write!(f, "a line has at most {} MiB", longest >> 20),
            Wrong::NoText => f.write_str("no UTF-8"),
            Wrong::NoJson(why) => write!(f, "no JSON: {why}"),
            Wrong::Version(version) => {
                write!(f, "a line of version {version}; this tool reads version {VERSION}")
            }
            Wrong::NoTrial(why) => write!(f, "no trial: {why}"),
            Wrong::NoTime(name, seconds) => write!(f, "no trial: `{name}` is {seconds}, and no time"),
            Wrong::NoRuns => f.write_str("no trial: `runs` is 0"),
        }
    }
}

impl std::error::Error for Wrong {}

/// What a stream has next
#[derive(Clone, PartialEq, Debug)]
pub enum Input {
    /// A line
    Line(String),
    /// Something that is none
    Wrong(Wrong),
    /// Text without an end of line, and then the end of the stream
    Half(String),
}

/// The lines of a stream, of so many bytes at most, without empty ones; an error of reading ends them
pub fn lines(mut input: impl BufRead, longest: u64) -> impl Iterator<Item = std::io::Result<Input>> {
    std::iter::from_fn(move || {
        loop {
            let mut line = Vec::new();
            if let Err(error) = (&mut input).take(longest).read_until(b'\n', &mut line) {
                return Some(Err(error));
            }
            let is_whole = line.ends_with(b"\n");
            if line.len() as u64 == longest && !is_whole {
                return Some(skip(&mut input, longest).map(|()| Input::Wrong(Wrong::Long(longest))));
            }
            if line.is_empty() {
                return None;
            }
            match String::from_utf8(line) {
                Err(_) => return Some(Ok(Input::Wrong(Wrong::NoText))),
                Ok(line) if line.trim().is_empty() => {}
                Ok(line) if is_whole => return Some(Ok(Input::Line(line))),
                Ok(line) => return Some(Ok(Input::Half(line))),
            }
        }
    })
}

/// The rest of a line that is too long is no line of its own
fn skip(input: &mut impl BufRead, longest: u64) -> std::io::Result<()> {
    loop {
        let mut rest = Vec::new();
        input.take(longest).read_until(b'\n', &mut rest)?;
        if rest.is_empty() || rest.ends_with(b"\n") {
            return Ok(());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whatever_comes_is_a_line_or_wrong() {
        let long = "x".repeat(103);
        let text = format!("one\n\n  \n{long}\ntwo\n").into_bytes();
        let all: Vec<u8> = [text, b"\xff\n".to_vec(), b"half".to_vec()].concat();
        let found: Vec<Input> = lines(&all[..], 100).map(|one| one.expect("memory can be read")).collect();
        let wanted = [
            Input::Line("one\n".into()),
            Input::Wrong(Wrong::Long(100)),
            Input::Line("two\n".into()),
            Input::Wrong(Wrong::NoText),
            Input::Half("half".into()),
        ];
        assert!(found == wanted);
    }
}
