//! What a schedule with open fields can no longer be: the rules of whole schedules on what is known of one.
//!
//! A search fills fields in order and asks after each choice, so that it makes schedules instead of throwing them away. Each
//! rule here says no only where every way to fill the rest would be refused: a loop counts once its sizes and its place
//! in code are known, a buffer once its region is. It is the verifiers that say what is legal; a test
//! holds that nothing they accept is left out here.

use crate::apply::launch::{MOST_LANES, WARP};
use crate::open::{Entry, Holes};
use crate::schedule::{Schedule, Step};
use crate::values::{Core, CoreAt, Placement, Size};
use terrace_devices::{Axis, Layer, Mechanism};

/// What the rules have to know of a computation and its device
#[derive(Clone, Debug, Default)]
pub struct Facts {
    /// Extents of the dimensions
    pub extents: Vec<i64>,
    /// Is a dimension reduced?
    pub reduced: Vec<bool>,
    /// Do threads bring together the values of one place at a time, in this dimension?
    pub one_place: Vec<bool>,
    /// Which dimensions an input buffer is read along, one access and one dimension for an axis of the buffer
    pub ins: Vec<Vec<bool>>,
    /// Is the device a grid of blocks?
    pub grid: bool,
    /// Most threads of a block
    pub block_threads: i64,
    /// Threads of a warp
    pub warp: i64,
}

/// A loop that runs more than once, at a known place
struct Run {
    step: usize,
    label: usize,
    dim: usize,
    trip: i64,
    /// Of its core; none while that is open
    layer: Option<Layer>,
    /// Does its core say how results meet?
    known: bool,
    /// Along which axis, if its core is known
    axis: Option<CoreAt>,
    /// Where it stands among parallel loops of its step
    key: (bool, Option<CoreAt>),
}

impl Run {
    /// Of two parallel loops of one step: does it stand outside?
    fn is_before(&self, other: &Run) -> bool {
        self.label == other.label && (self.key, self.dim) < (other.key, other.dim)
    }

    fn is(&self, layers: &[Layer]) -> bool {
        self.layer.is_some_and(|layer| layers.contains(&layer))
    }
}

/// Layers whose iterations run in parallel, outermost first
const PARALLEL: [Layer; 5] = [Layer::Blk, Layer::Wrp, Layer::Thr, Layer::Cpu, Layer::Vec];

impl Schedule<Holes> {
    /// The rule by which no completion of the open fields can be lowered, if one is violated already
    pub fn ruled_out(&self, facts: &Facts) -> Option<&'static str> {
        let runs = self.runs(facts);
        let known = self.known(facts);
        let meeting = blocks_chosen(&known, facts);
        let whole = self.is_decided();
        // Rounds become a dimension of their own: what is placed above them is placed elsewhere then.
        let in_rounds = facts.grid && blocks_in_rounds(&runs, facts);
        let checks: [(&'static str, bool); 7] = [
            ("S-REDUCE", known.blocks_meet(&facts.extents, &facts.reduced).is_err()),
            ("S-REDUCE", meeting.sunk(&facts.extents, &facts.reduced).is_err()),
            ("S-REDUCE", facts.grid && places_of_threads(&runs, facts)),
            ("S-ATOMIC", facts.grid && blocks_cannot_meet(&runs, facts)),
            ("HW", facts.grid && too_many_threads(&runs, facts, whole)),
            ("NEST", nested_wrongly(&runs, facts)),
            ("S-REGION", !in_rounds && tiles_with_gaps(&meeting, &runs, facts, whole)),
        ];
        let found = checks.iter().find(|(_, broken)| *broken).map(|(rule, _)| *rule);
        found.or_else(|| {
            let sunk = whole.then(|| meeting.sunk(&facts.extents, &facts.reduced).ok()).flatten()?;
            let lanes = || {
                let mut cores = self.steps.iter().flat_map(|step| &step.cores);
                cores.any(|core| core.layer() == Some(Layer::Wrp))
            };
            match facts.grid {
                true if lanes() && lanes_alone(&runs) => Some("NEST"),
                grid => sunk.region_inside(grid).filter(|_| !in_rounds).map(|_| "S-REGION"),
            }
        })
    }

    /// Loops whose sizes and labels are known
    fn runs(&self, facts: &Facts) -> Vec<Run> {
        let mut all = Vec::new();
        for (dim, extent) in facts.extents.iter().enumerate() {
            let mut above = *extent;
            let mut core = Some(Layer::For);
            let (mut axis, mut known) = (None, false);
            for (n, step) in self.steps.iter().enumerate() {
                let (Some(size), Some(own)) = (step.sizes.get(dim), step.cores.get(dim)) else { break };
                match own.known() {
                    Some(None) => {}
                    Some(Some(own)) => {
                        core = Some(own.layer);
                        axis = Some(own.at);
                        known = own.mechanism.is_some();
                    }
                    None => core = None,
                }
                let Some(size) = size.known() else { break };
                let size = size.value.unwrap_or(above);
                let trip = above.max(0).unsigned_abs().div_ceil(size.max(1).unsigned_abs()) as i64;
                above = size;
                let label = step.label.known().copied().filter(|label| *label > 0);
                if let Some(label) = label.filter(|_| trip > 1) {
                    let reduced = facts.reduced.get(dim) == Some(&true);
                    let key = (reduced && matches!(core, Some(Layer::Thr | Layer::Wrp)), axis);
                    all.push(Run { step: n, label, dim, trip, layer: core, known, axis, key });
                }
            }
        }
        all
    }

    /// The decided fields; open fields are left out
    fn known(&self, facts: &Facts) -> Schedule {
        let mut open = vec![false; facts.extents.len()];
        let mut last: Vec<Option<Core>> = vec![None; facts.extents.len()];
        let mut steps = Vec::new();
        for step in &self.steps {
            let place = |entry: &Entry| entry.decided().ok().flatten();
            let label = step.label.known().copied();
            let sizes = step.sizes.iter().enumerate().map(|(dim, size)| {
                let nothing = Size { value: None, tail: None };
                if let Some(open) = open.get_mut(dim) {
                    *open |= size.is_open();
                    if *open {
                        return nothing;
                    }
                }
                size.known().copied().unwrap_or(nothing)
            });
            let sizes = sizes.collect();
            let cores = step.cores.iter().enumerate().map(|(dim, own)| {
                let core = match own.known() {
                    Some(None) => return last.get(dim).cloned().flatten(),
                    // Of a loop in order nothing is required that a parallel one would not have to do too.
                    None => Some(Core::numbered(Layer::For, 1)),
                    Some(core) => *core,
                };
                if let Some(last) = last.get_mut(dim) {
                    last.clone_from(&core);
                }
                core
            });
            let cores = cores.collect();
            let mut known = Step {
                label: label.unwrap_or(0),
                sizes,
                ins: step.ins.iter().map(place).collect(),
                outs: step.outs.iter().map(place).collect(),
                cores,
            };
            if label.is_none() {
                known.ins.fill(None);
                known.outs.fill(None);
            }
            steps.push(known);
        }
        Schedule { steps }
    }
}

/// Is there a tile of an input with gaps outside or inside of another tile of it?
///
/// A tile has gaps where a loop around it moves less than one inside. A block's memory is around all of its threads.
fn tiles_with_gaps(known: &Schedule, runs: &[Run], facts: &Facts, whole: bool) -> bool {
    let sunk = whole.then(|| known.sunk(&facts.extents, &facts.reduced).ok()).flatten();
    let schedule = sunk.as_ref().unwrap_or(known);
    // Registers go inwards until all loops are known, a block's memory as far as its blocks.
    let stays = |place: &&Placement| {
        let moves = (place.region.is_private() || place.region.is_shared()) && !whole;
        let given = place.region.is_global();
        !moves && !given && place.words.prefetch.is_none()
    };
    facts.ins.iter().enumerate().any(|(buffer, uses)| {
        let tiles = schedule.steps.iter().filter(|step| step.label > 0).filter_map(|step| {
            let place = step.ins.get(buffer)?.as_ref().filter(stays)?;
            Some((step.label, place.region.is_shared()))
        });
        let tiles: Vec<(usize, bool)> = tiles.collect();
        let gaps = |(label, of_block): &(usize, bool)| {
            let inside = |one: &Run| one.label > *label || *of_block && one.is(&[Layer::Thr, Layer::Wrp]);
            runs.iter().filter(|one| inside(one) && uses.get(one.dim) == Some(&true)).any(|inner| {
                runs.iter().any(|outer| outer.dim == inner.dim && outer.step > inner.step && !inside(outer))
            })
        };
        tiles.len() > 1 && tiles.iter().any(gaps)
    })
}

/// With a mechanism for blocks that split a reduction, chosen where the schedule states none
fn blocks_chosen(known: &Schedule, facts: &Facts) -> Schedule {
    let mut chosen = known.clone();
    for step in &mut chosen.steps {
        let cores = step.cores.iter_mut().zip(&facts.reduced).filter(|(_, reduced)| **reduced);
        for core in cores.filter_map(|(core, _)| core.as_mut()).filter(|core| core.layer == Layer::Blk) {
            core.mechanism.get_or_insert(Mechanism::Kernel);
        }
    }
    chosen
}

/// Do threads that split a reduction have several places of the result each?
fn places_of_threads(runs: &[Run], facts: &Facts) -> bool {
    runs.iter().any(|one| {
        let inside = |inner: &Run| {
            let same = inner.label == one.label && inner.is(&[Layer::For, Layer::Unr, Layer::Vec]);
            facts.reduced.get(inner.dim) == Some(&false) && (inner.label > one.label || same)
        };
        facts.one_place.get(one.dim) == Some(&true)
            && one.is(&[Layer::Thr, Layer::Wrp])
            && runs.iter().any(inside)
    })
}

/// Do blocks split a reduction of rounded values, and is it open how they meet?
fn splits(one: &Run, facts: &Facts) -> bool {
    one.is(&[Layer::Blk]) && !one.known && facts.one_place.get(one.dim) == Some(&true)
}

/// Do blocks take parts of a reduction in rounds: is it tiled before they share it?
fn blocks_in_rounds(runs: &[Run], facts: &Facts) -> bool {
    let before = |one: &Run| runs.iter().any(|other| other.dim == one.dim && other.step < one.step);
    runs.iter().any(|one| splits(one, facts) && before(one))
}

/// Do blocks split a reduction of rounded values in a way that no second kernel joins?
///
/// One loop of blocks can be a computation of its own, if it has the first tiles of its dimension, or if those before are visited one after
/// the other: rounds of all blocks.
fn blocks_cannot_meet(runs: &[Run], facts: &Facts) -> bool {
    let splits = |one: &&Run| splits(one, facts);
    let shared = |other: &Run| other.layer.is_some_and(|layer| !layer.is_sequential());
    let tiled =
        |one: &Run| runs.iter().any(|other| other.dim == one.dim && other.step < one.step && shared(other));
    runs.iter().filter(splits).count() > 1 || runs.iter().filter(splits).any(tiled)
}

/// Has a block more threads than it may?
fn too_many_threads(runs: &[Run], facts: &Facts, whole: bool) -> bool {
    let all = |layer: Layer| {
        let own = runs.iter().filter(|one| one.is(&[layer]));
        own.fold(1i64, |all, one| all.saturating_mul(one.trip))
    };
    let (threads, warps) = (all(Layer::Thr), all(Layer::Wrp));
    if !runs.iter().any(|one| one.is(&[Layer::Wrp])) {
        return threads > facts.block_threads;
    }
    // With warps, threads are the lanes of one, which is as wide as the longest loops along its axes need.
    let along = |axis: Axis| {
        let own = |one: &&Run| one.is(&[Layer::Thr]) && one.axis == Some(CoreAt::Axis(axis));
        runs.iter().filter(own).map(|one| one.trip).max().unwrap_or(1)
    };
    let needed = Axis::ALL.into_iter().fold(1i64, |all, axis| all.saturating_mul(along(axis)));
    let least = if facts.warp == WARP { WARP } else { 1 };
    let width = (needed.unsigned_abs().min(1 << 40).next_power_of_two() as i64).max(least);
    warps.saturating_mul(width) > facts.block_threads || threads > if whole { width } else { MOST_LANES }
}

/// Are there lanes without a warp around?
fn lanes_alone(runs: &[Run]) -> bool {
    runs.iter().filter(|lane| lane.is(&[Layer::Thr])).any(|lane| {
        !runs.iter().any(|warp| warp.is(&[Layer::Wrp]) && (warp.label < lane.label || warp.is_before(lane)))
    })
}

/// Does a wide level stand inside of a narrow one, or a task in a task with something between?
fn nested_wrongly(runs: &[Run], facts: &Facts) -> bool {
    // Blocks that split a reduction may become a computation of their own.
    let split = |one: &Run| one.is(&[Layer::Blk]) && facts.reduced.get(one.dim) == Some(&true);
    let rank = |one: &Run| PARALLEL.iter().position(|layer| one.is(&[*layer])).filter(|_| !split(one));
    runs.iter().any(|inner| {
        let around = |outer: &&Run| outer.label < inner.label || outer.is_before(inner);
        runs.iter().filter(around).any(|outer| {
            let (Some(a), Some(b)) = (rank(outer), rank(inner)) else { return false };
            let tasks = !facts.grid
                && outer.label < inner.label
                && outer.is(&[Layer::Thr])
                && inner.is(&[Layer::Thr]);
            let between = |one: &Run| {
                let same = one.label == outer.label && one.is(&[Layer::For, Layer::Unr]);
                let known = one.layer.is_some() && !one.is(&[Layer::Thr]);
                (outer.label < one.label && one.label < inner.label && known) || same
            };
            b < a || tasks && runs.iter().any(between)
        })
    })
}
