//! `stages n` on a sequential loop of a kernel: what a block copies for a round is copied n − 1 rounds before.
//!
//! Buffers of the block that are made in the body (or in loops of one iteration that are all of it) and set only by one collective copy there get n parts, and a round uses
//! the part with its number modulo n. The first n − 1 rounds' copies come before the loop; in it, the copies of a later round
//! stand first, if there is one. With two stages one barrier in a round is enough, since no thread writes what is being read.
//! Copies that depend on other values of the body, or on memory written in the loop, stay where they are.

use crate::emit::{Emit, Res, Val};
use crate::pipelined_copies::Staged;
use terrace_analysis::Range;
use terrace_dialect_arith::{self as arith, CmpIPredicate};
use terrace_dialect_sched::LoopInfo;
use terrace_dialect_sched::space::lowered;
use terrace_ir::{TypeKind, Value};

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
