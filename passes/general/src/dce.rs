//! Dead code elimination: one backward sweep per region; linear.

use terrace_diag::Reported;
use terrace_ir::Ir;
use terrace_pass::{Pass, PassCx, PassInfo, Scope};
use terrace_rewrite::dead::sweep;

/// The pass
pub static INFO: PassInfo = PassInfo {
    name: "dce",
    aliases: &["trivial-dce"],
    summary: "Erase ops whose results are unused and that have no effect",
    docs: "Keeps terminators, ops that write or do something unknown, and symbols. Does not look through calls: \
           `symbol-dce` does that for functions.",
    scope: Scope::Unit,
    anchor: None,
    options: &[],
    stats: &["ops erased"],
    make: |_| Ok(Box::new(Dce)),
};

struct Dce;

impl Pass for Dce {
    fn run(&self, cx: &mut PassCx<'_>, unit: &mut Ir) -> Result<(), Reported> {
        let erased = sweep(unit);
        cx.count("ops erased", erased);
        cx.set_changed(erased > 0);
        Ok(())
    }
}
