//! Memory spaces as types of memrefs name them.

use terrace_devices::Space;
use terrace_ir::{AttrKind, Context, Type, TypeKind};

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

/// The type without a space that only names a cache or registers of the host: what it is below `sched`
pub fn lowered(cx: &Context, ty: Type) -> Type {
    match ty.kind(cx) {
        TypeKind::MemRef { shape, elem, layout, space: Some(space) } if space.as_str(cx).is_some() => {
            cx.ty(TypeKind::MemRef { shape: shape.clone(), elem: *elem, layout: *layout, space: None })
        }
        _ => ty,
    }
}
