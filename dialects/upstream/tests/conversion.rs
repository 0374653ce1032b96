//! Types converted in place: what is the same for any type goes along, an op that had to go and has no rule is named.

use std::sync::Arc;
use terrace_diag::Diags;
use terrace_dialect_builtin::conversion::TypeConversion;
use terrace_dialect_upstream::ALL;
use terrace_ir::verify::verify;
use terrace_ir::{Context, Ir};
use terrace_text::{ParseOptions, PrintOptions};

const PROGRAM: &str = "func.func private @g(i8, memref<?xi8>) -> (i8, tensor<4xi8>)
func.func @f(%a: i8, %m: memref<?xi8>, %c: i1, %n: index) -> vector<4xi8> {
  %r = scf.if %c -> (i8) {
    %x = memref.load %m[%n] : memref<?xi8>
    scf.yield %x : i8
  } else {
    %y, %t = func.call @g(%a, %m) : (i8, memref<?xi8>) -> (i8, tensor<4xi8>)
    scf.yield %y : i8
  }
  cf.br ^end(%r : i8)
^end(%e: i8):
  %v = vector.broadcast %e : i8 to vector<4xi8>
  return %v : vector<4xi8>
}
";

fn module(cx: &Arc<Context>, text: &str) -> Ir {
    let source = cx.sources().add("x", text.to_string());
    terrace_text::parse(cx, source, &ParseOptions::default(), &mut Diags::default()).expect("it is read")
}

#[test]
fn signatures_calls_branches_and_memory_go_along() {
    let cx = Context::new(ALL);
    let mut ir = module(&cx, PROGRAM);
    let wider = TypeConversion {
        convert: |cx, ty| (ty == cx.common().i8).then(|| cx.int(16)),
        dialects: &[],
        rules: &[],
    };
    let outcome = wider.run(&mut ir).map_err(|error| error.message.clone()).expect("nothing has to go");
    assert!(outcome.changed);
    let diags = verify(&ir, 1);
    assert!(!diags.has_errors(), "{:?}", diags.into_vec());
    let mut text = String::new();
    terrace_text::print(&ir, &PrintOptions::default(), &mut text);
    assert!(
        !text.contains("i8") && text.contains("@g(i16, memref<?xi16>) -> (i16, tensor<4xi16>)"),
        "{text}"
    );
    // A second time there is nothing to do.
    let again = wider.run(&mut ir).map_err(|error| error.message.clone()).expect("nothing has to go");
    assert!(!again.changed);
}

#[test]
fn an_op_that_no_rule_replaces_is_named() {
    let cx = Context::new(ALL);
    let text = "func.func @f(%a: f64) -> f64 {\n  %b = math.sqrt %a : f64\n  return %b : f64\n}\n";
    let mut ir = module(&cx, text);
    let narrower = TypeConversion {
        convert: |cx, ty| (ty == cx.common().f64).then(|| cx.common().f32),
        dialects: &["math"],
        rules: &[],
    };
    let error = narrower.run(&mut ir).err().expect("math.sqrt is left");
    assert_eq!(error.code.map(|code| code.id), Some("E0204"));
    assert_eq!(error.message, "'math.sqrt' op is left: no rule of the conversion replaces it");
}
