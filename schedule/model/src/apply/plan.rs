//! A schedule's steps as loops in the order of code.
//!
//! Invariants: every dimension's sizes start at its extent and end at 1; loops of a step are in the order x, y, z of
//! parallel axes, then by number, lanes last. Threads of a step that split a reduction stand inside of its other loops: they run
//! at once in any case, and so values meet before they are stored.

use super::cut::cut;
use super::loops::{Item, Loop, Plan};
use super::steps::{Tiles, at_start};
use super::{nesting, words};
use crate::broken::{Broken, Rule};
use crate::computation::{Computation, DimKind};
use crate::schedule::{Schedule, Step};
use crate::values::{Core, Placement, Size, Tail};
use terrace_devices::{Layer, Level, Mechanism, Region};
use terrace_support::affine::AffineExpr;

/// One sequential loop per dimension: kept ones outside, prefixes inside of them, reduced ones innermost
pub fn naive(c: &Computation) -> Schedule {
    let rank = |kind: DimKind| match kind {
        DimKind::Kept => 0,
        DimKind::Prefixes => 1,
        DimKind::Reduced(_) => 2,
    };
    let mut order: Vec<usize> = (0..c.dims.len()).collect();
    order.sort_by_key(|n| rank(c.dims[*n].kind));
    let core = |n: usize| {
        let number = order.iter().position(|m| *m == n).unwrap_or(0) + 1;
        Some(Core::numbered(Layer::For, number))
    };
    let step = Step {
        label: 1,
        sizes: vec![Size { value: Some(1), tail: None }; c.dims.len()],
        ins: vec![None; c.buffers.len()],
        outs: vec![None; c.outputs.len()],
        cores: (0..c.dims.len()).map(core).collect(),
    };
    Schedule { steps: vec![step] }
}

/// Is a place in memory that only kernels have?
fn of_block(place: &Placement) -> bool {
    place.region.is_shared() || place.region == Region::Rm
}

/// Carry out the form of a schedule; the error names the rule. `grid`: it is for a device with a grid, whatever its layers
pub fn plan(c: &Computation, schedule: &Schedule, grid: bool) -> Result<Plan, Broken> {
    let past = words::check(schedule, c)?;
    let schedule = c.by_group(schedule).sunk(&c.extents(), &c.reduced())?;
    let schedule = &schedule;
    let steps = match schedule.steps.split_first() {
        Some((start, steps)) if start.label == 0 => {
            at_start(c, start)?;
            steps
        }
        _ => &schedule.steps,
    };
    let has = |layer: Layer| {
        steps.iter().flat_map(|step| step.cores.iter().flatten()).any(|core| core.layer == layer)
    };
    let warps = has(Layer::Wrp);
    let places = || steps.iter().flat_map(|step| step.ins.iter().chain(&step.outs).flatten());
    let kernel = grid || has(Layer::Blk) || warps || places().any(of_block);
    if kernel && c.symmetric.is_some() {
        return Err(Rule::Symmetric.broken("kernels compute all of a result"));
    }
    let tiles = Tiles::of(c, steps)?;
    let items = tiles.items(c, steps, kernel, warps)?;
    let mut plan = Plan {
        items,
        sizes: tiles.sizes,
        tails: tiles.tails,
        steps: steps.to_vec(),
        kernel,
        launch: 0,
        past,
        ahead: Vec::new(),
        peeled: vec![None; c.dims.len()],
    };
    let own = Schedule { steps: plan.steps.clone() };
    own.region_inside(kernel).map_or(Ok(()), Err)?;
    plan.values_stay(c);
    plan.launch = nesting::devices(&plan, c)?;
    plan.axes()?;
    plan.peeled_blocks()?;
    plan.prefixes(c)?;
    words::stages(&mut plan)?;
    words::ahead(&mut plan)?;
    plan.lanes()?;
    for bound in &c.bounds {
        plan.guard(bound.clone(), c);
    }
    plan.peel_below(c);
    plan.open_ends(c);
    Ok(plan)
}

impl Plan {
    /// Dimensions that points visit only where they hit have no loops
    pub fn pick(&mut self, c: &Computation, picks: &[usize]) -> Result<(), Broken> {
        let picked = |dim: usize| picks.contains(&dim);
        // Which place it is only values say: all places of a tile must be there, for all who write them.
        if let Some(place) = self
            .steps
            .iter()
            .flat_map(|step| step.outs.iter().flatten())
            .find(|place| !place.region.is_shared())
        {
            return Err(Rule::Scatter.broken(format!(
                "{} holds a tile of an output whose places only values name; shared memory of a block may",
                place.region
            )));
        }
        self.items.retain(|item| !matches!(item, Item::Loop(one) if picked(one.dim)));
        if self.kernel {
            let split = |one: &&Loop| {
                one.level.is_parallel()
                    && self.is_loop(one)
                    && !c.dims[one.dim].kind.is_kept()
                    && one.via != Mechanism::Atomic
            };
            let loops = self.items.iter().filter_map(|item| match item {
                Item::Loop(one) => Some(one),
                _ => None,
            });
            if let Some(one) = loops.into_iter().find(split) {
                return Err(Rule::Scatter.broken(format!(
                    "in a kernel, places that values name meet by atomics only; say (atomic) at the core of {} in step {}",
                    c.dims[one.dim].name, one.layer
                )));
            }
        }
        Ok(())
    }

    /// Last tiles that `tail peel` cuts off below are no copies here: of a kept dimension that no condition mentions and no
    /// lanes run along, where tiles outside are whole multiples
    fn peel_below(&mut self, c: &Computation) {
        let bounds = &c.bounds;
        for dim in (0..c.dims.len()).filter(|dim| c.dims[*dim].kind.is_kept()) {
            let Some(cut) = cut(&self.sizes[dim], &self.tails[dim]).filter(|cut| cut.rest > 0) else {
                continue;
            };
            let plain = |one: &Loop| match one.level {
                Level::Seq => true,
                Level::Task => one.layer < cut.layer,
                Level::Unroll => one.layer > cut.layer,
                _ => false,
            };
            let loops = self.items.iter().filter_map(|item| match item {
                Item::Loop(one) if one.dim == dim && self.is_loop(one) => Some(one),
                _ => None,
            });
            let loops: Vec<&Loop> = loops.collect();
            let here = loops.iter().any(|one| one.layer == cut.layer);
            if !here
                || !loops.iter().all(|one| plain(one))
                || bounds.iter().any(|bound| bound.uses_dim(dim as u32))
            {
                continue;
            }
            self.peeled[dim] = Some(cut.layer);
            self.tails[dim].iter_mut().flatten().for_each(|tail| *tail = Tail::Limit);
        }
    }

    /// Where a dimension ends is known at run time: its tiles are whole up to there, and one loop has a remainder below
    fn open_ends(&mut self, c: &Computation) {
        for dim in (0..c.dims.len()).filter(|dim| c.is_open(*dim)) {
            for tail in self.tails[dim].iter_mut().flatten().filter(|tail| **tail == Tail::Peel) {
                *tail = Tail::Limit;
            }
            let loops = self.items.iter().filter_map(|item| match item {
                Item::Loop(one) if one.dim == dim && self.is_loop(one) => Some(one),
                _ => None,
            });
            // What is inside of it runs without conditions until the last tile.
            self.peeled[dim] = loops
                .filter(|one| one.level == Level::Seq && self.sizes[dim][one.layer] > 1)
                .map(|one| one.layer)
                .max();
        }
    }

    /// Registers of one result need no buffer where threads around split its reduction: its values meet before they are stored
    fn values_stay(&mut self, c: &Computation) {
        let runs = |plan: &Plan, item: &Item, kept: bool, threads: bool| match item {
            Item::Loop(one) => {
                c.dims[one.dim].kind.is_kept() == kept
                    && (!threads || one.level.is_thread_like())
                    && plan.is_loop(one)
            }
            _ => false,
        };
        for n in 0..self.items.len() {
            let Item::Owner(layer) = self.items[n] else { continue };
            let split = self.items[..n].iter().any(|item| runs(self, item, false, true));
            if split && !self.items[n..].iter().any(|item| runs(self, item, true, false)) {
                for place in &mut self.steps[layer - 1].outs {
                    place.take_if(|place| place.region.is_private());
                }
            }
        }
        let steps = &self.steps;
        let owns =
            |layer: usize| steps[layer - 1].ins.iter().chain(&steps[layer - 1].outs).any(Option::is_some);
        self.items.retain(|item| !matches!(item, Item::Owner(layer) if !owns(*layer)));
    }

    /// Put a condition inside of the last loop that it depends on; and inside of the ones between that and the last
    /// reduced one, where it stands if the others run once
    fn guard(&mut self, bound: AffineExpr, c: &Computation) {
        let uses = |item: &Item| match item {
            Item::Loop(one) if bound.uses_dim(one.dim as u32) && self.is_loop(one) => Some(one.dim),
            _ => None,
        };
        let found: Vec<(usize, usize)> =
            self.items.iter().enumerate().filter_map(|(n, item)| Some((n, uses(item)?))).collect();
        let reduced = found.iter().rposition(|(_, dim)| !c.dims[*dim].kind.is_kept());
        let first = reduced.unwrap_or(found.len().saturating_sub(1));
        if found.is_empty() {
            self.items.insert(0, Item::Guard(bound));
            return;
        }
        for (at, _) in found[first..].iter().rev() {
            self.items.insert(at + 1, Item::Guard(bound.clone()));
        }
    }
}
