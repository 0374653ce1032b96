//! `sched-to-scf`: loops by their levels, reads and writes as loads and stores.
//!
//! Each outermost op of the dialect is rewritten where it stands. Nothing is decided here: what the schedule does not say
//! `sched-legalize` has made explicit before.

use crate::codes;
use crate::emit::{Emit, Refusal, Res, Val};
use terrace_diag::Reported;
use terrace_dialect_builtin::marks::PARTITION;
use terrace_dialect_memref as memref;
use terrace_dialect_sched::open::{self, What};
use terrace_dialect_sched::{self as sched, For, Level, SCHED, operator};
use terrace_ir::{BlockId, Builder, Ir, OpId, Value};
use terrace_macros::pass;
use terrace_pass::{Pass, PassCx};
use terrace_support::HashMap;

/// Scheduled loops become structured control flow over memory, vectors and scalars
///
/// Sequential loops become scf.for with accumulators as carried values, unrolled ones copies, vector loops ops of `vector`
/// (with masks where iterations do not happen), loops over tasks scf.parallel, kernels gpu.launch. Reads and writes become
/// loads and stores at simplified indices; what is merged by addition becomes fused multiply-adds. Run `sched-legalize`
/// before, `promote-buffers` and `canonicalize` after.
#[pass("sched-to-scf", stats("nests lowered"))]
pub struct SchedToScf;

impl Pass for SchedToScf {
    fn run(&self, cx: &mut PassCx<'_>, unit: &mut Ir) -> Result<(), Reported> {
        let tops = outermost(unit);
        cx.set_changed(!tops.is_empty());
        cx.count("nests lowered", tops.len() as u64);
        if let Some(field) = open::undecided(unit, true) {
            let level = field.what == Some(What::Level);
            let code = if level { &codes::LEVEL } else { &sched::codes::DECISION };
            return cx.fail(unit, field.op, code, field.message);
        }
        let Some((first, start)) = tops.first().copied().zip(start_of(unit)) else { return Ok(()) };
        let declared = operator::all_declared(unit, cx.symbols, cx.scope);
        let mut emit = Emit::new(unit, first, start);
        emit.declared = declared;
        for top in &tops {
            emit.next(*top);
            if let Err(refusal) = lower(&mut emit, *top) {
                let Refusal { op, code, message, help } = refusal;
                let error = terrace_ir::verify::op_error(unit, op, code, message);
                let error = if help.is_empty() { error } else { error.help(help) };
                return Err(cx.emit(error));
            }
        }
        let views = std::mem::take(&mut emit.views);
        let (buffers, nests): (Vec<OpId>, Vec<OpId>) =
            tops.into_iter().partition(|top| unit.is(*top, sched::Alloc::DEF));
        for top in buffers.into_iter().chain(views).chain(nests).rev() {
            if unit.is_alive(top) {
                unit.erase(top);
            }
        }
        Ok(())
    }
}

/// The function's first block: constants go to its start
fn start_of(ir: &Ir) -> Option<BlockId> {
    let root = ir.root();
    (ir.num_regions(root) > 0).then(|| ir.entry(ir.region(root, 0))).flatten()
}

/// Ops of the dialect that no other op of it holds, in order
pub(crate) fn outermost(ir: &Ir) -> Vec<OpId> {
    let ours = |op: OpId| ir.is_of(op, &SCHED);
    let inside = |op: OpId| {
        let mut around = ir.parent(op);
        while let Some(outer) = around {
            if ours(outer) {
                return true;
            }
            around = ir.parent(outer);
        }
        false
    };
    ir.walk().filter(|op| ours(*op) && !inside(*op)).collect()
}

/// Most ops that a nest becomes by copying bodies
const MOST_OPS: u64 = 1 << 20;

/// The innermost unrolled loop whose copies are too many ops already, and how many
fn too_large(ir: &Ir, top: OpId) -> Option<(OpId, u64)> {
    // Bodies before what is around them: the number of ops that each op becomes.
    let all: Vec<OpId> = std::iter::once(top).chain(ir.walk_below(top)).collect();
    let mut inside: HashMap<OpId, u64> = HashMap::default();
    for op in all.into_iter().rev() {
        let info = For::cast(ir, op).and_then(|op| op.info(ir));
        let copied = info.filter(|info| info.level == Level::Unroll);
        let times = copied.as_ref().map_or(1, |info| info.trip().max(1).unsigned_abs());
        let count = inside.remove(&op).unwrap_or(0).saturating_mul(times).saturating_add(1);
        if copied.is_some() && count > MOST_OPS {
            return Some((op, count));
        }
        if let Some(around) = ir.parent(op) {
            let sum = inside.entry(around).or_default();
            *sum = sum.saturating_add(count);
        }
    }
    None
}

/// A loop by the name of its variable
fn variable(ir: &Ir, op: OpId) -> String {
    let block = For::cast(ir, op).and_then(|op| ir.entry(op.body(ir)));
    let name = block.and_then(|block| ir.value_name(*ir.block_args(block).first()?));
    name.map_or_else(|| "this loop".into(), |name| format!("the loop over '%{name}'"))
}

fn lower(emit: &mut Emit<'_>, top: OpId) -> Res<()> {
    if let Some((op, copies)) = too_large(emit.ir, top) {
        let name = variable(emit.ir, op);
        let message = format!("the copies of {name} are {copies} ops; a nest has at most {MOST_OPS}");
        let help = "make the loop sequential, or split it and unroll the inner part alone";
        return emit.refuse(op, &codes::COPIES, message, help);
    }
    if let Some(alloc) = sched::Alloc::cast(emit.ir, top) {
        let old = alloc.memref(emit.ir);
        let new = function_buffer(emit, top, old);
        emit.bind(old, Val::One(new));
        // Views of it and single loads and stores stand outside of nests.
        if emit.ir.ty(old) == emit.ir.ty(new) {
            emit.ir.replace_all_uses(old, new);
        } else {
            emit.outside(old, new);
        }
        return Ok(());
    }
    emit.op(top)?;
    emit.free();
    replace_results(emit, top);
    Ok(())
}

/// A buffer that lives to the end of its block; one on a chip is part of it
fn function_buffer(emit: &mut Emit<'_>, top: OpId, old: Value) -> Value {
    let ty = sched::space::lowered(&emit.cx, emit.ir.ty(old));
    if let Some(chip) = emit.ir.discardable(top, PARTITION) {
        let op = memref::Alloca::build(&mut Builder::before(emit.ir, top), &[], &[], ty);
        emit.ir.set_discardable(op.id(), PARTITION, Some(chip));
        return op.memref(emit.ir);
    }
    let aligned = Some(emit.cx.int_attr(64, emit.cx.common().i64));
    let op = memref::Alloc::build(&mut Builder::before(emit.ir, top), &[], &[], ty);
    op.set_alignment(emit.ir, aligned);
    let new = op.memref(emit.ir);
    if let Some(end) = emit.ir.block(top).and_then(|block| emit.ir.last_op(block)) {
        memref::Dealloc::build(&mut Builder::before(emit.ir, end), new);
    }
    new
}

/// Results of an outermost op are used by what stays
fn replace_results(emit: &mut Emit<'_>, top: OpId) {
    for n in 0..emit.ir.num_results(top) {
        let old = emit.ir.result(top, n);
        let val = emit.get(old);
        if let Some(new) = emit.scalar(val)
            && new != old
        {
            emit.ir.replace_all_uses(old, new);
        }
    }
}
