//! Axes of numbers: even, or by powers of ten.

use plotters::coord::ranged1d::{BoldPoints, KeyPointHint, NoDefaultFormatting, Ranged, ValueFormatter};
use plotters::coord::types::RangedCoordf64;
use std::ops::Range;

/// Numbers with a text on an axis by powers of ten, at most
const MOST: usize = 8;

/// An axis: from where to where, and how
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Axis {
    pub low: f64,
    pub high: f64,
    /// By powers of ten; both ends are above 0
    pub is_log: bool,
}

impl Axis {
    /// From 0; not as far as no measurement comes
    pub(crate) fn to(high: f64) -> Axis {
        Axis { low: 0.0, high: high.min(1e18), is_log: false }
    }

    /// Around positive numbers, by powers of ten; not around those that no measurement gives
    pub(crate) fn around(numbers: impl Iterator<Item = f64>) -> Axis {
        let (low, high) = numbers
            .filter(|number| (1e-18..=1e18).contains(number))
            .fold((f64::INFINITY, 0.0_f64), |(low, high), number| (low.min(number), high.max(number)));
        if low > high {
            return Axis { low: 0.1, high: 10.0, is_log: true };
        }
        // A little room on both sides, also where all are one.
        let room = (high / low).powf(0.04).max(1.05);
        Axis { low: low / room, high: high * room, is_log: true }
    }

    /// As plots take it
    pub(super) fn scale(self) -> Scale {
        let Axis { low, high, is_log } = self;
        let place = if is_log { low.log10()..high.log10() } else { low..high };
        Scale { axis: self, even: (low..high).into(), place: place.into() }
    }
}

/// An axis as plots take it
pub(super) struct Scale {
    axis: Axis,
    /// The numbers
    even: RangedCoordf64,
    /// Where they are: their logarithms, on an axis by powers of ten
    place: RangedCoordf64,
}

impl Scale {
    /// Multiples of powers of ten within the axis
    fn multiples(&self, of: &[f64]) -> Vec<f64> {
        let Axis { low, high, .. } = self.axis;
        let powers = low.log10().floor() as i32..=high.log10().ceil() as i32;
        let all = powers.flat_map(|power| of.iter().map(move |digit| digit * 10.0_f64.powi(power)));
        all.filter(|number| (low..=high).contains(number)).collect()
    }
}

impl Ranged for Scale {
    type FormatOption = NoDefaultFormatting;
    type ValueType = f64;

    fn map(&self, value: &f64, limit: (i32, i32)) -> i32 {
        if self.axis.is_log { self.place.map(&value.log10(), limit) } else { self.even.map(value, limit) }
    }

    fn key_points<Hint: KeyPointHint>(&self, hint: Hint) -> Vec<f64> {
        if !self.axis.is_log {
            return self.even.key_points(hint);
        }
        if hint.weight().allow_light_points() {
            return self.multiples(&[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0]);
        }
        let digits: [&[f64]; 3] =
            [&[1.0, 2.0, 5.0], &[1.0, 2.0, 3.0, 5.0, 7.0], &[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0]];
        let fits = |found: &Vec<f64>| (3..=MOST).contains(&found.len());
        match digits.iter().map(|digits| self.multiples(digits)).find(fits) {
            Some(found) => found,
            // Many powers of ten, or less than one: as on an even axis.
            None if self.multiples(&[1.0]).len() > 2 => self.multiples(&[1.0]),
            None => self.even.key_points(BoldPoints(MOST)),
        }
    }

    fn range(&self) -> Range<f64> {
        self.axis.low..self.axis.high
    }
}

impl ValueFormatter<f64> for Scale {
    fn format_ext(&self, value: &f64) -> String {
        if !self.axis.is_log {
            return self.even.format_ext(value);
        }
        // Without what rounding has added.
        let short: f64 = format!("{value:.5e}").parse().unwrap_or(*value);
        match short.abs() {
            size if (1e-4..1e7).contains(&size) => short.to_string(),
            _ => format!("{short:e}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn points(low: f64, high: f64) -> Vec<f64> {
        Axis { low, high, is_log: true }.scale().key_points(BoldPoints(11))
    }

    #[test]
    fn an_axis_by_powers_of_ten_has_a_few_round_numbers() {
        assert_eq!(points(0.9, 11.0), [1.0, 2.0, 5.0, 10.0]);
        assert_eq!(points(0.5, 2e4), [1.0, 10.0, 100.0, 1000.0, 10_000.0]);
        assert_eq!(points(0.022, 0.185), [0.03, 0.05, 0.07, 0.1]);
        let narrow = points(1.02, 1.31);
        assert!((3..=MOST).contains(&narrow.len()) && narrow.iter().all(|at| (1.02..1.31).contains(at)));
    }

    #[test]
    fn numbers_are_short() {
        let scale = Axis { low: 1.0, high: 100.0, is_log: true }.scale();
        let all = [0.1 + 0.2, 20.0, 200_000.0, 5e8, 1e-9].map(|value| scale.format_ext(&value));
        assert_eq!(all, ["0.3", "20", "200000", "5e8", "1e-9"]);
    }

    #[test]
    fn equal_ratios_have_equal_lengths() {
        let scale = Axis { low: 1.0, high: 100.0, is_log: true }.scale();
        assert_eq!([1.0, 10.0, 100.0].map(|at| scale.map(&at, (0, 200))), [0, 100, 200]);
    }

    #[test]
    fn an_axis_around_numbers_has_them_all() {
        let axis = Axis::around([3.0, 0.5, 40.0, 0.0, f64::INFINITY].into_iter());
        assert!(axis.is_log && axis.low < 0.5 && axis.low > 0.3 && axis.high > 40.0 && axis.high < 60.0);
        let one = Axis::around([2.0].into_iter());
        assert!(one.low < 2.0 && one.high > 2.0, "{one:?}");
        assert!(Axis::around(std::iter::empty()).low > 0.0);
        let odd = Axis::around([1e-300, 4.0, 1e300].into_iter());
        assert!(odd.low > 3.0 && odd.high < 5.0, "{odd:?}");
    }
}
