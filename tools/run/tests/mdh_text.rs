//! `--emit=mdh`: what is a computation becomes MDH text, whatever it was written in, and that text is the same computation.

use crate::{common, forms, listings};

use std::path::{Path, PathBuf};

/// What the tool prints of a text, or its messages
fn emitted(name: &str, text: &str, args: &[String]) -> Result<String, String> {
    let tool = terrace_opt::Tool {
        name: "opt",
        dialects: terrace_opt::all_dialects,
        registry: terrace_opt::REGISTRY,
        ..terrace_opt::Tool::OPT
    };
    let done = terrace_opt::run_on(tool, args, name, text).expect("the arguments are right");
    match done.out {
        Some(out) if !done.failed => Ok(String::from_utf8(out).expect("text")),
        _ => Err(done.messages),
    }
}

fn printed(name: &str, text: &str, sets: &[String]) -> Result<String, String> {
    let mut args = vec!["--emit=mdh".to_string()];
    args.extend(sets.iter().map(|set| format!("--set={set}")));
    emitted(name, text, &args)
}

fn programs() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../test-files/programs/mdh")
}

/// IR text with values numbered as they come
fn numbered(text: &str) -> String {
    let mut known: Vec<String> = Vec::new();
    let mut parts = text.split('%');
    let mut out = parts.next().unwrap_or("").to_string();
    for part in parts {
        let end =
            part.find(|c: char| !(c.is_ascii_alphanumeric() || "_.-$".contains(c))).unwrap_or(part.len());
        let n = known.iter().position(|name| name == &part[..end]).unwrap_or_else(|| {
            known.push(part[..end].to_string());
            known.len() - 1
        });
        out += &format!("%{n}{}", &part[end..]);
    }
    out
}

#[test]
fn listing_1_becomes_the_text_of_listing_2() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../test-files/frontends/c");
    let text = std::fs::read_to_string(folder.join("matmul.c")).expect("the file is there");
    let found = printed("matmul.c", &text, &[]).expect("it is a computation");
    let wanted = "matmul<Type T | int I,J,K> :=
  out_view<T>(C: (i,j,k)->(i,j))
  o md_hom<I,J,K>(*, (++, ++, +))
  o inp_view<T,T>(A: (i,j,k)->(i,k), B: (i,j,k)->(k,j))

matmul<f32 | 16,1000,2048>;
";
    assert_eq!(found, wanted);
    // The paper's own words, but for blanks and capitals of the name.
    let paper =
        "MatMul<Type T | int I,J,K> := out_view<T>( C:(i,j,k)->(i,j) ) o md_hom<I,J,K>( *, (++,++,+) ) o
        inp_view<T,T>( A:(i,j,k)->(i,k) , B:(i,j,k)->(k,j) )";
    let plain = |text: &str| text.split_whitespace().collect::<String>();
    let definition = found.split("\n\n").next().unwrap_or("");
    assert_eq!(plain(definition), plain(&paper.replace("MatMul", "matmul")));
}

#[test]
fn mdh_text_comes_back_as_the_same_program() {
    let front = programs().join("../../frontends/mdh");
    let all = std::fs::read_dir(programs())
        .expect("it is there")
        .chain(std::fs::read_dir(front).expect("it is there"));
    let mut count = 0;
    for path in all.map(|entry| entry.expect("it can be read").path()) {
        let name = path.file_name().map_or(String::new(), |name| name.to_string_lossy().into_owned());
        if !name.ends_with(".mdh") || name == "invalid.mdh" {
            continue;
        }
        let source = std::fs::read_to_string(&path).expect("programs are text");
        let text = printed(&name, &source, &[]).unwrap_or_else(|why| panic!("{name}: {why}"));
        let ir = |text: &str| {
            numbered(&emitted(&name, text, &[]).unwrap_or_else(|why| panic!("{name}: {why}\n{text}")))
        };
        assert_eq!(ir(&text), ir(&source), "{name}");
        assert_eq!(printed(&name, &text, &[]).as_ref(), Ok(&text), "{name}");
        count += 1;
    }
    assert!(count >= 20, "{count} files");
}

/// C and tensor expressions as MDH text: one expression, and the same values
fn other_forms(name: &str, end: &str, wanted: usize) {
    let path = programs().join(format!("{name}.{end}"));
    let source = std::fs::read_to_string(&path).expect("the file is there");
    let c = std::fs::read_to_string(programs().join(format!("{name}.c"))).expect("the file is there");
    let mut compared = 0;
    for line in c.lines().filter_map(|line| line.strip_prefix("// run:")) {
        let mut words = line.split_whitespace().map(String::from);
        let entry = words.next().expect("a function");
        let sets: Vec<String> = words.collect();
        let pairs: Vec<(String, String)> =
            sets.iter().map(|set| terrace_opt::language::set(set).expect("NAME=VALUE")).collect();
        let Some(before) = forms::values(&path, &entry, &pairs) else { continue };
        let text = printed(&path.to_string_lossy(), &source, &sets)
            .unwrap_or_else(|why| panic!("{name}.{end}: {why}"));
        let place = common::place(&format!("{name}.{entry}.mdh"));
        std::fs::write(&place, &text).expect("the folder for temporary files of tests can be written");
        assert_eq!(listings::expressions(&place, &[]), listings::expressions(&path, &pairs), "{name}.{end}");
        let found = forms::values(&place, &entry, &[]).expect("the function is there");
        let _ = std::fs::remove_file(place);
        let mut shared = 0;
        for (buffer, values) in &found {
            // A number that a function of C returns has no name there.
            let other = before.get(buffer).or_else(|| before.get("result").filter(|_| found.len() == 1));
            let Some(other) = other else { continue };
            forms::close(values, other)
                .unwrap_or_else(|why| panic!("{name}.{end} {entry} {buffer}: {why}\n{text}"));
            shared += 1;
        }
        assert!(shared > 0, "{name}.{end} {entry} shares no name with what is printed:\n{text}");
        compared += 1;
    }
    assert_eq!(compared, wanted, "{name}.{end}");
}

#[test]
fn c_becomes_mdh_text_with_the_same_values() {
    let all = [
        ("bmm", 1),
        ("ccsdt", 9),
        ("conv2d", 1),
        ("dot", 1),
        ("histogram", 1),
        ("jacobi1d", 1),
        ("jacobi2d", 2),
        ("matmul", 1),
        ("matmul_t", 1),
        ("matvec", 1),
        ("mcc", 1),
        ("mcc_capsule", 1),
    ];
    for (name, count) in all {
        other_forms(name, "c", count);
    }
}

#[test]
fn tensor_expressions_become_mdh_text_with_the_same_values() {
    for (name, count) in
        [("bmm", 1), ("conv2d", 1), ("histogram", 1), ("jacobi2d", 1), ("map_reduce", 2), ("matvec", 1)]
    {
        other_forms(name, "tensor", count);
    }
}

#[test]
fn upstreams_products_become_mdh_text() {
    let source = std::fs::read_to_string(programs().join("matmul.linalg.mlir")).expect("the file is there");
    let args = ["--pipeline=func.func(linalg-to-mdh)".to_string(), "--emit=mdh".to_string()];
    let text = emitted("matmul.mlir", &source, &args).unwrap_or_else(|why| panic!("{why}"));
    assert!(text.contains("o md_hom<D0,D1,D2>(*, (++, ++, +))\n"), "{text}");
}

#[test]
fn names_and_numbers_of_c_are_spelled_as_mdh_text_has_them() {
    // Words of the grammar, names that differ by capitals only, an array that is read and written, a sum of parts.
    let source = "
        void with(float o[restrict 7], const float into[restrict 7], const float t[restrict 7]) {
          for (int inf = 0; inf < 7; ++inf)
            o[inf] = -(into[inf] - (t[inf] - 0.1f)) * 3e-9f + (inf < 3 && t[inf] > 0 ? 1e20f : -0.0f);
        }
        void twice(double a[restrict 5]) {
          for (int i = 0; i < 5; ++i)
            a[i] = 2 * a[i];
        }
        void add(int A[restrict 3], const short a[restrict 5][3]) {
        #pragma mdh( A[i] : ++, + ) inout(A)
          for (int i = 0; i < 3; ++i)
            for (int j = 0; j < 5; ++j)
              A[i] += a[4 - j][i] - (i - (j - 1));
        }";
    let text = printed("x.c", source, &[]).unwrap_or_else(|why| panic!("{why}"));
    let ir = emitted("x.mdh", &text, &[]).unwrap_or_else(|why| panic!("{why}\n{text}"));
    assert_eq!(printed("x.mdh", &text, &[]).as_ref(), Ok(&text));
    for part in ["with_<f32 | 7>;", "o_:", "into_:", "(inf_)->", "a_out:", "a: (i)->(i)", "3e-9", "-0.0"] {
        let exact = text.contains(part) || part == "3e-9" && text.contains("0.000000003");
        assert!(exact, "{part}: {text}");
    }
    assert!(ir.contains("into %A"), "{ir}");
}

#[test]
fn orders_are_words_of_mdh_text() {
    let words = terrace_dialect_mdh::view::Order::WORDS;
    for word in words.iter().filter(|word| !["fixed", "fused", "tree"].contains(word)) {
        let source = format!(
            "void f(float y[restrict 3], const float x[restrict 3][4]) {{
             #pragma mdh( y[i] : ++, + ) order({word})
               for (int i = 0; i < 3; ++i)
                 for (int j = 0; j < 4; ++j)
                   y[i] += x[i][j];
             }}"
        );
        let text = printed("x.c", &source, &[]).unwrap_or_else(|why| panic!("{why}"));
        assert!(text.contains(&format!("order({word})")), "{text}");
        assert_eq!(printed("x.mdh", &text, &[]).as_ref(), Ok(&text));
        let ir = emitted("x.mdh", &text, &[]).unwrap_or_else(|why| panic!("{why}\n{text}"));
        assert!(ir.contains(&format!("pw add {word}")), "{ir}");
    }
    let several = "func.func @f(%x: tensor<4x4xf32>) -> tensor<f32> {
               %y = mdh.compute (i in 4 pw add source, j in 4 pw add) ins(%e = %x[i, j]) outs([]) {
                 mdh.yield %e : f32
               } : (tensor<4x4xf32>) -> tensor<f32>
               return %y : tensor<f32>
             }";
    let why = printed("x.mlir", several, &[]).expect_err(several);
    let said = "dimension `i` is folded in the order `source`, `j` in the order `fixed`";
    assert!(why.contains("[E0828]") && why.contains(said), "{why}");
}

/// Programs of C that are refused, what the message says, and what it says would be accepted
const REFUSED: &[(&str, &str, &str)] = &[
    (
        "void f(float y[restrict 4], const float x[restrict 4], float a) {\n  for (int i = 0; i < 4; ++i)\n    y[i] = a * x[i];\n}\n",
        "is a number from outside",
        "an array of one element",
    ),
    (
        "void f(float y[restrict 4], float z[restrict 4], const float x[restrict 4]) {\n  for (int i = 0; i < 4; ++i)\n    y[i] = x[i];\n  for (int i = 0; i < 4; ++i)\n    z[i] = 2 * x[i];\n}\n",
        "its second computation",
        "one computation of arrays",
    ),
    (
        "void f(float y[4], float x[4]) {\n  for (int i = 0; i < 4; ++i)\n    y[i] = x[i];\n}\n",
        "`f` is no computation",
        "`restrict`",
    ),
    (
        "void f(int y[restrict 4], const int x[restrict 4]) {\n  for (int i = 0; i < 4; ++i)\n    y[i] = x[i] ^ 5;\n}\n",
        "the scalar function has `arith.xori` of i32, i32",
        "comparisons",
    ),
    ("int f(int n) { return n + 1; }\n", "`f` is no computation", "loops that are one"),
    (
        "void f(float y[restrict 4], const float x[restrict 4]) {\n  for (int t = 0; t < 3; ++t)\n    for (int i = 0; i < 4; ++i)\n      y[i] = y[i] * 0.5f + x[i];\n}\n",
        "`scf.for` stands next to the computation",
        "nothing else",
    ),
    ("void f(void) {}\n", "`f` is no computation", "a function of one `mdh.compute`"),
    (
        "#pragma mdh operator(associative)\nfloat g(float a, float b) { return a; }\nvoid f(float y[restrict 4], const float x[restrict 8], const int p[restrict 4]) {\n#pragma mdh( y[i] : ++ ) gather(x)\n  for (int i = 0; i < 4; ++i)\n    y[i] = x[p[i] & 7];\n}\n",
        "is read at places that depend on data",
        "sums of multiples of coordinates",
    ),
];

#[test]
fn what_mdh_text_cannot_say_is_refused() {
    for (text, what, accepted) in REFUSED {
        let why = printed("x.c", text, &[]).expect_err(text);
        assert!(why.contains("[E0828]: D-UNSAID: "), "{text}{why}");
        assert!(why.contains(what) && why.contains(accepted) && why.contains("--> x.c:"), "{text}{why}");
    }
    let calls = [
        ("module {\n  memref.global @g : memref<4xf32>\n}\n", "`memref.global` is no function of arrays"),
        (
            "func.func @f(%x: tensor<4xf32>, %a: f32) -> tensor<4xf32> {
               %y = mdh.compute (i in 4) ins(%e = %x[i + 1] else %a) outs([i]) {
                 mdh.yield %e : f32
               } : (tensor<4xf32>, f32) -> tensor<4xf32>
               return %y : tensor<4xf32>
             }",
            "a number from outside stands for elements outside",
        ),
        (
            "func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
               %y = mdh.compute (i in 4) ins(%e = %x[i]) outs([i]) {
                 %s = arith.addf %e, %e fastmath<fast> : f32
                 mdh.yield %s : f32
               } : (tensor<4xf32>) -> tensor<4xf32>
               return %y : tensor<4xf32>
             }",
            "this would be read as something else: the scalar function would differ",
        ),
        (
            "func.func @f(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
               %y, %z = mdh.compute (i in 4) ins(%e = %x[i]) outs([i], [i]) {
                 mdh.yield %e, %e : f32, f32
               } : (tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>)
               return %z, %y : tensor<4xf32>, tensor<4xf32>
             }",
            "what is returned is not the computation's results in their order",
        ),
        (
            "func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
               %y, %z = mdh.compute (i in 4) ins(%e = %x[i]) outs([i], [i]) {
                 mdh.yield %e, %e : f32, f32
               } : (tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>)
               return %z : tensor<4xf32>
             }",
            "a result goes nowhere",
        ),
        (
            "func.func @f(%x: tensor<4xi7>) -> tensor<4xi7> {
               %y = mdh.compute (i in 4) ins(%e = %x[i]) outs([i]) {
                 mdh.yield %e : i7
               } : (tensor<4xi7>) -> tensor<4xi7>
               return %y : tensor<4xi7>
             }",
            "`x` is tensor<4xi7>",
        ),
        (
            "func.func @f(%x: tensor<4xf32>, %m: i64) -> tensor<f32> {
               %n = arith.index_cast %m : i64 to index
               %y = mdh.compute (i in 4 pw add) extents(%n <= 4) where i < %n ins(%e = %x[i]) outs([]) {
                 mdh.yield %e : f32
               } : (tensor<4xf32>, index) -> tensor<f32>
               return %y : tensor<f32>
             }",
            "`arith.index_cast` stands next to the computation",
        ),
    ];
    for (text, what) in calls {
        let why = printed("x.mlir", text, &[]).expect_err(text);
        assert!(
            why.contains("[E0828]: D-UNSAID: ") && why.contains(what) && why.contains("--> x.mlir:"),
            "{text}{why}"
        );
    }
}
