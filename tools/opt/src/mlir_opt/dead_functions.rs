//! Erases private functions that nothing refers to, as `inline` of MLIR does.

use terrace_diag::Reported;
use terrace_dialect_func::Func;
use terrace_ir::symbols::symbol_name;
use terrace_ir::{Ir, OpId};
use terrace_macros::pass;
use terrace_pass::{Pass, PassCx};
use terrace_passes_general::symbol_dce::referred;

/// Erase private functions with a body that nothing refers to
///
/// Unlike `symbol-dce` it keeps every other symbol.
#[pass("dead-functions", scope = tree, stats("functions erased"))]
pub(crate) struct DeadFunctions;

impl Pass for DeadFunctions {
    fn run(&self, cx: &mut PassCx<'_>, unit: &mut Ir) -> Result<(), Reported> {
        let mut erased = 0;
        loop {
            let used = referred(unit);
            let dead: Vec<OpId> = unit
                .walk()
                .filter(|op| unit.child(*op).is_some_and(is_private_function))
                .filter(|op| symbol_name(unit, *op).is_some_and(|name| !used.contains(&name)))
                .collect();
            if dead.is_empty() {
                break;
            }
            erased += dead.len() as u64;
            dead.into_iter().for_each(|op| unit.erase(op));
        }
        cx.count("functions erased", erased);
        cx.set_changed(erased > 0);
        Ok(())
    }
}

fn is_private_function(unit: &Ir) -> bool {
    let root = unit.root();
    let private =
        unit.attr(root, "sym_visibility").and_then(|attr| attr.as_str(unit.cx())) == Some("private");
    private && unit.is(root, Func::DEF) && unit.walk().next().is_some()
}
