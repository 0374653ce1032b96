//! Medians and ranges of a few samples.
//!
//! Ratios are taken within a pair and then summed up: on a shared machine only runs next to each other compare.

/// A few samples, summed up
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Summary {
    /// The middle one, or the mean of the two in the middle
    pub median: f64,
    /// The smallest
    pub min: f64,
    /// The largest
    pub max: f64,
}

impl Summary {
    /// Sums up `samples`; zeros where there are none
    pub fn of(samples: impl IntoIterator<Item = f64>) -> Self {
        let mut sorted: Vec<f64> = samples.into_iter().collect();
        sorted.sort_by(f64::total_cmp);
        let (Some(&min), Some(&max)) = (sorted.first(), sorted.last()) else {
            return Self { median: 0.0, min: 0.0, max: 0.0 };
        };
        let middle = sorted.len() / 2;
        let median =
            if sorted.len() % 2 == 1 { sorted[middle] } else { (sorted[middle - 1] + sorted[middle]) / 2.0 };
        Self { median, min, max }
    }

    /// The summary of `above[i] / below[i]`
    pub fn of_ratios(above: &[f64], below: &[f64]) -> Self {
        Self::of(above.iter().zip(below).map(|(a, b)| a / b))
    }

    /// As an object with three members
    pub fn json(self) -> serde_json::Value {
        serde_json::json!({ "median": self.median, "min": self.min, "max": self.max })
    }
}

/// The geometric mean of positive numbers; nothing of none
pub fn geometric_mean(samples: impl IntoIterator<Item = f64>) -> Option<f64> {
    let (sum, count) =
        samples.into_iter().fold((0.0, 0_u32), |(sum, count), one| (sum + one.ln(), count + 1));
    (count > 0).then(|| (sum / f64::from(count)).exp())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_median_is_in_the_middle() {
        assert_eq!(Summary::of([3.0, 1.0, 2.0]), Summary { median: 2.0, min: 1.0, max: 3.0 });
        assert_eq!(Summary::of([4.0, 1.0, 2.0, 3.0]).median, 2.5);
        assert_eq!(Summary::of([]).median, 0.0);
    }

    #[test]
    fn ratios_are_of_pairs() {
        assert_eq!(Summary::of_ratios(&[10.0, 40.0, 30.0], &[1.0, 2.0, 10.0]).median, 10.0);
    }

    #[test]
    fn a_mean_of_ratios_is_geometric() {
        let mean = geometric_mean([0.5, 2.0, 8.0]).expect("there are some");
        assert!((mean - 2.0).abs() < 1e-12, "{mean}");
        assert_eq!(geometric_mean([]), None);
    }
}
