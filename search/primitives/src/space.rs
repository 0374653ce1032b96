//! All vectors of a layout as a space: splits first, then the order, then what is fused, then the rest.

use crate::decode::{Parsed, decode, misplaced};
use crate::encode::encode;
use crate::layout::{DEPTH, Fixed, Layout, Misfit, Role};
use crate::primitive::applied;
use crate::vector::{Value, Vector};
use std::cell::RefCell;
use std::fmt;
use terrace_schedule_model::{Decision, OpenSchedule, Point, Schedule};
use terrace_search_explore::{Coordinate, Space, Walk, factorizations};
use terrace_search_schedules::{Legal, OfSchedules, Refusals};

/// How many points a space has
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Size {
    /// So many: they were counted
    Exactly(usize),
    /// No more than that: choices restrict each other, and rules refuse some
    AtMost(f64),
}

impl fmt::Display for Size {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Size::Exactly(count) => write!(f, "{count}"),
            Size::AtMost(bound) if *bound < 1e7 => write!(f, "at most {bound:.0}"),
            Size::AtMost(bound) => write!(f, "at most {bound:.2e}"),
        }
    }
}

/// Points that are counted one by one, at most
const COUNTED: usize = 10_000;

/// Schedules of a computation by the primitives of the paper
pub struct PrimitiveSpace<'a> {
    layout: Layout,
    params: Vec<Param>,
    legal: &'a Legal<'a>,
    refused: RefCell<Refusals>,
}

/// Splits, the order, fused loops, then the rest (paper, §4.2)
fn params(layout: &Layout) -> Vec<Param> {
    let tiles = (0..layout.loops.len())
        .flat_map(|dim| (0..layout.parts[dim] - 1).map(move |part| Param::Tile { dim, part }));
    let loops = layout.subs.len();
    let fused = layout.fuses().then_some(Param::Fused);
    tiles
        .chain((0..loops).map(Param::Depth))
        .chain(fused)
        .chain((0..loops).map(Param::Unrolled))
        .chain((0..layout.buffers()).map(Param::Moved))
        .collect()
}

/// What a parameter of the space is
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Param {
    /// Size of the tile below a part of a loop
    Tile { dim: usize, part: usize },
    /// The loop of a depth
    Depth(usize),
    /// Loops of the fused group
    Fused,
    /// Is the loop of a depth unrolled?
    Unrolled(usize),
    /// Is a buffer moved?
    Moved(usize),
}

impl<'a> PrimitiveSpace<'a> {
    /// Of a layout; `legal` has the last word on a whole schedule
    pub fn new(layout: Layout, legal: &'a Legal<'a>) -> PrimitiveSpace<'a> {
        let params = params(&layout);
        PrimitiveSpace { layout, params, legal, refused: RefCell::default() }
    }

    /// What the vectors are for
    pub fn layout(&self) -> &Layout {
        &self.layout
    }

    /// The vector of a point
    pub fn vector(&self, point: &[Decision]) -> Result<Vector, Misfit> {
        let params = &self.params;
        if point.len() != params.len() {
            return Err(Misfit::Count(params.len(), point.len()));
        }
        Ok(self.begun(point))
    }

    /// The point of a vector
    pub fn point_of(&self, vector: &Vector) -> Result<Point, Misfit> {
        let parsed = Parsed::of(&self.layout, vector)?;
        let decision = |param: Param| match param {
            Param::Tile { dim, part } => {
                let inside = self.layout.of_loop(dim).skip(part + 1);
                Decision::Number(inside.map(|own| parsed.trips[own]).product())
            }
            Param::Depth(depth) => Decision::Number(parsed.order[depth] as i64 + 1),
            Param::Fused => Decision::Number(parsed.fused as i64),
            Param::Unrolled(depth) => Decision::There(parsed.unrolled[depth]),
            Param::Moved(n) => Decision::There(parsed.moved.get(n) == Some(&Value::Flag(true))),
        };
        Ok(self.params.iter().copied().map(decision).collect())
    }

    /// How many points there are: counted where they are few, else a bound
    pub fn size(&self) -> Size {
        let counted = Walk::new(self).take(COUNTED + 1).count();
        if counted <= COUNTED { Size::Exactly(counted) } else { Size::AtMost(self.bound()) }
    }

    /// Factorizations of all loops, orders that keep the parts of a loop in theirs, fused groups and flags
    pub fn bound(&self) -> f64 {
        let layout = &self.layout;
        let splits: f64 = layout
            .loops
            .iter()
            .zip(&layout.parts)
            .map(|(own, parts)| factorizations(own.trip, *parts))
            .product();
        let orders: f64 = self.orders();
        let fused =
            if layout.fuses() && layout.is_parallel() { DEPTH.min(layout.subs.len()) as f64 } else { 1.0 };
        let serial = layout.subs.iter().filter(|sub| sub.role == Role::Serial).count();
        let flags = serial + layout.buffers();
        splits * orders * fused * 2f64.powi(i32::try_from(flags).unwrap_or(i32::MAX))
    }

    /// Interleavings of the parts of all loops, those of blocks and of threads by themselves
    fn orders(&self) -> f64 {
        let factorial = |n: usize| (1..=n).fold(1.0, |all, i| all * i as f64);
        let class = |role: Role| match role {
            Role::Block(_) => 0,
            Role::Thread(_) => 1,
            Role::Serial => 2,
        };
        (0..3)
            .map(|own| {
                let of = |dim: usize| {
                    let range = self.layout.of_loop(dim);
                    self.layout.subs[range].iter().filter(|sub| class(sub.role) == own).count()
                };
                let counts: Vec<usize> = (0..self.layout.loops.len()).map(of).collect();
                let all = factorial(counts.iter().sum());
                counts.into_iter().fold(all, |all, count| all / factorial(count))
            })
            .product::<f64>()
            .round()
    }

    /// A vector with these choices; what is open is not split, not fused, not unrolled, and in the first order that there is
    fn begun(&self, choices: &[Decision]) -> Vector {
        let layout = &self.layout;
        let loops = layout.subs.len();
        // Choices in the order of the parameters.
        let mut left = choices.iter();
        let mut number = || match left.next() {
            Some(Decision::Number(number)) => Some(*number),
            _ => None,
        };
        let mut values = Vec::new();
        for (dim, own) in layout.loops.iter().enumerate() {
            let mut above = own.trip;
            let mut factors = Vec::new();
            for part in 0..layout.parts[dim] {
                let last = part + 1 == layout.parts[dim];
                let size = if last { 1 } else { number().unwrap_or(above).max(1) };
                factors.push(above / size);
                above = size;
            }
            values.push(Value::Factors(factors));
        }
        let mut order: Vec<usize> = Vec::new();
        for _ in 0..loops {
            let given = number().and_then(|number| usize::try_from(number - 1).ok());
            let free = || (0..loops).find(|own| self.may_be_next(&order, *own));
            let next = given.or_else(free);
            order.extend(next);
        }
        values.push(Value::Permutation(order.iter().map(|own| own + 1).collect()));
        if layout.fuses() {
            let fused = number().and_then(|fused| usize::try_from(fused).ok()).unwrap_or(1).max(1);
            values.push(Value::Kept(std::iter::once(1).chain(fused + 1..=loops).collect()));
        }
        let flags = loops + layout.buffers();
        values.extend((0..flags).map(|_| Value::Flag(left.next() == Some(&Decision::There(true)))));
        Vector(values)
    }

    fn may_be_next(&self, outside: &[usize], own: usize) -> bool {
        !outside.contains(&own) && misplaced(&self.layout, outside, own).is_none()
    }

    /// What a parameter may be, as far as the choices before it say
    fn candidates(&self, before: &[Decision], param: Param) -> Vec<Decision> {
        let layout = &self.layout;
        match param {
            Param::Tile { dim, part } => {
                let above = match part.checked_sub(1) {
                    None => layout.loops[dim].trip,
                    Some(_) => match before.last() {
                        Some(Decision::Number(size)) => *size,
                        _ => return Vec::new(),
                    },
                };
                let threads = |size: &i64| self.threads_fit(before, dim, part, [above / size, *size]);
                let sizes = terrace_search_schedules::choices::divisors(above);
                sizes.into_iter().filter(threads).map(Decision::Number).collect()
            }
            Param::Depth(depth) => {
                let order = self.order(before, depth);
                let next = (0..layout.subs.len()).filter(|own| self.may_be_next(&order, *own));
                next.map(|own| Decision::Number(own as i64 + 1)).collect()
            }
            Param::Fused if !layout.is_parallel() => vec![Decision::Number(0)],
            Param::Fused => {
                let order = self.order(before, layout.subs.len());
                let spatial = |own: &&usize| !layout.loops[layout.subs[**own].dim].reduce;
                let most = order.iter().take_while(spatial).count().min(DEPTH);
                (1..=most).map(|fused| Decision::Number(fused as i64)).collect()
            }
            Param::Unrolled(_) | Param::Moved(_) => {
                let vector = self.begun(before);
                let Ok(parsed) = Parsed::of(layout, &vector) else { return Vec::new() };
                let may = match param {
                    Param::Unrolled(depth) => parsed.may_unroll(layout, depth),
                    Param::Moved(n) => parsed.may_move(layout, n),
                    _ => false,
                };
                [false, true].into_iter().filter(|flag| may || !flag).map(Decision::There).collect()
            }
        }
    }

    /// Loops of the first depths
    fn order(&self, choices: &[Decision], depths: usize) -> Vec<usize> {
        let first = self.params.iter().position(|param| matches!(param, Param::Depth(_))).unwrap_or(0);
        let own = choices.iter().skip(first).take(depths);
        own.filter_map(|choice| match choice {
            Decision::Number(number) => usize::try_from(*number - 1).ok(),
            _ => None,
        })
        .collect()
    }

    /// Has a block no more threads than it may, with a tile of this size below a part that runs so often?
    fn threads_fit(&self, before: &[Decision], dim: usize, part: usize, [trip, size]: [i64; 2]) -> bool {
        let layout = &self.layout;
        let Fixed::Grid { threads } = layout.fixed else { return true };
        let own = |sub: &usize| matches!(layout.subs[*sub].role, Role::Thread(_));
        let at = layout.of_loop(dim).start + part;
        // The last part of a loop has no tile: it runs as often as the tile around it has elements.
        let last = part + 2 == layout.parts[dim];
        let along = match (own(&at), last && own(&(at + 1))) {
            (true, _) => trip,
            (false, true) => size,
            (false, false) => return true,
        };
        let Vector(values) = self.begun(before);
        let factor = |sub: usize| {
            let one = layout.subs[sub];
            match values.get(one.dim) {
                Some(Value::Factors(factors)) => factors.get(one.part).copied().unwrap_or(1),
                _ => 1,
            }
        };
        let others = (0..layout.of_loop(dim).start).filter(own).map(factor).fold(along, i64::saturating_mul);
        others <= threads
    }

    fn is_legal(&self, choices: &[Decision]) -> bool {
        let Ok(schedule) = self.schedule_of(choices) else { return false };
        let verdict = (self.legal)(&schedule);
        if let Err(refusal) = &verdict {
            self.refused.borrow_mut().add(refusal);
        }
        verdict.is_ok()
    }

    fn schedule_of(&self, choices: &[Decision]) -> Result<Schedule, Misfit> {
        decode(&self.layout, &self.begun(choices))
    }
}

impl Space for PrimitiveSpace<'_> {
    fn names(&self) -> Vec<String> {
        let name = |param: Param| match param {
            Param::Tile { dim, part } => format!("split.{}.{}", self.layout.loops[dim].name, part + 1),
            Param::Depth(depth) => format!("reorder.{}", depth + 1),
            Param::Fused => "fuse".into(),
            Param::Unrolled(depth) => format!("unroll.{}", depth + 1),
            Param::Moved(n) => format!("cache.{}", n + 1),
        };
        self.params.iter().copied().map(name).collect()
    }

    fn values(&self, before: &[Decision]) -> Vec<Decision> {
        let params = &self.params;
        let Some(param) = params.get(before.len()) else { return Vec::new() };
        let mut values = self.candidates(before, *param);
        if before.len() + 1 == params.len() {
            values.retain(|value| self.is_legal(&[before, std::slice::from_ref(value)].concat()));
        }
        values
    }

    fn allows(&self, before: &[Decision], value: &Decision) -> bool {
        let params = &self.params;
        let Some(param) = params.get(before.len()) else { return false };
        self.candidates(before, *param).contains(value)
            && (before.len() + 1 < params.len()
                || self.is_legal(&[before, std::slice::from_ref(value)].concat()))
    }

    fn coordinates(&self) -> Vec<Coordinate> {
        let params = &self.params;
        let of = |wanted: &dyn Fn(&Param) -> bool| -> Vec<usize> {
            (0..params.len()).filter(|n| wanted(&params[*n])).collect()
        };
        let mut all = Vec::new();
        for (dim, own) in self.layout.loops.iter().enumerate() {
            let params = of(&|param| matches!(param, Param::Tile { dim: own, .. } if *own == dim));
            all.extend((!params.is_empty()).then_some(Coordinate::Factors {
                params,
                above: own.trip,
                below: 1,
            }));
        }
        all.push(Coordinate::Places(of(&|param| matches!(param, Param::Depth(_)))));
        let others = of(&|param| !matches!(param, Param::Tile { .. } | Param::Depth(_)));
        all.extend(others.into_iter().map(Coordinate::Value));
        all
    }
}

impl OfSchedules for PrimitiveSpace<'_> {
    fn fill(&self, point: &[Decision]) -> OpenSchedule {
        self.schedule_of(point).map(|schedule| OpenSchedule::from(&schedule)).unwrap_or_default()
    }

    fn point(&self, schedule: &OpenSchedule) -> Option<Point> {
        let vector = encode(&self.layout, &schedule.decided().ok()?).ok()?;
        self.point_of(&vector).ok()
    }

    fn refusals(&self) -> Refusals {
        self.refused.borrow().clone()
    }

    fn text(&self) -> String {
        let one = |(n, own): (usize, &crate::layout::Loop)| {
            let kind = if own.reduce { "reduce" } else { "spatial" };
            format!("{} {kind} {} in {}", own.name, own.trip, self.layout.parts[n])
        };
        let loops: Vec<String> = self.layout.loops.iter().enumerate().map(one).collect();
        {
            let Layout { fixed, shared, registers, .. } = &self.layout;
            format!("primitives of {}, {fixed:?}, {shared:?}, {registers}", loops.join(", "))
        }
    }

    fn size(&self) -> Option<String> {
        Some(Size::AtMost(self.bound()).to_string())
    }

    fn about(&self, point: &[Decision]) -> Option<String> {
        let vector = self.vector(point).ok()?;
        let all: Vec<String> = applied(&self.layout, &vector).ok()?.iter().map(ToString::to_string).collect();
        Some(format!("{vector}\n{}\n", all.join("\n")))
    }
}
