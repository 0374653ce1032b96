//! Expressions as ops: in memory, or in the body of a computation, where reads are its inputs.

use crate::ast::{BinaryOp, Elem, Expr, ExprKind};
use crate::codes;
use crate::emit::{Done, Gen, Slot, refuse};
use crate::places::Place;
use crate::value::{Val, common};
use terrace_diag::{Diagnostic, Span, nearest};
use terrace_dialect_arith as arith;
use terrace_dialect_math as math;
use terrace_dialect_mdh as mdh;
use terrace_dialect_memref as memref;
use terrace_dialect_scf as scf;
use terrace_ir::Value;
use terrace_support::affine::{AffineExpr, AffineKind};

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

impl Gen<'_> {
    /// The value of an expression
    pub fn expr(&mut self, e: &Expr) -> Done<Val> {
        crate::with_room(|| self.expr_here(e))
    }

    fn expr_here(&mut self, e: &Expr) -> Done<Val> {
        self.set_loc(e.span);
        match &e.kind {
            ExprKind::Int(value, elem) => Ok(Val::Int(*value, *elem)),
            ExprKind::Float(value, elem) => Ok(Val::Float(*value, *elem)),
            ExprKind::Name(name) => self.name_value(name, e),
            ExprKind::Index(..) | ExprKind::Deref(_) => match self.place(e)? {
                Some(place) => self.read(&place),
                None => refuse(&codes::NAME, e.span, "C-NAME: this is no element of an array"),
            },
            ExprKind::Field(inner, field) => {
                if let Some(place) = self.place(e)? {
                    return self.read(&place);
                }
                let value = self.expr(inner)?;
                self.field(&value, field, e.span)
            }
            ExprKind::Unary(op, inner) => {
                let value = self.expr(inner)?;
                self.number_only(&value, inner.span)?;
                Ok(self.unary(*op, &value))
            }
            ExprKind::Binary(op @ (BinaryOp::LogAnd | BinaryOp::LogOr), a, b)
                if self.body.is_none() && looks(b) =>
            {
                let known = Val::Int((*op == BinaryOp::LogOr).into(), Elem::Bool);
                let test = self.expr(a)?;
                let test = self.truth(&test);
                let other = |g: &mut Self| {
                    let value = g.expr(b)?;
                    Ok(Val::One(g.truth(&value), Elem::Bool))
                };
                match op {
                    BinaryOp::LogAnd => self.either(e, test, other, |_| Ok(known)),
                    _ => self.either(e, test, |_| Ok(known), other),
                }
            }
            ExprKind::Binary(op, a, b) => {
                let (x, y) = (self.expr(a)?, self.expr(b)?);
                self.set_loc(e.span);
                match self.binary(*op, &x, &y) {
                    Some(value) => Ok(value),
                    None => {
                        let (x, y) = (self.show(x.elem()), self.show(y.elem()));
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
                Ok(self.cast(&value, *elem))
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
        let fields = self.file.structs[n].fields.clone();
        if all.len() != fields.len() {
            let message = format!("C-TYPE: {} values for {} fields", all.len(), fields.len());
            return refuse(&codes::TYPE, span, message);
        }
        let mut values = Vec::new();
        for (e, (_, elem)) in all.iter().zip(&fields) {
            let value = self.expr(e)?;
            self.number_only(&value, e.span)?;
            values.push(self.to(&value, *elem));
        }
        Ok(Val::Record(n, values))
    }

    /// A field of a structure
    pub fn field(&mut self, value: &Val, field: &str, span: Span) -> Done<Val> {
        let Val::Record(n, values) = value else {
            return refuse(&codes::TYPE, span, "C-TYPE: this is no structure");
        };
        let fields = &self.file.structs[*n].fields;
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
                let (from, to) = (self.show(value.elem()), self.show(elem));
                refuse(&codes::TYPE, span, format!("C-TYPE: {from} is no {to}"))
            }
            _ => Ok(self.cast(value, elem)),
        }
    }

    fn name_value(&mut self, name: &str, e: &Expr) -> Done<Val> {
        match self.lookup(name).cloned() {
            Some(Slot::Temp { value: Some(value), .. }) => Ok(self.captured(name, value)),
            Some(Slot::Temp { value: None, .. }) => {
                refuse(&codes::NAME, e.span, format!("C-NAME: {name} is read before it is set"))
            }
            Some(Slot::Number(value, elem)) => Ok(Val::Int(value.into(), elem)),
            Some(Slot::Iv(n)) => Ok(self.iv_value(n)),
            Some(Slot::Cell(_)) => match self.place(e)? {
                Some(place) => self.read(&place),
                None => refuse(&codes::NAME, e.span, format!("C-NAME: {name} has no value")),
            },
            Some(Slot::Array(n)) if self.arrays[n].dims.is_empty() => match self.place(e)? {
                Some(place) => self.read(&place),
                None => refuse(&codes::NAME, e.span, format!("C-NAME: {name} has no value")),
            },
            Some(Slot::Array(_)) => refuse(
                &codes::NAME,
                e.span,
                format!("C-NAME: {name} is an array, not a value; pointers are not computed with"),
            ),
            None => {
                if let Some(value) = self.constant(e) {
                    let bits = if i32::try_from(value).is_ok() { 32 } else { 64 };
                    return Ok(Val::Int(value.into(), Elem::Int { bits, signed: true }));
                }
                let found = self.file.constants.iter().rev().find(|(other, _)| other == name);
                if let Some((_, value)) = found {
                    // A constant that is no integer: a number, without other names.
                    let value = value.clone();
                    let mut names = false;
                    value.walk(&mut |e| names |= matches!(e.kind, ExprKind::Name(_)));
                    if !names {
                        return self.expr(&value);
                    }
                }
                let names = self.scopes.iter().flatten().map(|(name, _)| name.as_str());
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
        if let Some(value) = self.ivs[n].value.clone() {
            return value;
        }
        let elem = self.ivs[n].elem;
        let turn = self.turn(n);
        let ty = self.ty(elem);
        let turn = Val::One(self.op(arith::IndexCast::DEF, &[turn], ty), elem);
        let (start, step, _) = self.ivs[n].range.unwrap_or((0, 1, 0));
        let scaled = match step {
            1 => Some(turn),
            _ => self.binary(BinaryOp::Mul, &turn, &Val::Int(step.into(), elem)),
        };
        let moved = match (scaled, start) {
            (Some(scaled), 0) => Some(scaled),
            (Some(scaled), _) => self.binary(BinaryOp::Add, &scaled, &Val::Int(start.into(), elem)),
            (None, _) => None,
        };
        moved.unwrap_or(Val::Int(0, elem))
    }

    fn turn(&mut self, n: usize) -> Value {
        let dim = self.ir.cx().int_attr(n as i128, self.ir.cx().common().i64);
        let ty = self.ir.cx().common().index;
        let mut b = self.b();
        mdh::Index::build(&mut b, dim, ty).result(b.read())
    }

    /// `test ? yes : no`; both are computed, and reads of `yes` may lie outside where the test fails
    fn conditional(&mut self, e: &Expr, test: &Expr, yes: &Expr, no: &Expr) -> Done<Val> {
        let t = self.expr(test)?;
        let t = self.truth(&t);
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
        self.set_loc(e.span);
        match self.select(t, &x, &y) {
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
        let outside = self.block;
        let blocks = [self.ir.create_block(), self.ir.create_block()];
        self.block = blocks[0];
        let x = yes(self);
        self.block = blocks[1];
        let y = no(self);
        self.block = outside;
        let types = match (&x, &y) {
            (Ok(Val::Record(n, xs)), Ok(Val::Record(m, _))) if n == m => {
                Some(xs.iter().map(|x| self.ir.ty(*x)).collect::<Vec<_>>())
            }
            (Ok(Val::Record(..)), _) | (_, Ok(Val::Record(..))) => None,
            (Ok(x), Ok(y)) => {
                let elem = if x.elem() == y.elem() { x.elem() } else { common(x.elem(), y.elem()) };
                Some(vec![self.ty(elem)])
            }
            _ => None,
        };
        let (Some(types), Ok(x), Ok(y)) = (types, &x, &y) else {
            blocks.into_iter().for_each(|block| self.ir.erase_block(block));
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
            self.block = block;
            let values = match value {
                Val::Record(_, values) => values.clone(),
                value => vec![self.to(value, elem)],
            };
            self.op_id(scf::Yield::DEF, &values, &[]);
        }
        self.block = outside;
        self.set_loc(e.span);
        let op = self.op_id(scf::If::DEF, &[test], &types);
        for (n, block) in blocks.into_iter().enumerate() {
            let region = self.ir.region(op, n);
            self.ir.place_block(region, block);
        }
        let results: Vec<Value> = self.ir.results(op).collect();
        Ok(match elem {
            Elem::Struct(n) => Val::Record(n, results),
            elem => Val::One(results[0], elem),
        })
    }

    fn call(&mut self, name: &str, args: &[Expr], span: Span) -> Done<Val> {
        if let Some(n) = self.file.functions.iter().position(|function| function.name == name) {
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
                values.push(self.to(&value, elem));
            }
            self.set_loc(span);
            let ty = self.ty(elem);
            return Ok(Val::One(self.op(op, &values, ty), elem));
        }
        if matches!(name, "abs" | "labs" | "llabs") && args.len() == 1 {
            let elem = if name == "abs" { Elem::INT } else { Elem::Int { bits: 64, signed: true } };
            let value = self.expr(&args[0])?;
            self.number_only(&value, args[0].span)?;
            let value = self.to(&value, elem);
            let ty = self.ty(elem);
            return Ok(Val::One(self.op(math::AbsI::DEF, &[value], ty), elem));
        }
        let known =
            self.file.functions.iter().map(|f| f.name.as_str()).chain(MATH.iter().map(|(name, _)| *name));
        let near = nearest(name, known);
        let message = format!("C-CALL: {name} has no body here and is not of math.h");
        let diagnostic = Diagnostic::error(&codes::CALL, message).at(span);
        Err(Box::new(match near {
            Some(near) => diagnostic.help(format!("did you mean `{near}`?")),
            None => diagnostic,
        }))
    }

    /// Indices of a place in memory as values
    pub fn indices(&mut self, place: &Place) -> Done<Vec<Value>> {
        self.complete(place)?;
        let affine: Option<Vec<AffineExpr>> = place.subs.iter().map(|sub| self.affine(sub)).collect();
        let all_known = self.ivs.iter().all(|iv| iv.index.is_some());
        if let (Some(all), true) = (affine, all_known) {
            self.reach(place, &all);
            let ivs: Vec<Option<(Value, i64, i64)>> = self
                .ivs
                .iter()
                .map(|iv| iv.index.zip(iv.range).map(|(index, (start, step, _))| (index, start, step)))
                .collect();
            if ivs.iter().all(Option::is_some) {
                let ivs: Vec<Value> = ivs.into_iter().flatten().map(|(index, ..)| index).collect();
                return Ok(all.iter().map(|e| self.affine_value(e, &ivs)).collect());
            }
        } else {
            self.reach(place, &[]);
        }
        let mut values = Vec::new();
        for sub in &place.subs {
            if self.signed_sum(sub) {
                values.push(self.as_index(sub)?);
                continue;
            }
            let value = self.expr(sub)?;
            self.number_only(&value, sub.span)?;
            let signed = !matches!(value.elem(), Elem::Int { signed: false, .. } | Elem::Bool);
            let wide = self.to(&value, Elem::Int { bits: 64, signed });
            let ty = self.ir.cx().common().index;
            values.push(self.op(arith::IndexCast::DEF, &[wide], ty));
        }
        Ok(values)
    }

    /// Is it made of signed numbers by `+`, `-` and `*`? They do not overflow in C, so that they may be wider than C has them
    fn signed_sum(&self, e: &Expr) -> bool {
        let signed = |elem: Elem| matches!(elem, Elem::Int { bits: 32.., signed: true });
        match &e.kind {
            ExprKind::Int(_, elem) => signed(*elem),
            ExprKind::Name(name) => match self.lookup(name) {
                Some(Slot::Iv(n)) => signed(self.ivs[*n].elem),
                Some(Slot::Temp { elem, .. } | Slot::Number(_, elem)) => signed(*elem),
                Some(Slot::Cell(cell)) => signed(cell.elem),
                _ => false,
            },
            ExprKind::Unary(crate::ast::UnaryOp::Neg, a) => self.signed_sum(a),
            ExprKind::Binary(BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul, a, b) => {
                crate::with_room(|| self.signed_sum(a) && self.signed_sum(b))
            }
            _ => false,
        }
    }

    /// Such a sum as an index: a loop that runs along a row is seen to do so
    fn as_index(&mut self, e: &Expr) -> Done<Value> {
        let index = self.ir.cx().common().index;
        let own = match &e.kind {
            ExprKind::Name(name) => match self.lookup(name) {
                Some(Slot::Iv(n)) => Some(*n),
                _ => None,
            },
            _ => None,
        };
        if let Some((turn, first, step)) = own.and_then(|n| {
            let (first, step, _) = self.ivs[n].range?;
            Some((self.ivs[n].index?, first, step))
        }) {
            let turns = AffineExpr::mul(AffineExpr::Dim(0), step.into());
            let sum = if first == 0 { turns } else { turns + first.into() };
            return Ok(self.affine_value(&sum, &[turn]));
        }
        let parts = match &e.kind {
            ExprKind::Unary(crate::ast::UnaryOp::Neg, a) => Some((arith::SubI::DEF, None, &**a)),
            ExprKind::Binary(op, a, b) => {
                let name = match op {
                    BinaryOp::Add => arith::AddI::DEF,
                    BinaryOp::Sub => arith::SubI::DEF,
                    _ => arith::MulI::DEF,
                };
                Some((name, Some(&**a), &**b))
            }
            _ => None,
        };
        if let Some((name, a, b)) = parts {
            let x = match a {
                Some(a) => crate::with_room(|| self.as_index(a))?,
                None => self.index(0),
            };
            let y = crate::with_room(|| self.as_index(b))?;
            return Ok(self.op(name, &[x, y], index));
        }
        if let ExprKind::Int(value, _) = &e.kind
            && let Ok(value) = i64::try_from(*value)
        {
            return Ok(self.index(value));
        }
        let value = self.expr(e)?;
        self.number_only(&value, e.span)?;
        let wide = self.to(&value, Elem::Int { bits: 64, signed: true });
        Ok(self.op(arith::IndexCast::DEF, &[wide], index))
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

    /// What is at a place
    pub fn read(&mut self, place: &Place) -> Done<Val> {
        if self.body.is_some() {
            return self.current(place);
        }
        let indices = self.indices(place)?;
        let elem = self.place_elem(place);
        match (elem, self.array(place).map(|array| array.fields.clone())) {
            (Elem::Struct(n), Some(fields)) => {
                let elems: Vec<Elem> = self.file.structs[n].fields.iter().map(|(_, elem)| *elem).collect();
                let values = fields
                    .iter()
                    .zip(&elems)
                    .map(|(memref, elem)| self.load(*memref, &indices, *elem))
                    .collect();
                Ok(Val::Record(n, values))
            }
            (_, Some(fields)) => {
                let memref = fields[place.field.unwrap_or(0)];
                Ok(Val::One(self.load(memref, &indices, elem), elem))
            }
            (_, None) => match self.lookup(&place.name).cloned() {
                Some(Slot::Cell(cell)) => Ok(Val::One(self.load(cell.memref, &[], elem), elem)),
                _ => refuse(&codes::NAME, place.span, format!("C-NAME: {} has no value", place.name)),
            },
        }
    }

    /// An element of memory as a value
    pub fn load(&mut self, memref: Value, indices: &[Value], elem: Elem) -> Value {
        let ty = self.stored(elem);
        let operands: Vec<Value> = std::iter::once(memref).chain(indices.iter().copied()).collect();
        let value = self.op(memref::Load::DEF, &operands, ty);
        match elem {
            Elem::Bool => self.to(&Val::One(value, Self::stored_elem(elem)), Elem::Bool),
            _ => value,
        }
    }

    /// Write a value to a place
    pub fn write(&mut self, place: &Place, value: &Val) -> Done<()> {
        let indices = self.indices(place)?;
        let elem = self.place_elem(place);
        let value = self.typed(value, elem, place.span)?;
        self.set_loc(place.span);
        let targets: Vec<(Value, Value)> = match (&value, self.array(place).map(|array| array.fields.clone()))
        {
            (Val::Record(_, values), Some(fields)) => values.iter().copied().zip(fields).collect(),
            (_, Some(fields)) => {
                let stored = self.store_form(&value, elem);
                vec![(stored, fields[place.field.unwrap_or(0)])]
            }
            (_, None) => {
                let stored = self.store_form(&value, elem);
                match self.lookup(&place.name) {
                    Some(Slot::Cell(cell)) => vec![(stored, cell.memref)],
                    _ => {
                        return refuse(
                            &codes::NAME,
                            place.span,
                            format!("C-NAME: {} has no place", place.name),
                        );
                    }
                }
            }
        };
        for (value, memref) in targets {
            let operands: Vec<Value> = [value, memref].into_iter().chain(indices.iter().copied()).collect();
            self.op_id(memref::Store::DEF, &operands, &[]);
        }
        Ok(())
    }

    /// As it is in memory
    pub fn store_form(&mut self, value: &Val, elem: Elem) -> Value {
        let value = self.cast(value, elem);
        self.to(&value, Self::stored_elem(elem))
    }
}

/// Does it look at elements, which may not be there?
fn looks(e: &Expr) -> bool {
    let mut found = false;
    e.walk(&mut |inner| found |= matches!(inner.kind, ExprKind::Index(..) | ExprKind::Deref(_)));
    found
}
