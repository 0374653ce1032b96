//! Tuples of tasks: each iteration leaves its own in buffers, and after the join they are merged in the order of iterations.
//!
//! `scf.reduce` merges one value at a time. A part belongs to an iteration, never to a worker, so that the result does not depend on
//! their number.

use crate::codes;
use crate::emit::{Emit, Res, Val};
use terrace_dialect_arith as arith;
use terrace_dialect_memref as memref;
use terrace_dialect_scf as scf;
use terrace_dialect_sched::LoopInfo;
use terrace_ir::{BlockId, NewOp, Type, TypeKind, Value};

impl Emit<'_> {
    /// A buffer for each component, with an element for each iteration
    pub fn parts_of(&mut self, info: &LoopInfo) -> Vec<Value> {
        let shape = [info.trip()];
        let types: Vec<Type> = self.ir.results(info.op.0).map(|old| self.ir.ty(old)).collect();
        let buffer = |elem: Type| {
            let shape = shape[..].into();
            let ty = self.cx.ty(TypeKind::MemRef { shape, elem, layout: None, space: None });
            self.heap_buffer(ty)
        };
        types.into_iter().map(buffer).collect()
    }

    /// The end of a task: its tuple goes to its iteration's place
    pub fn keep_part(&mut self, info: &LoopInfo, block: BlockId, parts: &[Value], given: &[Value]) {
        let iv = self.ir.block_args(block)[0];
        let place = self.iteration(info, iv);
        for (part, value) in parts.iter().zip(given) {
            memref::Store::build(&mut self.b(), *value, *part, &[place]);
        }
        let mut b = self.b();
        let kind = b.kind(scf::Reduce::DEF);
        b.insert(&NewOp::new(kind));
    }

    /// After the join: all parts from the first to the last, behind initial values if there are any
    pub fn fold_parts(&mut self, info: &LoopInfo, parts: &[Value]) -> Res<()> {
        let olds: Vec<Value> = self.ir.results(info.op.0).collect();
        let types: Vec<Type> = olds.iter().map(|old| self.ir.ty(*old)).collect();
        let inits: Vec<Val> = info.op.inits(self.ir).into_iter().map(|init| self.get(init)).collect();
        let (mut lower, upper) = self.bounds(info);
        let cut = info.from.is_some() || info.limit.is_some();
        let starts: Vec<Value> = if !inits.is_empty() {
            inits.into_iter().map(|init| self.whole(init)).collect()
        } else if !cut {
            let zero = self.index(0);
            lower = self.index(info.tile);
            self.part_at(parts, zero, &types)
        } else {
            let neutral: Option<Vec<_>> = self.identities(&info.groups(), &types).into_iter().collect();
            let Some(neutral) = neutral else {
                return self.refuse(
                    info.op.0,
                    &codes::IDENTITY,
                    "may have no iteration, and its operator has no neutral element for that",
                    "declare `identity` in `sched.operator`, or give `init`",
                );
            };
            neutral.into_iter().map(|attr| self.constant(attr)).collect()
        };
        let step = self.index(info.tile);
        let merged = self.loop_over([lower, upper, step], &starts, &mut |e, iv, so_far| {
            let place = e.iteration(info, iv);
            let part = e.part_at(parts, place, &types);
            let groups = info.groups();
            let merged = groups.iter().flat_map(|group| {
                e.merge_tuples(group.operator, &so_far[group.values()], &part[group.values()])
            });
            Ok(merged.collect())
        })?;
        for (old, value) in olds.into_iter().zip(merged) {
            self.bind(old, Val::One(value));
        }
        Ok(())
    }

    /// The number of an iteration
    fn iteration(&mut self, info: &LoopInfo, iv: Value) -> Value {
        if info.tile == 1 {
            return iv;
        }
        let (tile, index) = (self.index(info.tile), self.cx.common().index);
        self.value(arith::DivUI::DEF, &[iv, tile], index, &[])
    }

    /// The tuple of an iteration
    fn part_at(&mut self, parts: &[Value], place: Value, types: &[Type]) -> Vec<Value> {
        let components = parts.iter().zip(types);
        components.map(|(part, ty)| self.value(memref::Load::DEF, &[*part, place], *ty, &[])).collect()
    }
}
