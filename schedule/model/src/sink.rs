//! Which loops may share a buffer's region, and where a buffer is allocated otherwise (paper, §5.4 and its footnote 5).
//!
//! Blocks share device memory only, threads also their block's. A buffer of a step whose inner loops cannot
//! share it sinks into them: registers of a step for blocks belong to each thread. A buffer in the region where its data
//! already is needs no allocation. Results do not sink through loops that split a reduction: their partial results would be
//! merged in private memory.

use crate::broken::{Broken, Rule};
use crate::schedule::{Schedule, Step};
use crate::values::{Core, Part, Placement};
use terrace_devices::{Layer, Region};

/// May iterations on a layer of cores use one buffer of a region?
fn shared(region: Region, layer: Layer) -> bool {
    let by_blocks = layer.is_device() || layer == Layer::Blk;
    match region {
        Region::Rm | Region::Reg => !by_blocks && !matches!(layer, Layer::Wrp | Layer::Thr),
        Region::Sm | Region::Shr => !by_blocks,
        _ => true,
    }
}

impl Placement {
    /// Is it the caller's memory, in the caller's order?
    fn is_given(&self) -> bool {
        self.region.is_global() && self.layout.iter().enumerate().all(|(n, part)| *part == Part::Whole(n))
    }
}

/// A loop of a step that runs more than once
struct Loop<'a> {
    dim: usize,
    trip: i64,
    core: &'a Core,
}

impl Schedule {
    /// Loops of each step on cores, by step
    fn loops(&self, extents: &[i64]) -> Vec<Vec<Loop<'_>>> {
        let mut sizes = extents.to_vec();
        let mut cores: Vec<Option<&Core>> = vec![None; extents.len()];
        let mut all = Vec::new();
        for step in &self.steps {
            let mut own = Vec::new();
            for (dim, above) in sizes.iter_mut().enumerate() {
                cores[dim] = step.cores.get(dim).and_then(Option::as_ref).or(cores[dim]);
                let size = step.sizes.get(dim).and_then(|size| size.value).unwrap_or(*above).max(1);
                let trip = (*above).max(0).unsigned_abs().div_ceil(size.unsigned_abs()) as i64;
                *above = size;
                if let Some(core) = cores[dim].filter(|_| trip > 1) {
                    own.push(Loop { dim, trip, core });
                }
            }
            all.push(own);
        }
        all
    }

    /// Do blocks that split a reduction meet in a memory that they share? `reduced` says which dimensions are; the error names
    /// what would do
    pub fn blocks_meet(&self, extents: &[i64], reduced: &[bool]) -> Result<(), Broken> {
        for ((n, step), loops) in self.steps.iter().enumerate().zip(self.loops(extents)) {
            for place in step.outs.iter().flatten() {
                let apart = |one: &&Loop<'_>| {
                    let splits = reduced.get(one.dim) == Some(&true) && one.core.mechanism.is_none();
                    splits && one.core.layer == Layer::Blk && !shared(place.region, Layer::Blk)
                };
                if let Some(Loop { dim, trip, .. }) = loops.iter().find(apart) {
                    return Err(refusal(place.region, n, *dim, *trip, "blocks", extents[*dim]));
                }
            }
        }
        Ok(())
    }

    /// Does everything that is reduced run in order, by one thread? Asked of computations that are one left fold
    pub fn folds_in_order(&self, extents: &[i64], reduced: &[bool], names: &[String]) -> Result<(), Broken> {
        for (n, loops) in self.loops(extents).iter().enumerate() {
            let apart = loops
                .iter()
                .find(|one| reduced.get(one.dim) == Some(&true) && !one.core.layer.is_sequential());
            if let Some(Loop { dim, core, .. }) = apart {
                let name = names.get(*dim).map_or("", String::as_str);
                return Err(Rule::Source.broken(format!(
                    "dimension {} ({name}) in step {} is on {}.{}, but is folded in the order of the source: sums of its parts \
                     round otherwise. Use FOR or UNR, or let the order be free to choose: `pw add` in place of `pw add source`, in C \
                     a `#pragma mdh`",
                    dim + 1,
                    n + 1,
                    core.layer,
                    core.at
                )));
            }
        }
        Ok(())
    }

    /// Without buffers that are where the caller has them anyhow: said in its memory and order, with nothing in another around
    fn standing(&self) -> Schedule {
        let mut standing = self.clone();
        for (n, step) in self.steps.iter().enumerate().filter(|(_, step)| step.label > 0) {
            for (out, entries) in [(false, &step.ins), (true, &step.outs)] {
                for (buffer, place) in entries.iter().enumerate() {
                    let Some(place) = place.as_ref().filter(|place| place.is_given()) else { continue };
                    let around = self.steps.iter().filter(|other| (1..step.label).contains(&other.label));
                    let moved = around.flat_map(|other| {
                        let entries = if out { &other.outs } else { &other.ins };
                        entries.get(buffer).cloned().flatten()
                    });
                    let mut moved = moved.filter(|other| !other.is_given());
                    let entries = if out { &mut standing.steps[n].outs } else { &mut standing.steps[n].ins };
                    if let Some(slot) = entries.get_mut(buffer).filter(|_| place.words.is_empty())
                        && moved.next().is_none()
                    {
                        *slot = None;
                    }
                }
            }
        }
        standing
    }

    /// With every buffer inside of the loops that cannot share it
    pub fn sunk(&self, extents: &[i64], reduced: &[bool]) -> Result<Schedule, Broken> {
        self.blocks_meet(extents, reduced)?;
        self.standing().sink(extents, reduced)
    }

    fn sink(&self, extents: &[i64], reduced: &[bool]) -> Result<Schedule, Broken> {
        let mut sunk = self.clone();
        let loops = self.loops(extents);
        for n in 0..self.steps.len() {
            for (out, count) in [(false, self.steps[n].ins.len()), (true, self.steps[n].outs.len())] {
                for buffer in 0..count {
                    let entry = |schedule: &Schedule, n: usize| -> Option<Placement> {
                        let step = &schedule.steps[n];
                        (if out { &step.outs } else { &step.ins }).get(buffer).cloned().flatten()
                    };
                    let Some(place) = entry(self, n).filter(|_| self.steps[n].label > 0) else { continue };
                    let inside = |m: &usize| self.steps[*m].label > self.steps[n].label;
                    let apart = |m: &usize| loops[*m].iter().any(|one| !shared(place.region, one.core.layer));
                    let through: Vec<usize> =
                        (0..self.steps.len()).filter(|m| inside(m) && apart(m)).collect();
                    let Some(to) = through.iter().copied().max_by_key(|m| self.steps[*m].label) else {
                        continue;
                    };
                    for m in through.iter().filter(|_| out) {
                        let split = loops[*m].iter().find(|one| {
                            let splits = reduced.get(one.dim) == Some(&true) && one.core.mechanism.is_none();
                            splits && !shared(place.region, one.core.layer)
                        });
                        if let Some(Loop { dim, trip, .. }) = split {
                            return Err(refusal(place.region, n, *dim, *trip, "threads", extents[*dim]));
                        }
                    }
                    let there = entry(&sunk, to);
                    let side = |step: &mut Step, place| {
                        let entries = if out { &mut step.outs } else { &mut step.ins };
                        if let Some(slot) = entries.get_mut(buffer) {
                            *slot = place;
                        }
                    };
                    side(&mut sunk.steps[n], None);
                    side(&mut sunk.steps[to], Some(there.unwrap_or(place)));
                }
            }
        }
        Ok(sunk)
    }
}

impl Schedule {
    /// A kernel makes no device memory, and what a thread has for itself is no place to fill a block's memory from: the first
    /// buffer that says so, once all have sunk
    pub fn region_inside(&self, kernel: bool) -> Option<Broken> {
        for (n, step) in self.steps.iter().enumerate().filter(|(_, step)| kernel && step.label > 0) {
            let at = n + 1;
            for (out, entries) in [(false, &step.ins), (true, &step.outs)] {
                for (buffer, place) in entries.iter().enumerate() {
                    let Some(place) = place.as_ref().filter(|place| place.words.prefetch.is_none()) else {
                        continue;
                    };
                    if place.region.is_global() {
                        return Some(Rule::Region.broken(format!(
                            "{place} in step {at}: a kernel makes no buffer in device memory; `^` takes what is there as \
                             it is, SM and RM are made"
                        )));
                    }
                    let around = self.steps.iter().enumerate();
                    let around = around.filter(|(_, other)| (1..step.label).contains(&other.label));
                    let around = around.filter_map(|(m, other)| {
                        let entries = if out { &other.outs } else { &other.ins };
                        Some((m + 1, entries.get(buffer)?.as_ref()?))
                    });
                    let mut own =
                        around.filter(|(_, other)| other.region == Region::Rm && place.region != Region::Rm);
                    if let Some((other, _)) = own.next() {
                        return Some(Rule::Region.broken(format!(
                            "{place} in step {at} inside of RM in step {other}: a block's memory holds no part of what each \
                             thread has for itself; say RM last"
                        )));
                    }
                }
            }
        }
        None
    }
}

fn refusal(region: Region, n: usize, dim: usize, trip: i64, who: &str, extent: i64) -> Broken {
    let (step, dim) = (n + 1, dim + 1);
    Rule::Reduce.broken(format!(
        "{region} at step {step}: results of {trip} {who} in dimension {dim}, which is reduced, cannot meet there. Say \
         the buffer at a later step, take size {extent} (one of them), or say how they meet: (atomic), (kernel)"
    ))
}
