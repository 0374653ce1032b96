//! `stages n` on a sequential loop of a kernel: what a block copies for a round is copied n − 1 rounds before.
//!
//! Buffers of the block that are made in the body (or in loops of one iteration that are all of it) and set only by one collective copy there get n parts, and a round uses
//! the part with its number modulo n. The first n − 1 rounds' copies come before the loop; in it, the copies of a later round
//! stand first, if there is one. With two stages one barrier in a round is enough, since nobody writes what is being read.
//! Copies that hang on other values of the body, or on memory written in the loop, stay where they are.

use crate::collective::is_collective;
use crate::emit::{Emit, Res, Val};
use terrace_analysis::Range;
use terrace_dialect_arith::{self as arith, CmpIPredicate};
use terrace_dialect_sched::Space;
use terrace_dialect_sched::space::{self, lowered};
use terrace_dialect_sched::{Alloc, Copy, For, Level, LoopInfo, Tail, Write};
use terrace_ir::{Ir, OpId, TypeKind, Value, ValueDef};

/// Copies of a loop that run ahead, with the buffers that they fill
pub(crate) struct Staged {
    pub depth: i64,
    pub copies: Vec<(OpId, Value)>,
    /// Variables of loops of one iteration between the loop and the copies
    units: Vec<Value>,
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

impl Emit<'_> {
    /// A loop whose copies run ahead
    pub fn pipelined(
        &mut self,
        info: &LoopInfo,
        staged: &Staged,
        accs: Vec<Vec<Value>>,
    ) -> Res<Vec<Vec<Value>>> {
        let (lower, upper) = self.bounds(info);
        let mut buffers = Vec::new();
        for (_, old) in &staged.copies {
            let ty = lowered(&self.cx, self.ir.ty(*old));
            let TypeKind::MemRef { shape, elem, space, .. } = ty.kind(&self.cx) else { continue };
            let shape: Vec<i64> = std::iter::once(staged.depth).chain(shape.iter().copied()).collect();
            let (elem, space) = (*elem, *space);
            let ty = self.cx.ty(TypeKind::MemRef { shape: shape[..].into(), elem, layout: None, space });
            let Some(new) = self.block_buffer(ty) else { continue };
            self.bind(*old, Val::One(new));
            buffers.push(new);
            if let Some(alloc) = self.ir.defining_op(*old) {
                self.skipped.push(alloc);
            }
        }
        let ahead = staged.depth - 1;
        for n in 0..ahead {
            let at = self.further(lower, n * info.tile);
            self.copies_of_round(info, staged, &buffers, at, upper)?;
        }
        // The first round sees them, however short the loop is.
        self.barrier();
        self.skipped.extend(staged.copies.iter().map(|(op, _)| *op));
        let range = Self::variable_range(info);
        let done = self.for_between(info, [lower, upper], range, accs, &mut |e, accs| {
            let iv = e.get(info.iv);
            if let Val::One(here) = iv {
                let skipped = e.skipped.len();
                e.skipped.truncate(skipped - staged.copies.len());
                let next = e.further(here, ahead * info.tile);
                e.copies_of_round(info, staged, &buffers, next, upper)?;
                e.skipped.extend(staged.copies.iter().map(|(op, _)| *op));
                e.bind(info.iv, iv);
                e.use_parts(info, staged, &buffers, here);
            }
            e.step(info, accs)
        });
        self.skipped.truncate(self.skipped.len() - 2 * staged.copies.len());
        for buffer in &buffers {
            self.parts.remove(buffer);
        }
        done
    }

    fn further(&mut self, from: Value, by: i64) -> Value {
        if by == 0 {
            return from;
        }
        if let Some(at) = self.range(from).as_constant() {
            return self.index(at + by);
        }
        let (step, index) = (self.index(by), self.cx.common().index);
        let range = self.range(from).plus(Range::one(by));
        let value = self.value(arith::AddI::DEF, &[from, step], index, &[]);
        self.declare(value, range);
        value
    }

    /// The copies of the round at a value, if there is one
    fn copies_of_round(
        &mut self,
        info: &LoopInfo,
        staged: &Staged,
        buffers: &[Value],
        at: Value,
        upper: Value,
    ) -> Res<()> {
        for (op, _) in &staged.copies {
            self.separate(*op);
        }
        let mut all = |e: &mut Self| {
            e.bind(info.iv, Val::One(at));
            for unit in &staged.units {
                e.bind(*unit, Val::Const(0));
            }
            e.use_parts(info, staged, buffers, at);
            for (op, _) in &staged.copies {
                e.op(*op)?;
            }
            Ok(Vec::new())
        };
        if self.range(at).max() < self.range(upper).min() {
            return all(self).map(|_| ());
        }
        if self.range(at).min() >= self.range(upper).max() {
            return Ok(());
        }
        let there = self.compare(CmpIPredicate::Slt, at, upper);
        self.choose(there, &[], &mut all, &mut |_| Ok(Vec::new())).map(|_| ())
    }

    /// Buffers mean the parts of the round at a value
    fn use_parts(&mut self, info: &LoopInfo, staged: &Staged, buffers: &[Value], at: Value) {
        let index = self.cx.common().index;
        let part = match self.range(at).as_constant() {
            Some(at) => self.index((at / info.tile).rem_euclid(staged.depth)),
            None => {
                let mut number = at;
                if info.tile > 1 {
                    let tile = self.index(info.tile);
                    number = self.value(arith::DivUI::DEF, &[number, tile], index, &[]);
                }
                let depth = self.index(staged.depth);
                let part = self.value(arith::RemUI::DEF, &[number, depth], index, &[]);
                self.declare(part, Range::below(staged.depth));
                part
            }
        };
        for buffer in buffers {
            self.parts.insert(*buffer, part);
        }
    }
}
