//! Which collective copies of a loop run ahead: reading the IR alone.

use terrace_dialect_sched::space;
use terrace_dialect_sched::{Alloc, Copy, For, Level, LoopInfo, Space, Tail, Write};
use terrace_ir::{Ir, OpId, TypeKind, Value, ValueDef};

/// Copies of a loop that run ahead, with the buffers that they fill
pub(crate) struct Staged {
    pub depth: i64,
    pub copies: Vec<(OpId, Value)>,
    /// Variables of loops of one iteration between the loop and the copies
    pub units: Vec<Value>,
}

/// What of a loop can run ahead
pub(crate) fn staged(ir: &Ir, info: &LoopInfo) -> Option<Staged> {
    let depth = info.op.stages(ir)?.as_i64(ir.cx()).filter(|depth| (2..=8).contains(depth))?;
    if info.level != Level::Seq || info.trip() < 2 || info.tail == Some(Tail::Peel) {
        return None;
    }
    let mut body = ir.entry(info.op.body(ir))?;
    let mut units = Vec::new();
    while let Some(first) = ir.first_op(body) {
        let inner = For::cast(ir, first).and_then(|inner| inner.info(ir));
        let alone = ir.next(first).is_some_and(|last| ir.next(last).is_none());
        let unit = |inner: &LoopInfo| {
            inner.trip() == 1
                && matches!(inner.level, Level::Seq | Level::Unroll)
                && inner.limit.is_none()
                && inner.from.is_none()
        };
        let Some(inner) = inner.filter(|inner| alone && unit(inner)) else { break };
        units.push(inner.iv);
        body = ir.entry(inner.op.body(ir))?;
    }
    let written = |memref: Value, but: Option<OpId>| {
        ir.walk_below(info.op.0).filter(|op| Some(*op) != but).any(|op| {
            Write::cast(ir, op).is_some_and(|write| write.memref(ir) == memref)
                || Copy::cast(ir, op).is_some_and(|copy| copy.dst(ir) == memref)
        })
    };
    let outside = |value: Value| {
        value == info.iv
            || units.contains(&value)
            || match ir.value_def(value) {
                Some(ValueDef::Result(op, _)) => !ir.is_inside(op, info.op.0),
                Some(ValueDef::Arg(block, _)) => {
                    ir.block_parent(block).is_none_or(|op| op != info.op.0 && !ir.is_inside(op, info.op.0))
                }
                None => false,
            }
    };
    let mut copies = Vec::new();
    for op in ir.block_ops(body) {
        let Some(copy) = Copy::cast(ir, op).filter(|_| is_collective(ir, op)) else { continue };
        let (src, dst) = (copy.src(ir), copy.dst(ir));
        let alloc = ir.defining_op(dst).and_then(|alloc| Alloc::cast(ir, alloc));
        let own = alloc.is_some_and(|alloc| ir.block(alloc.0) == Some(body));
        let plain = matches!(ir.ty(dst).kind(ir.cx()), TypeKind::MemRef { layout: None, .. });
        let shared = space::of(ir.cx(), ir.ty(dst)) == Space::Shared;
        let whole = alloc.is_some_and(|alloc| alloc.owner(ir).is_some_and(|per| per.rank() >= 5));
        let known = ir.operands(op).filter(|value| *value != dst).all(outside);
        let alone = !written(dst, Some(op)) && !written(src, None) && copy.operator(ir).is_none();
        if own && plain && shared && whole && known && alone {
            copies.push((op, dst));
        }
    }
    (!copies.is_empty()).then_some(Staged { depth, copies, units })
}

/// A copy that threads of a block run together
pub(crate) fn is_collective(ir: &Ir, op: OpId) -> bool {
    Copy::cast(ir, op).is_some_and(|copy| copy.is_collective(ir))
}
