//! Sizes as index expressions, once most names are numbers.

use super::{Atom, Nat};
use terrace_support::affine::AffineExpr;
use terrace_support::gcd;

/// `a * b`
fn product(a: AffineExpr, b: AffineExpr) -> AffineExpr {
    AffineExpr::mul(a, b)
}

impl Nat {
    /// The size as an index expression with these in place of names (`n`, `$i`); `None` where a name has none, or where
    /// the size has a form that index expressions lack: minima, powers, inverses of sums
    ///
    /// A quotient that has to be exact becomes one rounded down.
    ///
    /// ```
    /// use terrace_analysis::nat::Nat;
    /// use terrace_support::affine::AffineExpr;
    /// let nat: Nat = "2 * $i + 3".parse().unwrap();
    /// let expr = nat.to_affine(&|name| (name == "$i").then_some(AffineExpr::Dim(0))).unwrap();
    /// assert_eq!(expr.eval(&[5], &[]), Some(13));
    /// ```
    pub fn to_affine(&self, leaf: &dyn Fn(&str) -> Option<AffineExpr>) -> Option<AffineExpr> {
        let common = self.terms().iter().try_fold(1i64, |all, (_, c)| {
            let den = c.den();
            (all / gcd(all.abs().max(1), den.abs())).checked_mul(den)
        })?;
        let mut sum = AffineExpr::Constant(0);
        for (factors, c) in self.terms() {
            let scale = c.num().checked_mul(common / c.den())?;
            let mut term = AffineExpr::Constant(1);
            for (atom, exponent) in factors {
                let factor = match atom {
                    Atom::Symbol(name) => leaf(name)?,
                    Atom::Bound(name) => leaf(&format!("${name}"))?,
                    Atom::FloorDiv(a, b) => AffineExpr::floor_div(a.to_affine(leaf)?, b.to_affine(leaf)?),
                    Atom::Min(_) | Atom::Inv(_) | Atom::Pow(..) => return None,
                };
                for _ in 0..u32::try_from(*exponent).ok()? {
                    term = product(term, factor.clone());
                }
            }
            sum = AffineExpr::add(sum, product(term, scale.into()));
        }
        Some(if common == 1 { sum } else { AffineExpr::floor_div(sum, common.into()) })
    }
}
