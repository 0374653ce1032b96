//! Numbers that are known at run time: extents below a bound that is known.
//!
//! A dimension has as many coordinates as the bound says; a condition leaves out those from the number on. So whatever reads sizes sees the
//! bound, and what reads conditions sees symbols.

use crate::view::{Condition, Extent, View};
use terrace_support::affine::AffineExpr;

/// Does an expression depend on a number that is known at run time?
pub fn is_open(expr: &AffineExpr) -> bool {
    expr.arity().1 > 0
}

impl View {
    /// A bound with the numbers at which it leaves out least; itself where it has none, `None` where it is no sum
    pub fn at_most(&self, bound: &AffineExpr) -> Option<AffineExpr> {
        self.at_ends(bound, true)
    }

    /// A bound with the numbers at which it leaves out most
    pub(crate) fn at_least(&self, bound: &AffineExpr) -> Option<AffineExpr> {
        self.at_ends(bound, false)
    }

    fn at_ends(&self, bound: &AffineExpr, most: bool) -> Option<AffineExpr> {
        if !is_open(bound) {
            return Some(bound.clone());
        }
        let linear = bound.as_linear()?;
        let end = |(n, extent): (usize, &Extent)| {
            AffineExpr::Constant(if (linear.symbol(n) > 0) == most { extent.most } else { 0 })
        };
        let ends: Vec<AffineExpr> = self.extents.iter().enumerate().map(end).collect();
        bound.replace(&[], &ends)
    }

    /// The bounds for the greatest numbers: what schedules are chosen for
    pub fn bounds_at_most(&self) -> Vec<AffineExpr> {
        let all = self.bounds().into_iter().filter_map(|bound| self.at_most(&bound));
        all.filter(|bound| !self.always(bound)).collect()
    }

    /// The dimensions that end at a number that is known at run time, and where; `None` where there are other conditions
    pub fn ends(&self) -> Option<Vec<(usize, AffineExpr)>> {
        let end = |one: &Condition| match (&one.low, &one.expr) {
            (None, AffineExpr::Dim(dim)) if one.high.is_symbolic_or_constant() => {
                Some((*dim as usize, one.high.clone()))
            }
            _ => None,
        };
        self.conditions.iter().map(end).collect()
    }

    /// Conditions that dimensions end there
    pub fn set_ends(&mut self, ends: Vec<(usize, AffineExpr)>) {
        let end = |(dim, high)| Condition { low: None, expr: AffineExpr::Dim(dim as u32), high };
        self.conditions = ends.into_iter().map(end).collect();
    }

    /// Is it the end of kept dimensions that is known at run time? What is behind it is in no result
    pub fn ends_kept(&self, bound: &AffineExpr) -> bool {
        let reduced = |n: usize| !self.dims[n].kind.kept() && bound.uses_dim(n as u32);
        is_open(bound) && !(0..self.dims.len()).any(reduced)
    }
}
