//! The pass `array-expand`: macros written out.

use crate::codes;
use terrace_diag::Reported;
use terrace_ir::Ir;
use terrace_ir::expand::expand_unit;
use terrace_macros::pass;
use terrace_pass::{Pass, PassCx};

/// Write out patterns of several dimensions and other macros
///
/// `array.map_nd`, `array.slide_nd`, `array.let`, … become the patterns of one dimension that they stand for. The first pass on
/// array patterns: none of the others knows macros.
#[pass("array-expand", stats("macros written out"))]
pub struct ArrayExpand;

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
