//! What the parser accepts, seen through the printer.

use crate::toy;

use terrace_ir::show::attr_text;
use terrace_ir::verify::verify;
use terrace_ir::{LocView, Name, OpId};
use terrace_text::{ParseOptions, PrintOptions};
use toy::{generic, lenient, parse_with, printed};

/// The line of the printed text that holds a word
fn line(text: &str, word: &str) -> String {
    let out = generic(text);
    match out.lines().find(|line| line.contains(word)) {
        Some(line) => line.trim().to_string(),
        None => panic!("no {word} in\n{out}"),
    }
}

/// The text of an attribute after a round trip
fn attr(text: &str) -> String {
    let (ir, errors) = parse_with(&format!("\"t.a\"() {{a = {text}}} : () -> ()"), &lenient());
    let Some(ir) = ir else { panic!("{text}: {errors:?}") };
    let op = ir.walk().next().expect("an op");
    attr_text(ir.cx(), ir.attr(op, "a").expect("the attribute"))
}

#[test]
fn types_round_trip() {
    for text in [
        "i1",
        "si7",
        "ui64",
        "i16777215",
        "index",
        "none",
        "f32",
        "bf16",
        "tf32",
        "f8E4M3FN",
        "complex<f32>",
        "vector<f32>",
        "vector<4x[8]xi8>",
        "tensor<4x?xf32>",
        "tensor<*xi1>",
        "tensor<f32>",
        "memref<?x4xf32>",
        "memref<4xf32, strided<[?], offset: 2>>",
        "memref<4xf32, 3>",
        "memref<*xf32, 1>",
        "tuple<i32, tuple<>>",
        "(() -> (), i32) -> i1",
        "memref<2x2xf32, affine_map<(d0, d1) -> (d1, d0)>>",
        "!toy.pair<i32, f32>",
        "!foo.bar<a -> b, [\"x>\"]>",
        "!foo<any {thing}>",
        "!foo.bar",
        "tensor<0x4xi32>",
        "tensor<4x4xf64, #foo.enc<x>>",
        "memref<memref<4xi8>>",
    ] {
        assert_eq!(attr(text), text);
    }
}

#[test]
fn attributes_round_trip() {
    for text in [
        "1 : i64",
        "-1 : i8",
        "true",
        "1.000000e+00 : f32",
        "0x7FC00000 : f32",
        "\"a\\22\\0A\"",
        "\"s\" : i32",
        "@a",
        "@a::@\"b c\"::@d",
        "[1 : i32, [], \"x\"]",
        "{a, b = 1 : i32}",
        "i32",
        "() -> ()",
        "array<i32: 1, -2>",
        "array<i1: true, false>",
        "array<f32: 1.000000e+00>",
        "array<i64>",
        "dense<1> : tensor<4xi32>",
        "dense<[[1, 2], [3, 4]]> : tensor<2x2xi8>",
        "dense<> : tensor<0xi32>",
        "dense<(1.000000e+00,2.000000e+00)> : tensor<2xcomplex<f32>>",
        "dense<[true, false]> : vector<2xi1>",
        "dense<[\"a\", \"b\"]> : tensor<2x!foo.str>",
        "sparse<[[0, 1], [2, 3]], [4, 5]> : tensor<4x4xi32>",
        "affine_map<() -> ()>",
        "affine_map<(d0, d1)[s0] -> (d0 + s0 * 2, d1 floordiv 3, d0 mod 4)>",
        "affine_set<(d0) : (d0 - 1 >= 0, d0 == 0)>",
        "distinct[7]<\"x\">",
        "#toy.mode<fast,safe>",
        "#foo.x<1 + -> {2}>",
        "loc(unknown)",
        "loc(\"f\":1:2)",
        "loc(\"f\":1:2 to 3:4)",
        "loc(\"n\"(\"f\":1:2))",
        "loc(callsite(\"a\" at \"b\"))",
        "loc(fused<\"m\">[\"a\", \"b\"])",
        "170141183460469231731687303715884105727 : i128",
        "-170141183460469231731687303715884105728 : i128",
    ] {
        assert_eq!(attr(text), text);
    }
}

#[test]
fn attributes_are_made_canonical() {
    assert_eq!(attr("0xFF : i8"), "-1 : i8");
    assert_eq!(attr("255 : i8"), "-1 : i8");
    assert_eq!(attr("1 : i1"), "true");
    assert_eq!(attr("7"), "7 : i64");
    assert_eq!(attr("1.5"), "1.500000e+00 : f64");
    assert_eq!(attr("dense<[1, 1]> : tensor<2xi32>"), "dense<1> : tensor<2xi32>");
    assert_eq!(attr("dense<\"0x01000000FFFFFFFF\"> : tensor<2xi32>"), "dense<[1, -1]> : tensor<2xi32>");
    assert_eq!(attr("#toy<mode fast>"), "#toy.mode<fast>");
    assert_eq!(attr("{b, a}"), "{a, b}");
    assert_eq!(attr("\"a\\t\\\\\""), "\"a\\09\\\\\"");
}

#[test]
fn aliases_before_and_after_their_use() {
    let text = "#b = [#a, #c]\n#a = 1 : i32\n\"t.a\"() {x = #b, y = !t} : () -> ()\n!t = vector<4x!e>\n!e = f32\n#c = loc(\"l\")";
    assert!(line(text, "t.a").contains("x = [1 : i32, #loc], y = vector<4xf32>"), "{}", generic(text));
}

#[test]
fn one_module_is_the_result_others_are_wrapped() {
    let only = parse_with("module @m {\n}", &lenient()).0.expect("parses");
    assert!(only.attr(only.root(), "sym_name").is_some());
    assert_eq!(only.source().map(|source| source.0), Some(0));
    let two = parse_with("module @m {}\nmodule @n {}", &lenient()).0.expect("parses");
    let body = two.entry(two.region(two.root(), 0)).expect("a block");
    assert_eq!(two.block_ops(body).filter(|op| two.child(*op).is_some()).count(), 2);
    assert!(parse_with("", &lenient()).0.is_some());
}

#[test]
fn units_own_their_ops_and_verify() {
    let text = "func.func @f(%a: i32) -> i32 {\n  %b = toy.add %a, %a : i32\n  return %b : i32\n}";
    let ir = parse_with(text, &lenient()).0.expect("parses");
    let errors = verify(&ir, 1);
    assert!(errors.is_empty(), "{:?}", errors.as_slice());
    let body = ir.entry(ir.region(ir.root(), 0)).expect("a block");
    let unit = ir.first_op(body).and_then(|slot| ir.child(slot)).expect("a unit");
    assert_eq!(unit.walk().count(), 2);
    let add = unit.walk().next().expect("an op");
    assert_eq!(unit.value_name(unit.result(add, 0)), Some("b"));
    assert_eq!(unit.loc(add).view(), LocView::Offset(text.find("toy.add").expect("there") as u32));
}

#[test]
fn numbers_are_no_names() {
    let ir = parse_with("%0, %a = \"t.a\"() : () -> (i1, i1)", &lenient()).0.expect("parses");
    let op: OpId = ir.walk().next().expect("an op");
    assert_eq!(ir.value_name(ir.result(op, 0)), None);
    assert_eq!(ir.value_name(ir.result(op, 1)), Some("a"));
}

/// Names from elsewhere, such as those of tensors in ONNX files, are printed as names that parse
#[test]
fn names_of_any_text_parse_back() {
    let mut ir =
        parse_with("%a = \"t.a\"() : () -> i1\n\"t.b\"(%a) : (i1) -> ()", &lenient()).0.expect("parses");
    let op: OpId = ir.walk().next().expect("an op");
    for (name, wanted) in [
        ("/a/b", "%_2Fa2Fb"),
        ("-x", "%-x"),
        ("\u{e9}", "%C3A9"),
        ("7", "%0"),
        ("7a", "%_7a"),
        (" a", "%_a"),
        ("\n", "%_0A"),
    ] {
        let (value, name) = (ir.result(op, 0), Name::Str(ir.cx().intern(name)));
        ir.set_value_name(value, name);
        let mut text = String::new();
        terrace_text::print(&ir, &PrintOptions::default(), &mut text);
        assert!(text.contains(&format!("\"t.b\"({wanted})")), "{text}");
        let (again, errors) = parse_with(&text, &lenient());
        assert!(again.is_some(), "{text}: {errors:?}");
    }
}

#[test]
fn uses_before_definitions_and_result_numbers() {
    let text = "\"t.a\"(%x#1, %x) : (i32, i1) -> ()\n%x:2 = \"t.b\"() : () -> (i1, i32)";
    assert_eq!(line(text, "t.a"), "\"t.a\"(%x#1, %x#0) : (i32, i1) -> ()");
}

#[test]
fn names_come_back_in_sibling_regions() {
    let text = "\"t.a\"() ({\n %x = \"t.b\"() : () -> i1\n}, {\n %x = \"t.c\"() : () -> i2\n \"t.d\"(%x) : (i2) -> ()\n}) : () -> ()";
    assert_eq!(line(text, "t.d"), "\"t.d\"(%x) : (i2) -> ()");
}

#[test]
fn blocks_forward_and_back() {
    let text = "func.func @f(%c: i1) {\n  toy.branch %c, ^a(%c : i1), ^bb7\n^bb7:\n  return\n^a(%x: i1 loc(\"x\")):\n  toy.branch %x, ^bb7, ^a(%x : i1)\n}";
    let ir = parse_with(text, &lenient()).0.expect("parses");
    assert!(verify(&ir, 1).is_empty());
    assert!(line(text, "[^a").contains("operandSegmentSizes = array<i32: 1, 1, 0>"));
}

#[test]
fn formats_with_defaults_groups_and_implied_terminators() {
    let text = "func.func @f(%a: i32) {\n  %0 = toy.add %a, %a mode<fast,safe> {k} : i32\n  %1 = toy.add %a, %a mode<off> : i32\n  toy.once quiet { } {note = 1 : i8}\n  %2 = toy.constant 2 : i8\n  return\n}";
    let out = generic(text);
    assert!(out.contains("<{mode = #toy.mode<fast,safe>}> {k}"), "{out}");
    assert!(out.contains("\"toy.yield\"() : () -> ()"), "{out}");
    assert!(out.contains("note = 1 : i8") && out.contains("quiet"), "{out}");
    assert!(out.contains("<{value = 2 : i8}> : () -> i8"), "{out}");
    let pretty = printed(text, &PrintOptions::default());
    assert!(pretty.contains("toy.add %a, %a : i32"), "{pretty}");
}

#[test]
fn locations_of_ops() {
    let ir = parse_with("\"t.a\"() : () -> () loc(#l)\n#l = loc(\"f\":1:2)", &lenient()).0.expect("parses");
    let op = ir.walk().next().expect("an op");
    assert!(matches!(ir.loc(op).view(), LocView::Attr(_)));
}

#[test]
fn resources_are_kept_as_they_are_written() {
    let text = "\
module {
  \"t.a\"() {a = dense_resource<x> : tensor<1xi8>} : () -> ()
}

{-#
  dialect_resources: {
    builtin: {
      x: \"0x0100000042\",
      \"a b\": \"0x01000000\"
    }
  },
  external_resources: {
    mlir_reproducer: {
      pipeline: \"builtin.module(cse)\",
      verify_each: true
    }
  }
#-}
";
    let (ir, notes) = parse_with(text, &lenient());
    assert!(notes.is_empty());
    let mut out = String::new();
    terrace_text::print(&ir.expect("parses"), &Default::default(), &mut out);
    assert_eq!(out, text);
}

#[test]
fn regions_nest_ten_thousand_deep() {
    let n = 10_000;
    for (open, close) in
        [("\"t.a\"() ({\n", "}) : () -> ()\n"), ("toy.once {\n", "}\n"), ("module {\n", "}\n")]
    {
        let text = open.repeat(n) + &close.repeat(n);
        let (ir, errors) = parse_with(&text, &lenient());
        assert!(ir.is_some(), "{errors:?}");
    }
}

fn many_functions(wrong: Option<usize>) -> String {
    let mut text = String::from("module {\n");
    for n in 0..200 {
        let ty = if wrong == Some(n) { "i3q" } else { "!t" };
        text += &format!(
            "  func.func @f{n}(%a: i32) -> i32 {{ // }}\n    %b = toy.add %a, %a : {ty}\n    return %b : i32\n  }}\n"
        );
    }
    text + "}\n!t = i32\n"
}

#[test]
fn threads_change_nothing() {
    let threads = ParseOptions { threads: 4, parallel_from: 1, ..lenient() };
    for wrong in [None, Some(0), Some(77), Some(199)] {
        let text = many_functions(wrong);
        let (one, one_errors) = parse_with(&text, &lenient());
        let (four, four_errors) = parse_with(&text, &threads);
        assert_eq!(one_errors, four_errors);
        assert_eq!(one_errors.len(), usize::from(wrong.is_some()));
        let print = |ir: terrace_ir::Ir| {
            let mut out = String::new();
            terrace_text::print(&ir, &PrintOptions { debuginfo: true, ..PrintOptions::default() }, &mut out);
            out
        };
        assert_eq!(one.map(print), four.map(print));
    }
}
