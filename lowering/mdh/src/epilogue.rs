//! Element-wise computations at the places where a nest in front has complete elements of its result.
//!
//! A nest writes an element of its result once: from a tile in registers when its reductions are done, or at the point itself. The body
//! of an element-wise computation of that result ([`epilogue`]) may stand there, since
//!
//! - every loop around is over kept dimensions, so the element is complete and no other iteration has it;
//! - nothing else of the nest touches the result, and none of the buffers that the body writes or reads is one that the nest writes
//!   or reads in another place.
//!
//! Lanes of the copy or the loop are lanes of the body: each access of it must be one element for all of them, or neighbors.

mod build;

use crate::placed::{Placed, between, follows, in_kernel, lanes, top};
use terrace_devices::Space;
use terrace_dialect_mdh as mdh;
use terrace_dialect_mdh::epilogue::{self, Epilogue};
use terrace_dialect_mdh::view::View;
use terrace_dialect_sched::access::Access;
use terrace_dialect_sched::{self as sched, Alloc, By, Combination, Copy, For, Kernel, Write};
use terrace_ir::{Ir, OpId, Value};
use terrace_support::HashMap;

/// A place where elements are complete
enum Place {
    /// A tile in registers goes to the result
    Tile(Copy),
    /// A value does
    Point(Write),
}

/// An element-wise computation that the nest in front has places for
pub(crate) struct Joined<'a> {
    body: Placed<'a>,
    how: Epilogue,
    places: Vec<Place>,
    /// The buffer of what it reads
    made: Value,
    /// What begins the nest: buffers of the body's results must be there before
    pub first: OpId,
}

/// The places for a computation in the nest in front, which must be the computation before it
pub(crate) fn places<'a>(
    ir: &Ir,
    op: mdh::Compute,
    (view, past): (&'a View, &'a [i64]),
    buffer: &HashMap<Value, Value>,
    dests: &[Option<Value>],
) -> Option<Joined<'a>> {
    let how = epilogue::find(ir, view)?;
    let made = *buffer.get(&how.result)?;
    let inputs: Vec<Value> =
        view.inputs.iter().map(|input| buffer.get(&input.value).copied().unwrap_or(input.value)).collect();
    if !follows(ir, how.maker, op, buffer) {
        return None;
    }
    let places: Vec<Place> = ir.uses(made).map(|(user, _)| place(ir, user, made)).collect::<Option<_>>()?;
    let block = ir.block(how.maker.id())?;
    let tops: Vec<OpId> = places.iter().map(|place| top(ir, place.op(), block)).collect::<Option<_>>()?;
    let first = tops.iter().copied().min_by(|a, b| match ir.is_before(*a, *b) {
        true => std::cmp::Ordering::Less,
        false => std::cmp::Ordering::Greater,
    })?;
    let body = Placed { op, view, inputs, given: how.reads.clone(), dims: how.dims.clone(), past };
    let joined = Joined { body, how, places, made, first };
    let fits = joined.body.there(ir, block, first, dests)
        && joined.body.apart(ir, &between(ir, first, op.id()), made, dests);
    let accesses: Vec<Access> = joined.places.iter().map(|place| place.access(ir)).collect();
    (fits && joined.on_lanes(ir) && joined.body.can_be_said(accesses.iter())).then_some(joined)
}

impl Place {
    fn op(&self) -> OpId {
        match self {
            Place::Tile(copy) => copy.0,
            Place::Point(write) => write.0,
        }
    }

    /// Where it puts elements
    fn access(&self, ir: &Ir) -> Access {
        match self {
            Place::Tile(copy) => copy.to(ir),
            Place::Point(write) => write.access(ir),
        }
    }
}

/// The place that a use of the result is, if its elements are complete there
fn place(ir: &Ir, user: OpId, made: Value) -> Option<Place> {
    let mut around = ir.parent(user);
    while let Some(op) = around.filter(|op| For::cast(ir, *op).is_some() || Kernel::cast(ir, *op).is_some()) {
        if let Some(info) = For::cast(ir, op) {
            let info = info.info(ir)?;
            if info.kind != Combination::Cc || ir.num_results(op) > 0 {
                return None;
            }
        }
        around = ir.parent(op);
    }
    if let Some(write) = Write::cast(ir, user) {
        let plain = write.memref(ir) == made && write.value(ir) != made && write.operator(ir).is_none();
        return plain.then_some(Place::Point(write));
    }
    let copy = Copy::cast(ir, user)?;
    let tile = Alloc::cast(ir, ir.defining_op(copy.src(ir))?)?;
    // What is left behind the loops has its tile outside of them.
    let register = || sched::space::of(ir.cx(), ir.ty(copy.src(ir))) == Space::Private;
    let own = ir.parent(tile.0).is_some_and(|around| For::cast(ir, around).is_some()) || register();
    let plain = copy.dst(ir) == made
        && copy.src(ir) != made
        && copy.from(ir).is_some()
        && copy.operator(ir).is_none()
        && copy.owner(ir).is_none()
        && copy.when(ir).is_none()
        && !copy.by_levels(ir).is_empty();
    (own && plain).then_some(Place::Tile(copy))
}

impl Joined<'_> {
    /// Do lanes of each place read and write the same element or neighbors, and are there lanes? In a kernel threads are enough
    fn on_lanes(&self, ir: &Ir) -> bool {
        let mut count = 0;
        let in_rows = self.places.iter().all(|place| {
            let access = place.access(ir);
            let own: Vec<Option<usize>> = match place {
                Place::Tile(copy) => {
                    let by = copy.by_levels(ir);
                    (0..by.len()).filter(|n| matches!(by[*n], By::Vector(_))).map(Some).collect()
                }
                Place::Point(write) => lanes(ir, write.0, &access),
            };
            count += usize::from(!own.is_empty());
            let one = matches!(place, Place::Tile(_)) || own.len() < 2;
            one && own.iter().all(|at| at.is_some_and(|at| self.body.in_rows(&access, at)))
        });
        in_rows && (count > 0 || self.places.iter().all(|place| in_kernel(ir, place.op())))
    }
}
