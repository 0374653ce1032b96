//! Symbolic sizes in one normal form: sums of rational multiples of products of atoms.
//!
//! Two sizes that the laws of rings, of exact quotients and of division with remainder make equal are the same value: `==`
//! decides it, without facts. Atoms are parameters (`@n`), bound names (`$l`), quotients rounded down, minima, inverses of
//! sums and powers with an exponent that is no number. `mod`, `ceildiv` and `max` are written with those and found again
//! when printed. An exact quotient (`@n / 4`) has negative exponents: that it divides is an obligation of whoever
//! wrote it, and shows as [`NatError::Inexact`] when the numbers are known.
//!
//! Invariants: no zero coefficients; terms by degree, highest first, then by names (never by ids); the factors of a product
//! sorted, without zero exponents. Sizes are shared, comparing starts with a hash.
//!
//! Not decided, since it needs to know what values are possible: `@i floordiv 4 = 0`, a minimum against its own arguments.
//! Those are questions for [`Facts`]. Limits: [`MAX_TERMS`], [`MAX_DEGREE`], [`MAX_DEPTH`]; coefficients fit `i64`. What
//! goes beyond is an error.

mod affine;
mod divide;
mod facts;
mod fraction;
mod order;
mod ratio;
mod simplify;
mod text;

pub use facts::{Claim, Facts, Proof};
pub use text::ParseNatError;

use ratio::Ratio;
use std::cmp::Ordering;
use std::collections::BTreeMap;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::Arc;
use terrace_support::HashMap;

/// Most products in a sum
pub const MAX_TERMS: usize = 256;

/// Greatest sum of exponents of a product
pub const MAX_DEGREE: i64 = 16;

/// Deepest nesting of atoms
pub const MAX_DEPTH: u32 = 1000;

/// Why there is no such size
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NatError {
    /// Beyond the limits on terms, degree or nesting
    TooLarge,
    /// A coefficient left `i64`
    Overflow,
    /// A quotient that should be exact is not
    Inexact,
    /// A divisor is zero, or is not positive where it has to be
    DivisionByZero,
}

impl fmt::Display for NatError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            NatError::TooLarge => "the size has too many terms or is nested too deep",
            NatError::Overflow => "a number of the size does not fit 64 bits",
            NatError::Inexact => "a quotient that has to be exact leaves a remainder",
            NatError::DivisionByZero => "a divisor is not positive",
        })
    }
}

impl std::error::Error for NatError {}

/// The factors of products
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
enum Atom {
    Symbol(Arc<str>),
    Bound(Arc<str>),
    FloorDiv(Nat, Nat),
    Min(Vec<Nat>),
    /// One over a sum of at least two terms, primitive, with a positive leading coefficient
    Inv(Nat),
    Pow(Nat, Nat),
}

impl Atom {
    fn depth(&self) -> u32 {
        match self {
            Atom::Symbol(_) | Atom::Bound(_) => 0,
            Atom::Inv(a) => 1 + a.0.depth,
            Atom::FloorDiv(a, b) | Atom::Pow(a, b) => 1 + a.0.depth.max(b.0.depth),
            Atom::Min(args) => 1 + args.iter().map(|arg| arg.0.depth).max().unwrap_or(0),
        }
    }
}

/// Factors with their exponents, in order
type Product = Vec<(Atom, i32)>;

fn degree(product: &Product) -> i64 {
    product.iter().map(|(_, exponent)| i64::from(*exponent)).sum()
}

/// By degree, then by the exponent of the first factor in which they differ: greater means earlier in the text
fn compare(a: &Product, b: &Product) -> Ordering {
    let by_factors = || {
        let mut b_rest = b.iter().peekable();
        for (atom, exponent) in a {
            match b_rest.peek() {
                Some((other, _)) if other < atom => {
                    return if b_rest.peek().is_some_and(|(_, e)| *e > 0) {
                        Ordering::Less
                    } else {
                        Ordering::Greater
                    };
                }
                Some((other, e)) if other == atom => {
                    if exponent != e {
                        return exponent.cmp(e);
                    }
                    b_rest.next();
                }
                _ => return if *exponent > 0 { Ordering::Greater } else { Ordering::Less },
            }
        }
        match b_rest.next() {
            None => Ordering::Equal,
            Some((_, e)) if *e > 0 => Ordering::Less,
            Some(_) => Ordering::Greater,
        }
    };
    degree(a).cmp(&degree(b)).then_with(by_factors)
}

fn multiply(a: &Product, b: &Product) -> Result<Product, NatError> {
    let mut all: BTreeMap<&Atom, i32> = a.iter().map(|(atom, exponent)| (atom, *exponent)).collect();
    for (atom, exponent) in b {
        let sum = all.entry(atom).or_insert(0);
        *sum = sum.checked_add(*exponent).ok_or(NatError::TooLarge)?;
    }
    Ok(all.into_iter().filter(|(_, exponent)| *exponent != 0).map(|(atom, e)| (atom.clone(), e)).collect())
}

struct Node {
    hash: u64,
    depth: u32,
    /// Greatest first
    terms: Vec<(Product, Ratio)>,
}

/// A size over parameters
///
/// ```
/// use terrace_analysis::nat::Nat;
/// let n = Nat::symbol("n");
/// let tiles = n.exact_div(&Nat::from(4)).unwrap();
/// assert_eq!(tiles.times(&Nat::from(4)).unwrap(), n);
/// assert_eq!("(@n - 5) floordiv 3 + 1".parse::<Nat>().unwrap(), "(@n - 2) floordiv 3".parse().unwrap());
/// assert_eq!("(@i mod (@b * @c)) floordiv @b".parse::<Nat>().unwrap(), "(@i floordiv @b) mod @c".parse().unwrap());
/// ```
#[derive(Clone)]
pub struct Nat(Arc<Node>);

impl PartialEq for Nat {
    fn eq(&self, other: &Nat) -> bool {
        Arc::ptr_eq(&self.0, &other.0) || self.0.hash == other.0.hash && self.0.terms == other.0.terms
    }
}

impl Eq for Nat {}

impl Hash for Nat {
    fn hash<H: Hasher>(&self, state: &mut H) {
        state.write_u64(self.0.hash);
    }
}

impl PartialOrd for Nat {
    fn partial_cmp(&self, other: &Nat) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Nat {
    /// An order of texts, not of values
    fn cmp(&self, other: &Nat) -> Ordering {
        if Arc::ptr_eq(&self.0, &other.0) {
            return Ordering::Equal;
        }
        let terms = |nat: &Nat| nat.0.terms.len();
        let mut pairs = self.0.terms.iter().zip(&other.0.terms);
        let first =
            pairs.find_map(|((a, x), (b, y))| Some(compare(a, b).then(x.cmp(y))).filter(|o| o.is_ne()));
        first.unwrap_or_else(|| terms(self).cmp(&terms(other)))
    }
}

impl fmt::Debug for Nat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")
    }
}

impl From<i64> for Nat {
    fn from(value: i64) -> Nat {
        Nat::of_ratio(Ratio::whole(value))
    }
}

/// Terms on the way to a normal form
#[derive(Default)]
struct Sum {
    terms: Vec<(Product, Ratio)>,
}

impl Sum {
    fn add(&mut self, product: Product, coefficient: Ratio) -> Result<(), NatError> {
        match self.terms.binary_search_by(|(other, _)| compare(&product, other)) {
            Ok(at) => {
                let sum = self.terms[at].1.plus(coefficient)?;
                if sum.is_zero() {
                    self.terms.remove(at);
                } else {
                    self.terms[at].1 = sum;
                }
            }
            Err(at) if !coefficient.is_zero() => {
                if self.terms.len() >= MAX_TERMS || degree(&product).abs() > MAX_DEGREE {
                    return Err(NatError::TooLarge);
                }
                self.terms.insert(at, (product, coefficient));
            }
            Err(_) => {}
        }
        Ok(())
    }

    fn add_all(&mut self, other: &Nat, factor: Ratio) -> Result<(), NatError> {
        other.0.terms.iter().try_for_each(|(product, c)| self.add(product.clone(), c.times(factor)?))
    }

    /// The size, unchanged
    fn done(self) -> Result<Nat, NatError> {
        let nat = self.built();
        if nat.0.depth > MAX_DEPTH { Err(NatError::TooLarge) } else { Ok(nat) }
    }

    fn built(self) -> Nat {
        let depth = self.terms.iter().flat_map(|(product, _)| product).map(|(atom, _)| atom.depth()).max();
        let hash = terrace_support::hash_one(&self.terms);
        Nat(Arc::new(Node { hash, depth: depth.unwrap_or(0), terms: self.terms }))
    }

    /// The size, with coefficients of inverses divided by what they are inverses of
    fn normal(self) -> Result<Nat, NatError> {
        let nat = self.done()?;
        let inverse = |(atom, _): &(Atom, i32)| matches!(atom, Atom::Inv(_));
        if nat.0.terms.iter().any(|(product, _)| product.iter().any(inverse)) {
            return divide::reduce_inverses(nat);
        }
        Ok(nat)
    }
}

impl Nat {
    fn of_ratio(value: Ratio) -> Nat {
        Nat::of_term(Product::new(), value)
    }

    /// Factors of sizes that are not too deep
    fn of_term(product: Product, coefficient: Ratio) -> Nat {
        let terms = if coefficient.is_zero() { Vec::new() } else { vec![(product, coefficient)] };
        Sum { terms }.built()
    }

    fn atom(atom: Atom) -> Result<Nat, NatError> {
        Sum { terms: vec![(vec![(atom, 1)], Ratio::ONE)] }.done()
    }

    /// The parameter `@name`
    pub fn symbol(name: &str) -> Nat {
        Nat::of_term(vec![(Atom::Symbol(name.into()), 1)], Ratio::ONE)
    }

    /// The bound name `$name`
    pub fn bound(name: &str) -> Nat {
        Nat::of_term(vec![(Atom::Bound(name.into()), 1)], Ratio::ONE)
    }

    fn terms(&self) -> &[(Product, Ratio)] {
        &self.0.terms
    }

    fn as_ratio(&self) -> Option<Ratio> {
        match self.terms() {
            [] => Some(Ratio::ZERO),
            [(product, value)] if product.is_empty() => Some(*value),
            _ => None,
        }
    }

    /// The number, if it is a whole one
    pub fn as_constant(&self) -> Option<i64> {
        self.as_ratio()?.as_whole()
    }

    fn is_zero(&self) -> bool {
        self.terms().is_empty()
    }

    /// Names of its parameters, in order; with `$` those that are bound
    pub fn names(&self) -> Vec<String> {
        let mut names = std::collections::BTreeSet::new();
        let mut pending = vec![self];
        while let Some(nat) = pending.pop() {
            for (atom, _) in nat.terms().iter().flat_map(|(product, _)| product) {
                match atom {
                    Atom::Symbol(name) => drop(names.insert(name.to_string())),
                    Atom::Bound(name) => drop(names.insert(format!("${name}"))),
                    Atom::Inv(a) => pending.push(a),
                    Atom::FloorDiv(a, b) | Atom::Pow(a, b) => pending.extend([a, b]),
                    Atom::Min(args) => pending.extend(args),
                }
            }
        }
        names.into_iter().collect()
    }

    fn scaled(&self, factor: Ratio) -> Result<Nat, NatError> {
        let mut sum = Sum::default();
        sum.add_all(self, factor)?;
        sum.done()
    }

    /// `self + other`
    pub fn plus(&self, other: &Nat) -> Result<Nat, NatError> {
        let mut sum = Sum { terms: self.terms().to_vec() };
        sum.add_all(other, Ratio::ONE)?;
        sum.normal()
    }

    /// `self - other`
    pub fn minus(&self, other: &Nat) -> Result<Nat, NatError> {
        let mut sum = Sum { terms: self.terms().to_vec() };
        sum.add_all(other, Ratio::whole(-1))?;
        sum.normal()
    }

    /// `self * other`
    pub fn times(&self, other: &Nat) -> Result<Nat, NatError> {
        let mut sum = Sum::default();
        for (a, x) in self.terms() {
            for (b, y) in other.terms() {
                sum.add(multiply(a, b)?, x.times(*y)?)?;
            }
        }
        sum.normal()
    }

    /// `self / other`, which has to be exact
    pub fn exact_div(&self, other: &Nat) -> Result<Nat, NatError> {
        self.times(&divide::inverse(other)?)
    }

    /// `self floordiv other`; the divisor has to be positive
    pub fn floor_div(&self, other: &Nat) -> Result<Nat, NatError> {
        divide::floor_div(self, other)
    }

    /// `self ceildiv other`; the divisor has to be positive
    pub fn ceil_div(&self, other: &Nat) -> Result<Nat, NatError> {
        self.plus(other)?.minus(&Nat::from(1))?.floor_div(other)
    }

    /// `self mod other`; the divisor has to be positive
    pub fn modulo(&self, other: &Nat) -> Result<Nat, NatError> {
        self.minus(&self.floor_div(other)?.times(other)?)
    }

    /// `self ^ exponent`
    pub fn pow(&self, exponent: &Nat) -> Result<Nat, NatError> {
        let Some(times) = exponent.as_constant() else {
            return Nat::atom(Atom::Pow(self.clone(), exponent.clone()));
        };
        if times == 1 {
            return Ok(self.clone());
        }
        let base = if times < 0 { divide::inverse(self)? } else { self.clone() };
        let mut result = Nat::from(1);
        // Numbers may have greater exponents than products; both end early.
        for _ in 0..times.unsigned_abs().min(64) {
            result = result.times(&base)?;
        }
        if times.unsigned_abs() > 64 && base != Nat::from(1) && !base.is_zero() {
            return Err(NatError::Overflow);
        }
        Ok(result)
    }

    /// The least of these; `None` of none
    pub fn min(args: &[Nat]) -> Result<Option<Nat>, NatError> {
        let mut args = args.to_vec();
        let mut shift = Nat::from(0);
        let mut scale = Ratio::ONE;
        loop {
            let Some(first) = args.first() else { return Ok(None) };
            // What is in all of them goes out: the least coefficient of each product.
            let mut common = Sum { terms: first.terms().to_vec() };
            for arg in &args[1..] {
                common = least(&common, arg)?;
            }
            let common = common.done()?;
            shift = shift.plus(&common.scaled(scale)?)?;
            args = args.iter().map(|arg| arg.minus(&common)).collect::<Result<_, _>>()?;
            // Of those that differ by a number only, the least.
            args.sort_by(|a, b| {
                a.without_constant().cmp(b.without_constant()).then(a.constant().cmp(&b.constant()))
            });
            args.dedup_by(|b, a| a.without_constant() == b.without_constant());
            if let [only] = args.as_slice() {
                return shift.plus(&only.scaled(scale)?).map(Some);
            }
            let mut content = Ratio::ZERO;
            for (_, c) in args.iter().flat_map(|arg| arg.terms()) {
                content = content.common(*c)?;
            }
            args = args.iter().map(|arg| arg.scaled(Ratio::ONE.over(content)?)).collect::<Result<_, _>>()?;
            scale = scale.times(content)?;
            // A minimum among them joins in.
            let flat: Vec<Nat> = args.iter().flat_map(Nat::min_args).collect();
            if flat.len() == args.len() {
                args.sort_by(|a, b| b.cmp(a));
                let least = Nat::atom(Atom::Min(args))?;
                return shift.plus(&least.scaled(scale)?).map(Some);
            }
            args = flat;
        }
    }

    /// The greatest of these; `None` of none
    pub fn max(args: &[Nat]) -> Result<Option<Nat>, NatError> {
        let args: Vec<Nat> = args.iter().map(|arg| arg.scaled(Ratio::whole(-1))).collect::<Result<_, _>>()?;
        Nat::min(&args)?.map(|least| least.scaled(Ratio::whole(-1))).transpose()
    }

    /// Arguments, if this is just a minimum; itself otherwise
    fn min_args(&self) -> Vec<Nat> {
        match self.terms() {
            [(product, Ratio::ONE)] => match product.as_slice() {
                [(Atom::Min(args), 1)] => args.clone(),
                _ => vec![self.clone()],
            },
            _ => vec![self.clone()],
        }
    }

    fn constant(&self) -> Ratio {
        self.terms().last().filter(|(product, _)| product.is_empty()).map_or(Ratio::ZERO, |(_, c)| *c)
    }

    fn without_constant(&self) -> &[(Product, Ratio)] {
        match self.terms() {
            [rest @ .., (product, _)] if product.is_empty() => rest,
            all => all,
        }
    }

    /// The size with other sizes in place of names (`n`, `$l`); a number that is not whole is an error
    pub fn substitute(&self, value: &dyn Fn(&str) -> Option<Nat>) -> Result<Nat, NatError> {
        let mut known = HashMap::default();
        let result = self.replaced(value, &mut known)?;
        match result.as_ratio() {
            Some(number) if number.as_whole().is_none() => Err(NatError::Inexact),
            _ => Ok(result),
        }
    }

    fn replaced(
        &self,
        value: &dyn Fn(&str) -> Option<Nat>,
        known: &mut HashMap<Nat, Nat>,
    ) -> Result<Nat, NatError> {
        if let Some(found) = known.get(self) {
            return Ok(found.clone());
        }
        let mut sum = Nat::from(0);
        for (product, coefficient) in self.terms() {
            let mut term = Nat::of_ratio(*coefficient);
            for (atom, exponent) in product {
                let atom = match atom {
                    Atom::Symbol(name) => value(name).unwrap_or_else(|| Nat::symbol(name)),
                    Atom::Bound(name) => value(&format!("${name}")).unwrap_or_else(|| Nat::bound(name)),
                    Atom::FloorDiv(a, b) => {
                        a.replaced(value, known)?.floor_div(&b.replaced(value, known)?)?
                    }
                    Atom::Inv(a) => divide::inverse(&a.replaced(value, known)?)?,
                    Atom::Pow(a, b) => a.replaced(value, known)?.pow(&b.replaced(value, known)?)?,
                    Atom::Min(args) => {
                        let args: Result<Vec<Nat>, NatError> =
                            args.iter().map(|arg| arg.replaced(value, known)).collect();
                        Nat::min(&args?)?.unwrap_or_else(|| Nat::from(0))
                    }
                };
                let power = if *exponent == 1 { atom } else { atom.pow(&Nat::from(i64::from(*exponent)))? };
                term = term.times(&power)?;
            }
            sum = sum.plus(&term)?;
        }
        known.insert(self.clone(), sum.clone());
        Ok(sum)
    }
}

/// The least coefficient of each product, where one that is absent counts as zero
fn least(a: &Sum, b: &Nat) -> Result<Sum, NatError> {
    let mut sum = Sum::default();
    let of = |terms: &[(Product, Ratio)], product: &Product| {
        terms.iter().find(|(other, _)| other == product).map_or(Ratio::ZERO, |(_, c)| *c)
    };
    for (product, c) in &a.terms {
        sum.add(product.clone(), (*c).min(of(b.terms(), product)))?;
    }
    for (product, c) in b.terms() {
        if a.terms.iter().all(|(other, _)| other != product) {
            sum.add(product.clone(), (*c).min(Ratio::ZERO))?;
        }
    }
    Ok(sum)
}
