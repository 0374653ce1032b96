//! A cursor over bytecode: numbers, strings and sections.

use crate::codes;
use crate::numbers::{PADDING, unzigzag};
use terrace_diag::Code;

/// What is wrong, and at which byte of the file
#[derive(Debug)]
pub struct Wrong {
    pub at: usize,
    pub code: Code,
    pub message: String,
    pub help: Option<String>,
}

impl Wrong {
    #[cold]
    pub fn with(at: usize, code: Code, message: impl Into<String>) -> Box<Wrong> {
        Box::new(Wrong { at, code, message: message.into(), help: None })
    }

    pub fn help(mut self: Box<Wrong>, help: impl Into<String>) -> Box<Wrong> {
        self.help = Some(help.into());
        self
    }
}

/// Errors are rare and boxed, so that what is read fits registers
pub type Read<T> = Result<T, Box<Wrong>>;

/// Bytes of a file from a place to an end
#[derive(Clone)]
pub struct Bytes<'a> {
    file: &'a [u8],
    at: usize,
    end: usize,
}

impl<'a> Bytes<'a> {
    pub fn new(file: &'a [u8]) -> Bytes<'a> {
        Bytes { file, at: 0, end: file.len() }
    }

    /// Place in the file
    pub fn at(&self) -> usize {
        self.at
    }

    pub fn is_end(&self) -> bool {
        self.at == self.end
    }

    /// Bytes that are left
    pub fn left(&self) -> usize {
        self.end - self.at
    }

    #[cold]
    pub fn wrong<T>(&self, message: impl Into<String>) -> Read<T> {
        Err(Wrong::with(self.at, &codes::DAMAGED, message))
    }

    #[inline]
    pub fn byte(&mut self) -> Read<u8> {
        match self.file[..self.end].get(self.at) {
            Some(&byte) => {
                self.at += 1;
                Ok(byte)
            }
            None => self.wrong("a byte is wanted, and none is left"),
        }
    }

    pub fn take(&mut self, len: usize) -> Read<&'a [u8]> {
        if len > self.left() {
            return self.wrong(format!("{len} bytes are wanted, and {} are left", self.left()));
        }
        let taken = &self.file[self.at..self.at + len];
        self.at += len;
        Ok(taken)
    }

    /// The next bytes as bytes of their own
    pub fn part(&mut self, len: usize) -> Read<Bytes<'a>> {
        let start = self.at;
        self.take(len)?;
        Ok(Bytes { file: self.file, at: start, end: self.at })
    }

    /// All that is left
    pub fn rest(&mut self) -> &'a [u8] {
        let rest = &self.file[self.at..self.end];
        self.at = self.end;
        rest
    }

    /// A number: the lowest set bit of the first byte says how many bytes follow
    #[inline]
    pub fn number(&mut self) -> Read<u64> {
        let first = self.byte()?;
        if first & 1 == 1 { Ok(u64::from(first >> 1)) } else { self.long_number(first) }
    }

    fn long_number(&mut self, first: u8) -> Read<u64> {
        let more = first.trailing_zeros().min(8) as usize;
        let mut bytes = [0; 8];
        if more == 8 {
            bytes.copy_from_slice(self.take(8)?);
            return Ok(u64::from_le_bytes(bytes));
        }
        bytes[0] = first;
        bytes[1..=more].copy_from_slice(self.take(more)?);
        Ok(u64::from_le_bytes(bytes) >> (more + 1))
    }

    pub fn signed(&mut self) -> Read<i64> {
        self.number().map(unzigzag)
    }

    /// A number and a flag
    #[inline]
    pub fn flagged(&mut self) -> Read<(u64, bool)> {
        let number = self.number()?;
        Ok((number >> 1, number & 1 == 1))
    }

    /// A number of things of at least a byte each
    #[inline]
    pub fn count(&mut self) -> Read<usize> {
        let number = self.number()?;
        self.fits(number)
    }

    /// The same, with a flag
    #[inline]
    pub fn flagged_count(&mut self) -> Read<(usize, bool)> {
        let (number, flag) = self.flagged()?;
        Ok((self.fits(number)?, flag))
    }

    #[inline]
    fn fits(&self, number: u64) -> Read<usize> {
        match usize::try_from(number).ok().filter(|number| *number <= self.left()) {
            Some(number) => Ok(number),
            None => self.wrong(format!("{number} things are counted, and {} bytes are left", self.left())),
        }
    }

    /// A number below a limit, as an index
    #[inline]
    pub fn index(&mut self, limit: usize, what: &str) -> Read<usize> {
        let at = self.at;
        let number = self.number()?;
        Bytes::below(at, number, limit, what)
    }

    /// Is a number that was read at a place an index below a limit?
    #[inline]
    pub fn below(at: usize, number: u64, limit: usize, what: &str) -> Read<usize> {
        match usize::try_from(number).ok().filter(|number| *number < limit) {
            Some(number) => Ok(number),
            None => {
                let message = format!("{what} {number} is named, and there are {limit}, counted from 0");
                Err(Wrong::with(at, &codes::DAMAGED, message))
            }
        }
    }

    /// A text up to a zero byte
    pub fn text(&mut self) -> Read<&'a str> {
        let start = self.at;
        let Some(len) = self.file[self.at..self.end].iter().position(|byte| *byte == 0) else {
            return self.wrong("a text does not end");
        };
        let bytes = self.take(len + 1)?;
        utf8(start, &bytes[..len])
    }

    /// A section: its number, and what it holds
    pub fn section(&mut self) -> Read<(u8, Bytes<'a>)> {
        let first = self.byte()?;
        let len = self.number()?;
        if first & 0x80 != 0 {
            let at = self.at;
            let alignment = self.number()?;
            let Some(alignment) = usize::try_from(alignment).ok().filter(|n| n.is_power_of_two()) else {
                let message = format!("a section cannot begin at a multiple of {alignment}: no power of two");
                return Err(Wrong::with(at, &codes::DAMAGED, message));
            };
            while !self.at.is_multiple_of(alignment) {
                if self.byte()? != PADDING {
                    self.at -= 1;
                    return self.wrong("a section begins too early");
                }
            }
        }
        let Ok(len) = usize::try_from(len) else {
            return self.wrong(format!("a section of {len} bytes"));
        };
        Ok((first & 0x7f, self.part(len)?))
    }
}

/// Bytes at a place as text
pub fn utf8(at: usize, bytes: &[u8]) -> Read<&str> {
    std::str::from_utf8(bytes)
        .map_err(|error| Wrong::with(at + error.valid_up_to(), &codes::DAMAGED, "a text that is not UTF-8"))
}
