//! Designs for an FPGA as a space: the primitives buffer, pipeline and partition, judged by a model (paper, §5.2).
//!
//! Tiles that a round holds divide the dimensions of the result. Every pipeline reads, computes
//! and writes: three stages, as the paper fixes them for FPGAs (§4.2). A design that the device has no room for is no point.
//! [`schedule`] is the schedule of a design, which is lowered as any other.

use std::cell::RefCell;
use terrace_devices::{Axis, Layer, Region};
use terrace_schedule_fpga::{Array, Convolution, Design, Estimate, Extent, Fpga, Misfit, Tiled, estimate};
use terrace_schedule_model::computation::{Computation, DimKind, Memory};
use terrace_schedule_model::{Core, Decision, Placement, Schedule, Size, Step};
use terrace_search_explore::{Coordinate, Space};
use terrace_search_schedules::choices::divisors;
use terrace_search_schedules::{Refusal, Refusals};
use terrace_support::affine::AffineMap;

/// Pipelines, lanes and banks, at most
const MOST: i64 = 1024;

/// Parameters behind the tiles
const NAMES: [&str; 3] = ["pipeline.lanes", "partition", "pipeline"];

/// A design with the tiles of its rounds
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Chosen {
    /// A tile of each kept dimension
    pub tiles: Vec<i64>,
    /// Pipelines, lanes and banks
    pub design: Design,
}

/// All designs for a computation on a device
pub struct DesignSpace<'a> {
    device: &'a Fpga,
    tiled: Tiled,
    /// Kept dimensions, by number among these, whose tiles are chosen; the others have one coordinate in a round
    open: Vec<usize>,
    refused: RefCell<Refusals>,
}

impl<'a> DesignSpace<'a> {
    /// Of a computation: every kept dimension has tiles
    pub fn new(device: &'a Fpga, tiled: Tiled) -> DesignSpace<'a> {
        let open = (0..tiled.kept().len()).collect();
        DesignSpace { device, tiled, open, refused: RefCell::default() }
    }

    /// Of a convolution: rows and columns are buffered, and a round has one filter
    pub fn of_convolution(device: &'a Fpga, convolution: &Convolution) -> DesignSpace<'a> {
        DesignSpace { device, tiled: convolution.tiled(), open: vec![2, 3], refused: RefCell::default() }
    }

    /// The computation
    pub fn tiled(&self) -> &Tiled {
        &self.tiled
    }

    /// The design that a point is; an error where a number is none
    pub fn design(&self, point: &[Decision]) -> Result<Chosen, Misfit> {
        let number = |n: usize, name: &'static str| match point.get(n) {
            Some(Decision::Number(number)) => Ok(*number),
            _ => Err(Misfit::Parameter(name, 0)),
        };
        let mut tiles = vec![1; self.tiled.kept().len()];
        for (n, dim) in self.open.iter().enumerate() {
            tiles[*dim] = number(n, "a tile")?;
        }
        let at = |n: usize| number(self.open.len() + n, NAMES[n]);
        let design = Design { lanes: at(0)?, banks: at(1)?, pipelines: at(2)? };
        Ok(Chosen { tiles, design })
    }

    /// What a design takes
    pub fn estimate(&self, point: &[Decision]) -> Result<Estimate, Misfit> {
        judge(self.device, &self.tiled, &self.design(point)?)
    }

    /// How many designs each resource refused so far
    pub fn refusals(&self) -> Refusals {
        self.refused.borrow().clone()
    }

    fn has_room(&self, point: &[Decision]) -> bool {
        let verdict = self.estimate(point);
        if let Err(why) = &verdict {
            let rule = match why {
                Misfit::Dsp(..) => "DSP",
                Misfit::Bram(..) => "BRAM",
                _ => "DESIGN",
            };
            self.refused.borrow_mut().add(&Refusal::of(format!("{rule}: {why}")));
        }
        verdict.is_ok()
    }

    /// Values of a parameter behind the tiles
    fn numbers(&self, before: &[Decision]) -> Vec<i64> {
        let numbers: Vec<i64> = before
            .iter()
            .filter_map(|value| match value {
                Decision::Number(number) => Some(*number),
                _ => None,
            })
            .collect();
        let mut tiles = vec![1; self.tiled.kept().len()];
        for (dim, tile) in self.open.iter().zip(&numbers) {
            tiles[*dim] = *tile;
        }
        let doubled = |most: i64| {
            std::iter::successors(Some(1i64), |n| Some(2 * n))
                .take_while(move |n| *n <= most.min(MOST))
                .collect()
        };
        match before.len() - self.open.len() {
            0 => divisors(self.tiled.lanes_of(&tiles).max(0)),
            1 => doubled(numbers.last().copied().unwrap_or(1)),
            _ => divisors(rounds_along(&self.tiled, &tiles)),
        }
    }
}

/// Rounds of the dimension that pipelines share
fn rounds_along(tiled: &Tiled, tiles: &[i64]) -> i64 {
    let kept = tiled.kept();
    let own =
        tiled.shared(tiles).and_then(|dim| Some((dim, tiles[kept.iter().position(|own| *own == dim)?])));
    own.map_or(1, |(dim, tile)| tiled.extents[dim].size / tile.max(1))
}

/// What a design takes on a device; lanes and pipelines divide what they share
pub fn judge(device: &Fpga, tiled: &Tiled, chosen: &Chosen) -> Result<Estimate, Misfit> {
    let Chosen { tiles, design } = chosen;
    let rounds = tiled.rounds(tiles)?;
    for (name, value, whole) in [
        ("the number of lanes", design.lanes, tiled.lanes_of(tiles)),
        ("the number of pipelines", design.pipelines, rounds.along),
    ] {
        if value < 1 || whole % value != 0 {
            return Err(Misfit::Part(name, value, whole));
        }
    }
    estimate(device, &rounds, design)
}

impl Space for DesignSpace<'_> {
    fn names(&self) -> Vec<String> {
        let kept = self.tiled.kept();
        let tiles = self.open.iter().map(|n| format!("buffer.{}", self.tiled.extents[kept[*n]].name));
        tiles.chain(NAMES.map(String::from)).collect()
    }

    fn values(&self, before: &[Decision]) -> Vec<Decision> {
        let all = self.open.len() + NAMES.len();
        let kept = self.tiled.kept();
        let numbers = match self.open.get(before.len()) {
            Some(dim) => divisors(self.tiled.extents[kept[*dim]].size.max(0)),
            None if before.len() < all => self.numbers(before),
            None => Vec::new(),
        };
        let last = before.len() + 1 == all;
        let fits = |value: &Decision| !last || self.has_room(&[before, std::slice::from_ref(value)].concat());
        numbers
            .into_iter()
            .filter(|n| *n <= MOST || before.len() < self.open.len())
            .map(Decision::Number)
            .filter(fits)
            .collect()
    }

    fn coordinates(&self) -> Vec<Coordinate> {
        (0..self.open.len() + NAMES.len()).map(Coordinate::Value).collect()
    }
}

/// A computation as tiles of an FPGA see it; the error says what no design has
pub fn tiled(c: &Computation) -> Result<Tiled, &'static str> {
    if !c.bounds.is_empty() || !c.extents.is_empty() || c.in_order {
        return Err("a design has no conditions, no extents that are known at run time, and any order");
    }
    if c.dims.is_empty() || c.dims.iter().any(|dim| dim.kind == DimKind::Prefixes) {
        return Err("a design has dimensions that are kept or folded");
    }
    let [out] = &c.outputs[..] else { return Err("a design has one result") };
    let [map] = &out.maps[..] else { return Err("a design writes one element at a point") };
    let array = |map: &AffineMap, memory: &Memory| -> Option<Array> {
        let subscripts = map
            .as_linear()?
            .into_iter()
            .map(|own| (0..c.dims.len()).map(|dim| (dim, own.dim(dim))).filter(|(_, by)| *by != 0).collect());
        Some(Array { subscripts: subscripts.collect(), bytes: memory.bytes })
    };
    let writes = array(map, &c.results[0]).ok_or("a design has subscripts that are sums of dimensions")?;
    let mut reads = Vec::new();
    for (group, buffer) in c.groups.iter().enumerate() {
        let mut own = c.inputs.iter().filter(|input| input.group == group);
        let (Some(input), None) = (own.next(), own.next()) else {
            return Err("a design reads one element of a buffer at a point");
        };
        let found =
            input.map.as_ref().filter(|_| !input.replaced).and_then(|map| array(map, &c.buffers[*buffer]));
        reads.push(
            found.ok_or("a design has subscripts that are sums of dimensions, inside of their buffers")?,
        );
    }
    let extents = c.dims.iter().map(|dim| Extent {
        name: dim.name.clone(),
        size: dim.size,
        reduced: dim.kind.is_reduced(),
    });
    Ok(Tiled { extents: extents.collect(), reads, writes })
}

/// The schedule of a design: pipelines are threads, tiles are in the nearest memory, lanes are copies
///
/// Loops that fold stand around those of the tile, so that a sum waits for all others of its tile (`sums` of the model).
pub fn schedule(c: &Computation, tiled: &Tiled, chosen: &Chosen) -> Schedule {
    let Chosen { tiles, design } = chosen;
    let (kept, lane) = (tiled.kept(), tiled.lane());
    let folded: Vec<usize> = (0..tiled.extents.len()).filter(|dim| tiled.extents[*dim].reduced).collect();
    let mut steps = Steps { sizes: tiled.extents.iter().map(|own| own.size).collect(), steps: Vec::new(), c };
    if let Some(dim) = tiled.shared(tiles).filter(|_| design.pipelines > 1) {
        let part = steps.sizes[dim] / design.pipelines;
        steps.push(&[(dim, part)], |_| Core::along(Layer::Thr, Axis::X));
    }
    let in_order = |n: usize| Core::numbered(Layer::For, n + 1);
    let rounds: Vec<(usize, i64)> = kept.iter().copied().zip(tiles.iter().copied()).collect();
    steps.push(&rounds, in_order);
    if let Some(step) = steps.steps.last_mut() {
        let near = || Some(Placement::new(Region::L1, Vec::new()));
        step.ins.fill(near());
        step.outs.fill(near().filter(|_| !folded.is_empty()));
    }
    let inside = |dim: usize| if dim == lane { design.lanes } else { 1 };
    if !folded.is_empty() {
        let sums: Vec<(usize, i64)> = folded.iter().map(|dim| (*dim, inside(*dim))).collect();
        steps.push(&sums, in_order);
    }
    let tile: Vec<(usize, i64)> = kept.iter().map(|dim| (*dim, inside(*dim))).collect();
    steps.push(&tile, in_order);
    if design.lanes > 1 {
        steps.push(&[(lane, 1)], |_| Core::numbered(Layer::Unr, 1));
    }
    Schedule { steps: steps.steps }
}

/// Steps that are put together
struct Steps<'a> {
    c: &'a Computation,
    sizes: Vec<i64>,
    steps: Vec<Step>,
}

impl Steps<'_> {
    /// Loops over dimensions down to these sizes, in order
    fn push(&mut self, loops: &[(usize, i64)], core: impl Fn(usize) -> Core) {
        let dims = self.sizes.len();
        let mut step: Step = Step {
            label: self.steps.len() + 1,
            sizes: vec![Size { value: None, tail: None }; dims],
            ins: vec![None; self.c.buffers.len()],
            outs: vec![None; self.c.outputs.len()],
            cores: vec![None; dims],
        };
        for (n, (dim, size)) in loops.iter().enumerate() {
            step.sizes[*dim].value = Some(*size);
            step.cores[*dim] = Some(core(n));
            self.sizes[*dim] = *size;
        }
        self.steps.push(step);
    }
}
