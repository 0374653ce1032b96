//! Whether a producer is computed where it is read, and which computations become one.

use super::producer::{Edge, Producer, dimension};
use terrace_dialect_mdh::view::{CombineKind, Input, View};
use terrace_dialect_mdh::{Compute, Index, Yield};
use terrace_ir::{BlockId, Ir, OpId, Traits, Value};
use terrace_support::HashSet;
use terrace_support::affine::AffineExpr;

/// Most operations of a body: the work of composing stays linear, and values stay in registers
const MOST: usize = 200;

/// Operations that an element between two computations costs: a store, a load, and their share of loops
const BETWEEN: usize = 4;

/// Operations that may be done again for each of several readers
const CHEAP: usize = 2;

/// Operations that a division or a root counts as
const DIVISION: usize = 8;

/// Operations that a function of a library counts as
const CALL: usize = 20;

/// Most operands and results of one computation: each is a stream, and the first cache has eight or more ways
const STREAMS: usize = 16;

/// Is computing the producer's elements where they are read no more work than storing and reading them?
pub fn pays(ir: &Ir, producer: &Producer, reader: Compute, view: &View, edges: &[Edge]) -> bool {
    let Some(body) = ir.entry(reader.body(ir)) else { return false };
    if ir.block_ops(body).count() + edges.len() * ir.block_ops(producer.body).count() > MOST {
        return false;
    }
    let cost = cost(ir, producer.body);
    if cost == 0 {
        return moves(ir, producer, view, edges);
    }
    if ir.block(producer.op.id()) != ir.block(reader.id()) {
        return false;
    }
    let mut users = ir.results(producer.op.id()).flat_map(|value| ir.uses(value).map(|(user, _)| user));
    let instances =
        (0..edges.len()).filter(|n| edges[..*n].iter().all(|other| other.coords != edges[*n].coords)).count();
    if users.all(|user| user == reader.id()) {
        let loads = streams(producer).saturating_sub(1);
        let again = points(view).saturating_mul((instances * (cost + loads)) as u128);
        return again < points(&producer.view).saturating_mul((cost + BETWEEN) as u128);
    }
    cost <= CHEAP && streams(producer) <= 1 && instances == 1 && reads_once(view, &edges[0])
}

fn points(view: &View) -> u128 {
    view.dims.iter().fold(1, |all: u128, dim| all.saturating_mul(dim.size.max(0) as u128))
}

/// May a producer that only moves elements be read through? Where it turns rows, and what reads it does so again and again, its copy pays
pub fn moves(ir: &Ir, producer: &Producer, view: &View, edges: &[Edge]) -> bool {
    let turned = producer.view.inputs.iter().any(|input| input.guard.is_some() || turns(ir, producer, input));
    !turned || edges.iter().all(|edge| reads_once(view, edge))
}

/// Are neighbors in a row of the result no neighbors in the operand, though its rows have more than one element?
fn turns(ir: &Ir, producer: &Producer, input: &Input) -> bool {
    let Some(map) = &input.map else { return false };
    let shape = ir.ty(input.value).shape(ir.cx()).unwrap_or(&[]);
    let last = producer.view.outputs[0].maps[0].results.last().and_then(dimension);
    let (Some(last), Some(row)) = (last, map.results.last()) else { return false };
    let elsewhere = map.results.iter().any(|expr| expr.uses_dim(last as u32));
    elsewhere
        && shape.last().is_some_and(|size| *size > 1)
        && row.as_linear().is_none_or(|row| row.dim(last) != 1)
}

/// Does the reader take each element once? Each of its dimensions moves a coordinate that no other one moves
fn reads_once(view: &View, edge: &Edge) -> bool {
    let moves_alone = |dim: usize, expr: &AffineExpr| {
        let others = (0..view.dims.len()).any(|other| other != dim && expr.uses_dim(other as u32));
        !others && expr.as_linear().is_some_and(|linear| linear.dim(dim) != 0)
    };
    (0..view.dims.len())
        .all(|dim| view.dims[dim].size == 1 || edge.coords.iter().any(|expr| moves_alone(dim, expr)))
}

/// Operands with an element for each point: what is read in place of the producer's result
fn streams(producer: &Producer) -> usize {
    let whole = |input: &&Input| {
        let appears = |dim: usize| {
            input.map.as_ref().is_some_and(|map| map.results.iter().any(|expr| expr.uses_dim(dim as u32)))
        };
        (0..producer.view.dims.len()).all(|dim| producer.view.dims[dim].size == 1 || appears(dim))
    };
    producer.view.inputs.iter().filter(whole).count()
}

/// Operations at a point; constants, what follows from them alone, and coordinates count nothing
fn cost(ir: &Ir, body: BlockId) -> usize {
    let mut constant: HashSet<Value> = HashSet::default();
    let mut each = |op: OpId| {
        let known = ir.num_operands(op) > 0 && ir.operands(op).all(|value| constant.contains(&value));
        if known || ir.has(op, Traits::ConstantLike) {
            constant.extend(ir.results(op));
            return 0;
        }
        match ir.def(op).traits {
            _ if ir.is_any(op, &[Index::DEF, Yield::DEF]) => 0,
            traits if traits.has(Traits::Divides) => DIVISION,
            traits if traits.has(Traits::LibraryCall) => CALL,
            _ => 1,
        }
    };
    ir.block_ops(body).map(&mut each).sum()
}

/// May the producer and another computation become one? Both have the same points; it reads the results at its own point, or both
/// read an element of the same operand there
pub fn joins(ir: &Ir, producer: &Producer, reader: Compute, view: &View, edges: &[Edge]) -> bool {
    let same_points = view.conditions.is_empty()
        && view.dims.len() == producer.view.dims.len()
        && view
            .dims
            .iter()
            .zip(&producer.view.dims)
            .all(|(dim, own)| dim.size == own.size && dim.kind == CombineKind::Cc);
    let at_own_point =
        |edge: &Edge| edge.coords.iter().enumerate().all(|(n, expr)| dimension(expr) == Some(n));
    if !same_points || !edges.iter().all(at_own_point) {
        return false;
    }
    let plain = view.outputs.iter().all(|out| out.maps.len() == 1 && out.init.is_none());
    plain
        && fit((ir, producer.op, &producer.view), (reader, view))
        && (!edges.is_empty() || shares(ir, producer, view))
}

/// Are two computations small enough to be one: by their streams, operations, and widths of results?
pub fn fit((ir, one, own): (&Ir, Compute, &View), (other, view): (Compute, &View)) -> bool {
    let streams = view.inputs.len() + view.outputs.len() + own.inputs.len() + own.outputs.len();
    let ops = |op: Compute| ir.entry(op.body(ir)).map_or(MOST, |body| ir.block_ops(body).count());
    streams <= STREAMS && ops(one) + ops(other) <= MOST && same_width(ir, one, other)
}

/// Have all results elements of one width? Lanes would be those of the widest
fn same_width(ir: &Ir, one: Compute, other: Compute) -> bool {
    let cx = ir.cx();
    let mut widths = ir
        .results(one.id())
        .chain(ir.results(other.id()))
        .map(|value| ir.ty(value).scalar(cx).bit_width(cx).filter(|bits| *bits >= 8));
    let first = widths.next().flatten();
    first.is_some() && widths.all(|width| width == first)
}

/// Do both read the same element of one operand, which has an element for each point?
fn shares(ir: &Ir, producer: &Producer, view: &View) -> bool {
    let rank = |input: &Input| ir.ty(input.value).shape(ir.cx()).map_or(0, <[i64]>::len);
    let same = |own: &Input, other: &Input| {
        own.value == other.value
            && own.map == other.map
            && own.other == other.other
            && own.guard == other.guard
    };
    let whole =
        |input: &&Input| rank(input) > 0 && input.map.is_some() && rank(input) >= producer.view.dims.len();
    producer.view.inputs.iter().filter(whole).any(|own| view.inputs.iter().any(|other| same(own, other)))
}
