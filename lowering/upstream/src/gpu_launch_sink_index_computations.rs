//! What a launched region can cheaply make itself is made inside of it, as upstream's pass of the same name.
//!
//! ```mlir
//! %c = arith.constant 32 : index
//! gpu.launch blocks(…) in (…) threads(…) in (…) { use of %c }
//! // becomes
//! gpu.launch blocks(…) in (…) threads(…) in (…) { %c = arith.constant 32 : index; use of %c }
//! ```
//!
//! A kernel then has constants instead of arguments: compilers unroll its loops and check its sizes. Sunk are constants, and
//! sizes of memory whose view the region uses anyway, as are comparisons and selections of what is sunk.

use terrace_diag::Reported;
use terrace_dialect_gpu::Launch;
use terrace_dialect_memref as memref;
use terrace_ir::ir::ValueMap;
use terrace_ir::{Ir, OpId, Traits, Value};
use terrace_macros::pass;
use terrace_pass::{Pass, PassCx};
use terrace_support::HashSet;

/// Constants and sizes that the region of a `gpu.launch` uses are made inside of it
///
/// Run before `gpu-kernel-outlining`: kernels get fewer arguments and see their constants.
#[pass("gpu-launch-sink-index-computations", stats("ops sunk"))]
pub struct GpuLaunchSinkIndexComputations;

impl Pass for GpuLaunchSinkIndexComputations {
    fn run(&self, cx: &mut PassCx<'_>, unit: &mut Ir) -> Result<(), Reported> {
        let launches: Vec<OpId> = unit.walk().filter(|op| unit.is(*op, Launch::DEF)).collect();
        let count = launches.into_iter().map(|launch| sink(unit, launch)).sum();
        cx.count("ops sunk", count);
        cx.set_changed(count > 0);
        Ok(())
    }
}

/// Sink what one launch uses; gives how many ops
fn sink(ir: &mut Ir, launch: OpId) -> u64 {
    let region = ir.region(launch, 0);
    let Some(first) = ir.entry(region).and_then(|entry| ir.first_op(entry)) else { return 0 };
    // Where each value from outside is used inside.
    let mut uses: Vec<(OpId, usize, Value)> = Vec::new();
    let mut used: HashSet<Value> = HashSet::default();
    for op in ir.walk_below(launch) {
        for (n, value) in ir.operands(op).enumerate() {
            if ir.defining_op(value).is_some_and(|def| def != launch && !ir.is_inside(def, launch)) {
                uses.push((op, n, value));
                used.insert(value);
            }
        }
        // Memory that comes in as an argument of the function is used as well.
        used.extend(ir.operands(op));
    }
    let mut map = ValueMap::default();
    let mut count = 0;
    for (op, n, value) in uses {
        if map.get(value).is_none() {
            let Some(ops) = ir.defining_op(value).and_then(|def| cheap(ir, def, &used)) else { continue };
            for op in ops {
                if ir.results(op).next().is_some_and(|result| map.get(result).is_none()) {
                    let new = ir.clone_op(None, op, &mut map);
                    ir.insert_before(first, new);
                    count += 1;
                }
            }
        }
        if let Some(new) = map.get(value) {
            ir.set_operand(op, n, new);
        }
    }
    count
}

/// Can the region make this itself? Gives what has to be copied, what is needed first in front
fn cheap(ir: &Ir, op: OpId, used: &HashSet<Value>) -> Option<Vec<OpId>> {
    if ir.has(op, Traits::ConstantLike) {
        return Some(vec![op]);
    }
    let dim = memref::Dim::cast(ir, op).filter(|dim| used.contains(&dim.source(ir)))?;
    let number = ir.defining_op(dim.index(ir)).filter(|number| ir.has(*number, Traits::ConstantLike))?;
    Some(vec![number, op])
}
