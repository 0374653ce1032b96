//! An attribute that is one of several words.

use terrace_interp::{Interpret, Machine, RtValue, Step};
use terrace_ir::rules::I64;
use terrace_macros::op;

terrace_ir::attr_enums! {
    /// How large a cup is
    pub Size = "shop.size", "`small` or `large`", keyword { Small "small" 0, Large "large" 1 }
}

/// What fits into a cup: `shop.cup large`
#[op("shop.cup", traits(Pure), interfaces(Interpret))]
#[asm("$size attr-dict")]
pub struct Cup {
    #[attr]
    size: Size,
    #[result]
    millilitres: I64,
}

impl Interpret for Cup {
    fn interpret(self, m: &mut Machine<'_>) -> Step {
        let millilitres = match self.size(m.ir()) {
            Size::Small => 200,
            Size::Large => 400,
        };
        m.set_result(0, RtValue::int(millilitres, 64));
        Step::Next
    }
}
