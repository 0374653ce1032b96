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

use terrace_devices::Space;
use terrace_dialect_bufferization::MaterializeInDestination;
use terrace_dialect_mdh as mdh;
use terrace_dialect_mdh::epilogue::{self, Epilogue};
use terrace_dialect_mdh::view::View;
use terrace_dialect_memref as memref;
use terrace_dialect_sched::access::Access;
use terrace_dialect_sched::{self as sched, Alloc, By, Combination, Copy, For, Kernel, Level, Write};
use terrace_ir::{BlockId, Ir, OpId, Value};
use terrace_support::HashMap;
use terrace_support::affine::{AffineExpr, MAX_DEPTH, MAX_SIZE};

/// A place where elements are complete
enum Place {
    /// A tile in registers goes to the result
    Tile(Copy),
    /// A value does
    Point(Write),
}

/// An element-wise computation that the nest in front has places for
pub(crate) struct Joined<'a> {
    op: mdh::Compute,
    view: &'a View,
    how: Epilogue,
    places: Vec<Place>,
    /// Buffers and scalars of its inputs
    inputs: Vec<Value>,
    /// The buffer of what it reads
    made: Value,
    /// Outputs with non-temporal stores
    past: &'a [i64],
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
    if !follows(ir, &how, op, made) {
        return None;
    }
    let places: Vec<Place> = ir.uses(made).map(|(user, _)| place(ir, user, made)).collect::<Option<_>>()?;
    let block = ir.block(how.maker.id())?;
    let tops = places.iter().filter_map(|place| top(ir, place.op(), block));
    let first = tops.min_by(|a, b| match ir.is_before(*a, *b) {
        true => std::cmp::Ordering::Less,
        false => std::cmp::Ordering::Greater,
    })?;
    let joined = Joined { op, view, how, places, inputs, made, past, first };
    let fits = joined.there(ir, block) && joined.apart(ir, buffer, dests) && joined.on_lanes(ir);
    (fits && joined.can_be_said(ir)).then_some(joined)
}

impl Place {
    fn op(&self) -> OpId {
        match self {
            Place::Tile(copy) => copy.0,
            Place::Point(write) => write.0,
        }
    }
}

/// Is nothing between both computations that reads or writes memory?
fn follows(ir: &Ir, how: &Epilogue, op: mdh::Compute, made: Value) -> bool {
    let mut at = ir.next(how.maker.id());
    while let Some(between) = at.filter(|between| *between != op.id()) {
        // What says that the result is in its buffer does nothing.
        let said = MaterializeInDestination::cast(ir, between)
            .is_some_and(|end| end.source(ir) == how.result && end.dest(ir) == made);
        let harmless = said || Alloc::cast(ir, between).is_some() || ir.effects(between).is_removable();
        if !harmless || ir.num_regions(between) > 0 {
            return false;
        }
        at = ir.next(between);
    }
    at.is_some()
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

/// The op of a block that another one is in
fn top(ir: &Ir, op: OpId, block: BlockId) -> Option<OpId> {
    std::iter::successors(Some(op), |op| ir.parent(*op)).find(|op| ir.block(*op) == Some(block))
}

impl Joined<'_> {
    fn is_made(&self, n: usize) -> bool {
        self.how.reads.contains(&n)
    }

    /// Values that the body needs from outside, but for what it reads of the nest
    fn needed(&self) -> impl Iterator<Item = Value> + '_ {
        (0..self.inputs.len()).filter(|n| !self.is_made(*n)).map(|n| self.inputs[n])
    }

    /// Is everything that the body needs there before the nest?
    fn there(&self, ir: &Ir, block: BlockId) -> bool {
        let plain = self.view.inputs.iter().all(|input| input.other.is_none() && input.guard.is_none());
        let before = |value: Value| match ir.defining_op(value) {
            None => true,
            Some(op) => match top(ir, op, block) {
                Some(own) => own == op && ir.is_before(own, self.first),
                // In a block around, so before all of this one.
                None => true,
            },
        };
        plain && self.needed().all(before)
    }

    /// Is what the body reads and writes none of what the nest does?
    fn apart(&self, ir: &Ir, buffer: &HashMap<Value, Value>, dests: &[Option<Value>]) -> bool {
        let root = |value: Value| memref::root(ir, value);
        let standing = |value: Value| root(buffer.get(&value).copied().unwrap_or(value));
        let nest = self.how.maker.id();
        let of_nest: Vec<Value> = ir.operands(nest).chain(ir.results(nest)).map(standing).collect();
        let written: Vec<Value> = ir.results(nest).map(standing).collect();
        let reads_apart = self.needed().all(|value| !written.contains(&root(value)));
        let writes_apart = dests.iter().flatten().all(|dest| {
            !of_nest.contains(&root(*dest)) && self.needed().all(|value| root(value) != root(*dest))
        });
        reads_apart && writes_apart
    }

    /// Do lanes of each place read and write the same element or neighbors, and are there lanes? In a kernel threads are enough
    fn on_lanes(&self, ir: &Ir) -> bool {
        let mut lanes = 0;
        let in_rows = self.places.iter().all(|place| match place {
            Place::Tile(copy) => {
                let own = copy.by_levels(ir);
                let mut own = (0..).zip(&own).filter(|(_, by)| matches!(by, By::Vector(_))).peekable();
                lanes += usize::from(own.peek().is_some());
                own.all(|(n, _)| self.in_rows(&copy.to(ir), n))
            }
            Place::Point(write) => {
                let access = write.access(ir);
                let around = std::iter::successors(ir.parent(write.0), |op| ir.parent(*op));
                let own = around.filter_map(|op| For::cast(ir, op)?.info(ir));
                let own: Vec<Value> =
                    own.filter(|info| info.level == Level::Vector).map(|info| info.iv).collect();
                lanes += own.len();
                let at = |iv| access.values.iter().position(|value| value == iv);
                own.len() < 2 && own.iter().all(|iv| at(iv).is_some_and(|at| self.in_rows(&access, at)))
            }
        });
        let in_kernel = |place: &Place| {
            std::iter::successors(ir.parent(place.op()), |op| ir.parent(*op))
                .any(|op| Kernel::cast(ir, op).is_some())
        };
        in_rows && (lanes > 0 || self.places.iter().all(in_kernel))
    }

    /// Is every access of the body along a variable of the result's access constant, or one element further each time in its row?
    fn in_rows(&self, access: &Access, variable: usize) -> bool {
        let Some(coords) = self.coordinates(access) else { return false };
        let maps = self.view.inputs.iter().enumerate().filter(|(n, _)| !self.is_made(*n));
        let maps = maps.filter_map(|(_, input)| input.map.as_ref());
        let outs = self.view.outputs.iter().flat_map(|out| &out.maps);
        maps.chain(outs).all(|map| {
            let last = map.results.len().saturating_sub(1);
            map.results.iter().enumerate().all(|(axis, expr)| {
                let linear = expr.replace(&coords, &[]).and_then(|expr| expr.as_linear());
                linear.is_some_and(|linear| match linear.dim(variable) {
                    0 => true,
                    1 => axis == last,
                    _ => false,
                })
            })
        })
    }

    /// Are all places of the body's accesses, in terms of the nest's variables, within the limits of index functions?
    fn can_be_said(&self, ir: &Ir) -> bool {
        let inputs = self.view.inputs.iter().filter_map(|input| input.map.as_ref());
        let maps = inputs.chain(self.view.outputs.iter().flat_map(|out| &out.maps));
        let exprs: Vec<&AffineExpr> = maps.flat_map(|map| &map.results).collect();
        self.places.iter().all(|place| {
            let access = match place {
                Place::Tile(copy) => copy.to(ir),
                Place::Point(write) => write.access(ir),
            };
            // A variable of a copy is the sum of two loops at most.
            let most = |of: fn(&AffineExpr) -> u32| access.map.results.iter().map(of).max().unwrap_or(0);
            let (size, depth) = (most(AffineExpr::size) * 3, most(AffineExpr::depth) + 1);
            exprs
                .iter()
                .all(|expr| expr.size().saturating_mul(size) <= MAX_SIZE && expr.depth() + depth <= MAX_DEPTH)
        })
    }

    /// The coordinates of the computation by the variables of an access to what it reads
    fn coordinates(&self, access: &Access) -> Option<Vec<AffineExpr>> {
        let place = |dim: usize| match self.how.dims.iter().position(|other| *other == Some(dim)) {
            Some(axis) => access.map.results.get(axis).cloned(),
            // Its one coordinate.
            None => Some(0.into()),
        };
        (0..self.view.dims.len()).map(place).collect()
    }
}
