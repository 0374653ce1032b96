//! Control-flow sinking: what only one region needs, and that region runs once at most, is computed inside of it.
//!
//! Linear in uses, but that each op which moves in climbs from its users through the nest once for each level.

use crate::analyses::{Dominance, InnerEffects};
use std::sync::Arc;
use terrace_dataflow::{PlacedIndices, flow};
use terrace_diag::Reported;
use terrace_dialect_memref as memref;
use terrace_ir::dom::DomTree;
use terrace_ir::{BlockId, Effects, Ir, OpId, RegionId, Traits, TypeKind};
use terrace_macros::pass;
use terrace_pass::{Pass, PassCx};
use terrace_support::{HashMap, HashSet};

/// Move ops without effects into the one region that uses them, if it runs once at most
///
/// Inner ops first. Only regions of ops that say how control goes through them; branches between blocks are left alone,
/// since a block may be in a loop. An index of an affine op stays if it would not be one inside.
#[pass("control-flow-sink", stats("ops moved"))]
pub struct ControlFlowSink;

impl Pass for ControlFlowSink {
    fn run(&self, cx: &mut PassCx<'_>, unit: &mut Ir) -> Result<(), Reported> {
        let (dominance, effects) = (cx.analysis::<Dominance>(unit), cx.analysis::<InnerEffects>(unit));
        let mut sink = Sink {
            placed: placed(unit),
            ir: unit,
            dominance: &dominance,
            effects: &effects,
            users: HashMap::default(),
        };
        let moved = sink.run();
        cx.count("ops moved", moved);
        cx.set_changed(moved > 0);
        // Ops without effects move into regions; blocks stay as they are.
        cx.preserve::<Dominance>();
        cx.preserve::<InnerEffects>();
        Ok(())
    }
}

struct Sink<'a> {
    ir: &'a mut Ir,
    dominance: &'a Dominance,
    effects: &'a InnerEffects,
    /// Ops that must not move, since an index depends on where they are
    placed: HashSet<OpId>,
    /// Users of ops; moving an op changes none
    users: HashMap<OpId, Vec<OpId>>,
}

/// The region that ops move into
struct Target {
    region: RegionId,
    entry: BlockId,
    /// Without a second block the first one dominates all
    tree: Option<Arc<DomTree>>,
    /// How many users of an op, from the first, are known to be inside; that they stay
    inside: HashMap<OpId, usize>,
}

impl Sink<'_> {
    fn run(&mut self) -> u64 {
        let ir = &*self.ir;
        let ops: Vec<OpId> = ir.walk_post(ir.root()).filter(|op| ir.num_regions(*op) > 0).collect();
        let mut moved = 0;
        for op in ops {
            let Some(table) = flow::regions(self.ir, op) else { continue };
            let regions: Vec<RegionId> = self.ir.regions(op).collect();
            for (n, region) in regions.into_iter().enumerate() {
                if (table.once)(self.ir, op, n) {
                    moved += self.sink(op, region);
                }
            }
        }
        moved
    }

    fn sink(&mut self, around: OpId, region: RegionId) -> u64 {
        let Some(entry) = self.ir.entry(region) else { return 0 };
        let several = self.ir.single_block(region).is_none();
        let tree = several.then(|| self.dominance.tree(self.ir, region));
        let mut target = Target { region, entry, tree, inside: HashMap::default() };
        let ir = &*self.ir;
        let mut stack: Vec<OpId> = ir.blocks(region).flat_map(|block| ir.block_ops(block)).collect();
        let mut moved = 0;
        while let Some(user) = stack.pop() {
            for value in self.ir.operands(user).collect::<Vec<_>>() {
                let Some(def) = self.ir.defining_op(value) else { continue };
                let outside =
                    self.ir.block(def).and_then(|block| self.ir.block_region(block)) != Some(region);
                if outside && self.may_move(def, around) && self.is_needed_inside_only(def, &mut target) {
                    self.ir.detach(def);
                    match self.ir.first_op(entry) {
                        Some(first) => self.ir.insert_before(first, def),
                        None => self.ir.append(entry, def),
                    }
                    moved += 1;
                    stack.push(def);
                }
            }
        }
        moved
    }

    fn may_move(&self, op: OpId, around: OpId) -> bool {
        let fixed = self.ir.has(op, Traits::Terminator) || self.ir.has(op, Traits::Symbol);
        !fixed && op != around && !self.placed.contains(&op) && self.effects.of(self.ir, op) == Effects::NONE
    }

    /// Are all users of an op in the region, where its first block leads?
    fn is_needed_inside_only(&mut self, op: OpId, target: &mut Target) -> bool {
        let ir = &*self.ir;
        let users = self.users.entry(op).or_insert_with(|| {
            ir.results(op).flat_map(|value| ir.uses(value)).map(|(user, _)| user).collect()
        });
        let known = target.inside.get(&op).copied().unwrap_or_default();
        let outside = users[known..].iter().position(|user| !is_inside(ir, *user, target));
        target.inside.insert(op, outside.map_or(users.len(), |n| known + n));
        outside.is_none()
    }
}

/// Is an op in the region, where its first block leads?
fn is_inside(ir: &Ir, op: OpId, target: &Target) -> bool {
    let mut at = op;
    loop {
        let Some(block) = ir.block(at) else { return false };
        if ir.block_region(block) == Some(target.region) {
            return target.tree.as_ref().is_none_or(|tree| tree.dominates(target.entry, block));
        }
        match ir.block_parent(block) {
            Some(parent) if parent != ir.root() => at = parent,
            _ => return false,
        }
    }
}

/// Ops that an index depends on which is valid or not by where it is computed, and that could make it invalid by moving
///
/// What is `Pure` may move: it is as good an index as its operands. So may a size, but what it is the size of must stay.
/// Linear in uses.
fn placed(ir: &Ir) -> HashSet<OpId> {
    let is_index = |value: &_| matches!(ir.ty(*value).kind(ir.cx()), TypeKind::Index);
    let users = ir.walk().filter(|op| ir.def(*op).has_own::<PlacedIndices>());
    let mut pending: Vec<OpId> = users
        .flat_map(|op| ir.operands(op).filter(is_index).filter_map(|value| ir.defining_op(value)))
        .collect();
    let (mut seen, mut placed) = (HashSet::default(), HashSet::default());
    while let Some(op) = pending.pop() {
        if !seen.insert(op) || ir.has(op, Traits::ConstantLike) {
            continue;
        }
        let operands = ir.operands(op).filter_map(|value| ir.defining_op(value));
        if ir.is(op, memref::Dim::DEF) {
            placed.extend(operands.filter(|def| !ir.has(*def, Traits::ConstantLike)));
        } else if ir.has(op, Traits::Pure) && ir.num_regions(op) == 0 {
            pending.extend(operands);
        } else {
            placed.insert(op);
        }
    }
    placed
}
