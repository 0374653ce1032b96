//! Results that stay the same when two of their dimensions are exchanged, such as A·Aᵀ.
//!
//! Exchanging two kept dimensions maps each input to an input of the same tensor, and the body gives the same value with inputs
//! exchanged that way. Products and sums of two values are the same in both orders, bit by bit, as are the square and the
//! magnitude of a difference. `maxnumf` and `minnumf` may give a zero of either sign for two zeros, so they are only as symmetric
//! as their definition. A reduction visits the same terms in the same order then, so only one triangle of the result has to be
//! computed. [`find`] is the whole argument; [`stated`] checks by it what stands next to the schedule ([`SYMMETRIC`]).

use crate::compute::{Compute, Index, Yield};
use crate::view::{CombineKind, Input, View};
use terrace_ir::{Attr, Ir, OpId, OpKind, Traits, Type, Value};
use terrace_support::HashMap;
use terrace_support::affine::AffineExpr;

/// Attribute next to a schedule: two kept dimensions, rows and columns of a symmetric result. Tiles below its diagonal are copies.
/// Without dimensions, all of the result is computed
pub const SYMMETRIC: &str = "mdh.symmetric";

/// An attribute that does not name two dimensions whose exchange leaves the result as it is
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct NotSymmetric;

impl std::fmt::Display for NotSymmetric {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("the result does not stay the same when these dimensions are exchanged")
    }
}

/// The dimensions that are named next to a schedule; none without the attribute, or if it names none
pub fn stated(ir: &Ir, op: Compute, view: &View) -> Result<Option<[usize; 2]>, NotSymmetric> {
    let Some(attr) = ir.discardable(op.id(), SYMMETRIC) else { return Ok(None) };
    match attr.as_dense_array(ir.cx()) {
        Some([]) => Ok(None),
        Some([rows, columns]) => {
            let mut all = all(ir, op, view).into_iter();
            let named = |pair: &[usize; 2]| [pair[0] as i64, pair[1] as i64] == [*rows, *columns];
            all.find(named).filter(|pair| is_symmetric(ir, op, view, *pair)).map(Some).ok_or(NotSymmetric)
        }
        _ => Err(NotSymmetric),
    }
}

/// Two dimensions whose exchange leaves the result as it is, the outer one of the result first
pub fn find(ir: &Ir, op: Compute, view: &View) -> Option<[usize; 2]> {
    all(ir, op, view).into_iter().find(|pair| is_symmetric(ir, op, view, *pair))
}

/// Pairs of dimensions of one size that a computation keeps, if nothing but its inputs and its body tells them apart
fn all(ir: &Ir, op: Compute, view: &View) -> Vec<[usize; 2]> {
    let plain = |input: &Input| input.other.is_none() && input.guard.is_none();
    let [out] = view.outputs.as_slice() else { return Vec::new() };
    let [place] = out.maps.as_slice() else { return Vec::new() };
    if out.init.is_some()
        || !view.conditions.is_empty()
        || !view.inputs.iter().all(plain)
        || !view.dims.iter().any(|dim| matches!(dim.kind, CombineKind::Pw(..)))
        || view.dims.iter().any(|dim| matches!(dim.kind, CombineKind::Ps(_)))
    {
        return Vec::new();
    }
    let shape = ir.ty(ir.result(op.id(), 0)).shape(ir.cx()).unwrap_or(&[]);
    let dims = dims_of_result(view, &place.results, shape).unwrap_or_default();
    let pairs = dims.iter().enumerate().flat_map(|(n, one)| dims[n + 1..].iter().map(|two| [*one, *two]));
    pairs.filter(|pair| view.dims[pair[0]].size == view.dims[pair[1]].size).collect()
}

/// The kept dimension of each subscript of the result: each is one dimension, over all of it
fn dims_of_result(view: &View, place: &[AffineExpr], shape: &[i64]) -> Option<Vec<usize>> {
    let mut dims = Vec::new();
    for (expr, size) in place.iter().zip(shape) {
        let AffineExpr::Dim(dim) = expr else { return None };
        let dim = *dim as usize;
        if view.dims[dim].size != *size || !view.dims[dim].kind.kept() || dims.contains(&dim) {
            return None;
        }
        dims.push(dim);
    }
    let kept = view.dims.iter().filter(|dim| dim.kind.kept()).count();
    (dims.len() == kept && place.len() == shape.len()).then_some(dims)
}

fn is_symmetric(ir: &Ir, op: Compute, view: &View, pair: [usize; 2]) -> bool {
    let Some(exchanged) = exchanged(view, pair) else { return false };
    let same = |a: usize, b: usize| {
        let (a, b) = (&view.inputs[a], &view.inputs[b]);
        a.value == b.value && a.map == b.map
    };
    let first = |n: usize| (0..n).find(|m| same(*m, n)).unwrap_or(n);
    let mut numbers = Numbers { ir, all: HashMap::default() };
    let own: Vec<usize> = (0..view.inputs.len()).map(first).collect();
    let others: Vec<usize> = exchanged.into_iter().map(first).collect();
    let written = numbers.yielded(op, &own, None);
    written.is_some() && written == numbers.yielded(op, &others, Some(pair))
}

/// Per input: the one that is read in its place when two dimensions are exchanged
fn exchanged(view: &View, [one, two]: [usize; 2]) -> Option<Vec<usize>> {
    let coords: Vec<AffineExpr> = (0..view.dims.len())
        .map(|dim| match dim {
            _ if dim == one => AffineExpr::Dim(two as u32),
            _ if dim == two => AffineExpr::Dim(one as u32),
            _ => AffineExpr::Dim(dim as u32),
        })
        .collect();
    let partner = |input: &Input| {
        let results = match &input.map {
            None => None,
            Some(map) => {
                let moved = map.results.iter().map(|expr| expr.replace(&coords, &[]));
                Some(moved.collect::<Option<Vec<AffineExpr>>>()?)
            }
        };
        view.inputs.iter().position(|other| {
            other.value == input.value && other.map.as_ref().map(|map| &map.results) == results.as_ref()
        })
    };
    view.inputs.iter().map(partner).collect()
}

/// What a value of a body is
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
enum Key {
    Input(usize),
    /// Of outside
    Outside(Value),
    Coordinate(usize),
    /// An op: its kind, attributes, type and operands
    Op(OpKind, Vec<Option<Attr>>, Option<Attr>, Type, Vec<u32>),
    /// A difference, up to its sign, with its attributes
    Difference(Vec<Option<Attr>>, Option<Attr>, Type, [u32; 2]),
}

/// Numbers for values: those that are the same bit by bit have the same number
struct Numbers<'a> {
    ir: &'a Ir,
    all: HashMap<Key, u32>,
}

impl Numbers<'_> {
    fn number(&mut self, key: Key) -> u32 {
        let next = self.all.len() as u32;
        *self.all.entry(key).or_insert(next)
    }

    /// What a body yields where its arguments are these inputs, and coordinates of two dimensions may be exchanged; none for bodies
    /// with effects
    fn yielded(&mut self, op: Compute, inputs: &[usize], exchange: Option<[usize; 2]>) -> Option<Vec<u32>> {
        let ir = self.ir;
        let body = ir.entry(op.body(ir))?;
        let mut of: HashMap<Value, u32> = HashMap::default();
        for (arg, input) in ir.block_args(body).iter().zip(inputs) {
            of.insert(*arg, self.number(Key::Input(*input)));
        }
        for each in ir.block_ops(body) {
            let operands: Vec<u32> = ir
                .operands(each)
                .map(|value| match of.get(&value) {
                    Some(number) => *number,
                    None => self.number(Key::Outside(value)),
                })
                .collect();
            if Yield::cast(ir, each).is_some() {
                return Some(operands);
            }
            let key = self.key(each, operands, exchange)?;
            of.insert(ir.result(each, 0), self.number(key));
        }
        None
    }

    fn key(&mut self, op: OpId, mut operands: Vec<u32>, exchange: Option<[usize; 2]>) -> Option<Key> {
        let ir = self.ir;
        if let Some(index) = Index::cast(ir, op) {
            let dim = usize::try_from(index.dim(ir).as_i64(ir.cx())?).ok()?;
            return Some(Key::Coordinate(match exchange {
                Some([one, two]) if dim == one => two,
                Some([one, two]) if dim == two => one,
                _ => dim,
            }));
        }
        if !ir.has(op, Traits::Pure) || ir.num_regions(op) > 0 || ir.num_results(op) != 1 {
            return None;
        }
        if forgets_sign(ir.op_name(op)) && operands.windows(2).all(|pair| pair[0] == pair[1]) {
            let magnitude = self.difference(ir.operand(op, 0), operands[0]);
            operands.fill(magnitude);
        }
        if operands.len() == 2 && ir.has(op, Traits::Commutative) {
            operands.sort_unstable();
        }
        let slots = (0..ir.def(op).attrs.len()).map(|slot| ir.slot(op, slot)).collect();
        Some(Key::Op(ir.kind(op), slots, ir.dict(op), ir.ty(ir.result(op, 0)), operands))
    }

    /// The number of a value up to its sign, where it is a difference: `a - b` is `-(b - a)` but for zero, whose square is zero either way
    fn difference(&mut self, value: Value, number: u32) -> u32 {
        let found = self.all.iter().find(|(_, other)| **other == number).map(|(key, _)| key.clone());
        match (self.ir.defining_op(value).map(|op| self.ir.op_name(op)), found) {
            (Some("arith.subf"), Some(Key::Op(_, slots, others, ty, operands))) if operands.len() == 2 => {
                let (a, b) = (operands[0], operands[1]);
                self.number(Key::Difference(slots, others, ty, [a.min(b), a.max(b)]))
            }
            _ => number,
        }
    }
}

/// Ops that give the same for a value and its negative, where all their operands are this value
fn forgets_sign(name: &str) -> bool {
    matches!(name, "arith.mulf" | "math.absf")
}
