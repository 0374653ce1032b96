//! C's conversions and arithmetic as ops.

use crate::ast::{BinaryOp, Elem, UnaryOp};
use crate::emitter::Emitter;
use crate::value::{Val, common, float_kind, promoted};
use terrace_dialect_arith as arith;
use terrace_dialect_arith::{CmpFPredicate, CmpIPredicate};
use terrace_dialect_memref as memref;
use terrace_ir::show::round_to_bits;
use terrace_ir::{FloatKind, Type, Value};
use terrace_support::affine::{AffineExpr, AffineKind};

impl Emitter<'_> {
    pub fn unstored(&mut self, arg: Value, elem: Elem) -> Val {
        match elem {
            Elem::Bool => Val::One(self.to(&Val::One(arg, elem.stored()), Elem::Bool), elem),
            _ => Val::One(arg, elem),
        }
    }

    /// A sum over counted turns as arithmetic on indices
    pub fn affine_value(&mut self, e: &AffineExpr, turns: &[Value]) -> Value {
        let (kind, lhs, rhs) = match e {
            AffineExpr::Dim(n) => return turns[*n as usize],
            AffineExpr::Symbol(_) => return self.index(0),
            AffineExpr::Constant(value) => return self.index(*value),
            AffineExpr::Binary(node) => (node.kind(), node.lhs().clone(), node.rhs().clone()),
        };
        let (x, y) = (self.affine_value(&lhs, turns), self.affine_value(&rhs, turns));
        let ty = self.ir.cx().common().index;
        let name = match kind {
            AffineKind::Add => arith::AddI::DEF,
            AffineKind::Mul => arith::MulI::DEF,
            AffineKind::FloorDiv => arith::DivSI::DEF,
            AffineKind::CeilDiv => arith::CeilDivSI::DEF,
            AffineKind::Mod => arith::RemSI::DEF,
        };
        self.op(name, &[x, y], ty)
    }

    /// An element of memory as a value
    pub fn load(&mut self, memref: Value, indices: &[Value], elem: Elem) -> Value {
        let ty = self.stored(elem);
        let operands: Vec<Value> = std::iter::once(memref).chain(indices.iter().copied()).collect();
        let value = self.op(memref::Load::DEF, &operands, ty);
        match elem {
            Elem::Bool => self.to(&Val::One(value, elem.stored()), Elem::Bool),
            _ => value,
        }
    }

    /// As it is in memory
    pub fn store_form(&mut self, value: &Val, elem: Elem) -> Value {
        let value = self.cast(value, elem);
        self.to(&value, elem.stored())
    }

    /// start + step · turn
    pub fn counted(&mut self, turn: Value, start: &Val, step: i64, elem: Elem) -> Val {
        let ty = self.ty(elem);
        let turn = Val::One(self.op(arith::IndexCast::DEF, &[turn], ty), elem);
        let scaled = match step {
            1 => turn,
            _ => self.binary(BinaryOp::Mul, &turn, &Val::Int(step.into(), elem)).unwrap_or(turn),
        };
        match start {
            Val::Int(0, _) => scaled,
            start => {
                let sum = self.binary(BinaryOp::Add, &scaled, start).unwrap_or(scaled);
                self.cast(&sum, elem)
            }
        }
    }

    /// Type of values
    pub fn ty(&self, elem: Elem) -> Type {
        let cx = self.ir.cx();
        match elem {
            Elem::Bool => cx.int(1),
            Elem::Int { bits, .. } => cx.int(bits),
            Elem::Float(16) => cx.ty(terrace_ir::TypeKind::Float(FloatKind::F16)),
            Elem::Float(32) => cx.common().f32,
            Elem::Float(_) => cx.common().f64,
            Elem::Struct(_) => cx.common().none,
        }
    }

    /// Type of elements in memory: a `_Bool` is a byte
    pub fn stored(&self, elem: Elem) -> Type {
        if elem == Elem::Bool { self.ir.cx().int(8) } else { self.ty(elem) }
    }

    /// The attribute of a number
    pub fn number(&self, value: &Val, elem: Elem) -> Option<terrace_ir::Attr> {
        let (cx, ty) = (self.ir.cx(), self.ty(elem));
        match (value, elem) {
            (Val::Int(value, _), Elem::Bool) => Some(cx.bool_attr(*value != 0)),
            (Val::Int(value, _), Elem::Int { .. }) => Some(cx.int_attr(*value, ty)),
            (Val::Int(value, _), Elem::Float(bits)) => {
                Some(cx.float_attr(round_to_bits(*value as f64, float_kind(bits))?, ty))
            }
            (Val::Float(value, _), Elem::Float(bits)) => {
                Some(cx.float_attr(round_to_bits(*value, float_kind(bits))?, ty))
            }
            (Val::Float(value, _), Elem::Int { .. }) => Some(cx.int_attr(*value as i128, ty)),
            (Val::Float(value, _), Elem::Bool) => Some(cx.bool_attr(*value != 0.0)),
            _ => None,
        }
    }

    /// The value as a type
    pub fn to(&mut self, value: &Val, elem: Elem) -> Value {
        if let Some(attr) = self.number(value, elem) {
            return self.constant_value(attr);
        }
        let (Val::One(v, from), _) = (value, elem) else {
            // Structures do not convert: callers have compared types.
            return match value {
                Val::Record(_, fields) => fields[0],
                _ => self.zero(Elem::INT),
            };
        };
        let (v, ty) = (*v, self.ty(elem));
        if *from == elem {
            return v;
        }
        match (*from, elem) {
            (Elem::Float(a), Elem::Float(b)) => {
                self.op(if a < b { arith::ExtF::DEF } else { arith::TruncF::DEF }, &[v], ty)
            }
            (Elem::Float(_), Elem::Bool) => {
                let zero = self.to(&Val::Float(0.0, *from), *from);
                self.compare_floats(CmpFPredicate::Une, v, zero)
            }
            (Elem::Float(_), Elem::Int { signed, .. }) => {
                self.op(if signed { arith::FPToSI::DEF } else { arith::FPToUI::DEF }, &[v], ty)
            }
            (Elem::Int { signed, .. }, Elem::Float(_)) => {
                self.op(if signed { arith::SIToFP::DEF } else { arith::UIToFP::DEF }, &[v], ty)
            }
            (Elem::Bool, Elem::Float(_)) => self.op(arith::UIToFP::DEF, &[v], ty),
            (Elem::Bool, Elem::Int { .. }) => self.op(arith::ExtUI::DEF, &[v], ty),
            (Elem::Int { .. }, Elem::Bool) => {
                let zero = self.zero(*from);
                self.compare_ints(CmpIPredicate::Ne, v, zero)
            }
            (Elem::Int { bits: a, signed }, Elem::Int { bits: b, .. }) => match a.cmp(&b) {
                std::cmp::Ordering::Less => {
                    self.op(if signed { arith::ExtSI::DEF } else { arith::ExtUI::DEF }, &[v], ty)
                }
                std::cmp::Ordering::Greater => self.op(arith::TruncI::DEF, &[v], ty),
                std::cmp::Ordering::Equal => v,
            },
            _ => v,
        }
    }

    /// Converted, still in C's terms
    pub fn cast(&mut self, value: &Val, elem: Elem) -> Val {
        match (value, elem) {
            (Val::Int(n, _), Elem::Int { .. }) => Val::Int(elem.wrapped(*n), elem),
            (Val::Int(n, _), Elem::Float(32)) => Val::Float(f64::from(*n as f32), elem),
            (Val::Int(n, _), Elem::Float(64)) => Val::Float(*n as f64, elem),
            (Val::Float(x, _), Elem::Float(32)) => Val::Float(f64::from(*x as f32), elem),
            (Val::Float(x, _), Elem::Float(64)) => Val::Float(*x, elem),
            _ => Val::One(self.to(value, elem), elem),
        }
    }

    /// 0 of a type
    pub fn zero(&mut self, elem: Elem) -> Value {
        self.to(&Val::Int(0, Elem::INT), elem)
    }

    /// Truth of a value
    pub fn truth(&mut self, value: &Val) -> Value {
        self.to(value, Elem::Bool)
    }

    fn compare_floats(&mut self, predicate: CmpFPredicate, a: Value, b: Value) -> Value {
        let mut builder = self.b();
        arith::CmpF::build(&mut builder, a, b, predicate).result(builder.read())
    }

    /// `op a`
    pub fn unary(&mut self, op: UnaryOp, a: &Val) -> Val {
        match op {
            UnaryOp::Not => {
                let t = self.truth(a);
                let one = self.to(&Val::Int(1, Elem::INT), Elem::Bool);
                let ty = self.ty(Elem::Bool);
                Val::One(self.op(arith::XOrI::DEF, &[t, one], ty), Elem::Bool)
            }
            UnaryOp::Neg => {
                let elem = promoted(a.elem());
                match (a, elem) {
                    (Val::Int(n, _), _) => return Val::Int(elem.wrapped(-n), elem),
                    (Val::Float(x, _), _) => return Val::Float(-x, elem),
                    _ => {}
                }
                let v = self.to(a, elem);
                let ty = self.ty(elem);
                if let Elem::Float(_) = elem {
                    return Val::One(self.op(arith::NegF::DEF, &[v], ty), elem);
                }
                let zero = self.zero(elem);
                Val::One(self.op(arith::SubI::DEF, &[zero, v], ty), elem)
            }
            UnaryOp::BitNot => {
                let elem = promoted(a.elem());
                let v = self.to(a, elem);
                let ones = self.to(&Val::Int(-1, Elem::INT), elem);
                let ty = self.ty(elem);
                Val::One(self.op(arith::XOrI::DEF, &[v, ones], ty), elem)
            }
        }
    }

    /// `a op b`; nothing where C has no such operation
    pub fn binary(&mut self, op: BinaryOp, a: &Val, b: &Val) -> Option<Val> {
        use BinaryOp::*;
        if matches!(a, Val::Record(..)) || matches!(b, Val::Record(..)) {
            return None;
        }
        if matches!(op, LogAnd | LogOr) {
            let (x, y) = (self.truth(a), self.truth(b));
            let ty = self.ty(Elem::Bool);
            let name = if op == LogAnd { arith::AndI::DEF } else { arith::OrI::DEF };
            return Some(Val::One(self.op(name, &[x, y], ty), Elem::Bool));
        }
        let elem = match op {
            Shl | Shr => promoted(a.elem()),
            _ => common(a.elem(), b.elem()),
        };
        if let (Val::Int(x, _), Val::Int(y, _)) = (a, b) {
            let folded = match op {
                Add => x.checked_add(*y),
                Sub => x.checked_sub(*y),
                Mul => x.checked_mul(*y),
                _ => None,
            };
            if let Some(value) = folded.filter(|value| i64::try_from(*value).is_ok()) {
                return Some(Val::Int(elem.wrapped(value), elem));
            }
        }
        let (x, y) = (self.to(a, elem), self.to(b, elem));
        let ty = self.ty(elem);
        let float = matches!(elem, Elem::Float(_));
        let unsigned = matches!(elem, Elem::Int { signed: false, .. });
        let name = match (op, float, unsigned) {
            (Add, true, _) => arith::AddF::DEF,
            (Sub, true, _) => arith::SubF::DEF,
            (Mul, true, _) => arith::MulF::DEF,
            (Div, true, _) => arith::DivF::DEF,
            (Add, ..) => arith::AddI::DEF,
            (Sub, ..) => arith::SubI::DEF,
            (Mul, ..) => arith::MulI::DEF,
            (Div, _, false) => arith::DivSI::DEF,
            (Div, ..) => arith::DivUI::DEF,
            (Rem, true, _) => return None,
            (Rem, _, false) => arith::RemSI::DEF,
            (Rem, ..) => arith::RemUI::DEF,
            (Shl | Shr | And | Or | Xor, true, _) => return None,
            (Shl, ..) => arith::ShLI::DEF,
            (Shr, _, false) => arith::ShRSI::DEF,
            (Shr, ..) => arith::ShRUI::DEF,
            (And, ..) => arith::AndI::DEF,
            (Or, ..) => arith::OrI::DEF,
            (Xor, ..) => arith::XOrI::DEF,
            (Lt | Le | Gt | Ge | Eq | Ne, true, _) => {
                let predicate = match op {
                    Lt => CmpFPredicate::Olt,
                    Le => CmpFPredicate::Ole,
                    Gt => CmpFPredicate::Ogt,
                    Ge => CmpFPredicate::Oge,
                    Eq => CmpFPredicate::Oeq,
                    _ => CmpFPredicate::Une,
                };
                return Some(Val::One(self.compare_floats(predicate, x, y), Elem::Bool));
            }
            (Lt | Le | Gt | Ge | Eq | Ne, ..) => {
                let predicate = match op {
                    Lt => CmpIPredicate::Slt,
                    Le => CmpIPredicate::Sle,
                    Gt => CmpIPredicate::Sgt,
                    Ge => CmpIPredicate::Sge,
                    Eq => CmpIPredicate::Eq,
                    _ => CmpIPredicate::Ne,
                };
                let predicate = if unsigned { predicate.unsigned() } else { predicate };
                return Some(Val::One(self.compare_ints(predicate, x, y), Elem::Bool));
            }
            (LogAnd | LogOr, ..) => return None,
        };
        Some(Val::One(self.op(name, &[x, y], ty), elem))
    }

    /// `test ? a : b`; nothing if the types are not of one kind
    pub fn select(&mut self, test: Value, a: &Val, b: &Val) -> Option<Val> {
        if a == b {
            return Some(a.clone());
        }
        if let (Val::Record(n, xs), Val::Record(m, ys)) = (a, b) {
            if n != m {
                return None;
            }
            let all = xs.iter().zip(ys).map(|(x, y)| self.select_value(test, *x, *y)).collect();
            return Some(Val::Record(*n, all));
        }
        if matches!(a, Val::Record(..)) || matches!(b, Val::Record(..)) {
            return None;
        }
        let elem = if a.elem() == b.elem() { a.elem() } else { common(a.elem(), b.elem()) };
        let (x, y) = (self.to(a, elem), self.to(b, elem));
        Some(Val::One(self.select_value(test, x, y), elem))
    }

    /// One of two values
    pub fn select_value(&mut self, test: Value, x: Value, y: Value) -> Value {
        if x == y {
            return x;
        }
        let ty = self.ir.ty(x);
        self.op(arith::Select::DEF, &[test, x, y], ty)
    }
}
