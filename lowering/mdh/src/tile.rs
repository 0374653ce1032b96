//! Tiles as buffers: a footprint with memory of a region.

use crate::nest::{Done, Nest, State};
use terrace_devices::Region;
use terrace_dialect_sched::access::Access;
use terrace_ir::{Attr, Context, Value};
use terrace_schedule_model::apply::footprint::Footprint;
use terrace_support::affine::AffineExpr;

/// A buffer of a step
#[derive(Clone, Debug)]
pub struct Tile {
    /// The buffer
    pub memref: Value,
    /// What it holds
    pub of: Footprint,
}

/// Space of a region's buffers; `None` if it is no region of ours
pub fn space(cx: &Context, region: Region) -> Option<Attr> {
    let gpu = |value: u64, word: &str| match cx.enum_def("gpu.address_space") {
        Some(def) => cx.enum_attr(def, value),
        None => cx.str_attr(word),
    };
    match region {
        Region::Mm | Region::Dm | Region::Dev => None,
        Region::Cache(_) | Region::Reg => Some(cx.str_attr(&region.word().to_ascii_lowercase())),
        Region::Sm | Region::Shr => Some(gpu(2, "workgroup")),
        Region::Rm => Some(gpu(3, "private")),
    }
}

impl Nest<'_> {
    /// Where a tile holds what the loops placed so far reach
    pub(crate) fn inside_tile(&self, tile: &Footprint, exprs: &[AffineExpr], st: &State) -> Done<Access> {
        Ok(self.over(self.geometry.inside_tile(tile, exprs, &st.pos)?))
    }

    /// Where a tile's elements are in the buffer outside, or in a tile around
    pub(crate) fn base(&self, tile: &Footprint, outer: Option<&Footprint>, st: &State) -> Done<Access> {
        Ok(self.over(match outer {
            Some(outer) => self.geometry.base_in(tile, outer, &st.pos)?,
            None => self.geometry.base(tile, &st.pos)?,
        }))
    }
}
