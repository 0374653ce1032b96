//! The pass `array-expand`: macros written out.

use crate::codes;
use terrace_diag::Reported;
use terrace_ir::Ir;
use terrace_ir::expand::expand_unit;
use terrace_pass::{Pass, PassCx, PassInfo, Scope};

/// The pass
pub static INFO: PassInfo = PassInfo {
    name: "array-expand",
    aliases: &[],
    summary: "Write out patterns of several dimensions and other macros",
    docs: "`array.map_nd`, `array.slide_nd`, `array.let`, … become the patterns of one dimension that they stand for. The \
           first pass on array patterns: none of the others knows macros.",
    scope: Scope::Unit,
    anchor: None,
    options: &[],
    stats: &["macros written out"],
    make: |_| Ok(Box::new(ArrayExpand)),
};

struct ArrayExpand;

impl Pass for ArrayExpand {
    fn run(&self, cx: &mut PassCx<'_>, unit: &mut Ir) -> Result<(), Reported> {
        match expand_unit(unit) {
            Ok(count) => {
                cx.count("macros written out", count);
                cx.set_changed(count > 0);
                Ok(())
            }
            Err((op, why)) => cx.fail(unit, op, &codes::BOUND, why),
        }
    }
}
