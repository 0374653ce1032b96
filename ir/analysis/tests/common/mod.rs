//! Random small expressions and every point of a box.

#![allow(dead_code)]

use terrace_analysis::Range;
use terrace_support::affine::{AffineExpr, AffineKind};

/// Numbers, ranges and expressions from a seed
pub struct Random(terrace_support::Random);

impl Random {
    pub fn new(seed: u64) -> Random {
        Random(terrace_support::Random::new(seed))
    }

    pub fn below(&mut self, n: usize) -> usize {
        self.0.below(n)
    }

    pub fn range(&mut self) -> Range {
        let (min, len, step) = (self.below(7) as i64 - 3, self.below(9) as i64, 1 + self.below(3) as i64);
        Range::stepped(if self.below(2) == 0 { 0 } else { min }, min.max(0) + len, step)
            .unwrap_or(Range::one(min))
    }

    pub fn expr(&mut self, dims: usize, depth: usize) -> AffineExpr {
        if depth == 0 || self.below(6) == 0 {
            return if self.below(4) == 0 {
                AffineExpr::Constant(self.below(13) as i64 - 4)
            } else {
                AffineExpr::Dim(self.below(dims) as u32)
            };
        }
        let lhs = self.expr(dims, depth - 1);
        let constant = AffineExpr::Constant([1, 2, 3, 4, 4, 6, 8, 12][self.below(8)]);
        match self.below(8) {
            0..=2 => AffineExpr::add(lhs, self.expr(dims, depth - 1)),
            3 => AffineExpr::sub(lhs, self.expr(dims, depth - 1)),
            4 => AffineExpr::mul(lhs, if self.below(5) == 0 { self.expr(dims, depth - 1) } else { constant }),
            5 => AffineExpr::binary(AffineKind::Mod, lhs, constant),
            6 => AffineExpr::binary(
                AffineKind::FloorDiv,
                lhs,
                if self.below(6) == 0 { self.expr(dims, 1) } else { constant },
            ),
            _ => AffineExpr::binary(AffineKind::CeilDiv, lhs, constant),
        }
    }
}

/// All points of a box
pub fn points(ranges: &[Range]) -> Vec<Vec<i64>> {
    let mut all = vec![Vec::new()];
    for range in ranges {
        let values: Vec<i64> = (range.min()..=range.max()).filter(|value| range.contains(*value)).collect();
        all = all
            .into_iter()
            .flat_map(|point| values.iter().map(move |value| [point.as_slice(), &[*value]].concat()))
            .collect();
    }
    all
}
