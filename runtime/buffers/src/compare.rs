//! How far two buffers are apart
//!
//! - Integers agree iff they are equal; the tolerance does not touch them.
//! - Floats agree iff |actual − expected| ≤ bound, the difference taken in `f64`.
//! - NaN agrees with NaN, whatever sign and payload; NaN and a number never agree.
//! - An infinity agrees with the same infinity. Against anything else the difference is infinite, so
//!   only an infinite bound accepts it.
//! - −0 and +0 agree (their difference is 0).
//! - A bound that is NaN or negative counts as 0.
//!
//! The **worst** element is the one with the largest difference ÷ bound (0 ÷ 0 is 0; a NaN against a
//! number is worse than everything); of equals, the first in row-major order. It is reported even
//! where all agree, so that a test shows how much room is left.

use crate::buffer::{Buffer, Value};
use crate::error::{BufferError, Dims};
use std::cmp::Ordering;
use std::fmt;

/// How much floats may differ
#[derive(Clone, Copy, Debug)]
pub enum Tolerance<'a> {
    /// Not at all
    Exact,
    /// By `abs` + `rel` × |expected|
    Scalar {
        /// Absolute part
        abs: f64,
        /// Relative part
        rel: f64,
    },
    /// By a bound of its own for each element, in row-major order
    PerElement(&'a [f64]),
}

/// What a comparison found
#[derive(Clone, PartialEq, Debug)]
pub struct Comparison {
    /// Elements compared
    pub elements: usize,
    /// Elements that do not agree
    pub mismatches: usize,
    /// The element that uses up most of its bound; `None` for empty buffers
    pub worst: Option<Mismatch>,
}

/// One element of both buffers
#[derive(Clone, PartialEq, Debug)]
pub struct Mismatch {
    /// Where, outermost dimension first
    pub index: Vec<u64>,
    /// Value in the first buffer
    pub actual: Value,
    /// Value in the second buffer
    pub expected: Value,
    /// Distance of the two
    pub difference: f64,
    /// Distance allowed
    pub bound: f64,
}

impl Comparison {
    /// Whether every element agrees
    pub fn agrees(&self) -> bool {
        self.mismatches == 0
    }
}

/// Compare `actual` with `expected`; type and shape must be the same
pub fn compare(
    actual: &Buffer,
    expected: &Buffer,
    tolerance: Tolerance<'_>,
) -> Result<Comparison, BufferError> {
    if actual.elem() != expected.elem() {
        return Err(BufferError::Type {
            from: "the result".into(),
            found: actual.elem().to_string(),
            expected: expected.elem(),
        });
    }
    if actual.shape() != expected.shape() {
        return Err(BufferError::Shape {
            from: "the result".into(),
            found: actual.shape().to_vec(),
            expected: expected.shape().to_vec(),
        });
    }
    if let Tolerance::PerElement(bounds) = tolerance
        && bounds.len() != actual.len()
    {
        return Err(BufferError::Length { needed: actual.len() as u64, given: bounds.len() as u64 });
    }

    let mut mismatches = 0;
    let mut worst: Option<(f64, Mismatch)> = None;
    for i in 0..actual.len() {
        let (Some(a), Some(e)) = (actual.get(i), expected.get(i)) else { break };
        let bound = bound_of(tolerance, i, e);
        let difference = distance(a, e);
        if !agree(difference, bound) {
            mismatches += 1;
        }
        let badness = badness(difference, bound);
        if worst.as_ref().is_none_or(|(w, _)| worse(badness, *w)) {
            let index = actual.index_of(i);
            worst = Some((badness, Mismatch { index, actual: a, expected: e, difference, bound }));
        }
    }
    Ok(Comparison { elements: actual.len(), mismatches, worst: worst.map(|(_, m)| m) })
}

fn bound_of(tolerance: Tolerance<'_>, i: usize, expected: Value) -> f64 {
    let Value::Float(expected) = expected else { return 0.0 };
    let bound = match tolerance {
        Tolerance::Exact => 0.0,
        // An infinite or NaN element must not widen its own bound.
        Tolerance::Scalar { abs, .. } if !expected.is_finite() => abs,
        Tolerance::Scalar { abs, rel } => abs + rel * expected.abs(),
        Tolerance::PerElement(bounds) => bounds[i],
    };
    if bound > 0.0 { bound } else { 0.0 }
}

/// Distance of two values; NaN iff exactly one of them is NaN
fn distance(a: Value, e: Value) -> f64 {
    match (a, e) {
        (Value::Int(a), Value::Int(e)) => a.abs_diff(e) as f64,
        (Value::Float(a), Value::Float(e)) if a == e || (a.is_nan() && e.is_nan()) => 0.0,
        (Value::Float(a), Value::Float(e)) => (a - e).abs(),
        _ => f64::NAN,
    }
}

/// False for a NaN difference, whatever the bound
fn agree(difference: f64, bound: f64) -> bool {
    matches!(difference.partial_cmp(&bound), Some(Ordering::Less | Ordering::Equal))
}

/// The share of the bound that is used up
fn badness(difference: f64, bound: f64) -> f64 {
    match difference {
        0.0 => 0.0,
        d if d == bound => 1.0,
        d => d / bound,
    }
}

/// Whether `new` is worse than `old`; NaN is the worst
fn worse(new: f64, old: f64) -> bool {
    if new.is_nan() { !old.is_nan() } else { new > old }
}

impl fmt::Display for Comparison {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.mismatches {
            0 => write!(f, "all {} elements agree", self.elements)?,
            n => write!(f, "{n} of {} elements differ", self.elements)?,
        }
        match &self.worst {
            Some(worst) => write!(f, "; worst {worst}"),
            None => Ok(()),
        }
    }
}

impl fmt::Display for Mismatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Mismatch { index, actual, expected, difference, bound } = self;
        write!(f, "at {}: {actual} instead of {expected}", Dims(index))?;
        write!(f, " (difference {}, bound {})", Value::Float(*difference), Value::Float(*bound))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ElemType;

    fn floats(values: &[f64]) -> Buffer {
        Buffer::from_slice(ElemType::F64, &[values.len() as u64], values).expect("right length")
    }

    fn run(a: &[f64], e: &[f64], tolerance: Tolerance<'_>) -> Comparison {
        compare(&floats(a), &floats(e), tolerance).expect("same shape")
    }

    #[test]
    fn worst_is_relative_to_its_bound() {
        let c = run(&[10.5, 1.2], &[10.0, 1.0], Tolerance::PerElement(&[1.0, 0.1]));
        assert_eq!(c.mismatches, 1);
        assert_eq!(c.worst.expect("two elements").index, [1]);
    }

    #[test]
    fn report_names_index_values_and_bound() {
        let a = Buffer::from_slice(ElemType::F32, &[2, 2], &[0f32, 0.0, 3.5, 0.0]).expect("four");
        let e = Buffer::zeros(ElemType::F32, &[2, 2]).expect("four");
        let c = compare(&a, &e, Tolerance::Scalar { abs: 0.5, rel: 0.0 }).expect("same shape");
        assert_eq!(
            c.to_string(),
            "1 of 4 elements differ; worst at [1, 0]: 3.5 instead of 0 (difference 3.5, bound 0.5)"
        );
    }

    #[test]
    fn nan_agrees_with_nan_only() {
        assert!(run(&[f64::NAN], &[-f64::NAN], Tolerance::Exact).agrees());
        let c = run(&[9.0, f64::NAN], &[0.0, 1.0], Tolerance::PerElement(&[1.0, f64::INFINITY]));
        assert_eq!((c.mismatches, c.worst.expect("two elements").index), (2, vec![1]));
    }

    #[test]
    fn infinities_agree_with_themselves() {
        let tolerance = Tolerance::Scalar { abs: 1.0, rel: 1.0 };
        assert!(run(&[f64::INFINITY], &[f64::INFINITY], tolerance).agrees());
        assert!(!run(&[f64::INFINITY], &[f64::NEG_INFINITY], tolerance).agrees());
        assert!(!run(&[1.0], &[f64::INFINITY], tolerance).agrees());
        assert!(run(&[1.0], &[f64::INFINITY], Tolerance::PerElement(&[f64::INFINITY])).agrees());
    }

    #[test]
    fn zeros_agree_and_bad_bounds_are_zero() {
        assert!(run(&[-0.0], &[0.0], Tolerance::Exact).agrees());
        assert!(!run(&[1.0], &[0.0], Tolerance::PerElement(&[f64::NAN])).agrees());
        assert!(!run(&[1.0], &[0.0], Tolerance::PerElement(&[-2.0])).agrees());
    }

    #[test]
    fn integers_ignore_the_tolerance() {
        let a = Buffer::iota(ElemType::I32, &[3]).expect("small");
        let mut e = a.clone();
        e.set(1, Value::Int(2));
        let c = compare(&a, &e, Tolerance::Scalar { abs: 5.0, rel: 0.0 }).expect("same shape");
        assert_eq!(c.mismatches, 1);
    }

    #[test]
    fn shapes_and_types_must_agree() {
        let a = Buffer::zeros(ElemType::F32, &[2, 3]).expect("small");
        let b = Buffer::zeros(ElemType::F32, &[3, 2]).expect("small");
        let c = Buffer::zeros(ElemType::F64, &[2, 3]).expect("small");
        let e = compare(&a, &b, Tolerance::Exact).expect_err("shapes");
        assert_eq!(e.to_string(), "the result has shape [2, 3], but [3, 2] is expected");
        let e = compare(&a, &c, Tolerance::Exact).expect_err("types");
        assert_eq!(e.to_string(), "the result holds elements of type f32, but f64 is expected");
    }

    #[test]
    fn empty_buffers_agree() {
        assert_eq!(run(&[], &[], Tolerance::Exact).to_string(), "all 0 elements agree");
    }
}
