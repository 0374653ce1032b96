//! The case studies of the MDH papers by the builder: the same IR as by text (docs/case-studies.md).

use std::path::Path;
use std::sync::Arc;
use terrace_diag::{Diags, render_all};
use terrace_frontend_mdh::builder::{Compute, arg, call, index, select};
use terrace_frontend_mdh::model::{Bin, Elem, OperatorFn, Scalar};
use terrace_frontend_mdh::text;
use terrace_ir::{Context, Ir};

const F32: Elem = Elem::Float(32);
const I32: Elem = Elem::Int(32);

fn printed(module: &Ir) -> String {
    let mut out = String::new();
    terrace_text::print(module, &Default::default(), &mut out);
    out
}

/// The text of one function of a module
fn function<'t>(text: &'t str, name: &str) -> &'t str {
    let start = text.find(&format!("  func.func @{name}(")).unwrap_or_else(|| panic!("no {name} in\n{text}"));
    let rest = &text[start..];
    &rest[..rest.find("\n  }\n").expect("functions end")]
}

/// A builder's function is what the text form gives
#[track_caller]
fn same(file: &str, name: &str, sets: &str, built: Compute) {
    let cx: Arc<Context> = Context::new(&[terrace_dialect_upstream::ALL, terrace_dialect_mdh::ALL].concat());
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../test-files/programs/mdh").join(file);
    let source = std::fs::read_to_string(&path).expect("the file is there");
    let sets: Vec<(String, String)> = sets
        .split_whitespace()
        .filter_map(|set| set.split_once('='))
        .map(|(n, v)| (n.into(), v.into()))
        .collect();
    let mut diags = Diags::default();
    let id = cx.sources().add(file, source);
    let module = text::read(&cx, id, &sets, &mut diags);
    let module = module.unwrap_or_else(|| panic!("{}", render_all(diags.iter(), cx.sources(), false)));
    let built = printed(&built.module(&cx).unwrap_or_else(|why| panic!("{name}: {why}")));
    assert_eq!(function(&built, name), function(&printed(&module), name));
}

#[test]
fn dot() {
    let built = Compute::new("dot")
        .pw("k", 37, "add")
        .input("x", F32, ["k"])
        .input("y", F32, ["k"])
        .output("result", F32, [])
        .yields(arg(0) * arg(1));
    same("dot.mdh", "dot", "N=37", built);
}

#[test]
fn matvec() {
    let built = Compute::new("matvec")
        .cc("i", 9)
        .pw("k", 7, "add")
        .input("M", F32, ["i", "k"])
        .input("v", F32, ["k"])
        .output("w", F32, ["i"])
        .yields(arg(0) * arg(1));
    same("matvec.mdh", "matvec", "I=9 K=7", built);
}

fn product(name: &str, a: [&str; 2], b: [&str; 2], c: [&str; 2]) -> Compute {
    let all = Compute::new(name).cc("i", 4).cc("j", 5).pw("k", 6, "add");
    all.input("A", F32, a).input("B", F32, b).output("C", F32, c).yields(arg(0) * arg(1))
}

#[test]
fn matmul() {
    same("matmul.mdh", "matmul", "I=4 J=5 K=6", product("matmul", ["i", "k"], ["k", "j"], ["i", "j"]));
}

#[test]
fn matmul_t() {
    same("matmul_t.mdh", "matmul_t", "I=4 J=5 K=6", product("matmul_t", ["k", "i"], ["j", "k"], ["j", "i"]));
}

#[test]
fn bmm() {
    let built = Compute::new("bmm")
        .cc("b", 2)
        .cc("i", 3)
        .cc("j", 4)
        .pw("k", 5, "add")
        .input("A", F32, ["b", "i", "k"])
        .input("D", F32, ["b", "k", "j"])
        .output("C", F32, ["b", "i", "j"])
        .yields(arg(0) * arg(1));
    same("bmm.mdh", "bmm", "B=2 I=3 J=4 K=5", built);
}

#[test]
fn conv2d() {
    let built = Compute::new("conv2d")
        .cc("p", 6)
        .cc("q", 5)
        .pw("r", 5, "add")
        .pw("s", 5, "add")
        .input("X", F32, ["p + r", "q + s"])
        .input("W", F32, ["r", "s"])
        .output("O", F32, ["p", "q"])
        .yields(arg(0) * arg(1));
    same("conv2d.mdh", "conv2d", "P=6 Q=5", built);
}

/// Kept and summed dimensions by name and size
fn dims(name: &str, all: &[(&str, i64, bool)]) -> Compute {
    let mut made = Compute::new(name);
    for (name, size, kept) in all {
        made = if *kept { made.cc(name, *size) } else { made.pw(name, *size, "add") };
    }
    made
}

#[test]
fn mcc() {
    let all = [
        ("n", 1, true),
        ("p", 4, true),
        ("q", 5, true),
        ("k", 3, true),
        ("r", 3, false),
        ("s", 3, false),
        ("c", 2, false),
    ];
    let built = dims("mcc", &all)
        .input("X", F32, ["n", "p + r - 1", "q + s - 1", "c"])
        .input("F", F32, ["k", "r", "s", "c"])
        .output("O", F32, ["n", "p", "q", "k"])
        .into_tensor("bias", F32, ["k"])
        .only_where("0 <= p + r - 1 < 4")
        .only_where("0 <= q + s - 1 < 5")
        .yields(arg(0) * arg(1));
    same("mcc.mdh", "mcc", "N=1 P=4 Q=5 K=3 C=2", built);
}

#[test]
fn mcc_capsule() {
    let all = [
        ("n", 1, true),
        ("p", 3, true),
        ("q", 2, true),
        ("k", 2, true),
        ("r", 3, false),
        ("s", 3, false),
        ("c", 3, false),
        ("mi", 2, true),
        ("mj", 2, true),
        ("mk", 2, false),
    ];
    let built = dims("mcc_capsule", &all)
        .input("X", F32, ["n", "p + r", "q + s", "c", "mi", "mk"])
        .input("F", F32, ["k", "r", "s", "c", "mk", "mj"])
        .output("O", F32, ["n", "p", "q", "k", "mi", "mj"])
        .yields(arg(0) * arg(1));
    same("mcc_capsule.mdh", "mcc_capsule", "P=3 Q=2 K=2 C=3 M=2", built);
}

/// The nine contractions, and whether a, e, g are the long ones, or a, d, g
const CONTRACTIONS: [(&str, &str); 9] = [
    ("gdab_efgc", "aeg"),
    ("gdac_efgb", "aeg"),
    ("gdbc_efga", "aeg"),
    ("geab_dfgc", "adg"),
    ("geac_dfgb", "adg"),
    ("gebc_dfga", "adg"),
    ("gfab_degc", "adg"),
    ("gfac_degb", "adg"),
    ("gfbc_dega", "adg"),
];

#[test]
fn ccsdt() {
    for (name, long) in CONTRACTIONS {
        let letters = ["a", "b", "c", "d", "e", "f", "g"];
        let size = |letter: &str| if long.contains(letter) { 3 } else { 2 };
        let all: Vec<(&str, i64, bool)> = letters.iter().map(|l| (*l, size(l), *l != "g")).collect();
        let (left, right) = name.split_once('_').expect("two operands");
        let subscripts = |text: &'static str| text.split("").filter(|letter| !letter.is_empty());
        let built = dims(name, &all)
            .input("X", F32, subscripts(left))
            .input("Y", F32, subscripts(right))
            .output("O", F32, letters[..6].iter().copied())
            .yields(arg(0) * arg(1));
        same("ccsdt.mdh", name, "N=2 M=3", built);
    }
}

fn sum(count: usize) -> Scalar {
    (1..count).fold(arg(0), |sum, n| sum + arg(n))
}

#[test]
fn jacobi1d() {
    let all = Compute::new("jacobi1d").cc("i", 9);
    let all = ["i", "i + 1", "i + 2"].into_iter().fold(all, |all, tap| all.input("x", F32, [tap]));
    same("jacobi1d.mdh", "jacobi1d", "N=11", all.output("y", F32, ["i"]).yields(sum(3) / 3.0));
}

const CROSS: [[&str; 2]; 5] =
    [["i + 1", "j + 1"], ["i", "j + 1"], ["i + 2", "j + 1"], ["i + 1", "j"], ["i + 1", "j + 2"]];

#[test]
fn jacobi2d() {
    let all = Compute::new("jacobi2d").cc("i", 5).cc("j", 5);
    let all = CROSS.into_iter().fold(all, |all, tap| all.input("X", F32, tap));
    let built = all.output("Y", F32, ["i", "j"]).yields(Scalar::Float(0.2) * sum(5));
    same("jacobi2d.mdh", "jacobi2d", "N=7", built);
}

#[test]
fn border() {
    let all = Compute::new("border").cc("i", 5).cc("j", 5).shape("X", F32, [7, 7]).shape("Y", F32, [7, 7]);
    let all = CROSS.into_iter().fold(all, |all, tap| all.input("X", F32, tap));
    let built = all.output("Y", F32, ["i + 1", "j + 1"]).from_old().yields(Scalar::Float(0.2) * sum(5));
    same("jacobi2d.mdh", "border", "N=7", built);
}

#[test]
fn jacobi3d() {
    let taps = [
        ["i + 1", "j + 1", "k + 1"],
        ["i", "j + 1", "k + 1"],
        ["i + 2", "j + 1", "k + 1"],
        ["i + 1", "j", "k + 1"],
        ["i + 1", "j + 2", "k + 1"],
        ["i + 1", "j + 1", "k"],
        ["i + 1", "j + 1", "k + 2"],
    ];
    let all = Compute::new("jacobi3d").cc("i", 3).cc("j", 3).cc("k", 3);
    let all = taps.into_iter().fold(all, |all, tap| all.input("X", F32, tap));
    let built = all.output("Y", F32, ["i", "j", "k"]).yields(Scalar::Float(0.125) * sum(7));
    same("jacobi3d.mdh", "jacobi3d", "N=5", built);
}

fn operator(
    name: &str,
    elems: &[Elem],
    params: &[&str],
    body: Vec<Scalar>,
    commutative: bool,
    identity: &[f64],
) -> OperatorFn {
    OperatorFn {
        name: name.into(),
        elems: elems.to_vec(),
        params: params.iter().map(|name| name.to_string()).collect(),
        body,
        associative: true,
        commutative,
        exact: true,
        identity: identity.to_vec(),
        offset: 0,
    }
}

#[test]
fn prl() {
    let greater = |a: Scalar, b: Scalar| a.op(Bin::Gt, b);
    let at =
        select(greater(arg(1), arg(3)), arg(0), select(greater(arg(3), arg(1)), arg(2), arg(0).max(arg(2))));
    let better = operator(
        "better",
        &[I32, F32],
        &["i", "w", "j", "v"],
        vec![at, arg(1).max(arg(3))],
        true,
        &[-2147483648.0, f64::NEG_INFINITY],
    );
    let abs = |a: Scalar, b: Scalar| call("abs", [a - b]);
    let weight = select(
        abs(arg(1), arg(3)).op(Bin::Lt, 0.5),
        Scalar::Float(2.0) - abs(arg(1), arg(3)) - abs(arg(2), arg(4)),
        -abs(arg(2), arg(4)),
    );
    let built = Compute::new("prl")
        .operator(better)
        .cc("i", 5)
        .pw("j", 8, "better")
        .input("E_id", I32, ["j"])
        .input("N_name", F32, ["i"])
        .input("N_day", F32, ["i"])
        .input("E_name", F32, ["j"])
        .input("E_day", F32, ["j"])
        .output("best_id", I32, ["i"])
        .output("best_weight", F32, ["i"])
        .yields(arg(0))
        .yields(weight);
    same("prl.mdh", "prl", "I=5 J=8", built);
}

/// 1 or 0
fn iverson(test: Scalar) -> Scalar {
    select(test, Scalar::Int(1), Scalar::Int(0))
}

#[test]
fn histogram() {
    let built = Compute::new("histogram")
        .pw("e", 29, "add")
        .cc("b", 4)
        .input("v", I32, ["e"])
        .output("h", I32, ["b"])
        .yields(iverson(arg(0).op(Bin::Eq, index(1))));
    same("histogram.mdh", "histogram", "E=29 B=4", built);
}

#[test]
fn gen_histogram() {
    let join = operator("join", &[I32], &["a", "b"], vec![arg(0) * arg(1) + arg(0) + arg(1)], true, &[0.0]);
    let low = (arg(0) % 8i64 + 8i64) % 8i64;
    let built = Compute::new("gen_histogram")
        .operator(join)
        .pw("e", 23, "join")
        .cc("b", 5)
        .input("v", I32, ["e"])
        .output("h", I32, ["b"])
        .yields(iverson(low.op(Bin::Eq, index(1))));
    same("gen_histogram.mdh", "gen_histogram", "E=23 B=5", built);
}

#[test]
fn map() {
    let exp = || call("exp", [arg(0)]);
    let built = Compute::new("map")
        .cc("i", 19)
        .input("x", Elem::Float(64), ["i"])
        .output("y", Elem::Float(64), ["i"])
        .yields(exp() / (Scalar::Float(1.0) + exp()));
    same("map_reduce.mdh", "map", "N=19", built);
}

#[test]
fn largest() {
    let all = Compute::new("largest").pw("i", 19, "max").input("x", F32, ["i"]);
    same("map_reduce.mdh", "largest", "N=19", all.output("result", F32, []).yields(arg(0)));
}

#[test]
fn sum_max() {
    let all = Compute::new("sum_max").pw("i", 19, "add, max").input("x", F32, ["i"]);
    let built = all.output("s", F32, []).output("m", F32, []).yields(arg(0)).yields(arg(0));
    same("map_reduce.mdh", "sum_max", "N=19", built);
}

#[test]
fn argmax() {
    let later = || arg(2).op(Bin::Gt, arg(0));
    let body = vec![select(later(), arg(2), arg(0)), select(later(), arg(3), arg(1))];
    let first = operator("first", &[F32, I32], &["a", "i", "b", "j"], body, false, &[]);
    let built = Compute::new("argmax")
        .operator(first)
        .pw("i", 19, "first")
        .input("x", F32, ["i"])
        .shape("out_value", F32, [1])
        .shape("out_at", I32, [1])
        .output("out_value", F32, ["0"])
        .from_old()
        .output("out_at", I32, ["0"])
        .from_old()
        .yields(arg(0))
        .yields(index(0));
    same("map_reduce.mdh", "argmax", "N=19", built);
}

#[test]
fn scan() {
    let all = Compute::new("scan").ps("i", 13, "add").input("x", F32, ["i"]);
    same("scan.mdh", "scan", "N=13", all.output("y", F32, ["i"]).yields(arg(0)));
}

#[test]
fn mbbs() {
    let all = Compute::new("mbbs").ps("i", 6, "add").pw("j", 5, "add").input("x", I32, ["i", "j"]);
    same("scan.mdh", "mbbs", "I=6 J=5", all.output("sums", I32, ["i"]).yields(arg(0)));
}
