//! The analysis of integer ranges.

use crate::flow::Counters;
use crate::forward::Domain;
use crate::ints::{Inference, Ints};
use terrace_ir::fold::constant_of;
use terrace_ir::{Attr, Context, Ir, OpId, Traits, Type};

/// Ranges as facts; none for what is no integer of up to 64 bits
pub struct IntRanges;

impl Domain for IntRanges {
    type Fact = Option<Ints>;

    const WIDENS: bool = true;

    fn top(&self, cx: &Context, ty: Type) -> Option<Ints> {
        Ints::of_type(cx, ty)
    }

    fn join(&self, a: &Option<Ints>, b: &Option<Ints>) -> Option<Ints> {
        Some(a.as_ref()?.join(*b.as_ref()?))
    }

    fn constant(&self, cx: &Context, fact: &Option<Ints>, ty: Type) -> Option<Attr> {
        Ints::width_of(cx, ty)?;
        // Of scalars only: branches ask for no others.
        ty.element(cx).is_none().then_some(())?;
        Some(cx.int_attr(fact.as_ref()?.only()?, ty))
    }

    fn results(&mut self, _: usize, ir: &mut Ir, op: OpId, operands: &[Option<Ints>]) -> Vec<Option<Ints>> {
        let cx = ir.cx();
        if ir.has(op, Traits::ConstantLike) {
            let result = ir.result(op, 0);
            let known = constant_of(ir, result).and_then(|attr| Ints::of_attr(cx, attr));
            let top = Ints::of_type(cx, ir.ty(result));
            return vec![known.filter(|known| top.is_some_and(|top| top.width() == known.width())).or(top)];
        }
        let inferred = match ir.def(op).interface::<Inference>() {
            Some(table) => (table.0)(ir, op, operands),
            None => Vec::new(),
        };
        let of = |(n, value)| {
            let top = Ints::of_type(cx, ir.ty(value))?;
            let known =
                inferred.get(n).copied().flatten().filter(|known: &Ints| known.width() == top.width());
            Some(known.unwrap_or(top))
        };
        ir.results(op).enumerate().map(of).collect()
    }

    fn counters(&self, ir: &Ir, op: OpId, operands: &[Option<Ints>]) -> Vec<Option<Option<Ints>>> {
        let Some(table) = ir.def(op).interface::<Counters>() else { return Vec::new() };
        (table.0)(ir, op, operands).into_iter().map(|range| range.map(Some)).collect()
    }
}
