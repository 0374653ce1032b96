//! What joins the parts of a reduction, run by the last block of the parts' kernel.
//!
//! It is a computation of its own with a mark. Its schedule has one block, with no more threads than the parts' kernel. Without such a
//! schedule the mark goes, and a second kernel joins the parts. `gpu-last-block` makes one launch of both.

use terrace_devices::{Axis, Layer};
use terrace_dialect_builtin::marks::LAST;
use terrace_dialect_mdh::Compute;
use terrace_dialect_mdh::schedule::{self, SCHEDULE, Schedule};
use terrace_dialect_mdh::view::View;
use terrace_ir::Ir;
use terrace_schedule_choose::choice::Choice;

/// Set the mark, or remove it
pub fn mark(ir: &mut Ir, op: Compute, last: bool) {
    let unit = ir.cx().common().unit;
    ir.set_discardable(op.id(), LAST, last.then_some(unit));
}

/// Is a computation for the last block?
pub fn is_marked(ir: &Ir, op: Compute) -> bool {
    ir.discardable(op.id(), LAST).is_some()
}

/// The best schedule of one block
pub fn schedule(ir: &Ir, op: Compute, choice: &Choice) -> Option<Schedule> {
    let most = threads_of_parts(ir, op)?;
    let fits = choice.candidates.iter().filter(|own| own.refused.is_none());
    let mut fits = fits
        .filter(|own| own.kernel.as_ref().is_some_and(|kernel| kernel.blocks == 1 && kernel.threads <= most));
    fits.next().map(|own| own.proposal.schedule.clone())
}

/// The time of the best schedule of one block, as a kernel
pub fn time(choice: &Choice) -> Option<f64> {
    let fits = choice.candidates.iter().filter(|own| own.refused.is_none());
    let mut one = fits.filter(|own| own.kernel.as_ref().is_some_and(|kernel| kernel.blocks == 1));
    one.next().map(|own| own.rank)
}

/// Threads along x in a block of the kernel that computes the parts
fn threads_of_parts(ir: &Ir, op: Compute) -> Option<i64> {
    let view = View::read(ir, op).ok()?;
    let parts = view.inputs.iter().find_map(|input| Compute::cast(ir, ir.defining_op(input.value)?))?;
    let sizes: Vec<i64> = View::read(ir, parts).ok()?.dims.iter().map(|dim| dim.size).collect();
    let schedule = schedule::decided(ir.cx(), ir.discardable(parts.id(), SCHEDULE)?).ok()?;
    let mut sizes = sizes;
    let mut threads = 1;
    for step in &schedule.steps {
        for (dim, size) in step.sizes.iter().enumerate() {
            let whole = *sizes.get(dim)?;
            let tile = size.value.unwrap_or(whole);
            let along = |core: &terrace_dialect_mdh::schedule::Core| {
                core.layer == Layer::Thr && core.axis() == Some(Axis::X)
            };
            if step.cores.get(dim)?.as_ref().is_some_and(along) {
                threads = (whole.max(1) as u64).div_ceil(tile.max(1) as u64) as i64;
            }
            sizes[dim] = tile;
        }
    }
    Some(threads)
}

/// The remark where there is none
pub fn said() -> String {
    "one block does not suffice to join the parts: a second kernel does".into()
}
