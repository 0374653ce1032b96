//! What front ends of graphs of tensors share: a module of one function, and ops of `stablehlo` at its end.
//!
//! **Not done here.** What a format's ops mean, and its mistakes: what does not fit is `None`, and the front end says why.

mod module;
mod numbers;

pub use module::{NotRegistered, Results, finish, module};
pub use numbers::Start;

use terrace_dialect_stablehlo as stablehlo;
use terrace_ir::show::round_to_bits;
use terrace_ir::{BlockId, Builder, Ir, Loc, NewOp, OpDef, Type, TypeKind, Value};

/// Most elements of all dimensions of a tensor together
pub const ELEMENTS: i64 = 1 << 40;

/// The shape that two tensors are broadcast to, as in numpy; `None` if they cannot be
///
/// ```
/// use terrace_frontend_graph::broadcast_shape;
/// assert_eq!(broadcast_shape(&[2, 1, 4], &[3, 1]), Some(vec![2, 3, 4]));
/// assert_eq!(broadcast_shape(&[2], &[3]), None);
/// ```
pub fn broadcast_shape(a: &[i64], b: &[i64]) -> Option<Vec<i64>> {
    let rank = a.len().max(b.len());
    let size = |shape: &[i64], n: usize| (n + shape.len()).checked_sub(rank).map_or(1, |at| shape[at]);
    (0..rank)
        .map(|n| match (size(a, n), size(b, n)) {
            (1, other) | (other, 1) => Some(other),
            (a, b) => (a == b).then_some(a),
        })
        .collect()
}

/// Number of elements of a shape; `None` for more than [`ELEMENTS`]
pub fn elements(shape: &[i64]) -> Option<i64> {
    // A dimension without elements does not excuse the others.
    let bound = shape.iter().try_fold(1i64, |all, size| all.checked_mul((*size).max(1)));
    bound.filter(|bound| *bound <= ELEMENTS)?;
    Some(shape.iter().product())
}

/// The end of a function's block, where ops go
pub struct End<'a> {
    /// The function
    pub ir: &'a mut Ir,
    block: BlockId,
    loc: Loc,
}

impl<'a> End<'a> {
    /// At the end of a block
    pub fn new(ir: &'a mut Ir, block: BlockId) -> End<'a> {
        End { ir, block, loc: Loc::offset(0) }
    }

    /// Ops to come belong to this byte of the source
    pub fn go_to(&mut self, at: u32) {
        self.loc = Loc::offset(at);
    }

    /// A builder at the end of the function
    pub fn b(&mut self) -> Builder<'_> {
        let mut b = Builder::at_end(self.ir, self.block);
        b.set_loc(self.loc);
        b
    }

    /// One more argument of the function
    pub fn argument(&mut self, ty: Type) -> Value {
        self.ir.add_block_arg(self.block, ty)
    }

    /// The shape of a value
    pub fn shape(&self, value: Value) -> Vec<i64> {
        self.ir.ty(value).shape(self.ir.cx()).unwrap_or(&[]).to_vec()
    }

    /// The type of a value's elements
    pub fn elem(&self, value: Value) -> Type {
        self.ir.ty(value).scalar(self.ir.cx())
    }

    /// The value of an op without attributes
    pub fn value(&mut self, def: &'static OpDef, operands: &[Value], ty: Type) -> Value {
        let mut b = self.b();
        let kind = b.kind(def);
        let op = b.insert(&NewOp { operands, results: &[ty], ..NewOp::new(kind) });
        b.read().result(op, 0)
    }

    /// A constant of one number; nothing if the type does not have it
    pub fn splat(&mut self, number: f64, ty: Type) -> Option<Value> {
        let cx = self.ir.cx();
        let elem = ty.scalar(cx);
        let one = match *elem.kind(cx) {
            TypeKind::Float(kind) => cx.float_attr(round_to_bits(number, kind)?, elem),
            TypeKind::Int { .. } => cx.int_attr(numbers::whole(number, elem.kind(cx))?, elem),
            _ => return None,
        };
        let attr = cx.splat_attr(ty, one)?;
        let op = stablehlo::Constant::build(&mut self.b(), attr);
        Some(op.output(self.ir))
    }

    /// The same elements in another shape
    pub fn reshape(&mut self, value: Value, shape: &[i64]) -> Value {
        if self.shape(value) == shape {
            return value;
        }
        let ty = self.ir.cx().tensor(shape, self.elem(value));
        self.value(stablehlo::Reshape::DEF, &[value], ty)
    }

    /// The value in a shape: broadcast as in numpy, one element to all; `None` if it cannot be
    pub fn fit(&mut self, value: Value, shape: &[i64]) -> Option<Value> {
        let from = self.shape(value);
        if from == shape {
            return Some(value);
        }
        let to = self.ir.cx().tensor(shape, self.elem(value));
        if from.iter().all(|size| *size == 1) {
            let value = self.reshape(value, &[]);
            return Some(self.broadcast(value, &[], to));
        }
        let new = shape.len().checked_sub(from.len())?;
        from.iter().zip(&shape[new..]).all(|(a, b)| *a == 1 || a == b).then_some(())?;
        let dims: Vec<i64> = (new as i64..shape.len() as i64).collect();
        Some(self.broadcast(value, &dims, to))
    }

    /// Its dimensions are these of the result's
    pub fn broadcast(&mut self, value: Value, dims: &[i64], to: Type) -> Value {
        let dims = self.ir.cx().i64_array(dims);
        let op = stablehlo::BroadcastInDim::build(&mut self.b(), value, dims, to);
        op.result(self.ir)
    }

    /// Dimensions folded by an op on two numbers; `None` if the type of the elements has no such start
    pub fn fold(&mut self, value: Value, axes: &[i64], def: &'static OpDef, start: Start) -> Option<Value> {
        let (elem, shape) = (self.elem(value), self.shape(value));
        let left = shape.iter().enumerate().filter(|(n, _)| !axes.contains(&(*n as i64)));
        let left: Vec<i64> = left.map(|(_, size)| *size).collect();
        let cx = self.ir.cx();
        let (small, dims) = (cx.tensor(&left, elem), cx.i64_array(axes));
        let init = self.start(start, elem)?;
        let made = stablehlo::Reduce::build(&mut self.b(), &[value, init], dims, &[small]);
        let body = made.body(self.ir);
        self.body(body, def, elem);
        Some(self.ir.result(made.id(), 0))
    }

    /// The number that a fold starts from
    pub fn start(&mut self, start: Start, elem: Type) -> Option<Value> {
        let cx = self.ir.cx();
        let (scalar, number) = (cx.tensor(&[], elem), start.number(elem.kind(cx)));
        self.splat(number, scalar)
    }

    /// The region of a fold: one op on two numbers
    pub fn body(&mut self, region: terrace_ir::RegionId, def: &'static OpDef, elem: Type) {
        let scalar = self.ir.cx().tensor(&[], elem);
        let block = self.ir.append_block(region);
        let args = [scalar, scalar].map(|ty| self.ir.add_block_arg(block, ty));
        let mut b = Builder::at_end(self.ir, block);
        b.set_loc(self.loc);
        let kind = b.kind(def);
        let step = b.insert(&NewOp { operands: &args, results: &[scalar], ..NewOp::new(kind) });
        let value = b.read().result(step, 0);
        stablehlo::Return::build(&mut b, &[value]);
    }
}
