//! Computations run by the interpreter: as they are, and scheduled and lowered.
#![allow(dead_code)]

use terrace_dialect_test::values::{difference, element, fill, interpreter, numbers, read, types};
use terrace_dialect_test::{Harness, Numbers};
use terrace_interp::RtValue;
use terrace_ir::{Context, Ir, Type};
use terrace_pass::Registry;

pub const HARNESS: Harness = Harness {
    dialects: &[terrace_dialect_upstream::ALL, terrace_dialect_sched::ALL, terrace_dialect_mdh::ALL],
    registry: Registry {
        passes: &[
            terrace_passes_general::PASSES,
            terrace_passes_mdh::PASSES,
            terrace_lowering_mdh::PASSES,
            terrace_lowering_sched::PASSES,
            terrace_passes_sched::PASSES,
        ],
        pipelines: &[terrace_passes_sched::PIPELINES],
    },
};

pub fn parse(text: &str) -> Box<Ir> {
    HARNESS.parse(text).unwrap_or_else(|why| panic!("{why}\n{text}"))
}

pub fn lower(ir: &mut Ir, pipeline: &str, text: &str) {
    if let Err(why) = HARNESS.run(ir, pipeline) {
        panic!("{pipeline}: {why}\n{text}");
    }
}

/// Elements of a tensor or a buffer; a record is one element
pub fn elements(cx: &Context, ty: Type, seed: usize) -> Vec<RtValue> {
    let count = ty.shape(cx).unwrap_or(&[]).iter().product::<i64>() as usize;
    // A memref's scalar is its element.
    let elem = if ty.scalar(cx) == ty { ty.element(cx).unwrap_or(ty) } else { ty.scalar(cx) };
    (0..count).map(|n| element(cx, elem, n, seed)).collect()
}

/// Results of a function on the standard inputs
pub fn as_it_is(ir: &Ir, name: &str) -> Numbers {
    let cx = ir.cx();
    let (inputs, _) = types(ir, name);
    let input = |(n, ty): (usize, &Type)| match ty.shape(cx) {
        Some(_) => RtValue::Vector(elements(cx, *ty, n).into()),
        None => element(cx, *ty, 1, n),
    };
    let args = inputs.iter().enumerate().map(input).collect();
    let found = interpreter(ir).call(name, args).unwrap_or_else(|trap| panic!("as it is: {}", trap.message));
    found.iter().map(numbers).collect()
}

/// The same of the function on buffers
pub fn lowered(ir: &Ir, name: &str, text: &str, results: usize) -> Numbers {
    attempted(ir, name, results).unwrap_or_else(|trap| panic!("lowered: {trap}\n{text}"))
}

/// The same, or why it stopped
pub fn attempted(ir: &Ir, name: &str, results: usize) -> Result<Numbers, String> {
    let cx = ir.cx();
    let mut machine = interpreter(ir);
    let (inputs, _) = types(ir, name);
    let outs = inputs.len() - results;
    let (mut args, mut found) = (Vec::new(), Vec::new());
    for (n, ty) in inputs.iter().enumerate() {
        args.push(match ty.shape(cx) {
            Some(shape) if n < outs => RtValue::MemRef(fill(&mut machine, shape, &elements(cx, *ty, n))),
            Some(shape) => {
                let view = fill(&mut machine, shape, &[]);
                found.push((shape, view.clone()));
                RtValue::MemRef(view)
            }
            None => element(cx, *ty, 1, n),
        });
    }
    machine.call(name, args).map_err(|trap| format!("{}: {}", trap.code.id, trap.message))?;
    Ok(found.iter().map(|(shape, view)| read(&mut machine, shape, view)).collect())
}

pub const DOWN: &str = "func.func(mdh-to-sched,sched-fuse),inline,sched-legalize,sched-to-scf,canonicalize,cse,promote-buffers,canonicalize,cse";

/// Without a schedule and with one for each device, `@f` gives the same values
pub fn agree(text: &str) {
    agree_on(text, &["f"]);
}

/// With the schedules that the text has
pub fn agree_given(text: &str) {
    let wanted = as_it_is(&parse(text), "f");
    let mut ir = parse(text);
    for step in ["func.func(mdh-to-sched)", DOWN] {
        lower(&mut ir, step, text);
        same(&wanted, &lowered(&ir, "f", text, wanted.len()), &format!("{step}\n{text}"));
    }
}

/// With the schedule that a pipeline chooses, `@f` gives the same values
pub fn agree_chosen(text: &str, choose: &str) {
    let wanted = as_it_is(&parse(text), "f");
    let mut ir = parse(text);
    for step in [choose, "func.func(mdh-to-sched)", DOWN] {
        lower(&mut ir, step, text);
    }
    same(&wanted, &lowered(&ir, "f", text, wanted.len()), text);
}

pub fn agree_on(text: &str, names: &[&str]) {
    let source = parse(text);
    let wanted: Vec<_> = names.iter().map(|name| as_it_is(&source, name)).collect();
    for target in ["", "x86-64-v4", "x86-64-v3", "openmp", "cuda", "opencl"] {
        let mut ir = parse(text);
        let first = match target {
            "" => String::new(),
            _ => format!("func.func(mdh-phases,mdh-inline,mdh-hoist,mdh-schedule{{target={target}}}),"),
        };
        lower(&mut ir, "func.func(mdh-operators)", text);
        // The schedule itself is run too: parallel levels as teams, with races found.
        let steps = [format!("{first}func.func(mdh-to-sched)"), DOWN.to_string()];
        for step in steps {
            lower(&mut ir, &step, text);
            for (name, wanted) in names.iter().zip(&wanted) {
                let found = lowered(&ir, name, text, wanted.len());
                same(wanted, &found, &format!("`{target}`, {step}, @{name}\n{text}"));
            }
        }
    }
}

pub fn same(wanted: &Numbers, found: &Numbers, what: &str) {
    if let Some(how) = difference(wanted, found) {
        panic!("{how}: {what}");
    }
}
