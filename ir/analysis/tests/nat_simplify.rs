//! Sizes made simpler by facts: the rules one by one, then random sizes at every point of their variables.

use terrace_analysis::Range;
use terrace_analysis::nat::{Claim, Facts, Nat, Proof};
use terrace_support::Random;

fn nat(text: &str) -> Nat {
    text.parse().expect("a size")
}

/// Variables below numbers or sizes: `i < 4`, `j < @m`
fn facts(below: &[(&str, &str)]) -> Facts {
    let mut facts = Facts::default();
    for (name, extent) in below {
        facts.set_below(name, &nat(extent));
    }
    facts
}

fn simplified(text: &str, below: &[(&str, &str)]) -> String {
    nat(text).simplify(&facts(below)).to_string()
}

#[test]
fn p1_a_rest_below_the_divisor_is_dropped() {
    assert_eq!(simplified("(4 * $i + $j) floordiv 4", &[("$j", "4")]), "$i");
    assert_eq!(simplified("(4 * $i + $j) mod 4", &[("$j", "4")]), "$j");
    assert_eq!(simplified("(@m * $i + $j) floordiv @m", &[("$j", "@m")]), "$i");
    assert_eq!(simplified("(@m * $i + $j) mod @m", &[("$j", "@m")]), "$j");
    assert_eq!(simplified("(4 * $i + $j) floordiv 4", &[("$j", "5")]), "$i + $j floordiv 4");
}

#[test]
fn p2_a_rest_below_a_part_of_the_divisor_is_dropped() {
    assert_eq!(simplified("(4 * $i + $j) floordiv 12", &[("$j", "4")]), "$i floordiv 3");
    assert_eq!(simplified("(4 * $i + $j) mod 12", &[("$j", "4")]), "$j + 4 * ($i mod 3)");
    assert_eq!(simplified("(@m * $i + $j) floordiv (@m * @k)", &[("$j", "@m")]), "$i floordiv @k");
}

#[test]
fn p3_a_quotient_of_one_value_is_it() {
    assert_eq!(simplified("$i floordiv 4", &[("$i", "4")]), "0");
    assert_eq!(simplified("($i + 8) floordiv 4", &[("$i", "4")]), "2");
    assert_eq!(simplified("($i - 4) floordiv 4", &[("$i", "4")]), "-1");
    assert_eq!(simplified("$i floordiv @n", &[("$i", "@n")]), "0");
    assert_eq!(simplified("$i mod @n", &[("$i", "@n")]), "$i");
}

#[test]
fn p4_of_arguments_in_order_the_least_is_left() {
    assert_eq!(simplified("min($i, 7)", &[("$i", "8")]), "$i");
    assert_eq!(simplified("min($i, @n)", &[("$i", "@n")]), "$i");
    assert_eq!(simplified("max($i, 0)", &[("$i", "@n")]), "$i");
    assert_eq!(simplified("min(max($i - 1, 0), @n)", &[("$i", "@n")]), simplified("max($i - 1, 0)", &[]));
}

#[test]
fn p5_what_divides_cancels() {
    let mut facts = Facts::default();
    facts.set_multiple("$i", &nat("@T"));
    assert_eq!(nat("($i floordiv @T) * @T").simplify(&facts), nat("$i"));
    assert_eq!(nat("$i mod @T").simplify(&facts), nat("0"));
    facts.set("$j", Range::stepped(0, 60, 12).expect("not empty"));
    assert_eq!(nat("$j floordiv 4 * 4").simplify(&facts), nat("$j"));
    assert_eq!(nat("$j floordiv 8 * 8").simplify(&facts), nat("$j floordiv 8 * 8"));
}

#[test]
fn p6_divisors_of_the_divisor_are_tried() {
    // A join of three dimensions, read through vectors of 4 and an order strided by 8.
    let below = [("$c", "8"), ("$u", "36"), ("$l", "4")];
    assert_eq!(
        simplified("(4 * $c + 32 * $u + $l) floordiv 384", &below),
        "($c + 8 * $u) floordiv 96".parse::<Nat>().unwrap().simplify(&facts(&below)).to_string()
    );
    assert_eq!(simplified("(4 * $c + 32 * $u + $l) floordiv 384", &below), "$u floordiv 12");
    assert_eq!(simplified("(4 * $c + 32 * $u + $l) mod 32", &below), "4 * $c + $l");
    // A slide of an array that a tile was cut from.
    assert_eq!(simplified("(3 * @m * $a + $b) floordiv @m", &[("$b", "@m")]), "3 * $a");
}

#[test]
fn flat_indices_of_nests_come_apart() {
    let below = [("$i", "@n"), ("$j", "@m"), ("$k", "4")];
    let flat = "(4 * @m * $i + 4 * $j + $k)";
    assert_eq!(simplified(&format!("{flat} floordiv (4 * @m)"), &below), "$i");
    assert_eq!(simplified(&format!("({flat} floordiv 4) mod @m"), &below), "$j");
    assert_eq!(simplified(&format!("{flat} mod 4"), &below), "$k");
}

#[test]
fn claims_with_bounds_that_are_sizes() {
    let facts = facts(&[("$i", "@n"), ("$j", "@m")]);
    let prove = |claim: &dyn Fn(&Nat, &Nat) -> Proof, a: &str, b: &str| claim(&nat(a), &nat(b));
    let at_most = |a: &Nat, b: &Nat| facts.prove(Claim::AtMost(a, b));
    assert_eq!(prove(&at_most, "@m * $i + $j + 1", "@n * @m"), Proof::Yes);
    assert_eq!(prove(&at_most, "@m * $i + $j + 2", "@n * @m"), Proof::Unknown);
    assert_eq!(prove(&at_most, "$i mod @k + 1", "@k"), Proof::Yes);
    assert_eq!(prove(&at_most, "$i floordiv 4", "(@n - 1) floordiv 4"), Proof::Yes);
    assert_eq!(prove(&at_most, "@n - 1 - $i", "@n - 1"), Proof::Yes);
    assert_eq!(prove(&at_most, "0", "@n - 1 - $i"), Proof::Yes);
    let differ = |a: &Nat, b: &Nat| facts.prove(Claim::Differ(a, b));
    assert_eq!(prove(&differ, "$i", "@n"), Proof::Yes);
    assert_eq!(prove(&differ, "$i", "$j"), Proof::Unknown);
}

#[test]
fn a_least_value_of_a_parameter_is_used() {
    let mut facts = Facts::default();
    assert_eq!(facts.prove(Claim::AtMost(&nat("@n"), &nat("@n * @m"))), Proof::Unknown);
    facts.set("m", Range::new(1, i64::MAX).expect("not empty"));
    assert_eq!(facts.prove(Claim::AtMost(&nat("@n"), &nat("@n * @m"))), Proof::Yes);
}

/// What is refuted comes with the values that do
#[test]
fn claims_about_small_domains_are_decided() {
    let mut facts = Facts::default();
    facts.set("a", Range::new(2, 5).expect("not empty"));
    facts.set("b", Range::stepped(4, 20, 4).expect("not empty"));
    assert_eq!(
        facts.prove(Claim::Differ(&nat("@a"), &nat("@b"))),
        Proof::No(vec![("a".into(), 4), ("b".into(), 4)])
    );
    assert_eq!(
        facts.prove(Claim::Differ(&nat("@a * @a"), &nat("@b + 1"))),
        Proof::No(vec![("a".into(), 3), ("b".into(), 8)])
    );
    assert_eq!(facts.prove(Claim::Divides(&nat("2"), &nat("@a * (@a + 1)"))), Proof::Yes);
}

/// A random size over `$i < @n`, `$j < @m`, `$k < 4`, `$t` a multiple of `@m` below `2 * @m`
fn random(numbers: &mut Random, depth: u32) -> Nat {
    let leaf = |numbers: &mut Random| match numbers.below(8) {
        0 => Nat::from(numbers.below(9) as i64),
        1 => nat("@n"),
        2 => nat("@m"),
        3 | 4 => nat("$i"),
        5 => nat("$j"),
        6 => nat("$k"),
        _ => nat("$t"),
    };
    if depth == 0 {
        return leaf(numbers);
    }
    let a = random(numbers, depth - 1);
    let b = random(numbers, depth - 1);
    let by = match numbers.below(5) {
        0 => nat("@m"),
        1 => nat("@n"),
        2 => nat("4 * @m"),
        n => Nat::from([4, 6, 12][n as usize % 3]),
    };
    let made = match numbers.below(8) {
        0 | 1 => a.plus(&b),
        2 => a.minus(&b),
        3 => a.times(&by),
        4 => a.floor_div(&by),
        5 => a.modulo(&by),
        6 => a.plus(&b).and_then(|sum| sum.floor_div(&by)),
        _ => Nat::min(&[a.clone(), b]).map(|least| least.expect("two arguments")),
    };
    made.unwrap_or(a)
}

#[test]
fn random_sizes_keep_their_value() {
    let mut facts = facts(&[("$i", "@n"), ("$j", "@m"), ("$k", "4")]);
    facts.set_multiple("$t", &nat("@m"));
    for name in ["n", "m"] {
        facts.set(name, Range::new(1, i64::MAX).expect("not empty"));
    }
    let mut numbers = Random::new(7);
    let (mut changed, mut proved, mut checked) = (0, 0, 0);
    for _ in 0..600 {
        let before = random(&mut numbers, 3);
        let after = before.simplify(&facts);
        changed += u32::from(after != before);
        let other = random(&mut numbers, 2);
        let claims =
            [Claim::AtMost(&before, &other), Claim::Differ(&before, &other), Claim::Divides(&other, &before)];
        let claims = claims.map(|claim| (claim, facts.prove(claim)));
        for (n, m) in [(1, 1), (2, 3), (5, 2)] {
            for point in 0..n * m * 4 * 2 {
                let (i, j, k, t) = (point % n, point / n % m, point / (n * m) % 4, m * (point / (n * m * 4)));
                let value = |name: &str| {
                    let all = [("n", n), ("m", m), ("$i", i), ("$j", j), ("$k", k), ("$t", t)];
                    all.iter().find(|(other, _)| *other == name).map(|(_, value)| Nat::from(*value))
                };
                let at = |nat: &Nat| nat.substitute(&value).ok().and_then(|nat| nat.as_constant());
                let (a, b) = (at(&before).expect("a number"), at(&other).expect("a number"));
                assert_eq!(
                    Some(a),
                    at(&after),
                    "{before} became {after} at n {n} m {m} i {i} j {j} k {k} t {t}"
                );
                checked += 1;
                for (claim, proof) in &claims {
                    let holds = match claim {
                        Claim::AtMost(..) => a <= b,
                        Claim::Differ(..) => a != b,
                        _ => b <= 0 || a % b == 0,
                    };
                    assert!(holds || *proof != Proof::Yes, "{claim:?} at {n} {m} {i} {j} {k} {t}");
                }
            }
        }
        proved += claims.iter().filter(|(_, proof)| *proof == Proof::Yes).count();
    }
    assert!(changed > 80 && proved > 40 && checked > 20_000, "{changed} {proved} {checked}");
}

#[test]
fn simplifying_twice_is_simplifying_once() {
    let facts = facts(&[("$i", "@n"), ("$j", "@m"), ("$k", "4")]);
    let mut numbers = Random::new(11);
    for _ in 0..1000 {
        let once = random(&mut numbers, 3).simplify(&facts);
        assert_eq!(once.simplify(&facts), once);
    }
}

#[test]
fn printing_and_reading_keeps_sizes() {
    let facts = facts(&[("$i", "@n"), ("$j", "@m"), ("$k", "4")]);
    let mut numbers = Random::new(13);
    for _ in 0..3000 {
        let before = random(&mut numbers, 3);
        for size in [before.simplify(&facts), before] {
            assert_eq!(size.to_string().parse::<Nat>().as_ref(), Ok(&size), "{size}");
        }
    }
}
