//! What joins the parts of a reduction, run by the last blocks of the parts' kernel.
//!
//! It is a computation of its own with a mark. Its schedule has one block, or one for each group of the parts' blocks that have the same
//! kept coordinates, and no more threads than these. Without such a schedule the mark goes, and a second kernel joins the parts.
//! `gpu-last-block` makes one launch of both, where it can prove that a block reads its group's parts only.

use terrace_devices::{Axis, Layer};
use terrace_dialect_builtin::marks::LAST;
use terrace_dialect_mdh::Compute;
use terrace_dialect_mdh::schedule::{self, SCHEDULE, Schedule};
use terrace_dialect_mdh::view::View;
use terrace_ir::Ir;
use terrace_schedule_choose::choice::{Candidate, Choice};

/// Set the mark, or remove it
pub fn mark(ir: &mut Ir, op: Compute, last: bool) {
    let unit = ir.cx().common().unit;
    ir.set_discardable(op.id(), LAST, last.then_some(unit));
}

/// Is a computation for the last block?
pub fn is_marked(ir: &Ir, op: Compute) -> bool {
    ir.discardable(op.id(), LAST).is_some()
}

/// The best schedule for the last blocks of the kernel that computes the parts, which has its schedule
pub fn schedule(ir: &Ir, op: Compute, choice: &Choice) -> Option<Schedule> {
    let view = View::read(ir, op).ok()?;
    let parts = view.inputs.iter().find_map(|input| Compute::cast(ir, ir.defining_op(input.value)?))?;
    let schedule = schedule::decided(ir.cx(), ir.discardable(parts.id(), SCHEDULE)?).ok()?;
    let parts = View::read(ir, parts).ok()?;
    best(&view, choice, (&parts, &schedule)).map(|own| own.proposal.schedule.clone())
}

/// The best candidate whose blocks are groups of the parts' blocks
pub fn best<'a>(
    view: &View,
    choice: &'a Choice,
    (parts, schedule): (&View, &Schedule),
) -> Option<&'a Candidate> {
    let loops = loops(parts, schedule);
    let threads = loops.iter().filter(|one| one.layer == Layer::Thr && one.axis == Some(Axis::X));
    let most = threads.map(|one| one.trips).product();
    let fits = |own: &&Candidate| {
        let Some(kernel) = own.kernel.as_ref().filter(|_| own.refused.is_none()) else { return false };
        let own = self::loops(view, &own.proposal.schedule);
        let blocks = own.iter().filter(|one| one.layer == Layer::Blk);
        kernel.threads <= most
            && blocks.into_iter().all(|one| loops.iter().any(|other| one.has_blocks_of(other)))
    };
    choice.candidates.iter().find(fits)
}

/// Blocks or threads along a dimension
struct Loop<'a> {
    /// Of the dimension
    name: &'a str,
    layer: Layer,
    axis: Option<Axis>,
    trips: i64,
    /// Coordinates of an iteration
    tile: i64,
    /// Is it outside of all loops of the dimension?
    outermost: bool,
}

impl Loop<'_> {
    /// Has each block the same coordinates as those of another loop?
    fn has_blocks_of(&self, other: &Loop<'_>) -> bool {
        let both = self.outermost && other.outermost && other.layer == Layer::Blk;
        both && self.name == other.name && (self.tile, self.trips) == (other.tile, other.trips)
    }
}

/// Loops of blocks and threads that run more than once
fn loops<'a>(view: &'a View, schedule: &Schedule) -> Vec<Loop<'a>> {
    let mut sizes: Vec<i64> = view.dims.iter().map(|dim| dim.size).collect();
    let mut all = Vec::new();
    for step in &schedule.steps {
        for (n, dim) in view.dims.iter().enumerate() {
            let (Some(size), Some(core)) = (step.sizes.get(n), step.cores.get(n)) else { continue };
            let tile = size.value.unwrap_or(sizes[n]);
            let trips = (sizes[n].max(1) as u64).div_ceil(tile.max(1) as u64) as i64;
            let core =
                core.as_ref().filter(|core| trips > 1 && matches!(core.layer, Layer::Blk | Layer::Thr));
            all.extend(core.map(|core| Loop {
                name: &dim.name,
                layer: core.layer,
                axis: core.axis(),
                trips,
                tile,
                outermost: sizes[n] == dim.size,
            }));
            sizes[n] = tile;
        }
    }
    all
}

/// The remark where there is none
pub fn said() -> String {
    "no block has all parts of a result and threads enough to join them: a second kernel does".into()
}
