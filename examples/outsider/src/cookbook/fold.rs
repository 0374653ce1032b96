//! What an op is when its operands are constants.

use terrace_interp::{Interpret, Machine, RtValue, Step};
use terrace_ir::rules::I64;
use terrace_ir::{Fold, FoldCx, Folded};
use terrace_macros::op;

/// Twice a number
#[op("shop.double", traits(Pure), hooks(fold), interfaces(Interpret))]
#[asm("$value attr-dict")]
pub struct Double {
    value: I64,
    #[result]
    double: I64,
}

impl Fold for Double {
    fn fold(self, cx: &FoldCx<'_>) -> Folded {
        let known = cx.constant(0).and_then(|attr| attr.as_int(cx.cx()));
        Folded::maybe(known.map(|(value, ty)| cx.cx().int_attr(2 * value, ty)))
    }
}

impl Interpret for Double {
    fn interpret(self, m: &mut Machine<'_>) -> Step {
        let double = m.operand(0).as_signed().map(|value| RtValue::int(2 * value, 64));
        m.set_result(0, double.unwrap_or(RtValue::Poison));
        Step::Next
    }
}
