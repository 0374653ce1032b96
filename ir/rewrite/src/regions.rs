//! Control flow inside of regions made simpler: unreachable blocks go, unused block arguments go, a block with one
//! predecessor that leads nowhere else is joined to it.

use crate::dead::is_removable;
use crate::rewriter::{Rewriter, SolePred};
use terrace_ir::{BlockId, Ir, OpId, OpKind, RegionId, Traits, Value};

/// Regions of several blocks of a unit, as it was when first asked: after rules have put blocks into other regions
#[derive(Default)]
pub(crate) struct Regions {
    found: Option<Vec<RegionId>>,
}

impl Regions {
    /// Simplify them; true if anything changed
    ///
    /// What gets several blocks later is left to the next run.
    pub(crate) fn simplify(&mut self, rw: &mut Rewriter<'_>) -> bool {
        let regions = self.found.get_or_insert_with(|| several_blocks(rw.ir())).clone();
        each(rw, &regions, simplify)
    }
}

/// Erase blocks that cannot be reached
pub(crate) fn erase_unreachable(rw: &mut Rewriter<'_>) {
    let regions = several_blocks(rw.ir());
    each(rw, &regions, |rw, region| {
        let blocks: Vec<BlockId> = rw.ir().blocks(region).collect();
        unreachable(rw, &blocks)
    });
}

/// Change regions; true if anything changed
fn each(
    rw: &mut Rewriter<'_>,
    regions: &[RegionId],
    change: impl Fn(&mut Rewriter<'_>, RegionId) -> bool,
) -> bool {
    let mut changed = false;
    for &region in regions {
        if is_there(rw.ir(), region) && !rw.is_spent() {
            changed |= change(rw, region);
        }
    }
    changed
}

/// Is a region still one of an op, with blocks? Its op may be gone, and the handle be another op's by now
fn is_there(ir: &Ir, region: RegionId) -> bool {
    let parent = ir.region_parent(region);
    ir.is_alive(parent) && ir.regions(parent).any(|own| own == region) && ir.entry(region).is_some()
}

fn several_blocks(ir: &Ir) -> Vec<RegionId> {
    let mut regions: Vec<RegionId> = ir.regions(ir.root()).collect();
    regions.extend(
        ir.walk().filter(|op| ir.num_regions(*op) > 0).flat_map(|op| ir.regions(op).collect::<Vec<_>>()),
    );
    regions.retain(|region| ir.entry(*region).is_some() && ir.single_block(*region).is_none());
    regions
}

fn simplify(rw: &mut Rewriter<'_>, region: RegionId) -> bool {
    let mut blocks: Vec<BlockId> = rw.ir().blocks(region).collect();
    let mut simpler = unreachable(rw, &blocks);
    if simpler {
        blocks = rw.ir().blocks(region).collect();
    }
    let mut preds = Preds::of(rw.ir(), &blocks);
    if rw.is_spent() {
        return true;
    }
    simpler |= unused_args(rw, &blocks, &preds);
    if join_chains(rw, region, &blocks, &preds) {
        simpler = true;
        blocks = rw.ir().blocks(region).collect();
        preds = Preds::of(rw.ir(), &blocks);
    }
    if simpler {
        // Rules of branches look at the blocks they lead to.
        for &block in &blocks {
            if let Some(end) = rw.ir().last_op(block) {
                rw.touch(end);
            }
        }
    }
    simpler | know_preds(rw, &blocks, &preds)
}

fn unreachable(rw: &mut Rewriter<'_>, blocks: &[BlockId]) -> bool {
    let Some(&entry) = blocks.first() else { return false };
    let dead = terrace_ir::dom::unreachable(rw.ir(), blocks);
    if dead.is_empty() {
        return false;
    }
    // Uses among dead blocks may run in any direction: drop all operands first.
    let ops: Vec<OpId> =
        dead.iter().flat_map(|block| rw.ir().block_ops(*block).collect::<Vec<_>>()).collect();
    for &op in &ops {
        let inside: Vec<OpId> = rw.ir().walk_below(op).collect();
        for op in inside.into_iter().chain([op]) {
            let segments = rw.ir().no_operands(op);
            rw.set_operands(op, &[], &segments);
        }
    }
    for op in ops {
        rw.erase(op);
    }
    for &block in &dead {
        rw.edit(|ir| ir.erase_block(block));
    }
    rw.applied("unreachable-blocks", kind_around(rw.ir(), entry));
    true
}

/// For each block of a region the terminators that lead to it, with the number of the successor
struct Preds {
    /// By block
    first: Vec<u32>,
    /// Edges of all blocks, those of one after each other
    edges: Vec<(OpId, u32)>,
}

impl Preds {
    fn of(ir: &Ir, blocks: &[BlockId]) -> Preds {
        let mut first = vec![0u32; ir.block_capacity() + 1];
        let ends = |block: &BlockId| ir.last_op(*block);
        for end in blocks.iter().filter_map(ends) {
            ir.successors(end).for_each(|next| first[next.index() + 1] += 1);
        }
        for n in 1..first.len() {
            first[n] += first[n - 1];
        }
        let mut at = first.clone();
        let total = first.last().copied().unwrap_or(0) as usize;
        let mut edges = vec![(ir.root(), 0); total];
        for end in blocks.iter().filter_map(ends) {
            for (n, next) in ir.successors(end).enumerate() {
                let place = &mut at[next.index()];
                edges[*place as usize] = (end, n as u32);
                *place += 1;
            }
        }
        Preds { first, edges }
    }

    fn to(&self, block: BlockId) -> &[(OpId, u32)] {
        let (start, end) = (self.first[block.index()], self.first[block.index() + 1]);
        &self.edges[start as usize..end as usize]
    }
}

/// Remember which blocks have one predecessor and which are empty; true if some branch has something new to look at
fn know_preds(rw: &mut Rewriter<'_>, blocks: &[BlockId], preds: &Preds) -> bool {
    let mut news = Vec::new();
    for &block in blocks.iter().skip(1) {
        let edges = preds.to(block);
        let sole = edges.first().filter(|(first, _)| edges.iter().all(|(end, _)| end == first));
        let sole = sole.map(|(end, _)| SolePred { end: *end, edges: edges.len() as u32 });
        if rw.know_pred(block, sole)
            && let Some(sole) = sole.filter(|sole| is_news(rw.ir(), sole.end))
        {
            news.push(sole.end);
        }
        // Whoever leads to a block that has become empty may pass it by.
        if rw.ir().first_op(block) == rw.ir().last_op(block)
            && plain_jump(rw, block).is_some()
            && rw.know_empty(block)
        {
            news.extend(edges.iter().map(|(end, _)| *end));
        }
    }
    let any = !news.is_empty();
    news.into_iter().for_each(|end| rw.touch(end));
    any
}

/// May a branch become simpler by being the only one that leads somewhere? If all its ways lead there, or if what it decides
/// on is used elsewhere
fn is_news(ir: &Ir, end: OpId) -> bool {
    let mut ways = ir.successors(end);
    let Some(first) = ways.next() else { return false };
    let (several, mut operands) = (ways.len() > 0, ir.operands(end));
    several && (ways.all(|way| way == first) || operands.next().is_some_and(|value| !ir.has_one_use(value)))
}

/// Remove arguments that are unused, or that every branch sets to the same value
fn unused_args(rw: &mut Rewriter<'_>, blocks: &[BlockId], preds: &Preds) -> bool {
    let mut changed = false;
    for &block in blocks.iter().skip(1) {
        if rw.ir().block_args(block).is_empty() {
            continue;
        }
        let fields: Option<Vec<(OpId, usize)>> = preds
            .to(block)
            .iter()
            .map(|&(op, n)| {
                let field = rw.ir().def(op).successors.get(n as usize)?.operands?;
                Some((op, field as usize))
            })
            .collect();
        let Some(fields) = fields.filter(|fields| !fields.is_empty()) else { continue };
        for n in (0..rw.ir().block_args(block).len()).rev() {
            if rw.is_spent() {
                return changed;
            }
            let arg = rw.ir().block_args(block)[n];
            if rw.ir().is_used(arg) {
                let mut given = fields
                    .iter()
                    .map(|&(op, field)| rw.ir().operand(op, rw.ir().operand_range(op, field).start + n));
                let first = given.next();
                let same = first.filter(|first| *first != arg && given.all(|value| value == *first));
                match same.filter(|value| outlives(rw, *value, block)) {
                    Some(value) => rw.replace_all_uses(arg, value),
                    None => {
                        let Some(ops) = only_for_itself(rw.ir(), arg, &fields, n) else { continue };
                        for &(op, field) in &fields {
                            drop_operand(rw, op, field, n);
                        }
                        ops.into_iter().for_each(|op| rw.erase(op));
                        rw.edit(|ir| ir.remove_block_arg(block, n));
                        rw.applied("argument-for-itself", kind_around(rw.ir(), block));
                        changed = true;
                        continue;
                    }
                }
            }
            for &(op, field) in &fields {
                drop_operand(rw, op, field, n);
            }
            rw.edit(|ir| ir.remove_block_arg(block, n));
            rw.applied("unused-argument", kind_around(rw.ir(), block));
            changed = true;
        }
    }
    changed
}

/// The op around a block, which changes of its control flow begin from
fn kind_around(ir: &Ir, block: BlockId) -> OpKind {
    ir.kind(ir.block_parent(block).unwrap_or(ir.root()))
}

/// Ops between an argument and its own next value at most
const BETWEEN: usize = 8;

/// The ops that use an argument, users first, if all they compute is its own next value and nothing else
fn only_for_itself(ir: &Ir, arg: Value, fields: &[(OpId, usize)], n: usize) -> Option<Vec<OpId>> {
    let mut ops: Vec<OpId> = Vec::new();
    let mut pending = vec![arg];
    while let Some(value) = pending.pop() {
        for (user, at) in ir.uses(value) {
            let back =
                fields.iter().any(|&(op, field)| op == user && ir.operand_range(op, field).start + n == at);
            if back || ops.contains(&user) {
                continue;
            }
            if ops.len() == BETWEEN || ir.num_regions(user) > 0 || !is_removable(ir, user) {
                return None;
            }
            ops.push(user);
            pending.extend(ir.results(user));
        }
    }
    // All in straight lines of blocks: a user comes later in its block, or in a block that is entered later. What is
    // used by another one of them must wait, so those without users among the rest go first.
    let mut order = Vec::with_capacity(ops.len());
    while !ops.is_empty() {
        let uses =
            |op: &OpId| ir.results(*op).any(|result| ir.uses(result).any(|(user, _)| ops.contains(&user)));
        let free = ops.iter().position(|op| !uses(op))?;
        order.push(ops.swap_remove(free));
    }
    Some(order)
}

/// Join blocks to their only predecessor where that one leads nowhere else
fn join_chains(rw: &mut Rewriter<'_>, region: RegionId, blocks: &[BlockId], preds: &Preds) -> bool {
    let entry = rw.ir().entry(region);
    let mut changed = false;
    for &block in blocks {
        // A block that was joined to another one is in no region any more.
        if rw.ir().block_region(block) != Some(region) {
            continue;
        }
        while let Some((end, next)) = plain_jump(rw, block) {
            if next == block || Some(next) == entry || preds.to(next).len() != 1 || rw.is_spent() {
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
            rw.applied("joined-block", kind_around(rw.ir(), block));
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
