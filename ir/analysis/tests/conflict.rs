//! Conflicts and footprints against every pair of points of small boxes.

use crate::common;

use common::{Random, points};
use terrace_analysis::{Across, Clash, Range, footprint, footprint_inside, may_conflict, may_conflict_where};
use terrace_support::affine::{AffineExpr, AffineMap};

fn related(across: &[Across], x: &[i64], y: &[i64]) -> bool {
    let mut differ = None;
    for (n, across) in across.iter().enumerate() {
        match across {
            Across::Same if x[n] != y[n] => return false,
            Across::Before if x[n] >= y[n] => return false,
            Across::After if x[n] <= y[n] => return false,
            Across::Differ => *differ.get_or_insert(false) |= x[n] != y[n],
            _ => {}
        }
    }
    differ != Some(false)
}

fn location(access: &[AffineExpr], point: &[i64]) -> Option<Vec<i64>> {
    access.iter().map(|e| e.eval(point, &[])).collect()
}

#[test]
fn agrees_with_every_pair_of_points() {
    let mut random = Random::new(7);
    let (mut never, mut found, mut unknown, mut missed) = (0, 0, 0, 0);
    for round in 0..3000 {
        let ranges = [random.range(), random.range(), random.range()];
        let across: Vec<Across> = (0..3)
            .map(|_| {
                [Across::Same, Across::Differ, Across::Differ, Across::Before, Across::After, Across::Free]
                    [random.below(6)]
            })
            .collect();
        let depth = 1 + random.below(3);
        let rank = 1 + random.below(2);
        let a: Vec<AffineExpr> = (0..rank).map(|_| random.expr(3, depth)).collect();
        // Mostly the same access, moved a little.
        let b: Vec<AffineExpr> = match random.below(3) {
            0 => (0..rank).map(|_| random.expr(3, depth)).collect(),
            1 => a.clone(),
            _ => a.iter().map(|e| e.clone() + (random.below(5) as i64 - 2).into()).collect(),
        };
        let all = points(&ranges);
        let places: Vec<_> = all.iter().map(|p| (location(&a, p), location(&b, p))).collect();
        let meets = |x: usize, y: usize| {
            places[x].0.is_some() && places[x].0 == places[y].1 && related(&across, &all[x], &all[y])
        };
        let any = (0..all.len()).any(|x| (0..all.len()).any(|y| meets(x, y)));
        match may_conflict(&a, &b, &ranges, &across) {
            None => {
                assert!(!any, "round {round}: {a:?} and {b:?} meet, {across:?} in {ranges:?}");
                never += 1;
            }
            Some(Clash::At { first, second }) => {
                let index = |point: &Vec<i64>| all.iter().position(|other| other == point);
                let (x, y) = (index(&first), index(&second));
                let right = x.zip(y).is_some_and(|(x, y)| meets(x, y));
                // An expression without a value at that point (division by zero) is nobody's clash.
                let defined = location(&a, &first).is_some() && location(&b, &second).is_some();
                assert!(right || !defined, "round {round}: {first:?} and {second:?} of {a:?} and {b:?}");
                found += 1;
            }
            Some(Clash::Unknown) => {
                unknown += 1;
                missed += usize::from(!any);
            }
        }
    }
    assert!(never > 1500 && found > 700, "{never} never, {found} found");
    assert!(missed < 100 && unknown < 500, "{missed} of {unknown} unknown ones never meet");
}

#[test]
fn tiles_own_their_elements() {
    let d = AffineExpr::Dim;
    // i0 by 32, i1 by 4, i2 by 1: a chain of one dimension, and k alike.
    let big = [
        Range::stepped(0, (1 << 20) - 1, 32).expect("some"),
        Range::stepped(0, 31, 4).expect("some"),
        Range::below(4).expect("some"),
        Range::below(1 << 20).expect("some"),
    ];
    let sum = d(0) + d(1) + d(2);
    let rows = [sum.clone(), d(3)];
    for outer in 0..3 {
        let across: Vec<Across> = (0..4)
            .map(|n| match n.cmp(&outer) {
                std::cmp::Ordering::Less => Across::Same,
                std::cmp::Ordering::Equal => Across::Differ,
                std::cmp::Ordering::Greater => Across::Free,
            })
            .collect();
        assert_eq!(may_conflict(&rows, &rows, &big, &across), None, "loop {outer}");
    }
    // Packed: [i floordiv 32, i mod 32].
    let packed = [AffineExpr::floor_div(sum.clone(), 32.into()), AffineExpr::modulo(sum, 32.into())];
    let all = [Across::Differ, Across::Differ, Across::Differ, Across::Free];
    assert_eq!(may_conflict(&packed, &packed, &big, &all), None);
    // The loop over k meets itself in an output without k.
    let out = [d(0) + d(1) + d(2)];
    let reduced = may_conflict(&out, &out, &big, &[Across::Same, Across::Same, Across::Same, Across::Differ]);
    assert!(matches!(reduced, Some(Clash::At { .. })), "{reduced:?}");
}

#[test]
fn the_last_row_of_a_large_tile_is_no_other_ones() {
    let d = AffineExpr::Dim;
    // Tasks of 25001 rows, eight rows at a time, and the row behind them: however large, it takes few boxes to show.
    for tile in [10_001, 25_001, 1_000_001, 100_000_001] {
        let task = Range::stepped(0, 3 * tile, tile).expect("a range");
        let eight = Range::stepped(0, tile - 9, 8).expect("a range");
        let ranges = [task, eight, Range::below(8).expect("a range")];
        let (rows, last) = ([d(0) + d(1) + d(2)], [d(0) + (tile - 1).into()]);
        let across = [Across::Differ, Across::Free, Across::Free];
        assert_eq!(may_conflict(&rows, &last, &ranges, &across), None, "{tile}");
        assert_eq!(may_conflict(&last, &rows, &ranges, &across), None, "{tile}");
        let next = [d(0) + tile.into()];
        assert!(matches!(may_conflict(&rows, &next, &ranges, &across), Some(Clash::At { .. })), "{tile}");
    }
}

#[test]
fn neighbours_meet_in_one_direction_only() {
    let d = AffineExpr::Dim;
    let ranges = [Range::below(100).expect("some")];
    let (write, read) = ([d(0)], [d(0) - 1.into()]);
    assert_eq!(may_conflict(&write, &read, &ranges, &[Across::After]), None);
    let clash = may_conflict(&write, &read, &ranges, &[Across::Before]);
    assert!(
        matches!(clash, Some(Clash::At { ref first, ref second }) if second[0] - first[0] == 1),
        "{clash:?}"
    );
}

#[test]
fn a_symbol_is_the_same_on_both_sides() {
    let access = [AffineExpr::Dim(0) + AffineExpr::Symbol(0)];
    let ranges = [Range::below(10).expect("some")];
    assert_eq!(may_conflict(&access, &access, &ranges, &[Across::Differ]), None);
    let product = [AffineExpr::mul(AffineExpr::Dim(0), AffineExpr::Symbol(0))];
    assert_eq!(may_conflict(&product, &product, &ranges, &[Across::Differ]), Some(Clash::Unknown));
}

#[test]
fn boxes_hold_every_element() {
    let mut random = Random::new(8);
    let (mut known, mut full, mut tight) = (0, 0, 0);
    for round in 0..3000 {
        let ranges = [random.range(), random.range(), random.range()];
        let depth = 1 + random.below(3);
        let results: Vec<AffineExpr> = (0..1 + random.below(2)).map(|_| random.expr(3, depth)).collect();
        let map = AffineMap::new(3, 0, results.clone()).expect("three dimensions");
        let Some(found) = footprint_inside(&map, &ranges, |dim| dim > 0) else { continue };
        known += 1;
        let all = points(&ranges);
        let firsts: Vec<i64> = points(&ranges[..1]).into_iter().map(|p| p[0]).collect();
        for outer in firsts {
            let mut seen: Vec<Vec<i64>> = Vec::new();
            for point in all.iter().filter(|point| point[0] == outer) {
                let Some(at) = location(&results, point) else { continue };
                let offset: Option<Vec<i64>> = at
                    .iter()
                    .zip(&found.base)
                    .map(|(x, base)| Some(x - base.eval(&[outer, 0, 0], &[])?))
                    .collect();
                let offset = offset.expect("the base has a value where the access has");
                let inside = offset.iter().zip(&found.offsets).all(|(x, range)| range.contains(*x));
                assert!(inside, "round {round}: {map} at {point:?} is outside of {found:?}");
                seen.push(offset);
            }
            seen.sort();
            seen.dedup();
            // Division by zero: no elements, whatever the box.
            if found.full && !seen.is_empty() {
                assert_eq!(
                    Some(seen.len() as u64),
                    found.elements(),
                    "round {round}: {map} has gaps in {ranges:?}"
                );
                full += 1;
            }
            tight += usize::from(Some(seen.len() as u64) == found.elements());
        }
    }
    assert!(known > 2500 && full > 1500 && tight > full, "{known} known, {full} full, {tight} tight");
}

#[test]
fn convolution_window_of_a_tile() {
    let d = AffineExpr::Dim;
    // y = 2 * (tile + inner) + r, tile by 8
    let access = AffineMap::new(3, 0, vec![(d(0) + d(1)) * 2.into() + d(2)]).expect("fits");
    let ranges = [
        Range::stepped(0, 111, 8).expect("some"),
        Range::below(8).expect("some"),
        Range::below(3).expect("some"),
    ];
    let tile = footprint_inside(&access, &ranges, |dim| dim > 0).expect("known");
    assert_eq!((tile.base[0].clone(), tile.extents(), tile.full), (d(0) * 2.into(), Some(vec![17]), true));
    let whole = footprint(&access, &ranges).expect("known");
    assert_eq!(whole.bytes(4), Some(4 * (2 * 111 + 3)));
}

#[test]
fn conditions_of_both_iterations_count() {
    let d = AffineExpr::Dim;
    // The rest of 1000 behind tiles of 528: only the last tile has it.
    let ranges = [Range::stepped(0, 528, 528).expect("well formed"), Range::below(40).expect("not empty")];
    let across = [Across::Differ, Across::Free];
    let rest = [d(1) + 960.into()];
    assert!(matches!(may_conflict(&rest, &rest, &ranges, &across), Some(Clash::At { .. })));
    let last = [d(0) + (-432).into()];
    assert_eq!(may_conflict_where(&rest, &rest, [&last, &last], &ranges, &across), None);
    assert!(may_conflict_where(&rest, &rest, [&last, &[]], &ranges, &across).is_some());
}

/// Every pair of points of a box where conditions hold, sizes (the first variables) the same in both
fn any_meet(
    a: &[AffineExpr],
    b: &[AffineExpr],
    holds: &[AffineExpr],
    ranges: &[Range],
    across: &[Across],
) -> bool {
    let inside = |p: &Vec<i64>| holds.iter().all(|e| e.eval(p, &[]).is_some_and(|value| value >= 0));
    let all: Vec<Vec<i64>> = points(ranges).into_iter().filter(inside).collect();
    all.iter().any(|x| {
        let here = location(a, x);
        here.is_some() && all.iter().any(|y| related(across, x, y) && location(b, y) == here)
    })
}

#[test]
fn rows_of_a_length_that_is_no_number_are_apart() {
    let d = AffineExpr::Dim;
    // n, i, j: 0 ≤ j < n; nothing more is known of n.
    let ranges = [Range::ALL, Range::below(100).unwrap(), Range::new(0, i64::MAX / 4).unwrap()];
    let within = [d(0) - 1.into() - d(2)];
    let at = [d(1) * d(0) + d(2)];
    let conflict = |at: &[AffineExpr], across: &[Across]| {
        may_conflict_where(at, at, [&within, &within], ranges.as_slice(), across)
    };
    assert_eq!(conflict(&at, &[Across::Same, Across::Differ, Across::Free]), None);
    assert_eq!(conflict(&at, &[Across::Same, Across::Free, Across::Differ]), None);
    // Two elements of a row further on: still apart from its own row's others, but not from the next row's.
    let next = [d(1) * d(0) + d(2) + 2.into()];
    let found = may_conflict_where(
        &at,
        &next,
        [&within, &within],
        ranges.as_slice(),
        &[Across::Same, Across::Differ, Across::Free],
    );
    assert!(found.is_some());
    // Without the fact nothing is known.
    let unknown = may_conflict(&at, &at, &ranges, &[Across::Same, Across::Differ, Across::Free]);
    assert_eq!(unknown, Some(Clash::Unknown));
}

#[test]
fn boxes_of_sizes_that_are_no_numbers_are_apart() {
    let d = AffineExpr::Dim;
    // n, m, then (i * n + j) * m + k with j < n and k < m; k in tiles of 4.
    let index = Range::new(0, i64::MAX / 8).unwrap();
    let tiled = Range::stepped(0, (i64::MAX / 8) & !3, 4).unwrap();
    let ranges = [Range::ALL, Range::ALL, index, index, tiled, Range::below(4).unwrap()];
    let holds = [d(0) - 1.into() - d(3), d(1) - 1.into() - d(4) - d(5)];
    let at = [(d(2) * d(0) + d(3)) * d(1) + d(4) + d(5)];
    let (same, free) = (Across::Same, Across::Free);
    for loops in 2..6 {
        let across: Vec<Across> = (0..6)
            .map(|n| {
                if n < 2 {
                    same
                } else if n == loops {
                    Across::Differ
                } else {
                    free
                }
            })
            .collect();
        let found = may_conflict_where(&at, &at, [&holds, &holds], ranges.as_slice(), &across);
        assert_eq!(found, None, "loop {loops}");
    }
}

#[test]
fn products_with_sizes_agree_with_every_pair_of_points() {
    let mut random = Random::new(11);
    let d = AffineExpr::Dim;
    let (mut never, mut may) = (0, 0);
    for round in 0..600 {
        let number = |random: &mut Random, n: usize| random.below(n) as i64;
        // n and i, j, with any factors, offsets and bounds of j.
        let ranges = [
            Range::new(number(&mut random, 3), 4).unwrap(),
            Range::below(1 + number(&mut random, 4)).unwrap(),
            Range::new(-number(&mut random, 2), 4).unwrap(),
        ];
        let (c, e) = (1 + number(&mut random, 2), number(&mut random, 3) - 1);
        let at = [d(1) * d(0) * c.into() + d(2) * (1 + number(&mut random, 2)).into()];
        let other = [at[0].clone() + e.into()];
        let bound = d(0) * (1 + number(&mut random, 2)).into() - number(&mut random, 3).into() - d(2);
        let holds = [bound, d(2) + number(&mut random, 2).into()];
        let across = [
            Across::Same,
            [Across::Differ, Across::Before, Across::Free][random.below(3)],
            [Across::Free, Across::Differ, Across::Same][random.below(3)],
        ];
        let any = any_meet(&at, &other, &holds, &ranges, &across);
        match may_conflict_where(&at, &other, [&holds, &holds], ranges.as_slice(), &across) {
            None => {
                assert!(
                    !any,
                    "round {round}: {at:?} and {other:?} meet where {holds:?}, {across:?} in {ranges:?}"
                );
                never += 1;
            }
            Some(Clash::At { .. }) => {
                assert!(any, "round {round}: {at:?} and {other:?} never meet");
                may += 1;
            }
            Some(Clash::Unknown) => may += 1,
        }
    }
    assert!(never > 100 && may > 100, "{never} {may}");
}
#[test]
fn stage_parts_alternate() {
    let d = AffineExpr::Dim;
    let part = |k: AffineExpr, n: i64| {
        AffineExpr::modulo(AffineExpr::add(AffineExpr::floor_div(k, 8.into()), n.into()), 2.into())
    };
    let ranges = [Range::stepped(0, 24, 8).unwrap(), Range::below(4).unwrap()];
    let a = [part(d(0), 1), d(1)];
    let b = [part(d(0), 0), d(1)];
    assert_eq!(may_conflict(&a, &b, &ranges, &[Across::Same, Across::Free]), None);
}
