//! Why a computation does not fit together

use std::fmt;
use terrace_dialect_mdh::schedule::ScheduleError;

/// What is wrong with a program of [`super::Program`], or with what a builder was given
#[derive(Clone, Debug)]
pub enum ModelError {
    /// A size that follows from index functions and is not a number
    OpenSize(String),
    /// Accesses of a tensor with different numbers of dimensions
    Ranks {
        /// Name of the tensor
        tensor: String,
        /// Dimensions in one place
        first: usize,
        /// Dimensions in another
        second: usize,
    },
    /// A tensor all of whose accesses have a value for what lies outside
    NoShape(String),
    /// An access with other dimensions than the tensor
    Access {
        /// Name of the tensor
        tensor: String,
        /// Dimensions of the tensor
        rank: usize,
        /// Dimensions of the access
        found: usize,
    },
    /// An index function of more dimensions than there are
    IndexFunction,
    /// A tensor without a declaration
    Undeclared(String),
    /// A tensor that is read before it has a value
    ReadFirst(String),
    /// A text that is not an expression
    NotExpression(String),
    /// An expression that is not affine in the dimensions
    NotAffine(String),
    /// An expression that is not a condition on dimensions
    NotCondition(String),
    /// A word that is not an operator
    NotOperator(String),
    /// A tensor with two element types
    TwoTypes(String),
    /// Values that are not one per access of an output
    Values {
        /// Values that are given
        given: usize,
        /// Accesses of outputs
        wanted: usize,
    },
    /// An input that is not there
    NoInput {
        /// Number in the scalar function
        arg: usize,
        /// Inputs that are there
        inputs: usize,
    },
    /// A dimension that is not there
    NoDim {
        /// Number in the scalar function
        index: usize,
        /// Dimensions that are there
        dims: usize,
    },
    /// A size that is not there
    NoSize {
        /// Number of the size
        size: usize,
        /// Sizes that are there
        sizes: usize,
    },
    /// A step of a builder that comes before what it belongs to
    Before {
        /// The step
        step: &'static str,
        /// What it belongs to
        of: &'static str,
    },
    /// A schedule that cannot be read or does not fit
    Schedule(ScheduleError),
}

impl fmt::Display for ModelError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::OpenSize(name) => write!(f, "the size of {name} is not a number"),
            Self::Ranks { tensor, first, second } => {
                write!(f, "{tensor} has {first} dimensions in one place, {second} in another")
            }
            Self::NoShape(name) => {
                write!(f, "the shape of {name} is not known: every access has an `else`")
            }
            Self::Access { tensor, rank, found } => write!(f, "{tensor} has {rank} dimensions, not {found}"),
            Self::IndexFunction => f.write_str("an index function uses more than it has"),
            Self::Undeclared(name) => write!(f, "{name} is not declared"),
            Self::ReadFirst(name) => write!(f, "{name} is read before it is written"),
            Self::NotExpression(text) => write!(f, "`{text}` is no expression"),
            Self::NotAffine(text) => write!(f, "`{text}` is not affine in the dimensions"),
            Self::NotCondition(text) => write!(f, "`{text}` is no condition on dimensions"),
            Self::NotOperator(word) => write!(f, "`{word}` is no operator"),
            Self::TwoTypes(name) => write!(f, "{name} has two types"),
            Self::Values { given, wanted } => write!(f, "{given} values for {wanted} accesses of outputs"),
            Self::NoInput { arg, inputs } => {
                write!(f, "arg({arg}): there are {inputs} inputs, counted from 0")
            }
            Self::NoDim { index, dims } => {
                write!(f, "index({index}): there are {dims} dimensions, counted from 0")
            }
            Self::NoSize { size, sizes } => {
                write!(f, "size {size}: there are {sizes} sizes, counted from 0")
            }
            Self::Before { step, of } => write!(f, "`{step}` is for the {of} before it"),
            Self::Schedule(error) => write!(f, "D-SCHEDULE: {error}"),
        }
    }
}

impl std::error::Error for ModelError {}
