//! Why the header of a `.npy` file cannot be read

use std::fmt;

/// What is wrong with a header
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum HeaderError {
    /// The file has fewer than eight bytes
    Short,
    /// Other letters at the start
    Magic,
    /// A format version that we do not know
    Version(u8),
    /// The file ends before its header does
    Cut,
    /// The header is longer than any array's
    Length(usize),
    /// The header is not UTF-8
    NotText,
    /// A key that the format does not have
    UnknownKey(String),
    /// Text after the closing brace
    Trailing,
    /// A key that every header has
    NoKey(&'static str),
    /// A token that must come next
    Token(&'static str),
    /// No string where one must come
    NoString,
    /// A string without an end
    OpenString,
    /// A field that is a record
    Nested(String),
    /// A field that is an array
    ArrayField(String),
    /// A record without fields
    NoFields,
    /// An extent that is no number of 64 bits
    Extent(String),
}

impl fmt::Display for HeaderError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Short => f.write_str("it is too short"),
            Self::Magic => f.write_str("it does not start with the letters of a .npy file"),
            Self::Version(version) => write!(f, "format version {version} is unknown"),
            Self::Cut => f.write_str("it ends within its header"),
            Self::Length(bytes) => write!(f, "its header claims {bytes} bytes"),
            Self::NotText => f.write_str("its header is not text"),
            Self::UnknownKey(key) => write!(f, "its header has an unknown key '{key}'"),
            Self::Trailing => f.write_str("its header goes on after the closing brace"),
            Self::NoKey(key) => write!(f, "its header has no '{key}'"),
            Self::Token(token) => write!(f, "its header lacks `{token}`"),
            Self::NoString => f.write_str("its header lacks a quoted word"),
            Self::OpenString => f.write_str("its header has an open quote"),
            Self::Nested(name) => write!(f, "its field '{name}' is a record of its own"),
            Self::ArrayField(name) => write!(f, "its field '{name}' is an array"),
            Self::NoFields => f.write_str("its records have no fields"),
            Self::Extent(number) => write!(f, "its shape has `{number}` for an extent"),
        }
    }
}

impl std::error::Error for HeaderError {}
