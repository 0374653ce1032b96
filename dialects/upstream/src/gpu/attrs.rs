//! Types, enumerations and constraints of the dialect.
//!
//! Enumerations whose upstream definition has no angle brackets of its own are spelled `#gpu<dim x>`, others
//! `#gpu.address_space<global>`.

use terrace_ir::{Attr, AttrForm, AttrKind, Context, EnumDef, Type, TypeKind};
use terrace_macros::dialect_type;

const fn bare(name: &'static str, cases: &'static [(&'static str, u64)]) -> EnumDef {
    EnumDef { name, cases, flags: false, separator: " " }
}

const fn angled(name: &'static str, cases: &'static [(&'static str, u64)]) -> EnumDef {
    EnumDef { name, cases, flags: false, separator: "" }
}

/// `x`, `y`, `z`
pub static DIM: EnumDef = bare("gpu.dim", &[("x", 0), ("y", 1), ("z", 2)]);

/// How lanes are paired by `shuffle`
pub static SHUFFLE_MODE: EnumDef =
    bare("gpu.shuffle_mode", &[("xor", 0), ("up", 2), ("down", 1), ("idx", 3)]);

/// Operator of a reduction
pub static ALL_REDUCE_OP: EnumDef = bare(
    "gpu.all_reduce_op",
    &[
        ("add", 0),
        ("mul", 1),
        ("minui", 2),
        ("minsi", 3),
        ("minnumf", 4),
        ("maxui", 5),
        ("maxsi", 6),
        ("maxnumf", 7),
        ("and", 8),
        ("or", 9),
        ("xor", 10),
        ("minimumf", 11),
        ("maximumf", 12),
    ],
);

/// Lane that `subgroup_broadcast` reads
pub static BROADCAST: EnumDef = bare("gpu.broadcast", &[("first_active_lane", 0), ("specific_lane", 1)]);

/// Operator of `subgroup_mma_elementwise`
pub static MMA_ELEMENT_WISE: EnumDef = bare(
    "gpu.mma_element_wise",
    &[
        ("addf", 0),
        ("mulf", 1),
        ("subf", 2),
        ("maxf", 3),
        ("minf", 4),
        ("divf", 5),
        ("addi", 6),
        ("muli", 7),
        ("subi", 8),
        ("divs", 9),
        ("divu", 10),
        ("negatef", 11),
        ("negates", 12),
        ("extf", 13),
    ],
);

/// Who shares a memory: the grid, a block, one thread
pub static ADDRESS_SPACE: EnumDef =
    angled("gpu.address_space", &[("global", 1), ("workgroup", 2), ("private", 3)]);

/// Value of `workgroup` in [`ADDRESS_SPACE`]
pub const WORKGROUP: u64 = 2;
/// Value of `private` in [`ADDRESS_SPACE`]
pub const PRIVATE: u64 = 3;

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

/// `#gpu.address_space<…>` of this value
pub fn address_space(cx: &Context, space: u64) -> Attr {
    cx.enum_attr(&ADDRESS_SPACE, space)
}

/// Value in [`ADDRESS_SPACE`] of a memref's memory space, if it is one of these
pub fn space_of(cx: &Context, ty: Type) -> Option<u64> {
    match ty.kind(cx) {
        TypeKind::MemRef { space: Some(space), .. } | TypeKind::UnrankedMemRef { space: Some(space), .. } => {
            space.as_enum(cx, &ADDRESS_SPACE)
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

fn case(cx: &Context, attr: Attr, def: &'static EnumDef) -> bool {
    attr.as_enum(cx, def).is_some()
}

terrace_ir::attr_rules! {
    /// `x`, `y`, `z`
    DimAttr "a dimension, either 'x', 'y', or 'z'", AttrForm::Enum(&DIM), |cx, attr| case(cx, attr, &DIM);
    /// Shuffle mode
    ShuffleModeAttr "Indexing modes supported by gpu.shuffle.", AttrForm::Enum(&SHUFFLE_MODE), |cx, attr| case(cx, attr, &SHUFFLE_MODE);
    /// Operator of a reduction
    AllReduceOpAttr "built-in reduction operations supported by gpu.allreduce.", AttrForm::Enum(&ALL_REDUCE_OP), |cx, attr| case(cx, attr, &ALL_REDUCE_OP);
    /// Lane that is read
    BroadcastAttr "a lane to broadcast from", AttrForm::Enum(&BROADCAST), |cx, attr| case(cx, attr, &BROADCAST);
    /// Operator on matrices
    MmaElementWiseAttr "elementwise operation to apply to mma matrix", AttrForm::Enum(&MMA_ELEMENT_WISE), |cx, attr| case(cx, attr, &MMA_ELEMENT_WISE);
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
