//! What the tests of random schedules share: numbers, programs run before and after, what `@f` means.
#![allow(dead_code)]

use terrace_dialect_test::Harness;
use terrace_dialect_test::values::{fill, interpreter, read};
use terrace_interp::{MemRef, RtValue};
use terrace_ir::Ir;
use terrace_pass::Registry;

pub use terrace_dialect_test::values::shown;

const HARNESS: Harness = Harness {
    dialects: &[terrace_dialect_upstream::ALL, terrace_dialect_sched::ALL],
    registry: Registry {
        passes: &[
            terrace_passes_general::PASSES,
            terrace_lowering_sched::PASSES,
            terrace_passes_sched::PASSES,
            terrace_lowering_upstream::PASSES,
        ],
        pipelines: &[],
    },
};

/// The error is what the verifier says
pub fn parse(text: &str) -> Result<Box<Ir>, String> {
    HARNESS.parse(text)
}

/// Run passes; what they refuse is returned
pub fn try_pipeline(ir: &mut Ir, pipeline: &str) -> Result<(), String> {
    HARNESS.run(ir, pipeline)
}

pub fn run_pipeline(ir: &mut Ir, pipeline: &str, text: &str) {
    try_pipeline(ir, pipeline).unwrap_or_else(|why| panic!("{why}\n{text}"));
}

pub fn number(elem: &str, value: i64) -> RtValue {
    match elem {
        "f32" => RtValue::f32(value as f32),
        "f64" => RtValue::f64(value as f64),
        "i64" => RtValue::int(value.into(), 64),
        _ => RtValue::int(value.into(), 32),
    }
}

pub fn element(row: i64, column: i64) -> i64 {
    (row * 7 + column * 3) % 5 - 2
}

/// What `@f` writes to its last argument, given the others
fn last(ir: &Ir, given: &[(Vec<i64>, Vec<RtValue>)], n: i64, text: &str, stage: &str) -> Vec<i64> {
    let mut machine = interpreter(ir);
    let mut views: Vec<MemRef> =
        given.iter().map(|(shape, values)| fill(&mut machine, shape, values)).collect();
    let out = fill(&mut machine, &[n], &[]);
    views.push(out.clone());
    if let Err(trap) = machine.call("f", views.into_iter().map(RtValue::MemRef).collect()) {
        let notes: Vec<&str> = trap.notes.iter().map(|(_, note)| note.as_str()).collect();
        let notes = notes.join("; ");
        panic!("{stage}: {}: {} ({notes})\n{}\n{text}", trap.code.id, trap.message, shown(ir));
    }
    let found = read(&mut machine, &[n], &out).into_iter().map(|number| number.map(|x| x as i64));
    let found: Option<Vec<i64>> = found.collect();
    found.unwrap_or_else(|| panic!("{stage}: an element was not written\n{text}"))
}

/// What `@f` writes
pub fn outputs(ir: &Ir, m: i64, n: i64, elem: &str, text: &str, stage: &str) -> Vec<i64> {
    let row = |row| (0..n).map(move |column| number(elem, element(row, column)));
    let given = [(vec![m, n], (0..m).flat_map(row).collect()), (vec![n], row(3).collect())];
    last(ir, &given, m, text, stage)
}

pub fn meaning(m: i64, n: i64) -> Vec<i64> {
    let row =
        |i: i64| (0..n).filter(|k| i + 1 < m && *k > 0).map(|k| element(i + 1, k - 1) * element(3, k)).sum();
    (0..m).map(row).collect()
}

/// What `@f` writes from two lines of numbers, as i32
pub fn lines(ir: &Ir, given: &[Vec<i64>; 2], n: i64, text: &str, stage: &str) -> Vec<i64> {
    let given = given
        .each_ref()
        .map(|line| (vec![line.len() as i64], line.iter().map(|value| number("i32", *value)).collect()));
    last(ir, &given, n, text, stage)
}
