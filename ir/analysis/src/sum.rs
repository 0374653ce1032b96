//! The one form of index expressions: a sum of integer multiples of products of atoms.
//!
//! Atoms are variables and quotients rounded down. Remainders and quotients rounded up are written with those:
//! `a mod b = a - b * (a floordiv b)`, `a ceildiv b = (a + b - 1) floordiv b`. So the laws of rings and of division with
//! remainder hold by construction, and what ranges prove (`i floordiv 4 = 0` for `i < 4`) is used while building.
//!
//! Invariants: no zero coefficients; the factors of a product are sorted; in `a floordiv c` with a constant `c`, `c > 1`
//! and no coefficient of `a` reaches `c`. All operations give `None` beyond the limits below or when a number leaves `i64`.

use crate::range::{Range, Ranges};
use std::collections::BTreeMap;
use terrace_support::affine::{AffineExpr, AffineKind};
use terrace_support::gcd;

/// Most products of one sum
const MAX_TERMS: usize = 256;

/// Deepest expression below products and quotients
const MAX_DEPTH: usize = 32;

/// Most quotients inside each other that do not collapse into one: work may grow tenfold with each
const MAX_QUOTIENTS: usize = 4;

/// The factors of products
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Atom {
    /// The dimension `dN`
    Dim(u32),
    /// The symbol `sN`
    Symbol(u32),
    /// A quotient rounded towards minus infinity
    Div(Box<Sum>, Box<Sum>),
}

/// Factors in order; none for the constant term
pub type Product = Vec<Atom>;

/// Products with their coefficients
#[derive(Clone, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Sum {
    terms: BTreeMap<Product, i64>,
}

impl From<Atom> for Sum {
    fn from(atom: Atom) -> Sum {
        Sum { terms: BTreeMap::from([(vec![atom], 1)]) }
    }
}

impl Sum {
    /// A number
    pub fn constant(value: i64) -> Sum {
        let mut sum = Sum::default();
        if value != 0 {
            sum.terms.insert(Vec::new(), value);
        }
        sum
    }

    /// One product
    pub(crate) fn from_product(product: Product) -> Sum {
        Sum { terms: BTreeMap::from([(product, 1)]) }
    }

    /// The form of an expression, simplified by what is known of its variables
    pub fn of(expr: &AffineExpr, ranges: Ranges<'_>) -> Option<Sum> {
        Sum::of_nested(expr, ranges, 0)
    }

    fn of_nested(expr: &AffineExpr, ranges: Ranges<'_>, depth: usize) -> Option<Sum> {
        if depth > MAX_DEPTH {
            return None;
        }
        let mut sum = Sum::default();
        // Long sums are chains: a list, not recursion.
        let mut pending = vec![(expr.clone(), 1i64)];
        while let Some((expr, factor)) = pending.pop() {
            let (kind, lhs, rhs) = match &expr {
                AffineExpr::Dim(n) => {
                    sum.add_scaled(&Sum::of_variable(Atom::Dim(*n), ranges), factor)?;
                    continue;
                }
                AffineExpr::Symbol(n) => {
                    sum.add_scaled(&Sum::of_variable(Atom::Symbol(*n), ranges), factor)?;
                    continue;
                }
                AffineExpr::Constant(value) => {
                    sum.add_term(Vec::new(), value.checked_mul(factor)?)?;
                    continue;
                }
                AffineExpr::Binary(node) => (node.kind(), node.lhs(), node.rhs()),
            };
            if kind == AffineKind::Add {
                pending.push((lhs.clone(), factor));
                pending.push((rhs.clone(), factor));
                continue;
            }
            if let (AffineKind::Mul, Some(by)) = (kind, rhs.as_constant()) {
                pending.push((lhs.clone(), factor.checked_mul(by)?));
                continue;
            }
            let a = Sum::of_nested(lhs, ranges, depth + 1)?;
            let b = Sum::of_nested(rhs, ranges, depth + 1)?;
            let value = match kind {
                AffineKind::Mul => a.times(&b)?,
                AffineKind::FloorDiv => a.floor_div(&b, ranges)?,
                AffineKind::CeilDiv => a.plus(&b, 1)?.plus(&Sum::constant(1), -1)?.floor_div(&b, ranges)?,
                AffineKind::Mod => a.modulo(&b, ranges)?,
                AffineKind::Add => continue,
            };
            sum.add_scaled(&value, factor)?;
        }
        Some(sum)
    }

    /// A variable, or its value if it can have only one
    fn of_variable(atom: Atom, ranges: Ranges<'_>) -> Sum {
        match atom_range(&atom, ranges).and_then(Range::as_constant) {
            Some(value) => Sum::constant(value),
            None => Sum::from(atom),
        }
    }

    /// Products with their coefficients, in order; the constant first
    pub fn terms(&self) -> impl Iterator<Item = (&Product, i64)> {
        self.terms.iter().map(|(product, coefficient)| (product, *coefficient))
    }

    /// Is this zero, as a form?
    pub fn is_zero(&self) -> bool {
        self.terms.is_empty()
    }

    /// The number, if it is one
    pub fn as_constant(&self) -> Option<i64> {
        match self.terms.len() {
            0 => Some(0),
            1 => self.terms.get(&Vec::new()).copied(),
            _ => None,
        }
    }

    /// The constant term
    pub fn constant_term(&self) -> i64 {
        self.coefficient(&Vec::new())
    }

    /// Coefficient of a product
    pub fn coefficient(&self, product: &Product) -> i64 {
        self.terms.get(product).copied().unwrap_or(0)
    }

    /// Whether some variable satisfies the test, also inside of quotients
    pub fn any_variable(&self, test: &mut dyn FnMut(&Atom) -> bool) -> bool {
        self.terms.keys().flatten().any(|atom| match atom {
            Atom::Div(a, b) => a.any_variable(test) || b.any_variable(test),
            variable => test(variable),
        })
    }

    /// Quotients inside each other
    fn quotients(&self) -> usize {
        let inside = self.terms.keys().flatten().map(|atom| match atom {
            Atom::Div(a, b) => 1 + a.quotients().max(b.quotients()),
            _ => 0,
        });
        inside.max().unwrap_or(0)
    }

    pub(crate) fn add_term(&mut self, product: Product, coefficient: i64) -> Option<()> {
        let slot = self.terms.entry(product).or_insert(0);
        *slot = slot.checked_add(coefficient)?;
        if *slot == 0 {
            self.terms.retain(|_, coefficient| *coefficient != 0);
        }
        (self.terms.len() <= MAX_TERMS).then_some(())
    }

    pub(crate) fn add_scaled(&mut self, other: &Sum, factor: i64) -> Option<()> {
        for (product, coefficient) in &other.terms {
            let value = coefficient.checked_mul(factor)?;
            match self.terms.get_mut(product) {
                Some(slot) => *slot = slot.checked_add(value)?,
                None => {
                    self.terms.insert(product.clone(), value);
                }
            }
        }
        self.terms.retain(|_, coefficient| *coefficient != 0);
        (self.terms.len() <= MAX_TERMS).then_some(())
    }

    /// `self = atom * first + second`, no product of `second` with the atom
    pub(crate) fn split_by(&self, atom: &Atom) -> Option<(Sum, Sum)> {
        let (mut with, mut without) = (Sum::default(), Sum::default());
        for (product, coefficient) in self.terms() {
            match product.iter().position(|other| other == atom) {
                Some(at) => {
                    let mut rest = product.clone();
                    rest.remove(at);
                    with.add_term(rest, coefficient)?;
                }
                None => without.add_term(product.clone(), coefficient)?,
            }
        }
        Some((with, without))
    }

    /// `self + factor * other`
    pub fn plus(&self, other: &Sum, factor: i64) -> Option<Sum> {
        let mut sum = self.clone();
        sum.add_scaled(other, factor)?;
        Some(sum)
    }

    /// The product of two sums
    pub fn times(&self, other: &Sum) -> Option<Sum> {
        let mut all = Sum::default();
        for (a, x) in &self.terms {
            for (b, y) in &other.terms {
                let mut product = [a.as_slice(), b.as_slice()].concat();
                product.sort();
                all.add_term(product, x.checked_mul(*y)?)?;
            }
        }
        Some(all)
    }

    /// `self mod divisor`; the divisor is positive
    pub fn modulo(&self, divisor: &Sum, ranges: Ranges<'_>) -> Option<Sum> {
        let quotient = self.floor_div(divisor, ranges)?;
        self.plus(&quotient.times(divisor)?, -1)
    }

    /// `self floordiv divisor`; the divisor is positive wherever the expression has a value
    pub fn floor_div(&self, divisor: &Sum, ranges: Ranges<'_>) -> Option<Sum> {
        if self.quotients() >= MAX_QUOTIENTS || divisor.quotients() >= MAX_QUOTIENTS {
            return None;
        }
        match divisor.as_constant() {
            Some(by) if by > 0 => self.floor_div_by(by, ranges),
            Some(_) => None,
            None => self.floor_div_by_product(divisor, ranges),
        }
    }

    /// Terms that the divisor, if it is one product, divides go out; the rest stays a quotient
    fn floor_div_by_product(&self, divisor: &Sum, ranges: Ranges<'_>) -> Option<Sum> {
        let (mut quotient, mut rest) = (Sum::default(), Sum::default());
        let mut factors = divisor.terms.iter();
        let only = factors.next().filter(|_| factors.next().is_none());
        for (product, &coefficient) in &self.terms {
            let divided = only.filter(|(_, by)| coefficient % **by == 0).and_then(|(by, scale)| {
                let mut left = product.clone();
                for factor in by {
                    let at = left.iter().position(|other| other == factor)?;
                    left.remove(at);
                }
                Some((left, coefficient.checked_div(*scale)?))
            });
            match divided {
                Some((product, coefficient)) => quotient.add_term(product, coefficient)?,
                None => rest.add_term(product.clone(), coefficient)?,
            }
        }
        if rest == *divisor {
            quotient.add_term(Vec::new(), 1)?;
        } else if let (Some(range), Some(by)) = (rest.range(ranges), divisor.range(ranges))
            && range.min() >= 0
            && range.max() < by.min()
        {
            // The rest is too small to count.
        } else if !rest.is_zero() {
            let atom = Atom::Div(Box::new(rest), Box::new(divisor.clone()));
            quotient.add_scaled(&Sum::from(atom), 1)?;
        }
        Some(quotient)
    }

    /// Quotient by a positive number
    pub fn floor_div_by(&self, by: i64, ranges: Ranges<'_>) -> Option<Sum> {
        // Multiples of the divisor go out. Towards zero first: small coefficients make small ranges.
        let (quotient, rest) = self.split(by, i64::checked_div)?;
        if let Some(value) = rest.range(ranges).and_then(|range| range.floor_div(by)?.as_constant()) {
            return quotient.plus(&Sum::constant(value), 1);
        }
        let (mut quotient, rest) = self.split(by, i64::checked_div_euclid)?;
        if let Some(value) = rest.range(ranges).and_then(|range| range.floor_div(by)?.as_constant()) {
            return quotient.plus(&Sum::constant(value), 1);
        }
        let (inner, by) = rest.coarsened(by, ranges)?;
        if by == 1 {
            return quotient.plus(&inner, 1);
        }
        if let Some((inner, by)) = inner.collapsed(by)? {
            return quotient.plus(&inner.floor_div_by(by, ranges)?, 1);
        }
        // What was made coarser may have multiples of the smaller divisor again.
        let (more, inner) = inner.split(by, i64::checked_div_euclid)?;
        quotient.add_scaled(&more, 1)?;
        match inner.range(ranges).and_then(|range| range.floor_div(by)?.as_constant()) {
            Some(value) => quotient.plus(&Sum::constant(value), 1),
            None => {
                let inner = inner.without_fine(by, ranges)?;
                let atom = Atom::Div(Box::new(inner), Box::new(Sum::constant(by)));
                quotient.plus(&Sum::from(atom), 1)
            }
        }
    }

    /// `q` and `r` with `self = by * q + r`, coefficient by coefficient
    fn split(&self, by: i64, divide: impl Fn(i64, i64) -> Option<i64>) -> Option<(Sum, Sum)> {
        let (mut quotient, mut rest) = (Sum::default(), Sum::default());
        for (product, &coefficient) in &self.terms {
            let q = divide(coefficient, by)?;
            quotient.add_term(product.clone(), q)?;
            rest.add_term(product.clone(), coefficient.checked_sub(by.checked_mul(q)?)?)?;
        }
        Some((quotient, rest))
    }

    /// `a` and `c / g` with `self floordiv c = a floordiv (c / g)`: where `self = g * a + b`, `0 <= b < g`, `g` divides `c`
    fn coarsened(&self, by: i64, ranges: Ranges<'_>) -> Option<(Sum, i64)> {
        let mut sizes: Vec<i64> = self
            .terms
            .iter()
            .filter(|(product, _)| !product.is_empty())
            .map(|(_, coefficient)| gcd(coefficient.unsigned_abs(), by.unsigned_abs()) as i64)
            .filter(|size| *size > 1)
            .collect();
        sizes.sort_unstable_by_key(|size| std::cmp::Reverse(*size));
        sizes.dedup();
        for size in sizes {
            let (mut coarse, mut fine) = (Sum::default(), Sum::default());
            for (product, &coefficient) in &self.terms {
                if product.is_empty() {
                    coarse.add_term(Vec::new(), coefficient.div_euclid(size))?;
                    fine.add_term(Vec::new(), coefficient.rem_euclid(size))?;
                } else if coefficient % size == 0 {
                    coarse.add_term(product.clone(), coefficient / size)?;
                } else {
                    fine.add_term(product.clone(), coefficient)?;
                }
            }
            if fine.range(ranges).is_some_and(|range| range.min() >= 0 && range.max() < size) {
                return Some((coarse, by / size));
            }
        }
        Some((self.clone(), by))
    }

    /// `a` with `self floordiv c = a floordiv c`: where `self = a + b`, `0 <= b < g`, and `g` divides `c` and all values of `a`
    fn without_fine(self, by: i64, ranges: Ranges<'_>) -> Option<Sum> {
        let divisor = |product: &Product, coefficient: i64| {
            let own = match product.as_slice() {
                [atom] => atom_range(atom, ranges).map_or(1, Range::divisor),
                _ => 1,
            };
            gcd(coefficient.unsigned_abs().saturating_mul(own.max(1)), by.unsigned_abs()) as i64
        };
        let mut sizes: Vec<i64> = self
            .terms
            .iter()
            .filter(|(product, _)| !product.is_empty())
            .map(|(product, coefficient)| divisor(product, *coefficient))
            .filter(|size| *size > 1)
            .collect();
        sizes.sort_unstable_by_key(|size| std::cmp::Reverse(*size));
        sizes.dedup();
        for size in sizes {
            let mut fine = Sum::default();
            for (product, &coefficient) in &self.terms {
                if product.is_empty() {
                    fine.add_term(Vec::new(), coefficient.rem_euclid(size))?;
                } else if divisor(product, coefficient) % size != 0 {
                    fine.add_term(product.clone(), coefficient)?;
                }
            }
            if !fine.is_zero()
                && fine.range(ranges).is_some_and(|range| range.min() >= 0 && range.max() < size)
            {
                return self.plus(&fine, -1);
            }
        }
        Some(self)
    }

    /// `(x floordiv b + t) floordiv c = (x + t * b) floordiv (b * c)`; the largest such quotient. `Some(None)` if there is none
    fn collapsed(&self, by: i64) -> Option<Option<(Sum, i64)>> {
        let found = self.terms.iter().rev().find_map(|(product, coefficient)| match product.as_slice() {
            [Atom::Div(inner, divisor)] if *coefficient == 1 => {
                Some((product, inner, divisor.as_constant()?))
            }
            _ => None,
        });
        let Some((product, inner, divisor)) = found else { return Some(None) };
        let Some(whole) = divisor.checked_mul(by) else { return Some(None) };
        let mut rest = self.clone();
        rest.add_term(product.clone(), -1)?;
        Some(Some((inner.plus(&rest, divisor)?, whole)))
    }

    /// Least and greatest value; `None` if a variable's range is not known or a bound leaves `i64`
    pub fn range(&self, ranges: Ranges<'_>) -> Option<Range> {
        let plain = self.plain_range(ranges);
        let grouped = self.remainders(ranges).and_then(|(groups, rest)| {
            let mut all = rest.plain_range(ranges)?;
            for group in groups {
                all = all.plus(Range::below(group.size)?.times(group.factor)?)?;
            }
            Some(all)
        });
        match (plain, grouped) {
            (Some(plain), Some(grouped)) => Some(plain.and(grouped)),
            (one, other) => one.or(other),
        }
    }

    fn plain_range(&self, ranges: Ranges<'_>) -> Option<Range> {
        let mut all = Range::one(0);
        for (product, &coefficient) in &self.terms {
            let mut range = Range::one(1);
            for atom in product {
                let factor = atom_range(atom, ranges)?;
                range = match (range.as_constant(), factor.as_constant()) {
                    (Some(value), _) => factor.times(value)?,
                    (_, Some(value)) => range.times(value)?,
                    _ => range.product(factor)?,
                };
            }
            all = all.plus(range.times(coefficient)?)?;
        }
        Some(all)
    }

    /// Remainders hidden in this sum, `factor * (inner mod size)`, and what is left without them; `None` if there are none
    pub(crate) fn remainders(&self, ranges: Ranges<'_>) -> Option<(Vec<Remainder>, Sum)> {
        let mut quotients: Vec<(&Sum, i64, i64)> = self
            .terms
            .iter()
            .filter_map(|(product, &coefficient)| match product.as_slice() {
                [Atom::Div(inner, divisor)] => Some((&**inner, divisor.as_constant()?, coefficient)),
                _ => None,
            })
            .collect();
        quotients.sort_by_key(|(_, divisor, _)| std::cmp::Reverse(*divisor));
        let mut divisors: Vec<i64> = quotients.iter().map(|(_, divisor, _)| *divisor).chain([1]).collect();
        divisors.dedup();
        let (mut groups, mut rest) = (Vec::new(), self.clone());
        for (inner, by, coefficient) in quotients {
            for &fine in divisors.iter().rev().filter(|fine| **fine < by && by % **fine == 0) {
                let size = by / fine;
                if coefficient % size != 0 {
                    continue;
                }
                // -coefficient = factor * size: is `factor * (inner floordiv fine)` there?
                let Some(factor) = coefficient.checked_neg().map(|all| all / size) else { continue };
                let Some(mut of) = inner.floor_div_by(fine, ranges) else { continue };
                let missing = of.constant_term();
                if of.add_term(Vec::new(), -missing).is_none() || !rest.has(&of, factor) {
                    continue;
                }
                let quotient = vec![Atom::Div(Box::new(inner.clone()), Box::new(Sum::constant(by)))];
                let taken = Sum { terms: BTreeMap::from([(quotient, coefficient)]) };
                let left = rest.plus(&of, factor.checked_neg()?).and_then(|rest| rest.plus(&taken, -1));
                let left = left.and_then(|left| left.plus(&Sum::constant(missing), factor.checked_neg()?));
                let inner = of.plus(&Sum::constant(missing), 1);
                if let (Some(left), Some(inner)) = (left, inner) {
                    groups.push(Remainder { inner, size, factor });
                    rest = left;
                    break;
                }
            }
        }
        (!groups.is_empty()).then_some((groups, rest))
    }

    /// Is every term of `factor * other` a term here?
    fn has(&self, other: &Sum, factor: i64) -> bool {
        !other.is_zero()
            && other.terms.iter().all(|(product, coefficient)| {
                coefficient.checked_mul(factor) == Some(self.coefficient(product))
            })
    }
}

/// `factor * (inner mod size)`
pub(crate) struct Remainder {
    pub(crate) inner: Sum,
    pub(crate) size: i64,
    pub(crate) factor: i64,
}

/// Range of an atom
pub(crate) fn atom_range(atom: &Atom, ranges: Ranges<'_>) -> Option<Range> {
    match atom {
        Atom::Dim(n) => ranges.dims.get(*n as usize).copied(),
        Atom::Symbol(n) => ranges.symbols.get(*n as usize).copied(),
        Atom::Div(inner, divisor) => {
            let (inner, divisor) = (inner.range(ranges)?, divisor.range(ranges)?);
            match divisor.as_constant() {
                Some(by) => inner.floor_div(by),
                // A divisor that is not positive gives no value at all.
                None => {
                    let (low, high) = (divisor.min().max(1), divisor.max().max(1));
                    let corners = [inner.min(), inner.max()].map(|x| [x.div_euclid(low), x.div_euclid(high)]);
                    let all = corners.concat();
                    Range::new(*all.iter().min()?, *all.iter().max()?)
                }
            }
        }
    }
}
