//! Integer sets: conjunctions of affine equalities and inequalities.

use super::AffineExpr;

/// `(d0, …)[s0, …] : (constraints)`
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct IntegerSet {
    /// Number of dimensions
    pub dims: u32,
    /// Number of symbols
    pub symbols: u32,
    /// Each expression is `== 0` where the flag is set, else `>= 0`
    pub constraints: Vec<(AffineExpr, bool)>,
}

impl IntegerSet {
    /// The set with these parts; `None` if a constraint uses a dimension or symbol beyond them
    pub fn new(dims: u32, symbols: u32, constraints: Vec<(AffineExpr, bool)>) -> Option<IntegerSet> {
        let fits = |(e, _): &(AffineExpr, bool)| {
            let (d, s) = e.arity();
            d <= dims && s <= symbols
        };
        constraints.iter().all(fits).then_some(IntegerSet { dims, symbols, constraints })
    }

    /// Whether the point satisfies every constraint; `None` where one cannot be evaluated
    pub fn contains(&self, dims: &[i64], symbols: &[i64]) -> Option<bool> {
        let mut inside = true;
        for (expr, equality) in &self.constraints {
            let value = expr.eval(dims, symbols)?;
            inside &= if *equality { value == 0 } else { value >= 0 };
        }
        Some(inside)
    }

    /// Replaces dimensions and symbols in every constraint; `None` as for maps
    pub fn replace(
        &self,
        dim_values: &[AffineExpr],
        symbol_values: &[AffineExpr],
        dims: u32,
        symbols: u32,
    ) -> Option<IntegerSet> {
        let one = |(e, q): &(AffineExpr, bool)| Some((e.replace(dim_values, symbol_values)?, *q));
        let constraints: Option<Vec<_>> = self.constraints.iter().map(one).collect();
        IntegerSet::new(dims, symbols, constraints?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prints_and_tests_points() {
        let d0 = AffineExpr::Dim(0);
        let set =
            IntegerSet::new(1, 1, vec![(d0 - 1.into(), false), (AffineExpr::Symbol(0), true)]).expect("fits");
        assert_eq!(set.to_string(), "(d0)[s0] : (d0 - 1 >= 0, s0 == 0)");
        assert_eq!(set.contains(&[1], &[0]), Some(true));
        assert_eq!(set.contains(&[0], &[0]), Some(false));
        assert_eq!(set.contains(&[5], &[1]), Some(false));
    }
}
