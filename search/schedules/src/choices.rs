//! What an open field may be, from the fields before it.
//!
//! | field | candidates | at once left out |
//! |---|---|---|
//! | size | divisors of the size above; with a tail also powers of two and multiples of eight | what later sizes of the dimension cannot divide; anything but 1 at the end |
//! | core | layers of the device, axes x y z, numbers of loops; behind `(` the mechanisms | axes and numbers that the step has already, axes of a grid that another step has; more threads than a block has; a second dimension on lanes, lanes around buffers; all but loops in order for what is folded in order |
//! | region | `^` and the device's regions | buffers inside of lanes |
//! | layout | dimensions of the buffer; behind `/` and `%` 2, 4, …, 64 | those the layout has already |
//! | tail, behind `~` | limit, mask, peel, pad | |
//! | number of a word | stages: 1 to 4, swizzle and xor: 1, 2, 4, 8 | |
//! | label | 1 to the number of steps | those of other steps |

use crate::hole::Place;
use terrace_devices::{Axis, Device, Kind, Layer, Mechanism, Region};
use terrace_dialect_mdh::schedule::{Core, Draft, DraftStep, Memory, Token};

/// What a choice can see: the draft with everything before it filled in
pub struct Scene<'a> {
    /// The draft
    pub draft: &'a Draft,
    /// Extents of the dimensions
    pub extents: &'a [i64],
    /// The device
    pub device: &'a Device,
    /// Dimensions that are folded in order
    pub in_order: &'a [usize],
}

impl Scene<'_> {
    /// Candidates for a field, or for what stands behind a prefix in it; `tail` if its size need not divide
    pub fn candidates(&self, place: Place, prefix: &str, tail: bool) -> Vec<String> {
        match place {
            Place::Size(..) if prefix.ends_with('~') => words(&["limit", "mask", "peel", "pad"]),
            Place::Core(..) if prefix.ends_with('(') => words(&Mechanism::OF_SCHEDULES.map(Mechanism::word)),
            Place::Core(step, dim) if !prefix.is_empty() => {
                let all = self.cores(step, dim).into_iter();
                all.filter_map(|core| core.strip_prefix(prefix).map(String::from)).collect()
            }
            Place::Layout(..) if prefix.ends_with(['/', '%']) => texts(powers(MOST_PANEL).split_off(1)),
            Place::Label(step) => self.labels(step),
            Place::Size(step, dim) => self.sizes(step, dim, tail),
            Place::Core(step, dim) => self.cores(step, dim),
            Place::Input(step, _) | Place::Output(step, _) if self.in_lanes(step) => vec!["^".into()],
            Place::Input(..) | Place::Output(..) => self.regions(),
            Place::Layout(step, out, entry, _) => self.parts(step, out, entry),
            Place::Word(step, out, entry, word) => self.numbers(step, out, entry, word),
        }
    }

    /// The words of a list, each with what it stands for here
    pub fn among(&self, place: Place, words: &[String], tail: bool) -> Vec<String> {
        let mut all: Vec<String> = Vec::new();
        for word in words {
            let found: Vec<String> = match (place, word.as_str()) {
                (Place::Size(step, dim), "div") => texts(divisors(self.above(step, dim))),
                (Place::Size(step, dim), "pow2") => texts(powers(self.above(step, dim))),
                (Place::Size(step, dim), range) if range.contains("..") => {
                    let above = self.above(step, dim);
                    let bound = |text: &str, open: i64| text.parse().unwrap_or(open).clamp(1, above);
                    let (low, high) = range.split_once("..").unwrap_or(("", ""));
                    (bound(low, 1)..=bound(high, above)).map(|n| n.to_string()).collect()
                }
                _ => vec![word.clone()],
            };
            all.extend(found.into_iter().filter(|one| !all.contains(one)).collect::<Vec<_>>());
        }
        // What other fields have is no choice, whoever writes it down.
        let free = match place {
            Place::Label(step) => Some(self.labels(step)),
            Place::Layout(step, out, entry, _) => Some(self.parts(step, out, entry)),
            _ => None,
        };
        if let Some(free) = free {
            let known = |text: &String| text.bytes().all(|c| c.is_ascii_digit());
            all.retain(|text| !known(text) || free.contains(text));
        }
        if let Place::Size(step, dim) = place {
            all.retain(|text| {
                text == "^" || text.parse().is_ok_and(|size| self.size_fits(step, dim, size, tail))
            });
        }
        all
    }

    /// Size above a step in a dimension
    fn above(&self, step: usize, dim: usize) -> i64 {
        let earlier = self.draft.steps[..step].iter().rev();
        earlier.filter_map(|step| number(&step.sizes[dim])).next().unwrap_or(self.extents[dim]).max(1)
    }

    fn sizes(&self, step: usize, dim: usize, tail: bool) -> Vec<String> {
        let above = self.above(step, dim);
        let mut all = divisors(above);
        if tail {
            all.extend(powers(above));
            all.extend((8..=above.min(1024)).step_by(8));
            all.sort_unstable();
            all.dedup();
        }
        all.retain(|size| self.size_fits(step, dim, *size, tail));
        texts(all)
    }

    /// Can the dimension end at 1 with this size, by sizes that divide?
    fn size_fits(&self, step: usize, dim: usize, size: i64, tail: bool) -> bool {
        let above = self.above(step, dim);
        let peels = |step: &DraftStep| step.sizes[dim].text.ends_with("~peel");
        let mut open = self.draft.steps[..step].iter().any(peels);
        if size < 1 || size > above || (above % size != 0 && !tail && !open) {
            return false;
        }
        open |= peels(&self.draft.steps[step]);
        let (mut last, mut free) = (size, false);
        for later in &self.draft.steps[step + 1..] {
            let token = &later.sizes[dim];
            if token.is_hole() {
                free = true;
            } else if let Some(next) = number(token) {
                let may = open || token.text.contains('~') || last % next == 0;
                if next > last || !may {
                    return false;
                }
                (last, free) = (next, false);
            }
            open |= peels(later);
        }
        last == 1 || free
    }

    fn cores(&self, at: usize, dim: usize) -> Vec<String> {
        let step = &self.draft.steps[at];
        let taken: Vec<&str> =
            step.cores.iter().map(|core| core.text.split('(').next().unwrap_or("")).collect();
        let numbers: Vec<&str> = taken.iter().filter_map(|core| sequential(core)).collect();
        let free = (1..=step.cores.len()).map(|n| n.to_string()).filter(|n| !numbers.contains(&n.as_str()));
        let free: Vec<String> = free.collect();
        let numbered = |layer: Layer| free.iter().map(move |n| format!("{layer}.{n}"));
        let Some(trip) = self.trip(at, dim) else { return numbered(Layer::For).collect() };
        if trip == 1 {
            // Who runs a loop of one iteration makes no difference: one name for it.
            return numbered(Layer::For).next_back().into_iter().collect();
        }
        let mut all: Vec<String> = numbered(Layer::For).collect();
        let alone = self.in_order.contains(&dim);
        let parallel: &[Layer] = match self.device.kind {
            _ if alone => &[],
            Kind::Host => &[Layer::Thr],
            Kind::Grid if self.device.warp > 1 => &[Layer::Blk, Layer::Wrp, Layer::Thr],
            Kind::Grid => &[Layer::Blk, Layer::Thr],
        };
        for layer in parallel {
            let fits = *layer != Layer::Thr || self.device.kind == Kind::Host || self.threads(trip);
            let axes = Axis::ALL.map(|axis| Core::along(*layer, axis).to_string());
            let free = |core: &String| !taken.contains(&core.as_str()) && !self.has_axis(core);
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
            all.push(Core::along(Layer::Vec, Axis::X).to_string());
        }
        all
    }

    /// Iterations of a step's loop, where its sizes are known
    fn trip(&self, step: usize, dim: usize) -> Option<i64> {
        let (above, token) = (self.above(step, dim), &self.draft.steps[step].sizes[dim]);
        match number(token) {
            Some(size) => Some((above + size - 1) / size),
            None => (token.text.starts_with('^')).then_some(1),
        }
    }

    /// May a block have so many times its threads?
    fn threads(&self, times: i64) -> bool {
        let mut all = times;
        for (n, step) in self.draft.steps.iter().enumerate() {
            for (dim, core) in step.cores.iter().enumerate() {
                if core.text.starts_with(Layer::Thr.word()) {
                    all = all.saturating_mul(self.trip(n, dim).unwrap_or(1));
                }
            }
        }
        all <= self.device.block_threads
    }

    /// Does a loop of another step run on this axis of a grid already? Tasks of processors are collapsed instead
    fn has_axis(&self, core: &str) -> bool {
        let runs = |n: usize, dim: usize| self.trip(n, dim).is_some_and(|trip| trip > 1);
        let mut steps = self.draft.steps.iter().enumerate();
        self.device.kind == Kind::Grid
            && steps.any(|(n, step)| {
                step.cores.iter().enumerate().any(|(dim, own)| own.text.starts_with(core) && runs(n, dim))
            })
    }

    /// Lanes are once, and no buffer stands in the same step or inside
    fn may_have_lanes(&self, at: usize) -> bool {
        let label = label(&self.draft.steps[at]);
        self.draft.steps.iter().all(|step| {
            let lanes = step.cores.iter().any(|core| core.text.starts_with(Layer::Vec.word()));
            let buffer = |entry: &Memory| !entry.region.is_hole() && entry.region.text != "^";
            let inside = label.zip(self::label(step)).is_some_and(|(own, other)| other >= own);
            !(lanes || inside && step.ins.iter().chain(&step.outs).any(buffer))
        })
    }

    /// Are there lanes around a step?
    fn in_lanes(&self, at: usize) -> bool {
        let own = label(&self.draft.steps[at]);
        self.draft.steps.iter().any(|step| {
            let lanes = step.cores.iter().any(|core| core.text.starts_with(Layer::Vec.word()));
            lanes && own.zip(label(step)).is_some_and(|(own, around)| around <= own)
        })
    }

    fn regions(&self) -> Vec<String> {
        let own = match self.device.kind {
            Kind::Host => Region::Reg,
            Kind::Grid => Region::Rm,
        };
        let regions = self.device.memories.iter().map(|memory| memory.region).chain([own]);
        ["^"].into_iter().chain(regions.map(Region::word)).map(String::from).collect()
    }

    fn parts(&self, step: usize, out: bool, entry: usize) -> Vec<String> {
        let step = &self.draft.steps[step];
        let Some(entry) = (if out { step.outs.get(entry) } else { step.ins.get(entry) }) else {
            return Vec::new();
        };
        let all = (1..=entry.layout.len()).map(|n| n.to_string());
        all.filter(|n| !entry.layout.iter().any(|part| part.text == *n)).collect()
    }

    /// Numbers of a word: parts of a buffer, elements that rows are turned by
    fn numbers(&self, step: usize, out: bool, entry: usize, word: usize) -> Vec<String> {
        let step = &self.draft.steps[step];
        let entry = if out { step.outs.get(entry) } else { step.ins.get(entry) };
        let stages =
            entry.and_then(|entry| entry.words.get(word)).is_some_and(|word| word.text.starts_with("stages"));
        texts(if stages { vec![1, 2, 3, 4] } else { vec![1, 2, 4, 8] })
    }

    fn labels(&self, step: usize) -> Vec<String> {
        let taken = |n: &String| self.draft.steps.iter().any(|step| step.label.text == *n);
        let mut all: Vec<String> =
            (1..=self.draft.steps.len()).map(|n| n.to_string()).filter(|n| !taken(n)).collect();
        // Most schedules are written in the order of code.
        if let Some(at) = all.iter().position(|n| *n == (step + 1).to_string()) {
            all[..=at].rotate_right(1);
        }
        all
    }
}

/// Copies of a body that unrolling makes at most
const MOST_COPIES: i64 = 64;
/// Lanes that a loop may have at most; a vector of 64 bytes has so many of the smallest
const MOST_LANES: i64 = 64;

/// Widest panel of a layout
const MOST_PANEL: i64 = 64;

fn words(all: &[&str]) -> Vec<String> {
    all.iter().map(|word| (*word).to_owned()).collect()
}

fn label(step: &DraftStep) -> Option<usize> {
    step.label.text.parse().ok()
}

/// The number of a sequential loop's core
fn sequential(core: &str) -> Option<&str> {
    let (layer, number) = core.split_once('.')?;
    layer.parse().is_ok_and(Layer::is_sequential).then_some(number)
}

/// The number of a size
fn number(token: &Token) -> Option<i64> {
    token.text.split('~').next()?.parse().ok().filter(|n| *n > 0)
}

fn texts(numbers: Vec<i64>) -> Vec<String> {
    numbers.into_iter().map(|n| n.to_string()).collect()
}

/// In ascending order
pub fn divisors(n: i64) -> Vec<i64> {
    let small: Vec<i64> = (1..).take_while(|d| *d * *d <= n).filter(|d| n % d == 0).collect();
    let large: Vec<i64> = small.iter().rev().map(|d| n / d).filter(|d| !small.contains(d)).collect();
    [small, large].concat()
}

fn powers(most: i64) -> Vec<i64> {
    std::iter::successors(Some(1_i64), |n| n.checked_mul(2)).take_while(|n| *n <= most).collect()
}
