//! Programs by value: parsed, run through passes, called in the interpreter on numbers that are the same every time.
//!
//! Inputs are small integers, also where they are floats: sums and products are exact, so that any order in which a pass
//! adds them gives the same.

use std::sync::Arc;
use terrace_diag::{Diags, render_all};
use terrace_interp::{Interpreter, MemRef, Options, RtValue};
use terrace_ir::{Context, Dialect, FloatKind, Ir, Type, TypeKind};
use terrace_pass::{Instrument, Pipeline, Registry};
use terrace_text::{ParseOptions, PrintOptions};

/// Numbers of buffers or results, one list each; nothing for poison and for what was never written
pub type Numbers = Vec<Vec<Option<f64>>>;

/// Dialects and passes that a test works with
#[derive(Clone, Copy)]
pub struct Harness {
    /// Dialects, in groups
    pub dialects: &'static [&'static [&'static Dialect]],
    /// Passes
    pub registry: Registry,
}

impl Harness {
    /// Parse and verify; the error is what the verifier says
    ///
    /// # Panics
    /// Where the text is none of the grammar: tests mean what they write.
    pub fn parse(&self, text: &str) -> Result<Box<Ir>, String> {
        let cx = Context::new(&self.dialects.concat());
        let source = cx.sources().add("test.mlir", text.to_string());
        let mut diags = Diags::default();
        let parsed = terrace_text::parse(&cx, source, &ParseOptions::default(), &mut diags);
        assert!(!diags.has_errors(), "{}\n{text}", render_all(diags.iter(), cx.sources(), false));
        let ir = Box::new(parsed.expect("no errors"));
        verify(&ir).map(|()| ir)
    }

    /// Run passes, and verify what they made; the error says why one refused
    ///
    /// # Panics
    /// Where the text is no pipeline, and where what was made is not right.
    pub fn run(&self, ir: &mut Ir, pipeline: &str) -> Result<(), String> {
        self.transform(ir, pipeline)?;
        verify(ir).unwrap_or_else(|why| panic!("{pipeline}: {why}\n{}", shown(ir)));
        Ok(())
    }

    /// The same, where what was made may be refused by the verifier
    ///
    /// # Panics
    /// Where the text is no pipeline.
    pub fn transform(&self, ir: &mut Ir, pipeline: &str) -> Result<(), String> {
        let cx: Arc<Context> = ir.cx_arc().clone();
        let mut diags = Diags::default();
        let Ok(parsed) = Pipeline::parse(pipeline, &self.registry, cx.sources(), &mut diags) else {
            panic!("{}", render_all(diags.iter(), cx.sources(), false));
        };
        let (report, result) = terrace_pass::run(ir, &parsed, &Instrument::quiet(|_| String::new()));
        result.map_err(|_| render_all(report.diags.iter(), cx.sources(), false))
    }
}

/// What the verifier has to say
pub fn verify(ir: &Ir) -> Result<(), String> {
    let diags = terrace_ir::verify::verify(ir, 1);
    match diags.has_errors() {
        true => Err(render_all(diags.iter(), ir.cx().sources(), false)),
        false => Ok(()),
    }
}

/// As text
pub fn shown(ir: &Ir) -> String {
    let mut text = String::new();
    terrace_text::print(ir, &PrintOptions::default(), &mut text);
    text
}

/// No limit on steps: what does not end is a hanging test
pub fn interpreter(ir: &Ir) -> Interpreter<'_> {
    Interpreter::new(ir, Options { fuel: u64::MAX, ..Options::default() })
}

/// Types of parameters and of results of a function
pub fn types(ir: &Ir, name: &str) -> (Vec<Type>, Vec<Type>) {
    let interpreter = interpreter(ir);
    let unit = interpreter.function(name).unwrap_or_else(|| panic!("there is no @{name}"));
    let ty = unit.attr(unit.root(), "function_type").and_then(|attr| attr.as_type(ir.cx()));
    let (inputs, results) = ty.expect("a function").as_function(ir.cx()).expect("a function");
    (inputs.to_vec(), results.to_vec())
}

/// A small number of this type; indices stay below 2
pub fn number(cx: &Context, ty: Type, value: i64) -> RtValue {
    match ty.kind(cx) {
        TypeKind::Float(FloatKind::F64) => RtValue::f64(value as f64),
        TypeKind::Float(_) => RtValue::f32(value as f32),
        TypeKind::Index => RtValue::index(value.rem_euclid(2)),
        TypeKind::Int { width: 1, .. } => RtValue::bool(value > 0),
        _ => RtValue::int(value.into(), ty.bit_width(cx).unwrap_or(32)),
    }
}

/// The n-th element of an input: −3 … 3
pub fn element(cx: &Context, ty: Type, n: usize, seed: usize) -> RtValue {
    number(cx, ty, ((n * 5 + seed * 3 + n / 7 + n * n % 5) % 7) as i64 - 3)
}

/// As a number, so that −0 is 0; nothing for poison
pub fn as_number(value: &RtValue) -> Option<f64> {
    match value {
        RtValue::Poison => None,
        other => other.as_f64().or_else(|| other.as_signed().map(|n| n as f64)),
    }
}

/// Numbers of a value, in order
pub fn numbers(value: &RtValue) -> Vec<Option<f64>> {
    match value {
        RtValue::Vector(all) => all.iter().flat_map(numbers).collect(),
        other => vec![as_number(other)],
    }
}

/// Indices of the i-th element in row-major order
fn position(shape: &[i64], i: usize) -> Vec<i64> {
    let (mut at, mut left) = (vec![0; shape.len()], i as i64);
    for (index, size) in at.iter_mut().zip(shape).rev() {
        (*index, left) = (left % size, left / size);
    }
    at
}

/// A buffer whose first elements are these; the others are not written
pub fn fill(interpreter: &mut Interpreter<'_>, shape: &[i64], values: &[RtValue]) -> MemRef {
    let memory = interpreter.memory();
    let view = memory.alloc(shape).unwrap_or_else(|_| panic!("too much memory"));
    for (i, value) in values.iter().enumerate() {
        assert!(memory.store(&view, &position(shape, i), value.clone()).is_ok(), "element {i} of {shape:?}");
    }
    view
}

/// Numbers of a buffer, in row-major order
pub fn read(interpreter: &mut Interpreter<'_>, shape: &[i64], view: &MemRef) -> Vec<Option<f64>> {
    let memory = interpreter.memory();
    let count = shape.iter().product::<i64>() as usize;
    let element = |i| memory.load(view, &position(shape, i)).unwrap_or(RtValue::Poison);
    (0..count).map(element).flat_map(|value| numbers(&value)).collect()
}

/// Where what was found differs from what was wanted; what was never written may be anything
pub fn difference(wanted: &Numbers, found: &Numbers) -> Option<String> {
    if wanted.len() != found.len() {
        return Some(format!("{} results instead of {}", found.len(), wanted.len()));
    }
    for (n, (wanted, found)) in wanted.iter().zip(found).enumerate() {
        if wanted.len() != found.len() {
            return Some(format!("result {n} has {} elements instead of {}", found.len(), wanted.len()));
        }
        let pairs = wanted.iter().zip(found).enumerate();
        let is_nan = |value: &Option<f64>| value.is_some_and(f64::is_nan);
        let differ = |a, b| a != b && !(is_nan(a) && is_nan(b));
        if let Some((i, (a, b))) = pairs.into_iter().find(|(_, (a, b))| a.is_some() && differ(a, b)) {
            return Some(format!("result {n}, element {i}: {b:?} instead of {a:?}"));
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    const HARNESS: Harness = Harness {
        dialects: &[terrace_dialect_upstream::ALL],
        registry: Registry { passes: &[], pipelines: &[] },
    };

    #[test]
    fn a_buffer_is_read_as_it_was_filled() {
        let ir = HARNESS.parse("func.func @f() { return }").expect("right");
        let mut machine = interpreter(&ir);
        let values: Vec<RtValue> = (0..5).map(RtValue::index).collect();
        let view = fill(&mut machine, &[2, 3], &values);
        let found = read(&mut machine, &[2, 3], &view);
        assert_eq!(found, [Some(0.0), Some(1.0), Some(2.0), Some(3.0), Some(4.0), None]);
    }

    #[test]
    fn differences_are_found_but_where_nothing_is_wanted() {
        let wanted = vec![vec![Some(1.0), None]];
        assert_eq!(difference(&wanted, &vec![vec![Some(1.0), Some(9.0)]]), None);
        assert!(difference(&wanted, &vec![vec![Some(2.0), None]]).is_some());
        assert!(difference(&wanted, &vec![vec![Some(1.0)]]).is_some());
        assert!(difference(&wanted, &vec![]).is_some());
    }

    #[test]
    fn what_the_verifier_refuses_is_said() {
        let why = HARNESS.parse("func.func @f() -> i32 { return }").err().expect("no result is returned");
        assert!(why.contains("return"), "{why}");
    }
}
