//! Exact fractions for coefficients.

use super::NatError;
use std::cmp::Ordering;
use terrace_support::gcd;

/// A fraction in lowest terms with a positive denominator
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Ratio {
    num: i64,
    den: i64,
}

impl Ratio {
    pub(crate) const ZERO: Ratio = Ratio { num: 0, den: 1 };
    pub(crate) const ONE: Ratio = Ratio { num: 1, den: 1 };

    pub(crate) const fn whole(num: i64) -> Ratio {
        Ratio { num, den: 1 }
    }

    fn new(num: i128, den: i128) -> Result<Ratio, NatError> {
        let divisor = i128::try_from(gcd(num.unsigned_abs(), den.unsigned_abs())).unwrap_or(1).max(1);
        let sign = if den < 0 { -1 } else { 1 };
        let fits = |value: i128| i64::try_from(sign * value / divisor).map_err(|_| NatError::Overflow);
        Ok(Ratio { num: fits(num)?, den: fits(den)? })
    }

    pub(crate) fn num(self) -> i64 {
        self.num
    }

    pub(crate) fn den(self) -> i64 {
        self.den
    }

    pub(crate) fn is_zero(self) -> bool {
        self.num == 0
    }

    pub(crate) fn as_whole(self) -> Option<i64> {
        (self.den == 1).then_some(self.num)
    }

    pub(crate) fn plus(self, other: Ratio) -> Result<Ratio, NatError> {
        let (a, b) =
            (i128::from(self.num) * i128::from(other.den), i128::from(other.num) * i128::from(self.den));
        Ratio::new(a + b, i128::from(self.den) * i128::from(other.den))
    }

    pub(crate) fn times(self, other: Ratio) -> Result<Ratio, NatError> {
        Ratio::new(i128::from(self.num) * i128::from(other.num), i128::from(self.den) * i128::from(other.den))
    }

    pub(crate) fn over(self, other: Ratio) -> Result<Ratio, NatError> {
        if other.num == 0 {
            return Err(NatError::DivisionByZero);
        }
        Ratio::new(i128::from(self.num) * i128::from(other.den), i128::from(self.den) * i128::from(other.num))
    }

    pub(crate) fn negated(self) -> Result<Ratio, NatError> {
        Ok(Ratio { num: self.num.checked_neg().ok_or(NatError::Overflow)?, den: self.den })
    }

    /// Rounded towards minus infinity
    pub(crate) fn floor(self) -> i64 {
        self.num.div_euclid(self.den)
    }

    /// Greatest fraction that both are whole multiples of
    pub(crate) fn common(self, other: Ratio) -> Result<Ratio, NatError> {
        let num = gcd(u128::from(self.num.unsigned_abs()), other.num.unsigned_abs().into());
        let divisor = gcd(u128::from(self.den.unsigned_abs()), other.den.unsigned_abs().into());
        let den = i128::from(self.den) / i128::try_from(divisor).unwrap_or(1) * i128::from(other.den);
        Ratio::new(i128::try_from(num).map_err(|_| NatError::Overflow)?, den)
    }
}

impl PartialOrd for Ratio {
    fn partial_cmp(&self, other: &Ratio) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Ratio {
    fn cmp(&self, other: &Ratio) -> Ordering {
        (i128::from(self.num) * i128::from(other.den)).cmp(&(i128::from(other.num) * i128::from(self.den)))
    }
}
