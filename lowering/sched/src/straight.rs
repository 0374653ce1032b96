//! Ops without loops: copied, or spread over the lanes of the vector loop around.

use crate::codes;
use crate::emit::{Emit, Lanes, Res, Val};
use terrace_dialect_arith as arith;
use terrace_dialect_scf as scf;
use terrace_dialect_sched as sched;
use terrace_ir::ir::ValueMap;
use terrace_ir::{BlockId, NewOp, OpId, Traits, Type, TypeKind, Value};

impl Emit<'_> {
    /// All ops of a block but its terminator; gives what stands for the terminator's operands
    pub fn block(&mut self, block: BlockId) -> Res<Vec<(Value, Val)>> {
        stacker::maybe_grow(64 << 10, 1 << 20, || {
            let mut next = self.ir.first_op(block);
            while let Some(op) = next {
                next = self.ir.next(op);
                if next.is_none() && self.ir.has(op, Traits::Terminator) {
                    let operands: Vec<Value> = self.ir.operands(op).collect();
                    return Ok(operands.into_iter().map(|value| (value, self.get(value))).collect());
                }
                self.op(op)?;
            }
            Ok(Vec::new())
        })
    }

    /// One op
    pub fn op(&mut self, op: OpId) -> Res<()> {
        let back = self.loc;
        self.loc = self.ir.loc(op);
        let done = self.dispatch(op);
        self.loc = back;
        done
    }

    fn dispatch(&mut self, op: OpId) -> Res<()> {
        if self.skipped.contains(&op) {
            return Ok(());
        }
        self.before_statement(op);
        let def = self.ir.def(op);
        let is = |other: &'static terrace_ir::OpDef| std::ptr::eq(def, other);
        if is(sched::For::DEF) {
            self.nest(op)
        } else if is(sched::Read::DEF) {
            self.read(op)
        } else if is(sched::Write::DEF) {
            self.write(op)
        } else if is(sched::Alloc::DEF) {
            self.alloc(op)
        } else if is(sched::Copy::DEF) && crate::pipelined_copies::is_collective(self.ir, op) {
            self.collective(op)
        } else if is(sched::Contract::DEF) {
            self.contract(op)
        } else if is(sched::Kernel::DEF) && self.teams.is_empty() && self.grid.is_none() {
            self.kernel(op)
        } else if is(sched::Copy::DEF) {
            self.refuse(op, &codes::COPY, "is still a copy", "run `sched-legalize` before")
        } else if is(sched::Kernel::DEF) {
            self.refuse(op, &codes::LEVEL, "is a launch, which has no place inside of a loop", "")
        } else if is(scf::If::DEF) {
            self.branch(op)
        } else {
            self.straight(op)
        }
    }

    /// `scf.if`: the same in every lane
    fn branch(&mut self, op: OpId) -> Res<()> {
        let condition = self.get(scf::If(op).condition(self.ir));
        let Some(condition) = self.scalar(condition) else {
            return self.refuse(
                op,
                &codes::LANES,
                "decides differently from lane to lane",
                "use `arith.select`, which has lanes",
            );
        };
        let types: Vec<Type> = self.ir.results(op).map(|value| self.ir.ty(value)).collect();
        let types: Vec<Type> = match self.lanes {
            Some(lanes) => types.into_iter().map(|ty| self.cx.vector(&[lanes.width], ty)).collect(),
            None => types,
        };
        let regions: Vec<_> = self.ir.regions(op).collect();
        let blocks: Vec<Option<BlockId>> = regions.iter().map(|region| self.ir.entry(*region)).collect();
        let side = |e: &mut Self, n: usize| -> Res<Vec<Value>> {
            let Some(block) = blocks.get(n).copied().flatten() else { return Ok(Vec::new()) };
            let given = e.block(block)?;
            Ok(given.into_iter().map(|(_, val)| e.whole(val)).collect())
        };
        let mut b = self.b();
        let kind = b.kind(scf::If::DEF);
        let new =
            b.insert(&NewOp { operands: &[condition], results: &types, regions: 2, ..NewOp::new(kind) });
        let back = self.at;
        let held = self.hold();
        for n in 0..2 {
            if blocks.get(n).copied().flatten().is_some() {
                let region = self.ir.region(new, n);
                self.fill(region, &mut |e| side(e, n))?;
            }
        }
        self.release(held);
        self.at = back;
        let lanes = self.lanes.is_some();
        for n in 0..types.len() {
            let (old, new) = (self.ir.result(op, n), self.ir.result(new, n));
            self.bind(old, if lanes { Val::Many(new) } else { Val::One(new) });
        }
        Ok(())
    }

    /// As one value: a vector if there are lanes around
    pub fn whole(&mut self, val: Val) -> Value {
        match (self.lanes, self.scalar(val)) {
            (Some(lanes), _) => self.vector(val, lanes.width),
            (None, Some(value)) => value,
            (None, None) => self.index(0),
        }
    }

    fn straight(&mut self, op: OpId) -> Res<()> {
        self.check_view(op)?;
        let vals: Vec<Val> = self.ir.operands(op).map(|value| self.get(value)).collect();
        let varies = vals.iter().any(|val| matches!(val, Val::Many(_) | Val::Lane(_)));
        if !varies && let Some(value) = self.joined_op(op) {
            self.bind(self.ir.result(op, 0), Val::One(value));
            return Ok(());
        }
        if !varies {
            let mut map = ValueMap::default();
            let olds: Vec<Value> = self.ir.operands(op).collect();
            for (old, val) in olds.into_iter().zip(vals) {
                if let Some(new) = self.scalar(val) {
                    map.insert(old, new);
                }
            }
            self.outer_values(op, &mut map);
            let new = self.ir.clone_op(None, op, &mut map);
            self.b().place(new);
            if self.ir.has(op, Traits::ViewLike) {
                self.without_space(new);
            }
            for n in 0..self.ir.num_results(op) {
                let (old, new) = (self.ir.result(op, n), self.ir.result(new, n));
                self.bind(old, Val::One(new));
            }
            return Ok(());
        }
        let Some(lanes) = self.lanes else {
            return self.refuse(op, &codes::LANES, "uses a value per lane outside of its vector loop", "");
        };
        if !self.ir.has(op, Traits::Elementwise) || self.ir.num_regions(op) > 0 {
            let name = self.ir.op_name(op).to_string();
            return self.refuse(
                op,
                &codes::LANES,
                format!("'{name}' has no form on vectors"),
                "make the loop at level `vector` one at `unroll`",
            );
        }
        let mut operands: Vec<Value> = vals.into_iter().map(|val| self.vector(val, lanes.width)).collect();
        self.divide_in_live_lanes(op, lanes, &mut operands);
        let results: Vec<Type> =
            self.ir.results(op).map(|value| self.cx.vector(&[lanes.width], self.ir.ty(value))).collect();
        let slots: Vec<_> = (0..self.ir.def(op).attrs.len()).map(|n| self.ir.slot(op, n)).collect();
        let (kind, segments) = (self.ir.kind(op), self.ir.operand_segments(op).map(<[u32]>::to_vec));
        let new = self.b().insert(&NewOp {
            operands: &operands,
            segments: segments.as_deref().unwrap_or(&[]),
            results: &results,
            slots: &slots,
            ..NewOp::new(kind)
        });
        for n in 0..results.len() {
            let (old, new) = (self.ir.result(op, n), self.ir.result(new, n));
            self.bind(old, Val::Many(new));
        }
        Ok(())
    }

    /// Lanes that a mask leaves out divide by one: what they have loaded may be zero, and a division of integers by it would trap
    fn divide_in_live_lanes(&mut self, op: OpId, lanes: Lanes, operands: &mut [Value]) {
        let (Some(mask), Some(divisor)) = (lanes.mask, operands.get_mut(1)) else { return };
        let ty = self.ir.ty(*divisor);
        let elem = ty.scalar(&self.cx);
        let integer = matches!(elem.kind(&self.cx), TypeKind::Int { .. } | TypeKind::Index);
        if integer && self.ir.has(op, Traits::Divides) {
            let one = self.cx.int_attr(1, elem);
            let one = self.constant(one);
            let one = self.vector(Val::One(one), lanes.width);
            *divisor = self.value(arith::Select::DEF, &[mask, *divisor, one], ty, &[]);
        }
    }

    /// Values that regions of an op use from outside of it
    fn outer_values(&mut self, op: OpId, map: &mut ValueMap) {
        if self.ir.num_regions(op) == 0 {
            return;
        }
        let inner: Vec<OpId> = self.ir.walk_below(op).collect();
        for inner in inner {
            let used: Vec<Value> = self.ir.operands(inner).collect();
            for old in used {
                let val = self.get(old);
                if val != Val::One(old)
                    && let Some(new) = self.scalar(val)
                {
                    map.insert(old, new);
                }
            }
        }
    }
}
