//! Scalar functions as ops: types of expressions, conversions between types, functions of `math`.
//!
//! A number without a type of its own takes the type that is wanted where it stands. Operands of one operation have one type: of
//! two floats the wider one, of a float and an integer the float. A conversion by name, `i32(x)`, happens in place.

use crate::cursor::Cursor;
use crate::model::{Bin, Elem, Scalar, join, type_join};
use std::cmp::Ordering;
use terrace_dialect_arith::{self as arith, CmpFPredicate, CmpIPredicate};
use terrace_dialect_math as math;
use terrace_dialect_mdh as mdh;
use terrace_dialect_tensor as tensor;
use terrace_ir::{Attr, Ir, OpDef, OpId, Value};

/// Functions of `math` by their name in text
const MATH: &[(&str, &OpDef)] = &[
    ("abs", math::AbsF::DEF),
    ("atan", math::Atan::DEF),
    ("atan2", math::Atan2::DEF),
    ("ceil", math::Ceil::DEF),
    ("cos", math::Cos::DEF),
    ("cosh", math::Cosh::DEF),
    ("erf", math::Erf::DEF),
    ("exp", math::Exp::DEF),
    ("exp2", math::Exp2::DEF),
    ("expm1", math::ExpM1::DEF),
    ("floor", math::Floor::DEF),
    ("fma", math::Fma::DEF),
    ("log", math::Log::DEF),
    ("log10", math::Log10::DEF),
    ("log1p", math::Log1p::DEF),
    ("log2", math::Log2::DEF),
    ("pow", math::PowF::DEF),
    ("round", math::Round::DEF),
    ("rsqrt", math::Rsqrt::DEF),
    ("sin", math::Sin::DEF),
    ("sinh", math::Sinh::DEF),
    ("sqrt", math::Sqrt::DEF),
    ("tan", math::Tan::DEF),
    ("tanh", math::Tanh::DEF),
    ("trunc", math::Trunc::DEF),
];

/// Functions of one number that are written out
const WRITTEN_OUT: &[&str] = &["relu", "sigmoid"];

/// Number of parameters of a function
pub(crate) fn math_arity(name: &str) -> Option<usize> {
    let known = MATH.iter().find(|(other, _)| *other == name).map(|(_, op)| op.operands.len());
    known.or(WRITTEN_OUT.contains(&name).then_some(1))
}

/// Name in text of an op
pub(crate) fn function_of(ir: &Ir, op: OpId) -> Option<&'static str> {
    let known = MATH.iter().find(|(_, other)| ir.is(op, other)).map(|(name, _)| *name);
    known.or_else(|| math::AbsI::cast(ir, op).map(|_| "abs"))
}

/// Names of all functions
pub(crate) fn function_names() -> impl Iterator<Item = &'static str> {
    MATH.iter().map(|(name, _)| *name).chain(WRITTEN_OUT.iter().copied()).chain(["min", "max"])
}

/// A function of as many numbers as it takes: one of `math`, or what it means
pub(crate) fn function(name: &str, mut args: Vec<Scalar>) -> Scalar {
    let op = |op, a, b| Scalar::Op(op, Box::new(a), Box::new(b));
    match name {
        "relu" => op(Bin::Max, args.remove(0), Scalar::Int(0)),
        "sigmoid" => {
            let power = Scalar::Call("exp".into(), vec![Scalar::Neg(Box::new(args.remove(0)))]);
            op(Bin::Div, Scalar::Float(1.0), op(Bin::Add, Scalar::Float(1.0), power))
        }
        _ => Scalar::Call(name.into(), args),
    }
}

impl Cursor<'_> {
    /// An expression as a type
    pub(crate) fn scalar_as(&mut self, e: &Scalar, args: &[(Value, Elem)], elem: Elem) -> Value {
        match e {
            Scalar::Int(value) => match elem {
                Elem::Float(_) | Elem::Bf16 => self.constant(*value as f64, elem),
                _ => {
                    let attr = self.ir.cx().int_attr((*value).into(), self.ty(elem));
                    self.attr_value(attr)
                }
            },
            // Whether it is zero, as a conversion of a value is.
            Scalar::Float(value) if elem == Elem::Int(1) => self.constant(f64::from(*value != 0.0), elem),
            Scalar::Float(value) => self.constant(*value, elem),
            _ => {
                // Functions of numbers alone, where an integer is wanted, are those of floats all the same.
                let floats = matches!(e, Scalar::Call(name, _) if name != "abs") && !elem.is_float();
                let wanted = type_of(e, args).unwrap_or(if floats { Elem::Float(32) } else { elem });
                let value = self.scalar(e, args, wanted);
                self.convert(value, wanted, elem)
            }
        }
    }

    fn constant(&mut self, value: f64, elem: Elem) -> Value {
        let attr = self.number(value, elem);
        self.attr_value(attr)
    }

    fn attr_value(&mut self, attr: Attr) -> Value {
        let mut b = self.b();
        arith::Constant::build(&mut b, attr).result(b.read())
    }

    fn compare_floats(&mut self, predicate: CmpFPredicate, x: Value, y: Value) -> Value {
        let mut b = self.b();
        arith::CmpF::build(&mut b, x, y, predicate).result(b.read())
    }

    fn compare_ints(&mut self, predicate: CmpIPredicate, x: Value, y: Value) -> Value {
        let mut b = self.b();
        arith::CmpI::build(&mut b, x, y, predicate).result(b.read())
    }

    fn convert(&mut self, value: Value, from: Elem, to: Elem) -> Value {
        let ty = self.ty(to);
        let name = match (from, to) {
            _ if from == to => return value,
            (_, Elem::Int(1)) => return self.is_not_zero(value, from),
            (a, b) if a.is_float() && b.is_float() => match a.bits().cmp(&b.bits()) {
                Ordering::Less => arith::ExtF::DEF,
                Ordering::Greater => arith::TruncF::DEF,
                // The two floats of 16 bits: neither holds all of the other.
                Ordering::Equal => {
                    let wide = self.convert(value, from, Elem::Float(32));
                    return self.convert(wide, Elem::Float(32), to);
                }
            },
            (a, Elem::Index) if a.is_float() => {
                let wide = self.convert(value, from, Elem::Int(64));
                return self.convert(wide, Elem::Int(64), to);
            }
            (Elem::Int(1), Elem::Index) => {
                let wide = self.convert(value, from, Elem::Int(64));
                return self.convert(wide, Elem::Int(64), to);
            }
            (Elem::Index, b) if b.is_float() => {
                let wide = self.convert(value, from, Elem::Int(64));
                return self.convert(wide, Elem::Int(64), to);
            }
            (a, _) if a.is_float() => arith::FPToSI::DEF,
            (Elem::Int(1), b) if b.is_float() => arith::UIToFP::DEF,
            (_, b) if b.is_float() => arith::SIToFP::DEF,
            (Elem::Int(1), Elem::Int(_)) => arith::ExtUI::DEF,
            (Elem::Int(a), Elem::Int(b)) if a < b => arith::ExtSI::DEF,
            (Elem::Int(_), Elem::Int(_)) => arith::TruncI::DEF,
            _ => arith::IndexCast::DEF,
        };
        self.value(name, &[value], ty)
    }

    /// A truth value of a number, as C has it
    fn is_not_zero(&mut self, value: Value, elem: Elem) -> Value {
        let zero = self.constant(0.0, elem);
        match elem.is_float() {
            true => self.compare_floats(CmpFPredicate::Une, value, zero),
            false => self.compare_ints(CmpIPredicate::Ne, value, zero),
        }
    }

    /// An element of a whole tensor
    fn element(&mut self, tensor: Value, subs: &[Scalar], args: &[(Value, Elem)], elem: Elem) -> Value {
        let mut operands = vec![tensor];
        for sub in subs {
            operands.push(self.scalar_as(sub, args, Elem::Index));
        }
        let ty = self.ty(elem);
        self.value(tensor::Extract::DEF, &operands, ty)
    }

    /// A comparison, in the common type of its operands
    fn comparison(&mut self, op: Bin, a: &Scalar, b: &Scalar, args: &[(Value, Elem)]) -> Value {
        let common = join(type_of(a, args), type_of(b, args)).unwrap_or(Elem::Int(64));
        let (x, y) = (self.scalar_as(a, args, common), self.scalar_as(b, args, common));
        if common.is_float() {
            let predicate = match op {
                Bin::Eq => CmpFPredicate::Oeq,
                Bin::Gt => CmpFPredicate::Ogt,
                Bin::Ge => CmpFPredicate::Oge,
                Bin::Lt => CmpFPredicate::Olt,
                Bin::Le => CmpFPredicate::Ole,
                _ => CmpFPredicate::Une,
            };
            return self.compare_floats(predicate, x, y);
        }
        // True is more than false, as it is after a conversion, and no negative number.
        let predicate = match (op, common == Elem::Int(1)) {
            (Bin::Eq, _) => CmpIPredicate::Eq,
            (Bin::Ne, _) => CmpIPredicate::Ne,
            (Bin::Lt, false) => CmpIPredicate::Slt,
            (Bin::Lt, true) => CmpIPredicate::Ult,
            (Bin::Le, false) => CmpIPredicate::Sle,
            (Bin::Le, true) => CmpIPredicate::Ule,
            (Bin::Gt, false) => CmpIPredicate::Sgt,
            (Bin::Gt, true) => CmpIPredicate::Ugt,
            (_, false) => CmpIPredicate::Sge,
            (_, true) => CmpIPredicate::Uge,
        };
        self.compare_ints(predicate, x, y)
    }

    /// An expression as its own type
    fn scalar(&mut self, e: &Scalar, args: &[(Value, Elem)], elem: Elem) -> Value {
        let ty = self.ty(elem);
        let float = elem.is_float();
        match e {
            Scalar::Arg(n) => args[*n].0,
            Scalar::Element(n, subs) => self.element(args[*n].0, subs, args, elem),
            Scalar::Cast(to, inner) => self.scalar_as(inner, args, *to),
            Scalar::Index(n) => {
                let dim = self.ir.cx().int_attr(*n as i128, self.ir.cx().common().i64);
                let mut b = self.b();
                mdh::Index::build(&mut b, dim, ty).result(b.read())
            }
            Scalar::Size(n) => match self.sizes.get(*n).copied().flatten() {
                Some(value) => value,
                None => self.constant(0.0, elem),
            },
            Scalar::Int(_) | Scalar::Float(_) => self.scalar_as(e, args, elem),
            Scalar::Neg(inner) => {
                let value = self.scalar_as(inner, args, elem);
                if float {
                    return self.value(arith::NegF::DEF, &[value], ty);
                }
                let zero = self.constant(0.0, elem);
                self.value(arith::SubI::DEF, &[zero, value], ty)
            }
            Scalar::Op(op, a, b) if op.compares() => self.comparison(*op, a, b, args),
            Scalar::Op(op, a, b) => {
                let (x, y) = (self.scalar_as(a, args, elem), self.scalar_as(b, args, elem));
                let name = match (op, float) {
                    (Bin::Add, true) => arith::AddF::DEF,
                    (Bin::Sub, true) => arith::SubF::DEF,
                    (Bin::Mul, true) => arith::MulF::DEF,
                    (Bin::Div, true) => arith::DivF::DEF,
                    (Bin::Rem, true) => arith::RemF::DEF,
                    (Bin::Min, true) => arith::MinimumF::DEF,
                    (Bin::Max, true) => arith::MaximumF::DEF,
                    (Bin::Add, false) => arith::AddI::DEF,
                    (Bin::Sub, false) => arith::SubI::DEF,
                    (Bin::Mul, false) => arith::MulI::DEF,
                    (Bin::Div, false) => arith::DivSI::DEF,
                    (Bin::Rem, false) => arith::RemSI::DEF,
                    (Bin::Min, false) if elem == Elem::Int(1) => arith::AndI::DEF,
                    (Bin::Max, false) if elem == Elem::Int(1) => arith::OrI::DEF,
                    (Bin::Min, false) => arith::MinSI::DEF,
                    (Bin::Max, false) => arith::MaxSI::DEF,
                    (Bin::Or, _) => arith::OrI::DEF,
                    (Bin::Xor, _) => arith::XOrI::DEF,
                    _ => arith::AndI::DEF,
                };
                self.value(name, &[x, y], ty)
            }
            Scalar::Call(name, all) => {
                let op = MATH.iter().find(|(other, _)| other == name).map_or(math::AbsF::DEF, |(_, op)| op);
                let op = if name == "abs" && !float { math::AbsI::DEF } else { op };
                let values: Vec<Value> = all.iter().map(|e| self.scalar_as(e, args, elem)).collect();
                self.value(op, &values, ty)
            }
            Scalar::Select(test, a, b) => {
                let test = self.scalar_as(test, args, Elem::Int(1));
                let (x, y) = (self.scalar_as(a, args, elem), self.scalar_as(b, args, elem));
                self.value(arith::Select::DEF, &[test, x, y], ty)
            }
        }
    }
}

fn type_of(e: &Scalar, args: &[(Value, Elem)]) -> Option<Elem> {
    let elems: Vec<Elem> = args.iter().map(|(_, elem)| *elem).collect();
    type_join(e, &elems)
}
