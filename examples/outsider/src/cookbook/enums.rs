//! An attribute that is one of several words.

use terrace_interp::{Interpret, Machine, RtValue, Step};
use terrace_ir::rules::I64;
use terrace_ir::{AttrForm, EnumDef};
use terrace_macros::op;

/// How large a cup is
pub static SIZE: EnumDef =
    EnumDef { name: "shop.size", cases: &[("small", 0), ("large", 1)], flags: false, separator: "," };

terrace_ir::attr_rules! {
    /// A size of a cup
    SizeAttr "`small` or `large`", AttrForm::Enum(&SIZE), |cx, attr| attr.as_enum(cx, &SIZE).is_some();
}

/// What fits into a cup: `shop.cup large`
#[op("shop.cup", traits(Pure), asm = "$size attr-dict", interfaces(Interpret))]
pub struct Cup {
    #[attr]
    size: SizeAttr,
    #[result]
    millilitres: I64,
}

impl Interpret for Cup {
    fn interpret(self, m: &mut Machine<'_>) -> Step {
        let large = self.size(m.ir()).as_enum(m.cx(), &SIZE) == SIZE.value("large");
        m.set_result(0, RtValue::int(if large { 400 } else { 200 }, 64));
        Step::Next
    }
}
