//! The pass `array-obligations`: a remark for each condition on sizes that is open.

use terrace_diag::{Diagnostic, Reported};
use terrace_dialect_array::obligations;
use terrace_ir::Ir;
use terrace_macros::pass;
use terrace_pass::{Pass, PassCx};

/// List the conditions on sizes that are open
///
/// A remark at the op of each condition that is neither proved nor refuted: what must hold of the values of symbols. With
/// `array.bind` of the function its numbers are used. Nothing changes.
#[pass("array-obligations", anchor = "func.func", stats("open conditions"))]
pub struct ArrayObligations;

impl Pass for ArrayObligations {
    fn run(&self, cx: &mut PassCx<'_>, unit: &mut Ir) -> Result<(), Reported> {
        let open = obligations(unit);
        cx.count("open conditions", open.len() as u64);
        for open in open {
            let message = format!("{}: {} is open", open.reason, open.condition);
            let _ = cx.emit(Diagnostic::remark(None, message).at(unit.span(open.op)));
        }
        cx.set_changed(false);
        Ok(())
    }
}
