//! Values at which a float format shows how it rounds: all its numbers, and what lies halfway between two.

use terrace_ir::FloatKind;
use terrace_ir::show::value_of_bits;

/// All patterns of a format of at most 8 bits
pub fn patterns(kind: FloatKind) -> std::ops::Range<u64> {
    0..1 << kind.width()
}

/// Numbers of a wider format at which rounding to a small one decides, each also negated
///
/// Every number of the small format; each halfway point, and its neighbors in the wide format; what is too large and
/// too small; infinities and NaN. Both formats are of at most 64 bits.
pub fn edges(small: FloatKind, wide: FloatKind) -> Vec<u64> {
    let mut numbers: Vec<f64> = patterns(small)
        .filter_map(|bits| value_of_bits(bits, small))
        .filter(|x| x.is_finite() && *x >= 0.0)
        .collect();
    numbers.sort_by(f64::total_cmp);
    numbers.dedup();
    let (first, last) = (numbers.first().copied().unwrap_or(0.0), numbers.last().copied().unwrap_or(1.0));
    let before = if numbers.len() > 1 { last - numbers[numbers.len() - 2] } else { last };
    let beyond =
        [first / 2.0, first / 4.0, last + before / 2.0, last + before, last * 1.5, last * 2.0, last * 4.0];
    let halves: Vec<f64> = numbers.windows(2).map(|two| two[0] / 2.0 + two[1] / 2.0).collect();
    let mut all: Vec<u64> = numbers
        .into_iter()
        .chain(halves)
        .chain(beyond)
        .chain([0.0, f64::INFINITY, f64::NAN, 1e-300, 1e300])
        .filter_map(|x| terrace_ir::show::round_to_bits(x, wide))
        .flat_map(|bits| [bits.saturating_sub(1), bits, bits + 1])
        .collect();
    let sign = 1u64 << (wide.width() - 1);
    // Subnormal numbers of the wide format, the largest and the smallest of each side.
    let stored = wide_mantissa(wide);
    all.extend([
        1,
        2,
        (1 << stored) - 1,
        1 << stored,
        1 << (stored - 1),
        3 << (stored - 2),
        (3 << (stored - 2)) - 1,
    ]);
    all.sort_unstable();
    all.dedup();
    all.retain(|bits| bits & sign == 0);
    all.extend(all.clone().into_iter().map(|bits| bits | sign));
    all
}

fn wide_mantissa(kind: FloatKind) -> u32 {
    terrace_ir::show::float_layout(kind).map_or(1, |layout| layout.mantissa)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_number_and_every_tie_is_there() {
        let edges: Vec<f64> = edges(FloatKind::F4E2M1FN, FloatKind::F32)
            .into_iter()
            .filter_map(|bits| value_of_bits(bits, FloatKind::F32))
            .collect();
        for wanted in [0.0, 0.25, 0.5, 0.75, 1.0, 1.25, 5.0, 6.0, 7.0, -6.0, -0.25, f64::INFINITY] {
            assert!(edges.contains(&wanted), "{wanted}");
        }
    }
}
