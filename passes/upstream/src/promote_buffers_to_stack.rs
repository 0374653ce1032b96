//! Small buffers of the heap that no op sees after their scope move to the stack.
//!
//! What may be the same buffer is followed forward: views, whatever buffers an op makes of one, arguments of blocks and
//! regions, results. A buffer stays on the heap if it
//!
//! - is freed, or handed to an op whose effects are not known, such as a call: that may free or keep it;
//! - is stored, returned, or handed out of the scope in which it is allocated;
//! - becomes something that is neither a buffer nor what the buffer holds: a tensor, a pointer, an address;
//! - is used inside of an op that does not say when it runs its regions;
//! - may be allocated several times before its scope ends, in a loop or in such an op: the stack would grow each time.
//!
//! Linear in ops and uses. [`places`]: scopes and repetition. [`aliases`]: what a buffer becomes.

mod aliases;
mod places;

use aliases::Aliases;
use places::Places;
use terrace_diag::Reported;
use terrace_dialect_memref::{Alloc, Alloca, Rank};
use terrace_ir::{DYNAMIC, Ir, Parts, TypeKind, Value};
use terrace_macros::pass;
use terrace_pass::{Pass, PassCx};

/// Replace `memref.alloc` by `memref.alloca` where the buffer is small and stays within its scope
///
/// A buffer that is freed stays, so this goes before deallocation. One that a function is called with stays too. Buffers of
/// unknown size are small if each size is the rank of another one.
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
        let allocs = unit.walk().filter_map(|op| Alloc::cast(unit, op));
        let moved = stay(unit, allocs.filter(|each| self.is_small(unit, *each)).collect());
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

/// The buffers among these that nothing sees after the scope in which they are allocated, and that are there once
fn stay(ir: &Ir, found: Vec<Alloc>) -> Vec<Alloc> {
    if found.is_empty() {
        return found;
    }
    let places = Places::of(ir);
    let scoped: Vec<(Alloc, usize)> =
        found.into_iter().filter_map(|each| Some((each, places.scope_of_one(each.0)?))).collect();
    let aliases = Aliases::of(ir, &places, scoped.iter().map(|(each, _)| each.memref(ir)));
    let stays = |(each, scope): &(Alloc, usize)| aliases.stays_within(each.memref(ir), *scope);
    scoped.into_iter().filter(stays).map(|(each, _)| each).collect()
}

fn promote(ir: &mut Ir, each: Alloc) -> Option<()> {
    let kind = ir.cx().kind_of(Alloca::DEF)?;
    let parts = Parts { kind, ..ir.parts(each.0) };
    ir.remake_for(each.0, &parts, &[each.memref(ir)]);
    Some(())
}
