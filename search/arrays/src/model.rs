//! How long a scheduled program might take on a processor: a small model of cores, registers and caches, for comparing.
//!
//! Of the loops around an innermost body those whose variables find elements of private memory are unrolled: their copies are
//! a tile of registers. An iteration of the loop around that tile takes as long as its arithmetic, its loads (each element of
//! a tile once), or the chain of sums that wait for each other; registers that are too few add loads and stores. Bytes that
//! come from beyond a cache are those of the deepest loops whose elements fit, once for each iteration of the loops around.
//! Tasks share the work. In cycles of one core, with the few constants below; no clock, nothing measured.

use terrace_analysis::{Range, range_of};
use terrace_devices::Device;
use terrace_dialect_sched::check::nest::{AccessNode, LoopId, Tree, Use};
use terrace_dialect_sched::space::Space;
use terrace_dialect_sched::{Copy, For, Kernel, Level};
use terrace_ir::{Ir, OpId, Value};
use terrace_support::HashSet;

/// Vector operations that a core begins in a cycle
const PORTS: f64 = 2.0;
/// Loads, some of which wait
const LOADS: f64 = 1.5;
/// Cycles until a sum can be used again
const LATENCY: f64 = 4.0;
/// Cycles for a byte from beyond the first, second and third cache
const BEYOND: [f64; 3] = [1.0 / 48.0, 1.0 / 14.0, 1.0 / 5.0];
/// Loads and stores of a value that has no register
const SPILL: f64 = 4.0;
/// Cycles of a round of a loop that is no arithmetic
const ROUND: f64 = 1.0;
/// Most elements of a tile that are told apart
const MOST: i64 = 4096;

/// Cycles of a function on buffers; loops in the function's own block one after the other
pub fn cycles(function: &Ir, device: &Device) -> f64 {
    let entry = function.regions(function.root()).next().and_then(|region| function.entry(region));
    let tops: Vec<OpId> = entry.into_iter().flat_map(|entry| function.block_ops(entry)).collect();
    let one = |op: &OpId| {
        let known = For::cast(function, *op).is_some()
            || Copy::cast(function, *op).is_some()
            || Kernel::cast(function, *op).is_some();
        if known { Nest::new(function, *op, device).cycles() } else { 0.0 }
    };
    tops.iter().map(one).sum()
}

struct Nest<'a> {
    ir: &'a Ir,
    device: &'a Device,
    tree: Tree,
    /// Loops whose copies are a tile of registers
    tiled: Vec<bool>,
}

impl<'a> Nest<'a> {
    fn new(ir: &'a Ir, top: OpId, device: &'a Device) -> Nest<'a> {
        let tree = Tree::new(ir, top);
        let mut tiled = vec![false; tree.loops.len()];
        for access in tree.accesses.iter().filter(|access| is_private(ir, access.memref)) {
            for value in &access.at.values {
                if let Some(id) = tree.loop_of(*value) {
                    tiled[id] = true;
                }
            }
        }
        // A loop around one that is not in the tile is a loop.
        for id in (0..tiled.len()).rev() {
            let inside = (0..tiled.len()).any(|inner| tree.loops[inner].parent == Some(id) && !tiled[inner]);
            tiled[id] &= !inside;
            tiled[id] |= tree.info(id).level == Level::Vector;
        }
        Nest { ir, device, tree, tiled }
    }

    fn trip(&self, id: LoopId) -> f64 {
        self.tree.info(id).trip().max(1) as f64
    }

    /// How often a place is reached, by loops that are not in a tile
    fn times(&self, place: Option<LoopId>) -> f64 {
        self.tree.around(place).filter(|id| !self.tiled[*id]).map(|id| self.trip(id)).product()
    }

    fn cycles(&self) -> f64 {
        let mut places: Vec<Option<LoopId>> = self.tree.accesses.iter().map(|access| access.inside).collect();
        places.sort_unstable();
        places.dedup();
        let mut sum: f64 = places.into_iter().map(|place| self.body(place)).sum();
        for (number, cost) in BEYOND.iter().enumerate() {
            if let Some(cache) = self.device.memories.get(number) {
                sum += cost * self.bytes_beyond(cache.bytes as f64 * 0.75);
            }
        }
        let tasks: f64 = (0..self.tree.loops.len())
            .filter(|id| self.tree.info(*id).level == Level::Task)
            .map(|id| self.trip(id))
            .fold(1.0, f64::max);
        let units = self.device.units.max(1) as f64;
        // The last round may leave cores without work.
        sum * (tasks / units).ceil() / tasks
    }

    /// The arithmetic and loads at a place, over all iterations
    fn body(&self, place: Option<LoopId>) -> f64 {
        let own: Vec<&AccessNode> =
            self.tree.accesses.iter().filter(|access| access.inside == place).collect();
        let tile: Vec<LoopId> = self.tree.around(place).filter(|id| self.tiled[*id]).collect();
        let copies: f64 = tile.iter().filter(|id| !self.is_vector(**id)).map(|id| self.trip(*id)).product();
        let (mut loads, mut sums, mut registers, mut moved) = (0.0, 0.0f64, 0.0, 0.0);
        for access in &own {
            if Copy::cast(self.ir, access.op).is_some() {
                let elements: f64 = access.domain.iter().map(|size| (*size).max(1) as f64).product();
                moved += elements * self.element(access.memref) / self.device.vector_bytes.max(8) as f64;
                continue;
            }
            let vectors = self.vectors(access, &tile);
            let distinct = self.distinct(access, &tile) * vectors;
            if is_private(self.ir, access.memref) {
                if access.what != Use::Read {
                    sums += distinct;
                    registers += distinct;
                }
                continue;
            }
            loads += distinct;
            // Compilers load all that a tile needs before they use it.
            registers += distinct;
        }
        // One operation a merge, and one for each body that merges nothing.
        let lanes = own.iter().map(|access| self.vectors(access, &tile)).fold(1.0, f64::max);
        let operations = copies * lanes;
        let chain = if sums > 0.0 { LATENCY * operations / sums } else { 0.0 };
        let spilled = (registers - self.device.registers.max(8) as f64).max(0.0) * SPILL;
        let round = (operations / PORTS).max((loads + spilled) / LOADS).max(chain) + moved;
        let round =
            if own.iter().all(|access| Copy::cast(self.ir, access.op).is_some()) { moved } else { round };
        (round + ROUND) * self.times(place)
    }

    fn is_vector(&self, id: LoopId) -> bool {
        self.tree.info(id).level == Level::Vector
    }

    fn is_over_lanes(&self, access: &AccessNode, tile: &[LoopId]) -> bool {
        tile.iter().any(|id| self.is_vector(*id) && access.at.values.contains(&self.tree.info(*id).iv))
    }

    /// Registers of the lanes of one access
    fn vectors(&self, access: &AccessNode, tile: &[LoopId]) -> f64 {
        let lanes = tile.iter().filter(|id| self.is_vector(**id) && self.is_over_lanes(access, &[**id]));
        let lanes: f64 = lanes.map(|id| self.trip(*id)).product();
        (lanes * self.element(access.memref) / self.device.vector_bytes.max(8) as f64).ceil().max(1.0)
    }

    fn element(&self, memref: Value) -> f64 {
        let cx = self.ir.cx();
        let bits = self.ir.ty(memref).scalar(cx).bit_width(cx).unwrap_or(64);
        f64::from(bits.div_ceil(8))
    }

    /// Different elements of an access over the copies of a tile, lanes counted once
    fn distinct(&self, access: &AccessNode, tile: &[LoopId]) -> f64 {
        let over: Vec<LoopId> = tile
            .iter()
            .copied()
            .filter(|id| !self.is_vector(*id) && access.at.values.contains(&self.tree.info(*id).iv))
            .collect();
        let count = over.iter().try_fold(1i64, |all, id| all.checked_mul(self.tree.info(*id).trip().max(1)));
        let Some(count) = count.filter(|count| *count <= MOST) else { return MOST as f64 };
        let own = access.domain.len();
        let mut seen: HashSet<Vec<i64>> = HashSet::default();
        for number in 0..count {
            let mut dims = vec![0; own + access.at.values.len()];
            let mut rest = number;
            for id in &over {
                let info = self.tree.info(*id);
                let at = rest % info.trip().max(1) * info.tile;
                rest /= info.trip().max(1);
                for (n, value) in access.at.values.iter().enumerate() {
                    if *value == info.iv {
                        dims[own + n] = at;
                    }
                }
            }
            seen.extend(access.at.map.eval(&dims, &[]));
        }
        seen.len().max(1) as f64
    }

    /// Bytes of an access over all iterations of the loops inside of a place
    fn footprint(&self, access: &AccessNode, place: Option<LoopId>) -> f64 {
        let own = access.domain.iter().map(|size| Range::below(*size).unwrap_or(Range::one(0)));
        let outer: Vec<LoopId> = self.tree.around(place).collect();
        let values = access.at.values.iter().map(|value| match self.tree.loop_of(*value) {
            Some(id) if !outer.contains(&id) => self.tree.range(id),
            _ => Range::one(0),
        });
        let ranges: Vec<Range> = own.chain(values).collect();
        let shape = self.ir.ty(access.memref).shape(self.ir.cx()).unwrap_or(&[]).to_vec();
        let sizes = access.at.map.results.iter().zip(shape).map(|(expr, size)| {
            let count = range_of(expr, &ranges).map_or(u64::MAX, Range::count);
            count.min(size.max(1).unsigned_abs()) as f64
        });
        sizes.product::<f64>() * self.element(access.memref)
    }

    /// All that is touched inside of a place: each buffer once, by the access that touches most of it
    fn working_set(&self, place: Option<LoopId>) -> f64 {
        let mut largest: Vec<(Value, f64)> = Vec::new();
        for access in &self.tree.accesses {
            let inside = place.is_none_or(|id| self.tree.is_in(access.inside, id));
            if !inside || is_private(self.ir, access.memref) {
                continue;
            }
            let bytes = self.footprint(access, place);
            match largest.iter_mut().find(|(memref, _)| *memref == access.memref) {
                Some((_, most)) => *most = most.max(bytes),
                None => largest.push((access.memref, bytes)),
            }
        }
        largest.iter().map(|(_, bytes)| bytes).sum()
    }

    /// Bytes that come from beyond a cache of so many
    fn bytes_beyond(&self, size: f64) -> f64 {
        let sets: Vec<f64> = (0..self.tree.loops.len()).map(|id| self.working_set(Some(id))).collect();
        let all = self.working_set(None);
        let mut sum = 0.0;
        for access in self.tree.accesses.iter().filter(|access| !is_private(self.ir, access.memref)) {
            // Of the outermost loop around it one iteration of which fits: what all of its iterations touch comes once.
            let mut at = None;
            if all > size {
                let fitting = self.tree.around(access.inside).take_while(|id| sets[*id] <= size).last();
                at = fitting.map_or(access.inside, |id| self.tree.loops[id].parent);
            }
            let times: f64 = self.tree.around(at).map(|id| self.trip(id)).product();
            sum += times * self.footprint(access, at);
        }
        sum
    }
}

fn is_private(ir: &Ir, memref: Value) -> bool {
    Space::of(ir.cx(), ir.ty(memref)) == Space::Private
}
