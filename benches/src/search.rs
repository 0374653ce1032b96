//! `terrace-benches search`: the solver on a nest of over 200 loops and on the numbers of a convolution

use std::fmt::Write as _;
use std::io::{self, Write};
use std::time::Instant;

use terrace_diag::Diags;
use terrace_ir::{Context, Ir};
use terrace_search_mapping::{Options as Mapping, Problem, Tag, Tree};
use terrace_search_solver::{Cmp, Formula, Numbers, Random, Search, Source, Space, Term};

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

fn problem(count: usize) -> Result<Problem, String> {
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

pub fn run(options: &Options) -> Result<(), String> {
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
    io::stdout().write_all(out.as_bytes()).map_err(|error| error.to_string())
}
