//! Integer points of a box under linear equations and inequalities.
//!
//! Equations with a coefficient of one eliminate a variable; bounds are narrowed to a fixpoint by every row, with the
//! greatest common divisor for equations; what is left is cut into halves. Systems with many boxes are refuted by elimination where
//! that works (`refute`). All are exact, so "empty" and "here is a point" are proofs. The work is limited: beyond [`FUEL`] boxes, or
//! when a number leaves `i128`, the answer is "unknown".

mod refute;

use terrace_support::gcd;

/// Boxes to look at before giving up
const FUEL: usize = 20_000;

/// Boxes to look at before a proof by elimination is tried: most systems need few
const TRIED: usize = 256;

/// Rows that a proof may take off another
const TAKEN: usize = 3;

/// Rounds of narrowing per box: slow convergence is cut short by halving
const ROUNDS: usize = 32;

/// `Σ coefficient * variable + constant`; variables in order, no zero coefficients
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub(crate) struct Row {
    terms: Vec<(usize, i128)>,
    constant: i128,
}

impl Row {
    /// A number
    pub(crate) fn constant(value: i128) -> Row {
        Row { terms: Vec::new(), constant: value }
    }

    /// `self + factor * variable`
    pub(crate) fn with(mut self, variable: usize, factor: i128) -> Option<Row> {
        match self.terms.binary_search_by_key(&variable, |(n, _)| *n) {
            Ok(at) => {
                let sum = self.terms[at].1.checked_add(factor)?;
                if sum == 0 {
                    self.terms.remove(at);
                } else {
                    self.terms[at].1 = sum;
                }
            }
            Err(at) if factor != 0 => self.terms.insert(at, (variable, factor)),
            Err(_) => {}
        }
        Some(self)
    }

    /// `self + factor * other`
    pub(crate) fn plus(&self, other: &Row, factor: i128) -> Option<Row> {
        let mut sum = self.clone();
        sum.constant = sum.constant.checked_add(other.constant.checked_mul(factor)?)?;
        for (variable, coefficient) in &other.terms {
            sum = sum.with(*variable, coefficient.checked_mul(factor)?)?;
        }
        Some(sum)
    }

    fn coefficient(&self, variable: usize) -> i128 {
        self.terms.binary_search_by_key(&variable, |(n, _)| *n).map_or(0, |at| self.terms[at].1)
    }

    /// Value at a point; `None` on overflow
    pub(crate) fn value(&self, point: &[i128]) -> Option<i128> {
        self.terms
            .iter()
            .try_fold(self.constant, |sum, (n, c)| sum.checked_add(c.checked_mul(*point.get(*n)?)?))
    }
}

type Bounds = Vec<(i128, i128)>;

/// What is known of the points
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Points {
    /// There is none
    Empty,
    /// This is one
    One(Vec<i128>),
    /// Not found out
    Unknown,
}

/// Variables with their bounds, rows that are zero, and rows that are not negative
#[derive(Clone, Default, Debug)]
pub(crate) struct System {
    bounds: Bounds,
    zero: Vec<Row>,
    positive: Vec<Row>,
}

/// A number left `i128`
struct Overflow;

enum Narrowed {
    Empty,
    Stable,
}

impl System {
    /// A new variable between bounds
    pub(crate) fn variable(&mut self, low: i128, high: i128) -> usize {
        self.bounds.push((low, high));
        self.bounds.len() - 1
    }

    /// Let the row be zero
    pub(crate) fn zero(&mut self, row: Row) {
        self.zero.push(row);
    }

    /// Let the row be zero or more
    pub(crate) fn not_negative(&mut self, row: Row) {
        self.positive.push(row);
    }

    /// Is the row shown to be zero or more, by bounds and by a few rows that are?
    ///
    /// For variables without useful bounds: what is left of the row when others are taken off it needs none.
    pub(crate) fn shows(&self, row: &Row) -> bool {
        self.shown_by(row, TAKEN)
    }

    fn shown_by(&self, row: &Row, more: usize) -> bool {
        let least = row.terms.iter().try_fold(row.constant, |sum, (variable, c)| {
            let (low, high) = self.bounds[*variable];
            sum.checked_add(c.checked_mul(if *c > 0 { low } else { high })?)
        });
        if least.is_some_and(|least| least >= 0) {
            return true;
        }
        if more == 0 {
            return false;
        }
        // Only what cancels something helps, as often as it does.
        self.positive.iter().any(|fact| {
            let mut factors: Vec<i128> = fact
                .terms
                .iter()
                .map(|(variable, c)| row.coefficient(*variable) / c)
                .filter(|factor| *factor > 0)
                .collect();
            factors.sort_unstable();
            factors.dedup();
            let takes =
                |factor: &i128| row.plus(fact, -factor).is_some_and(|rest| self.shown_by(&rest, more - 1));
            factors.iter().any(takes)
        })
    }

    /// A point, or the proof that there is none
    pub(crate) fn solve(mut self) -> Points {
        let mut eliminated: Vec<(usize, Row)> = Vec::new();
        match self.eliminate(&mut eliminated) {
            Some(true) => {}
            Some(false) => return Points::Empty,
            None => return Points::Unknown,
        }
        match self.search() {
            Ok(Some(mut point)) => {
                // Each was written with variables that were eliminated later or not at all.
                for (variable, row) in eliminated.iter().rev() {
                    let Some(value) = row.value(&point) else { return Points::Unknown };
                    point[*variable] = value;
                }
                Points::One(point)
            }
            Ok(None) => Points::Empty,
            Err(Overflow) => Points::Unknown,
        }
    }

    /// Solve equations for variables with coefficient one; `Some(false)` if one has no solution
    fn eliminate(&mut self, eliminated: &mut Vec<(usize, Row)>) -> Option<bool> {
        loop {
            let mut chosen: Option<(usize, usize)> = None;
            for (n, row) in self.zero.iter_mut().enumerate() {
                let divisor = common_divisor(row.terms.iter().map(|(_, c)| *c));
                if divisor == 0 {
                    if row.constant != 0 {
                        return Some(false);
                    }
                    continue;
                }
                if row.constant % divisor != 0 {
                    return Some(false);
                }
                row.constant /= divisor;
                row.terms.iter_mut().for_each(|(_, c)| *c /= divisor);
                // The widest one: little is lost when its bounds become inequalities.
                let wide = row
                    .terms
                    .iter()
                    .filter(|(_, c)| c.abs() == 1)
                    .max_by_key(|(v, _)| self.bounds[*v].1.saturating_sub(self.bounds[*v].0));
                if let (Some((variable, _)), None) = (wide, chosen) {
                    chosen = Some((n, *variable));
                }
            }
            self.zero.retain(|row| !row.terms.is_empty());
            let Some((n, variable)) = chosen.and_then(|(_, variable)| {
                // Rows may have moved.
                let n = self.zero.iter().position(|row| row.coefficient(variable).abs() == 1)?;
                Some((n, variable))
            }) else {
                return Some(true);
            };
            let row = self.zero.remove(n);
            let sign = row.coefficient(variable);
            // variable = -sign * (row - sign * variable)
            let rest = row.with(variable, -sign)?;
            let value = Row::default().plus(&rest, -sign)?;
            for other in self.zero.iter_mut().chain(&mut self.positive) {
                let factor = other.coefficient(variable);
                if factor != 0 {
                    *other = other.clone().with(variable, -factor)?.plus(&value, factor)?;
                }
            }
            let (low, high) = self.bounds[variable];
            self.positive.push(value.plus(&Row::constant(low), -1)?);
            self.positive.push(Row::constant(high).plus(&value, -1)?);
            // Out of the search; its value follows from the others.
            self.bounds[variable] = (0, 0);
            eliminated.push((variable, value));
        }
    }

    fn search(&self) -> Result<Option<Vec<i128>>, Overflow> {
        let mut fuel = FUEL;
        let mut pending: Vec<Bounds> = vec![self.bounds.clone()];
        while let Some(mut bounds) = pending.pop() {
            fuel = fuel.checked_sub(1).ok_or(Overflow)?;
            if fuel == FUEL - TRIED && self.is_refuted() {
                return Ok(None);
            }
            if let Narrowed::Empty = self.narrow(&mut bounds)? {
                continue;
            }
            let open = bounds.iter().enumerate().filter(|(_, (low, high))| low < high);
            let Some((variable, &(low, high))) =
                open.min_by_key(|(_, (low, high))| high.saturating_sub(*low))
            else {
                let point: Vec<i128> = bounds.iter().map(|(low, _)| *low).collect();
                let holds = |row: &Row| row.value(&point);
                for row in &self.zero {
                    if holds(row).ok_or(Overflow)? != 0 {
                        return Err(Overflow);
                    }
                }
                for row in &self.positive {
                    if holds(row).ok_or(Overflow)? < 0 {
                        return Err(Overflow);
                    }
                }
                return Ok(Some(point));
            };
            let middle = low + (high - low) / 2;
            let mut upper = bounds.clone();
            upper[variable].0 = middle + 1;
            bounds[variable].1 = middle;
            pending.push(upper);
            pending.push(bounds);
        }
        Ok(None)
    }

    fn narrow(&self, bounds: &mut Bounds) -> Result<Narrowed, Overflow> {
        for _ in 0..ROUNDS {
            let mut changed = false;
            for row in &self.zero {
                if !divisible(row, bounds).ok_or(Overflow)? {
                    return Ok(Narrowed::Empty);
                }
                let negative = Row::default().plus(row, -1).ok_or(Overflow)?;
                for row in [row, &negative] {
                    match narrow_by(row, bounds).ok_or(Overflow)? {
                        None => return Ok(Narrowed::Empty),
                        Some(more) => changed |= more,
                    }
                }
            }
            for row in &self.positive {
                match narrow_by(row, bounds).ok_or(Overflow)? {
                    None => return Ok(Narrowed::Empty),
                    Some(more) => changed |= more,
                }
            }
            if !changed {
                break;
            }
        }
        Ok(Narrowed::Stable)
    }
}

/// The greatest number that divides all; 0 of none
fn common_divisor(all: impl IntoIterator<Item = i128>) -> i128 {
    let divisor = all.into_iter().fold(0, |all, next| gcd(all, next.unsigned_abs()));
    i128::try_from(divisor).unwrap_or(1)
}

/// May the row be zero, as far as divisors tell?
fn divisible(row: &Row, bounds: &Bounds) -> Option<bool> {
    let (mut open, mut fixed) = (Vec::new(), row.constant);
    for (variable, c) in &row.terms {
        let (low, high) = bounds[*variable];
        if low == high {
            fixed = fixed.checked_add(c.checked_mul(low)?)?;
        } else {
            open.push(*c);
        }
    }
    let divisor = common_divisor(open);
    Some(if divisor == 0 { fixed == 0 } else { fixed % divisor == 0 })
}

/// Narrow bounds so that the row may be zero or more; the inner `None` if it can't, `Some(true)` if something changed
fn narrow_by(row: &Row, bounds: &mut Bounds) -> Option<Option<bool>> {
    let most = |bounds: &Bounds, (variable, c): (usize, i128)| {
        let (low, high) = bounds[variable];
        c.checked_mul(if c > 0 { high } else { low })
    };
    let mut all = row.constant;
    for term in &row.terms {
        all = all.checked_add(most(bounds, *term)?)?;
    }
    if all < 0 {
        return Some(None);
    }
    let mut changed = false;
    for &(variable, c) in &row.terms {
        let others = all.checked_sub(most(bounds, (variable, c))?)?;
        // c * x >= -others
        let need = others.checked_neg()?;
        let (low, high) = bounds[variable];
        if c > 0 {
            let least = need.div_euclid(c) + i128::from(need.rem_euclid(c) != 0);
            if least > low {
                (bounds[variable].0, changed) = (least, true);
            }
        } else {
            // x <= others / -c
            let greatest = others.div_euclid(-c);
            if greatest < high {
                (bounds[variable].1, changed) = (greatest, true);
            }
        }
        if bounds[variable].0 > bounds[variable].1 {
            return Some(None);
        }
    }
    Some(Some(changed))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(constant: i128, terms: &[(usize, i128)]) -> Row {
        terms.iter().try_fold(Row::constant(constant), |row, (v, c)| row.with(*v, *c)).expect("small")
    }

    #[test]
    fn small_systems_agree_with_every_point() {
        // Coefficients from a counter, so that many systems of each kind come by.
        let (mut empty, mut found) = (0, 0);
        for seed in 0..4000i128 {
            let digit = |n: u32| (seed * 7919 + 13).rem_euclid(7i128.pow(n + 1)) / 7i128.pow(n) - 3;
            let mut system = System::default();
            (0..3).for_each(|_| {
                system.variable(-2, 3);
            });
            let equation = row(digit(0), &[(0, digit(1)), (1, digit(2)), (2, 2 * digit(3))]);
            let bound = row(digit(2) - 2, &[(0, digit(3)), (1, digit(4)), (2, 1)]);
            system.zero(equation.clone());
            system.not_negative(bound.clone());
            let holds = |point: &[i128]| equation.value(point) == Some(0) && bound.value(point) >= Some(0);
            let range = || -2..=3i128;
            let any = range().any(|x| range().any(|y| range().any(|z| holds(&[x, y, z]))));
            match system.solve() {
                Points::Empty => {
                    assert!(!any, "seed {seed}: {equation:?}, {bound:?}");
                    empty += 1;
                }
                Points::One(point) => {
                    assert!(
                        holds(&point) && point.iter().all(|x| range().contains(x)),
                        "seed {seed}: {point:?}"
                    );
                    found += 1;
                }
                Points::Unknown => panic!("seed {seed}: small systems are decided"),
            }
        }
        assert!(empty > 200 && found > 2000, "{empty} {found}");
    }
}
