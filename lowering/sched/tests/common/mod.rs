//! What the tests of random schedules share: numbers, programs run before and after, what `@f` means.
#![allow(dead_code)]

use terrace_diag::{Diags, render_all};
use terrace_interp::{Interpreter, Options, RtValue};
use terrace_ir::{Context, Dialect, Ir};
use terrace_pass::{Instrument, Pipeline, Registry};
use terrace_text::ParseOptions;

const REGISTRY: Registry =
    Registry { passes: &[terrace_passes_general::PASSES, terrace_lowering_sched::PASSES], pipelines: &[] };

/// xorshift
pub struct Random(pub u64);

impl Random {
    pub fn below(&mut self, n: i64) -> i64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % n.max(1) as u64) as i64
    }

    pub fn coin(&mut self) -> bool {
        self.below(2) == 0
    }

    pub fn pick<'a>(&mut self, all: &[&'a str]) -> &'a str {
        all[self.below(all.len() as i64) as usize]
    }
}

pub fn parse(text: &str) -> Result<Box<Ir>, String> {
    let dialects: Vec<&'static Dialect> =
        [terrace_dialect_upstream::ALL, terrace_dialect_sched::ALL].concat();
    let cx = Context::new(&dialects);
    let source = cx.sources().add("test.mlir", text.to_string());
    let mut diags = Diags::default();
    let parsed = terrace_text::parse(&cx, source, &ParseOptions::default(), &mut diags);
    assert!(!diags.has_errors(), "{}\n{text}", render_all(diags.iter(), cx.sources(), false));
    let ir = Box::new(parsed.expect("no errors"));
    let diags = terrace_ir::verify::verify(&ir, 1);
    match diags.has_errors() {
        true => Err(render_all(diags.iter(), cx.sources(), false)),
        false => Ok(ir),
    }
}

/// Run passes; what they refuse is given back
pub fn try_pipeline(ir: &mut Ir, pipeline: &str) -> Result<(), String> {
    let cx = ir.cx_arc().clone();
    let mut diags = Diags::default();
    let parsed = Pipeline::parse(pipeline, &REGISTRY, cx.sources(), &mut diags).expect("a pipeline");
    let (report, result) = terrace_pass::run(ir, &parsed, &Instrument::quiet(|_| String::new()));
    if result.is_err() {
        return Err(render_all(report.diags.iter(), cx.sources(), false));
    }
    let diags = terrace_ir::verify::verify(ir, 1);
    assert!(!diags.has_errors(), "{}\n{}", render_all(diags.iter(), cx.sources(), false), shown(ir));
    Ok(())
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

/// What `@f` writes
pub fn outputs(ir: &Ir, m: i64, n: i64, elem: &str, text: &str, stage: &str) -> Vec<i64> {
    let mut interpreter = Interpreter::new(ir, Options { fuel: u64::MAX, ..Options::default() });
    let memory = interpreter.memory();
    let fail = |what: String| -> ! { panic!("{stage}: {what}\n{text}") };
    let views = [vec![m, n], vec![n], vec![m]].map(|sizes| match memory.alloc(&sizes) {
        Ok(view) => view,
        Err(_) => fail("memory".into()),
    });
    for row in 0..m {
        for column in 0..n {
            assert!(memory.store(&views[0], &[row, column], number(elem, element(row, column))).is_ok());
        }
    }
    for column in 0..n {
        assert!(memory.store(&views[1], &[column], number(elem, element(3, column))).is_ok());
    }
    let args = views.clone().map(RtValue::MemRef).to_vec();
    if let Err(trap) = interpreter.call("f", args) {
        let notes: Vec<&str> = trap.notes.iter().map(|(_, note)| note.as_str()).collect();
        fail(format!("{}: {} ({})\n{}", trap.code.id, trap.message, notes.join("; "), shown(ir)));
    }
    let read = |row| match interpreter.memory().load(&views[2], &[row]) {
        Ok(value) => value
            .as_f64()
            .map_or_else(|| value.as_i64().or(value.as_signed().map(|n| n as i64)), |x| Some(x as i64)),
        Err(_) => None,
    };
    let found: Option<Vec<i64>> = (0..m).map(read).collect();
    found.unwrap_or_else(|| fail("an element was not written".into()))
}

pub fn shown(ir: &Ir) -> String {
    let mut text = String::new();
    terrace_text::print(ir, &terrace_text::PrintOptions::default(), &mut text);
    text
}

pub fn meaning(m: i64, n: i64) -> Vec<i64> {
    let row =
        |i: i64| (0..n).filter(|k| i + 1 < m && *k > 0).map(|k| element(i + 1, k - 1) * element(3, k)).sum();
    (0..m).map(row).collect()
}

/// What `@f` writes from two lines of numbers, as i32
pub fn lines(ir: &Ir, given: &[Vec<i64>; 2], n: i64, text: &str, stage: &str) -> Vec<i64> {
    let mut interpreter = Interpreter::new(ir, Options { fuel: u64::MAX, ..Options::default() });
    let memory = interpreter.memory();
    let fail = |what: String| -> ! { panic!("{stage}: {what}\n{text}") };
    let mut views = Vec::new();
    for size in [given[0].len() as i64, given[1].len() as i64, n] {
        match memory.alloc(&[size]) {
            Ok(view) => views.push(view),
            Err(_) => fail("memory".into()),
        }
    }
    for (view, line) in views.iter().zip(given) {
        for (at, value) in line.iter().enumerate() {
            assert!(memory.store(view, &[at as i64], number("i32", *value)).is_ok());
        }
    }
    let args = views.iter().cloned().map(RtValue::MemRef).collect();
    if let Err(trap) = interpreter.call("f", args) {
        let notes: Vec<&str> = trap.notes.iter().map(|(_, note)| note.as_str()).collect();
        fail(format!("{}: {} ({})\n{}", trap.code.id, trap.message, notes.join("; "), shown(ir)));
    }
    let read = |at| match interpreter.memory().load(&views[2], &[at]) {
        Ok(value) => value.as_signed().map(|n| n as i64),
        Err(_) => None,
    };
    let found: Option<Vec<i64>> = (0..n).map(read).collect();
    found.unwrap_or_else(|| fail("an element was not written".into()))
}
