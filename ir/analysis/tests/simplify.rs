//! Simplified expressions have the same values, ranges hold them all, proofs are right.

use crate::common;

use common::{Random, points};
use terrace_analysis::{
    Range, coefficient_of, divides, equal, less, less_or_equal, range_of, simplify_with_ranges,
};
use terrace_support::affine::AffineExpr;

#[test]
fn agrees_with_every_point() {
    let mut random = Random::new(1);
    let (mut simpler, mut known, mut proved) = (0, 0, 0);
    for round in 0..6000 {
        let ranges = [random.range(), random.range(), random.range()];
        let depth = 1 + random.below(4);
        let (a, b) = (random.expr(3, depth), random.expr(3, 2));
        let simple = simplify_with_ranges(&a, &ranges);
        let range = range_of(&a, &ranges);
        let (le, lt, eq) = (less_or_equal(&a, &b, &ranges), less(&a, &b, &ranges), equal(&a, &b, &ranges));
        let by = 1 + random.below(6) as i64;
        let divided = divides(by, &a, &ranges);
        simpler += u32::from(simple != a);
        known += u32::from(range.is_some());
        proved += u32::from(le) + u32::from(divided);
        for point in points(&ranges) {
            let Some(value) = a.eval(&point, &[]) else { continue };
            assert_eq!(
                simple.eval(&point, &[]),
                Some(value),
                "round {round}: {a} became {simple} in {ranges:?}, at {point:?}"
            );
            if let Some(range) = range {
                assert!(
                    range.contains(value),
                    "round {round}: {a} is {value} at {point:?}, outside of {range:?} of {ranges:?}"
                );
            }
            assert!(!divided || value % by == 0, "round {round}: {by} does not divide {a} at {point:?}");
            if let Some(other) = b.eval(&point, &[]) {
                assert!(!le || value <= other, "round {round}: {a} <= {b} fails at {point:?}");
                assert!(!lt || value < other, "round {round}: {a} < {b} fails at {point:?}");
                assert!(!eq || value == other, "round {round}: {a} = {b} fails at {point:?}");
            }
        }
    }
    assert!(simpler > 1500 && known > 4000 && proved > 1500, "{simpler} {known} {proved}");
}

#[test]
fn sums_of_multiples_have_exact_ranges() {
    let mut random = Random::new(2);
    for _ in 0..500 {
        let ranges = [random.range(), random.range(), random.range()];
        let term = |n: u32, c: i64| AffineExpr::Dim(n) * c.into();
        let c = [random.below(9) as i64 - 4, random.below(9) as i64 - 4, random.below(9) as i64 - 4];
        let expr = term(0, c[0]) + term(1, c[1]) + term(2, c[2]);
        let values: Vec<i64> = points(&ranges).iter().filter_map(|point| expr.eval(point, &[])).collect();
        let found = range_of(&expr, &ranges).expect("known");
        assert_eq!(Some(found.min()), values.iter().copied().min());
        assert_eq!(Some(found.max()), values.iter().copied().max());
    }
}

fn simple(text: &[&str], expected: &str, ranges: &[Range]) {
    // Written with the builders: `d0 * 32 + d1` and so on.
    let found = simplify_with_ranges(&parse(text), ranges);
    assert_eq!(found.to_string(), expected);
}

/// Reverse Polish: numbers, `dN`, `+ * / % ^` (`^` for ceildiv)
fn parse(text: &[&str]) -> AffineExpr {
    let mut stack: Vec<AffineExpr> = Vec::new();
    for word in text {
        let next = match (word.strip_prefix('d'), word.parse::<i64>()) {
            (Some(n), _) => AffineExpr::Dim(n.parse().expect("a number")),
            (None, Ok(value)) => value.into(),
            (None, Err(_)) => {
                let (b, a) = (stack.pop().expect("two"), stack.pop().expect("two"));
                match *word {
                    "+" => AffineExpr::add(a, b),
                    "*" => AffineExpr::mul(a, b),
                    "/" => AffineExpr::floor_div(a, b),
                    "^" => AffineExpr::ceil_div(a, b),
                    _ => AffineExpr::modulo(a, b),
                }
            }
        };
        stack.push(next);
    }
    stack.pop().expect("one left")
}

#[test]
fn tiles_and_lanes() {
    let tiles =
        [Range::below(8).expect("some"), Range::below(32).expect("some"), Range::below(100).expect("some")];
    simple(&["d0", "32", "*", "d1", "+", "32", "/"], "d0", &tiles);
    simple(&["d0", "32", "*", "d1", "+", "32", "%"], "d1", &tiles);
    simple(&["d0", "32", "*", "d1", "+", "64", "/"], "d0 floordiv 2", &tiles);
    simple(&["d0", "32", "*", "d1", "+", "16", "%"], "d1 mod 16", &tiles);
    simple(&["d2", "5", "/", "4", "/"], "d2 floordiv 20", &tiles);
    simple(&["d2", "20", "%", "5", "/"], "(d2 floordiv 5) mod 4", &tiles);
    simple(&["d2", "20", "%", "5", "%"], "d2 mod 5", &tiles);
    simple(&["d2", "7", "/", "7", "*", "d2", "7", "%", "+"], "d2", &tiles);
    simple(&["d1", "31", "+", "32", "/", "1", "%"], "0", &tiles);
    simple(&["d0", "8", "%"], "d0", &tiles);
    simple(&["d2", "4", "*", "6", "%"], "(d2 * 4) mod 6", &tiles);
}

#[test]
fn coefficients() {
    let expr = parse(&["d0", "4", "*", "d0", "+", "d1", "2", "/", "+"]);
    assert_eq!(coefficient_of(&expr, 0), Some(5));
    assert_eq!(coefficient_of(&expr, 1), None);
    assert_eq!(coefficient_of(&parse(&["d0", "d1", "*"]), 0), None);
}

#[test]
fn deep_nests_take_bounded_work() {
    let ranges = [Range::below(100_000).expect("some"), Range::below(1000).expect("some")];
    for depth in 1..40 {
        let mut expr = AffineExpr::Dim(0);
        for n in 0..depth {
            expr = AffineExpr::modulo(expr * 3.into() + AffineExpr::Dim(1), (1009 - 7 * n).into());
        }
        let range = range_of(&expr, &ranges);
        assert!(range.is_none_or(|range| range.min() >= 0));
        assert!(simplify_with_ranges(&expr, &ranges).size() <= expr.size());
    }
}
