//! Folds: constants whose elements are put in other places, and ops that undo each other.

use super::{Broadcast, ConstantMask, Extract, Insert, ShapeCast, Shuffle, Transpose, vector_shape};
use terrace_ir::show::elem_bytes;
use terrace_ir::{Attr, AttrKind, Context, DYNAMIC, DenseData, Fold, FoldCx, Folded, Type, TypeKind};

/// Most elements of a constant that a fold makes from unequal elements
const ELEMENTS: usize = 1 << 16;

/// Bytes of the elements of a constant: one for all, or each
pub(super) enum Elements {
    Splat(Box<[u8]>),
    Each(Vec<Box<[u8]>>),
}

/// Bytes of a scalar or dense constant
pub(super) fn elements(cx: &Context, attr: Attr) -> Option<Elements> {
    let scalar = |bits: u128, ty: Type| {
        let bytes = elem_bytes(cx, ty);
        Some(Elements::Splat(bits.to_le_bytes().get(..bytes)?.into()))
    };
    match attr.kind(cx) {
        AttrKind::Int { value, ty } => {
            let width = ty.bit_width(cx)?;
            scalar(terrace_ir::make::wrap_int(*value, width, true) as u128, *ty)
        }
        AttrKind::Float { bits, ty } => scalar(u128::from(*bits), *ty),
        AttrKind::Dense { data: DenseData::Splat(raw), .. } => Some(Elements::Splat(raw.clone())),
        AttrKind::Dense { ty, data: DenseData::Raw(raw) } => {
            let bytes = elem_bytes(cx, ty.scalar(cx));
            let small = bytes > 0 && raw.len() / bytes <= ELEMENTS;
            small.then(|| Elements::Each(raw.chunks(bytes).map(Into::into).collect()))
        }
        _ => None,
    }
}

impl Elements {
    pub(super) fn get(&self, n: usize) -> Option<&[u8]> {
        match self {
            Elements::Splat(one) => Some(one),
            Elements::Each(all) => all.get(n).map(|each| &**each),
        }
    }
}

/// A scalar constant of a type from its bytes
pub(super) fn scalar(cx: &Context, bytes: &[u8], ty: Type) -> Option<Attr> {
    let mut wide = [0; 16];
    wide.get_mut(..bytes.len())?.copy_from_slice(bytes);
    let bits = u128::from_le_bytes(wide);
    match ty.kind(cx) {
        TypeKind::Int { .. } | TypeKind::Index => Some(cx.int_attr(bits as i128, ty)),
        TypeKind::Float(_) => Some(cx.float_attr(bits as u64, ty)),
        _ => None,
    }
}

/// A constant of a vector type with all elements the same
pub(super) fn splat(cx: &Context, bytes: &[u8], ty: Type) -> Option<Attr> {
    ty.num_elements(cx)?;
    Some(cx.attr(AttrKind::Dense { ty, data: DenseData::Splat(bytes.into()) }))
}

/// A constant of a vector type, or the only element of a scalar one; equal elements make a splat
pub(super) fn constant<'a>(
    cx: &Context,
    each: impl IntoIterator<Item = Option<&'a [u8]>>,
    ty: Type,
) -> Option<Attr> {
    let mut raw = Vec::new();
    let mut first: Option<&[u8]> = None;
    let mut same = true;
    for bytes in each {
        let bytes = bytes?;
        same &= first.get_or_insert(bytes) == &bytes;
        raw.extend_from_slice(bytes);
    }
    let first = first?;
    if vector_shape(cx, ty).is_none() {
        return scalar(cx, first, ty);
    }
    if same {
        return splat(cx, first, ty);
    }
    Some(cx.attr(AttrKind::Dense { ty, data: DenseData::Raw(raw.into()) }))
}

pub(super) fn is_scalable(cx: &Context, ty: Type) -> bool {
    matches!(ty.kind(cx), TypeKind::Vector { scalable, .. } if *scalable != 0)
}

impl Fold for Broadcast {
    fn fold(self, cx: &FoldCx<'_>) -> Folded {
        let (ir, context) = (cx.ir, cx.cx());
        let (from, to) = (ir.ty(self.source(ir)), ir.ty(self.vector(ir)));
        if from == to {
            return Folded::value(self.source(ir));
        }
        let Some(attr) = cx.constant(0) else { return Folded::No };
        if terrace_dialect_ub::is_poison(context, attr) {
            return Folded::attr(attr);
        }
        match elements(context, attr) {
            Some(Elements::Splat(one)) => Folded::maybe(splat(context, &one, to)),
            _ => Folded::No,
        }
    }
}

/// Where the elements of a static position begin and how many they are; `None` if it is dynamic or poison
fn range(shape: &[i64], position: &[i64]) -> Option<(usize, usize)> {
    let mut start = 0usize;
    for (&at, &size) in position.iter().zip(shape) {
        if at == DYNAMIC || !(0..size).contains(&at) {
            return None;
        }
        start = start.checked_mul(usize::try_from(size).ok()?)?.checked_add(usize::try_from(at).ok()?)?;
    }
    let len =
        shape.get(position.len()..)?.iter().try_fold(1usize, |n, size| n.checked_mul(*size as usize))?;
    Some((start.checked_mul(len)?, len))
}

impl Fold for Extract {
    fn fold(self, cx: &FoldCx<'_>) -> Folded {
        let (ir, context) = (cx.ir, cx.cx());
        let source = self.source(ir);
        let (from, to) = (ir.ty(source), ir.ty(self.result(ir)));
        let position = self.position(ir);
        if position.is_empty() && from == to {
            return Folded::value(source);
        }
        if position.contains(&-1) {
            return Folded::attr(terrace_dialect_ub::poison(context));
        }
        if let Some(attr) = cx.constant(0) {
            if terrace_dialect_ub::is_poison(context, attr) {
                return Folded::attr(attr);
            }
            return Folded::maybe(extract_constant(context, attr, from, position, to));
        }
        let Some(def) = ir.defining_op(source) else { return Folded::No };
        if let Some(insert) = Insert::cast(ir, def) {
            let same = insert.position(ir) == position
                && insert.dynamic_position(ir) == self.dynamic_position(ir)
                && ir.ty(insert.value_to_store(ir)) == to;
            return if same { Folded::value(insert.value_to_store(ir)) } else { Folded::No };
        }
        if let Some(broadcast) = Broadcast::cast(ir, def) {
            let inner = broadcast.source(ir);
            // The leading dimensions are all new: what is left of the position is the source itself.
            let new = vector_shape(context, from).map_or(0, <[i64]>::len)
                - vector_shape(context, ir.ty(inner)).map_or(0, <[i64]>::len);
            if ir.ty(inner) == to && position.len() == new {
                return Folded::value(inner);
            }
        }
        Folded::No
    }
}

fn extract_constant(cx: &Context, attr: Attr, from: Type, position: &[i64], to: Type) -> Option<Attr> {
    match elements(cx, attr)? {
        Elements::Splat(one) if vector_shape(cx, to).is_some() => splat(cx, &one, to),
        Elements::Splat(one) => scalar(cx, &one, to),
        Elements::Each(all) if !is_scalable(cx, from) => {
            let (start, len) = range(vector_shape(cx, from)?, position)?;
            constant(cx, all.get(start..start + len)?.iter().map(|each| Some(&**each)), to)
        }
        Elements::Each(_) => None,
    }
}

impl Fold for Insert {
    fn fold(self, cx: &FoldCx<'_>) -> Folded {
        let (ir, context) = (cx.ir, cx.cx());
        let (value, ty) = (self.value_to_store(ir), ir.ty(self.result(ir)));
        let position = self.position(ir);
        if position.is_empty() && ir.ty(value) == ty {
            return Folded::value(value);
        }
        if position.contains(&-1) {
            return Folded::attr(terrace_dialect_ub::poison(context));
        }
        let (Some(new), Some(old)) = (cx.constant(0), cx.constant(1)) else { return Folded::No };
        Folded::maybe(insert_constant(context, new, old, position, ty))
    }
}

fn insert_constant(cx: &Context, new: Attr, old: Attr, position: &[i64], ty: Type) -> Option<Attr> {
    let (new, old) = (elements(cx, new)?, elements(cx, old)?);
    let shape = vector_shape(cx, ty)?;
    let count = usize::try_from(ty.num_elements(cx)?).ok()?;
    let (start, len) = range(shape, position)?;
    if is_scalable(cx, ty) || count > ELEMENTS {
        return None;
    }
    let each = (0..count).map(|n| match n.checked_sub(start).filter(|n| *n < len) {
        Some(n) => new.get(n),
        None => old.get(n),
    });
    constant(cx, each, ty)
}

impl Fold for ConstantMask {
    fn fold(self, cx: &FoldCx<'_>) -> Folded {
        let ty = cx.ir.ty(self.mask(cx.ir));
        match super::rules::uniform(cx.ir, self) {
            Some(set) => Folded::maybe(splat(cx.cx(), &[set.into()], ty)),
            None => Folded::No,
        }
    }
}

impl Fold for ShapeCast {
    fn fold(self, cx: &FoldCx<'_>) -> Folded {
        let (ir, context) = (cx.ir, cx.cx());
        let (source, to) = (self.source(ir), ir.ty(self.result(ir)));
        if ir.ty(source) == to {
            return Folded::value(source);
        }
        if let Some(attr) = cx.constant(0) {
            return match attr.kind(context) {
                AttrKind::Dense { data: data @ (DenseData::Splat(_) | DenseData::Raw(_)), .. } => {
                    Folded::attr(context.attr(AttrKind::Dense { ty: to, data: data.clone() }))
                }
                _ if terrace_dialect_ub::is_poison(context, attr) => Folded::attr(attr),
                _ => Folded::No,
            };
        }
        // A cast of a cast back to where it began.
        match ir.defining_op(source).and_then(|def| ShapeCast::cast(ir, def)) {
            Some(inner) if ir.ty(inner.source(ir)) == to => Folded::value(inner.source(ir)),
            _ => Folded::No,
        }
    }
}

impl Fold for Transpose {
    fn fold(self, cx: &FoldCx<'_>) -> Folded {
        let (ir, context) = (cx.ir, cx.cx());
        let (vector, to) = (self.vector(ir), ir.ty(self.result(ir)));
        let order = self.order(ir);
        if order.iter().enumerate().all(|(n, dim)| *dim == n as i64) {
            return Folded::value(vector);
        }
        if let Some(attr) = cx.constant(0) {
            if terrace_dialect_ub::is_poison(context, attr) {
                return Folded::attr(attr);
            }
            return match elements(context, attr) {
                Some(Elements::Splat(one)) => Folded::maybe(splat(context, &one, to)),
                _ => Folded::No,
            };
        }
        let inner = ir.defining_op(vector).and_then(|def| Transpose::cast(ir, def));
        let Some(inner) = inner else { return Folded::No };
        let back = |(n, dim): (usize, &i64)| {
            let first = usize::try_from(*dim).ok().and_then(|dim| inner.order(ir).get(dim));
            first == Some(&(n as i64))
        };
        if order.iter().enumerate().all(back) { Folded::value(inner.vector(ir)) } else { Folded::No }
    }
}

impl Fold for Shuffle {
    fn fold(self, cx: &FoldCx<'_>) -> Folded {
        let (ir, context) = (cx.ir, cx.cx());
        let to = ir.ty(self.vector(ir));
        let places = self.places(ir);
        let lead = |value| vector_shape(context, ir.ty(value)).and_then(|shape| shape.first().copied());
        let (first, second) = (lead(self.v1(ir)), lead(self.v2(ir)));
        for (operand, start, len) in [(self.v1(ir), 0, first), (self.v2(ir), first.unwrap_or(1), second)] {
            let all = places.iter().enumerate().all(|(n, at)| *at == start + n as i64);
            if all && len == Some(places.len() as i64) {
                return Folded::value(operand);
            }
        }
        if places.iter().all(|at| *at == -1) {
            return Folded::attr(terrace_dialect_ub::poison(context));
        }
        let constants = [0, 1].map(|n| cx.constant(n));
        if constants.iter().all(|attr| attr.is_some_and(|attr| terrace_dialect_ub::is_poison(context, attr)))
        {
            return Folded::attr(terrace_dialect_ub::poison(context));
        }
        let [Some(a), Some(b)] = constants else { return Folded::No };
        Folded::maybe(shuffle_constants(context, [a, b], first.unwrap_or(1), places, to))
    }
}

/// None where an element is poison, since a constant has no such elements
fn shuffle_constants(cx: &Context, from: [Attr; 2], first: i64, places: &[i64], to: Type) -> Option<Attr> {
    let from = [elements(cx, from[0])?, elements(cx, from[1])?];
    let inner: i64 = vector_shape(cx, to)?.iter().skip(1).try_fold(1i64, |n, size| n.checked_mul(*size))?;
    let total = usize::try_from(to.num_elements(cx)?).ok().filter(|total| *total <= ELEMENTS)?;
    let each = (0..total as i64).map(|n| {
        let (at, rest) = (*places.get((n / inner) as usize)?, n % inner);
        let (which, at) = if at < first { (0, at) } else { (1, at - first) };
        from[which].get(usize::try_from(at.checked_mul(inner)?.checked_add(rest)?).ok()?)
    });
    constant(cx, each, to)
}
