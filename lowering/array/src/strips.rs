//! Loops over joined rows are nests: a loop for the rows, a loop for what is in a row.
//!
//! Where elements are found by quotients and remainders of a loop's variable (`join` before a reduction makes such), the same
//! iterations in the same order are a nest whose variables are these quotients and remainders: nothing is divided in it.
//! The views determine the nest: an element with an unknown index is followed as far as they go, without making ops.

use crate::layout::{Step, path_of};
use crate::lower::Lower;
use terrace_analysis::Range;
use terrace_ir::Value;
use terrace_support::affine::{AffineExpr, AffineKind};

/// Most loops in place of one
const MOST: usize = 4;

impl Lower<'_> {
    /// Extents of loops, outermost first, that walk through an array's elements in their order
    pub fn strips(&mut self, x: Value, size: i64) -> Vec<i64> {
        let mut found = Vec::new();
        let leaves = self.leaves(self.ir.ty(x)).unwrap_or_default();
        let (quiet, at_op, sums) = (self.quiet, (self.op, self.loc), self.sums.len());
        self.quiet = true;
        for leaf in &leaves {
            let vars = self.vars();
            let mut indices = Vec::new();
            for size in &leaf.shape {
                let range = Range::below(*size).unwrap_or(Range::one(0));
                indices.push(self.var(None, range));
            }
            let (mut value, mut path, mut guards) = (x, path_of(leaf, &indices), Vec::new());
            // As far as it came counts, whatever stopped it.
            let scope = self.push_scope(None);
            let _ = self.follow(&mut value, &mut path, &mut guards);
            if scope.is_ok() {
                self.pop_scope();
            }
            for step in path.steps() {
                if let Step::Index(index) = step {
                    divisors(index, vars as u32, &mut found);
                }
            }
            self.forget(vars);
        }
        self.sums.truncate(sums);
        self.quiet = quiet;
        self.leave(at_op);
        chain(size, found)
    }
}

impl Lower<'_> {
    /// The same for the variables of a copy's domain, one for each dimension
    pub fn divided(&self, exprs: &[AffineExpr], domain: &[u32], shape: &[i64]) -> Vec<Vec<i64>> {
        let one = |(var, size): (&u32, &i64)| {
            let mut found = Vec::new();
            exprs.iter().for_each(|expr| divisors(&self.simple(expr), *var, &mut found));
            chain(*size, found)
        };
        domain.iter().zip(shape).map(one).collect()
    }
}

/// What a variable is divided by, counted in its own elements
fn divisors(expr: &AffineExpr, var: u32, found: &mut Vec<i64>) {
    let mut pending = vec![expr];
    while let Some(expr) = pending.pop() {
        let AffineExpr::Binary(node) = expr else { continue };
        pending.extend([node.lhs(), node.rhs()]);
        let divides = matches!(node.kind(), AffineKind::FloorDiv | AffineKind::Mod);
        let Some(by) = node.rhs().as_constant().filter(|_| divides) else { continue };
        match node.lhs() {
            AffineExpr::Dim(n) if *n == var => found.push(by),
            AffineExpr::Binary(inner) if inner.kind() == AffineKind::FloorDiv => {
                let own = matches!(inner.lhs(), AffineExpr::Dim(n) if *n == var);
                let all = inner.rhs().as_constant().filter(|_| own).and_then(|first| first.checked_mul(by));
                found.extend(all);
            }
            _ => {}
        }
    }
}

/// Extents of a nest with these strides, as far as each divides the one around
fn chain(size: i64, mut strides: Vec<i64>) -> Vec<i64> {
    strides.sort_unstable_by(|a, b| b.cmp(a));
    let (mut extents, mut around) = (Vec::new(), size);
    for stride in strides {
        if stride > 1 && stride < around && around % stride == 0 && extents.len() + 1 < MOST {
            extents.push(around / stride);
            around = stride;
        }
    }
    extents.push(around);
    extents
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strides_that_divide_each_other_make_a_nest() {
        assert_eq!(chain(1152, vec![384, 128, 384, 128]), [3, 3, 128]);
        assert_eq!(chain(12, vec![5, 4]), [3, 4]);
        assert_eq!(chain(12, vec![]), [12]);
        assert_eq!(chain(0, vec![4]), [0]);
    }
}
