//! Values `min, min + step, …, max`: what is known of a variable or an expression.
//!
//! Invariants: `min <= max`; `step` is zero exactly if they are equal, else positive and a divisor of `max - min`.
//! Operations work in `i128` and give `None` when a bound leaves `i64`.

use terrace_support::gcd;

/// A non-empty set of integers between bounds, in steps
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Range {
    min: i64,
    max: i64,
    step: i64,
}

/// Ranges of the variables of an expression; those beyond the lists are not known
#[derive(Clone, Copy, Default, Debug)]
pub struct Ranges<'a> {
    /// Of `d0, d1, …`
    pub dims: &'a [Range],
    /// Of `s0, s1, …`
    pub symbols: &'a [Range],
}

impl<'a> From<&'a [Range]> for Ranges<'a> {
    fn from(dims: &'a [Range]) -> Self {
        Ranges { dims, symbols: &[] }
    }
}

impl<'a, const N: usize> From<&'a [Range; N]> for Ranges<'a> {
    fn from(dims: &'a [Range; N]) -> Self {
        Ranges { dims, symbols: &[] }
    }
}

impl<'a> From<&'a Vec<Range>> for Ranges<'a> {
    fn from(dims: &'a Vec<Range>) -> Self {
        Ranges { dims, symbols: &[] }
    }
}

impl Range {
    /// Any `i64`
    pub const ALL: Range = Range { min: i64::MIN, max: i64::MAX, step: 1 };

    /// `min..=max`; `None` if that is empty
    pub fn new(min: i64, max: i64) -> Option<Range> {
        Range::stepped(min, max, 1)
    }

    /// `0..n`: the values of a loop of `n` iterations; `None` if it has none
    pub fn below(n: i64) -> Option<Range> {
        Range::new(0, n.checked_sub(1)?)
    }

    /// `min, min + step, …` up to at most `max`; `None` if that is empty or the step is not positive
    pub fn stepped(min: i64, max: i64, step: i64) -> Option<Range> {
        if min > max || step <= 0 {
            return None;
        }
        let (low, step) = (i128::from(min), i128::from(step));
        let count = (i128::from(max) - low) / step;
        let max = i64::try_from(low + count * step).ok()?;
        Some(Range { min, max, step: if count == 0 { 0 } else { step as i64 } })
    }

    /// One value
    pub const fn one(value: i64) -> Range {
        Range { min: value, max: value, step: 0 }
    }

    /// Least value
    pub const fn min(self) -> i64 {
        self.min
    }

    /// Greatest value
    pub const fn max(self) -> i64 {
        self.max
    }

    /// Distance between neighbours; zero for one value
    pub const fn step(self) -> i64 {
        self.step
    }

    /// The value, if it is only one
    pub fn as_constant(self) -> Option<i64> {
        (self.min == self.max).then_some(self.min)
    }

    /// Number of values, at most `u64::MAX`
    pub fn count(self) -> u64 {
        if self.step == 0 {
            1
        } else {
            ((i128::from(self.max) - i128::from(self.min)) as u64 / self.step as u64).saturating_add(1)
        }
    }

    /// Is the value one of them?
    pub fn contains(self, value: i64) -> bool {
        let in_step =
            self.step == 0 || (i128::from(value) - i128::from(self.min)) % i128::from(self.step) == 0;
        self.min <= value && value <= self.max && in_step
    }

    /// A number that divides all values; zero if all are zero
    pub fn divisor(self) -> u64 {
        gcd(self.min.unsigned_abs(), self.step.unsigned_abs())
    }

    fn from_wide(min: i128, max: i128, step: i128) -> Option<Range> {
        let (min, max) = (i64::try_from(min).ok()?, i64::try_from(max).ok()?);
        if min == max {
            return Some(Range::one(min));
        }
        Range::stepped(min, max, i64::try_from(step).unwrap_or(1))
    }

    /// Sums of a value of each
    pub fn plus(self, other: Range) -> Option<Range> {
        let step = gcd(self.step.unsigned_abs(), other.step.unsigned_abs());
        Range::from_wide(
            i128::from(self.min) + i128::from(other.min),
            i128::from(self.max) + i128::from(other.max),
            i128::from(step),
        )
    }

    /// Multiples of the values
    pub fn times(self, factor: i64) -> Option<Range> {
        let factor = i128::from(factor);
        let (a, b) = (i128::from(self.min) * factor, i128::from(self.max) * factor);
        Range::from_wide(a.min(b), a.max(b), i128::from(self.step) * factor.abs())
    }

    /// Quotients of the values rounded down; the divisor is positive
    pub fn floor_div(self, divisor: i64) -> Option<Range> {
        if divisor <= 0 {
            return None;
        }
        let exact = self.step % divisor == 0;
        let step = if exact { (self.step / divisor).max(1) } else { 1 };
        Range::from_wide(
            i128::from(self.min.div_euclid(divisor)),
            i128::from(self.max.div_euclid(divisor)),
            i128::from(step),
        )
    }

    /// Products of a value of each
    pub fn product(self, other: Range) -> Option<Range> {
        let corners =
            [(self.min, other.min), (self.min, other.max), (self.max, other.min), (self.max, other.max)];
        let corners = corners.map(|(a, b)| i128::from(a) * i128::from(b));
        Range::from_wide(*corners.iter().min()?, *corners.iter().max()?, 1)
    }

    /// What is in both, or a little more; `self` where nothing is
    #[must_use]
    pub fn and(self, other: Range) -> Range {
        let (min, max) = (self.min.max(other.min), self.max.min(other.max));
        let finer = if self.step >= other.step { self } else { other };
        finer.clip(min, max).unwrap_or(self)
    }

    /// Those between bounds
    pub fn clip(self, min: i64, max: i64) -> Option<Range> {
        if self.step == 0 {
            return (min <= self.min && self.min <= max).then_some(self);
        }
        let step = i128::from(self.step);
        let up = (i128::from(min) - i128::from(self.min)).max(0);
        let low = i128::from(self.min) + (up + step - 1) / step * step;
        Range::stepped(i64::try_from(low).ok()?, max.min(self.max), self.step)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn values(range: Range) -> Vec<i64> {
        (range.min..=range.max).filter(|value| range.contains(*value)).collect()
    }

    #[test]
    fn operations_hold_every_value() {
        let all: Vec<Range> = (-4..4)
            .flat_map(|min| {
                (0..7)
                    .flat_map(move |len| (1..4).filter_map(move |step| Range::stepped(min, min + len, step)))
            })
            .collect();
        for &a in &all {
            for factor in -3..=3 {
                let result = a.times(factor).expect("small");
                assert!(values(a).iter().all(|x| result.contains(x * factor)));
            }
            for divisor in 1..5 {
                let result = a.floor_div(divisor).expect("small");
                assert!(
                    values(a).iter().all(|x| result.contains(x.div_euclid(divisor))),
                    "{a:?} / {divisor}"
                );
            }
            assert_eq!(values(a).len() as u64, a.count());
            for &b in all.iter().step_by(7) {
                let (sum, product, both) =
                    (a.plus(b).expect("small"), a.product(b).expect("small"), a.and(b));
                for x in values(a) {
                    assert!(values(b).iter().all(|y| sum.contains(x + y) && product.contains(x * y)));
                    assert!(!b.contains(x) || both.contains(x), "{a:?} and {b:?}");
                }
            }
        }
    }

    #[test]
    fn bounds_that_leave_the_type_are_not_known() {
        assert_eq!(Range::ALL.plus(Range::one(1)), None);
        assert_eq!(Range::one(i64::MAX).times(2), None);
        assert_eq!(Range::stepped(i64::MIN, i64::MAX, 1).map(Range::count), Some(u64::MAX));
        assert_eq!(Range::new(3, 2), None);
        assert_eq!(Range::below(0), None);
    }
}
