//! What programs mean: the interpreter before and after a pass.

use crate::{print, text, valid};
use terrace_diag::{Diags, render_all};
use terrace_dialect_test::values::element;
use terrace_interp::{Options, RtValue, codes};
use terrace_ir::verify::verify;
use terrace_ir::{Context, Type, TypeKind};
use terrace_opt::REGISTRY;
use terrace_pass::{Instrument, Pipeline};
use terrace_refine::functions::functions;
use terrace_refine::{Call, Refinement, compare, observe};
use terrace_text::PrintOptions;

/// Pipelines that keep signatures and meaning
const PIPELINES: &[&str] = &[
    "canonicalize",
    "cse",
    "licm",
    "inline",
    "promote-buffers",
    "dce",
    "sccp",
    "canonicalize,cse,licm,canonicalize",
    "lower-affine",
    "expand-floats",
    "scf-parallel-to-calls",
    "convert-scf-to-cf",
    "lower-affine,scf-parallel-to-calls,convert-scf-to-cf,canonicalize",
    "gpu-inline-kernels,gpu-all-reduce-to-shared,gpu-launch-to-parallel",
    "gpu-kernel-outlining",
    "lower-vector",
];

/// Steps of the program as it came, and of what became of it
const FUEL: (u64, u64) = (20_000, 400_000);

/// A pass keeps what functions without buffers give, where that is defined
pub fn values(data: &[u8]) {
    let Some((choice, data)) = data.split_first() else { return };
    let Some(text) = text(data) else { return };
    let cx = Context::new(&terrace_opt::all_dialects());
    let Some(before) = valid(&cx, text) else { return };
    let pipeline = PIPELINES[usize::from(*choice) % PIPELINES.len()];
    let mut diags = Diags::default();
    let Ok(parsed) = Pipeline::parse(pipeline, &REGISTRY, cx.sources(), &mut diags) else { return };
    let mut after = before.clone_unit();
    let (report, result) = terrace_pass::run(&mut after, &parsed, &Instrument::quiet(|_| String::new()));
    if result.is_err() {
        assert!(report.diags.has_errors(), "failed without an error");
        return;
    }
    let broken = verify(&after, 1);
    assert!(!broken.has_errors(), "{pipeline}: {}", render_all(broken.iter(), cx.sources(), false));
    for function in functions(&before) {
        for seed in 0..2 {
            let args = function.inputs.iter().enumerate().map(|(n, ty)| argument(&cx, *ty, n + 7 * seed));
            let Some(args) = args.collect::<Option<Vec<_>>>() else { break };
            let call = Call::of(&function.name, &args);
            let wanted = observe(&before, &call, limits(FUEL.0));
            if wanted.end.is_err() {
                continue;
            }
            let found = observe(&after, &call, limits(FUEL.1));
            if found.end.as_ref().is_err_and(|trap| trap.code.id == codes::FUEL.id) {
                continue;
            }
            if let Refinement::Broken(problem) = compare(&wanted, &found) {
                panic!("{pipeline}: {call}: {problem}\n{}", print(&after, &PrintOptions::default()));
            }
        }
    }
}

fn limits(fuel: u64) -> Options {
    Options { fuel, depth: 1000, elements: 1 << 16, ..Options::default() }
}

/// A value of a type without memory, not too large
fn argument(cx: &Context, ty: Type, seed: usize) -> Option<RtValue> {
    match ty.kind(cx) {
        TypeKind::Vector { .. } | TypeKind::Tensor { .. } => {
            let shape = ty.shape(cx)?;
            let count = shape.iter().try_fold(1_usize, |all, n| all.checked_mul(usize::try_from(*n).ok()?));
            let scalar = ty.scalar(cx);
            let one = |n| argument(cx, scalar, seed + n);
            (0..count.filter(|n| *n <= 1 << 12)?)
                .map(one)
                .collect::<Option<Vec<_>>>()
                .map(|all| RtValue::Vector(all.into()))
        }
        TypeKind::Int { width, .. } if *width <= 128 => {
            const EDGES: [i128; 8] = [0, 1, -1, i128::MIN, i128::MAX, 2, 127, 31];
            Some(RtValue::int(if seed % 3 == 0 { EDGES[seed / 3 % 8] } else { seed as i128 - 3 }, *width))
        }
        TypeKind::Float(kind) => {
            const EDGES: [f64; 8] =
                [0.0, -0.0, f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 1e-40, 3e38, -1.0];
            let value = if seed % 3 == 0 { EDGES[seed / 3 % 8] } else { seed as f64 * 0.5 - 1.0 };
            Some(RtValue::float(terrace_ir::show::round_to_bits(value, *kind)?, *kind))
        }
        TypeKind::Index => Some(element(cx, ty, seed, 0)),
        _ => None,
    }
}
