//! What the worker computes is what the interpreter computes: random functions, and the files of `test-files/lowering/llvm`.

use crate::common;
use crate::programs;

use common::{agrees, call, to_arg, worker};
use programs::{context, parse, transformed};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use terrace_dialect_test::generate::{Options, generate};
use terrace_dialect_test::programs::nests::closed;
use terrace_interp::text::{parse_value, results_text, split};
use terrace_interp::{Interpreter, RtValue};
use terrace_ir::{Context, Ir, Type};
use terrace_text::PrintOptions;

const LOWER: &str = "scf-parallel-to-calls,convert-scf-to-cf";

fn text_of(ir: &Ir) -> String {
    let mut text = String::new();
    terrace_text::print(ir, &PrintOptions::default(), &mut text);
    text
}

fn signature(cx: &Context, unit: &Ir) -> (Vec<Type>, Vec<Type>) {
    let ty = unit.attr(unit.root(), "function_type").and_then(|attr| attr.as_type(cx));
    let (inputs, results) = ty.and_then(|ty| ty.as_function(cx)).unwrap_or((&[], &[]));
    (inputs.to_vec(), results.to_vec())
}

/// Arguments worth trying
fn arguments(cx: &Context, inputs: &[Type], seed: u64) -> Vec<RtValue> {
    let numbers: [i64; 8] = [0, 1, -1, 7, -13, i64::MAX, i64::MIN, 1 << 33];
    let mut at = seed as usize;
    let one = |ty: &Type| {
        at = at.wrapping_mul(5).wrapping_add(3);
        let n = numbers[at / 3 % numbers.len()];
        let text = if ty.is_float(cx) { format!("{}.5", n % 1000) } else { String::new() };
        if text.is_empty() {
            return RtValue::int(n.into(), ty.bit_width(cx).unwrap_or(64));
        }
        parse_value(cx, &text, *ty).expect("a float's text")
    };
    inputs.iter().map(one).collect()
}

#[test]
fn random_straight_functions() {
    let cx = context();
    let mut worker = worker();
    let (mut decided, mut broken) = (0, Vec::new());
    for seed in 0..120 {
        let made = generate(&cx, seed, &Options::default());
        let text = text_of(&made.function);
        let ir = parse(&cx, &text);
        let lowered = text_of(&transformed(&cx, &text, "expand-floats"));
        let (inputs, results) = signature(&cx, &made.function);
        for round in 0..2 {
            let args = arguments(&cx, &inputs, seed + 31 * round);
            let mut interpreter = Interpreter::new(&ir, terrace_interp::Options::default());
            let Ok(wanted) = interpreter.call("f", args.clone()) else { continue };
            let level = if seed % 2 == 0 { 2 } else { 0 };
            match call(&mut worker, &cx, &lowered, ("f", &inputs, &results), &args, level) {
                Ok(found) => {
                    decided += 1;
                    if !wanted.iter().zip(&found).all(|(a, b)| agrees(a, b)) {
                        let (wanted, found) = (results_text(&wanted), results_text(&found));
                        broken.push(format!("seed {seed}: {found} instead of {wanted}\n{text}"));
                    }
                }
                Err(errors) => broken.push(format!("seed {seed}: {}\n{text}", errors[0].message)),
            }
        }
    }
    assert!(broken.is_empty(), "{} broken\n{}", broken.len(), broken[..broken.len().min(3)].join("\n"));
    assert!(decided > 60, "only {decided} runs decide something");
}

#[test]
fn random_structured_programs() {
    let cx = context();
    let mut worker = worker();
    let index = [cx.common().index; 2];
    let (mut decided, mut broken) = (0, Vec::new());
    for seed in 0..60 {
        let text = closed(seed);
        let before = parse(&cx, &text);
        let lowered = text_of(&transformed(&cx, &text, LOWER));
        for (a, b) in [(2, 5), (-3, 1)] {
            let args = [RtValue::index(a), RtValue::index(b)];
            let mut interpreter = Interpreter::new(&before, terrace_interp::Options::default());
            let Ok(wanted) = interpreter.call("f", args.to_vec()) else { continue };
            match call(&mut worker, &cx, &lowered, ("f", &index, &index[..1]), &args, 2) {
                Ok(found) if agrees(&wanted[0], &found[0]) => decided += 1,
                Ok(found) => {
                    let (wanted, found) = (results_text(&wanted), results_text(&found));
                    broken.push(format!("seed {seed}: {found} instead of {wanted}\n{text}"));
                }
                Err(errors) => broken.push(format!("seed {seed}: {}\n{text}", errors[0].message)),
            }
        }
    }
    assert!(broken.is_empty(), "{} broken\n{}", broken.len(), broken[..broken.len().min(3)].join("\n"));
    assert!(decided > 80, "only {decided} runs decide something");
}

#[test]
fn random_functions_on_vectors() {
    let mut worker = worker();
    let (mut decided, mut broken) = (0, Vec::new());
    for seed in 0..150 {
        let cx = context();
        let text = common::vectors::Vectors::text(seed);
        let ir = parse(&cx, &text);
        let unit = ir.walk().find_map(|op| ir.child(op)).expect("the function is a unit");
        let (inputs, results) = signature(&cx, unit);
        for (i, j) in [(0, 1), (1, 0)] {
            let numbers =
                [RtValue::int(7 - 3 * i, 32), RtValue::f32(1.5 - i as f32), RtValue::index(i as i64)];
            let args: Vec<RtValue> = numbers.into_iter().chain([RtValue::index(j)]).collect();
            let mut interpreter = Interpreter::new(&ir, terrace_interp::Options::default());
            let wanted = match interpreter.call("f", args.clone()) {
                Ok(wanted) => wanted,
                Err(trap) => {
                    broken.push(format!("seed {seed} traps: {}\n{text}", trap.message));
                    continue;
                }
            };
            let level = if seed % 3 == 0 { 0 } else { 2 };
            match call(&mut worker, &cx, &text, ("f", &inputs, &results), &args, level) {
                Ok(found) if wanted.iter().zip(&found).all(|(a, b)| agrees(a, b)) => decided += 1,
                Ok(found) => {
                    let (wanted, found) = (results_text(&wanted), results_text(&found));
                    broken.push(format!("seed {seed}, level {level}: {found}\ninstead of {wanted}\n{text}"));
                }
                Err(errors) => broken.push(format!("seed {seed}: {}\n{text}", errors[0].message)),
            }
        }
    }
    assert!(broken.is_empty(), "{} broken\n{}", broken.len(), broken[..broken.len().min(2)].join("\n"));
    assert!(decided > 250, "only {decided} runs decide something");
}

/// Files below a folder, in order
fn files(folder: &str) -> Vec<PathBuf> {
    let mut folders = vec![Path::new(env!("CARGO_MANIFEST_DIR")).join("../../test-files").join(folder)];
    let mut all = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).expect("the folder is there").flatten() {
            let path = entry.path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "mlir") {
                all.push(path);
            }
        }
    }
    all.sort();
    all
}

/// A file after a pipeline, with its text; `None` if the pipeline refuses it
fn lowered(cx: &Arc<Context>, text: &str, pipeline: &str) -> Option<(Ir, String)> {
    use terrace_pass::{Instrument, Pipeline};
    let source = cx.sources().add("f", text.to_owned());
    let mut diags = terrace_diag::Diags::default();
    let parsed = terrace_text::parse(cx, source, &terrace_text::ParseOptions::default(), &mut diags);
    let mut ir = parsed.filter(|_| !diags.has_errors())?;
    let pipeline = Pipeline::parse(pipeline, &terrace_opt::REGISTRY, cx.sources(), &mut diags).ok()?;
    let (_, result) = terrace_pass::run(&mut ir, &pipeline, &Instrument::quiet(|_| String::new()));
    result.ok()?;
    let text = text_of(&ir);
    Some((ir, text))
}

fn evaluations(text: &str) -> impl Iterator<Item = &str> {
    let lines = text.lines().filter_map(|line| line.trim().strip_prefix("// eval:"));
    lines.filter(|line| !line.contains("== trap"))
}

/// Each `eval:` line of this back end's files, with LLVM's middle end and without
#[test]
fn evaluations_of_files() {
    let mut worker = worker();
    let (mut count, mut broken) = (0, Vec::new());
    for path in files("lowering/llvm") {
        let cx = Context::new(&terrace_opt::all_dialects());
        let text = std::fs::read_to_string(&path).expect("the file can be read");
        let (ir, module) = lowered(&cx, &text, LOWER).expect("the file can be lowered");
        for line in evaluations(&text) {
            for level in [0, 2] {
                count += 1;
                if let Err(why) = evaluate(&mut worker, &cx, &ir, &module, line, level) {
                    broken.push(format!("{}, opt-level {level}:{line}: {}", path.display(), why.text()));
                }
            }
        }
    }
    assert!(broken.is_empty(), "{}", broken.join("\n"));
    assert!(count > 150, "only {count} evaluations");
}

/// Each `eval:` line of any file whose functions can be lowered
#[test]
fn evaluations_of_other_files() {
    let mut worker = worker();
    let (mut count, mut broken) = (0, Vec::new());
    for path in files("") {
        let text = std::fs::read_to_string(&path).expect("the file can be read");
        let own = path.parent().is_some_and(|folder| folder.ends_with("lowering/llvm"));
        if own || evaluations(&text).next().is_none() {
            continue;
        }
        let cx = Context::new(&terrace_opt::all_dialects());
        let Some((ir, module)) = lowered(&cx, &text, "to-host") else { continue };
        for line in evaluations(&text) {
            match evaluate(&mut worker, &cx, &ir, &module, line, 2) {
                Ok(()) => count += 1,
                Err(Unlike::Refused(_)) => {}
                Err(why) => broken.push(format!("{}:{line}: {}", path.display(), why.text())),
            }
        }
    }
    assert!(broken.is_empty(), "{}", broken.join("\n"));
    assert!(count > 200, "only {count} evaluations");
}

/// Why an evaluation does not give what it says
enum Unlike {
    /// The back end does not take the module or the call
    Refused(String),
    /// It gives something else
    Wrong(String),
}

impl Unlike {
    fn text(self) -> String {
        match self {
            Unlike::Refused(text) | Unlike::Wrong(text) => text,
        }
    }
}

impl From<&str> for Unlike {
    fn from(text: &str) -> Unlike {
        Unlike::Refused(text.to_owned())
    }
}

fn evaluate(
    worker: &mut terrace_native_client::Worker,
    cx: &Context,
    ir: &Ir,
    module: &str,
    line: &str,
    level: u8,
) -> Result<(), Unlike> {
    let (call_text, wanted) = line.split_once("==").ok_or("no `==`")?;
    let (name, args) =
        call_text.trim().strip_prefix('@').and_then(|call| call.split_once('(')).ok_or("no call")?;
    let interpreter = Interpreter::new(ir, terrace_interp::Options::default());
    let unit = interpreter.function(name).ok_or("no such function")?;
    let (inputs, results) = signature(cx, unit);
    let args = split(args.trim_end().trim_end_matches(')'));
    let args = args.iter().zip(&inputs).map(|(arg, ty)| parse_value(cx, arg, *ty).ok_or("an argument"));
    let args: Vec<RtValue> = args.collect::<Result<_, _>>()?;
    let scalars = args.iter().zip(&inputs).all(|(arg, ty)| to_arg(cx, arg, *ty).is_some());
    if !scalars {
        return Err("not all arguments are numbers".into());
    }
    let found = call(worker, cx, module, (name, &inputs, &results), &args, level).map_err(|errors| {
        let text: String = errors.iter().map(|error| error.message.as_str()).collect();
        match errors[0].code {
            Some(code) if ["E0720", "E0721", "E0725"].contains(&code.id) => Unlike::Refused(text),
            _ => Unlike::Wrong(text),
        }
    })?;
    let inner = wanted.trim();
    let inner = inner.strip_prefix('(').and_then(|inner| inner.strip_suffix(')')).unwrap_or(inner);
    let wanted =
        split(inner).into_iter().zip(&results).map(|(text, ty)| parse_value(cx, text, *ty).ok_or("a result"));
    let wanted: Vec<RtValue> = wanted.collect::<Result<_, _>>()?;
    let same = wanted.len() == found.len() && wanted.iter().zip(&found).all(|(a, b)| agrees(a, b));
    if same { Ok(()) } else { Err(Unlike::Wrong(format!("gave {}", results_text(&found)))) }
}

/// Functions of rows are near the C library's, and right where they leave the format
#[test]
fn functions_of_rows() {
    let mut worker = worker();
    let mut xs: Vec<f32> = (-4000..4000).map(|n| n as f32 * 0.0271).collect();
    xs.extend((0..2000).map(|n| f32::from_bits(n * 1_070_000)));
    let ends = [
        0.0,
        -0.0,
        f32::INFINITY,
        f32::NEG_INFINITY,
        f32::NAN,
        88.8,
        1e30,
        -1e30,
        1e-30,
        -88.0,
        -100.0,
        -103.0,
    ];
    xs.extend(ends);
    xs.resize(xs.len().next_multiple_of(48), 1.0);
    let functions: [(&str, fn(f64) -> f64, f64); 21] = [
        ("acos", libm::acos, 1.5),
        ("acosh", |x| if x < 1.0 { f64::NAN } else { libm::acosh(x) }, 2.0),
        ("asin", libm::asin, 1.5),
        ("asinh", libm::asinh, 2.0),
        ("atan", libm::atan, 1.5),
        ("atanh", libm::atanh, 2.0),
        ("cbrt", libm::cbrt, 1.0),
        ("cos", libm::cos, 2.0),
        ("cosh", libm::cosh, 1.5),
        ("erf", libm::erf, 3.5),
        ("exp", libm::exp, 1.0),
        ("exp2", libm::exp2, 1.2),
        ("expm1", libm::expm1, 1.5),
        ("log", libm::log, 1.1),
        ("log10", libm::log10, 1.5),
        ("log1p", libm::log1p, 1.5),
        ("log2", libm::log2, 1.5),
        ("sin", libm::sin, 2.0),
        ("sinh", libm::sinh, 1.5),
        ("tan", libm::tan, 2.5),
        ("tanh", libm::tanh, 2.7),
    ];
    for (name, exact, units) in functions {
        for lanes in [16, 8, 3] {
            for (x, found) in xs.iter().zip(of_rows(&mut worker, name, lanes, &xs)) {
                let wanted = exact(f64::from(*x));
                let unit = f64::from((wanted.abs() as f32).next_up()) - f64::from(wanted.abs() as f32);
                let close = (f64::from(found) - wanted).abs() <= units * unit;
                let same = found == wanted as f32 || close || found.is_nan() && wanted.is_nan();
                assert!(same, "{name}({x}) gave {found}, not {wanted}");
            }
        }
    }
}

/// Functions of rows of small floats are those of f32, rounded
#[test]
fn functions_of_rows_of_halves() {
    let mut worker = worker();
    // All formats have these exactly.
    let xs: Vec<f32> = (-96..96).map(|n| n as f32 / 8.0).collect();
    let exact: [(&str, fn(f64) -> f64); 4] =
        [("exp", libm::exp), ("sin", libm::sin), ("tanh", libm::tanh), ("erf", libm::erf)];
    for (name, exact) in exact {
        // Bits of the fraction, and the least number with all of them.
        for (ty, bits, least) in [("bf16", 8, f64::from(f32::MIN_POSITIVE)), ("f16", 11, 6.103_515_625e-5)] {
            let body = format!(
                "%h = arith.truncf %v : vector<16xf32> to vector<16x{ty}>
                 %r = math.{name} %h : vector<16x{ty}>
                 %e = arith.extf %r : vector<16x{ty}> to vector<16xf32>"
            );
            for (x, found) in xs.iter().zip(of_rows_by(&mut worker, &body, 16, &xs)) {
                let wanted = exact((*x).into());
                let half_unit = wanted.abs().max(least) * 0.5f64.powi(bits);
                let close = (f64::from(found) - wanted).abs() <= 1.02 * half_unit;
                let above = found.is_infinite() && wanted > 65_519.0;
                assert!(close || above, "{name}({x}) of {ty} gave {found}, not {wanted}");
            }
        }
    }
}

/// What is exact in a small float is computed of whole rows, special numbers among them
#[test]
fn exact_functions_of_rows_of_halves() {
    let mut worker = worker();
    let mut xs: Vec<f32> = (-42..42).map(|n| n as f32 / 8.0).collect();
    xs.extend([
        0.0,
        -0.0,
        f32::INFINITY,
        f32::NEG_INFINITY,
        f32::NAN,
        6e-8,
        -6e-8,
        256.0,
        -32768.0,
        1.5,
        2.5,
        -0.5,
    ]);
    let ops: [(&str, fn(f32) -> f32); 9] = [
        ("math.floor %h", f32::floor),
        ("math.ceil %h", f32::ceil),
        ("math.trunc %h", f32::trunc),
        ("math.round %h", f32::round),
        ("math.roundeven %h", f32::round_ties_even),
        ("math.absf %h", f32::abs),
        ("arith.maximumf %h, %c", |x| if x.is_nan() { x } else { x.max(0.75) }),
        ("arith.minimumf %h, %c", |x| if x.is_nan() { x } else { x.min(0.75) }),
        ("arith.maxnumf %h, %c", |x| x.max(0.75)),
    ];
    for ty in ["bf16", "f16"] {
        let row = format!("vector<16x{ty}>");
        let narrow = |body: &str| {
            format!(
                "%h = arith.truncf %v : vector<16xf32> to {row}
                 %c = arith.constant dense<0.75> : {row}
                 %r = {body} : {row}
                 %e = arith.extf %r : {row} to vector<16xf32>"
            )
        };
        // The numbers as the type has them.
        let own = of_rows_by(&mut worker, &narrow("math.copysign %h, %h"), 16, &xs);
        for (op, wanted) in ops {
            for (x, found) in own.iter().zip(of_rows_by(&mut worker, &narrow(op), 16, &xs)) {
                let wanted = wanted(*x);
                let same = found.to_bits() == wanted.to_bits() || found.is_nan() && wanted.is_nan();
                assert!(same, "{op} of {ty} {x} gave {found}, not {wanted}");
            }
        }
    }
}

/// A function of `math` on rows of some lanes
fn of_rows(worker: &mut terrace_native_client::Worker, name: &str, lanes: usize, xs: &[f32]) -> Vec<f32> {
    of_rows_by(worker, &format!("%e = math.{name} %v : vector<{lanes}xf32>"), lanes, xs)
}

/// What ops make of rows `%v` as rows `%e`
fn of_rows_by(worker: &mut terrace_native_client::Worker, body: &str, lanes: usize, xs: &[f32]) -> Vec<f32> {
    use terrace_native_client::{Arg, RunRequest};
    assert_eq!(xs.len() % lanes, 0);
    let n = xs.len();
    let text = format!(
        "func.func @f(%x: memref<{n}xf32>) {{
          %c0 = arith.constant 0 : index
          %step = arith.constant {lanes} : index
          %n = arith.constant {n} : index
          cf.br ^head(%c0 : index)
        ^head(%i: index):
          %more = arith.cmpi slt, %i, %n : index
          cf.cond_br %more, ^body, ^done
        ^body:
          %v = vector.load %x[%i] : memref<{n}xf32>, vector<{lanes}xf32>
          {body}
          vector.store %e, %x[%i] : memref<{n}xf32>, vector<{lanes}xf32>
          %next = arith.addi %i, %step : index
          cf.br ^head(%next : index)
        ^done:
          return
        }}"
    );
    let bytes = xs.iter().flat_map(|x| x.to_le_bytes()).collect();
    let arg = Arg::Buffer { shape: vec![n as u64], elem: "f32".into(), bytes };
    let request = RunRequest { entry: "f".into(), args: vec![arg], ..RunRequest::default() };
    let reply = worker.run(&text, &request).expect("it runs");
    let [Arg::Buffer { bytes, .. }] = &reply.args[..] else { panic!("one buffer") };
    bytes.chunks(4).map(|found| f32::from_le_bytes(found.try_into().expect("four bytes"))).collect()
}
