//! Arrays of numbers, and functions over arrays run on them.
#![allow(dead_code)]

use terrace_diag::Diags;
use terrace_interp::{Interpreter, Options, RtValue};
use terrace_ir::Context;
use terrace_support::Random;
use terrace_text::ParseOptions;

/// A number from -8 to 8
pub fn small(random: &mut Random) -> i64 {
    random.below(17i64) - 8
}

/// An array of so many dimensions, row by row
#[derive(Clone, Debug, PartialEq)]
pub struct Tensor {
    pub shape: Vec<usize>,
    pub data: Vec<i64>,
}

impl Tensor {
    pub fn random(shape: &[usize], random: &mut Random) -> Tensor {
        Tensor { shape: shape.to_vec(), data: (0..shape.iter().product()).map(|_| small(random)).collect() }
    }

    pub fn made(shape: &[usize], at: impl Fn(&[usize]) -> i64) -> Tensor {
        let count: usize = shape.iter().product();
        let index = |n: usize| -> Vec<usize> {
            let mut rest = n;
            let mut index: Vec<usize> =
                shape.iter().rev().map(|size| (rest % size, rest /= size).0).collect();
            index.reverse();
            index
        };
        Tensor { shape: shape.to_vec(), data: (0..count).map(|n| at(&index(n))).collect() }
    }

    pub fn at(&self, index: &[usize]) -> i64 {
        self.data[index.iter().zip(&self.shape).fold(0, |flat, (i, size)| flat * size + i)]
    }

    pub fn value(&self, number: &dyn Fn(i64) -> RtValue) -> RtValue {
        let mut level: Vec<RtValue> = self.data.iter().map(|value| number(*value)).collect();
        for size in self.shape.iter().skip(1).rev() {
            level = level.chunks(*size).map(|chunk| RtValue::Vector(chunk.into())).collect();
        }
        RtValue::Vector(level.into())
    }
}

pub fn int(value: i64) -> RtValue {
    RtValue::int(i128::from(value), 32)
}

pub fn float(value: i64) -> RtValue {
    RtValue::Float { bits: u64::from((value as f32).to_bits()), kind: terrace_ir::FloatKind::F32 }
}

/// What a function of a text gives
pub fn run(text: &str, name: &str, args: Vec<RtValue>) -> RtValue {
    let dialects =
        [terrace_dialect_upstream::ALL, terrace_dialect_sched::ALL, terrace_dialect_array::ALL].concat();
    let cx = Context::new(&dialects);
    let source = cx.sources().add("test.mlir", text.to_string());
    let mut diags = Diags::default();
    let ir = terrace_text::parse(&cx, source, &ParseOptions::default(), &mut diags);
    let ir = ir.filter(|_| !diags.has_errors());
    let Some(ir) = ir else {
        panic!("{}", terrace_diag::render_all(diags.iter(), cx.sources(), false));
    };
    let written_out = terrace_ir::expand::expanded(&ir);
    let ir = written_out.as_deref().unwrap_or(&ir);
    let mut results = Interpreter::new(ir, Options::default()).call(name, args).expect("does not trap");
    results.pop().expect("one result")
}
