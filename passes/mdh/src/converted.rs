//! Inputs that a body converts to a wider type, converted once for each element.
//!
//! A product of `f16` with sums in `f32` converts both operands at each point of its nest, where a processor multiplies in the wider
//! type only. An element that is read at several points is converted by a computation of its own then, and the product reads the
//! wider tensor: the same values, bit for bit. The model compares both forms, so that operands of a matrix unit and those that are
//! seldom read again stay as written.

use crate::parts::Several;
use terrace_dialect_arith as arith;
use terrace_dialect_mdh::view::{CombineKind, Dim, Input, Output, View, default_name};
use terrace_dialect_mdh::{Compute, Yield};
use terrace_ir::ir::ValueMap;
use terrace_ir::{BlockId, Builder, Ir, Name, OpId, Type, Value};
use terrace_support::affine::{AffineExpr, AffineMap};

/// A tensor that a body reads through one conversion only
struct Conversion {
    tensor: Value,
    /// The op in the body, once for each input that reads the tensor
    casts: Vec<(usize, OpId)>,
}

/// Build both before a computation; `None`, and nothing has changed, where no input is converted that is read again
pub fn before(ir: &mut Ir, op: Compute, view: &View) -> Option<Several> {
    let found = found(ir, op, view)?;
    let mut made = view.clone();
    let (mut all, mut names) = (Vec::new(), Vec::new());
    for Conversion { tensor, casts } in &found {
        let (first, cast) = *casts.first()?;
        let one = whole(ir, op, view, &view.inputs[first], cast)?;
        let value = ir.result(one.id(), 0);
        for (input, _) in casts {
            made.inputs[*input].value = value;
        }
        names.push(ir.value_name(*tensor).map_or(format!("input {}", first + 1), String::from));
        all.push(one);
    }
    let casts: Vec<(usize, OpId)> = found.iter().flat_map(|one| one.casts.clone()).collect();
    let body = body(ir, op, &casts)?;
    let results: Vec<Type> = ir.results(op.id()).map(|value| ir.ty(value)).collect();
    all.push(made.build(&mut Builder::before(ir, op.id()), &results, body));
    Some(Several { all, names })
}

/// All conversions of tensors with fewer elements than the computation has points
fn found(ir: &Ir, op: Compute, view: &View) -> Option<Vec<Conversion>> {
    let body = ir.entry(op.body(ir))?;
    let points = view.dims.iter().fold(1, |all: i64, dim| all.saturating_mul(dim.size));
    let mut all: Vec<Conversion> = Vec::new();
    for (n, (arg, input)) in ir.block_args(body).iter().zip(&view.inputs).enumerate() {
        let Some(cast) = conversion(ir, body, *arg) else { continue };
        let Some(shape) = ir.ty(input.value).shape(ir.cx()) else { continue };
        let elements =
            shape.iter().try_fold(1, |all: i64, size| all.checked_mul(*size).filter(|_| *size > 0));
        let again = elements.is_some_and(|elements| elements < points);
        if !again || input.map.is_none() || input.other.is_some() || input.guard.is_some() {
            continue;
        }
        match all.iter_mut().find(|one| one.tensor == input.value) {
            Some(one) => one.casts.push((n, cast)),
            None => all.push(Conversion { tensor: input.value, casts: vec![(n, cast)] }),
        }
    }
    // A tensor that is read in its own type, too, or converted in two ways, stays.
    let reads = |tensor: Value| view.inputs.iter().filter(|input| input.value == tensor).count();
    let alike = |one: OpId, other: OpId| {
        ir.op_name(one) == ir.op_name(other) && ir.ty(ir.result(one, 0)) == ir.ty(ir.result(other, 0))
    };
    all.retain(|one| {
        one.casts.len() == reads(one.tensor) && one.casts.iter().all(|(_, cast)| alike(*cast, one.casts[0].1))
    });
    (!all.is_empty()).then_some(all)
}

/// The conversion to a wider type that is the only use of a body's argument
fn conversion(ir: &Ir, body: BlockId, arg: Value) -> Option<OpId> {
    let mut users = ir.uses(arg).map(|(user, _)| user);
    let cast = users.next().filter(|_| users.next().is_none())?;
    let defs =
        [arith::ExtF::DEF, arith::ExtSI::DEF, arith::ExtUI::DEF, arith::SIToFP::DEF, arith::UIToFP::DEF];
    let width = |value: Value| ir.ty(value).bit_width(ir.cx());
    let wider = |cast: OpId| width(ir.result(cast, 0)) > width(arg);
    // What is not read at any point may be negative.
    let always = |cast: OpId| ir.block(cast) == Some(body) && ir.attr(cast, "nneg").is_none();
    Some(cast).filter(|cast| ir.is_any(*cast, &defs) && wider(*cast) && always(*cast))
}

/// The conversion of a whole tensor
fn whole(ir: &mut Ir, op: Compute, view: &View, input: &Input, cast: OpId) -> Option<Compute> {
    let (tensor, ty) = (input.value, ir.ty(ir.result(cast, 0)));
    let shape = ir.ty(tensor).shape(ir.cx())?.to_vec();
    let map = AffineMap::new(shape.len() as u32, 0, (0..shape.len() as u32).map(AffineExpr::Dim).collect())?;
    let name = |n: usize| match input.map.as_ref().and_then(|map| map.results.get(n)) {
        Some(AffineExpr::Dim(dim)) => view.dims[*dim as usize].name.clone(),
        _ => default_name(n),
    };
    let mut dims: Vec<Dim> = Vec::new();
    for (n, size) in shape.iter().enumerate() {
        let free = Some(name(n)).filter(|name| dims.iter().all(|dim| dim.name != *name));
        let name = free.unwrap_or_else(|| default_name(n));
        dims.push(Dim { name, size: *size, kind: CombineKind::Cc });
    }
    let block = ir.create_block();
    let arg = ir.add_block_arg(block, ir.ty(tensor).scalar(ir.cx()));
    let mut values = ValueMap::default();
    values.insert(ir.operand(cast, 0), arg);
    let copy = ir.clone_op(None, cast, &mut values);
    ir.append(block, copy);
    let value = ir.result(copy, 0);
    Yield::build(&mut Builder::at_end(ir, block), &[value]);
    let made = View {
        name: Some(format!("{}_converted", ir.value_name(tensor).unwrap_or("input"))),
        dims,
        inputs: vec![Input { value: tensor, map: Some(map.clone()), other: None, guard: None }],
        outputs: vec![Output { maps: vec![map], init: None }],
        conditions: Vec::new(),
        extents: Vec::new(),
    };
    let result = ir.cx().tensor(&shape, ty);
    Some(made.build(&mut Builder::before(ir, op.id()), &[result], block))
}

/// A copy of a body whose arguments are converted already
fn body(ir: &mut Ir, op: Compute, casts: &[(usize, OpId)]) -> Option<BlockId> {
    let from = ir.entry(op.body(ir))?;
    let to = ir.create_block();
    let mut map = ValueMap::default();
    for (n, arg) in ir.block_args(from).to_vec().into_iter().enumerate() {
        let cast = casts.iter().find(|(input, _)| *input == n).map(|(_, cast)| ir.result(*cast, 0));
        let new = ir.add_block_arg(to, ir.ty(cast.unwrap_or(arg)));
        if let Some(name) = ir.value_name(arg) {
            let name = Name::Str(ir.cx().intern(name));
            ir.set_value_name(new, name);
        }
        map.insert(cast.unwrap_or(arg), new);
    }
    for each in ir.block_ops(from).collect::<Vec<OpId>>() {
        if casts.iter().all(|(_, cast)| *cast != each) {
            let copy = ir.clone_op(None, each, &mut map);
            ir.append(to, copy);
        }
    }
    Some(to)
}
