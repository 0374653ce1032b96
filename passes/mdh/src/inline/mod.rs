//! The pass `mdh-inline`: element-wise computations join those that read them.
//!
//! What a computation reads may be computed where it is read: a producer in which every dimension is kept has one value per element, so
//! its body at the place of the access stands for the element. Two computations over the same points become one with the
//! outputs of both. Neither changes what an element is computed from, nor in what order.
//!
//! - [`producer`]: computations that may be read into others;
//! - [`choose`]: whether that pays, by reads of each element and by operations;
//! - [`compose`]: one computation out of two;
//! - [`together`]: reductions over the same points;
//! - [`views`]: subscripts that take a coordinate apart, as that coordinate;
//! - [`quotients`]: dimensions that subscripts divide, as two;
//! - [`conditions`]: what conditions state of coordinates; [`choices`]: those that sizes decide;
//! - [`through`]: borders of tensors that are handed on;
//! - [`outside`]: borders of no elements.

pub(crate) mod choices;
pub(crate) mod choose;
mod compose;
pub(crate) mod conditions;
mod outside;
pub(crate) mod producer;
pub(crate) mod quotients;
pub(crate) mod through;
pub(crate) mod together;
mod views;

use compose::{Composed, Made};
pub use producer::INLINE;
use producer::{Edge, Producer, Written};
use terrace_diag::{Diagnostic, Reported};
use terrace_dialect_mdh::Compute;
use terrace_dialect_mdh::view::{Input, View};
use terrace_ir::{Attr, BlockId, Ir, OpId, Value};
use terrace_macros::pass;
use terrace_pass::{Pass, PassCx};
use terrace_support::affine::{AffineExpr, AffineMap};
use together::Reduction;

/// Compute elements where they are read, and computations over the same points together
///
/// A computation whose dimensions are all kept is a producer. It is computed where it is read if it only moves elements, if each
/// element is read once, or if it costs less than a store and a load. Then, producers that are also read
/// elsewhere join their first reader if both have the same points: one computation with the outputs of both. So do
/// computations that read the same elements of one operand, reductions among them, each output with its own operator. A tensor whose
/// subscripts are quotient and remainder of one coordinate is read through a view. A contiguous dimension of results that subscripts divide becomes two dimensions, as does any kept one of a reduction.
/// What stands for elements outside is left out where no point reads one, and so is a choice that sizes decide. A padded read of a tensor that another
/// computation only forwards becomes a padded read of its source.
/// A computation with a schedule stays as it is, and bodies stay below
/// 200 operations. `mdh.inline = true` next to a computation states that it is computed where it is read, whether that pays or not, and `false`
/// that it is not. Remarks state what became of computations that the text names.
#[pass("mdh-inline", anchor = "func.func", stats("producers inlined", "computations merged"))]
pub struct MdhInline;

impl Pass for MdhInline {
    fn run(&self, cx: &mut PassCx<'_>, unit: &mut Ir) -> Result<(), Reported> {
        let (mut inlined, mut merged, mut simpler) = (0, 0, false);
        let written = Written::of(unit);
        for op in computes(unit) {
            simpler |= simplify_maps(unit, op).is_some();
            simpler |= choices::settled(unit, op).is_some();
        }
        for op in computes(unit) {
            simpler |= through::borders(unit, op, &written).is_some();
        }
        for op in computes(unit) {
            simpler |= outside::left_out(unit, op).is_some();
        }
        // From the first to the last: a producer has its own producers in it before it is read.
        loop {
            for op in computes(unit) {
                inlined += inline_into(cx, unit, op, &written);
            }
            // Reductions that are one have one reader in place of two: more may be computed in it.
            let together = reductions(cx, unit, &written);
            merged += together;
            if together == 0 {
                break;
            }
        }
        // From the last to the first: what a computation joins has been joined with those behind it.
        for op in computes(unit).into_iter().rev() {
            merged += u64::from(merge(cx, unit, op, &written));
        }
        not_inlined(cx, unit);
        for op in computes(unit) {
            let viewed = views::viewed(unit, op);
            simpler |= viewed.is_some();
            let mut op = viewed.unwrap_or(op);
            while let Some(divided) = quotients::divided(unit, op) {
                (op, simpler) = (divided, true);
            }
        }
        cx.count("producers inlined", inlined);
        cx.count("computations merged", merged);
        cx.set_changed(simpler || inlined + merged > 0);
        Ok(())
    }
}

fn computes(ir: &Ir) -> Vec<Compute> {
    ir.walk().filter_map(|op| Compute::cast(ir, op)).collect()
}

/// Writes index functions without the quotients and remainders that the sizes of dimensions decide; `None` if there are none
fn simplify_maps(ir: &mut Ir, op: Compute) -> Option<()> {
    let view = View::read(ir, op).ok()?;
    let sizes = view.sizes();
    let unit = ir.cx().common().unit;
    let mut changed = false;
    let mut simpler = |input: &Input| {
        let Some(map) = &input.map else { return Some(unit) };
        let results: Vec<AffineExpr> = map.results.iter().map(|expr| expr.within(&sizes)).collect();
        changed |= results != map.results;
        Some(ir.cx().map_attr(AffineMap::new(map.dims, 0, results)?))
    };
    let maps: Vec<Attr> = view.inputs.iter().map(&mut simpler).collect::<Option<_>>()?;
    let maps = ir.cx().array_attr(&maps);
    changed.then(|| op.set_maps(ir, maps))
}

/// Computes in place what a computation reads, as often as that pays
fn inline_into(cx: &mut PassCx<'_>, ir: &mut Ir, mut op: Compute, written: &Written) -> u64 {
    let mut times = 0;
    while let Some(made) = inline_one(cx, ir, op, written) {
        op = made;
        times += 1;
    }
    times
}

fn inline_one(cx: &mut PassCx<'_>, ir: &mut Ir, op: Compute, written: &Written) -> Option<Compute> {
    let view = producer::plain(ir, op)?;
    let (producer, edges) = producer::sources(ir, &view).into_iter().find_map(|source| {
        let producer = Producer::read(ir, source, written)?;
        let edges = producer.edges(ir, &view)?;
        let stated = stated(ir, source);
        stated.unwrap_or_else(|| choose::pays(ir, &producer, op, &view, &edges)).then_some((producer, edges))
    })?;
    let made = compose::inlined(ir, &producer, op, &view, &edges)?;
    if let (Some(own), Some(other)) = (&producer.view.name, &view.name) {
        remark(cx, ir, producer.op, format!("'{own}' is computed where '{other}' reads it"));
    }
    let stated = ir.discardable(op.id(), INLINE);
    ir.set_discardable(made.id(), INLINE, stated);
    crate::parts::replace(ir, op, made);
    if ir.is_unused(producer.op.id()) {
        ir.erase(producer.op.id());
    }
    Some(made)
}

/// What the text says of a computation
fn stated(ir: &Ir, op: Compute) -> Option<bool> {
    ir.discardable(op.id(), INLINE)?.as_i64(ir.cx()).map(|stated| stated != 0)
}

/// Says of computations that should be gone that they are not
fn not_inlined(cx: &mut PassCx<'_>, ir: &Ir) {
    for op in computes(ir).into_iter().filter(|op| stated(ir, *op) == Some(true)) {
        let name = op.name(ir).and_then(|name| name.as_str(ir.cx())).unwrap_or("it");
        let said = format!(
            "'{name}' is not computed where it is read: it folds, has a schedule, or something else than a computation without a schedule \
             reads it"
        );
        remark(cx, ir, op, said);
    }
}

/// Joins reductions over the same points that read an operand there; how many
fn reductions(cx: &mut PassCx<'_>, ir: &mut Ir, written: &Written) -> u64 {
    let mut times = 0;
    for op in computes(ir).into_iter().rev() {
        let Some(pair) = Reduction::read(ir, op, written).and_then(|first| {
            first.partner(ir, written, |pair| {
                let (one, other) = (&pair.first, &pair.second);
                pair.shares(ir) && choose::fit((ir, one.op, &one.view), (other.op, &other.view))
            })
        }) else {
            continue;
        };
        let Some(made) = pair.build(ir) else { continue };
        if let (Some(own), Some(other)) = (&pair.first.view.name, &pair.second.view.name) {
            remark(cx, ir, op, format!("'{own}' and '{other}' are computed together"));
        }
        pair.replace(ir, made);
        times += 1;
    }
    times
}

/// Joins a computation with the first one behind it that has the same points and reads its results, or the same operand
fn merge(cx: &mut PassCx<'_>, ir: &mut Ir, op: Compute, written: &Written) -> bool {
    let Some(producer) = Producer::read(ir, op, written) else { return false };
    let Some((reader, view, edges)) = partner(ir, &producer) else { return false };
    if [op, reader].into_iter().any(|own| stated(ir, own) == Some(false)) {
        return false;
    }
    let Some(Composed { op: made, outputs }) = compose::merged(ir, &producer, reader, &view, &edges) else {
        return false;
    };
    if let (Some(own), Some(other)) = (&producer.view.name, &view.name) {
        remark(cx, ir, op, format!("'{own}' and '{other}' are computed together"));
    }
    let old: Vec<Value> = ir.results(op.id()).chain(ir.results(reader.id())).collect();
    for (old, output) in old.into_iter().zip(outputs) {
        if let Made::Output(n) = output {
            let new = ir.result(made.id(), n);
            ir.replace_all_uses(old, new);
        }
    }
    ir.erase(reader.id());
    ir.erase(op.id());
    true
}

/// A remark on what the text names; a framework's computations have no names
fn remark(cx: &mut PassCx<'_>, ir: &Ir, op: Compute, said: String) {
    let _ = cx.emit(Diagnostic::remark(None, said).at(ir.span(op.id())));
}

/// Most ops between two computations that become one: a longer search would not stay linear
const REACH: usize = 64;

/// The computation that a producer can be joined with
fn partner(ir: &Ir, producer: &Producer) -> Option<(Compute, View, Vec<Edge>)> {
    let block = ir.block(producer.op.id())?;
    let first = first_user(ir, producer, block)?;
    for op in std::iter::successors(ir.next(producer.op.id()), |op| ir.next(*op)).take(REACH) {
        let reads = op == first;
        let found = Compute::cast(ir, op).and_then(|reader| joins(ir, producer, reader, reads));
        if reads || found.is_some() {
            return found;
        }
    }
    None
}

/// The first op of the block that uses a result, or has one within that does
fn first_user(ir: &Ir, producer: &Producer, block: BlockId) -> Option<OpId> {
    let users = ir.results(producer.op.id()).flat_map(|value| ir.uses(value).map(|(user, _)| user));
    let within = users.filter_map(|user| {
        std::iter::successors(Some(user), |op| ir.parent(*op)).find(|op| ir.block(*op) == Some(block))
    });
    within.reduce(|first, other| if ir.is_before(other, first) { other } else { first })
}

fn joins(ir: &Ir, producer: &Producer, reader: Compute, reads: bool) -> Option<(Compute, View, Vec<Edge>)> {
    let view = producer::plain(ir, reader)?;
    let edges = if reads { producer.edges(ir, &view)? } else { Vec::new() };
    choose::joins(ir, producer, reader, &view, &edges).then_some((reader, view, edges))
}
