//! `terrace-benches search`: the solver on a nest of over 200 loops, on mappings of convolutions in four kernels, and on the
//! numbers of a convolution

use std::fmt::Write as _;
use std::io::{self, Write};
use std::time::Instant;

use num_bigint::BigUint;
use terrace_devices::Device;
use terrace_diag::Diags;
use terrace_ir::symbols::Symbols;
use terrace_ir::{Context, Ir};
use terrace_pass::{Instrument, Pipeline, Registry};
use terrace_search_mapping::Limits;
use terrace_search_mapping::{MapLevels, Options as Mapping, Problem, Tag, Tree, function, statistics};
use terrace_search_solver::{Cmp, Formula, Numbers, Random, Search, Source, Space, Term};

use crate::Done;

#[derive(clap::Args)]
pub struct Options {
    /// Nests under the outermost loop, of five loops each
    #[arg(long, default_value_t = 45)]
    nests: usize,
    /// Seed of draws
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

/// Nests of five maps under one, a buffer in local memory behind each
fn nests(count: usize) -> String {
    let ty = "!array.of<2 x 2 x 2 x 2 x 2 x 2 x i32>";
    let mut text = format!("func.func @nests(%x: {ty}) -> {ty} {{\n%o = array.map \"r\" %x as %t0 {{\n");
    for n in 0..count {
        let _ = writeln!(text, "%b{n} = array.map \"n{n}a\" %t{n} as %v1 {{");
        for (depth, name) in ["b", "c", "d", "e"].into_iter().enumerate() {
            let (own, next) = (depth + 1, depth + 2);
            let _ = writeln!(text, "%w{own} = array.map \"n{n}{name}\" %v{own} as %v{next} {{");
        }
        text += "%s = arith.addi %v5, %v5 : i32\narray.yield %s\n}\n";
        for depth in (1..5).rev() {
            let _ = writeln!(text, "array.yield %w{depth}\n}}");
        }
        let next = n + 1;
        let _ = writeln!(text, "%t{next} = array.place \"local\" %b{n}");
    }
    let _ = writeln!(text, "array.yield %t{count}\n}}\nreturn %o : {ty}\n}}");
    text
}

fn problem(count: usize) -> Done<Problem> {
    let dialects =
        [terrace_dialect_upstream::ALL, terrace_dialect_sched::ALL, terrace_dialect_array::ALL].concat();
    let cx = Context::new(&dialects);
    let source = cx.sources().add("nests.mlir", nests(count));
    let mut diags = Diags::default();
    let ir = terrace_text::parse(&cx, source, &terrace_text::ParseOptions::default(), &mut diags);
    let shown = || terrace_diag::render_all(diags.iter(), cx.sources(), false);
    let ir: Ir = ir.filter(|_| !diags.has_errors()).ok_or_else(shown)?;
    let unit = ir.walk().find_map(|op| ir.child(op)).ok_or("no function")?;
    let options = Mapping { tags: vec![Tag::Printed, Tag::Heuristic, Tag::Beyond], ..Mapping::default() };
    Ok(Problem::new(Tree::of(unit), options))
}

/// The tuning space of the direct convolution (GPGPU'20), layer 7
fn convolution() -> Numbers {
    let mut all = Numbers::default();
    let theta = all.param("theta", Source::Range(3.into(), 228.into(), 1.into()));
    let rho = all.param("rho", Source::Range(0.into(), 32.into(), 1.into()));
    let _kappa = all.param("kappa", Source::Divisors(128.into()));
    let side = all.param("side", Source::Derived(Term::from(theta).sub(2)));
    let _sigma = all.param("sigma", Source::Divisors(Term::from(side).mul(side)));
    let omega = all.param("omega", Source::Divisors(1152.into()));
    let v = all.param("v", Source::Values(vec![1, 2, 3, 4, 8, 16]));
    let padded = || Term::from(rho).add(114);
    all.require(Formula::cmp(Cmp::Le, theta, padded()));
    all.require(Formula::cmp(Cmp::Eq, padded().sub(theta).rem(side), 0));
    all.require(Formula::cmp(Cmp::Eq, Term::from(omega).rem(v), 0));
    all
}

/// A layer with its channels last: height, width, channels in and out; windows of 3 x 3 with a border of 1
fn layer([h, w, c, o]: [i64; 4]) -> String {
    format!(
        r#"func.func @layer(%in: !array.of<{h} x {w} x {c} x f32>, %w: !array.of<{o} x 3 x 3 x {c} x f32>, %bias: !array.of<{o} x f32>) -> !array.of<{o} x {h} x {w} x f32> {{
  %z = arith.constant 0.0 : f32
  %pd = array.pad_nd [(1, 1), (1, 1)] value %z %in
  %ws = array.slide_nd [3, 3] by [1, 1] %pd
  %o0 = array.map_nd 2 %ws as %win {{
    %r = array.map (array.zip %w, %bias) as %k, %b {{
      %s = array.reduce add init %b (array.zip (array.join_nd 3 %win), (array.join_nd 3 %k)) as %x, %y {{
        %m = arith.mulf %x, %y : f32
        array.yield %m
      }}
      array.yield %s
    }}
    array.yield %r
  }}
  %o = array.transpose_nd [2, 0, 1] %o0
  return %o : !array.of<{o} x {h} x {w} x f32>
}}
"#
    )
}

/// The mapping problem of a rewritten layer
fn mapped(text: String, strategy: &str, device: &str) -> Done<Problem> {
    const REGISTRY: Registry = Registry { passes: &[terrace_passes_array::PASSES], pipelines: &[] };
    let dialects =
        [terrace_dialect_upstream::ALL, terrace_dialect_sched::ALL, terrace_dialect_array::ALL].concat();
    let cx = Context::new(&dialects);
    let source = cx.sources().add("layer.mlir", text);
    let mut diags = Diags::default();
    let parsed = terrace_text::parse(&cx, source, &terrace_text::ParseOptions::default(), &mut diags);
    let shown = |diags: &Diags| terrace_diag::render_all(diags.iter(), cx.sources(), false);
    let mut ir: Ir = parsed.filter(|_| !diags.has_errors()).ok_or_else(|| shown(&diags))?;
    let pipeline = format!("func.func(array-expand,array-rewrite{{strategy=\"{strategy}\"}})");
    let pipeline =
        Pipeline::parse(&pipeline, &REGISTRY, cx.sources(), &mut diags).map_err(|_| shown(&diags))?;
    let (report, result) = terrace_pass::run(&mut ir, &pipeline, &Instrument::quiet(|_| String::new()));
    result.map_err(|_| terrace_diag::render_all(report.diags.iter(), cx.sources(), false))?;
    let unit = ir.walk().find_map(|op| ir.child(op)).ok_or("no function")?;
    let symbols = Symbols::read(&ir);
    let scope = symbols.child_scope(symbols.root(), unit);
    let device = Device::find(device)?;
    let levels = MapLevels::of(&device);
    let options = Mapping { levels, limits: Limits::of(&device), ..Mapping::default() };
    let (problem, missing) = function::problem(unit, &symbols, scope, options);
    missing.map_or(Ok(problem), |why| Err(why.message.into()))
}

/// One in so many, with three digits
fn one_in(all: &BigUint, some: &BigUint) -> String {
    let scaled = some.bits() > 0;
    if !scaled {
        return "none".to_string();
    }
    let ratio: BigUint = all / some;
    match u64::try_from(&ratio) {
        Ok(ratio) if ratio < 1_000_000_000 => format!("1 in {ratio}"),
        _ => format!("1 in a number of {} digits", ratio.to_string().len()),
    }
}

/// Mappings of a convolution in four kernels: constraints, counts, what refuses the candidates of the printed rules
fn convolutions(out: &mut String, seed: u64) -> Done {
    let seconds = |from: Instant| from.elapsed().as_secs_f64();
    for (name, sizes, strategy) in [
        ("4 x 6, 8 channels, 4 kernels", [4, 6, 8, 4], "convMid(4, 2, 2, 2, 8, 2)"),
        ("layer 7 of VGG-16, the paper's best point", [112, 112, 128, 128], "convMid(5, 11, 4, 3, 144, 4)"),
        ("the same, in private memory", [112, 112, 128, 128], "convBlocked(5, 11, 4, 3, 144, 4)"),
    ] {
        let problem = match mapped(layer(sizes), strategy, "mali-g72") {
            Ok(problem) => problem,
            Err(why) => {
                let _ = writeln!(out, "{name}: {why}");
                continue;
            }
        };
        let _ = writeln!(
            out,
            "\n{name}: {} maps, {} constraints on mali-g72",
            problem.tree.loops.len(),
            problem.given.len()
        );
        for (kind, count) in problem.table() {
            let _ = writeln!(out, "  {count:5} {kind}");
        }
        let start = Instant::now();
        let (space, valid) = problem.spaces()?;
        let valid = valid?;
        let taken = 1e3 * seconds(start);
        let _ = writeln!(
            out,
            "{} mappings satisfy the constraints of paths, {} of them fit the device ({} states; {taken:.1} ms)",
            space.count(),
            valid.count(),
            valid.space().num_states(),
        );
        let start = Instant::now();
        let first = valid.space().solutions().take(1_000).count();
        let listed = 1e3 * seconds(start);
        let _ = writeln!(out, "the first {first} valid ones: {listed:.2} ms more");
        let (start, mut all, mut found) = (Instant::now(), valid.space().solutions(), 0u64);
        while (found % 4096 != 0 || seconds(start) < 0.5) && all.step().is_some() {
            found += 1;
        }
        let rate = all.nodes() as f64 / seconds(start) / 1e6;
        let _ = writeln!(out, "in order: {rate:.1} M nodes/s");
        let all = statistics::all_mappings(&problem);
        let mut random = Random::new(seed);
        let start = Instant::now();
        let (guessed, tries) = statistics::guess(&problem, &mut random, 200_000);
        let guessed = guessed.map_or("none".to_string(), |_| "one".to_string());
        let _ = writeln!(
            out,
            "a blind guess is right {}; {guessed} found in {tries} guesses ({:.0} ms)",
            one_in(&all, valid.count()),
            1e3 * seconds(start)
        );
        let start = Instant::now();
        let found = statistics::refusals(&problem, &[Tag::Printed, Tag::Heuristic])?;
        let _ = writeln!(
            out,
            "of {} that satisfy the printed rules ({:.0} ms):",
            found.candidates,
            1e3 * seconds(start)
        );
        let share = |count: &BigUint| {
            let scaled: BigUint = count * 100_000u32 / &found.candidates;
            u64::try_from(scaled).map_or(0.0, |scaled| scaled as f64 / 1e3)
        };
        for (what, count) in found.refused.iter().chain([&("valid", found.valid.clone())]) {
            let _ = writeln!(out, "  {:7.3} % {what} ({count})", share(count));
        }
    }
    Ok(())
}

pub fn run(options: &Options) -> Done {
    let mut out = String::new();
    let seconds = |from: Instant| from.elapsed().as_secs_f64();
    let problem = problem(options.nests)?;
    let model = problem.model();
    let _ = writeln!(out, "{} maps, {} constraints", problem.tree.loops.len(), model.constraints.len());
    for (kind, count) in problem.table() {
        let _ = writeln!(out, "  {count:5} {kind}");
    }
    let start = Instant::now();
    let space = Space::new(&model)?;
    let digits = space.count().to_string().len();
    let _ = writeln!(
        out,
        "count: a number of {digits} digits, {} states, {:.1} ms",
        space.num_states(),
        1e3 * seconds(start)
    );
    let (start, mut solutions, mut found) = (Instant::now(), space.solutions(), 0u64);
    // The clock is read now and then: reading it takes longer than a mapping.
    while (found % 4096 != 0 || seconds(start) < 1.0) && solutions.step().is_some() {
        found += 1;
    }
    let taken = seconds(start);
    let rate = |n: u64, taken: f64| n as f64 / taken / 1e6;
    let _ = writeln!(
        out,
        "in order: {:.2} M mappings/s, {:.1} M nodes/s",
        rate(found, taken),
        rate(solutions.nodes(), taken)
    );
    let (start, mut random) = (Instant::now(), Random::new(options.seed));
    let drawn =
        (0..1_000).filter_map(|_| space.sample(&mut random)).filter(|values| model.holds(values)).count();
    let _ =
        writeln!(out, "drawn: {drawn} of 1000 valid, {:.1} ms with the check of each", 1e3 * seconds(start));

    convolutions(&mut out, options.seed)?;
    let _ = writeln!(out);

    let numbers = convolution();
    let start = Instant::now();
    let search = Search::new(&numbers, None);
    let count = search.count();
    let _ = writeln!(out, "convolution: {count} points, counted by groups in {:.2} ms", 1e3 * seconds(start));
    let (start, mut all) = (Instant::now(), search.solutions());
    let points = all.by_ref().count() as u64;
    let taken = seconds(start);
    let _ = writeln!(
        out,
        "in order: {:.1} M points/s, {:.1} M nodes/s",
        rate(points, taken),
        rate(all.nodes(), taken)
    );
    let sum = (0..numbers.params.len() as u32).map(|n| Term::from(terrace_search_solver::Var(n)));
    let sum = sum.reduce(Term::add).ok_or("no parameters")?;
    let mut joined = numbers.clone();
    joined.require(Formula::cmp(Cmp::Le, sum, 100_000));
    let search = Search::new(&joined, None);
    let (start, mut all) = (Instant::now(), search.solutions());
    let points = all.by_ref().count() as u64;
    let taken = seconds(start);
    let _ = writeln!(
        out,
        "with a sum over all (one group): {points} points, {:.1} M nodes/s",
        rate(all.nodes(), taken)
    );
    io::stdout().write_all(out.as_bytes())?;
    Ok(())
}
