//! `argmax` and `argmin`: a value and where it is, by an operator on both that is written when it is first used.
//!
//! The first of equal values wins. NaN is beyond all numbers, for both, as it is for NumPy; of several the first one wins. So the
//! order of values and places is total, and the operator associative, commutative and exact. Over nothing the place is the
//! greatest number of its type.

use crate::model::{Bin, Elem, OperatorFn, Scalar};

/// The operator's name: one for each pair of types
pub(super) fn name(greatest: bool, value: Elem, place: Elem) -> String {
    let word = if greatest { "argmax" } else { "argmin" };
    format!("{word}_{}_{}", value.text(), place.text())
}

/// The operator on values of these types
pub(super) fn operator(greatest: bool, value: Elem, place: Elem, offset: u32) -> OperatorFn {
    let op = |op, a: &Scalar, b: &Scalar| Scalar::Op(op, Box::new(a.clone()), Box::new(b.clone()));
    let select = |test: Scalar, a: &Scalar, b: &Scalar| {
        Scalar::Select(Box::new(test), Box::new(a.clone()), Box::new(b.clone()))
    };
    let (a, i, b, j) = (Scalar::Arg(0), Scalar::Arg(1), Scalar::Arg(2), Scalar::Arg(3));
    let is_nan = |x: &Scalar| op(Bin::Ne, x, x);
    // The second one is better; it is not worse.
    let (better, as_good) = if greatest { (Bin::Gt, Bin::Ge) } else { (Bin::Lt, Bin::Le) };
    let (mut better, mut as_good) = (op(better, &b, &a), op(as_good, &b, &a));
    if value.is_float() {
        better = op(Bin::Or, &better, &op(Bin::And, &is_nan(&b), &op(Bin::Eq, &a, &a)));
        as_good = op(Bin::Or, &as_good, &is_nan(&b));
    }
    let second = op(Bin::Or, &better, &op(Bin::And, &as_good, &op(Bin::Lt, &j, &i)));
    let least = if greatest { f64::NEG_INFINITY } else { f64::INFINITY };
    OperatorFn {
        name: name(greatest, value, place),
        elems: vec![value, place],
        params: ["a", "i", "b", "j"].map(String::from).to_vec(),
        body: vec![select(second.clone(), &b, &a), select(second, &j, &i)],
        associative: true,
        commutative: true,
        exact: true,
        identity: vec![least, f64::INFINITY],
        offset,
    }
}

/// Does this type hold the numbers below this one?
pub(super) fn holds(place: Elem, count: i64) -> bool {
    match place {
        Elem::Int(bits @ 2..=63) => count <= 1 << (bits - 1),
        Elem::Int(64) | Elem::Index => true,
        _ => false,
    }
}
