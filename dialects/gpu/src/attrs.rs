//! Types, enumerations and constraints of the dialect.
//!
//! Enumerations whose upstream definition has no angle brackets of its own are spelled `#gpu<dim x>`, others
//! `#gpu.address_space<global>`.

use terrace_ir::{AttrForm, AttrKind, Context, EnumDef, Type, TypeKind};
use terrace_macros::dialect_type;

const fn angled(name: &'static str, cases: &'static [(&'static str, u64)]) -> EnumDef {
    EnumDef { name, cases, flags: false, separator: "" }
}

terrace_ir::attr_enums! {
    /// `x`, `y`, `z`
    pub Dimension = "gpu.dim", "a dimension, either 'x', 'y', or 'z'", spaced { X "x" 0, Y "y" 1, Z "z" 2 }
    /// How lanes are paired by `shuffle`
    pub ShuffleMode = "gpu.shuffle_mode", "Indexing modes supported by gpu.shuffle.", spaced {
        Xor "xor" 0, Up "up" 2, Down "down" 1, Idx "idx" 3,
    }
    /// Operator of a reduction
    pub AllReduceOperation = "gpu.all_reduce_op", "built-in reduction operations supported by gpu.allreduce.", spaced {
        Add "add" 0, Mul "mul" 1, MinUI "minui" 2, MinSI "minsi" 3, MinNumF "minnumf" 4, MaxUI "maxui" 5, MaxSI "maxsi" 6,
        MaxNumF "maxnumf" 7, And "and" 8, Or "or" 9, Xor "xor" 10, MinimumF "minimumf" 11, MaximumF "maximumf" 12,
    }
    /// Lane that `subgroup_broadcast` reads
    pub BroadcastType = "gpu.broadcast", "a lane to broadcast from", spaced {
        FirstActiveLane "first_active_lane" 0, SpecificLane "specific_lane" 1,
    }
    /// Operator of `subgroup_mma_elementwise`
    pub MmaElementwiseOp = "gpu.mma_element_wise", "elementwise operation to apply to mma matrix", spaced {
        AddF "addf" 0, MulF "mulf" 1, SubF "subf" 2, MaxF "maxf" 3, MinF "minf" 4, DivF "divf" 5, AddI "addi" 6,
        MulI "muli" 7, SubI "subi" 8, DivS "divs" 9, DivU "divu" 10, NegateF "negatef" 11, NegateS "negates" 12,
        ExtF "extf" 13,
    }
    /// Who shares a memory: the grid, a block, one thread
    pub AddressSpace = "gpu.address_space", "an address space", keyword {
        Global "global" 1, Workgroup "workgroup" 2, Private "private" 3,
    }
}

terrace_dialect_arith::combining!(AllReduceOperation);

const MAPPING: &[(&str, u64)] = &[
    ("x", 0),
    ("y", 1),
    ("z", 2),
    ("linear_dim_0", 3),
    ("linear_dim_1", 4),
    ("linear_dim_2", 5),
    ("linear_dim_3", 6),
    ("linear_dim_4", 7),
    ("linear_dim_5", 8),
    ("linear_dim_6", 9),
    ("linear_dim_7", 10),
    ("linear_dim_8", 11),
    ("linear_dim_9", 12),
];

/// `#gpu.block<x>`: a loop dimension is one of blocks
pub static MAP_BLOCK: EnumDef = angled("gpu.block", MAPPING);
/// `#gpu.warpgroup<x>`
pub static MAP_WARPGROUP: EnumDef = angled("gpu.warpgroup", MAPPING);
/// `#gpu.warp<x>`
pub static MAP_WARP: EnumDef = angled("gpu.warp", MAPPING);
/// `#gpu.thread<x>`
pub static MAP_THREAD: EnumDef = angled("gpu.thread", MAPPING);
/// `#gpu.lane<x>`
pub static MAP_LANE: EnumDef = angled("gpu.lane", MAPPING);
/// `#gpu.memory_space<global>`: a mapping to a memory
pub static MAP_MEMORY: EnumDef =
    angled("gpu.memory_space", &[("global", 1), ("workgroup", 2), ("private", 3)]);

/// Memory space of a memref, if it is one of the dialect's
pub fn space_of(cx: &Context, ty: Type) -> Option<AddressSpace> {
    match ty.kind(cx) {
        TypeKind::MemRef { space: Some(space), .. } | TypeKind::UnrankedMemRef { space: Some(space), .. } => {
            AddressSpace::of(cx, *space)
        }
        _ => None,
    }
}

/// What an asynchronous op gives, to be waited for
#[dialect_type("gpu.async.token")]
pub struct AsyncToken {}

fn is_number(cx: &Context, ty: Type) -> bool {
    ty.is_signless_int(cx) || ty.is_float(cx)
}

terrace_ir::type_rules! {
    /// `!gpu.async.token`
    Token "async token type", |cx, ty| AsyncToken::cast(cx, ty).is_some(), only AsyncToken::get;
    /// `index`, `i32` or `i64`
    LaunchIndex "index or 32-bit signless integer or 64-bit signless integer",
        |cx, ty| { let common = cx.common(); [common.index, common.i32, common.i64].contains(&ty) };
    /// Integer or float
    IntOrFloat "Integer or Float", is_number;
    /// Integer, float, or a vector of one dimension of them
    IntOrFloatOrVector "Integer or Float or fixed-length vector of Integer or Float values of ranks 1", |cx, ty| match ty.kind(cx) {
        TypeKind::Vector { shape, scalable: 0, elem } => shape.len() == 1 && is_number(cx, *elem),
        _ => is_number(cx, ty),
    };
    /// What `printf` prints
    Printed "integer or index or floating-point", |cx, ty| ty.is_int(cx) || ty.is_index(cx) || ty.is_float(cx);
    /// Unranked memref
    UnrankedMemRef "unranked.memref of any type values", |cx, ty| matches!(ty.kind(cx), TypeKind::UnrankedMemRef { .. });
    /// Bytes in a row
    ByteMemRef "1D memref of 8-bit signless integer values", |cx, ty| matches!(ty.kind(cx),
        TypeKind::MemRef { shape, elem, .. } if shape.len() == 1 && *elem == cx.common().i8);
}

terrace_ir::attr_rules! {
    /// Launch sizes that are known
    SizeHint "i32 dense array attribute with 3 elements (if present)", AttrForm::Full, |cx, attr| matches!(attr.kind(cx),
        AttrKind::DenseArray { elem, values } if *elem == cx.common().i32 && values.len() == 3);
    /// `i32`, at least 0
    NaturalAttr "32-bit signless integer attribute whose minimum value is 0", AttrForm::Bare(|cx| cx.common().i32),
        |cx, attr| attr.as_int(cx).is_some_and(|(value, ty)| ty == cx.common().i32 && value >= 0);
    /// `i32`, a power of two
    PowerOf2Attr "32-bit signless integer attribute whose value is a power of two > 0", AttrForm::Bare(|cx| cx.common().i32),
        |cx, attr| attr.as_int(cx).is_some_and(|(value, ty)| ty == cx.common().i32 && value > 0 && value & (value - 1) == 0);
}
