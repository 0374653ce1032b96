//! Offset form: loops count elements instead of tiles, and carry the dimension that they walk through.
//!
//! Loops are made as `n by 1`. Where a sum in an index of device memory has a loop with factor T and another loop or a
//! copy's variable that fills it exactly, with extent T, the first becomes `n·T by T`: then the coordinate is a plain sum, as
//! `sched` wants it. Loops so linked are one dimension. Loops that walk through the same dimension of a local buffer are one
//! too. A loop whose variable is a number in a body keeps its form.

use crate::chains::{Groups, Loop, all_loops, are_nested, is_chain};
use terrace_analysis::{Range, simplify_with_ranges};
use terrace_dialect_sched::{Alloc, Copy, For, Read, Write};
use terrace_dialect_sched::{Space, space};
use terrace_ir::{Attr, BlockId, Ir, OpId, Value, ValueDef};
use terrace_support::HashMap;
use terrace_support::affine::{AffineExpr, AffineKind, AffineMap};

/// What fills or is filled
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Who {
    /// A loop, by its variable
    Loop(Value),
    /// A variable of a copy's domain, by its extent, and the dimension of the buffer that it is copied to
    Box(i64, Option<(Value, usize)>),
}

/// Variables of a sum with their factors
pub(crate) type Terms = Vec<(Who, i64)>;

/// The terms of a sum that are multiples of one variable
pub(crate) fn terms(expr: &AffineExpr, who: &dyn Fn(u32) -> Option<Who>) -> Terms {
    let mut out = Vec::new();
    let mut pending = vec![(expr.clone(), 1i64)];
    while let Some((expr, factor)) = pending.pop() {
        match &expr {
            AffineExpr::Dim(n) => out.extend(who(*n).map(|who| (who, factor))),
            AffineExpr::Binary(node) if node.kind() == AffineKind::Add => {
                pending.push((node.rhs().clone(), factor));
                pending.push((node.lhs().clone(), factor));
            }
            AffineExpr::Binary(node) if node.kind() == AffineKind::Mul => {
                let constant = node.rhs().as_constant().and_then(|by| by.checked_mul(factor));
                pending.extend(constant.map(|factor| (node.lhs().clone(), factor)));
            }
            _ => {}
        }
    }
    out
}

/// Loops by a dimension of a local buffer that they walk through
type Places = HashMap<(Value, usize), usize>;

/// Rewrite all loops of a function, whose recorded sums are given
pub(crate) fn rewrite(ir: &mut Ir, entry: BlockId, sums: &[Terms]) {
    let (mut loops, mut groups) = all_loops(ir);
    let number: HashMap<Value, usize> = loops.iter().enumerate().map(|(n, each)| (each.info.iv, n)).collect();
    let places = scale(&mut loops, &mut groups, &number, sums);
    let before: Vec<i64> = loops.iter().map(|each| each.scale).collect();
    walk_together(ir, &loops, &mut groups, &number, places);
    for each in &loops {
        if each.scale > 1 {
            let cx = ir.cx_arc().clone();
            let attr = |value: i64| -> Attr { cx.int_attr(value.into(), cx.common().i64) };
            each.op.set_extent(ir, attr(each.info.extent * each.scale));
            each.op.set_tile(ir, attr(each.scale));
        }
    }
    if before.iter().any(|scale| *scale > 1) {
        rewrite_accesses(ir, &loops, &number);
    }
    number_dims(ir, entry, &loops, &groups);
}

/// Find what each loop's step is
///
/// Gives loops whose tiles are copied to a dimension of a local buffer.
fn scale(loops: &mut [Loop], groups: &mut Groups, number: &HashMap<Value, usize>, sums: &[Terms]) -> Places {
    let mut places = Places::default();
    let mut changed = true;
    while changed {
        changed = false;
        for sum in sums {
            for (who, factor) in sum {
                let Who::Loop(value) = who else { continue };
                let Some(&at) = number.get(value) else { continue };
                if *factor <= 1 || loops[at].scale > 1 || loops[at].fixed || !loops[at].free {
                    continue;
                }
                let fills = |(other, own): &&(Who, i64)| match other {
                    Who::Box(extent, _) => *own == 1 && extent == factor,
                    Who::Loop(value) => number.get(value).is_some_and(|other| {
                        let other = &loops[*other];
                        other.info.iv != loops[at].info.iv
                            && other.strip != Some(1)
                            && *own == other.scale
                            && other.info.extent * other.scale == *factor
                    }),
                };
                // The outermost that fits.
                let mut fitting: Vec<&(Who, i64)> = sum.iter().filter(fills).collect();
                fitting.sort_by_key(|(who, _)| match who {
                    Who::Loop(value) => number.get(value).copied().unwrap_or(usize::MAX),
                    Who::Box(..) => usize::MAX,
                });
                // A loop may fill one dimension: loops that it fills must be tiles of each other.
                let fits = |(who, _): &&&(Who, i64)| match who {
                    Who::Loop(value) => number.get(value).is_some_and(|other| {
                        is_chain(loops, &groups.of_both(at, *other), Some((at, *factor)))
                    }),
                    Who::Box(..) => true,
                };
                let Some((filler, _)) = fitting.iter().find(fits) else { continue };
                if loops[at].info.extent.checked_mul(*factor).is_none() {
                    continue;
                }
                match filler {
                    Who::Loop(value) => {
                        if let Some(&other) = number.get(value) {
                            groups.join(at, other);
                            loops[other].fixed = true;
                        }
                    }
                    Who::Box(_, Some(place)) => drop(places.insert(*place, at)),
                    Who::Box(_, None) => {}
                }
                loops[at].scale = *factor;
                changed = true;
            }
        }
    }
    places
}

/// Loops that are, alone, an index of one dimension of a local buffer, from its start to its end
fn walk_together(
    ir: &Ir,
    loops: &[Loop],
    groups: &mut Groups,
    number: &HashMap<Value, usize>,
    mut by_place: Places,
) {
    let ops: Vec<OpId> = ir.walk_below(ir.root()).collect();
    for op in ops {
        let (memory, at) = match (Read::cast(ir, op), Write::cast(ir, op)) {
            (Some(read), _) => (read.memref(ir), read.access(ir)),
            (_, Some(write)) => (write.memref(ir), write.access(ir)),
            _ => continue,
        };
        let local = ir.defining_op(memory).is_some_and(|op| Alloc::cast(ir, op).is_some())
            && space::of(ir.cx(), ir.ty(memory)) != Space::Device;
        let shape = ir.ty(memory).shape(ir.cx()).unwrap_or(&[]).to_vec();
        for (d, expr) in at.map.results.iter().enumerate().filter(|_| local) {
            // A loop, or the outermost of several that tile: its steps are what the others fill.
            let sum = terms(expr, &|n| at.values.get(n as usize).copied().map(Who::Loop));
            let whole = |at: usize| loops[at].info.extent.checked_mul(loops[at].scale);
            let walks = |(who, factor): &(Who, i64)| match who {
                Who::Loop(value) => number.get(value).copied().filter(|at| loops[*at].scale == *factor),
                Who::Box(..) => None,
            };
            let all: Option<Vec<usize>> = sum.iter().map(walks).collect();
            let all = all.filter(|all| all.windows(2).all(|two| groups.are_one(two[0], two[1])));
            let Some(this) =
                all.and_then(|all| all.into_iter().find(|at| whole(*at) == shape.get(d).copied()))
            else {
                continue;
            };
            let extent = loops[this].info.extent * loops[this].scale;
            match by_place.get(&(memory, d)) {
                None => drop(by_place.insert((memory, d), this)),
                // Its tiles are this loop's whole extent.
                Some(&other) if loops[other].scale == extent && loops[other].scale > 1 => {
                    if is_chain(loops, &groups.of_both(this, other), None) {
                        groups.join(this, other);
                    }
                }
                Some(&other) if other != this && !are_nested(loops, groups, this, other) => {
                    groups.join(this, other);
                }
                Some(_) => {}
            }
        }
    }
}

/// Variables that became offsets, in all accesses
fn rewrite_accesses(ir: &mut Ir, loops: &[Loop], number: &HashMap<Value, usize>) {
    let range = |value: Value| match number.get(&value) {
        Some(at) => {
            let (extent, scale) = (loops[*at].info.extent, loops[*at].scale);
            Range::stepped(0, (extent - 1).max(0) * scale, scale).unwrap_or(Range::ALL)
        }
        None => Range::ALL,
    };
    let changed = |ir: &Ir, map: &AffineMap, values: &[Value], domain: &[i64]| -> Option<Attr> {
        let mut scales = vec![1i64; domain.len()];
        let mut ranges: Vec<Range> =
            domain.iter().map(|size| Range::below(*size).unwrap_or(Range::one(0))).collect();
        for value in values {
            scales.push(number.get(value).map_or(1, |at| loops[*at].scale));
            ranges.push(range(*value));
        }
        let results: Option<Vec<AffineExpr>> = map
            .results
            .iter()
            .map(|expr| Some(simplify_with_ranges(&counted(expr, &scales), &ranges[..])))
            .collect();
        Some(ir.cx().map_attr(AffineMap::new(map.dims, 0, results?)?))
    };
    let ops: Vec<OpId> = ir.walk_below(ir.root()).collect();
    for op in ops {
        if let Some(read) = Read::cast(ir, op) {
            let at = read.access(ir);
            if let Some(map) = changed(ir, &at.map, &at.values, &[]) {
                read.set_map(ir, map);
            }
        } else if let Some(write) = Write::cast(ir, op) {
            let at = write.access(ir);
            if let Some(map) = changed(ir, &at.map, &at.values, &[]) {
                write.set_map(ir, map);
            }
        } else if let Some(copy) = Copy::cast(ir, op) {
            let sizes = copy.sizes(ir);
            if let Some(from) = copy.from(ir) {
                let map = changed(ir, &from.map, &from.values, &sizes);
                copy.set_src_map(ir, map.or_else(|| copy.src_map(ir)));
            }
            let to = copy.to(ir);
            if let Some(map) = changed(ir, &to.map, &to.values, &sizes) {
                copy.set_dst_map(ir, map);
            }
        }
    }
}

/// The expression with offsets in place of numbers of iterations: of a variable n with scale T, `n` is `n' floordiv T`
fn counted(expr: &AffineExpr, scales: &[i64]) -> AffineExpr {
    let scale = |expr: &AffineExpr| match expr {
        AffineExpr::Dim(n) => scales.get(*n as usize).copied().unwrap_or(1),
        _ => 1,
    };
    let node = match expr {
        AffineExpr::Dim(_) if scale(expr) > 1 => {
            return AffineExpr::floor_div(expr.clone(), scale(expr).into());
        }
        AffineExpr::Binary(node) => node,
        _ => return expr.clone(),
    };
    if let (AffineKind::Mul, Some(by)) = (node.kind(), node.rhs().as_constant()) {
        // T divides the offset: T * (n' floordiv T) is n', and T * ((n' floordiv T) mod k) is n' mod (T * k).
        let own = scale(node.lhs());
        if own > 1 && by % own == 0 {
            return AffineExpr::mul(node.lhs().clone(), (by / own).into());
        }
        if let AffineExpr::Binary(inner) = node.lhs()
            && let (AffineKind::Mod, Some(k)) = (inner.kind(), inner.rhs().as_constant())
            && let own = scale(inner.lhs())
            && own > 1
            && by % own == 0
            && let Some(k) = k.checked_mul(own)
        {
            let rest = AffineExpr::modulo(inner.lhs().clone(), k.into());
            return AffineExpr::mul(rest, (by / own).into());
        }
    }
    AffineExpr::binary(node.kind(), counted(node.lhs(), scales), counted(node.rhs(), scales))
}

/// Each group a number, counted in each nest from 0 in order of loops
fn number_dims(ir: &mut Ir, entry: BlockId, loops: &[Loop], groups: &Groups) {
    let mut known: HashMap<(OpId, usize), i64> = HashMap::default();
    let mut counts: HashMap<OpId, i64> = HashMap::default();
    for (at, each) in loops.iter().enumerate() {
        let mut top = each.op.id();
        while let Some(around) = ir.parent(top).filter(|_| ir.block(top) != Some(entry)) {
            top = around;
        }
        let key = (top, groups.leader(at));
        let dim = *known.entry(key).or_insert_with(|| {
            let count = counts.entry(top).or_insert(0);
            *count += 1;
            *count - 1
        });
        let attr = ir.cx().int_attr(dim.into(), ir.cx().common().i64);
        each.op.set_dim(ir, Some(attr));
    }
}

/// Is the value a loop's variable?
pub(crate) fn is_loop(ir: &Ir, value: Value) -> bool {
    match ir.value_def(value) {
        Some(ValueDef::Arg(block, 0)) => ir.block_parent(block).is_some_and(|op| For::cast(ir, op).is_some()),
        _ => false,
    }
}
