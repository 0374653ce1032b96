//! Affine expressions, maps and integer sets, as MLIR's text spells them.
//!
//! [`AffineExpr`] is an immutable shared tree over dimensions, symbols and constants. The constructors simplify exactly
//! as far as upstream's do, so that a map printed by `mlir-opt` and built again here prints as the same text.
//! [`AffineMap`] and [`IntegerSet`] are vectors of expressions with their numbers of dimensions and symbols.
//!
//! Limits: callers that build from untrusted input keep [`AffineExpr::depth`] at or below [`MAX_DEPTH`] (a parser
//! reports an error beyond it); walks recurse at most that deep. [`AffineMap::compose`] and the substitutions refuse
//! results beyond [`MAX_DEPTH`] or [`MAX_SIZE`] themselves. Arithmetic is checked: what would overflow is not folded.
//!
//! Not here: parsing (the text crate reads affine text with its own tokens), and any reasoning that needs ranges
//! (`terrace_analysis::index`).

mod expr;
mod linear;
mod map;
mod print;
mod set;
mod simplify;
mod within;

pub use expr::{AffineBinary, AffineExpr, AffineKind, MAX_DEPTH, MAX_SIZE};
pub use linear::{Linear, in_rows};
pub use map::AffineMap;
pub use set::IntegerSet;
