//! Can two accesses in different iterations meet in one element?
//!
//! Both accesses are lists of coordinates over the same variables (loops around one or both). How the two iterations relate is
//! said per variable, see [`Across`]. The question becomes integer points of a linear system (`system.rs`): a
//! variable that may differ is written as `other + distance`, so that mixed-radix sums are injective at first sight; a
//! quotient by a number becomes a variable between two inequalities. In `i * n + j`, where `n` is the same in both and `j` is
//! known to lie below it, rows and places in them are compared apart. Other products of variables and quotients by them are
//! opaque: still compared as the same value where both sides have them, otherwise only bounded.
//!
//! "Never" is a proof for all values within the ranges. A clash with points is one too, if the loops really visit the whole box.

use crate::range::{Range, Ranges};
use crate::sum::{Atom, Product, Sum};
use crate::system::{Points, Row, System};
use std::collections::BTreeMap;
use terrace_support::affine::AffineExpr;
use terrace_support::gcd;

/// How a variable of the first iteration relates to the same one of the second
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Across {
    /// Equal: loops around the one in question
    Same,
    /// At least one of the variables marked so differs: the loops in question
    Differ,
    /// Less in the first than in the second
    Before,
    /// Greater in the first than in the second
    After,
    /// Independent: loops inside
    Free,
}

/// Two accesses that meet, or that were not proved not to
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Clash {
    /// In these two iterations; values of the variables in order
    At {
        /// Where the first access is made
        first: Vec<i64>,
        /// Where the second access is made
        second: Vec<i64>,
    },
    /// Neither proved nor refuted
    Unknown,
}

/// Can `a` in one iteration and `b` in another meet? `None` is the proof that they can't
///
/// Variables beyond `across` are [`Across::Free`]. Symbols are the same in both. Accesses of different rank are not
/// compared: that gives [`Clash::Unknown`].
///
/// ```
/// use terrace_analysis::{Across, Clash, Range, may_conflict};
/// use terrace_support::affine::AffineExpr;
/// let d = AffineExpr::Dim;
/// let ranges = [Range::stepped(0, 63, 8).unwrap(), Range::below(8).unwrap()];
/// let own = [d(0) + d(1)];
/// assert_eq!(may_conflict(&own, &own, &ranges, &[Across::Differ, Across::Free]), None);
/// let next = [d(0) + d(1) + 1.into()];
/// let clash = may_conflict(&own, &next, &ranges, &[Across::Differ, Across::Free]);
/// assert_eq!(clash, Some(Clash::At { first: vec![8, 0], second: vec![0, 7] }));
/// ```
pub fn may_conflict<'a>(
    a: &[AffineExpr],
    b: &[AffineExpr],
    ranges: impl Into<Ranges<'a>>,
    across: &[Across],
) -> Option<Clash> {
    may_conflict_where(a, b, [&[], &[]], ranges, across)
}

/// The same where these expressions are at least 0 in the first and in the second iteration: where both accesses are made
///
/// Limits of loops, and conditions around. What is too hard for the system is left out: then more is held possible.
pub fn may_conflict_where<'a>(
    a: &[AffineExpr],
    b: &[AffineExpr],
    holds: [&[AffineExpr]; 2],
    ranges: impl Into<Ranges<'a>>,
    across: &[Across],
) -> Option<Clash> {
    let ranges = ranges.into();
    if a.len() != b.len() {
        return Some(Clash::Unknown);
    }
    let all = a.iter().chain(b).chain(holds[0]).chain(holds[1]);
    let dims = all.map(|e| e.arity().0 as usize).max().unwrap_or(0);
    let dims = dims.max(across.len()).max(ranges.dims.len());
    let mut across = across.to_vec();
    across.resize(dims, Across::Free);
    let Some(shared) = Shared::new(a, b, holds, ranges, &across) else { return Some(Clash::Unknown) };
    // One system for each variable that may be the one that differs, and each direction.
    let differing: Vec<usize> = (0..dims).filter(|n| across[*n] == Across::Differ).collect();
    if differing.is_empty() {
        return shared.clash(None);
    }
    let cases = differing.into_iter().flat_map(|n| [(n, true), (n, false)]);
    let mut unknown = None;
    for case in cases {
        match shared.clash(Some(case)) {
            None => {}
            Some(Clash::Unknown) => unknown = Some(Clash::Unknown),
            found => return found,
        }
    }
    unknown
}

/// A variable as rows: its value in the first iteration and in the second
struct Pair {
    first: Row,
    second: Row,
    /// How much greater it is in the first; `None` if it is the same, or if they have nothing to do with each other
    distance: Option<usize>,
}

/// The system without the case distinction
struct Shared {
    system: System,
    pairs: Vec<Pair>,
    /// Something is not as exact as the points are
    opaque: bool,
}

/// What variables without a range are taken to lie in
const FAR: i128 = 1 << 62;

impl Shared {
    fn new(
        a: &[AffineExpr],
        b: &[AffineExpr],
        holds: [&[AffineExpr]; 2],
        ranges: Ranges<'_>,
        across: &[Across],
    ) -> Option<Shared> {
        let dims = across.len();
        let mut system = System::default();
        let mut pairs = Vec::with_capacity(dims);
        let in_both = |n: usize| {
            let uses = |exprs: [&[AffineExpr]; 2]| exprs.concat().iter().any(|e| e.uses_dim(n as u32));
            uses([a, holds[0]]) && uses([b, holds[1]])
        };
        for (n, across) in across.iter().enumerate() {
            let range = ranges.dims.get(n).copied();
            pairs.push(match across {
                Across::Free if !in_both(n) => Pair::apart(&mut system, range)?,
                _ => Pair::new(&mut system, range, *across)?,
            });
        }
        let all = a.iter().chain(b).chain(holds[0]).chain(holds[1]);
        let symbols = all.map(|e| e.arity().1 as usize).max().unwrap_or(0);
        let mut rows = Vec::with_capacity(symbols);
        for n in 0..symbols {
            rows.push(counted(&mut system, ranges.symbols.get(n).copied())?);
        }
        // The second iteration's variables follow those of the first, so that common parts of both are one form.
        let same = |n: usize| matches!(across[n], Across::Same);
        let second: Vec<AffineExpr> =
            (0..dims).map(|n| AffineExpr::Dim(if same(n) { n } else { dims + n } as u32)).collect();
        let all = |n: usize| ranges.dims.get(n).copied().unwrap_or(Range::ALL);
        let both: Vec<Range> = (0..dims).chain(0..dims).map(all).collect();
        let both = Ranges { dims: &both, symbols: ranges.symbols };
        let mut atoms = Atoms {
            system,
            pairs: &pairs,
            symbols: &rows,
            ranges: both,
            known: BTreeMap::new(),
            opaque: false,
        };
        let in_first = holds[0].iter().map(|e| Some(e.clone()));
        let in_second = holds[1].iter().map(|e| e.replace(&second, &[]));
        for condition in in_first.chain(in_second) {
            match condition.and_then(|e| Sum::of(&e, both)) {
                Some(sum) => {
                    let row = atoms.row(&sum)?;
                    atoms.system.not_negative(row);
                }
                // Points may break it, so that they are no longer certain.
                None => atoms.opaque = true,
            }
        }
        // What holds helps to take products apart.
        for (a, b) in a.iter().zip(b) {
            let difference =
                b.replace(&second, &[]).and_then(|b| Sum::of(a, both)?.plus(&Sum::of(&b, both)?, -1));
            match difference {
                Some(sum) => atoms.zero(&sum)?,
                // Left out: the coordinate may be equal for all that is known.
                None => atoms.opaque = true,
            }
        }
        let (system, opaque) = (atoms.system, atoms.opaque);
        Some(Shared { system, pairs, opaque })
    }

    /// Solve, with this variable greater in the first iteration (`true`) or less
    fn clash(&self, case: Option<(usize, bool)>) -> Option<Clash> {
        let mut system = self.system.clone();
        if let Some((n, greater)) = case
            && let Some(distance) = self.pairs[n].distance
        {
            let Some(row) = Row::constant(-1).with(distance, if greater { 1 } else { -1 }) else {
                return Some(Clash::Unknown);
            };
            system.not_negative(row);
        }
        match system.solve() {
            Points::Empty => None,
            Points::One(point) if !self.opaque => {
                let read = |row: &Row| row.value(&point).and_then(|value| i64::try_from(value).ok());
                let first: Option<Vec<i64>> = self.pairs.iter().map(|pair| read(&pair.first)).collect();
                let second: Option<Vec<i64>> = self.pairs.iter().map(|pair| read(&pair.second)).collect();
                match (first, second) {
                    (Some(first), Some(second)) => Some(Clash::At { first, second }),
                    _ => Some(Clash::Unknown),
                }
            }
            _ => Some(Clash::Unknown),
        }
    }
}

/// Values as `low + step * count`, where the count is 0 to `last`: low, step, last
fn counts(range: Option<Range>) -> (i128, i128, i128) {
    let of = |range: Range| {
        (i128::from(range.min()), i128::from(range.step().max(1)), i128::from(range.count()) - 1)
    };
    range.map_or((-FAR, 1, 2 * FAR), of)
}

impl Pair {
    /// Two variables without a distance: nothing is won by one where only one iteration mentions the variable, and a sum of two
    /// with bounds of its own takes many boxes to refute
    fn apart(system: &mut System, range: Option<Range>) -> Option<Pair> {
        let (low, step, last) = counts(range);
        let mut one = || Row::constant(low).with(system.variable(0, last), step);
        Some(Pair { first: one()?, second: one()?, distance: None })
    }

    fn new(system: &mut System, range: Option<Range>, across: Across) -> Option<Pair> {
        let (low, step, last) = counts(range);
        // value = low + step * count, and the distance is in counts too
        let count = system.variable(0, last);
        let second = Row::constant(low).with(count, step)?;
        if across == Across::Same {
            return Some(Pair { first: second.clone(), second, distance: None });
        }
        let distance = system.variable(-last, last);
        match across {
            Across::Before => system.not_negative(Row::constant(-1).with(distance, -1)?),
            Across::After => system.not_negative(Row::constant(-1).with(distance, 1)?),
            _ => {}
        }
        system.not_negative(Row::constant(0).with(count, 1)?.with(distance, 1)?);
        system.not_negative(Row::constant(last).with(count, -1)?.with(distance, -1)?);
        let first = second.clone().with(distance, step)?;
        Some(Pair { first, second, distance: Some(distance) })
    }
}

/// A variable that is the same in both
fn counted(system: &mut System, range: Option<Range>) -> Option<Row> {
    Some(Pair::new(system, range, Across::Same)?.first)
}

/// Rows of sums, with a variable for each quotient and each opaque product
struct Atoms<'a> {
    system: System,
    pairs: &'a [Pair],
    symbols: &'a [Row],
    ranges: Ranges<'a>,
    known: BTreeMap<Product, usize>,
    opaque: bool,
}

impl Atoms<'_> {
    /// Let a sum be zero
    ///
    /// `size * Q + R = 0` with `|R| < size` is `Q = 0` and `R = 0`: how elements of rows whose length is no number differ.
    fn zero(&mut self, sum: &Sum) -> Option<()> {
        let mut open = vec![sum.clone()];
        while let Some(sum) = open.pop() {
            match self.taken_apart(&sum) {
                Some(parts) => open.extend(parts),
                None => {
                    let row = self.row(&sum)?;
                    self.system.zero(row);
                }
            }
        }
        Some(())
    }

    /// The sums that are zero exactly where this one is, if it has a product with a size that divides it so
    fn taken_apart(&mut self, sum: &Sum) -> Option<[Sum; 2]> {
        let same = |atom: &Atom| match atom {
            Atom::Dim(n) => self.pairs.get(*n as usize).is_some_and(|pair| pair.first == pair.second),
            Atom::Symbol(_) => true,
            Atom::Div(..) => false,
        };
        let mut sizes: Vec<Atom> = Vec::new();
        for (product, _) in sum.terms().filter(|(product, _)| product.len() > 1) {
            let new = product.iter().filter(|atom| same(atom) && !sizes.contains(atom));
            sizes.extend(new.cloned().collect::<Vec<_>>());
        }
        for size in sizes {
            let (quotient, rest) = sum.split_by(&size)?;
            let divisor = quotient.terms().fold(0, |all, (_, c)| gcd(all, c.unsigned_abs()));
            let divisor = i64::try_from(divisor).ok().filter(|divisor| *divisor > 0)?;
            let mut small = Sum::default();
            for (product, c) in quotient.terms() {
                small.add_term(product.clone(), c / divisor)?;
            }
            let before = self.opaque;
            let (one, row) = (self.row(&Sum::from(size))?, self.row(&rest)?);
            // size ≥ 1, and divisor · size − 1 ± R ≥ 0
            let positive = one.plus(&Row::constant(1), -1)?;
            let room = Row::constant(-1).plus(&one, i128::from(divisor))?;
            let system = &self.system;
            if system.shows(&positive)
                && system.shows(&room.plus(&row, 1)?)
                && system.shows(&room.plus(&row, -1)?)
            {
                self.opaque = before;
                return Some([small, rest]);
            }
        }
        None
    }

    fn row(&mut self, sum: &Sum) -> Option<Row> {
        let mut row = Row::default();
        for (product, coefficient) in sum.terms() {
            let value = match product.as_slice() {
                [] => Row::constant(1),
                [Atom::Dim(n)] => {
                    let n = *n as usize;
                    match self.pairs.get(n) {
                        Some(pair) => pair.first.clone(),
                        None => self.pairs.get(n - self.pairs.len())?.second.clone(),
                    }
                }
                [Atom::Symbol(n)] => self.symbols.get(*n as usize)?.clone(),
                _ => Row::default().with(self.hidden(product)?, 1)?,
            };
            row = row.plus(&value, i128::from(coefficient))?;
        }
        Some(row)
    }

    /// The variable of a quotient, or of a product that is not linear
    fn hidden(&mut self, product: &Product) -> Option<usize> {
        if let Some(variable) = self.known.get(product) {
            return Some(*variable);
        }
        if let [Atom::Div(inner, divisor)] = product.as_slice()
            && let Some(by @ 1..) = divisor.as_constant()
        {
            let inner = self.row(inner)?;
            let variable = self.bounded(product);
            let by = i128::from(by);
            // 0 <= inner - by * variable <= by - 1
            let rest = inner.with(variable, -by)?;
            self.system.not_negative(Row::constant(by - 1).plus(&rest, -1)?);
            self.system.not_negative(rest);
            return Some(variable);
        }
        self.opaque = true;
        Some(self.bounded(product))
    }

    fn bounded(&mut self, product: &Product) -> usize {
        let range = Sum::from_product(product.clone()).range(self.ranges);
        let (low, high) = range.map_or((-FAR, FAR), |r| (i128::from(r.min()), i128::from(r.max())));
        let variable = self.system.variable(low, high);
        self.known.insert(product.clone(), variable);
        variable
    }
}
