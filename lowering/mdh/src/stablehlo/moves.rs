//! Constants, and ops that only move elements: index functions of what they read.

use super::{Edge, Points, d};
use crate::tensors::Done;
use terrace_dialect_arith as arith;
use terrace_dialect_mdh::Index;
use terrace_dialect_mdh::operator::{Builtin, identity};
use terrace_dialect_mdh::view::{Input, Other};
use terrace_dialect_stablehlo as hlo;
use terrace_dialect_tensor as tensor;
use terrace_ir::{Attr, AttrKind, Builder, Context, DenseData, OpId, TypeKind, Value};
use terrace_support::affine::AffineExpr;

/// The one element of a constant, if all are the same; integers without sign
pub(super) fn element(cx: &Context, attr: Attr) -> Option<Attr> {
    let AttrKind::Dense { ty, data } = attr.kind(cx) else { return None };
    let bytes: &[u8] = match data {
        DenseData::Splat(bytes) => bytes,
        DenseData::Raw(bytes) if ty.num_elements(cx) == Some(1) => bytes,
        _ => return None,
    };
    let mut word = [0; 8];
    word.get_mut(..bytes.len())?.copy_from_slice(bytes);
    let (bits, elem) = (u64::from_le_bytes(word), ty.scalar(cx));
    match elem.kind(cx) {
        TypeKind::Float(_) => Some(cx.float_attr(bits, elem)),
        TypeKind::Int { width: 1, .. } => Some(cx.bool_attr(bits & 1 == 1)),
        TypeKind::Int { width, .. } if *width <= 64 => {
            Some(cx.int_attr(terrace_ir::make::wrap_int(bits.into(), *width, false), cx.int(*width)))
        }
        _ => None,
    }
}

pub(super) fn constant(edge: &mut Edge<'_>, op: OpId) -> Done<()> {
    let result = edge.ir.result(op, 0);
    let (value, ty) = (hlo::Constant(op).value(edge.ir), edge.ir.ty(result));
    let cx = edge.ir.cx_arc().clone();
    let elem = ty.scalar(&cx);
    if !elem.is_float(&cx) && !elem.is_signless_int(&cx) {
        return Err("elements of this type have no form here: floats, integers and booleans do".into());
    }
    edge.sizes(result)?;
    if let Some(one) = element(&cx, value) {
        let made = edge.fill(op, one, ty)?;
        return edge.becomes(op, made);
    }
    let AttrKind::Dense { data, .. } = value.kind(&cx) else {
        return Err("a constant whose elements are not in the text has no form here".into());
    };
    let attr = cx.attr(AttrKind::Dense { ty, data: data.clone() });
    let mut b = edge.before(op);
    let made = arith::Constant::build(&mut b, attr).result(b.read());
    edge.becomes(op, made)
}

pub(super) fn iota(edge: &mut Edge<'_>, op: OpId) -> Done<()> {
    let result = edge.ir.result(op, 0);
    let sizes = edge.sizes(result)?;
    let dim = hlo::Iota(op).iota_dimension(edge.ir);
    let elem = edge.ir.ty(result).scalar(edge.ir.cx());
    let points = Points::kept(edge, &sizes)?;
    let cx = edge.ir.cx_arc().clone();
    let mut b = Builder::at_end(edge.ir, points.block);
    let index = Index::build(&mut b, dim, cx.common().index).result(b.read());
    let mut body = edge.body(points.block);
    let value = if elem.is_float(&cx) {
        let number = body.cast(arith::IndexCast::DEF, index, cx.common().i64);
        body.cast(arith::SIToFP::DEF, number, elem)
    } else {
        body.cast(arith::IndexCast::DEF, index, elem)
    };
    points.whole_result(edge, op, value);
    Ok(())
}

/// Every element of the result is an element of the operand
fn moved(edge: &mut Edge<'_>, op: OpId, at: Vec<AffineExpr>) -> Done<()> {
    let (from, result) = (edge.ir.operand(op, 0), edge.ir.result(op, 0));
    if let Some(attr) = edge.splats.get(&from).copied() {
        let ty = edge.ir.ty(result);
        let made = edge.fill(op, attr, ty)?;
        return edge.becomes(op, made);
    }
    let sizes = edge.sizes(result)?;
    edge.sizes(from)?;
    let mut points = Points::kept(edge, &sizes)?;
    let value = points.read(edge, from, at)?;
    points.whole_result(edge, op, value);
    Ok(())
}

fn list(edge: &Edge<'_>, attr: Attr) -> Vec<i64> {
    attr.as_dense_array(edge.ir.cx()).unwrap_or(&[]).to_vec()
}

pub(super) fn transpose(edge: &mut Edge<'_>, op: OpId) -> Done<()> {
    let order = list(edge, hlo::Transpose(op).permutation(edge.ir));
    // Dimension n of the result is dimension order[n] of the operand.
    let mut at = vec![AffineExpr::from(0); order.len()];
    for (n, source) in order.iter().enumerate() {
        let place = usize::try_from(*source).ok().and_then(|source| at.get_mut(source));
        *place.ok_or("its permutation names a dimension that the operand has not")? = d(n);
    }
    moved(edge, op, at)
}

pub(super) fn broadcast_in_dim(edge: &mut Edge<'_>, op: OpId) -> Done<()> {
    let dims = list(edge, hlo::BroadcastInDim(op).broadcast_dimensions(edge.ir));
    let (from, to) = (edge.sizes(edge.ir.operand(op, 0))?, edge.sizes(edge.ir.result(op, 0))?);
    let at = dims.iter().zip(&from).map(|(dim, size)| {
        let to = usize::try_from(*dim).ok().and_then(|dim| to.get(dim));
        // A dimension of one element is read everywhere.
        if *size == 1 && to != Some(&1) { 0.into() } else { d(*dim as usize) }
    });
    let at = at.collect();
    moved(edge, op, at)
}

pub(super) fn broadcast(edge: &mut Edge<'_>, op: OpId) -> Done<()> {
    let first = list(edge, hlo::Broadcast(op).broadcast_sizes(edge.ir)).len();
    let rank = edge.sizes(edge.ir.operand(op, 0))?.len();
    moved(edge, op, (first..first + rank).map(d).collect())
}

pub(super) fn slice(edge: &mut Edge<'_>, op: OpId) -> Done<()> {
    let slice = hlo::Slice(op);
    let (starts, steps) = (list(edge, slice.start_indices(edge.ir)), list(edge, slice.strides(edge.ir)));
    let place =
        |(n, (start, step)): (usize, (&i64, &i64))| AffineExpr::mul(d(n), (*step).into()) + (*start).into();
    let at = starts.iter().zip(&steps).enumerate().map(place).collect();
    moved(edge, op, at)
}

pub(super) fn reverse(edge: &mut Edge<'_>, op: OpId) -> Done<()> {
    let dims = list(edge, hlo::Reverse(op).dimensions(edge.ir));
    let sizes = edge.sizes(edge.ir.result(op, 0))?;
    let place = |(n, size): (usize, &i64)| match dims.contains(&(n as i64)) {
        true => AffineExpr::sub((size - 1).into(), d(n)),
        false => d(n),
    };
    let at = sizes.iter().enumerate().map(place).collect();
    moved(edge, op, at)
}

/// A constant or a scalar that stands for elements outside
pub(super) fn outside(edge: &mut Edge<'_>, op: OpId, value: Value) -> Other {
    match edge.splats.get(&value) {
        Some(attr) => Other::Constant(*attr),
        None => Other::Value(edge.only(op, value)),
    }
}

/// The zero that stands for elements outside
pub(super) fn outside_constant(edge: &Edge<'_>, value: Value) -> Done<Other> {
    let cx = edge.ir.cx();
    let zero = identity(Builtin::Add, cx, edge.ir.ty(value).scalar(cx));
    let flag = edge.ir.ty(value).scalar(cx) == cx.common().i1;
    let zero = if flag { Some(cx.bool_attr(false)) } else { zero };
    Ok(Other::Constant(zero.ok_or("its elements are no numbers")?))
}

pub(super) fn pad(edge: &mut Edge<'_>, op: OpId) -> Done<()> {
    let pad = hlo::Pad(op);
    let (low, between) =
        (list(edge, pad.edge_padding_low(edge.ir)), list(edge, pad.interior_padding(edge.ir)));
    let (from, value) = (pad.operand(edge.ir), pad.padding_value(edge.ir));
    let sizes = edge.sizes(edge.ir.result(op, 0))?;
    edge.sizes(from)?;
    let mut points = Points::kept(edge, &sizes)?;
    let other = outside(edge, op, value);
    let (mut at, mut guard) = (Vec::new(), None);
    for (n, (low, between)) in low.iter().zip(&between).enumerate() {
        let place = if *low == 0 { d(n) } else { d(n) - (*low).into() };
        let distance = between + 1;
        if distance == 1 {
            at.push(place);
            continue;
        }
        // Elements are at multiples of the distance.
        let off = AffineExpr::modulo(place.clone(), distance.into());
        guard = Some(guard.map_or(off.clone(), |all: AffineExpr| all + off));
        at.push(AffineExpr::floor_div(place, distance.into()));
    }
    let map = Some(points.map(at)?);
    let arg = points.input(edge, Input { value: from, map, other: Some(other), guard })?;
    points.whole_result(edge, op, arg);
    Ok(())
}

/// As `tensor.concat`, which has a road
pub(super) fn concatenate(edge: &mut Edge<'_>, op: OpId) -> Done<()> {
    let dim = hlo::Concatenate(op).dimension(edge.ir);
    let (inputs, ty): (Vec<Value>, _) = (edge.ir.operands(op).collect(), edge.ir.ty(edge.ir.result(op, 0)));
    if let [only] = inputs[..] {
        return edge.becomes(op, only);
    }
    let mut b = edge.before(op);
    let made = tensor::Concat::build(&mut b, &inputs, dim, ty).result(b.read());
    edge.becomes(op, made)
}

/// As `tensor.collapse_shape` and `tensor.expand_shape`, which have a road; through the common groups of both shapes
pub(super) fn reshape(edge: &mut Edge<'_>, op: OpId) -> Done<()> {
    let (from, result) = (edge.ir.operand(op, 0), edge.ir.result(op, 0));
    let ty = edge.ir.ty(result);
    if edge.ir.ty(from) == ty {
        return edge.becomes(op, from);
    }
    if let Some(attr) = edge.splats.get(&from).copied() {
        let made = edge.fill(op, attr, ty)?;
        return edge.becomes(op, made);
    }
    let (old, new) = (edge.sizes(from)?, edge.sizes(result)?);
    let groups = groups(&old, &new);
    let cx = edge.ir.cx_arc().clone();
    let joined: Vec<i64> = groups.iter().map(|(dims, _)| dims.iter().map(|n| old[*n]).product()).collect();
    let middle = cx.tensor(&joined, ty.scalar(&cx));
    let words = |side: &dyn Fn(&(Vec<usize>, Vec<usize>)) -> Vec<usize>| {
        let group = |group| {
            let dims: Vec<Attr> =
                side(group).iter().map(|n| cx.int_attr(*n as i128, cx.common().i64)).collect();
            cx.array_attr(&dims)
        };
        cx.array_attr(&groups.iter().map(group).collect::<Vec<Attr>>())
    };
    let (olds, news) = (words(&|group| group.0.clone()), words(&|group| group.1.clone()));
    let mut value = from;
    let mut b = edge.before(op);
    if b.read().ty(value) != middle {
        value = tensor::CollapseShape::build(&mut b, value, olds, middle).result(b.read());
    }
    if middle != ty {
        let sizes = b.cx().i64_array(&new);
        value = tensor::ExpandShape::build(&mut b, value, &[], news, sizes, ty).result(b.read());
    }
    edge.becomes(op, value)
}

/// Neighboring dimensions of two shapes that have the same number of elements, as small as can be
fn groups(old: &[i64], new: &[i64]) -> Vec<(Vec<usize>, Vec<usize>)> {
    let mut all: Vec<(Vec<usize>, Vec<usize>)> = Vec::new();
    if old.is_empty() || new.is_empty() {
        return all;
    }
    let empty = old.contains(&0) || new.contains(&0);
    let (mut i, mut j) = (0, 0);
    while !empty && i < old.len() && j < new.len() {
        let (mut left, mut right) = (old[i], new[j]);
        let mut group = (vec![i], vec![j]);
        (i, j) = (i + 1, j + 1);
        while left != right {
            if left < right && i < old.len() {
                left = left.saturating_mul(old[i]);
                group.0.push(i);
                i += 1;
            } else if j < new.len() {
                right = right.saturating_mul(new[j]);
                group.1.push(j);
                j += 1;
            } else {
                break;
            }
        }
        all.push(group);
    }
    match all.last_mut() {
        // What is left are dimensions of one element.
        Some(last) => {
            last.0.extend(i..old.len());
            last.1.extend(j..new.len());
        }
        None => all.push(((0..old.len()).collect(), (0..new.len()).collect())),
    }
    all
}

#[cfg(test)]
mod tests {
    use super::groups;

    #[test]
    fn shapes_in_common_groups() {
        let of = |old: &[i64], new: &[i64]| {
            groups(old, new).into_iter().map(|(a, b)| (a.len(), b.len())).collect::<Vec<_>>()
        };
        assert_eq!(of(&[2, 3, 4], &[6, 4]), [(2, 1), (1, 1)]);
        assert_eq!(of(&[6, 4], &[2, 3, 4]), [(1, 2), (1, 1)]);
        assert_eq!(of(&[2, 3], &[3, 2]), [(2, 2)]);
        assert_eq!(of(&[4, 1], &[4]), [(2, 1)]);
        assert_eq!(of(&[1, 4], &[4, 1, 1]), [(2, 3)]);
        assert_eq!(of(&[0, 4], &[2, 0]), [(2, 2)]);
        assert_eq!(of(&[], &[1, 1]), []);
    }
}
