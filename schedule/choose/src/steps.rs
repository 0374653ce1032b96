//! Steps written dimension by dimension: what is not said is `^`.

use terrace_devices::{Axis, Layer, Region};
use terrace_schedule_model::{Core, Placement, Schedule, Size, Step, Tail};

/// Steps in the making; order of the schedule is order of code
pub struct Steps {
    dims: usize,
    ins: usize,
    outs: usize,
    /// Size of each dimension so far
    sizes: Vec<i64>,
    steps: Vec<Step>,
}

/// A step in the making
pub struct StepBuilder {
    step: Step,
    sizes: Vec<i64>,
    number: usize,
    any: bool,
}

impl StepBuilder {
    /// Tile a dimension; loops of a step nest in the order of the calls. Nothing where the tile is not smaller
    pub fn tile(&mut self, dim: usize, size: i64, layer: Layer, tail: Option<Tail>) -> &mut Self {
        if size >= self.sizes[dim] || size < 1 {
            return self;
        }
        self.number += 1;
        let taken = self.step.cores.iter().flatten().filter(|core| core.layer == layer).count();
        let core = match layer.is_sequential() {
            true => Core::numbered(layer, self.number),
            false => Core::along(layer, Axis::ALL[taken.min(2)]),
        };
        let divides = self.sizes[dim] % size == 0;
        self.step.sizes[dim] = Size {
            value: Some(size),
            tail: tail.filter(|tail| match tail {
                Tail::Peel => !divides || layer == Layer::For,
                // Of a vector that is the remainder of a tile.
                Tail::Mask => true,
                _ => !divides,
            }),
        };
        self.step.cores[dim] = Some(core);
        self.sizes[dim] = size;
        self.any = true;
        self
    }

    /// Size of a dimension's tile so far
    pub fn size(&self, dim: usize) -> i64 {
        self.sizes[dim]
    }

    /// Say who runs a dimension without tiling it
    pub fn core(&mut self, dim: usize, layer: Layer) -> &mut Self {
        self.step.cores[dim] = Some(Core::along(layer, Axis::X));
        self.any = true;
        self
    }

    /// A buffer of an input
    pub fn input(&mut self, buffer: usize, place: Placement) -> &mut Self {
        self.step.ins[buffer] = Some(place);
        self.any = true;
        self
    }

    /// A buffer of an output
    pub fn output(&mut self, out: usize, region: Region) -> &mut Self {
        self.output_as(out, Placement::new(region, Vec::new()))
    }

    /// A buffer of an output, laid out in some way
    pub fn output_as(&mut self, out: usize, place: Placement) -> &mut Self {
        self.step.outs[out] = Some(place);
        self.any = true;
        self
    }
}

impl Steps {
    /// For a computation of these extents, with so many input buffers and outputs
    pub fn new(sizes: Vec<i64>, ins: usize, outs: usize) -> Steps {
        Steps { dims: sizes.len(), ins, outs, sizes, steps: Vec::new() }
    }

    /// Number of steps so far
    pub fn len(&self) -> usize {
        self.steps.len()
    }

    /// Is there no step yet?
    pub fn is_empty(&self) -> bool {
        self.steps.is_empty()
    }

    /// Size of a dimension's tile so far
    pub fn size(&self, dim: usize) -> i64 {
        self.sizes[dim]
    }

    /// The next step; dropped if it says nothing
    pub fn step(&mut self, write: impl FnOnce(&mut StepBuilder)) {
        let step = Step {
            label: self.steps.len() + 1,
            sizes: vec![Size { value: None, tail: None }; self.dims],
            ins: vec![None; self.ins],
            outs: vec![None; self.outs],
            cores: vec![None; self.dims],
        };
        let mut builder = StepBuilder { step, sizes: self.sizes.clone(), number: 0, any: false };
        write(&mut builder);
        if builder.any {
            self.sizes = builder.sizes;
            self.steps.push(builder.step);
        }
    }

    /// The schedule, with a last step for what is left: sequential loops in this order
    pub fn finish(mut self, order: &[usize]) -> Schedule {
        let left: Vec<usize> = order.iter().copied().filter(|dim| self.sizes[*dim] > 1).collect();
        self.step(|step| {
            for dim in left {
                step.tile(dim, 1, Layer::For, None);
            }
        });
        Schedule { steps: self.steps }
    }
}
