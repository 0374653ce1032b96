//! Why the properties of a computation do not fit together.

use std::fmt;

/// A property that does not fit
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Misfit {
    /// `combine` and `dim_names` are not as long as `sizes`, of this length
    Rank(usize),
    /// A list has not one entry for each input
    PerInput {
        /// Name of the property
        list: &'static str,
        /// Number of inputs
        inputs: usize,
    },
    /// `intos` is not as long as `outs`
    Intos,
    /// A list has an entry of another kind
    Entry {
        /// Name of the property
        list: &'static str,
        /// What its entries are
        wanted: &'static str,
    },
    /// A size below 0
    Size {
        /// The size
        size: i64,
        /// Its dimension, from 1
        dim: usize,
    },
    /// A list names more values than there are operands
    TooFewOperands {
        /// Name of the property
        list: &'static str,
        /// What the values are
        of: &'static str,
    },
    /// A list names fewer values than there are operands
    TooManyOperands {
        /// Name of the property
        list: &'static str,
        /// What the values are
        of: &'static str,
    },
    /// As many outputs as results
    Results {
        /// Entries of `outs`
        outputs: usize,
        /// Results of the op
        results: usize,
    },
}

impl Misfit {
    /// A list has an entry of another kind
    pub(crate) fn entry(list: &'static str, wanted: &'static str) -> Misfit {
        Misfit::Entry { list, wanted }
    }
}

impl fmt::Display for Misfit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Misfit::Rank(rank) => {
                write!(f, "`combine` and `dim_names` must have {rank} entries, as many as `sizes`")
            }
            Misfit::PerInput { list, inputs } => {
                write!(f, "`{list}` must have {inputs} entries, one for each input")
            }
            Misfit::Intos => f.write_str("`intos` must have as many entries as `outs`"),
            Misfit::Entry { list, wanted } => write!(f, "`{list}` has an entry that is no {wanted}"),
            Misfit::Size { size, dim } => write!(f, "size {size} of dimension {dim} is negative"),
            Misfit::TooFewOperands { list, of } => {
                write!(f, "`{list}` names more {of} than there are operands")
            }
            Misfit::TooManyOperands { list, of } => write!(f, "there are more {of} than `{list}` names"),
            Misfit::Results { outputs, results } => write!(f, "{outputs} outputs, but {results} results"),
        }
    }
}

impl std::error::Error for Misfit {}
