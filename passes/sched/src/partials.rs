//! Tasks that merge into one buffer get partial buffers of their own, merged in the order of iterations after the join.
//!
//! For loops over tasks with `pw f`, `via partials` or without a mechanism: every buffer from outside that their bodies only
//! merge into by `f` is replaced by a part of a new buffer, one part per iteration (never per worker, so the result does not
//! depend on their number). A part is the box of elements that one iteration can touch. It starts neutral, unless one copy
//! sets all of it; where that copy brings a buffer of the task itself, the part takes that buffer's place. After the join the
//! parts are merged one after the other, in parallel over elements. What does not fit stays as it was: a later pass says so.

use terrace_analysis::{Range, footprint_inside, simplify_with_ranges};
use terrace_dialect_arith as arith;
use terrace_dialect_sched::Space;
use terrace_dialect_sched::access::{Access, Dims};
use terrace_dialect_sched::space::{self, lowered};
use terrace_dialect_sched::{
    Alloc, Bound, Combination, Copy, CopySpec, For, Kernel, Level, LoopInfo, LoopSpec, Mechanism, Operator,
    Read, Write,
};
use terrace_ir::{Attr, Builder, InsertPoint, Ir, Loc, OpId, Type, TypeKind, Value, ValueDef};
use terrace_support::affine::AffineExpr;

/// Elements merged after a join that are worth tasks of their own
const WORTH_TASKS: i64 = 1 << 14;

/// Give tasks partial buffers; `identity` knows neutral elements. How many buffers got them
pub(crate) fn split(ir: &mut Ir, identity: &dyn Fn(&Ir, &Operator, Type) -> Option<Attr>) -> u64 {
    let tops: Vec<For> = ir.walk().filter_map(|op| For::cast(ir, op)).collect();
    let mut count = 0;
    for top in tops {
        let Some(group) = Group::at(ir, top) else { continue };
        let targets = group.targets(ir);
        let mut all = true;
        for target in &targets {
            match group.part(ir, target, identity) {
                Some(part) => {
                    count += 1;
                    group.replace(ir, target, &part);
                }
                None => all = false,
            }
        }
        if all && !targets.is_empty() {
            group.clear(ir);
        }
    }
    count
}

/// Perfectly nested loops over tasks
struct Group {
    loops: Vec<LoopInfo>,
}

/// A buffer from outside that the tasks merge into
struct Target {
    memref: Value,
    operator: Operator,
    uses: Vec<OpId>,
}

/// What the partial buffers of a target are
struct Part {
    /// Where an iteration's box starts, over variables of the tasks and from outside
    origin: Vec<AffineExpr>,
    /// Dimensions of `origin`
    dims: Dims,
    extents: Vec<i64>,
    start: Start,
}

/// How a part gets its first values
enum Start {
    /// Filled with the neutral element
    Neutral(Attr),
    /// Set by the only op that merges
    Set,
    /// A buffer of the task that the only copy brings
    Own(Alloc),
}

impl Group {
    /// The loops that begin here, if they are the outermost tasks and one of them merges into memory by partial buffers
    fn at(ir: &Ir, top: For) -> Option<Group> {
        let mut around = ir.parent(top.0);
        while let Some(op) = around {
            let task = For::cast(ir, op).and_then(|outer| outer.info(ir));
            if task.is_some_and(|info| info.level == Level::Task) || Kernel::cast(ir, op).is_some() {
                return None;
            }
            around = ir.parent(op);
        }
        let is_task = |info: &LoopInfo| {
            info.level == Level::Task
                && matches!(info.kind, Combination::Cc | Combination::Pw)
                && ir.num_results(info.op.0) == 0
        };
        let mut loops = vec![top.info(ir).filter(is_task)?];
        while let Some(inner) = loops.last().and_then(|outer| only(ir, outer)).filter(is_task) {
            loops.push(inner);
        }
        let ways = |info: &LoopInfo| matches!(info.via, Mechanism::Auto | Mechanism::Partials);
        let merging = |info: &&LoopInfo| info.kind == Combination::Pw && info.trip() > 1;
        let mut merging = loops.iter().filter(merging).peekable();
        merging.peek()?;
        merging.all(ways).then_some(Group { loops })
    }

    /// Buffers from outside that are merged into, and used in no other way
    fn targets(&self, ir: &Ir) -> Vec<Target> {
        let top = self.loops[0].op.0;
        let outside = |memref: Value| {
            let home = ir.value_block(memref).and_then(|block| ir.block_parent(block));
            home.is_none_or(|home| home != top && !ir.is_inside(home, top))
        };
        let mut targets: Vec<Target> = Vec::new();
        let mut others: Vec<Value> = Vec::new();
        for op in ir.walk_below(top) {
            let (merged, other) = if let Some(write) = Write::cast(ir, op) {
                (Some((write.memref(ir), write.operator(ir))), None)
            } else if let Some(read) = Read::cast(ir, op) {
                (None, Some(read.memref(ir)))
            } else if let Some(copy) = Copy::cast(ir, op) {
                (Some((copy.dst(ir), copy.operator(ir))), Some(copy.src(ir)))
            } else {
                (None, None)
            };
            others.extend(other);
            let Some((memref, operator)) = merged.filter(|(memref, _)| outside(*memref)) else { continue };
            let known = targets.iter_mut().find(|target| target.memref == memref);
            match (operator, known) {
                (Some(f), Some(target)) if target.operator == f => target.uses.push(op),
                (Some(operator), None) => targets.push(Target { memref, operator, uses: vec![op] }),
                _ => others.push(memref),
            }
        }
        let merges = |target: &Target| {
            self.loops.iter().any(|info| {
                info.kind == Combination::Pw && info.trip() > 1 && info.ops.contains(&target.operator)
            })
        };
        targets.retain(|target| !others.contains(&target.memref) && merges(target));
        targets
    }

    /// What the partial buffers for a target are
    fn part(
        &self,
        ir: &Ir,
        target: &Target,
        identity: &dyn Fn(&Ir, &Operator, Type) -> Option<Attr>,
    ) -> Option<Part> {
        let cx = ir.cx();
        let TypeKind::MemRef { shape, elem, .. } = ir.ty(target.memref).kind(cx) else { return None };
        if shape.iter().any(|size| *size < 0) {
            return None;
        }
        let whole: i64 = shape.iter().product();
        let mut found: Option<Part> = None;
        let mut common = true;
        for op in &target.uses {
            let (at, domain) = merged_at(ir, *op)?;
            let Some((origin, extents, dims)) = self.footprint(ir, &at, &domain) else {
                common = false;
                break;
            };
            let part = Part { origin, dims, extents, start: Start::Set };
            match &mut found {
                None => found = Some(part),
                Some(first) => {
                    let same = first.dims.values == part.dims.values && first.origin == part.origin;
                    common &= same;
                    for (a, b) in first.extents.iter_mut().zip(&part.extents) {
                        *a = (*a).max(*b);
                    }
                }
            }
        }
        let small = |part: &Part| {
            part.extents.iter().try_fold(1i64, |all, size| all.checked_mul(*size)).is_some_and(|n| n <= whole)
        };
        let mut part = match found {
            Some(part) if common && small(&part) => part,
            _ => Part {
                origin: vec![AffineExpr::Constant(0); shape.len()],
                dims: Dims::default(),
                extents: shape.to_vec(),
                start: Start::Set,
            },
        };
        part.start = match self.set_at_once(ir, target, &part) {
            Some(start) => start,
            None => Start::Neutral(identity(ir, &target.operator, *elem)?),
        };
        Some(part)
    }

    /// Where an access lies in one iteration: start of its box, sizes of that
    fn footprint(&self, ir: &Ir, at: &Access, domain: &[i64]) -> Option<(Vec<AffineExpr>, Vec<i64>, Dims)> {
        let innermost = self.loops.last()?.op.0;
        let own = domain.len();
        let ranges = ranges_of(ir, at, domain);
        let moves = |dim: u32| {
            let Some(n) = (dim as usize).checked_sub(own) else { return true };
            let home = ir.value_block(at.values[n]).and_then(|block| ir.block_parent(block));
            // The tasks' own variables stand still.
            home.is_some_and(|home| ir.is_inside(home, innermost) && home != innermost)
                || matches!(ir.value_def(at.values[n]), Some(ValueDef::Result(op, _)) if ir.is_inside(op, innermost))
        };
        let found = footprint_inside(&at.map, &ranges, moves)?;
        let extents =
            found.extents()?.into_iter().map(|n| i64::try_from(n).ok()).collect::<Option<Vec<_>>>()?;
        let mut dims = Dims::default();
        let leaves: Vec<AffineExpr> = (0..own)
            .map(|_| AffineExpr::Constant(0))
            .chain(at.values.iter().enumerate().map(|(n, value)| {
                if moves((own + n) as u32) { AffineExpr::Constant(0) } else { dims.value(*value) }
            }))
            .collect();
        let origin =
            found.origin().iter().map(|expr| expr.replace(&leaves, &[])).collect::<Option<Vec<_>>>()?;
        Some((origin, extents, dims))
    }

    /// Is a part set by the only op that merges into it, once for all of it?
    fn set_at_once(&self, ir: &Ir, target: &Target, part: &Part) -> Option<Start> {
        let [op] = target.uses[..] else { return None };
        let body = ir.entry(self.loops.last()?.op.body(ir))?;
        if ir.block(op) != Some(body) {
            return None;
        }
        let (at, domain) = merged_at(ir, op)?;
        let ranges = ranges_of(ir, &at, &domain);
        let own = domain.len() as u32;
        let found = footprint_inside(&at.map, &ranges, |dim| dim < own)?;
        let count: i64 = domain.iter().product();
        let extents: i64 = part.extents.iter().product();
        if !found.full || count != extents || found.elements() != u64::try_from(count).ok() {
            return None;
        }
        Some(self.own_buffer(ir, op, part).map_or(Start::Set, Start::Own))
    }

    /// The task's buffer that a copy brings element by element, if the part can take its place
    fn own_buffer(&self, ir: &Ir, op: OpId, part: &Part) -> Option<Alloc> {
        let copy = Copy::cast(ir, op)?;
        let from = copy.from(ir)?;
        let sizes = copy.sizes(ir);
        let alloc = Alloc::cast(ir, ir.defining_op(copy.src(ir))?)?;
        let ty = ir.ty(copy.src(ir));
        let body = ir.entry(self.loops.last()?.op.body(ir))?;
        let plain = matches!(ty.kind(ir.cx()), TypeKind::MemRef { layout: None, .. })
            && space::of(ir.cx(), ty) == Space::Main;
        let numbers = |map: &[AffineExpr]| {
            map.len() == sizes.len()
                && map.iter().enumerate().all(|(n, expr)| *expr == AffineExpr::Dim(n as u32))
        };
        let to = copy.to(ir);
        let ranges = ranges_of(ir, &to, &sizes);
        let within = part.within(&to, sizes.len())?;
        let within: Vec<AffineExpr> =
            within.0.iter().map(|expr| simplify_with_ranges(expr, &pad(&ranges, within.1))).collect();
        let fits = ty.shape(ir.cx()) == Some(&sizes[..]) && sizes == part.extents;
        let all = ir.block(alloc.0) == Some(body) && alloc.owner(ir).is_none() && copy.padding(ir).is_none();
        (plain && all && fits && numbers(&from.map.results) && numbers(&within)).then_some(alloc)
    }

    /// Numbers of the iteration: the first indices of its part
    fn numbers(&self, dims: &mut Dims, variable: &dyn Fn(&LoopInfo) -> Value) -> Vec<AffineExpr> {
        let tasks = self.loops.iter().filter(|info| info.trip() > 1);
        tasks
            .map(|info| {
                AffineExpr::floor_div(dims.value(variable(info)), AffineExpr::Constant(info.tile.max(1)))
            })
            .collect()
    }

    /// Make the parts, let the tasks use them, and merge after
    fn replace(&self, ir: &mut Ir, target: &Target, part: &Part) {
        let top = self.loops[0].op.0;
        let loc = ir.loc(top);
        let cx = ir.cx_arc().clone();
        let elem = ir.ty(target.memref).scalar(&cx);
        let trips = self.loops.iter().map(|info| info.trip()).filter(|trip| *trip > 1);
        let shape: Vec<i64> = trips.chain(part.extents.iter().copied()).collect();
        let ty = cx.ty(TypeKind::MemRef { shape: shape[..].into(), elem, layout: None, space: None });
        let mut b = Builder::before(ir, top);
        b.set_loc(loc);
        let made = Alloc::build(&mut b, lowered(&cx, ty));
        let parts = made.memref(ir);
        if let Start::Own(alloc) = part.start {
            let old = alloc.memref(ir);
            for op in target.uses.iter().copied() {
                ir.erase(op);
            }
            self.prefix(ir, old, parts);
            ir.erase(alloc.0);
        } else {
            if let Start::Neutral(attr) = part.start {
                self.fill(ir, parts, part, attr, loc);
            }
            for op in &target.uses {
                self.redirect(ir, *op, parts, part);
            }
        }
        self.merge(ir, target, parts, part, loc);
    }

    /// Set a part to the neutral element where the task starts
    fn fill(&self, ir: &mut Ir, parts: Value, part: &Part, neutral: Attr, loc: Loc) {
        let top = self.loops[0].op.0;
        let mut b = Builder::before(ir, top);
        b.set_loc(loc);
        let constant = arith::Constant::build(&mut b, neutral);
        let value = constant.result(ir);
        let Some(body) = self.loops.last().and_then(|info| ir.entry(info.op.body(ir))) else { return };
        let mut dims = Dims::with_domain(part.extents.len());
        let mut to = self.numbers(&mut dims, &|info| info.iv);
        to.extend((0..part.extents.len()).map(|n| AffineExpr::Dim(n as u32)));
        let Some(to) = dims.access(to) else { return };
        let mut b = Builder::at_start(ir, body);
        b.set_loc(loc);
        let fill = CopySpec { combine: None, from: None, src: value, ..plain_copy(parts, to, &part.extents) };
        fill.build(&mut b);
    }

    /// Let an op that merges into the target merge into this iteration's part, or set it
    fn redirect(&self, ir: &mut Ir, op: OpId, parts: Value, part: &Part) {
        let set = matches!(part.start, Start::Set);
        let Some((at, domain)) = merged_at(ir, op) else { return };
        let Some((within, _)) = part.within(&at, domain.len()) else { return };
        let mut dims = Dims { own: domain.len() as u32, values: at.values.clone() };
        for value in &part.dims.values {
            dims.value(*value);
        }
        let numbers = self.numbers(&mut dims, &|info| info.iv);
        let all: Vec<AffineExpr> = numbers.into_iter().chain(within).collect();
        let Some(raw) = dims.access(all) else { return };
        let ranges = ranges_of(ir, &raw, &domain);
        let results = raw.map.results.iter().map(|expr| simplify_with_ranges(expr, &ranges)).collect();
        let Some(to) = (Dims { own: domain.len() as u32, values: raw.values }).access(results) else {
            return;
        };
        let loc = ir.loc(op);
        let mut b = Builder::before(ir, op);
        if let Some(write) = Write::cast(b.read(), op) {
            let (value, f) = (write.value(b.read()), write.operator(b.read()));
            let clip = write.clip(b.read());
            b.set_loc(loc);
            let new = Write::make(&mut b, value, parts, &to, f.as_ref().filter(|_| !set));
            new.set_clip(ir, clip);
        } else if let Some(copy) = Copy::cast(b.read(), op) {
            let ir = b.read();
            let of = CopySpec::of(ir, copy);
            let combine = of.combine.clone().filter(|_| !set);
            let spec = CopySpec { domain, dst: parts, to, per: None, combine, ..of };
            b.set_loc(loc);
            spec.build(&mut b);
        }
        ir.erase(op);
    }

    /// Uses of a buffer of the task become uses of this iteration's part
    fn prefix(&self, ir: &mut Ir, old: Value, parts: Value) {
        let users: Vec<OpId> =
            ir.walk_below(self.loops[0].op.0).filter(|op| ir.operands(*op).any(|v| v == old)).collect();
        let longer = |at: &Access, own: usize| {
            let mut dims = Dims { own: own as u32, values: at.values.clone() };
            let mut all = self.numbers(&mut dims, &|info| info.iv);
            all.extend(at.map.results.iter().cloned());
            dims.access(all)
        };
        for op in users {
            let loc = ir.loc(op);
            let mut b = Builder::before(ir, op);
            b.set_loc(loc);
            if let Some(read) = Read::cast(b.read(), op) {
                let Some(at) = longer(&read.access(b.read()), 0) else { continue };
                let padding = read.padding(b.read());
                let new = Read::make(&mut b, parts, &at, padding).result(b.read());
                let old = read.result(ir);
                ir.replace_all_uses(old, new);
            } else if let Some(write) = Write::cast(b.read(), op) {
                let Some(at) = longer(&write.access(b.read()), 0) else { continue };
                let (value, f, clip) =
                    (write.value(b.read()), write.operator(b.read()), write.clip(b.read()));
                let new = Write::make(&mut b, value, parts, &at, f.as_ref());
                new.set_clip(ir, clip);
            } else if let Some(copy) = Copy::cast(b.read(), op) {
                let ir = b.read();
                let own = copy.sizes(ir).len();
                let (mut from, mut to, mut src, mut dst) =
                    (copy.from(ir), copy.to(ir), copy.src(ir), copy.dst(ir));
                if src == old {
                    from = from.and_then(|at| longer(&at, own));
                    src = parts;
                }
                if dst == old {
                    let Some(at) = longer(&to, own) else { continue };
                    to = at;
                    dst = parts;
                }
                let spec = CopySpec { src, from, dst, to, ..CopySpec::of(ir, copy) };
                spec.build(&mut b);
            }
            ir.erase(op);
        }
    }

    /// Merge the parts in the order of iterations, after the tasks have joined
    fn merge(&self, ir: &mut Ir, target: &Target, parts: Value, part: &Part, loc: Loc) {
        let top = self.loops[0].op.0;
        let Some(at) = ir.next(top).map(InsertPoint::Before).or_else(|| ir.block(top).map(InsertPoint::End))
        else {
            return;
        };
        let mut nest = Nest { top, at, loc };
        let merges = |info: &LoopInfo| info.kind == Combination::Pw && info.ops.contains(&target.operator);
        let order = MergeOrder::of(&self.loops, part, &merges);
        let row = order.rows.then(|| {
            let extent = part.extents[0];
            nest.enter(ir, LoopSpec { extent, tile: 1, level: Level::Task, ..LoopSpec::default() })
        });
        let row = row.flatten();
        let mut variables: Vec<(Value, Value)> = Vec::new();
        for info in &order.loops {
            let rename = |bound: &Bound| Bound {
                map: bound.map.clone(),
                values: bound.values.iter().map(|value| renamed(&variables, *value)).collect(),
            };
            let merging = merges(info);
            let spec = LoopSpec {
                extent: info.extent,
                tile: info.tile,
                from: info.from.as_ref().map(rename),
                limit: info.limit.as_ref().map(rename),
                level: if merging || !order.tasks { Level::Seq } else { Level::Task },
                kind: if merging { Combination::Pw } else { Combination::Cc },
                ops: if merging { vec![target.operator.clone()] } else { Vec::new() },
                ..LoopSpec::default()
            };
            if let Some(variable) = nest.enter(ir, spec) {
                variables.push((info.iv, variable));
            }
        }
        if let Some((from, to, domain)) = self.places(part, row, &variables) {
            let spec = CopySpec {
                src: parts,
                from: Some(from),
                combine: Some(target.operator.clone()),
                clip: true,
                ..plain_copy(target.memref, to, &domain)
            };
            spec.build(&mut nest.builder(ir));
        }
    }

    /// What the merging copy reads of the parts and where it merges it to, with its domain
    ///
    /// `row` is the variable of a loop over the first dimension, which the domain does without then.
    fn places(
        &self,
        part: &Part,
        row: Option<Value>,
        variables: &[(Value, Value)],
    ) -> Option<(Access, Access, Vec<i64>)> {
        let skipped = usize::from(row.is_some());
        let domain: Vec<i64> = part.extents[skipped..].to_vec();
        let place = |n: usize, dims: &mut Dims| match (row, n.checked_sub(skipped)) {
            (Some(row), None) => dims.value(row),
            (_, n) => AffineExpr::Dim(n.unwrap_or(0) as u32),
        };
        let mut dims = Dims::with_domain(domain.len());
        let mut from = self.numbers(&mut dims, &|info| renamed(variables, info.iv));
        for n in 0..part.extents.len() {
            from.push(place(n, &mut dims));
        }
        let from = dims.access(from);
        let mut dims = Dims::with_domain(domain.len());
        let leaves: Vec<AffineExpr> =
            part.dims.values.iter().map(|value| dims.value(renamed(variables, *value))).collect();
        let mut to = Vec::new();
        for (n, origin) in part.origin.iter().enumerate() {
            to.push(AffineExpr::add(origin.replace(&leaves, &[])?, place(n, &mut dims)));
        }
        Some((from?, dims.access(to)?, domain))
    }

    /// The tasks merge nothing any more
    fn clear(&self, ir: &mut Ir) {
        for info in self.loops.iter().filter(|info| info.kind == Combination::Pw) {
            info.op.set_combine(ir, None);
            info.op.set_ops(ir, None);
            info.op.set_order(ir, None);
            info.op.set_via(ir, None);
        }
    }
}

impl Part {
    /// An access' place in the part, over the access' dimensions and then those of the origin; how many these are
    fn within(&self, at: &Access, own: usize) -> Option<(Vec<AffineExpr>, usize)> {
        let mut dims = Dims { own: own as u32, values: at.values.clone() };
        let leaves: Vec<AffineExpr> = self.dims.values.iter().map(|value| dims.value(*value)).collect();
        let mut all = Vec::new();
        for (expr, origin) in at.map.results.iter().zip(&self.origin) {
            all.push(AffineExpr::sub(expr.clone(), origin.replace(&leaves, &[])?));
        }
        Some((all, own + dims.values.len()))
    }
}

/// Ranges for more dimensions
fn pad(ranges: &[Range], count: usize) -> Vec<Range> {
    let mut all = ranges.to_vec();
    all.resize(count.max(all.len()), Range::ALL);
    all
}

fn renamed(variables: &[(Value, Value)], value: Value) -> Value {
    variables.iter().find(|(old, _)| *old == value).map_or(value, |(_, new)| *new)
}

fn plain_copy(dst: Value, to: Access, domain: &[i64]) -> CopySpec {
    CopySpec::new(domain.to_vec(), (dst, None), (dst, to))
}

/// The only loop in a loop's body
fn only(ir: &Ir, outer: &LoopInfo) -> Option<LoopInfo> {
    let first = ir.first_op(ir.entry(outer.op.body(ir))?)?;
    let last = ir.next(first)?;
    let inner = For::cast(ir, first).filter(|_| ir.next(last).is_none())?;
    inner.info(ir)
}

/// A nest that is written from outside in
struct Nest {
    /// The nest before it
    top: OpId,
    at: InsertPoint,
    loc: Loc,
}

impl Nest {
    fn builder<'i>(&self, ir: &'i mut Ir) -> Builder<'i> {
        let mut b = Builder::before(ir, self.top);
        b.set_insert_point(self.at);
        b.set_loc(self.loc);
        b
    }

    /// Make a loop and go into it: its variable
    fn enter(&mut self, ir: &mut Ir, spec: LoopSpec) -> Option<Value> {
        let made = spec.build(&mut self.builder(ir));
        let body = ir.entry(made.body(ir));
        let end = body.and_then(|body| ir.last_op(body));
        self.at = end.map_or(self.at, InsertPoint::Before);
        body.and_then(|body| ir.block_args(body).first().copied())
    }
}

/// How the loops of tasks become those of merging
struct MergeOrder<'l> {
    /// From outside in
    loops: Vec<&'l LoopInfo>,
    /// Those that keep their elements apart are tasks again
    tasks: bool,
    /// The first dimension of the parts is a loop of tasks of its own, outermost
    rows: bool,
}

impl<'l> MergeOrder<'l> {
    fn of(tasks: &'l [LoopInfo], part: &Part, merges: &dyn Fn(&LoopInfo) -> bool) -> MergeOrder<'l> {
        // Loops that keep their elements apart go outside, unless they depend on the others.
        let bounded = tasks.iter().any(|info| info.limit.is_some() || info.from.is_some());
        let mut loops: Vec<&LoopInfo> = tasks.iter().collect();
        if !bounded {
            loops.sort_by_key(|info| merges(info));
        }
        let apart = !bounded && loops.iter().any(|info| info.trip() > 1 && !merges(info));
        let moving = tasks.iter().any(|info| merges(info) && part.dims.values.contains(&info.iv));
        let trips = tasks.iter().map(|info| info.trip());
        let total = trips.chain(part.extents.iter().copied()).fold(1i64, i64::saturating_mul);
        let tasks = !bounded && total >= WORTH_TASKS;
        // Rows in parallel: each merges what all iterations gave it.
        let rows = tasks && part.extents.len() > 1 && !moving && !apart;
        MergeOrder { loops, tasks, rows }
    }
}

/// Where an op merges, and the sizes of its domain
fn merged_at(ir: &Ir, op: OpId) -> Option<(Access, Vec<i64>)> {
    if let Some(write) = Write::cast(ir, op) {
        return Some((write.access(ir), Vec::new()));
    }
    let copy = Copy::cast(ir, op)?;
    (copy.owner(ir).is_none() && !copy.is_linear(ir)).then(|| (copy.to(ir), copy.sizes(ir)))
}

/// What is known of the dimensions of an access
fn ranges_of(ir: &Ir, at: &Access, domain: &[i64]) -> Vec<Range> {
    let own = domain.iter().map(|size| Range::below(*size).unwrap_or(Range::one(0)));
    let values = at.values.iter().map(|value| {
        let owner = match ir.value_def(*value) {
            Some(ValueDef::Arg(block, 0)) => ir.block_parent(block),
            _ => None,
        };
        match owner.and_then(|owner| For::cast(ir, owner)?.info(ir)) {
            Some(info) => {
                let last = info.trip().saturating_sub(1).max(0).saturating_mul(info.tile);
                Range::stepped(0, last, info.tile.max(1)).unwrap_or(Range::ALL)
            }
            None => Range::ALL,
        }
    });
    own.chain(values).collect()
}
