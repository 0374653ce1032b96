//! Compiled C computes what the interpreter does.

use crate::common;

use common::{Arg, compare, compile_with, compiler, context, execute, interpret, parse, print, vectors};
use std::fmt::Write;
use terrace_dialect_arith as arith;
use terrace_dialect_test::generate::{Options, generate};
use terrace_dialect_test::programs::nests;
use terrace_ir::Dialect;
use terrace_lowering_c::Flavor;
use terrace_support::Random;

/// Compile a module and compare calls of its functions
fn check(name: &str, text: &str, calls: &[(String, Vec<Arg>)]) -> usize {
    check_with(name, text, calls, &[])
}

/// The same with more flags of the compiler
fn check_with(name: &str, text: &str, calls: &[(String, Vec<Arg>)], flags: &[&str]) -> usize {
    let Some(cc) = compiler() else { return usize::MAX };
    let cx = context();
    let ir = parse(&cx, text);
    let printed = print(&ir, Flavor::OpenMp).unwrap_or_else(|errors| panic!("{errors}"));
    let object = compile_with(cc, name, &printed, flags);
    let (mut decided, mut broken) = (0, String::new());
    for (function, args) in calls {
        match compare(&ir, &object, function, args) {
            Ok(some) => decided += usize::from(some),
            Err(why) => {
                let _ = writeln!(broken, "{why}");
            }
        }
    }
    let shown: String = text.chars().take(20_000).collect();
    assert!(broken.is_empty(), "{broken}\n{shown}\n{}", printed.text);
    decided
}

fn straight(name: &str, dialects: &'static [&'static Dialect], count: u64) -> usize {
    let cx = context();
    let mut text = String::new();
    let mut calls = Vec::new();
    let numbers: [[u64; 7]; 3] = [
        [1, 5, 7, 9, 11, 0x3fc0_0000, 0x4004 << 48],
        [0, 0x80, 0x8000_0000, 1 << 63, u64::MAX, 0x7fc0_0000, 0x8000 << 48],
        [1, 0xff, 0xffff_ffff, u64::MAX, 3, 0xff80_0000, 0x7ff0 << 48],
    ];
    for seed in 0..count {
        let made = generate(&cx, seed, &Options { ops: 24, diamonds: 0, dialects });
        let mut one = String::new();
        terrace_text::print(&made.function, &terrace_text::PrintOptions::default(), &mut one);
        // `expand-floats` lowers these first, for every back end.
        if one.contains("arith.scaling_") {
            continue;
        }
        let named = one.replace("@f(", &format!("@f{seed}("));
        text.push_str(&named);
        text.push('\n');
        for numbers in &numbers {
            calls.push((format!("f{seed}"), numbers.iter().map(|bits| Arg::Number(*bits)).collect()));
        }
    }
    check(name, &text, &calls)
}

#[test]
fn random_arithmetic() {
    static DIALECTS: &[&Dialect] = &[&arith::ARITH];
    let decided = straight("arith", DIALECTS, 120);
    assert!(decided > 60, "only {decided} runs decide something");
}

#[test]
fn random_structured_programs() {
    let mut text = String::new();
    let mut calls = Vec::new();
    for seed in 0..80 {
        text.push_str(&nests::function(&format!("g{seed}"), seed));
        for (a, b) in [(2, 5), (-3i64, 1)] {
            let floats = (0..12).map(|n| u64::from((n as f32 / 4.0 - 1.0).to_bits())).collect();
            calls.push((
                format!("g{seed}"),
                vec![
                    Arg::Number(a as u64),
                    Arg::Number(b as u64),
                    Arg::Array(vec![5], vec![3, 1, 0xffff_fffe, 7, 0x8000_0000]),
                    Arg::Array(vec![4, 3], floats),
                ],
            ));
        }
    }
    let decided = check("structured", &text, &calls);
    assert!(decided > 120, "only {decided} runs decide something");
}

#[test]
fn random_vectors() {
    let mut text = String::new();
    let mut calls = Vec::new();
    for seed in 0..70 {
        text.push_str(&vectors::text(&format!("v{seed}"), seed));
        for (x, f, n) in [(3u64, 1.5f32, 2), (0xffff_fff0, -0.25, 7)] {
            let floats = (0..24).map(|n| u64::from((n as f32 / 4.0 - 1.0).to_bits())).collect();
            calls.push((
                format!("v{seed}"),
                vec![
                    Arg::Number(x),
                    Arg::Number(u64::from(f.to_bits())),
                    Arg::Number(n),
                    Arg::Array(vec![24], floats),
                ],
            ));
        }
    }
    let decided = check("vectors", &text, &calls);
    assert!(decided > 90, "only {decided} runs decide something");
}

/// Half precision is rounded after each op, in vectors too
#[test]
fn half_precision() {
    small_floats("f16");
}

/// So is what C has no type for
#[test]
fn brain_floats() {
    small_floats("bf16");
}

/// Everything that goes into a float that is kept as bits, and comes out, is rounded once
#[test]
fn casts_of_brain_floats() {
    let specials: [f64; 14] = [
        0.0,
        -0.0,
        f64::NAN,
        f64::INFINITY,
        -1e39,
        3.3961e38,
        1e-40,
        1.00390625,
        // Half of the last place, and a little more than f32 can say.
        1.00390625 + 1e-12,
        1.01171875 - 1e-12,
        -1.01171875,
        257.0,
        65537.5,
        -3.0e-39,
    ];
    let integers: [i64; 10] = [
        0,
        1,
        -1,
        257,
        65793,
        i64::MAX,
        i64::MIN,
        (0x101 << 48) + 1,
        -((0x101 << 40) + 1),
        0x8080_0000_0000_0001_u64 as i64,
    ];
    let (mut text, mut calls) = (String::new(), Vec::new());
    for (ty, casts) in [
        ("f64", &["truncf"][..]),
        ("f32", &["truncf"][..]),
        ("i64", &["sitofp", "uitofp"][..]),
        ("i32", &["sitofp", "uitofp"][..]),
        ("i8", &["sitofp", "uitofp"][..]),
    ] {
        for cast in casts {
            let name = format!("{cast}_{ty}");
            let _ = write!(
                text,
                "func.func @{name}(%x: {ty}) -> (bf16, f32, f64, i16, i1, i1, bf16) {{
                   %b = arith.{cast} %x : {ty} to bf16
                   %f = arith.extf %b : bf16 to f32
                   %d = arith.extf %b : bf16 to f64
                   %i = arith.bitcast %b : bf16 to i16
                   %n = math.isnan %b : bf16
                   %z = arith.constant 1.5 : bf16
                   %l = arith.cmpf ogt, %b, %z : bf16
                   %m = arith.negf %b : bf16
                   return %b, %f, %d, %i, %n, %l, %m : bf16, f32, f64, i16, i1, i1, bf16
                 }}\n"
            );
            let bits: Vec<u64> = match ty {
                "f64" => specials.iter().map(|x| x.to_bits()).collect(),
                "f32" => specials.iter().map(|x| u64::from((*x as f32).to_bits())).collect(),
                "i64" => integers.iter().map(|n| *n as u64).collect(),
                "i32" => integers.iter().map(|n| u64::from(*n as u32)).collect(),
                _ => integers.iter().map(|n| u64::from(*n as u8)).collect(),
            };
            calls.extend(bits.into_iter().map(|bits| (name.clone(), vec![Arg::Number(bits)])));
        }
    }
    let _ = writeln!(
        text,
        "func.func @out(%b: bf16) -> (i32, i64, i8) {{
           %x = arith.fptosi %b : bf16 to i32
           %y = arith.fptosi %b : bf16 to i64
           %z = arith.fptoui %b : bf16 to i8
           return %x, %y, %z : i32, i64, i8
         }}"
    );
    calls.extend([0x4049u64, 0x42f7, 0x0001].map(|bits| ("out".to_string(), vec![Arg::Number(bits)])));
    let decided = check("brain-casts", &text, &calls);
    assert!(decided >= calls.len() - 10, "only {decided} of {} runs decide something", calls.len());
}

fn small_floats(ty: &str) {
    let mut text = String::new();
    let ops = ["addf", "subf", "mulf", "divf", "maximumf", "minnumf"];
    for (n, op) in ops.iter().enumerate() {
        let _ = write!(
            text,
            "func.func @h{n}(%m: memref<16xf16>, %x: f16, %i: i32) -> (f16, i1, f32) {{
               %c0 = arith.constant 0 : index
               %c1 = arith.constant 1 : index
               %c16 = arith.constant 16 : index
               %k = arith.constant 0.1 : f16
               %r = scf.for %j = %c0 to %c16 step %c1 iter_args(%s = %k) -> (f16) {{
                 %a = memref.load %m[%j] : memref<16xf16>
                 %b = arith.{op} %a, %s : f16
                 %c = arith.mulf %b, %x : f16
                 %d = arith.addf %c, %k : f16
                 memref.store %d, %m[%j] : memref<16xf16>
                 scf.yield %d : f16
               }}
               %v = vector.load %m[%c0] : memref<16xf16>, vector<8xf16>
               %w = vector.broadcast %r : f16 to vector<8xf16>
               %y = arith.{op} %v, %w : vector<8xf16>
               %z = arith.subf %y, %v : vector<8xf16>
               vector.store %z, %m[%c1] : memref<16xf16>, vector<8xf16>
               %t = vector.reduction <add>, %z : vector<8xf16> into f16
               %q = arith.sitofp %i : i32 to f16
               %u = arith.addf %q, %t : f16
               %less = arith.cmpf olt, %u, %r : f16
               %e = arith.extf %u : f16 to f32
               return %u, %less, %e : f16, i1, f32
             }}\n"
        );
    }
    let mut calls = Vec::new();
    for n in 0..ops.len() {
        for (x, i) in [(0x3c01u64, 5u64), (0xb555, 0xffff_f000), (0x0003, 1)] {
            let numbers = (0..16).map(|at| 0x3400 + 37 * at * (1 + n as u64)).collect();
            calls
                .push((format!("h{n}"), vec![Arg::Array(vec![16], numbers), Arg::Number(x), Arg::Number(i)]));
        }
    }
    let decided = check(ty, &text.replace("f16", ty), &calls);
    assert!(decided >= 18, "only {decided} runs decide something");
}

/// Products and sums rounded once: all triples of edges, among them midpoints that the least number decides, and random ones
#[test]
fn fused_narrow_floats() {
    for (ty, fraction, edges) in [
        (
            "f16",
            10,
            [
                0, 1, 0x3ff, 0x400, 0x13ff, 0x1801, 0x3555, 0x3c00, 0x3c01, 0x3e00, 0x5bff, 0x7bff, 0x7c00,
                0x7e00,
            ],
        ),
        (
            "bf16",
            7,
            [
                0, 1, 0x7f, 0x80, 0x1fff, 0x2001, 0x3eab, 0x3f80, 0x3f81, 0x3fc0, 0x5f7f, 0x7f7f, 0x7f80,
                0x7fc0,
            ],
        ),
    ] {
        let signed: Vec<u64> = edges.iter().flat_map(|bits| [*bits, *bits | 0x8000]).collect();
        let mut triples = Vec::new();
        for a in &signed {
            for b in &signed {
                triples.extend(signed.iter().map(|c| [*a, *b, *c]));
            }
        }
        let mut random = Random::new(16);
        for n in 0..100_000 {
            // Half of them near one, where sums round and cancel.
            let mut next = || match random.next() {
                bits if n % 2 == 0 => bits & 0xffff,
                bits => {
                    (bits & (0x8000 | ((1 << fraction) - 1))) | (edges[7] - ((bits >> 40 & 7) << fraction))
                }
            };
            triples.push([next(), next(), next()]);
        }
        let count = triples.len() / 8 * 8;
        let text = format!(
            "func.func @fused(%a: memref<{count}x{ty}>, %b: memref<{count}x{ty}>, %c: memref<{count}x{ty}>, %d: memref<{count}x{ty}>) {{
               %c0 = arith.constant 0 : index
               %c1 = arith.constant 1 : index
               %c8 = arith.constant 8 : index
               %n = arith.constant {count} : index
               scf.for %i = %c0 to %n step %c8 {{
                 %x = vector.load %a[%i] : memref<{count}x{ty}>, vector<8x{ty}>
                 %y = vector.load %b[%i] : memref<{count}x{ty}>, vector<8x{ty}>
                 %z = vector.load %c[%i] : memref<{count}x{ty}>, vector<8x{ty}>
                 %f = math.fma %x, %y, %z : vector<8x{ty}>
                 vector.store %f, %d[%i] : memref<{count}x{ty}>, vector<8x{ty}>
               }}
               scf.for %i = %c0 to %n step %c1 {{
                 %x = memref.load %a[%i] : memref<{count}x{ty}>
                 %y = memref.load %b[%i] : memref<{count}x{ty}>
                 %z = memref.load %c[%i] : memref<{count}x{ty}>
                 %f = math.fma %x, %y, %z : {ty}
                 memref.store %f, %c[%i] : memref<{count}x{ty}>
               }}
               return
             }}\n"
        );
        let column = |at: usize| triples[..count].iter().map(|triple| triple[at]).collect();
        let columns = [column(0), column(1), column(2), vec![0; count]];
        let args = columns.map(|numbers| Arg::Array(vec![count as i64], numbers)).to_vec();
        let decided = check(&format!("fused-{ty}"), &text, &[("fused".to_string(), args)]);
        assert!(decided >= 1);
    }
}

/// Greater and smaller of all pairs of special numbers, in vectors of all sizes, with this processor's own functions and without
#[test]
fn extrema_of_vectors() {
    let special = [f64::NAN, 0.0, -0.0, 1.5, -2.0, f64::INFINITY, f64::NEG_INFINITY, 3.0];
    let (mut text, mut calls) = (String::new(), Vec::new());
    let ops = ["maximumf", "minimumf", "maxnumf", "minnumf"];
    for (n, op) in ops.iter().enumerate() {
        for (ty, lanes) in [("f32", 4), ("f32", 8), ("f32", 16), ("f64", 2), ("f64", 4), ("f64", 8)] {
            let name = format!("m{n}_{ty}_{lanes}");
            let _ = write!(
                text,
                "func.func @{name}(%a: memref<64x{ty}>, %b: memref<64x{ty}>) {{
                   %c0 = arith.constant 0 : index
                   %n = arith.constant {lanes} : index
                   %c64 = arith.constant 64 : index
                   scf.for %i = %c0 to %c64 step %n {{
                     %x = vector.load %a[%i] : memref<64x{ty}>, vector<{lanes}x{ty}>
                     %y = vector.load %b[%i] : memref<64x{ty}>, vector<{lanes}x{ty}>
                     %z = arith.{op} %x, %y : vector<{lanes}x{ty}>
                     vector.store %z, %a[%i] : memref<64x{ty}>, vector<{lanes}x{ty}>
                   }}
                   return
                 }}\n"
            );
            let bits = |x: f64| if ty == "f32" { u64::from((x as f32).to_bits()) } else { x.to_bits() };
            let pairs = |of: fn(usize) -> usize| (0..64).map(|at| bits(special[of(at)])).collect::<Vec<_>>();
            let (a, b) = (pairs(|at| at / 8), pairs(|at| at % 8));
            calls.push((name, vec![Arg::Array(vec![64], a), Arg::Array(vec![64], b)]));
        }
    }
    for (name, flags) in [("extrema", &[][..]), ("extrema-native", &["-march=native"][..])] {
        let decided = check_with(name, &text, &calls, flags);
        assert!(decided >= calls.len(), "only {decided} runs decide something");
    }
}

/// Units in the last place that two results of f32 are apart; NaN is as far from numbers as can be
fn apart(a: u64, b: u64) -> u64 {
    let line = |bits: u64| {
        let bits = bits as u32 as i32;
        i64::from(if bits < 0 { i32::MIN.wrapping_sub(bits) } else { bits })
    };
    let nan = |bits: u64| f32::from_bits(bits as u32).is_nan();
    match (nan(a), nan(b)) {
        (true, true) => 0,
        (false, false) => line(a).abs_diff(line(b)),
        _ => u64::MAX,
    }
}

/// Functions of rows: polynomials in place of calls, as exact as those that LLVM gets
#[test]
fn functions_of_rows() {
    let Some(cc) = compiler() else { return };
    const COUNT: usize = 2048;
    let mut text = String::new();
    let names = [
        "acos", "acosh", "asin", "asinh", "atan", "atanh", "cbrt", "cos", "cosh", "erf", "exp", "exp2",
        "expm1", "log", "log10", "log1p", "log2", "sin", "sinh", "tan", "tanh",
    ];
    let rows = names.iter().enumerate().map(|(n, name)| (*name, [4, 8, 16][n % 3]));
    let rows: Vec<(&str, usize)> = rows.chain([("exp", 4), ("log", 16), ("sin", 4), ("tanh", 4)]).collect();
    for (function, lanes) in &rows {
        let _ = write!(
            text,
            "func.func @{function}_{lanes}(%a: memref<{COUNT}xf32>) {{
               %c0 = arith.constant 0 : index
               %n = arith.constant {lanes} : index
               %end = arith.constant {COUNT} : index
               scf.for %i = %c0 to %end step %n {{
                 %x = vector.load %a[%i] : memref<{COUNT}xf32>, vector<{lanes}xf32>
                 %y = math.{function} %x : vector<{lanes}xf32>
                 vector.store %y, %a[%i] : memref<{COUNT}xf32>, vector<{lanes}xf32>
               }}
               return
             }}\n"
        );
    }
    let special = [
        0.0,
        -0.0,
        f32::NAN,
        f32::INFINITY,
        f32::NEG_INFINITY,
        1e-40,
        -1e-40,
        88.8,
        -104.0,
        -95.5,
        1.0,
        20.5,
    ];
    let cx = context();
    let ir = parse(&cx, &text);
    let printed = print(&ir, Flavor::OpenMp).unwrap_or_else(|errors| panic!("{errors}"));
    assert!(!printed.text.contains("expf(") && !printed.text.contains(" erff("), "{}", printed.text);
    for (name, flags, most) in [("rows", &[][..], 3), ("rows-native", &["-march=native"][..], 2)] {
        let object = compile_with(cc, name, &printed, flags);
        for (function, lanes) in &rows {
            let scale = if function.starts_with("exp") { 0.09 } else { 0.005 };
            let number = |at: usize| match special.get(at) {
                Some(special) => *special,
                None if function.starts_with("log") => 1.013f32.powi(at as i32 - 1024).abs(),
                None => (at as f32 - 1024.0) * scale,
            };
            let numbers = (0..COUNT).map(|at| u64::from(number(at).to_bits())).collect();
            let args = [Arg::Array(vec![COUNT as i64], numbers)];
            let name = format!("{function}_{lanes}");
            let expected = interpret(&ir, &name, &args).expect("it computes");
            let found = execute(&ir, &object, &name, &args);
            assert_eq!(found.len(), COUNT);
            for (at, (expected, found)) in expected.iter().zip(&found).enumerate() {
                let x = number(at);
                let far = apart(expected.expect("all is written"), *found);
                assert!(far <= most, "{name}({x}) is {found:#x}, {far} units from {expected:x?}");
            }
        }
    }
}

/// The same of f64, and functions of two operands
#[test]
fn functions_of_rows_of_doubles() {
    let Some(cc) = compiler() else { return };
    const COUNT: usize = 512;
    let unary = ["acos", "atan", "cbrt", "cos", "erf", "exp", "log1p", "sinh", "tanh"];
    let mut bodies: Vec<(String, &str, usize)> = unary
        .iter()
        .enumerate()
        .map(|(n, name)| (format!("math.{name} %x"), "f64", [2, 4, 8][n % 3]))
        .collect();
    for (ty, lanes) in [("f64", 4), ("f32", 8)] {
        bodies.push(("math.powf %x, %y".into(), ty, lanes));
        bodies.push(("math.atan2 %x, %y".into(), ty, lanes));
    }
    let mut text = String::new();
    for (n, (body, ty, lanes)) in bodies.iter().enumerate() {
        let _ = write!(
            text,
            "func.func @f{n}(%a: memref<{COUNT}x{ty}>, %b: memref<{COUNT}x{ty}>) {{
               %c0 = arith.constant 0 : index
               %n = arith.constant {lanes} : index
               %end = arith.constant {COUNT} : index
               scf.for %i = %c0 to %end step %n {{
                 %x = vector.load %a[%i] : memref<{COUNT}x{ty}>, vector<{lanes}x{ty}>
                 %y = vector.load %b[%i] : memref<{COUNT}x{ty}>, vector<{lanes}x{ty}>
                 %z = {body} : vector<{lanes}x{ty}>
                 vector.store %z, %a[%i] : memref<{COUNT}x{ty}>, vector<{lanes}x{ty}>
               }}
               return
             }}\n"
        );
    }
    let cx = context();
    let ir = parse(&cx, &text);
    let printed = print(&ir, Flavor::OpenMp).unwrap_or_else(|errors| panic!("{errors}"));
    assert!(!printed.text.contains("pow(") && !printed.text.contains("powf("), "{}", printed.text);
    for (name, flags) in [("doubles", &[][..]), ("doubles-native", &["-march=native"][..])] {
        let object = compile_with(cc, name, &printed, flags);
        for (n, (body, ty, _)) in bodies.iter().enumerate() {
            let number = |at: usize, step: f64| match at {
                0 => 0.0,
                1 => -0.0,
                2 => f64::INFINITY,
                3 => f64::NEG_INFINITY,
                4 => f64::NAN,
                5 => -3.0,
                _ => (at as f64 - 256.0) * step,
            };
            let single = *ty == "f32";
            let bits = |x: f64| if single { u64::from((x as f32).to_bits()) } else { x.to_bits() };
            let array = |step: f64| {
                Arg::Array(vec![COUNT as i64], (0..COUNT).map(|at| bits(number(at, step))).collect())
            };
            let args = [array(0.037), array(-0.5)];
            let expected = interpret(&ir, &format!("f{n}"), &args).expect("it computes");
            let found = execute(&ir, &object, &format!("f{n}"), &args);
            for (at, (expected, found)) in expected.iter().zip(&found).enumerate() {
                let expected = expected.expect("all is written");
                let far = if single { apart(expected, *found) } else { doubles_apart(expected, *found) };
                assert!(far <= 3, "{body} : {ty} at {at} is {found:#x}, {far} units from {expected:#x}");
            }
        }
    }
}

/// Units in the last place that two results of f64 are apart
fn doubles_apart(a: u64, b: u64) -> u64 {
    let line = |bits: u64| if (bits as i64) < 0 { i64::MIN.wrapping_sub(bits as i64) } else { bits as i64 };
    match (f64::from_bits(a).is_nan(), f64::from_bits(b).is_nan()) {
        (true, true) => 0,
        (false, false) => line(a).abs_diff(line(b)),
        _ => u64::MAX,
    }
}

/// Constants that one wide store writes: GCC 12 gets those behind `memcpy` wrong where the CPU has AVX-512
#[test]
fn constants_are_stored_whole() {
    let text = "func.func @f(%g: memref<4xi64>) {
  %c0 = arith.constant 0 : index
  %v = arith.constant dense<[1, 1, 1, 0]> : vector<4xi64>
  vector.store %v, %g[%c0] : memref<4xi64>, vector<4xi64>
  return
}";
    let calls = [("f".to_string(), vec![Arg::Array(vec![4], vec![9; 4])])];
    let decided = check_with("constant-stores", text, &calls, &["-O3", "-march=native"]);
    assert!(decided >= 1);
}

/// Tiles of vectors that loops carry: each is assigned where it is computed, if the old value is not needed
#[test]
fn carried_vectors() {
    let text = "func.func @carried(%m: memref<64xf32>) {
       %c0 = arith.constant 0 : index
       %c4 = arith.constant 4 : index
       %c60 = arith.constant 60 : index
       %a0 = vector.load %m[%c0] : memref<64xf32>, vector<4xf32>
       %b0 = vector.load %m[%c4] : memref<64xf32>, vector<4xf32>
       %r:4 = scf.for %i = %c4 to %c60 step %c4 iter_args(%a = %a0, %b = %b0, %c = %a0, %d = %b0)
           -> (vector<4xf32>, vector<4xf32>, vector<4xf32>, vector<4xf32>) {
         %x = vector.load %m[%i] : memref<64xf32>, vector<4xf32>
         %s = arith.addf %a, %x : vector<4xf32>
         %t = arith.subf %a, %b : vector<4xf32>
         %u = arith.mulf %c, %x : vector<4xf32>
         %v = arith.addf %d, %u : vector<4xf32>
         %w = arith.subf %t, %v : vector<4xf32>
         scf.yield %t, %s, %w, %v : vector<4xf32>, vector<4xf32>, vector<4xf32>, vector<4xf32>
       }
       vector.store %r#0, %m[%c0] : memref<64xf32>, vector<4xf32>
       %c8 = arith.constant 8 : index
       vector.store %r#1, %m[%c4] : memref<64xf32>, vector<4xf32>
       vector.store %r#2, %m[%c8] : memref<64xf32>, vector<4xf32>
       vector.store %r#3, %m[%c60] : memref<64xf32>, vector<4xf32>
       return
     }";
    let floats = (0..64).map(|n| u64::from(((n * 7 % 11) as f32 / 8.0 - 0.5).to_bits())).collect();
    assert!(check("carried", text, &[("carried".into(), vec![Arg::Array(vec![64], floats)])]) >= 1);
}

/// Counters that would leave their type behind the bound
#[test]
fn loops_of_all_widths() {
    let mut text = String::new();
    let mut calls = Vec::new();
    for (n, (ty, unsigned)) in [
        ("i8", ""),
        ("i8", "unsigned "),
        ("i16", ""),
        ("i16", "unsigned "),
        ("i32", ""),
        ("i32", "unsigned "),
        ("i64", "unsigned "),
    ]
    .into_iter()
    .enumerate()
    {
        let extend =
            if ty == "i64" { "arith.addi %i, %low : i64" } else { &format!("arith.extsi %i : {ty} to i64") };
        let _ = write!(
            text,
            "func.func @loop{n}(%low: {ty}, %high: {ty}, %step: {ty}) -> i64 {{
               %c0 = arith.constant 0 : i64
               %c31 = arith.constant 31 : i64
               %r = scf.for {unsigned}%i = %low to %high step %step iter_args(%s = %c0) -> (i64) : {ty} {{
                 %w = {extend}
                 %t = arith.muli %s, %c31 : i64
                 %u = arith.addi %t, %w : i64
                 scf.yield %u : i64
               }}
               return %r : i64
             }}\n"
        );
        let width: u32 = ty[1..].parse().expect("a number");
        let top = if unsigned.is_empty() { (1u64 << (width - 1)) - 1 } else { u64::MAX >> (64 - width) };
        // From near the end to the end, in steps that jump over it.
        for (low, high, step) in [(top - 9, top - 4, 3), (0, 10, 4), (5, 2, 1), (top - 20, top - 7, 6)] {
            calls.push((format!("loop{n}"), [low, high, step].map(Arg::Number).to_vec()));
        }
        if width < 64 {
            calls.push((format!("loop{n}"), [top - 5, top, 4].map(Arg::Number).to_vec()));
            calls.push((format!("loop{n}"), [top - 40, top, top / 2].map(Arg::Number).to_vec()));
        }
    }
    let decided = check("loops", &text, &calls);
    assert!(decided >= 40, "only {decided} runs decide something");
}

/// Symbols that C cannot spell are spelled to the assembler, and none hides another
#[test]
fn symbols_that_are_no_names() {
    let text = r#"
func.func @"a.b"(%x: i32) -> i32 {
  return %x : i32
}
func.func @a_b(%x: i32) -> i32 {
  %r = func.call @"a.b"(%x) : (i32) -> i32
  %s = arith.addi %r, %r : i32
  return %s : i32
}
func.func @main(%float: i32) -> i32 {
  %r = func.call @a_b(%float) : (i32) -> i32
  return %r : i32
}
func.func @results(%args: i32, %results: i32) -> (i32, i32) {
  return %results, %args : i32, i32
}
func.func private @"other.one"(i32) -> i32
func.func private @unused(%x: i32) -> i32 {
  %r = func.call @"other.one"(%x) : (i32) -> i32
  return %r : i32
}"#;
    let one = |name: &str| (name.to_string(), vec![Arg::Number(5)]);
    let calls =
        [one("a.b"), one("a_b"), one("main"), ("results".into(), vec![Arg::Number(1), Arg::Number(2)])];
    let decided = check("symbols", text, &calls);
    assert!(decided >= 4, "only {decided} runs decide something");
}
