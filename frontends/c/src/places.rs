//! Lvalues: which buffer, which subscripts; and subscripts as sums over loop variables.

use crate::ast::{BinaryOp, Elem, Expr, ExprKind};
use crate::bindings::{Array, Bindings, Slot};
use crate::codes;
use crate::refusal::{Done, refuse};
use terrace_diag::{Diagnostic, Span};
use terrace_support::affine::AffineExpr;

/// An element, or a number in memory
#[derive(Clone, Debug)]
pub struct Lvalue {
    /// Name of array or variable
    pub name: String,
    /// Array by number; nothing for variables
    pub array: Option<usize>,
    /// Subscripts
    pub subs: Vec<Expr>,
    /// Field by number, of an element that is a structure
    pub field: Option<usize>,
    /// Where
    pub span: Span,
}

impl Bindings<'_> {
    /// The place that an expression names; nothing if it names none (a call, a sum, a temporary)
    pub fn place(&self, e: &Expr) -> Done<Option<Lvalue>> {
        match &e.kind {
            ExprKind::Name(name) => match self.lookup(name) {
                Some(Slot::Cell(_)) => Ok(Some(Lvalue {
                    name: name.clone(),
                    array: None,
                    subs: Vec::new(),
                    field: None,
                    span: e.span,
                })),
                Some(Slot::Array(n)) => {
                    let place = Lvalue {
                        name: name.clone(),
                        array: Some(*n),
                        subs: Vec::new(),
                        field: None,
                        span: e.span,
                    };
                    Ok(Some(place))
                }
                _ => Ok(None),
            },
            ExprKind::Index(a, i) => self.element(a, i, e.span),
            ExprKind::Deref(inner) => {
                let zero = Expr { span: inner.span, kind: ExprKind::Int(0, Elem::INT) };
                self.element(inner, &zero, e.span)
            }
            ExprKind::Field(inner, field) => {
                let Some(mut place) = self.place(inner)? else { return Ok(None) };
                let Some(array) = place.array.map(|n| &self.arrays[n]) else { return Ok(None) };
                let Elem::Struct(n) = array.elem else {
                    return refuse(&codes::NAME, e.span, format!("C-NAME: {} is no structure", place.name));
                };
                let fields = &self.file.structs[n].fields;
                place.field = fields.iter().position(|(name, _)| name == field);
                if place.field.is_none() {
                    return refuse(&codes::NAME, e.span, format!("C-NAME: there is no field {field}"));
                }
                place.span = e.span;
                Ok(Some(place))
            }
            _ => Ok(None),
        }
    }

    /// Is it a pointer: an array, a row of one, or one of these moved by a number?
    fn points(&self, e: &Expr) -> bool {
        if let ExprKind::Binary(BinaryOp::Add | BinaryOp::Sub, p, offset) = &e.kind {
            return self.points(p) || self.points(offset);
        }
        let place = self.place(e).ok().flatten();
        place.is_some_and(|place| place.array.is_some_and(|n| place.subs.len() < self.arrays[n].dims.len()))
    }

    /// `a[i]`, with `*(p + i)` and `(p + i)[j]` as what they are
    pub fn element(&self, a: &Expr, i: &Expr, span: Span) -> Done<Option<Lvalue>> {
        if let ExprKind::Binary(op @ (BinaryOp::Add | BinaryOp::Sub), p, offset) = &a.kind {
            let back = *op == BinaryOp::Sub;
            let (p, offset) = if back || self.points(p) { (p, offset) } else { (offset, p) };
            let (left, right) = if back { (i, &**offset) } else { (&**offset, i) };
            let sum = ExprKind::Binary(*op, Box::new(left.clone()), Box::new(right.clone()));
            return self.element(p, &Expr { span: i.span, kind: sum }, span);
        }
        let Some(mut place) = self.place(a)? else {
            return match a.base() {
                Some(name) if self.lookup(name).is_none() => {
                    refuse(&codes::NAME, a.span, format!("C-NAME: {name} is not declared"))
                }
                Some(name) => refuse(&codes::NAME, a.span, format!("C-NAME: {name} is no array")),
                None => Ok(None),
            };
        };
        let rank = place.array.map_or(0, |n| self.arrays[n].dims.len());
        if place.subs.len() >= rank || place.field.is_some() {
            let message = format!("C-NAME: {} has {rank} dimensions", place.name);
            return refuse(&codes::NAME, span, message);
        }
        place.subs.push(i.clone());
        place.span = span;
        Ok(Some(place))
    }

    /// Every dimension has its subscript
    pub fn complete(&self, place: &Lvalue) -> Done<()> {
        let rank = place.array.map_or(0, |n| self.arrays[n].dims.len());
        if place.subs.len() == rank {
            return Ok(());
        }
        let message =
            format!("C-NAME: {} has {rank} dimensions, but {} subscripts", place.name, place.subs.len());
        refuse(&codes::NAME, place.span, message)
    }

    /// Type of what is at a place
    pub fn place_elem(&self, place: &Lvalue) -> Elem {
        match (place.array, place.field, self.lookup(&place.name)) {
            (Some(n), field, _) => match (self.arrays[n].elem, field) {
                (Elem::Struct(s), Some(field)) => self.file.structs[s].fields[field].1,
                (elem, _) => elem,
            },
            (None, _, Some(Slot::Cell(cell))) => cell.elem,
            _ => Elem::INT,
        }
    }

    fn not_affine(&self, place: &Lvalue, sub: &Expr) -> Diagnostic {
        let mut loaded = None;
        let mut varying = None;
        let mut product = false;
        sub.walk(&mut |e| match &e.kind {
            ExprKind::Index(..) | ExprKind::Deref(_) => loaded = loaded.or(Some(e.span)),
            ExprKind::Name(name) => {
                let known = match self.lookup(name) {
                    Some(Slot::Iv(n)) => self.ivs[*n].range.is_some(),
                    Some(Slot::Temp { affine, .. }) => affine.is_some(),
                    Some(Slot::Array(_)) => true,
                    _ => self.constant(e).is_some(),
                };
                if !known {
                    varying = varying.take().or(Some((name.clone(), e.span)));
                }
            }
            ExprKind::Binary(BinaryOp::Mul, a, b) => {
                product |= self.constant(a).is_none() && self.constant(b).is_none();
            }
            _ => {}
        });
        let error = |message: String| Diagnostic::error(&codes::INDEX, message).at(sub.span);
        let name = &place.name;
        if let Some(span) = loaded {
            let message = format!("C-INDEX: a subscript of {name} depends on data");
            return error(message).also(span, "read here").help(format!(
                "which elements are used must follow from the loops alone, or say `gather({name})`"
            ));
        }
        if let Some((variable, span)) = varying {
            let message = format!(
                "C-INDEX: a subscript of {name} depends on {variable}, whose value is not known here"
            );
            return self.set_help(error(message).also(span, "here"), sub);
        }
        if product {
            return error(format!(
                "C-INDEX: a subscript of {name} multiplies loop variables: it is not affine"
            ));
        }
        error(format!("C-INDEX: a subscript of {name} is not affine in the loop variables"))
    }

    /// The array that a place is in
    pub fn array(&self, place: &Lvalue) -> Option<&Array> {
        place.array.map(|n| &self.arrays[n])
    }

    /// Subscripts as sums; the error says which one is none and why
    pub fn affine_subscripts(&self, place: &Lvalue) -> Done<Vec<AffineExpr>> {
        self.complete(place)?;
        let mut all = Vec::new();
        for sub in &place.subs {
            let Some(e) = self.affine(sub) else { return Err(Box::new(self.not_affine(place, sub))) };
            let e = self.simple(&e);
            let mut unsigned = false;
            sub.walk(&mut |e| {
                if let ExprKind::Name(name) = &e.kind
                    && let Some(Slot::Iv(n)) = self.lookup(name)
                {
                    unsigned |= matches!(self.ivs[*n].elem, Elem::Int { signed: false, .. });
                }
            });
            if unsigned && self.range(&e).is_some_and(|(low, _)| low < 0) {
                let message =
                    format!("C-WRAP: the unsigned subscript of {} may be below 0 and wraps in C", place.name);
                return refuse(&codes::WRAP, sub.span, message);
            }
            all.push(e);
        }
        Ok(all)
    }
}
