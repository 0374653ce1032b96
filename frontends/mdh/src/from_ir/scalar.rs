//! Scalar functions: ops as an expression that reading makes these ops of.

use super::{Done, unsaid};
use crate::syntax::{Expr, ExprKind};
use terrace_diag::{SourceId, Span};
use terrace_ir::show::value_of_bits;
use terrace_ir::{Attr, Context, FloatKind, Ir, OpId, TypeKind, Value, ValueDef};

/// Most parts of one expression: values that are used several times are written several times
const PARTS: usize = 900;

/// A body in progress
pub(super) struct Body<'a> {
    ir: &'a Ir,
    args: &'a [Value],
    params: &'a [String],
    ids: &'a [String],
    source: SourceId,
    left: usize,
}

/// An expression, and whether it has a type of its own
type Typed = (Expr, bool);

impl<'a> Body<'a> {
    pub(super) fn new(
        ir: &'a Ir,
        args: &'a [Value],
        params: &'a [String],
        ids: &'a [String],
        source: SourceId,
    ) -> Body<'a> {
        Body { ir, args, params, ids, source, left: PARTS }
    }

    /// A value that the body yields
    pub(super) fn whole(&mut self, value: Value) -> Done<Expr> {
        self.left = PARTS;
        self.expr(value).map(|(e, _)| e)
    }

    fn of(&self, kind: ExprKind) -> Expr {
        Expr { span: Span::point(self.source, 0), kind }
    }

    fn expr(&mut self, value: Value) -> Done<Typed> {
        let cx = self.ir.cx();
        if let Some(n) = self.args.iter().position(|arg| *arg == value) {
            return Ok((self.of(ExprKind::Name(self.params[n].clone())), true));
        }
        let Some(ValueDef::Result(op, _)) = self.ir.value_def(value) else {
            return Err(unsaid(
                None,
                "the scalar function uses a value from outside",
                "what it uses are inputs",
            ));
        };
        let name = self.ir.op_name(op);
        let Some(left) = self.left.checked_sub(1) else {
            let what = format!(
                "the scalar function has more than {PARTS} parts when each value is written where it is used"
            );
            return Err(unsaid(self.ir.span(op), what, "a smaller function, or several computations"));
        };
        self.left = left;
        let all: Vec<Value> = self.ir.operands(op).collect();
        Ok(match (name, &all[..]) {
            ("arith.constant", []) => {
                let found = self.ir.attr(op, "value").and_then(|attr| literal(cx, attr, self.source));
                (found.ok_or_else(|| self.wrong(op))?, false)
            }
            ("mdh.index", []) => {
                let dim = self.ir.attr(op, "dim").and_then(|attr| attr.as_i64(cx));
                let id = dim.and_then(|dim| self.ids.get(usize::try_from(dim).ok()?));
                (self.of(ExprKind::Name(id.ok_or_else(|| self.wrong(op))?.clone())), true)
            }
            ("arith.negf", [a]) => {
                let (a, typed) = self.expr(*a)?;
                // A literal with a sign is a literal.
                let a = if typed { a } else { self.cast(all[0], a)? };
                (self.of(ExprKind::Neg(Box::new(a))), true)
            }
            (
                "arith.extf" | "arith.truncf" | "arith.fptosi" | "arith.sitofp" | "arith.uitofp"
                | "arith.extui" | "arith.extsi" | "arith.trunci" | "arith.index_cast",
                [a],
            ) => {
                let (e, typed) = self.expr(*a)?;
                let e = if typed { e } else { self.cast(*a, e)? };
                (self.cast(value, e)?, true)
            }
            ("arith.select", [test, a, b]) => {
                let (test, _) = self.expr(*test)?;
                let ((a, first), (b, second)) = (self.expr(*a)?, self.expr(*b)?);
                let kind = match (&a.kind, &b.kind) {
                    (ExprKind::Int(1), ExprKind::Int(0)) => ExprKind::Iverson(Box::new(test)),
                    _ => ExprKind::Cond(Box::new(test), Box::new(a), Box::new(b)),
                };
                (self.of(kind), first || second)
            }
            ("arith.cmpf" | "arith.cmpi", [a, b]) => {
                let predicate = self.ir.attr(op, "predicate").and_then(|attr| attr.as_i64(cx));
                let mark = match (name, predicate) {
                    ("arith.cmpf", Some(1)) | ("arith.cmpi", Some(0)) => "==",
                    ("arith.cmpf", Some(13)) | ("arith.cmpi", Some(1)) => "!=",
                    ("arith.cmpf", Some(4)) | ("arith.cmpi", Some(2)) => "<",
                    ("arith.cmpf", Some(5)) | ("arith.cmpi", Some(3)) => "<=",
                    ("arith.cmpf", Some(2)) | ("arith.cmpi", Some(4)) => ">",
                    ("arith.cmpf", Some(3)) | ("arith.cmpi", Some(5)) => ">=",
                    _ => return Err(self.wrong(op)),
                };
                let ((mut x, first), (y, second)) = (self.expr(*a)?, self.expr(*b)?);
                if !first && !second {
                    x = self.cast(*a, x)?;
                }
                (self.of(ExprKind::Op(mark, Box::new(x), Box::new(y))), true)
            }
            (_, [a, b]) if binary(name).is_some() => {
                let ((x, first), (y, second)) = (self.expr(*a)?, self.expr(*b)?);
                let mark = binary(name).unwrap_or("+");
                let truth = self.ir.ty(value).bit_width(cx) == Some(1);
                if matches!(mark, "&&" | "||") && !truth {
                    return Err(self.wrong(op));
                }
                let kind = match mark {
                    "min" | "max" => ExprKind::Call(mark.into(), vec![x, y]),
                    "-" if name == "arith.subi" && x.kind == ExprKind::Int(0) && second => {
                        ExprKind::Neg(Box::new(y))
                    }
                    _ => ExprKind::Op(mark, Box::new(x), Box::new(y)),
                };
                (self.of(kind), first || second || matches!(mark, "&&" | "||"))
            }
            _ => {
                let Some(function) = crate::values::function_of(name, all.len()) else {
                    return Err(self.wrong(op));
                };
                let (mut parts, mut typed) = (Vec::new(), false);
                for operand in &all {
                    let (e, own) = self.expr(*operand)?;
                    parts.push(e);
                    typed |= own;
                }
                if !typed && let Some(first) = parts.first_mut() {
                    *first = self.cast(all[0], first.clone())?;
                }
                (self.of(ExprKind::Call(function.into(), parts)), true)
            }
        })
    }

    /// `f32(e)`
    fn cast(&self, value: Value, e: Expr) -> Done<Expr> {
        let elem = super::names::elem(self.ir.cx(), self.ir.ty(value));
        let Some(elem) = elem else {
            let what = format!(
                "{} is no type of MDH text",
                terrace_ir::show::type_text(self.ir.cx(), self.ir.ty(value))
            );
            let at = self.ir.defining_op(value).and_then(|op| self.ir.span(op));
            return Err(unsaid(at, what, "f16 bf16 f32 f64 i1 i8 i16 i32 i64 index"));
        };
        Ok(self.of(ExprKind::Call(elem.text(), vec![e])))
    }

    fn wrong(&self, op: OpId) -> Box<terrace_diag::Diagnostic> {
        let cx = self.ir.cx();
        let types: Vec<String> =
            self.ir.operands(op).map(|value| terrace_ir::show::type_text(cx, self.ir.ty(value))).collect();
        let of = if types.is_empty() { String::new() } else { format!(" of {}", types.join(", ")) };
        let what = format!("the scalar function has `{}`{of}", self.ir.op_name(op));
        let accepted = "+ - * / %, comparisons, && ||, c ? a : b, min, max, conversions and functions of docs/input-languages.md";
        unsaid(self.ir.span(op), what, accepted)
    }
}

/// Spelling of an op on two numbers
fn binary(name: &str) -> Option<&'static str> {
    Some(match name {
        "arith.addf" | "arith.addi" => "+",
        "arith.subf" | "arith.subi" => "-",
        "arith.mulf" | "arith.muli" => "*",
        "arith.divf" | "arith.divsi" => "/",
        "arith.remf" | "arith.remsi" => "%",
        "arith.minimumf" | "arith.minsi" => "min",
        "arith.maximumf" | "arith.maxsi" => "max",
        "arith.andi" => "&&",
        "arith.ori" => "||",
        _ => return None,
    })
}

/// A constant as it is written; nothing for what is no number here
pub(super) fn literal(cx: &Context, attr: Attr, source: SourceId) -> Option<Expr> {
    let kind = match attr.as_int(cx) {
        Some((value, ty)) if ty.bit_width(cx) == Some(1) => ExprKind::Int((value & 1) as i64),
        Some((value, _)) => ExprKind::Int(i64::try_from(value).ok()?),
        None => ExprKind::Float(float(cx, attr)?),
    };
    Some(Expr { span: Span::point(source, 0), kind })
}

/// A constant's value; of `f32` the number with the fewest digits that is read as it
pub(super) fn float(cx: &Context, attr: Attr) -> Option<f64> {
    let (bits, ty) = attr.as_float(cx)?;
    let TypeKind::Float(kind) = ty.kind(cx) else { return None };
    let value = value_of_bits(bits, *kind).filter(|value| !value.is_nan())?;
    let short: f64 = (value as f32).to_string().parse().ok()?;
    let near = matches!(kind, FloatKind::F32) && (short as f32).to_bits() == (value as f32).to_bits();
    Some(if near { short } else { value })
}
