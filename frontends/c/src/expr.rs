//! Expressions as ops: in memory, or in the body of a computation, where reads are its inputs.

use crate::ast::{BinaryOp, Elem, Expr, ExprKind};
use crate::bindings::Slot;
use crate::codes;
use crate::lowering::Lowering;
use crate::refusal::{Done, refuse};
use crate::value::{Val, common};
use terrace_diag::{Diagnostic, Span, nearest};
use terrace_dialect_arith as arith;
use terrace_dialect_math as math;
use terrace_dialect_mdh as mdh;
use terrace_dialect_scf as scf;
use terrace_ir::Value;

/// Functions of `math.h`: name without the `f` behind it, op, number of arguments
const MATH: &[(&str, &terrace_ir::OpDef)] = &[
    ("acos", math::Acos::DEF),
    ("acosh", math::Acosh::DEF),
    ("asin", math::Asin::DEF),
    ("asinh", math::Asinh::DEF),
    ("atan", math::Atan::DEF),
    ("atan2", math::Atan2::DEF),
    ("atanh", math::Atanh::DEF),
    ("cbrt", math::Cbrt::DEF),
    ("ceil", math::Ceil::DEF),
    ("copysign", math::CopySign::DEF),
    ("cos", math::Cos::DEF),
    ("cosh", math::Cosh::DEF),
    ("erf", math::Erf::DEF),
    ("erfc", math::Erfc::DEF),
    ("exp", math::Exp::DEF),
    ("exp2", math::Exp2::DEF),
    ("expm1", math::ExpM1::DEF),
    ("fabs", math::AbsF::DEF),
    ("floor", math::Floor::DEF),
    ("fma", math::Fma::DEF),
    ("fmax", arith::MaxNumF::DEF),
    ("fmin", arith::MinNumF::DEF),
    ("fmod", arith::RemF::DEF),
    ("log", math::Log::DEF),
    ("log10", math::Log10::DEF),
    ("log1p", math::Log1p::DEF),
    ("log2", math::Log2::DEF),
    ("nearbyint", math::RoundEven::DEF),
    ("pow", math::PowF::DEF),
    ("rint", math::RoundEven::DEF),
    ("round", math::Round::DEF),
    ("sin", math::Sin::DEF),
    ("sinh", math::Sinh::DEF),
    ("sqrt", math::Sqrt::DEF),
    ("tan", math::Tan::DEF),
    ("tanh", math::Tanh::DEF),
    ("trunc", math::Trunc::DEF),
];

impl Lowering<'_> {
    /// The value of an expression
    pub fn expr(&mut self, e: &Expr) -> Done<Val> {
        crate::with_room(|| self.expr_here(e))
    }

    fn expr_here(&mut self, e: &Expr) -> Done<Val> {
        self.emit.set_loc(e.span);
        match &e.kind {
            ExprKind::Int(value, elem) => Ok(Val::Int(*value, *elem)),
            ExprKind::Float(value, elem) => Ok(Val::Float(*value, *elem)),
            ExprKind::Name(name) => self.name_value(name, e),
            ExprKind::Index(..) | ExprKind::Deref(_) => match self.names.place(e)? {
                Some(place) => self.read(&place),
                None => refuse(&codes::NAME, e.span, "C-NAME: this is no element of an array"),
            },
            ExprKind::Field(inner, field) => {
                if let Some(place) = self.names.place(e)? {
                    return self.read(&place);
                }
                let value = self.expr(inner)?;
                self.field(&value, field, e.span)
            }
            ExprKind::Unary(op, inner) => {
                let value = self.expr(inner)?;
                self.number_only(&value, inner.span)?;
                Ok(self.emit.unary(*op, &value))
            }
            ExprKind::Binary(op @ (BinaryOp::LogAnd | BinaryOp::LogOr), a, b)
                if self.body.is_none() && looks(b) =>
            {
                let known = Val::Int((*op == BinaryOp::LogOr).into(), Elem::Bool);
                let test = self.expr(a)?;
                let test = self.emit.truth(&test);
                let other = |g: &mut Self| {
                    let value = g.expr(b)?;
                    Ok(Val::One(g.emit.truth(&value), Elem::Bool))
                };
                match op {
                    BinaryOp::LogAnd => self.either(e, test, other, |_| Ok(known)),
                    _ => self.either(e, test, |_| Ok(known), other),
                }
            }
            ExprKind::Binary(op, a, b) => {
                let (x, y) = (self.expr(a)?, self.expr(b)?);
                self.emit.set_loc(e.span);
                match self.emit.binary(*op, &x, &y) {
                    Some(value) => Ok(value),
                    None => {
                        let (x, y) = (self.names.show(x.elem()), self.names.show(y.elem()));
                        refuse(&codes::TYPE, e.span, format!("C-TYPE: no `{}` on {x} and {y}", op.text()))
                    }
                }
            }
            ExprKind::Cond(test, yes, no) => self.conditional(e, test, yes, no),
            ExprKind::Call(name, args) => self.call(name, args, e.span),
            ExprKind::Cast(elem, inner) => {
                let value = self.expr(inner)?;
                if value.elem() == *elem {
                    return Ok(value);
                }
                self.number_only(&value, inner.span)?;
                if matches!(elem, Elem::Struct(_)) {
                    return refuse(&codes::TYPE, e.span, "C-TYPE: a number is no structure");
                }
                Ok(self.emit.cast(&value, *elem))
            }
            ExprKind::List(Some(n), all) => self.record(*n, all, e.span),
            ExprKind::List(None, _) => refuse(&codes::TYPE, e.span, "C-TYPE: a list has no type here"),
            ExprKind::Assign(..) | ExprKind::Step(..) => refuse(
                &codes::SYNTAX,
                e.span,
                "C-SYNTAX: an assignment inside of an expression; make it a statement",
            ),
        }
    }

    /// A structure from its fields
    pub fn record(&mut self, n: usize, all: &[Expr], span: Span) -> Done<Val> {
        let fields = self.names.file.structs[n].fields.clone();
        if all.len() != fields.len() {
            let message = format!("C-TYPE: {} values for {} fields", all.len(), fields.len());
            return refuse(&codes::TYPE, span, message);
        }
        let mut values = Vec::new();
        for (e, (_, elem)) in all.iter().zip(&fields) {
            let value = self.expr(e)?;
            self.number_only(&value, e.span)?;
            values.push(self.emit.to(&value, *elem));
        }
        Ok(Val::Record(n, values))
    }

    /// A field of a structure
    pub fn field(&mut self, value: &Val, field: &str, span: Span) -> Done<Val> {
        let Val::Record(n, values) = value else {
            return refuse(&codes::TYPE, span, "C-TYPE: this is no structure");
        };
        let fields = &self.names.file.structs[*n].fields;
        match fields.iter().position(|(name, _)| name == field) {
            Some(at) => Ok(Val::One(values[at], fields[at].1)),
            None => refuse(&codes::NAME, span, format!("C-NAME: there is no field {field}")),
        }
    }

    /// Not a structure
    pub fn number_only(&self, value: &Val, span: Span) -> Done<()> {
        match value {
            Val::Record(..) => refuse(&codes::TYPE, span, "C-TYPE: a number is needed, this is a structure"),
            _ => Ok(()),
        }
    }

    /// A value as a declared type
    pub fn typed(&mut self, value: &Val, elem: Elem, span: Span) -> Done<Val> {
        match (value, elem) {
            (Val::Record(n, _), Elem::Struct(m)) if *n == m => Ok(value.clone()),
            (Val::Record(..), _) | (_, Elem::Struct(_)) => {
                let (from, to) = (self.names.show(value.elem()), self.names.show(elem));
                refuse(&codes::TYPE, span, format!("C-TYPE: {from} is no {to}"))
            }
            _ => Ok(self.emit.cast(value, elem)),
        }
    }

    fn name_value(&mut self, name: &str, e: &Expr) -> Done<Val> {
        match self.names.lookup(name).cloned() {
            Some(Slot::Temp { value: Some(value), .. }) => Ok(self.captured(name, value)),
            Some(Slot::Temp { value: None, .. }) => {
                refuse(&codes::NAME, e.span, format!("C-NAME: {name} is read before it is set"))
            }
            Some(Slot::Number(value, elem)) => Ok(Val::Int(value.into(), elem)),
            Some(Slot::Iv(n)) => Ok(self.iv_value(n)),
            Some(Slot::Cell(_)) => match self.names.place(e)? {
                Some(place) => self.read(&place),
                None => refuse(&codes::NAME, e.span, format!("C-NAME: {name} has no value")),
            },
            Some(Slot::Array(n)) if self.names.arrays[n].dims.is_empty() => match self.names.place(e)? {
                Some(place) => self.read(&place),
                None => refuse(&codes::NAME, e.span, format!("C-NAME: {name} has no value")),
            },
            Some(Slot::Array(_)) => refuse(
                &codes::NAME,
                e.span,
                format!("C-NAME: {name} is an array, not a value; pointers are not computed with"),
            ),
            None => {
                let found = self.names.file.constants.iter().rev().find(|(other, _)| other == name);
                if let Some(value) = self.names.constant(e) {
                    let bits = if i32::try_from(value).is_ok() { 32 } else { 64 };
                    let elem = match found.map(|(_, value)| &value.kind) {
                        Some(ExprKind::Cast(elem @ Elem::Int { .. }, _)) => *elem,
                        _ => Elem::Int { bits, signed: true },
                    };
                    return Ok(Val::Int(value.into(), elem));
                }
                if let Some((_, value)) = found {
                    // A constant that is no integer: a number, without other names.
                    let value = value.clone();
                    let mut names = false;
                    value.walk(&mut |e| names |= matches!(e.kind, ExprKind::Name(_)));
                    if !names {
                        return self.expr(&value);
                    }
                }
                let names = self.names.scopes.iter().flatten().map(|(name, _)| name.as_str());
                let near = nearest(name, names);
                let diagnostic =
                    Diagnostic::error(&codes::NAME, format!("C-NAME: {name} is not declared")).at(e.span);
                Err(Box::new(match near {
                    Some(near) => diagnostic.help(format!("did you mean `{near}`?")),
                    None => diagnostic,
                }))
            }
        }
    }

    /// A loop variable as a number
    fn iv_value(&mut self, n: usize) -> Val {
        if let Some(value) = self.names.ivs[n].value.clone() {
            return value;
        }
        let elem = self.names.ivs[n].elem;
        let turn = self.turn(n);
        let ty = self.emit.ty(elem);
        let turn = Val::One(self.emit.op(arith::IndexCast::DEF, &[turn], ty), elem);
        let (start, step, _) = self.names.ivs[n].range.unwrap_or((0, 1, 0));
        let scaled = match step {
            1 => Some(turn),
            _ => self.emit.binary(BinaryOp::Mul, &turn, &Val::Int(step.into(), elem)),
        };
        let moved = match (scaled, start) {
            (Some(scaled), 0) => Some(scaled),
            (Some(scaled), _) => self.emit.binary(BinaryOp::Add, &scaled, &Val::Int(start.into(), elem)),
            (None, _) => None,
        };
        moved.unwrap_or(Val::Int(0, elem))
    }

    fn turn(&mut self, n: usize) -> Value {
        let dim = self.emit.ir.cx().int_attr(n as i128, self.emit.ir.cx().common().i64);
        let ty = self.emit.ir.cx().common().index;
        let mut b = self.emit.b();
        mdh::Index::build(&mut b, dim, ty).result(b.read())
    }

    /// `test ? yes : no`; both are computed, and reads of `yes` may lie outside where the test fails
    fn conditional(&mut self, e: &Expr, test: &Expr, yes: &Expr, no: &Expr) -> Done<Val> {
        let t = self.expr(test)?;
        let t = self.emit.truth(&t);
        if self.body.is_none() && (looks(yes) || looks(no)) {
            return self.either(e, t, |g| g.expr(yes), |g| g.expr(no));
        }
        let depth = self.assume(test, true);
        let x = self.expr(yes);
        self.forget(depth);
        let x = x?;
        let depth = self.assume(test, false);
        let y = self.expr(no);
        self.forget(depth);
        let y = y?;
        self.emit.set_loc(e.span);
        match self.emit.select(t, &x, &y) {
            Some(value) => Ok(value),
            None => refuse(&codes::TYPE, e.span, "C-TYPE: both sides of `:` need one type"),
        }
    }

    /// One of two values, of which only the one that is meant is computed: what it reads may not be there otherwise
    fn either(
        &mut self,
        e: &Expr,
        test: Value,
        yes: impl FnOnce(&mut Self) -> Done<Val>,
        no: impl FnOnce(&mut Self) -> Done<Val>,
    ) -> Done<Val> {
        let outside = self.emit.block;
        let blocks = [self.emit.ir.create_block(), self.emit.ir.create_block()];
        self.emit.block = blocks[0];
        let x = yes(self);
        self.emit.block = blocks[1];
        let y = no(self);
        self.emit.block = outside;
        let types = match (&x, &y) {
            (Ok(Val::Record(n, xs)), Ok(Val::Record(m, _))) if n == m => {
                Some(xs.iter().map(|x| self.emit.ir.ty(*x)).collect::<Vec<_>>())
            }
            (Ok(Val::Record(..)), _) | (_, Ok(Val::Record(..))) => None,
            (Ok(x), Ok(y)) => {
                let elem = if x.elem() == y.elem() { x.elem() } else { common(x.elem(), y.elem()) };
                Some(vec![self.emit.ty(elem)])
            }
            _ => None,
        };
        let (Some(types), Ok(x), Ok(y)) = (types, &x, &y) else {
            blocks.into_iter().for_each(|block| self.emit.ir.erase_block(block));
            x?;
            y?;
            return refuse(&codes::TYPE, e.span, "C-TYPE: both sides of `:` need one type");
        };
        let elem = match x {
            Val::Record(..) => x.elem(),
            _ if x.elem() == y.elem() => x.elem(),
            _ => common(x.elem(), y.elem()),
        };
        for (block, value) in blocks.into_iter().zip([x, y]) {
            self.emit.block = block;
            let values = match value {
                Val::Record(_, values) => values.clone(),
                value => vec![self.emit.to(value, elem)],
            };
            self.emit.op_id(scf::Yield::DEF, &values, &[]);
        }
        self.emit.block = outside;
        self.emit.set_loc(e.span);
        let op = self.emit.op_id(scf::If::DEF, &[test], &types);
        for (n, block) in blocks.into_iter().enumerate() {
            let region = self.emit.ir.region(op, n);
            self.emit.ir.place_block(region, block);
        }
        let results: Vec<Value> = self.emit.ir.results(op).collect();
        Ok(match elem {
            Elem::Struct(n) => Val::Record(n, results),
            elem => Val::One(results[0], elem),
        })
    }

    fn call(&mut self, name: &str, args: &[Expr], span: Span) -> Done<Val> {
        if let Some(n) = self.names.file.functions.iter().position(|function| function.name == name) {
            let mut values = Vec::new();
            for arg in args {
                values.push(self.expr(arg)?);
            }
            return self.inline(n, &values, span);
        }
        let base = name.strip_suffix('f').filter(|base| MATH.iter().any(|(other, _)| other == base));
        let (base, elem) = match base {
            Some(base) => (base, Elem::Float(32)),
            None => (name, Elem::Float(64)),
        };
        if let Some((_, op)) = MATH.iter().find(|(other, _)| *other == base) {
            let arity = op.operands.len();
            if args.len() != arity {
                let message = format!("C-CALL: {name} takes {arity} arguments, not {}", args.len());
                return refuse(&codes::CALL, span, message);
            }
            let mut values = Vec::new();
            for arg in args {
                let value = self.expr(arg)?;
                self.number_only(&value, arg.span)?;
                values.push(self.emit.to(&value, elem));
            }
            self.emit.set_loc(span);
            let ty = self.emit.ty(elem);
            return Ok(Val::One(self.emit.op(op, &values, ty), elem));
        }
        if matches!(name, "abs" | "labs" | "llabs") && args.len() == 1 {
            let elem = if name == "abs" { Elem::INT } else { Elem::Int { bits: 64, signed: true } };
            let value = self.expr(&args[0])?;
            self.number_only(&value, args[0].span)?;
            let value = self.emit.to(&value, elem);
            let ty = self.emit.ty(elem);
            return Ok(Val::One(self.emit.op(math::AbsI::DEF, &[value], ty), elem));
        }
        let known = self
            .names
            .file
            .functions
            .iter()
            .map(|f| f.name.as_str())
            .chain(MATH.iter().map(|(name, _)| *name));
        let near = nearest(name, known);
        let message = format!("C-CALL: {name} has no body here and is not of math.h");
        let diagnostic = Diagnostic::error(&codes::CALL, message).at(span);
        Err(Box::new(match near {
            Some(near) => diagnostic.help(format!("did you mean `{near}`?")),
            None => diagnostic,
        }))
    }
}

/// Does it look at elements, which may not be there?
fn looks(e: &Expr) -> bool {
    let mut found = false;
    e.walk(&mut |inner| found |= matches!(inner.kind, ExprKind::Index(..) | ExprKind::Deref(_)));
    found
}
