//! The body of an element-wise computation at a place of another nest.
//!
//! Lanes of the place are lanes of the body: each access of it must be one element for all of them, or neighbors.

use crate::scalar;
use terrace_dialect_bufferization::{MaterializeInDestination, ToTensor};
use terrace_dialect_mdh as mdh;
use terrace_dialect_mdh::view::View;
use terrace_dialect_memref as memref;
use terrace_dialect_sched::access::{Access, Dims};
use terrace_dialect_sched::{self as sched, Alloc, Copy, For, Kernel, Level, Read, Write};
use terrace_ir::ir::ValueMap;
use terrace_ir::{BlockId, Builder, InsertPoint, Ir, OpId, Traits, TypeKind, Value};
use terrace_support::HashMap;
use terrace_support::affine::{AffineExpr, MAX_DEPTH, MAX_SIZE, in_rows};

/// An element-wise computation and how its coordinates follow from those of a result
pub(crate) struct Placed<'a> {
    pub op: mdh::Compute,
    pub view: &'a View,
    /// Buffers and scalars of its inputs
    pub inputs: Vec<Value>,
    /// Inputs that are a value which is given at the place
    pub given: Vec<usize>,
    /// The dimension along each axis of the result; none along one of a single element
    pub dims: Vec<Option<usize>>,
    /// Outputs with non-temporal stores
    pub past: &'a [i64],
}

/// Is nothing between a computation and another one behind it that reads or writes memory? What says that a result is in its buffer does
/// nothing, nor does a computation whose nest stands elsewhere
pub(crate) fn follows(
    ir: &Ir,
    first: mdh::Compute,
    second: mdh::Compute,
    buffer: &HashMap<Value, Value>,
) -> bool {
    let mut at = ir.next(first.id());
    while let Some(between) = at.filter(|between| *between != second.id()) {
        let said = MaterializeInDestination::cast(ir, between).is_some_and(|end| {
            ir.defining_op(end.source(ir)) == Some(first.id())
                && buffer.get(&end.source(ir)) == Some(&end.dest(ir))
        });
        let removable = || ir.num_regions(between) == 0 && ir.effects(between).is_removable();
        let harmless = said || Alloc::cast(ir, between).is_some() || removable();
        if !harmless && mdh::Compute::cast(ir, between).is_none() {
            return false;
        }
        at = ir.next(between);
    }
    at.is_some()
}

/// The op of a block that another one is in
pub(crate) fn top(ir: &Ir, op: OpId, block: BlockId) -> Option<OpId> {
    std::iter::successors(Some(op), |op| ir.parent(*op)).find(|op| ir.block(*op) == Some(block))
}

/// The ops of a block from one to before another
pub(crate) fn between(ir: &Ir, first: OpId, end: OpId) -> Vec<OpId> {
    std::iter::successors(Some(first), |op| ir.next(*op)).take_while(|op| *op != end).collect()
}

/// Is an op in a kernel?
pub(crate) fn in_kernel(ir: &Ir, op: OpId) -> bool {
    std::iter::successors(ir.parent(op), |op| ir.parent(*op)).any(|op| Kernel::cast(ir, op).is_some())
}

/// The loops over lanes around an op, as variables of its access; `None` where one is no variable of it
pub(crate) fn lanes(ir: &Ir, op: OpId, access: &Access) -> Vec<Option<usize>> {
    let around = std::iter::successors(ir.parent(op), |op| ir.parent(*op));
    let own = around.filter_map(|op| For::cast(ir, op)?.info(ir));
    let own = own.filter(|info| info.level == Level::Vector);
    own.map(|info| access.values.iter().position(|value| *value == info.iv)).collect()
}

impl Placed<'_> {
    /// Is an input a value that is given at the place?
    pub fn is_given(&self, n: usize) -> bool {
        self.given.contains(&n)
    }

    /// Values that the body needs from outside
    pub fn needed(&self) -> impl Iterator<Item = Value> + '_ {
        (0..self.inputs.len()).filter(|n| !self.is_given(*n)).map(|n| self.inputs[n])
    }

    /// Is everything that the body needs there before an op, and what it writes?
    pub fn there(&self, ir: &Ir, block: BlockId, first: OpId, dests: &[Option<Value>]) -> bool {
        let plain = self.view.inputs.iter().all(|input| input.other.is_none() && input.guard.is_none());
        let before = |value: Value| match ir.defining_op(value) {
            None => true,
            Some(op) => match top(ir, op, block) {
                Some(own) => own == op && ir.is_before(own, first),
                // In a block around, so before all of this one.
                None => true,
            },
        };
        plain && self.needed().chain(dests.iter().flatten().copied()).all(before)
    }

    /// Is what the body reads and writes none of what these ops do, whatever stands in their nests already? The buffer of the values that are
    /// given is left out
    pub fn apart(&self, ir: &Ir, nests: &[OpId], given: Value, dests: &[Option<Value>]) -> bool {
        let root = |value: Value| memref::root(ir, value);
        let (mut read, mut written) = (Vec::new(), Vec::new());
        for op in nests.iter().flat_map(|nest| std::iter::once(*nest).chain(ir.walk_below(*nest))) {
            for value in ir.operands(op).filter(|value| is_buffer(ir, *value)) {
                let (reads, writes) = used(ir, op, value);
                read.extend((reads && value != given).then(|| root(value)));
                written.extend(writes.then(|| root(value)));
            }
        }
        let reads_apart = self.needed().all(|value| !written.contains(&root(value)));
        let writes_apart = dests.iter().flatten().map(|dest| root(*dest)).all(|dest| {
            let touched = read.contains(&dest) || written.contains(&dest);
            !touched && self.needed().all(|value| root(value) != dest)
        });
        reads_apart && writes_apart
    }

    /// Is every access of the body along a variable of the result's access constant, or one element further each time in its row?
    pub fn in_rows(&self, access: &Access, variable: usize) -> bool {
        let Some(coords) = self.coordinates(access) else { return false };
        let maps = self.view.inputs.iter().enumerate().filter(|(n, _)| !self.is_given(*n));
        let maps = maps.filter_map(|(_, input)| input.map.as_ref());
        let outs = self.view.outputs.iter().flat_map(|out| &out.maps);
        maps.chain(outs).all(|map| {
            let exprs: Option<Vec<AffineExpr>> =
                map.results.iter().map(|expr| expr.replace(&coords, &[])).collect();
            exprs.is_some_and(|exprs| in_rows(&exprs, variable))
        })
    }

    /// Are all places of the body's accesses, in terms of a nest's variables, within the limits of index functions?
    pub fn can_be_said<'b>(&self, mut places: impl Iterator<Item = &'b Access>) -> bool {
        let inputs = self.view.inputs.iter().filter_map(|input| input.map.as_ref());
        let maps = inputs.chain(self.view.outputs.iter().flat_map(|out| &out.maps));
        let exprs: Vec<&AffineExpr> = maps.flat_map(|map| &map.results).collect();
        places.all(|access| {
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
        let place = |dim: usize| match self.dims.iter().position(|other| *other == Some(dim)) {
            Some(axis) => access.map.results.get(axis).cloned(),
            // Its one coordinate.
            None => Some(0.into()),
        };
        (0..self.view.dims.len()).map(place).collect()
    }

    /// The body before a point of the nest: at an access to the result whose variables are sums of values, with a value for the inputs that are
    /// given. It stores what it yields, and gives that
    pub fn body(
        &self,
        ir: &mut Ir,
        at: InsertPoint,
        (access, leaves): (&Access, &[Vec<Value>]),
        value: Option<Value>,
        (dests, clip): (&[Value], bool),
    ) -> Option<Vec<Value>> {
        let coords = self.coordinates(access)?;
        let at_coords = |exprs: &[AffineExpr]| {
            let exprs: Option<Vec<AffineExpr>> =
                exprs.iter().map(|expr| expr.replace(&coords, &[])).collect();
            over(&exprs?, leaves)
        };
        let block = ir.entry(self.op.body(ir))?;
        let mut yielded = Vec::new();
        let mut map = ValueMap::default();
        for (n, arg) in ir.block_args(block).to_vec().into_iter().enumerate() {
            let input = &self.view.inputs[n];
            let given = match &input.map {
                _ if self.is_given(n) => value?,
                None => self.inputs[n],
                Some(map) => {
                    let place = at_coords(&map.results)?;
                    let memref = self.inputs[n];
                    let padding = clip.then(|| zero(&mut builder(ir, at), memref)).flatten();
                    let mut b = builder(ir, at);
                    let read = Read::make(&mut b, memref, &place, padding).id();
                    b.read().result(read, 0)
                }
            };
            map.insert(arg, given);
        }
        for op in ir.block_ops(block).collect::<Vec<_>>() {
            if let Some(index) = mdh::Index::cast(ir, op) {
                let dim = index.dim(ir).as_i64(ir.cx()).unwrap_or(0);
                let place = at_coords(&[AffineExpr::Dim(dim as u32)])?;
                let mut b = builder(ir, at);
                let value = scalar::affine(&mut b, &place.map.results[0], &place.values);
                map.insert(ir.result(op, 0), value);
            } else if mdh::Yield::cast(ir, op).is_some() {
                let given: Vec<Option<Value>> = ir.operands(op).map(|value| map.get(value)).collect();
                for (n, (out, given)) in self.view.outputs.iter().zip(given).enumerate() {
                    let (place, given) = (at_coords(&out.maps[0].results)?, given?);
                    yielded.push(given);
                    let write = Write::make(&mut builder(ir, at), given, dests[n], &place, None);
                    let unit = ir.cx().common().unit;
                    write.set_clip(ir, clip.then_some(unit));
                    let past = self.past.contains(&(n as i64));
                    ir.set_discardable(write.0, sched::NONTEMPORAL, past.then_some(unit));
                }
            } else {
                let copy = ir.clone_op(None, op, &mut map);
                builder(ir, at).place(copy);
            }
        }
        Some(yielded)
    }
}

fn is_buffer(ir: &Ir, value: Value) -> bool {
    matches!(ir.ty(value).kind(ir.cx()), TypeKind::MemRef { .. } | TypeKind::UnrankedMemRef { .. })
}

/// Does an op read a buffer among its operands, and does it write to that? What is not known here does both
fn used(ir: &Ir, op: OpId, buffer: Value) -> (bool, bool) {
    if ir.has(op, Traits::ViewLike) || ir.is(op, ToTensor::DEF) {
        return (false, false);
    }
    if Read::cast(ir, op).is_some() {
        return (true, false);
    }
    if let Some(write) = Write::cast(ir, op) {
        return (write.operator(ir).is_some(), true);
    }
    match Copy::cast(ir, op) {
        Some(copy) => {
            let (from, to) = (copy.src(ir) == buffer, copy.dst(ir) == buffer);
            (from || copy.operator(ir).is_some(), to)
        }
        None => (true, true),
    }
}

/// Expressions over variables, each the sum of some values, as an access over those
pub(crate) fn over(exprs: &[AffineExpr], leaves: &[Vec<Value>]) -> Option<Access> {
    let mut dims = Dims::default();
    let leaves: Vec<AffineExpr> = leaves.iter().map(|values| dims.sum(values)).collect();
    let results: Option<Vec<AffineExpr>> = exprs.iter().map(|expr| expr.replace(&leaves, &[])).collect();
    dims.access(results?)
}

pub(crate) fn builder(ir: &mut Ir, at: InsertPoint) -> Builder<'_> {
    match at {
        InsertPoint::Before(op) => Builder::before(ir, op),
        InsertPoint::End(block) => Builder::at_end(ir, block),
    }
}

/// A zero of a buffer's type, for what is outside and is not written
fn zero(b: &mut Builder<'_>, buffer: Value) -> Option<Value> {
    let cx = b.cx();
    let elem = b.read().ty(buffer).element(cx)?;
    let attr = if elem.is_float(cx) { cx.float_attr(0, elem) } else { cx.int_attr(0, elem) };
    Some(scalar::constant(b, attr))
}
