//! Where the memory behind a value comes from: what two views of memory may have in common.

use terrace_dialect_builtin::marks::NOALIAS;
use terrace_dialect_gpu as gpu;
use terrace_dialect_memref as memref;
use terrace_ir::{Attr, Ir, OpDef, OpId, Traits, Type, TypeKind, Value, ValueDef};

/// Where the memory behind a value comes from
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Origin {
    /// No memory
    None,
    /// An allocation that only its own result names
    Fresh(Value),
    /// An argument that promises that no other pointer reaches its memory
    Alone(Value),
    /// An argument
    Argument(Value),
    /// Anything
    Unknown,
}

impl Origin {
    /// Certainly other memory?
    pub(crate) fn apart(self, other: Origin) -> bool {
        use Origin::{Alone, Argument, Fresh};
        match (self, other) {
            (Origin::None, _) | (_, Origin::None) => true,
            (Fresh(a) | Alone(a), Fresh(b) | Alone(b)) => a != b,
            // What was there before is nothing that is allocated here, nor what is only named by its own argument.
            (Fresh(_) | Alone(_), Argument(_)) | (Argument(_), Fresh(_) | Alone(_)) => true,
            // What a loop carries or a call gives may be any of them.
            _ => false,
        }
    }
}

pub(crate) fn is_buffer(ir: &Ir, ty: Type) -> bool {
    matches!(ty.kind(ir.cx()), TypeKind::MemRef { .. } | TypeKind::UnrankedMemRef { .. })
}

/// The operand whose memory this result is another view of
pub(crate) fn viewed(ir: &Ir, op: OpId, result: u32) -> Option<Value> {
    let first = ir.has(op, Traits::ViewLike) || ir.is(op, memref::ExtractStridedMetadata::DEF) && result == 0;
    let n = match first {
        true => 0,
        false if ir.is(op, memref::DistinctObjects::DEF) => result as usize,
        false => return None,
    };
    (n < ir.num_operands(op)).then(|| ir.operand(op, n))
}

/// The value that a view is of, through all views
fn root(ir: &Ir, mut value: Value) -> Value {
    while let Some(ValueDef::Result(op, n)) = ir.value_def(value) {
        match viewed(ir, op, n) {
            Some(of) => value = of,
            None => break,
        }
    }
    value
}

/// Says an argument of the unit's function this?
pub(crate) fn says(ir: &Ir, arg_attrs: Option<Attr>, n: usize, name: &str) -> bool {
    let dict = arg_attrs.and_then(|all| all.as_array(ir.cx())?.get(n)?.as_dict(ir.cx()));
    dict.is_some_and(|dict| terrace_ir::attrs::dict_get(ir.cx(), dict, name).is_some())
}

/// Ops whose result is memory that nothing else names
const ALLOCATIONS: [&OpDef; 4] =
    [memref::Alloc::DEF, memref::Alloca::DEF, gpu::Alloc::DEF, gpu::DynamicSharedMemory::DEF];

pub(crate) fn origin(ir: &Ir, value: Value) -> Origin {
    if !is_buffer(ir, ir.ty(value)) {
        return Origin::None;
    }
    let value = root(ir, value);
    match ir.value_def(value) {
        Some(ValueDef::Result(op, _)) if ir.is_any(op, &ALLOCATIONS) => Origin::Fresh(value),
        Some(ValueDef::Result(..)) => Origin::Unknown,
        _ => match argument(ir, value) {
            Some(n) => {
                let attrs = ir.attr(ir.root(), "arg_attrs");
                if says(ir, attrs, n, NOALIAS) { Origin::Alone(value) } else { Origin::Argument(value) }
            }
            None => Origin::Unknown,
        },
    }
}

/// The number of an argument of the unit's function
pub(crate) fn argument(ir: &Ir, value: Value) -> Option<usize> {
    let entry = ir.regions(ir.root()).next().and_then(|region| ir.entry(region))?;
    ir.block_args(entry).iter().position(|arg| *arg == value)
}
