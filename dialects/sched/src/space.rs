//! Memory spaces: which levels may share a buffer (sched.md §2, "Visible").

use terrace_ir::{AttrKind, Context, Type, TypeKind};

/// A kind of memory
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Space {
    /// No space, or a cache of the host: sharing comes from the buffer's position
    Main,
    /// Registers of one thread
    Private,
    /// Memory of a block
    Shared,
    /// Memory of a cluster of blocks
    Cluster,
    /// Memory of a device
    Device,
    /// Memory on an FPGA's chip
    Chip,
}

impl Space {
    /// The space of a memref type
    pub fn of(cx: &Context, ty: Type) -> Space {
        let TypeKind::MemRef { space: Some(space), .. } = ty.kind(cx) else { return Space::Main };
        match space.kind(cx) {
            AttrKind::Enum { def, value } if def.name == "gpu.address_space" => match value {
                3 => Space::Private,
                2 => Space::Shared,
                _ => Space::Device,
            },
            AttrKind::Str { text, .. } => match cx.str(*text) {
                "reg" => Space::Private,
                "dsm" => Space::Cluster,
                "bram" => Space::Chip,
                _ => Space::Main,
            },
            _ => Space::Main,
        }
    }

    /// Levels whose iterations may use one buffer together
    pub fn sharers(self) -> &'static [&'static str] {
        match self {
            Space::Main => &["seq", "unroll", "vector", "task", "device", "pe"],
            Space::Private => &["seq", "unroll", "vector", "mma"],
            Space::Shared => &["seq", "unroll", "vector", "mma", "lane", "thread", "warp"],
            Space::Cluster => &["seq", "unroll", "vector", "lane", "thread", "warp", "block", "global"],
            Space::Device => {
                &["seq", "unroll", "vector", "mma", "lane", "thread", "warp", "block", "global", "cluster"]
            }
            Space::Chip => &["seq", "unroll", "vector", "pe"],
        }
    }

    /// As messages say it
    pub fn name(self) -> &'static str {
        match self {
            Space::Main => "main memory",
            Space::Private => "registers",
            Space::Shared => "a block's shared memory",
            Space::Cluster => "a cluster's memory",
            Space::Device => "device memory",
            Space::Chip => "on-chip memory",
        }
    }
}

/// The type without a space that only names a cache or registers of the host: what it is below `sched`
pub fn lowered(cx: &Context, ty: Type) -> Type {
    match ty.kind(cx) {
        TypeKind::MemRef { shape, elem, layout, space: Some(space) } if space.as_str(cx).is_some() => {
            cx.ty(TypeKind::MemRef { shape: shape.clone(), elem: *elem, layout: *layout, space: None })
        }
        _ => ty,
    }
}
