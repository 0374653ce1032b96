//! Identities that have to be decided, random sizes by value, text there and back.

use crate::common;

use common::Random;
use terrace_analysis::Range;
use terrace_analysis::nat::{Claim, Facts, Nat, NatError, Proof};

fn nat(text: &str) -> Nat {
    text.parse().unwrap_or_else(|error| panic!("{text}: {error}"))
}

#[test]
fn identities_are_decided() {
    for (a, b) in [
        ("(@x + 3 * @c) floordiv @c", "3 + @x floordiv @c"),
        ("(@x + (@p * @q + 2) * @c) floordiv @c", "@p * @q + 2 + @x floordiv @c"),
        ("@b * (@a floordiv @b) + @a mod @b", "@a"),
        ("(@x mod (@b * @c)) floordiv @b", "(@x floordiv @b) mod @c"),
        ("(@x mod (@b * @c)) mod @b", "@x mod @b"),
        ("@x floordiv @b floordiv @c", "@x floordiv (@b * @c)"),
        ("@x floordiv 3 floordiv 4", "@x floordiv 12"),
        ("(6 * @x + 9) floordiv 3", "2 * @x + 3"),
        ("(2 * @x + 1) floordiv 4", "@x floordiv 2"),
        ("(@n * @x) floordiv (@n * @y)", "@x floordiv @y"),
        ("min(@a + 3, @b + 3)", "min(@a, @b) + 3"),
        ("max(@a, @b) + min(@a, @b)", "@a + @b"),
        ("min(@a, min(@b, @c))", "min(@c, @a, @b)"),
        ("min(@a, @a + 2)", "@a"),
        ("min(2 * @a, 4 * @b)", "2 * min(@a, 2 * @b)"),
        ("@m * (@n / @m)", "@n"),
        ("(@n / @s0) * @s0", "@n"),
        ("(@n - 5) floordiv 3 + 1", "(@n - 2) floordiv 3"),
        ("(@n / @m) floordiv @k", "@n floordiv (@m * @k)"),
        ("@n ceildiv 4", "(@n + 3) floordiv 4"),
        ("(@a + 1) * (@a - 1)", "@a^2 - 1"),
        ("(@a^2 - 1) / (@a + 1)", "@a - 1"),
        ("@a / (@a + @b) + @b / (@a + @b)", "1"),
        ("(@H - @R) / (2 * @s + 2) * (@s + 1)", "(@H - @R) / 2"),
        ("2 ^ @k * 2 ^ @k", "(2 ^ @k)^2"),
        ("$l * @n / $l", "@n"),
    ] {
        assert_eq!(nat(a), nat(b), "{a} and {b}");
    }
}

#[test]
fn different_sizes_differ() {
    for (a, b) in [
        ("@a", "@b"),
        ("@a floordiv 2", "@a / 2"),
        ("@a floordiv 2 + (@a + 1) floordiv 2 + 1", "@a"),
        ("min(@a, @b)", "@a"),
        ("$n", "@n"),
    ] {
        assert_ne!(nat(a), nat(b), "{a} and {b}");
    }
}

#[test]
fn text_is_the_normal_form() {
    for (from, to) in [
        ("1 + @n", "@n + 1"),
        ("@n - @n", "0"),
        ("-@n", "-@n"),
        ("@b * @a * 2", "2 * @a * @b"),
        ("@n / 4 / @m", "@n / @m / 4"),
        ("@x mod 4", "@x mod 4"),
        ("3 * (@x mod @b) + @y", "@y + 3 * (@x mod @b)"),
        ("(@H - @R) floordiv @s + 1", "(@H - @R) floordiv @s + 1"),
        ("@a / (@a + 1)", "-1 / (@a + 1) + 1"),
        ("max(@a, @b)", "@a + @b - min(@a, @b)"),
        ("@a ^ 3 * 2 ^ @k", "@a^3 * 2 ^ @k"),
        ("@om / @v * 7 / 3", "7 * @om / @v / 3"),
        ("(@a floordiv 3) * @b", "@b * (@a floordiv 3)"),
    ] {
        assert_eq!(nat(from).to_string(), to, "{from}");
    }
}

/// A random text with its value at a point, as fractions of whole numbers would give it
fn random(random: &mut Random, depth: usize, point: &[i64; 3]) -> (String, i64) {
    if depth == 0 || random.below(5) == 0 {
        return match random.below(4) {
            3 => {
                let value = random.below(9) as i64;
                (value.to_string(), value)
            }
            n => (format!("@{}", ["a", "b", "c"][n]), point[n]),
        };
    }
    let (a, x) = self::random(random, depth - 1, point);
    let (b, y) = self::random(random, depth - 1, point);
    let small = 1 + random.below(6) as i64;
    match random.below(9) {
        0 | 1 => (format!("({a} + {b})"), x + y),
        2 => (format!("({a} - ({b}))"), x - y),
        3 => (format!("({a}) * ({b})"), x * y),
        4 => (format!("(({a}) floordiv {small})"), x.div_euclid(small)),
        5 => (format!("(({a}) mod {small})"), x.rem_euclid(small)),
        6 if y > 0 => (format!("(({a}) floordiv ({b}))"), x.div_euclid(y)),
        7 => (format!("min({a}, {b})"), x.min(y)),
        8 => (format!("max({a}, {b}, {small})"), x.max(y).max(small)),
        _ => (format!("(({a}) ceildiv {small})"), (x + small - 1).div_euclid(small)),
    }
}

#[test]
fn random_sizes_have_their_values_and_come_back_from_text() {
    let mut numbers = Random::new(3);
    let mut checked = 0;
    for round in 0..4000 {
        let point = [0, 1, 2].map(|_| 1 + numbers.below(9) as i64);
        let depth = 1 + numbers.below(4);
        let (text, value) = random(&mut numbers, depth, &point);
        let Ok(size) = text.parse::<Nat>() else { continue };
        let at =
            |name: &str| Some(Nat::from(point[["a", "b", "c"].iter().position(|other| *other == name)?]));
        // A divisor may be positive at the point and not as a form's atom: then there is no value.
        let found = size.substitute(&at).map(|found| found.as_constant());
        assert_eq!(found, Ok(Some(value)), "round {round}: {text} became {size} at {point:?}");
        assert_eq!(nat(&size.to_string()), size, "round {round}: {text}");
        checked += 1;
    }
    assert!(checked > 3500, "{checked}");
}

#[test]
fn errors() {
    let big = nat("9223372036854775807");
    assert_eq!(big.plus(&Nat::from(1)), Err(NatError::Overflow));
    assert_eq!(nat("@n").floor_div(&Nat::from(0)), Err(NatError::DivisionByZero));
    assert_eq!(nat("@n / 4").substitute(&|_| Some(Nat::from(6))), Err(NatError::Inexact));
    assert_eq!(
        nat("@n / @m").substitute(&|name| (name == "m").then(|| Nat::from(0))),
        Err(NatError::DivisionByZero)
    );
    assert_eq!(nat("@n^16").times(&nat("@n")), Err(NatError::TooLarge));
    assert_eq!(Nat::min(&[]), Ok(None));
    for text in ["", "@", "1 +", "(1", "min()", "x", "1 2", "99999999999999999999", "@a floordiv 0"] {
        assert!(text.parse::<Nat>().is_err(), "{text}");
    }
    assert!("(".repeat(100_000).parse::<Nat>().is_err());
    assert!("-".repeat(100_000).parse::<Nat>().is_err());
}

#[test]
fn substitution_goes_everywhere() {
    let size = nat("(@H - @R) floordiv @s + min(@H, $l) / 2");
    let some = size.substitute(&|name| {
        [("H", 9), ("R", 3)].iter().find(|(n, _)| *n == name).map(|(_, v)| Nat::from(*v))
    });
    assert_eq!(some, Ok(nat("6 floordiv @s + min(9, $l) / 2")));
    let renamed = size.substitute(&|name| (name == "H").then(|| nat("@W + @R")));
    assert_eq!(renamed, Ok(nat("@W floordiv @s + min(@W + @R, $l) / 2")));
    assert_eq!(size.names(), ["$l", "H", "R", "s"]);
}

#[test]
fn facts_prove_and_refute() {
    let mut facts = Facts::default();
    facts.set("t", Range::stepped(4, 64, 4).expect("some"));
    facts.set("i", Range::below(4).expect("some"));
    let claim = |a: &str, b: &str, make: fn(&'static Nat, &'static Nat) -> Claim<'static>| {
        make(Box::leak(Box::new(nat(a))), Box::leak(Box::new(nat(b))))
    };
    let prove = |claim| facts.prove(claim);
    assert_eq!(prove(claim("@i", "@t", Claim::AtMost)), Proof::Yes);
    assert_eq!(prove(claim("@i floordiv 4", "0", Claim::Equal)), Proof::Yes);
    assert_eq!(prove(claim("4", "@t", Claim::Divides)), Proof::Yes);
    assert_eq!(prove(claim("@n", "@n * @k", Claim::Divides)), Proof::Yes);
    assert_eq!(prove(claim("8", "@t", Claim::Divides)), Proof::No(vec![("t".to_string(), 4)]));
    assert_eq!(prove(claim("@t", "16", Claim::AtMost)), Proof::No(vec![("t".to_string(), 20)]));
    assert_eq!(prove(claim("@n", "16", Claim::AtMost)), Proof::Unknown);
    assert_eq!(prove(claim("0", "@n", Claim::AtMost)), Proof::Yes);
}
