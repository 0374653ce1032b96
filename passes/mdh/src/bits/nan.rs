//! One NaN for all: which of two a processor keeps, and what bits a new one has, differs between processors.

use crate::elements::each;
use terrace_dialect_arith::{self as arith, CmpFPredicate};
use terrace_dialect_mdh::Compute;
use terrace_ir::{Attr, Builder, Ir, Type, TypeKind, Value};

/// Results that are NaN become the positive quiet one without other bits, behind the computation
pub fn canonical(ir: &mut Ir, op: Compute, name: &str) -> Option<()> {
    for result in ir.results(op.id()).collect::<Vec<Value>>() {
        let ty = ir.ty(result).scalar(ir.cx());
        let Some(nan) = nan(ir, ty) else { continue };
        let one = move |b: &mut Builder<'_>, args: &[Value]| {
            let nan = arith::Constant::build(b, nan).result(b.read());
            let is_nan = arith::CmpF::build(b, args[0], args[0], CmpFPredicate::Uno).result(b.read());
            vec![arith::Select::build(b, is_nan, nan, args[0]).result(b.read())]
        };
        let made = each(ir, op, format!("{name}_nan"), &[result], &[ty], one)?;
        let value = ir.result(made.id(), 0);
        ir.detach(made.id());
        ir.insert_after(op.id(), made.id());
        ir.replace_all_uses(result, value);
        ir.set_operand(made.id(), 0, result);
    }
    Some(())
}

/// The quiet NaN of a type: the exponent and the first bit of the fraction
fn nan(ir: &Ir, ty: Type) -> Option<Attr> {
    let TypeKind::Float(kind) = ty.kind(ir.cx()) else { return None };
    Some(ir.cx().float_attr(terrace_ir::show::round_to_bits(f64::NAN, *kind)?, ty))
}
