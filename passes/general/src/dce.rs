//! Dead code elimination: one backward sweep per region; linear.

use terrace_diag::Reported;
use terrace_ir::Ir;
use terrace_macros::pass;
use terrace_pass::{Pass, PassCx};
use terrace_rewrite::dead::sweep_counted;

/// Erase ops whose results are unused and that have no effect
///
/// Keeps terminators, ops that write or do something unknown, and symbols. Does not look through calls:
/// `symbol-dce` does that for functions.
#[pass("dce", aliases("trivial-dce"), stats("ops erased"))]
pub struct Dce;

impl Pass for Dce {
    fn is_counted(&self) -> bool {
        true
    }

    fn run(&self, cx: &mut PassCx<'_>, unit: &mut Ir) -> Result<(), Reported> {
        let erased = sweep_counted(unit, cx.steps);
        cx.count("ops erased", erased);
        cx.set_changed(erased > 0);
        Ok(())
    }
}
