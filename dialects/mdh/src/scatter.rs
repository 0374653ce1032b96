//! Kept dimensions whose coordinate a point names itself: "one bin for each element".
//!
//! The papers say a histogram as mathematics: each element is compared with each bin, and what does not hit contributes
//! nothing. Where the body compares a value with the index of a kept dimension, and every contribution is neutral where the
//! comparison fails, a point has at most one coordinate of that dimension to visit: the value. All others may be left out,
//! because the operator keeps what it is given when a neutral element is added; a value that is no coordinate visits
//! nothing. [`find`] is the whole argument; who relies on it ([`SCATTER`] next to the schedule) asks again.
//!
//! Of float addition +0 counts as neutral as it does in every computation ([`crate::operator::identity`]): a sum of −0 alone
//! may come out as +0.

use crate::compute::{Compute, Index, Yield};
use crate::operator::{self, Builtin, Operator};
use crate::view::{CombineKind, View};
use std::fmt;
use terrace_ir::{Attr, Ir, OpId, Type, Value};
use terrace_support::affine::AffineExpr;

/// Attribute next to a schedule: dimensions that are visited only where they hit
pub const SCATTER: &str = "mdh.scatter";

/// Most nested `and`s of comparisons
const DEPTH: usize = 64;

/// A dimension, and the value of the body that names its coordinate
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Pick {
    /// Kept dimension
    pub dim: usize,
    /// Integer or index: equal to the coordinate where it is one
    pub value: Value,
    /// Numbers beyond the largest signed one are coordinates as well
    pub unsigned: bool,
}

/// What a computation is when its points name coordinates
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Scatter {
    /// Dimensions that are picked, each once
    pub picks: Vec<Pick>,
    /// Per yielded value: what a place has that nothing hits
    pub starts: Vec<Attr>,
}

/// Why points are compared with all coordinates of a dimension
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum NoScatter {
    /// Prefixes have a value at each coordinate
    Prefixes,
    /// No dimension is combined
    NothingCombined,
    /// An input is read at the coordinate of the dimension
    Read(String),
    /// A condition asks for the coordinate of the dimension
    Condition(String),
    /// An output is at another place than the coordinate of the dimension
    Place(String),
    /// An op other than a comparison takes the coordinate
    Op(&'static str),
    /// There are other numbers of operators than outputs
    Operators,
    /// The operator is a function
    Function,
    /// What misses is not the neutral element of the operator
    NotNeutral(Builtin),
}

impl fmt::Display for NoScatter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NoScatter::Prefixes => f.write_str("prefixes are taken of what hits and what does not"),
            NoScatter::NothingCombined => f.write_str("nothing is combined, so that nothing is neutral"),
            NoScatter::Read(dim) => write!(f, "an input is read at the coordinate of `{dim}`"),
            NoScatter::Condition(dim) => write!(f, "a condition asks for the coordinate of `{dim}`"),
            NoScatter::Place(dim) => write!(f, "an output's place is not the coordinate of `{dim}` itself"),
            NoScatter::Op(op) => write!(f, "'{op}' takes a coordinate that is compared"),
            NoScatter::Operators => f.write_str("operators do not fit the outputs"),
            NoScatter::Function => {
                f.write_str("the operator is a function, of which no element is known to be neutral")
            }
            NoScatter::NotNeutral(builtin) => write!(f, "what misses is not neutral for `{builtin}`"),
        }
    }
}

impl std::error::Error for NoScatter {}

/// Does each point name its coordinate in some kept dimensions? `Ok(None)` where the body asks for no such thing; the error
/// says why comparisons are needed after all
pub fn find(ir: &Ir, op: Compute, view: &View) -> Result<Option<Scatter>, NoScatter> {
    let Some(body) = ir.entry(op.body(ir)) else { return Ok(None) };
    let ops: Vec<OpId> = ir.block_ops(body).collect();
    let Some(end) = ops.last().copied().filter(|op| Yield::cast(ir, *op).is_some()) else { return Ok(None) };
    let yields: Vec<Value> = ir.operands(end).collect();
    let mut all: Option<Vec<Pick>> = None;
    let mut others = Vec::new();
    for value in &yields {
        let Some((hit, other)) = choice(ir, *value) else { return Ok(None) };
        let picks = picks(ir, view, hit);
        others.push(other);
        all = Some(match all {
            None => picks,
            Some(all) => all.into_iter().filter(|pick| picks.contains(pick)).collect(),
        });
    }
    let mut picks = all.unwrap_or_default();
    let mut seen = Vec::new();
    picks.retain(|pick| {
        !seen.contains(&pick.dim) && {
            seen.push(pick.dim);
            true
        }
    });
    // A value that is made of a picked coordinate names nothing.
    let late = dependent(ir, &ops, &picks);
    picks.retain(|pick| !late.contains(&pick.value));
    if picks.is_empty() || view.dims.iter().any(|dim| dim.size == 0) {
        return Ok(None);
    }
    check(ir, op, view, &ops, &picks)?;
    let starts = starts(ir, op, view, &others)?;
    Ok(Some(Scatter { picks, starts }))
}

/// A value that is one constant where a test fails: the test, the constant
fn choice(ir: &Ir, value: Value) -> Option<(Value, Attr)> {
    let cx = ir.cx();
    let op = ir.defining_op(value)?;
    let ty = ir.ty(value);
    let zero = || if ty.is_float(cx) { cx.float_attr(0, ty) } else { cx.int_attr(0, ty) };
    match ir.op_name(op) {
        "arith.select" => {
            let constant =
                ir.defining_op(ir.operand(op, 2)).filter(|op| ir.op_name(*op) == "arith.constant")?;
            Some((ir.operand(op, 0), ir.attr(constant, "value")?))
        }
        "arith.extui" | "arith.uitofp" if is_bit(ir, ir.operand(op, 0)) => Some((ir.operand(op, 0), zero())),
        _ => None,
    }
}

fn is_bit(ir: &Ir, value: Value) -> bool {
    ir.ty(value) == ir.cx().common().i1
}

/// Comparisons with coordinates that must hold for a test to hold
fn picks(ir: &Ir, view: &View, hit: Value) -> Vec<Pick> {
    let (mut found, mut pending) = (Vec::new(), vec![hit]);
    for _ in 0..DEPTH {
        let Some(test) = pending.pop() else { break };
        let Some(op) = ir.defining_op(test) else { continue };
        match ir.op_name(op) {
            "arith.andi" => pending.extend(ir.operands(op)),
            "arith.cmpi" if ir.attr(op, "predicate").and_then(|attr| attr.as_i64(ir.cx())) == Some(0) => {
                let (a, b) = (ir.operand(op, 0), ir.operand(op, 1));
                found.extend(pick(ir, view, a, b).or_else(|| pick(ir, view, b, a)));
            }
            _ => {}
        }
    }
    found
}

/// `value == index`
fn pick(ir: &Ir, view: &View, value: Value, index: Value) -> Option<Pick> {
    let mut op = ir.defining_op(index)?;
    if matches!(ir.op_name(op), "arith.index_cast" | "arith.index_castui") {
        op = ir.defining_op(ir.operand(op, 0))?;
    }
    let index = Index::cast(ir, op)?;
    let dim = usize::try_from(index.dim(ir).as_i64(ir.cx())?).ok()?;
    let dimension = view.dims.get(dim).filter(|dim| dim.kind == CombineKind::Cc)?;
    // Coordinates must stay apart in the type of the comparison.
    let bits = ir.ty(value).bit_width(ir.cx()).unwrap_or(64).min(64);
    let size = i128::from(dimension.size);
    let unsigned = size > 1 << (bits - 1);
    (size <= 1 << bits && !(unsigned && bits == 64)).then_some(Pick { dim, value, unsigned })
}

/// Values that depend on picked coordinates
fn dependent(ir: &Ir, ops: &[OpId], picks: &[Pick]) -> Vec<Value> {
    let mut late: Vec<Value> = Vec::new();
    for op in ops {
        let index = Index::cast(ir, *op).and_then(|index| index.dim(ir).as_i64(ir.cx()));
        let picked = picks.iter().any(|pick| index == Some(pick.dim as i64));
        if picked || ir.operands(*op).any(|value| late.contains(&value)) {
            late.extend(ir.results(*op));
        }
    }
    late
}

/// What else must hold: nothing but comparisons looks at a picked coordinate, and its place is the coordinate
fn check(ir: &Ir, op: Compute, view: &View, ops: &[OpId], picks: &[Pick]) -> Result<(), NoScatter> {
    let name = |pick: &Pick| view.dims[pick.dim].name.clone();
    if view.dims.iter().any(|dim| matches!(dim.kind, CombineKind::Ps(_))) {
        return Err(NoScatter::Prefixes);
    }
    if !view.dims.iter().any(|dim| matches!(dim.kind, CombineKind::Pw(..))) {
        return Err(NoScatter::NothingCombined);
    }
    for pick in picks {
        let uses = |expr: &AffineExpr| expr.uses_dim(pick.dim as u32);
        let reads = view.inputs.iter().any(|input| {
            input.map.as_ref().is_some_and(|map| map.results.iter().any(uses))
                || input.guard.as_ref().is_some_and(uses)
        });
        if reads {
            return Err(NoScatter::Read(name(pick)));
        }
        if view.bounds().iter().any(uses) {
            return Err(NoScatter::Condition(name(pick)));
        }
        let size = view.dims[pick.dim].size;
        for (n, out) in view.outputs.iter().enumerate() {
            let shape = ir.ty(ir.result(op.id(), n)).shape(ir.cx()).unwrap_or(&[]);
            let own = |map: &terrace_support::affine::AffineMap| {
                let here = |(expr, extent): (&AffineExpr, &i64)| {
                    *expr == AffineExpr::Dim(pick.dim as u32) && *extent == size
                };
                map.results.iter().zip(shape).any(here)
            };
            if !out.maps.iter().all(own) {
                return Err(NoScatter::Place(name(pick)));
            }
        }
    }
    let allowed =
        ["mdh.index", "mdh.yield", "arith.index_cast", "arith.index_castui", "arith.cmpi", "arith.andi"];
    let late = dependent(ir, ops, picks);
    for op in ops {
        let choice = ir.operands(*op).enumerate().all(|(n, value)| n == 0 || !late.contains(&value));
        let word = ir.op_name(*op);
        let chooses = matches!(word, "arith.select" | "arith.extui" | "arith.uitofp") && choice;
        if ir.operands(*op).any(|value| late.contains(&value)) && !chooses && !allowed.contains(&word) {
            return Err(NoScatter::Op(ir.def(*op).name));
        }
    }
    Ok(())
}

/// Per yielded value the constant of a miss, which must be neutral
fn starts(ir: &Ir, op: Compute, view: &View, others: &[Attr]) -> Result<Vec<Attr>, NoScatter> {
    let cx = ir.cx();
    let groups = view.groups().ok_or(NoScatter::Operators)?;
    let mut of = Vec::new();
    for (n, out) in view.outputs.iter().enumerate() {
        let group = groups.iter().find(|group| group.first <= n && n < group.first + group.len);
        let Some(Operator::Builtin(builtin)) = group.map(|group| group.operator) else {
            return Err(NoScatter::Function);
        };
        let elem: Type = ir.ty(ir.result(op.id(), n)).scalar(cx);
        of.extend(out.maps.iter().map(|_| (builtin, elem)));
    }
    for (other, (builtin, elem)) in others.iter().zip(&of) {
        let neutral: &[Option<Attr>] =
            &[builtin.identity(cx, *elem), operator::identity(*builtin, cx, *elem)];
        if !neutral.contains(&Some(*other)) {
            return Err(NoScatter::NotNeutral(*builtin));
        }
    }
    Ok(others.to_vec())
}
