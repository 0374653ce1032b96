//! Control flow inside of regions made simpler: unreachable blocks go, unused block arguments go, a block with one
//! predecessor that leads nowhere else is joined to it.

use crate::rewriter::Rewriter;
use terrace_ir::{BlockId, OpId, RegionId, Traits, Value};
use terrace_support::{HashMap, HashSet};

/// Simplify every region of several blocks of the unit; true if anything changed
pub fn simplify(rw: &mut Rewriter<'_>) -> bool {
    let ir = rw.ir();
    let mut regions: Vec<RegionId> = ir.regions(ir.root()).collect();
    regions.extend(
        ir.walk().filter(|op| ir.num_regions(*op) > 0).flat_map(|op| ir.regions(op).collect::<Vec<_>>()),
    );
    regions.retain(|region| ir.entry(*region).is_some() && ir.single_block(*region).is_none());
    let mut changed = false;
    for region in regions {
        // An earlier region may have held this one in a block that is gone.
        if rw.ir().is_alive(rw.ir().region_parent(region)) && rw.ir().entry(region).is_some() {
            let simpler = unreachable(rw, region) | unused_args(rw, region) | join_chains(rw, region);
            if simpler {
                // Rules of branches look at the blocks they lead to.
                let ends: Vec<OpId> =
                    rw.ir().blocks(region).filter_map(|block| rw.ir().last_op(block)).collect();
                ends.into_iter().for_each(|op| rw.touch(op));
            }
            changed |= simpler;
        }
    }
    changed
}

fn unreachable(rw: &mut Rewriter<'_>, region: RegionId) -> bool {
    let reachable: HashSet<BlockId> =
        terrace_ir::dom::reverse_postorder(rw.ir(), region).into_iter().collect();
    let dead: Vec<BlockId> = rw.ir().blocks(region).filter(|block| !reachable.contains(block)).collect();
    // Uses among dead blocks may run in any direction: drop all operands first.
    let ops: Vec<OpId> =
        dead.iter().flat_map(|block| rw.ir().block_ops(*block).collect::<Vec<_>>()).collect();
    for &op in &ops {
        let inside: Vec<OpId> = rw.ir().walk_below(op).collect();
        for op in inside.into_iter().chain([op]) {
            let segments = vec![0; rw.ir().operand_segments(op).map_or(0, <[u32]>::len)];
            rw.set_operands(op, &[], &segments);
        }
    }
    for op in ops {
        rw.erase(op);
    }
    for &block in &dead {
        rw.edit(|ir| ir.erase_block(block));
    }
    !dead.is_empty()
}

/// Remove arguments that nobody uses, or that every branch gives the same value
fn unused_args(rw: &mut Rewriter<'_>, region: RegionId) -> bool {
    let ir = rw.ir();
    let mut preds: HashMap<BlockId, Vec<(OpId, usize)>> = HashMap::default();
    let mut blocks = Vec::new();
    for block in ir.blocks(region) {
        blocks.push(block);
        if let Some(last) = ir.last_op(block) {
            for (n, next) in ir.successors(last).enumerate() {
                preds.entry(next).or_default().push((last, n));
            }
        }
    }
    let mut changed = false;
    for block in blocks.into_iter().skip(1) {
        let Some(preds) = preds.get(&block) else { continue };
        let fields: Option<Vec<(OpId, usize)>> = preds
            .iter()
            .map(|&(op, n)| {
                let field = rw.ir().def(op).successors.get(n)?.operands?;
                Some((op, field as usize))
            })
            .collect();
        let Some(fields) = fields else { continue };
        for n in (0..rw.ir().block_args(block).len()).rev() {
            let arg = rw.ir().block_args(block)[n];
            if rw.ir().is_used(arg) {
                let mut given = fields
                    .iter()
                    .map(|&(op, field)| rw.ir().operand(op, rw.ir().operand_range(op, field).start + n));
                let first = given.next();
                let same = first.filter(|first| *first != arg && given.all(|value| value == *first));
                match same.filter(|value| outlives(rw, *value, block)) {
                    Some(value) => rw.replace_all_uses(arg, value),
                    None => continue,
                }
            }
            for &(op, field) in &fields {
                drop_operand(rw, op, field, n);
            }
            rw.edit(|ir| ir.remove_block_arg(block, n));
            changed = true;
        }
    }
    changed
}

/// Join blocks to their only predecessor where that one leads nowhere else
fn join_chains(rw: &mut Rewriter<'_>, region: RegionId) -> bool {
    let ir = rw.ir();
    let mut preds: HashMap<BlockId, usize> = HashMap::default();
    for block in ir.blocks(region) {
        for next in terrace_ir::dom::successors(ir, block) {
            *preds.entry(next).or_default() += 1;
        }
    }
    let entry = ir.entry(region);
    let blocks: Vec<BlockId> = ir.blocks(region).collect();
    let mut changed = false;
    for block in blocks {
        // A block that was joined to another one is in no region any more.
        if rw.ir().block_region(block) != Some(region) {
            continue;
        }
        while let Some((end, next)) = plain_jump(rw, block) {
            if next == block || Some(next) == entry || preds.get(&next) != Some(&1) {
                break;
            }
            let values: Vec<Value> = rw.ir().operands(end).collect();
            let args = rw.ir().block_args(next).to_vec();
            for (arg, value) in args.into_iter().zip(values) {
                rw.replace_all_uses(arg, value);
            }
            rw.erase(end);
            rw.edit(|ir| {
                if let Some(first) = ir.first_op(next) {
                    ir.move_tail(first, block);
                }
                ir.erase_block(next);
            });
            changed = true;
        }
    }
    changed
}

/// The end of a block and where it leads, if it does nothing but pass all its operands to one block
fn plain_jump(rw: &Rewriter<'_>, block: BlockId) -> Option<(OpId, BlockId)> {
    let ir = rw.ir();
    let end = ir.last_op(block)?;
    let def = ir.def(end);
    let [successor] = def.successors else { return None };
    let field = usize::from(successor.operands?);
    let all = !successor.variadic && ir.operand_range(end, field).len() == ir.num_operands(end);
    let pure = def.traits.has(Traits::Terminator.and(Traits::Pure)) && ir.num_results(end) == 0;
    let next = ir.successors(end).next()?;
    (all && pure && ir.block_args(next).len() == ir.num_operands(end)).then_some((end, next))
}

/// Does a value given by every predecessor dominate the block? True where it is defined outside of the region, in the
/// entry block, or in the only predecessor's block or above: the cases that need no dominator tree
fn outlives(rw: &Rewriter<'_>, value: Value, block: BlockId) -> bool {
    let ir = rw.ir();
    let Some(home) = ir.value_block(value) else { return false };
    let region = ir.block_region(block);
    ir.block_region(home) != region || region.is_some_and(|region| ir.entry(region) == Some(home))
}

fn drop_operand(rw: &mut Rewriter<'_>, op: OpId, field: usize, n: usize) {
    let ir = rw.ir();
    let at = ir.operand_range(op, field).start + n;
    let mut values: Vec<Value> = ir.operands(op).collect();
    values.remove(at);
    let mut segments = ir.operand_segments(op).unwrap_or(&[]).to_vec();
    if let Some(size) = segments.get_mut(field) {
        *size -= 1;
    }
    rw.set_operands(op, &values, &segments);
}
