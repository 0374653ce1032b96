//! `sched-hoist-invariants`: quotients, roots and functions of what a loop does not change are computed in front of it.
//!
//! ```mlir
//! for (%x in 64 by 16) { for (%l in 16 by 1 : vector) { … sqrt(read %v[%c]) … write … %Y[%c, %x + %l] } }
//! // becomes
//! %r = sqrt(read %v[%c])
//! for (%x in 64 by 16) { for (%l in 16 by 1 : vector) { … %r … write … %Y[%c, %x + %l] } }
//! ```
//!
//! Compilers keep them in the loop: in a task they do not know that what is written is not what is read. Here the function's arguments
//! state it (`llvm.noalias`). The loop has an iteration, and its body computes the value in each, so nothing is computed that was not before.
//! Cheap ops stay: they go along only with the costly ones that they are operands of.

use terrace_diag::Reported;
use terrace_dialect_builtin::marks::NOALIAS;
use terrace_dialect_memref as memref;
use terrace_dialect_sched::{Alloc, Copy, For, Level, LoopInfo, Read, Write, Yield};
use terrace_ir::{Ir, OpId, Traits, Value};
use terrace_macros::pass;
use terrace_pass::{Pass, PassCx};
use terrace_support::HashSet;

/// Compute quotients, roots and functions in front of loops that do not change their operands
///
/// What they are computed from goes along: constants, cheap ops, and reads of buffers that nothing in the loop writes. Loops of tasks and of
/// other parallel levels but lanes stay as they are. Run it behind `sched-fuse`.
#[pass("sched-hoist-invariants", anchor = "func.func", stats("values hoisted"))]
pub struct SchedHoistInvariants;

impl Pass for SchedHoistInvariants {
    fn run(&self, cx: &mut PassCx<'_>, unit: &mut Ir) -> Result<(), Reported> {
        // Inner loops first: what leaves one may leave the next.
        let mut loops: Vec<OpId> = unit.walk().filter(|op| For::cast(unit, *op).is_some()).collect();
        loops.reverse();
        let mut hoisted = 0;
        for op in loops {
            let info = For::cast(unit, op).and_then(|each| each.info(unit));
            hoisted += info.filter(runs).map_or(0, |info| hoist(unit, &info));
        }
        cx.count("values hoisted", hoisted);
        cx.set_changed(hoisted > 0);
        Ok(())
    }
}

/// Has a loop an iteration in any case, and does one core run it?
fn runs(info: &LoopInfo) -> bool {
    let whole = info.from.is_none() && info.limit.is_none() && info.trip() > 0;
    whole && matches!(info.level, Level::Seq | Level::Unroll | Level::Vector)
}

fn hoist(ir: &mut Ir, info: &LoopInfo) -> u64 {
    let Some(body) = ir.entry(info.op.body(ir)) else { return 0 };
    let ops: Vec<OpId> = ir.block_ops(body).collect();
    // Of lanes functions are computed in another way than of one number.
    let lanes = info.level == Level::Vector;
    let costly = |ir: &Ir, op: OpId| ir.has(op, Traits::Divides) || !lanes && ir.has(op, Traits::LibraryCall);
    if !ops.iter().any(|op| costly(ir, *op)) {
        return 0;
    }
    let Some(written) = written(ir, info.op.0) else { return 0 };
    // Values of the body that are the same in each iteration.
    let mut same: HashSet<Value> = HashSet::default();
    let mut movable = Vec::new();
    for op in ops {
        let outside = |value: Value| {
            let home = ir.value_block(value).and_then(|block| ir.block_parent(block));
            same.contains(&value) || home.is_none_or(|at| at != info.op.0 && !ir.is_inside(at, info.op.0))
        };
        let pure = ir.has(op, Traits::Pure) && ir.num_regions(op) == 0;
        let read = Read::cast(ir, op).is_some_and(|read| {
            let from = memref::root(ir, read.memref(ir));
            written.iter().all(|to| apart(ir, from, *to))
        });
        if (pure || read) && ir.operands(op).all(outside) {
            same.extend(ir.results(op));
            movable.push(op);
        }
    }
    let mut needed: HashSet<Value> = HashSet::default();
    let mut count = 0;
    let mut moved = Vec::new();
    for op in movable.into_iter().rev() {
        let own = costly(ir, op);
        if own || ir.results(op).any(|value| needed.contains(&value)) {
            needed.extend(ir.operands(op));
            count += u64::from(own);
            moved.push(op);
        }
    }
    for op in moved.into_iter().rev() {
        ir.detach(op);
        ir.insert_before(info.op.0, op);
    }
    count
}

/// The buffers that a loop writes; `None` where something else may be written
fn written(ir: &Ir, nest: OpId) -> Option<Vec<Value>> {
    let mut all = Vec::new();
    for op in ir.walk_below(nest) {
        let to = match (Write::cast(ir, op), Copy::cast(ir, op)) {
            (Some(write), _) => Some(write.memref(ir)),
            (_, Some(copy)) => Some(copy.dst(ir)),
            _ => None,
        };
        let known = ir.has(op, Traits::Pure)
            || ir.has(op, Traits::NoEffect)
            || ir.is_any(op, &[For::DEF, Read::DEF, Yield::DEF, Alloc::DEF]);
        if to.is_none() && !known {
            return None;
        }
        all.extend(to.map(|to| memref::root(ir, to)));
    }
    Some(all)
}

/// Are two buffers different memory? One is of an allocation, or of an argument that nothing else reaches
fn apart(ir: &Ir, one: Value, other: Value) -> bool {
    let alone = |value: Value| match ir.defining_op(value) {
        Some(op) => ir.is(op, Alloc::DEF),
        None => argument(ir, value).is_some_and(|n| states_noalias(ir, n)),
    };
    one != other && (alone(one) || alone(other))
}

/// The number of an argument of the function
fn argument(ir: &Ir, value: Value) -> Option<usize> {
    let entry = ir.regions(ir.root()).next().and_then(|region| ir.entry(region))?;
    ir.block_args(entry).iter().position(|arg| *arg == value)
}

fn states_noalias(ir: &Ir, n: usize) -> bool {
    let all = ir.attr(ir.root(), "arg_attrs").and_then(|all| all.as_array(ir.cx()));
    let dict = all.and_then(|all| all.get(n)?.as_dict(ir.cx()));
    dict.is_some_and(|dict| terrace_ir::attrs::dict_get(ir.cx(), dict, NOALIAS).is_some())
}
