//! How well numbers that are known beforehand put measured times in order.

/// Fewest points whose order says something
pub const FEWEST: usize = 8;

/// Spearman's rank correlation: 1 where both orders are one, −1 where one is the reverse of the other. `None` for fewer than
/// [`FEWEST`] pairs, and where all estimates or all times are equal
pub fn spearman(pairs: &[(f64, f64)]) -> Option<f64> {
    if pairs.len() < FEWEST {
        return None;
    }
    let (estimates, times): (Vec<f64>, Vec<f64>) = pairs.iter().copied().unzip();
    let (a, b) = (ranks(&estimates), ranks(&times));
    let mean = (a.len() as f64 - 1.0) / 2.0;
    let sum = |of: &dyn Fn(usize) -> f64| (0..a.len()).map(of).sum::<f64>();
    let both = sum(&|n| (a[n] - mean) * (b[n] - mean));
    let spread = sum(&|n| (a[n] - mean).powi(2)) * sum(&|n| (b[n] - mean).powi(2));
    (spread > 0.0).then(|| both / spread.sqrt())
}

/// Kendall's τ-b: of all pairs, those in order less those in the wrong one; ties of one side lower the number that is divided by.
/// `None` as for [`spearman`]
pub fn kendall(pairs: &[(f64, f64)]) -> Option<f64> {
    if pairs.len() < FEWEST {
        return None;
    }
    let (mut sum, mut estimates, mut times) = (0.0, 0.0, 0.0);
    for (a, b) in couples(pairs) {
        let (left, right) = (sign(a.0 - b.0), sign(a.1 - b.1));
        sum += left * right;
        estimates += left.abs();
        times += right.abs();
    }
    let all = f64::sqrt(estimates * times);
    (all > 0.0).then(|| sum / all)
}

/// Pairs whose times differ by at least a tenth, and how many of them the estimates put in order; equal estimates do not
pub fn in_order(pairs: &[(f64, f64)]) -> (usize, usize) {
    let apart = |a: f64, b: f64| a.max(b) >= 1.1 * a.min(b);
    let apart: Vec<_> = couples(pairs).filter(|(a, b)| apart(a.1, b.1)).collect();
    let right = apart.iter().filter(|(a, b)| (a.0 - b.0) * (a.1 - b.1) > 0.0).count();
    (right, apart.len())
}

fn couples(pairs: &[(f64, f64)]) -> impl Iterator<Item = ((f64, f64), (f64, f64))> + '_ {
    pairs.iter().enumerate().flat_map(|(n, a)| pairs[..n].iter().map(move |b| (*a, *b)))
}

fn sign(difference: f64) -> f64 {
    if difference == 0.0 { 0.0 } else { difference.signum() }
}

/// Positions in order; equal numbers share the middle of theirs
fn ranks(numbers: &[f64]) -> Vec<f64> {
    let below = |x: f64| numbers.iter().filter(|y| **y < x).count() as f64;
    let equal = |x: f64| numbers.iter().filter(|y| **y == x).count() as f64;
    numbers.iter().map(|x| below(*x) + (equal(*x) - 1.0) / 2.0).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn squares(sign: f64) -> Vec<(f64, f64)> {
        (0..10).map(|n| (f64::from(n), 1000.0 + sign * f64::from(n * n))).collect()
    }

    #[test]
    fn one_order_and_its_reverse() {
        for (pairs, wanted) in [(squares(1.0), 1.0), (squares(-1.0), -1.0)] {
            assert_eq!((spearman(&pairs), kendall(&pairs)), (Some(wanted), Some(wanted)));
        }
        assert_eq!(spearman(&squares(1.0)[..7]), None);
        assert_eq!(kendall(&squares(1.0)[..7]), None);
        // Equal estimates say nothing.
        let equal: Vec<_> = (0..10).map(|n| (1.0, f64::from(n))).collect();
        assert_eq!((spearman(&equal), kendall(&equal)), (None, None));
    }

    #[test]
    fn kendall_counts_pairs() {
        // One of 28 pairs is the wrong way round.
        let mut pairs: Vec<_> = (0..8).map(|n| (f64::from(n), f64::from(n))).collect();
        pairs.swap(0, 1);
        let times: Vec<_> = pairs.iter().zip(0..).map(|(pair, n)| (pair.0, f64::from(n))).collect();
        assert_eq!(kendall(&times), Some(26.0 / 28.0));
        // Two equal estimates: 27 pairs differ on one side, 28 on the other.
        let tied: Vec<_> = (0..8).map(|n| (f64::from(n.max(1)), f64::from(n))).collect();
        assert_eq!(kendall(&tied), Some(27.0 / f64::sqrt(27.0 * 28.0)));
    }

    #[test]
    fn pairs_that_are_close_do_not_count() {
        let pairs = [(1.0, 100.0), (2.0, 109.0), (3.0, 120.0), (3.0, 300.0), (0.0, 400.0)];
        // Of ten pairs one is closer than a tenth. The last time has the least estimate; two estimates are equal.
        assert_eq!(in_order(&pairs), (4, 9));
    }
}
