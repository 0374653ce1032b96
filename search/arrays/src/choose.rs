//! A point that fills a device, chosen without measuring (CC 2022 §5: sizes and threads are set so that cores and registers are
//! saturated).
//!
//! Number points that are spread over the space are looked at, each with the mapping that keeps most of the device busy among
//! the most parallel one and some that are drawn. What counts: the part of the cores that has work, weighted by the work of each
//! kernel; the part of the registers that hold values, which must not be more than there are if others fit; the work, which padding and
//! tiles increase; then bytes. On a processor what [`terrace_schedule_cost`] says: lanes, tiles of registers and caches count there, and threads are
//! few; from the best of those points on, others that differ in one number. Deterministic: no clock, a fixed seed.

use crate::mapping::Mapping;
use crate::space::{ArraySpace, Bound};
use std::fmt;
use terrace_devices::{Device, DeviceKind};
use terrace_ir::Ir;
use terrace_ir::symbols::{ScopeId, Symbols};
use terrace_lowering_array::memory::{Memory, bytes};
use terrace_schedule_cost::Estimate;
use terrace_schedule_model::Point;
use terrace_search_mapping::levels::IN_PARALLEL;
use terrace_search_mapping::{MapLevel, Mapping as Levels, Tree, function};
use terrace_search_solver::Random;

/// Number points that are looked at
const POINTS: u64 = 24;
/// The same for a processor
const HOST_POINTS: u64 = 96;
/// Steps from the best of them to better ones
const MOST_STEPS: usize = 4;
/// Mappings that are drawn for each
const DRAWS: usize = 24;

/// What was chosen, and why
#[derive(Clone, PartialEq, Debug)]
pub struct Choice {
    /// The point
    pub point: Point,
    /// Part of the cores that has work
    pub cores: f64,
    /// Part of the registers of a thread that hold values of the program's own
    pub registers: f64,
    /// Iterations of all maps
    pub work: f64,
    /// Bytes of the program
    pub memory: Memory,
    /// On a processor: how long it might take
    pub cycles: Option<f64>,
}

impl fmt::Display for Choice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Choice { cores, registers, memory, .. } = self;
        let (private, total) = (memory.private, memory.total());
        if let Some(cycles) = self.cycles {
            return write!(
                f,
                "{:.0} % of the cores have work, perhaps {:.2} million cycles of all, {:.2} MB in all",
                cores * 100.0,
                cycles / 1e6,
                total as f64 / 1e6
            );
        }
        write!(
            f,
            "{:.0} % of the cores have work, {private} bytes of a thread fill {:.0} % of its registers, {:.2} MB in all",
            cores * 100.0,
            registers * 100.0,
            total as f64 / 1e6
        )
    }
}

/// The point that fills a device best; `None` if no number point that was looked at has a mapping
pub fn saturate(space: &ArraySpace<'_>, device: &Device) -> Option<Choice> {
    let mut found: Vec<Choice> = Vec::new();
    let host = device.kind == DeviceKind::Host;
    let points = if host { HOST_POINTS } else { POINTS };
    for n in 0..points {
        let numbers = space.program().listed.spread(n, points)?;
        if let Some(choice) = look(space, device, &numbers)
            && !found.iter().any(|other| other.point == choice.point)
        {
            found.push(choice);
        }
    }
    if host {
        let fastest = |a: Choice, b: Choice| if b.is_faster(&a) { b } else { a };
        return found.into_iter().reduce(fastest).map(|best| nearby(space, device, best));
    }
    let least = found.iter().map(|choice| choice.work).fold(f64::INFINITY, f64::min);
    // What does not fit goes to memory: only if nothing fits.
    let score = |choice: &Choice| {
        let fits = choice.registers <= 1.0;
        let filled = if fits { 0.5 + 0.5 * choice.registers } else { 0.5 / choice.registers };
        (fits, choice.cores * filled * least / choice.work.max(1.0))
    };
    // The first of those that are equally good in both.
    found.into_iter().reduce(|best, next| {
        let (a, b) = (score(&best), score(&next));
        let better = b > a || b == a && next.memory.total() < best.memory.total();
        if better { next } else { best }
    })
}

/// A number point with the mapping that keeps most of the device busy
fn look(space: &ArraySpace<'_>, device: &Device, numbers: &[i64]) -> Option<Choice> {
    let bound = space.bound(numbers);
    let bound = bound.as_ref().as_ref().ok()?;
    let (levels, cores, work) = match &bound.mapping {
        Some(mapping) => busiest(mapping, device)?,
        None => written(bound, device),
    };
    let point = space.point_of(numbers, &levels);
    let module = space.make_program(&point).ok()?;
    let symbols = Symbols::read(&module);
    let unit = module.child(bound.slot)?;
    let scope = symbols.child_scope(symbols.root(), unit);
    let memory = bytes(unit, &symbols, scope).ok()?;
    let registers = memory.private as f64 / capacity(device);
    let cycles = match device.kind {
        DeviceKind::Host => estimate(unit, &symbols, scope, device).map(|all| all.total),
        DeviceKind::Grid => None,
    };
    Some(Choice { point, cores, registers, work, memory, cycles })
}

impl Choice {
    /// In fewer cycles, or as many with less memory
    fn is_faster(&self, other: &Choice) -> bool {
        let of = |choice: &Choice| choice.cycles.unwrap_or(f64::INFINITY);
        let (own, before) = (of(self), of(other));
        own < before || own == before && self.memory.total() < other.memory.total()
    }
}

/// From a point on to faster ones that differ in one number, while there are some
fn nearby(space: &ArraySpace<'_>, device: &Device, mut best: Choice) -> Choice {
    let listed = &space.program().listed;
    for _ in 0..MOST_STEPS {
        let Some(numbers) = space.numbers_of(&best.point) else { break };
        let mut next: Option<Choice> = None;
        for place in 0..numbers.len() {
            for value in listed.after(&numbers[..place]) {
                let mut other = numbers.clone();
                other[place] = value;
                if value == numbers[place] || listed.complete(&other).is_none() {
                    continue;
                }
                let found = look(space, device, &other);
                next = found.filter(|found| found.is_faster(next.as_ref().unwrap_or(&best))).or(next);
            }
        }
        match next {
            Some(next) => best = next,
            None => break,
        }
    }
    best
}

/// How long a function on arrays might take on a processor; `None` if it has no form as loops
pub fn estimate(function: &Ir, symbols: &Symbols, scope: ScopeId, device: &Device) -> Option<Estimate> {
    let mut copy = function.clone_unit();
    terrace_lowering_array::place::place(&mut copy, symbols, scope);
    terrace_lowering_array::lower(&mut copy, symbols, scope).ok()?;
    terrace_schedule_cost::estimate(&terrace_dialect_sched::nests(&copy), device)
}

/// Bytes that a thread can hold in registers
fn capacity(device: &Device) -> f64 {
    (device.registers.max(1) * device.vector_bytes.max(4)) as f64
}

/// Levels of the open maps that keep most cores busy, the part of the cores, and the work
fn busiest(mapping: &Mapping, device: &Device) -> Option<(Levels, f64, f64)> {
    let idle = |n: usize, value: MapLevel| {
        usize::from(
            mapping.problem.decided[n].is_none() && !value.is_at(IN_PARALLEL) && value != MapLevel::Fused,
        )
    };
    let most = mapping.space.cheapest(&idle).map(|(values, _)| values);
    let mut random = Random::new(0);
    let drawn = (0..DRAWS).map_while(|_| mapping.sample(&mut random));
    let fits = |values: &Levels| mapping.problem.broken(values).is_empty();
    let tree = &mapping.problem.tree;
    let mut best: Option<(Levels, f64, f64)> = None;
    for values in most.into_iter().chain(drawn).filter(fits) {
        let (cores, work) = busy(tree, &values, device);
        if best.as_ref().is_none_or(|(_, most, _)| cores > *most) {
            best = Some((values, cores, work));
        }
    }
    best.map(|(values, cores, work)| (mapping.choices(&values), cores, work))
}

/// The same of the levels that are written
fn written(bound: &Bound, device: &Device) -> (Levels, f64, f64) {
    let Some(unit) = bound.module.child(bound.slot) else { return (Vec::new(), 0.0, 1.0) };
    let tree = Tree::of(unit);
    let values: Levels =
        (0..tree.loops.len()).map(|n| function::decided(unit, &tree, n).unwrap_or(MapLevel::SEQ)).collect();
    let (cores, work) = busy(&tree, &values, device);
    (Vec::new(), cores, work)
}

/// Part of a device that has work, over all kernels by their work; and the work
fn busy(tree: &Tree, values: &[MapLevel], device: &Device) -> (f64, f64) {
    let trips = |n: usize| tree.loops[n].size.as_constant().unwrap_or(1).max(1) as f64;
    let (mut filled, mut all) = (0.0, 0.0);
    for chain in tree.chains() {
        let work: f64 = chain.iter().map(|n| trips(*n)).product();
        let mut parallel = 1.0;
        let mut around = false;
        for n in chain {
            let own = match values[n] {
                MapLevel::Fused => around,
                level => level.is_at(IN_PARALLEL),
            };
            parallel *= if own { trips(n) } else { 1.0 };
            around = own;
        }
        let units = match device.kind {
            DeviceKind::Host => device.units.max(1) as f64,
            DeviceKind::Grid => {
                (device.units.max(1) * device.warp.max(1)) as f64 * device.costs.occupancy.warps
            }
        };
        // The last round of chunks may leave cores without work.
        filled += work * parallel / ((parallel / units).ceil() * units);
        all += work;
    }
    (filled / f64::max(all, 1.0), all)
}
