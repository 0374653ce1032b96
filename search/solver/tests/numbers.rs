//! Parameters that are numbers: orders, counts, draws and the best, against brute force and the known space of a convolution.

use num_bigint::BigUint;
use std::collections::BTreeSet;
use terrace_search_solver::search::divisors;
use terrace_search_solver::{Cmp, Formula, Numbers, Random, Search, Source, Term, Var};

fn divides(a: impl Into<Term>, b: impl Into<Term>) -> Formula {
    Formula::cmp(Cmp::Eq, b.into().rem(a), 0)
}

/// The tuning space of the direct convolution (GPGPU'20), layer 7: 128 → 128 channels at 112 × 112, window 3, step 1
fn layer_7() -> (Numbers, [Var; 6]) {
    let mut all = Numbers::default();
    let (size, window, channels, kernels) = (114, 3, 128, 128);
    let theta = all.param("theta", Source::Range(window.into(), (2 * size).into(), 1.into()));
    let rho = all.param("rho", Source::Range(0.into(), 32.into(), 1.into()));
    let kappa = all.param("kappa", Source::Divisors(kernels.into()));
    let side = all.param("side", Source::Derived(Term::from(theta).sub(window - 1)));
    let sigma = all.param("sigma", Source::Divisors(Term::from(side).mul(side)));
    let omega = all.param("omega", Source::Divisors((window * window * channels).into()));
    let v = all.param("v", Source::Values(vec![1, 2, 3, 4, 8, 16]));
    let padded = || Term::from(rho).add(size);
    all.require(Formula::cmp(Cmp::Le, theta, padded()));
    all.require(divides(side, padded().sub(theta)));
    all.require(divides(v, omega));
    (all, [theta, rho, kappa, sigma, omega, v])
}

#[test]
fn the_convolution_has_as_many_points_as_the_design_says() {
    let (all, [theta, rho, kappa, sigma, omega, v]) = layer_7();
    let search = Search::new(&all, None);
    assert_eq!(search.order(), [vec!["theta", "side", "rho", "sigma"], vec!["kappa"], vec!["omega", "v"]]);
    assert_eq!(search.count(), BigUint::from(1_463_648u32));
    // The paper's best point: padding is larger than the tile (F9).
    let mut point = vec![0; 7];
    for (var, value) in [(theta, 5), (rho, 11), (kappa, 4), (sigma, 3), (omega, 144), (v, 4)] {
        point[var.index()] = value;
    }
    point[3] = 3;
    assert!(all.holds(&point));
    point[rho.index()] = 2;
    assert!(all.holds(&point), "padding 2 would do as well");
    point[rho.index()] = 3;
    assert!(!all.holds(&point));
    point[rho.index()] = 33;
    assert!(!all.holds(&point), "outside of its range");
}

#[test]
fn tiles_and_paddings_of_the_convolution() {
    let (all, [theta, rho, ..]) = layer_7();
    let search = Search::new(&all, None);
    let pairs: BTreeSet<(i64, i64)> =
        search.solutions().step_by(8 * 106).map(|point| (point[theta.index()], point[rho.index()])).collect();
    assert_eq!(pairs.len(), 204);
    assert!(pairs.contains(&(5, 11)) && pairs.contains(&(5, 2)));
}

#[test]
fn no_draw_is_dead() {
    let (all, _) = layer_7();
    for seed in 0..4 {
        let search = Search::new(&all, Some(seed));
        let drawn = search.samples(&mut Random::new(seed), 1_000);
        assert_eq!(drawn.len(), 1_000);
        assert!(drawn.iter().all(|point| all.holds(point)), "seed {seed}");
        assert!(drawn.iter().collect::<BTreeSet<_>>().len() > 990, "seed {seed}");
        let again = search.samples(&mut Random::new(seed), 1_000);
        assert_eq!(drawn, again);
    }
}

#[test]
fn random_spaces_are_what_brute_force_finds() {
    let mut random = Random::new(5);
    for round in 0..80 {
        let mut all = Numbers::default();
        let n = 2 + random.below(2);
        for k in 0..n {
            let before = (k > 0).then(|| Term::from(Var(random.below(k.max(1)) as u32)));
            let source = match (random.below(4), before) {
                (0, Some(term)) => Source::Divisors(term.mul(6)),
                (1, Some(term)) => Source::Range(0.into(), term.add(2), (1 + random.below(2) as i64).into()),
                (2, Some(term)) => Source::Derived(term.mul(2).add(1)),
                _ => Source::Values(vec![1, 2, 3, 4, 6]),
            };
            all.param(&format!("p{k}"), source);
        }
        let some = |random: &mut Random| Term::from(Var(random.below(n) as u32));
        for _ in 0..random.below(4) {
            let (a, b) = (some(&mut random), some(&mut random));
            all.require(match random.below(3) {
                0 => divides(a, b.mul(3)),
                1 => Formula::cmp(Cmp::Le, a.mul(2), b.add(7)),
                _ => Formula::cmp(Cmp::Ne, a, b.add(1)),
            });
        }
        let mut expected = BTreeSet::new();
        let mut pending = vec![Vec::new()];
        while let Some(values) = pending.pop() {
            if values.len() == n as usize {
                if all.holds(&values) {
                    expected.insert(values);
                }
                continue;
            }
            pending.extend((0..20).map(|value| [&values[..], &[value]].concat()));
        }
        let search = Search::new(&all, (round % 2 == 0).then_some(round));
        let found: Vec<Vec<i64>> =
            search.solutions().filter(|values| values.iter().all(|value| *value < 20)).collect();
        let set: BTreeSet<Vec<i64>> = found.iter().cloned().collect();
        assert_eq!(set.len(), found.len(), "round {round}: twice");
        assert_eq!(set, expected, "round {round}: {all:?}");
        assert_eq!(search.count(), BigUint::from(search.solutions().count()), "round {round}");
        let cost = Term::from(Var(0)).mul(3).add(Term::from(Var(1)).rem(3)).sub(Var(n as u32 - 1));
        let value =
            |point: &Vec<i64>| cost.value(&|var| Some(point[var.index()])).expect("small").expect("known");
        let least = search.solutions().map(|point| value(&point)).min();
        let (best, _) = search.minimize(std::slice::from_ref(&cost));
        assert_eq!(best.as_ref().map(|(point, _)| value(point)), least, "round {round}");
        assert_eq!(best.map(|(_, values)| values[0]), least, "round {round}");
    }
}

#[test]
fn bounds_save_work() {
    let (all, [theta, rho, kappa, sigma, omega, v]) = layer_7();
    let search = Search::new(&all, None);
    let waste = Term::from(rho);
    let reuse = Term::from(0).sub(Term::from(kappa).mul(sigma).mul(v));
    let chunk = Term::from(omega).sub(144).mul(Term::from(omega).sub(144));
    let (best, nodes) = search.minimize(&[waste, reuse, chunk]);
    let (point, values) = best.expect("not empty");
    assert!(all.holds(&point) && point[theta.index()] >= 3);
    assert_eq!(values[0], 0);
    let least = search
        .solutions()
        .step_by(1)
        .filter(|point| point[rho.index()] == 0)
        .map(|point| -(point[kappa.index()] * point[sigma.index()] * point[v.index()]))
        .min();
    assert_eq!(Some(values[1]), least);
    assert!(nodes < 300_000, "{nodes} of 1,463,648 leaves");
}

#[test]
fn divisors_are_complete() {
    for n in 1..400 {
        assert_eq!(divisors(n), (1..=n).filter(|d| n % d == 0).collect::<Vec<_>>());
    }
}
