//! Loops by level: sequential, unrolled, vector; and what they accumulate.
//!
//! A `pw` loop merges its contributions into *accumulators* that are handed down the nest: a loop whose body only yields
//! what an inner `pw` loop of the same operators gives hands its accumulators on to that. A vector loop adds lanes to them,
//! an unrolled one copies, so that a dot product keeps several vectors and merges them once, at the end. Any bracketing is
//! what `pw` permits; where the order word is `source`, each loop folds on its own, from the left.

use crate::codes;
use crate::emit::{Emit, Lanes, Res, Val};
use crate::indices::IndexExprs;
use terrace_analysis::Range;
use terrace_dialect_arith::{self as arith, CmpIPredicate};
use terrace_dialect_builtin::marks::UNROLL;
use terrace_dialect_scf as scf;
use terrace_dialect_sched::{
    Bound, Combination, For, Kernel, Level, LoopInfo, Mechanism, Operator, Order, Tail,
};
use terrace_ir::{BlockId, InsertPoint, NewOp, OpId, Type, Value};
use terrace_support::affine::AffineExpr;

/// Most accumulators that unrolled loops make of one
const MOST_PARTS: usize = 32;

/// Accumulators of a loop: per result, so many parts, each with so many lanes if any
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Shape {
    parts: usize,
    width: Option<i64>,
}

const PLAIN: Shape = Shape { parts: 1, width: None };

/// When an iteration happens
#[derive(Clone, Copy)]
pub enum When {
    Always,
    Never,
    If(Value),
}

impl Emit<'_> {
    /// A loop and all inside
    pub fn nest(&mut self, op: OpId) -> Res<()> {
        let Some(info) = For(op).info(self.ir) else { return Ok(()) };
        self.check_bounds(&info)?;
        let back = (self.source, self.fused);
        self.source |= info.kind == Combination::Pw && info.order.states_brackets();
        self.fused |= info.kind == Combination::Pw && info.order == Order::Fused;
        let done = match (info.level, info.kind) {
            (Level::Task, Combination::Cc | Combination::Pw) if info.trip() > 1 => self.tasks(&info),
            (level, _) if level.is_grid_like() || level.is_thread_like() => self.spread(&info),
            (Level::Pe, _) if info.trip() > 1 => self.refuse(
                op,
                &codes::LEVEL,
                "runs at level 'pe', which are units of an FPGA: only C for high-level synthesis has them",
                "on a processor use task, vector or unroll; on a GPU block and thread",
            ),
            // Devices of a host without others are tasks; launches of kernels are marked, to run at the same time.
            (Level::Device(_), Combination::Cc) if info.trip() > 1 && !self.launches(&info) => {
                self.tasks(&info)
            }
            (Level::Device(_), Combination::Cc) if info.trip() > 1 => {
                self.on_devices = true;
                self.accumulate(&info, Vec::new()).map(|_| ())
            }
            (_, Combination::Cc) => self.accumulate(&info, Vec::new()).map(|_| ()),
            (_, Combination::Pw) => self.reduction(&info),
            (_, Combination::Ps | Combination::Ordered) => self.carrying(&info),
        };
        (self.source, self.fused) = back;
        done
    }

    /// Iterations happen for all lanes of a vector loop around, or for none
    pub fn check_bounds(&mut self, info: &LoopInfo) -> Res<()> {
        if self.lanes.is_none() {
            return Ok(());
        }
        for bound in [&info.limit, &info.from].into_iter().flatten() {
            if !self.place(&bound.map, &bound.values).is_uniform() {
                return self.refuse(
                    info.op.0,
                    &codes::LANES,
                    "has a bound that differs from lane to lane of the vector loop around",
                    "make the outer loop one at `unroll`, or mask what lanes read and write instead",
                );
            }
        }
        Ok(())
    }

    pub fn body_of(&self, info: &LoopInfo) -> Option<BlockId> {
        self.ir.entry(info.op.body(self.ir))
    }

    /// The inner loop whose results are all this one's body yields, merged by the same operators
    fn absorbed(&self, info: &LoopInfo) -> Option<LoopInfo> {
        let results = self.ir.num_results(info.op.0);
        let block = self.body_of(info)?;
        let end = self.ir.last_op(block)?;
        let yielded: Vec<Value> = self.ir.operands(end).collect();
        let inner = self.ir.defining_op(*yielded.first()?)?;
        let all = self.ir.results(inner).eq(yielded.iter().copied());
        let alone = yielded.iter().all(|value| self.ir.has_one_use(*value));
        if !all || !alone || self.ir.block(inner) != Some(block) || yielded.len() != results {
            return None;
        }
        let inner = For::cast(self.ir, inner)?.info(self.ir)?;
        let merges = inner.kind == Combination::Pw && inner.groups() == info.groups();
        let ordered =
            inner.order.states_brackets() || info.order.states_brackets() || inner.via == Mechanism::Chain;
        let here = matches!(inner.level, Level::Seq | Level::Unroll | Level::Vector) || inner.trip() <= 1;
        let fits = merges && !ordered && here && inner.op.inits(self.ir).is_empty();
        // Lanes and copies with accumulators of their own would merge over all rounds first.
        let commutes = info.groups().iter().all(|group| self.commutes(group.operator));
        (fits && (commutes || self.shape(&inner) == PLAIN)).then_some(inner)
    }

    fn shape(&self, info: &LoopInfo) -> Shape {
        if info.level == Level::Vector && info.trip() > 1 {
            return match self.lanes {
                None => Shape { parts: 1, width: Some(info.trip()) },
                Some(_) => PLAIN,
            };
        }
        let inner = self.absorbed(info).map_or(PLAIN, |inner| self.shape(&inner));
        let tree = info.order == Order::Tree;
        let copied = info.level == Level::Unroll || tree;
        let copies = if copied { usize::try_from(info.trip()).unwrap_or(0) } else { 1 };
        let rest = info.order.is_left_fold() || info.via == Mechanism::Chain;
        match inner.parts.checked_mul(copies) {
            Some(parts) if ((1..=MOST_PARTS).contains(&parts) || tree) && !rest => {
                Shape { parts, width: inner.width }
            }
            _ => inner,
        }
    }

    /// A whole reduction: accumulators start neutral, and are merged after
    fn reduction(&mut self, info: &LoopInfo) -> Res<()> {
        let olds: Vec<Value> = self.ir.results(info.op.0).collect();
        if olds.is_empty() {
            self.accumulate(info, Vec::new())?;
            return Ok(());
        }
        let inits: Vec<Val> = info.op.inits(self.ir).into_iter().map(|init| self.get(init)).collect();
        let mut shape = self.shape(info);
        let types: Vec<Type> = olds.iter().map(|old| self.ir.ty(*old)).collect();
        let groups = info.groups();
        let neutral = self.identities(&groups, &types);
        let known = neutral.iter().all(Option::is_some);
        if !known {
            if inits.is_empty() || info.level == Level::Vector {
                return self.no_start(info.op.0, "declare `identity` in `sched.operator`, or give `init`");
            }
            shape = PLAIN;
        }
        let direct = shape == PLAIN && !inits.is_empty();
        let mut accs = Vec::new();
        for (n, attr) in neutral.iter().enumerate() {
            let width = shape.width.or(self.lanes.map(|lanes| lanes.width));
            let start = match (direct, attr) {
                (false, Some(attr)) => match width {
                    Some(width) => self.splat(*attr, width),
                    None => self.constant(*attr),
                },
                _ => self.whole(inits[n]),
            };
            accs.push(vec![start; shape.parts]);
        }
        let accs = self.accumulate(info, accs)?;
        let by_halves = info.order == Order::Tree;
        for group in groups {
            let parts =
                (0..shape.parts).map(|part| accs[group.values()].iter().map(|parts| parts[part]).collect());
            let (f, parts) = (group.operator, parts.collect());
            let merged = if by_halves { self.halves(f, parts) } else { self.tree_of_tuples(f, parts) };
            let Some(mut tuple) = merged else { continue };
            if shape.width.is_some() {
                tuple = match by_halves {
                    true => tuple.into_iter().map(|lanes| self.reduce_by_halves(f, lanes)).collect(),
                    false => self.reduce_tuples(f, &tuple),
                };
            }
            if !direct && !inits.is_empty() {
                let inits: Vec<Value> = inits[group.values()].iter().map(|init| self.whole(*init)).collect();
                tuple = self.merge_tuples(f, &inits, &tuple);
            }
            for (old, one) in olds[group.values()].iter().zip(tuple) {
                self.bind(*old, self.held(one));
            }
        }
        Ok(())
    }

    /// Refuse a loop of values that has nothing to start from
    pub fn no_start<T>(&self, op: OpId, help: &'static str) -> Res<T> {
        self.refuse(op, &codes::IDENTITY, "starts from nothing: its operator has no neutral element", help)
    }

    /// A value that there is once, or once per lane of the vector loop around
    pub fn held(&self, value: Value) -> Val {
        if self.lanes.is_some() { Val::Many(value) } else { Val::One(value) }
    }

    /// A body once; the values that it yields
    pub fn block_values(&mut self, block: BlockId) -> Res<Vec<Value>> {
        let given = self.block(block)?;
        Ok(given.into_iter().map(|(_, val)| self.whole(val)).collect())
    }

    /// Run a loop, merging what it gives into accumulators (per result, its parts)
    fn accumulate(&mut self, info: &LoopInfo, accs: Vec<Vec<Value>>) -> Res<Vec<Vec<Value>>> {
        if info.trip() == 0 {
            return Ok(accs);
        }
        self.check_bounds(info)?;
        let back = self.depth;
        self.depth += 1;
        let done = match info.level {
            Level::Vector if info.trip() > 1 => self.vector_loop(info, accs),
            Level::Unroll => self.copies(info, accs),
            _ if info.trip() == 1 || info.order == Order::Tree => self.copies(info, accs),
            _ => self.sequential(info, accs),
        };
        self.depth = back;
        done
    }

    /// The body once, with the loop's variable bound
    pub fn step(&mut self, info: &LoopInfo, accs: Vec<Vec<Value>>) -> Res<Vec<Vec<Value>>> {
        let Some(block) = self.body_of(info) else { return Ok(accs) };
        let inner = if accs.is_empty() { None } else { self.absorbed(info) };
        if let Some(inner) = inner {
            let mut accs = Some(accs);
            let mut next = self.ir.first_op(block);
            while let Some(op) = next {
                next = self.ir.next(op);
                if op == inner.op.0 {
                    let given = accs.take().unwrap_or_default();
                    accs = Some(self.accumulate(&inner, given)?);
                } else if next.is_some() {
                    self.op(op)?;
                }
            }
            return Ok(accs.unwrap_or_default());
        }
        let given = self.block(block)?;
        let mut merged = accs;
        let values = merged.len();
        for group in info.groups().into_iter().take_while(|group| group.first < values) {
            let (parts, given) = (&mut merged[group.values()], &given[group.values()]);
            let firsts: Vec<Value> = parts.iter().map(|parts| parts[0]).collect();
            let after = self.merge_given(group.operator, &firsts, given);
            for (parts, value) in parts.iter_mut().zip(after) {
                parts[0] = value;
            }
        }
        Ok(merged)
    }

    /// What is merged so far with what a body yields; a product that is only merged by addition need not be rounded
    pub fn merge_given(&mut self, f: &Operator, so_far: &[Value], given: &[(Value, Val)]) -> Vec<Value> {
        if let ([first], [(old, val)]) = (so_far, given) {
            let width = self.lanes.map(|lanes| lanes.width);
            let product = self.factors(*old, width);
            let value = self.whole(*val);
            return vec![self.merge(f, *first, value, product)];
        }
        let values: Vec<Value> = given.iter().map(|(_, val)| self.whole(*val)).collect();
        self.merge_tuples(f, so_far, &values)
    }

    /// A bound's expressions here
    pub fn bound(&mut self, bound: &Option<Bound>) -> Option<IndexExprs> {
        let bound = bound.as_ref()?;
        Some(self.place(&bound.map, &bound.values))
    }

    /// Whether the iteration at this value happens
    pub fn when(&mut self, info: &LoopInfo, at: i64) -> When {
        let mut all = None;
        for (bound, upper) in [(&info.limit, true), (&info.from, false)] {
            let Some(place) = self.bound(bound) else { continue };
            for expr in &place.exprs {
                let (least, most) = (self.least(&place, expr), self.most_of(&place, expr));
                let (holds, fails) = if upper { (least > at, most <= at) } else { (most <= at, least > at) };
                if fails {
                    return When::Never;
                }
                if holds {
                    continue;
                }
                let (bound, here) = (self.affine(&place, expr), self.index(at));
                let condition =
                    self.compare(if upper { CmpIPredicate::Sgt } else { CmpIPredicate::Sle }, bound, here);
                all = self.both(all, Some(condition));
            }
        }
        all.map_or(When::Always, When::If)
    }

    /// Each iteration as a copy of the body
    fn copies(&mut self, info: &LoopInfo, accs: Vec<Vec<Value>>) -> Res<Vec<Vec<Value>>> {
        let trip = usize::try_from(info.trip()).unwrap_or(0);
        let inner = self.absorbed(info).map_or(PLAIN, |inner| self.shape(&inner)).parts;
        // Each copy has parts of its own, or all share them.
        let own = trip > 1 && accs.first().is_some_and(|parts| parts.len() == inner * trip);
        let mut accs = accs;
        let since = self.writes_last(info);
        for n in 0..trip {
            let at = n as i64 * info.tile;
            self.bind(info.iv, Val::Const(at));
            let range = if own { n * inner..(n + 1) * inner } else { 0..accs.first().map_or(0, Vec::len) };
            let part: Vec<Vec<Value>> = accs.iter().map(|parts| parts[range.clone()].to_vec()).collect();
            let part = match self.when(info, at) {
                When::Never => continue,
                When::Always => self.step(info, part)?,
                When::If(condition) => self.conditional(info, condition, part)?,
            };
            for (all, part) in accs.iter_mut().zip(part) {
                all[range.clone()].copy_from_slice(&part);
            }
            self.next_copy(info.op.0);
        }
        if let Some(since) = since {
            self.move_writes(since);
        }
        Ok(accs)
    }

    fn conditional(
        &mut self,
        info: &LoopInfo,
        condition: Value,
        accs: Vec<Vec<Value>>,
    ) -> Res<Vec<Vec<Value>>> {
        let flat: Vec<Value> = accs.iter().flatten().copied().collect();
        let types: Vec<Type> = flat.iter().map(|value| self.ir.ty(*value)).collect();
        let values = self.choose(
            condition,
            &types,
            &mut |e| Ok(e.step(info, accs.clone())?.into_iter().flatten().collect()),
            &mut |_| Ok(flat.clone()),
        )?;
        Ok(regroup(&accs, &values))
    }

    /// First value of a loop's variable, and the first it does not reach
    pub fn bounds(&mut self, info: &LoopInfo) -> (Value, Value) {
        let mut lower = self.index(0);
        if let Some(place) = self.bound(&info.from) {
            for expr in &place.exprs {
                if self.most_of(&place, expr) <= 0 {
                    continue;
                }
                let tile = AffineExpr::Constant(info.tile);
                let start = AffineExpr::mul(AffineExpr::ceil_div(expr.clone(), tile.clone()), tile);
                let start = self.affine(&place, &start);
                lower = self.extreme(arith::MaxSI::DEF, start, lower);
            }
        }
        (lower, self.upper(info))
    }

    /// The first value of a loop's variable that it does not reach
    fn upper(&mut self, info: &LoopInfo) -> Value {
        let last = (info.trip() - 1) * info.tile;
        let mut upper = self.index(info.extent);
        if let Some(place) = self.bound(&info.limit) {
            for expr in &place.exprs {
                if self.least(&place, expr) > last {
                    continue;
                }
                let limit = self.affine(&place, expr);
                upper = self.extreme(arith::MinSI::DEF, limit, upper);
            }
        }
        upper
    }

    /// Values of the loop's variable
    pub fn variable_range(info: &LoopInfo) -> Option<Range> {
        Range::stepped(0, (info.trip() - 1) * info.tile, info.tile)
    }

    /// Does the loop launch kernels?
    fn launches(&self, info: &LoopInfo) -> bool {
        self.ir.walk_below(info.op.0).any(|op| Kernel::cast(self.ir, op).is_some())
    }

    fn sequential(&mut self, info: &LoopInfo, accs: Vec<Vec<Value>>) -> Res<Vec<Vec<Value>>> {
        if info.tail == Some(Tail::Peel)
            && let Some(done) = self.peeled(info, &accs)
        {
            return done;
        }
        let staged = self.grid.as_ref().and_then(|_| crate::pipelined_copies::staged(self.ir, info));
        if let Some(staged) = staged {
            return self.pipelined(info, &staged, accs);
        }
        let (lower, upper) = self.bounds(info);
        let range = Self::variable_range(info);
        self.unrolled = self.ir.discardable(info.op.0, UNROLL).is_some();
        self.for_between(info, [lower, upper], range, accs, &mut |e, accs| e.step(info, accs))
    }

    /// Iterations from one value to another as `scf.for`
    pub fn for_between(
        &mut self,
        info: &LoopInfo,
        bounds: [Value; 2],
        range: Option<Range>,
        accs: Vec<Vec<Value>>,
        body: &mut dyn FnMut(&mut Self, Vec<Vec<Value>>) -> Res<Vec<Vec<Value>>>,
    ) -> Res<Vec<Vec<Value>>> {
        let flat: Vec<Value> = accs.iter().flatten().copied().collect();
        let since = self.shifted.len();
        let values = self.for_loop(info, bounds, range, &flat, &mut |e, args| {
            let accs = regroup(&accs, args);
            Ok(body(e, accs)?.into_iter().flatten().collect())
        })?;
        self.carry(info, since)?;
        Ok(regroup(&accs, &values))
    }

    /// The loop as `scf.for`, its body written by a closure from the carried values
    pub fn for_loop(
        &mut self,
        info: &LoopInfo,
        [lower, upper]: [Value; 2],
        range: Option<Range>,
        inits: &[Value],
        body: &mut dyn FnMut(&mut Self, &[Value]) -> Res<Vec<Value>>,
    ) -> Res<Vec<Value>> {
        let step = self.index(info.tile);
        self.enter_round(info);
        let runs = self.range(lower).max() < self.range(upper).min();
        let held = self.facts.len();
        let done = self.loop_over([lower, upper, step], inits, &mut |e, iv, args| {
            e.declare(iv, range);
            e.bind(info.iv, Val::One(iv));
            if let Some(limit) = &info.limit {
                // iv < limit
                let mut values = limit.values.clone();
                values.push(info.iv);
                let own =
                    AffineExpr::add(AffineExpr::Dim(limit.values.len() as u32), AffineExpr::Constant(1));
                for expr in &limit.map.results {
                    e.note(&AffineExpr::sub(expr.clone(), own.clone()), &values);
                }
            }
            let values = body(e, args)?;
            e.end_round();
            Ok(values)
        });
        self.leave_round(info, runs);
        self.facts.truncate(held);
        done
    }

    /// `scf.for` with a body written by a closure from its variable and the carried values
    pub fn loop_over(
        &mut self,
        [lower, upper, step]: [Value; 3],
        inits: &[Value],
        body: &mut dyn FnMut(&mut Self, Value, &[Value]) -> Res<Vec<Value>>,
    ) -> Res<Vec<Value>> {
        let types: Vec<Type> = inits.iter().map(|value| self.ir.ty(*value)).collect();
        let mut operands = vec![lower, upper, step];
        operands.extend_from_slice(inits);
        let mut b = self.b();
        let kind = b.kind(scf::For::DEF);
        let op = b.insert(&NewOp { operands: &operands, results: &types, regions: 1, ..NewOp::new(kind) });
        if std::mem::take(&mut self.on_devices) {
            self.ir.set_discardable(op, terrace_dialect_builtin::marks::DEVICES, Some(self.cx.common().unit));
        }
        if std::mem::take(&mut self.unrolled) {
            self.ir.set_discardable(op, UNROLL, Some(self.cx.common().unit));
        }
        let region = self.ir.region(op, 0);
        let block = self.ir.append_block(region);
        let index = self.cx.common().index;
        let iv = self.ir.add_block_arg(block, index);
        let args: Vec<Value> = types.iter().map(|ty| self.ir.add_block_arg(block, *ty)).collect();
        let back = std::mem::replace(&mut self.at, InsertPoint::End(block));
        let values = body(self, iv, &args)?;
        self.at = InsertPoint::End(block);
        scf::Yield::build(&mut self.b(), &values);
        self.at = back;
        Ok(self.ir.results(op).collect())
    }

    /// The body once, on vectors
    fn vector_loop(&mut self, info: &LoopInfo, accs: Vec<Vec<Value>>) -> Res<Vec<Vec<Value>>> {
        if self.lanes.is_some() {
            // Lanes of lanes: one after the other.
            return self.copies(info, accs);
        }
        let width = info.trip();
        let last = (width - 1) * info.tile;
        let (mut mask, mut any) = (None, None);
        let tiles = |expr: &AffineExpr| AffineExpr::ceil_div(expr.clone(), AffineExpr::Constant(info.tile));
        if let Some(place) = self.bound(&info.limit) {
            for expr in &place.exprs {
                let least = self.least(&place, expr);
                if least > last {
                    continue;
                }
                let count = self.affine(&place, &tiles(expr));
                // Where the end is a whole number of vectors, all lanes run or none.
                if !place.is_multiple(expr, width.saturating_mul(info.tile)) {
                    let lanes = self.first_lanes(count, width);
                    mask = self.both(mask, Some(lanes));
                }
                if least <= 0 {
                    let zero = self.index(0);
                    let some = self.compare(CmpIPredicate::Sgt, count, zero);
                    any = self.both(any, Some(some));
                }
            }
        }
        if let Some(place) = self.bound(&info.from) {
            for expr in &place.exprs {
                if self.most_of(&place, expr) <= 0 {
                    continue;
                }
                let count = self.affine(&place, &tiles(expr));
                let before = self.first_lanes(count, width);
                let (ones, ty) = (self.splat(self.cx.bool_attr(true), width), self.ir.ty(before));
                let after = self.value(arith::XOrI::DEF, &[before, ones], ty, &[]);
                mask = self.both(mask, Some(after));
                let width = self.index(width);
                let some = self.compare(CmpIPredicate::Slt, count, width);
                any = self.both(any, Some(some));
            }
        }
        match any {
            None => self.lanes_once(info, Lanes { width, mask }, accs),
            Some(any) => {
                let flat: Vec<Value> = accs.iter().flatten().copied().collect();
                let types: Vec<Type> = flat.iter().map(|value| self.ir.ty(*value)).collect();
                let values = self.choose(
                    any,
                    &types,
                    &mut |e| {
                        let done = e.lanes_once(info, Lanes { width, mask }, accs.clone())?;
                        Ok(done.into_iter().flatten().collect())
                    },
                    &mut |_| Ok(flat.clone()),
                )?;
                Ok(regroup(&accs, &values))
            }
        }
    }

    fn lanes_once(&mut self, info: &LoopInfo, lanes: Lanes, accs: Vec<Vec<Value>>) -> Res<Vec<Vec<Value>>> {
        self.bind(info.iv, Val::Lane(info.tile));
        self.lanes = Some(lanes);
        let merged = self.step_masked(info, lanes, accs);
        self.lanes = None;
        merged
    }

    fn step_masked(&mut self, info: &LoopInfo, lanes: Lanes, accs: Vec<Vec<Value>>) -> Res<Vec<Vec<Value>>> {
        let Some(mask) = lanes.mask else { return self.step(info, accs) };
        let before = accs.clone();
        let after = self.step(info, accs)?;
        // A lane that does not happen keeps what it had.
        let mut kept = Vec::with_capacity(after.len());
        for (before, after) in before.into_iter().zip(after) {
            let parts = before.into_iter().zip(after).map(|(old, new)| {
                let ty = self.ir.ty(new);
                self.value(arith::Select::DEF, &[mask, new, old], ty, &[])
            });
            kept.push(parts.collect());
        }
        Ok(kept)
    }
}

/// A flat list in groups like these
fn regroup(like: &[Vec<Value>], flat: &[Value]) -> Vec<Vec<Value>> {
    let mut at = 0;
    like.iter()
        .map(|parts| {
            let group = flat[at..at + parts.len()].to_vec();
            at += parts.len();
            group
        })
        .collect()
}
