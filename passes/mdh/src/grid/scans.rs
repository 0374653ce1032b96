//! Prefixes along a long dimension in three computations, each with threads for the device.
//!
//! Blocks cannot wait for each other, so that prefixes, whose coordinates are walked in order, would be one thread's. The dimension is
//! cut: each part is reduced; prefixes of what the parts have; then each part's own prefixes, whose first contribution is merged with
//! the prefix before the part. No bracket is exchanged, only moved: operators are associative. The second computation is a
//! scan as well, of so many fewer coordinates, and cut again where it is long.
//!
//! Parts of a contiguous dimension are short and odd: blocks stage them in shared memory, where threads that are an odd number of elements apart
//! use different banks. Where parts do not divide the size, a condition ends the last one.

use super::fill::wanted;
use crate::parts::{body_in_parts, in_parts, kept, reduced_in_parts, replace};
use terrace_devices::Device;
use terrace_dialect_mdh::operator::{Builtin, Operator};
use terrace_dialect_mdh::view::{CombineKind, Input, Other, Output, View};
use terrace_dialect_mdh::{Compute, Yield};
use terrace_ir::{Attr, Builder, Ir, Type, Value};
use terrace_schedule_choose::access::Accesses;
use terrace_support::affine::{AffineExpr, AffineMap};

/// Fewest coordinates that are cut: one thread takes about 40 cycles for each, two more launches about 9000
const WORTH: i64 = 512;

/// Fewest and most coordinates of a part
const STEPS: (i64, i64) = (16, 256);

/// The same of a contiguous dimension: blocks of threads have such parts in shared memory
const STAGED: (i64, i64) = (15, 31);

/// The remark about it: the last of the computations has the parts as its first dimension
fn said(third: &View, name: &str) -> String {
    format!(
        "prefixes along `{name}` are taken in {} parts side by side: what each part has, prefixes of that, each part behind \
         what is before it",
        third.dims.first().map_or(0, |part| part.size)
    )
}

/// Three computations where that pays, and what to say of it; nothing has changed where it gives none
pub fn split(
    ir: &mut Ir,
    op: Compute,
    view: &View,
    a: &Accesses,
    device: &Device,
) -> Option<([Compute; 3], String)> {
    let prefixes: Vec<usize> = (0..a.sizes.len()).filter(|dim| a.prefixes[*dim]).collect();
    let [dim] = prefixes[..] else { return None };
    let CombineKind::Ps(operators) = &view.dims[dim].kind else { return None };
    let types: Vec<Type> = ir.results(op.id()).map(|value| ir.ty(value).scalar(ir.cx())).collect();
    let named: Option<Vec<(Builtin, Attr)>> = operators
        .iter()
        .zip(&types)
        .map(|(operator, ty)| match operator {
            Operator::Builtin(builtin) => Some((*builtin, builtin.identity(ir.cx(), *ty)?)),
            Operator::Func(_) | Operator::Accumulated(_) => None,
        })
        .collect();
    let named = named.filter(|all| all.len() == types.len())?;
    let plain = view.outputs.iter().all(|out| out.maps.len() == 1 && out.init.is_none());
    if !plain || a.reduced.contains(&true) || !view.bounds().is_empty() || a.sizes[dim] < WORTH {
        return None;
    }
    let step = step(a, device, dim)?;
    let first = reduced_in_parts(ir, op, view, (dim, step))?;
    let second = of_parts(ir, op, view, first, dim)?;
    let third = of_all(ir, op, view, second, (dim, step), &named)?;
    let said = said(&View::read(ir, third).ok()?, &view.dims[dim].name);
    replace(ir, op, third);
    Some(([first, second, third], said))
}

/// Coordinates of a part: a divisor of the size where there is one, and so many that the device has threads enough
fn step(a: &Accesses, device: &Device, dim: usize) -> Option<i64> {
    let size = a.sizes[dim];
    if a.inputs.iter().chain(&a.outputs).all(|access| access.strides[dim] == Some(1)) {
        let mut odd = (STAGED.0..=STAGED.1).rev().filter(|step| step % 2 == 1);
        return odd.find(|step| size % step == 0).or(Some(STAGED.1));
    }
    let there =
        a.dims(|other| other != dim).iter().fold(1i64, |all, other| all.saturating_mul(a.sizes[*other]));
    let parts = wanted(device) / there;
    let most = if parts < 4 { return None } else { (size / parts).clamp(STEPS.0, STEPS.1) };
    (STEPS.0..=most).rev().find(|step| size % step == 0).or(Some(most))
}

/// The access of a result of [`reduced_in_parts`] from a computation of these dimensions
fn access(
    view: &View,
    dim: usize,
    part: AffineExpr,
    at: impl Fn(usize) -> usize,
    rank: usize,
) -> Option<AffineMap> {
    let others = kept(view, dim).into_iter().map(|other| AffineExpr::Dim(at(other) as u32));
    AffineMap::new(rank as u32, 0, [part].into_iter().chain(others).collect())
}

/// Prefixes of what the parts have
fn of_parts(ir: &mut Ir, op: Compute, view: &View, first: Compute, dim: usize) -> Option<Compute> {
    let of_first = View::read(ir, first).ok()?;
    let rank = view.dims.len();
    let map = access(view, dim, AffineExpr::Dim(dim as u32), |other| other, rank)?;
    let mut dims = view.dims.clone();
    dims[dim].name.clone_from(&of_first.dims[0].name);
    dims[dim].size = of_first.dims[0].size;
    let values: Vec<Value> = ir.results(first.id()).collect();
    let input = |value: &Value| Input { value: *value, map: Some(map.clone()), other: None, guard: None };
    let second = View {
        name: Some(format!("{}_before", view.name.as_deref().unwrap_or("prefixes"))),
        dims,
        inputs: values.iter().map(input).collect(),
        outputs: values.iter().map(|_| Output { maps: vec![map.clone()], init: None }).collect(),
        conditions: Vec::new(),
        extents: Vec::new(),
    };
    let types: Vec<Type> = values.iter().map(|value| ir.ty(*value)).collect();
    let elements: Vec<Type> = types.iter().map(|ty| ty.scalar(ir.cx())).collect();
    let body = crate::parts::pass_on(ir, &elements);
    Some(second.build(&mut Builder::before(ir, op.id()), &types, body))
}

/// Each part's prefixes, of which the first contribution has the prefix before the part in it
fn of_all(
    ir: &mut Ir,
    op: Compute,
    view: &View,
    second: Compute,
    (dim, step): (usize, i64),
    operators: &[(Builtin, Attr)],
) -> Option<Compute> {
    let mut third = in_parts(view, (dim, step))?;
    let before = AffineExpr::sub(AffineExpr::Dim(0), 1.into());
    let map = access(view, dim, before, |other| other + 1, third.dims.len())?;
    let values: Vec<Value> = ir.results(second.id()).collect();
    for (value, (_, identity)) in values.iter().zip(operators) {
        third.inputs.push(Input {
            value: *value,
            map: Some(map.clone()),
            other: Some(Other::Constant(*identity)),
            guard: Some(AffineExpr::Dim(dim as u32 + 1)),
        });
    }
    let body = body_in_parts(ir, op, (dim, step))?;
    let end = ir.block_ops(body).last().filter(|end| Yield::cast(ir, *end).is_some())?;
    let own: Vec<Value> = ir.operands(end).collect();
    let elements: Vec<Type> = own.iter().map(|value| ir.ty(*value)).collect();
    let starts: Vec<Value> = elements.iter().map(|ty| ir.add_block_arg(body, *ty)).collect();
    ir.erase(end);
    let mut b = Builder::at_end(ir, body);
    let merged: Vec<Value> = operators
        .iter()
        .zip(starts.iter().zip(&own))
        .map(|((operator, _), (start, own))| operator.as_op(&mut b, *start, *own))
        .collect();
    Yield::build(&mut b, &merged);
    let types: Vec<Type> = ir.results(op.id()).map(|value| ir.ty(value)).collect();
    Some(third.build(&mut Builder::before(ir, op.id()), &types, body))
}
