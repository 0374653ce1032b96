//! What an open field may be, from the fields before it.
//!
//! | field | candidates | at once left out |
//! |---|---|---|
//! | size | divisors of the size above; with a tail also powers of two and multiples of eight | what later sizes of the dimension cannot divide; anything but 1 at the end |
//! | size, of a list | `div`, `pow2`; `blocks`: 1, 2, 4, … parts, up to eight for each multiprocessor | the same |
//! | core | layers of the device, axes x y z, numbers of loops; behind `(` the mechanisms | axes and numbers that the step has already, axes of a grid that another step has; more threads than a block has; a second dimension on lanes, lanes around buffers; all but loops in order for what is folded in order |
//! | region | `^` and the device's regions | buffers inside of lanes |
//! | layout | dimensions of the buffer; behind `/` and `%` 2, 4, …, 64 | those the layout has already |
//! | tail, behind `~` | limit, mask, peel, pad | |
//! | number of a word | stages: 1 to 4, swizzle and xor: 1, 2, 4, 8 | |
//! | label | 1 to the number of steps | those of other steps |

use terrace_devices::{Axis, Device, DeviceKind, Layer, Mechanism, Region};
use terrace_schedule_model::open::Item;
use terrace_schedule_model::{
    Core, CoreAt, Decision, Entry, EntryPlace, Field, InEntry, OpenSchedule, OpenStep, Part, Place, Size,
    Slot, Tail, Word,
};

/// What a choice can see: the schedule with everything before it filled in
pub struct Scene<'a> {
    /// The schedule
    pub draft: &'a OpenSchedule,
    /// Extents of the dimensions
    pub extents: &'a [i64],
    /// The device
    pub device: &'a Device,
    /// Dimensions that are folded in order
    pub in_order: &'a [usize],
}

impl Scene<'_> {
    /// What an open part of a field may be
    pub fn candidates(&self, place: Place, slot: Slot) -> Vec<Decision> {
        match (place, slot) {
            (_, Slot::Tail) => Tail::ALL.iter().map(|tail| Decision::Tail(*tail)).collect(),
            (_, Slot::Mechanism) => Mechanism::OF_SCHEDULES.map(Decision::Mechanism).to_vec(),
            (Place::Core(step, dim), _) => self.parts_of_cores(step, dim, slot),
            (Place::Label(step), _) => numbers(self.labels(step)),
            (Place::Size(step, dim), _) => numbers(self.sizes(step, dim)),
            (Place::Entry(at, InEntry::Region), _) if self.in_lanes(at.step) => vec![Decision::Above],
            (Place::Entry(_, InEntry::Region), _) => self.regions(),
            (Place::Entry(_, InEntry::Layout(_)), Slot::Number) => numbers(powers(MOST_PANEL).split_off(1)),
            (Place::Entry(at, InEntry::Layout(_)), _) => numbers(self.parts(at)),
            (Place::Entry(at, InEntry::Word(word)), _) => numbers(self.counts(at, word)),
        }
    }

    /// The members of a list, each with what it stands for here
    pub fn among(&self, place: Place, slot: Slot, items: &[Item]) -> Vec<Decision> {
        let mut all: Vec<Decision> = Vec::new();
        for item in items {
            let above = || match place {
                Place::Size(step, dim) => self.above(step, dim),
                _ => 1,
            };
            let found = match item {
                Item::One(decision) => vec![decision.clone()],
                Item::Divisors => numbers(divisors(above())),
                Item::Powers => numbers(powers(above())),
                Item::Blocks => numbers(parts(above(), self.device.units.saturating_mul(BLOCKS))),
                Item::Range(low, high) => {
                    let most = above();
                    let bound = |bound: &Option<i64>, open: i64| bound.unwrap_or(open).clamp(1, most);
                    numbers((bound(low, 1)..=bound(high, most)).collect())
                }
            };
            all.extend(found.into_iter().filter(|one| !all.contains(one)).collect::<Vec<_>>());
        }
        // What other fields have is no choice, whoever writes it down.
        let free = match (place, slot) {
            (Place::Label(step), _) => Some(self.labels(step)),
            (Place::Entry(at, InEntry::Layout(_)), Slot::Dim) => Some(self.parts(at)),
            _ => None,
        };
        let fits = |decision: &Decision| match (decision, place, &free) {
            (Decision::Number(number), _, Some(free)) => free.contains(number),
            (Decision::Number(size), Place::Size(step, dim), _) => self.size_fits(step, dim, *size),
            _ => true,
        };
        all.retain(fits);
        all
    }

    /// Cores, or a part of cores whose other parts are decided
    fn parts_of_cores(&self, step: usize, dim: usize, slot: Slot) -> Vec<Decision> {
        let own = &self.draft.steps[step].cores[dim];
        let frame = *own.frame();
        let fits = |core: &Core| match (slot, frame) {
            (Slot::At, Some(frame)) => core.layer == frame.layer,
            (Slot::Layer, Some(frame)) => core.at == frame.at,
            _ => true,
        };
        let mut all: Vec<Decision> = Vec::new();
        for core in self.cores(step, dim).into_iter().filter(fits) {
            let decision = match (slot, core.at) {
                (Slot::At, CoreAt::Axis(axis)) => Decision::Axis(axis),
                (Slot::At, CoreAt::Number(number)) => Decision::Number(i64::from(number)),
                (Slot::Layer, _) => Decision::Layer(core.layer),
                _ => Decision::Core(core),
            };
            if !all.contains(&decision) {
                all.push(decision);
            }
        }
        all
    }

    /// Size above a step in a dimension
    fn above(&self, step: usize, dim: usize) -> i64 {
        let earlier = self.draft.steps[..step].iter().rev();
        earlier.filter_map(|step| number(&step.sizes[dim])).next().unwrap_or(self.extents[dim]).max(1)
    }

    fn sizes(&self, step: usize, dim: usize) -> Vec<i64> {
        let above = self.above(step, dim);
        let mut all = divisors(above);
        if self.draft.steps[step].sizes[dim].frame().tail.is_some() {
            all.extend(powers(above));
            all.extend((8..=above.min(1024)).step_by(8));
            all.sort_unstable();
            all.dedup();
        }
        all.retain(|size| self.size_fits(step, dim, *size));
        all
    }

    /// Can the dimension end at 1 with this size, by sizes that divide?
    fn size_fits(&self, step: usize, dim: usize, size: i64) -> bool {
        let above = self.above(step, dim);
        let tail = self.draft.steps[step].sizes[dim].frame().tail.is_some();
        let peels = |step: &OpenStep| step.sizes[dim].tail() == Some(Tail::Peel);
        let mut open = self.draft.steps[..step].iter().any(peels);
        if size < 1 || size > above || (above % size != 0 && !tail && !open) {
            return false;
        }
        open |= peels(&self.draft.steps[step]);
        let (mut last, mut free) = (size, false);
        for later in &self.draft.steps[step + 1..] {
            let field = &later.sizes[dim];
            if field.is_open() {
                free = true;
            } else if let Some(next) = number(field) {
                let may = open || field.frame().tail.is_some() || last % next == 0;
                if next > last || !may {
                    return false;
                }
                (last, free) = (next, false);
            }
            open |= peels(later);
        }
        last == 1 || free
    }

    fn cores(&self, at: usize, dim: usize) -> Vec<Core> {
        let step = &self.draft.steps[at];
        let taken: Vec<(Layer, CoreAt)> = step.cores.iter().filter_map(Field::place).collect();
        let is_free = |n: &usize| {
            let same = |own: &CoreAt| matches!(own, CoreAt::Number(own) if *own as usize == *n);
            !taken.iter().any(|(layer, own)| layer.is_sequential() && same(own))
        };
        let free: Vec<usize> = (1..=step.cores.len()).filter(is_free).collect();
        let numbered = |layer: Layer| free.iter().map(move |n| Core::numbered(layer, *n));
        let Some(trip) = self.trip(at, dim) else { return numbered(Layer::For).collect() };
        if trip == 1 {
            // Who runs a loop of one iteration makes no difference: one name for it.
            return numbered(Layer::For).next_back().into_iter().collect();
        }
        let mut all: Vec<Core> = numbered(Layer::For).collect();
        let alone = self.in_order.contains(&dim);
        let parallel: &[Layer] = match self.device.kind {
            _ if alone => &[],
            DeviceKind::Host => &[Layer::Thr],
            DeviceKind::Grid if self.device.warp > 1 => &[Layer::Blk, Layer::Wrp, Layer::Thr],
            DeviceKind::Grid => &[Layer::Blk, Layer::Thr],
        };
        for layer in parallel {
            let fits = *layer != Layer::Thr || self.device.kind == DeviceKind::Host || self.threads(trip);
            let axes = Axis::ALL.map(|axis| Core::along(*layer, axis));
            let free = |core: &Core| !taken.contains(&(core.layer, core.at)) && !self.has_axis(core);
            all.extend(axes.into_iter().filter(|core| fits && free(core)));
        }
        if trip <= MOST_COPIES {
            all.extend(numbered(Layer::Unr));
        }
        if self.device.vector_bytes > 0
            && !alone
            && trip <= MOST_LANES
            && trip.count_ones() == 1
            && self.may_have_lanes(at)
        {
            all.push(Core::along(Layer::Vec, Axis::X));
        }
        all
    }

    /// Iterations of a step's loop, where its sizes are known
    fn trip(&self, step: usize, dim: usize) -> Option<i64> {
        let above = self.above(step, dim);
        self.draft.steps[step].sizes[dim].tile().map(|tile| tile.map_or(1, |size| (above + size - 1) / size))
    }

    /// May a block have so many times its threads?
    fn threads(&self, times: i64) -> bool {
        let mut all = times;
        for (n, step) in self.draft.steps.iter().enumerate() {
            for dim in (0..step.cores.len()).filter(|dim| step.cores[*dim].layer() == Some(Layer::Thr)) {
                all = all.saturating_mul(self.trip(n, dim).unwrap_or(1));
            }
        }
        all <= self.device.block_threads
    }

    /// Does a loop of another step run on this axis of a grid already? Tasks of processors are collapsed instead
    fn has_axis(&self, core: &Core) -> bool {
        let runs = |n: usize, dim: usize| self.trip(n, dim).is_some_and(|trip| trip > 1);
        let mut steps = self.draft.steps.iter().enumerate();
        self.device.kind == DeviceKind::Grid
            && steps.any(|(n, step)| {
                let mut cores = step.cores.iter().enumerate();
                cores.any(|(dim, own)| own.place() == Some((core.layer, core.at)) && runs(n, dim))
            })
    }

    /// Lanes are once, and no buffer stands in the same step or inside
    fn may_have_lanes(&self, at: usize) -> bool {
        let label = self.draft.steps[at].label.known();
        self.draft.steps.iter().all(|step| {
            let buffer = |entry: &Entry| matches!(entry.region.known(), Some(Some(_)));
            let inside = label.zip(step.label.known()).is_some_and(|(own, other)| other >= own);
            !(has_lanes(step) || inside && step.ins.iter().chain(&step.outs).any(buffer))
        })
    }

    /// Are there lanes around a step?
    fn in_lanes(&self, at: usize) -> bool {
        let own = self.draft.steps[at].label.known();
        self.draft.steps.iter().any(|step| {
            has_lanes(step) && own.zip(step.label.known()).is_some_and(|(own, around)| around <= own)
        })
    }

    fn regions(&self) -> Vec<Decision> {
        let own = match self.device.kind {
            DeviceKind::Host => Region::Reg,
            DeviceKind::Grid => Region::Rm,
        };
        let regions = self.device.memories.iter().map(|memory| memory.region).chain([own]);
        [Decision::Above].into_iter().chain(regions.map(Decision::Region)).collect()
    }

    /// Dimensions of a buffer that its layout does not have yet, from 1
    fn parts(&self, at: EntryPlace) -> Vec<i64> {
        let Some(entry) = self.draft.entry(at) else { return Vec::new() };
        let taken = |dim: usize| entry.layout.iter().any(|part| part.known() == Some(&Part::Whole(dim)));
        (0..entry.layout.len()).filter(|dim| !taken(*dim)).map(|dim| dim as i64 + 1).collect()
    }

    /// Numbers of a word: parts of a buffer, elements that rows are turned by
    fn counts(&self, at: EntryPlace, word: usize) -> Vec<i64> {
        let word = self.draft.entry(at).and_then(|entry| entry.words.get(word));
        let stages = word.is_some_and(|word| matches!(word.frame(), Word::Stages(_)));
        if stages { vec![1, 2, 3, 4] } else { vec![1, 2, 4, 8] }
    }

    fn labels(&self, step: usize) -> Vec<i64> {
        let taken = |n: &usize| self.draft.steps.iter().any(|step| step.label.known() == Some(n));
        let mut all: Vec<usize> = (1..=self.draft.steps.len()).filter(|n| !taken(n)).collect();
        // Most schedules are written in the order of code.
        if let Some(at) = all.iter().position(|n| *n == step + 1) {
            all[..=at].rotate_right(1);
        }
        all.into_iter().map(|n| n as i64).collect()
    }
}

/// Copies of a body that unrolling makes at most
const MOST_COPIES: i64 = 64;
/// Lanes that a loop may have at most; a vector of 64 bytes has so many of the smallest
const MOST_LANES: i64 = 64;

/// Widest panel of a layout
const MOST_PANEL: i64 = 64;

fn has_lanes(step: &OpenStep) -> bool {
    step.cores.iter().any(|core| core.layer() == Some(Layer::Vec))
}

/// The number of a size
fn number(size: &Field<Size>) -> Option<i64> {
    size.tile().flatten()
}

fn numbers(all: Vec<i64>) -> Vec<Decision> {
    all.into_iter().map(Decision::Number).collect()
}

/// In ascending order
pub fn divisors(n: i64) -> Vec<i64> {
    let small: Vec<i64> = (1..).take_while(|d| *d * *d <= n).filter(|d| n % d == 0).collect();
    let large: Vec<i64> = small.iter().rev().map(|d| n / d).filter(|d| !small.contains(d)).collect();
    [small, large].concat()
}

/// Blocks along a dimension for each multiprocessor, at most
const BLOCKS: i64 = 8;

/// Sizes of 1, 2, 4, … parts
fn parts(whole: i64, most: i64) -> Vec<i64> {
    let mut all: Vec<i64> =
        powers(most.clamp(1, whole.max(1))).into_iter().map(|parts| (whole + parts - 1) / parts).collect();
    all.dedup();
    all
}

fn powers(most: i64) -> Vec<i64> {
    std::iter::successors(Some(1_i64), |n| n.checked_mul(2)).take_while(|n| *n <= most).collect()
}
