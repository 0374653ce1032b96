//! What the parser refuses: every mistake with its place, and never a panic.

use crate::toy;

use terrace_support::Random;
use terrace_text::ParseOptions;
use toy::{errors, lenient, parse_with};

#[test]
fn messages_say_where_and_what_would_do() {
    for (text, want) in [
        ("\"t.a\"(", "1:7 [E0001]: expected a value `%name`, found the end of the file"),
        ("toy.ad %a, %b : i32", "1:1 [E0002]: dialect `toy` has no op `toy.ad` (did you mean `toy.add`?)"),
        ("bar.x", "1:1 [E0002]: unknown op `bar.x`: the dialect `bar` is not registered"),
        ("\"toy.x\"() : () -> ()", "1:1 [E0002]: dialect `toy` has no op `toy.x`"),
        ("\"t.a\"(%x) : (i1) -> ()", "1:7 [E0003]: `%x` is used and never defined"),
        (
            "%value = \"t.a\"() : () -> i1\n\"t.b\"(%valeu) : (i1) -> ()",
            "2:7 [E0003]: `%valeu` is used and never defined (did you mean `%value`?)",
        ),
        ("%a = \"t.a\"() : () -> i1\n%a = \"t.a\"() : () -> i1", "2:1 [E0004]: `%a` is defined twice"),
        (
            "%a = \"t.a\"() : () -> i1\n\"t.b\"(%a) : (i2) -> ()",
            "2:7 [E0005]: `%a` has type i1, used here as i2",
        ),
        (
            "\"t.b\"(%a) : (i2) -> ()\n%a = \"t.a\"() : () -> i1",
            "1:7 [E0005]: `%a` has type i1, used here as i2",
        ),
        (
            "%a = \"t.a\"() : () -> i1\n\"t.b\"(%a#1) : (i1) -> ()",
            "2:7 [E0016]: result number 1 of 1, counted from 0",
        ),
        (
            "\"t.a\"() ({\n^next:\n \"t.b\"()[^nxet] : () -> ()\n}) : () -> ()",
            "3:10 [E0006]: block `^nxet` is not defined (did you mean `^next`?)",
        ),
        ("\"t.a\"() ({\n^a:\n^a:\n}) : () -> ()", "3:1 [E0007]: block `^a` is defined twice"),
        ("\"t.a\"() {x = 256 : i8} : () -> ()", "1:14 [E0008]: `256` is out of range of i8"),
        ("\"t.a\"() {x = -129 : i8} : () -> ()", "1:14 [E0008]: `-129` is out of range of i8"),
        ("\"t.a\"() {x = 128 : si8} : () -> ()", "1:14 [E0008]: `128` is out of range of si8"),
        ("\"t.a\"() {x = -1 : ui8} : () -> ()", "1:14 [E0008]: `-1` is out of range of ui8"),
        (
            "\"t.a\"() {x = #mpa} : () -> ()\n#map = unit",
            "1:14 [E0009]: undefined alias `#mpa` (did you mean `#map`?)",
        ),
        ("#a = #b\n#b = #a", "2:6 [E0009]: alias `#a` is defined in terms of itself"),
        ("#a = unit\n#a = unit", "2:1 [E0009]: alias `#a` is defined twice"),
        ("\"t.a\"() {x = memre<4xi8>} : () -> ()", "1:14 [E0001]: expected an attribute, found `memre`"),
        ("%0 = \"t.a\"() : () -> memre", "1:22 [E0010]: unknown type `memre` (did you mean `memref`?)"),
        ("%0 = \"t.a\"() : () -> i0", "1:22 [E0010]: integer types have 1 to 16777215 bits"),
        ("%0 = \"t.a\"() : () -> !toy.pair<i1, i1>", "1:22 [E0010]: the two must differ"),
        ("%0 = \"t.a\"() : () -> !toy.pair<i1>", "1:31 [E0016]: expected 2 parameters, found 1"),
        (
            "%0 = \"t.a\"() : () -> vector<0xi1>",
            "1:29 [E0010]: vector types must have positive constant sizes",
        ),
        (
            "\"t.a\"() {x = #toy.mode<fats>} : () -> ()",
            "1:24 [E0011]: expected one of off, fast, safe for `toy.mode` (did you mean `fast`?)",
        ),
        (
            "\"t.a\"() {x = dense<[1, 2]> : tensor<3xi8>} : () -> ()",
            "1:28 [E0011]: the elements' shape [2] does not fit tensor<3xi8>",
        ),
        (
            "\"t.a\"() {x = dense<[[1], [2, 3]]> : tensor<3xi8>} : () -> ()",
            "1:26 [E0011]: this list has 2 elements, the ones before it 1",
        ),
        (
            "\"t.a\"() {x = affine_map<(d0, d1) -> (d0 * d1)>} : () -> ()",
            "1:41 [E0011]: non-affine expression: one factor must be a constant or of symbols only",
        ),
        ("\"t.a\"() {x = \"a\n\"} : () -> ()", "1:14 [E0014]: the string does not end on its line"),
        ("\"t.a\"() {x = \"\\FF\"} : () -> ()", "1:14 [E0014]: the string's bytes are not UTF-8"),
        ("\"t.a\"() {x, x} : () -> ()", "1:1 [E0017]: attribute `x` is given twice"),
        ("\"t.a\"() : (i1) -> ()", "1:11 [E0016]: 0 operands, but 1 types of operands"),
        ("%a:2 = \"t.a\"() : () -> i1", "1:1 [E0016]: the op has 1 results, but 2 are named"),
        ("%x = module {}", "1:6 [E0018]: `builtin.module` is a unit: it takes and gives no values"),
        (
            "\"toy.branch\"()[^a, ^a] : () -> ()",
            "1:1 [E0016]: `operandSegmentSizes` is missing: the op has several operand fields of varying length",
        ),
        ("}", "1:1 [E0001]: this `}` closes nothing"),
        ("module {", "1:8 [E0001]: the file ends before this region does (a `}` is missing)"),
        (
            "{-# resources: {} #-}",
            "1:5 [E0019]: unknown section `resources`, known are dialect_resources and external_resources",
        ),
        (
            "{-# dialect_resources: { builtin: { x: 1 } } #-}",
            "1:40 [E0001]: expected a string, `true` or `false`, found `1`",
        ),
        ("{-# dialect_resources: {", "1:1 [E0001]: metadata without an end `#-}`"),
    ] {
        assert_eq!(errors(text).first().map(String::as_str), Some(want), "{text}");
    }
}

#[test]
fn every_mistake_is_reported_once() {
    let text = "func.func @f(%a: i32) -> i32 {
  %b = toy.add %a, %zz : i32
  %c = toy.ad %a, %a : i32
  %d = toy.add %a, : i32
  %e = toy.add %b, %c : i32
  \"t.x\"() {a = [1, !!, 2],
            b = 3} : () -> ()
  \"t.y\"(%d, %e) : (i32, i64) -> ()
  return %e : i32
}
func.func @g(%a: bogus) {
  \"t.inner\"(%undefined) : (i1) -> ()
}
func.func @h() {
  \"t.z\"() : () -> i32, i32
  return
}
";
    let want = [
        "3:8 [E0002]",
        "4:20 [E0001]",
        "6:20 [E0001]",
        "8:13 [E0005]",
        "2:20 [E0003]",
        "11:18 [E0010]",
        "15:22 [E0001]",
    ];
    let have: Vec<String> =
        errors(text).iter().map(|error| error[..error.find(':').map_or(0, |n| n) + 12].to_string()).collect();
    let starts: Vec<String> =
        errors(text).iter().map(|e| e.split("]:").next().unwrap_or("").to_string() + "]").collect();
    assert_eq!(starts, want, "{have:?}\n{:#?}", errors(text));
}

#[test]
fn unregistered_dialects_need_leave() {
    let strict = ParseOptions::default();
    let (_, errors) = parse_with("\"t.a\"() {x = #foo.y} : () -> !foo.x", &strict);
    assert_eq!(errors, ["1:1 [E0002]: unknown op `t.a`: the dialect `t` is not registered"]);
    let (_, errors) = parse_with("toy.once {} {note = #foo.y}\ntoy.once {} {note = !foo.x}", &strict);
    assert_eq!(errors.len(), 2);
}

#[test]
fn no_module_no_parse() {
    let cx = terrace_ir::Context::new(&[]);
    let source = cx.sources().add("x", "");
    let mut diags = terrace_diag::Diags::default();
    assert!(terrace_text::parse(&cx, source, &lenient(), &mut diags).is_none());
    assert_eq!(diags.errors(), 1);
}

#[test]
fn what_aliases_stand_for_counts_as_depth() {
    let chain = |n: usize| {
        let lines: String = (1..n).map(|n| format!("#a{n} = [#a{}]\n", n - 1)).collect();
        format!("#a0 = []\n{lines}\"t.a\"() {{x = #a{}}} : () -> ()", n - 1)
    };
    assert!(errors(&chain(400)).is_empty());
    assert!(errors(&chain(3_000))[0].contains("[E0012]"));
}

#[test]
fn aliases_that_double_each_other_are_refused() {
    let doubling = |n: usize| {
        let lines: String = (1..n).map(|n| format!("!t{n} = tuple<!t{0}, !t{0}>\n", n - 1)).collect();
        format!("!t0 = i1\n{lines}\"t.a\"() {{x = !t{}}} : () -> ()", n - 1)
    };
    assert!(errors(&doubling(12)).is_empty());
    assert!(errors(&doubling(60))[0].contains("[E0012]"));
}

#[test]
fn deep_types_attributes_and_expressions_are_refused() {
    for (open, close) in
        [("[", "]"), ("{a = ", "}"), ("tuple<", ">"), ("affine_map<() -> (", ")>"), ("loc(callsite(", "))")]
    {
        for n in [900, 100_000] {
            let (open, inner, close) = match open {
                "affine_map<() -> (" => (
                    format!("affine_map<() -> ({}", "(".repeat(n)),
                    "1".into(),
                    format!("{})>", ")".repeat(n)),
                ),
                "loc(callsite(" => (
                    "loc(".to_string() + &"callsite(".repeat(n),
                    "\"a\" at \"b\"".into(),
                    ")".to_string() + &" at \"c\")".repeat(n - 1) + ")",
                ),
                "tuple<" => (open.repeat(n), "i1".to_string(), close.repeat(n)),
                _ => (open.repeat(n), "1".to_string(), close.repeat(n)),
            };
            if open.starts_with('t') && n == 900 {
                continue;
            }
            let errors = errors(&format!("\"t.a\"() {{x = {open}{inner}{close}}} : () -> ()"));
            if n == 900 {
                assert!(errors.is_empty() || errors[0].contains("[E0012]"), "{open:.40} {errors:.100?}");
            } else {
                assert!(errors[0].contains("[E0012]"), "{errors:?}");
            }
        }
    }
}

const SAMPLES: &[&str] = &[
    "module @m attributes {a = #x} {\n  func.func @f(%a: i32, %c: i1 {k}) -> i32 attributes {z} {\n    %b = toy.add %a, %a mode<fast,safe> : i32\n    toy.branch %c, ^l(%a, %b : i32, i32), ^bb2\n  ^l(%x: i32, %y: i32):\n    return %y : i32\n  ^bb2: // comment {\n    %q:2 = \"t.op\"(%a) <{p = 1}> ({\n    ^e(%z: f32):\n      \"t.y\"(%z)[^e] : (f32) -> ()\n    }, {}) {v = \"s\\22\"} : (i32) -> (i32, !t) loc(#l)\n    return %q#0 : i32\n  }\n}\n#x = [1 : i8, -2.5e3 : f32, 0x1F, @a::@\"b\", unit]\n!t = tuple<memref<4x?xf32, strided<[?, 1], offset: 3>, 2>, vector<[4]x2xi1>>\n#l = loc(fused<\"m\">[callsite(\"a\" at \"b\":1:2), \"c\"(unknown)])\n",
    "\"t.a\"() {a = dense<[[1, 2], [3, 4]]> : tensor<2x2xi8>, b = dense<\"0x0102\"> : vector<2xi8>, c = sparse<[[0, 1]], [2.0]> : tensor<2x2xf32>, d = array<i1: true, false>, e = affine_map<(d0, d1)[s0] -> (d0 + s0 * 2, -d1 floordiv 3 mod 2)>, f = affine_set<(i)[j] : (i - j >= 0, 2 * i == 4)>, g = distinct[0]<{}>, h = #toy.mode<fast>, i = #foo<a[b]{\"c\"}>, j = !toy.pair<i1, f8E4M3FN>, k = dense<(1, 2)> : tensor<complex<i8>>} : () -> ()\n{-#\n  external_resources: { a: { b: true } }\n#-}\ntoy.once quiet { toy.yield }\n%0 = toy.constant {x} true\n",
];

#[test]
fn samples_are_right() {
    for sample in SAMPLES {
        let errors = errors(sample);
        assert!(errors.is_empty(), "{errors:?}");
    }
}

#[test]
fn truncated_text_is_no_panic() {
    for sample in SAMPLES {
        for end in (0..sample.len()).filter(|end| sample.is_char_boundary(*end)) {
            errors(&sample[..end]);
            errors(&sample[end..]);
        }
    }
}

#[test]
fn changed_text_is_no_panic() {
    let mut random = Random::new(7);
    let pieces = [
        "{",
        "}",
        "(",
        ")",
        "<",
        ">",
        "[",
        "]",
        "\"",
        "%",
        "^",
        "#",
        "!",
        "@",
        "-",
        ":",
        ",",
        "=",
        "x",
        "0",
        "\n",
        " ",
        "é",
        "->",
        "//",
        "loc",
        "\0",
        "{-#",
        "99999999999999999999999999999999999999999",
        "%a#65536",
        "!t",
        "#x",
    ];
    for round in 0..6000 {
        let sample = SAMPLES[round % SAMPLES.len()];
        let mut bytes = sample.as_bytes().to_vec();
        for _ in 0..1 + random.below(3) {
            let at = random.below(bytes.len());
            let piece = pieces[random.below(pieces.len())].bytes();
            match random.below(4) {
                0 => bytes[at] = random.below(128u32) as u8,
                1 => drop(bytes.splice(at..at, piece)),
                2 => drop(bytes.splice(at..(at + 1 + random.below(9)).min(bytes.len()), piece)),
                _ => {
                    let from = random.below(bytes.len());
                    let part = bytes[from..(from + 20).min(bytes.len())].to_vec();
                    bytes.splice(at..at, part);
                }
            }
        }
        if let Ok(text) = String::from_utf8(bytes) {
            let (ir, found) = parse_with(&text, &lenient());
            assert_eq!(ir.is_none(), !found.is_empty(), "{text}\n{found:?}");
        }
    }
}

#[test]
fn threads_see_the_same_mistakes_in_changed_text() {
    let mut random = Random::new(3);
    let function = "func.func @f(%a: i32) -> i32 {\n  %b = toy.add %a, %a : i32\n  return %b : i32\n}\n";
    let threads = ParseOptions { threads: 3, parallel_from: 1, ..lenient() };
    for _ in 0..60 {
        let mut bytes = function.repeat(30).into_bytes();
        for _ in 0..random.below(3) {
            let at = random.below(bytes.len());
            bytes[at] = b"{}%\"x \n,"[random.below(8)];
        }
        let text = String::from_utf8(bytes).expect("ASCII");
        assert_eq!(parse_with(&text, &threads).1, parse_with(&text, &lenient()).1, "{text}");
    }
}
