//! `array`: functional array patterns whose types know symbolic sizes, the level above `sched`.
//!
//! Everything is a value; layout ops are views that neither load nor store. Sizes are in a normal form, so that the types of
//! `join` after `split` agree without casts. What an op needs of sizes is proved, refuted or left open ([`size`]).
//!
//! Invariant: sizes in types and properties are strings in canonical form, so that equal types are equal handles.

mod attributes;
pub mod codes;
mod interp;
pub mod layout;
pub mod levels;
pub mod macros;
pub mod make;
pub mod misfit;
pub mod names;
pub mod nat_text;
pub mod obligations;
pub mod patterns;
pub mod size;
mod spellings;
pub mod substitute;
mod syntax;
pub mod tensors;
pub mod threads;
pub mod types;
mod views;

pub use macros::{
    Crop, CropNd, Dot, Drop, JoinNd, Let, Map2, MapNd, PadNd, ReduceNd, SlideNd, SplitNd, Take, TransposeNd,
    ZipNd,
};
pub use misfit::Misfit;
pub use obligations::{Open, obligations};
pub use patterns::{Fold, Generate, Iterate, Map, Reduce, Scan, Yield};
pub use views::*;

use terrace_macros::dialect;

dialect! {
    /// Functional array patterns
    pub ARRAY = "array" {
        ops: [
            AsScalar, AsVector, At, Cast, Concat, Crop, CropNd, Dot, Drop, Fold, FromTensor, Gather, Generate, Get, Iterate, Join, JoinNd, Let, Map, Map2,
            MapNd, Pad, PadNd, Place, Reduce, ReduceNd, Reorder, Scan, Scatter, Single, Slice, Slide, SlideNd, Split, SplitNd, Take,
            ToTensor, Transpose, TransposeNd, Tuple, Unzip, Yield, Zip, ZipNd
        ],
        types: [Lanes, Of],
        attrs: [NatValue],
        verify_attr: attributes::verify
    }
}

use nat_text::NatValue;
use tensors::{FromTensor, ToTensor};
use types::{Lanes, Of};

/// All dialects of this crate
pub static ALL: &[&terrace_ir::Dialect] = &[&ARRAY];
