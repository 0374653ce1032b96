//! A whole reduction in two computations: parts of it, then the parts together.
//!
//! On a grid blocks cannot wait for each other, so that a reduction without kept dimensions would run on one block. A
//! dimension is cut into parts of one size, the last one shortened by a condition; the operator is associative, and parts keep
//! their order. Kept dimensions stay, with the part as one more in front. Start values are left to the second computation.

use terrace_dialect_mdh::view::{Condition, Kind, View, kind_attr};
use terrace_dialect_mdh::{Compute, Index, Yield};
use terrace_dialect_upstream::arith;
use terrace_ir::ir::ValueMap;
use terrace_ir::{Attr, Builder, Ir, NewOp, OpId, Type, Value};
use terrace_support::affine::{AffineExpr, AffineMap};

/// Cut a dimension into parts of so many coordinates; `None` where its form does not allow it, and nothing has changed then
pub fn split_at(ir: &mut Ir, op: Compute, view: &View, dim: usize, step: i64) -> Option<[Compute; 2]> {
    if view.outputs.iter().any(|out| out.maps.len() != 1)
        || view.dims.iter().any(|dim| matches!(dim.kind, Kind::Ps(_)))
    {
        return None;
    }
    let parts = (view.dims[dim].size as u64).div_ceil(step.max(1) as u64) as i64;
    if parts < 2 {
        return None;
    }
    let kept: Vec<usize> = (0..view.dims.len()).filter(|dim| view.dims[*dim].kind.kept()).collect();
    let first = parts_of(ir, op, view, dim, (parts, step), &kept)?;
    let second = together(ir, op, view, first, (dim, parts), &kept)?;
    let old: Vec<Value> = ir.results(op.id()).collect();
    let new: Vec<Value> = ir.results(second.id()).collect();
    for (old, new) in old.into_iter().zip(new) {
        ir.replace_all_uses(old, new);
    }
    ir.erase(op.id());
    Some([first, second])
}

struct Form {
    slots: Vec<Option<Attr>>,
    operands: Vec<Value>,
    segments: Vec<u32>,
    results: Vec<Type>,
}

fn make(ir: &mut Ir, before: OpId, form: &Form) -> Compute {
    let mut b = Builder::before(ir, before);
    let kind = b.kind(Compute::DEF);
    let op = b.insert(&NewOp {
        operands: &form.operands,
        segments: &form.segments,
        results: &form.results,
        slots: &form.slots,
        regions: 1,
        ..NewOp::new(kind)
    });
    Compute(op)
}

/// The same points with a kept dimension in front: which part
fn parts_of(
    ir: &mut Ir,
    op: Compute,
    view: &View,
    dim: usize,
    (parts, step): (i64, i64),
    kept: &[usize],
) -> Option<Compute> {
    let rank = view.dims.len();
    let coords: Vec<AffineExpr> = (0..rank)
        .map(|n| {
            let here = AffineExpr::Dim(n as u32 + 1);
            if n == dim {
                AffineExpr::add(AffineExpr::mul(AffineExpr::Dim(0), step.into()), here)
            } else {
                here
            }
        })
        .collect();
    let moved = |expr: &AffineExpr| expr.replace(&coords, &[]);
    let moved_map = |map: &AffineMap| {
        let results: Option<Vec<AffineExpr>> = map.results.iter().map(moved).collect();
        AffineMap::new(rank as u32 + 1, 0, results?)
    };
    let mut conditions = Vec::new();
    for condition in &view.conditions {
        let low = match &condition.low {
            Some(low) => Some(moved(low)?),
            None => None,
        };
        conditions.push(Condition { low, expr: moved(&condition.expr)?, high: moved(&condition.high)? });
    }
    if parts * step > view.dims[dim].size {
        let expr = coords[dim].clone();
        conditions.push(Condition { low: None, expr, high: view.dims[dim].size.into() });
    }
    let (ins, others) = (op.ins(ir), op.others(ir));
    let form = {
        let cx = ir.cx();
        let unit = cx.common().unit;
        let mut sizes: Vec<i64> = vec![parts];
        sizes.extend(view.dims.iter().enumerate().map(|(n, each)| if n == dim { step } else { each.size }));
        let mut kinds = vec![kind_attr(cx, &Kind::Cc)];
        kinds.extend(view.dims.iter().map(|dim| kind_attr(cx, &dim.kind)));
        let mut maps = Vec::new();
        let mut guards = Vec::new();
        for input in &view.inputs {
            maps.push(match &input.map {
                Some(map) => cx.map_attr(moved_map(map)?),
                None => unit,
            });
            guards.push(match &input.guard {
                Some(guard) => cx.map_attr(AffineMap::new(rank as u32 + 1, 0, vec![moved(guard)?])?),
                None => unit,
            });
        }
        let places = [0].into_iter().chain(kept.iter().map(|n| n + 1)).map(|n| AffineExpr::Dim(n as u32));
        let place = AffineMap::new(rank as u32 + 1, 0, places.collect())?;
        let shape: Vec<i64> = [parts].into_iter().chain(kept.iter().map(|n| view.dims[*n].size)).collect();
        let outs: Vec<Attr> =
            view.outputs.iter().map(|_| cx.array_attr(&[cx.map_attr(place.clone())])).collect();
        let conditions: Option<Vec<Attr>> =
            conditions.iter().map(|condition| condition.attr(cx, rank + 1)).collect();
        let conditions = conditions?;
        let mut names: Vec<String> = view.names();
        let part =
            ["part", "part_", "part__"].into_iter().find(|name| !names.iter().any(|other| other == name))?;
        names.insert(0, part.into());
        let names: Vec<Attr> = names.iter().map(|name| cx.str_attr(name)).collect();
        let name = format!("{}_parts", view.name.as_deref().unwrap_or("reduction"));
        Form {
            slots: vec![
                Some(cx.str_attr(&name)),
                Some(cx.i64_array(&sizes)),
                Some(cx.array_attr(&kinds)),
                Some(cx.array_attr(&maps)),
                Some(cx.array_attr(&outs)),
                None,
                op.elses(ir),
                view.inputs.iter().any(|input| input.guard.is_some()).then(|| cx.array_attr(&guards)),
                (!conditions.is_empty()).then(|| cx.array_attr(&conditions)),
                Some(cx.array_attr(&names)),
            ],
            segments: vec![ins.len() as u32, 0, others.len() as u32],
            operands: ins.iter().chain(&others).copied().collect(),
            results: ir.results(op.id()).map(|value| cx.tensor(&shape, ir.ty(value).scalar(cx))).collect(),
        }
    };
    let made = make(ir, op.id(), &form);
    let from = ir.entry(op.body(ir))?;
    let to = ir.append_block(made.body(ir));
    let mut map = ValueMap::default();
    for arg in ir.block_args(from).to_vec() {
        let new = ir.add_block_arg(to, ir.ty(arg));
        if let Some(name) = ir.value_name(arg) {
            let name = terrace_ir::Name::Str(ir.cx().intern(name));
            ir.set_value_name(new, name);
        }
        map.insert(arg, new);
    }
    let body: Vec<OpId> = ir.block_ops(from).collect();
    for op in body {
        if let Some(index) = Index::cast(ir, op) {
            let value = coordinate(&mut Builder::at_end(ir, to), index, (dim, step));
            map.insert(ir.result(op, 0), value);
            continue;
        }
        let copy = ir.clone_op(None, op, &mut map);
        ir.append(to, copy);
    }
    Some(made)
}

/// The coordinate that an `mdh.index` meant before there were parts
fn coordinate(b: &mut Builder<'_>, index: Index, (dim, step): (usize, i64)) -> Value {
    let ty = b.cx().common().index;
    let of = |b: &mut Builder<'_>, dim: i64| {
        let dim = b.cx().int_attr(dim.into(), b.cx().common().i64);
        Index::build(b, dim, ty).result(b.read())
    };
    let was = index.dim(b.read()).as_int(b.cx()).and_then(|(dim, _)| i64::try_from(dim).ok()).unwrap_or(0);
    let within = of(b, was + 1);
    if usize::try_from(was) != Ok(dim) {
        return within;
    }
    let part = of(b, 0);
    let step = b.cx().index_attr(step);
    let step = arith::Constant::build(b, step).result(b.read());
    let before = arith::MulI::build(b, part, step).result(b.read());
    arith::AddI::build(b, before, within).result(b.read())
}

/// The parts, reduced by the same operators into the places of the results
fn together(
    ir: &mut Ir,
    op: Compute,
    view: &View,
    first: Compute,
    (dim, parts): (usize, i64),
    kept: &[usize],
) -> Option<Compute> {
    let values: Vec<Value> = ir.results(first.id()).collect();
    let inits = op.inits(ir);
    let types: Vec<Type> = values.iter().map(|value| ir.ty(*value).scalar(ir.cx())).collect();
    let form = {
        let cx = ir.cx();
        let rank = kept.len() as u32 + 1;
        // Kept dimensions first, the part last; no place depends on a reduced one.
        let coords: Vec<AffineExpr> = (0..view.dims.len())
            .map(|n| kept.iter().position(|m| *m == n).map_or(0.into(), |at| AffineExpr::Dim(at as u32)))
            .collect();
        let moved = |map: &AffineMap| {
            let results: Option<Vec<AffineExpr>> =
                map.results.iter().map(|expr| expr.replace(&coords, &[])).collect();
            AffineMap::new(rank, 0, results?)
        };
        let order = [rank - 1].into_iter().chain(0..rank - 1).map(AffineExpr::Dim).collect();
        let read = cx.map_attr(AffineMap::new(rank, 0, order)?);
        let sizes: Vec<i64> = kept.iter().map(|n| view.dims[*n].size).chain([parts]).collect();
        let kinds: Vec<Attr> = kept
            .iter()
            .map(|_| kind_attr(cx, &Kind::Cc))
            .chain([kind_attr(cx, &view.dims[dim].kind)])
            .collect();
        let mut names: Vec<String> = kept.iter().map(|n| view.dims[*n].name.clone()).collect();
        let part =
            ["part", "part_", "part__"].into_iter().find(|name| !names.iter().any(|other| other == name))?;
        names.push(part.into());
        let names: Vec<Attr> = names.iter().map(|name| cx.str_attr(name)).collect();
        let mut outs = Vec::new();
        let mut intos = Vec::new();
        for out in &view.outputs {
            outs.push(cx.array_attr(&[cx.map_attr(moved(out.maps.first()?)?)]));
            intos.push(match &out.init {
                None => cx.common().unit,
                Some((_, None)) => cx.str_attr("same"),
                Some((_, Some(own))) => cx.map_attr(moved(own)?),
            });
        }
        let started = view.outputs.iter().any(|out| out.init.is_some());
        Form {
            slots: vec![
                view.name.as_ref().map(|name| cx.str_attr(name)),
                Some(cx.i64_array(&sizes)),
                Some(cx.array_attr(&kinds)),
                Some(cx.array_attr(&vec![read; values.len()])),
                Some(cx.array_attr(&outs)),
                started.then(|| cx.array_attr(&intos)),
                None,
                None,
                None,
                Some(cx.array_attr(&names)),
            ],
            segments: vec![values.len() as u32, inits.len() as u32, 0],
            operands: values.iter().chain(&inits).copied().collect(),
            results: ir.results(op.id()).map(|value| ir.ty(value)).collect(),
        }
    };
    let made = make(ir, op.id(), &form);
    let block = ir.append_block(made.body(ir));
    let args: Vec<Value> = types.into_iter().map(|ty| ir.add_block_arg(block, ty)).collect();
    Yield::build(&mut Builder::at_end(ir, block), &args);
    Some(made)
}
