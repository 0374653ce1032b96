//! Errors of buffers, and their messages

use crate::ElemType;
use std::fmt;

/// An error of this crate; each message names both sides of a clash
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum BufferError {
    /// The array does not fit in memory (or in 63 bits)
    TooLarge {
        /// Requested element type
        elem: ElemType,
        /// Requested shape
        shape: Vec<u64>,
    },
    /// The number of bytes or elements given is not what type and shape need
    Length {
        /// Elements that the shape has
        needed: u64,
        /// Elements given
        given: u64,
    },
    /// The element type is not the expected one
    Type {
        /// Where the data comes from
        from: String,
        /// Type there
        found: String,
        /// Type wanted
        expected: ElemType,
    },
    /// The shape is not the expected one
    Shape {
        /// Where the data comes from
        from: String,
        /// Shape there
        found: Vec<u64>,
        /// Shape wanted
        expected: Vec<u64>,
    },
    /// The file is not a well-formed .npy file
    Format {
        /// File name
        file: String,
        /// What is wrong with it
        reason: String,
    },
    /// The operating system refused
    Io {
        /// File name
        file: String,
        /// Its words
        reason: String,
    },
    /// A text such as `a=random:1` that cannot be read
    Text {
        /// The text
        text: String,
        /// What is wrong with it
        reason: String,
    },
    /// A value that the element type cannot hold
    Value {
        /// The value as written
        value: String,
        /// The element type
        elem: ElemType,
    },
}

impl fmt::Display for BufferError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TooLarge { elem, shape } => {
                write!(f, "an array of {} does not fit in memory", Shaped(shape, elem))
            }
            Self::Length { needed, given } => {
                write!(f, "the shape has {needed} elements, but {given} are given")
            }
            Self::Type { from, found, expected } => {
                write!(f, "{from} holds elements of type {found}, but {expected} is expected")
            }
            Self::Shape { from, found, expected } => {
                write!(f, "{from} has shape {}, but {} is expected", Dims(found), Dims(expected))
            }
            Self::Format { file, reason } => write!(f, "{file} is not a readable .npy file: {reason}"),
            Self::Io { file, reason } => write!(f, "{file}: {reason}"),
            Self::Text { text, reason } => write!(f, "cannot read `{text}`: {reason}"),
            Self::Value { value, elem } => write!(f, "the value {value} does not fit in {elem}"),
        }
    }
}

impl std::error::Error for BufferError {}

/// Prints a shape as `[2, 3]`
pub(crate) struct Dims<'a>(pub &'a [u64]);

impl fmt::Display for Dims<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("[")?;
        for (i, d) in self.0.iter().enumerate() {
            write!(f, "{}{d}", if i > 0 { ", " } else { "" })?;
        }
        f.write_str("]")
    }
}

/// Prints shape and type as MLIR does: `2x3xf32`
struct Shaped<'a>(&'a [u64], &'a ElemType);

impl fmt::Display for Shaped<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for d in self.0 {
            write!(f, "{d}x")?;
        }
        write!(f, "{}", self.1)
    }
}
