//! Replaces a type by a smaller one everywhere: sizes, then widths.

use crate::edit::{Edit, Tries, unit, unit_mut, units};
use terrace_ir::{Attr, AttrKind, Context, DenseData, FloatKind, Ir, OpId, Type, TypeKind, show};

pub(super) fn shrink(tries: &mut dyn Tries) -> bool {
    let module = tries.module();
    let mut types: Vec<Type> = Vec::new();
    for path in units(module) {
        let Some(unit) = unit(module, &path) else { continue };
        for op in unit.walk().chain([unit.root()]) {
            let args = unit.regions(op).flat_map(|region| unit.blocks(region));
            let args = args.flat_map(|block| unit.block_args(block)).copied();
            for value in unit.results(op).chain(args) {
                if !types.contains(&unit.ty(value)) {
                    types.push(unit.ty(value));
                }
            }
        }
    }
    let cx = module.cx();
    let smaller = types.iter().flat_map(|ty| smaller(cx, *ty).into_iter().map(|new| (*ty, new)));
    let edits = smaller.map(|(from, to)| -> Edit { Box::new(move |module| replaced(module, from, to)) });
    let edits = edits.collect();
    tries.try_all(edits)
}

fn smaller(cx: &Context, ty: Type) -> Vec<Type> {
    let mut all = Vec::new();
    if let Some(shape) = ty.shape(cx) {
        for small in [1, 2, 4] {
            all.push(shape.iter().map(|size| if *size > small { small } else { *size }).collect());
        }
        for at in (0..shape.len()).filter(|at| shape[*at] > 1) {
            for size in [1, shape[at] / 2] {
                let mut new = shape.to_vec();
                new[at] = size;
                all.push(new);
            }
        }
        all.retain(|new: &Vec<i64>| new != shape);
    }
    match ty.kind(cx) {
        TypeKind::Int { width, .. } => {
            [1, 8, 16, 32].into_iter().filter(|new| new < width).map(|new| cx.int(new)).collect()
        }
        TypeKind::Float(FloatKind::F64) => vec![cx.common().f32],
        TypeKind::Vector { scalable, elem, .. } => {
            let of =
                |shape: Vec<i64>| TypeKind::Vector { shape: shape.into(), scalable: *scalable, elem: *elem };
            all.into_iter().map(|shape| cx.ty(of(shape))).collect()
        }
        TypeKind::Tensor { elem, encoding, .. } => {
            let of =
                |shape: Vec<i64>| TypeKind::Tensor { shape: shape.into(), elem: *elem, encoding: *encoding };
            all.into_iter().map(|shape| cx.ty(of(shape))).collect()
        }
        TypeKind::MemRef { elem, layout, space, .. } => {
            let of = |shape: Vec<i64>| TypeKind::MemRef {
                shape: shape.into(),
                elem: *elem,
                layout: *layout,
                space: *space,
            };
            all.into_iter().map(|shape| cx.ty(of(shape))).collect()
        }
        _ => Vec::new(),
    }
}

fn replaced(module: &mut Ir, from: Type, to: Type) -> bool {
    let mut any = false;
    for path in units(module) {
        let Some(unit) = unit_mut(module, &path) else { continue };
        let cx = unit.cx_arc().clone();
        let ops: Vec<OpId> =
            unit.walk().filter(|op| unit.child(*op).is_none()).chain([unit.root()]).collect();
        for op in ops {
            let args = unit.regions(op).flat_map(|region| unit.blocks(region));
            let args: Vec<_> = args.flat_map(|block| unit.block_args(block)).copied().collect();
            for value in unit.results(op).chain(args) {
                let new = mapped(&cx, unit.ty(value), from, to);
                any |= new != unit.ty(value);
                unit.set_type(value, new);
            }
            for slot in 0..unit.def(op).attrs.len() {
                let new = unit.slot(op, slot).map(|attr| mapped_attr(&cx, attr, from, to));
                unit.set_slot(op, slot, new);
            }
        }
    }
    any
}

fn mapped(cx: &Context, ty: Type, from: Type, to: Type) -> Type {
    if ty == from {
        return to;
    }
    match ty.kind(cx) {
        TypeKind::Function { inputs, results } => {
            let all = |types: &[Type]| types.iter().map(|ty| mapped(cx, *ty, from, to)).collect::<Vec<_>>();
            cx.function(&all(inputs), &all(results))
        }
        _ => match ty.element(cx) {
            Some(elem) if elem == from => ty.with_element(cx, to),
            _ => ty,
        },
    }
}

fn mapped_attr(cx: &Context, attr: Attr, from: Type, to: Type) -> Attr {
    match attr.kind(cx) {
        AttrKind::Type(ty) => cx.type_attr(mapped(cx, *ty, from, to)),
        AttrKind::Array(items) => {
            let items: Vec<Attr> = items.iter().map(|item| mapped_attr(cx, *item, from, to)).collect();
            cx.array_attr(&items)
        }
        AttrKind::Int { value, ty } if *ty == from => cx.int_attr(*value, to),
        AttrKind::Float { bits, ty } if *ty == from => match (from.kind(cx), to.kind(cx)) {
            (TypeKind::Float(old), TypeKind::Float(new)) => {
                let value =
                    show::value_of_bits(*bits, *old).and_then(|value| show::round_to_bits(value, *new));
                value.map_or(attr, |bits| cx.float_attr(bits, to))
            }
            _ => attr,
        },
        AttrKind::Dense { ty, data } => {
            let new = mapped(cx, *ty, from, to);
            match data {
                DenseData::Splat(raw) if new != *ty && new.scalar(cx) == ty.scalar(cx) => {
                    cx.attr(AttrKind::Dense { ty: new, data: DenseData::Splat(raw.clone()) })
                }
                _ if new != *ty => crate::stand_in::zero(cx, new).unwrap_or(attr),
                _ => attr,
            }
        }
        _ => attr,
    }
}
