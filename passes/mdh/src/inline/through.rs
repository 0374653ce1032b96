//! Reads through computations that only forward elements.
//!
//! A border of a tensor, elements set apart, and a copy are such computations. Where the reader has a constant for elements outside of one of
//! them, the same constant must stand there for elements outside of the tensor behind it.

use super::choices::Handed;
use super::conditions::{self, Conditions, Remainder};
use super::producer::{Edge, Producer, Written};
use super::{choose, compose};
use terrace_analysis::{Range, range_of};
use terrace_dialect_mdh::view::{Input, View};
use terrace_dialect_mdh::{Compute, is_bounded};
use terrace_ir::{Attr, Ir};
use terrace_support::affine::{AffineExpr, AffineKind};

/// Computations behind each other that an input is read through at most
pub const MOST_HOPS: usize = 16;

/// An input as it is without the computation in between
pub struct Through {
    /// What is read, with a guard for what that computation chooses
    pub read: Input,
    /// That computation
    pub producer: Producer,
    /// Where it was read
    pub edge: Edge,
}

/// What an input of a computation reads through the one that computes it; `None` where that is something else than one element or a constant
pub fn step(ir: &Ir, view: &View, n: usize, written: &Written) -> Option<Through> {
    let input = &view.inputs[n];
    let source = Compute::cast(ir, ir.defining_op(input.value)?)?;
    if super::stated(ir, source) == Some(false) {
        return None;
    }
    let producer = Producer::read(ir, source, written)?;
    let result = ir.results(source.id()).position(|value| value == input.value)?;
    let conditions = Conditions::of(ir, &producer.view)?;
    let yielded = ir.operands(ir.last_op(producer.body)?).nth(result)?;
    let handed = Handed::read(ir, (producer.body, &producer.view), &conditions, yielded)?;
    let mut own = producer.view.inputs[handed.input].clone();
    let mut terms = handed.remainders;
    if let Some(guard) = &own.guard {
        conditions::remainders(guard, &mut terms)?;
    }
    let coords = producer.coordinates(result, &input.map.as_ref()?.results)?;
    let others = [own.other, handed.constant, input.other];
    let other = others.into_iter().flatten().next();
    if others.into_iter().flatten().any(|one| Some(one) != other)
        || input.other.is_some() && !is_outside_behind(ir, view, &producer, &own, &terms, &coords)
    {
        return None;
    }
    own.guard = conditions::sum(&terms);
    let mut read = compose::moved(&own, &coords, &view.sizes())?;
    if let Some(guard) = &input.guard {
        let mut both = Vec::new();
        conditions::remainders(guard, &mut both)?;
        if let Some(own) = &read.guard {
            conditions::remainders(own, &mut both)?;
        }
        read.guard = conditions::sum(&both);
    }
    read.other = other;
    let sizes = view.sizes();
    let mut exprs = read.map.iter().flat_map(|map| &map.results).chain(&read.guard);
    if !exprs.all(|expr| is_bounded(expr, &sizes)) {
        return None;
    }
    Some(Through { read, producer, edge: Edge { input: n, result, coords } })
}

/// Reads borders of what is handed on as borders of the tensor behind; `None` if there are none
pub fn borders(ir: &mut Ir, op: Compute, written: &Written) -> Option<()> {
    let mut view = super::producer::plain(ir, op)?;
    let mut changed = None;
    for n in 0..view.inputs.len() {
        for _ in 0..MOST_HOPS {
            if view.inputs[n].other.is_none() || view.inputs[n].guard.is_some() {
                break;
            }
            let Some(found) = step(ir, &view, n, written) else { break };
            let Through { read, producer, edge } = found;
            if read.guard.is_some() || !choose::moves(ir, &producer, &view, &[edge]) {
                break;
            }
            // What stands for elements outside is the same as before.
            view.inputs[n] = read;
            ir.set_operand(op.id(), n, view.inputs[n].value);
            changed = Some(());
            if ir.is_unused(producer.op.id()) {
                ir.erase(producer.op.id());
            }
        }
    }
    changed?;
    let unit = ir.cx().common().unit;
    let map = |input: &Input| input.map.clone().map_or(unit, |map| ir.cx().map_attr(map));
    let maps: Vec<Attr> = view.inputs.iter().map(map).collect();
    let maps = ir.cx().array_attr(&maps);
    op.set_maps(ir, maps);
    changed
}

/// Is an element that is outside of a producer's result outside of what it reads too, or shut out there?
fn is_outside_behind(
    ir: &Ir,
    view: &View,
    producer: &Producer,
    own: &Input,
    terms: &[Remainder],
    coords: &[AffineExpr],
) -> bool {
    let ranges: Option<Vec<Range>> = view.sizes().into_iter().map(Range::below).collect();
    let (Some(ranges), Some(map)) = (ranges, &own.map) else { return false };
    let Some(shape) = ir.ty(own.value).shape(ir.cx()) else { return false };
    let subscripts: Vec<(Subscript, i64)> = map
        .results
        .iter()
        .zip(shape)
        .filter_map(|(expr, extent)| Some((Subscript::of(expr, terms)?, *extent)))
        .collect();
    coords.iter().enumerate().all(|(dim, coord)| {
        let size = producer.view.dims[dim].size;
        let reached = range_of(coord, &ranges);
        let low = reached.is_none_or(|range| range.min() < 0);
        let high = reached.is_none_or(|range| range.max() >= size);
        let beyond = |(own, extent): &(Subscript, i64)| {
            own.dim == dim && (!low || own.is_beyond(-1, *extent)) && (!high || own.is_beyond(size, *extent))
        };
        !low && !high || subscripts.iter().any(beyond)
    })
}

/// `(factor · x + shift) / divisor` of one coordinate, rounded down or without a remainder
struct Subscript {
    dim: usize,
    factor: i64,
    shift: i64,
    divisor: i64,
    exact: bool,
}

impl Subscript {
    fn of(expr: &AffineExpr, terms: &[Remainder]) -> Option<Subscript> {
        let (of, divisor, behind) = quotient(expr);
        let linear = of.as_linear()?;
        let mut moving = (0..linear.dims.len()).filter(|dim| linear.dim(*dim) != 0);
        let dim = moving.next().filter(|_| moving.next().is_none())?;
        let mut rests = terms.iter().filter_map(|(term, by)| (*by == divisor).then(|| rest(&of, term))?);
        // Without a remainder of `term`, what is added to it is rounded alone.
        let rest = rests.next();
        let shift = linear.constant.checked_sub(rest.map_or(0, |rest| rest.rem_euclid(divisor)))?;
        let shift = shift.checked_add(behind.checked_mul(divisor)?)?;
        Some(Subscript { dim, factor: linear.dim(dim), shift, divisor, exact: rest.is_some() })
    }

    /// Is it outside of an extent at this coordinate, and further outside at those beyond? These are below a negative one
    fn is_beyond(&self, coordinate: i64, extent: i64) -> bool {
        let Some(value) = self.factor.checked_mul(coordinate).and_then(|value| value.checked_add(self.shift))
        else {
            return false;
        };
        if (self.factor < 0) == (coordinate < 0) {
            // Rounded up, where only multiples are met.
            let up = self.exact && value.rem_euclid(self.divisor) != 0;
            value.div_euclid(self.divisor) + i64::from(up) >= extent
        } else {
            value < 0
        }
    }
}

/// An expression as `of floordiv divisor + behind`
pub fn quotient(expr: &AffineExpr) -> (AffineExpr, i64, i64) {
    let divided = |expr: &AffineExpr| {
        let (of, by) = expr.operands_of(AffineKind::FloorDiv)?;
        Some((of.clone(), by.as_constant().filter(|by| *by > 0)?))
    };
    let behind = || {
        let (left, right) = expr.operands_of(AffineKind::Add)?;
        Some((divided(left)?, right.as_constant()?))
    };
    match (divided(expr), behind()) {
        (Some((of, by)), _) => (of, by, 0),
        (None, Some(((of, by), behind))) => (of, by, behind),
        _ => (expr.clone(), 1, 0),
    }
}

/// What is added to an expression to give another one
pub fn rest(expr: &AffineExpr, term: &AffineExpr) -> Option<i64> {
    let (expr, term) = (expr.as_linear()?, term.as_linear()?);
    let dims = expr.dims.len().max(term.dims.len());
    let same = (0..dims).all(|dim| expr.dim(dim) == term.dim(dim));
    (same && expr.symbols.is_empty() && term.symbols.is_empty())
        .then(|| expr.constant.checked_sub(term.constant))?
}
