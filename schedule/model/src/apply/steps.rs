//! What steps have for each dimension: sizes of tiles, and who runs its loops.

use super::loops::{Item, Loop, Plan};
use crate::broken::{Broken, Rule};
use crate::computation::Computation;
use crate::schedule::Step;
use crate::values::{Core, Part, Tail};
use terrace_devices::{Layer, Level, Mechanism};

/// Sizes and tails of tiles by dimension, then by layer; layer 0 is the extent
pub(super) struct Tiles {
    pub sizes: Vec<Vec<i64>>,
    pub tails: Vec<Vec<Option<Tail>>>,
    /// Steps by their labels
    by_label: Vec<Option<usize>>,
}

impl Tiles {
    /// The tiles of these steps, each no larger than the one above
    pub fn of(c: &Computation, steps: &[Step]) -> Result<Tiles, Broken> {
        let mut tiles = Tiles {
            sizes: c.dims.iter().map(|dim| vec![dim.size]).collect(),
            tails: vec![vec![None]; c.dims.len()],
            by_label: vec![None; steps.len() + 1],
        };
        for n in 0..steps.len() {
            check_step(c, steps, n, &mut tiles.by_label)?;
            tiles.push(&steps[n], n)?;
        }
        tiles.drop_empty_pieces();
        for (dim, sizes) in tiles.sizes.iter().enumerate() {
            let last = sizes.last().copied().unwrap_or(1);
            if last > 1 {
                return Err(
                    Rule::End.broken(format!("dimension {} still has {last} after the last step", dim + 1))
                );
            }
        }
        Ok(tiles)
    }

    /// The tiles of one step more
    fn push(&mut self, step: &Step, n: usize) -> Result<(), Broken> {
        let at = format!("step {}", n + 1);
        for (dim, size) in step.sizes.iter().enumerate() {
            let above = self.sizes[dim][n];
            let value = size.value.unwrap_or(above);
            if value > above.max(1) {
                return Err(Rule::Grow.broken(format!(
                    "size {value} of dimension {} in {at}, but the one above is {above}",
                    dim + 1
                )));
            }
            if above % value.max(1) != 0 && size.tail.is_none() && !open(&self.tails[dim]) {
                return Err(Rule::Div.broken(format!(
                    "{value} does not divide {above} (dimension {}, {at}); `{value}~limit`, `{value}~peel` and \
                     `{value}~pad` need not; {}",
                    dim + 1,
                    divisors(value, above)
                )));
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
    pub fn items(
        &self,
        c: &Computation,
        steps: &[Step],
        kernel: bool,
        warps: bool,
    ) -> Result<Vec<Item>, Broken> {
        let mut items = Vec::new();
        for (label, step) in self.by_label.iter().enumerate() {
            let Some(n) = *step else { continue };
            let mut loops = Vec::new();
            for (dim, sizes) in self.sizes.iter().enumerate() {
                let core = (0..=n).rev().find_map(|n| steps[n].cores[dim].as_ref());
                let core = core.copied().unwrap_or(Core::numbered(Layer::For, dim + 1));
                let level = level(core, kernel, warps, Plan::trip(sizes, n + 1))
                    .map_err(|why: Broken| why.at(format_args!("dimension {}, step {}", dim + 1, n + 1)))?;
                let via = match core.mechanism.filter(|_| Plan::trip(sizes, n + 1) > 1) {
                    Some(own) => mechanism(own, c, dim)?,
                    None => Mechanism::Auto,
                };
                let kept = c.dims[dim].kind.is_kept();
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

/// Level of a core
fn level(core: Core, kernel: bool, warps: bool, trip: i64) -> Result<Level, Broken> {
    let axis = || {
        core.axis()
            .ok_or_else(|| Rule::Axis.broken(format!("`{}.{}`: the axis is x, y or z", core.layer, core.at)))
    };
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
fn mechanism(own: Mechanism, c: &Computation, dim: usize) -> Result<Mechanism, Broken> {
    let at = dim + 1;
    if c.dims[dim].kind.is_kept() {
        return Err(
            Rule::Atomic.broken(format!("`({own})` of dimension {at}, which is kept: nothing of it meets"))
        );
    }
    match own {
        Mechanism::Kernel | Mechanism::Last => Err(Rule::Atomic.broken(format!(
            "`({own})` of dimension {at} makes two computations of one, which `mdh-schedule` does; run it before"
        ))),
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

/// The entries of a step are as many as the computation takes; its label is free and its loops have numbers
fn check_step(
    c: &Computation,
    steps: &[Step],
    n: usize,
    by_label: &mut [Option<usize>],
) -> Result<(), Broken> {
    let (dims, buffers) = (c.dims.len(), c.buffers.len());
    let (step, at) = (&steps[n], format!("step {}", n + 1));
    let groups = c.groups.len();
    let (ins, or) = match groups > buffers {
        true => (step.ins.len() == groups, format!(", or {groups}, one per access group")),
        false => (step.ins.len() == buffers, String::new()),
    };
    for (what, found, wanted, fits, or) in [
        ("sizes", step.sizes.len(), dims, step.sizes.len() == dims, ""),
        ("cores", step.cores.len(), dims, step.cores.len() == dims, ""),
        ("input entries", step.ins.len(), buffers, ins, or.as_str()),
        ("output entries", step.outs.len(), c.outputs.len(), step.outs.len() == c.outputs.len(), ""),
    ] {
        if !fits {
            return Err(
                Rule::Arity.broken(format!("{at} has {found} {what}, the computation takes {wanted}{or}"))
            );
        }
    }
    match by_label.get_mut(step.label) {
        Some(slot @ None) if step.label > 0 => *slot = Some(n),
        _ => {
            let message = "labels are 1 to the number of steps, each once";
            let used = |label: &usize| steps.iter().any(|step| step.label == *label);
            let free = (1..=steps.len()).find(|label| !used(label));
            let free = free.map_or(String::new(), |label| format!("; {label} is missing"));
            return Err(Rule::Label.broken(format!("label {} of {at}: {message}{free}", step.label)));
        }
    }
    numbers(step, &at)
}

/// Loops FOR and UNR of a step have numbers, each once
fn numbers(step: &Step, at: &str) -> Result<(), Broken> {
    let mut seen = Vec::new();
    for (dim, core) in step.cores.iter().enumerate() {
        let Some(core) = core.as_ref().filter(|core| core.layer.is_sequential()) else {
            continue;
        };
        match core.number() {
            Some(number) if number > 0 => {
                if let Some((other, _)) = seen.iter().find(|(_, known)| *known == number) {
                    return Err(Rule::For.broken(format!(
                        "number {number} of {at} for dimensions {other} and {}; numbers are the order of loops",
                        dim + 1
                    )));
                }
                seen.push((dim + 1, number));
            }
            _ => {
                return Err(Rule::Axis
                    .broken(format!("`{core}` of {at}: {} has numbers, the order of loops", core.layer)));
            }
        }
    }
    Ok(())
}

/// A step 0 says what holds before any other: the extents, memory that all see, the whole device (paper, §5.1)
pub(super) fn at_start(c: &Computation, start: &Step) -> Result<(), Broken> {
    if start.sizes.len() != c.dims.len() {
        return Err(Rule::Arity.broken(format!(
            "step 0 has {} sizes, the computation takes {}",
            start.sizes.len(),
            c.dims.len()
        )));
    }
    for (n, (size, dim)) in start.sizes.iter().zip(&c.dims).enumerate() {
        if size.value.is_some_and(|size| size != dim.size) || size.tail.is_some() {
            return Err(Rule::Extent.broken(format!(
                "step 0 says {size} for dimension {}, which has {}",
                n + 1,
                dim.size
            )));
        }
    }
    for place in start.ins.iter().chain(&start.outs).flatten() {
        let given = place.layout.iter().enumerate().all(|(n, part)| *part == Part::Whole(n));
        if !place.region.is_global() || !given {
            return Err(Rule::Region.broken(format!(
                "{place} in step 0, where buffers are as the caller has them: in DM or MM, in the order given"
            )));
        }
    }
    match start.cores.iter().flatten().find(|core| !core.layer.is_device()) {
        Some(core) => {
            Err(Rule::Layer.broken(format!("{core} in step 0, which is all of the device: GPU or CPU")))
        }
        None => Ok(()),
    }
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
