//! Combine operators as arithmetic.
//!
//! `pw` permits any bracketing, so what merges floats carries `fastmath<reassoc,contract>`; inside of `source` loops it
//! does not. A product that is only merged by addition becomes a fused multiply-add.

use crate::emit::Emit;
use crate::state::Joined;
use terrace_dialect_arith::{self as arith, FastMathFlags};
use terrace_dialect_func as func;
use terrace_dialect_math as math;
use terrace_dialect_sched::combine::Group;
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
            Operator::Function(name) => {
                self.declared.get(name).and_then(|algebra| algebra.neutral(&self.cx, 0))
            }
        }
    }

    /// The neutral elements of what operators merge, one for each value
    pub fn identities(&self, groups: &[Group<'_>], types: &[Type]) -> Vec<Option<Attr>> {
        let component = |group: &Group<'_>, n: usize| match group.operator {
            Operator::Builtin(builtin) => builtin.identity(&self.cx, types[n]),
            Operator::Function(name) => {
                self.declared.get(name).and_then(|algebra| algebra.neutral(&self.cx, n - group.first))
            }
        };
        groups.iter().flat_map(|group| group.values().map(|n| component(group, n))).collect()
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
        let Operator::Builtin(builtin) = f else {
            return self.call_function(f, &[a], &[b]).first().copied().unwrap_or(a);
        };
        let fuses = self.fused || !self.source;
        if let (Builtin::Add, true, Some([x, y]), true) = (builtin, float, product, fuses) {
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

    /// `a ⊕ b` of tuples, one value or vector for each component
    pub fn merge_tuples(&mut self, f: &Operator, a: &[Value], b: &[Value]) -> Vec<Value> {
        match (a, b) {
            ([a], [b]) => vec![self.merge(f, *a, *b, None)],
            _ => self.call_function(f, a, b),
        }
    }

    fn call_function(&mut self, f: &Operator, a: &[Value], b: &[Value]) -> Vec<Value> {
        let types: Vec<Type> = a.iter().map(|value| self.ir.ty(*value)).collect();
        let width = types.first().and_then(|ty| ty.shape(&self.cx)).and_then(|shape| shape.first().copied());
        if let Some(width) = width {
            // A function knows scalars: lane by lane.
            let mut all = a.to_vec();
            for lane in 0..width {
                let x: Vec<Value> = a.iter().map(|value| self.extract(*value, lane)).collect();
                let y: Vec<Value> = b.iter().map(|value| self.extract(*value, lane)).collect();
                let merged = self.call_function(f, &x, &y);
                for (all, one) in all.iter_mut().zip(merged) {
                    *all = self.insert(one, *all, lane);
                }
            }
            return all;
        }
        let callee = f.to_attr(&self.cx);
        let operands = [a, b].concat();
        let mut builder = self.b();
        let kind = builder.kind(func::Call::DEF);
        let call = NewOp { operands: &operands, results: &types, slots: &[Some(callee)], ..NewOp::new(kind) };
        let op = builder.insert(&call);
        self.ir.results(op).collect()
    }

    /// All lanes of a tuple of vectors merged, neighbors first
    pub fn reduce_tuples(&mut self, f: &Operator, vectors: &[Value]) -> Vec<Value> {
        if let ([vector], Operator::Builtin(_)) = (vectors, f) {
            return vec![self.reduce(f, *vector)];
        }
        let shape = vectors.first().and_then(|vector| self.ir.ty(*vector).shape(&self.cx));
        let width = shape.and_then(|shape| shape.first().copied()).unwrap_or(0);
        let lanes = (0..width)
            .map(|lane| vectors.iter().map(|vector| self.extract(*vector, lane)).collect::<Vec<Value>>());
        let lanes = lanes.collect();
        self.tree_of_tuples(f, lanes).unwrap_or_else(|| vectors.to_vec())
    }

    /// All lanes of a vector merged, by a tree of neighbours
    pub fn reduce(&mut self, f: &Operator, vector: Value) -> Value {
        let Operator::Builtin(builtin) = f else {
            return self.reduce_tuples(f, &[vector]).first().copied().unwrap_or(vector);
        };
        self.reduce_joined(Joined { operator: *builtin, lanes: vector, rest: None })
    }

    /// All lanes that are left, and what is merged with them
    pub fn reduce_joined(&mut self, joined: Joined) -> Value {
        let Joined { operator, lanes, rest } = joined;
        let elem = self.ir.ty(lanes).scalar(&self.cx);
        let float = elem.is_float(&self.cx);
        let kind = vector::CombiningKind::from(operator.combining(float)).attr(&self.cx);
        let rounds = float && matches!(operator, Builtin::Add | Builtin::Mul);
        let flags = if rounds { self.permission() } else { None };
        let mut one = self.value(vector::Reduction::DEF, &[lanes], elem, &[Some(kind), flags]);
        if let Some(rest) = rest {
            one = self.merge(&Operator::Builtin(operator), one, rest, None);
        }
        self.note_joined(one, joined);
        one
    }

    /// The lanes of a vector by halves: those of the second are merged into those of the first, until one is left
    pub fn reduce_by_halves(&mut self, f: &Operator, mut vector: Value) -> Value {
        let mut width = self.width_of(vector);
        while width > 1 && width % 2 == 0 {
            width /= 2;
            let (low, high) = self.divided(vector);
            vector = self.merge(f, low, high, None);
        }
        self.extract(vector, 0)
    }

    /// The two halves of a vector
    pub fn divided(&mut self, vector: Value) -> (Value, Value) {
        let (elem, width) = (self.ir.ty(vector).scalar(&self.cx), self.width_of(vector) / 2);
        let half = |e: &mut Self, from: i64| {
            let ty = e.cx.vector(&[width], elem);
            let list = |n: i64| Some(e.cx.array_attr(&[e.cx.int_attr(n.into(), e.cx.common().i64)]));
            let [at, size, step] = [from, width, 1].map(list);
            e.value(vector::ExtractStridedSlice::DEF, &[vector], ty, &[at, size, step])
        };
        (half(self, 0), half(self, width))
    }

    /// Values by halves, as [`reduce_by_halves`](Emit::reduce_by_halves) does it
    pub fn halves(&mut self, f: &Operator, mut all: Vec<Vec<Value>>) -> Option<Vec<Value>> {
        while all.len() > 1 {
            let high = all.split_off(all.len() / 2);
            all = all.iter().zip(&high).map(|(a, b)| self.merge_tuples(f, a, b)).collect();
        }
        all.pop()
    }

    pub fn width_of(&self, vector: Value) -> i64 {
        self.ir.ty(vector).shape(&self.cx).and_then(|shape| shape.first().copied()).unwrap_or(1)
    }

    /// Neighbours first, in order: right for operators that do not commute too
    pub fn tree_of_tuples(&mut self, f: &Operator, mut all: Vec<Vec<Value>>) -> Option<Vec<Value>> {
        while all.len() > 1 {
            let pairs = all.chunks(2).map(|pair| match pair {
                [a, b] => self.merge_tuples(f, a, b),
                _ => pair[0].clone(),
            });
            all = pairs.collect();
        }
        all.pop()
    }
}
