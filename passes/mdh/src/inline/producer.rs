//! Computations that have one value for each element, and where others read them.

use terrace_dialect_bufferization::{MaterializeInDestination, ToTensor};
use terrace_dialect_mdh::operator::APPROXIMATE;
use terrace_dialect_mdh::view::{CombineKind, Dim, Other, View};
use terrace_dialect_mdh::{Compute, Index};
use terrace_dialect_memref as memref;
use terrace_dialect_tensor::{Cast, CollapseShape, ExpandShape, Extract};
use terrace_ir::{BlockId, Ir, OpId, Traits, Value};
use terrace_support::HashSet;
use terrace_support::affine::AffineExpr;

/// A computation whose results are known element by element
pub struct Producer {
    /// The op
    pub op: Compute,
    /// The same as plain data
    pub view: View,
    /// Its body
    pub body: BlockId,
    /// For each result, the position of each dimension among the coordinates of an element
    places: Vec<Vec<usize>>,
    /// Dimensions whose coordinates the body uses as values
    indexed: Vec<usize>,
    /// Does the body read tensors at places that it computes?
    gathers: bool,
}

/// An input of another computation that is a producer's result
pub struct Edge {
    /// Number of the input
    pub input: usize,
    /// Number of the result
    pub result: usize,
    /// The producer's coordinates for the element that is read
    pub coords: Vec<AffineExpr>,
}

/// Next to a computation: is it computed where it is read, wherever that can be? A schedule of a graph says so; without it that is where
/// it pays
pub const INLINE: &str = "mdh.inline";

/// The computations whose results a computation reads, each once, in order
pub fn sources(ir: &Ir, view: &View) -> Vec<Compute> {
    let mut all: Vec<Compute> = Vec::new();
    for input in view.inputs.iter().filter(|input| input.map.is_some()) {
        let source = ir.defining_op(input.value).and_then(|op| Compute::cast(ir, op));
        all.extend(source.filter(|source| all.iter().all(|other| other.id() != source.id())));
    }
    all
}

/// A computation without a schedule or other attributes, but for permissions and for whether it is inlined
pub fn plain(ir: &Ir, op: Compute) -> Option<View> {
    let attributes = ir.dict(op.id()).and_then(|dict| dict.as_dict(ir.cx())).unwrap_or(&[]);
    attributes
        .iter()
        .all(|(name, _)| [APPROXIMATE, INLINE].contains(&ir.cx().str(*name)))
        .then(|| View::read(ir, op).ok())
        .flatten()
}

/// A plain dimension
pub fn dimension(expr: &AffineExpr) -> Option<usize> {
    match expr {
        AffineExpr::Dim(n) => Some(*n as usize),
        _ => None,
    }
}

impl Producer {
    /// A computation as a producer: every dimension is kept, each output has every element, and the body has no effects
    pub fn read(ir: &Ir, op: Compute, written: &Written) -> Option<Producer> {
        let view = plain(ir, op)?;
        let kept = |dim: &Dim| dim.kind == CombineKind::Cc && dim.size > 0;
        let changes = || view.inputs.iter().any(|input| written.may_change(ir, input.value));
        if !view.conditions.is_empty() || !view.dims.iter().all(kept) || changes() {
            return None;
        }
        let places: Option<Vec<Vec<usize>>> =
            (0..view.outputs.len()).map(|n| places(ir, op, &view, n)).collect();
        let body = ir.entry(op.body(ir))?;
        let ops: Vec<OpId> = ir.block_ops(body).collect();
        let dim = |op: &OpId| usize::try_from(Index::cast(ir, *op)?.dim(ir).as_i64(ir.cx())?).ok();
        let indexed = ops.iter().filter_map(dim).collect();
        let gathers = ops.iter().any(|op| Extract::cast(ir, *op).is_some());
        let places = places.filter(|_| is_simple(ir, body))?;
        Some(Producer { op, view, body, places, indexed, gathers })
    }

    /// Its coordinates for an element of a result
    pub fn coordinates(&self, result: usize, element: &[AffineExpr]) -> Option<Vec<AffineExpr>> {
        self.places.get(result)?.iter().map(|place| element.get(*place).cloned()).collect()
    }

    /// Where another computation reads the results, as inputs of its body alone; `None` where it uses them in another way, or at
    /// elements for which the body has no coordinates
    pub fn edges(&self, ir: &Ir, view: &View) -> Option<Vec<Edge>> {
        let results: Vec<Value> = ir.results(self.op.id()).collect();
        let number = |value: Value| results.iter().position(|result| *result == value);
        let starts = view.outputs.iter().filter_map(|out| out.init.as_ref().map(|(value, _)| *value));
        let others = view.inputs.iter().filter_map(|input| match input.other {
            Some(Other::Value(value)) => Some(value),
            _ => None,
        });
        // Reductions have lanes along what lies in a row, which is not known of a place that is computed.
        let takes = |dim: &Dim| takes_any_body(dim) && (dim.kind == CombineKind::Cc || !self.gathers);
        if starts.chain(others).any(|value| number(value).is_some()) || !view.dims.iter().all(takes) {
            return None;
        }
        let mut edges = Vec::new();
        for (n, input) in view.inputs.iter().enumerate() {
            let Some(result) = number(input.value) else { continue };
            // An element outside has no coordinates.
            let map = input.map.as_ref().filter(|_| input.other.is_none() && input.guard.is_none())?;
            let coords = self.coordinates(result, &map.results)?;
            let as_value = |expr: &AffineExpr| matches!(expr, AffineExpr::Dim(_) | AffineExpr::Constant(_));
            if !self.indexed.iter().all(|dim| coords.get(*dim).is_some_and(as_value)) {
                return None;
            }
            edges.push(Edge { input: n, result, coords });
        }
        (!edges.is_empty()).then_some(edges)
    }
}

/// Has a body no effects? A reader takes elements that are computed anyway, so nothing is read outside of a tensor that was not before
pub fn is_simple(ir: &Ir, body: BlockId) -> bool {
    let no_effect = |op: OpId| ir.has(op, Traits::Pure) || ir.has(op, Traits::NoEffect);
    ir.block_ops(body).all(|op| no_effect(op) && ir.num_regions(op) == 0)
}

/// The position of each dimension among the coordinates of a result's elements, if every element is written once
fn places(ir: &Ir, op: Compute, view: &View, n: usize) -> Option<Vec<usize>> {
    let dims = view.axes(n, ir.ty(ir.result(op.id(), n)).shape(ir.cx())?)?;
    let starts = view.outputs[n].init.is_some();
    let places =
        (0..view.dims.len()).map(|dim| dims.iter().position(|other| *other == dim)).collect::<Option<_>>();
    places.filter(|_| !starts)
}

/// Is a dimension's form independent of what the body computes? Prefixes are known by what they read
fn takes_any_body(dim: &Dim) -> bool {
    !matches!(dim.kind, CombineKind::Ps(_))
}

/// The buffers that a function may write, from one walk
///
/// The pass rewrites computations on tensors only, so the answer holds until its end.
pub struct Written(HashSet<Value>);

impl Written {
    /// Of a function
    pub fn of(ir: &Ir) -> Written {
        let mut roots = HashSet::default();
        for op in ir.walk() {
            match MaterializeInDestination::cast(ir, op) {
                Some(end) => {
                    roots.insert(memref::root(ir, end.dest(ir)));
                }
                None if ToTensor::cast(ir, op).is_some() || ir.has(op, Traits::ViewLike) => {}
                None => {
                    roots.extend(ir.operands(op).map(|operand| memref::root(ir, operand)));
                }
            }
        }
        Written(roots)
    }

    /// Is a tensor the content of such a buffer, or a view of it?
    pub fn may_change(&self, ir: &Ir, value: Value) -> bool {
        let Some(op) = ir.defining_op(value) else { return false };
        if let Some(read) = ToTensor::cast(ir, op) {
            return self.0.contains(&memref::root(ir, read.buffer(ir)));
        }
        let is_view = CollapseShape::cast(ir, op).is_some()
            || ExpandShape::cast(ir, op).is_some()
            || Cast::cast(ir, op).is_some();
        is_view && ir.operands(op).next().is_some_and(|seen| self.may_change(ir, seen))
    }
}
