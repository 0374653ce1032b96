//! Programs of tensor expressions and of other forms at the edges of what they may say, on every back end.

use crate::common;

use common::backends::{agree_on, with_devices};
use common::{place, run, stdout};
use terrace_runtime_buffers::{Buffer, ElemType};
use terrace_support::Random;

/// All back ends print the same, to the sign of zero
#[track_caller]
fn alike(test: &str, text: &str, args: &[&str], shown: &str) {
    let list = with_devices(test);
    for name in list.split(',') {
        let on = format!("--on={name}");
        let args: Vec<&str> = args.iter().copied().chain([on.as_str()]).collect();
        assert_eq!(stdout(&run(test, text, &args)).trim(), shown, "{name}:\n{text}");
    }
}

const TENSOR: &str = "--input=tensor";

#[test]
fn nothing_to_sum() {
    let all = [
        ("A : f32 [0]; B[i] = 2.0 * A[i];", "B : 0xf32 ="),
        ("A : f32 [7, 0]; B[i] = sum{j in 0} A[i, j];", "B : 7xf32 = 0, 0, 0, 0, 0, 0, 0"),
        ("A : f32 [0, 3]; B = sum{i, j} A[i, j];", "B : f32 = 0"),
        ("A : f64 [3, 0, 2]; B[i, k] = sum{j} A[i, j, k];", "B : 3x2xf64 = 0, 0, 0, 0, 0, 0"),
        ("A : f32 [2, 0]; B[i] = max{j} A[i, j];", "B : 2xf32 = -inf, -inf"),
        ("A : i32 [2, 0]; B[i] = prod{j} A[i, j];", "B : 2xi32 = 1, 1"),
        ("A : f32 [5, 3]; B[i] = sum{j} A[i, j] where j < i - 3;", "B : 5xf32 = 0, 0, 0, 0, 12"),
        ("A : f32 [5]; B[i in 5] = sum{j in 1} A[i] where i == 3;", "B : 5xf32 = 0, 0, 0, 3, 0"),
    ];
    for (n, (text, shown)) in all.into_iter().enumerate() {
        alike(&format!("nothing_to_sum-{n}"), text, &[TENSOR, "--in=A=iota"], shown);
    }
}

/// Upstream's ops on shapes with a zero: what is there keeps its value, a sum starts from what it is filled with
#[test]
fn upstreams_ops_on_nothing() {
    let matmul = "func.func @f(%A: tensor<4x0xf32>, %B: tensor<0x2xf32>) -> tensor<4x2xf32> {
  %z = arith.constant dense<1.0> : tensor<4x2xf32>
  %r = linalg.matmul ins(%A, %B : tensor<4x0xf32>, tensor<0x2xf32>) outs(%z : tensor<4x2xf32>) -> tensor<4x2xf32>
  return %r : tensor<4x2xf32>
}";
    alike("matmul", matmul, &["--in=A=iota", "--in=B=iota"], "r : 4x2xf32 = 1, 1, 1, 1, 1, 1, 1, 1");
    let reduce = "func.func @f(%A: tensor<3x0xf32>) -> tensor<3xf32> {
  %c = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<3xf32>
  %f = linalg.fill ins(%c : f32) outs(%e : tensor<3xf32>) -> tensor<3xf32>
  %r = linalg.reduce { arith.addf } ins(%A : tensor<3x0xf32>) outs(%f : tensor<3xf32>) dimensions = [1]
  return %r : tensor<3xf32>
}";
    alike("reduce", reduce, &["--in=A=iota"], "r : 3xf32 = 0, 0, 0");
    let memory = "func.func @f(%A: memref<2x0xf32>, %B: memref<0x2xf32>, %C: memref<2x2xf32>) {
  linalg.matmul ins(%A, %B : memref<2x0xf32>, memref<0x2xf32>) outs(%C : memref<2x2xf32>)
  return
}";
    let shown = "A : 2x0xf32 = \nB : 0x2xf32 = \nC : 2x2xf32 = 0, 1, 2, 3";
    alike("memory", memory, &["--in=A=iota", "--in=B=iota", "--in=C=iota"], shown);
}

/// A pragma starts from nothing; a loop without turns leaves what was there
#[test]
fn c_loops_without_turns() {
    let text = "void f(float y[restrict 3], const float A[restrict 3][5]) {
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 0; ++j)
      y[i] += A[i][j];
}
void g(float y[restrict 3], const float A[restrict 3][5]) {
#pragma mdh( y[i] : ++, + )
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 5; ++j)
      if (j < i - 1) y[i] += A[i][j];
}";
    let rest = "A : 3x5xf32 = 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14";
    for (entry, values) in [("f", "0, 1, 2"), ("g", "0, 0, 10")] {
        let at = format!("--entry=@{entry}");
        let args = ["--input=c", &at, "--in=A=iota", "--in=y=iota"];
        alike(entry, text, &args, &format!("y : 3xf32 = {values}\n{rest}"));
    }
}

/// Arrays of the functional dialect, also with rows in parallel
#[test]
fn arrays_without_elements() {
    for level in ["", " : global.x"] {
        let text = format!(
            "func.func @rows(%x: !array.of<3 x 0 x f32>, %z: f32) -> !array.of<3 x f32> {{
  %r = array.map %x{level} as %row {{
    %t = array.reduce add init %z %row as %a {{ array.yield %a }}
    array.yield %t
  }}
  return %r : !array.of<3 x f32>
}}"
        );
        let list = if level.is_empty() { common::backends::here("arrays") } else { with_devices("arrays") };
        agree_on(&list, "arrays", &text, &["--in=x=iota", "--in=z=fill:2"], "r");
    }
    let none = "func.func @rows(%x: !array.of<0 x 3 x f32>) -> !array.of<0 x f32> {
  %r = array.map %x : global.x as %row {
    %t = array.reduce add %row as %a { array.yield %a }
    array.yield %t
  }
  return %r : !array.of<0 x f32>
}";
    alike("none", none, &["--in=x=iota"], "r : 0xf32 =");
}

/// What the language has beyond sums of products, at odd sizes
#[test]
fn what_tensor_expressions_say() {
    let x = &["--in=x=random:1"][..];
    let both = &["--in=T=random:1", "--in=P=iota"][..];
    let all = [
        ("x : f32 [7, 13]; v[i], p[i] = argmax{j} x[i, j];", x, &["v", "p"][..]),
        ("x : f32 [61, 37]; p[j] = argmin{i} x[i, j];", x, &["p"]),
        ("x : i32 [7, 13, 3]; p = argmax{i, j, k} x[i, j, k] * 7 % 5;", x, &["p"]),
        ("x : f32 [127]; s, m = (sum, max){i} (x[i], abs(x[i])); y[i] = x[i] / m + s;", x, &["y"]),
        (
            "x : f32 [97]; a[i] = relu(x[i]) + sigmoid(3 * x[i]); b[i] = erf(x[i]) * tan(x[i]);",
            x,
            &["a", "b"],
        ),
        (
            "x : f32 [97]; a[i] = expm1(abs(x[i]) + 1.0) + log1p(abs(x[i]) * 0.001) + atan2(abs(x[i]), 2.0);",
            x,
            &["a"],
        ),
        ("x : f32 [37]; q[i] = i32(100 * x[i]); r[i] = f32(bf16(x[i])) + f32(q[i]);", x, &["r"]),
        ("x : bf16 [37, 5]; y[i] = sum{j} f32(x[i, j]) * f32(x[i, j]); z[i] = bf16(y[i]);", x, &["z"]),
        ("x : bf16 [203]; y[i] = x[i] * x[i] - x[i] / 3; z[i] = -abs(x[i]) * exp(x[i]);", x, &["y", "z"]),
        ("x : bf16 [37, 5]; y[i] = max{j} x[i, j] * x[i, j] + 0.5;", x, &["y"]),
        ("T : f32 [23, 5]; P : i32 [7]; E[n, c] = T[P[n] * 3, c] * 2.0;", both, &["E"]),
        ("T : f32 [23, 5]; P : i32 [17]; E[n] = sum{c} T[P[n] * 3 - 4, c] else 1.5;", both, &["E"]),
        ("x : f32 [30, 41]; d[i in 29, j] = x[i, j + 1] - x[i + 1, j];", x, &["d"]),
        ("x : f32 [9, 11]; c[i] = sum{j} x[i, j] where j <= i, i + j < 13;", x, &["c"]),
    ];
    for (n, (text, args, outputs)) in all.into_iter().enumerate() {
        let test = format!("language-{n}");
        let mut list = with_devices(&test);
        // LLVM's SPIR-V has no such type; the back end refuses it by name.
        if text.contains("bf16") {
            list = list.replace(",spirv", "");
        }
        let compare = format!("--compare={list}");
        let args: Vec<&str> = args.iter().copied().chain([TENSOR, &compare]).collect();
        let shown = stdout(&run(&test, text, &args));
        for (name, output) in
            list.split(',').skip(1).flat_map(|name| outputs.iter().map(move |out| (name, out)))
        {
            assert!(shown.contains(&format!("{name} and interp: {output}: all ")), "{text}:\n{shown}");
        }
    }
}

/// Schedules that keep one component of a tuple in registers
#[test]
fn an_argmax_with_one_component_in_registers() {
    let text = "op better<f32, i32>(a, i, b, j) := (b > a ? b : a, b > a ? j : (a > b ? i : min(i, j))) : associative, commutative, exact, identity -inf, 2147483647
am<| int I,J> := out_view<f32,i32>( v: (i,j)->(i), p: (i,j)->(i) ) o md_hom<I,J>( (x) -> (x, j), (++,better) ) o inp_view<f32>( X: (i,j)->(i,j) )
  schedule( 1: (7,^) (^ ; ^,^) (THR.x,^) 2: (1,13) (^ ; v:REG,^) (FOR.1,FOR.2) 3: (1,1) (^ ; ^,^) (FOR.1,FOR.2) )
am<| 14,26>;";
    for output in ["v", "p"] {
        agree_on(&with_devices("argmax"), "argmax", text, &["--input=mdh", "--in=X=random:1"], output);
    }
}

/// The greatest and least numbers are zeros of both signs: the first one is given, with its sign
#[test]
fn the_value_of_an_argmax_is_that_of_its_place() {
    let mut random = Random::new(7);
    let numbers: Vec<f32> =
        (0..31 * 67).map(|_| [-1.0, -1.0, -1.0, 0.0, -0.0][random.below(5) as usize]).collect();
    let turned: Vec<f32> = numbers.iter().map(|number| -number).collect();
    for (word, numbers) in [("argmax", &numbers), ("argmin", &turned)] {
        let file = place(&format!("{word}-zeros.npy"));
        let x = Buffer::from_slice(ElemType::F32, &[31, 67], numbers).expect("so many numbers");
        x.write_npy(&file).expect("the folder for temporary files of tests can be written");
        let text = format!(
            "x : f32 [31, 67]; v[i], p[i] = {word}{{j}} x[i, j]; w[i] = 1.0 / v[i];
             V[j], P[j] = {word}{{i}} x[i, j]; W[j] = 1.0 / V[j];"
        );
        let (list, input) = (with_devices(word), format!("--in=x={}", file.display()));
        for output in ["w", "p", "W", "P"] {
            agree_on(&list, word, &text, &[TENSOR, &input], output);
        }
        let _ = std::fs::remove_file(file);
    }
}
