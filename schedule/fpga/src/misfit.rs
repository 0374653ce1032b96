//! Why a design is none.

use std::fmt;

/// Why there is no estimate
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Misfit {
    /// An extent that is none
    Extent(i64),
    /// Rows and columns that hold no window, or more than there is
    #[allow(missing_docs)]
    Buffer { rows: i64, columns: i64, window: i64, height: i64, width: i64 },
    /// Numbers beyond 64 bits, or no positive ones
    TooLarge,
    /// A parameter that is no positive number
    Parameter(&'static str, i64),
    /// Tiles, and kept dimensions, each of which has one
    Tiles(i64, i64),
    /// A parameter that does not divide what it is a part of
    Part(&'static str, i64, i64),
    /// Multipliers that are needed, and that there are
    Dsp(i64, i64),
    /// Blocks of memory that are needed, and that there are
    Bram(i64, i64),
}

impl fmt::Display for Misfit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Misfit::Extent(wrong) => write!(f, "an extent of {wrong} is none from 1 to 2^24"),
            Misfit::Buffer { rows, columns, window, height, width } => write!(
                f,
                "a buffer of {rows} rows and {columns} columns: rows are from {window} to {height}, columns from {window} to {width}"
            ),
            Misfit::TooLarge => f.write_str("the computation is too large to count, or has nothing to do"),
            Misfit::Parameter(name, wrong) => write!(f, "{name} is {wrong}; it is a number from 1 to 2^20"),
            Misfit::Tiles(given, kept) => {
                write!(f, "the number of tiles is {given}, of kept dimensions {kept}")
            }
            Misfit::Part(name, part, whole) => write!(f, "{name} is {part}, which does not divide {whole}"),
            Misfit::Dsp(wanted, there) => write!(f, "{wanted} multipliers are needed, there are {there}"),
            Misfit::Bram(wanted, there) => {
                write!(f, "{wanted} blocks of memory are needed, there are {there}")
            }
        }
    }
}

impl std::error::Error for Misfit {}
