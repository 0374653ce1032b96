//! Scalar functions: ops as an expression that reading makes these ops of.

use super::{Done, unsaid};
use crate::syntax::{Expr, ExprKind};
use terrace_diag::{SourceId, Span};
use terrace_dialect_arith as arith;
use terrace_dialect_mdh as mdh;
use terrace_ir::show::value_of_bits;
use terrace_ir::{Attr, Context, FloatKind, Ir, OpDef, OpId, TypeKind, Value, ValueDef};

/// Most parts of one expression: values that are used several times are written several times
const PARTS: usize = 900;

/// Casts that text says by the type's name
const CASTS: &[&OpDef] = &[
    arith::ExtF::DEF,
    arith::TruncF::DEF,
    arith::FPToSI::DEF,
    arith::SIToFP::DEF,
    arith::UIToFP::DEF,
    arith::ExtUI::DEF,
    arith::ExtSI::DEF,
    arith::TruncI::DEF,
    arith::IndexCast::DEF,
];

/// Spellings of ops on two numbers
const BINARY: &[(&OpDef, &str)] = &[
    (arith::AddF::DEF, "+"),
    (arith::AddI::DEF, "+"),
    (arith::SubF::DEF, "-"),
    (arith::SubI::DEF, "-"),
    (arith::MulF::DEF, "*"),
    (arith::MulI::DEF, "*"),
    (arith::DivF::DEF, "/"),
    (arith::DivSI::DEF, "/"),
    (arith::RemF::DEF, "%"),
    (arith::RemSI::DEF, "%"),
    (arith::MinimumF::DEF, "min"),
    (arith::MinSI::DEF, "min"),
    (arith::MaximumF::DEF, "max"),
    (arith::MaxSI::DEF, "max"),
    (arith::AndI::DEF, "&&"),
    (arith::OrI::DEF, "||"),
];

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
        let Some(left) = self.left.checked_sub(1) else {
            let what = format!(
                "the scalar function has more than {PARTS} parts when each value is written where it is used"
            );
            return Err(unsaid(self.ir.span(op), what, "a smaller function, or several computations"));
        };
        self.left = left;
        let all: Vec<Value> = self.ir.operands(op).collect();
        let ir = self.ir;
        if let Some(constant) = arith::Constant::cast(ir, op) {
            return Ok((literal(cx, constant.value(ir), self.source).ok_or_else(|| self.wrong(op))?, false));
        }
        if let Some(index) = mdh::Index::cast(ir, op) {
            let dim = index.dim(ir).as_i64(cx);
            let id = dim.and_then(|dim| self.ids.get(usize::try_from(dim).ok()?));
            return Ok((self.of(ExprKind::Name(id.ok_or_else(|| self.wrong(op))?.clone())), true));
        }
        if let Some(select) = arith::Select::cast(ir, op) {
            return self.choice(select);
        }
        let is_one_of = |all: &[&'static OpDef]| all.iter().any(|def| ir.is(op, def));
        match all[..] {
            [a] if ir.is(op, arith::NegF::DEF) => {
                let (e, typed) = self.expr(a)?;
                // A literal with a sign is a literal.
                let e = if typed { e } else { self.cast(a, e)? };
                Ok((self.of(ExprKind::Neg(Box::new(e))), true))
            }
            [a] if is_one_of(CASTS) => {
                let (e, typed) = self.expr(a)?;
                let e = if typed { e } else { self.cast(a, e)? };
                Ok((self.cast(value, e)?, true))
            }
            [a, b] if is_one_of(&[arith::CmpF::DEF, arith::CmpI::DEF]) => self.comparison(op, a, b),
            [a, b] => match BINARY.iter().find(|(def, _)| ir.is(op, def)) {
                Some((_, mark)) => self.binary(op, mark, a, b),
                None => self.call(op, &all),
            },
            _ => self.call(op, &all),
        }
    }

    /// `c ? a : b`
    fn choice(&mut self, select: arith::Select) -> Done<Typed> {
        let ir = self.ir;
        let (test, _) = self.expr(select.condition(ir))?;
        let (a, first) = self.expr(select.true_value(ir))?;
        let (b, second) = self.expr(select.false_value(ir))?;
        let kind = match (&a.kind, &b.kind) {
            (ExprKind::Int(1), ExprKind::Int(0)) => ExprKind::Iverson(Box::new(test)),
            _ => ExprKind::Cond(Box::new(test), Box::new(a), Box::new(b)),
        };
        Ok((self.of(kind), first || second))
    }

    /// `a < b`
    fn comparison(&mut self, op: OpId, a: Value, b: Value) -> Done<Typed> {
        use arith::{CmpFPredicate as F, CmpIPredicate as I};
        let ir = self.ir;
        let mark = match arith::CmpF::cast(ir, op) {
            Some(compare) => match compare.predicate(ir) {
                F::Oeq => "==",
                F::Une => "!=",
                F::Olt => "<",
                F::Ole => "<=",
                F::Ogt => ">",
                F::Oge => ">=",
                _ => return Err(self.wrong(op)),
            },
            None => match arith::CmpI(op).predicate(ir) {
                I::Eq => "==",
                I::Ne => "!=",
                I::Slt => "<",
                I::Sle => "<=",
                I::Sgt => ">",
                I::Sge => ">=",
                I::Ult | I::Ule | I::Ugt | I::Uge => return Err(self.wrong(op)),
            },
        };
        let ((mut x, first), (y, second)) = (self.expr(a)?, self.expr(b)?);
        if !first && !second {
            x = self.cast(a, x)?;
        }
        Ok((self.of(ExprKind::Op(mark, Box::new(x), Box::new(y))), true))
    }

    /// `a + b`, `min(a, b)`
    fn binary(&mut self, op: OpId, mark: &'static str, a: Value, b: Value) -> Done<Typed> {
        let ir = self.ir;
        let ((x, first), (y, second)) = (self.expr(a)?, self.expr(b)?);
        let truth = ir.ty(ir.result(op, 0)).bit_width(ir.cx()) == Some(1);
        if matches!(mark, "&&" | "||") && !truth {
            return Err(self.wrong(op));
        }
        let negated = ir.is(op, arith::SubI::DEF) && x.kind == ExprKind::Int(0) && second;
        let kind = match mark {
            "min" | "max" => ExprKind::Call(mark.into(), vec![x, y]),
            "-" if negated => ExprKind::Neg(Box::new(y)),
            _ => ExprKind::Op(mark, Box::new(x), Box::new(y)),
        };
        Ok((self.of(kind), first || second || matches!(mark, "&&" | "||")))
    }

    /// A function of `math`
    fn call(&mut self, op: OpId, all: &[Value]) -> Done<Typed> {
        let Some(function) = crate::values::function_of(self.ir, op) else {
            return Err(self.wrong(op));
        };
        let (mut parts, mut typed) = (Vec::new(), false);
        for operand in all {
            let (e, own) = self.expr(*operand)?;
            parts.push(e);
            typed |= own;
        }
        if !typed && let Some(first) = parts.first_mut() {
            *first = self.cast(all[0], first.clone())?;
        }
        Ok((self.of(ExprKind::Call(function.into(), parts)), typed))
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
