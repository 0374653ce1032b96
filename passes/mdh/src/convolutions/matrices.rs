//! The matrices of F(2, 3) and F(4, 3), and what they do to rounding.

/// Taps of a window
pub const TAPS: i64 = 3;

/// The matrices of F(m, 3), row by row
pub struct Matrices {
    /// Results of a tile
    pub results: i64,
    /// Of the image: `m + 2` rows and columns
    pub image: &'static [f64],
    /// Of weights: `m + 2` rows, three columns
    pub weights: &'static [f64],
    /// Of results: `m` rows, `m + 2` columns
    pub back: &'static [f64],
}

/// F(2, 3): points 0, 1, −1, ∞
pub const TWO: Matrices = Matrices {
    results: 2,
    image: &[1., 0., -1., 0., 0., 1., 1., 0., 0., -1., 1., 0., 0., 1., 0., -1.],
    weights: &[1., 0., 0., 0.5, 0.5, 0.5, 0.5, -0.5, 0.5, 0., 0., 1.],
    back: &[1., 1., 1., 0., 0., 1., -1., -1.],
};

/// F(4, 3): points 0, 1, −1, 2, −2, ∞
pub const FOUR: Matrices = Matrices {
    results: 4,
    image: &[
        4., 0., -5., 0., 1., 0., //
        0., -4., -4., 1., 1., 0., //
        0., 4., -4., -1., 1., 0., //
        0., -2., -1., 2., 1., 0., //
        0., 2., -1., -2., 1., 0., //
        0., 4., 0., -5., 0., 1.,
    ],
    weights: &[
        1. / 4.,
        0.,
        0.,
        -1. / 6.,
        -1. / 6.,
        -1. / 6.,
        -1. / 6.,
        1. / 6.,
        -1. / 6.,
        1. / 24.,
        1. / 12.,
        1. / 6.,
        1. / 24.,
        -1. / 12.,
        1. / 6.,
        0.,
        0.,
        1.,
    ],
    back: &[
        1., 1., 1., 1., 1., 0., //
        0., 1., -1., 2., -2., 0., //
        0., 1., 1., 4., 4., 0., //
        0., 1., -1., 8., -8., 1.,
    ],
};

impl Matrices {
    /// Elements of the image that a tile reads
    pub fn points(&self) -> i64 {
        self.results + TAPS - 1
    }

    /// By how much sizes of terms grow along a window: the largest `Σ |AT| (Σ |G|) (Σ |BT|)` over a tile's results. It is 8 of F(2, 3) and 48 of F(4, 3);
    /// of a sum of three products it is 3
    pub fn growth(&self) -> f64 {
        let sum = |row: &[f64]| row.iter().map(|one| one.abs()).sum::<f64>();
        let points = self.points() as usize;
        let terms: Vec<f64> = self
            .image
            .chunks(points)
            .zip(self.weights.chunks(TAPS as usize))
            .map(|(image, weights)| sum(image) * sum(weights))
            .collect();
        let of = |row: &[f64]| row.iter().zip(&terms).map(|(one, term)| one.abs() * term).sum::<f64>();
        self.back.chunks(points).map(of).fold(0.0, f64::max)
    }

    /// The bound of errors, in units of ε · channels · the largest element · the largest weight: growth of all windows, times roundings on the way
    pub fn bound(&self, windows: usize, channels: i64) -> f64 {
        let points = self.points() as f64;
        let roundings = channels as f64 + 1.0 + windows as f64 * (2.0 * points + 4.0);
        roundings * self.growth().powi(windows as i32)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `AT · ((G · w) ⊙ (BT · x))` is the sum of three products, for each of the tile's results
    #[test]
    fn tiles_are_sums_of_three_products() {
        for m in [TWO, FOUR] {
            let points = m.points() as usize;
            let x: Vec<f64> = (0..points).map(|n| (n * n % 7) as f64 - 2.5).collect();
            let w = [0.75, -1.25, 2.5];
            let dot = |row: &[f64], of: &[f64]| row.iter().zip(of).map(|(a, b)| a * b).sum::<f64>();
            let products: Vec<f64> = m
                .image
                .chunks(points)
                .zip(m.weights.chunks(3))
                .map(|(i, g)| dot(i, &x) * dot(g, &w))
                .collect();
            for (n, row) in m.back.chunks(points).enumerate() {
                let wanted = dot(&w, &x[n..n + 3]);
                assert!((dot(row, &products) - wanted).abs() < 1e-12, "{n} of F({}, 3)", m.results);
            }
        }
    }

    #[test]
    fn sizes_of_terms_grow() {
        assert_eq!((TWO.growth(), FOUR.growth()), (8.0, 48.0));
    }
}
