//! `affine`: loops, conditions and accesses whose bounds and indices are affine in loop variables and symbols.
//!
//! An affine map takes two lists of values: dimensions, in parentheses, and symbols, in brackets. What may be which is in
//! [`valid`]. Values of index arithmetic that leave 64 bits or divide by zero are poison. Files: values (`apply min max`),
//! loops, conditions, memory, indices (`delinearize_index linearize_index`); `rules` composes maps and makes them simple.

pub mod conditions;
mod flow;
pub mod indices;
mod interp;
pub mod loops;
pub mod memory;
pub mod parallel;
mod parts;
pub mod rules;
pub mod valid;
pub mod values;

pub use conditions::*;
pub use indices::*;
pub use loops::*;
pub use memory::*;
pub use parallel::*;
pub use values::*;

use terrace_ir::{AttrForm, AttrKind};
use terrace_macros::dialect;

terrace_ir::attr_rules! {
    /// `affine_set<…>`
    IntegerSetAttr "IntegerSet attribute", AttrForm::Full, |cx, attr| matches!(attr.kind(cx), AttrKind::IntegerSet(_));
}

dialect! {
    /// Affine loops and index arithmetic
    pub AFFINE = "affine" {
        ops: [
            Apply, DelinearizeIndex, For, If, LinearizeIndex, Load, Max, Min, Parallel, Prefetch, Store, VectorLoad,
            VectorStore, Yield,
        ],
        materialize: terrace_dialect_arith::materialize,
    }
}
