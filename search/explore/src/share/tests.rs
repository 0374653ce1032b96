//! Budgets that are divided: as well as can be, the same every time, whatever becomes of a computation.

use super::*;

/// The best time after so many rounds
type Curve<'a> = &'a dyn Fn(f64) -> f64;

fn shares(count: usize) -> Vec<Share> {
    vec![Share { weight: 1.0, ..Share::default() }; count]
}

/// Rounds of each, where one costs so many seconds
fn divided(shares: Vec<Share>, curves: &[(Curve<'_>, f64)], seconds: f64) -> Vec<usize> {
    let mut all = Shares::new(1, shares);
    let mut rounds = vec![0; curves.len()];
    let mut left = seconds;
    while let Some(next) = all.next_round() {
        let (curve, cost) = &curves[next];
        left -= cost;
        if left < 0.0 {
            break;
        }
        rounds[next] += 1;
        all.tell(next, curve(rounds[next] as f64), *cost, false);
    }
    rounds
}

/// The least sum of times, and the rounds that lead to it, by trying all divisions among three
fn best(weights: [f64; 3], curves: &[(Curve<'_>, f64)], seconds: f64) -> (f64, [f64; 3]) {
    let most = |left: f64, n: usize| (left / curves[n].1) as usize;
    let mut found = (f64::INFINITY, [0.0; 3]);
    for a in 1..most(seconds, 0) {
        let left = seconds - a as f64 * curves[0].1;
        for b in 1..most(left, 1) {
            let c = most(left - b as f64 * curves[1].1, 2);
            if c == 0 {
                break;
            }
            let rounds = [a as f64, b as f64, c as f64];
            let sum = (0..3).map(|n| weights[n] * curves[n].0(rounds[n])).sum();
            if sum < found.0 {
                found = (sum, rounds);
            }
        }
    }
    found
}

/// Three curves: the division is the best one but for a tenth of the budget, and the sum of times but for a hundredth
#[test]
fn a_budget_is_divided_as_is_best() {
    let falling: [(Curve<'_>, f64); 3] = [(&|t| 10.0 / t, 1.0), (&|t| 40.0 / t, 1.0), (&|t| 90.0 / t, 1.0)];
    let costly: [(Curve<'_>, f64); 3] = [(&|t| 10.0 / t, 1.0), (&|t| 40.0 / t, 4.0), (&|t| 90.0 / t, 0.5)];
    let floors: [(Curve<'_>, f64); 3] =
        [(&|t| 5.0 + 10.0 / t, 1.0), (&|t| 1.0 + 40.0 / t, 1.0), (&|t| 20.0 + 90.0 / t, 1.0)];
    let powers: [(Curve<'_>, f64); 3] = [
        (&|t| 5.0 + 10.0 * 0.8_f64.powf(t), 1.0),
        (&|t| 1.0 + 10.0 * 0.95_f64.powf(t), 1.0),
        (&|t| 20.0 + 10.0 * 0.9_f64.powf(t), 1.0),
    ];
    let cases = [
        ("falling", falling, [1.0, 1.0, 1.0]),
        ("heavy", falling, [9.0, 1.0, 1.0]),
        ("costly", costly, [1.0, 1.0, 1.0]),
        ("floors", floors, [1.0, 1.0, 1.0]),
        ("powers", powers, [1.0, 1.0, 1.0]),
    ];
    for (name, curves, weights) in cases {
        let seconds = 120.0;
        let list = weights.iter().map(|weight| Share { weight: *weight, ..Share::default() }).collect();
        let rounds = divided(list, &curves, seconds);
        let (least, wanted) = best(weights, &curves, seconds);
        let sum: f64 = (0..3).map(|n| weights[n] * curves[n].0(rounds[n] as f64)).sum();
        assert!(sum <= 1.01 * least, "{name}: {sum} for {least}, {rounds:?} for {wanted:?}");
        for n in 0..3 {
            let differ = (rounds[n] as f64 - wanted[n]).abs() * curves[n].1;
            assert!(differ <= 0.1 * seconds, "{name}: {rounds:?} for {wanted:?}");
        }
    }
}

/// A computation that takes long and gains nothing does not have the budget
#[test]
fn long_ones_without_gain_have_few_rounds() {
    let curves: [(Curve<'_>, f64); 2] = [(&|_| 200.0, 1.0), (&|t| 1.0 + 400.0 / t, 1.0)];
    let rounds = divided(shares(2), &curves, 100.0);
    assert!(2 * rounds[1] > 3 * rounds[0], "{rounds:?}");
}

#[test]
fn all_have_a_round_and_some_are_left_to_chance() {
    // The second one never gains: it has its first round and what chance and hope give.
    let curves: [(Curve<'_>, f64); 2] = [(&|t| 100.0 / t, 1.0), (&|_| 1e-6, 1.0)];
    let rounds = divided(shares(2), &curves, 400.0);
    let chance = rounds[1] as f64 / 400.0;
    assert!((0.01..0.05).contains(&chance), "{rounds:?}: half of one in twenty");
}

#[test]
fn the_same_results_give_the_same_rounds() {
    let curves: [(Curve<'_>, f64); 3] =
        [(&|t| 10.0 / t, 1.0), (&|t| 40.0 / t.sqrt(), 2.0), (&|t| 90.0 - t, 1.0)];
    assert_eq!(divided(shares(3), &curves, 90.0), divided(shares(3), &curves, 90.0));
    // What comes next depends on what became of each, not on the order in which it did.
    let (mut one, mut other) = (Shares::new(3, shares(2)), Shares::new(3, shares(2)));
    for n in 1..=6 {
        one.tell(0, 10.0 / f64::from(n), 1.0, false);
    }
    for n in 1..=4 {
        one.tell(1, 50.0 - f64::from(n), 2.0, false);
        other.tell(1, 50.0 - f64::from(n), 2.0, false);
    }
    for n in 1..=6 {
        other.tell(0, 10.0 / f64::from(n), 1.0, false);
    }
    assert_eq!(one.next_round(), other.next_round());
}

#[test]
fn computations_without_points_or_without_a_run_do_not_block_others() {
    let mut all = Shares::new(1, shares(3));
    let mut rounds = [0; 3];
    for _ in 0..60 {
        let next = all.next_round().expect("one has points");
        rounds[next] += 1;
        match next {
            // Used up after its first round.
            0 => all.tell(0, 1.0, 1.0, true),
            // Nothing of it ever runs.
            1 => all.tell(1, f64::INFINITY, 1.0, false),
            _ => all.tell(2, 10.0 / f64::from(rounds[2]), 1.0, false),
        }
    }
    assert_eq!(rounds[0], 1);
    assert!((PATIENCE as i32..=PATIENCE as i32 + 6).contains(&rounds[1]), "{rounds:?}");
    all.tell(1, f64::INFINITY, 1.0, true);
    all.tell(2, 0.1, 1.0, true);
    assert_eq!(all.next_round(), None);
    assert_eq!(Shares::new(1, Vec::new()).next_round(), None);
}

/// Of two that gain nothing any more, the one far behind its like is worth more
#[test]
fn who_is_behind_similar_ones_has_more_hope() {
    let next = |kind: Option<&str>, seed: u64| {
        let share =
            |operations| Share { weight: 1.0, operations: Some(operations), kind: kind.map(String::from) };
        // The first one runs at a hundredth of the rate of the third, the second one at its rate.
        let list = vec![share(1e9), share(1.04e11), share(1e9)];
        let mut all = Shares::new(seed, list);
        for _ in 0..4 {
            all.tell(0, 1.0, 1.0, false);
            all.tell(1, 1.04, 1.0, false);
            all.tell(2, 0.01, 1.0, false);
        }
        all.next_round()
    };
    // Few rounds are drawn.
    let most =
        |kind: Option<&str>, wanted: usize| (0..40).filter(|seed| next(kind, *seed) == Some(wanted)).count();
    assert!(most(None, 1) > 34, "the longer one");
    assert!(most(Some("conv"), 0) > 34);
}
