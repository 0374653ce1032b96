//! What layout would hold if it were written to memory: the windows of a convolution unfolded, as a matrix product wants them
//! (im2col). Here they are index arithmetic and hold nothing; the number is for comparison (LIFT, GPGPU 2020, §2.3, §2.4).
//!
//! Only values outside of all maps are looked at: those in a map would be unfolded for one element at a time.

use crate::layout::leaves;
use terrace_dialect_array::size::{bound, value_of};
use terrace_dialect_array::{Map, Place, Slide, SlideNd, Yield, layout, macros};
use terrace_dialect_func::Func;
use terrace_ir::{Ir, OpId, TypeKind, Value};
use terrace_support::HashMap;

/// Windows, and what they are windows of
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Unfolded {
    /// The value that is laid out
    pub windows: Value,
    /// Bytes that it would hold
    pub bytes: u64,
    /// What is there: an argument, a place, something computed
    pub source: Value,
    /// Bytes that this holds
    pub of: u64,
}

/// The value that would grow most over its source, if one repeats elements
pub fn unfolded(function: &Ir) -> Option<Unfolded> {
    let func = Func::cast(function, function.root())?;
    let mut all: HashMap<Value, Value> = HashMap::default();
    let mut most: Option<Unfolded> = None;
    for op in function.block_ops(function.entry(func.body(function))?) {
        if !lays_out(function, op) {
            continue;
        }
        // Of a zip, the part that was repeated before; of a padding, what is padded.
        let operands: Vec<Value> = function.operands(op).collect();
        let Some(from) = operands.iter().find(|value| all.contains_key(*value)).or(operands.first()) else {
            continue;
        };
        let source = all.get(from).copied().unwrap_or(*from);
        for windows in function.results(op) {
            all.insert(windows, source);
            let (Some(bytes), Some(of)) = (size(function, windows), size(function, source)) else { continue };
            let more = |other: &Unfolded| {
                u128::from(bytes) * u128::from(other.of) > u128::from(other.bytes) * u128::from(of)
            };
            let repeats = repeats(function, windows, &all);
            if repeats && of > 0 && bytes > of && most.as_ref().is_none_or(more) {
                most = Some(Unfolded { windows, bytes, source, of });
            }
        }
    }
    most
}

/// Nothing is computed by it
fn lays_out(ir: &Ir, op: OpId) -> bool {
    let views = |op: OpId| layout::is_layout(ir, op) && Place::cast(ir, op).is_none();
    let quiet = |op: OpId| views(op) || macros::is_macro(ir, op) && ir.num_regions(op) == 0;
    if Map::cast(ir, op).is_some() {
        return ir
            .walk_below(op)
            .all(|inner| quiet(inner) || Map::cast(ir, inner).is_some() || Yield::cast(ir, inner).is_some());
    }
    quiet(op)
}

/// Is there a window on the way to it?
fn repeats(ir: &Ir, value: Value, all: &HashMap<Value, Value>) -> bool {
    let mut at = Some(value);
    while let Some(op) = at.and_then(|value| ir.defining_op(value)).filter(|op| lays_out(ir, *op)) {
        let slides = |op: OpId| ir.is(op, Slide::DEF) || ir.is(op, SlideNd::DEF);
        if slides(op) || ir.walk_below(op).any(slides) {
            return true;
        }
        at = ir.operands(op).find(|value| all.contains_key(value));
    }
    false
}

/// Bytes of a value with the numbers that the function binds
fn size(ir: &Ir, value: Value) -> Option<u64> {
    let (cx, known) = (ir.cx(), bound(ir));
    let mut sum = 0_u64;
    for leaf in leaves(cx, ir.ty(value), &|nat| value_of(nat, &known)).ok()? {
        let bits =
            if matches!(leaf.elem.kind(cx), TypeKind::Index) { 64 } else { leaf.elem.bit_width(cx)? };
        let count = leaf.shape.iter().try_fold(1_u64, |n, size| n.checked_mul(u64::try_from(*size).ok()?))?;
        sum = sum.checked_add(count.checked_mul(u64::from(bits.div_ceil(8)))?)?;
    }
    Some(sum)
}
