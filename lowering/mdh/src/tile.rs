//! Tiles as buffers: a footprint with memory of a region.

use terrace_devices::Region;
use terrace_dialect_gpu::AddressSpace;
use terrace_ir::{Attr, Context, Value};
use terrace_schedule_model::apply::footprint::Footprint;

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
    match region {
        Region::Mm | Region::Dm | Region::Dev => None,
        Region::Cache(_) | Region::Reg => Some(cx.str_attr(&region.word().to_ascii_lowercase())),
        Region::Sm | Region::Shr => Some(AddressSpace::Workgroup.attr(cx)),
        Region::Rm => Some(AddressSpace::Private.attr(cx)),
    }
}
