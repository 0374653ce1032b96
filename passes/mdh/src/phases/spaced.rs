//! Inputs whose elements are places apart, with one constant between them.

use crate::inline::{conditions, through};
use terrace_dialect_mdh::view::{CombineKind, Input, Other, View};
use terrace_dialect_mdh::{Compute, Yield};
use terrace_ir::{Ir, Value};
use terrace_support::affine::{AffineExpr, AffineMap};

/// A subscript at which an element is met where `places + kept · y + reduced · k + shift` is a multiple of the stride
#[derive(Debug)]
pub struct Along {
    /// Which subscript
    pub subscript: usize,
    /// How many places elements are apart
    pub stride: i64,
    /// The kept dimension, and its factor
    pub kept: (usize, i64),
    /// The reduced dimension, and its factor
    pub reduced: (usize, i64),
    /// What is added
    pub shift: i64,
}

/// Where the elements are
pub enum Elements {
    /// Inserted into a filled tensor: the slice, and by subscript of that tensor its size, where the slice begins, and its stride
    Slice { value: Value, places: Vec<(i64, i64, i64)> },
    /// In the input itself, which has a guard
    Guarded,
}

/// An input of this form
pub struct Spaced {
    /// Its number
    pub input: usize,
    /// What the places between elements hold
    pub constant: Other,
    /// Where the elements are
    pub elements: Elements,
    /// Subscripts with places between elements
    pub along: Vec<Along>,
}

impl Spaced {
    /// The first input of a computation that has this form
    pub fn find(ir: &Ir, view: &View) -> Option<Spaced> {
        view.inputs.iter().enumerate().find_map(|(n, input)| {
            guarded(n, input, view).or_else(|| slice(ir, n, input, view)).filter(|found| {
                let read = view.inputs[n].map.as_ref();
                read.is_some_and(|map| found.stands_alone(view, map))
            })
        })
    }

    /// Does each dimension along which elements are apart move one subscript of the input, and do its kept ones move nothing else but the result?
    fn stands_alone(&self, view: &View, read: &AffineMap) -> bool {
        let dims: Vec<usize> = self.along.iter().flat_map(|along| [along.kept.0, along.reduced.0]).collect();
        let once = (0..dims.len()).all(|n| !dims[..n].contains(&dims[n]));
        let subscript = |dim: usize| self.along.iter().find(|a| a.kept.0 == dim || a.reduced.0 == dim);
        let here = dims.iter().all(|dim| {
            let own = subscript(*dim).map(|along| along.subscript);
            let uses = |n: usize| read.results[n].uses_dim(*dim as u32);
            (0..read.results.len()).all(|n| Some(n) == own || !uses(n))
        });
        let moves = |input: &Input, dim: usize| {
            let uses = |expr: &AffineExpr| expr.uses_dim(dim as u32);
            input.map.as_ref().is_some_and(|map| map.results.iter().any(uses))
                || input.guard.as_ref().is_some_and(uses)
        };
        let others = || view.inputs.iter().enumerate().filter(|(n, _)| *n != self.input);
        once && here && self.along.iter().all(|along| others().all(|(_, input)| !moves(input, along.kept.0)))
    }
}

/// `α·y + β·k + shift` of one kept and one reduced dimension
fn along(subscript: usize, stride: i64, expr: &AffineExpr, shift: i64, view: &View) -> Option<Along> {
    let linear = expr.as_linear()?;
    let moving: Vec<usize> = (0..view.dims.len()).filter(|dim| linear.dim(*dim) != 0).collect();
    let [a, b] = moving.as_slice() else { return None };
    let kept = |dim: usize| view.dims[dim].kind == CombineKind::Cc;
    let (y, k) = if kept(*a) { (*a, *b) } else { (*b, *a) };
    (kept(y) && !kept(k)).then(|| Along {
        subscript,
        stride,
        kept: (y, linear.dim(y)),
        reduced: (k, linear.dim(k)),
        shift: linear.constant + shift,
    })
}

/// Elements `X[e floordiv n, …] if e mod n + … = 0`
fn guarded(n: usize, input: &Input, view: &View) -> Option<Spaced> {
    let (map, constant) = (input.map.as_ref()?, input.other?);
    let mut terms = Vec::new();
    conditions::remainders(input.guard.as_ref()?, &mut terms)?;
    let mut found = Vec::new();
    for (expr, stride) in terms {
        // Where the stride divides `expr`, what is added to it is rounded alone.
        let behind = |result: &AffineExpr| {
            let (of, by, behind) = through::quotient(result);
            let rest = through::rest(&of, &expr).filter(|_| by == stride)?;
            behind.checked_add(rest.div_euclid(stride))
        };
        let places = map.results.iter().enumerate();
        let (subscript, whole) = places.filter_map(|(n, result)| Some((n, behind(result)?))).next()?;
        found.push(along(subscript, stride, &expr, whole.checked_mul(stride)?, view)?);
    }
    Some(Spaced { input: n, constant, elements: Elements::Guarded, along: found })
}

/// Elements that were inserted with a stride into a tensor of one value
fn slice(ir: &Ir, n: usize, input: &Input, view: &View) -> Option<Spaced> {
    let map = input.map.as_ref().filter(|_| input.other.is_none() && input.guard.is_none())?;
    let inserted = computed(ir, input.value)?;
    let [source] = inserted.view.inputs.as_slice() else { return None };
    let [out] = inserted.view.outputs.as_slice() else { return None };
    let ([place], Some((base, None))) = (out.maps.as_slice(), &out.init) else { return None };
    let whole = source.map.as_ref().is_some_and(AffineMap::is_identity) && inserted.passes_on(ir);
    let sizes = ir.ty(source.value).shape(ir.cx())?;
    if !whole || source.other.is_some() || source.guard.is_some() || sizes != inserted.view.sizes() {
        return None;
    }
    let shape = ir.ty(input.value).shape(ir.cx())?;
    let mut places = Vec::new();
    for (dim, expr) in place.results.iter().enumerate() {
        let linear = expr.as_linear()?;
        let alone = (0..sizes.len()).all(|other| other == dim || linear.dim(other) == 0);
        // A dimension of one element may have lost its stride.
        let stride = if sizes.get(dim) == Some(&1) { linear.dim(dim).max(1) } else { linear.dim(dim) };
        if !alone || stride < 1 {
            return None;
        }
        places.push((*shape.get(dim)?, linear.constant, stride));
    }
    let mut found = Vec::new();
    for (subscript, (_, from, stride)) in places.iter().enumerate().filter(|(_, (.., stride))| *stride > 1) {
        found.push(along(subscript, *stride, map.results.get(subscript)?, -from, view)?);
    }
    let constant = Other::Value(filled(ir, *base)?);
    let elements = Elements::Slice { value: source.value, places };
    (!found.is_empty()).then_some(Spaced { input: n, constant, elements, along: found })
}

/// A computation in which every dimension is kept, and there are no conditions
struct Computed {
    op: Compute,
    view: View,
}

fn computed(ir: &Ir, value: Value) -> Option<Computed> {
    let op = Compute::cast(ir, ir.defining_op(value)?)?;
    let view = View::read(ir, op).ok()?;
    let kept = view.dims.iter().all(|dim| dim.kind == CombineKind::Cc && dim.size > 0);
    (kept && view.conditions.is_empty()).then_some(Computed { op, view })
}

impl Computed {
    /// Does the body yield its only argument?
    fn passes_on(&self, ir: &Ir) -> bool {
        let Some(body) = ir.entry(self.op.body(ir)) else { return false };
        let yielded = ir.block_ops(body).next().and_then(|op| Yield::cast(ir, op));
        yielded.is_some_and(|yielded| yielded.values(ir).as_slice() == ir.block_args(body))
    }
}

/// The scalar that every element of a tensor has
fn filled(ir: &Ir, value: Value) -> Option<Value> {
    let fill = computed(ir, value)?;
    let ([scalar], [out]) = (fill.view.inputs.as_slice(), fill.view.outputs.as_slice()) else { return None };
    let [place] = out.maps.as_slice() else { return None };
    let shape = ir.ty(value).shape(ir.cx())?;
    let whole = place.is_permutation() && fill.view.sizes() == shape && out.init.is_none();
    let known = scalar.map.is_none() && ir.ty(scalar.value).shape(ir.cx()).is_none();
    (whole && place.is_identity() && known && fill.passes_on(ir)).then_some(scalar.value)
}
