//! Float ops that no target has become others: small floats are integers of their bits, casts in a rounding mode a cast and a
//! step, as upstream's `arith-expand` and `arith-emulate-unsupported-floats` do together (modes apart).
//!
//! | op | becomes |
//! |---|---|
//! | `arith.extf truncf` from or to a small float | arithmetic on integers of 32 or 64 bits |
//! | `arith.scaling_extf scaling_truncf` of any floats | the casts and one product or quotient |
//! | `arith.truncf` in a rounding mode | the cast to nearest, and a step to the neighbor where the mode wants it |
//! | other elementwise ops of `arith` and `math` on small floats | the op in f32 (f64 where that rounds twice), rounded once |
//! | `arith.constant bitcast`, and what only moves values | the same on integers |
//!
//! Small floats are all formats of 4, 6 and 8 bits, and tf32. Each becomes the integer of the fewest whole bytes, a power of
//! two, its bits lowest and zeros above: so in memory too an element of 4 or 6 bits has a byte of its own, as an element has
//! in the interpreter. What would see that elements are bytes (`memref.view`, `vector.bitcast` of formats that do not fill
//! theirs) is refused, as is what combines values of small floats without having a meaning on bits (reductions, products of
//! vectors, atomics).
//!
//! Numbers are the interpreter's: rounded once, to nearest even; too large is infinity, NaN, or the largest number, whichever
//! the format has first; NaN is the positive quiet one. Upstream's expansion differs for `f8E8M0FNU` (decision 0012).
//!
//! - [`types`]: types and attributes. [`numbers`]: one value from format to format. [`rounding`]: modes other than to nearest.

mod numbers;
mod rounding;
mod types;

use crate::codes;
use numbers::Emit;
use std::collections::VecDeque;
use std::fmt;
use terrace_diag::Reported;
use terrace_dialect_arith as arith;
use terrace_dialect_gpu as gpu;
use terrace_dialect_math as math;
use terrace_dialect_memref as memref;
use terrace_dialect_vector as vector;
use terrace_ir::ir::ValueMap;
use terrace_ir::{Context, FloatKind, Ir, OpDef, OpId, Traits, Type, TypeKind, Value};
use terrace_macros::pass;
use terrace_pass::{Pass, PassCx};
use types::{Types, on_tensors, small};

/// Floats of at most 8 bits, and `tf32`, become integers; casts with a scale or in a rounding mode become plain ones
///
/// Ops on small floats are made on wider ones, with conversions in integer arithmetic. After it no value is of a small float
/// type, and every cast rounds to nearest even.
#[pass("expand-floats", scope = tree, stats("ops expanded"))]
pub struct ExpandFloats;

impl Pass for ExpandFloats {
    fn run(&self, cx: &mut PassCx<'_>, unit: &mut Ir) -> Result<(), Reported> {
        let mut types = Types::new(unit.cx_arc().clone());
        let mut changed = false;
        // All units at once, since symbols and what refers to them change together; with a list, since they nest.
        let mut pending: VecDeque<&mut Ir> = VecDeque::from([unit]);
        while let Some(unit) = pending.pop_front() {
            changed |= run_on(cx, &mut types, unit)?;
            pending.extend(unit.children_mut());
        }
        cx.set_changed(changed);
        Ok(())
    }
}

/// Expand what is in one unit; was there anything?
fn run_on(cx: &mut PassCx<'_>, types: &mut Types, unit: &mut Ir) -> Result<bool, Reported> {
    let mut works = Vec::new();
    let mut touched = false;
    for op in std::iter::once(unit.root()).chain(unit.walk()) {
        match plan(unit, types, op) {
            Ok(Plan::Nothing) => {}
            Ok(Plan::Move) => touched = true,
            Ok(Plan::Expand(work)) => works.push(work),
            Err(error) => return cx.fail(unit, op, &codes::SMALL_FLOAT, error.to_string()),
        }
    }
    touched |= !works.is_empty();
    cx.count("ops expanded", works.len() as u64);
    if touched {
        types.convert(unit);
        works.into_iter().for_each(|work| expand(unit, &work));
    }
    Ok(touched)
}

/// Why an op on small floats cannot be expanded; completes "`op` …"
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum NotExpanded {
    /// A rounding mode for a wide result
    Mode,
    /// A float wider than those it would be made on
    Wide,
    /// An integer that no float holds exactly
    RoundsTwice,
    /// An op that does not only move bits
    NotBits,
    /// An atomic update that computes
    Atomic,
    /// Elements that do not fill their bytes, seen as bytes
    Bytes(FloatKind),
}

impl fmt::Display for NotExpanded {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Mode => "rounds to nearest even only where the result is a small float",
            Self::Wide => "has a float of more than 64 bits",
            Self::RoundsTwice => "rounds twice: integers of more than 53 bits have no exact float on the way",
            Self::NotBits => {
                "has no meaning on the bits of a small float: widen its operands with 'arith.extf'"
            }
            Self::Atomic => "combines small floats in memory: only 'assign' means the same on bits",
            Self::Bytes(kind) => {
                let elem = kind.word();
                return write!(f, "sees bytes, and an element of {elem} does not fill the one it has");
            }
        })
    }
}

impl std::error::Error for NotExpanded {}

/// What to do with an op
enum Plan {
    /// No small float is near
    Nothing,
    /// It keeps its form, with other types
    Move,
    /// It is replaced
    Expand(Work),
}

/// An op to replace, with its types from before
struct Work {
    op: OpId,
    operands: Vec<Type>,
    /// The only result's
    result: Type,
}

fn plan(ir: &Ir, types: &mut Types, op: OpId) -> Result<Plan, NotExpanded> {
    let scaling = ir.is(op, arith::ScalingExtF::DEF) || ir.is(op, arith::ScalingTruncF::DEF);
    if on_tensors(ir, op) {
        return Ok(Plan::Nothing);
    }
    let mode = mode(ir, op);
    if !scaling && mode == 0 && !types.concerns(ir, op) {
        return Ok(Plan::Nothing);
    }
    let work = || Work {
        op,
        operands: ir.operands(op).map(|value| ir.ty(value)).collect(),
        result: ir.ty(ir.result(op, 0)),
    };
    if scaling || COMPUTED.iter().any(|def| ir.is(op, def)) || is_elementwise(ir, op) {
        let to = ir.ty(ir.result(op, 0));
        if mode != 0 && small(ir.cx(), to).is_some() {
            return Err(NotExpanded::Mode);
        }
        let exotic = |ty: Type| {
            matches!(ty.scalar(ir.cx()).kind(ir.cx()), TypeKind::Float(FloatKind::F80 | FloatKind::F128))
        };
        if ir.operands(op).chain(ir.results(op)).any(|value| exotic(ir.ty(value))) {
            return Err(NotExpanded::Wide);
        }
        let integer = ir.operands(op).find_map(|value| integer_width(ir.cx(), ir.ty(value)));
        if integer.is_some_and(|width| width > 53) && is_wide_range(ir.cx(), to) {
            return Err(NotExpanded::RoundsTwice);
        }
        return Ok(Plan::Expand(work()));
    }
    moves(ir, op).map(|()| Plan::Move)
}

/// Rounding mode of a cast, 0 for to nearest even
fn mode(ir: &Ir, op: OpId) -> i64 {
    ir.attr(op, "roundingmode").and_then(|mode| mode.as_i64(ir.cx())).unwrap_or(0)
}

/// Ops on small floats that become others, the elementwise ones apart
const COMPUTED: [&OpDef; 3] = [arith::ExtF::DEF, arith::TruncF::DEF, arith::Bitcast::DEF];

/// Computes each element from those at its place, so that wider floats can do it
fn is_elementwise(ir: &Ir, op: OpId) -> bool {
    let dialect = ir.op_name(op).split('.').next();
    let own = [arith::ARITH.name, math::MATH.name].iter().any(|name| dialect == Some(*name));
    own && ir.num_results(op) == 1
        && ir.num_operands(op) > 0
        && !ir.is(op, arith::Select::DEF)
        && ir.has(op, Traits::Elementwise)
}

/// Width of an integer or index, or of a vector's
fn integer_width(cx: &Context, ty: Type) -> Option<u32> {
    let elem = ty.scalar(cx);
    (!elem.is_float(cx)).then(|| elem.bit_width(cx)).flatten()
}

/// Has the format numbers beyond those that f32 holds every integer up to?
fn is_wide_range(cx: &Context, ty: Type) -> bool {
    matches!(small(cx, ty), Some(FloatKind::F8E8M0FNU | FloatKind::TF32))
}

/// Dialects whose ops only move values, or only hold what does
const MOVERS: [&str; 8] = ["affine", "arith", "builtin", "cf", "func", "memref", "scf", "ub"];
/// Ops of other dialects that only move values
const MOVING: [&OpDef; 36] = [
    gpu::Alloc::DEF,
    gpu::Dealloc::DEF,
    gpu::Func::DEF,
    gpu::Launch::DEF,
    gpu::LaunchFunc::DEF,
    gpu::Memcpy::DEF,
    gpu::Memset::DEF,
    gpu::Module::DEF,
    gpu::Return::DEF,
    vector::BitCast::DEF,
    vector::Broadcast::DEF,
    vector::CompressStore::DEF,
    vector::Deinterleave::DEF,
    vector::ExpandLoad::DEF,
    vector::Extract::DEF,
    vector::ExtractStridedSlice::DEF,
    vector::FromElements::DEF,
    vector::Gather::DEF,
    vector::Insert::DEF,
    vector::InsertStridedSlice::DEF,
    vector::Interleave::DEF,
    vector::Load::DEF,
    vector::MaskOp::DEF,
    vector::MaskedLoad::DEF,
    vector::MaskedStore::DEF,
    vector::ScalableExtract::DEF,
    vector::ScalableInsert::DEF,
    vector::Scatter::DEF,
    vector::ShapeCast::DEF,
    vector::Shuffle::DEF,
    vector::Store::DEF,
    vector::ToElements::DEF,
    vector::TransferRead::DEF,
    vector::TransferWrite::DEF,
    vector::Transpose::DEF,
    vector::TypeCast::DEF,
];

/// Does the op mean the same on bits? The reason why not completes "`op` …"
fn moves(ir: &Ir, op: OpId) -> Result<(), NotExpanded> {
    let name = ir.op_name(op);
    let dialect = name.split('.').next().unwrap_or(name);
    if !MOVERS.contains(&dialect)
        && !MOVING.iter().any(|def| ir.is(op, def))
        && !ir.is(op, vector::Yield::DEF)
    {
        return Err(NotExpanded::NotBits);
    }
    if let Some(atomic) = memref::AtomicRmw::cast(ir, op)
        && atomic.kind(ir) != memref::AtomicRmwKind::Assign
    {
        return Err(NotExpanded::Atomic);
    }
    if ir.is(op, memref::View::DEF) || ir.is(op, vector::BitCast::DEF) {
        let types = ir.operands(op).chain(ir.results(op)).map(|value| ir.ty(value));
        let partial = types.filter_map(|ty| small(ir.cx(), ty)).find(|kind| !matches!(kind.width(), 8));
        if let Some(kind) = partial {
            return Err(NotExpanded::Bytes(kind));
        }
    }
    Ok(())
}

fn expand(ir: &mut Ir, work: &Work) {
    let cx = ir.cx_arc().clone();
    let op = work.op;
    let operands: Vec<Value> = ir.operands(op).collect();
    let to = work.result;
    let fast = ir.attr(op, "fastmath");
    let mut emit = Emit::new(ir, op, to, fast);
    let narrowed = |emit: &mut Emit<'_>, value: Value, from: Type| match mode(emit.ir, op) {
        0 => emit.cast(value, from, to),
        mode => emit.directed(value, from, to, mode),
    };
    let new = if ir_is(emit.ir, op, &[arith::ScalingExtF::DEF]) {
        let wide = emit.cast(operands[0], work.operands[0], to);
        let scale = emit.scale(operands[1], work.operands[1], to);
        emit.combined(arith::MulF::DEF, wide, scale, to)
    } else if ir_is(emit.ir, op, &[arith::ScalingTruncF::DEF]) {
        let scale = emit.scale(operands[1], work.operands[1], work.operands[0]);
        let scaled = emit.combined(arith::DivF::DEF, operands[0], scale, work.operands[0]);
        narrowed(&mut emit, scaled, work.operands[0])
    } else if ir_is(emit.ir, op, &[arith::ExtF::DEF, arith::TruncF::DEF]) {
        narrowed(&mut emit, operands[0], work.operands[0])
    } else if ir_is(emit.ir, op, &[arith::Bitcast::DEF]) {
        let to = types::mapped(&cx, to);
        emit.resized(operands[0], to)
    } else {
        let through = through(emit.ir, work);
        let mut map = ValueMap::default();
        for (value, ty) in operands.iter().zip(&work.operands) {
            if small(&cx, *ty).is_some() {
                let wide = emit.cast(*value, *ty, ty.with_element(&cx, through));
                map.insert(*value, wide);
            }
        }
        let wide = emit.clone_with(op, &mut map);
        if small(&cx, to).is_some() {
            let between = to.with_element(&cx, through);
            emit.ir.set_type(wide, between);
            emit.cast(wide, between, to)
        } else {
            wide
        }
    };
    let old = ir.result(op, 0);
    ir.replace_all_uses(old, new);
    ir.erase(op);
}

fn ir_is(ir: &Ir, op: OpId, defs: &[&'static OpDef]) -> bool {
    defs.iter().any(|def| ir.is(op, def))
}

/// The float that the op is computed in, so that the result is rounded as if once
fn through(ir: &Ir, work: &Work) -> Type {
    let cx = ir.cx();
    let common = cx.common();
    let all = || work.operands.iter().chain([&work.result]);
    // f32 rounds harmlessly for one op if it has twice the bits and two, and enough exponents; a fused one needs more.
    let tight = all().any(|ty| small(cx, *ty) == Some(FloatKind::TF32)) || ir.is(work.op, math::Fma::DEF);
    let integer = all().any(|ty| integer_width(cx, *ty).is_some_and(|width| width > 24));
    if tight || integer && all().any(|ty| is_wide_range(cx, *ty)) { common.f64 } else { common.f32 }
}
