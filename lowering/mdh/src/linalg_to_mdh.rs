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
use crate::linalg_fold::{fold_of, negative};
use crate::linalg_memory as memory;
use crate::linalg_parts as parts;
use terrace_diag::Reported;
use terrace_dialect_arith as arith;
use terrace_dialect_bufferization::ToTensor;
use terrace_dialect_func as func;
use terrace_dialect_linalg::form::numbers;
use terrace_dialect_linalg::{self as linalg, Form};
use terrace_dialect_mdh::Compute;
use terrace_dialect_mdh::operator::{Operator, declared, identity};
use terrace_dialect_mdh::view::{Dim, Input, Kind, Order, Other, Output, View, default_name};
use terrace_dialect_mdh::{Index, Yield};
use terrace_dialect_shapes::reassociation::groups;
use terrace_dialect_tensor as tensor;
use terrace_ir::ir::ValueMap;
use terrace_ir::symbols::{ScopeId, Symbols};
use terrace_ir::{Attr, BlockId, Builder, DYNAMIC, Ir, OpDef, OpId, Type, TypeKind, Value};
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
            let name = unit.op_name(op);
            let done = if let Some((_, convert)) = CONVERTED.iter().find(|(def, _)| is(def)) {
                convert(unit, op)
            } else if name.starts_with("tensor.") {
                Err(format!("L-BODY: {name} has no form here: what it reads depends on values"))
            } else if name.starts_with("linalg.") {
                Form::of(unit, op)
                    .map_err(|why| format!("L-BODY: {why}"))
                    .and_then(|form| compute(unit, (cx.symbols, cx.scope), op, form))
            } else {
                continue;
            };
            if let Err(why) = done {
                return cx.fail(unit, op, &codes::LINALG, why);
            }
            converted += 1;
        }
        // What is left over is used by nobody: empty tensors, fills that start sums.
        for op in ops.iter().rev() {
            let ours = unit.is_alive(*op) && {
                let name = unit.op_name(*op);
                name.starts_with("linalg.") || name.starts_with("tensor.") || unit.is(*op, ToTensor::DEF)
            };
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
            return cx.fail(unit, op, &codes::LINALG, "L-BODY: elements of an empty tensor are read");
        }
        cx.count("ops converted", converted);
        cx.set_changed(converted > 0);
        Ok(())
    }
}

pub(crate) type Done<T> = Result<T, String>;

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

/// Is it in the body of a computation?
fn in_body(ir: &Ir, op: OpId) -> bool {
    let mut at = ir.parent(op);
    while let Some(parent) = at {
        let name = ir.op_name(parent);
        if name.starts_with("linalg.") || name.starts_with("tensor.") || ir.is(parent, Compute::DEF) {
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
    AffineMap::new(rank as u32, 0, all).ok_or_else(|| "L-MAP: an index function uses more than it has".into())
}

pub(crate) fn shape(ir: &Ir, value: Value) -> Done<Vec<i64>> {
    match ir.ty(value).kind(ir.cx()) {
        TypeKind::Tensor { shape, .. } if shape.iter().all(|size| *size >= 0) => Ok(shape.to_vec()),
        TypeKind::Tensor { .. } => {
            Err("L-DYN: a size is not a number; `bind-sizes{sizes=A=4x6}` gives sizes to arguments".into())
        }
        _ => Err("L-DYN: an operand is no tensor".into()),
    }
}

/// A list of numbers
pub(crate) fn list(ir: &Ir, op: OpId, name: &str) -> Vec<i64> {
    numbers(ir, op, name).unwrap_or_default()
}

/// Extent of each iterator, all numbers
fn extents(ir: &Ir, form: &Form) -> Done<Vec<i64>> {
    for (value, _) in &form.operands {
        if ir.ty(*value).shape(ir.cx()).is_some() {
            shape(ir, *value)?;
        }
    }
    let sizes = form.extents(ir);
    match sizes.iter().position(|size| *size < 0) {
        Some(n) => Err(format!("L-MAP: nothing says how many turns iterator {n} has")),
        None => few(&sizes).map(|()| sizes),
    }
}

/// Most points of a computation: what the dialect takes
const POINTS: i64 = 1 << 48;

/// Are these few enough?
fn few(sizes: &[i64]) -> Done<()> {
    let points = sizes.iter().fold(1i64, |all, size| all.saturating_mul(*size));
    if points <= POINTS {
        return Ok(());
    }
    let sizes: Vec<String> = sizes.iter().map(i64::to_string).collect();
    Err(format!("L-MAP: {} points are too many: 2^48 at most", sizes.join(" × ")))
}

/// What fills a tensor, if that is a constant
fn filled(ir: &Ir, value: Value) -> Option<Attr> {
    let op = ir.defining_op(value)?;
    let scalar = (ir.is(op, linalg::Fill::DEF)).then(|| ir.operand(op, 0))?;
    let maker = ir.defining_op(scalar).filter(|op| ir.is(*op, arith::Constant::DEF))?;
    ir.attr(maker, "value")
}

/// The computation of a form, with the op's own body
fn compute(ir: &mut Ir, symbols: (&Symbols, ScopeId), op: OpId, form: Form) -> Done<()> {
    let sizes = extents(ir, &form)?;
    let entry = ir.entry(ir.region(op, 0)).ok_or("L-BODY: the op has no body")?;
    let args = ir.block_args(entry).to_vec();
    if args.len() != form.operands.len() {
        return Err("L-BODY: one argument for each operand".into());
    }
    let (in_args, out_args) = args.split_at(form.inputs);
    let end =
        ir.last_op(entry).filter(|op| ir.is(*op, linalg::Yield::DEF)).ok_or("L-BODY: the body has no end")?;
    let yields: Vec<Value> = ir.operands(end).collect();
    let folds = form.reduces.contains(&true);
    let mut operators = Vec::new();
    let mut contributions = yields.clone();
    let mut skipped = Vec::new();
    let mut negated = vec![false; yields.len()];
    let called = if folds { called(ir, symbols, &yields, out_args) } else { None };
    let mut order = Order::Fixed;
    if let Some((call, function, associative)) = called {
        operators.push(function);
        order = if associative { Order::Fixed } else { Order::Source };
        contributions = ir.operands(call).skip(out_args.len()).collect();
        skipped.push(call);
    } else if folds {
        for (n, (value, out)) in yields.iter().zip(out_args).enumerate() {
            let fold = fold_of(ir, entry, *value, *out).map_err(|why| format!("L-BODY: output {n} {why}"))?;
            operators.push(Operator::Builtin(fold.builtin));
            contributions[n] = fold.part;
            negated[n] = fold.negated;
            skipped.extend(fold.ops);
        }
    }
    let mut inputs: Vec<(Value, Option<AffineMap>)> = Vec::new();
    let mut old: Vec<Value> = Vec::new();
    for ((value, map), arg) in form.ins().iter().zip(in_args) {
        if ir.is_used(*arg) {
            let scalar = ir.ty(*value).shape(ir.cx()).is_none();
            inputs.push((*value, (!scalar).then(|| map.clone())));
            old.push(*arg);
        }
    }
    if !folds {
        for ((value, map), arg) in form.outs().iter().zip(out_args) {
            if ir.is_used(*arg) {
                inputs.push((*value, Some(map.clone())));
                old.push(*arg);
            }
        }
    }
    // The body's values from outside are inputs too.
    let inside: Vec<OpId> = ir.walk_below(op).collect();
    let own: Vec<Option<BlockId>> =
        std::iter::once(Some(entry)).chain(inside.iter().map(|inner| ir.block(*inner))).collect();
    for inner in inside {
        for value in ir.operands(inner).collect::<Vec<Value>>() {
            let outside = !own.contains(&ir.value_block(value));
            if outside && !old.contains(&value) {
                inputs.push((value, None));
                old.push(value);
            }
        }
    }
    let kinds: Vec<Kind> = form
        .reduces
        .iter()
        .map(|reduce| if *reduce { Kind::Pw(operators.clone(), order) } else { Kind::Cc })
        .collect();
    let mut outputs = Vec::new();
    let mut results = Vec::new();
    for (n, (value, map)) in form.outs().iter().enumerate() {
        let ty = ir.result(op, n);
        let ty = ir.ty(ty);
        let neutral = operators.get(n).and_then(|op| match op {
            Operator::Builtin(builtin) => identity(*builtin, ir.cx(), ty.scalar(ir.cx())),
            Operator::Func(_) => None,
        });
        let empty = ir.defining_op(*value).is_some_and(|op| ir.is(op, tensor::Empty::DEF));
        // What is larger than a number is refused as a computation.
        let points = map.results.iter().fold(1i64, |all, e| all.saturating_mul(hull(e, &sizes)));
        let whole = shape(ir, *value)?.into_iter().fold(1i64, i64::saturating_mul);
        let starts = if folds {
            !empty && (neutral.is_none() || filled(ir, *value) != neutral)
        } else {
            points != whole
        };
        outputs.push(Output { maps: vec![map.clone()], init: starts.then_some((*value, None)) });
        results.push(ty);
    }
    let types: Vec<Type> = inputs
        .iter()
        .map(|(value, map)| if map.is_some() { ir.ty(*value).scalar(ir.cx()) } else { ir.ty(*value) })
        .collect();
    let block = ir.create_block();
    let mut values = ValueMap::default();
    for (old, ty) in old.iter().zip(&types) {
        let arg = ir.add_block_arg(block, *ty);
        values.insert(*old, arg);
    }
    for inner in ir.block_ops(entry).collect::<Vec<OpId>>() {
        if inner == end || skipped.contains(&inner) {
            continue;
        }
        if let Some(index) = linalg::Index::cast(ir, inner) {
            let dim = index.dim(ir);
            let ty = ir.cx().common().index;
            let made = Index::build(&mut Builder::at_end(ir, block), dim, ty);
            let (from, to) = (index.result(ir), made.result(ir));
            values.insert(from, to);
            continue;
        }
        let copy = ir.clone_op(None, inner, &mut values);
        ir.append(block, copy);
    }
    let given: Option<Vec<Value>> = contributions.iter().map(|value| values.get(*value)).collect();
    let mut given = given.ok_or("L-BODY: the body yields a value from outside")?;
    for (value, _) in given.iter_mut().zip(&negated).filter(|(_, negated)| **negated) {
        *value = negative(ir, block, *value)?;
    }
    Yield::build(&mut Builder::at_end(ir, block), &given);
    let dims = named(&sizes, kinds);
    let inputs =
        inputs.into_iter().map(|(value, map)| Input { value, map, other: None, guard: None }).collect();
    let name = ir.op_name(op).strip_prefix("linalg.").filter(|name| *name != "generic").map(String::from);
    let view = View { name, dims, inputs, outputs, conditions: Vec::new() };
    replace(ir, op, &view, &results, block);
    Ok(())
}

/// The call of a function that combines all outputs with something new, and whether it may be taken in any bracketing
fn called(
    ir: &Ir,
    (symbols, scope): (&Symbols, ScopeId),
    yields: &[Value],
    outs: &[Value],
) -> Option<(OpId, Operator, bool)> {
    let call = func::Call::cast(ir, ir.defining_op(*yields.first()?)?)?;
    let args: Vec<Value> = ir.operands(call.id()).collect();
    let (old, new) = args.split_at_checked(outs.len())?;
    let alone =
        outs.iter().all(|out| ir.has_one_use(*out)) && yields.iter().all(|value| ir.has_one_use(*value));
    let (name, nested) = call.callee(ir).as_symbol(ir.cx())?;
    let fits = old == outs && new.len() == outs.len() && ir.results(call.id()).eq(yields.iter().copied());
    let says = declared(ir.cx(), symbols.lookup(scope, name, nested).and_then(|def| def.dict))?;
    (fits && alone && nested.is_empty()).then_some((call.id(), Operator::Func(name), says.associative))
}

/// Number of values of an index function, if it is one iterator or a constant
fn hull(e: &AffineExpr, sizes: &[i64]) -> i64 {
    match e {
        AffineExpr::Dim(n) => sizes[*n as usize],
        AffineExpr::Constant(_) => 1,
        _ => 0,
    }
}

pub(crate) fn named(sizes: &[i64], kinds: Vec<Kind>) -> Vec<Dim> {
    let all = sizes.iter().zip(kinds).enumerate();
    all.map(|(n, (size, kind))| Dim { name: default_name(n), size: *size, kind }).collect()
}

/// Put a computation in place of an op
pub(crate) fn replace(ir: &mut Ir, op: OpId, view: &View, results: &[Type], block: BlockId) {
    let made = view.build(&mut Builder::before(ir, op), results, block);
    // A schedule beside the op is the computation's, and what else has this dialect's name.
    let beside = ir.dict(op).and_then(|dict| dict.as_dict(ir.cx())).unwrap_or(&[]).to_vec();
    for (name, attr) in beside {
        let name = ir.cx().str(name).to_string();
        if name.starts_with("mdh.") {
            ir.set_discardable(made.id(), &name, Some(attr));
        }
    }
    for n in 0..results.len() {
        let (from, to) = (ir.result(op, n), ir.result(made.id(), n));
        rename(ir, from, to);
        ir.replace_all_uses(from, to);
    }
    ir.erase(op);
}

fn rename(ir: &mut Ir, from: Value, to: Value) {
    if let Some(name) = ir.value_name(from) {
        let name = terrace_ir::Name::Str(ir.cx().intern(name));
        ir.set_value_name(to, name);
    }
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
        dims: named(sizes, vec![Kind::Cc; sizes.len()]),
        inputs: vec![Input { value, map, other, guard: None }],
        outputs: vec![Output { maps: vec![out.0], init: out.1.map(|value| (value, None)) }],
        conditions: Vec::new(),
    };
    replace(ir, op, &view, &[ty], block);
    Ok(())
}

fn fill(ir: &mut Ir, op: OpId) -> Done<()> {
    let result = ir.result(op, 0);
    let sizes = shape(ir, result)?;
    let value = ir.operand(op, 0);
    if ir.ty(value) != ir.ty(result).scalar(ir.cx()) {
        return Err("L-BODY: the value is not of the element type".into());
    }
    let whole = AffineMap::identity(sizes.len() as u32);
    moved(ir, op, &sizes, (value, None, None), (whole, None))
}

/// A constant, if the value is one
pub(crate) fn constant(ir: &Ir, value: Value) -> Option<i64> {
    let maker = ir.defining_op(value).filter(|op| ir.is(*op, arith::Constant::DEF))?;
    ir.attr(maker, "value")?.as_i64(ir.cx())
}

/// A list of numbers some of which are operands, that must be constants
pub(crate) fn mixed(ir: &Ir, op: OpId, name: &str, field: usize) -> Done<Vec<i64>> {
    let mut operands = ir.operand_field(op, field).into_iter();
    let number = |n: i64| match n {
        DYNAMIC => operands.next().and_then(|value| constant(ir, value)),
        n => Some(n),
    };
    let all: Option<Vec<i64>> = list(ir, op, name).into_iter().map(number).collect();
    all.ok_or_else(|| format!("L-DYN: {} must be numbers", name.trim_start_matches("static_")))
}

/// Offsets, sizes and steps, all numbers; their operands start at a field
fn slice(ir: &Ir, op: OpId, first: usize) -> Done<[Vec<i64>; 3]> {
    let of = |name: &str, n: usize| mixed(ir, op, name, first + n);
    let all = [of("static_offsets", 0)?, of("static_sizes", 1)?, of("static_strides", 2)?];
    if all.iter().flatten().any(|number| *number < 0) {
        return Err("L-DYN: offsets, sizes and steps must not be negative".into());
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
            return Err("L-MAP: the part has another shape than its sizes say".into());
        }
    }
    if at != kept.len() {
        return Err("L-MAP: the part has another shape than its sizes say".into());
    }
    map(kept.len(), all)
}

fn extract(ir: &mut Ir, op: OpId) -> Done<()> {
    let [offsets, sizes, steps] = slice(ir, op, 1)?;
    let kept = shape(ir, ir.result(op, 0))?;
    let from = part(&offsets, &sizes, &steps, &kept)?;
    let source = ir.operand(op, 0);
    moved(ir, op, &kept, (source, Some(from), None), (AffineMap::identity(kept.len() as u32), None))
}

fn insert(ir: &mut Ir, op: OpId) -> Done<()> {
    let [offsets, sizes, steps] = slice(ir, op, 2)?;
    let (source, dest) = (ir.operand(op, 0), ir.operand(op, 1));
    let kept = shape(ir, source)?;
    let to = part(&offsets, &sizes, &steps, &kept)?;
    moved(ir, op, &kept, (source, Some(AffineMap::identity(kept.len() as u32)), None), (to, Some(dest)))
}

fn pad(ir: &mut Ir, op: OpId) -> Done<()> {
    let low = mixed(ir, op, "static_low", 1)?;
    let result = shape(ir, ir.result(op, 0))?;
    let source = ir.operand(op, 0);
    let entry = ir.entry(ir.region(op, 0)).ok_or("L-BODY: the op has no body")?;
    let end =
        ir.last_op(entry).and_then(|op| tensor::Yield::cast(ir, op)).ok_or("L-BODY: the body has no end")?;
    let value = end.value(ir);
    let constant = ir.defining_op(value).filter(|op| ir.is(*op, arith::Constant::DEF));
    let other = match constant.and_then(|op| ir.attr(op, "value")) {
        Some(attr) => Other::Constant(attr),
        None if ir.value_block(value) != Some(entry) => Other::Value(value),
        None => return Err("L-BODY: elements around depend on their place".into()),
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
    let (source, result) = (ir.operand(op, 0), ir.result(op, 0));
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
                let size = *from.get(*dim).ok_or("L-MAP: the groups are not those of the types")?;
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
                let size = *to.get(dim).ok_or("L-MAP: the groups are not those of the types")?;
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
        *offsets.get_mut(dim).ok_or("L-MAP: the tensor has no such dimension")? = first;
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
    let value = ir.operand(op, 0);
    moved(ir, op, &sizes, (value, None, None), (AffineMap::identity(sizes.len() as u32), None))
}

/// A size that the type says
fn dim(ir: &mut Ir, op: OpId) -> Done<()> {
    let n = constant(ir, ir.operand(op, 1)).and_then(|n| usize::try_from(n).ok());
    let n = n.ok_or("L-DYN: which dimension is meant must be a number")?;
    let sizes = ir.ty(ir.operand(op, 0)).shape(ir.cx()).unwrap_or(&[]).to_vec();
    let size = match sizes.get(n) {
        Some(&DYNAMIC) => {
            return Err("L-DYN: a size is not a number; `tensor.cast` from a static type, or fix it".into());
        }
        Some(size) => *size,
        None => return Err("L-DYN: the tensor has no such dimension".into()),
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

/// There and back again; a type without sizes that nobody uses any more
fn cast(ir: &mut Ir, op: OpId) -> Done<()> {
    let to = ir.result(op, 0);
    let mut from = ir.operand(op, 0);
    while ir.ty(from) != ir.ty(to)
        && let Some(before) = ir.defining_op(from).filter(|op| ir.is(*op, tensor::Cast::DEF))
    {
        from = ir.operand(before, 0);
    }
    if ir.is_used(to) {
        if shape(ir, to).is_err() {
            return Err("L-DYN: a type without sizes; what uses it has no form here".into());
        }
        if ir.ty(from) != ir.ty(to) {
            return Err("L-DYN: the source's sizes are not numbers".into());
        }
        ir.replace_all_uses(to, from);
    }
    ir.erase(op);
    Ok(())
}
