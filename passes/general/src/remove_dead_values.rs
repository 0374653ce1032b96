//! Values that nothing needs go, also where they are handed on: arguments and results of private functions with the
//! operands of their calls, what loops carry, results of regions, arguments of blocks.
//!
//! What is handed on is in classes: an operand, and all arguments and results that it may become. A class is needed if one
//! of these is. Needs flow backward from ops with effects and from what public functions return (`needs`); then the rest is
//! taken out (`removal`). Linear in uses but for the joining of classes.

mod classes;
mod needs;
mod removal;

use classes::Classes;
use needs::Needs;
pub use removal::Removed;
use terrace_dataflow::{Functions, Tree};
use terrace_diag::Reported;
use terrace_ir::Ir;
use terrace_macros::pass;
use terrace_pass::{Pass, PassCx};

/// Remove what no effect and no result depends on, through calls, loops and blocks
///
/// Arguments and results of private functions whose callers are all known go with the operands of the calls. Functions
/// stay, and calls do: `symbol-dce` and `inline` follow. Unused allocations stay.
#[pass("remove-dead-values", scope = tree, stats("ops erased", "values removed"))]
pub struct RemoveDeadValues;

impl Pass for RemoveDeadValues {
    fn run(&self, cx: &mut PassCx<'_>, unit: &mut Ir) -> Result<(), Reported> {
        let Removed { ops, values } = run(unit, cx.outermost);
        cx.count("ops erased", ops);
        cx.count("values removed", values);
        cx.set_changed(ops + values > 0);
        Ok(())
    }
}

/// Remove from a tree of units, which may be the whole
pub fn run(root: &mut Ir, outermost: bool) -> Removed {
    let mut tree = Tree::new(root, outermost);
    let functions = Functions::of(&tree);
    let classes = Classes::of(&tree, &functions);
    let needs = Needs::of(&tree, &classes);
    removal::remove(&mut tree, &functions, &classes, &needs)
}
