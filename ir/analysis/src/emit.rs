//! From the form of [`crate::sum`] back to expressions, with remainders where the form hides them.

use crate::range::Ranges;
use crate::sum::{Atom, Sum};
use terrace_support::affine::AffineExpr;

/// The expression: variables, then quotients and remainders, then the constant
pub(crate) fn expr_of(sum: &Sum, ranges: Ranges<'_>) -> AffineExpr {
    let (groups, rest) = sum.remainders(ranges).unwrap_or_else(|| (Vec::new(), sum.clone()));
    let mut expr = AffineExpr::Constant(0);
    for (product, coefficient) in rest.terms().filter(|(product, _)| !product.is_empty()) {
        let mut term: Option<AffineExpr> = None;
        for atom in product {
            let factor = atom_expr(atom, ranges);
            term = Some(match term {
                Some(term) => AffineExpr::mul(term, factor),
                None => factor,
            });
        }
        if let Some(term) = term {
            expr = AffineExpr::add(expr, AffineExpr::mul(term, coefficient.into()));
        }
    }
    for group in groups {
        let remainder = AffineExpr::modulo(expr_of(&group.inner, ranges), group.size.into());
        expr = AffineExpr::add(expr, AffineExpr::mul(remainder, group.factor.into()));
    }
    AffineExpr::add(expr, rest.constant_term().into())
}

fn atom_expr(atom: &Atom, ranges: Ranges<'_>) -> AffineExpr {
    match atom {
        Atom::Dim(n) => AffineExpr::Dim(*n),
        Atom::Symbol(n) => AffineExpr::Symbol(*n),
        Atom::Div(inner, divisor) => AffineExpr::floor_div(expr_of(inner, ranges), expr_of(divisor, ranges)),
    }
}
