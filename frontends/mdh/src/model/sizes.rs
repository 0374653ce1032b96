//! Numbers that are known at run time, below bounds that are known: sizes of a function.
//!
//! Conditions have them as symbols and scalar functions as [`Scalar::Size`], by their numbers in the function.

use super::{Computation, Function, ModelError, Scalar};
use std::collections::BTreeSet;
use terrace_dialect_mdh::view::Condition;
use terrace_support::affine::AffineExpr;

/// Greatest bound
pub(crate) const MOST: i64 = 1 << 40;

/// A number that is an argument of a function
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Size {
    /// Name
    pub name: String,
    /// The greatest that it may be; the least is 0
    pub most: i64,
}

/// Number of coordinates
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Count {
    /// The number, or its bound
    pub most: i64,
    /// The size that it is, where only the call knows it
    pub open: Option<usize>,
}

impl Count {
    /// A number that is known
    pub fn of(most: i64) -> Count {
        Count { most, open: None }
    }

    /// Are so many coordinates inside of a dimension with these?
    pub fn fits(self, dimension: Count) -> bool {
        match dimension.open {
            Some(_) => self.open == dimension.open,
            None => self.most <= dimension.most,
        }
    }

    /// As the text has it
    pub fn text(self, sizes: &[Size]) -> String {
        let size = self.open.and_then(|n| sizes.get(n));
        size.map_or_else(|| self.most.to_string(), |size| size.name.clone())
    }
}

/// The conditions that dimensions with these numbers of coordinates end where the sizes say
pub(crate) fn ends(counts: &[Count]) -> impl Iterator<Item = Condition> {
    counts.iter().enumerate().filter_map(|(dim, count)| {
        let high = AffineExpr::Symbol(count.open? as u32);
        Some(Condition { low: None, expr: AffineExpr::Dim(dim as u32), high })
    })
}

impl Computation {
    /// Sizes that conditions have, by number
    pub(crate) fn extents(&self) -> Vec<usize> {
        let parts =
            |one: &Condition| one.low.iter().chain([&one.expr, &one.high]).cloned().collect::<Vec<_>>();
        let all: Vec<AffineExpr> = self.conditions.iter().flat_map(parts).collect();
        let most = all.iter().map(|e| e.arity().1).max().unwrap_or(0);
        (0..most).filter(|n| all.iter().any(|e| e.uses_symbol(*n))).map(|n| n as usize).collect()
    }

    /// Sizes that the scalar function has as values
    pub(crate) fn values(&self) -> BTreeSet<usize> {
        let mut found = BTreeSet::new();
        let mut stack: Vec<&Scalar> = self.body.iter().collect();
        while let Some(e) = stack.pop() {
            stack.extend(e.parts());
            if let Scalar::Size(n) = e {
                found.insert(*n);
            }
        }
        found
    }
}

impl Function {
    /// Is each size an argument, or does nothing depend on it? The error names one that is not there
    pub(crate) fn used_sizes(&self) -> Result<Vec<bool>, ModelError> {
        let mut used = vec![false; self.sizes.len()];
        let mut mark = |size: usize| {
            let sizes = used.len();
            used.get_mut(size).map(|used| *used = true).ok_or(ModelError::NoSize { size, sizes })
        };
        for one in &self.computations {
            one.extents().into_iter().chain(one.values()).try_for_each(&mut mark)?;
        }
        Ok(used)
    }
}

impl Scalar {
    /// The expressions that this one combines
    pub(crate) fn parts(&self) -> Vec<&Scalar> {
        match self {
            Scalar::Arg(_) | Scalar::Index(_) | Scalar::Size(_) | Scalar::Int(_) | Scalar::Float(_) => {
                Vec::new()
            }
            Scalar::Neg(a) | Scalar::Cast(_, a) => vec![a],
            Scalar::Op(_, a, b) => vec![a, b],
            Scalar::Call(_, all) | Scalar::Element(_, all) => all.iter().collect(),
            Scalar::Select(a, b, c) => vec![a, b, c],
        }
    }
}
