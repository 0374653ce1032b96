//! Replaces constants by 0, 1 or smaller numbers.

use crate::edit::{Edit, Tries, all_ops, unit, unit_mut};
use crate::stand_in::zero;
use terrace_ir::{Attr, AttrKind, Context, Ir, OpId, Traits, TypeKind, show};

pub(super) fn shrink(tries: &mut dyn Tries) -> bool {
    let module = tries.module();
    let mut edits: Vec<Edit> = Vec::new();
    for (path, op) in all_ops(module) {
        let Some(unit) = unit(module, &path).filter(|unit| unit.has(op, Traits::ConstantLike)) else {
            continue;
        };
        let Some(attr) = unit.slot(op, 0) else { continue };
        for new in smaller(unit.cx(), attr) {
            let path = path.clone();
            edits.push(Box::new(move |module| {
                let unit = unit_mut(module, &path).filter(|unit| is_constant(unit, op, attr));
                unit.map(|unit| unit.set_slot(op, 0, Some(new))).is_some()
            }));
        }
    }
    tries.try_all(edits)
}

fn is_constant(unit: &Ir, op: OpId, attr: Attr) -> bool {
    unit.has(op, Traits::ConstantLike) && unit.slot(op, 0) == Some(attr)
}

fn smaller(cx: &Context, attr: Attr) -> Vec<Attr> {
    let mut all = Vec::new();
    match attr.kind(cx) {
        AttrKind::Int { value, ty } => {
            let mut half = *value;
            let mut halves = Vec::new();
            while half.unsigned_abs() > 2 {
                half /= 2;
                halves.push(half);
            }
            halves.reverse();
            all.extend([0, 1, -1].into_iter().chain(halves).map(|new| cx.int_attr(new, *ty)));
            all.push(cx.int_attr(value - value.signum(), *ty));
        }
        AttrKind::Float { ty, .. } => {
            let TypeKind::Float(kind) = ty.kind(cx) else { return all };
            let bits = [0.0, 1.0].into_iter().filter_map(|value| show::round_to_bits(value, *kind));
            all.extend(bits.map(|bits| cx.float_attr(bits, *ty)));
        }
        AttrKind::Dense { ty, .. } => all.extend(zero(cx, *ty)),
        _ => {}
    }
    all.retain(|new| *new != attr);
    all
}
