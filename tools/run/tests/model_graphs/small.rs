//! Sub-graphs at small sizes: each size that is large becomes an odd one, the same everywhere.

use super::list::{Graph, Op, Tensor};
use std::collections::{BTreeMap, BTreeSet};

/// Sizes up to this one stay
const STAY: i64 = 4;

/// Most elements of a tensor that is not made smaller
const ELEMENTS: i64 = 5000;

/// The graph at small sizes; nothing where a reshape does not permit that, and its own sizes are large
pub fn small(graph: &Graph) -> Option<Graph> {
    let padded = graph.ops.iter().any(|op| op.name.ends_with("PadAkg"));
    let mut made = graph.clone();
    let sizes: BTreeSet<i64> =
        graph.tensors().flat_map(|one| one.shape.iter().copied()).filter(|n| *n > STAY).collect();
    let new: BTreeMap<i64, i64> = sizes.into_iter().zip((STAY + 1..).step_by(2)).collect();
    let change = |tensor: &mut Tensor| {
        for size in &mut tensor.shape {
            *size = new.get(size).copied().unwrap_or(*size);
        }
    };
    made.inputs.iter_mut().chain(made.ops.iter_mut().map(|op| &mut op.result)).for_each(change);
    let whole = made.ops.iter().all(|op| reshapes(&made, op));
    let few = |graph: &Graph| graph.tensors().all(|one| one.shape.iter().product::<i64>() <= ELEMENTS);
    match whole && !padded {
        true => Some(made).filter(few),
        false => Some(graph.clone()).filter(few),
    }
}

/// As many elements behind a reshape as in front
fn reshapes(graph: &Graph, op: &Op) -> bool {
    let count = |one: &Tensor| one.shape.iter().product::<i64>();
    let given = op.operands.first().and_then(|operand| graph.tensor(operand));
    op.name != "Reshape" || given.is_some_and(|given| count(&given) == count(&op.result))
}
