//! Maps from dimensions and symbols to a list of expressions.

use super::{AffineExpr, Linear};

/// `(d0, …)[s0, …] -> (results)`
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct AffineMap {
    /// Number of dimensions
    pub dims: u32,
    /// Number of symbols
    pub symbols: u32,
    /// One expression per result, over those dimensions and symbols
    pub results: Vec<AffineExpr>,
}

impl AffineMap {
    /// The map with these parts; `None` if a result uses a dimension or symbol beyond them
    pub fn new(dims: u32, symbols: u32, results: Vec<AffineExpr>) -> Option<AffineMap> {
        let fits = |e: &AffineExpr| {
            let (d, s) = e.arity();
            d <= dims && s <= symbols
        };
        results.iter().all(fits).then_some(AffineMap { dims, symbols, results })
    }

    /// `(d0, …) -> (d0, …)`
    pub fn identity(dims: u32) -> AffineMap {
        AffineMap { dims, symbols: 0, results: (0..dims).map(AffineExpr::Dim).collect() }
    }

    /// `() -> (value)`
    pub fn constant(value: i64) -> AffineMap {
        AffineMap { dims: 0, symbols: 0, results: vec![value.into()] }
    }

    /// `(d0, …)` to its last `results` dimensions; `None` if there are fewer
    pub fn minor_identity(dims: u32, results: u32) -> Option<AffineMap> {
        let first = dims.checked_sub(results)?;
        Some(AffineMap { dims, symbols: 0, results: (first..dims).map(AffineExpr::Dim).collect() })
    }

    /// `(d0, …) -> (d_p0, d_p1, …)`; `None` unless `permutation` is one
    pub fn permutation(permutation: &[u32]) -> Option<AffineMap> {
        let dims = u32::try_from(permutation.len()).ok()?;
        let map = AffineMap {
            dims,
            symbols: 0,
            results: permutation.iter().map(|n| AffineExpr::Dim(*n)).collect(),
        };
        map.is_permutation().then_some(map)
    }

    /// The dimension of each result, if every result is one
    pub fn result_dims(&self) -> Option<Vec<u32>> {
        let dim = |e: &AffineExpr| if let AffineExpr::Dim(n) = e { Some(*n) } else { None };
        self.results.iter().map(dim).collect()
    }

    /// Whether the results are exactly the dimensions in order, without symbols
    pub fn is_identity(&self) -> bool {
        let in_order = (0..self.dims).zip(&self.results).all(|(n, e)| *e == AffineExpr::Dim(n));
        self.symbols == 0 && self.results.len() == self.dims as usize && in_order
    }

    /// Whether the results are distinct dimensions, without symbols
    pub fn is_projected_permutation(&self) -> bool {
        let Some(mut dims) = self.result_dims() else { return false };
        let count = dims.len();
        dims.sort_unstable();
        dims.dedup();
        self.symbols == 0 && dims.len() == count && dims.last().is_none_or(|n| *n < self.dims)
    }

    /// Whether the results are all dimensions, each once, without symbols
    pub fn is_permutation(&self) -> bool {
        self.results.len() == self.dims as usize && self.is_projected_permutation()
    }

    /// The map of a permutation read backwards; `None` if this is none
    pub fn inverse_permutation(&self) -> Option<AffineMap> {
        if !self.is_permutation() {
            return None;
        }
        let mut inverse = vec![0; self.results.len()];
        for (n, dim) in (0u32..).zip(self.result_dims()?) {
            inverse[dim as usize] = n;
        }
        AffineMap::permutation(&inverse)
    }

    /// The single constant result, if that is all there is
    pub fn as_single_constant(&self) -> Option<i64> {
        let [only] = self.results.as_slice() else { return None };
        only.as_constant()
    }

    /// The results at a point; `None` as [`AffineExpr::eval`], or if the numbers of coordinates differ
    pub fn eval(&self, dims: &[i64], symbols: &[i64]) -> Option<Vec<i64>> {
        let fits = dims.len() == self.dims as usize && symbols.len() == self.symbols as usize;
        fits.then_some(())?;
        self.results.iter().map(|e| e.eval(dims, symbols)).collect()
    }

    /// The map that applies `inner` first: its results become this map's dimensions
    ///
    /// Symbols are this map's, then `inner`'s. `None` if the numbers do not fit or a result passes a limit.
    pub fn compose(&self, inner: &AffineMap) -> Option<AffineMap> {
        if self.dims as usize != inner.results.len() {
            return None;
        }
        let symbols = self.symbols.checked_add(inner.symbols)?;
        let shifted: Option<Vec<_>> = inner.results.iter().map(|e| e.shift(0, self.symbols)).collect();
        let shifted = shifted?;
        let results: Option<Vec<_>> = self.results.iter().map(|e| e.replace(&shifted, &[])).collect();
        Some(AffineMap { dims: inner.dims, symbols, results: results? })
    }

    /// Replaces dimensions and symbols in every result; the new map has the given arities
    ///
    /// `None` if a limit is passed or a result uses a position beyond the new arities.
    pub fn replace(
        &self,
        dim_values: &[AffineExpr],
        symbol_values: &[AffineExpr],
        dims: u32,
        symbols: u32,
    ) -> Option<AffineMap> {
        let results: Option<Vec<_>> =
            self.results.iter().map(|e| e.replace(dim_values, symbol_values)).collect();
        AffineMap::new(dims, symbols, results?)
    }

    /// The map without the results that `drop` names
    pub fn drop_results(&self, drop: impl Fn(usize) -> bool) -> AffineMap {
        let kept = self.results.iter().enumerate().filter(|(n, _)| !drop(*n)).map(|(_, e)| e.clone());
        AffineMap { results: kept.collect(), ..*self }
    }

    /// The map without dimension `position`, later ones renumbered; `None` if a result uses it or a limit is passed
    pub fn drop_dim(&self, position: u32) -> Option<AffineMap> {
        if position >= self.dims || self.results.iter().any(|e| e.uses_dim(position)) {
            return None;
        }
        let renumber = |leaf: &AffineExpr| match leaf {
            AffineExpr::Dim(n) if *n > position => AffineExpr::Dim(n - 1),
            _ => leaf.clone(),
        };
        let results: Option<Vec<_>> = self.results.iter().map(|e| e.map_leaves(&mut { renumber })).collect();
        Some(AffineMap { dims: self.dims - 1, symbols: self.symbols, results: results? })
    }

    /// The linear form of every result, if all are linear
    pub fn as_linear(&self) -> Option<Vec<Linear>> {
        self.results.iter().map(AffineExpr::as_linear).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn composition_is_application_in_turn() {
        let d = AffineExpr::Dim;
        let outer =
            AffineMap::new(2, 1, vec![d(0) * 4.into() + d(1), d(1) + AffineExpr::Symbol(0)]).expect("fits");
        let inner =
            AffineMap::new(1, 1, vec![d(0) + AffineExpr::Symbol(0), AffineExpr::floor_div(d(0), 3.into())]);
        let inner = inner.expect("fits");
        let both = outer.compose(&inner).expect("small");
        assert_eq!(both.to_string(), "(d0)[s0, s1] -> ((d0 + s1) * 4 + d0 floordiv 3, d0 floordiv 3 + s0)");
        for x in -5..20 {
            let mid = inner.eval(&[x], &[7]).expect("in range");
            assert_eq!(both.eval(&[x], &[2, 7]), outer.eval(&mid, &[2]));
        }
    }

    #[test]
    fn permutations_invert() {
        let p = AffineMap::permutation(&[2, 0, 1]).expect("a permutation");
        assert!(p.compose(&p.inverse_permutation().expect("one")).expect("small").is_identity());
        assert!(AffineMap::permutation(&[0, 0]).is_none());
        assert!(AffineMap::permutation(&[1, 2]).is_none());
        assert!(!AffineMap::identity(2).drop_results(|n| n == 0).is_permutation());
        assert!(AffineMap::minor_identity(3, 2).expect("fits").is_projected_permutation());
    }

    #[test]
    fn dropping_a_dimension_renumbers() {
        let m = AffineMap::new(3, 0, vec![AffineExpr::Dim(2), AffineExpr::Dim(0)]).expect("fits");
        assert_eq!(m.drop_dim(1).expect("unused").to_string(), "(d0, d1) -> (d1, d0)");
        assert!(m.drop_dim(0).is_none());
    }

    #[test]
    fn linear_forms_see_through_the_tree() {
        let d = AffineExpr::Dim;
        let e = d(0) + d(1) * 3.into() - (d(0) + 2.into()) * 4.into();
        let form = e.as_linear().expect("linear");
        assert_eq!((form.dims.as_slice(), form.constant), (&[-3, 3][..], -8));
        assert_eq!(form.to_expr().to_string(), "d0 * -3 + d1 * 3 - 8");
        assert!(AffineExpr::floor_div(d(0), 2.into()).as_linear().is_none());
    }
}
