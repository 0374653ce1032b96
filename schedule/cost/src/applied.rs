//! Estimates of schedules that are not lowered: the nest that they make of a computation, and what happens in it.

use crate::bodies::{Bodies, Operations};
use crate::estimate::Estimate;
use crate::grid::{self, KernelEstimate};
use terrace_devices::{Device, Products};
use terrace_schedule_model::apply::{Event, Extras, Happenings, apply_with};
use terrace_schedule_model::computation::{Computation, Contributions};
use terrace_schedule_model::nest::{Access, AccessId, Meeting, Nest, Use};
use terrace_schedule_model::{Broken, Schedule};

/// What a computation's body costs at one point
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Point {
    /// Its instructions, but for `products`
    pub operations: Operations,
    /// Products that are values of the body: one instruction with the sum where they are only merged
    pub products: u32,
    /// The unit that can compute its sums of products
    pub matrix: Option<Products>,
    /// Are instructions on its results counted? Those on conditions are not
    pub counted: bool,
    /// Is what is merged the largest or smallest of floats?
    pub ordered: bool,
    /// Are values merged by a function?
    pub function: bool,
}

/// A computation with all that an estimate needs, read once
#[derive(Clone, PartialEq, Debug)]
pub struct Computed {
    /// The computation
    pub computation: Computation,
    /// What becomes of its values
    pub contributions: Contributions,
    /// What a point costs
    pub point: Point,
}

impl Computed {
    /// The loops of a schedule and what happens in them; `None` for kernels, an error where it breaks a rule
    pub fn apply(&self, schedule: &Schedule, extras: &Extras) -> Result<Option<(Nest, Bodies)>, Broken> {
        let (nest, happenings) = apply_with(&self.computation, &self.contributions, schedule, extras)?;
        if !nest.launches.is_empty() {
            return Ok(None);
        }
        let bodies = bodies(&nest, happenings, &self.point);
        Ok(Some((nest, bodies)))
    }

    /// The time of a schedule that is one kernel; `None` where it is none, or the model has no estimate of it, an error where it breaks a rule
    pub fn on_grid(
        &self,
        schedule: &Schedule,
        extras: &Extras,
        device: &Device,
    ) -> Result<Option<KernelEstimate>, Broken> {
        let (mut nest, happenings) = apply_with(&self.computation, &self.contributions, schedule, extras)?;
        // Threads come to copies that they run together.
        let copies = nest.accesses.entries().filter(|(_, access)| access.together && !access.reads());
        let meeting = |(id, access): (AccessId, &Access)| Meeting {
            access: id,
            place: access.place,
            per: access.per,
            around: access.around,
        };
        let meetings: Vec<Meeting> = copies.map(meeting).collect();
        nest.meetings.extend(meetings);
        let bodies = bodies(&nest, happenings, &self.point);
        Ok(grid::kernel(&nest, &bodies, device).ok())
    }

    /// The time of a schedule; `None` for other than processors, for kernels, and where there are no loops, an error where it breaks a rule
    pub fn estimate(
        &self,
        schedule: &Schedule,
        extras: &Extras,
        device: &Device,
    ) -> Result<Option<Estimate>, Broken> {
        Ok(self.apply(schedule, extras)?.and_then(|applied| crate::estimate(&[applied], device)))
    }
}

/// What the bodies of a nest compute, as adapters read it from loops in IR
fn bodies(nest: &Nest, happenings: Happenings, point: &Point) -> Bodies {
    let simple = |simple: u32| Operations { simple, ..Operations::default() };
    let mut all = Bodies { lanes: happenings.lanes, matrix: point.matrix, ..Bodies::default() };
    for (inside, event) in happenings.events {
        let own = all.at(inside);
        match event {
            Event::Point { merged } => {
                own.add(&point.operations);
                own.add(&simple(if merged { 0 } else { point.products }));
            }
            Event::Joined(values) => own.add(&simple(if point.counted { values } else { 0 })),
            Event::Yielded(values) => {
                own.yields += values;
                own.ordered += if point.ordered { values } else { 0 };
                own.functions += if point.function { values } else { 0 };
            }
        }
    }
    for access in nest.accesses.iter().filter(|access| !access.copy) {
        if let Use::Merge(_) = access.does {
            let own = all.at(access.around.inside);
            own.merges += 1;
            own.ordered += u32::from(point.ordered);
            own.functions += u32::from(point.function);
        }
    }
    all
}
