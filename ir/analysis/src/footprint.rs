//! The elements that an access touches while some of its loops run: a box that moves with the loops around.
//!
//! Coordinate `k` of every access lies in `base[k] + offsets[k]`. The base holds what only outer variables decide; an
//! outer part in a quotient that also has inner variables is taken out as a quotient of its own, and what its remainder may
//! add goes to the offsets. So the box holds all elements, and is never larger than the ranges alone would say.

use crate::emit::expr_of;
use crate::range::{Range, Ranges};
use crate::sum::{Atom, Product, Sum};
use terrace_support::affine::{AffineExpr, AffineMap};
use terrace_support::gcd;

/// A box of elements
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Footprint {
    /// Where it starts counting, over outer variables only
    pub base: Vec<AffineExpr>,
    /// What the inner variables add
    pub offsets: Vec<Range>,
    /// Is every element of the box touched, if the access has a value at all? `false` if not, or not proved
    pub full: bool,
}

impl Footprint {
    /// Number of elements from the first to the last in each dimension; `None` if that leaves `u64`
    pub fn extents(&self) -> Option<Vec<u64>> {
        let extent =
            |range: &Range| u64::try_from(i128::from(range.max()) - i128::from(range.min()) + 1).ok();
        self.offsets.iter().map(extent).collect()
    }

    /// Number of elements of the box
    pub fn elements(&self) -> Option<u64> {
        self.extents()?.into_iter().try_fold(1u64, u64::checked_mul)
    }

    /// Size of a buffer for the box
    pub fn bytes(&self, element_bytes: u64) -> Option<u64> {
        self.elements()?.checked_mul(element_bytes)
    }

    /// First element of the box, over outer variables
    pub fn origin(&self) -> Vec<AffineExpr> {
        let at = |(base, range): (&AffineExpr, &Range)| AffineExpr::add(base.clone(), range.min().into());
        self.base.iter().zip(&self.offsets).map(at).collect()
    }
}

/// The box of all elements of the access; `None` if a variable's range is not known or a bound leaves `i64`
///
/// ```
/// use terrace_analysis::{Range, footprint};
/// use terrace_support::affine::{AffineExpr, AffineMap};
/// let d = AffineExpr::Dim;
/// let access = AffineMap::new(2, 0, vec![d(0) * 2.into() + d(1)]).unwrap();
/// let found = footprint(&access, &[Range::below(8).unwrap(), Range::below(3).unwrap()]).unwrap();
/// assert_eq!((found.elements(), found.full), (Some(17), true));
/// ```
pub fn footprint<'a>(access: &AffineMap, ranges: impl Into<Ranges<'a>>) -> Option<Footprint> {
    footprint_inside(access, ranges, |_| true)
}

/// The box of the elements that the access touches while the inner variables run and the others stand still
///
/// Symbols stand still.
///
/// ```
/// use terrace_analysis::{Range, footprint_inside};
/// use terrace_support::affine::{AffineExpr, AffineMap};
/// let d = AffineExpr::Dim;
/// let access = AffineMap::new(2, 0, vec![d(0) + d(1)]).unwrap();
/// let ranges = [Range::stepped(0, 63, 8).unwrap(), Range::below(8).unwrap()];
/// let tile = footprint_inside(&access, &ranges, |dim| dim == 1).unwrap();
/// assert_eq!((tile.base[0].clone(), tile.bytes(4)), (d(0), Some(32)));
/// ```
pub fn footprint_inside<'a>(
    access: &AffineMap,
    ranges: impl Into<Ranges<'a>>,
    inner: impl Fn(u32) -> bool,
) -> Option<Footprint> {
    let ranges = ranges.into();
    let split = Split { ranges, inner: &inner };
    let (mut base, mut offsets, mut sums) = (Vec::new(), Vec::new(), Vec::new());
    for expr in &access.results {
        let sum = Sum::of(expr, ranges)?;
        let (fixed, moving) = split.of(&sum)?;
        base.push(expr_of(&fixed, ranges));
        offsets.push(moving);
        sums.push(sum);
    }
    let full = split.full(&sums);
    Some(Footprint { base, offsets, full })
}

struct Split<'a> {
    ranges: Ranges<'a>,
    inner: &'a dyn Fn(u32) -> bool,
}

impl Split<'_> {
    fn moves(&self, product: &Product) -> bool {
        let mut inner = |atom: &Atom| matches!(atom, Atom::Dim(n) if (self.inner)(*n));
        product.iter().any(|atom| match atom {
            Atom::Div(a, b) => a.any_variable(&mut inner) || b.any_variable(&mut inner),
            variable => inner(variable),
        })
    }

    /// What stands still, and the range of what is added to it
    fn of(&self, sum: &Sum) -> Option<(Sum, Range)> {
        let (mut fixed, mut moving) = (Sum::default(), Sum::default());
        let mut around = Range::one(0);
        for (product, coefficient) in sum.terms() {
            if !self.moves(product) {
                fixed.add_term(product.clone(), coefficient)?;
                continue;
            }
            if let Some((base, range)) = self.of_quotient(product) {
                fixed.add_scaled(&base, coefficient)?;
                around = around.plus(range.times(coefficient)?)?;
            } else {
                moving.add_term(product.clone(), coefficient)?;
            }
        }
        let whole = moving.range(self.ranges)?;
        Some((fixed, around.plus(whole)?))
    }

    /// `(o + i) floordiv c = o floordiv c + (o mod c + i) floordiv c`, if there is an outer part `o`
    fn of_quotient(&self, product: &Product) -> Option<(Sum, Range)> {
        let [Atom::Div(inner, divisor)] = product.as_slice() else { return None };
        let by = divisor.as_constant().filter(|by| *by > 1)?;
        let (outer, range) = self.of(inner)?;
        if outer.as_constant().is_some() {
            return None;
        }
        let step = outer.range(self.ranges).map_or(1, |range| gcd(range.divisor(), by.unsigned_abs()));
        let rest = Range::stepped(0, by.checked_sub(1)?, i64::try_from(step.max(1)).ok()?)?;
        Some((outer.floor_div_by(by, self.ranges)?, rest.plus(range)?.floor_div(by)?))
    }

    /// Each coordinate adds multiples of inner variables of its own, which leave no gap
    fn full(&self, sums: &[Sum]) -> bool {
        let mut seen: Vec<u32> = Vec::new();
        for sum in sums {
            let mut parts: Vec<(i128, i128)> = Vec::new();
            for (product, coefficient) in sum.terms().filter(|(product, _)| self.moves(product)) {
                let [Atom::Dim(n)] = product.as_slice() else { return false };
                let Some(range) = self.ranges.dims.get(*n as usize) else { return false };
                if seen.contains(n) {
                    return false;
                }
                seen.push(*n);
                let stride = i128::from(coefficient).abs() * i128::from(range.step());
                parts.push((stride, i128::from(range.count()) - 1));
            }
            // Sorted by stride, each may step at most one beyond what the finer ones reach.
            parts.sort_unstable();
            let mut reach: i128 = 0;
            for (stride, count) in parts {
                if stride > reach + 1 {
                    return false;
                }
                let Some(more) = stride.checked_mul(count) else { return false };
                reach += more;
            }
        }
        true
    }
}
