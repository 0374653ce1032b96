//! `sched-fuse-loops`: loops that go over the same dimensions in the same way become one, and what they hand to each other shrinks.
//!
//! Two nests next to each other are joined along the loops at their front if these are alike, walk their dimensions coordinate by
//! coordinate, and every buffer that one writes and the other touches is accessed by both at those very coordinates (an index is
//! the sum of a dimension's variables). Then an iteration depends on the same iteration of the other nest only, so that order is
//! kept. They are joined if the second reads what the first writes, along as many loops as this permits. A buffer that only one iteration
//! uses becomes one slice.
//!
//! Loops that end early are joined where both end at the same coordinate. Copies and kernels are not looked at: these stay as they are.

use terrace_diag::Reported;
use terrace_dialect_memref as memref;
use terrace_dialect_sched::access::Access;
use terrace_dialect_sched::{Alloc, Combination, Copy, For, Level, LoopInfo, Read, Write};
use terrace_ir::{BlockId, Builder, Ir, Name, OpId, Traits, TypeKind, Value};
use terrace_macros::pass;
use terrace_pass::{Pass, PassCx};
use terrace_support::affine::{AffineExpr, AffineMap};

/// Join loops over the same dimensions whose iterations hand values to each other
///
/// Neighboring nests whose outermost loops are alike become one where every buffer between them is accessed at the loops' own
/// coordinates; buffers that one iteration fills and empties shrink to what it needs. Reads of a joined nest prefetch the row of
/// the next iteration.
#[pass("sched-fuse-loops", anchor = "func.func", stats("nests joined", "buffers shrunk"))]
pub struct SchedFuseLoops;

impl Pass for SchedFuseLoops {
    fn run(&self, cx: &mut PassCx<'_>, unit: &mut Ir) -> Result<(), Reported> {
        let (mut joined, mut shrunk) = (0, 0);
        let Some(region) = unit.regions(unit.root()).next() else { return Ok(()) };
        let Some(block) = unit.entry(region) else { return Ok(()) };
        let mut done: Vec<Vec<LoopInfo>> = Vec::new();
        let mut next = unit.first_op(block);
        while let Some(first) = next {
            next = unit.next(first);
            let Some((second, between)) = follower(unit, first) else { continue };
            if let Some(chain) = join(unit, first, second, &between) {
                joined += 1;
                done.retain(|other| other[0].op.0 != first || other.len() != chain.len());
                done.push(chain);
                // The joined nest may go on with the one behind.
                next = Some(first);
            }
        }
        // What the innermost loops keep to themselves shrinks most.
        done.sort_by_key(|chain| std::cmp::Reverse(chain.len()));
        for chain in &done {
            crate::prefetch::joined_rows::mark(unit, chain);
            for alloc in unit.block_ops(block).collect::<Vec<_>>() {
                shrunk += u64::from(Alloc::cast(unit, alloc).is_some_and(|alloc| shrink(unit, alloc, chain)));
            }
        }
        cx.count("nests joined", joined);
        cx.count("buffers shrunk", shrunk);
        cx.set_changed(joined > 0);
        Ok(())
    }
}

/// The nest behind a nest, and the buffers and constants between them
fn follower(ir: &Ir, first: OpId) -> Option<(OpId, Vec<OpId>)> {
    For::cast(ir, first)?;
    let (mut between, mut at) = (Vec::new(), ir.next(first)?);
    while For::cast(ir, at).is_none() {
        if Alloc::cast(ir, at).is_none() && !ir.has(at, Traits::ConstantLike) {
            return None;
        }
        between.push(at);
        at = ir.next(at)?;
    }
    Some((at, between))
}

fn body(ir: &Ir, info: &LoopInfo) -> Option<BlockId> {
    ir.entry(info.op.body(ir))
}

/// A loop that may be joined
fn plain(ir: &Ir, op: OpId) -> Option<LoopInfo> {
    let info = For::cast(ir, op)?.info(ir)?;
    let whole = info.from.is_none() && info.tail.is_none() && info.ops.is_empty();
    let ends = info.limit.is_none() || info.level != Level::Vector;
    (whole && ends && info.kind == Combination::Cc && ir.num_results(op) == 0).then_some(info)
}

/// Loops from a nest's front, each all that is in the one before
fn chain(ir: &Ir, op: OpId) -> Vec<LoopInfo> {
    let mut all: Vec<LoopInfo> = Vec::new();
    let mut at = Some(op);
    while let Some(info) = at.and_then(|op| plain(ir, op)) {
        let outer = all.iter().rev().find(|outer| outer.dim == info.dim);
        let goes_on = outer.is_none_or(|outer| outer.tile == info.extent);
        if !goes_on || info.dim.is_none() {
            break;
        }
        let inner = body(ir, &info).and_then(|block| ir.first_op(block));
        // Lanes end a chain: what is inside of them is one iteration.
        let lanes = info.level == Level::Vector;
        at = inner.filter(|op| !lanes && ir.next(*op).is_some_and(|end| ir.next(end).is_none()));
        all.push(info);
    }
    all
}

/// How many loops at the front of two chains have the same iterations
fn alike(ours: &[LoopInfo], theirs: &[LoopInfo]) -> usize {
    // A limit is over variables of loops around: of the loops of the chains in the same places, or of none.
    let place = |chain: &[LoopInfo], value: &Value| chain.iter().position(|info| info.iv == *value);
    let limit = |a: &LoopInfo, b: &LoopInfo| match (&a.limit, &b.limit) {
        (None, None) => true,
        (Some(a), Some(b)) => {
            a.map == b.map
                && a.values.len() == b.values.len()
                && a.values.iter().zip(&b.values).all(|(a, b)| {
                    let (x, y) = (place(ours, a), place(theirs, b));
                    x == y && (x.is_some() || a == b)
                })
        }
        _ => false,
    };
    let same = |(a, b): &(&LoopInfo, &LoopInfo)| {
        (a.extent, a.tile, a.dim, a.level) == (b.extent, b.tile, b.dim, b.level) && limit(a, b)
    };
    ours.iter().zip(theirs).take_while(same).count()
}

/// Ends of a chain behind which each of its dimensions is a coordinate, the innermost first
fn ends(chain: &[LoopInfo]) -> impl Iterator<Item = usize> {
    let whole = |end: &usize| dims(&chain[..*end]).iter().all(|(_, last)| last.tile == 1);
    (1..=chain.len()).rev().filter(whole)
}

/// The variables of each dimension of a chain, and its innermost loop
fn dims(chain: &[LoopInfo]) -> Vec<(Vec<Value>, &LoopInfo)> {
    let mut all: Vec<(Vec<Value>, &LoopInfo)> = Vec::new();
    for info in chain {
        match all.iter_mut().find(|(_, last)| last.dim == info.dim) {
            Some((ivs, last)) => {
                ivs.push(info.iv);
                *last = info;
            }
            None => all.push((vec![info.iv], info)),
        }
    }
    all
}

/// Is an index the sum of these variables and nothing else?
fn is_sum(access: &Access, axis: usize, ivs: &[Value]) -> bool {
    let Some(linear) = access.map.results.get(axis).and_then(AffineExpr::as_linear) else { return false };
    if (access.values.len()..access.map.dims as usize).any(|n| linear.dim(n) != 0) {
        return false;
    }
    let factors = access.values.iter().enumerate().map(|(n, value)| (linear.dim(n), ivs.contains(value)));
    let mut count = 0;
    let fits = factors.into_iter().all(|(factor, ours)| {
        count += usize::from(ours && factor == 1);
        factor == i64::from(ours)
    });
    fits && count == ivs.len() && linear.constant == 0
}

/// A use of a buffer: by a read or write, or in a way that is not looked into
struct Touch {
    memref: Value,
    access: Option<Access>,
    writes: bool,
}

fn touches(ir: &Ir, nest: OpId) -> Vec<Touch> {
    let mut all = Vec::new();
    for op in ir.walk_below(nest) {
        if let Some(read) = Read::cast(ir, op) {
            all.push(Touch { memref: read.memref(ir), access: Some(read.access(ir)), writes: false });
        } else if let Some(write) = Write::cast(ir, op) {
            all.push(Touch { memref: write.memref(ir), access: Some(write.access(ir)), writes: true });
        } else if let Some(copy) = Copy::cast(ir, op) {
            let from = copy.from(ir).map(|from| (copy.src(ir), from, false));
            for (memref, access, writes) in from.into_iter().chain([(copy.dst(ir), copy.to(ir), true)]) {
                all.push(Touch { memref, access: at_start(ir, copy, access), writes });
            }
        } else {
            let memory = |value: &Value| matches!(ir.ty(*value).kind(ir.cx()), TypeKind::MemRef { .. });
            let opaque = |memref| Touch { memref, access: None, writes: true };
            all.extend(ir.operands(op).filter(memory).map(opaque));
        }
    }
    all
}

/// A copy's access where its variables are zero; `None` where one of several elements stands at an axis that loops index
fn at_start(ir: &Ir, copy: Copy, access: Access) -> Option<Access> {
    let sizes = copy.sizes(ir);
    let (own, all) = (sizes.len() as u32, access.map.dims);
    // Variables of the copy go behind those of loops, where no sum of loops looks.
    let place = |n: u32| match sizes.get(n as usize) {
        Some(1) => AffineExpr::Constant(0),
        Some(_) => AffineExpr::Dim(all - own + n),
        None => AffineExpr::Dim(n - own),
    };
    let places: Vec<AffineExpr> = (0..all).map(place).collect();
    let results: Option<Vec<AffineExpr>> =
        access.map.results.iter().map(|expr| expr.replace(&places, &[])).collect();
    Some(Access { map: AffineMap::new(all, 0, results?)?, values: access.values })
}

/// Join two nests; the loops that are one now
fn join(ir: &mut Ir, first: OpId, second: OpId, between: &[OpId]) -> Option<Vec<LoopInfo>> {
    let (mut ours, mut theirs) = (chain(ir, first), chain(ir, second));
    let same = alike(&ours, &theirs);
    let (a, b) = (touches(ir, first), touches(ir, second));
    // Different views of one buffer may overlap anywhere.
    let overlap = a.iter().any(|x| {
        b.iter().any(|y| {
            x.memref != y.memref
                && (x.writes || y.writes)
                && memref::root(ir, x.memref) == memref::root(ir, y.memref)
        })
    });
    if overlap || !hands_over(&a, &b) {
        return None;
    }
    let end = ends(&ours[..same]).find(|end| apart(ir, (&ours[..*end], &a), (&theirs[..*end], &b)))?;
    ours.truncate(end);
    theirs.truncate(end);
    let (to, from) = (body(ir, ours.last()?)?, body(ir, theirs.last()?)?);
    let end = ir.last_op(to)?;
    crate::layers::behind(ir, second, &theirs, &ours);
    for op in between {
        ir.detach(*op);
        ir.insert_before(first, *op);
    }
    let moved: Vec<OpId> = ir.block_ops(from).collect();
    for op in &moved[..moved.len().saturating_sub(1)] {
        ir.detach(*op);
        ir.insert_before(end, *op);
    }
    for (theirs, ours) in theirs.iter().zip(&ours) {
        ir.replace_all_uses(theirs.iv, ours.iv);
    }
    ir.erase(second);
    Some(ours)
}

/// Does the second nest touch what the first one writes?
fn hands_over(first: &[Touch], second: &[Touch]) -> bool {
    let touched = |touch: &Touch| second.iter().any(|other| other.memref == touch.memref);
    first.iter().any(|touch| touch.writes && touched(touch))
}

/// Do both nests access each buffer that one of them writes at the coordinates of their own iteration?
fn apart(ir: &Ir, (ours, a): (&[LoopInfo], &[Touch]), (theirs, b): (&[LoopInfo], &[Touch])) -> bool {
    let at = |touch: &Touch, axis: usize, ivs: &[Value]| {
        touch.access.as_ref().is_some_and(|access| is_sum(access, axis, ivs))
    };
    let dims: Vec<(Vec<Value>, Vec<Value>)> =
        dims(ours).into_iter().zip(dims(theirs)).map(|((ours, _), (theirs, _))| (ours, theirs)).collect();
    a.iter().all(|touch| {
        let other = || b.iter().filter(|other| other.memref == touch.memref);
        if other().next().is_none() || !(touch.writes || other().any(|other| other.writes)) {
            return true;
        }
        let mine = || a.iter().filter(|mine| mine.memref == touch.memref);
        let rank = ir.ty(touch.memref).shape(ir.cx()).map_or(0, <[i64]>::len);
        dims.iter().all(|(ours, theirs)| {
            (0..rank).any(|axis| {
                mine().all(|touch| at(touch, axis, ours)) && other().all(|touch| at(touch, axis, theirs))
            })
        })
    })
}

/// Where an op reads, writes or fills a buffer
fn use_of(ir: &Ir, op: OpId, buffer: Value) -> Option<Access> {
    let read = Read::cast(ir, op).map(|read| read.access(ir));
    let write = || Write::cast(ir, op).map(|write| write.access(ir));
    let filled = || {
        let copy = Copy::cast(ir, op).filter(|copy| copy.dst(ir) == buffer && copy.src(ir) != buffer)?;
        at_start(ir, copy, copy.to(ir))
    };
    read.or_else(write).or_else(filled)
}

/// A buffer that is used at one coordinate of the loops only becomes one of that coordinate, inside of them
///
/// Lanes are one iteration each, and go through memory side by side: what they have is one buffer with a place for each lane, outside
/// of their loop.
fn shrink(ir: &mut Ir, alloc: Alloc, chain: &[LoopInfo]) -> bool {
    let old = alloc.memref(ir);
    let uses: Vec<(OpId, usize)> = ir.uses(old).collect();
    let ivs: Vec<Value> = chain.iter().map(|info| info.iv).collect();
    let Some(inner) = chain.last() else { return false };
    let lanes = chain.iter().position(|info| info.level == Level::Vector && info.trip() > 1);
    let of_lanes: Vec<Value> = ivs[lanes.unwrap_or(chain.len())..].to_vec();
    let inside = |op: OpId| {
        std::iter::successors(ir.parent(op), |around| ir.parent(*around)).any(|around| around == inner.op.0)
    };
    let access = |op: OpId| use_of(ir, op, old);
    let TypeKind::MemRef { shape, elem, layout: None, space } = ir.ty(old).kind(ir.cx()) else {
        return false;
    };
    let (mut shape, elem, space) = (shape.to_vec(), *elem, *space);
    let axis = |ivs: &[Value]| {
        (0..shape.len()).find(|axis| {
            uses.iter()
                .all(|(op, _)| inside(*op) && access(*op).is_some_and(|access| is_sum(&access, *axis, ivs)))
        })
    };
    let axes: Option<Vec<usize>> = dims(chain).iter().map(|(ivs, _)| axis(ivs)).collect();
    let (Some(axes), false) = (axes, uses.is_empty()) else { return false };
    let maps: Option<Vec<AffineMap>> = uses
        .iter()
        .map(|(op, _)| {
            let copy = Copy::cast(ir, *op);
            // Lanes have places side by side, which a copy does not walk.
            if copy.is_some() && lanes.is_some() {
                return None;
            }
            let Access { map, values } = copy.map(|copy| copy.to(ir)).or_else(|| access(*op))?;
            let mut results = map.results.clone();
            for (axis, (ivs, _)) in axes.iter().zip(dims(chain)) {
                let own = |value: &Value| of_lanes.contains(value) && ivs.contains(value);
                let own = (0..).zip(&values).filter(|(_, value)| own(value));
                *results.get_mut(*axis)? =
                    own.fold(0.into(), |sum, (n, _)| AffineExpr::add(sum, AffineExpr::Dim(n)));
            }
            AffineMap::new(map.dims, 0, results)
        })
        .collect();
    let start = match lanes {
        Some(lanes) => Some(chain[lanes].op.0),
        None => body(ir, inner).and_then(|block| ir.first_op(block)),
    };
    let (Some(maps), Some(start)) = (maps, start) else {
        return false;
    };
    let lane = lanes.map(|lanes| &chain[lanes]);
    for (axis, (_, last)) in axes.iter().zip(dims(chain)) {
        shape[*axis] = lane.filter(|lane| lane.dim == last.dim).map_or(1, |lane| lane.extent);
    }
    // A single element, or one of each lane, is a value that has not been named yet.
    let register = shape.iter().enumerate().all(|(n, size)| axes.contains(&n) || *size == 1);
    let space = if register { Some(ir.cx().str_attr("reg")) } else { space };
    let ty = ir.cx().ty(TypeKind::MemRef { shape: shape.into(), elem, layout: None, space });
    let slice = Alloc::build(&mut Builder::before(ir, start), ty).memref(ir);
    if let Some(name) = ir.value_name(old) {
        let name = Name::Str(ir.cx().intern(name));
        ir.set_value_name(slice, name);
    }
    for ((op, operand), map) in uses.into_iter().zip(maps) {
        ir.set_operand(op, operand, slice);
        let map = ir.cx().map_attr(map);
        let name = if Copy::cast(ir, op).is_some() { "dst_map" } else { "map" };
        ir.set_attr(op, name, Some(map));
    }
    ir.erase(alloc.0);
    true
}
