//! Every parallel loop as loops in order.

use crate::parallel_to_for::parallel_to_for;
use terrace_diag::Reported;
use terrace_dialect_scf::Parallel;
use terrace_ir::{Ir, OpId};
use terrace_macros::pass;
use terrace_pass::{Pass, PassCx};

/// `scf.parallel` becomes nested `scf.for`
///
/// Values that it reduces are carried by each loop and combined at the end of the innermost body.
#[pass("scf-parallel-for-to-nested-fors", stats("loops converted"))]
pub struct ScfParallelForToNestedFors;

impl Pass for ScfParallelForToNestedFors {
    fn run(&self, cx: &mut PassCx<'_>, unit: &mut Ir) -> Result<(), Reported> {
        let loops: Vec<OpId> = unit.walk().filter(|op| unit.is(*op, Parallel::DEF)).collect();
        cx.count("loops converted", loops.len() as u64);
        cx.set_changed(!loops.is_empty());
        for op in loops {
            parallel_to_for(unit, op);
        }
        Ok(())
    }
}
