//! `hls-stages`: rounds that fill arrays on the chip, compute on them and write them back become calls of three functions.
//!
//! ```mlir
//! scf.for %i = … { %t = memref.alloca() {terrace.partition = …}; loops A → t; loops on t; loops t → C }
//! // becomes
//! scf.for %round = … { %t = memref.alloca() …; call @f_read(A, t, %round); call @f_compute(t); call @f_write(t, C, %round) }
//! ```
//!
//! Which stage an op is in follows from the memory that it touches. What does not fit three stages stays as it is, and runs in order.

use crate::memory::{Touched, is_alone, is_array, is_free};
use crate::outline::{Outlined, outline};
use crate::rounds;
use terrace_diag::Reported;
use terrace_dialect_builtin::marks::DATAFLOW;
use terrace_dialect_func as func;
use terrace_dialect_scf as scf;
use terrace_ir::{BlockId, Ir, OpId, Value};
use terrace_macros::pass;
use terrace_pass::{Pass, PassCx};
use terrace_support::HashMap;

/// What a stage does
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Stage {
    /// Fills arrays from main memory
    Read,
    /// Touches arrays alone
    Compute,
    /// Passes arrays to main memory
    Write,
}

impl Stage {
    pub(crate) const ALL: [Stage; 3] = [Stage::Read, Stage::Compute, Stage::Write];

    /// The end of its function's name
    pub(crate) fn word(self) -> &'static str {
        match self {
            Stage::Read => "read",
            Stage::Compute => "compute",
            Stage::Write => "write",
        }
    }

    /// Of an op that touches this; none if it is in no stage
    fn of(ir: &Ir, touched: &Touched) -> Option<Stage> {
        let main = |values: &[Value]| values.iter().any(|value| !is_array(ir, *value));
        let chip = |values: &[Value]| values.iter().any(|value| is_array(ir, *value));
        match (main(&touched.reads), main(&touched.writes)) {
            (false, false) => Some(Stage::Compute),
            (true, false) => (!chip(&touched.reads)).then_some(Stage::Read),
            (false, true) => (!chip(&touched.writes)).then_some(Stage::Write),
            (true, true) => None,
        }
    }
}

/// Rounds over tiles become calls of three stages, which read, compute and write
///
/// Loops around the rounds that nothing else is in become one. The loop gets the mark `terrace.dataflow`: its stages overlap from round to
/// round, each array in two halves. Needs that what is written is reached through one argument alone (`disjoint-arguments` finds it). Run it
/// below `sched-to-scf`, with index arithmetic lowered.
#[pass("hls-stages", scope = tree, stats("rounds divided"))]
pub struct HlsStages;

impl Pass for HlsStages {
    fn run(&self, cx: &mut PassCx<'_>, unit: &mut Ir) -> Result<(), Reported> {
        let functions: Vec<OpId> = unit
            .walk()
            .filter(|op| unit.child(*op).is_some_and(|child| child.is(child.root(), func::Func::DEF)))
            .collect();
        let mut count = 0;
        for slot in functions {
            let Some(mut function) = unit.take_child(slot) else { continue };
            let mut after = slot;
            let blocks = tiled(&function);
            for block in blocks {
                after = divide(unit, &mut function, block, after, &mut count);
            }
            unit.put_child(slot, function);
        }
        cx.count("rounds divided", count);
        cx.set_changed(count > 0);
        Ok(())
    }
}

/// Blocks that have arrays of their own
fn tiled(ir: &Ir) -> Vec<BlockId> {
    let mut found: Vec<BlockId> = Vec::new();
    for op in ir.walk() {
        let made = ir.num_results(op) == 1 && is_array(ir, ir.result(op, 0));
        if let Some(block) = ir.block(op).filter(|block| made && !found.contains(block)) {
            found.push(block);
        }
    }
    found
}

/// Divide the round that a block is, if it has stages; gives the last op that was put into the table
fn divide(table: &mut Ir, function: &mut Ir, block: BlockId, after: OpId, count: &mut u64) -> OpId {
    let Some(round) = Round::of(function, block) else { return after };
    let around = function.block_parent(block).filter(|op| scf::For::cast(function, *op).is_some());
    let block = match around.map(|op| rounds::flatten(function, op)) {
        Some(Some(flat)) => flat,
        _ => block,
    };
    let mut last = after;
    let mut stages = 0;
    for stage in Stage::ALL {
        let ops: Vec<OpId> = round.ops.iter().filter(|(own, _)| *own == stage).map(|(_, op)| *op).collect();
        if !ops.is_empty() {
            let Outlined { slot } = outline(table, function, (stage, &ops), block, last);
            last = slot;
            stages += 1;
        }
    }
    let marked = function.block_parent(block).filter(|op| scf::For::cast(function, *op).is_some());
    if let Some(op) = marked.filter(|_| stages > 1) {
        let unit = function.cx().common().unit;
        function.set_discardable(op, DATAFLOW, Some(unit));
    }
    *count += 1;
    last
}

/// A round: ops with their stages, in order
struct Round {
    ops: Vec<(Stage, OpId)>,
}

impl Round {
    /// Of a block; none if it has no stages
    fn of(ir: &Ir, block: BlockId) -> Option<Round> {
        let mut ops: Vec<(Stage, OpId, Touched)> = Vec::new();
        let mut made: HashMap<OpId, Stage> = HashMap::default();
        let end = ir.last_op(block);
        for op in ir.block_ops(block).filter(|op| Some(*op) != end) {
            if ir.num_results(op) == 1 && is_array(ir, ir.result(op, 0)) {
                continue;
            }
            let touched = Touched::by(ir, op)?;
            let needs = std::iter::once(op).chain(ir.walk_below(op)).flat_map(|op| ir.operands(op));
            let from: Vec<Stage> =
                needs.filter_map(|value| made.get(&ir.defining_op(value)?).copied()).collect();
            let own = match touched.is_empty() {
                true if from.is_empty() && is_free(ir, op) => continue,
                true => from.first().copied().unwrap_or(Stage::Compute),
                false => Stage::of(ir, &touched)?,
            };
            // A number that passes from one stage to another would need a channel.
            if from.iter().any(|other| *other != own) {
                return None;
            }
            made.insert(op, own);
            ops.push((own, op, touched));
        }
        let used_after = ops
            .iter()
            .any(|(_, op, _)| ir.results(*op).any(|value| ir.uses(value).any(|(user, _)| Some(user) == end)));
        let whole = Round { ops: ops.iter().map(|(stage, op, _)| (*stage, *op)).collect() };
        (!used_after
            && in_order(&ops)
            && separate(ir, block, &ops)
            && whole.ops.iter().any(|(own, _)| *own != Stage::Compute))
        .then_some(whole)
    }
}

/// May the ops be put in the order of their stages?
fn in_order(ops: &[(Stage, OpId, Touched)]) -> bool {
    ops.iter().enumerate().all(|(n, (later, _, touched))| {
        let mut before = ops[..n].iter();
        before.all(|(earlier, _, other)| earlier <= later || !touched.conflicts(other))
    })
}

/// Does no stage touch memory of all rounds that another one writes, so that rounds may overlap?
fn separate(ir: &Ir, block: BlockId, ops: &[(Stage, OpId, Touched)]) -> bool {
    // An array that is made in a round is another one in each.
    let of_all = |value: &Value| !is_array(ir, *value) || ir.value_block(*value) != Some(block);
    let elsewhere = |value: &Value, own: Stage| {
        let touches = |touched: &Touched| touched.reads.contains(value) || touched.writes.contains(value);
        ops.iter().any(|(stage, _, touched)| *stage != own && touches(touched))
    };
    ops.iter().all(|(own, _, touched)| {
        let mut writes = touched.writes.iter().filter(|&value| of_all(value));
        writes.all(|value| is_alone(ir, *value) && !elsewhere(value, *own))
    })
}
