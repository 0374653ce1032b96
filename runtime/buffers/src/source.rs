//! Where the content of a buffer comes from, as users write it
//!
//! ```text
//! binding ::= NAME `=` source
//! source  ::= `random:` SEED | `iota` | `fill:` VALUE | FILE ending in `.npy`
//! ```
//!
//! SEED is decimal or `0x` hexadecimal, 64 bits. NAME may be anything but empty; a leading `%` or
//! `@` is kept.

use crate::error::BufferError;
use crate::{Buffer, ElemType};
use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;

/// The origin of a buffer's content
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Source {
    /// A `.npy` file
    File(PathBuf),
    /// A field of a `.npy` file of records, by its name
    Field(PathBuf, String),
    /// Random numbers from a seed
    Random(u64),
    /// 0, 1, 2, …
    Iota,
    /// One value everywhere, checked once the type is known
    Fill(String),
}

/// A name and its content
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Binding {
    /// Argument or buffer that is meant
    pub name: String,
    /// Its content
    pub source: Source,
}

impl Source {
    /// Make the buffer; a file must have exactly this type and shape
    pub fn make(&self, elem: ElemType, shape: &[u64]) -> Result<Buffer, BufferError> {
        match self {
            Self::File(path) => Buffer::read_npy_as(path, elem, shape),
            Self::Field(path, field) => {
                let buffer = Buffer::read_npy_field(path, field, elem)?;
                match buffer.shape() == shape {
                    true => Ok(buffer),
                    false => Err(BufferError::Shape {
                        from: path.display().to_string(),
                        found: buffer.shape().to_vec(),
                        expected: shape.to_vec(),
                    }),
                }
            }
            Self::Random(seed) => Buffer::random(elem, shape, *seed),
            Self::Iota => Buffer::iota(elem, shape),
            Self::Fill(value) => Buffer::filled(elem, shape, value),
        }
    }
}

impl FromStr for Source {
    type Err = BufferError;

    fn from_str(text: &str) -> Result<Source, BufferError> {
        let fail = |reason: &str| Err(BufferError::Text { text: text.into(), reason: reason.into() });
        if text == "iota" {
            return Ok(Source::Iota);
        }
        if let Some(seed) = text.strip_prefix("random:") {
            let parsed = match seed.strip_prefix("0x") {
                Some(hex) => u64::from_str_radix(hex, 16),
                None => seed.parse(),
            };
            return match parsed {
                Ok(seed) => Ok(Source::Random(seed)),
                Err(_) => fail("the seed after `random:` must be a number of 64 bits"),
            };
        }
        if let Some(value) = text.strip_prefix("fill:") {
            return if value.is_empty() {
                fail("`fill:` needs a value")
            } else {
                Ok(Source::Fill(value.into()))
            };
        }
        if text.ends_with(".npy") {
            return Ok(Source::File(text.into()));
        }
        fail("expected FILE.npy, random:SEED, iota or fill:VALUE")
    }
}

impl FromStr for Binding {
    type Err = BufferError;

    fn from_str(text: &str) -> Result<Binding, BufferError> {
        let fail = |reason: &str| BufferError::Text { text: text.into(), reason: reason.into() };
        let (name, source) = text.split_once('=').ok_or_else(|| {
            fail("expected NAME=SOURCE, where SOURCE is FILE.npy, random:SEED, iota or fill:VALUE")
        })?;
        if name.is_empty() {
            return Err(fail("the name before `=` is empty"));
        }
        Ok(Binding { name: name.into(), source: source.parse()? })
    }
}

impl fmt::Display for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::File(path) => write!(f, "{}", path.display()),
            Self::Field(path, field) => write!(f, "{} (field {field})", path.display()),
            Self::Random(seed) => write!(f, "random:{seed}"),
            Self::Iota => f.write_str("iota"),
            Self::Fill(value) => write!(f, "fill:{value}"),
        }
    }
}

impl fmt::Display for Binding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}={}", self.name, self.source)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn message(text: &str) -> String {
        text.parse::<Binding>().expect_err("refused").to_string()
    }

    #[test]
    fn each_form_prints_as_it_was_read() {
        for text in ["a=random:1", "%b=iota", "c=fill:-1.5e3", "d=some/dir/x.npy"] {
            assert_eq!(text.parse::<Binding>().expect("well formed").to_string(), text);
        }
        assert_eq!("random:0xff".parse(), Ok(Source::Random(255)));
    }

    #[test]
    fn mistakes_are_named() {
        assert_eq!(
            message("a=radnom:1"),
            "cannot read `radnom:1`: expected FILE.npy, random:SEED, iota or fill:VALUE"
        );
        assert_eq!(
            message("a=random:x"),
            "cannot read `random:x`: the seed after `random:` must be a number of 64 bits"
        );
        assert_eq!(message("=iota"), "cannot read `=iota`: the name before `=` is empty");
        assert_eq!(message("a=fill:"), "cannot read `fill:`: `fill:` needs a value");
        assert!(message("iota").contains("expected NAME=SOURCE"));
    }
}
