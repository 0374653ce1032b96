//! The pass `array-obligations`: a remark for each condition on sizes that is open.

use terrace_diag::{Diagnostic, Reported};
use terrace_dialect_array::obligations;
use terrace_ir::Ir;
use terrace_pass::{Pass, PassCx, PassInfo, Scope};

/// The pass
pub static INFO: PassInfo = PassInfo {
    name: "array-obligations",
    aliases: &[],
    summary: "List the conditions on sizes that are open",
    docs: "A remark at the op of each condition that is neither proved nor refuted: what must hold of the values of symbols. \
           With `array.bind` of the function its numbers are used. Nothing changes.",
    scope: Scope::Unit,
    anchor: Some("func.func"),
    options: &[],
    stats: &["open conditions"],
    make: |_| Ok(Box::new(ArrayObligations)),
};

struct ArrayObligations;

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
