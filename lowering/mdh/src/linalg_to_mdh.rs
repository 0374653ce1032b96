//! The edge `linalg` → `mdh`: computations over indexed spaces as upstream writes them become ours.
//!
//! Every op is read as maps from iterations into operands, kinds of iterators and a body ([`Form`]); of named ops these are
//! what upstream says. A reduction's body ends in `out ⊕ e`: ⊕ is the operator, e the contribution. What fills an output with the
//! operator's neutral element is dropped, another start value goes in front (`into`).
//!
//! Parts of tensors are computations that only move elements. Not here: sizes that are not numbers, memrefs.

use crate::codes;
use terrace_diag::Reported;
use terrace_dialect_mdh::operator::{Builtin, Operator, identity};
use terrace_dialect_mdh::view::{Dim, Input, Kind, Order, Other, Output, View, default_name};
use terrace_dialect_mdh::{Index, Yield};
use terrace_dialect_upstream::linalg::{self, ITERATOR};
use terrace_dialect_upstream::tensor;
use terrace_ir::ir::ValueMap;
use terrace_ir::{Attr, BlockId, Builder, Ir, OpId, Type, TypeKind, Value};
use terrace_pass::{Pass, PassCx, PassInfo, Scope};
use terrace_support::affine::{AffineExpr, AffineMap};

/// The pass
pub static INFO: PassInfo = PassInfo {
    name: "linalg-to-mdh",
    aliases: &[],
    summary: "Computations of linalg on tensors become mdh.compute",
    docs: "Generic and named ops on tensors of static shape become computations; parts of tensors, padding and fills too. \
           What has no such form is an error that says why.",
    scope: Scope::Unit,
    anchor: Some("func.func"),
    options: &[],
    stats: &["ops converted"],
    make: |_| Ok(Box::new(LinalgToMdh)),
};

struct LinalgToMdh;

impl Pass for LinalgToMdh {
    fn run(&self, cx: &mut PassCx<'_>, unit: &mut Ir) -> Result<(), Reported> {
        let ops: Vec<OpId> = unit.walk_below(unit.root()).collect();
        let mut converted = 0;
        // Readers first: what fills an output is then still to be seen.
        for &op in ops.iter().rev() {
            if !unit.is_alive(op) {
                continue;
            }
            let name = unit.op_name(op).to_string();
            let done = match name.as_str() {
                "linalg.yield" | "linalg.index" | "tensor.yield" | "tensor.empty" => continue,
                "tensor.extract_slice" => extract(unit, op),
                "tensor.insert_slice" => insert(unit, op),
                "tensor.pad" => pad(unit, op),
                "tensor.cast" => cast(unit, op),
                "linalg.fill" => fill(unit, op),
                name if name.starts_with("linalg.") => {
                    form(unit, op).and_then(|form| compute(unit, op, form))
                }
                _ => continue,
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
                name.starts_with("linalg.") || name.starts_with("tensor.")
            };
            if ours && unit.parent(*op) == Some(unit.root()) && unit.is_unused(*op) {
                unit.erase(*op);
            }
        }
        let computes: Vec<OpId> =
            unit.walk_below(unit.root()).filter(|op| unit.op_name(*op) == "mdh.compute").collect();
        for op in computes.into_iter().rev() {
            if unit.is_unused(op) {
                unit.erase(op);
            }
        }
        let left = ops.iter().find(|op| unit.is_alive(**op) && unit.op_name(**op) == "tensor.empty");
        if let Some(op) = left.copied().filter(|op| !unit.is_unused(*op)) {
            return cx.fail(unit, op, &codes::LINALG, "L-BODY: elements of an empty tensor are read");
        }
        cx.count("ops converted", converted);
        cx.set_changed(converted > 0);
        Ok(())
    }
}

type Done<T> = Result<T, String>;

/// An op as maps, iterators and a body
struct Form {
    /// Which iterators reduce
    reduces: Vec<bool>,
    /// Inputs with their maps
    inputs: Vec<(Value, AffineMap)>,
    /// Outputs with their maps
    outputs: Vec<(Value, AffineMap)>,
}

fn d(n: usize) -> AffineExpr {
    AffineExpr::Dim(n as u32)
}

fn map(rank: usize, all: Vec<AffineExpr>) -> Done<AffineMap> {
    AffineMap::new(rank as u32, 0, all).ok_or_else(|| "L-MAP: an index function uses more than it has".into())
}

fn shape(ir: &Ir, value: Value) -> Done<Vec<i64>> {
    match ir.ty(value).kind(ir.cx()) {
        TypeKind::Tensor { shape, .. } if shape.iter().all(|size| *size >= 0) => Ok(shape.to_vec()),
        TypeKind::Tensor { .. } => {
            Err("L-DYN: a size is not a number; `tensor.cast` from a static type, or fix it".into())
        }
        _ => Err("L-DYN: an operand is no tensor".into()),
    }
}

/// A list of numbers, whatever attribute holds it
fn list(ir: &Ir, op: OpId, name: &str, otherwise: Vec<i64>) -> Vec<i64> {
    let cx = ir.cx();
    let Some(attr) = ir.attr(op, name) else { return otherwise };
    if let Some(all) = attr.as_dense_array(cx) {
        return all.to_vec();
    }
    match attr.kind(cx) {
        terrace_ir::AttrKind::Dense { ty, data } => {
            let count = ty.shape(cx).map_or(0, |shape| shape.iter().product::<i64>()) as usize;
            let bytes: &[u8] = match data {
                terrace_ir::attrs::DenseData::Splat(bytes) | terrace_ir::attrs::DenseData::Raw(bytes) => {
                    bytes
                }
                _ => return otherwise,
            };
            let splat = matches!(data, terrace_ir::attrs::DenseData::Splat(_));
            let number = |n: usize| {
                let at = if splat { 0 } else { n * 8 };
                bytes.get(at..at + 8).and_then(|word| word.try_into().ok()).map(i64::from_le_bytes)
            };
            (0..count).map(number).collect::<Option<Vec<i64>>>().unwrap_or(otherwise)
        }
        _ => otherwise,
    }
}

/// Maps and iterators of an op
fn form(ir: &Ir, op: OpId) -> Done<Form> {
    let operands: Vec<Value> = ir.operands(op).collect();
    let of = |maps: Vec<Vec<AffineExpr>>, reduces: &[bool]| -> Done<Form> {
        let rank = reduces.len();
        let mut all = Vec::new();
        for (value, exprs) in operands.iter().zip(maps) {
            all.push((*value, map(rank, exprs)?));
        }
        let outputs = all.split_off(all.len() - 1);
        Ok(Form { reduces: reduces.to_vec(), inputs: all, outputs })
    };
    let (k, r) = (false, true);
    let window = |name: &str| list(ir, op, name, vec![1, 1]);
    match ir.op_name(op) {
        "linalg.generic" => generic(ir, op),
        "linalg.matmul" => of(vec![vec![d(0), d(2)], vec![d(2), d(1)], vec![d(0), d(1)]], &[k, k, r]),
        "linalg.batch_matmul" => {
            of(vec![vec![d(0), d(1), d(3)], vec![d(0), d(3), d(2)], vec![d(0), d(1), d(2)]], &[k, k, k, r])
        }
        "linalg.matvec" => of(vec![vec![d(0), d(1)], vec![d(1)], vec![d(0)]], &[k, r]),
        "linalg.dot" => of(vec![vec![d(0)], vec![d(0)], vec![]], &[r]),
        "linalg.conv_2d_nhwc_hwcf" | "linalg.conv_2d_nchw_fchw" => {
            let (strides, dilations) = (window("strides"), window("dilations"));
            let at = |n: usize, p: usize, q: usize| {
                AffineExpr::mul(d(p), strides[n].into()) + AffineExpr::mul(d(q), dilations[n].into())
            };
            let reduces = [k, k, k, k, r, r, r];
            match ir.op_name(op) {
                "linalg.conv_2d_nhwc_hwcf" => of(
                    vec![
                        vec![d(0), at(0, 1, 4), at(1, 2, 5), d(6)],
                        vec![d(4), d(5), d(6), d(3)],
                        vec![d(0), d(1), d(2), d(3)],
                    ],
                    &reduces,
                ),
                _ => of(
                    vec![
                        vec![d(0), d(4), at(0, 2, 5), at(1, 3, 6)],
                        vec![d(1), d(4), d(5), d(6)],
                        vec![d(0), d(1), d(2), d(3)],
                    ],
                    &reduces,
                ),
            }
        }
        "linalg.transpose" => {
            let order = list(ir, op, "permutation", Vec::new());
            // Dimension n of the result is dimension order[n] of the input.
            let mut from = vec![0.into(); order.len()];
            for (n, source) in order.iter().enumerate() {
                let slot = usize::try_from(*source).ok().and_then(|at| from.get_mut(at));
                *slot.ok_or("L-MAP: the permutation is none")? = d(n);
            }
            of(vec![from, (0..order.len()).map(d).collect()], &vec![k; order.len()])
        }
        "linalg.broadcast" => {
            let added = list(ir, op, "dimensions", Vec::new());
            let rank = shape(ir, operands[1])?.len();
            let from = (0..rank).filter(|n| !added.contains(&(*n as i64))).map(d).collect();
            of(vec![from, (0..rank).map(d).collect()], &vec![k; rank])
        }
        "linalg.reduce" => {
            let folded = list(ir, op, "dimensions", Vec::new());
            let (ins, outs) = operands.split_at(operands.len() / 2);
            let rank = ins.first().map_or(Ok(Vec::new()), |value| shape(ir, *value))?.len();
            let reduces: Vec<bool> = (0..rank).map(|n| folded.contains(&(n as i64))).collect();
            let whole = map(rank, (0..rank).map(d).collect())?;
            let kept = map(rank, (0..rank).filter(|n| !reduces[*n]).map(d).collect())?;
            Ok(Form {
                inputs: ins.iter().map(|value| (*value, whole.clone())).collect(),
                outputs: outs.iter().map(|value| (*value, kept.clone())).collect(),
                reduces,
            })
        }
        other => Err(format!("L-BODY: {other} has no form here; `linalg.generic` says it")),
    }
}

fn generic(ir: &Ir, op: OpId) -> Done<Form> {
    let cx = ir.cx();
    let generic = linalg::Generic::cast(ir, op).ok_or("L-BODY: no generic op")?;
    let kinds = generic.iterator_types(ir);
    let mut reduces = Vec::new();
    for kind in kinds.as_array(cx).unwrap_or(&[]) {
        reduces.push(match kind.as_enum(cx, &ITERATOR) {
            Some(0) => false,
            Some(1) => true,
            _ => return Err("L-BODY: iterators are parallel or reduction".into()),
        });
    }
    let maps: Option<Vec<AffineMap>> = generic
        .indexing_maps(ir)
        .as_array(cx)
        .unwrap_or(&[])
        .iter()
        .map(|attr| attr.as_affine_map(cx).filter(|map| map.symbols == 0).cloned())
        .collect();
    let maps = maps.ok_or("L-MAP: an indexing map has symbols")?;
    let (ins, outs) = (generic.inputs(ir), generic.outputs(ir));
    if maps.len() != ins.len() + outs.len() || maps.iter().any(|map| map.dims as usize != reduces.len()) {
        return Err("L-MAP: one indexing map over all iterators for each operand".into());
    }
    let mut maps = maps.into_iter();
    let inputs = ins.into_iter().zip(maps.by_ref()).collect();
    let outputs = outs.into_iter().zip(maps).collect();
    Ok(Form { reduces, inputs, outputs })
}

/// Extent of each iterator: the size of what it indexes alone
fn extents(ir: &Ir, form: &Form) -> Done<Vec<i64>> {
    let mut sizes: Vec<Option<i64>> = vec![None; form.reduces.len()];
    for (value, map) in form.inputs.iter().chain(&form.outputs) {
        if ir.ty(*value).shape(ir.cx()).is_none() {
            continue;
        }
        for (e, size) in map.results.iter().zip(shape(ir, *value)?) {
            if let AffineExpr::Dim(n) = e {
                match &sizes[*n as usize] {
                    Some(other) if *other != size => {
                        return Err(format!("L-DYN: iterator {n} has {other} and {size} turns"));
                    }
                    _ => sizes[*n as usize] = Some(size),
                }
            }
        }
    }
    let open = sizes.iter().position(Option::is_none);
    match open {
        Some(n) => Err(format!("L-MAP: nothing says how many turns iterator {n} has")),
        None => Ok(sizes.into_iter().flatten().collect()),
    }
}

/// The operator that an op is, if it is one
fn operator(ir: &Ir, op: OpId) -> Option<Builtin> {
    Some(match ir.op_name(op) {
        "arith.addf" | "arith.addi" => Builtin::Add,
        "arith.mulf" | "arith.muli" => Builtin::Mul,
        "arith.maximumf" | "arith.maxnumf" | "arith.maxsi" => Builtin::Max,
        "arith.minimumf" | "arith.minnumf" | "arith.minsi" => Builtin::Min,
        "arith.andi" => Builtin::And,
        "arith.ori" => Builtin::Or,
        "arith.xori" => Builtin::Xor,
        _ => return None,
    })
}

/// What fills a tensor, if that is a constant
fn filled(ir: &Ir, value: Value) -> Option<Attr> {
    let op = ir.defining_op(value)?;
    let scalar = (ir.op_name(op) == "linalg.fill").then(|| ir.operand(op, 0))?;
    let maker = ir.defining_op(scalar).filter(|op| ir.op_name(*op) == "arith.constant")?;
    ir.attr(maker, "value")
}

/// The computation of a form, with the op's own body
fn compute(ir: &mut Ir, op: OpId, form: Form) -> Done<()> {
    let sizes = extents(ir, &form)?;
    let entry = ir.entry(ir.region(op, 0)).ok_or("L-BODY: the op has no body")?;
    let args = ir.block_args(entry).to_vec();
    if args.len() != form.inputs.len() + form.outputs.len() {
        return Err("L-BODY: one argument for each operand".into());
    }
    let (in_args, out_args) = args.split_at(form.inputs.len());
    let end = ir
        .last_op(entry)
        .filter(|op| ir.op_name(*op) == "linalg.yield")
        .ok_or("L-BODY: the body has no end")?;
    let yields: Vec<Value> = ir.operands(end).collect();
    let folds = form.reduces.contains(&true);
    let mut operators = Vec::new();
    let mut contributions = yields.clone();
    let mut skipped = Vec::new();
    if folds {
        for (n, (value, out)) in yields.iter().zip(out_args).enumerate() {
            let last = ir.defining_op(*value).filter(|op| ir.block(*op) == Some(entry));
            let found = last.and_then(|last| Some((last, operator(ir, last)?)));
            let Some((last, builtin)) = found else {
                return Err(format!("L-BODY: output {n} is not combined by an operator that has a name"));
            };
            let (a, b) = (ir.operand(last, 0), ir.operand(last, 1));
            let part = match (a == *out, b == *out) {
                (true, false) => b,
                (false, true) => a,
                _ => return Err(format!("L-BODY: output {n} is not `out ⊕ e`")),
            };
            if ir.uses(*out).count() != 1 || !ir.has_one_use(*value) {
                return Err(format!("L-BODY: output {n} is read by more than its own operator"));
            }
            operators.push(Operator::Builtin(builtin));
            contributions[n] = part;
            skipped.push(last);
        }
    }
    let mut inputs: Vec<(Value, Option<AffineMap>)> = Vec::new();
    let mut old: Vec<Value> = Vec::new();
    for ((value, map), arg) in form.inputs.iter().zip(in_args) {
        if ir.is_used(*arg) {
            let scalar = ir.ty(*value).shape(ir.cx()).is_none();
            inputs.push((*value, (!scalar).then(|| map.clone())));
            old.push(*arg);
        }
    }
    if !folds {
        for ((value, map), arg) in form.outputs.iter().zip(out_args) {
            if ir.is_used(*arg) {
                inputs.push((*value, Some(map.clone())));
                old.push(*arg);
            }
        }
    }
    // The body's values from outside are inputs too.
    for inner in ir.walk_below(op).collect::<Vec<OpId>>() {
        for value in ir.operands(inner).collect::<Vec<Value>>() {
            let outside = ir.value_block(value) != Some(entry) && ir.value_block(value) == ir.block(op);
            if outside && !old.contains(&value) {
                if ir.ty(value).shape(ir.cx()).is_some() {
                    return Err("L-BODY: the body reads a whole tensor".into());
                }
                inputs.push((value, None));
                old.push(value);
            }
        }
    }
    let kinds: Vec<Kind> = form
        .reduces
        .iter()
        .map(|reduce| if *reduce { Kind::Pw(operators.clone(), Order::Fixed) } else { Kind::Cc })
        .collect();
    let mut outputs = Vec::new();
    let mut results = Vec::new();
    for (n, (value, map)) in form.outputs.iter().enumerate() {
        let ty = ir.result(op, n);
        let ty = ir.ty(ty);
        let neutral = operators.get(n).and_then(|op| match op {
            Operator::Builtin(builtin) => identity(*builtin, ir.cx(), ty.scalar(ir.cx())),
            Operator::Func(_) => None,
        });
        let empty = ir.defining_op(*value).is_some_and(|op| ir.op_name(op) == "tensor.empty");
        let points: i64 = map.results.iter().map(|e| hull(e, &sizes)).product();
        let whole: i64 = shape(ir, *value)?.iter().product();
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
    let given = given.ok_or("L-BODY: the body yields a value from outside")?;
    Yield::build(&mut Builder::at_end(ir, block), &given);
    let dims = named(&sizes, kinds);
    let inputs =
        inputs.into_iter().map(|(value, map)| Input { value, map, other: None, guard: None }).collect();
    let name = ir.op_name(op).strip_prefix("linalg.").filter(|name| *name != "generic").map(String::from);
    let view = View { name, dims, inputs, outputs, conditions: Vec::new() };
    replace(ir, op, &view, &results, block);
    Ok(())
}

/// Number of values of an index function, if it is one iterator or a constant
fn hull(e: &AffineExpr, sizes: &[i64]) -> i64 {
    match e {
        AffineExpr::Dim(n) => sizes[*n as usize],
        AffineExpr::Constant(_) => 1,
        _ => 0,
    }
}

fn named(sizes: &[i64], kinds: Vec<Kind>) -> Vec<Dim> {
    let all = sizes.iter().zip(kinds).enumerate();
    all.map(|(n, (size, kind))| Dim { name: default_name(n), size: *size, kind }).collect()
}

/// Put a computation in place of an op
fn replace(ir: &mut Ir, op: OpId, view: &View, results: &[Type], block: BlockId) {
    let made = view.build(&mut Builder::before(ir, op), results, block);
    for n in 0..results.len() {
        let (from, to) = (ir.result(op, n), ir.result(made.id(), n));
        if let Some(name) = ir.value_name(from) {
            let name = terrace_ir::Name::Str(ir.cx().intern(name));
            ir.set_value_name(to, name);
        }
        ir.replace_all_uses(from, to);
    }
    ir.erase(op);
}

/// A computation that moves elements: result at `out` over a box is an element of the source
fn moved(
    ir: &mut Ir,
    op: OpId,
    sizes: &[i64],
    input: (Value, Option<AffineMap>, Option<Other>),
    out: (AffineMap, Option<Value>),
) -> Done<()> {
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

/// Offsets, sizes and steps, all numbers
fn slice(ir: &Ir, op: OpId) -> Done<[Vec<i64>; 3]> {
    let all = ["static_offsets", "static_sizes", "static_strides"].map(|name| list(ir, op, name, Vec::new()));
    if all.iter().flatten().any(|number| *number < 0) {
        return Err("L-DYN: offsets, sizes and steps must be numbers".into());
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
    let [offsets, sizes, steps] = slice(ir, op)?;
    let kept = shape(ir, ir.result(op, 0))?;
    let from = part(&offsets, &sizes, &steps, &kept)?;
    let source = ir.operand(op, 0);
    moved(ir, op, &kept, (source, Some(from), None), (AffineMap::identity(kept.len() as u32), None))
}

fn insert(ir: &mut Ir, op: OpId) -> Done<()> {
    let [offsets, sizes, steps] = slice(ir, op)?;
    let (source, dest) = (ir.operand(op, 0), ir.operand(op, 1));
    let kept = shape(ir, source)?;
    let to = part(&offsets, &sizes, &steps, &kept)?;
    moved(ir, op, &kept, (source, Some(AffineMap::identity(kept.len() as u32)), None), (to, Some(dest)))
}

fn pad(ir: &mut Ir, op: OpId) -> Done<()> {
    let low = list(ir, op, "static_low", Vec::new());
    let result = shape(ir, ir.result(op, 0))?;
    let source = ir.operand(op, 0);
    if low.iter().any(|number| *number < 0) || low.len() != result.len() {
        return Err("L-DYN: what is padded must be numbers".into());
    }
    let entry = ir.entry(ir.region(op, 0)).ok_or("L-BODY: the op has no body")?;
    let end =
        ir.last_op(entry).and_then(|op| tensor::Yield::cast(ir, op)).ok_or("L-BODY: the body has no end")?;
    let value = end.value(ir);
    let constant = ir.defining_op(value).filter(|op| ir.op_name(*op) == "arith.constant");
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

fn cast(ir: &mut Ir, op: OpId) -> Done<()> {
    let (from, to) = (ir.operand(op, 0), ir.result(op, 0));
    if ir.ty(from) != ir.ty(to) && shape(ir, to).is_err() {
        return Err("L-DYN: a type without sizes; what uses it has no form here".into());
    }
    if ir.ty(from) != ir.ty(to) {
        return Err("L-DYN: the source's sizes are not numbers".into());
    }
    ir.replace_all_uses(to, from);
    ir.erase(op);
    Ok(())
}
