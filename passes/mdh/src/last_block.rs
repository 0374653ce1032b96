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
use terrace_schedule_model::{Core, Size, Step};

/// Set the mark, or remove it
pub fn mark(ir: &mut Ir, op: Compute, last: bool) {
    let unit = ir.cx().common().unit;
    ir.set_discardable(op.id(), LAST, last.then_some(unit));
}

/// Is a computation for the last block?
pub fn is_marked(ir: &Ir, op: Compute) -> bool {
    ir.discardable(op.id(), LAST).is_some()
}

/// The parts of a reduction that are scheduled, of the computation that joins them
pub fn parts(ir: &Ir, op: Compute) -> Option<(View, Schedule)> {
    let view = View::read(ir, op).ok()?;
    let parts = view.inputs.iter().find_map(|input| Compute::cast(ir, ir.defining_op(input.value)?))?;
    let schedule = schedule::decided(ir.cx(), ir.discardable(parts.id(), SCHEDULE)?).ok()?;
    Some((View::read(ir, parts).ok()?, schedule))
}

/// The schedule for the last blocks of the parts' kernel that takes the shortest time, and that time: the best candidate whose blocks are groups
/// of the parts' blocks, or the parts' own blocks and threads; `time` estimates a schedule
pub fn best(
    view: &View,
    choice: &Choice,
    (parts, schedule): (&View, &Schedule),
    time: impl FnOnce(&Schedule) -> f64,
) -> Option<(Schedule, f64)> {
    let loops = loops(parts, schedule);
    let most = threads(&loops);
    let fits = |own: &&Candidate| {
        if own.refused.is_some() || own.kernel.is_none() {
            return false;
        }
        let own = self::loops(view, &own.proposal.schedule);
        let blocks = own.iter().filter(|one| one.layer == Layer::Blk);
        // Threads have the same numbers in a block that is longer along its last axis.
        let [x, y, z] = threads(&own);
        let fits = z == 1 && (y == 1 && x <= most[0] || x == most[0] && y <= most[1]);
        fits && blocks.into_iter().all(|one| loops.iter().any(|other| one.has_blocks_of(other)))
    };
    let found = choice.candidates.iter().find(fits).map(|own| (own.proposal.schedule.clone(), own.rank));
    let own = as_parts(view, parts, schedule).map(|own| {
        let time = time(&own);
        (own, time)
    });
    let all = found.into_iter().chain(own.filter(|(_, time)| time.is_finite()));
    all.min_by(|one, other| one.1.total_cmp(&other.1))
}

/// Blocks and threads of kept coordinates as the parts have them; a thread joins the parts of its result
fn as_parts(view: &View, parts: &View, schedule: &Schedule) -> Option<Schedule> {
    let (last, kept) = view.dims.split_last()?;
    let of_parts = |name: &str| parts.dims.iter().position(|dim| dim.name == name);
    let kept: Vec<usize> = kept.iter().map(|dim| of_parts(&dim.name)).collect::<Option<_>>()?;
    let nothing = || Size { value: None, tail: None };
    let (ins, outs) = (vec![None; view.inputs.len()], vec![None; view.outputs.len()]);
    let mut steps = Vec::new();
    for step in &schedule.steps {
        let core = |dim: &usize| {
            step.cores[*dim].filter(|core| match core.layer {
                Layer::Blk => true,
                Layer::Thr => core.axis() == Some(Axis::X),
                _ => false,
            })
        };
        let cores: Vec<Option<Core>> = kept.iter().map(core).collect();
        let size =
            |(dim, core): (&usize, &Option<Core>)| if core.is_some() { step.sizes[*dim] } else { nothing() };
        let sizes: Vec<Size> = kept.iter().zip(&cores).map(size).collect();
        let stays =
            kept.iter().zip(&cores).all(|(dim, core)| core.is_some() || step.sizes[*dim].value.is_none());
        if !stays {
            return None;
        }
        if cores.iter().any(Option::is_some) {
            let label = steps.len() + 1;
            let (sizes, cores) = (sizes.into_iter().chain([nothing()]), cores.into_iter().chain([None]));
            steps.push(Step {
                label,
                sizes: sizes.collect(),
                ins: ins.clone(),
                outs: outs.clone(),
                cores: cores.collect(),
            });
        }
    }
    if last.size > 1 {
        let mut sizes: Vec<Size> = kept.iter().map(|_| nothing()).collect();
        sizes.push(Size { value: Some(1), tail: None });
        let cores = kept.iter().map(|_| None).chain([Some(Core::numbered(Layer::For, 1))]).collect();
        steps.push(Step { label: steps.len() + 1, sizes, ins, outs, cores });
    }
    Some(Schedule { steps })
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

/// Threads along each axis
fn threads(loops: &[Loop<'_>]) -> [i64; 3] {
    Axis::ALL.map(|axis| {
        let along = loops.iter().filter(|one| one.layer == Layer::Thr && one.axis == Some(axis));
        along.map(|one| one.trips).product()
    })
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
