//! A number in another type of its kind.

use terrace_dialect_arith as arith;
use terrace_ir::{Builder, Type, TypeKind, Value};

/// Floats are rounded to the nearest; integers are extended with their sign (a truth value with zeros), or wrap
pub fn convert(b: &mut Builder<'_>, value: Value, to: Type) -> Value {
    let cx = b.read().cx_arc().clone();
    let from = b.read().ty(value);
    if from == to {
        return value;
    }
    let width = |ty: Type| ty.bit_width(&cx).unwrap_or(64);
    let (narrow, wide) = (width(from), width(to));
    let op = match (matches!(from.kind(&cx), TypeKind::Float(_)), narrow.cmp(&wide)) {
        (true, std::cmp::Ordering::Less) => arith::ExtF::build(b, value, to).id(),
        (true, std::cmp::Ordering::Greater) => arith::TruncF::build(b, value, to).id(),
        (true, std::cmp::Ordering::Equal) => {
            // f16 and bf16 have no conversion into each other; both are exact in f32.
            let between = arith::ExtF::build(b, value, cx.common().f32).out(b.read());
            arith::TruncF::build(b, between, to).id()
        }
        (false, std::cmp::Ordering::Greater) => arith::TruncI::build(b, value, to).id(),
        (false, _) if narrow == 1 => arith::ExtUI::build(b, value, to).id(),
        (false, _) => arith::ExtSI::build(b, value, to).id(),
    };
    b.read().result(op, 0)
}
