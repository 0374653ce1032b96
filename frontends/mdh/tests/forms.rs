//! One program, several forms: the same computation, and text that reads back.

use std::sync::Arc;
use terrace_diag::{Diags, render_all};
use terrace_frontend_mdh::builder::{Compute, arg};
use terrace_frontend_mdh::model::Elem;
use terrace_frontend_mdh::{from_ir, tensor, text};
use terrace_ir::{Context, Ir};
use terrace_support::Random;

fn context() -> Arc<Context> {
    Context::new(&[terrace_dialect_upstream::ALL, terrace_dialect_mdh::ALL].concat())
}

fn printed(module: &Ir) -> String {
    let mut out = String::new();
    terrace_text::print(module, &Default::default(), &mut out);
    out
}

const MATMUL: &str = "MatMul<Type T | int I,J,K> :=
  out_view<T>(C: (i,j,k)->(i,j))
  o md_hom<I,J,K>(*, (++, ++, +))
  o inp_view<T,T>(A: (i,j,k)->(i,k), B: (i,j,k)->(k,j))";

fn by_text(cx: &Arc<Context>, source: &str, sets: &[(&str, &str)]) -> Ir {
    let sets: Vec<(String, String)> =
        sets.iter().map(|(name, value)| (name.to_string(), value.to_string())).collect();
    let mut diags = Diags::default();
    let id = cx.sources().add("m.mdh", source);
    let module = text::read(cx, id, &sets, &mut diags);
    module.unwrap_or_else(|| panic!("{}", render_all(diags.iter(), cx.sources(), false)))
}

#[test]
fn text_tensor_expression_and_builder_give_one_program() {
    let cx = context();
    let first = printed(&by_text(&cx, MATMUL, &[("T", "f32"), ("I", "4"), ("J", "5"), ("K", "6")]));
    let id =
        cx.sources().add("m.tensor", "fn matmul; A : f32 [4, 6]; B : f32 [6, 5]; C[i,j] += A[i,k] * B[k,j];");
    let mut diags = Diags::default();
    let second = printed(&tensor::read(&cx, id, &[], &mut diags).expect("it is right"));
    let built = Compute::new("matmul")
        .cc("i", 4)
        .cc("j", 5)
        .pw("k", 6, "add")
        .input("A", Elem::Float(32), ["i", "k"])
        .input("B", Elem::Float(32), ["k", "j"])
        .output("C", Elem::Float(32), ["i", "j"])
        .yields(arg(0) * arg(1));
    let third = printed(&built.module(&cx).expect("it is right"));
    assert_eq!(first, second);
    assert_eq!(first, third);
}

#[test]
fn definitions_print_as_they_read() {
    let all = [
        MATMUL,
        "Pad<Type T | int N> :=
  out_view<T>(y [N + 1]: (i)->(i) into b (i)->(0))
  o md_hom<N>((a, c) -> a < c && 0 <= i ? -a : max(a, 2.5) * (c - 1), (++)) where 0 <= i - 1 && i - 1 < N
  o inp_view<T>(x: (i)->((i - 1) / 2) else 0.0 if (i - 1) % 2 == 0, (i)->(2 * i))",
        "Both<| int N> :=
  out_view<f32,f32>(s: (i)->(), m: (i)->())
  o md_hom<N>((x) -> (x, x), ((+, max)))
  o inp_view<f32>(x: (i)->(i))",
        "Scan :=
  out_view<i32>(y: (i)->(i))
  o md_hom<8>(id, (ps(+)))
  o inp_view<i32>(x: (i)->(i))",
        "Tiled :=
  out_view<f32>(y: (i)->(i))
  o md_hom<64>(id, (++))
  o inp_view<f32>(x: (i)->(i))
  schedule(
    1: ({8,16}) (L2[1] ; ^) (THR.x)
    2: (?) (^ ; REG nt) (FOR.1)
    3: (1) (^ ; ^) (FOR.?)
  )",
    ];
    for source in all {
        let cx = context();
        let mut diags = Diags::default();
        let id = cx.sources().add("a", source);
        let read = text::definitions(id, source, &mut diags);
        let read = read.unwrap_or_else(|| panic!("{}", render_all(diags.iter(), cx.sources(), false)));
        assert_eq!(read[0].to_string(), source);
    }
}

#[test]
fn what_is_built_is_printed_as_text() {
    let cx = context();
    let built = Compute::new("matmul")
        .cc("i", 4)
        .cc("j", 5)
        .pw("k", 6, "add")
        .input("A", Elem::Float(32), ["i", "k"])
        .input("B", Elem::Float(32), ["k", "j"])
        .output("C", Elem::Float(32), ["i", "j"])
        .yields(arg(0) * arg(1))
        .module(&cx)
        .expect("it is right");
    let text = from_ir::text(&built, &mut Diags::default()).expect("MDH text has words for it");
    assert_eq!(text, format!("{}\n\nmatmul<f32 | 4,5,6>;\n", MATMUL.replace("MatMul", "matmul")));
    assert_eq!(printed(&by_text(&cx, &text, &[])), printed(&built));
}

#[test]
fn mistakes_of_a_builder_are_told_at_the_end() {
    let cx = context();
    let wrong = Compute::new("f").cc("i", 4).input("A", Elem::Float(32), ["i * i"]).module(&cx);
    assert_eq!(
        wrong.err().map(|error| error.to_string()).as_deref(),
        Some("`i * i` is not affine in the dimensions")
    );
    let wrong = Compute::new("f").cc("i", 4).output("B", Elem::Float(32), ["i"]).yields(arg(0)).module(&cx);
    assert_eq!(
        wrong.err().map(|error| error.to_string()).as_deref(),
        Some("arg(0): there are 0 inputs, counted from 0")
    );
}

#[test]
fn no_text_panics() {
    let pieces = [
        "F", "<", ">", "|", ":=", "out_view", "(", ")", "i", "->", "o", "md_hom", "+", ",", "[", "]", "x",
        ":", "4", "else", "\"", "é",
    ];
    let mut random = Random::new(7);
    for _ in 0..2000 {
        let mut source = String::new();
        for _ in 0..12 {
            source.push_str(random.pick(&pieces));
            source.push(' ');
        }
        let cx = context();
        let id = cx.sources().add("a", source);
        let mut diags = Diags::default();
        let _ = text::read(&cx, id, &[], &mut diags);
        let _ = tensor::read(&cx, id, &[], &mut diags);
    }
}

/// Statements put together from pieces that fit: what they say is odd, and none of them panics
#[test]
fn no_statement_panics() {
    let left = ["y[i]", "y[i, j]", "y[]", "y", "y[i in 0]", "y[i in 3], z[i]", "y, z", "y[j], y[j]", "v[i]"];
    let folds = [
        "",
        "sum{j}",
        "argmax{j}",
        "argmin{; i}",
        "(sum, max){}",
        "argmax{i, j}",
        "prod{; i}",
        "better{j}",
        "argmax{}",
    ];
    let values = [
        "x[i, j]",
        "(x[i, j], s)",
        "x[i, i]",
        "T[P[i]]",
        "T[P[i] + 2 * j] else 1",
        "T[s]",
        "T[T[i]]",
        "x[0 * i + i, j + 1]",
        "i32(s) % 3 + n",
        "relu(x) - e[i, j, k]",
        "e[P[i], j, P[j]] else -1",
        "i1(T[i]) && P[i] ? bf16(s) : f16(n)",
        "(sigmoid(i), x)",
        "P[P[P[i]]]",
    ];
    let ends = ["", " where j < i"];
    let (mut all, mut accepted) = (0, 0);
    for adds in ["=", "+="] {
        for left in left {
            for fold in folds {
                for value in values {
                    for end in ends {
                        // One in three, by turns.
                        all += 1;
                        if all % 3 != 0 {
                            continue;
                        }
                        let cx = context();
                        let source = format!(
                            "op better<f32, i32>(a, i, b, j) := (b > a ? b : a, b > a ? j : i) : associative, identity 0, 0
                             x : f32 [4, 5]; T : f32 [7]; P : i32 [4]; s : f32; n : index; e : bf16 [0, 2, 3]; v : i16 [4];
                             {left} {adds} {fold} {value}{end};"
                        );
                        let id = cx.sources().add("a", source);
                        let mut diags = Diags::default();
                        let found = tensor::read(&cx, id, &[], &mut diags);
                        assert_eq!(found.is_none(), diags.has_errors(), "{}", cx.sources().text(id));
                        accepted += usize::from(found.is_some_and(|ir| {
                            // What fits no type or op is reported above; the dialect has rules of its own.
                            let found = terrace_ir::verify::verify(&ir, 1);
                            let text = render_all(found.iter(), cx.sources(), false);
                            assert!(found.is_empty() || text.contains("M-"), "{text}");
                            found.is_empty()
                        }));
                    }
                }
            }
        }
    }
    assert!(accepted > 20, "{accepted} are programs");
}
