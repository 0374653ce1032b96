//! Scalar replacement of local buffers: what a buffer holds becomes values, carried through structured control flow.
//!
//! A *slot* is a range of elements of one `memref.alloca` or `memref.alloc` that is only ever loaded and stored whole, at
//! constant indices. Three steps: `slots` finds the slots and, for each op with regions, those stored inside; `values`
//! walks the unit once in order, keeping what each slot holds, and marks which carried values a load needs; `rebuild`
//! makes exactly those: `iter_args` of loops, results of conditions. What was never written is poison.
//!
//! Masked accesses, and accesses to single lanes of what is a vector elsewhere, are first put in terms of the whole range
//! (`uneven`), if that lets it become a slot.
//!
//! Store-to-load forwarding in straight lines falls out. Linear in ops and in pairs of an op and a slot stored inside it.
//!
//! Not here: buffers used across the blocks of a graph, stores inside of parallel loops to buffers made outside of them,
//! indices that are constant only after unrolling (run `canonicalize` first), memory that several threads see.

mod rebuild;
mod slots;
mod uneven;
mod values;

use terrace_diag::Reported;
use terrace_ir::Ir;
use terrace_macros::pass;
use terrace_pass::{Pass, PassCx};

/// Turn elements of local buffers into values carried by loops and conditions
///
/// Elements of a `memref.alloca` or `memref.alloc` of static shape that are loaded and stored at constant indices only, each
/// range of them always whole, need no memory: register tiles become `iter_args`. Works through `scf.for`, `scf.if`,
/// `scf.while`, `scf.index_switch` and `scf.execute_region` of one block. Run `canonicalize` before so that indices are
/// constants, and after to drop what is no longer needed.
#[pass(
    "promote-buffers",
    aliases("mem2reg", "sroa"),
    stats("slots promoted", "buffers erased", "values carried")
)]
pub struct PromoteBuffers;

/// What a run did
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct Promoted {
    /// Slots that need no memory any more
    pub slots: u64,
    /// Buffers erased
    pub buffers: u64,
    /// Values that loops and conditions carry now in place of memory
    pub carried: u64,
}

impl Pass for PromoteBuffers {
    fn run(&self, cx: &mut PassCx<'_>, unit: &mut Ir) -> Result<(), Reported> {
        let done = run(unit);
        cx.count("slots promoted", done.slots);
        cx.count("buffers erased", done.buffers);
        cx.count("values carried", done.carried);
        cx.set_changed(done.slots > 0 || done.buffers > 0);
        Ok(())
    }
}

/// Promote all buffers of a unit that can be
pub fn run(ir: &mut Ir) -> Promoted {
    let mut found = slots::find(ir);
    if !found.uneven.is_empty() && uneven::can_rewrite(ir.cx()) {
        uneven::rewrite(ir, &std::mem::take(&mut found.uneven));
        found = slots::find(ir);
    }
    if found.slots.is_empty() && found.buffers.iter().all(|buffer| !buffer.whole) {
        return Promoted::default();
    }
    let mut values = values::Values::new(ir, &found);
    values.walk();
    values.mark();
    let walked = values.finish();
    rebuild::rebuild(ir, &found, walked)
}
