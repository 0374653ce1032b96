//! What forms are built from: computations over dimensions of a convolution and dimensions of their own.

use super::structure::Convolution;
use crate::parts;
use terrace_dialect_arith as arith;
use terrace_dialect_mdh::view::{CombineKind, Condition, Dim, Input, Other, Output, View};
use terrace_dialect_mdh::{Compute, Yield};
use terrace_ir::{BlockId, Builder, Ir, Type, Value};
use terrace_support::affine::{AffineExpr, AffineMap};

/// The coordinate of a dimension
pub fn at(dim: usize) -> AffineExpr {
    AffineExpr::Dim(dim as u32)
}

/// `e < high`
pub fn below(expr: AffineExpr, high: i64) -> Condition {
    Condition { low: None, expr, high: high.into() }
}

/// A computation that is put together
pub struct Piece {
    /// Its name
    pub name: String,
    /// Its dimensions
    pub dims: Vec<Dim>,
    /// What it reads: a tensor, subscripts, and a value outside of it
    reads: Vec<(Value, Vec<AffineExpr>, Option<Other>)>,
    /// Where results are
    pub place: Vec<AffineExpr>,
    /// Start values, with subscripts of their own if they have any
    pub init: Option<(Value, Option<Vec<AffineExpr>>)>,
    /// Points that contribute
    pub conditions: Vec<Condition>,
}

impl Piece {
    /// Without inputs and results yet
    pub fn new(name: String) -> Piece {
        let (dims, reads, place, conditions) = Default::default();
        Piece { name, dims, reads, place, init: None, conditions }
    }

    /// One more dimension; its name is changed where there is one of this name. Returns its coordinate
    pub fn dim(&mut self, name: &str, size: i64, kind: CombineKind) -> AffineExpr {
        let mut name = name.to_owned();
        while self.dims.iter().any(|dim| dim.name == name) {
            name.push('_');
        }
        self.dims.push(Dim { name, size, kind });
        at(self.dims.len() - 1)
    }

    /// The same of a dimension of the convolution
    pub fn same(&mut self, conv: &Convolution, dim: usize, kind: CombineKind) -> AffineExpr {
        let Dim { name, size, .. } = &conv.view.dims[dim];
        self.dim(name, *size, kind)
    }

    /// Reads a tensor at these subscripts, another value outside of it
    pub fn read(&mut self, value: Value, subscripts: Vec<AffineExpr>, other: Option<Other>) {
        self.reads.push((value, subscripts, other));
    }

    /// Build it in front of a computation, with a result of this type
    pub fn build(self, ir: &mut Ir, before: Compute, ty: Type, body: BlockId) -> Option<(Compute, Value)> {
        let rank = self.dims.len() as u32;
        let input = |(value, subscripts, other)| {
            let map = Some(AffineMap::new(rank, 0, subscripts)?);
            Some(Input { value, map, other, guard: None })
        };
        let inputs: Vec<Input> = self.reads.into_iter().map(input).collect::<Option<_>>()?;
        let place = AffineMap::new(rank, 0, self.place)?;
        let init = match self.init {
            Some((value, Some(own))) => Some((value, Some(AffineMap::new(rank, 0, own)?))),
            Some((value, None)) => Some((value, None)),
            None => None,
        };
        let view = View {
            name: Some(self.name),
            dims: self.dims,
            inputs,
            outputs: vec![Output { maps: vec![place], init }],
            conditions: self.conditions,
            extents: Vec::new(),
        };
        let made = view.build(&mut Builder::before(ir, before.id()), &[ty], body);
        Some((made, ir.result(made.id(), 0)))
    }

    /// The same of a tensor whose axes are dimensions, in the order of the places
    pub fn tensor(self, ir: &mut Ir, before: Compute, elem: Type, body: BlockId) -> Option<(Compute, Value)> {
        let size = |expr: &AffineExpr| match expr {
            AffineExpr::Dim(dim) => self.dims.get(*dim as usize).map(|dim| dim.size),
            _ => None,
        };
        let shape: Vec<i64> = self.place.iter().map(size).collect::<Option<_>>()?;
        let ty = ir.cx().tensor(&shape, elem);
        self.build(ir, before, ty, body)
    }
}

/// A body that yields its only argument
pub fn passes_on(ir: &mut Ir, elem: Type) -> BlockId {
    parts::pass_on(ir, &[elem])
}

/// A body that yields the product, or the sum, of two arguments
pub fn of_two(ir: &mut Ir, elem: Type, plus: bool) -> BlockId {
    let body = ir.create_block();
    let (x, y) = (ir.add_block_arg(body, elem), ir.add_block_arg(body, elem));
    let float = elem.is_float(ir.cx());
    let mut b = Builder::at_end(ir, body);
    let value = match (plus, float) {
        (false, true) => arith::MulF::build(&mut b, x, y).result(b.read()),
        (false, false) => arith::MulI::build(&mut b, x, y).result(b.read()),
        (true, true) => arith::AddF::build(&mut b, x, y).result(b.read()),
        (true, false) => arith::AddI::build(&mut b, x, y).result(b.read()),
    };
    Yield::build(&mut b, &[value]);
    body
}

/// Zero, in the element type of a tensor
pub fn zero(ir: &Ir, tensor: Value) -> Other {
    let cx = ir.cx();
    let elem = ir.ty(tensor).scalar(cx);
    Other::Constant(if elem.is_float(cx) { cx.float_attr(0, elem) } else { cx.int_attr(0, elem) })
}

/// What the image is outside of its tensor, where it is read there: what it states, else zero, as where conditions leave terms out. Conditions go
/// only where both are the same ([`Convolution::zeros_for_conditions`])
pub fn outside(ir: &Ir, conv: &Convolution) -> Option<Other> {
    let input = &conv.view.inputs[conv.image];
    let shape = ir.ty(input.value).shape(ir.cx())?;
    let inside = conv.windows.iter().all(|window| {
        let last = conv.span(window).and_then(|span| span.checked_add(window.shift));
        window.shift >= 0 && last.zip(shape.get(window.subscript)).is_some_and(|(last, size)| last <= *size)
    });
    match input.other {
        None if inside => None,
        None => Some(zero(ir, input.value)),
        other => other,
    }
}

/// A name for what is built from a convolution
pub fn name(conv: &Convolution, what: &str) -> String {
    format!("{}_{what}", conv.view.name.as_deref().unwrap_or("convolution"))
}

/// The name of the computation that is most of the work
pub fn main_name(conv: &Convolution) -> String {
    conv.view.name.clone().unwrap_or_else(|| "convolution".into())
}
