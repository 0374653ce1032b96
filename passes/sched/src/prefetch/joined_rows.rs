//! Rows of memory that a chain of joined nests will read in its next iteration.
//!
//! A chain that reads a row of a large buffer several times waits for memory in its first nest and computes in later
//! ones, while memory is idle. So the second nest that reads the row prefetches the next one: `sched.ahead` at its read. The row
//! must be a slice of the loop's own coordinate that a second cache holds together with others, of a buffer from outside that nothing
//! here writes.

use terrace_dialect_sched::{AHEAD, Copy, For, Level, LoopInfo, Read, Write};
use terrace_ir::{Ir, OpId, Value};

/// Bytes of a buffer that comes from memory each time
const LARGE: i64 = 4 << 20;

/// Bytes of a row that a cache holds together with what else is in use
const ROW: i64 = 256 << 10;

/// Mark reads of a chain whose last loop is this
pub(crate) fn mark(ir: &mut Ir, chain: &[LoopInfo]) -> u64 {
    let (Some(outer), Some(inner)) = (chain.first(), chain.last()) else { return 0 };
    if inner.level != Level::Seq || inner.trip() < 2 {
        return 0;
    }
    let Some(body) = ir.entry(inner.op.body(ir)) else { return 0 };
    let nests: Vec<OpId> = ir.block_ops(body).filter(|op| For::cast(ir, *op).is_some()).collect();
    let mut written: Vec<Value> = Vec::new();
    for op in ir.walk_below(outer.op.0) {
        if let Some(write) = Write::cast(ir, op) {
            written.push(write.memref(ir));
        } else if let Some(copy) = Copy::cast(ir, op) {
            written.push(copy.dst(ir));
        }
    }
    let outside = |memref: Value| {
        let home = ir.value_block(memref).and_then(|block| ir.block_parent(block));
        home.is_none_or(|home| home != outer.op.0 && !ir.is_inside(home, outer.op.0))
    };
    // Rows by buffer and by where what is read of them starts: rests of lanes are nests of their own.
    let mut seen: Vec<(Value, Vec<i64>)> = Vec::new();
    let mut marks = Vec::new();
    for nest in nests {
        let mut here: Vec<(Value, Vec<i64>)> = Vec::new();
        for op in ir.walk_below(nest) {
            let Some(read) = Read::cast(ir, op) else { continue };
            let memref = read.memref(ir);
            let Some((start, n)) = row(ir, read, inner.iv) else { continue };
            let key = (memref, start);
            if written.contains(&memref) || !outside(memref) || here.contains(&key) {
                continue;
            }
            if seen.iter().filter(|other| **other == key).count() == 1 {
                marks.push((op, n));
            }
            here.push(key);
        }
        seen.extend(here);
    }
    let count = marks.len() as u64;
    for (op, n) in marks {
        let attr = ir.cx().i64_array(&[n as i64, inner.tile]);
        ir.set_discardable(op, AHEAD, Some(attr));
    }
    count
}

/// Where a read starts along each axis, and which number a variable has by which it goes from row to row, if these are of the
/// right size
fn row(ir: &Ir, read: Read, variable: Value) -> Option<(Vec<i64>, usize)> {
    let (at, cx) = (read.access(ir), ir.cx());
    let n = at.values.iter().position(|value| *value == variable)?;
    let moving: Vec<usize> =
        (0..at.map.results.len()).filter(|axis| at.map.results[*axis].uses_dim(n as u32)).collect();
    let [axis] = moving[..] else { return None };
    at.map.results[axis].as_linear().filter(|linear| linear.dim(n) == 1)?;
    let ty = ir.ty(read.memref(ir));
    let shape = ty.shape(cx)?;
    let bytes = i64::from(ty.scalar(cx).bit_width(cx)?.div_ceil(8));
    let whole = shape.iter().try_fold(bytes, |all, size| all.checked_mul(*size).filter(|all| *all >= 0))?;
    let slice = whole / (*shape.get(axis)?).max(1);
    let start = at.map.results.iter().map(|expr| Some(expr.as_linear()?.constant)).collect::<Option<_>>()?;
    (whole >= LARGE && slice <= ROW && axis + 1 < shape.len()).then_some((start, n))
}
