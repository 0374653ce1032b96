//! Loops and buffers in the order of code: what scripts and steps have in common.

use crate::Computation;
use crate::refusal::{Code, NoScript, Refusal};
use terrace_devices::{Axis, Layer, Mechanism, Region};
use terrace_dialect_mdh::schedule::{self, Part, Placement, Rule, Schedule, Tail, Words};

/// What `double_buffer` says
pub(crate) const DOUBLE: Words =
    Words { nt: false, stages: Some(2), swizzle: None, xor: None, prefetch: None };

/// Who runs a loop
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Core {
    Seq,
    Unroll,
    Vector,
    Block(Axis),
    /// Of a block, or a task where there are no blocks
    Thread(Axis),
    /// Inside of everything (`vthread`): one after the other, or as copies
    Virtual {
        unroll: bool,
    },
}

impl Core {
    pub(crate) fn is_block(self) -> bool {
        matches!(self, Core::Block(_))
    }

    pub(crate) fn is_virtual(self) -> bool {
        matches!(self, Core::Virtual { .. })
    }

    /// Loops of one class can be one step
    pub(crate) fn class(self) -> u8 {
        match self {
            Core::Block(_) => 0,
            Core::Thread(_) => 1,
            Core::Seq | Core::Unroll | Core::Virtual { .. } => 2,
            Core::Vector => 3,
        }
    }
}

/// A loop over tiles of a dimension
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Loop {
    pub dim: usize,
    /// Elements from one iteration to the next: the size of a tile
    pub stride: i64,
    pub trip: i64,
    pub core: Core,
    pub peel: bool,
    pub pad: bool,
    /// What remains is one vector (`~mask`), though its size is a multiple of the lanes'
    pub mask: bool,
    /// How values of iterations meet
    pub via: Option<Mechanism>,
    pub name: String,
}

/// A buffer, inside of the loops before it
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Event {
    pub out: bool,
    /// Of inputs; results have theirs together
    pub buffer: usize,
    pub region: Region,
    pub layout: Vec<Part>,
    pub words: Words,
}

/// Something in the order of code
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Item {
    Loop(Loop),
    Event(Event),
}

/// All of it
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Nest {
    pub items: Vec<Item>,
    /// It is a kernel of one block, along this dimension
    pub block: Option<usize>,
}

impl Nest {
    /// Virtual threads run one after the other inside of all other loops; only lanes stand in them
    pub(crate) fn virtual_inside(&mut self) {
        let is = |item: &Item| matches!(item, Item::Loop(one) if one.core.is_virtual());
        let (inside, mut rest): (Vec<Item>, Vec<Item>) = self.items.drain(..).partition(is);
        let lanes =
            rest.iter().rposition(|item| !matches!(item, Item::Loop(one) if one.core == Core::Vector));
        let at = lanes.map_or(0, |n| n + 1);
        rest.splice(at..at, inside);
        self.items = rest;
    }

    /// Is it for a device with a grid?
    pub(crate) fn grid(&self) -> bool {
        self.block.is_some()
            || self.items.iter().any(|item| matches!(item, Item::Loop(one) if one.core.is_block()))
    }
}

/// The nest of a schedule
pub(crate) fn of(schedule: &Schedule, computation: &Computation) -> Result<Nest, NoScript> {
    let steps: Vec<&schedule::Step> = schedule.steps.iter().filter(|step| step.label > 0).collect();
    let dims = computation.dims.len();
    let mut sizes: Vec<i64> = computation.dims.iter().map(|dim| dim.size.max(1)).collect();
    let mut cores: Vec<Option<schedule::Core>> = vec![None; dims];
    let mut blocks = false;
    let mut placed: Vec<(usize, Vec<Item>)> = Vec::new();
    for (n, step) in steps.iter().enumerate() {
        let at = format!("step {}", n + 1);
        if step.ins.len() > computation.ins.len() {
            let why = format!("{at} has an entry per access group; scripts have one per buffer");
            return Err(Rule::Arity.broken(why).into());
        }
        if step.sizes.len() != dims || step.cores.len() != dims || step.ins.len() != computation.ins.len() {
            let why = format!("{at} has other numbers of entries than the computation");
            return Err(Rule::Arity.broken(why).into());
        }
        let mut loops: Vec<((u8, u32), Loop)> = Vec::new();
        for dim in 0..dims {
            if step.cores[dim].is_some() {
                cores[dim] = step.cores[dim];
            }
            let core = cores[dim];
            blocks |= core.as_ref().is_some_and(|core| core.layer == Layer::Blk);
            let (above, size) = (sizes[dim], step.sizes[dim].value.unwrap_or(sizes[dim]).max(1));
            sizes[dim] = size;
            let tail = step.sizes[dim].tail;
            if above <= size {
                continue;
            }
            let trip = (above + size - 1) / size;
            let (key, core) = who(core.as_ref(), dim, &at)?;
            let name = computation.dims[dim].name.clone();
            let (peel, pad) = (tail == Some(Tail::Peel), tail == Some(Tail::Pad));
            // Lanes that do not divide are masked by themselves.
            let mask = tail == Some(Tail::Mask) && above % size == 0;
            loops.push((key, Loop { dim, stride: size, trip, core, peel, pad, mask, via: None, name }));
        }
        loops.sort_by_key(|(key, _)| *key);
        let mut items: Vec<Item> = loops.into_iter().map(|(_, one)| Item::Loop(one)).collect();
        items.extend(events(step, &at)?.into_iter().map(Item::Event));
        placed.push((step.label, items));
    }
    placed.sort_by_key(|(label, _)| *label);
    let items: Vec<Item> = placed.into_iter().flat_map(|(_, items)| items).collect();
    let mut nest = Nest { items, block: None };
    if blocks && !nest.grid() {
        nest.block = Some(computation.axes.first().copied().unwrap_or(0));
    }
    Ok(nest)
}

/// Order in a step, and who runs the loop
fn who(core: Option<&schedule::Core>, dim: usize, at: &str) -> Result<((u8, u32), Core), Refusal> {
    let Some(core) = core else { return Ok(((1, dim as u32 + 1), Core::Seq)) };
    if let Some(via) = core.mechanism {
        return Err(Code::Word.because(format!(
            "`({via})` of {at}: how values of threads meet is read from `rfactor`, and not written as one"
        )));
    }
    let number = core.number().unwrap_or(0);
    let axis = core.axis().unwrap_or(Axis::X);
    Ok(match core.layer {
        Layer::For | Layer::Gpu | Layer::Cpu => ((1, number), Core::Seq),
        Layer::Unr => ((1, number), Core::Unroll),
        Layer::Vec => ((2, 0), Core::Vector),
        Layer::Blk => ((0, axis as u32), Core::Block(axis)),
        Layer::Thr => ((0, axis as u32), Core::Thread(axis)),
        Layer::Wrp => {
            return Err(Code::Word
                .because(format!("{} of {at}: scripts bind loops to blocks and threads only", core.layer)));
        }
    })
}

fn events(step: &schedule::Step, at: &str) -> Result<Vec<Event>, Refusal> {
    let mut all = Vec::new();
    let one = |out: bool, buffer: usize, place: &Placement| Event {
        out,
        buffer,
        region: place.region,
        layout: place.layout.clone(),
        words: place.words,
    };
    // Two parts are a double buffer; for what else is said there is no primitive.
    let said = |place: &&Placement| !place.words.is_empty() && place.words != DOUBLE;
    if let Some(place) = step.ins.iter().chain(&step.outs).flatten().find(said) {
        return Err(Code::Word.because(format!(
            "`{}` of {at}: scripts have no such words",
            place.words.list().iter().map(ToString::to_string).collect::<Vec<_>>().join(" ")
        )));
    }
    if let Some(Some(first)) = step.outs.first() {
        if step.outs.iter().any(|place| place.as_ref() != Some(first)) {
            return Err(Code::Word
                .because(format!("results in different places ({at}): `cache_write` takes all of them")));
        }
        all.push(one(true, 0, first));
    } else if step.outs.iter().any(Option::is_some) {
        return Err(Code::Word
            .because(format!("a buffer for some results only ({at}): `cache_write` takes all of them")));
    }
    for (n, place) in step.ins.iter().enumerate() {
        all.extend(place.as_ref().map(|place| one(false, n, place)));
    }
    Ok(all)
}
