//! Is an op whole? For rules that look at other ops than their own, which may not have been checked or are wrong.

use crate::defs::{Arity, ValueSpec};
use crate::ir::{Ir, OpId};

/// Has the op the numbers of operands, results and regions, and the attributes, that its definition wants?
///
/// Then its accessors may be used. The core calls an op's own rules only if it is so.
pub fn is_complete(ir: &Ir, op: OpId) -> bool {
    let def = ir.def(op);
    let attrs = def
        .attrs
        .iter()
        .enumerate()
        .all(|(slot, spec)| spec.optional || spec.default.is_some() || ir.slot(op, slot).is_some());
    let regions = ir.num_regions(op);
    let variadic = def.regions.last().is_some_and(|spec| spec.variadic);
    attrs
        && (regions == def.regions.len() || variadic && regions + 1 >= def.regions.len())
        && fits(def.operands, ir.num_operands(op), ir.operand_segments(op))
        && fits(def.results, ir.num_results(op), ir.result_segments(op))
}

fn fits(specs: &[ValueSpec], have: usize, segments: Option<&[u32]>) -> bool {
    if let Some(sizes) = segments {
        let each = specs.iter().zip(sizes).all(|(spec, &size)| match spec.arity {
            Arity::One => size == 1,
            Arity::Optional => size <= 1,
            Arity::Variadic => true,
        });
        return each && sizes.iter().map(|size| *size as usize).sum::<usize>() == have;
    }
    let min = specs.iter().filter(|spec| spec.arity == Arity::One).count();
    match specs.iter().find(|spec| spec.arity != Arity::One).map(|spec| spec.arity) {
        None => have == min,
        Some(Arity::Optional) => have == min || have == min + 1,
        Some(_) => have >= min,
    }
}
