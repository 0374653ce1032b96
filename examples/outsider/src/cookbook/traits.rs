//! A trait of one's own: a rule that all ops with it keep to, and a question that passes ask.

use terrace_diag::Reported;
use terrace_ir::{Ir, OpId, OpTrait, VerifyCx, codes};
use terrace_macros::pass;
use terrace_pass::{Pass, PassCx};

/// The op gives one price
pub struct Priced;

impl OpTrait for Priced {
    fn verify(v: &VerifyCx<'_>, op: OpId) -> Result<(), Reported> {
        match v.ir().num_results(op) {
            1 => Ok(()),
            n => v.fail(op, &codes::OP_RULE, format!("is priced, so it gives one result, not {n}")),
        }
    }
}

/// Count the ops that give prices
#[pass("shop-prices", anchor = "func.func", stats("prices"))]
pub struct Prices;

impl Pass for Prices {
    fn run(&self, cx: &mut PassCx<'_>, unit: &mut Ir) -> Result<(), Reported> {
        cx.set_changed(false);
        cx.count("prices", unit.walk().filter(|op| unit.has_own::<Priced>(*op)).count() as u64);
        Ok(())
    }
}
