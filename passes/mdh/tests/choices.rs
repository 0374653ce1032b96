//! Transposed convolutions in tensor text: choices by remainders become dense windows, borders are those of the tensor, with the same values.

use crate::common::*;
use std::fmt::Write;
use terrace_diag::{Diags, render_all};
use terrace_dialect_test::values::shown;
use terrace_ir::{Context, Ir};
use terrace_support::Random;

/// Tensor text as text of the IR
fn written(text: &str) -> String {
    let cx = Context::new(&[terrace_dialect_upstream::ALL, terrace_dialect_mdh::ALL].concat());
    let (source, mut diags) = (cx.sources().add("text", text.to_owned()), Diags::default());
    let module = terrace_frontend_mdh::tensor::read(&cx, source, &[], &mut diags);
    let module =
        module.unwrap_or_else(|| panic!("{}\n{text}", render_all(diags.iter(), cx.sources(), false)));
    shown(&module)
}

/// After passes: the text, the number of computations, and the values, which are those of before
fn rewritten(text: &str, passes: &str) -> (String, usize) {
    let text = written(text);
    let mut ir: Box<Ir> = parse(&text);
    let before = as_it_is(&ir, "main");
    lower(&mut ir, &format!("func.func({passes})"), &text);
    let found = shown(&ir);
    same(&before, &as_it_is(&ir, "main"), &format!("{passes}\n{text}\n{found}"));
    let computes = found.matches("mdh.compute").count();
    (found, computes)
}

/// How a condition on one coordinate is spelled, at which remainder elements are, and whether the choice is the other way round
type Spelling = (&'static str, i64, bool);

const SPELLINGS: &[Spelling] = &[
    ("i % S == 0", 0, false),
    ("0 == i % S", 0, false),
    ("i % S < 1", 0, false),
    ("1 > i % S", 0, false),
    ("i % S <= 0", 0, false),
    ("(i + S) % S == 0", 0, false),
    ("(i - S) % S == 0", 0, false),
    ("i / S * S == i", 0, false),
    ("i - i / S * S == 0", 0, false),
    ("i % S == 1 % S", 1, false),
    ("i % S == S - 1", -1, false),
    ("i % S >= S - 1", -1, false),
    ("i % S != 0", 0, true),
    ("i % S > 0", 0, true),
    ("i / S * S < i", 0, true),
];

/// A transposed convolution of one to three dimensions
struct Transposed {
    elem: &'static str,
    stride: i64,
    taps: i64,
    border: i64,
    lengths: Vec<i64>,
    /// Constants between elements and around them
    zero: [&'static str; 2],
    spelling: Spelling,
    /// One choice within the other in place of one condition
    nested: bool,
    /// More places than elements set apart need, or fewer
    more: i64,
}

impl Transposed {
    fn new(stride: i64, taps: i64, lengths: &[i64]) -> Transposed {
        Transposed {
            elem: "f32",
            stride,
            taps,
            border: (taps - 1) / 2,
            lengths: lengths.to_vec(),
            zero: ["0", "0"],
            spelling: SPELLINGS[0],
            nested: false,
            more: 0,
        }
    }

    fn text(&self) -> String {
        let Transposed { elem, stride: s, taps: r, border: p, lengths, zero: [between, around], .. } = self;
        let (condition, _, turned) = self.spelling;
        let dims = || 0..lengths.len();
        let list = |each: &dyn Fn(usize) -> String| dims().map(each).collect::<Vec<_>>().join(", ");
        let places = |n: usize| self.places(n);
        let results = |n: usize| places(n) + 2 * p - r + 1;
        let one =
            |n: usize| format!("({})", condition.replace('i', &format!("x{n}")).replace('S', &s.to_string()));
        let element = format!("X[c, {}]", list(&|n| format!("x{n} / {s}")));
        let choose = |test: String, yes: &str| match turned {
            true => format!("({test} ? {between} : {yes})"),
            false => format!("({test} ? {yes} : {between})"),
        };
        let chosen = match self.nested {
            true => dims().fold(element, |inner, n| choose(one(n), &inner)),
            false => choose(
                dims().map(one).collect::<Vec<_>>().join(if turned { " || " } else { " && " }),
                &element,
            ),
        };
        let mut text = String::new();
        let _ = writeln!(
            text,
            "X : {elem} [3, {}]; F : {elem} [3, 2, {}];",
            list(&|n| lengths[n].to_string()),
            list(&|_| r.to_string())
        );
        let _ = writeln!(text, "E[c, {}] = {chosen};", list(&|n| format!("x{n} in {}", places(n))));
        let _ = writeln!(
            text,
            "Z[c, {}] = E[c, {}] else {around};",
            list(&|n| format!("x{n} in {}", places(n) + 2 * p)),
            list(&|n| format!("x{n} - {p}"))
        );
        let _ = writeln!(
            text,
            "Y[k, {}] = sum{{c, {}}} Z[c, {}] * F[c, k, {}];",
            list(&|n| format!("x{n} in {}", results(n))),
            list(&|n| format!("r{n}")),
            list(&|n| format!("x{n} + r{n}")),
            list(&|n| format!("{r} - 1 - r{n}")),
        );
        text
    }

    /// Places of elements and between them
    fn places(&self, n: usize) -> i64 {
        let (length, at) = (self.lengths[n], self.spelling.1.rem_euclid(self.stride));
        ((length - 1) * self.stride + 1 + at + self.more).clamp(1, length * self.stride)
    }

    /// Is there a result?
    fn has_results(&self) -> bool {
        (0..self.lengths.len()).all(|n| self.places(n) + 2 * self.border >= self.taps)
    }
}

const PHASES: &str = "mdh-phases,mdh-inline";

#[test]
fn spellings_of_a_stride() {
    for spelling in SPELLINGS {
        for (stride, nested) in [(2, false), (3, true), (4, false)] {
            let case = Transposed { spelling: *spelling, nested, ..Transposed::new(stride, 5, &[11, 9]) };
            let (found, _) = rewritten(&case.text(), PHASES);
            let what = format!("{}, {stride}\n{found}", spelling.0);
            assert!(found.contains("y_terms"), "{what}");
            assert!(!found.contains("floordiv") && !found.contains("arith.select"), "{what}");
            assert!(!found.contains("\"e\"") && !found.contains("\"z\""), "{what}");
        }
    }
}

#[test]
fn a_stride_of_one_is_a_plain_convolution() {
    for (spelling, nested) in SPELLINGS.iter().zip([false, true].into_iter().cycle()) {
        let case = Transposed { spelling: *spelling, nested, ..Transposed::new(1, 3, &[5, 4]) };
        let (found, computes) = rewritten(&case.text(), PHASES);
        assert_eq!(computes, 1, "{}\n{found}", spelling.0);
        assert!(found.contains("= %X[c, x0 + r0 - 1, x1 + r1 - 1] else"), "{found}");
        // One tap is a product of matrices.
        let case = Transposed { spelling: *spelling, nested, ..Transposed::new(1, 1, &[5, 4]) };
        let (found, computes) = rewritten(&case.text(), PHASES);
        assert_eq!(computes, 1, "{}\n{found}", spelling.0);
        assert!(!found.contains("else") && !found.contains("select"), "{found}");
    }
}

#[test]
fn random_strides_windows_and_borders() {
    let mut r = Random::new(16);
    let mut divided = 0;
    for _ in 0..90 {
        let taps = 1 + r.below(6i64);
        let rank = 1 + r.below(if taps > 3 { 2 } else { 3 }) as usize;
        let case = Transposed {
            elem: r.pick(&["f32", "f64", "i32", "i64"]),
            stride: 1 + r.below(4i64),
            taps,
            border: r.below(taps + 1),
            lengths: (0..rank).map(|_| 1 + r.below(7i64)).collect(),
            zero: [r.pick(&["0", "0", "3"]), r.pick(&["0", "0", "0", "3"])],
            spelling: r.pick(SPELLINGS),
            nested: r.coin(),
            more: r.below(4i64) - 2,
        };
        if !case.has_results() {
            continue;
        }
        let (found, _) = rewritten(&case.text(), PHASES);
        divided += usize::from(found.contains("y_terms"));
    }
    assert!(divided > 10, "only {divided} were divided");
}

#[test]
fn all_targets_agree() {
    for case in [
        Transposed::new(2, 3, &[5, 3]),
        Transposed { elem: "i32", zero: ["3", "3"], ..Transposed::new(3, 2, &[7]) },
        Transposed::new(1, 2, &[6]),
    ] {
        agree_on(&written(&case.text()), &["main"]);
    }
}

#[test]
fn infinite_elements_keep_their_effect() {
    // Zero times infinity is no number, wherever a window covers a place between elements.
    for (stride, taps) in [(2, 3), (2, 5), (3, 2)] {
        let case = Transposed::new(stride, taps, &[6]).text().replace("* F[", "* (1.0 / 0.0 + F[");
        let case = format!("{});\n", case.trim_end().trim_end_matches(';'));
        let (found, _) = rewritten(&case, "mdh-phases");
        assert!(found.contains("y_terms"), "{found}");
        let values = as_it_is(&parse(&written(&case)), "main");
        assert!(values[0].iter().any(|value| value.is_some_and(f64::is_nan)), "{values:?}");
    }
}

#[test]
fn choices_in_the_window_itself() {
    let direct = |elem: &str, condition: &str, other: &str| {
        format!(
            "X : {elem} [3, 11]; F : {elem} [3, 2, 5];
Y[k, y in 25] = sum{{c, r}} ({condition} ? (X[c, (y - r) / 2] else 0) : {other}) * F[c, k, r];"
        )
    };
    for elem in ["f32", "i32", "f64"] {
        let (found, _) = rewritten(&direct(elem, "(y - r) % 2 == 0", "0"), "mdh-phases");
        assert!(found.contains("y_terms") && !found.contains("select"), "{found}");
    }
    // Another constant between elements than around them, or another condition: the window stays.
    for (condition, other) in
        [("(y - r) % 2 == 0", "1"), ("(y - r) % 2 == 0 || c == 0", "0"), ("y - r < 7", "0")]
    {
        let (found, computes) = rewritten(&direct("f32", condition, other), "mdh-phases");
        assert_eq!(computes, 1, "{condition}\n{found}");
    }
}

#[test]
fn what_is_outside_must_be_outside_behind() {
    // Four of five elements are set apart: the fifth one would be read where the border is.
    let text = "X : f32 [3, 5]; F : f32 [3, 2, 3];
E[c, x in 7] = x % 2 == 0 ? X[c, x / 2] : 0;
Z[c, x in 11] = E[c, x - 2] else 0;
Y[k, x in 9] = sum{c, r} Z[c, x + r] * F[c, k, 2 - r];";
    let (found, _) = rewritten(text, PHASES);
    assert!(!found.contains("y_terms"), "{found}");
    // A copy of a part, and a border of a mirrored tensor.
    for (copy, through) in [
        ("E[x in 9] = X[x];", true),
        ("E[x in 8] = X[x];", false),
        ("E[x in 9] = X[8 - x];", true),
        ("E[x in 7] = X[x + 1];", false),
        ("E[x in 4] = X[2 * x];", false),
        ("E[x in 5] = X[2 * x];", true),
        ("E[x in 18] = X[x / 2];", true),
        ("E[x in 16] = X[x / 2];", false),
    ] {
        let text = format!("X : f32 [9];\n{copy}\nZ[x in 24] = E[x - 2] else 0;");
        let (found, computes) = rewritten(&text, "mdh-inline");
        assert_eq!(computes == 1, through, "{copy}\n{found}");
    }
}

/// A condition that stands twice is one, and what `mdh.inline` keeps stays
#[test]
fn the_same_condition_twice_and_computations_that_stay() {
    let once = "X : f32 [3, 5]; F : f32 [3, 2, 3];
E[c, x in 9] = x % 2 == 0 ? X[c, x / 2] : 0;
Z[c, x in 11] = E[c, x - 1] else 0;
Y[k, x in 9] = sum{c, r} Z[c, x + r] * F[c, k, 2 - r];";
    let (_, computes) = rewritten(once, "mdh-phases");
    let twice =
        once.replace("x % 2 == 0 ? X[c, x / 2] : 0", "x % 2 == 0 ? (x % 2 == 0 ? X[c, x / 2] : 0) : 0");
    let (found, found_computes) = rewritten(&twice, "mdh-phases");
    assert!(found.contains("y_terms") && found_computes == computes, "{found}");
    let text = written(once);
    let at = text.find("outs([c, x])").expect("the first computation") + "outs([c, x])".len();
    let kept = format!("{} attributes {{mdh.inline = false}}{}", &text[..at], &text[at..]);
    let mut ir: Box<Ir> = parse(&kept);
    lower(&mut ir, "func.func(mdh-phases)", &kept);
    assert!(!shown(&ir).contains("y_terms"), "{}", shown(&ir));
}

/// Subscripts stay within what the verifier takes
#[test]
fn subscripts_that_grow_too_large_stay() {
    let text = "X : f32 [4096];
E[x in 4] = X[1024 * x];
Z[x in 3] = E[70368744177664 * x] else 0;";
    let (found, computes) = rewritten(text, "mdh-inline");
    assert_eq!(computes, 2, "{found}");
}

/// Bodies of thousands of choices are read in steps that are counted
#[test]
fn long_bodies_end() {
    let mut text = String::from(
        "func.func @main(%X: tensor<64xf32>, %F: tensor<3xf32>) -> tensor<30xf32> {
%Y = mdh.compute (i in 30, r in 3 pw add) ins(%x0 = %X[i + r], %f = %F[r]) outs([i]) {
%z = arith.constant 0.0 : f32
%zero = arith.constant 0 : index
%i = mdh.index 0
%two = arith.constant 2 : index
%m = arith.remsi %i, %two : index
%c0 = arith.cmpi eq, %m, %zero : index
",
    );
    for n in 0..20 {
        let _ = writeln!(text, "%c{} = arith.andi %c{n}, %c{n} : i1", n + 1);
    }
    for n in 0..3000 {
        let _ = writeln!(text, "%x{} = arith.select %c{}, %x{n}, %z : f32", n + 1, n % 21);
    }
    text += "%p = arith.mulf %x3000, %f : f32\nmdh.yield %p : f32\n} : (tensor<64xf32>, tensor<3xf32>) -> tensor<30xf32>\nreturn %Y : tensor<30xf32>\n}\n";
    let mut ir: Box<Ir> = parse(&text);
    lower(&mut ir, "func.func(mdh-phases,mdh-inline)", &text);
    // What is beyond the counted values stays as it is.
    assert!(shown(&ir).contains("arith.select"));
}
