//! A rule of an op that its table cannot say.

use super::codes;
use super::traits::Priced;
use terrace_diag::Reported;
use terrace_interp::{Interpret, Machine, RtValue, Step};
use terrace_ir::rules::{I64, I64Attr};
use terrace_ir::{Verify, VerifyCx};
use terrace_macros::op;

/// A price less some percent of it
#[op("shop.discount", traits(Pure, self::Priced), hooks(verify), interfaces(Interpret))]
#[asm("$price `by` $percent attr-dict")]
pub struct Discount {
    price: I64,
    #[attr]
    percent: I64Attr,
    #[result]
    reduced: I64,
}

impl Verify for Discount {
    fn verify(self, v: &VerifyCx<'_>) -> Result<(), Reported> {
        let percent = self.percent(v.ir()).as_i64(v.cx()).unwrap_or(0);
        if (0..=100).contains(&percent) {
            return Ok(());
        }
        let error = v.error(self.id(), &codes::DISCOUNT, format!("takes off {percent} %"));
        Err(v.emit(error.help("a discount is 0 to 100 percent")))
    }
}

impl Interpret for Discount {
    fn interpret(self, m: &mut Machine<'_>) -> Step {
        let percent = self.percent(m.ir()).as_i64(m.cx()).unwrap_or(0);
        let reduced = m.operand(0).as_signed().map(|price| price - price * i128::from(percent) / 100);
        m.set_result(0, reduced.map_or(RtValue::Poison, |reduced| RtValue::int(reduced, 64)));
        Step::Next
    }
}
