//! Small buffers of the heap that no op sees after their scope move to the stack.
//!
//! What may be the same buffer is followed forward: views, whatever buffers an op makes of one, arguments of blocks and
//! regions, results. It must not be freed, stored, returned, or handed out of the scope in which it is allocated; nor is an
//! allocation that its own block can come to again moved, which would take more of the stack each time.

use terrace_dataflow::flow::{self, From, To};
use terrace_diag::Reported;
use terrace_dialect_memref::{Alloc, Alloca, ExtractAlignedPointerAsIndex, Rank};
use terrace_ir::{Attr, BlockId, DYNAMIC, Effects, Ir, NewOp, OpId, OpKind, Traits, TypeKind, Value};
use terrace_macros::pass;
use terrace_pass::{Pass, PassCx};
use terrace_support::HashSet;

/// Replace `memref.alloc` by `memref.alloca` where the buffer is small and stays within its scope
///
/// A buffer that is freed stays, so this goes before deallocation. Buffers of unknown size are small if each size is the
/// rank of another one.
#[pass("promote-buffers-to-stack", stats("buffers moved"))]
pub struct PromoteBuffersToStack {
    /// most bytes of a buffer
    #[option(default = 1024)]
    max_alloc_size_in_bytes: u64,
    /// most dimensions of a buffer of unknown size
    #[option(default = 1)]
    max_rank_of_allocated_memref: u64,
}

impl Pass for PromoteBuffersToStack {
    fn run(&self, cx: &mut PassCx<'_>, unit: &mut Ir) -> Result<(), Reported> {
        let found: Vec<Alloc> = unit.walk().filter_map(|op| Alloc::cast(unit, op)).collect();
        let stays = |each: &Alloc| self.is_small(unit, *each) && may_move(unit, *each);
        let moved: Vec<Alloc> = found.into_iter().filter(stays).collect();
        cx.count("buffers moved", moved.len() as u64);
        cx.set_changed(!moved.is_empty());
        for each in moved {
            promote(unit, each);
        }
        Ok(())
    }
}

impl PromoteBuffersToStack {
    fn is_small(&self, ir: &Ir, each: Alloc) -> bool {
        let cx = ir.cx();
        let TypeKind::MemRef { shape, elem, .. } = ir.ty(each.memref(ir)).kind(cx) else { return false };
        if shape.contains(&DYNAMIC) {
            let is_rank = |size: &Value| ir.defining_op(*size).is_some_and(|op| ir.is(op, Rank::DEF));
            return shape.len() as u64 <= self.max_rank_of_allocated_memref
                && each.dynamic_sizes(ir).iter().all(is_rank);
        }
        let scalars = elem.num_elements(cx).filter(|_| elem.is_vector_like(cx)).unwrap_or(1);
        let bits = elem.scalar(cx).bit_width(cx).map(u128::from);
        let mut all =
            shape.iter().map(|size| u128::try_from(*size).ok()).chain([u128::try_from(scalars).ok(), bits]);
        let size = all.try_fold(1u128, |product, factor| product.checked_mul(factor?));
        size.is_some_and(|bits| bits <= 8 * u128::from(self.max_alloc_size_in_bytes))
    }
}

fn may_move(ir: &Ir, each: Alloc) -> bool {
    // The innermost op that ends what is on the stack.
    let mut scope = ir.parent(each.0);
    while let Some(op) = scope.filter(|op| !ir.has(*op, Traits::AllocationScope)) {
        scope = if op == ir.root() { None } else { ir.parent(op) };
    }
    let Some(scope) = scope else { return false };
    !comes_again(ir, each.0, scope) && stays_within(ir, each.memref(ir), scope)
}

/// Can control come from an op's block, or from one around it, to the same block again before the scope ends?
fn comes_again(ir: &Ir, op: OpId, scope: OpId) -> bool {
    let mut at = op;
    while at != scope {
        let Some(block) = ir.block(at) else { return true };
        if reaches_itself(ir, block) {
            return true;
        }
        let Some(around) = ir.block_parent(block) else { return true };
        // A loop that does not end what is allocated inside.
        if around != scope && ir.has(around, Traits::LoopLike) {
            return true;
        }
        at = around;
    }
    false
}

fn reaches_itself(ir: &Ir, block: BlockId) -> bool {
    let mut seen: HashSet<BlockId> = HashSet::default();
    let mut pending: Vec<BlockId> = terrace_ir::dom::successors(ir, block).collect();
    while let Some(next) = pending.pop() {
        if next == block {
            return true;
        }
        if seen.insert(next) {
            pending.extend(terrace_ir::dom::successors(ir, next));
        }
    }
    false
}

fn is_buffer(ir: &Ir, value: Value) -> bool {
    matches!(ir.ty(value).kind(ir.cx()), TypeKind::MemRef { .. } | TypeKind::UnrankedMemRef { .. })
}

/// Is everything that may be this buffer seen by nothing outside of the scope?
fn stays_within(ir: &Ir, buffer: Value, scope: OpId) -> bool {
    let mut aliases: HashSet<Value> = HashSet::from_iter([buffer]);
    let mut pending = vec![buffer];
    while let Some(value) = pending.pop() {
        for (user, operand) in ir.uses(value) {
            let Some(next) = handed_to(ir, user, operand, scope) else { return false };
            pending.extend(next.into_iter().filter(|alias| aliases.insert(*alias)));
        }
    }
    true
}

/// What an operand that is the buffer may become; none if it may get out of the scope
fn handed_to(ir: &Ir, user: OpId, operand: usize, scope: OpId) -> Option<Vec<Value>> {
    if ir.kind(user) == OpKind::UNREGISTERED || ir.is(user, ExtractAlignedPointerAsIndex::DEF) {
        return None;
    }
    let effects = ir.effects(user);
    if effects != Effects::UNKNOWN && effects.has(Effects::FREE) || is_stored(ir, user, operand) {
        return None;
    }
    if ir.num_successors(user) > 0 {
        return successors(ir, user, operand);
    }
    if ir.has(user, Traits::Terminator) {
        let around = ir.parent(user).filter(|around| *around != ir.root())?;
        // What was allocated in a scope ends with each of its iterations.
        if ir.is_inside(scope, around) {
            return None;
        }
        let region = ir.block_region(ir.block(user)?)?;
        let number = ir.regions(around).position(|other| other == region)?;
        return ways(ir, around, From::End(number, user), operand);
    }
    if flow::regions(ir, user).is_some() {
        return ways(ir, user, From::Op, operand);
    }
    if ir.num_regions(user) > 0 && ir.num_results(user) > 0 {
        return None;
    }
    Some(ir.results(user).filter(|result| is_buffer(ir, *result)).collect())
}

/// Is the operand an element of a buffer that the op works on?
fn is_stored(ir: &Ir, user: OpId, operand: usize) -> bool {
    let ty = ir.ty(ir.operand(user, operand));
    ir.operands(user).any(|other| is_buffer(ir, other) && ir.ty(other).element(ir.cx()) == Some(ty))
}

fn successors(ir: &Ir, user: OpId, operand: usize) -> Option<Vec<Value>> {
    let mut found = Vec::new();
    for (n, block) in ir.successors(user).enumerate() {
        let given = flow::given(ir, user, n)?;
        if given.contains(&operand) {
            found.push(*ir.block_args(block).get(operand - given.start)?);
        }
    }
    Some(found)
}

fn ways(ir: &Ir, around: OpId, from: From, operand: usize) -> Option<Vec<Value>> {
    let table = flow::regions(ir, around)?;
    let mut found = Vec::new();
    for way in (table.ways)(ir, around, from, &|_| None) {
        if way.given.contains(&operand) {
            let n = way.first + operand - way.given.start;
            found.push(match way.to {
                To::After => ir.results(around).nth(n)?,
                To::Region(number) => {
                    let entry = ir.regions(around).nth(number).and_then(|region| ir.entry(region))?;
                    *ir.block_args(entry).get(n)?
                }
            });
        }
    }
    Some(found)
}

fn promote(ir: &mut Ir, each: Alloc) -> Option<()> {
    let op = each.0;
    let kind = ir.cx().kind_of(Alloca::DEF)?;
    let operands: Vec<Value> = ir.operands(op).collect();
    let segments = ir.operand_segments(op).unwrap_or(&[]).to_vec();
    let slots: Vec<Option<Attr>> = (0..Alloca::DEF.attrs.len()).map(|slot| ir.slot(op, slot)).collect();
    let old = each.memref(ir);
    let (results, dict, loc) = ([ir.ty(old)], ir.dict(op), ir.loc(op));
    let new = ir.create(&NewOp {
        operands: &operands,
        segments: &segments,
        results: &results,
        slots: &slots,
        dict,
        loc,
        ..NewOp::new(kind)
    });
    ir.insert_before(op, new);
    let value = ir.result(new, 0);
    ir.copy_value_name(old, value);
    ir.replace_all_uses(old, value);
    ir.erase(op);
    Some(())
}
