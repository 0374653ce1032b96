//! Loops over the threads of a pool: `scf.parallel`.

use crate::emit::{Emit, Home, Res, Team, Val};
use crate::{codes, uneven};
use terrace_dialect_scf as scf;
use terrace_dialect_sched::{Combination, For, Level, LoopInfo, Mechanism};
use terrace_ir::{BlockId, InsertPoint, NewOp, OpId, Type, Value};

impl Emit<'_> {
    /// The loops that run as one: perfectly nested `cc` tasks whose bounds do not depend on each other
    fn collapsed(&self, info: &LoopInfo) -> Vec<LoopInfo> {
        let mut all = vec![info.clone()];
        while let Some(outer) = all.last() {
            let inner = self.body_of(outer).and_then(|block| {
                let inner = For::cast(self.ir, self.ir.first_op(block)?)?;
                let last = self.ir.next(inner.0)?;
                (self.ir.next(last).is_none()).then_some(inner)?.info(self.ir)
            });
            let plain = |info: &LoopInfo| {
                info.kind == Combination::Cc
                    || (info.kind == Combination::Pw && self.ir.num_results(info.op.0) == 0)
            };
            match inner {
                Some(inner)
                    if inner.level == Level::Task
                        && plain(&inner)
                        && plain(outer)
                        && inner.limit.is_none()
                        && inner.from.is_none()
                        && inner.trip() > 0 =>
                {
                    all.push(inner);
                }
                _ => return all,
            }
        }
        all
    }

    /// A loop whose iterations threads of the pool run, with perfectly nested ones in it
    pub fn tasks(&mut self, info: &LoopInfo) -> Res<()> {
        if self.lanes.is_some() {
            return self.refuse(info.op.0, &codes::LEVEL, "runs tasks inside of a vector loop", "");
        }
        let loops = self.collapsed(info);
        let Some(innermost) = loops.last().and_then(|info| self.body_of(info)) else { return Ok(()) };
        let (back, depth) = (self.at, self.depth);
        self.depth += 1;
        let parts = info.groups().iter().any(|group| group.len > 1).then(|| self.parts_of(info));
        let op = self.parallel(info, &loops, parts.is_none())?;
        let block = self.parallel_block(op, &loops);
        self.at = InsertPoint::End(block);
        self.homes.push(Home::Body(block));
        self.heap.push(Vec::new());
        let teams = self.teams.len();
        for info in loops.iter().filter(|info| info.trip() > 1) {
            let merges = info.kind == Combination::Pw;
            self.teams.push(Team { op: info.op.0, merges, atomic: info.via == Mechanism::Atomic });
        }
        let given = self.block_values(innermost)?;
        self.at = InsertPoint::End(block);
        self.free();
        self.homes.pop();
        self.teams.truncate(teams);
        match &parts {
            Some(parts) => self.keep_part(info, block, parts, &given),
            None => self.end_parallel(info, &given),
        }
        self.at = back;
        self.depth = depth;
        match parts {
            Some(parts) => self.fold_parts(info, &parts),
            None => {
                self.bind_merged(info, op);
                Ok(())
            }
        }
    }

    /// `scf.parallel` over the loops with more than one iteration; the values that it merges start neutral
    fn parallel(&mut self, info: &LoopInfo, loops: &[LoopInfo], merges: bool) -> Res<OpId> {
        let (mut lower, mut upper, mut steps) = (Vec::new(), Vec::new(), Vec::new());
        for info in loops.iter().filter(|info| info.trip() > 1) {
            let (from, to) = self.bounds(info);
            lower.push(from);
            upper.push(to);
            steps.push(self.index(info.tile));
        }
        let results = self.ir.results(info.op.0).filter(|_| merges);
        let types: Vec<Type> = results.map(|old| self.ir.ty(old)).collect();
        let mut inits = Vec::new();
        let groups = if merges { info.groups() } else { Vec::new() };
        for attr in self.identities(&groups, &types) {
            let Some(attr) = attr else {
                return self.no_start(info.op.0, "declare `identity` in `sched.operator`");
            };
            inits.push(self.constant(attr));
        }
        let operands: Vec<Value> = lower.iter().chain(&upper).chain(&steps).chain(&inits).copied().collect();
        let (n, m) = (lower.len() as u32, inits.len() as u32);
        let mut b = self.b();
        let kind = b.kind(scf::Parallel::DEF);
        let op = b.insert(&NewOp {
            operands: &operands,
            segments: &[n, n, n, m],
            results: &types,
            regions: 1,
            ..NewOp::new(kind)
        });
        if loops.iter().any(|info| info.trip() > 1 && uneven::uneven(self.ir, info)) {
            let one = self.cx.int_attr(1, self.cx.common().i64);
            self.ir.set_discardable(op, terrace_dialect_builtin::marks::GRAIN, Some(one));
        }
        Ok(op)
    }

    /// The body's block, the loops' variables bound to its arguments
    fn parallel_block(&mut self, op: OpId, loops: &[LoopInfo]) -> BlockId {
        let region = self.ir.region(op, 0);
        let block = self.ir.append_block(region);
        let index = self.cx.common().index;
        for info in loops {
            if info.trip() > 1 {
                let iv = self.ir.add_block_arg(block, index);
                self.declare(iv, Self::variable_range(info));
                self.bind(info.iv, Val::One(iv));
            } else {
                self.bind(info.iv, Val::Const(0));
            }
        }
        block
    }

    /// The loop's results: what the threads' values merge to, and the initial values
    fn bind_merged(&mut self, info: &LoopInfo, op: OpId) {
        let olds: Vec<Value> = self.ir.results(info.op.0).collect();
        let news: Vec<Value> = self.ir.results(op).collect();
        let starts: Vec<Val> = info.op.inits(self.ir).into_iter().map(|init| self.get(init)).collect();
        for (n, (old, new)) in olds.into_iter().zip(news).enumerate() {
            let value = match starts.get(n) {
                Some(start) => {
                    let start = self.whole(*start);
                    self.merge(&info.ops[n], start, new, None)
                }
                None => new,
            };
            self.bind(old, Val::One(value));
        }
    }

    /// `scf.reduce` with one region per value
    fn end_parallel(&mut self, info: &LoopInfo, given: &[Value]) {
        let mut b = self.b();
        let kind = b.kind(scf::Reduce::DEF);
        let op = b.insert(&NewOp { operands: given, regions: given.len(), ..NewOp::new(kind) });
        for (n, value) in given.iter().enumerate() {
            let ty = self.ir.ty(*value);
            let region = self.ir.region(op, n);
            let block = self.ir.append_block(region);
            let (a, b) = (self.ir.add_block_arg(block, ty), self.ir.add_block_arg(block, ty));
            self.at = InsertPoint::End(block);
            let merged = self.merge(&info.ops[n], a, b, None);
            scf::ReduceReturn::build(&mut self.b(), merged);
        }
    }
}
