//! How likely a point is to be among the fast ones of its computation: a forest that learns ranks.
//!
//! Times of one computation differ by orders of magnitude, and only their order matters to a search. So what a tree is fitted to is the
//! share of results that were faster, from 0 to 1. Points that failed are slower than all that ran.

use smartcore::ensemble::random_forest_regressor::{RandomForestRegressor, RandomForestRegressorParameters};
use smartcore::linalg::basic::matrix::DenseMatrix;
use std::fmt;

/// Trees of a forest
const TREES: usize = 30;

/// Most levels of a tree
const DEPTH: u16 = 12;

/// The library refused: a fault of this crate
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ForestError(String);

impl fmt::Display for ForestError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the forest that ranks points: {}", self.0)
    }
}

impl std::error::Error for ForestError {}

impl From<smartcore::error::Failed> for ForestError {
    fn from(error: smartcore::error::Failed) -> ForestError {
        ForestError(error.to_string())
    }
}

/// Ranks of points, from features of some whose costs are known
pub struct Forest(RandomForestRegressor<f64, f64, DenseMatrix<f64>, Vec<f64>>);

impl Forest {
    /// Learn from features and costs, `None` where a point failed; the result is `None` where nothing is to be learnt: points without
    /// features, fewer than two points, or all alike. A seed has one forest
    pub fn learn(
        features: &[Vec<f64>],
        costs: &[Option<f64>],
        seed: u64,
    ) -> Result<Option<Forest>, ForestError> {
        let ranks = ranks(costs);
        let differ = ranks.windows(2).any(|pair| pair[0] != pair[1]);
        if !differ || features.len() != ranks.len() || features.iter().any(Vec::is_empty) {
            return Ok(None);
        }
        let parameters = RandomForestRegressorParameters {
            max_depth: Some(DEPTH),
            min_samples_leaf: 1,
            min_samples_split: 2,
            n_trees: TREES,
            // A third of the features at each split, as is usual where numbers are predicted.
            m: Some(features[0].len().div_ceil(3)),
            keep_samples: false,
            seed,
        };
        let matrix = DenseMatrix::from_2d_vec(&features.to_vec())?;
        Ok(Some(Forest(RandomForestRegressor::fit(&matrix, &ranks, parameters)?)))
    }

    /// The expected ranks of points: 0 is the fastest
    pub fn rank(&self, features: &[Vec<f64>]) -> Result<Vec<f64>, ForestError> {
        if features.is_empty() {
            return Ok(Vec::new());
        }
        Ok(self.0.predict(&DenseMatrix::from_2d_vec(&features.to_vec())?)?)
    }
}

/// The share of others that are faster; equal costs have equal ranks, and failures come behind all that ran
fn ranks(costs: &[Option<f64>]) -> Vec<f64> {
    let key = |cost: &Option<f64>| cost.unwrap_or(f64::INFINITY);
    let mut sorted: Vec<f64> = costs.iter().map(key).collect();
    sorted.sort_unstable_by(f64::total_cmp);
    let others = costs.len().saturating_sub(1).max(1) as f64;
    let of = |own: &Option<f64>| {
        let faster = sorted.partition_point(|other| *other < key(own));
        let equal = sorted.partition_point(|other| *other <= key(own)) - faster;
        (faster as f64 + equal.saturating_sub(1) as f64 / 2.0) / others
    };
    costs.iter().map(of).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranks_are_shares() {
        assert_eq!(ranks(&[Some(3.0), Some(1.0), None, Some(1.0), None]), [0.5, 0.125, 0.875, 0.125, 0.875]);
        assert_eq!(ranks(&[Some(2.0)]), [0.0]);
        assert!(ranks(&[]).is_empty());
    }

    /// Points that it has not seen are put in nearly the right order
    #[test]
    fn a_forest_orders_what_it_has_not_seen() {
        let features = |n: usize| vec![(n % 7) as f64, (n / 7 % 7) as f64, (n * 5 % 3) as f64];
        let cost = |own: &[f64]| (1.0 + (own[0] - 3.0).powi(2)) * 2f64.powf(own[1]);
        let all: Vec<Vec<f64>> = (0..49).map(features).collect();
        let (known, new): (Vec<_>, Vec<_>) = all.into_iter().enumerate().partition(|(n, _)| n % 3 != 0);
        let known: Vec<Vec<f64>> = known.into_iter().map(|(_, own)| own).collect();
        let costs: Vec<Option<f64>> = known.iter().map(|own| Some(cost(own))).collect();
        let forest = Forest::learn(&known, &costs, 1).expect("it works").expect("they differ");
        let new: Vec<Vec<f64>> = new.into_iter().map(|(_, own)| own).collect();
        let found = forest.rank(&new).expect("it works");
        let wanted: Vec<f64> = new.iter().map(|own| cost(own)).collect();
        let (mut right, mut all) = (0, 0);
        for a in 0..new.len() {
            for b in (0..a).filter(|b| (wanted[a] / wanted[*b]).ln().abs() > 0.2) {
                all += 1;
                right += usize::from((found[a] < found[b]) == (wanted[a] < wanted[b]));
            }
        }
        assert!(right * 10 > all * 8, "{right} of {all} pairs");
        let again = Forest::learn(&known, &costs, 1).expect("it works").expect("they differ");
        assert_eq!(again.rank(&new), Ok(found));
    }

    #[test]
    fn nothing_is_learnt_from_nothing() {
        for (features, costs) in [
            (vec![], vec![]),
            (vec![vec![1.0]], vec![Some(1.0)]),
            (vec![vec![1.0], vec![2.0]], vec![Some(1.0), Some(1.0)]),
            (vec![vec![], vec![]], vec![Some(1.0), None]),
            (vec![vec![1.0], vec![2.0]], vec![None, None]),
        ] {
            assert!(Forest::learn(&features, &costs, 1).expect("it works").is_none(), "{features:?}");
        }
    }
}
