//! Expressions as sums over the loop variables in scope, and the ranges of these.

use crate::ast::{BinaryOp, Elem, Expr, ExprKind, UnaryOp};
use crate::bindings::{Bindings, Slot};
use terrace_analysis::{Clash, Range, range_of, simplify_with_ranges};
use terrace_support::affine::{AffineExpr, AffineKind};

impl Bindings<'_> {
    pub fn turns_text(&self, clash: &Clash) -> String {
        let Clash::At { first, second } = clash else { return String::new() };
        let text = |turns: &[i64]| {
            let values = self.ivs.iter().zip(turns).map(|(iv, turn)| {
                let (start, step, _) = iv.range.unwrap_or((0, 1, 0));
                format!("{} = {}", iv.name, start + step * turn)
            });
            values.collect::<Vec<_>>().join(", ")
        };
        format!(": {} and {}", text(first), text(second))
    }

    /// A sum over the loop variables in scope; nothing if it is none
    pub fn affine(&self, e: &Expr) -> Option<AffineExpr> {
        match &e.kind {
            ExprKind::Int(value, _) => i64::try_from(*value).ok().map(AffineExpr::from),
            ExprKind::Name(name) => match self.lookup(name) {
                Some(Slot::Iv(n)) => {
                    let (start, step, _) = self.ivs[*n].range?;
                    let turns = AffineExpr::mul(AffineExpr::Dim(*n as u32), step.into());
                    Some(if start == 0 { turns } else { turns + start.into() })
                }
                Some(Slot::Temp { affine, .. }) => affine.clone(),
                _ => self.constant(e).map(AffineExpr::from),
            },
            ExprKind::Cast(Elem::Int { .. }, inner) => self.affine(inner),
            ExprKind::Unary(UnaryOp::Neg, inner) => self.affine(inner).map(AffineExpr::negated),
            ExprKind::Binary(op, a, b) => {
                if let Some(value) = self.constant(e) {
                    return Some(value.into());
                }
                let (a, b) = (self.affine(a)?, self.affine(b)?);
                match op {
                    BinaryOp::Add => Some(AffineExpr::add(a, b)),
                    BinaryOp::Sub => Some(AffineExpr::sub(a, b)),
                    BinaryOp::Mul if b.as_constant().is_some() => Some(AffineExpr::mul(a, b)),
                    BinaryOp::Mul if a.as_constant().is_some() => Some(AffineExpr::mul(b, a)),
                    // C's quotient is the floor where nothing is negative.
                    BinaryOp::Div | BinaryOp::Rem
                        if b.as_constant().is_some_and(|b| b > 0) && self.range(&a)?.0 >= 0 =>
                    {
                        let kind = if *op == BinaryOp::Div { AffineKind::FloorDiv } else { AffineKind::Mod };
                        Some(AffineExpr::binary(kind, a, b))
                    }
                    _ => None,
                }
            }
            _ => None,
        }
    }

    /// Like terms together
    pub fn simple(&self, e: &AffineExpr) -> AffineExpr {
        simplify_with_ranges(e, &self.turns_ranges()[..])
    }

    /// Turns of each loop, from 0
    pub fn turns_ranges(&self) -> Vec<Range> {
        let turns = |n: i64| Range::below(n.max(1)).unwrap_or(Range::ALL);
        self.ivs.iter().map(|iv| iv.range.map_or(Range::ALL, |(_, _, n)| turns(n))).collect()
    }

    /// Least and greatest value over the loops
    pub fn range(&self, e: &AffineExpr) -> Option<(i64, i64)> {
        let range = range_of(e, &self.turns_ranges()[..])?;
        Some((range.min(), range.max()))
    }
}
