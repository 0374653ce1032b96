//! Reads and writes of memory, with subscripts as indices.

use crate::ast::{BinaryOp, Elem, Expr, ExprKind, UnaryOp};
use crate::bindings::{Bindings, Slot};
use crate::codes;
use crate::lowering::Lowering;
use crate::places::Lvalue;
use crate::refusal::{Done, refuse};
use crate::value::Val;
use terrace_dialect_arith as arith;
use terrace_dialect_memref as memref;
use terrace_ir::Value;
use terrace_support::affine::AffineExpr;

impl Bindings<'_> {
    /// Is it a sum or product of signed numbers? These do not overflow in C, so they may be computed wider than in C
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
            ExprKind::Unary(UnaryOp::Neg, a) => self.signed_sum(a),
            ExprKind::Binary(BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul, a, b) => {
                crate::with_room(|| self.signed_sum(a) && self.signed_sum(b))
            }
            _ => false,
        }
    }
}

impl Lowering<'_> {
    /// Subscripts as sums, and how far a bare pointer is used; the error says which one is none and why
    pub fn subscripts(&mut self, place: &Lvalue) -> Done<Vec<AffineExpr>> {
        let all = self.names.affine_subscripts(place)?;
        self.reach.note(&self.names, place, &all);
        Ok(all)
    }

    /// Indices of a place in memory as values
    pub fn indices(&mut self, place: &Lvalue) -> Done<Vec<Value>> {
        self.names.complete(place)?;
        let affine: Option<Vec<AffineExpr>> = place.subs.iter().map(|sub| self.names.affine(sub)).collect();
        let all_known = self.names.ivs.iter().all(|iv| iv.index.is_some());
        if let (Some(all), true) = (affine, all_known) {
            self.reach.note(&self.names, place, &all);
            let ivs: Vec<Option<(Value, i64, i64)>> = self
                .names
                .ivs
                .iter()
                .map(|iv| iv.index.zip(iv.range).map(|(index, (start, step, _))| (index, start, step)))
                .collect();
            if ivs.iter().all(Option::is_some) {
                let ivs: Vec<Value> = ivs.into_iter().flatten().map(|(index, ..)| index).collect();
                return Ok(all.iter().map(|e| self.emit.affine_value(e, &ivs)).collect());
            }
        } else {
            self.reach.note(&self.names, place, &[]);
        }
        let mut values = Vec::new();
        for sub in &place.subs {
            if self.names.signed_sum(sub) {
                values.push(self.as_index(sub)?);
                continue;
            }
            let value = self.expr(sub)?;
            self.number_only(&value, sub.span)?;
            let signed = !matches!(value.elem(), Elem::Int { signed: false, .. } | Elem::Bool);
            let wide = self.emit.to(&value, Elem::Int { bits: 64, signed });
            let ty = self.emit.ir.cx().common().index;
            values.push(self.emit.op(arith::IndexCast::DEF, &[wide], ty));
        }
        Ok(values)
    }

    /// Such a sum as an index: a loop that runs along a row is seen to do so
    pub fn as_index(&mut self, e: &Expr) -> Done<Value> {
        let index = self.emit.ir.cx().common().index;
        let own = match &e.kind {
            ExprKind::Name(name) => match self.names.lookup(name) {
                Some(Slot::Iv(n)) => Some(*n),
                _ => None,
            },
            _ => None,
        };
        if let Some((turn, first, step)) = own.and_then(|n| {
            let (first, step, _) = self.names.ivs[n].range?;
            Some((self.names.ivs[n].index?, first, step))
        }) {
            let turns = AffineExpr::mul(AffineExpr::Dim(0), step.into());
            let sum = if first == 0 { turns } else { turns + first.into() };
            return Ok(self.emit.affine_value(&sum, &[turn]));
        }
        let parts = match &e.kind {
            ExprKind::Unary(UnaryOp::Neg, a) => Some((arith::SubI::DEF, None, &**a)),
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
                None => self.emit.index(0),
            };
            let y = crate::with_room(|| self.as_index(b))?;
            return Ok(self.emit.op(name, &[x, y], index));
        }
        if let ExprKind::Int(value, _) = &e.kind
            && let Ok(value) = i64::try_from(*value)
        {
            return Ok(self.emit.index(value));
        }
        let value = self.expr(e)?;
        self.number_only(&value, e.span)?;
        let wide = self.emit.to(&value, Elem::Int { bits: 64, signed: true });
        Ok(self.emit.op(arith::IndexCast::DEF, &[wide], index))
    }

    /// What is at a place
    pub fn read(&mut self, place: &Lvalue) -> Done<Val> {
        if self.body.is_some() {
            return self.current(place);
        }
        let indices = self.indices(place)?;
        let elem = self.names.place_elem(place);
        match (elem, self.names.array(place).map(|array| array.fields.clone())) {
            (Elem::Struct(n), Some(fields)) => {
                let elems: Vec<Elem> =
                    self.names.file.structs[n].fields.iter().map(|(_, elem)| *elem).collect();
                let values = fields
                    .iter()
                    .zip(&elems)
                    .map(|(memref, elem)| self.emit.load(*memref, &indices, *elem))
                    .collect();
                Ok(Val::Record(n, values))
            }
            (_, Some(fields)) => {
                let memref = fields[place.field.unwrap_or(0)];
                Ok(Val::One(self.emit.load(memref, &indices, elem), elem))
            }
            (_, None) => match self.names.lookup(&place.name).cloned() {
                Some(Slot::Cell(cell)) => Ok(Val::One(self.emit.load(cell.memref, &[], elem), elem)),
                _ => refuse(&codes::NAME, place.span, format!("C-NAME: {} has no value", place.name)),
            },
        }
    }

    /// Write a value to a place
    pub fn write(&mut self, place: &Lvalue, value: &Val) -> Done<()> {
        let indices = self.indices(place)?;
        let elem = self.names.place_elem(place);
        let value = self.typed(value, elem, place.span)?;
        self.emit.set_loc(place.span);
        let targets: Vec<(Value, Value)> =
            match (&value, self.names.array(place).map(|array| array.fields.clone())) {
                (Val::Record(_, values), Some(fields)) => values.iter().copied().zip(fields).collect(),
                (_, Some(fields)) => {
                    let stored = self.emit.store_form(&value, elem);
                    vec![(stored, fields[place.field.unwrap_or(0)])]
                }
                (_, None) => {
                    let stored = self.emit.store_form(&value, elem);
                    match self.names.lookup(&place.name) {
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
            self.emit.op_id(memref::Store::DEF, &operands, &[]);
        }
        Ok(())
    }
}
