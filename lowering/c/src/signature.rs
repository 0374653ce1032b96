//! What a printed function takes: for whoever calls or launches it.

use crate::types::Scalar;
use terrace_ir::Type;

/// Which part of an argument of the IR's function a C parameter is
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Part {
    /// A number or a vector
    Value,
    /// Pointer to the allocation; as upstream, not used
    Allocated,
    /// Pointer to the elements
    Pointer,
    /// Elements before the first one
    Offset,
    /// Size of this dimension
    Size(usize),
    /// Elements from one to the next of this dimension
    Stride(usize),
}

/// A C parameter
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Param {
    /// Number of the argument of the IR's function
    pub arg: usize,
    /// Which part of it
    pub part: Part,
    /// Type of the number, of the lanes of vectors, of the elements for pointers
    pub ty: Scalar,
    /// Name in the text
    pub name: String,
}

/// A function of the text
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Signature {
    /// Symbol in the IR; of kernels, with the module: `module::kernel`
    pub symbol: String,
    /// Name in the text
    pub name: String,
    /// A kernel that is launched, not a function that is called
    pub kernel: bool,
    /// Visible from outside of the text
    pub public: bool,
    /// Parameters in order
    pub params: Vec<Param>,
    /// Result types of the IR's function
    pub results: Vec<Type>,
}
