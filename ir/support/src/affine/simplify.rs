//! The smart constructors: the only way to a binary node.
//!
//! They do what upstream's builders do and no more, since text must round-trip between the two:
//! constants fold and move right, symbolic operands move right, `a*c1 + a*c2` joins, constants of nested sums and
//! products join, `x - (x floordiv q) * q` becomes `x mod q`, and known multiples of a constant divisor divide out.
//! A fold that would overflow is left out.

use super::AffineKind::{Add, CeilDiv, FloorDiv, Mod, Mul};
use super::expr::{ceil_div, floor_div};
use super::{AffineExpr, AffineKind};

impl AffineExpr {
    /// `lhs kind rhs`, simplified
    pub fn binary(kind: AffineKind, lhs: AffineExpr, rhs: AffineExpr) -> AffineExpr {
        match kind {
            Add => AffineExpr::add(lhs, rhs),
            Mul => AffineExpr::mul(lhs, rhs),
            Mod => AffineExpr::modulo(lhs, rhs),
            FloorDiv => AffineExpr::floor_div(lhs, rhs),
            CeilDiv => AffineExpr::ceil_div(lhs, rhs),
        }
    }

    /// `lhs + rhs`, simplified
    #[allow(clippy::should_implement_trait)] // the operators are implemented too, by these
    pub fn add(lhs: AffineExpr, rhs: AffineExpr) -> AffineExpr {
        simplify_add(&lhs, &rhs).unwrap_or_else(|| AffineExpr::raw(Add, lhs, rhs))
    }

    /// `lhs * rhs`, simplified; in affine text one of the two must be symbolic or constant
    #[allow(clippy::should_implement_trait)]
    pub fn mul(lhs: AffineExpr, rhs: AffineExpr) -> AffineExpr {
        simplify_mul(&lhs, &rhs).unwrap_or_else(|| AffineExpr::raw(Mul, lhs, rhs))
    }

    /// `expr * -1`, simplified
    pub fn negated(expr: AffineExpr) -> AffineExpr {
        AffineExpr::mul(expr, AffineExpr::Constant(-1))
    }

    /// `lhs - rhs` as `lhs + rhs * -1`, simplified
    #[allow(clippy::should_implement_trait)]
    pub fn sub(lhs: AffineExpr, rhs: AffineExpr) -> AffineExpr {
        AffineExpr::add(lhs, AffineExpr::negated(rhs))
    }

    /// `lhs mod rhs`, simplified
    pub fn modulo(lhs: AffineExpr, rhs: AffineExpr) -> AffineExpr {
        simplify_mod(&lhs, &rhs).unwrap_or_else(|| AffineExpr::raw(Mod, lhs, rhs))
    }

    /// `lhs floordiv rhs`, simplified
    pub fn floor_div(lhs: AffineExpr, rhs: AffineExpr) -> AffineExpr {
        simplify_floor_div(&lhs, &rhs).unwrap_or_else(|| AffineExpr::raw(FloorDiv, lhs, rhs))
    }

    /// `lhs ceildiv rhs`, simplified
    pub fn ceil_div(lhs: AffineExpr, rhs: AffineExpr) -> AffineExpr {
        simplify_ceil_div(&lhs, &rhs).unwrap_or_else(|| AffineExpr::raw(CeilDiv, lhs, rhs))
    }
}

impl std::ops::Add for AffineExpr {
    type Output = AffineExpr;
    fn add(self, rhs: AffineExpr) -> AffineExpr {
        AffineExpr::add(self, rhs)
    }
}

impl std::ops::Sub for AffineExpr {
    type Output = AffineExpr;
    fn sub(self, rhs: AffineExpr) -> AffineExpr {
        AffineExpr::sub(self, rhs)
    }
}

impl std::ops::Mul for AffineExpr {
    type Output = AffineExpr;
    fn mul(self, rhs: AffineExpr) -> AffineExpr {
        AffineExpr::mul(self, rhs)
    }
}

impl std::ops::Neg for AffineExpr {
    type Output = AffineExpr;
    fn neg(self) -> AffineExpr {
        AffineExpr::negated(self)
    }
}

impl From<i64> for AffineExpr {
    fn from(value: i64) -> AffineExpr {
        AffineExpr::Constant(value)
    }
}

/// `x + c` or `x * c` as `(x, c)`
fn with_constant(expr: &AffineExpr, kind: AffineKind) -> Option<(&AffineExpr, i64)> {
    let (x, c) = expr.operands_of(kind)?;
    Some((x, c.as_constant()?))
}

/// `x * c` as `(x, c)`, anything else as `(x, 1)`
fn coefficient(expr: &AffineExpr) -> (&AffineExpr, i64) {
    with_constant(expr, Mul).unwrap_or((expr, 1))
}

fn simplify_add(lhs: &AffineExpr, rhs: &AffineExpr) -> Option<AffineExpr> {
    // Two dimensions, or two symbols, stand in order.
    match (lhs, rhs) {
        (AffineExpr::Dim(a), AffineExpr::Dim(b)) | (AffineExpr::Symbol(a), AffineExpr::Symbol(b))
            if a > b =>
        {
            return Some(AffineExpr::raw(Add, rhs.clone(), lhs.clone()));
        }
        _ => {}
    }
    if let (Some(a), Some(b)) = (lhs.as_constant(), rhs.as_constant()) {
        return Some(a.checked_add(b)?.into());
    }
    let lhs_symbolic = lhs.is_symbolic_or_constant();
    if lhs.as_constant().is_some() || (lhs_symbolic && !rhs.is_symbolic_or_constant()) {
        return Some(rhs.clone() + lhs.clone());
    }
    if rhs.as_constant() == Some(0) {
        return Some(lhs.clone());
    }
    if let Some(b) = rhs.as_constant() {
        let (x, a) = with_constant(lhs, Add)?;
        return Some(x.clone() + a.checked_add(b)?.into());
    }
    let ((x, a), (y, b)) = (coefficient(lhs), coefficient(rhs));
    if x == y
        && let Some(sum) = a.checked_add(b)
    {
        return Some(x.clone() * sum.into());
    }
    if let Some((x, a)) = with_constant(lhs, Add) {
        return Some((x.clone() + rhs.clone()) + a.into());
    }
    remainder_of_difference(lhs, rhs)
}

/// `x + (x floordiv q) * -q` and `x + ((x floordiv q) * q) * -1` as `x mod q`
fn remainder_of_difference(lhs: &AffineExpr, rhs: &AffineExpr) -> Option<AffineExpr> {
    let (product, factor) = rhs.operands_of(Mul)?;
    if factor.as_constant() == Some(-1)
        && let Some((quotient, q)) = product.operands_of(Mul)
    {
        let (x, divisor) = quotient.operands_of(FloorDiv)?;
        return (x == lhs && divisor == q).then(|| AffineExpr::modulo(lhs.clone(), q.clone()));
    }
    let (x, divisor) = product.operands_of(FloorDiv)?;
    let positive = divisor.as_constant().is_some_and(|c| c > 0);
    if positive && x == lhs && *divisor == -factor.clone() {
        return Some(AffineExpr::modulo(lhs.clone(), divisor.clone()));
    }
    // Of a sum the last part may be the one; what merely changes its order counts too, as upstream.
    let (first, last) = lhs.operands_of(Add)?;
    Some(first.clone() + simplify_add(last, rhs)?)
}

fn simplify_mul(lhs: &AffineExpr, rhs: &AffineExpr) -> Option<AffineExpr> {
    if let (AffineExpr::Symbol(a), AffineExpr::Symbol(b)) = (lhs, rhs)
        && a > b
    {
        return Some(AffineExpr::raw(Mul, rhs.clone(), lhs.clone()));
    }
    if let (Some(a), Some(b)) = (lhs.as_constant(), rhs.as_constant()) {
        return Some(a.checked_mul(b)?.into());
    }
    let swap =
        lhs.as_constant().is_some() || (!rhs.is_symbolic_or_constant() && lhs.is_symbolic_or_constant());
    if swap {
        return Some(rhs.clone() * lhs.clone());
    }
    match rhs.as_constant() {
        Some(1) => return Some(lhs.clone()),
        Some(0) => return Some(rhs.clone()),
        Some(b) => {
            let (x, a) = with_constant(lhs, Mul)?;
            return Some(x.clone() * a.checked_mul(b)?.into());
        }
        None => {}
    }
    let (x, a) = with_constant(lhs, Mul)?;
    Some((x.clone() * rhs.clone()) * a.into())
}

fn divides(c: i64, n: u64) -> bool {
    n.is_multiple_of(c.unsigned_abs())
}

fn simplify_floor_div(lhs: &AffineExpr, rhs: &AffineExpr) -> Option<AffineExpr> {
    let c = rhs.as_constant().filter(|c| *c != 0)?;
    if let Some(a) = lhs.as_constant() {
        return Some(floor_div(a, c)?.into());
    }
    if c == 1 {
        return Some(lhs.clone());
    }
    match lhs.as_binary()? {
        (Mul, x, factor) => {
            let quotient = exact_quotient(factor.as_constant()?, c)?;
            Some(x.clone() * quotient.into())
        }
        (Add, x, y) if divides(c, x.largest_known_divisor()) || divides(c, y.largest_known_divisor()) => {
            let half = |e: &AffineExpr| AffineExpr::floor_div(e.clone(), rhs.clone());
            Some(half(x) + half(y))
        }
        _ => None,
    }
}

fn exact_quotient(a: i64, b: i64) -> Option<i64> {
    (a.checked_rem(b)? == 0).then(|| a / b)
}

fn simplify_ceil_div(lhs: &AffineExpr, rhs: &AffineExpr) -> Option<AffineExpr> {
    let c = rhs.as_constant().filter(|c| *c != 0)?;
    if let Some(a) = lhs.as_constant() {
        return Some(ceil_div(a, c)?.into());
    }
    if c == 1 {
        return Some(lhs.clone());
    }
    let (x, factor) = with_constant(lhs, Mul)?;
    Some(x.clone() * exact_quotient(factor, c)?.into())
}

fn simplify_mod(lhs: &AffineExpr, rhs: &AffineExpr) -> Option<AffineExpr> {
    let c = rhs.as_constant().filter(|c| *c > 0)?;
    if let Some(a) = lhs.as_constant() {
        return Some(a.rem_euclid(c).into());
    }
    if divides(c, lhs.largest_known_divisor()) {
        return Some(0.into());
    }
    match lhs.as_binary()? {
        (Add, x, y) if divides(c, x.largest_known_divisor()) => {
            Some(AffineExpr::modulo(y.clone(), rhs.clone()))
        }
        (Add, x, y) if divides(c, y.largest_known_divisor()) => {
            Some(AffineExpr::modulo(x.clone(), rhs.clone()))
        }
        (Mod, x, m) => {
            let inner = m.as_constant().filter(|m| *m >= 1)?;
            (inner % c == 0).then(|| AffineExpr::modulo(x.clone(), rhs.clone()))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn d(n: u32) -> AffineExpr {
        AffineExpr::Dim(n)
    }

    #[test]
    fn overflow_leaves_the_expression_unfolded() {
        let e = (d(0) * i64::MAX.into()) * 2.into();
        assert_eq!(e.eval(&[1], &[]), None);
        let e = AffineExpr::Constant(i64::MAX) + 1.into();
        assert!(e.as_constant().is_none());
        assert!(AffineExpr::floor_div(i64::MIN.into(), (-1).into()).as_constant().is_none());
    }

    #[test]
    fn products_of_dimensions_are_kept() {
        let e = d(0) * d(1);
        assert_eq!(e.to_string(), "d0 * d1");
    }
}
