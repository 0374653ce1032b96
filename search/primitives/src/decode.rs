//! A vector as a schedule: one step for each part of a loop.

use crate::layout::{DEPTH, Fixed, Layout, Misfit, Role};
use crate::vector::{Value, Vector};
use terrace_devices::{Axis, Layer, Region};
use terrace_schedule_model::{Core, Placement, Schedule, Size, Step};

/// Copies of a loop that is unrolled at most, and of all that are around each other
pub(crate) const MOST_COPIES: i64 = 64;
pub(crate) const MOST_BODIES: i64 = 512;

/// A vector, taken apart and checked
pub(crate) struct Parsed<'v> {
    /// Trip count of each part
    pub trips: Vec<i64>,
    /// Parts by depth, from 0
    pub order: Vec<usize>,
    /// Loops of the fused group
    pub fused: usize,
    /// Is the loop of a depth unrolled?
    pub unrolled: Vec<bool>,
    /// Flags of buffers
    pub moved: &'v [Value],
}

/// The schedule that a vector stands for
pub fn decode(layout: &Layout, vector: &Vector) -> Result<Schedule, Misfit> {
    let parsed = Parsed::of(layout, vector)?;
    let nothing = Size { value: None, tail: None };
    let dims = layout.loops.len();
    let lanes = parsed.lanes(layout);
    let mut steps: Vec<Step> = Vec::new();
    for (n, sub) in layout.subs.iter().enumerate() {
        let depth = parsed.order.iter().position(|own| *own == n).unwrap_or(0);
        let inside = layout.of_loop(sub.dim).skip_while(|own| *own <= n);
        let mut step: Step = Step {
            label: depth + 1,
            sizes: vec![nothing; dims],
            ins: vec![None; layout.ins],
            outs: vec![None; layout.outs],
            cores: vec![None; dims],
        };
        step.sizes[sub.dim].value = Some(inside.map(|own| parsed.trips[own]).product());
        step.cores[sub.dim] = Some(match sub.role {
            Role::Block(axis) => Core::along(Layer::Blk, Axis::ALL[axis]),
            Role::Thread(axis) => Core::along(Layer::Thr, Axis::ALL[axis]),
            Role::Serial if depth < parsed.fused => Core::along(Layer::Thr, Axis::X),
            Role::Serial if parsed.unrolled[depth] => Core::numbered(Layer::Unr, 1),
            Role::Serial if lanes == Some(depth) => Core::along(Layer::Vec, Axis::X),
            Role::Serial => Core::numbered(Layer::For, 1),
        });
        steps.push(step);
    }
    for (depth, place) in parsed.places(layout) {
        let step = &mut steps[parsed.order[depth]];
        match place {
            Place::In(buffer) => step.ins[buffer] = Some(Placement::new(Region::Sm, Vec::new())),
            Place::Out(region) => step.outs.fill(Some(Placement::new(region, Vec::new()))),
        }
    }
    Ok(Schedule { steps })
}

/// A buffer of a step
enum Place {
    In(usize),
    Out(Region),
}

impl<'v> Parsed<'v> {
    /// Of a vector of this layout
    pub fn of(layout: &Layout, Vector(values): &'v Vector) -> Result<Parsed<'v>, Misfit> {
        let loops = layout.subs.len();
        if values.len() != layout.values() {
            return Err(Misfit::Count(layout.values(), values.len()));
        }
        let wrong = |at: usize, why: String| Misfit::Value(at + 1, why);
        let mut trips = Vec::with_capacity(loops);
        for (dim, own) in layout.loops.iter().enumerate() {
            let Value::Factors(factors) = &values[dim] else {
                return Err(wrong(
                    dim,
                    format!("split factors of `{}`, not {}", own.name, values[dim].kind()),
                ));
            };
            let product = factors.iter().try_fold(1i64, |all, factor| all.checked_mul(*factor));
            let counted = factors.len() == layout.parts[dim] && factors.iter().all(|factor| *factor > 0);
            if !counted || product != Some(own.trip) {
                return Err(wrong(
                    dim,
                    format!(
                        "{} are no {} positive factors of {}, the trip count of `{}`",
                        values[dim], layout.parts[dim], own.trip, own.name
                    ),
                ));
            }
            trips.extend(factors);
        }
        let mut at = layout.loops.len();
        let Value::Permutation(numbers) = &values[at] else {
            return Err(wrong(at, format!("an order of loops, not {}", values[at].kind())));
        };
        let order = order(layout, numbers).map_err(|why| wrong(at, why))?;
        at += 1;
        let mut fused = 0;
        if layout.fuses() {
            let Value::Kept(kept) = &values[at] else {
                return Err(wrong(at, format!("loops that stay, not {}", values[at].kind())));
            };
            fused = group(layout, kept, &order).map_err(|why| wrong(at, why))?;
            at += 1;
        }
        let mut flags = Vec::new();
        for (n, value) in values.iter().enumerate().skip(at) {
            let Value::Flag(flag) = value else {
                return Err(wrong(n, format!("0 or 1, not {}", value.kind())));
            };
            flags.push(*flag);
        }
        let unrolled = flags[..loops].to_vec();
        let parsed = Parsed { trips, order, fused, unrolled, moved: &values[at + loops..] };
        if let Some((depth, why)) = parsed.unroll_refused(layout) {
            return Err(wrong(at + depth, why));
        }
        if let Some(n) = (0..parsed.moved.len()).find(|n| !parsed.may_move(layout, *n) && parsed.is_moved(*n))
        {
            return Err(wrong(at + loops + n, "there is no place for the buffer there".into()));
        }
        Ok(parsed)
    }

    /// Trip count of the loop of a depth
    pub fn trip(&self, depth: usize) -> i64 {
        self.trips[self.order[depth]]
    }

    /// The depth of the loop that runs along lanes: the innermost that repeats, if lanes can
    pub fn lanes(&self, layout: &Layout) -> Option<usize> {
        let Fixed::Host { lanes, .. } = layout.fixed else { return None };
        let depth = self.innermost()?;
        let trip = self.trip(depth);
        let may = layout.loops[layout.subs[self.order[depth]].dim].lanes;
        (depth >= self.fused && may && trip <= lanes && trip.count_ones() == 1).then_some(depth)
    }

    /// The innermost loop that repeats
    fn innermost(&self) -> Option<usize> {
        (0..self.order.len()).rev().find(|depth| self.trip(*depth) > 1)
    }

    /// The first loop that may not be unrolled but is, and why
    fn unroll_refused(&self, layout: &Layout) -> Option<(usize, String)> {
        let mut bodies = 1i64;
        (0..self.order.len()).filter(|depth| self.unrolled[*depth]).find_map(|depth| {
            bodies = bodies.saturating_mul(self.trip(depth));
            self.why_not(layout, depth, bodies).map(|why| (depth, why))
        })
    }

    /// Why the loop of a depth is not unrolled, with so many copies of its body
    fn why_not(&self, layout: &Layout, depth: usize, bodies: i64) -> Option<String> {
        let loop_ = depth + 1;
        let parallel = depth < self.fused || layout.subs[self.order[depth]].role != Role::Serial;
        let host = matches!(layout.fixed, Fixed::Host { .. });
        if parallel {
            return Some(format!("loop {loop_} is parallel, so it is not unrolled"));
        }
        if host && self.innermost() == Some(depth) {
            return Some(format!("loop {loop_} is the innermost, which is a vector and not unrolled"));
        }
        let many = self.trip(depth) > MOST_COPIES || bodies > MOST_BODIES;
        many.then(|| {
            format!("unrolling loop {loop_} makes more than {MOST_COPIES} copies, or {MOST_BODIES} in all")
        })
    }

    /// May the loop of a depth be unrolled, given the loops around it?
    pub fn may_unroll(&self, layout: &Layout, depth: usize) -> bool {
        let around = (0..depth).filter(|own| self.unrolled[*own]).map(|own| self.trip(own));
        let bodies = around.fold(self.trip(depth), i64::saturating_mul);
        self.why_not(layout, depth, bodies).is_none()
    }

    /// Depths of loops that fold and repeat
    fn folds(&self, layout: &Layout) -> Vec<usize> {
        let folds = |depth: &usize| layout.loops[layout.subs[self.order[*depth]].dim].reduce;
        (0..self.order.len()).filter(folds).filter(|depth| self.trip(*depth) > 1).collect()
    }

    /// May a buffer's flag be set?
    pub fn may_move(&self, layout: &Layout, buffer: usize) -> bool {
        let folds = self.folds(layout);
        match (layout.fixed, folds.as_slice()) {
            (Fixed::Host { registers, .. }, [first, ..]) if *first > 0 && layout.registers => {
                let kept = (*first..self.order.len()).filter(|depth| !folds.contains(depth));
                kept.fold(1i64, |all, depth| all.saturating_mul(self.trip(depth))) <= registers
            }
            (Fixed::Grid { .. }, [_, _, ..]) => layout.shared[buffer],
            _ => false,
        }
    }

    fn is_moved(&self, n: usize) -> bool {
        matches!(self.moved.get(n), Some(Value::Flag(true)))
    }

    /// Where buffers are made, by depth of the loop around
    fn places(&self, layout: &Layout) -> Vec<(usize, Place)> {
        let folds = self.folds(layout);
        let mut all = Vec::new();
        match layout.fixed {
            Fixed::Host { .. } => {
                let around = folds.first().and_then(|first| first.checked_sub(1));
                all.extend(around.filter(|_| self.is_moved(0)).map(|depth| (depth, Place::Out(Region::Reg))));
            }
            Fixed::Grid { .. } => {
                let threads = layout.subs.iter().filter(|sub| sub.role != Role::Serial).count();
                let around = threads.checked_sub(1).filter(|_| !folds.is_empty() && layout.registers);
                all.extend(around.map(|depth| (depth, Place::Out(Region::Rm))));
                for buffer in (0..layout.ins).filter(|buffer| layout.shared[*buffer]) {
                    let at = folds.get(usize::from(self.is_moved(buffer)));
                    all.extend(at.map(|depth| (*depth, Place::In(buffer))));
                }
            }
        }
        all
    }
}

/// Loops by depth, from their numbers; parts of one loop keep their order
fn order(layout: &Layout, numbers: &[usize]) -> Result<Vec<usize>, String> {
    let loops = layout.subs.len();
    let mut sorted = numbers.to_vec();
    sorted.sort_unstable();
    if !sorted.into_iter().eq(1..=loops) {
        return Err(format!("an order has each of the {loops} loops once"));
    }
    let order: Vec<usize> = numbers.iter().map(|number| number - 1).collect();
    for depth in 0..loops {
        if let Some(why) = misplaced(layout, &order[..depth], order[depth]) {
            return Err(why);
        }
    }
    Ok(order)
}

/// Why a loop does not stand inside of these, as the next one
pub(crate) fn misplaced(layout: &Layout, outside: &[usize], next: usize) -> Option<String> {
    let sub = layout.subs[next];
    let number = next + 1;
    // A thread's copies of its work are split off before the threads, and run inside of them.
    let inside = |own: &usize| layout.subs[*own].role == Role::Serial && sub.role != Role::Serial;
    let mut before = layout.of_loop(sub.dim).take_while(|own| *own < next);
    if let Some(outer) = before.find(|own| !inside(own) && !outside.contains(own)) {
        return Some(format!("loop {} is an outer part of loop {number}, and is not around it", outer + 1));
    }
    let class = |role: Role| match role {
        Role::Block(_) => 0,
        Role::Thread(_) => 1,
        Role::Serial => 2,
    };
    let mut rest = (0..layout.subs.len()).filter(|own| !outside.contains(own));
    if rest.any(|own| class(layout.subs[own].role) < class(sub.role)) {
        return Some(format!("blocks are outermost, then threads; loop {number} is not"));
    }
    let first = outside.is_empty() && matches!(layout.fixed, Fixed::Host { .. });
    if first && layout.is_parallel() && layout.loops[sub.dim].reduce {
        return Some(format!("the outermost loop is parallel, and loop {number} folds"));
    }
    None
}

/// How many loops the fused group has, from those that stay
fn group(layout: &Layout, kept: &[usize], order: &[usize]) -> Result<usize, String> {
    let loops = order.len();
    let ascending = kept.windows(2).all(|pair| pair[0] < pair[1]);
    if kept.first() != Some(&1) || !ascending || kept.last().is_some_and(|last| *last > loops) {
        return Err(format!("loops that stay are ascending depths from 1 to {loops}, 1 among them"));
    }
    let fused = kept.get(1).map_or(loops, |second| second - 1);
    if !kept[1..].iter().copied().eq(fused + 1..=loops) {
        let missing = (fused + 1..=loops).find(|depth| !kept.contains(depth)).unwrap_or(loops);
        return Err(format!(
            "loop {missing} is fused, but only the outermost loops, which are parallel, are one"
        ));
    }
    if fused > DEPTH {
        return Err(Misfit::Fused(fused).to_string());
    }
    if !layout.is_parallel() {
        return if fused == 1 { Ok(0) } else { Err("no loop is parallel, so none are fused".into()) };
    }
    if let Some(depth) = (0..fused).find(|depth| layout.loops[layout.subs[order[*depth]].dim].reduce) {
        return Err(format!("loop {} folds, so it is not one with parallel loops", depth + 1));
    }
    Ok(fused)
}
