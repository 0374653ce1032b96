//! A schedule's steps as loops in the order of code.
//!
//! Invariants: every dimension's sizes start at its extent and end at 1; loops of a step are in the order x, y, z of
//! parallel axes, then by number, lanes last. Threads of a step that split a reduction stand inside of its others: they run at
//! once anyhow, and so values meet before they are stored. What is checked has its S-… code in the message.

use crate::{buffer_words, tails};
use terrace_devices::{Layer, Region};
use terrace_dialect_mdh::scatter::Scatter;
use terrace_dialect_mdh::schedule::{Core, Part, Placement, Schedule, Size, Step, Tail};
use terrace_dialect_mdh::view::{Kind, View};
use terrace_dialect_sched::{Level, Mechanism};
use terrace_support::affine::AffineExpr;

/// A loop over tiles of a dimension
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Loop {
    /// Dimension
    pub dim: usize,
    /// Which step by order of the schedule, from 1
    pub layer: usize,
    /// Which step by order of code, from 1
    pub label: usize,
    /// Level
    pub level: Level,
    /// How contributions of its iterations meet
    pub via: Mechanism,
    /// Parts of the buffers that are filled right inside of it
    pub stages: Option<i64>,
}

/// Something in the order of code; what follows is inside
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Item {
    /// A loop
    Loop(Loop),
    /// Buffers that a step owns, by its layer
    Owner(usize),
    /// What follows happens only where this is at least 0
    Guard(AffineExpr),
}

/// Loops in the order of code, with the sizes of tiles
#[derive(Clone, Debug)]
pub struct Plan {
    /// From outside to inside
    pub items: Vec<Item>,
    /// Sizes by dimension, then by layer; layer 0 is the extent
    pub sizes: Vec<Vec<i64>>,
    /// Tails by dimension, then by layer
    pub tails: Vec<Vec<Option<Tail>>>,
    /// The steps in order of the schedule
    pub steps: Vec<Step>,
    /// Levels of a grid are in it: the nest is a kernel
    pub kernel: bool,
    /// Items before the launch: loops over devices
    pub launch: usize,
    /// Outputs whose elements go past the caches
    pub past: Vec<i64>,
    /// Inputs that are asked for before they are read
    pub ahead: Vec<buffer_words::Ahead>,
    /// Per dimension: layer of the loop whose last tile is cut off below (`tail peel`), where that is the same
    pub peeled: Vec<Option<usize>>,
}

/// One sequential loop per dimension: kept ones outside, prefixes inside of them, reduced ones innermost
pub fn naive(view: &View, buffers: usize) -> Schedule {
    let rank = |kind: &Kind| match kind {
        Kind::Cc => 0,
        Kind::Ps(_) => 1,
        Kind::Pw(..) => 2,
    };
    let mut order: Vec<usize> = (0..view.dims.len()).collect();
    order.sort_by_key(|n| rank(&view.dims[*n].kind));
    let core = |n: usize| {
        let number = order.iter().position(|m| *m == n).unwrap_or(0) + 1;
        Some(Core::numbered(Layer::For, number))
    };
    let step = Step {
        label: 1,
        sizes: vec![Size { value: Some(1), tail: None }; view.dims.len()],
        ins: vec![None; buffers],
        outs: vec![None; view.outputs.len()],
        cores: (0..view.dims.len()).map(core).collect(),
    };
    Schedule { steps: vec![step] }
}

/// Number of distinct input buffers
pub fn buffers(view: &View) -> Vec<terrace_ir::Value> {
    let mut all = Vec::new();
    for input in view.inputs.iter().filter(|input| input.map.is_some()) {
        if !all.contains(&input.value) {
            all.push(input.value);
        }
    }
    all
}

/// Is a place in memory that only kernels have?
fn of_block(place: &Placement) -> bool {
    place.region.is_shared() || place.region == Region::Rm
}

/// Level of a core
fn level(core: Core, kernel: bool, warps: bool, trip: i64) -> Result<Level, String> {
    let axis =
        || core.axis().ok_or_else(|| format!("S-AXIS: `{}.{}`: the axis is x, y or z", core.layer, core.at));
    Ok(match core.layer {
        Layer::For => Level::Seq,
        Layer::Unr => Level::Unroll,
        Layer::Vec => Level::Vector,
        Layer::Wrp => Level::Warp(axis()?),
        // A warp's threads are its lanes.
        Layer::Thr if warps => Level::Lane(axis()?),
        Layer::Thr if kernel => Level::Thread(axis()?),
        Layer::Thr => axis().map(|_| Level::Task)?,
        Layer::Blk => Level::Block(axis()?),
        Layer::Gpu | Layer::Cpu if trip > 1 => Level::Device(axis()?),
        Layer::Gpu | Layer::Cpu => Level::Seq,
    })
}

/// What a core says of how values of a reduced dimension meet; whether level and operator allow it is the nest's rule MECH
fn mechanism(own: Mechanism, view: &View, dim: usize) -> Result<Mechanism, String> {
    let at = dim + 1;
    if view.dims[dim].kind.kept() {
        return Err(format!("S-ATOMIC: `({own})` of dimension {at}, which is kept: nothing of it meets"));
    }
    match own {
        Mechanism::Kernel => Err(format!(
            "S-ATOMIC: `(kernel)` of dimension {at} makes two computations of one, which `mdh-schedule` does; run it before"
        )),
        own => Ok(own),
    }
}

/// Loops of a step in their order: parallel axes, then by number, lanes last
fn key(core: Core, level: Level, kept: bool) -> (u8, bool, u32) {
    let axis = core.axis().map_or(0, |axis| axis as u32);
    match level {
        Level::Vector => (2, false, 0),
        Level::Seq | Level::Unroll => (1, false, core.number().unwrap_or(0)),
        Level::Thread(_) | Level::Warp(_) | Level::Lane(_) => (0, !kept, axis),
        _ => (0, false, axis),
    }
}

/// Carry out the form of a schedule; the error names the rule. `grid`: it is for a device with a grid, whatever its layers
pub fn plan(view: &View, schedule: &Schedule, grid: bool) -> Result<Plan, String> {
    let past = buffer_words::check(schedule, view)?;
    let extents: Vec<i64> = view.dims.iter().map(|dim| dim.size).collect();
    let reduced: Vec<bool> = view.dims.iter().map(|dim| matches!(dim.kind, Kind::Pw(..))).collect();
    let schedule = &schedule.sunk(&extents, &reduced)?;
    let steps = match schedule.steps.split_first() {
        Some((start, steps)) if start.label == 0 => {
            at_start(view, start)?;
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
    let tiles = Tiles::of(view, steps)?;
    let items = tiles.items(view, steps, kernel, warps)?;
    let mut plan = Plan {
        items,
        sizes: tiles.sizes,
        tails: tiles.tails,
        steps: steps.to_vec(),
        kernel,
        launch: 0,
        past,
        ahead: Vec::new(),
        peeled: vec![None; view.dims.len()],
    };
    let own = Schedule { steps: plan.steps.clone() };
    own.region_inside(kernel).map_or(Ok(()), Err)?;
    plan.values_stay(view);
    plan.launch = devices(&plan, view)?;
    plan.axes()?;
    plan.peeled_blocks()?;
    plan.prefixes(view)?;
    buffer_words::stages(&mut plan)?;
    buffer_words::ahead(&mut plan)?;
    plan.lanes()?;
    for bound in view.bounds() {
        plan.guard(bound, view);
    }
    plan.peel_below(view);
    Ok(plan)
}

/// The entries of a step are as many as the computation takes; its label is free and its loops have numbers
fn check_step(view: &View, steps: &[Step], n: usize, by_label: &mut [Option<usize>]) -> Result<(), String> {
    let (dims, buffers) = (view.dims.len(), buffers(view).len());
    let (step, at) = (&steps[n], format!("step {}", n + 1));
    for (what, found, wanted) in [
        ("sizes", step.sizes.len(), dims),
        ("cores", step.cores.len(), dims),
        ("input entries", step.ins.len(), buffers),
        ("output entries", step.outs.len(), view.outputs.len()),
    ] {
        if found != wanted {
            return Err(format!("S-ARITY: {at} has {found} {what}, the computation takes {wanted}"));
        }
    }
    match by_label.get_mut(step.label) {
        Some(slot @ None) if step.label > 0 => *slot = Some(n),
        _ => {
            let message = "labels are 1 to the number of steps, each once";
            let used = |label: &usize| steps.iter().any(|step| step.label == *label);
            let free = (1..=steps.len()).find(|label| !used(label));
            let free = free.map_or(String::new(), |label| format!("; {label} is missing"));
            return Err(format!("S-LABEL: label {} of {at}: {message}{free}", step.label));
        }
    }
    numbers(step, &at)
}

/// Sizes and tails of tiles by dimension, then by layer; layer 0 is the extent
struct Tiles {
    sizes: Vec<Vec<i64>>,
    tails: Vec<Vec<Option<Tail>>>,
    /// Steps by their labels
    by_label: Vec<Option<usize>>,
}

impl Tiles {
    /// The tiles of these steps, each no larger than the one above
    fn of(view: &View, steps: &[Step]) -> Result<Tiles, String> {
        let mut tiles = Tiles {
            sizes: view.dims.iter().map(|dim| vec![dim.size]).collect(),
            tails: vec![vec![None]; view.dims.len()],
            by_label: vec![None; steps.len() + 1],
        };
        for n in 0..steps.len() {
            check_step(view, steps, n, &mut tiles.by_label)?;
            tiles.push(&steps[n], n)?;
        }
        tiles.drop_empty_pieces();
        for (dim, sizes) in tiles.sizes.iter().enumerate() {
            let last = sizes.last().copied().unwrap_or(1);
            if last > 1 {
                return Err(format!("S-END: dimension {} still has {last} after the last step", dim + 1));
            }
        }
        Ok(tiles)
    }

    /// The tiles of one step more
    fn push(&mut self, step: &Step, n: usize) -> Result<(), String> {
        let at = format!("step {}", n + 1);
        for (dim, size) in step.sizes.iter().enumerate() {
            let above = self.sizes[dim][n];
            let value = size.value.unwrap_or(above);
            if value > above.max(1) {
                return Err(format!(
                    "S-GROW: size {value} of dimension {} in {at}, but the one above is {above}",
                    dim + 1
                ));
            }
            if above % value.max(1) != 0 && size.tail.is_none() && !open(&self.tails[dim]) {
                return Err(format!(
                    "S-DIV: {value} does not divide {above} (dimension {}, {at}); `{value}~limit`, `{value}~peel` and \
                     `{value}~pad` need not; {}",
                    dim + 1,
                    divisors(value, above)
                ));
            }
            self.sizes[dim].push(value);
            self.tails[dim].push(size.tail);
        }
        Ok(())
    }

    /// Where a tile does not divide and says how it ends, pieces of one tile are empty
    fn drop_empty_pieces(&mut self) {
        for (sizes, tails) in self.sizes.iter().zip(&mut self.tails) {
            let uneven = (1..sizes.len()).find(|l| sizes[l - 1] % sizes[*l].max(1) != 0);
            let other = uneven.and_then(|layer| tails[layer]).is_some_and(|tail| tail != Tail::Peel);
            for l in (1..sizes.len()).filter(|_| other) {
                if tails[l] == Some(Tail::Peel) && sizes[l - 1] == sizes[l] {
                    tails[l] = None;
                }
            }
        }
    }

    /// Loops and owners in the order of code
    fn items(&self, view: &View, steps: &[Step], kernel: bool, warps: bool) -> Result<Vec<Item>, String> {
        let mut items = Vec::new();
        for (label, step) in self.by_label.iter().enumerate() {
            let Some(n) = *step else { continue };
            let mut loops = Vec::new();
            for (dim, sizes) in self.sizes.iter().enumerate() {
                let core = (0..=n).rev().find_map(|n| steps[n].cores[dim].as_ref());
                let core = core.copied().unwrap_or(Core::numbered(Layer::For, dim + 1));
                let level = level(core, kernel, warps, Plan::trip(sizes, n + 1))
                    .map_err(|why| format!("{why} (dimension {}, step {})", dim + 1, n + 1))?;
                let via = match core.mechanism.filter(|_| Plan::trip(sizes, n + 1) > 1) {
                    Some(own) => mechanism(own, view, dim)?,
                    None => Mechanism::Auto,
                };
                let kept = view.dims[dim].kind.kept();
                loops.push((
                    key(core, level, kept),
                    Loop { dim, layer: n + 1, label, level, via, stages: None },
                ));
            }
            loops.sort_by_key(|(key, _)| *key);
            items.extend(loops.into_iter().map(|(_, one)| Item::Loop(one)));
            if steps[n].ins.iter().chain(&steps[n].outs).any(Option::is_some) {
                items.push(Item::Owner(n + 1));
            }
        }
        Ok(items)
    }
}

/// Loops FOR and UNR of a step have numbers, each once
fn numbers(step: &Step, at: &str) -> Result<(), String> {
    let mut seen = Vec::new();
    for (dim, core) in step.cores.iter().enumerate() {
        let Some(core) = core.as_ref().filter(|core| core.layer.is_sequential()) else {
            continue;
        };
        match core.number() {
            Some(number) if number > 0 => {
                if let Some((other, _)) = seen.iter().find(|(_, known)| *known == number) {
                    return Err(format!(
                        "S-FOR: number {number} of {at} for dimensions {other} and {}; numbers are the order of loops",
                        dim + 1
                    ));
                }
                seen.push((dim + 1, number));
            }
            _ => {
                return Err(format!(
                    "S-AXIS: `{core}` of {at}: {} has numbers, the order of loops",
                    core.layer
                ));
            }
        }
    }
    Ok(())
}

/// Loops over devices stand outermost, and what they compute does not meet; items up to the last of them
fn devices(plan: &Plan, view: &View) -> Result<usize, String> {
    let mut last = 0;
    let mut inside = false;
    for (n, item) in plan.items.iter().enumerate() {
        match item {
            Item::Loop(one) if !plan.is_loop(one) => {}
            Item::Loop(Loop { dim, layer, level: Level::Device(_), .. }) => {
                let at = format!("dimension {} in step {layer}", dim + 1);
                if inside {
                    return Err(format!(
                        "S-NEST: {at} is spread over devices inside of other loops; label its step first"
                    ));
                }
                if !view.dims[*dim].kind.kept() {
                    return Err(format!(
                        "S-REDUCE: {at} is reduced; results of several devices meet nowhere; spread it over blocks"
                    ));
                }
                if plan.tails[*dim][*layer] == Some(Tail::Peel) {
                    return Err(format!(
                        "S-DIV: `~peel` of {at}, which is spread over devices; `~limit` may be"
                    ));
                }
                last = n + 1;
            }
            _ => inside = true,
        }
    }
    Ok(last)
}

/// A step 0 says what holds before any other: the extents, memory that all see, the whole device (paper, §5.1)
fn at_start(view: &View, start: &Step) -> Result<(), String> {
    if start.sizes.len() != view.dims.len() {
        return Err(format!(
            "S-ARITY: step 0 has {} sizes, the computation takes {}",
            start.sizes.len(),
            view.dims.len()
        ));
    }
    for (n, (size, dim)) in start.sizes.iter().zip(&view.dims).enumerate() {
        if size.value.is_some_and(|size| size != dim.size) || size.tail.is_some() {
            return Err(format!(
                "S-EXTENT: step 0 says {size} for dimension {}, which has {}",
                n + 1,
                dim.size
            ));
        }
    }
    for place in start.ins.iter().chain(&start.outs).flatten() {
        let given = place.layout.iter().enumerate().all(|(n, part)| *part == Part::Whole(n));
        if !place.region.is_global() || !given {
            return Err(format!(
                "S-REGION: {place} in step 0, where buffers are as the caller has them: in DM or MM, in the order given"
            ));
        }
    }
    match start.cores.iter().flatten().find(|core| !core.layer.is_device()) {
        Some(core) => Err(format!("S-LAYER: {core} in step 0, which is all of the device: GPU or CPU")),
        None => Ok(()),
    }
}

/// A level as schedules say it
fn spoken(level: Level) -> String {
    let (layer, axis) = match level {
        Level::Block(axis) => (Layer::Blk, axis),
        Level::Thread(axis) | Level::Lane(axis) => (Layer::Thr, axis),
        Level::Warp(axis) => (Layer::Wrp, axis),
        _ => return level.to_string(),
    };
    format!("{layer}.{}", axis.name())
}

/// The divisors of an extent next to a size
fn divisors(size: i64, extent: i64) -> String {
    let divides = |n: &i64| extent % n == 0;
    // Far from any, 1 and the extent are near enough.
    let below = (1..size).rev().take(NEAR).find(divides).unwrap_or(1);
    let above = (size + 1..=extent).take(NEAR).find(divides).unwrap_or(extent);
    format!("{below} and {above} divide it")
}

/// How far divisors are looked for
const NEAR: usize = 4096;

/// Is there a tail further out, so that inner sizes may cut the rest anyhow?
fn open(tails: &[Option<Tail>]) -> bool {
    tails.iter().flatten().any(|tail| *tail == Tail::Peel)
}

impl Plan {
    /// Trip count of a loop when its dimension has these sizes
    pub fn trip(sizes: &[i64], layer: usize) -> i64 {
        let (extent, tile) = (sizes[layer - 1], sizes[layer].max(1));
        (extent.max(0) as u64).div_ceil(tile as u64) as i64
    }

    /// Dimensions that points visit only where they hit have no loops
    pub fn pick(&mut self, view: &View, scatter: &Scatter) -> Result<(), String> {
        let picked = |dim: usize| scatter.picks.iter().any(|pick| pick.dim == dim);
        // Which place it is only values say: all places of a tile must be there, for all who write them.
        if let Some(place) = self
            .steps
            .iter()
            .flat_map(|step| step.outs.iter().flatten())
            .find(|place| !place.region.is_shared())
        {
            return Err(format!(
                "S-SCATTER: {} holds a tile of an output whose places only values name; shared memory of a block may",
                place.region
            ));
        }
        self.items.retain(|item| !matches!(item, Item::Loop(one) if picked(one.dim)));
        if self.kernel {
            let split = |one: &&Loop| {
                one.level.is_parallel()
                    && self.is_loop(one)
                    && !view.dims[one.dim].kind.kept()
                    && one.via != Mechanism::Atomic
            };
            let loops = self.items.iter().filter_map(|item| match item {
                Item::Loop(one) => Some(one),
                _ => None,
            });
            if let Some(one) = loops.into_iter().find(split) {
                return Err(format!(
                    "S-SCATTER: in a kernel, places that values name meet by atomics only; say (atomic) at the core of {} in step {}",
                    view.dims[one.dim].name, one.layer
                ));
            }
        }
        Ok(())
    }

    /// Last tiles that `tail peel` cuts off below are no copies here: of a kept dimension that no condition mentions and no
    /// lanes run along, where tiles outside are whole multiples
    fn peel_below(&mut self, view: &View) {
        let bounds = view.bounds();
        for dim in (0..view.dims.len()).filter(|dim| view.dims[*dim].kind.kept()) {
            let Some(cut) = tails::cut(&self.sizes[dim], &self.tails[dim]).filter(|cut| cut.rest > 0) else {
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

    /// Registers of one result need no buffer where threads around split its reduction: its values meet before they are stored
    fn values_stay(&mut self, view: &View) {
        let runs = |plan: &Plan, item: &Item, kept: bool, threads: bool| match item {
            Item::Loop(one) => {
                view.dims[one.dim].kind.kept() == kept
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

    /// Lanes are the innermost loop of their dimension, alone, and without buffers inside
    fn lanes(&self) -> Result<(), String> {
        let mut lanes = None;
        for item in &self.items {
            match item {
                Item::Loop(one) if lanes == Some(one.dim) && self.is_loop(one) => {
                    return Err(format!(
                        "S-VEC: lanes of dimension {} stand around another loop of it; label VEC last",
                        one.dim + 1
                    ));
                }
                Item::Loop(one) if one.level == Level::Vector && self.is_loop(one) => {
                    if lanes.is_some() {
                        return Err(
                            "S-NEST: lanes inside of lanes; one dimension is on VEC, others on UNR".into()
                        );
                    }
                    lanes = Some(one.dim);
                }
                Item::Owner(layer) if lanes.is_some() => {
                    return Err(format!(
                        "S-REGION: buffers of step {layer} inside of lanes; say them a step before"
                    ));
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// Levels of a grid have each axis once
    fn axes(&self) -> Result<(), String> {
        let mut seen: Vec<&Loop> = Vec::new();
        for item in &self.items {
            let Item::Loop(one) = item else { continue };
            if !matches!(one.level, Level::Block(_) | Level::Thread(_) | Level::Warp(_) | Level::Lane(_))
                || Plan::trip(&self.sizes[one.dim], one.layer) <= 1
            {
                continue;
            }
            if let Some(other) = seen.iter().find(|other| other.level == one.level) {
                let [(a, m), (b, n)] = [other, &one].map(|one| (one.dim + 1, one.layer));
                return Err(format!(
                    "S-NEST: {} twice with more than one iteration: dimension {a} in step {m} and dimension {b} in step {n}; use \
                     another axis, or FOR for one of them",
                    spoken(one.level)
                ));
            }
            seen.push(one);
        }
        Ok(())
    }

    /// The rest of a peeled dimension is a copy of what is inside, and there is one grid
    fn peeled_blocks(&self) -> Result<(), String> {
        for item in &self.items {
            let Item::Loop(one @ Loop { level: Level::Block(_), .. }) = item else { continue };
            let (sizes, tails) = (&self.sizes[one.dim], &self.tails[one.dim]);
            let peeled = (1..=one.layer)
                .find(|layer| tails[*layer] == Some(Tail::Peel) && sizes[0] % sizes[*layer].max(1) != 0);
            if let Some(layer) = peeled.filter(|_| Plan::trip(sizes, one.layer) > 1) {
                return Err(format!(
                    "S-DIV: `~peel` of dimension {} in step {layer}, of which {} in step {} is part: all blocks run one program; \
                     `~limit` may be",
                    one.dim + 1,
                    spoken(one.level),
                    one.layer
                ));
            }
        }
        Ok(())
    }

    /// Prefixes run in order
    fn prefixes(&self, view: &View) -> Result<(), String> {
        for item in &self.items {
            let Item::Loop(one) = item else { continue };
            let apart = !matches!(one.level, Level::Seq | Level::Unroll);
            if matches!(view.dims[one.dim].kind, Kind::Ps(_)) && apart && self.is_loop(one) {
                return Err(format!(
                    "S-ORDER: dimension {} ({}) in step {} is a prefix sum, whose parts follow each other; use FOR or UNR",
                    one.dim + 1,
                    view.dims[one.dim].name,
                    one.layer
                ));
            }
        }
        Ok(())
    }

    /// Does the loop run more or less than once?
    pub fn is_loop(&self, one: &Loop) -> bool {
        Plan::trip(&self.sizes[one.dim], one.layer) != 1
    }

    /// Put a condition inside of the last loop that it depends on; and inside of the ones between that and the last
    /// reduced one, where it stands if the others run once
    fn guard(&mut self, bound: AffineExpr, view: &View) {
        let uses = |item: &Item| match item {
            Item::Loop(one) if bound.uses_dim(one.dim as u32) && self.is_loop(one) => Some(one.dim),
            _ => None,
        };
        let found: Vec<(usize, usize)> =
            self.items.iter().enumerate().filter_map(|(n, item)| Some((n, uses(item)?))).collect();
        let reduced = found.iter().rposition(|(_, dim)| !view.dims[*dim].kind.kept());
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
