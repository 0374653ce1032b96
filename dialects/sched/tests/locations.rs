//! Each loop of a header keeps its own location through text.

use terrace_diag::Diags;
use terrace_ir::Context;
use terrace_text::{ParseOptions, PrintOptions};

fn again(text: &str) -> String {
    let cx = Context::new(&[terrace_dialect_upstream::ALL, terrace_dialect_sched::ALL].concat());
    let source = cx.sources().add("test.mlir", text.to_string());
    let mut diags = Diags::default();
    let ir = terrace_text::parse(&cx, source, &ParseOptions::default(), &mut diags).expect("it parses");
    assert!(!diags.has_errors());
    let mut out = String::new();
    terrace_text::print(&ir, &PrintOptions { debuginfo: true, ..PrintOptions::default() }, &mut out);
    out
}

#[test]
fn loops_of_a_header_keep_their_locations() {
    let text = r#"
func.func @f(%A: memref<8x8xf32>) {
  sched.for (%i in 8 by 1 dim 0) {
    sched.for (%j in 8 by 1 dim 1) {
      %a = sched.read %A[%i, %j] : memref<8x8xf32> loc("read")
      sched.write %a, %A[%i, %j] : memref<8x8xf32> loc("write")
    } loc("inner")
  } loc("outer")
  return loc("return")
} loc("function")
"#;
    let once = again(text);
    assert!(once.contains("loc(\"inner\")") && once.contains("loc(\"outer\")"), "{once}");
    assert_eq!(again(&once), once);
}
