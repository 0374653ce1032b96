//! Why an op of `linalg` cannot be read, in upstream's words where upstream has some.

use std::fmt;

/// Why an op has no form or no body
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum NoForm {
    /// Something that every such op has is missing
    Incomplete,
    /// An op without maps and body, which `linalg.generic` could say
    Unknown,
    /// An index function over iterators that are not there
    Rank,
    /// An iterator that neither runs in parallel nor reduces
    Iterator,
    /// Attributes that must be maps are not
    Maps,
    /// Another number of maps than operands
    MapCount {
        /// Maps
        maps: usize,
        /// Inputs and outputs
        operands: usize,
    },
    /// The map of this operand is none
    NoMap(usize),
    /// The map of this operand has symbols
    Symbols(usize),
    /// The map of this operand is over another number of iterators
    MapRank {
        /// Operand
        map: usize,
        /// Number of iterators
        loops: usize,
    },
    /// The map of this operand is not one that the op may have
    MapOf(usize, OwnMap),
    /// The order of dimensions is no permutation
    Permutation,
    /// Another number of operands than this
    Operands(usize),
    /// A list of steps of another length
    Steps {
        /// Name of the attribute
        name: String,
        /// Length that it must have
        windows: usize,
    },
    /// Dialects of which bodies are made are not registered
    NotRegistered,
    /// Elements of this type are no numbers
    Element(String),
    /// The function is one of floats
    NotNumeric,
    /// Unsigned division of floats
    UnsignedDivision,
}

/// How the map of an operand differs from those that the op may have
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum OwnMap {
    /// It uses iterators of other operands
    Foreign,
    /// The output lacks an iterator
    OutputPart,
    /// It lacks an iterator that is summed up
    Folded,
}

impl fmt::Display for NoForm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NoForm::Incomplete => f.write_str("is not whole"),
            NoForm::Unknown => f.write_str("has no form of its own; `linalg.generic` says it"),
            NoForm::Rank => f.write_str("an index function uses more iterators than there are"),
            NoForm::Iterator => f.write_str("expected iterators to be parallel or reduction"),
            NoForm::Maps => f.write_str("expected affine maps"),
            NoForm::MapCount { maps, operands } => write!(
                f,
                "expected the number of indexing_map ({maps}) to be equal to the number of input/output operands ({operands})"
            ),
            NoForm::NoMap(n) => write!(f, "expected indexing_map #{n} to be an affine map"),
            NoForm::Symbols(n) => write!(f, "unexpected symbols in indexing_map #{n}"),
            NoForm::MapRank { map, loops } => {
                write!(f, "expected indexing_map #{map} to have {loops} dim(s) to match the number of loops")
            }
            NoForm::MapOf(n, why) => write!(f, "indexing_map #{n} {why}"),
            NoForm::Permutation => f.write_str("permutation is not valid"),
            NoForm::Operands(count) => write!(f, "expected {count} operands"),
            NoForm::Steps { name, windows } => write!(
                f,
                "incorrect element type for index attribute '{name}': expected {windows} numbers of i64"
            ),
            NoForm::NotRegistered => {
                f.write_str("has a body of ops of `arith` and `math`, which are not registered")
            }
            NoForm::Element(ty) => write!(f, "has no body for elements of {ty}"),
            NoForm::NotNumeric => f.write_str("unsupported non numeric type"),
            NoForm::UnsignedDivision => f.write_str("unsupported operation: unsigned div not on uint"),
        }
    }
}

impl fmt::Display for OwnMap {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            OwnMap::Foreign => "uses other iterators than the op's own",
            OwnMap::OutputPart => "leaves an iterator of the output out",
            OwnMap::Folded => "leaves an iterator out that is summed up",
        })
    }
}

impl std::error::Error for NoForm {}
