//! `stages n` on a sequential loop of a kernel: what a block copies for a round is copied n − 1 rounds before.
//!
//! Buffers of the block that are made in the body (or in loops of one iteration that are all of it) and set only by one collective copy there get n parts, and a round uses
//! the part with its number modulo n. The first n − 1 rounds' copies come before the loop; in it, the loads of a later round stand
//! before the computation, if there is such a round, and their stores after it: memory is read while the block computes. Copies of more
//! elements than wait in registers stand first as a whole. With two stages one barrier in a round is enough, since no thread
//! writes what is being read.
//! Copies that depend on other values of the body, or on memory written in the loop, stay where they are.

use crate::emit::{Emit, Res, Val};
use crate::pipelined_copies::Staged;
use crate::walk::Walk;
use terrace_analysis::Range;
use terrace_dialect_arith::{self as arith, CmpIPredicate};
use terrace_dialect_sched::LoopInfo;
use terrace_dialect_sched::space::lowered;
use terrace_ir::{Type, TypeKind, Value};

/// A round whose copies run ahead of it
struct Ahead<'a> {
    info: &'a LoopInfo,
    staged: &'a Staged,
    buffers: &'a [Value],
    /// The loop's variable in that round
    at: Value,
    upper: Value,
}

/// Values of a round's copies between their loads and their stores
struct Loaded {
    walks: Vec<Walk>,
    values: Vec<Value>,
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
            self.copies_of_round(&Ahead { info, staged, buffers: &buffers, at, upper })?;
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
                let round = Ahead { info, staged, buffers: &buffers, at: next, upper };
                let loaded = e.loads_of_round(&round)?;
                if loaded.is_none() {
                    e.copies_of_round(&round)?;
                }
                e.skipped.extend(staged.copies.iter().map(|(op, _)| *op));
                e.bind(info.iv, iv);
                e.use_parts(info, staged, &buffers, here);
                let accs = e.step(info, accs)?;
                if let Some(loaded) = loaded {
                    e.stores_of_round(&round, &loaded)?;
                }
                return Ok(accs);
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

    /// The copies of a round, if there is one
    fn copies_of_round(&mut self, round: &Ahead<'_>) -> Res<()> {
        for (op, _) in &round.staged.copies {
            self.separate(*op);
        }
        let mut all = |e: &mut Self| {
            e.enter_copies(round);
            for (op, _) in &round.staged.copies {
                e.op(*op)?;
            }
            Ok(Vec::new())
        };
        self.if_there(round, &[], &mut all, &mut |_| Ok(Vec::new())).map(|_| ())
    }

    /// Loads of a round's copies, where all of them can wait in registers for their stores
    fn loads_of_round(&mut self, round: &Ahead<'_>) -> Res<Option<Loaded>> {
        let mut walks = Vec::new();
        self.name_round(round);
        for (op, _) in &round.staged.copies {
            match self.walk(*op)? {
                Some(walk) if self.waits_in_registers(&walk) => walks.push(walk),
                _ => return Ok(None),
            }
        }
        let types: Vec<Type> = walks.iter().flat_map(|walk| self.loaded_types(walk)).collect();
        let mut all = |e: &mut Self| {
            e.enter_copies(round);
            let mut values = Vec::new();
            e.depth += 1;
            for walk in &walks {
                values.extend(e.load_rounds(walk, 0)?);
            }
            e.depth -= 1;
            Ok(values)
        };
        let mut none = |e: &mut Self| Ok(types.iter().map(|ty| e.zero(*ty)).collect());
        let values = self.if_there(round, &types, &mut all, &mut none)?;
        Ok(values.map(|values| Loaded { walks, values }))
    }

    /// Stores of what has been loaded, behind a barrier where threads may still read what was there
    fn stores_of_round(&mut self, round: &Ahead<'_>, loaded: &Loaded) -> Res<()> {
        let iv = self.get(round.info.iv);
        for (op, _) in &round.staged.copies {
            self.separate(*op);
        }
        let mut all = |e: &mut Self| {
            e.enter_copies(round);
            let mut values = &loaded.values[..];
            e.depth += 1;
            for (walk, (op, _)) in loaded.walks.iter().zip(&round.staged.copies) {
                let (own, others) = values.split_at(e.loaded_types(walk).len());
                e.before_statement(*op);
                e.store_rounds(walk, 0, own)?;
                values = others;
            }
            e.depth -= 1;
            Ok(Vec::new())
        };
        self.if_there(round, &[], &mut all, &mut |_| Ok(Vec::new()))?;
        self.bind(round.info.iv, iv);
        Ok(())
    }

    /// Names mean what they do in the round whose copies are written
    fn enter_copies(&mut self, round: &Ahead<'_>) {
        self.name_round(round);
        self.use_parts(round.info, round.staged, round.buffers, round.at);
    }

    /// Variables of loops mean that round
    fn name_round(&mut self, round: &Ahead<'_>) {
        self.bind(round.info.iv, Val::One(round.at));
        for unit in &round.staged.units {
            self.bind(*unit, Val::Const(0));
        }
    }

    /// Something of a round that may be behind the last; none if there surely is no such round
    fn if_there(
        &mut self,
        round: &Ahead<'_>,
        types: &[Type],
        then: &mut dyn FnMut(&mut Self) -> Res<Vec<Value>>,
        otherwise: &mut dyn FnMut(&mut Self) -> Res<Vec<Value>>,
    ) -> Res<Option<Vec<Value>>> {
        let (at, upper) = (self.range(round.at), self.range(round.upper));
        if at.max() < upper.min() {
            return then(self).map(Some);
        }
        if at.min() >= upper.max() {
            return Ok(None);
        }
        let there = self.compare(CmpIPredicate::Slt, round.at, round.upper);
        self.choose(there, types, then, otherwise).map(Some)
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
