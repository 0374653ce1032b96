//! Ops without a function: layout of arrays, tuples, vectors, places.
//!
//! Each file has a few ops, and next to each op its types, its values, its index maps and its text.

mod blocks;
mod orders;
mod places;
mod tuples;
mod windows;

pub use blocks::{AsScalar, AsVector, Join, Split, Transpose};
pub use orders::{Concat, Gather, Reorder, Scatter};
pub use places::{ByAttr, Cast, Place, private, size_pairs};
pub use tuples::{At, Get, Single, Tuple, Unzip, Zip};
pub use windows::{PADS, Pad, PadAttr, Slice, Slide};
