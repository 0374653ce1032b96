//! The edge `linalg` → `mdh`: computations over indexed spaces as upstream writes them become ours.
//!
//! Every op is read as maps from iterations into operands, kinds of iterators and a body ([`Form`]); of named ops these are
//! what upstream says. A reduction's body ends in `out ⊕ e`: ⊕ is the operator, e the contribution. What fills an output with the
//! operator's neutral element is dropped, another start value goes in front (`into`).
//!
//! Parts of tensors are computations that only move elements; those at places that are values read whole tensors at places that
//! they compute. What is in memory becomes values first (`linalg_memory`). Not here: sizes that are not numbers, and what takes one
//! step after the other: elements and parts that are put into what was there before (`tensors_to_memory`).

use crate::codes;
use crate::linalg_form::compute;
use crate::linalg_memory as memory;
use crate::linalg_parts as parts;
use crate::no_form::Rule;
use crate::tensors::{Done, constant, few, mixed, named, rename, replace, shape};
use crate::views;
use terrace_diag::Reported;
use terrace_dialect_arith as arith;
use terrace_dialect_bufferization::ToTensor;
use terrace_dialect_linalg::{self as linalg, Form};
use terrace_dialect_mdh::Compute;
use terrace_dialect_mdh::Yield;
use terrace_dialect_mdh::view::{CombineKind, Input, Other, Output, View};
use terrace_dialect_shapes::reassociation::groups;
use terrace_dialect_tensor as tensor;
use terrace_ir::{Builder, DYNAMIC, Ir, OpDef, OpId, Value};
use terrace_macros::pass;
use terrace_pass::{Pass, PassCx};
use terrace_support::affine::{AffineExpr, AffineKind, AffineMap};

/// Computations of linalg on tensors and in memory become mdh.compute
///
/// Generic and named ops on tensors of static shape become computations; parts of tensors, padding and fills too. Ops in memory
/// are computations on what buffers hold, whose results are written there; where inputs and outputs share a buffer, a point may
/// read the element that it writes, and no other. What has no such form is an error that says why.
#[pass("linalg-to-mdh", anchor = "func.func", stats("ops converted"))]
pub struct LinalgToMdh;

impl Pass for LinalgToMdh {
    fn run(&self, cx: &mut PassCx<'_>, unit: &mut Ir) -> Result<(), Reported> {
        let found: Vec<OpId> = unit.walk_below(unit.root()).collect();
        for &op in found.iter().rev() {
            if unit.is_alive(op)
                && memory::is_on_memory(unit, op)
                && let Err(why) = memory::to_values(unit, op)
            {
                return cx.fail(unit, op, &codes::LINALG, why);
            }
        }
        let ops: Vec<OpId> = unit.walk_below(unit.root()).collect();
        let mut converted = 0;
        // Readers first: what fills an output is then still to be seen.
        for &op in ops.iter().rev() {
            if !unit.is_alive(op) {
                continue;
            }
            let is = |def: &'static OpDef| unit.is(op, def);
            let stays = unit.is(op, tensor::InsertSlice::DEF) && parts::stays(unit, op);
            if LEFT.iter().any(|def| is(def)) || stays {
                continue;
            }
            if views::of_schedules(unit, op) {
                continue;
            }
            let done = if let Some((_, convert)) = CONVERTED.iter().find(|(def, _)| is(def)) {
                convert(unit, op)
            } else if unit.is_of(op, &tensor::TENSOR) {
                let name = unit.op_name(op);
                Err(Rule::Body.because(format!("{name} has no form here: what it reads depends on values")))
            } else if unit.is_of(op, &linalg::LINALG) {
                Form::of(unit, op)
                    .map_err(|why| Rule::Body.because(why))
                    .and_then(|form| compute(unit, (cx.symbols, cx.scope), op, form))
            } else {
                continue;
            };
            if let Err(why) = done {
                return cx.fail(unit, op, &codes::LINALG, why);
            }
            converted += 1;
        }
        // What is left over is unused: empty tensors, fills that start sums.
        for op in ops.iter().rev() {
            let ours = unit.is_alive(*op) && (is_tensor_op(unit, *op) || unit.is(*op, ToTensor::DEF));
            if ours && !in_body(unit, *op) && unit.is_unused(*op) {
                unit.erase(*op);
            }
        }
        let computes: Vec<OpId> =
            unit.walk_below(unit.root()).filter(|op| unit.is(*op, Compute::DEF)).collect();
        for op in computes.into_iter().rev() {
            if unit.is_unused(op) {
                unit.erase(op);
            }
        }
        let read = ops.iter().find(|op| unit.is_alive(**op) && parts::is_read(unit, **op));
        if let Some(op) = read.copied() {
            return cx.fail(
                unit,
                op,
                &codes::LINALG,
                Rule::Body.because("elements of an empty tensor are read"),
            );
        }
        cx.count("ops converted", converted);
        cx.set_changed(converted > 0);
        Ok(())
    }
}

/// Ops that are not converted alone: in a body, the op around it says why; elsewhere they read or write memory
const LEFT: &[&OpDef] = &[
    linalg::Yield::DEF,
    linalg::Index::DEF,
    tensor::Yield::DEF,
    tensor::Empty::DEF,
    tensor::Extract::DEF,
    tensor::Insert::DEF,
    tensor::FromElements::DEF,
];

/// Makes a computation of an op
type Convert = fn(&mut Ir, OpId) -> Done<()>;

/// Ops with a conversion of their own; others of `linalg` are converted by their form
const CONVERTED: &[(&OpDef, Convert)] = &[
    (
        tensor::ExtractSlice::DEF,
        |ir, op| if parts::moves(ir, op) { parts::extract(ir, op) } else { extract(ir, op) },
    ),
    (tensor::InsertSlice::DEF, insert),
    (tensor::Pad::DEF, pad),
    (tensor::Cast::DEF, cast),
    (tensor::CollapseShape::DEF, reshape),
    (tensor::ExpandShape::DEF, reshape),
    (tensor::Concat::DEF, concat),
    (tensor::Dim::DEF, dim),
    (tensor::Splat::DEF, splat),
    (linalg::Fill::DEF, fill),
];

/// Ops of the two dialects that this pass converts
fn is_tensor_op(ir: &Ir, op: OpId) -> bool {
    ir.is_of(op, &linalg::LINALG) || ir.is_of(op, &tensor::TENSOR)
}

/// Is it in the body of a computation?
fn in_body(ir: &Ir, op: OpId) -> bool {
    let mut at = ir.parent(op);
    while let Some(parent) = at {
        if is_tensor_op(ir, parent) || ir.is(parent, Compute::DEF) {
            return true;
        }
        at = ir.parent(parent);
    }
    false
}

fn d(n: usize) -> AffineExpr {
    AffineExpr::Dim(n as u32)
}

fn map(rank: usize, all: Vec<AffineExpr>) -> Done<AffineMap> {
    AffineMap::new(rank as u32, 0, all)
        .ok_or_else(|| Rule::Map.because("an index function uses more than it has"))
}

/// A computation that moves elements: result at `out` over a box is an element of the source
fn moved(
    ir: &mut Ir,
    op: OpId,
    sizes: &[i64],
    input: (Value, Option<AffineMap>, Option<Other>),
    out: (AffineMap, Option<Value>),
) -> Done<()> {
    few(sizes)?;
    let (value, map, other) = input;
    let elem = if map.is_some() { ir.ty(value).scalar(ir.cx()) } else { ir.ty(value) };
    let block = ir.create_block();
    let arg = ir.add_block_arg(block, elem);
    Yield::build(&mut Builder::at_end(ir, block), &[arg]);
    let ty = ir.ty(ir.result(op, 0));
    let view = View {
        name: None,
        dims: named(sizes, vec![CombineKind::Cc; sizes.len()]),
        inputs: vec![Input { value, map, other, guard: None }],
        outputs: vec![Output { maps: vec![out.0], init: out.1.map(|value| (value, None)) }],
        conditions: Vec::new(),
        extents: Vec::new(),
    };
    replace(ir, op, &view, &[ty], block);
    Ok(())
}

fn fill(ir: &mut Ir, op: OpId) -> Done<()> {
    let result = ir.result(op, 0);
    let sizes = shape(ir, result)?;
    let value = linalg::Fill(op).inputs(ir)[0];
    if ir.ty(value) != ir.ty(result).scalar(ir.cx()) {
        return Err(Rule::Body.because("the value is not of the element type"));
    }
    let whole = AffineMap::identity(sizes.len() as u32);
    moved(ir, op, &sizes, (value, None, None), (whole, None))
}

/// Offsets, sizes and steps, all numbers; their operands start at a field
fn slice(ir: &Ir, op: OpId, first: usize) -> Done<[Vec<i64>; 3]> {
    let of = |name: &str, n: usize| mixed(ir, op, name, first + n);
    let all = [of("static_offsets", 0)?, of("static_sizes", 1)?, of("static_strides", 2)?];
    if all.iter().flatten().any(|number| *number < 0) {
        return Err(Rule::Dyn.because("offsets, sizes and steps must not be negative"));
    }
    Ok(all)
}

/// Elements of a part, as index functions of the whole over the dimensions that the part keeps
fn part(offsets: &[i64], sizes: &[i64], steps: &[i64], kept: &[i64]) -> Done<AffineMap> {
    let mut at = 0;
    let mut all = Vec::new();
    for ((offset, size), step) in offsets.iter().zip(sizes).zip(steps) {
        if kept.get(at) == Some(size) {
            let scaled = AffineExpr::mul(d(at), (*step).into());
            all.push(if *offset == 0 { scaled } else { scaled + (*offset).into() });
            at += 1;
        } else if *size == 1 {
            all.push((*offset).into());
        } else {
            return Err(Rule::Map.because("the part has another shape than its sizes say"));
        }
    }
    if at != kept.len() {
        return Err(Rule::Map.because("the part has another shape than its sizes say"));
    }
    map(kept.len(), all)
}

fn extract(ir: &mut Ir, op: OpId) -> Done<()> {
    let [offsets, sizes, steps] = slice(ir, op, 1)?;
    let kept = shape(ir, ir.result(op, 0))?;
    let from = part(&offsets, &sizes, &steps, &kept)?;
    let source = tensor::ExtractSlice(op).source(ir);
    moved(ir, op, &kept, (source, Some(from), None), (AffineMap::identity(kept.len() as u32), None))
}

fn insert(ir: &mut Ir, op: OpId) -> Done<()> {
    let [offsets, sizes, steps] = slice(ir, op, 2)?;
    let slice = tensor::InsertSlice(op);
    let (source, dest) = (slice.source(ir), slice.dest(ir));
    let kept = shape(ir, source)?;
    let to = part(&offsets, &sizes, &steps, &kept)?;
    moved(ir, op, &kept, (source, Some(AffineMap::identity(kept.len() as u32)), None), (to, Some(dest)))
}

fn pad(ir: &mut Ir, op: OpId) -> Done<()> {
    let low = mixed(ir, op, "static_low", 1)?;
    let result = shape(ir, ir.result(op, 0))?;
    let source = tensor::Pad(op).source(ir);
    let entry = ir.entry(ir.region(op, 0)).ok_or_else(|| Rule::Body.because("the op has no body"))?;
    let end = ir
        .last_op(entry)
        .and_then(|op| tensor::Yield::cast(ir, op))
        .ok_or_else(|| Rule::Body.because("the body has no end"))?;
    let value = end.value(ir);
    let constant = ir.defining_op(value).filter(|op| ir.is(*op, arith::Constant::DEF));
    let other = match constant.and_then(|op| ir.attr(op, "value")) {
        Some(attr) => Other::Constant(attr),
        None if ir.value_block(value) != Some(entry) => Other::Value(value),
        None => return Err(Rule::Body.because("elements around depend on their place")),
    };
    let exprs =
        low.iter().enumerate().map(|(n, low)| if *low == 0 { d(n) } else { d(n) - (*low).into() }).collect();
    let from = map(result.len(), exprs)?;
    moved(
        ir,
        op,
        &result,
        (source, Some(from), Some(other)),
        (AffineMap::identity(result.len() as u32), None),
    )
}

/// The same elements with dimensions joined or cut: subscripts are quotients and remainders, or sums
fn reshape(ir: &mut Ir, op: OpId) -> Done<()> {
    let result = ir.result(op, 0);
    let source = match tensor::CollapseShape::cast(ir, op) {
        Some(op) => op.src(ir),
        None => tensor::ExpandShape(op).src(ir),
    };
    let (from, to) = (shape(ir, source)?, shape(ir, result)?);
    let groups = ir.attr(op, "reassociation").and_then(|attr| groups(ir.cx(), attr)).unwrap_or_default();
    let joins = to.len() < from.len();
    let mut all = Vec::new();
    for (n, group) in groups.iter().enumerate() {
        let dims: Vec<usize> = group.iter().filter_map(|dim| usize::try_from(*dim).ok()).collect();
        if joins {
            // Dimension n runs through the source's dimensions of its group, the last one fastest.
            let mut inner = 1;
            let mut exprs = Vec::new();
            for (at, dim) in dims.iter().enumerate().rev() {
                let size = *from
                    .get(*dim)
                    .ok_or_else(|| Rule::Map.because("the groups are not those of the types"))?;
                let quotient = AffineExpr::binary(AffineKind::FloorDiv, d(n), inner.into());
                exprs.push(match at {
                    0 => quotient,
                    _ => AffineExpr::binary(AffineKind::Mod, quotient, size.max(1).into()),
                });
                inner *= size.max(1);
            }
            all.extend(exprs.into_iter().rev());
        } else {
            let mut sum: AffineExpr = 0.into();
            for dim in dims {
                let size =
                    *to.get(dim).ok_or_else(|| Rule::Map.because("the groups are not those of the types"))?;
                sum = AffineExpr::mul(sum, size.into()) + d(dim);
            }
            all.push(sum);
        }
    }
    // A type without dimensions has one element.
    all.resize(from.len(), 0.into());
    let from = map(to.len(), all)?;
    moved(ir, op, &to, (source, Some(from), None), (AffineMap::identity(to.len() as u32), None))
}

/// Each input is put into what the inputs before it have made
fn concat(ir: &mut Ir, op: OpId) -> Done<()> {
    let dim = ir.attr(op, "dim").and_then(|attr| attr.as_i64(ir.cx())).unwrap_or(0) as usize;
    let result = ir.result(op, 0);
    let (ty, whole) = (ir.ty(result), shape(ir, result)?);
    let loc = ir.loc(op);
    let mut b = Builder::before(ir, op);
    b.set_loc(loc);
    let mut made = tensor::Empty::build(&mut b, &[], ty).result(b.read());
    let mut first = 0;
    for input in ir.operands(op).collect::<Vec<Value>>() {
        let sizes = shape(ir, input)?;
        let mut offsets = vec![0; whole.len()];
        *offsets.get_mut(dim).ok_or_else(|| Rule::Map.because("the tensor has no such dimension"))? = first;
        first += sizes[dim];
        let mut b = Builder::before(ir, op);
        b.set_loc(loc);
        let [at, extents, ones] = [offsets, sizes, vec![1; whole.len()]].map(|list| b.cx().i64_array(&list));
        let part = tensor::InsertSlice::build(&mut b, input, made, &[], &[], &[], at, extents, ones);
        made = part.result(b.read());
    }
    rename(ir, result, made);
    ir.replace_all_uses(result, made);
    ir.erase(op);
    Ok(())
}

fn splat(ir: &mut Ir, op: OpId) -> Done<()> {
    let sizes = shape(ir, ir.result(op, 0))?;
    let value = tensor::Splat(op).input(ir);
    moved(ir, op, &sizes, (value, None, None), (AffineMap::identity(sizes.len() as u32), None))
}

/// A size that the type says
fn dim(ir: &mut Ir, op: OpId) -> Done<()> {
    let n = constant(ir, tensor::Dim(op).index(ir)).and_then(|n| usize::try_from(n).ok());
    let n = n.ok_or_else(|| Rule::Dyn.because("which dimension is meant must be a number"))?;
    let sizes = ir.ty(tensor::Dim(op).source(ir)).shape(ir.cx()).unwrap_or(&[]).to_vec();
    let size = match sizes.get(n) {
        Some(&DYNAMIC) => {
            return Err(
                Rule::Dyn.because("a size is not a number; `tensor.cast` from a static type, or fix it")
            );
        }
        Some(size) => *size,
        None => return Err(Rule::Dyn.because("the tensor has no such dimension")),
    };
    let attr = ir.cx().index_attr(size);
    let mut b = Builder::before(ir, op);
    let made = terrace_dialect_arith::Constant::build(&mut b, attr);
    let (from, to) = (ir.result(op, 0), made.result(ir));
    rename(ir, from, to);
    ir.replace_all_uses(from, to);
    ir.erase(op);
    Ok(())
}

/// There and back again; a type without sizes that is no longer used
fn cast(ir: &mut Ir, op: OpId) -> Done<()> {
    let to = ir.result(op, 0);
    let mut from = tensor::Cast(op).source(ir);
    while ir.ty(from) != ir.ty(to)
        && let Some(before) = ir.defining_op(from).and_then(|op| tensor::Cast::cast(ir, op))
    {
        from = before.source(ir);
    }
    if ir.is_used(to) {
        if shape(ir, to).is_err() {
            return Err(Rule::Dyn.because("a type without sizes; what uses it has no form here"));
        }
        if ir.ty(from) != ir.ty(to) {
            return Err(Rule::Dyn.because("the source's sizes are not numbers"));
        }
        ir.replace_all_uses(to, from);
    }
    ir.erase(op);
    Ok(())
}
