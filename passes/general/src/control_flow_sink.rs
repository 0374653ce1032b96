//! Control-flow sinking: what only one region needs, and that region runs once at most, is computed inside of it.

use terrace_dataflow::flow;
use terrace_diag::Reported;
use terrace_ir::dom::DomTree;
use terrace_ir::{BlockId, Effects, Ir, OpId, RegionId, Traits};
use terrace_macros::pass;
use terrace_pass::{Pass, PassCx};
use terrace_rewrite::dead::effects_with_inside;

/// Move ops without effects into the one region that uses them, if it runs once at most
///
/// Inner ops first. Only regions of ops that say how control goes through them; branches between blocks are left alone,
/// since a block may be in a loop.
#[pass("control-flow-sink", stats("ops moved"))]
pub struct ControlFlowSink;

impl Pass for ControlFlowSink {
    fn run(&self, cx: &mut PassCx<'_>, unit: &mut Ir) -> Result<(), Reported> {
        let moved = run(unit);
        cx.count("ops moved", moved);
        cx.set_changed(moved > 0);
        Ok(())
    }
}

/// Sink in a unit; gives the number of moves
pub fn run(ir: &mut Ir) -> u64 {
    let ops: Vec<OpId> = ir.walk_post(ir.root()).filter(|op| ir.num_regions(*op) > 0).collect();
    let mut moved = 0;
    for op in ops {
        let Some(table) = flow::regions(ir, op) else { continue };
        let regions: Vec<RegionId> = ir.regions(op).collect();
        for (n, region) in regions.into_iter().enumerate() {
            if (table.once)(ir, op, n) {
                moved += sink(ir, op, region);
            }
        }
    }
    moved
}

fn sink(ir: &mut Ir, around: OpId, region: RegionId) -> u64 {
    let Some(entry) = ir.entry(region) else { return 0 };
    let mut moved = 0;
    let mut stack: Vec<OpId> = ir.blocks(region).flat_map(|block| ir.block_ops(block)).collect();
    // Without a second block the first one dominates all.
    let tree = ir.single_block(region).is_none().then(|| DomTree::new(ir, region));
    while let Some(user) = stack.pop() {
        for value in ir.operands(user).collect::<Vec<_>>() {
            let Some(def) = ir.defining_op(value) else { continue };
            let outside = ir.block(def).and_then(|block| ir.block_region(block)) != Some(region);
            if outside
                && may_move(ir, def, around)
                && !is_symbol(ir, def)
                && needed_inside_only(ir, def, region, entry, tree.as_ref())
            {
                ir.detach(def);
                match ir.first_op(entry) {
                    Some(first) => ir.insert_before(first, def),
                    None => ir.append(entry, def),
                }
                moved += 1;
                stack.push(def);
            }
        }
    }
    moved
}

fn may_move(ir: &Ir, op: OpId, around: OpId) -> bool {
    let fixed = ir.has(op, Traits::Terminator) || ir.has(op, Traits::Symbol);
    !fixed && op != around && effects_with_inside(ir, op) == Effects::NONE
}

/// Is it an index that affine ops use? What may be one depends on where it is computed
fn is_symbol(ir: &Ir, op: OpId) -> bool {
    let mut users = ir.results(op).flat_map(|value| ir.uses(value));
    !ir.has(op, Traits::ConstantLike) && users.any(|(user, _)| ir.def(user).dialect() == "affine")
}

/// Are all uses of an op's results in the region, where its first block leads?
fn needed_inside_only(ir: &Ir, op: OpId, region: RegionId, entry: BlockId, tree: Option<&DomTree>) -> bool {
    ir.results(op).flat_map(|value| ir.uses(value)).all(|(user, _)| {
        let mut at = user;
        loop {
            let Some(block) = ir.block(at) else { return false };
            if ir.block_region(block) == Some(region) {
                return tree.is_none_or(|tree| tree.dominates(entry, block));
            }
            match ir.block_parent(block) {
                Some(parent) if parent != ir.root() => at = parent,
                _ => return false,
            }
        }
    })
}
