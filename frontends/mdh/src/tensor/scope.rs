//! What the right side of a statement may read, and its expressions as scalar functions and conditions

use super::{Done, Id};
use crate::codes;
use crate::index::{NotScalar, affine, conditions, scalar};
use crate::model::{Bin, Elem, Input, Scalar, Size, type_join};
use crate::syntax::{Expr, ExprKind, Words};
use std::collections::BTreeMap;
use terrace_diag::Span;
use terrace_dialect_mdh::view::Condition;
use terrace_support::affine::AffineExpr;

/// What the scalar function of a statement may read
pub(super) struct Scope<'a> {
    pub ids: &'a [Id],
    pub constants: &'a BTreeMap<String, i64>,
    /// Numbers that are known at run time
    pub sizes: &'a [Size],
    pub inputs: &'a [Input],
    pub elems: &'a [Elem],
    pub shapes: &'a BTreeMap<String, Vec<i64>>,
}

impl Scope<'_> {
    pub(super) fn affine(&self, e: &Expr) -> Option<AffineExpr> {
        affine(e, &|name| {
            let dim = self.ids.iter().position(|id| id.name == name).map(|n| AffineExpr::Dim(n as u32));
            dim.or_else(|| self.constants.get(name).map(|value| AffineExpr::from(*value)))
        })
    }

    fn size(&self, name: &str) -> Option<usize> {
        self.sizes.iter().position(|size| size.name == name)
    }

    /// A part of the right side that is no arithmetic
    fn leaf(&self, e: &Expr) -> Result<Option<Scalar>, NotScalar> {
        match &e.kind {
            ExprKind::Name(name) => {
                let dim = self.ids.iter().position(|id| id.name == *name).map(Scalar::Index);
                let number = self.constants.get(name).map(|value| Scalar::Int(*value));
                Ok(dim.or(number).or(self.size(name).map(Scalar::Size)))
            }
            ExprKind::Access(tensor, subs, other) => {
                let map: Option<Vec<AffineExpr>> = subs.iter().map(|sub| self.affine(sub)).collect();
                let Some(map) = map else {
                    // The access is named as a whole: its subscripts were read before.
                    let element = self.element(e.span, tensor, subs, *other);
                    return element.map(Some).map_err(|wrong| NotScalar { at: e.span, ..wrong });
                };
                let n = self.inputs.iter().position(|input| {
                    !input.whole && input.tensor == *tensor && input.map == map && input.other == *other
                });
                Ok(n.map(Scalar::Arg))
            }
            _ => Ok(None),
        }
    }

    /// An element at places that are computed
    fn element(
        &self,
        at: Span,
        tensor: &str,
        subs: &[Expr],
        other: Option<f64>,
    ) -> Result<Scalar, NotScalar> {
        let n = self.inputs.iter().position(|input| input.whole && input.tensor == tensor);
        let n = n.ok_or_else(|| NotScalar::new(at, format!("{tensor} cannot be read here")))?;
        let mut all = Vec::new();
        for sub in subs {
            let place = scalar(sub, &mut |e| self.leaf(e))?;
            if let Some(elem) = type_join(&place, self.elems).filter(|elem| elem.is_float()) {
                let text = elem.text();
                let why = format!("a subscript of {tensor} is {text}; `i32(…)` makes an integer of it");
                return Err(NotScalar { at, why, subscript: true });
            }
            all.push(Scalar::Cast(Elem::Index, Box::new(place)));
        }
        let Some(other) = other else { return Ok(Scalar::Element(n, all)) };
        let op = |op, a: &Scalar, b: Scalar| Scalar::Op(op, Box::new(a.clone()), Box::new(b));
        let other = Scalar::Cast(self.elems[n], Box::new(Scalar::Float(other)));
        let shape = self.shapes.get(tensor).map_or(&[][..], Vec::as_slice);
        if shape.contains(&0) {
            return Ok(other);
        }
        // What is read is inside anyhow; whether it is taken is another question.
        let (mut inside, mut nearest) = (None, Vec::new());
        for (place, size) in all.iter().zip(shape) {
            let low = op(Bin::Ge, place, Scalar::Int(0));
            let both = op(Bin::And, &low, op(Bin::Lt, place, Scalar::Int(*size)));
            inside = Some(match inside {
                Some(before) => op(Bin::And, &before, both),
                None => both,
            });
            let low = op(Bin::Max, place, Scalar::Int(0));
            nearest.push(op(Bin::Min, &low, Scalar::Int(size - 1)));
        }
        let element = Scalar::Element(n, nearest);
        Ok(match inside {
            Some(inside) => Scalar::Select(Box::new(inside), Box::new(element), Box::new(other)),
            None => element,
        })
    }

    /// The conditions behind `where`
    pub(super) fn conditions(&self, w: &mut Words<'_>, wheres: &[Expr]) -> Done<Vec<Condition>> {
        let mut all = Vec::new();
        for e in wheres {
            let name = |name: &str| {
                let known = self.affine(&Expr { span: e.span, kind: ExprKind::Name(name.to_string()) });
                known.or(self.size(name).map(|n| AffineExpr::Symbol(n as u32)))
            };
            match conditions(e, &name) {
                Some(found) => all.extend(found),
                None => return Err(w.error(&codes::E_INDEX, e.span, "a condition compares sums of indices")),
            }
        }
        Ok(all)
    }

    /// The values of the right side as scalar functions
    pub(super) fn body(&self, w: &mut Words<'_>, values: &[Expr]) -> Done<Vec<Scalar>> {
        let mut body = Vec::new();
        for e in values {
            match scalar(e, &mut |e| self.leaf(e)) {
                Ok(value) => body.push(value),
                Err(wrong) => {
                    let code = if wrong.subscript { &codes::E_INDEX } else { &codes::E_NAME };
                    return Err(w.error(code, wrong.at, wrong.why));
                }
            }
        }
        Ok(body)
    }
}
