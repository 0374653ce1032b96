//! Machine code: results, and what becomes of wrong programs and calls.

use terrace::{Arg, Context, Jit};

/// Nothing, by name, where the worker is not built
fn jit(name: &str, text: &str) -> Option<Jit> {
    let module = terrace::parse(&Context::standard(), "f.mlir", text).expect("it is right");
    if is_missing(name) {
        let report = terrace::jit(&module).map(|_| ()).expect_err("there is no worker");
        assert_eq!(report.code(), Some("E0722"), "{report}");
        assert!(report.to_string().contains("TERRACE_NATIVE"), "{report}");
        return None;
    }
    Some(terrace::jit(&module).expect("there is a worker"))
}

/// Says that a test is skipped, if the worker is not built
pub fn is_missing(test: &str) -> bool {
    let missing = terrace::target::worker::missing();
    if let Some(component) = missing {
        eprintln!("skipped: {test} (needs {component})");
    }
    missing.is_some()
}

pub const SAXPY: &str = "func.func @saxpy(%a: f32, %x: memref<?xf32>, %y: memref<?xf32>) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %n = memref.dim %x, %zero : memref<?xf32>
  scf.for %i = %zero to %n step %one {
    %xi = memref.load %x[%i] : memref<?xf32>
    %yi = memref.load %y[%i] : memref<?xf32>
    %p = arith.mulf %a, %xi : f32
    %s = arith.addf %p, %yi : f32
    memref.store %s, %y[%i] : memref<?xf32>
  }
  return
}";

#[test]
fn slices_are_filled() {
    let Some(jit) = jit("slices_are_filled", SAXPY) else { return };
    let saxpy = jit.function("saxpy").expect("it is lowered");
    let (x, mut y) = ([1f32, 2., 3.], [10f32, 20., 30.]);
    for _ in 0..2 {
        saxpy.call(&mut [Arg::f32(2.0), Arg::slice(&x), Arg::slice_mut(&mut y)]).expect("it runs");
    }
    assert_eq!(y, [14., 28., 42.]);
}

#[test]
fn results_are_arrays() {
    let text = "func.func @f(%t: tensor<2x2xi32>, %x: i64) -> (tensor<2x2xi32>, i64) {
        %s = stablehlo.add %t, %t : tensor<2x2xi32>
        %y = arith.muli %x, %x : i64
        return %s, %y : tensor<2x2xi32>, i64
    }";
    let Some(jit) = jit("results_are_arrays", text) else { return };
    let out = jit.function("f").expect("it is lowered").call(&mut [Arg::slice(&[1, 2, 3, 4]), 7i64.into()]);
    let out = out.expect("it runs");
    assert_eq!((out[0].shape(), out[0].view::<i32>()), (&[2, 2][..], Some(&[2, 4, 6, 8][..])));
    assert_eq!((out[1].shape(), out[1].view::<i64>()), (&[][..], Some(&[49][..])));
}

#[test]
fn calls_are_checked() {
    let Some(jit) = jit("calls_are_checked", SAXPY) else { return };
    let name = jit.function("saxpi").map(|_| ()).expect_err("there is none").to_string();
    assert!(name.contains("did you mean @saxpy?"), "{name}");
    let saxpy = jit.function("saxpy").expect("it is lowered");
    let (x, mut y) = ([1f32, 2.], [10f32, 20.]);
    let fails = |args: &mut [Arg<'_>]| saxpy.call(args).expect_err("it is wrong").to_string();
    let few = fails(&mut [Arg::f32(2.0)]);
    assert!(few.contains("@saxpy takes 3 arguments, and 1 are given"), "{few}");
    let number = fails(&mut [Arg::slice(&x), Arg::slice(&x), Arg::slice(&x)]);
    assert!(number.contains("argument `a` is a number, and elements are given"), "{number}");
    let wide = fails(&mut [Arg::f64(2.0), Arg::slice(&x), Arg::slice(&x)]);
    assert!(wide.contains("argument `a` has elements of type f32"), "{wide}");
    let shape = fails(&mut [Arg::f32(2.0), Arg::slice(&x).shaped(&[1, 2]), Arg::slice(&x)]);
    assert!(shape.contains("argument `x` has another shape than 1x2"), "{shape}");
    let shared = fails(&mut [Arg::f32(2.0), Arg::slice(&x), Arg::slice(&y)]);
    assert!(
        shared.contains("@saxpy writes to argument `y`") && shared.contains("Arg::slice_mut"),
        "{shared}"
    );
    // None of this has harmed the worker, nor what is behind the slices.
    saxpy.call(&mut [Arg::f32(1.0), Arg::slice(&x), Arg::slice_mut(&mut y)]).expect("it runs");
    assert_eq!(y, [11., 22.]);
}

#[test]
fn a_crash_is_an_error() {
    let text = "func.func @f(%m: memref<?xi32>, %i: index, %x: i32) {
        memref.store %x, %m[%i] : memref<?xi32>
        return
    }";
    let Some(jit) = jit("a_crash_is_an_error", text) else { return };
    let f = jit.function("f").expect("it is lowered");
    let mut m = [0, 0];
    let far = 1i64 << 40;
    let report =
        f.call(&mut [Arg::slice_mut(&mut m), far.into(), 1.into()]).expect_err("it is not its memory");
    assert_eq!(report.code(), Some("E0723"), "{report}");
    f.call(&mut [Arg::slice_mut(&mut m), 1i64.into(), 7.into()]).expect("another worker runs it");
    assert_eq!(m, [0, 7]);
}

#[test]
fn what_does_not_end_is_ended() {
    let text = "func.func @f() {
        cf.br ^loop
      ^loop:
        cf.br ^loop
    }";
    let Some(jit) = jit("what_does_not_end_is_ended", text) else { return };
    let jit = jit.time_limit(std::time::Duration::from_secs(2));
    let report = jit.function("f").expect("it is lowered").call(&mut []).expect_err("it has no end");
    assert_eq!(report.code(), Some("E0724"), "{report}");
}
