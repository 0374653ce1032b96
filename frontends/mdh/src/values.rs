//! Scalar functions as ops: types of expressions, conversions between types, functions of `math`.
//!
//! A number without a type of its own takes the type that is wanted where it stands. Operands of one operation have one type: of
//! two floats the wider one, of a float and an integer the float. What is said by name, `i32(x)`, is converted there and then.

use crate::emit::Emit;
use crate::model::{Bin, Elem, Scalar};
use std::cmp::Ordering;
use terrace_ir::Value;

/// Functions of `math` by their name in text
const MATH: &[(&str, &str, usize)] = &[
    ("abs", "math.absf", 1),
    ("atan", "math.atan", 1),
    ("atan2", "math.atan2", 2),
    ("ceil", "math.ceil", 1),
    ("cos", "math.cos", 1),
    ("cosh", "math.cosh", 1),
    ("erf", "math.erf", 1),
    ("exp", "math.exp", 1),
    ("exp2", "math.exp2", 1),
    ("expm1", "math.expm1", 1),
    ("floor", "math.floor", 1),
    ("fma", "math.fma", 3),
    ("log", "math.log", 1),
    ("log10", "math.log10", 1),
    ("log1p", "math.log1p", 1),
    ("log2", "math.log2", 1),
    ("pow", "math.powf", 2),
    ("round", "math.round", 1),
    ("rsqrt", "math.rsqrt", 1),
    ("sin", "math.sin", 1),
    ("sinh", "math.sinh", 1),
    ("sqrt", "math.sqrt", 1),
    ("tan", "math.tan", 1),
    ("tanh", "math.tanh", 1),
    ("trunc", "math.trunc", 1),
];

/// Functions of one number that are written out
const WRITTEN_OUT: &[&str] = &["relu", "sigmoid"];

/// Number of parameters of a function
pub(crate) fn math_arity(name: &str) -> Option<usize> {
    let known = MATH.iter().find(|(other, ..)| *other == name).map(|(_, _, arity)| *arity);
    known.or(WRITTEN_OUT.contains(&name).then_some(1))
}

/// Name in text of an op on so many numbers
pub(crate) fn function_of(op: &str, arity: usize) -> Option<&'static str> {
    let op = if op == "math.absi" { "math.absf" } else { op };
    MATH.iter().find(|(_, other, count)| *other == op && *count == arity).map(|(name, ..)| *name)
}

/// Names of all functions
pub(crate) fn function_names() -> impl Iterator<Item = &'static str> {
    MATH.iter().map(|(name, ..)| *name).chain(WRITTEN_OUT.iter().copied()).chain(["min", "max"])
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

impl Emit<'_> {
    /// An expression as a type
    pub(crate) fn scalar_as(&mut self, e: &Scalar, args: &[(Value, Elem)], elem: Elem) -> Value {
        match e {
            Scalar::Int(value) => match elem {
                Elem::Float(_) | Elem::Bf16 => self.constant(*value as f64, elem),
                _ => {
                    let ty = self.ty(elem);
                    let attr = self.ir.cx().int_attr((*value).into(), ty);
                    self.value("arith.constant", &[], &[("value", attr)], ty)
                }
            },
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
        let (attr, ty) = (self.number(value, elem), self.ty(elem));
        self.value("arith.constant", &[], &[("value", attr)], ty)
    }

    fn convert(&mut self, value: Value, from: Elem, to: Elem) -> Value {
        let ty = self.ty(to);
        let name = match (from, to) {
            _ if from == to => return value,
            (_, Elem::Int(1)) => return self.is_not_zero(value, from),
            (a, b) if a.is_float() && b.is_float() => match a.bits().cmp(&b.bits()) {
                Ordering::Less => "arith.extf",
                Ordering::Greater => "arith.truncf",
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
            (a, _) if a.is_float() => "arith.fptosi",
            (Elem::Int(1), b) if b.is_float() => "arith.uitofp",
            (_, b) if b.is_float() => "arith.sitofp",
            (Elem::Int(1), Elem::Int(_)) => "arith.extui",
            (Elem::Int(a), Elem::Int(b)) if a < b => "arith.extsi",
            (Elem::Int(_), Elem::Int(_)) => "arith.trunci",
            _ => "arith.index_cast",
        };
        self.value(name, &[value], &[], ty)
    }

    /// A truth value of a number, as C has it
    fn is_not_zero(&mut self, value: Value, elem: Elem) -> Value {
        let zero = self.constant(0.0, elem);
        // Unordered or not equal, and not equal.
        let (name, predicate) = if elem.is_float() { ("arith.cmpf", 13) } else { ("arith.cmpi", 1) };
        let cx = self.ir.cx();
        let (predicate, ty) = (cx.int_attr(predicate, cx.common().i64), cx.int(1));
        self.value(name, &[value, zero], &[("predicate", predicate)], ty)
    }

    /// An element of a whole tensor
    fn element(&mut self, tensor: Value, subs: &[Scalar], args: &[(Value, Elem)], elem: Elem) -> Value {
        let mut operands = vec![tensor];
        for sub in subs {
            operands.push(self.scalar_as(sub, args, Elem::Index));
        }
        let ty = self.ty(elem);
        self.value("tensor.extract", &operands, &[], ty)
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
                self.value("mdh.index", &[], &[("dim", dim)], ty)
            }
            Scalar::Int(_) | Scalar::Float(_) => self.scalar_as(e, args, elem),
            Scalar::Neg(inner) => {
                let value = self.scalar_as(inner, args, elem);
                if float {
                    return self.value("arith.negf", &[value], &[], ty);
                }
                let zero = self.constant(0.0, elem);
                self.value("arith.subi", &[zero, value], &[], ty)
            }
            Scalar::Op(op, a, b) if op.compares() => {
                let common = join(type_of(a, args), type_of(b, args)).unwrap_or(Elem::Int(64));
                let (x, y) = (self.scalar_as(a, args, common), self.scalar_as(b, args, common));
                let float = common.is_float();
                let predicate = match (op, float) {
                    (Bin::Eq, true) => 1,
                    (Bin::Gt, true) => 2,
                    (Bin::Ge, true) => 3,
                    (Bin::Lt, true) => 4,
                    (Bin::Le, true) => 5,
                    (_, true) => 13,
                    (Bin::Eq, false) => 0,
                    (Bin::Ne, false) => 1,
                    (Bin::Lt, false) => 2,
                    (Bin::Le, false) => 3,
                    (Bin::Gt, false) => 4,
                    _ => 5,
                };
                let predicate = self.ir.cx().int_attr(predicate, self.ir.cx().common().i64);
                let name = if float { "arith.cmpf" } else { "arith.cmpi" };
                self.value(name, &[x, y], &[("predicate", predicate)], ty)
            }
            Scalar::Op(op, a, b) => {
                let (x, y) = (self.scalar_as(a, args, elem), self.scalar_as(b, args, elem));
                let name = match (op, float) {
                    (Bin::Add, true) => "arith.addf",
                    (Bin::Sub, true) => "arith.subf",
                    (Bin::Mul, true) => "arith.mulf",
                    (Bin::Div, true) => "arith.divf",
                    (Bin::Rem, true) => "arith.remf",
                    (Bin::Min, true) => "arith.minimumf",
                    (Bin::Max, true) => "arith.maximumf",
                    (Bin::Add, false) => "arith.addi",
                    (Bin::Sub, false) => "arith.subi",
                    (Bin::Mul, false) => "arith.muli",
                    (Bin::Div, false) => "arith.divsi",
                    (Bin::Rem, false) => "arith.remsi",
                    (Bin::Min, false) => "arith.minsi",
                    (Bin::Max, false) => "arith.maxsi",
                    (Bin::Or, _) => "arith.ori",
                    (Bin::Xor, _) => "arith.xori",
                    _ => "arith.andi",
                };
                self.value(name, &[x, y], &[], ty)
            }
            Scalar::Call(name, all) => {
                let op = MATH.iter().find(|(other, ..)| other == name).map_or("math.absf", |(_, op, _)| op);
                let op = if op == "math.absf" && !float { "math.absi" } else { op };
                let values: Vec<Value> = all.iter().map(|e| self.scalar_as(e, args, elem)).collect();
                self.value(op, &values, &[], ty)
            }
            Scalar::Select(test, a, b) => {
                let test = self.scalar_as(test, args, Elem::Int(1));
                let (x, y) = (self.scalar_as(a, args, elem), self.scalar_as(b, args, elem));
                self.value("arith.select", &[test, x, y], &[], ty)
            }
        }
    }
}

fn type_of(e: &Scalar, args: &[(Value, Elem)]) -> Option<Elem> {
    let elems: Vec<Elem> = args.iter().map(|(_, elem)| *elem).collect();
    type_of_elems(e, &elems)
}

/// Type that an expression has of its own; nothing for numbers
pub fn type_of_elems(e: &Scalar, args: &[Elem]) -> Option<Elem> {
    match e {
        Scalar::Arg(n) | Scalar::Element(n, _) => args.get(*n).copied(),
        Scalar::Cast(to, _) => Some(*to),
        Scalar::Index(_) => Some(Elem::Index),
        Scalar::Int(_) | Scalar::Float(_) => None,
        Scalar::Neg(inner) => type_of_elems(inner, args),
        Scalar::Op(op, a, b) => match op.compares() {
            true => Some(Elem::Int(1)),
            false => {
                let own = join(type_of_elems(a, args), type_of_elems(b, args));
                let fraction = [a, b].iter().any(|e| matches!(***e, Scalar::Float(_)));
                // A number with a point does not fit an integer.
                if fraction && own.is_some_and(|own| !own.is_float()) { Some(Elem::Float(32)) } else { own }
            }
        },
        Scalar::Call(name, all) => {
            let own = all.iter().map(|e| type_of_elems(e, args)).fold(None, join);
            match own {
                Some(Elem::Int(_) | Elem::Index) if name != "abs" => Some(Elem::Float(32)),
                own => own,
            }
        }
        Scalar::Select(_, a, b) => join(type_of_elems(a, args), type_of_elems(b, args)),
    }
}

/// The type in which two values meet: that of one of them, but for the two floats of 16 bits
fn join(a: Option<Elem>, b: Option<Elem>) -> Option<Elem> {
    match (a, b) {
        (None, other) | (other, None) => other,
        (Some(a), Some(b)) if a == b => Some(a),
        (Some(a), Some(b)) if a.is_float() && b.is_float() => Some(match a.bits().cmp(&b.bits()) {
            Ordering::Less => b,
            Ordering::Greater => a,
            Ordering::Equal => Elem::Float(32),
        }),
        (Some(a), Some(b)) if a.is_float() || b.is_float() => Some(if a.is_float() { a } else { b }),
        (Some(Elem::Int(a)), Some(Elem::Int(b))) => Some(Elem::Int(a.max(b))),
        (Some(Elem::Int(a)), _) | (_, Some(Elem::Int(a))) if a > 1 => Some(Elem::Int(a)),
        _ => Some(Elem::Index),
    }
}
