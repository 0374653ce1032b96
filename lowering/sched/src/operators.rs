//! Combine operators as arithmetic.
//!
//! `pw` permits any bracketing, so what merges floats carries `fastmath<reassoc,contract>`; inside of `source` loops it
//! does not. A product that is only merged by addition becomes a fused multiply-add.

use crate::emit::Emit;
use terrace_dialect_arith::{self as arith, FastMathFlags};
use terrace_dialect_func as func;
use terrace_dialect_math as math;
use terrace_dialect_sched::{Builtin, Operator};
use terrace_dialect_vector as vector;
use terrace_ir::{Attr, NewOp, Type, TypeKind, Value};

impl Emit<'_> {
    fn permission(&self) -> Option<Attr> {
        let free = FastMathFlags::REASSOC.and(FastMathFlags::CONTRACT);
        (!self.source).then(|| free.attr(&self.cx))
    }

    /// The neutral element, if there is one
    pub fn identity(&self, f: &Operator, ty: Type) -> Option<Attr> {
        match f {
            Operator::Builtin(builtin) => builtin.identity(&self.cx, ty),
            Operator::Function(name) => self.declared.get(name).and_then(|algebra| algebra.identity),
        }
    }

    /// Is it a constant whose elements are the neutral one?
    fn is_identity(&self, f: &Operator, value: Value) -> bool {
        let ty = self.ir.ty(value);
        let Some(one) = self.identity(f, ty.scalar(&self.cx)) else { return false };
        let all = if ty.shape(&self.cx).is_some() { self.cx.splat_attr(ty, one) } else { Some(one) };
        let constant = self.ir.defining_op(value).filter(|op| self.ir.is(*op, arith::Constant::DEF));
        constant.is_some_and(|op| self.ir.attr(op, "value") == all)
    }

    /// Does order not matter to it?
    pub fn commutes(&self, f: &Operator) -> bool {
        match f {
            Operator::Builtin(_) => true,
            Operator::Function(name) => self.declared.get(name).is_some_and(|algebra| algebra.commutative),
        }
    }

    /// `a ⊕ b`, of scalars or vectors; `product`: factors of `b` if that is a product used only here
    pub fn merge(&mut self, f: &Operator, a: Value, b: Value, product: Option<[Value; 2]>) -> Value {
        let ty = self.ir.ty(a);
        let scalar = ty.scalar(&self.cx);
        let float = scalar.is_float(&self.cx);
        let Operator::Builtin(builtin) = f else { return self.merge_by_function(f, a, b) };
        if let (Builtin::Add, true, Some([x, y]), false) = (builtin, float, product, self.source) {
            if self.is_identity(f, a) {
                // Nothing to add to yet.
                let flags = self.permission();
                return self.value(arith::MulF::DEF, &[x, y], ty, &[flags]);
            }
            if let TypeKind::Vector { .. } = ty.kind(&self.cx) {
                return self.value(vector::Fma::DEF, &[x, y, a], ty, &[]);
            }
            // Permission to round twice, for processors that have no such instruction
            let flags = self.permission();
            return self.value(math::Fma::DEF, &[x, y, a], ty, &[flags]);
        }
        let rounds = float && matches!(builtin, Builtin::Add | Builtin::Mul);
        let flags = if rounds { self.permission() } else { None };
        let def = builtin.op(float).expect("the verifier refuses operators that a type has not");
        self.value(def, &[a, b], ty, if rounds { std::slice::from_ref(&flags) } else { &[] })
    }

    fn merge_by_function(&mut self, f: &Operator, a: Value, b: Value) -> Value {
        let ty = self.ir.ty(a);
        if let TypeKind::Vector { shape, .. } = ty.kind(&self.cx) {
            // A function knows scalars: lane by lane.
            let mut all = a;
            for lane in 0..shape.first().copied().unwrap_or(0) {
                let (x, y) = (self.extract(a, lane), self.extract(b, lane));
                let merged = self.merge_by_function(f, x, y);
                all = self.insert(merged, all, lane);
            }
            return all;
        }
        let callee = f.to_attr(&self.cx);
        let mut b_ = self.b();
        let kind = b_.kind(func::Call::DEF);
        let op = b_.insert(&NewOp {
            operands: &[a, b],
            results: &[ty],
            slots: &[Some(callee)],
            ..NewOp::new(kind)
        });
        self.ir.result(op, 0)
    }

    /// All lanes of a vector merged, by a tree of neighbours
    pub fn reduce(&mut self, f: &Operator, vector: Value) -> Value {
        let ty = self.ir.ty(vector);
        let scalar = ty.scalar(&self.cx);
        let float = scalar.is_float(&self.cx);
        let Operator::Builtin(builtin) = f else {
            let width = ty.shape(&self.cx).and_then(|shape| shape.first().copied()).unwrap_or(0);
            let lanes = (0..width).map(|lane| self.extract(vector, lane)).collect();
            return self.tree(f, lanes).unwrap_or(vector);
        };
        if let Some(order) = self.float_order(f, ty) {
            let integers = self.integer_of(order, vector);
            let kind = vector::CombiningKind::from(builtin.combining(false)).attr(&self.cx);
            let elem = self.ir.ty(integers).scalar(&self.cx);
            let one = self.value(vector::Reduction::DEF, &[integers], elem, &[Some(kind), None]);
            return self.float_of(order, one, scalar);
        }
        let kind = vector::CombiningKind::from(builtin.combining(float)).attr(&self.cx);
        let rounds = float && matches!(builtin, Builtin::Add | Builtin::Mul);
        let flags = if rounds { self.permission() } else { None };
        self.value(vector::Reduction::DEF, &[vector], scalar, &[Some(kind), flags])
    }

    /// Neighbours first, in order: right for operators that do not commute too
    pub fn tree(&mut self, f: &Operator, mut all: Vec<Value>) -> Option<Value> {
        while all.len() > 1 {
            let pairs: Vec<Vec<Value>> = all.chunks(2).map(<[Value]>::to_vec).collect();
            all = pairs
                .into_iter()
                .map(|pair| match pair[..] {
                    [a, b] => self.merge(f, a, b, None),
                    _ => pair[0],
                })
                .collect();
        }
        all.first().copied()
    }
}
